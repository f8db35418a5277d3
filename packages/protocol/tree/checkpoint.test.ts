import assert from "node:assert/strict";
import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { CHECKPOINT as CHECKPOINT_EXAMPLE, VERIFIER_KEY } from "../description/examples.ts";
import {
  checkpointText,
  type NoteSignature,
  parseCheckpoint,
  parseVerifierKey,
  signedNote,
  type VerifierKey,
  type VerifyEd25519,
  verifierKey,
  verifierKeyText,
  verifyCheckpoint,
} from "./checkpoint.ts";
import type { Sha256 } from "./hashing.ts";

const sha256: Sha256 = {
  hex: (data) => createHash("sha256").update(data).digest("hex"),
  bytes: (data) => createHash("sha256").update(data).digest(),
};

const verifyEd25519: VerifyEd25519 = ({ publicKey, text, signature }) =>
  verify(null, Buffer.from(text), keyObject(publicKey), signature);

function keyObject(publicKey: Uint8Array): ReturnType<typeof createPublicKey> {
  const x = Buffer.from(publicKey).toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

class Signer {
  readonly key: VerifierKey;
  readonly #privateKey = generateKeyPairSync("ed25519").privateKey;

  constructor(name: string) {
    const { x = "" } = createPublicKey(this.#privateKey).export({ format: "jwk" });
    this.key = verifierKey(sha256, { name, publicKey: Buffer.from(x, "base64url") });
  }

  sign(text: string): NoteSignature {
    const { name, keyId } = this.key;
    return { name, keyId, signature: sign(null, Buffer.from(text), this.#privateKey) };
  }
}

const ORIGIN = "ledger.example/main";
const CHECKPOINT = { origin: ORIGIN, size: 1001, root: new Uint8Array(32).fill(0xcc) };
const TEXT = checkpointText(CHECKPOINT);
const signer = new Signer(ORIGIN);
const NOTE = signedNote(TEXT, [signer.sign(TEXT)]);

test("the examples of the documentation are a checkpoint and the key that its signature names", () => {
  const key = parseVerifierKey(sha256, VERIFIER_KEY);
  const [signature] = parseCheckpoint(CHECKPOINT_EXAMPLE)?.signatures ?? [];
  assert.ok(key !== undefined);
  assert.deepEqual([signature?.name, signature?.keyId], [key.name, key.keyId]);
});

test("chain §12: the text of a checkpoint", () =>
  assert.equal(TEXT, "ledger.example/main\n1001\nzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMw=\n"));

// The key and the note of the tests of golang.org/x/mod/sumdb/note.
const NEUMANN = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const NEUMANN_TEXT =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const NEUMANN_LINE =
  "\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

test("a published note is put together and verified as its authors do", () => {
  const key = parseVerifierKey(sha256, NEUMANN);
  assert.ok(key !== undefined);
  assert.equal(verifierKeyText(key), NEUMANN);
  const signature = Uint8Array.fromBase64(NEUMANN_LINE.trimEnd().split(" ")[2] ?? "").slice(4);
  assert.ok(
    verify(null, Buffer.from(NEUMANN_TEXT), keyObject(key.publicKey), signature),
    "the signature fits",
  );
  const { name, keyId } = key;
  assert.equal(
    signedNote(NEUMANN_TEXT, [{ name, keyId, signature }]),
    `${NEUMANN_TEXT}\n${NEUMANN_LINE}`,
  );
});

test("the published example of a checkpoint is one", () => {
  // Source: C2SP tlog-checkpoint.
  const parsed = parseCheckpoint(
    "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n\u2014 example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n",
  );
  assert.equal(parsed?.origin, "example.com/behind-the-sofa");
  assert.equal(parsed?.size, 20852163);
  assert.deepEqual(
    parsed?.signatures.map(({ name, keyId }) => [name, keyId]),
    [["example.com/behind-the-sofa", "033de0ae"]],
  );
});

test("no changed character of a checkpoint is accepted", () =>
  fc.assert(
    fc.asyncProperty(fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), async (at, character) => {
      const index = at % NOTE.length;
      fc.pre(NOTE[index] !== character);
      const changed = NOTE.slice(0, index) + character + NOTE.slice(index + 1);
      assert.equal(await verifyCheckpoint(changed, [signer.key], verifyEd25519), undefined);
    }),
  ));

const [LINE = ""] = NOTE.split("\n").slice(4);
/** Besides those of the test vectors. */
for (const { what, note } of [
  { what: "a size beyond 2^53", note: NOTE.replace("1001", "9007199254740993") },
  { what: "a root in base64url", note: NOTE.replace("zMz", "_Mz") },
  { what: "a root with bits left over", note: NOTE.replace("Mw=", "Mx=") },
  { what: "no origin", note: NOTE.slice(ORIGIN.length) },
  { what: "a second empty line", note: NOTE.replace("\n\n", "\n\n\n") },
  { what: "10,000 signatures", note: `${TEXT}\n${`${LINE}\n`.repeat(10_000)}` },
]) {
  test(`${what}: no checkpoint`, () => assert.equal(parseCheckpoint(note), undefined));
}

test("C2SP signed-note: a wrong signature by a known key is not made good by a right one", async () => {
  const [right] = parseCheckpoint(NOTE)?.signatures ?? [];
  assert.ok(right !== undefined);
  const wrong = { ...right, signature: new Uint8Array(64) };
  const stranger = { ...wrong, name: "stranger" };
  for (const { signatures, isVerified } of [
    { signatures: [right, stranger], isVerified: true },
    { signatures: [stranger], isVerified: false },
    { signatures: [right, wrong], isVerified: false },
    { signatures: [wrong, right], isVerified: false },
  ]) {
    const verified = await verifyCheckpoint(
      signedNote(TEXT, signatures),
      [signer.key],
      verifyEd25519,
    );
    assert.equal(verified !== undefined, isVerified);
  }
});

test("a checkpoint has up to 100 signatures and a million characters", () => {
  const signed = (count: number): string => `${TEXT}\n${`${LINE}\n`.repeat(count)}`;
  assert.equal(parseCheckpoint(signed(100))?.signatures.length, 100);
  assert.equal(parseCheckpoint(signed(101)), undefined);
  const extended = (length: number): string => `${TEXT}${"x".repeat(length)}\n\n${LINE}\n`;
  const least = extended(0).length;
  assert.equal(parseCheckpoint(extended(1_000_000 - least))?.size, 1001);
  assert.equal(parseCheckpoint(extended(1_000_001 - least)), undefined);
});

test("a verifier key of another algorithm is none of ours, whatever its id", () => {
  const key = parseVerifierKey(sha256, NEUMANN);
  assert.ok(key !== undefined);
  const encoded = Buffer.of(2, ...key.publicKey);
  const hashed = Buffer.concat([Buffer.from(`${key.name}\n`), encoded]);
  for (const keyId of [key.keyId, sha256.hex(hashed).slice(0, 8)]) {
    const text: string = `${key.name}+${keyId}+${encoded.toString("base64")}`;
    assert.equal(parseVerifierKey(sha256, text), undefined);
  }
});
