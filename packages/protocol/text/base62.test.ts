import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { drawBase62, encodeBase62, littleEndianBase62 } from "./base62.ts";
import { decodeBase62Number, encodeBase62Number } from "./base62-number.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The number that digits in base 62 mean, the weightiest first. */
function numberOf(text: string): bigint {
  return [...text].reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n);
}

test("bytes of any number are written as the number that they are, padded", () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(3), (bytes, padding) => {
      const digits = Math.ceil((bytes.length * 8) / Math.log2(62)) + padding;
      const text = encodeBase62(bytes, digits);
      assert.equal(text.length, digits);
      assert.equal(numberOf(text), BigInt(`0x0${bytes.toHex()}`));
    }),
  ));

test("bytes that do not fit are a bug", () => {
  assert.throws(() => encodeBase62(Uint8Array.of(62), 1));
  assert.throws(() => encodeBase62(Uint8Array.of(1), 0));
  assert.throws(() => encodeBase62(new Uint8Array(16).fill(255), 21));
  // 62^5 and 62^10, the first that need one digit more than the chunks have.
  assert.throws(() => encodeBase62(Uint8Array.fromHex("369b13e0"), 5));
  assert.throws(() => encodeBase62(Uint8Array.fromHex("0ba5ca5392cb0400"), 10));
});

test("safe integers are written and read back", () =>
  fc.assert(
    fc.property(fc.maxSafeNat(), (value) => {
      const text = encodeBase62Number(value, 9);
      assert.equal(numberOf(text), BigInt(value));
      assert.equal(decodeBase62Number(text), value);
    }),
  ));

test("numbers that do not fit, or are none, are a bug", () => {
  for (const [value, digits] of [
    [62, 1],
    [1, 0],
    [-1, 5],
    [0.5, 5],
    [2 ** 53, 20],
    [Number.NaN, 5],
  ] as const) {
    assert.throws(() => encodeBase62Number(value, digits), `${value} in ${digits}`);
  }
});

for (const text of [
  "",
  "-1",
  " 1",
  "1 ",
  "é",
  "a_",
  "\u{10400}",
  "zzzzzzzzz",
  "10000000000000000",
]) {
  test(`${JSON.stringify(text)} is no safe integer`, () =>
    assert.equal(decodeBase62Number(text), undefined));
}

test("the largest safe integer is read, and the next is not", () => {
  const largest = encodeBase62Number(Number.MAX_SAFE_INTEGER, 12);
  assert.equal(largest.slice(-1), "7");
  assert.equal(decodeBase62Number(largest), Number.MAX_SAFE_INTEGER);
  assert.equal(decodeBase62Number(`${largest.slice(0, -1)}8`), undefined);
});

test("accounts §3.1: of the 256 bytes every digit takes four, and the others draw again", () => {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte).reverse();
  const drawn = drawBase62(248, () => bytes.pop() as number);
  const counts = new Map<string, number>();
  for (const digit of drawn) {
    counts.set(digit, (counts.get(digit) ?? 0) + 1);
  }
  assert.deepEqual(
    [...counts],
    [...DIGITS].map((digit) => [digit, 4]),
  );
  const more = [255, 248, 61, 250, 247];
  assert.equal(
    drawBase62(2, () => more.shift() as number),
    "zz",
  );
});

test("the little-endian digits are the last ones, in reverse", () =>
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const all = encodeBase62(bytes, 43);
      assert.equal(littleEndianBase62(bytes, 30), [...all].reverse().slice(0, 30).join(""));
    }),
  ));
