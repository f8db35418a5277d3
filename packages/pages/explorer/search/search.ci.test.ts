import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Moneta, shortId } from "@moneta/sdk";
import type { Browser } from "playwright-core";
import { withoutChromium } from "../../../node/testing/chromium.ts";
import { createItems, createProject } from "../../../node/testing/requests/item-requests.ts";
import { issued } from "../../../node/testing/requests/token-requests.ts";
import type { TestNode } from "../../../node/testing/test-node.ts";
import { becomes } from "../../../node/testing/until.ts";
import { axeViolations } from "../../testing/axe-violations.ts";
import { inBrowser, testNode } from "../../testing/in-browser.ts";
import { OpenedPage } from "../../testing/opened-page.ts";

describe("the search", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;

  inBrowser(testNode, (started) => {
    ({ node, browser } = started);
  });

  test("one field leads to what fits, lists several, and says what can be searched for", async () => {
    const { address } = await node.holder();
    const moneta = new Moneta(node.url);
    const [newest] = (await moneta.transactions({ limit: 1 })).items;
    assert.ok(newest !== undefined);
    await using opened = await OpenedPage.open(browser, node.url, "/explorer");
    const { page } = opened;
    const field = page.getByRole("combobox", { name: "Search the ledger" });
    const searchFor = async (text: string): Promise<void> => {
      await field.fill(text);
      await field.press("Enter");
    };

    await searchFor(address);
    await field.fill("ne");
    await page.waitForURL(`${node.url}/explorer/address/${address}`);
    await opened.isShown();
    await page.keyboard.type("xt");
    // Typing continues while a view is loaded.
    await becomes(() => field.inputValue(), "next");

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
    await page.getByRole("heading", { name: "2 results" }).waitFor();
    const several = page.getByRole("region", { name: "2 results" });
    await becomes(() => several.getByRole("link").count(), 2);

    await searchFor("no such thing \u202e");
    await page.getByText("No results for “no such thing").waitFor();
    await page.getByText("a group of items, or an attribute such as level:7").waitFor();
    assert.equal(await page.getByRole("heading", { level: 1 }).getByText("U+202E").count(), 1);
    const refused = opened.complaints.filter((one) => !/status of 404/.test(one));
    assert.deepEqual(refused, []);
    assert.deepEqual(opened.elsewhere, []);
  });

  test("the field suggests things as one types, by keyboard alone, and shows hostile names as elsewhere", async () => {
    const o = await node.holder();
    const project = await createProject(node, o, { name: "1,000 Boats\u202e<b>" });
    const [item = ""] = await createItems(node, project, o, [
      { attributes: { name: "Ark of Noah", hair: "dark red" } },
      { groupid: "Old Ships" },
    ]);
    const token = await issued(node, o, { symbol: "000,000 TST", name: "Boats" });
    await using opened = await OpenedPage.open(browser, node.url, "/explorer");
    const { page } = opened;
    await opened.isShown();
    const field = page.getByRole("combobox", { name: "Search the ledger" });
    await page.keyboard.press("/");
    await page.keyboard.type("boa/");
    assert.equal(await field.inputValue(), "boa/", "a slash that is typed is one");
    const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
    await options.nth(1).waitFor();
    await becomes(
      () => options.allInnerTexts(),
      [
        `B\n"000,000 TST" #${token}\nBoats\ntoken`,
        `1\n"1,000 BoatsU+202E<b>"\n${shortId(project)}\nproject`,
      ],
    );
    assert.equal(await options.locator(".picture").count(), 2);
    assert.deepEqual(await axeViolations(page), []);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await becomes(() => options.nth(1).getAttribute("aria-selected"), "true");
    assert.equal(
      await field.getAttribute("aria-activedescendant"),
      await options.nth(1).getAttribute("id"),
    );
    await page.keyboard.press("Enter");
    await page.waitForURL(`${node.url}/explorer/project/${project}`);

    await field.fill("noah");
    await options.filter({ hasText: "Ark of Noah" }).click();
    await page.waitForURL(`${node.url}/explorer/item/${item}`);
    await field.fill("dark");
    await options.filter({ hasText: "hair:dark red" }).waitFor();
    await page.keyboard.press("Escape");
    await becomes(() => options.count(), 0);
    assert.equal(await field.inputValue(), "dark");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/project\/.*attribute=hair/);
    await page.getByText("Ark of Noah").first().waitFor();

    await field.fill("ship");
    await options.filter({ hasText: "Old Ships" }).click();
    await page.waitForURL(/\/project\/.*groupid=Old%20Ships/);
    await page.getByText("Old Ships #").first().waitFor();
    assert.deepEqual(opened.complaints, []);
    assert.deepEqual(opened.elsewhere, []);
  });

  test("an invisible character is shown by its number, and an emoji stays whole", async () => {
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
