import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { type LedgerReader, SYSTEM_TIME } from "@moneta/ledger";
import type { SeenCheckpoint } from "@moneta/ledger/postgres";
import { CheckpointKeys } from "../checkpoint-keys.ts";
import type { SignedTree, SignedTreeFile } from "../data-directory/signed-tree-file.ts";
import { VirtualTime } from "../simulator/virtual-time.ts";
import { type RemoteRows, RowsUnavailable } from "./row-calls.ts";
import { SharedCheckpoints } from "./shared-checkpoints.ts";

test("cluster §7: once blocks are certain again a node signs soon, however long the standby was away", async () => {
  const time = new VirtualTime();
  let height = 7;
  let tried = 0;
  let isAway = true;
  const rows = {
    async call(method: string) {
      if (method === "checkpoint") {
        return { newest: undefined, header: undefined, isDue: true };
      }
      tried += 1;
      if (isAway) {
        throw new RowsUnavailable("no standby has answered");
      }
      return true;
    },
  };
  const reader = () => {
    const header = { size: height, tree: "00".repeat(32) };
    return { height, size: height, newest: { id: "", header } } as unknown as LedgerReader;
  };
  const checkpoints = new SharedCheckpoints(rows as unknown as RemoteRows, {
    keys: new CheckpointKeys("ledger", [generateKeyPairSync("ed25519").privateKey]),
    file: { path: "", read: () => undefined, write: () => undefined } as unknown as SignedTreeFile,
    ...{ trusted: [], ledgerName: "ledger", readingNewest: reader, height: () => height },
    time: {
      nowMs: () => time.nowMs,
      wallMs: () => time.nowMs,
      after: (ms, call) => time.after(ms, call),
      soon: (call) => void time.after(0, call),
    },
    reaches: async () => true,
    isReachable: () => true,
    onProblem: assert.ifError,
    onRefused: assert.fail,
    onFailure: assert.ifError,
  });
  checkpoints.close(); // it signs on request
  const asked = async (): Promise<void> => {
    let isDone = false;
    void checkpoints.prepare().then(() => {
      isDone = true;
    });
    assert.ok(await time.passUntil(() => isDone, time.nowMs + 10_000));
  };
  const pass = async (ms: number): Promise<void> => {
    await time.passUntil(() => false, time.nowMs + ms);
  };
  for (const end = time.nowMs + 3_600_000; time.nowMs < end; await pass(5000)) {
    await asked();
  }
  assert.ok(tried < 20, `${tried} sessions are left at the engine`);
  isAway = false;
  height += 1;
  await pass(10_000);
  await asked();
  assert.equal(checkpoints.signedSize, height);
});

function rowAt(size: number, tree: string, keys: CheckpointKeys): SeenCheckpoint {
  const header = { v: 1, protocol: 1, sn: size, timestamp: 0, count: 1, size, tree };
  const none = "0".repeat(64);
  return {
    newest: {
      ...{ size, root: tree, height: size, note: keys.sign({ size, tree }) },
      keys: keys.verifierKeys.join("\n"),
    },
    header: JSON.stringify({ ...header, previous: none, root: none, changes: none }),
    isDue: true,
  };
}

for (const { what, hasKey } of [
  { what: "passes on what comes then", hasKey: false },
  { what: "signs nothing with the same key", hasKey: true },
]) {
  test(`cluster §7: a node that has seen the checkpoint of a block, and never had it, ${what} once the log was restored`, async () => {
    const keys = new CheckpointKeys("ledger", [generateKeyPairSync("ed25519").privateKey]);
    const [lost, later] = ["1".repeat(64), "2".repeat(64)] as const;
    let row = rowAt(9, lost, keys);
    let height = 7;
    const reader = (): LedgerReader => {
      const newest = { id: "", header: { size: height, tree: later } };
      const tree = { root: () => Buffer.from(later, "hex") };
      return { height, size: height, newest, tree } as unknown as LedgerReader;
    };
    let remembered: SignedTree | undefined;
    const file = {
      path: "checkpoint.signed",
      read: () => remembered,
      write: (tree: SignedTree) => {
        remembered = tree;
      },
    } as unknown as SignedTreeFile;
    const problems: string[] = [];
    let signed = 0;
    const rows = {
      async call(method: string) {
        signed += method === "checkpoint" ? 0 : 1;
        return method === "checkpoint" ? row : true;
      },
    };
    const checkpoints = new SharedCheckpoints(rows as unknown as RemoteRows, {
      ...{ keys: hasKey ? keys : undefined, file, trusted: [], ledgerName: "ledger" },
      ...{ readingNewest: reader, height: () => height, time: SYSTEM_TIME },
      ...{ reaches: async () => false, isReachable: () => true },
      onProblem: ({ message }) => problems.push(message),
      ...{ onRefused: assert.fail, onFailure: assert.ifError },
    });
    checkpoints.close();
    assert.equal((await checkpoints.prepare())?.code, "9003", "it lacks that block");
    for (const size of [8, 9]) {
      row = rowAt(size, later, keys);
      height = size;
      await checkpoints.prepare();
      assert.equal(checkpoints.newest(reader())?.note, row.newest?.note);
    }
    height = 10;
    await checkpoints.prepare();
    assert.equal(signed, 0);
    assert.deepEqual(
      problems.map((problem) => /must never sign two histories/.test(problem)),
      hasKey ? [true] : [],
    );
  });
}
