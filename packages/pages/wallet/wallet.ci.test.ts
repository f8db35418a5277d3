import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { withoutChromium } from "../../node/testing/chromium.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import { follow } from "../testing/follow.ts";
import { inBrowser, testNode } from "../testing/in-browser.ts";
import { OpenedPage } from "../testing/opened-page.ts";
import { countEffort } from "./testing/effort.ts";
import { type OpenedWallet, openWallet, shownAddress } from "./testing/opened-wallet.ts";
import { isProven, isReviewed, review } from "./testing/signing.ts";

/** Browsers do not trust it over plain HTTP, unlike localhost. */
const INSECURE = "http://wallet.example";

describe("views of the wallet", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;
  /** For tests that need no browser of their own. */
  let wallet: OpenedWallet;

  inBrowser(testNode, async (started) => {
    ({ node, browser } = started);
    node.now = Math.floor(Date.now() / 1000);
    wallet = await openWallet(browser, node.url);
  });

  async function balance(address: string): Promise<readonly string[]> {
    return await node.balances({ address, privateKey: node.treasury.privateKey }, "0");
  }

  async function isShown(page: Page, amount: string): Promise<void> {
    await page.locator(".current-account").getByText(amount, { exact: true }).waitFor();
  }

  test("a memo too long for a QR code or a payment is refused, and the view stays", async () => {
    const { opened } = wallet;
    const { page } = opened;
    await follow(opened, "/wallet/receive");
    const memo = page.getByLabel("Memo");
    const link = page.locator(".receive dd").last().locator("code");
    await memo.fill("m".repeat(2100));
    await page.getByText("2100 characters").waitFor();
    await memo.fill("메".repeat(300));
    await page.getByText("too long for a QR code").waitFor();
    assert.match(await link.innerText(), /memo=(?:%EB%A9%94){300}&/);
    await memo.fill("m");
    await page.locator("svg.qr").waitFor();
    // Each é takes six characters of the link.
    const filler = "m".repeat(2331 - ((await link.innerText()).length - 1) - 200 * 6);
    await memo.fill(`${"é".repeat(200)}${filler}m`);
    await page.getByText("too long for a QR code").waitFor();
    await memo.fill(`${"é".repeat(200)}${filler}`);
    await page.locator("svg.qr").waitFor();
    assert.deepEqual(opened.complaints, []);
  });

  test("a link that asks for money on another ledger, or for nonsense, is refused in words", async () => {
    const { opened, address } = wallet;
    const { page } = opened;
    const elsewhere = `moneta:${address}?ledger=${"f".repeat(64)}`;
    await follow(opened, `/wallet/send?request=${encodeURIComponent(elsewhere)}`);
    await page.getByText("This payment link is for another ledger.").waitFor();
    assert.equal(await page.getByLabel("To", { exact: true }).inputValue(), "");
    await page.goto(`${node.url}/wallet/send?request=moneta:nobody`);
    await page.getByText(/A payment URI begins with/).waitFor();
  });

  test("everything moves to another account whose key never met this one, and what is locked stays", async () => {
    const { opened, address } = wallet;
    const { page } = opened;
    const to = await node.holder();
    const unlockdate = node.now + 86_400;
    const { privateKey } = node.treasury;
    await node.pay({ address, privateKey }, 700n);
    await node.pay({ address, privateKey }, 9n, { unlockdate });
    await follow(opened, "/wallet/sweep");
    await page.getByLabel("To", { exact: true }).fill(to.address);
    await review(page);
    await page.getByText("Stays because it is locked").waitFor();
    await page.getByRole("button", { name: "Sign and send 1 operation" }).click();
    await page.locator(".write-list").getByText("checked by proof").waitFor();
    assert.deepEqual(await node.balances(to, "0"), ["700"]);
    assert.deepEqual(await balance(address), ["0", `9@${unlockdate}`]);
  });

  test("a first payment is made by keyboard alone, by 5 clicks and 2 fields", async () => {
    await using opened = await OpenedPage.open(browser, node.url, "/wallet");
    const { page } = opened;
    await page.getByRole("button", { name: "Create an account" }).waitFor();
    const effort = await countEffort(page);
    const press = async (name: RegExp): Promise<void> => {
      for (let tabs = 0; tabs < 60; tabs += 1) {
        await page.keyboard.press("Tab");
        const focused = await page.evaluate(
          "((document.activeElement.labels?.[0] ?? document.activeElement).textContent ?? '').trim()",
        );
        if (name.test(focused as string)) {
          return;
        }
      }
      assert.fail(`the keyboard does not reach ${name}`);
    };
    await press(/^Create an account$/);
    await page.keyboard.press("Enter");
    const address = await shownAddress(opened);
    await press(/^Get test coins$/);
    await page.keyboard.press("Space");
    await isShown(page, "100 TST");
    const bob = await node.holder();
    await press(/^Send$/);
    await page.keyboard.press("Enter");
    await page.getByLabel("To", { exact: true }).waitFor();
    await press(/^To$/);
    await page.keyboard.type(bob.address);
    await press(/^Amount$/);
    await page.keyboard.type("1");
    await page.keyboard.press("Enter");
    await isReviewed(page);
    await press(/^Sign and send$/);
    await page.keyboard.press("Enter");
    await isProven(page);
    assert.deepEqual(await node.balances(bob, "0"), ["100000000"]);
    assert.deepEqual(await balance(address), ["9900000000"]);
    assert.deepEqual(await effort(), { clicks: 5, fields: 2 });
  });

  test("over plain HTTP on another host it says that it needs HTTPS, and offers nothing else", async () => {
    const page = await browser.newPage({ locale: "en-US" });
    page.setDefaultTimeout(120_000);
    await page.route(`${INSECURE}/**`, async (route) => {
      const path = route.request().url().slice(INSECURE.length);
      if (path === "/events") {
        return route.abort();
      }
      const answer = await fetch(`${node.url}${path}`);
      const body = Buffer.from(await answer.arrayBuffer());
      const headers = Object.fromEntries(
        [...answer.headers].filter(([name]) => name !== "content-encoding"),
      );
      return route.fulfill({ status: answer.status, headers, body });
    });
    await page.goto(`${INSECURE}/wallet/accounts`);
    await page.getByRole("heading", { name: "The wallet needs HTTPS" }).waitFor();
    assert.equal(await page.locator("main button, main input, nav.views a").count(), 0);
    await page.close();
  });

  test("in a browser that stores nothing it says so, and asks for no address", async () => {
    const context = await browser.newContext({ locale: "en-US" });
    await context.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("The storage is closed.", "SecurityError");
      };
    });
    await using opened = await OpenedPage.open(context, node.url, "/wallet");
    await opened.page.getByRole("alert").getByText("keeps nothing for this site").waitFor();
    assert.equal(await opened.page.locator("main button").count(), 0);
  });

  test("an account whose key cannot be stored is not made", async () => {
    await using opened = await OpenedPage.open(browser, node.url, "/wallet");
    const { page } = opened;
    const create = page.getByRole("button", { name: "Create an account" });
    await create.waitFor();
    const posts: string[] = [];
    page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
    await page.evaluate(() => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...what) {
        const request = put.apply(this, what);
        this.transaction.abort();
        return request;
      };
    });
    await create.click();
    await page.getByRole("alert").getByText("could not store it").waitFor();
    assert.deepEqual(posts, []);
  });

  test("on production it says so in colour, has no faucet, and receives only after a back-up", async () => {
    await using production = await TestNode.startWithOperator("--deployment", "production");
    const { opened } = await openWallet(browser, production.url);
    await using _ = opened;
    const { page } = opened;
    await page.locator(".production-notice").waitFor();
    assert.equal(await page.getByRole("button", { name: "Get test coins" }).count(), 0);
    await page.getByRole("link", { name: "Receive", exact: true }).first().click();
    await page.getByRole("heading", { name: "Back up first" }).waitFor();
    assert.equal(await page.locator("svg.qr").count(), 0);
  });
});
