import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { test } from "node:test";
import { KeyProblem, parsePublicKey } from "@moneta/protocol";
import { VerifyingKey } from "./signature-check.ts";

const ORDERS: { readonly [curve: string]: bigint } = {
  "P-256": 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  "P-384":
    0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  "P-521":
    0x1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
};
const TEXT = "MTAlice|MTBob|0|300|é";

function verifyingKey(publicKey: KeyObject): VerifyingKey {
  const key = parsePublicKey(publicKey.export({ type: "spki", format: "pem" }) as string);
  assert(!(key instanceof KeyProblem));
  return new VerifyingKey(key.body);
}

function sent(signature: Buffer): string {
  return signature.toString("base64");
}

/** The other signature that fits wherever r‖s does. Source: conventions §4.4. */
function withOtherS(raw: Buffer, order: bigint): Buffer {
  const half = raw.length / 2;
  const s = order - BigInt(`0x${raw.subarray(half).toString("hex")}`);
  return Buffer.concat([
    raw.subarray(0, half),
    Buffer.from(s.toString(16).padStart(2 * half, "0"), "hex"),
  ]);
}

for (const [curve, order] of Object.entries(ORDERS)) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: curve });

  for (const digest of ["sha256", "sha384", "sha512"]) {
    for (const dsaEncoding of ["der", "ieee-p1363"] as const) {
      test(`conventions §4.2, §4.3: ${curve} with ${digest}, ${dsaEncoding}`, () => {
        const key = verifyingKey(publicKey);
        const signature = sent(sign(digest, Buffer.from(TEXT), { key: privateKey, dsaEncoding }));
        assert.equal(key.check([TEXT], signature), 0);
        assert.equal(key.check(["", `${TEXT}|`, TEXT, TEXT], signature), 2);
        assert.equal(key.check([`${TEXT}|`, TEXT.slice(1)], signature), "misfits");
        assert.equal(key.check([""], signature), "misfits");
      });
    }
  }

  test(`conventions §4.4: ${curve}: both s and n-s fit`, () => {
    const raw = sign("sha256", Buffer.from(TEXT), { key: privateKey, dsaEncoding: "ieee-p1363" });
    const key = verifyingKey(publicKey);
    assert.equal(key.check([TEXT], sent(raw)), 0);
    assert.equal(key.check([TEXT], sent(withOtherS(raw, order))), 0);
  });

  test(`${curve}: a signature by another key does not fit`, () => {
    const stranger = generateKeyPairSync("ec", { namedCurve: curve }).privateKey;
    const signature = sent(sign("sha256", Buffer.from(TEXT), stranger));
    assert.equal(verifyingKey(publicKey).check([TEXT], signature), "misfits");
  });
}

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
