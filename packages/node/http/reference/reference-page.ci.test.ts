import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { someCases } from "../../../ledger/testing/lane.ts";
import { launchChromium, withoutChromium } from "../../testing/chromium.ts";
import { TestNode } from "../../testing/test-node.ts";

// The page in a real browser that reaches only the node.

const WITHIN_MS = 120_000;

describe("the API reference in a browser", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const elsewhere: string[] = [];

  before(async () => {
    node = await TestNode.startWithOperator();
    browser = await launchChromium();
    page = await open({ colorScheme: "light", width: 1400 });
  });
  after(async () => {
    await browser?.close();
    await node?.[Symbol.asyncDispose]();
  });

  async function open(look: {
    readonly colorScheme: "light" | "dark";
    readonly width: number;
  }): Promise<Page> {
    const { colorScheme, width } = look;
    const opened = await browser.newPage({
      locale: "en-US",
      colorScheme,
      viewport: { width, height: 900 },
    });
    opened.setDefaultTimeout(WITHIN_MS);
    await opened.route("**", (route) => {
      const url = route.request().url();
      if (url.startsWith(`${node.url}/`)) {
        return route.continue();
      }
      elsewhere.push(url);
      return route.abort();
    });
    opened.on("pageerror", ({ message }) => complaints.push(message));
    // Violations of the policy are errors there, too.
    opened.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) {
        complaints.push(message.text());
      }
    });
    await opened.goto(`${node.url}/docs`);
    await opened.getByRole("heading", { name: "Moneta", exact: true }).waitFor();
    return opened;
  }

  test("it begins with what a reader needs first", async () => {
    for (const name of ["First requests", "Parameters", "Signing", "Errors"]) {
      await page.getByRole("heading", { name, exact: true }).waitFor();
    }
    await page.getByRole("cell", { name: "2010, 2230" }).waitFor();
  });

  test("an operation is found by its group, and says what it does, what is signed and what is sent", async () => {
    await page.getByRole("link", { name: "Transfer", exact: false }).first().click();
    const section = page.getByRole("region", { name: "Transfer", exact: true });
    await section.getByText("Moves an amount of the native coin").waitFor();
    await section.getByText("from|to|token|amount|checkkey", { exact: true }).waitFor();
    await section.getByText("unlockdate", { exact: true }).first().waitFor();
  });

  test("its samples are there in both languages", async () => {
    const section = page.getByRole("region", { name: "Transfer", exact: true });
    const shown: Readonly<Record<string, string>> = {
      curl: "openssl dgst -sha256 -sign key.pem",
      JavaScript: 'from "@moneta/sdk"',
    };
    let current = "curl";
    for (const [language, text] of Object.entries(shown)) {
      if (language !== current) {
        await section.getByRole("button", { name: current }).first().click();
        await page.getByRole("option", { name: language }).click();
        current = language;
      }
      await section.locator("code", { hasText: text }).first().waitFor();
    }
  });

  test("search finds an operation by what it does", async () => {
    await page
      .getByRole("button", { name: /Search/ })
      .first()
      .click();
    await page.keyboard.type("highest bidder");
    await page
      .getByRole("option", { name: /auctionfinish/ })
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
  });

  test("search finds an operation by its name, among the first five", async () => {
    await page
      .getByRole("button", { name: /Search/ })
      .first()
      .click();
    await page.keyboard.type("buy an item");
    // After four lists at most, because the search also weighs paths. It follows the typing
    // with a delay.
    const deadline = Date.now() + WITHIN_MS;
    let first: string[] = [];
    while (!first.some((text) => text.includes("/mrc401/buy/{mrc401id}"))) {
      assert.ok(Date.now() < deadline, first.join());
      first = (await page.getByRole("option").allInnerTexts()).slice(0, 5);
    }
    await page.keyboard.press("Escape");
  });

  for (const colorScheme of someCases(["light", "dark"] as const)) {
    test(`axe finds nothing: the beginning, an operation, the search, ${colorScheme}`, async () => {
      const read = await open({ colorScheme, width: 1400 });
      await read.evaluate(readFileSync(fileURLToPath(import.meta.resolve("axe-core")), "utf8"));
      const complaintsOfAxe = (): Promise<unknown> =>
        read.evaluate(
          "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))",
        );
      await read.locator("code.custom-scroll[tabindex]").first().waitFor();
      assert.deepEqual(await complaintsOfAxe(), []);
      await read.goto(`${node.url}/docs#tag/items/POST/mrc401/buy/{mrc401id}`);
      const section = read.getByRole("region", { name: "Buy an item", exact: true });
      await section.getByText("mrc401id|tkey", { exact: true }).waitFor();
      await section.locator("code", { hasText: "curl -sS" }).first().waitFor();
      assert.deepEqual(await complaintsOfAxe(), []);
      await read
        .getByRole("button", { name: /Search/ })
        .first()
        .click();
      await read.keyboard.type("buy an item");
      await read.getByRole("option", { name: /Buy an item/ }).waitFor();
      assert.deepEqual(await complaintsOfAxe(), []);
      await read.close();
    });
  }

  test("it fits a narrow screen, and is dark for who wants it so", async () => {
    const narrow = await open({ colorScheme: "dark", width: 400 });
    const width = await narrow.evaluate("document.documentElement.scrollWidth");
    const background = await narrow.evaluate(
      'getComputedStyle(document.body).getPropertyValue("--scalar-background-1").trim()',
    );
    assert.equal(width, 400);
    assert.equal(background, "#0f0f0f");
    await narrow.close();
  });

  test("its scripts have an origin of their own, which has nothing of the wallet's storage", async () => {
    assert.equal(await page.evaluate("self.origin"), "null");
    const opened = "new Promise((resolve) => resolve(indexedDB.open('wallet')))";
    await assert.rejects(page.evaluate(opened), /SecurityError|access to the Indexed Database/);
  });

  test("nothing was asked of anybody else, and nothing went wrong", () => {
    assert.deepEqual({ elsewhere, complaints }, { elsewhere: [], complaints: [] });
  });
});
