import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  type Address,
  type Block,
  bundledKey,
  leafText,
  MerkleTree,
  recordText,
  type TransactionRecord,
} from "@moneta/protocol";
import { sha256 } from "../sha256.ts";
import { derivedId } from "../state/ids/derived-id.ts";
import { itemIds } from "../state/ids/item-ids.ts";
import { checkCatalogue } from "../testing/catalogue.ts";
import { TestClient } from "../testing/test-client.ts";
import { assertReplaysAlike, replay } from "../testing/test-ledger.ts";
import { ART, createProject, createToken } from "../testing/trade/creations.ts";
import { BUNDLE_RECORDS_MAX, BUNDLE_TEXTS_MAX, refuseLarge } from "./bundle.ts";

// Source: bundles.

let client: TestClient;
let a: Address;
let b: Address;
let c: Address;
before(async () => {
  client = await TestClient.open();
  ({ a, b, c } = await client.people(["a", "b", "c"], { coins: 10_000n }));
});
after(() => {
  checkCatalogue(client.ledger);
  assertReplaysAlike(client.ledger);
  client[Symbol.dispose]();
});

type Operation = { readonly operation: string } & { readonly [name: string]: unknown };

/** The text of a bundle of `a`. */
function bodyOf(operations: readonly Operation[], skip?: readonly string[], more = {}): string {
  return JSON.stringify({ actor: a, tkey: client.ledger.key(a), operations, skip, ...more });
}

function pay(to: Address, amount: bigint, more = {}): Operation {
  return { operation: "transfer", from: a, to, token: "0", amount: String(amount), ...more };
}

test("bundles §5: two payments are one transaction with the records of both", async () => {
  const body = bodyOf([pay(b, 10n), pay(c, 20n, { memo: "second" })]);
  const answer = await client.done("bundle", a, { body });
  assert.equal(answer.outcome, "done: a -30, b +10, c +20");
  const { tkey } = JSON.parse(body);
  assert.deepEqual(answer.record.parameters, ["2", "[]", "MEQ=", tkey]);
  assert.deepEqual(
    answer.effects.map(({ at, type, address }) => [at, type, address]),
    [
      [0, "transfer", a],
      [0, "receive", b],
      [1, "transfer", a],
      [1, "receive", c],
    ],
  );
});

describe("an operation without funds", () => {
  const operations = () => [pay(b, 1n), pay(b, 10n ** 20n), pay(c, 2n)];
  for (const { skip, summary: reported, outcome } of [
    { skip: undefined, summary: "400 5001", outcome: "400 5001" },
    { skip: ["7108"], summary: "400 5001", outcome: "400 5001" },
    { skip: ["5001"], summary: "done", outcome: "done: a -3, b +1, c +2" },
    { skip: ["*"], summary: "done", outcome: "done: a -3, b +1, c +2" },
  ]) {
    test(`bundles §4: skip ${skip}: ${outcome}`, async () => {
      const answer = await client.send("bundle", a, { body: bodyOf(operations(), skip) });
      assert.equal(answer.summary, reported);
      assert.equal(answer.outcome, outcome);
      if (reported === "done") {
        assert.equal(answer.record.parameters[1], '[[1,"5001"]]');
      }
    });
  }
});

test("bundles §4: all are left out: the first refusal, and the key stays unused", async () => {
  const body = bodyOf([pay(b, 10n ** 20n), pay(b, 10n ** 21n)], ["*"]);
  assert.equal((await client.send("bundle", a, { body })).summary, "400 5001");
  const { tkey } = JSON.parse(body);
  await client.done("transfer", a, { to: b, token: "0", amount: "1", checkkey: tkey });
});

test("bundles §6: an item is made in the project of the same bundle and put on sale", async () => {
  const tkey = client.ledger.key(a);
  const projects = [0, 1].map((index) => derivedId("MRC400", a, bundledKey(tkey, index)));
  const items = projects.map(
    (mrc400id, index) =>
      itemIds({
        kind: "MRC401",
        mrc400id,
        tkey: bundledKey(tkey, 2 + index),
        numbers: [undefined],
      })[0] as string,
  );
  const about = {
    ...{ operation: "mrc400create", owner: a, url: "http://a.example/", allowtoken: "0" },
    ...{ imageurl: "http://a.example/", category: "c", description: "d", data: "{}" },
    ...{ itemurl: "http://a.example/", itemimageurl: "http://a.example/" },
  };
  const create = (mrc400id: string): Operation => ({
    ...{ operation: "mrc401create", mrc400id, creator: a },
    itemdata: [{ item_url: "http://a.example/1", groupid: "g" }],
  });
  const body = JSON.stringify({
    ...{ actor: a, tkey },
    operations: [
      { ...about, name: "first" },
      { ...about, name: "second" },
      create(projects[0] as string),
      create(projects[1] as string),
      {
        ...{ operation: "mrc401sell", seller: a },
        itemdata: items.map((id) => ({ id, price: "5", token: "0" })),
      },
    ],
  });
  const answer = await client.send("bundle", a, { body });
  assert.equal(answer.summary, "done");
  for (const item of items) {
    client.assertEntry(item, { sell_price: "5" });
  }
});

test("bundles §7: the same bytes are a repeat; other white space, or another operation, with the same key is 2021", async () => {
  const body = bodyOf([pay(b, 1n)]);
  const { id } = await client.done("bundle", a, { body });
  const again = await client.send("bundle", a, { body, signature: "MEU=" });
  assert.deepEqual([again.summary, again.id], ["repeat", id]);
  assert.equal((await client.send("bundle", a, { body: `${body} ` })).summary, "409 2021 tkey");
  const { tkey: checkkey } = JSON.parse(body);
  const single = await client.send("transfer", a, { to: b, token: "0", amount: "1", checkkey });
  assert.equal(single.summary, "409 2021 checkkey");
});

test("bundles §7: two bundles of one block with one key: the first is done, the other is 2021", async () => {
  const tkey = client.ledger.key(a);
  const answers = await client.block(
    [1n, 2n].map((amount) => [
      "bundle",
      a,
      { body: bodyOf([pay(b, amount)], undefined, { tkey }) },
    ]),
  );
  assert.deepEqual(
    answers.map(({ summary: reported }) => reported),
    ["done", "409 2021 tkey"],
  );
});

/** The blocks with another record of the last transaction, and the root and id that fit it. */
function withForgedRecord(record: TransactionRecord, id: string): Block[] {
  const { blocks } = client.ledger;
  const { header, operations } = blocks.at(-1) as Block;
  const { timestamp } = header;
  const operationHash = sha256.hex(operations[0] as string);
  const recordHash = sha256.hex(recordText(record));
  const tree = new MerkleTree(sha256);
  tree.append(leafText({ id, operationHash, recordHash, timestamp }));
  const forged = { ...header, root: Buffer.from(tree.root()).toString("hex") };
  const blockId = sha256.hex(JSON.stringify(Object.fromEntries(Object.entries(forged).sort())));
  return [...blocks.slice(0, -1), { header: forged, id: blockId, operations }];
}

test("bundles §5.4: a record that leaves out one too many, one too few, or with another code makes the block invalid", async () => {
  const body = bodyOf([pay(b, 1n), pay(b, 10n ** 20n), pay(c, 2n)], ["*"]);
  const { record, id } = await client.done("bundle", a, { body });
  const { height } = client.ledger.ledger.head;
  const [count = "", skipped = "", ...rest] = record.parameters;
  assert.equal(skipped, '[[1,"5001"]]');
  // What is forged as it was comes to the same root: only the changes below are refused.
  const same = withForgedRecord(record, id);
  assert.equal(same.at(-1)?.id, client.ledger.blocks.at(-1)?.id);
  const first = record.effects.filter(({ at }) => at !== 0);
  for (const forged of [
    { ...record, parameters: [count, '[[0,"5001"],[1,"5001"]]', ...rest], effects: first },
    { ...record, parameters: [count, "[]", ...rest] },
    { ...record, parameters: [count, '[[1,"7108"]]', ...rest] },
  ]) {
    assert.throws(() => replay(withForgedRecord(forged, id)), { name: "InvalidBlock", height });
  }
});

describe("limits", () => {
  for (const { records, texts, code } of [
    { records: BUNDLE_RECORDS_MAX, texts: BUNDLE_TEXTS_MAX, code: undefined },
    { records: BUNDLE_RECORDS_MAX + 1, texts: 0, code: "3002" },
    { records: 0, texts: BUNDLE_TEXTS_MAX + 1, code: "3002" },
  ]) {
    test(`bundles §8: ${records} records and ${texts} characters of texts: ${code ?? "done"}`, () => {
      assert.equal(refuseLarge(records, texts)?.code, code);
    });
  }

  test("bundles §8: 50 unit items with sales, which count 10 each, are done", async () => {
    const mrc400id = await createProject(client, a);
    const element = { item_url: "https://a.example/1", groupid: "g", totalsupply: "10" };
    const create = (count: number): Operation => ({
      ...{ operation: "mrc402create", mrc400id, creator: a },
      itemdata: Array(count).fill({ ...element, sell_price: "5", sell_token: "0" }),
    });
    const answer = await client.done("bundle", a, { body: bodyOf([create(20), create(30)]) });
    assert.equal(answer.made.filter((id) => id.startsWith("DEX402_")).length, 50);
    const more = await client.send("bundle", a, { body: bodyOf([create(20), create(31)]) });
    assert.equal(more.summary, "400 3002 operations");
  });

  test("bundles §8: updates of units whose texts have more than 2^20 characters: 3002", async () => {
    const information = "i".repeat(40_000);
    const created = await client.done("mrc402create", a, { ...ART, creator: a, information });
    const [mrc402id = ""] = created.made;
    const update = (index: number): Operation => ({
      ...{ operation: "mrc402update", mrc402id },
      url: `https://a.example/${index}`,
    });
    const operations = Array.from({ length: 40 }, (_, index) => update(index));
    const answer = await client.send("bundle", a, { body: bodyOf(operations, ["*"]) });
    assert.equal(answer.summary, "400 3002 operations");
    const fewer = bodyOf(operations.slice(0, 20));
    assert.equal((await client.send("bundle", a, { body: fewer })).summary, "done");
  });
});

test("bundles §4: what a refused bundle changed and looked up is taken back in a block with other operations", async () => {
  const [base, target] = [
    await createToken(client, a),
    await createToken(client, a, { name: "T" }),
  ];
  await client.done("tokensetbase", a, { token: target, baseToken: base });
  await client.done("tokenaddtarget", a, { token: base, targetToken: target });
  const order = (price: string): Operation => ({
    ...{ operation: "mrc040create", owner: a, side: "SELL", qtt: "1" },
    ...{ basetoken: base, targettoken: target, price },
  });
  const draft = { operation: "tokensave", owner: a, symbol: "D", name: "D", totalsupply: "5" };
  const refused = [order("5"), order("4"), draft, { operation: "tokencreate" }, pay(b, 10n ** 20n)];
  const answers = await client.block([
    ["mrc040create", a, order("7") as never],
    ["bundle", a, { body: bodyOf(refused) }],
    ["mrc040create", a, order("6") as never],
    ["bundle", a, { body: bodyOf([...refused.slice(0, 2), pay(c, 1n)]) }],
  ]);
  assert.deepEqual(
    answers.map(({ summary: reported }) => reported),
    ["done", "400 5001", "done", "done"],
  );
  assert.equal(answers[3]?.made.filter((id) => id.startsWith("MRC040")).length, 4);
});
