import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { Moneta, SigningKey } from "@moneta/sdk";
import type { Browser } from "playwright-core";
import { archive } from "../../node/commands/archive.ts";
import { prune } from "../../node/commands/prune.ts";
import { withoutChromium } from "../../node/testing/chromium.ts";
import { printed } from "../../node/testing/command-in-process.ts";
import { TemporaryDirectory } from "../../node/testing/temporary-directory.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import { inBrowser, testNode } from "./in-browser.ts";
import { openAccount } from "./open-account.ts";
import { OpenedPage } from "./opened-page.ts";

const NO_WRITES = "This node cannot write now.";
const HOUR = 3600;
const DAY = 86_400;

describe("notices of the pages", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;

  inBrowser(testNode, (started) => {
    ({ node, browser } = started);
    node.now = Math.floor(Date.now() / 1000);
  });

  test("explorer and wallet show that the node cannot write and why, until it can", async () => {
    await using held = await TestNode.startWithOperator("--deployment", "production");
    await using explorer = await OpenedPage.open(browser, held.url, "/explorer");
    await using wallet = await OpenedPage.open(browser, held.url, "/wallet", { locale: "ko-KR" });
    await explorer.isShown();
    assert.equal(await explorer.page.getByText(NO_WRITES).count(), 0);
    const { now } = held;
    held.now += 2 * DAY;
    const notice = explorer.page.getByRole("status").filter({ hasText: NO_WRITES });
    await notice.getByText("clock").waitFor();
    const inWallet = wallet.page.getByText("이 노드는 지금 쓸 수 없습니다.");
    await inWallet.waitFor();
    held.now = now;
    await notice.waitFor({ state: "detached" });
    await inWallet.waitFor({ state: "detached" });
  });

  test("with a clock that is two hours fast an auction runs on, coins stay locked, and it says so", async () => {
    const moneta = new Moneta(node.url);
    const key = await SigningKey.generate();
    const seller = await moneta.createAddress(key);
    await moneta.faucet({ address: seller.address });
    const now = node.now;
    const { mrc400id } = await seller.mrc400create({
      ...{ name: "Clocks", url: "https://clocks.example", category: "etc", description: "Clocks" },
      imageurl: "https://clocks.example/c.png",
      ...{
        itemurl: "https://clocks.example/",
        itemimageurl: "https://clocks.example/",
        data: "{}",
      },
    });
    const { mrc401ids } = await seller.mrc401create({ mrc400id, itemdata: [{ groupid: "Clock" }] });
    const [id = ""] = mrc401ids;
    await seller.mrc401auction({
      itemdata: [{ id, token: 0, start: 5n, bidding: 1n, end: now + HOUR }],
    });

    const context = await browser.newContext({ locale: "en-US", colorScheme: "light" });
    await context.addInitScript(setClockForward, 2 * HOUR * 1000);
    await using opened = await OpenedPage.open(context, node.url, "/wallet");
    const { page } = opened;
    await page.getByText(/^The clock of this device is 2 hr fast/).waitFor();
    const bidder = await openAccount(opened);
    await seller.transfer({ to: bidder, token: 0, amount: 70n, unlockdate: now + HOUR });
    await page.goto(`${node.url}/wallet/item/${id}`);
    await page.getByRole("link", { name: "Bid", exact: true }).waitFor();
    await page.goto(`${node.url}/explorer/address/${bidder}`);
    await page.getByText("unlocks", { exact: true }).waitFor();
  });

  test("chain §10: a list that ends at a pruned node's oldest block names the block and the archive", async () => {
    using directory = new TemporaryDirectory("archive-note");
    const folder = join(directory.path, "archive");
    await using pruned = await TestNode.start("--state-roots", "1");
    const alice = await pruned.holder({ coins: 60n });
    const before = await pruned.height();
    pruned.now += 3 * DAY;
    await pruned.pay(alice, 20n);
    for (let proven = 0; proven < before; await setTimeout(100)) {
      const { status, text } = await pruned.get(`/balance/${alice.address}/0?proof=1`);
      proven = status === 200 ? JSON.parse(text).height : 0;
    }
    await pruned.stop();
    await printed(() => archive(pruned.data, folder, before));
    await printed(() => prune(pruned.data, { before, archive: folder, keys: [] }));
    pruned.flags = ["--state-roots", "1", "--archive", "https://archive.example/ledger"];
    await pruned.resume();
    await using opened = await OpenedPage.open(browser, pruned.url, "/explorer/transactions");
    const { page } = opened;
    await page
      .getByText(`This node has no entries before block ${before}. The archive has them:`)
      .waitFor();
    const link = page.locator(".archive").getByRole("link");
    assert.equal(await link.getAttribute("href"), "https://archive.example/ledger");
    await page.goto(`${pruned.url}/explorer/tokens`);
    await opened.isShown();
    assert.equal(await page.locator(".archive").count(), 0);
  });
});

/** Runs in the page. */
function setClockForward(ms: number): void {
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [Real.now() + ms] : given) as [number]));
    }

    static override now(): number {
      return Real.now() + ms;
    }
  } as DateConstructor;
}
