import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, NATIVE_COIN, type TransactionRecord } from "@moneta/protocol";
import fc from "fast-check";
import type { Outcome } from "../../executor.ts";
import { byLane } from "../lane.ts";
import { assertReplaysAlike, codeOf, KEY_SECONDS, T, TestLedger } from "../test-ledger.ts";
import { CoinModel, type CoinsPaid, type CoinsSent } from "./coin-model.ts";
import {
  agreement,
  type Judged,
  JudgedBlocks,
  LIMIT,
  type Modelled,
  type Tally,
} from "./random-runs.ts";

const SUPPLY = 1000;

/** One step of a run. Addresses are numbers, taken modulo the number of addresses. */
type Step =
  | { readonly kind: "address" }
  | {
      readonly kind: "transfer";
      readonly from: number;
      readonly to: number;
      readonly amount: number;
      readonly unlock: number;
    }
  | {
      readonly kind: "multitransfer";
      readonly from: number;
      readonly entries: readonly {
        readonly to: number;
        readonly amount: number;
        readonly unlock: number;
      }[];
    }
  | { readonly kind: "to nobody"; readonly from: number }
  | { readonly kind: "again"; readonly which: number }
  /** A new transfer with the key of an earlier operation, accepted or not. */
  | { readonly kind: "used key"; readonly which: number; readonly to: number };

interface Batch {
  /** How the clock moves before it, seconds; it may be set back. */
  readonly wait: number;
  readonly steps: readonly Step[];
}

const anyone = fc.nat(9);
const amount = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 200 }) },
  fc.constant(SUPPLY + 1),
);
const unlock = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  fc.integer({ min: -20, max: 200 }),
);

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("address" as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("transfer" as const),
      from: anyone,
      to: anyone,
      amount,
      unlock,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("multitransfer" as const),
      from: anyone,
      entries: fc.array(fc.record({ to: anyone, amount: fc.nat(100), unlock }), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("to nobody" as const), from: anyone }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("again" as const), which: fc.nat(99) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("used key" as const), which: fc.nat(99), to: anyone }),
  },
);

const runs: fc.Arbitrary<readonly Batch[]> = fc.array(
  fc.record({
    wait: fc.oneof(fc.constant(0), fc.integer({ min: -50, max: 250 })),
    steps: fc.array(steps, { minLength: 1, maxLength: 8 }),
  }),
  { minLength: 1, maxLength: 10 },
);

/** A payment or a new address, its expected outcome, and the values of its records. */
interface JudgedCoins extends Judged<CoinsSent> {
  readonly values: readonly unknown[] | undefined;
}

class Run implements Modelled<JudgedCoins> {
  readonly #ledger: TestLedger;
  readonly #model: CoinModel;
  readonly #addresses: Address[];
  readonly #blocks: JudgedBlocks<JudgedCoins>;
  readonly #sentBefore: CoinsPaid[] = [];
  /** Addresses of the batch, which it cannot use yet. */
  #created: Address[] = [];

  constructor(
    ledger: TestLedger,
    {
      model = new CoinModel(SUPPLY),
      addresses = [ledger.treasury],
      tally = new Map(),
    }: { readonly model?: CoinModel; readonly addresses?: Address[]; readonly tally?: Tally } = {},
  ) {
    this.#ledger = ledger;
    this.#model = model;
    this.#addresses = addresses;
    this.#blocks = new JudgedBlocks(ledger, this, tally, (judged) =>
      ledger.execute(...judged.map(({ sent }) => sent.text)),
    );
  }

  async begin(): Promise<void> {}

  async batch({ wait, steps: all }: Batch): Promise<void> {
    this.#ledger.now += wait;
    this.#created = [];
    await this.#blocks.execute(all.length, (index) => this.#send(all[index] as Step));
  }

  #send(step: Step): CoinsSent {
    if (step.kind === "address" || this.#addresses.length === 1) {
      const address = this.#ledger.drawAddress();
      this.#created.push(address);
      return { op: "address", text: this.#ledger.addressOperation(address) };
    }
    const sent = this.#payment(step);
    this.#sentBefore.push(sent);
    return sent;
  }

  #payment(step: Exclude<Step, { kind: "address" }>): CoinsPaid {
    const [ledger, addresses, sentBefore] = [this.#ledger, this.#addresses, this.#sentBefore];
    const known = addresses.length;
    const earlier =
      "which" in step ? sentBefore[step.which % Math.max(1, sentBefore.length)] : undefined;
    if (step.kind === "again" && earlier !== undefined) {
      return earlier;
    }
    const actor = "from" in step ? step.from % known : (earlier?.actor ?? 0);
    const from = addresses[actor] as Address;
    const key = earlier?.key ?? ledger.key(from);
    const expiry = earlier?.expiry ?? ledger.now + KEY_SECONDS;
    const payeeOf = (given: {
      to: number;
      amount: number;
      unlock: number;
    }): CoinsPaid["payees"][number] => {
      const to = given.to % known;
      // An address cannot pay itself, so another one is paid.
      return {
        ...given,
        to: to === actor ? (to + 1) % known : to,
        unlock: given.unlock === 0 ? 0 : this.#model.time + given.unlock,
      };
    };
    const common = { op: step.kind, actor, key, expiry };
    if (step.kind === "multitransfer") {
      const payees = step.entries.map(payeeOf);
      const list = payees.map((payee, index) => ({
        address: addresses[payee.to] as Address,
        amount: String(payee.amount),
        unlockdate: String(payee.unlock),
        memo: `entry ${index}`,
      }));
      return { ...common, text: ledger.multitransfer({ from, list, key }), payees, isKnown: true };
    }
    const isKnown = step.kind !== "to nobody";
    const payee = payeeOf(
      step.kind === "transfer" ? step : { to: "to" in step ? step.to : 0, amount: 1, unlock: 0 },
    );
    const text = ledger.transfer({
      from,
      to: isKnown ? (addresses[payee.to] as Address) : ledger.drawAddress(),
      amount: String(payee.amount),
      unlockdate: String(payee.unlock),
      memo: step.kind,
      key,
    });
    return { ...common, text, payees: [payee], isKnown };
  }

  setTime(time: number): void {
    this.#model.time = time;
  }

  judge(sent: CoinsSent): JudgedCoins {
    if (!("key" in sent)) {
      return { sent, wanted: "done", values: undefined };
    }
    const wanted = this.#model.judge(sent);
    const values = [
      this.#model.values(sent.actor),
      ...sent.payees.map(({ to, amount: paid, unlock: date }) =>
        this.#model.values(to, paid === 0 ? 0 : date),
      ),
    ];
    return { sent, wanted, values: wanted === "done" ? values : undefined };
  }

  summary(outcome: Outcome): string {
    return outcome.kind === "refused" && outcome.fault.code === "5001"
      ? `5001 ${outcome.fault.spendable}`
      : codeOf(outcome);
  }

  checkRecord(record: TransactionRecord, { values }: JudgedCoins): void {
    if (values !== undefined) {
      // `random-runs.ts` compares movements for all models.
      const shown = [record, ...record.effects].map(({ values: { moved, ...others } }) => others);
      assert.deepEqual(shown, values);
    }
  }

  compare(): void {
    this.#addresses.push(...this.#created);
    const seenAt = this.#ledger.reading(() => this.#ledger.reader.timeAt(this.#ledger.now));
    assert.equal(seenAt, this.#model.time);
    assert.deepEqual(
      this.#addresses.map((address) => this.#ledger.held(address)),
      this.#addresses.map((_, index) => this.#model.held(index)),
    );
    const rows = this.#ledger.database.prepare("SELECT * FROM balance ORDER BY address").all();
    const stored = new Map(
      rows.map((row) => {
        assert.equal(String(row["token"]), NATIVE_COIN);
        return [row["address"] as number, `${row["free"]} ${row["locks"]} ${row["locked"]}`];
      }),
    );
    assert.deepEqual(
      this.#addresses.map((_, index) => stored.get(index) ?? "0 0 0"),
      this.#addresses.map((_, index) => this.#model.stored(index)),
    );
  }
}

test("conventions §6.3: random operations: outcomes and balances are those of a simple model, no unit is created or lost, and replay comes to the same", () =>
  fc.assert(
    agreement(runs, new Map(), (ledger) => new Run(ledger), { supply: String(SUPPLY) }),
    { numRuns: byLane({ quick: 10, long: 200 }), ...LIMIT },
  ));

const LOCKED_SUPPLY = 1_000_000;

/**
 * Batches on a ledger where one address has 10,000 locks of 1 that unlock one a second from T+2000
 * on, and another 2,600 of 1 or 2 that unlock from T+1000 on. The clock moves by up to 40 minutes.
 */
const lockedRuns: fc.Arbitrary<readonly Batch[]> = fc.array(
  fc.record({
    wait: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2400 })),
    steps: fc.array(
      fc.oneof(
        fc.record({
          kind: fc.constant("transfer" as const),
          from: fc.nat(2),
          to: fc.nat(2),
          amount: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1500, max: 4500 })),
          unlock: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3000 })),
        }),
        fc.record({
          kind: fc.constant("multitransfer" as const),
          from: fc.nat(2),
          entries: fc.array(
            fc.record({
              to: fc.nat(2),
              amount: fc.nat(3),
              unlock: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3000 })),
            }),
            { minLength: 1, maxLength: 30, size: "max" },
          ),
        }),
      ),
      { minLength: 1, maxLength: 6 },
    ),
  }),
  { minLength: 4, maxLength: 12, size: "max" },
);

/** A run that begins with locks: it matches the model, and a replay of it is equal. */
function lockedProperty(tally: Tally): fc.IAsyncProperty<[readonly Batch[]]> {
  return fc.asyncProperty(lockedRuns, async (batches) => {
    using ledger = await TestLedger.begin({ supply: String(LOCKED_SUPPLY) });
    const addresses = [ledger.treasury, ...(await ledger.createAddresses(2))];
    const locks = [
      ...Array.from({ length: 10_000 }, (_, index) => ({ to: 1, amount: 1, at: 2000 + index })),
      ...Array.from({ length: 2_600 }, (_, index) => ({
        to: 2,
        amount: 1 + (index % 2),
        at: 1000 + index,
      })),
    ];
    const model = new CoinModel(LOCKED_SUPPLY);
    const texts: string[] = [];
    for (let first = 0; first < locks.length; first += 100) {
      const some = locks.slice(first, first + 100);
      const key = ledger.key(ledger.treasury);
      const list = some.map(({ to, amount, at }) => ({
        address: addresses[to] as Address,
        amount: String(amount),
        unlockdate: String(T + at),
      }));
      const text = ledger.multitransfer({ from: ledger.treasury, list, key });
      texts.push(text);
      const payees = some.map(({ to, amount, at }) => ({ to, amount, unlock: T + at }));
      const expiry = T + KEY_SECONDS;
      assert.equal(
        model.judge({ op: "multitransfer", text, actor: 0, key, expiry, payees, isKnown: true }),
        "done",
      );
    }
    await ledger.done(...texts);
    const run = new Run(ledger, { model, addresses, tally });
    for (const batch of batches) {
      await run.batch(batch);
    }
    assertReplaysAlike(ledger);
  });
}

test("accounts §8: random operations with thousands of locks that mature come to the same as in a simple model, and so does replay; some are refused for the number of locks, some for what cannot be spent at once", async () => {
  const tally: Tally = new Map();
  // The run of this seed comes to all outcomes, and to a debit that merges the most locks.
  await fc.assert(lockedProperty(tally), { numRuns: 1, seed: 7 });
  const outcomes = new Set([...tally.keys()].map((name) => name.split(" ")[1]));
  assert.deepEqual([...outcomes].toSorted(), ["5001", "7118", "done"]);
});
