import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, NATIVE_COIN } from "@moneta/protocol";
import fc from "fast-check";
import { checkCatalogue } from "../catalogue.ts";
import {
  assertLocksSummedUp,
  codeOf,
  KEY_SECONDS,
  replay,
  rowsOf,
  T,
  TestLedger,
} from "../test-ledger.ts";

const SUPPLY = 1000;

/** One step of a run, in which addresses stand as numbers to be taken modulo how many there are. */
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
  /** An earlier operation, as it was sent. */
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

/** What an operation asks for, as far as balances and keys are concerned. */
interface Sent {
  readonly text: string;
  readonly actor: number;
  readonly key: string;
  readonly expiry: number;
  readonly payees: readonly {
    readonly to: number;
    readonly amount: number;
    readonly unlock: number;
  }[];
  readonly isKnown: boolean;
}

interface ModelLock {
  readonly date: number;
  amount: number;
}

/** What one address has: the free amount as it is stored, and its locked amounts by date. */
class Holding {
  free = 0;
  locks: ModelLock[] = [];

  matured(time: number): ModelLock[] {
    return this.locks.filter(({ date }) => date <= time);
  }

  merge(count: number): void {
    this.free += sumOf(this.locks.slice(0, count));
    this.locks = this.locks.slice(count);
  }

  credit({ amount, unlock }: { readonly amount: number; readonly unlock: number }, time: number) {
    if (amount === 0) {
      return;
    }
    this.merge(Math.min(10, this.matured(time).length));
    const same = this.locks.find(({ date }) => date === unlock);
    if (unlock <= time) {
      this.free += amount;
    } else if (same !== undefined) {
      same.amount += amount;
    } else {
      this.locks.push({ date: unlock, amount });
      this.locks.sort((one, other) => one.date - other.date);
    }
  }

  /** What one operation can spend. */
  spendable(time: number): number {
    return this.free + sumOf(this.matured(time).slice(0, 2000));
  }

  debit(amount: number, time: number): void {
    if (amount === 0) {
      return;
    }
    const matured = this.matured(time).length;
    for (let merged = 0; merged < matured && (merged < 100 || this.free < amount); merged += 1) {
      this.merge(1);
    }
    this.free -= amount;
  }

  copy(): Holding {
    const copy = new Holding();
    copy.free = this.free;
    copy.locks = this.locks.map((lock) => ({ ...lock }));
    return copy;
  }
}

/** The ledger as a reader of accounts §8 would keep it by hand. */
class Model {
  time = T;
  #holdings: Map<number, Holding> = new Map();
  readonly #usedBy: Map<string, string> = new Map();

  constructor(supply: number) {
    this.#of(0).free = supply;
  }

  #of(address: number): Holding {
    const holding = this.#holdings.get(address) ?? new Holding();
    this.#holdings.set(address, holding);
    return holding;
  }

  /** What the ledger should say to an operation, which it does if it is `done`. */
  judge({ text, actor, key, expiry, payees, isKnown }: Sent): string {
    const usedBy = this.#usedBy.get(key);
    if (usedBy === text) {
      return "repeat";
    }
    if (!isKnown) {
      return "3090";
    }
    if (this.time > expiry) {
      return "2020";
    }
    if (usedBy !== undefined) {
      return "2021";
    }
    const before = this.#holdings;
    this.#holdings = new Map(before);
    for (const touched of new Set([actor, ...payees.map(({ to }) => to)])) {
      this.#holdings.set(touched, this.#of(touched).copy());
    }
    const refused = this.#pay(actor, payees);
    if (refused !== undefined) {
      this.#holdings = before;
      return refused;
    }
    this.#usedBy.set(key, text);
    return "done";
  }

  #pay(actor: number, payees: Sent["payees"]): string | undefined {
    for (const payee of payees) {
      const holding = this.#of(payee.to);
      holding.credit(payee, this.time);
      if (holding.locks.length > 10_000) {
        return "7118";
      }
    }
    const sum = sumOf(payees);
    const spendable = this.#of(actor).spendable(this.time);
    if (spendable < sum) {
      return `5001 ${spendable}`;
    }
    this.#of(actor).debit(sum, this.time);
    return undefined;
  }

  /** In the form of `TestLedger.held`, which shows 100 entries. */
  held(by: number): string {
    const { free, locks } = this.#of(by);
    const matured = sumOf(this.#of(by).matured(this.time));
    const later = locks.filter(({ date }) => date > this.time);
    const entries = later.map(({ date, amount }) => `${amount} at +${date - T}`);
    return [String(free + matured), ...entries].slice(0, 100).join(", ");
  }

  /** As it is stored: the free entry, and number and sum of the lock entries. */
  stored(by: number): string {
    const { free, locks } = this.#of(by);
    return `${free} ${locks.length} ${sumOf(locks)}`;
  }

  /** The `values` of a record after the operation that it is of. Source: accounts §1.4. */
  values(of: number, unlock = 0): unknown {
    const { free, locks } = this.#of(of);
    const own = locks.filter(({ date }) => date > this.time && date === unlock);
    const entry = (amount: number, unlockdate: number) => ({
      ...{ token: NATIVE_COIN, balance: String(amount), unlockdate },
    });
    return { balance: [entry(free, 0), ...own.map(({ amount, date }) => entry(amount, date))] };
  }
}

function sumOf(lines: readonly { readonly amount: number }[]): number {
  return lines.reduce((total, { amount }) => total + amount, 0);
}

/** What came of the operations of a run, and how often. */
type Tally = Map<string, number>;

/** Runs all batches on a ledger, and compares it with the model after each. */
async function run(
  ledger: TestLedger,
  batches: readonly Batch[],
  {
    model = new Model(SUPPLY),
    addresses = [ledger.treasury],
    tally = new Map(),
  }: { readonly model?: Model; readonly addresses?: Address[]; readonly tally?: Tally } = {},
): Promise<void> {
  const sentBefore: Sent[] = [];

  const send = (step: Exclude<Step, { kind: "address" }>): Sent => {
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
    }): Sent["payees"][number] => {
      const to = given.to % known;
      // Nobody may pay himself, so somebody else is paid.
      return {
        ...given,
        to: to === actor ? (to + 1) % known : to,
        unlock: given.unlock === 0 ? 0 : model.time + given.unlock,
      };
    };
    const common = { actor, key, expiry };
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
  };

  for (const { wait, steps: all } of batches) {
    ledger.now += wait;
    model.time = Math.max(ledger.ledger.head.timestamp, ledger.now);
    const created: Address[] = [];
    const texts: string[] = [];
    const wanted: string[] = [];
    const values: (unknown[] | undefined)[] = [];
    for (const step of all) {
      if (step.kind === "address" || addresses.length === 1) {
        const address = ledger.drawAddress();
        created.push(address);
        texts.push(ledger.addressOperation(address));
        wanted.push("done");
        values.push(undefined);
        continue;
      }
      const sent = send(step);
      sentBefore.push(sent);
      texts.push(sent.text);
      const outcome = model.judge(sent);
      wanted.push(outcome);
      values.push(
        outcome === "done"
          ? [
              model.values(sent.actor),
              ...sent.payees.map(({ to, amount, unlock }) =>
                model.values(to, amount === 0 ? 0 : unlock),
              ),
            ]
          : undefined,
      );
    }
    const { height } = ledger.ledger.head;
    const execution = await ledger.execute(...texts);
    const said = execution.outcomes.map((outcome) =>
      outcome.kind === "refused" && outcome.fault.code === "5001"
        ? `5001 ${outcome.fault.spendable}`
        : codeOf(outcome),
    );
    assert.deepEqual(said, wanted);
    for (const [index, outcome] of execution.outcomes.entries()) {
      const kind = wanted[index]?.split(" ")[0] as string;
      tally.set(kind, (tally.get(kind) ?? 0) + 1);
      if (values[index] !== undefined && outcome.kind === "done") {
        const record = ledger.record(outcome.transactionId);
        const shown = [record, ...record.effects].map((one) => one.values);
        assert.deepEqual(shown, values[index]);
      }
    }
    assert.equal(execution.height, wanted.includes("done") ? height + 1 : height);
    addresses.push(...created);
    compare(ledger, model, addresses);
  }
}

function compare(ledger: TestLedger, model: Model, addresses: readonly Address[]): void {
  const seenAt = ledger.reading(() => ledger.reader.timeAt(ledger.now));
  assert.equal(seenAt, model.time);
  assert.deepEqual(
    addresses.map((address) => ledger.held(address)),
    addresses.map((_, index) => model.held(index)),
  );
  const rows = ledger.database.prepare("SELECT * FROM balance ORDER BY address").all();
  const stored = new Map(
    rows.map((row) => {
      assert.equal(String(row["token"]), NATIVE_COIN);
      return [row["address"] as number, `${row["free"]} ${row["locks"]} ${row["locked"]}`];
    }),
  );
  assert.deepEqual(
    addresses.map((_, index) => stored.get(index) ?? "0 0 0"),
    addresses.map((_, index) => model.stored(index)),
  );
}

async function assertReplaysAndRestarts(ledger: TestLedger): Promise<void> {
  const { head } = ledger.ledger;
  assertLocksSummedUp(ledger.database);
  const rows = rowsOf(ledger.database);
  const replayed = replay(ledger.blocks);
  assert.equal(replayed.ledger.head.id, head.id);
  assert.deepEqual(rowsOf(replayed.database), rows);
  replayed.database.close();
  checkCatalogue(ledger);
  ledger.restart();
  assert.equal(ledger.ledger.head.id, head.id);
  ledger.rebuild();
  assert.equal(ledger.ledger.head.id, head.id);
  assert.deepEqual(rowsOf(ledger.database), rows);
}

test("conventions §6.3: random operations: outcomes and balances are those of a simple model, no unit is created or lost, and replay comes to the same", () =>
  fc.assert(
    fc.asyncProperty(runs, async (batches) => {
      using ledger = await TestLedger.begin({ supply: String(SUPPLY) });
      ledger.isForecast = true;
      await run(ledger, batches);
      await assertReplaysAndRestarts(ledger);
    }),
    { numRuns: 60 },
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

/** A run that begins with the locks is what the model says, and is replayed alike. */
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
    const model = new Model(LOCKED_SUPPLY);
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
      assert.equal(model.judge({ text, actor: 0, key, expiry, payees, isKnown: true }), "done");
    }
    await ledger.done(...texts);
    await run(ledger, batches, { model, addresses, tally });
    await assertReplaysAndRestarts(ledger);
  });
}

test("accounts §8: random operations with thousands of locks that mature come to the same as in a simple model, and so does replay", () =>
  fc.assert(lockedProperty(new Map()), { numRuns: 2 }));

test("among them some are refused for the number of locks, and some for what cannot be spent at once", async () => {
  const tally: Tally = new Map();
  // A seed of which we know that it comes to all of them.
  await fc.assert(lockedProperty(tally), { numRuns: 2, seed: 1 });
  assert.deepEqual([...tally.keys()].toSorted(), ["5001", "7118", "done"]);
});

test("how operations are grouped into blocks changes neither outcomes nor balances", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ from: fc.nat(2), to: fc.nat(1), amount: fc.integer({ min: 1, max: 600 }) }),
        {
          minLength: 1,
          maxLength: 20,
        },
      ),
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 }),
      async (transfers, sizes) => {
        using one = await TestLedger.begin({ supply: String(SUPPLY) });
        using many = await TestLedger.begin({ supply: String(SUPPLY) });
        const addresses = [one.treasury, ...(await one.createAddresses(2))] as const;
        await many.createAddresses(2);
        const operations = transfers.map(({ from, to, amount: sent }) =>
          one.transfer({
            from: addresses[from] as Address,
            to: addresses[(from + 1 + to) % 3] as Address,
            amount: String(sent),
          }),
        );
        const together = await one.outcomes(...operations);
        const apart: string[] = [];
        for (let start = 0, turn = 0; start < operations.length; turn += 1) {
          const size = sizes[turn % sizes.length] as number;
          apart.push(...(await many.outcomes(...operations.slice(start, start + size))));
          start += size;
        }
        assert.deepEqual(apart, together);
        const held = (ledger: TestLedger): string[] =>
          addresses.map((address) => ledger.held(address));
        assert.deepEqual(held(many), held(one));
      },
    ),
    { numRuns: 30 },
  ));
