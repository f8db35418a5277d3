import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { type LedgerReader, SYSTEM_TIME } from "@moneta/ledger";
import type { SeenCheckpoint } from "@moneta/ledger/postgres";
import { CheckpointKeys } from "../checkpoint-keys.ts";
import type { SignedTreeFile } from "../data-directory/signed-tree-file.ts";
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
  checkpoints.close(); // it signs when it is asked
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

test("cluster §7: a node that has seen the checkpoint of a block which the log has lost goes on with the row", async () => {
  const keys = new CheckpointKeys("ledger", [generateKeyPairSync("ed25519").privateKey]);
  const hash = (digit: number): string => String(digit).repeat(64);
  /** The row and the header of its block. */
  const at = (size: number, tree: string): SeenCheckpoint => {
    const header = { v: 1, protocol: 1, sn: size, timestamp: 0, count: 1, size, tree };
    return {
      newest: {
        ...{ size, root: tree, height: size, note: keys.sign({ size, tree }) },
        keys: keys.verifierKeys.join("\n"),
      },
      header: JSON.stringify({ ...header, previous: hash(0), root: hash(0), changes: hash(0) }),
      isDue: false,
    };
  };
  let row = at(9, hash(1));
  let height = 7;
  const reader = (): LedgerReader => ({ height }) as unknown as LedgerReader;
  const checkpoints = new SharedCheckpoints({ call: async () => row } as unknown as RemoteRows, {
    ...{ keys: undefined, trusted: [], ledgerName: "ledger", height: () => height },
    file: {} as unknown as SignedTreeFile,
    readingNewest: reader,
    time: SYSTEM_TIME,
    ...{ reaches: async () => false, isReachable: () => true },
    ...{ onProblem: assert.ifError, onRefused: assert.fail, onFailure: assert.ifError },
  });
  assert.equal((await checkpoints.prepare())?.code, "9003", "it lacks that block");
  // The log was restored, and goes on.
  for (const size of [8, 9]) {
    row = at(size, hash(2));
    height = size;
    await checkpoints.prepare();
    assert.equal(checkpoints.newest(reader())?.note, row.newest?.note);
  }
});
