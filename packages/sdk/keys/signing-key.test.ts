import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { test } from "node:test";
import { type Curve, SigningKey } from "../index.ts";
import { pemText } from "./pem.ts";

const CURVES: readonly (readonly [Curve, string, string, number])[] = [
  ["P-256", "prime256v1", "sha256", 64],
  ["P-384", "secp384r1", "sha384", 96],
  ["P-521", "secp521r1", "sha512", 132],
];
const TEXT = new TextEncoder().encode("moneta|1|…|transfer|{}");

/** Whether the signature verifies with nothing but the public key. */
async function signsTruly(key: SigningKey, digest: string): Promise<boolean> {
  const signature = await key.sign(TEXT);
  return verify(digest, TEXT, { key: key.publicKeyPem, dsaEncoding: "ieee-p1363" }, signature);
}

for (const [curve, name, digest, length] of CURVES) {
  test(`${curve}: a new key signs r‖s with the digest of its size`, async () => {
    const key = await SigningKey.generate({ curve });
    assert.equal(key.curve, curve);
    assert.equal((await key.sign(TEXT)).length, length);
    assert.ok(await signsTruly(key, digest));
  });

  for (const type of ["pkcs8", "sec1"] as const) {
    test(`${curve}: a key that OpenSSL wrote as ${type} is taken, and has the same public key`, async () => {
      const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: name });
      const pem = privateKey.export({ type, format: "pem" }).toString();
      const key = await SigningKey.fromPem(pem);
      assert.equal(key.publicKeyPem, publicKey.export({ type: "spki", format: "pem" }));
      assert.ok(await signsTruly(key, digest));
    });
  }

  test(`${curve}: what is exported is read by OpenSSL and by us`, async () => {
    const key = await SigningKey.generate({ curve, extractable: true });
    const pem = await key.privateKeyPem();
    const again = createPublicKey(createPrivateKey(pem)).export({ type: "spki", format: "pem" });
    assert.equal(again, key.publicKeyPem);
    assert.equal((await SigningKey.fromPem(pem)).publicKeyPem, key.publicKeyPem);
  });
}

test("OpenSSL's EC PARAMETERS before the key, other line ends and text around it change nothing", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const pem = privateKey.export({ type: "sec1", format: "pem" }).toString();
  const parameters =
    "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
  const key = await SigningKey.fromPem(`my key\n${parameters}${pem}`.replaceAll("\n", "\r\n"));
  assert.equal(key.publicKeyPem, publicKey.export({ type: "spki", format: "pem" }));
});

test("a key that holds no public part has it computed", async () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const { d = "" } = privateKey.export({ format: "jwk" });
  const scalar = Buffer.from(d, "base64url").toString("hex");
  const sec1 = `302502010104 20${scalar}`.replace(" ", "");
  const pkcs8 = `3041020100301306072a8648ce3d020106082a8648ce3d0301070427${sec1}`;
  const key = await SigningKey.fromPem(pemText("PRIVATE KEY", Buffer.from(pkcs8, "hex")));
  const expected = createPublicKey(privateKey).export({ type: "spki", format: "pem" });
  assert.equal(key.publicKeyPem, expected);
});

test("by default the private key cannot be exported", async () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  for (const key of [await SigningKey.generate(), await SigningKey.fromPem(pem)]) {
    assert.equal(key.keyPair.privateKey.extractable, false);
    await assert.rejects(key.privateKeyPem(), /not extractable/);
    await assert.rejects(crypto.subtle.exportKey("pkcs8", key.keyPair.privateKey));
  }
});

test("a key pair that was kept signs as before", async () => {
  const key = await SigningKey.generate({ curve: "P-384" });
  const kept = await SigningKey.fromKeyPair(structuredClone(key.keyPair));
  assert.equal(kept.publicKeyPem, key.publicKeyPem);
  assert.ok(await signsTruly(kept, "sha384"));
});

const SECRET = generateKeyPairSync("ec", { namedCurve: "prime256v1" }).privateKey;
const SECRET_PEM = SECRET.export({ type: "pkcs8", format: "pem" }).toString();

for (const { what, pem, says } of [
  { what: "no PEM", pem: "hello", says: /No private key in PEM form/ },
  {
    what: "a public key",
    pem: createPublicKey(SECRET).export({ type: "spki", format: "pem" }).toString(),
    says: /No private key/,
  },
  {
    what: "an encrypted key",
    pem: SECRET.export({
      type: "pkcs8",
      format: "pem",
      cipher: "aes-256-cbc",
      passphrase: "x",
    }).toString(),
    says: /encrypted: decrypt it/,
  },
  {
    what: "an encrypted key of the old form",
    pem: SECRET.export({
      type: "sec1",
      format: "pem",
      cipher: "aes-256-cbc",
      passphrase: "x",
    }).toString(),
    says: /encrypted: decrypt it/,
  },
  {
    what: "a key on another curve",
    pem: generateKeyPairSync("ec", { namedCurve: "secp256k1" })
      .privateKey.export({ type: "pkcs8", format: "pem" })
      .toString(),
    says: /none of the curves/,
  },
  {
    what: "an RSA key",
    pem: generateKeyPairSync("rsa", { modulusLength: 2048 })
      .privateKey.export({ type: "pkcs8", format: "pem" })
      .toString(),
    says: /none of the curves/,
  },
  {
    what: "a key cut short",
    pem: SECRET_PEM.replace(/.{20}\n-----END/, "\n-----END"),
    says: /damaged/,
  },
  { what: "what is no base64", pem: SECRET_PEM.replace("M", "*"), says: /damaged/ },
]) {
  test(`${what} is refused, in words that repeat nothing of it`, async () => {
    await assert.rejects(SigningKey.fromPem(pem), (error: Error) => {
      assert.equal(error.name, "TypeError");
      assert.match(error.message, says);
      for (const line of pem.split("\n").filter((one) => /^[\w+/=]{20,}$/.test(one))) {
        assert.ok(!error.message.includes(line.slice(0, 16)));
      }
      return true;
    });
  });
}
