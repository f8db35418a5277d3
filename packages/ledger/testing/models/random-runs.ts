import assert from "node:assert/strict";
import type { RecordType, TransactionRecord } from "@moneta/protocol";
import fc from "fast-check";
import type { Outcome } from "../../executor.ts";
import { checkCatalogue } from "../catalogue.ts";
import { byLane } from "../lane.ts";
import { LedgerSnapshot } from "../ledger-snapshot.ts";
import { assertMovedValues, movedByToken } from "../moved-values.ts";
import { PastAnswers } from "../past-answers.ts";
import { assertLocksSummedUp, assertReplaysAlike, codeOf, TestLedger } from "../test-ledger.ts";
import { assertConserved } from "./conservation.ts";
import { Grouping } from "./grouping.ts";
import { assertHistories } from "./history-model.ts";
import type { Sent } from "./ledger-model.ts";
import { textOf } from "./trading-desk.ts";

// Shared by tests with random operations of all kinds. Source: batches §2.

/**
 * Stops shrinking a failure after 10 minutes, in the last lane 50; runs that a slow machine did not
 * finish by then fail, too.
 */
export const LIMIT: Readonly<
  Pick<fc.Parameters, "interruptAfterTimeLimit" | "markInterruptAsFailure">
> = {
  interruptAfterTimeLimit: byLane({ quick: 10, long: 50 }) * 60_000,
  markInterruptAsFailure: true,
};

/** Operations against the model in a long run. */
export const RANDOM_OPERATIONS: number = byLane({ quick: 300, long: 50_000 });

/** Every nth run also compares whole histories and continues a ledger from its entries. */
const WHOLE_EVERY = byLane({ quick: 4, long: 1 });
let runs = 0;

export const COINS = "1000000";

/** How often something came up: `OPERATION OUTCOME`, `record TYPE`, `movement TYPE`. */
export type Tally = Map<string, number>;

export function count(tally: Tally, name: string): void {
  tally.set(name, (tally.get(name) ?? 0) + 1);
}

/** Repeats random runs, each with a seed of its own, until enough operations were executed. */
export async function repeatRuns(runs: (tally: Tally) => Promise<unknown>): Promise<void> {
  const tally: Tally = new Map();
  const operations = (): number =>
    [...tally]
      .filter(([name]) => !/^(record|movement) /.test(name))
      .reduce((sum, [, times]) => sum + times, 0);
  while (operations() < RANDOM_OPERATIONS) {
    await runs(tally);
  }
}

/** An operation and its expected outcome. */
export interface Judged<S extends Named = Sent> {
  readonly sent: S;
  readonly wanted: string;
  /** Whether it trades goods that cannot be traded in a group. Source: policies §4. */
  readonly isAlone?: boolean;
}

interface Named {
  readonly op: string;
}

/** Executes operations in their order. */
type Execute<J> = (
  judged: readonly J[],
) => Promise<{ readonly outcomes: readonly Outcome[]; readonly height: number }>;

/** A model that executes the same operations as the ledger. */
export interface Modelled<J extends Judged<Named>> {
  setTime(time: number): void;
  /** The model's outcome of an operation, which it executes if the ledger should. */
  judge(sent: J["sent"]): J;
  /** Fails unless the record of an operation shows its changes. */
  checkRecord(record: TransactionRecord, judged: J): void;
  /** Fails unless ledger and model are equal. */
  compare(): void;
  /** The number of blocks between comparisons; 1 by default. A run always ends with one. */
  readonly comparesEvery?: number;
  /** An outcome in the words of the model; its code by default. */
  summary?(outcome: Outcome): string;
  /** The part of an outcome that the model predicts; all of it by default. */
  known?(outcome: string, sent: J["sent"]): string;
}

export class JudgedBlocks<J extends Judged<Named>> {
  readonly #ledger: TestLedger;
  readonly #model: Modelled<J>;
  readonly #tally: Tally;
  readonly #execute: Execute<J>;
  #blockTime: number;
  #blocks = 0;
  #snapshot: LedgerSnapshot | undefined;

  constructor(ledger: TestLedger, model: Modelled<J>, tally: Tally, execute: Execute<J>) {
    this.#ledger = ledger;
    this.#model = model;
    this.#tally = tally;
    this.#execute = execute;
    this.#blockTime = ledger.ledger.head.timestamp;
  }

  /** Executes a batch, of which each operation is made when those before it have been judged. */
  async execute(length: number, send: (index: number) => J["sent"] | undefined): Promise<void> {
    const ledger = this.#ledger;
    const model = this.#model;
    const time = Math.max(this.#blockTime, ledger.now);
    model.setTime(time);
    const judged: J[] = [];
    for (let index = 0; index < length; index += 1) {
      const sent = send(index);
      if (sent !== undefined) {
        const one = model.judge(sent);
        judged.push(one);
        count(this.#tally, `${sent.op} ${one.wanted}`);
      }
    }
    const { height } = ledger.ledger.head;
    const execution = await this.#execute(judged);
    const summaryOf = (outcome: string, index: number): string => {
      const { sent } = judged[index] as J;
      return `${model.known?.(outcome, sent) ?? outcome}: ${JSON.stringify(sent)}`;
    };
    assert.deepEqual(
      execution.outcomes.map((outcome, index) =>
        summaryOf(model.summary?.(outcome) ?? codeOf(outcome), index),
      ),
      judged.map(({ wanted }, index) => summaryOf(wanted, index)),
    );
    const isBlock = judged.some(({ wanted }) => wanted === "done");
    assert.equal(execution.height, isBlock ? height + 1 : height);
    this.#blockTime = isBlock ? time : this.#blockTime;
    ledger.reading(() => {
      for (const [index, outcome] of execution.outcomes.entries()) {
        if (outcome.kind === "done") {
          model.checkRecord(ledger.record(outcome.transactionIds[0]), judged[index] as J);
        }
      }
    });
    this.#blocks += 1;
    if (this.#blocks % (model.comparesEvery ?? 1) === 0) {
      model.compare();
    }
    assertLocksSummedUp(ledger.database);
    this.#snapshot = new LedgerSnapshot(ledger.database, this.#snapshot);
    assertConserved(this.#snapshot);
  }
}

export function inGroups(ledger: TestLedger): Execute<Judged> {
  const grouping = new Grouping(ledger);
  let operations = 0;
  // Signatures differ also where all else is the same, and nothing depends on them.
  const nextSignature = (): string => {
    operations += 1;
    return Buffer.from(String(operations)).toString("base64");
  };
  return (judged) =>
    grouping.execute(
      judged,
      judged.map(({ sent }) => textOf(sent, nextSignature())),
    );
}

/**
 * Compares a run of random batches with its model. A whole run also repeats reads as of earlier
 * blocks, and is replayed.
 */
export function agreement<B>(
  batches: fc.Arbitrary<readonly B[]>,
  tally: Tally,
  runOn: (ledger: TestLedger) => {
    begin(): Promise<void>;
    batch(batch: B): Promise<void>;
    compare(): void;
  },
  { supply = COINS, isWhole = true }: { supply?: string; isWhole?: boolean } = {},
): fc.IAsyncProperty<[readonly B[]]> {
  return fc.asyncProperty(batches, async (all) => {
    using ledger = await TestLedger.begin({ supply });
    ledger.isForecast = true;
    const run = runOn(ledger);
    const past = new PastAnswers(ledger);
    await run.begin();
    for (const batch of all) {
      await run.batch(batch);
      if (isWhole) {
        past.note();
      }
    }
    run.compare();
    assertAllMoved(ledger);
    for (const type of checkCatalogue(ledger)) {
      tally.set(`record ${type}`, 1);
    }
    if (!isWhole) {
      return;
    }
    past.compare();
    const isFull = runs % WHOLE_EVERY === 0;
    if (isFull) {
      assertHistories(ledger);
    }
    runs += 1;
    assertReplaysAlike(ledger, isFull);
  });
}

/**
 * Records show all movements since block 0. For each operation and token, movements add up to 0,
 * except for amounts that come from or go to no address. Source: chain §3.1.
 */
function assertAllMoved(ledger: TestLedger): void {
  const records = ledger.records();
  assertMovedValues(records, undefined, new LedgerSnapshot(ledger.database));
  for (const record of records) {
    for (const [token, sum] of movedByToken(record)) {
      const may = UNBALANCED[record.type] ?? "neither";
      const is = sum < 0n ? "held back" : "released";
      assert.ok(may === "both" || may === is, `${record.type}: ${sum} of token ${token} is ${is}`);
    }
  }
}

/**
 * Operations, by the types of their primary records, that change the sum of a token over all
 * addresses: \`released\` is issued, or comes from escrow or reserve; \`held back\` is burned, or
 * goes there.
 */
const UNBALANCED: { readonly [T in RecordType]?: "released" | "held back" | "both" } = {
  // Issued and burned.
  tokenRegister: "released",
  tokenIncrease: "released",
  tokenBurning: "held back",
  // Escrow of listings and bids.
  mrc010sell: "held back",
  mrc010reqsell: "held back",
  mrc010auction: "held back",
  mrc010unsell: "released",
  mrc010unreqsell: "released",
  mrc010unauction: "released",
  transfer_mrc010buy: "released",
  transfer_mrc010sell: "released",
  transfer_mrc010bid: "both", // the bid, the lot if it wins at once
  receive_mrc010item: "released",
  mrc010auctionfailure: "released",
  transfer_mrc401bid: "both", // less than the earlier bid that comes back if it wins at once
  mrc401_auctionwinning: "released",
  transfer_mrc402bid: "both",
  // Escrow of offers.
  mrc401offer: "held back",
  mrc402offer: "held back",
  transfer_mrc401acceptoffer: "released",
  transfer_mrc402acceptoffer: "released",
  mrc401unoffer: "released",
  mrc402unoffer: "released",
  mrc401offerfinish: "released",
  mrc402offerfinish: "released",
  receive_mrc402item: "released",
  // Escrow of orders.
  stodexRegister: "both",
  stodexUnRegister: "released",
  stodexRequest: "released",
  stodexExchange: "released",
  // Reserves.
  mrc401create: "held back",
  mrc401_melt: "released",
  mrc402create: "held back",
  mrc402mint: "held back",
  mrc402burn: "released",
  mrc402melt: "released",
};

export interface TimedBatch<S> {
  /** How the clock moves before it, seconds; it may be set back. */
  readonly wait: number;
  /** Whether the ledger is closed and opened again, so that it reads what it has stored. */
  readonly isRestart: boolean;
  readonly steps: readonly S[];
}

export function timedBatches<S>(steps: fc.Arbitrary<readonly S[]>): fc.Arbitrary<TimedBatch<S>> {
  return fc.record({
    wait: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.integer({ min: -50, max: 300 }) },
      { weight: 3, arbitrary: fc.integer({ min: 3500, max: 4000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 86_000, max: 90_000 }) },
    ),
    isRestart: fc.nat(9).map((number) => number === 9),
    steps,
  });
}

/**
 * Sometimes advances the clock to the next of some moments, so that operations are tried in the
 * second in which something begins or ends. `pick` is any number.
 */
export function comeToMoment(
  ledger: TestLedger,
  moments: readonly number[],
  pick: number = 0,
): void {
  const later = moments.filter((moment) => moment >= ledger.now);
  if (later.length > 0 && pick % 3 === 0) {
    ledger.now = Math.min(...later);
  }
}

/** The events before the steps of a batch. */
export function passTime(ledger: TestLedger, { wait, isRestart }: TimedBatch<unknown>): void {
  ledger.now += wait;
  if (isRestart) {
    ledger.restart();
  }
}
