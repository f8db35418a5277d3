import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { HmacSha256 } from "./hmac-sha256.ts";

for (const { number, secret, text, expected } of [
  {
    number: 1,
    secret: Buffer.alloc(20, 0x0b),
    text: "Hi There",
    expected: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
  },
  {
    number: 2,
    secret: Buffer.from("Jefe"),
    text: "what do ya want for nothing?",
    expected: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  },
  {
    number: 6,
    secret: Buffer.alloc(131, 0xaa),
    text: "Test Using Larger Than Block-Size Key - Hash Key First",
    expected: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
  },
]) {
  test(`RFC 4231, case ${number}`, () => {
    assert.equal(new HmacSha256(secret).of(text).toString("hex"), expected);
  });
}

test("texts one after the other get what node:crypto makes of each", () =>
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 130 }),
      fc.array(fc.string({ unit: "grapheme", maxLength: 300 })),
      (secret, texts) => {
        const hmac = new HmacSha256(secret);
        for (const text of texts) {
          assert.deepEqual(hmac.of(text), createHmac("sha256", secret).update(text).digest());
        }
      },
    ),
  ));
