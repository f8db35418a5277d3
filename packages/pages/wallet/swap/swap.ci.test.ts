import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { Moneta, SigningKey } from "@moneta/sdk";
import type { Browser } from "playwright-core";
import { withoutChromium } from "../../../node/testing/chromium.ts";
import type { TestNode } from "../../../node/testing/test-node.ts";
import { inBrowser, testNode } from "../../testing/in-browser.ts";
import type { OpenedPage } from "../../testing/opened-page.ts";
import { openWallet } from "../testing/opened-wallet.ts";

const TEN_COINS = 1_000_000_000n;

describe("swaps", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;
  let moneta: Moneta;

  inBrowser(testNode, (started) => {
    ({ node, browser } = started);
    node.now = Math.floor(Date.now() / 1000);
    moneta = new Moneta(node.url);
  });

  async function itemFor(toAddr: string): Promise<string> {
    const maker = await moneta.createAddress(await SigningKey.generate());
    await moneta.faucet({ address: maker.address });
    const url = "https://game.example/{id}";
    const { mrc400id } = await maker.mrc400create({
      ...{ name: "Game", url: "https://game.example", imageurl: "https://game.example/i.png" },
      ...{ allowtoken: "0", category: "game", description: "d", data: "d" },
      ...{ itemurl: url, itemimageurl: url },
    });
    const itemdata = [{ groupid: "swords" }] as const;
    const {
      mrc401ids: [item],
    } = await maker.mrc401create({ mrc400id, itemdata });
    await maker.mrc401transfer({ mrc401id: item, toAddr });
    return item;
  }

  async function open({ page }: OpenedPage): Promise<void> {
    await page.getByRole("link", { name: "Swap", exact: true }).click();
    await page.getByRole("heading", { name: "Propose a swap" }).waitFor();
  }

  test("batches §2: coins for an item, proposed in one browser, looked at, signed and done in another", async () => {
    const alice = await openWallet(browser, node.url, { node, coins: TEN_COINS });
    await using _ = alice.opened;
    const bob = await openWallet(browser, node.url);
    await using __ = bob.opened;
    const item = await itemFor(bob.address);

    const { page: proposing } = alice.opened;
    await open(alice.opened);
    await proposing.getByLabel("With", { exact: true }).fill(bob.address);
    const gives = proposing.getByRole("group", { name: "You give" });
    await gives.getByLabel("Amount").fill("2");
    const gets = proposing.getByRole("group", { name: "You receive" });
    await gets.getByLabel("What").selectOption("An item");
    await gets.getByLabel("Item", { exact: true }).fill(item);
    await proposing.getByRole("button", { name: "Review" }).click();
    const own = proposing.locator(".forecast-party", { hasText: "you" });
    await own.getByText(/^You give 2 TST$/).waitFor();
    await own.getByText(/^You receive Item swords #/).waitFor();
    await proposing.getByRole("button", { name: "Back" }).click();
    await gives.getByLabel("Amount").fill("22");
    await proposing.getByRole("button", { name: "Review" }).click();
    await proposing.getByText("needs 22 TST but can spend only 10 TST").waitFor();
    assert.equal(await own.count(), 0);
    await proposing.getByRole("button", { name: "Back" }).click();
    await gives.getByLabel("Amount").fill("2");
    await proposing.getByRole("button", { name: "Review" }).click();
    await own.getByText(/^You receive Item swords #/).waitFor();
    await proposing.getByRole("button", { name: "Sign", exact: true }).click();
    await proposing.getByText("Other signatures are missing").waitFor();
    const saving = proposing.waitForEvent("download");
    await proposing.getByRole("button", { name: "Save the file" }).click();
    const file = await (await saving).path();

    const { page: signing } = bob.opened;
    await open(bob.opened);
    const text = readFileSync(file, "utf8");
    const field = signing.getByLabel("File of the proposal");
    const asFile = (content: string) => ({
      ...{ name: "proposal.json", mimeType: "application/json" },
      buffer: Buffer.from(content),
    });
    await field.setInputFiles(asFile(text.replace('"200000000"', '"100000000"')));
    await signing
      .getByRole("alert")
      .getByText(/proposal cannot be trusted: .*one of them was changed/)
      .waitFor();
    await field.setInputFiles(asFile(text));
    const his = signing.locator(".forecast-party", { hasText: "you" });
    await his.getByText(/^You receive 2 TST$/).waitFor();
    await signing.getByRole("button", { name: "Sign", exact: true }).click();
    await signing.getByRole("button", { name: "Execute" }).click();
    await signing.locator(".swap-proposal").getByText("checked by proof").waitFor();
    assert.equal((await moneta.mrc401({ mrc401id: item })).owner, alice.address);
    await proposing.getByRole("status").getByText("executed", { exact: true }).waitFor();
    assert.equal(await proposing.getByText("Other signatures are missing").count(), 0);
    const [entry] = await moneta.balanceOfToken({ address: bob.address, token: 0 });
    assert.equal(entry?.balance, 200_000_000n);

    await signing.locator(".swap-proposal .write-status a").click();
    await signing.getByRole("link", { name: "2 of 2" }).click();
    await signing.getByRole("heading", { name: "A group of 2" }).waitFor();
    const group = JSON.parse(text).operations[0].group as string;
    await signing.getByRole("combobox", { name: "Search the ledger" }).fill(group);
    await signing.keyboard.press("Enter");
    await signing.getByRole("heading", { name: "A group of 2" }).waitFor();
    assert.deepEqual([...alice.opened.complaints, ...bob.opened.complaints], []);
    assert.deepEqual([...alice.opened.elsewhere, ...bob.opened.elsewhere], []);
  });
});
