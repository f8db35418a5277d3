import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Moneta, SigningKey } from "@moneta/sdk";
import type { Browser } from "playwright-core";
import { withoutChromium } from "../../node/testing/chromium.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import { inBrowser, testNode } from "./in-browser.ts";
import { openAccount } from "./open-account.ts";
import { OpenedPage } from "./opened-page.ts";

const NO_WRITES = "This node cannot write now.";
const HOUR = 3600;
const DAY = 86_400;

// What all pages show of a node that cannot write, and of a device whose clock is wrong.
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
});

/** Runs in the page: its `Date` shows a later time. */
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
