import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Address,
  type Amount,
  addressAround,
  NO_METADATA,
  NO_RATE,
  type Rate,
  type TokenId,
  ZERO,
} from "@moneta/protocol";
import { NO_TRADE, WITHOUT_POLICY } from "./item-entry.ts";
import { existingUnits, keptTexts, UNIT_ITEM, type UnitItem } from "./unit-item-entry.ts";

const creator = addressAround("c".repeat(30));

const example: UnitItem = {
  ...NO_TRADE,
  ...NO_METADATA,
  ...WITHOUT_POLICY,
  ...keptTexts({ description: "", data: "", information: "", socialmedia: {} }),
  ...{ id: `MRC402_${"0".repeat(33)}`, mrc400: "", projectOrder: 7, projectOwner: "", creator },
  ...{ name: "Sunset", category: "art", url: "", image_url: "", item_url: "", item_image_url: "" },
  ...{ groupid: "", allow_token: "0" as TokenId, createdate: 1, expiredate: 0, melting_date: 0 },
  ...{ totalsupply: 20n as Amount, meltedamount: 5n as Amount, burnedamount: ZERO, decimal: 0 },
  ...{ initialreserve: {}, creatorcommission: NO_RATE, shareholder: {} },
  ...{ sell_fee: NO_RATE, meltint_fee: NO_RATE, transferable: "Permanent" },
  ...{ copyright_registration_country: "", copyright_registrar: "" },
  ...{ copyright_registration_number: "", platform_name: "", platform_url: "" },
  ...{ platform_address: "", platform_commission: NO_RATE },
  ...{ holders: 1, hasChangedHands: false, openSales: 0, openAuctions: 0, order: 8 },
  shareholderOrder: "",
};

/** The item as its row brings it back. */
const restored = (item: UnitItem): UnitItem =>
  UNIT_ITEM.restore(
    JSON.parse(JSON.stringify(UNIT_ITEM.withoutTexts?.(item))),
    JSON.parse(JSON.stringify(UNIT_ITEM.beside?.(item))),
  );

test("mrc402 §2.6: shareholders are kept in the order given, whatever their addresses", () => {
  const [a, b, c] = ["a", "B", "1"].map((letter) => addressAround(letter.repeat(30)));
  for (const order of [
    [a, b, c],
    [c, b, a],
    [b, a, c],
  ] as Address[][]) {
    const shareholder = Object.fromEntries(order.map((address) => [address, 50_000n as Rate]));
    assert.deepEqual(Object.keys(restored({ ...example, shareholder }).shareholder), order);
  }
});

test("mrc402 §2.5: reserves are kept in the order of their tokens", () => {
  const tokens = ["0", "2", "10", "5000000000", "9007199254740991"];
  const initialreserve = Object.fromEntries(tokens.map((token) => [token, 1n as Amount]));
  assert.deepEqual(Object.keys(restored({ ...example, initialreserve }).initialreserve), tokens);
});

test("chain §5: counters of an item are not committed to", () => {
  const counted = { ...example, holders: 2, hasChangedHands: true, openSales: 2, openAuctions: 3 };
  assert.deepEqual(UNIT_ITEM.json(counted), UNIT_ITEM.json(example));
  assert.equal(existingUnits(example), 15n);
  assert.equal(UNIT_ITEM.prefix + UNIT_ITEM.id(example), `mrc402/${example.id}`);
});

test("items are found by project and creator", () => {
  const cells = Object.entries(UNIT_ITEM.table.columns).map(([name, { of }]) => [
    name,
    of(example),
  ]);
  assert.deepEqual(cells, [
    ["project", 7],
    ["creator", creator],
  ]);
});
