import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import { findAddon } from "@moneta/native-verifier";
import { newKey, publicPem, refusalCode, TestNode } from "../testing/test-node.ts";
import { type ChosenVerifier, PLATFORM_VERIFIER } from "./chosen-verifier.ts";
import { type Claim, COST_TOGETHER, SignaturePool } from "./signature-pool.ts";

const ADDON = findAddon();
const VERIFIERS: readonly ChosenVerifier[] = [
  PLATFORM_VERIFIER,
  ...(ADDON === undefined ? [] : [{ name: "native", addon: ADDON, sample: 1 } as const]),
];

const KEY = newKey();
const CLAIM = {
  publicKey: publicPem(KEY).replaceAll(/-----.*-----|\n/g, ""),
  texts: ["text"],
  signature: sign("sha256", Buffer.from("text"), KEY).toString("base64"),
};

/** What no caller sends: the thread throws. */
const BROKEN = { ...CLAIM, texts: [undefined as unknown as string] };

async function settled(check: Promise<unknown>): Promise<unknown> {
  return await check.catch((thrown: unknown) => (thrown instanceof Error ? "failed" : thrown));
}

test("when a thread fails, all pending and later checks fail, and onFailure is called once", async (t) => {
  const failures: Error[] = [];
  const pool = new SignaturePool(2, { onFailure: (error) => failures.push(error) });
  t.after(() => pool.close());
  // Each message to a thread has one that it fails at: a thread that begins late cannot be late.
  const claims = Array.from({ length: 2000 }, (_, index) => {
    return index % COST_TOGETHER === 0 ? BROKEN : CLAIM;
  });
  const answers = await Promise.all(claims.map((claim) => settled(pool.check(claim))));
  assert.deepEqual([...new Set(answers)], ["failed"]);
  assert.equal(await settled(pool.check(CLAIM)), "failed");
  await pool.close();
  assert.equal(failures.length, 1);
});

test("checks pending when the threads are ended fail, without a call of onFailure", async () => {
  const pool = new SignaturePool(1, { onFailure: (error) => assert.fail(error) });
  const checks = Array.from({ length: 100 }, () => settled(pool.check(CLAIM)));
  await pool.close();
  assert.ok((await Promise.all(checks)).includes("failed"));
  assert.equal(await settled(pool.check(CLAIM)), "failed");
});

const LONG = "long".repeat(1 << 20);
const { publicKey: P521 } = generateKeyPairSync("ec", { namedCurve: "P-521" });
const OTHER = P521.export({ format: "der", type: "spki" });
const OFF_CURVE = Buffer.from(OTHER).fill(1, OTHER.length - 66);
const FOREIGN = Buffer.from(OTHER).fill(1, 0, 8);
const ZERO = "A".repeat(86);

/** Claims that are malformed in each part, and their verdicts. */
const MALFORMED: readonly (readonly [Partial<Claim>, string])[] = [
  ...["", "AAAA", "\0", "한글", LONG, `${CLAIM.publicKey}\0`, `${CLAIM.publicKey} `].map(
    (publicKey) => [{ publicKey }, "misfits"] as const,
  ),
  ...[OTHER, OFF_CURVE, FOREIGN].map(
    (der) => [{ publicKey: der.toString("base64") }, "misfits"] as const,
  ),
  ...["", "\0", "한글", LONG, "?", `${CLAIM.signature}\0`].map(
    (signature) => [{ signature }, "malformed"] as const,
  ),
  [{ signature: ZERO }, "misfits"],
  [{ signature: "_".repeat(86) }, "misfits"],
  [{ signature: "MAYCAQACAQA" }, "malformed"],
  ...[[], [""], ["\0"], ["한글"], ["\ud800"], [LONG]].map(
    (texts) => [{ texts }, "misfits"] as const,
  ),
];

for (const verifier of VERIFIERS) {
  test(`${verifier.name}: each malformed claim has a verdict, and others of its message have theirs`, async () => {
    const pool = new SignaturePool(1, { verifier, onFailure: (error) => assert.fail(error) });
    const claims = MALFORMED.flatMap(([parts]) => [CLAIM, { ...CLAIM, ...parts }]);
    const verdicts = await Promise.all(claims.map((claim) => pool.check(claim)));
    assert.deepEqual(
      verdicts,
      MALFORMED.flatMap(([, verdict]) => [0, verdict]),
    );
    assert.equal(await pool.check({ ...CLAIM, texts: [LONG, "text"] }), 1);
    await pool.close();
  });
}

// Of several clients each has as many requests of which one signature after the other is verified.
for (const clients of [1, 100]) {
  test(`authority §2.2: a claim waits for one of each of ${clients} others, whatever theirs cost`, async () => {
    const pool = new SignaturePool(1);
    const costly = { ...CLAIM, publicKey: OTHER.toString("base64") };
    const done: string[] = [];
    const check = async (claim: Claim): Promise<void> => {
      await pool.check(claim);
      done.push(claim.client ?? "");
    };
    const attack = Array.from({ length: 200 }, (_, index) =>
      check({ ...costly, client: `x${index % clients}`, request: {} }),
    );
    await attack[0];
    for (let count = 0; count < 5; count += 1) {
      const before = done.length;
      // As many as cost together what one of the others costs.
      const own = Array.from({ length: COST_TOGETHER }, () =>
        pool.check({ ...CLAIM, client: "y" }),
      );
      await Promise.all(own);
      // What the thread has been sent before, and a turn of each other client.
      assert.ok(done.length - before <= 7 + clients, `${done.length - before}`);
    }
    await Promise.all(attack);
    await pool.close();
  });
}

test("claims whose clients have disconnected are dropped when their turn comes", async () => {
  let verifications = 0;
  const pool = new SignaturePool(1, {
    onVerified: (count) => {
      verifications += count;
    },
  });
  const gone = { ...CLAIM, isAbandoned: () => true };
  const verdicts = await Promise.all([gone, CLAIM, gone, gone].map((claim) => pool.check(claim)));
  assert.deepEqual(verdicts, ["abandoned", 0, "abandoned", "abandoned"]);
  assert.equal(await pool.check(gone), "abandoned");
  assert.equal(verifications, 1);
  await pool.close();
});

test("a stored key that is none makes its owner's signatures misfits", async () => {
  await using node = await TestNode.start();
  const from = await node.holder({ coins: 10n });
  const to = await node.holder({ coins: 10n });
  await node.restart((database) =>
    database.prepare("UPDATE address SET public_key = 'AAAA' WHERE address = ?").run(from.address),
  );
  const transfer = await node.transfer(from, { to: to.address, amount: "1" });
  assert.equal(refusalCode(await node.post("/transfer", transfer)), "401 2010");
  const back = await node.transfer(to, { to: from.address, amount: "1" });
  assert.equal(refusalCode(await node.post("/transfer", back)), "200");
});
