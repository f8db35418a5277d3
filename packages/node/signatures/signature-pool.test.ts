import assert from "node:assert/strict";
import { sign } from "node:crypto";
import { test } from "node:test";
import { newKey, publicPem, saidCode, TestNode } from "../testing/test-node.ts";
import { SignaturePool, TEXTS_TOGETHER } from "./signature-pool.ts";

const KEY = newKey();
const CLAIM = {
  publicKey: publicPem(KEY).replaceAll(/-----.*-----|\n/g, ""),
  texts: ["text"],
  signature: sign("sha256", Buffer.from("text"), KEY).toString("base64"),
};

async function settled(check: Promise<unknown>): Promise<unknown> {
  return await check.catch((thrown: unknown) => (thrown instanceof Error ? "failed" : thrown));
}

test("when a thread fails, all pending and later checks fail, and onFailure is called once", async (t) => {
  const failures: Error[] = [];
  const pool = new SignaturePool(2, { onFailure: (error) => failures.push(error) });
  t.after(() => pool.close());
  // Each message to a thread has one that it fails at: a thread that begins late cannot be late.
  const claims = Array.from({ length: 2000 }, (_, index) => {
    return index % TEXTS_TOGETHER === 0 ? { ...CLAIM, publicKey: "AAAA" } : CLAIM;
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

test("a signature thread that fails is a failure of the node", async () => {
  await using node = await TestNode.start();
  const from = await node.holder({ coins: 10n });
  const to = await node.holder();
  await node.restart((database) =>
    database.prepare("UPDATE address SET public_key = 'AAAA' WHERE address = ?").run(from.address),
  );
  const transfer = await node.transfer(from, { to: to.address, amount: "1" });
  assert.equal(saidCode(await node.post("/transfer", transfer)), "500 9500");
  assert.ok(node.failure !== undefined);
  node.failure = undefined;
});
