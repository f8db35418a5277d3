import { parentPort, workerData } from "node:worker_threads";
import {
  InvalidBlock,
  invariant,
  StorageFailure,
  SYSTEM_TIME,
  SyncFailure,
  UnknownRules,
} from "@moneta/ledger";
import type { Fault } from "@moneta/protocol";
import {
  EMPTY_REPORT,
  type FromLedger,
  type LedgerThreadData,
  type StorageTrouble,
  type ToLedger,
} from "../ledger-thread/ledger-messages.ts";
import { progressOf } from "../progress.ts";
import { SettingProblem } from "../settings.ts";
import { UNTIL_MENDED_SECONDS } from "../write-state.ts";
import { Finding, printable } from "./finding.ts";
import type { SourceData } from "./follower-messages.ts";
import { backOffMs, NodeClient, Unreachable, wait } from "./node-client.ts";
import { Replica } from "./replica.ts";
import { LacksBlocks } from "./served-block.ts";
import { Source } from "./source.ts";

// The only writer, which takes blocks from another node. Source: cluster §8.
invariant(parentPort !== null, "this file runs as a worker");
const port = parentPort;
const {
  file,
  verifyAtStart,
  keepState,
  keepChanges,
  source: data,
} = workerData as LedgerThreadData;
invariant(data !== undefined, "a follower has a source");

const ROUND_EVERY_MS = 300;
const UNREACHABLE_MS = 2000;
const MISBEHAVING_MS = 30_000;
const FAILURES_SAID_AFTER = 2;
const REPORT_EVERY_MS = 1000;

const NO_WRITES: Fault = {
  code: "9002",
  reason: "This node follows another one and writes nothing",
  retryAfter: UNTIL_MENDED_SECONDS,
};

const stop = new AbortController();
const replica = open(data);
let heardMs: number | undefined;
let logHeight = -1;
let hasCaughtUp = false;
let trouble: string | undefined;
let refused: string | undefined;
let unstored: StorageTrouble | undefined;
let reportedMs = Number.NEGATIVE_INFINITY;
let isReady = false;
noteBlocks();

const source = new Source(
  {
    client: new NodeClient(new URL(data.url), { lineMax: data.blockBytesMax, stop: stop.signal }),
    replica,
    keys: data.keys,
    nowMs: SYSTEM_TIME.nowMs,
  },
  {
    page: noteBlocks,
    checkpoint: (checkpoint) => say({ kind: "passedOn", checkpoint }),
  },
);

port.on("message", (message: ToLedger) => {
  switch (message.kind) {
    case "end":
      stop.abort();
      break;
    case "inTree":
      replica.noteInTree(message.height);
      break;
    case "batch":
      say({
        kind: "result",
        outcomes: message.units.map(() => ({ kind: "refused", fault: NO_WRITES })),
        parts: [{ batch: message.batch, from: 0, count: message.units.length }],
        height: replica.head.height,
        executeMs: 0,
        commitMs: 0,
        unknownVersion: replica.unknownVersion,
        failure: undefined,
      });
      break;
    case "look":
      say({ kind: "looked", look: message.look, height: undefined });
      break;
  }
});

await follow();
await replica.close();
port.close();

function open({ threads, verifier }: SourceData): Replica {
  return Replica.open(file, {
    ...{ threads, verifier },
    checksLinks: verifyAtStart === "links",
    keepState,
    keepChanges,
    synchronous: "NORMAL",
    onBlock: progressOf("replaying blocks"),
  });
}

async function follow(): Promise<void> {
  for (let failures = 0; !stop.signal.aborted; ) {
    try {
      const ageSeconds = await source.round();
      heardMs = SYSTEM_TIME.nowMs() - ageSeconds * 1000;
      hasCaughtUp = true;
      failures = 0;
      note({});
      await wait(ROUND_EVERY_MS, stop.signal);
    } catch (thrown) {
      if (stop.signal.aborted) {
        return;
      }
      failures += 1;
      const reported = troubleOf(thrown);
      const isAway = thrown instanceof Unreachable;
      // A connection that ends and can be made again is no failure.
      if (thrown instanceof StorageFailure) {
        note({ unstored: { reason: thrown.reason, detail: reported } });
      } else if (!isAway) {
        note({ refused: reported });
      } else if (failures >= FAILURES_SAID_AFTER) {
        note({ trouble: reported });
      }
      const longest = isAway ? UNREACHABLE_MS : MISBEHAVING_MS;
      await wait(Math.min(backOffMs(failures), longest), stop.signal);
    }
  }
}

/** For the operator. Throws faults that need a restart. */
function troubleOf(thrown: unknown): string {
  if (thrown instanceof SyncFailure) {
    say({ kind: "syncFailed", message: thrown.message });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  const isForeseen = [Unreachable, Finding, InvalidBlock, UnknownRules, StorageFailure].some(
    (foreseen) => thrown instanceof foreseen,
  );
  if (!isForeseen) {
    throw thrown;
  }
  const advice =
    thrown instanceof LacksBlocks
      ? ": start an empty directory from a snapshot (--from-snapshot), or follow a node that has it"
      : "";
  const message = printable((thrown as Error).message + advice);
  if (!isReady && !(thrown instanceof Unreachable)) {
    throw new SettingProblem(`--log ${data?.url}: ${message}`, { cause: thrown });
  }
  return message;
}

function noteBlocks(): void {
  const { height } = replica.head;
  if (height < 0) {
    return;
  }
  const { unknownVersion } = replica;
  if (isReady) {
    // Even before the newest one has arrived.
    heardMs = SYSTEM_TIME.nowMs();
    say({ kind: "followed", height, unknownVersion });
  } else {
    isReady = true;
    say({ kind: "ready", height, unknownVersion });
  }
}

/** If it has changed or the last report is old. */
function note(now: {
  readonly trouble?: string;
  readonly refused?: string;
  readonly unstored?: StorageTrouble;
}): void {
  const nowMs = SYSTEM_TIME.nowMs();
  if (now.trouble === undefined && now.refused === undefined) {
    // The source has blocks that this node could not store.
    logHeight = now.unstored === undefined ? replica.head.height : source.height;
  }
  const isNews =
    now.trouble !== trouble || now.refused !== refused || now.unstored?.detail !== unstored?.detail;
  trouble = now.trouble;
  refused = now.refused;
  unstored = now.unstored;
  if (!isReady) {
    if (isNews && trouble !== undefined) {
      process.stderr.write(`moneta: waiting for ${data?.url}: ${trouble}\n`);
    }
    return;
  }
  if (isNews || nowMs - reportedMs >= REPORT_EVERY_MS) {
    reportedMs = nowMs;
    const known = { heardMs, logHeight, hasCaughtUp, trouble, refused, unstored };
    say({ kind: "log", ...EMPTY_REPORT, ...known });
  }
}

function say(message: FromLedger): void {
  port.postMessage(message);
}
