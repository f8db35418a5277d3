import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { withoutChromium } from "../../node/testing/chromium.ts";
import type { TestNode } from "../../node/testing/test-node.ts";
import { axeViolations } from "../testing/axe-violations.ts";
import { inBrowser, testNode } from "../testing/in-browser.ts";
import { OpenedPage } from "../testing/opened-page.ts";
import { overflow } from "../testing/overflow.ts";
import { en } from "../texts/en.ts";
import { ko } from "../texts/ko.ts";
import { walletEn } from "../texts/wallet-en.ts";
import { walletKo } from "../texts/wallet-ko.ts";
import { openWallet } from "./testing/opened-wallet.ts";
import { isProven, review, sign } from "./testing/signing.ts";

describe("the views of the wallet with an account", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;

  inBrowser(testNode, (started) => {
    ({ node, browser } = started);
    node.now = Math.floor(Date.now() / 1000);
  });

  test("all that it shows is in the reader's language, the browser's or the chosen one", async () => {
    await using opened = await OpenedPage.open(browser, node.url, "/wallet", { locale: "ko-KR" });
    const { page } = opened;
    const isIn = async (common: string, own: string): Promise<void> => {
      await page.getByText(common, { exact: true }).waitFor({ state: "attached" });
      await page.getByRole("heading", { name: own }).waitFor();
    };
    await isIn(ko.frame.skip, walletKo.wallet.noAccount.title);
    await page.getByRole("combobox", { name: ko.frame.language }).selectOption("en");
    await isIn(en.frame.skip, walletEn.wallet.noAccount.title);
    await page.reload();
    await isIn(en.frame.skip, walletEn.wallet.noAccount.title);
    assert.deepEqual(opened.complaints, []);
  });

  test("what is shown before signing, and after it, has no violations either", async () => {
    const bob = await node.holder();
    const { opened } = await openWallet(browser, node.url, { node, coins: 12_345n });
    await using _ = opened;
    const { page } = opened;
    const isFine = async (what: string): Promise<void> => {
      const found = [...(await axeViolations(page)), ...(await overflow(page))];
      assert.deepEqual(found, [], what);
    };
    await page.goto(`${node.url}/wallet/send`);
    await review(page);
    await page.locator(".field.wrong").first().waitFor();
    await isFine("a form with errors");
    await page.getByLabel("To", { exact: true }).fill(bob.address);
    await page.getByLabel("Amount", { exact: true }).fill("0.00000001");
    await review(page);
    await page.getByRole("heading", { name: "Before you sign" }).waitFor();
    await isFine("the review");
    await sign(page);
    await isProven(page);
    await isFine("the outcome");
  });
});
