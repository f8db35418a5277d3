import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { VerifyingKey } from "@moneta/ledger/signature-check";
import { findAddon, type NativeVerifier } from "@moneta/native-verifier";
import { parseSignature } from "@moneta/protocol";
import { SeededRandom } from "../testing/seeded-random.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { TestNode } from "../testing/test-node.ts";
import { VerifierComparison } from "../testing/verifiers/verifier-comparison.ts";
import type { KeyedAttempt } from "./attempt-verifier.ts";
import { ConfirmedKeys } from "./confirmed-keys.ts";
import { SampledNativeVerifier, VerdictDifference } from "./sampled-native-verifier.ts";
import { SignaturePool } from "./signature-pool.ts";

const NEVER = 1 << 30;
const TEXT = "a text";
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
const BODY = publicKey.export({ format: "der", type: "spki" }).toString("base64");
const SIGNATURE = sign("sha384", Buffer.from(TEXT), privateKey).toString("base64");
const KEY = new VerifyingKey(BODY);

/** The only parts of a fault that are ours: its answer is always the same. */
function answering(verdict: number): NativeVerifier {
  return { verify: (batch) => Uint8Array.from(batch.length > 0 ? [verdict] : []) };
}

function attempt(key: VerifyingKey, text = TEXT): KeyedAttempt {
  const signature = parseSignature(SIGNATURE);
  assert.ok(signature !== undefined);
  return { key, attempt: { digest: "sha384", data: Buffer.from(text), signature } };
}

test("the first acceptance of each key is compared with the platform's", () => {
  const verifier = new SampledNativeVerifier(answering(1), NEVER, new ConfirmedKeys());
  for (const compared of [1, 1, 1]) {
    assert.deepEqual(verifier.fit([attempt(KEY)]), [true]);
    assert.equal(verifier.verifiedAgain, compared);
  }
  assert.deepEqual(verifier.fit([attempt(new VerifyingKey(BODY))]), [true]);
  assert.equal(verifier.verifiedAgain, 1, "it is the same key");
});

test("rejections are compared only as often as the sample says", () => {
  const seldom = new SampledNativeVerifier(answering(0), NEVER, new ConfirmedKeys());
  assert.deepEqual(seldom.fit([attempt(KEY)]), [false]);
  assert.equal(seldom.verifiedAgain, 0);
  const always = new SampledNativeVerifier(answering(0), 1, new ConfirmedKeys());
  assert.throws(() => always.fit([attempt(KEY)]), VerdictDifference);
});

test("a difference names key, digest, signature and message", () => {
  const verifier = new SampledNativeVerifier(answering(1), NEVER, new ConfirmedKeys());
  assert.throws(
    () => verifier.fit([attempt(KEY, "another text")]),
    (thrown: Error) => {
      assert.match(thrown.message, /accepts a signature that the platform rejects: P-384 key 04/);
      assert.match(thrown.message, /sha384/);
      assert.ok(thrown.message.includes(SIGNATURE));
      assert.ok(thrown.message.includes(Buffer.from("another text").toString("base64")));
      return true;
    },
  );
});

test("no verdict, or too many, are faults; that a point is none is compared with the platform's answer", () => {
  const empty = new SampledNativeVerifier(
    { verify: () => new Uint8Array(0) },
    NEVER,
    new ConfirmedKeys(),
  );
  assert.throws(() => empty.fit([attempt(KEY)]), /0 verdicts on 1 claims/);
  const noKey = new SampledNativeVerifier(answering(2), NEVER, new ConfirmedKeys());
  assert.throws(() => noKey.fit([attempt(KEY)]), VerdictDifference);
  const off = Buffer.from(BODY, "base64");
  off.writeUInt8(off.readUInt8(off.length - 1) ^ 1, off.length - 1);
  assert.deepEqual(noKey.fit([attempt(new VerifyingKey(off.toString("base64")))]), [false]);
  assert.equal(noKey.verifiedAgain, 2);
});

test("a difference in a signature thread is a failure of the pool, in its words", async () => {
  using directory = new TemporaryDirectory("verifier");
  const addon = join(directory.path, "lying.cjs");
  writeFileSync(
    addon,
    "exports.NativeVerifier = class { verify() { return Uint8Array.of(1); } };\n",
  );
  const failures: Error[] = [];
  const pool = new SignaturePool(1, {
    verifier: { name: "native", addon, sample: NEVER },
    onFailure: (error) => failures.push(error),
  });
  const claim = { publicKey: BODY, signature: SIGNATURE };
  assert.equal(await pool.check({ ...claim, texts: [TEXT] }), 0);
  await assert.rejects(
    new SignaturePool(1, {
      verifier: { name: "native", addon, sample: 1 },
      onFailure: (error) => failures.push(error),
    }).check({ ...claim, texts: ["another"] }),
    /accepts a signature that the platform rejects/,
  );
  await pool.close();
  assert.deepEqual(
    failures.map(({ name }) => name),
    ["VerdictDifference"],
  );
});

test("both verifiers agree about claims on the edges of ECDSA", {
  skip: findAddon() === undefined && "the native verifier is not built",
}, (t) => {
  const random = new SeededRandom();
  t.diagnostic(`TEST_SEED=${random.seed}`);
  const comparison = VerifierComparison.open(findAddon() as string);
  // Some 13 in 100 fit. Of half as many claims one run in 200 has fewer than 150 that do.
  comparison.compareEdges(3000, random);
  assert.ok(comparison.result.fitting > 150);
  assert.ok(comparison.result.claims - comparison.result.fitting > 150);
});

for (const verifier of findAddon() === undefined ? ["platform"] : ["platform", "native"]) {
  test(`a node with --verifier ${verifier} says so, and admits what is signed`, async () => {
    await using node = await TestNode.start("--verifier", verifier);
    const from = await node.holder({ coins: 10n, curve: "secp384r1" });
    const transfer = await node.transfer(from, { to: node.treasury.address, amount: "1" });
    assert.equal((await node.post("/transfer", transfer)).status, 200);
    assert.equal(JSON.parse((await node.get("/")).text).verifier, verifier);
    const compared = /^moneta_signature_verifications_compared_total (\d+)$/m;
    const [, count] = compared.exec((await node.get("/metrics")).text) ?? [];
    assert.equal(Number(count) > 0, verifier === "native", "the first acceptance of a key");
  });
}
