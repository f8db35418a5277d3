import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import Papa from "papaparse";
import type { Browser } from "playwright-core";
import { withoutChromium } from "../../../node/testing/chromium.ts";
import { issued } from "../../../node/testing/requests/token-requests.ts";
import { summaryOf, type TestNode } from "../../../node/testing/test-node.ts";
import { inBrowser, testNode } from "../../testing/in-browser.ts";
import { openWallet } from "../testing/opened-wallet.ts";

describe("the history of the wallet", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;

  inBrowser(testNode, (started) => {
    ({ node, browser } = started);
  });

  test("chain §10: its statement is a file for spreadsheets, with amounts of any length and texts as they were written", async () => {
    const shop = await node.holder();
    const gold = await issued(node, shop, { totalsupply: `${10n ** 30n}`, decimal: "18" });
    const { opened, address } = await openWallet(browser, node.url, { node, coins: 150_000_000n });
    await using _ = opened;
    const sent = { to: address, token: gold, amount: "123456789012345678901234567890" };
    const more = { memo: "0042, Straße “7”", tags: "" };
    const paid = await node.fullTransfer(shop, { ...sent, ...more });
    const answer = await node.post("/transfer", paid);
    assert.equal(summaryOf(answer), "200");

    const { page } = opened;
    await page.getByRole("link", { name: "History", exact: true }).first().click();
    // As in browsers that cannot write files.
    await page.evaluate(() => Reflect.deleteProperty(window, "showSaveFilePicker"));
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Statement", exact: true }).click();
    const download = await saving;
    assert.match(download.suggestedFilename(), new RegExp(`${address}.*-statement\\.csv$`));
    const bytes = readFileSync(await download.path());
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    const { data, errors } = Papa.parse<Readonly<Record<string, string>>>(
      bytes.toString("utf8", 3),
      { header: true, skipEmptyLines: true },
    );
    assert.deepEqual(errors, []);
    const lines = data.filter(({ amount }) => amount !== "");
    assert.deepEqual(
      lines.map(({ date: _date, transaction: _transaction, ...line }) => line),
      [
        {
          ...{ counterparty: shop.address, what: "payment", token: `GLD #${gold}`, fee: "" },
          ...{ amount: "123456789012.34567890123456789", memo: "0042, Straße “7”" },
          balance: "123456789012.34567890123456789",
        },
        {
          ...{ counterparty: node.treasury.address, what: "payment", token: "TST #0", fee: "" },
          ...{ amount: "1.5", balance: "1.5", memo: "" },
        },
      ],
    );
    assert.equal(lines[0]?.["transaction"], answer.headers.get("transaction-id"));
    assert.equal(
      lines[0]?.["date"],
      new Date(node.now * 1000).toISOString().slice(0, 19).replace("T", " "),
    );
  });
});
