import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchChromium, withoutChromium } from "../../../node/testing/chromium.ts";
import { ForwardingProxy } from "../../../node/testing/forwarding-proxy.ts";
import { type KeyHolder, TestNode } from "../../../node/testing/test-node.ts";
import { buildPages, OpenedPage } from "../../testing/opened-page.ts";

describe("sending", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let proxy: ForwardingProxy;
  let browser: Browser;
  let bob: KeyHolder;

  before(async () => {
    buildPages();
    [node, browser] = await Promise.all([TestNode.start(), launchChromium()]);
    node.now = Math.floor(Date.now() / 1000);
    proxy = await ForwardingProxy.to(node.url);
    bob = await node.holder();
  });
  after(async () => {
    await browser?.close();
    await proxy?.[Symbol.asyncDispose]();
    await node?.[Symbol.asyncDispose]();
  });

  /** A wallet with an account that has 10 coins. */
  async function openWallet(): Promise<OpenedPage & { readonly address: string }> {
    const opened = await OpenedPage.open(browser, proxy.url, "/wallet");
    await opened.page.getByRole("button", { name: "Create an account" }).click();
    const shown = opened.page.locator("main .account-badge a");
    await shown.waitFor();
    const address = (await shown.getAttribute("title")) ?? "";
    await node.pay({ ...bob, address }, 1_000_000_000n);
    await opened.page.getByRole("link", { name: "Send", exact: true }).click();
    return Object.assign(opened, { address });
  }

  async function fill(page: Page, to: string, amount: string): Promise<void> {
    await page.getByLabel("To", { exact: true }).fill(to);
    await page.getByLabel("Amount", { exact: true }).fill(amount);
  }

  test("two taps make an account; a payment is shown before it is signed, and its proof is checked", async () => {
    await using opened = await openWallet();
    const { page } = opened;
    await fill(page, bob.address, "1.5");
    await page.getByLabel("Memo").fill("for tea");
    await page.getByRole("button", { name: "Review" }).click();
    await page.getByRole("heading", { name: "Before you sign" }).waitFor();
    await page.getByText("for tea", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Sign and send" }).click();
    await page.locator(".write-form").getByText("checked by proof").waitFor();
    assert.deepEqual(await node.balances(bob, "0"), ["150000000"]);
    assert.deepEqual(opened.complaints, []);
    assert.deepEqual(opened.elsewhere, []);
  });
});
