import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { OPERATIONS, signedBundle } from "../descriptions.ts";
import { type Bundle, bundleWeight, isBundleable } from "./bundle-body.ts";
import { ALICE, BOB } from "./examples.ts";
import { Refused } from "./faults.ts";
import { readTexts } from "./request-reader.ts";

/** A bundle as it is read from a text, or why it is refused. */
function readBody(body: string, occasion: "admission" | "replay"): unknown {
  const read = readTexts(signedBundle, { body, signature: "MEQ=" }, occasion);
  if (read instanceof Refused) {
    return { fault: read.fault, index: read.index };
  }
  const { actor, tkey, skip, operations } = read.values["body"] as Bundle;
  const all = operations.map(({ operation: { name }, request }) => ({ name, request }));
  return { actor, tkey, skip, all };
}

const texts = fc.oneof(
  fc.constantFrom("", "0", "1", "1.5", ALICE, BOB, "full", "é\u0000", "{}", "[]"),
  fc.string({ unit: "binary" }),
);
const names = fc.constantFrom(
  ...["from", "to", "token", "amount", "memo", "tag", "tags", "checkkey", "tkey", "signed"],
  ...["signature", "group", "idempotency_key", "other", "__proto__", "dexid", "seller"],
);
const payment = { operation: "transfer", from: ALICE, to: BOB, token: "0", amount: "1" };
const operation = fc
  .tuple(fc.constantFrom("transfer", "mrc010buy", "exchange", "x"), fc.dictionary(names, texts))
  .map(([operationName, members]) => ({ ...payment, operation: operationName, ...members }));
const bodies = fc.record({
  actor: fc.constantFrom(ALICE, BOB, "MT"),
  tkey: fc.constantFrom("K1", ""),
  operations: fc.array(fc.oneof(fc.constant(payment), operation), { maxLength: 4 }),
});

test("bundles §3: a body means the same whether the engine's parser can read it or not", () =>
  fc.assert(
    fc.property(bodies, fc.constantFrom("admission", "replay"), (body, occasion) => {
      const text = JSON.stringify(body);
      if (text.isWellFormed()) {
        // With white space it is read by the parser that notes where members stand.
        assert.deepEqual(readBody(text, occasion), readBody(`${text} `, occasion));
      }
    }),
  ));

test("bundles §3: a bundle takes every operation that one address signs, but for protocol and those of keys", () => {
  const taken = OPERATIONS.filter(isBundleable).map(({ name }) => name);
  const left = OPERATIONS.map(({ name }) => name).filter((name) => !taken.includes(name));
  assert.deepEqual(left, [
    ...["address", "addresskeys", "addressrecover", "addressrecovercancel"],
    ...["addressrecoverfinish", "grant", "grantend", "exchange", "mrc010auctionfinish"],
    ...["mrc401auctionfinish", "mrc401offerfinish", "mrc402auctionfinish", "mrc402offerfinish"],
    ...["mrc020open", "protocol"],
  ]);
});

test("bundles §8: a bundle sets at most 2,000 attributes of items", () => {
  const attributes = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`a${n}`, n]));
  const mrc400id = `MRC400_${"0".repeat(33)}`;
  const entries = Array.from({ length: 20 }, () => ({ attributes }));
  const create = { operation: "mrc401create", mrc400id, itemdata: JSON.stringify(entries) };
  const sent = (...operations: readonly object[]): unknown =>
    readBody(JSON.stringify({ actor: ALICE, tkey: "K1", operations }), "admission");
  const full = [create, create, create, create];
  assert.equal((sent(...full) as Partial<Bundle>).actor, ALICE);
  const one = { ...create, itemdata: '[{"attributes":{"level":7}}]' };
  const reason = "set more than 2000 attributes of items together";
  assert.deepEqual(sent(...full, one), {
    fault: { code: "3002", parameter: "operations", reason },
    index: undefined,
  });
});

test("bundles §8: operations count as the chapter's table has it, for each entry of their lists", () => {
  const chapter = new URL("../../../docs/specification/bundles.md", import.meta.url);
  const rows = readFileSync(chapter, "utf8").matchAll(/^ *\| (\d+) \| ((?:\w+(?:, )?)+) \|$/gm);
  const weights = new Map<string, number>();
  for (const [, weight, names = ""] of rows) {
    for (const name of names.split(", ")) {
      weights.set(name, Number(weight));
    }
  }
  const names = OPERATIONS.filter(isBundleable).map(({ name }) => name);
  assert.deepEqual(
    [...weights.keys()].filter((name) => !names.includes(name)),
    [],
  );
  assert.ok(weights.size > 30);
  for (const name of names) {
    const weight = weights.get(name) ?? 1;
    assert.deepEqual(
      [0, 1, 7].map((entries) => bundleWeight(name, entries)),
      [weight, weight, 7 * weight],
      name,
    );
  }
});
