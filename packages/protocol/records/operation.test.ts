import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../testing/any-text.ts";
import { ALICE } from "../testing/requests.ts";
import { canonicalJson } from "../text/canonical-json.ts";
import {
  contentText,
  type LedgerOperation,
  operationText,
  parseOperationText,
} from "./operation.ts";

const texts = fc.dictionary(
  fc.oneof(anyText(), fc.constantFrom("signatures", "v", "signature", '"signatures":')),
  fc.oneof(anyText(), fc.constantFrom(',"signatures":{},"v":1}', '"', "\\", '\\",')),
);

const operations: fc.Arbitrary<LedgerOperation> = fc.record({
  op: fc.constantFrom("transfer", "address"),
  actor: fc.constantFrom(ALICE, "" as const),
  params: texts,
  decided: texts,
  // No parameter that is a signature is called `signatures`.
  signatures: texts.map(({ signatures: _, ...others }) => others),
});

test("chain §4.1: an operation is written in the form of RFC 8785 and read back", () =>
  fc.assert(
    fc.property(operations, (operation) => {
      const text = operationText(operation);
      assert.equal(text, canonicalJson({ ...operation, v: 1 }));
      assert.equal(canonicalJson({ ...parseOperationText(text), v: 1 }), text);
    }),
  ));

test("chain §4.2: content is the operation without its signatures, whatever stands in the texts", () =>
  fc.assert(
    fc.property(operations, (operation) => {
      const { signatures: _, ...content } = operation;
      assert.equal(contentText(operationText(operation)), canonicalJson({ ...content, v: 1 }));
    }),
  ));

const TEXT = operationText({
  op: "transfer",
  actor: ALICE,
  params: { amount: "1", from: ALICE },
  decided: {},
  signatures: { signature: "s" },
});

for (const { text, reason } of [
  { reason: "no JSON", text: TEXT.slice(1) },
  { reason: "an array", text: "[]" },
  { reason: "null", text: "null" },
  { reason: "white space", text: TEXT.replace(",", ", ") },
  { reason: "a line end behind", text: `${TEXT}\n` },
  {
    reason: "another order",
    text: TEXT.replace(`"amount":"1","from":"${ALICE}"`, `"from":"${ALICE}","amount":"1"`),
  },
  { reason: "a superfluous escape", text: TEXT.replace('"transfer"', '"\\u0074ransfer"') },
  { reason: "a member more", text: TEXT.replace('"v":1', '"v":1,"w":1') },
  { reason: "a member less", text: TEXT.replace('"decided":{},', "") },
  { reason: "another version", text: TEXT.replace('"v":1', '"v":2') },
  { reason: "a key twice", text: TEXT.replace('"amount":"1"', '"amount":"1","amount":"1"') },
  { reason: "a number in params", text: TEXT.replace('"amount":"1"', '"amount":1') },
  { reason: "an object in params", text: TEXT.replace('"amount":"1"', '"amount":{}') },
  { reason: "params that are no object", text: TEXT.replace('"decided":{}', '"decided":[]') },
  { reason: "an actor that is null", text: TEXT.replace(`"actor":"${ALICE}"`, '"actor":null') },
  { reason: "half a surrogate pair", text: TEXT.replace('"1"', '"\\ud834"') },
]) {
  test(`no operation is read from ${reason}`, () =>
    assert.equal(parseOperationText(text), undefined));
}

test("a changed character is either seen or another operation, and nothing throws", () =>
  fc.assert(
    fc.property(
      fc.nat(TEXT.length - 1),
      anyText({ minLength: 1, maxLength: 1 }),
      (position, unit) => {
        const changed = TEXT.slice(0, position) + unit + TEXT.slice(position + 1);
        const operation = parseOperationText(changed);
        if (operation !== undefined) {
          assert.equal(operationText(operation), changed);
        }
      },
    ),
  ));
