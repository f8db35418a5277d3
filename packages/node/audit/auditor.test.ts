import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { PLATFORM_VERIFIER } from "../signatures/chosen-verifier.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { TestNode } from "../testing/test-node.ts";
import { Auditor } from "./auditor.ts";
import { AuditMemory } from "./memory.ts";
import { NodeClient } from "./node-client.ts";
import { Replica } from "./replica.ts";

test("a live audit never shows that it has compared more records than there were to compare", async () => {
  await using node = await TestNode.start();
  using directory = new TemporaryDirectory("auditor");
  const ledger = join(directory.path, "ledger.db");
  const memory = AuditMemory.open(directory.path, ledger);
  const replica = Replica.open(ledger, {
    threads: 1,
    verifier: PLATFORM_VERIFIER,
    onBlock: () => undefined,
  });
  const stop = new AbortController();
  const shown: { readonly what: string; readonly done: number; readonly total: number }[] = [];
  const auditor = new Auditor({
    client: new NodeClient(new URL(node.url), { lineMax: 1 << 20, stop: stop.signal }),
    replica,
    memory,
    url: node.url,
    sample: 1,
    clock: () => Math.floor(Date.now() / 1000),
    say: () => undefined,
    progress: (what, total) => (done) => shown.push({ what, done, total }),
  });
  let caughtUp = 0;
  let written: Promise<unknown> | undefined;
  const follows = auditor.follow({
    isLive: true,
    onCaughtUp() {
      caughtUp += 1;
      if (caughtUp === 1) {
        written = node.holder({ coins: 1n });
      } else {
        stop.abort();
      }
    },
  });
  await assert.rejects(follows);
  await written;
  await replica.close();
  assert.ok(shown.some(({ what }) => what === "comparing records"));
  assert.deepEqual(
    shown.filter(({ done, total }) => done > total),
    [],
  );
});
