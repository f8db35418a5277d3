import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../testing/any-text.ts";
import { decodeBase64, parseSignature, signatureValues } from "./signature-encoding.ts";

/** All four texts that may stand for the bytes. */
function textsOf(bytes: Uint8Array): readonly string[] {
  const base64 = Buffer.from(bytes).toString("base64");
  const base64url = base64.replaceAll("+", "-").replaceAll("/", "_");
  return [base64, base64url, base64.replace(/=+$/, ""), base64url.replace(/=+$/, "")];
}

function integer(...content: readonly number[]): readonly number[] {
  return [0x02, content.length, ...content];
}

function sequence(...content: readonly number[]): readonly number[] {
  return [0x30, ...(content.length < 0x80 ? [] : [0x81]), content.length, ...content];
}

function filled(length: number, value: number): readonly number[] {
  return new Array(length).fill(value);
}

for (const width of [1, 4, 64, 76]) {
  test(`conventions §4.3: the longest signature wrapped at ${width} columns ${width < 4 ? "has more white space than any program writes" : "is read"}`, () => {
    const bytes = Uint8Array.from(
      sequence(...integer(0, ...filled(65, 0xff)), ...integer(0, ...filled(65, 0xff))),
    );
    const text = bytes.toBase64().replaceAll(new RegExp(`.{${width}}`, "g"), "$&\r\n");
    assert.deepEqual(parseSignature(text)?.der, width < 4 ? undefined : bytes);
    assert.deepEqual(parseSignature(` \t${bytes.toBase64()} \n`)?.der, bytes);
  });
}

for (const { what, bytes } of [
  { what: "the smallest values", bytes: sequence(...integer(1), ...integer(1)) },
  { what: "a leading 00 before a set bit", bytes: sequence(...integer(0, 0x80), ...integer(0x7f)) },
  {
    what: "values of 66 bytes",
    bytes: sequence(...integer(...filled(66, 1)), ...integer(0, ...filled(66, 0xff))),
  },
  {
    what: "a content of 127 bytes",
    bytes: sequence(...integer(...filled(66, 1)), ...integer(...filled(57, 1))),
  },
  {
    what: "a content of 128 bytes",
    bytes: sequence(...integer(...filled(66, 1)), ...integer(...filled(58, 1))),
  },
]) {
  test(`DER with ${what} is read`, () =>
    assert.deepEqual(
      parseSignature(Buffer.from(bytes).toString("base64"))?.der,
      Uint8Array.from(bytes),
    ));
}

for (const { what, bytes } of [
  { what: "no SEQUENCE", bytes: [0x31, 6, ...integer(1), ...integer(1)] },
  { what: "an empty SEQUENCE", bytes: sequence() },
  { what: "one INTEGER", bytes: sequence(...integer(1)) },
  { what: "three INTEGERs", bytes: sequence(...integer(1), ...integer(1), ...integer(1)) },
  { what: "something after", bytes: [...sequence(...integer(1), ...integer(1)), 0] },
  { what: "its end missing", bytes: [0x30, 6, 2, 1, 1, 2, 1] },
  { what: "an INTEGER longer than the rest", bytes: [0x30, 6, 2, 1, 1, 2, 2, 1] },
  { what: "the tag of an INTEGER at its end", bytes: [0x30, 4, 2, 1, 1, 2] },
  { what: "an INTEGER without content", bytes: sequence(...integer(), ...integer(1)) },
  { what: "a last INTEGER without content", bytes: sequence(...integer(1), ...integer()) },
  { what: "zero", bytes: sequence(...integer(0), ...integer(1)) },
  { what: "zero at its end", bytes: sequence(...integer(1), ...integer(0)) },
  { what: "a negative value", bytes: sequence(...integer(0x80), ...integer(1)) },
  { what: "a superfluous 00", bytes: sequence(...integer(0, 0x7f), ...integer(1)) },
  { what: "a superfluous 00 in the last", bytes: sequence(...integer(1), ...integer(0, 1)) },
  { what: "a BIT STRING", bytes: sequence(...integer(1), 3, 1, 1) },
  {
    what: "a long length where a short one is right",
    bytes: [0x30, 0x81, 6, ...integer(1), ...integer(1)],
  },
  { what: "an indefinite length", bytes: [0x30, 0x80, ...integer(1), ...integer(1), 0, 0] },
  { what: "a long length of an INTEGER", bytes: sequence(2, 0x81, 1, 1, ...integer(1)) },
  { what: "a value of 67 bytes", bytes: sequence(...integer(...filled(67, 1)), ...integer(1)) },
  {
    what: "a value of 67 bytes after 00",
    bytes: sequence(...integer(0, ...filled(67, 0xff)), ...integer(1)),
  },
]) {
  test(`DER with ${what} is no signature`, () =>
    assert.equal(parseSignature(Buffer.from(bytes).toString("base64")), undefined));
}

test("bytes that read as both forms are both", () => {
  const bytes = Uint8Array.from(
    sequence(...integer(...filled(29, 1)), ...integer(...filled(29, 1))),
  );
  assert.equal(bytes.length, 64);
  assert.deepEqual(parseSignature(bytes.toBase64()), { der: bytes, raw: bytes });
});

for (const text of [
  "",
  "=",
  "====",
  "abc!",
  "MAYC=AQECAQE",
  "MAYCAQECAQE===",
  "MAYCAQECAQEé",
  "MAYCAQECA\u0141E=",
  "A".repeat(84),
  "A".repeat(1_000_000),
]) {
  test(`${JSON.stringify(text.slice(0, 40))}, ${text.length} long, is no signature`, () =>
    assert.equal(parseSignature(text), undefined));
}

test("garbage is no signature and throws nothing", () =>
  fc.assert(
    fc.property(
      fc.oneof(
        anyText(),
        fc.stringMatching(/^[A-Za-z0-9+/_=-]*$/),
        fc.uint8Array({ maxLength: 150 }).map((bytes) => bytes.toBase64()),
      ),
      (text) => {
        const signature = parseSignature(text);
        const length = (signature?.raw ?? signature?.der)?.length;
        assert(signature === undefined || (length as number) >= 8);
      },
    ),
  ));

test("base64 and base64url of any bytes are read back, also mixed", () =>
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => {
      const texts = textsOf(bytes);
      const mixed = (texts[0] as string).replace("+", "-").replace("/", "_");
      for (const text of [...texts, mixed]) {
        assert.deepEqual(decodeBase64(text), bytes);
      }
    }),
  ));

test("bits left over at the end are ignored", () => {
  assert.deepEqual(decodeBase64("AB=="), Uint8Array.of(0));
  assert.deepEqual(decodeBase64("AAB"), Uint8Array.of(0, 0));
});

test("r and s have the length of the curve, whatever form they came in", () => {
  const [r, s] = [Uint8Array.of(0x80, 1), Uint8Array.of(5)];
  const der = Uint8Array.of(0x30, 8, 2, 3, 0, 0x80, 1, 2, 1, 5);
  assert.deepEqual(signatureValues({ der, raw: undefined }, 2), [{ r, s: Uint8Array.of(0, ...s) }]);
  assert.deepEqual(signatureValues({ der, raw: undefined }, 1), [], "r is too long");
  const raw = Uint8Array.from({ length: 64 }, (_, index) => index);
  assert.deepEqual(signatureValues({ der: undefined, raw }, 32), [
    { r: raw.slice(0, 32), s: raw.slice(32) },
  ]);
  assert.deepEqual(signatureValues({ der: undefined, raw }, 48), []);
  const long = Uint8Array.of(
    0x30,
    0x81,
    136,
    2,
    66,
    ...Array(66).fill(1),
    2,
    66,
    ...Array(66).fill(2),
  );
  assert.deepEqual(signatureValues({ der: long, raw: undefined }, 66), [
    { r: new Uint8Array(66).fill(1), s: new Uint8Array(66).fill(2) },
  ]);
});
