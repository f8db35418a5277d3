import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { withoutChromium } from "../../node/testing/chromium.ts";
import type { TestNode } from "../../node/testing/test-node.ts";
import { becomes } from "../../node/testing/until.ts";
import { inBrowser, testNode } from "../testing/in-browser.ts";
import { openWallet } from "./testing/opened-wallet.ts";
import { isProven, review, sign } from "./testing/signing.ts";

describe("the wallet", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;

  inBrowser(testNode, (started) => {
    ({ node, browser } = started);
    node.now = Math.floor(Date.now() / 1000);
  });

  async function balance(address: string): Promise<readonly string[]> {
    return await node.balances({ address, privateKey: node.treasury.privateKey }, "0");
  }

  async function isShown(page: Page, amount: string): Promise<void> {
    await page.locator(".current-account").getByText(amount, { exact: true }).waitFor();
  }

  test("made, funded by the faucet, paid to a link of another wallet, which sees it live and after it was away", async () => {
    const { opened: alices, address: alice } = await openWallet(browser, node.url);
    const { opened: bobs, address: bob } = await openWallet(browser, node.url);
    await using _alices = alices;
    await using _bobs = bobs;
    await alices.page.getByRole("button", { name: "Get test coins" }).click();
    await isShown(alices.page, "100 TST");

    const { page } = bobs;
    await page.getByRole("link", { name: "Receive", exact: true }).first().click();
    await page.getByLabel("Amount").fill("12.34567891");
    await page.getByLabel("Memo").fill("lunch");
    await page.getByText("Asks for 12.34567891 TST.").waitFor();
    const uri = await page.locator(".receive dd").last().locator("code").innerText();
    assert.match(uri, /^moneta:MT\w+\?token=0&amount=1234567891&memo=lunch&ledger=[0-9a-f]{64}$/);
    await page.getByRole("link", { name: "Overview" }).click();

    const payer = alices.page;
    await payer.goto(`${node.url}/wallet/send?request=${encodeURIComponent(uri)}`);
    await payer.waitForFunction(
      (to) => document.querySelector<HTMLInputElement>("input[name=to]")?.value === to,
      bob,
    );
    await review(payer);
    await payer.getByText("lunch", { exact: true }).waitFor();
    await sign(payer);
    await isProven(payer);
    assert.deepEqual(await balance(bob), ["1234567891"]);
    assert.deepEqual(await balance(alice), [String(10_000_000_000n - 1_234_567_891n)]);
    await isShown(page, "12.345678 TST"); // without a reload

    await page.goto("about:blank");
    await node.pay({ address: bob, privateKey: node.treasury.privateKey }, 5n);
    await page.goto(`${node.url}/wallet`);
    await page.getByRole("heading", { name: "While you were away" }).waitFor();
    await becomes(() => page.locator(".while-away li").count(), 2);
    await page.goto(`${node.url}/wallet/history`);
    await page.getByText("You joined the ledger", { exact: true }).waitFor();
    // The address itself was the first.
    await becomes(() => page.locator("tbody tr").count(), 3);
    await page.goto(`${node.url}/wallet`);
    await isShown(page, "12.345678 TST");
    assert.equal(await page.locator(".while-away").count(), 0);
    assert.deepEqual([...alices.complaints, ...bobs.complaints], []);
    assert.deepEqual([...alices.elsewhere, ...bobs.elsewhere], []);
  });
});
