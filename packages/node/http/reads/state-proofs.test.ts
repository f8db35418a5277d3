import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { sha256 } from "@moneta/ledger";
import { type Json, provenEntry, type StateProof } from "@moneta/protocol";
import { parsed, summaryOf, TestNode } from "../../testing/test-node.ts";
import { until } from "../../testing/until.ts";

/** The response of a read with a proof as of block `height` or later. Waits for a root. */
async function proofFrom(path: string, height: number): Promise<StateProof> {
  return await until(async () => {
    const answer = await node.get(`${path}${path.includes("?") ? "&" : "?"}proof=1`);
    const proof = answer.status === 200 && parsed<StateProof>(answer);
    if (proof === false || proof.height < height) {
      return false;
    }
    assert.equal(answer.headers.get("ledger-height"), String(proof.height));
    assert.equal(answer.headers.get("cache-control"), "no-store");
    return proof;
  }, `a proof of ${path}`);
}

/** The values that a response proves, after the climb from each leads to the root in its record. */
function valuesOf({ entries, root, height }: StateProof): readonly Json[] {
  const { type, parameters } = root.record as { type: string; parameters: readonly string[] };
  assert.deepEqual([type, parameters[0]], ["StateRoot", String(height)]);
  return entries.map(({ key, ...entry }) => {
    const proven = provenEntry(sha256, key, { key, ...entry });
    assert.ok(typeof proven !== "string", String(proven));
    assert.equal(Buffer.from(proven.root).toString("hex"), parameters[1]);
    return proven.value;
  });
}

let node: TestNode;
before(async () => {
  node = await TestNode.start("--state-roots", "1");
});
after(() => node[Symbol.asyncDispose]());

test("proofs §3.1, §3.3: reads return stored entries with proofs as of the newest or an earlier root", async () => {
  const bob = await node.holder();
  const path = `/balance/${bob.address}/0`;
  await node.pay(bob, 5n);
  const paid = await node.height();
  const first = await proofFrom(path, paid);
  assert.deepEqual(valuesOf(first), [{ free: "5" }]);
  const [address, keys] = valuesOf(await proofFrom(`/address/${bob.address}`, paid));
  assert.equal((address as { publickey: string }).publickey.length > 0, true);
  assert.equal(keys, null);
  await node.pay(bob, 2n);
  const second = await proofFrom(path, await node.height());
  assert.deepEqual(valuesOf(second), [{ free: "7" }]);
  const before = await proofFrom(`${path}?height=${second.height - 1}`, 0);
  assert.equal(before.height, first.height);
  assert.deepEqual(valuesOf(before), [{ free: "5" }]);
  assert.equal(summaryOf(await node.get(`${path}?height=0&proof=1`)), "404 9404");
  assert.equal(summaryOf(await node.get(`${path}?proof=2`)), "400 3005 proof");
  assert.equal(summaryOf(await node.get(`/balance/${bob.address}?proof=1`)), "400 1008 proof");
  const poor = await node.holder();
  const created = await proofFrom(`/balance/${poor.address}/0`, await node.height());
  assert.deepEqual(valuesOf(created), [null]);
});

test("proofs §2.5: a tree that is damaged while the node runs proves nothing, and is rebuilt", async () => {
  const bob = await node.holder({ coins: 3n });
  const path = `/balance/${bob.address}/0`;
  const { height, root } = await proofFrom(path, await node.height());
  writeFileSync(join(node.data, "state.tree"), "damaged");
  assert.equal(summaryOf(await node.get(`${path}?proof=1`)), "404 9404");
  await node.pay(bob, 1n);
  const again = await proofFrom(path, height + 1);
  assert.deepEqual(valuesOf(again), [{ free: "4" }]);
  assert.notEqual(again.root.transaction, root.transaction);
});
