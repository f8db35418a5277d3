import assert from "node:assert/strict";
import { test } from "node:test";
import { RECORD_FORMS } from "@moneta/protocol";
import { TestNode } from "../node/testing/test-node.ts";
import { type DescribedAmount, describe, Moneta, RECORD_TYPES, SigningKey } from "./index.ts";

const ME = "ME";

/** A record whose named parameters are these, and whose others are as long as they may be. */
function recordOf(
  type: (typeof RECORD_TYPES)[number],
  given: Readonly<Record<string, string>>,
  form = 0,
): { readonly type: string; readonly address: string; readonly parameters: readonly string[] } {
  const names = RECORD_FORMS[type][form]?.parameters ?? [];
  for (const name of Object.keys(given)) {
    assert.ok(names.includes(name), `${type} has no ${name}`);
  }
  const parameters = names.map((name) =>
    name.startsWith("=") ? name.slice(1) : (given[name] ?? ""),
  );
  return { type, address: ME, parameters };
}

const amount = (what: DescribedAmount | undefined): string =>
  what === undefined ? "" : `${what.role} ${what.amount} of ${what.token ?? "the item"}`;

for (const [type, given, money, goods, others, about, form] of [
  ["transfer", { from: ME, to: "BOB", amount: "5", token: "0" }, "out 5 of 0", "", "BOB", ""],
  ["receive", { from: "BOB", to: ME, amount: "5", token: "7" }, "in 5 of 7", "", "BOB", ""],
  [
    "multi_transfer",
    {
      from: ME,
      transferlist: '[{"address":"B","amount":"5"},{"address":"C","amount":2}]',
      token: "7",
    },
    "out 7 of 7",
    "",
    "B C",
    "",
  ],
  ["multi_transfer", { from: ME, transferlist: "no list", token: "7" }, "out 0 of 7", "", "", ""],
  [
    "token_reserve",
    { owner: "BOB", receiver: ME, amount: "5", token: "7" },
    "in 5 of 7",
    "",
    "BOB",
    "",
  ],
  ["ownerBurning", { token: "7", amount: "5" }, "out 5 of 7", "", "", ""],
  ["tokenRegister", { token: "7", totalsupply: "50" }, "issues 50 of 7", "", "", ""],
  [
    "mrc010sell",
    { dexid: "DEX", amount: "9", mrc010id: "7", price: "5", token: "0" },
    "asks 5 of 0",
    "out 9 of 7",
    "",
    "DEX",
  ],
  [
    "mrc010reqsell",
    { dexid: "DEX", amount: "9", mrc010id: "7", price: "5", token: "0" },
    "offers 5 of 0",
    "wants 9 of 7",
    "",
    "DEX",
  ],
  ["mrc010unreqsell", { dexid: "DEX", refund: "5", token: "0" }, "in 5 of 0", "", "", "DEX"],
  [
    "mrc010auctionfailure",
    { dexid: "DEX", amount: "9", mrc010id: "7" },
    "",
    "in 9 of 7",
    "",
    "DEX",
  ],
  ["receive_mrc010item", { dexid: "DEX", amount: "9", mrc010id: "7" }, "", "in 9 of 7", "", "DEX"],
  [
    "receive_mrc010refund",
    { dexid: "DEX", payment: "5", token: "0", amount: "0", mrc010id: "7" },
    "in 5 of 0",
    "",
    "",
    "DEX",
  ],
  ["receive_melt", { item: "ITEM", payment: "5", token: "0" }, "in 5 of 0", "", "", "ITEM"],
  [
    "receive_mrc401fee",
    { payer: "BOB", owner: ME, payment: "5", token: "0", item: "ITEM" },
    "in 5 of 0",
    "",
    "BOB",
    "ITEM",
  ],
  ["receive_mrc401refund", { item: "ITEM", payment: "5", token: "0" }, "in 5 of 0", "", "", "ITEM"],
  ["mrc401transfer", { items: '["A","B"]', fromAddr: ME, toAddr: "BOB" }, "", "", "BOB", "A B"],
  ["mrc401transfer", { items: "A", fromAddr: ME, toAddr: "BOB" }, "", "", "BOB", "A"],
  ["mrc401sell", { itemdata: ' [{"id":"A","price":5,"token":"7"}]' }, "asks 5 of 7", "", "", "A"],
  ["mrc401sell", { itemdata: '[{"id":"A","amount":"5","token":"7"}]' }, "", "", "", "A"],
  ["mrc401sell", { itemdata: "[7,null,{}" }, "", "", "", ""],
  ["mrc401sell", { itemdata: "[7,null,{}]" }, "", "", "", ""],
  ["mrc401unsell", { itemdata: '["A"]' }, "", "", "", "A"],
  [
    "mrc402auction",
    { itemdata: '[{"id":"A","start":"5","token":"7"}]' },
    "starts 5 of 7",
    "",
    "",
    "A",
    1,
  ],
  ["mrc402unsell", { dexid: "DEX", amount: "1", item: "ITEM" }, "", "in 1 of the item", "", "ITEM"],
  ["mrc402unsell", { itemdata: '["DEX"]' }, "", "", "", "DEX", 1],
  ["mrc402auctionfailure", { amount: "4", item: "ITEM" }, "", "in 4 of the item", "", "ITEM"],
  ["mrc401_buy", { item: "ITEM", seller: "BOB", buyer: ME }, "", "", "", "ITEM"],
] as const) {
  test(`${type} ${JSON.stringify(given)}: ${[money, goods, others, about].filter(Boolean).join(", ")}`, () => {
    const described = describe(recordOf(type, given, form ?? 0));
    assert.deepEqual(
      [described.type, amount(described.money), amount(described.goods)],
      [type, money, goods],
    );
    assert.deepEqual(
      [described.others.join(" "), described.about.join(" ").trim()],
      [others, about],
    );
    for (const [name, text] of Object.entries(given)) {
      assert.equal((described.parameters as Record<string, string>)[name], text);
    }
  });
}

test("no record is described by throwing", () => {
  for (const type of RECORD_TYPES) {
    for (const [index] of RECORD_FORMS[type].entries()) {
      assert.equal(describe(recordOf(type, {}, index)).type, type);
    }
  }
});

for (const type of ["a type of a later version", "constructor", "transfer"]) {
  test(`a record ${type} with parameters that are not known: it has no description`, () => {
    const described = describe({ type, address: ME, parameters: ["1", "2"] });
    assert.deepEqual([described.type, described.about], [undefined, []]);
  });
}

test("a payment is out for who pays, in for who is paid, and nothing for others", async () => {
  await using node = await TestNode.start();
  const moneta = new Moneta(node.url);
  const key = await SigningKey.generate();
  const [alice, bob] = [await moneta.createAddress(key), await moneta.createAddress(key)];
  await moneta.faucet({ address: alice.address });
  const { transaction_id } = await alice.transfer({ to: bob.address, token: 0, amount: 5n });
  const transaction = await moneta.transaction({ transaction_id });
  const seenBy = (address: string): string => amount(describe(transaction, address).money);
  assert.equal(seenBy(alice.address), "out 5 of 0");
  assert.equal(seenBy(bob.address), "in 5 of 0");
  assert.equal(seenBy(node.treasury.address), "");
  assert.deepEqual(describe(transaction, bob.address).others, [alice.address]);
  const [received] = (await moneta.addressTransactions({ address: bob.address })).items;
  assert.ok(received !== undefined);
  // The union of the types that there are.
  const type: (typeof RECORD_TYPES)[number] = received.type;
  assert.equal(type, "receive");
  assert.deepEqual(describe(received).money, { role: "in", amount: 5n, token: "0" });
});
