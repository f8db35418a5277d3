import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const LEDGER = fileURLToPath(new URL("..", import.meta.url));

const GIVES =
  /\b(passedOn|tradedTo|moveUnits|listItems|listUnits|putOnSale|putOnAuction|placeBid|buy|settle|settleAuction|finish)[<(]|\bowner: (?!project|"MELTED"|item)/;

/**
 * Every file of rules and market that gives, lists or settles, and how it asks the policy: `asks`
 * by itself; or what it does is no change of holder, or follows one that has been asked for.
 */
const WAYS: { readonly [file: string]: string } = {
  "rules/items/mrc401-transfer.ts": "asks",
  "rules/items/mrc401-buy.ts": "asks",
  "rules/items/mrc401-bid.ts": "asks",
  "rules/items/mrc401-create.ts": "asks",
  "rules/items/mrc401-acceptoffer.ts": "asks",
  "rules/units/mrc402-acceptoffer.ts": "asks",
  "rules/items/listings.ts": "asks",
  "rules/units/mrc402-transfer.ts": "asks",
  "rules/units/mrc402-buy.ts": "asks",
  "rules/units/mrc402-bid.ts": "asks",
  "rules/units/mrc402-create.ts": "asks",
  "rules/units/asks.ts": "asks",
  "rules/items/mrc401-melt.ts": "ends an item",
  "rules/items/mrc401-sell.ts": "lists by listings.ts",
  "rules/items/mrc401-auction.ts": "lists by listings.ts",
  "rules/items/item-life.ts": "functions of the rules above",
  "rules/items/goods.ts": "settles what was bought or bid for",
  "rules/items/mrc401-auctionfinish.ts": "settles what was bid for",
  "rules/units/goods.ts": "settles what was bought or bid for",
  "rules/units/mrc402-auctionfinish.ts": "settles what was bid for",
  "rules/units/listing.ts": "moves units of one holder between its listings",
  "rules/units/unit-item.ts": "functions of the rules above",
  "rules/units/mrc402-mint.ts": "creates units",
  "rules/units/mrc402-burn.ts": "ends units",
  "rules/units/mrc402-melt.ts": "ends units",
  "market/bid.ts": "settles what was bid for",
  "market/buy.ts": "settles what was bought",
  "market/finish.ts": "settles what was bid for",
  "market/settlement.ts": "settles what was bought or bid for",
};

function sources(folder: string): readonly string[] {
  return readdirSync(`${LEDGER}/${folder}`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name}`);
}

const GIVING = [...sources("market"), ...sources("rules/items"), ...sources("rules/units")].filter(
  (file) => GIVES.test(readFileSync(`${LEDGER}/${file}`, "utf8")),
);

test("policies §3: every file that changes, offers or settles a change of holder is known here", () => {
  assert.deepEqual(GIVING.toSorted(), Object.keys(WAYS).toSorted());
});

for (const [file, how] of Object.entries(WAYS)) {
  test(`policies §3: ${relative("rules", file)} ${how}`, () => {
    const asks = readFileSync(`${LEDGER}/${file}`, "utf8").includes("refuseHolderChange(");
    assert.equal(asks, how === "asks");
  });
}
