import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { parsed, TestNode } from "../testing/test-node.ts";

/** A lease moves to another node within 30 s, and a root follows a second later. */
const WITHIN_MS = 90_000;

test("proofs §2.4: three nodes make one series of roots and agree on each, also after one has stopped", async () => {
  await using server = await PostgresServer.start();
  const start = (): Promise<TestNode> =>
    TestNode.start("--log", server.url, "--log-schema", "roots", "--state-roots", "1");
  await using a = await start();
  await using b = await start();
  await using c = await start();
  const bob = await a.holder({ coins: 1n });
  await agreed([a, b, c]);
  const { treasury } = a;
  await a.stop();
  const payment = { to: bob.address, token: "0", amount: "1" };
  const paid = await b.post("/transfer", await b.fullTransfer(treasury, payment));
  assert.equal(paid.status, 200, paid.text);
  await agreed([b, c]);
  const series = await Promise.all([b, c].map(rootsOf));
  assert.deepEqual(series[0], series[1]);
  const heights = (series[0] ?? []).map(([height]) => Number(height));
  assert.deepEqual(
    heights,
    [...new Set(heights)].toSorted((one, other) => other - one),
  );
});

/** Waits until each node has compared a root of the current state. */
async function agreed(nodes: readonly TestNode[]): Promise<void> {
  const heights = await Promise.all(nodes.map((node) => node.height()));
  const wanted = Math.max(...heights);
  const until = Date.now() + WITHIN_MS;
  for (const node of nodes) {
    for (;;) {
      const [newest] = await rootsOf(node);
      const metrics = (await node.get("/metrics")).text;
      const [, inTree] = /^moneta_state_tree_height ([0-9]+)$/m.exec(metrics) ?? [];
      if (Number(newest?.[0]) >= wanted && Number(inTree) >= wanted) {
        assert.match(metrics, /^moneta_state_root_wrong 0$/m);
        break;
      }
      assert.ok(Date.now() < until, `${newest} in the ledger, ${inTree} in the tree`);
      await delay(100);
    }
  }
}

/** Height and root of each claim in the ledger, newest first. */
async function rootsOf(node: TestNode): Promise<readonly (readonly string[])[]> {
  const answer = await node.get("/transactions?type=StateRoot");
  return parsed<{ items: readonly { parameters: readonly string[] }[] }>(answer).items.map(
    ({ parameters }) => parameters,
  );
}
