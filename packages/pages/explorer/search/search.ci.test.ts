import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Moneta } from "@moneta/sdk";
import type { Browser } from "playwright-core";
import { launchChromium, withoutChromium } from "../../../node/testing/chromium.ts";
import { TestNode } from "../../../node/testing/test-node.ts";
import { buildPages, OpenedPage } from "../../testing/opened-page.ts";

describe("the search", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;

  before(async () => {
    buildPages();
    [node, browser] = await Promise.all([TestNode.start(), launchChromium()]);
  });
  after(async () => {
    await browser?.close();
    await node?.[Symbol.asyncDispose]();
  });

  test("one field leads to what fits, lists several, and says what can be searched for", async () => {
    const { address } = await node.holder();
    const moneta = new Moneta(node.url);
    const [newest] = (await moneta.transactions({ limit: 1 })).items;
    assert.ok(newest !== undefined);
    await using opened = await OpenedPage.open(browser, node.url, "/explorer");
    const { page } = opened;
    const field = page.getByRole("searchbox", { name: "Search the ledger" });
    const searchFor = async (text: string): Promise<void> => {
      await field.fill(text);
      await field.press("Enter");
    };

    await searchFor(address);
    await field.fill("ne");
    await page.waitForURL(`${node.url}/explorer/address/${address}`);
    await opened.isShown();
    await page.keyboard.type("xt");
    assert.equal(await field.inputValue(), "next", "typing goes on while a view is loaded");

    for (const [text, path] of [
      [address, `/explorer/address/${address}`],
      [newest.id, `/explorer/transaction/${newest.id}`],
      [newest.db_id.toUpperCase(), `/explorer/block/${newest.db_id}`],
      ["1", "/explorer/block/1"],
      ["TST", "/explorer/token/0"],
    ] as const) {
      await searchFor(text);
      await page.waitForURL(`${node.url}${path}`);
    }

    await searchFor("0");
    await page.getByRole("heading", { name: "Several results" }).waitFor();
    const several = page.getByRole("region", { name: "Several results" });
    assert.equal(await several.getByRole("link").count(), 2);

    await searchFor("no such thing \u202e");
    await page.getByText("No results for “no such thing").waitFor();
    await page.getByText("the id of a transaction, a block or a group: 64 hex digits").waitFor();
    assert.equal(await page.getByRole("heading", { level: 1 }).getByText("U+202E").count(), 1);
    const refused = opened.complaints.filter((one) => !/status of 404/.test(one));
    assert.deepEqual(refused, []);
    assert.deepEqual(opened.elsewhere, []);
  });

  test("what nobody would see in a text is shown by its number, and an emoji stays whole", async () => {
    const unseen =
      "\u0007\u00ad\u034f\u061c\u115f\u17b5\u180b\u200b\u2028\u202e\u2060\u2066\u2800\u3164\ufeff\uffa0\u{1d173}\u{e0041}\u{e0100}";
    await using opened = await OpenedPage.open(
      browser,
      node.url,
      `/explorer/search?q=${encodeURIComponent(`a${unseen}b👩\u200d💻❤\ufe0f`)}`,
    );
    const heading = opened.page.getByRole("heading", { level: 1 });
    await heading.locator(".invisible").first().waitFor();
    assert.deepEqual(
      await heading.locator(".invisible").allInnerTexts(),
      Array.from(unseen, (one) => {
        const code = (one.codePointAt(0) ?? 0).toString(16).toUpperCase();
        return `U+${code.padStart(4, "0")}`;
      }),
    );
    assert.match(await heading.innerText(), /b👩\u200d💻❤\ufe0f/u);
  });
});
