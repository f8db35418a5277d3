import assert from "node:assert/strict";
import { test } from "node:test";
import { TestNode } from "../testing/test-node.ts";
import { claimRoot } from "./claim-root.ts";

test("proofs §2.2: a node puts a root into a block once; a second claim of it is dropped", async () => {
  await using node = await TestNode.start();
  const { service } = node.running;
  service.reading();
  const { admission } = service;
  const claim = { height: 0, root: "0".repeat(64) };
  assert.equal(await claimRoot(admission, claim), true);
  assert.equal(await claimRoot(admission, claim), false);
  const listed = async (query: string): Promise<string[]> => {
    const { items } = JSON.parse((await node.get(`/transactions${query}`)).text);
    return items.map(({ type }: { type: string }) => type);
  };
  assert.deepEqual(await listed("?type=StateRoot"), ["StateRoot"]);
  assert.ok(!(await listed("")).includes("StateRoot"));
});
