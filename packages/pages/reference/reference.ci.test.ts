import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { byLane, IS_LAST_LANE } from "../../ledger/testing/lane.ts";
import { withoutChromium } from "../../node/testing/chromium.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import { becomes } from "../../node/testing/until.ts";
import { axeViolations } from "../testing/axe-violations.ts";
import { inBrowser } from "../testing/in-browser.ts";
import { OpenedPage } from "../testing/opened-page.ts";
import { overflow } from "../testing/overflow.ts";

const WIDTHS = byLane({ quick: [360, 1280], long: [360, 390, 1280, 1920] });

describe("the API reference", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;
  let opened: OpenedPage;

  inBrowser(
    () => TestNode.startWithOperator(),
    async (started) => {
      ({ node, browser } = started);
      opened = await OpenedPage.open(browser, node.url, "/docs");
    },
  );
  after(() => opened?.[Symbol.asyncDispose]());

  test("it begins with what a reader needs first, in less than 400 KB", async () => {
    await opened.isShown();
    const bytes = await opened.page.evaluate(
      "performance.getEntries().reduce((sum, { encodedBodySize = 0 }) => sum + encodedBodySize, 0)",
    );
    assert.ok((bytes as number) > 50_000 && (bytes as number) < 400_000, `${bytes} bytes`);
    for (const name of ["First requests", "Parameters", "Signing", "Errors"]) {
      await opened.page.getByRole("heading", { name, exact: true }).waitFor();
    }
    await opened.page.getByRole("cell", { name: "2010, 2230" }).waitFor();
  });

  test("an operation says what it does, what is signed and sent, with samples in both languages", async () => {
    const { page } = opened;
    await page.getByRole("link", { name: "Transfer", exact: true }).click();
    await page.getByRole("heading", { name: "Transfer", exact: true }).waitFor();
    await page.getByText("Moves an amount of the native coin").waitFor();
    await page.getByText(/^moneta\|1\|<ledger id>\|transfer\|/).waitFor();
    await page.getByText("from|to|token|amount|checkkey", { exact: true }).waitFor();
    await page.getByRole("row", { name: /^unlockdate string/ }).waitFor();
    await page.getByRole("row", { name: /^to string required address that receives$/ }).waitFor();
    await page.locator("pre", { hasText: "openssl dgst -sha256 -sign key.pem" }).waitFor();
    await page.getByLabel("Sample").selectOption("JavaScript");
    await page.locator("pre", { hasText: 'from "@moneta/sdk"' }).waitFor();
    await page.goto(`${node.url}/docs/mrc401buy`);
    await page.getByRole("heading", { name: "Buy an item", exact: true }).waitFor();
  });

  test("samples of reads have ids of this ledger, as far as it has any", async () => {
    const { page } = opened;
    const paid = await node.pay(await node.holder(), 5n);
    await page.goto(`${node.url}/docs/transaction`);
    await page
      .locator("pre", { hasText: `/transaction/${paid}` })
      .first()
      .waitFor();
    await page.goto(`${node.url}/docs/mrc400`);
    await page.locator("pre", { hasText: "/mrc400/MRC400_c7735425" }).first().waitFor();
  });

  test("search finds an operation by its name before its path, and by what it does", async () => {
    const { page } = opened;
    const results = page.getByRole("navigation", { name: "Operations" }).getByRole("link");
    await page.getByLabel("Search operations").fill("buy an item");
    await becomes(() => results.first().innerText(), "Buy an item");
    await page.getByLabel("Search operations").fill("/mrc401/sell/");
    await becomes(() => results.first().innerText(), "Sell items");
    assert.equal(await results.count(), 1, "once, whichever of its paths is searched for");
    await page.getByLabel("Search operations").fill("highest bidder");
    await page.getByText("GET /mrc401/auctionfinish/{mrc401id}").waitFor();
    await page.getByLabel("Search operations").fill("no such operation");
    await page.getByText("No operations match.").waitFor();
  });

  test("a read is tried on this node", async () => {
    const { page } = opened;
    const holder = await node.holder({ coins: 5n });
    await page.goto(`${node.url}/docs/balance`);
    await page.getByRole("textbox", { name: "address" }).fill(holder.address);
    await page.getByRole("textbox", { name: "limit" }).fill("1");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText(`${node.url}/balance/${holder.address}?limit=1`).waitFor();
    await page.getByText(/^HTTP 200[\s\S]*"balance": "5"/).waitFor();
  });

  test("a write is tried with a key of the tab, and what the node refuses is shown as it came", async () => {
    const { page } = opened;
    const payee = await node.holder();
    await page.goto(`${node.url}/docs/transfer`);
    await page.getByRole("button", { name: "Create a test account" }).click();
    const field = (name: string) => page.locator(".try-it").getByLabel(name, { exact: true });
    await field("to").fill("MTwrong");
    await field("token").fill("0");
    await field("amount").fill("7");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText(/^HTTP 400[\s\S]*"parameter": "to"/).waitFor();
    assert.match(opened.complaints.pop() ?? "", /400 \(Bad Request\)/);
    await field("to").fill(payee.address);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText(/^HTTP 200\nTransaction-Id: [0-9a-f]{64}/).waitFor();
    assert.deepEqual(await node.balances(payee, "0"), ["7"]);
    for (const filled of ["from", "checkkey", "signature", "signed"]) {
      assert.equal(await field(filled).count(), 0, filled);
    }
    // Two parties, or a body that is signed as a whole.
    for (const name of [
      "Exchange tokens",
      "Do many operations of one address under one signature",
    ]) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { name, exact: true }).waitFor();
      assert.equal(await page.getByRole("button", { name: "Send" }).count(), 0);
    }
  });

  test("the contents have each operation once, and its view names its other paths", async () => {
    const { page } = opened;
    await page.goto(`${node.url}/docs/mrc401sell`);
    await page.getByRole("link", { name: "/mrc401/sell/{mrc400id}" }).waitFor();
    const contents = page.getByRole("navigation", { name: "Operations" });
    assert.doesNotMatch(await contents.innerText(), /POST/);
  });

  test("axe finds nothing, and every width fits, in both themes", async () => {
    const { page } = opened;
    for (const path of ["/docs", "/docs/mrc401", "/docs/batch"]) {
      await page.goto(`${node.url}${path}`);
      await opened.isShown();
      assert.deepEqual(await axeViolations(page), [], path);
      if (IS_LAST_LANE || path === "/docs/batch") {
        await page.emulateMedia({ colorScheme: "dark" });
        assert.deepEqual(await axeViolations(page, "colours"), [], `${path}, dark`);
        await page.emulateMedia({ colorScheme: "light" });
      }
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await overflow(page), [], `${path} ${width}`);
      }
    }
  });

  test("nothing was asked of anybody else", () => {
    assert.deepEqual(
      { elsewhere: opened.elsewhere, complaints: opened.complaints },
      { elsewhere: [], complaints: [] },
    );
  });
});
