import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { test } from "node:test";
import { KeyProblem, parsePublicKey } from "@moneta/protocol";
import { VerifyingKey } from "./signature-check.ts";

const TEXT = "MTAlice|MTBob|0|300|é";

function verifyingKey(publicKey: KeyObject): VerifyingKey {
  const key = parsePublicKey(publicKey.export({ type: "spki", format: "pem" }) as string);
  assert(!(key instanceof KeyProblem));
  return new VerifyingKey(key.body);
}

function sent(signature: Buffer): string {
  return signature.toString("base64");
}

test("conventions §4.2: the place of the text that a signature fits is returned", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = verifyingKey(publicKey);
  const signature = sent(sign("sha256", Buffer.from(TEXT), privateKey));
  assert.equal(key.check(["", `${TEXT}|`, TEXT, TEXT], signature), 2);
  assert.equal(key.check([`${TEXT}|`, TEXT.slice(1)], signature), "misfits");
});

test("a signature as long as that of another curve, or of garbage, does not fit and throws nothing", () => {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = verifyingKey(publicKey);
  for (const raw of [64, 96, 132].map((length) => Buffer.alloc(length, 1))) {
    assert.equal(key.check([TEXT], sent(raw)), "misfits");
  }
  const other = generateKeyPairSync("ec", { namedCurve: "P-521" }).privateKey;
  assert.equal(key.check([TEXT], sent(sign("sha256", Buffer.from(TEXT), other))), "misfits");
});

test("conventions §4.2: a signer may change the digest from one signature to the next", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = verifyingKey(publicKey);
  for (const digest of ["sha512", "sha256", "sha384", "sha512", "sha384", "sha256"]) {
    assert.equal(key.check([TEXT], sent(sign(digest, Buffer.from(TEXT), privateKey))), 0);
  }
});

test("conventions §4.2: the likely digest is tried for all texts before any other", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
  const texts = Array.from({ length: 64 }, (_, index) => `${index}|${TEXT}`);
  for (const { likely, digest, verifications } of [
    { likely: undefined, digest: "sha384", verifications: 64 },
    { likely: "sha256", digest: "sha256", verifications: 64 },
    { likely: "sha256", digest: "sha384", verifications: 128 },
    { likely: undefined, digest: "sha512", verifications: 192 },
  ] as const) {
    const key = verifyingKey(publicKey);
    const signature = sent(sign(digest, Buffer.from(texts[63] as string), privateKey));
    assert.equal(key.check(texts, signature, { likely }), 63);
    assert.deepEqual([key.verifications, key.lastDigest], [verifications, digest]);
  }
});

test("one digest alone can be tried", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
  const signature = sent(sign("sha256", Buffer.from(TEXT), privateKey));
  const verdicts = [0, 1, 2].map((rank) =>
    verifyingKey(publicKey).check([TEXT], signature, { rank }),
  );
  assert.deepEqual(verdicts, ["misfits", 0, "misfits"]);
});

test("what is no signature at all is malformed", () => {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  for (const text of ["", "abc!", "AAAA", "MEQ="]) {
    assert.equal(verifyingKey(publicKey).check([TEXT], text), "malformed");
  }
});
