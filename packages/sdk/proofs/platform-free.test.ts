import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { sha256, verifyEd25519 } from "./platform-free.ts";

test("SHA-256 is that of the platform, of texts and of bytes", () =>
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.uint8Array({ maxLength: 300 })),
      (data) => {
        const digest = createHash("sha256").update(data).digest();
        assert.equal(sha256.hex(data), digest.toString("hex"));
        assert.deepEqual(sha256.bytes(data), new Uint8Array(digest));
      },
    ),
  ));

test("Ed25519 signatures of the platform are right, and those with a changed bit are wrong", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  const key = new Uint8Array(Buffer.from(x, "base64url"));
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat({ max: 511 }), (text, bit) => {
      const signature = new Uint8Array(sign(null, Buffer.from(text), privateKey));
      assert.equal(verifyEd25519({ publicKey: key, text, signature }), true);
      assert.equal(verifyEd25519({ publicKey: key, text: `${text} `, signature }), false);
      const changed = signature.map((byte, at) =>
        at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte,
      );
      assert.equal(verifyEd25519({ publicKey: key, text, signature: changed }), false);
    }),
    { numRuns: 30 },
  );
  const text = "x";
  const signature = new Uint8Array(sign(null, Buffer.from(text), privateKey));
  for (const publicKey of [new Uint8Array(32).fill(0xff), new Uint8Array(31), new Uint8Array()]) {
    assert.equal(verifyEd25519({ publicKey, text, signature }), false);
  }
  assert.equal(verifyEd25519({ publicKey: key, text, signature: signature.slice(1) }), false);
});
