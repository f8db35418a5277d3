import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Attempt,
  type BlockPlace,
  type EngineTrouble,
  type Ledger,
  type Outcome,
  type SharedLog,
  StorageFailure,
  type Turn,
  type Unit,
} from "@moneta/ledger";
import type { Block } from "@moneta/protocol";
import { VirtualTime } from "../simulator/virtual-time.ts";
import { LedgerLoop } from "./ledger-loop.ts";
import type { FromOpenLedger, LogReport } from "./ledger-messages.ts";

/** The newest block of node and log. */
const PLACE = { height: 7, id: "seven" };

test("cluster §3: a node that could not execute for its disk accepts writes again, though no block is missing", async () => {
  const { loop, end, time, reported } = loopOver({
    executeIn: async () => {
      throw new StorageFailure("the disk is full");
    },
  });
  loop.start();
  await time.passUntil(() => reportOf(reported) !== undefined, 1000);
  loop.take({ kind: "batch", batch: 0, units: [["{}"]], now: 0, deadlines: [time.nowMs + 20_000] });
  const isUnstored = (): boolean => reportOf(reported)?.unstored !== undefined;
  assert.ok(await time.passUntil(isUnstored, 5000), "it says so");
  const since = time.nowMs;
  assert.ok(await time.passUntil(() => !isUnstored(), since + 10_000), "it tries again");
  assert.ok(time.nowMs - since > 3000, "not at once");
  await end();
});

for (const { what, after } of [
  { what: "and has another block there", after: { height: 8, id: "theirs" } },
  { what: "and ends before", after: PLACE },
]) {
  test(`cluster §3: a block that the views could not store is not answered once the log was restored ${what}`, async () => {
    let place = PLACE;
    const done = (transactionId: string): Outcome => ({
      kind: "done",
      transactionIds: [transactionId],
    });
    const { loop, end, time, reported } = loopOver({
      stored: () => place,
      executeIn: async (_turn, _units, { onSend }) => {
        onSend(1);
        time.after(100, () => {
          place = after;
        });
        const block = { header: { sn: 8 }, id: "ours" } as Block;
        const sent = { block, outcomes: [done("lost")], executeMs: 0 };
        return { kind: "unstored", failure: new StorageFailure("the disk is full"), ...sent };
      },
    });
    loop.start();
    const deadlineMs = time.nowMs + 20_000;
    loop.take({ kind: "batch", batch: 0, units: [["{}"]], now: 0, deadlines: [deadlineMs] });
    const result = (): FromOpenLedger | undefined =>
      reported.find(({ kind }) => kind === "result" || kind === "expired");
    await time.passUntil(() => result() !== undefined, 30_000);
    assert.match(JSON.stringify(result()), /"code":"9002".*cannot store blocks/);
    await end();
  });
}

test("cluster §4: messages about a log that was unreachable come after the report that it answers again", async () => {
  let heardMs = 0;
  const { loop, end, time, reported } = loopOver({
    heardMs: () => heardMs,
    // The session for reading gets no answer yet.
    look: async () => await new Promise(() => undefined),
    executeIn: async () => {
      heardMs = time.nowMs;
      const outcomes: Outcome[] = [{ kind: "done", transactionIds: ["written"] }];
      const execution = { outcomes, height: 8, executeMs: 0, commitMs: 0 };
      return { kind: "done", execution };
    },
  });
  loop.start();
  await time.passUntil(() => false, 7000);
  loop.take({ kind: "batch", batch: 0, units: [["{}"]], now: 0, deadlines: [time.nowMs + 20_000] });
  assert.ok(await time.passUntil(() => reported.at(-1)?.kind === "result", 8000));
  assert.equal(reportOf(reported)?.heardMs, heardMs);
  await end();
});

test("cluster §3: what an engine refuses is answered at once, and so is all until a probe finds that it stores blocks", async () => {
  const trouble = { code: "53100", reason: "could not extend file" };
  let isFull = true;
  let [executed, probes] = [0, 0];
  const { loop, end, time, reported } = loopOver({
    probe: () => {
      probes += 1;
      return isFull ? trouble : undefined;
    },
    executeIn: async (_turn, _units, { onSend }) => {
      executed += 1;
      onSend(1);
      if (isFull) {
        const block = { header: {} } as Block;
        return { kind: "refused", ...trouble, block, outcomes: [], executeMs: 0 };
      }
      const outcomes: Outcome[] = [{ kind: "done", transactionIds: ["written"] }];
      return { kind: "done", execution: { outcomes, height: 8, executeMs: 0, commitMs: 0 } };
    },
  });
  loop.start();
  await time.passUntil(() => reportOf(reported) !== undefined, 1000);
  const write = (batch: number): void =>
    loop.take({ kind: "batch", batch, units: [["{}"]], now: 0, deadlines: [time.nowMs + 20_000] });
  const answers = (): unknown[] =>
    reported.flatMap((message) =>
      message.kind === "result" || message.kind === "expired" ? message.outcomes : [],
    );
  write(0);
  write(1);
  const since = time.nowMs;
  await time.passUntil(() => answers().length === 2, since + 20_000);
  assert.ok(time.nowMs - since < 1000, "at once");
  assert.match(JSON.stringify(answers()), /stores no blocks: its disk is full \(SQLSTATE 53100\)/);
  assert.deepEqual(reportOf(reported)?.engine, trouble);
  assert.equal(reportOf(reported)?.conflicts, 0);
  assert.equal(executed, 1);
  await time.passUntil(() => probes === 3, since + 60_000);
  assert.ok(time.nowMs - since > 12_000, "every five seconds");
  isFull = false;
  assert.ok(await time.passUntil(() => reportOf(reported)?.engine === undefined, since + 60_000));
  write(2);
  await time.passUntil(() => answers().length === 3, since + 60_000);
  assert.equal(answers().at(-1), "written");
  await end();
});

test("cluster §3: while a COMMIT is not confirmed for --sync-seconds, what waits behind it is refused, until it is confirmed", async () => {
  const confirmed = Promise.withResolvers<void>();
  const { loop, end, time, reported } = loopOver({
    executeIn: async (_turn, _units, { onSend }) => {
      onSend(1);
      await confirmed.promise;
      const outcomes: Outcome[] = [{ kind: "done", transactionIds: ["written"] }];
      return { kind: "done", execution: { outcomes, height: 8, executeMs: 0, commitMs: 0 } };
    },
  });
  loop.start();
  const write = (batch: number): void =>
    loop.take({ kind: "batch", batch, units: [["{}"]], now: 0, deadlines: [time.nowMs + 20_000] });
  write(0);
  await time.passUntil(() => time.nowMs >= 1000, 1000);
  write(1);
  const refused = (): FromOpenLedger | undefined => reported.find(({ kind }) => kind === "expired");
  await time.passUntil(() => refused() !== undefined, 20_000);
  assert.ok(time.nowMs >= 5000 && time.nowMs < 6000, String(time.nowMs));
  assert.match(JSON.stringify(refused()), /the log has not confirmed a block.*"batch":1/);
  assert.equal(reportOf(reported)?.isSlow, true);
  confirmed.resolve();
  assert.ok(await time.passUntil(() => reportOf(reported)?.isSlow === false, 30_000));
  assert.ok(reported.some(({ kind }) => kind === "result"));
  await end();
});

/** What a test's ledger and its log do. */
interface Given {
  readonly stored?: () => BlockPlace;
  /** When the log was heard last; at 0 by default. */
  readonly heardMs?: () => number;
  readonly look?: SharedLog["look"];
  readonly probe?: () => EngineTrouble | undefined;
  readonly executeIn: (
    turn: Turn,
    units: readonly Unit[],
    to: { readonly onSend: (units: number) => void },
  ) => Promise<Attempt>;
}

/** A loop over a ledger that does what is given, and a log that has what the ledger has. */
function loopOver({
  stored = () => PLACE,
  heardMs = () => 0,
  look = async () => stored(),
  probe = () => undefined,
  executeIn,
}: Given): {
  readonly loop: LedgerLoop;
  readonly end: () => Promise<void>;
  readonly time: VirtualTime;
  readonly reported: FromOpenLedger[];
} {
  const ledger = {
    get stored() {
      return stored();
    },
    unknownVersion: undefined,
    executeIn,
    probe: () => undefined,
    checkpoint: () => undefined,
    end: () => undefined,
  };
  const time = new VirtualTime();
  const reported: FromOpenLedger[] = [];
  const turn: Turn = {
    blocks: [],
    now: 0,
    append: async () => ({ kind: "certain" }),
    end: async () => true,
    giveBack: async () => undefined,
    probe: async () => probe(),
  };
  const log: Partial<SharedLog> = {
    turn: async () => turn,
    next: async () => [],
    look,
    settle: async ({ height, id }) =>
      stored().height >= height && stored().id === id ? "appended" : "absent",
    block: (height) => (height === stored().height ? ({ id: stored().id } as Block) : undefined),
    onNews: () => undefined,
    get status() {
      return {
        heardMs: heardMs(),
        clockOffsetMs: 0,
        engineMs: undefined,
        timeline: 1,
        unkept: undefined,
        unfit: undefined,
      };
    },
    takeTurns: () => [],
    close: () => undefined,
  };
  const closed = Promise.withResolvers<void>();
  const loop = new LedgerLoop({
    ledger: ledger as unknown as Ledger,
    shared: log as SharedLog,
    time: {
      nowMs: () => time.nowMs,
      wallMs: () => time.nowMs,
      after: (ms, call) => time.after(ms, call),
      soon: (call) => void time.after(0, call),
    },
    operationsMax: 100,
    bytesMax: 1 << 20,
    say: (message) => reported.push(message),
    attempt: async (work) => await work(),
    close: () => closed.resolve(),
  });
  const end = async (): Promise<void> => {
    loop.take({ kind: "end" });
    await closed.promise;
  };
  return { loop, end, time, reported };
}

function reportOf(reported: readonly FromOpenLedger[]): LogReport | undefined {
  return reported.findLast((message) => message.kind === "log");
}
