import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import { PLATFORM_VERIFIER } from "../signatures/chosen-verifier.ts";
import { growKinds } from "../testing/many-kinds.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { TestNode } from "../testing/test-node.ts";
import { compareAddresses } from "./compare-addresses.ts";
import { AuditMemory } from "./memory.ts";
import { NodeClient } from "./node-client.ts";
import { Replica } from "./replica.ts";

/** More than one step of a search asks. */
const KINDS = 2500;

test("the history of an address with very many kinds of records is compared, too", async () => {
  await using node = await TestNode.start();
  const owner = await node.holder({ coins: 100n });
  await node.stop();
  await growKinds(node.data, owner.address as Address, KINDS);
  using directory = new TemporaryDirectory("compare-addresses");
  const file = join(directory.path, "ledger.db");
  const memory = AuditMemory.open(directory.path, file);
  // Nobody has signed these operations, so the copy begins with the ledger itself.
  cpSync(join(node.data, "ledger.db"), file);
  await node.resume();
  const replica = Replica.open(file, {
    threads: 1,
    verifier: PLATFORM_VERIFIER,
    onBlock: () => undefined,
  });
  const asked: string[] = [];
  const client = new NodeClient(new URL(node.url), {
    lineMax: 1 << 20,
    stop: new AbortController().signal,
  });
  const context = {
    client: Object.assign(client, {
      text: (path: string) => {
        asked.push(path);
        return NodeClient.prototype.text.call(client, path);
      },
    }),
    replica,
    memory,
    url: node.url,
    sample: 0,
    clock: () => node.now,
    say: () => undefined,
    progress: () => () => undefined,
  };
  await compareAddresses(context, replica.head.size);
  assert.ok(asked.includes(`/address/${owner.address}/transactions?limit=100`));
  await replica.close();
});
