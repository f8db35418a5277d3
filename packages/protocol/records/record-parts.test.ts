import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../testing/any-text.ts";
import { ALICE } from "../testing/requests.ts";
import type { Json } from "../text/canonical-json.ts";
import { type PartText, recordParts } from "./record-parts.ts";
import { type RecordPart, recordText, type TransactionRecord } from "./transaction.ts";

/** Pieces of the form itself, which a client can put into any text. */
const PIECES = ['"', "\\", "{", "}", "[", "]", ",", '],"token":', '{"address":"', '"effects":['];
const text = fc.oneof(
  anyText(),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join("")),
);

const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.nat(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(text, tie("json"), { maxKeys: 4 }),
  ),
}));
const part: fc.Arbitrary<RecordPart> = fc
  .record({
    type: fc.constantFrom("transfer", "receive", "Chaincode Install or Update"),
    address: fc.constantFrom(ALICE, ""),
    token: fc.maxSafeNat(),
    parameters: fc.array(text, { maxLength: 5 }),
    values: fc.dictionary(text, json, { maxKeys: 4 }),
    item: fc.option(text, { nil: undefined }),
  })
  .map(({ item, ...rest }) => (item === undefined ? rest : { ...rest, item }));

function parsed({ parameters, values, ...rest }: PartText): unknown {
  return { ...rest, parameters: JSON.parse(parameters), values: JSON.parse(values) };
}

test("the records of a transaction are found in its text as parsing the whole of it finds them, whatever texts are in it", () =>
  fc.assert(
    fc.property(part, fc.array(part, { maxLength: 5 }), ({ item: _, ...primary }, effects) => {
      const record = recordText({ ...primary, effects });
      const { effects: others, ...first } = JSON.parse(record) as TransactionRecord;
      const parts = recordParts(record);
      assert.deepEqual(parts.map(parsed), [first, ...others]);
      // Nothing is written anew: each is a piece of the text.
      assert.ok(
        parts.every(
          ({ parameters, values }) =>
            record.includes(`${parameters},"token":`) && record.includes(values),
        ),
      );
    }),
    { numRuns: 1000 },
  ));

test("a text that is cut anywhere is no record object", () => {
  const one: RecordPart = {
    type: "receive",
    address: ALICE,
    token: 0,
    parameters: ['a\\"'],
    values: { n: ["}"] },
    item: "x",
  };
  const { item: _, ...primary } = one;
  const record = recordText({ ...primary, effects: [one] });
  for (let length = 0; length < record.length; length += 1) {
    assert.throws(
      () => recordParts(record.slice(0, length)),
      /no record object/,
      record.slice(0, length),
    );
  }
});
