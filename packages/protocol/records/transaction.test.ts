import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../testing/any-text.ts";
import { ALICE } from "../testing/requests.ts";
import { canonicalJson } from "../text/canonical-json.ts";
import {
  leafText,
  parseTransactionId,
  type RecordPart,
  recordText,
  transactionId,
} from "./transaction.ts";

const text = anyText();

const parts: fc.Arbitrary<RecordPart> = fc
  .record({
    type: fc.constantFrom("transfer", "receive", "Chaincode Install or Update"),
    address: fc.constantFrom(ALICE, ""),
    token: fc.nat(),
    parameters: fc.array(text),
    values: fc.dictionary(text, fc.oneof(text, fc.nat(), fc.array(text))),
    item: fc.option(text, { nil: undefined }),
  })
  .map(({ item, ...part }) => (item === undefined ? part : { ...part, item }));

test("chain §4.4: a record object is written in the form of RFC 8785", () =>
  fc.assert(
    fc.property(parts, fc.array(parts, { maxLength: 4 }), ({ item: _, ...primary }, effects) =>
      assert.equal(
        recordText({ ...primary, effects }),
        canonicalJson({ ...primary, effects: effects.map((effect) => ({ ...effect })) }),
      ),
    ),
  ));

test("chain §4.4: a leaf is written in the form of RFC 8785", () => {
  const leaf = { id: "1", operationHash: "2", recordHash: "3", timestamp: 4 };
  assert.equal(
    leafText(leaf),
    canonicalJson({ id: "1", operation: "2", record: "3", timestamp: 4 }),
  );
});

const places = fc.record({
  height: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  position: fc.nat({ max: 0xffffffff }),
});
const CONTENT_HASH = "0123456789abcdef".repeat(4);

test("chain §4.3: an id is 64 digits and says where the transaction is", () =>
  fc.assert(
    fc.property(places, (place) => {
      const id = transactionId({ ...place, contentHash: CONTENT_HASH });
      assert.equal(id.slice(24), CONTENT_HASH.slice(0, 40));
      assert.deepEqual(parseTransactionId(id), { id, ...place });
    }),
  ));

test("chain §4.3: ids sort as text in the order of the ledger", () =>
  fc.assert(
    fc.property(places, places, fc.boolean(), (a, b, isFirstHashLower) => {
      const [hashOfA, hashOfB] = isFirstHashLower ? ["0", "f"] : ["f", "0"];
      const before = a.height < b.height || (a.height === b.height && a.position < b.position);
      fc.pre(a.height !== b.height || a.position !== b.position);
      const idOfA = transactionId({ ...a, contentHash: hashOfA.repeat(64) });
      const idOfB = transactionId({ ...b, contentHash: hashOfB.repeat(64) });
      assert.equal(idOfA < idOfB, before);
    }),
  ));
