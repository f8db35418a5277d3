import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fromBase64, fromHex, toBase64, toHex, utf8Length } from "./byte-texts.ts";

const bytes = fc.uint8Array({ maxLength: 100 });

test("bytes as base64 and hex are what the platform writes, and are read again", () =>
  fc.assert(
    fc.property(bytes, (given) => {
      assert.equal(toBase64(given), given.toBase64());
      assert.deepEqual(fromBase64(toBase64(given)), given);
      assert.equal(toHex(given), given.toHex());
      assert.deepEqual(fromHex(toHex(given)), given);
    }),
  ));

test("a text is base64 of some bytes exactly if the platform writes them so", () => {
  const texts = fc.oneof(
    fc.string({ maxLength: 9 }),
    fc.string({ unit: fc.constantFrom(..."ABQZaz09+/=-_ \n"), maxLength: 9 }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const platform = Buffer.from(text, "base64");
      const isCanonical = platform.toString("base64") === text;
      assert.deepEqual(
        fromBase64(text),
        isCanonical ? new Uint8Array(platform) : undefined,
        JSON.stringify(text),
      );
    }),
    { numRuns: 2000 },
  );
});

test("a text may be as long as an answer of a hostile node", () => {
  const digits = "A".repeat(8e6);
  assert.equal(fromBase64(digits)?.length, 6e6);
  assert.equal(fromBase64(`${digits}A=A`), undefined);
});

test("the length of a text in UTF-8 is what the platform writes", () =>
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) =>
      assert.equal(utf8Length(text), Buffer.byteLength(text)),
    ),
  ));
