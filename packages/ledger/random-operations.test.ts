import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, NATIVE_COIN } from "@moneta/protocol";
import fc from "fast-check";
import { checkCatalogue } from "./testing/catalogue.ts";
import {
  assertLocksSummedUp,
  codeOf,
  KEY_SECONDS,
  replay,
  rowsOf,
  T,
  TestLedger,
} from "./testing/test-ledger.ts";

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

/**
 * The ledger as a bookkeeper would have it: every movement is a line with the time from which it counts as free, and nothing is ever merged.
 */
class Model {
  time = T;
  addresses = 1;
  readonly #lines: { readonly of: number; readonly amount: number; readonly from: number }[] = [
    { of: 0, amount: SUPPLY, from: 0 },
  ];
  readonly #usedBy: Map<string, string> = new Map();

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
    const sum = payees.reduce((total, payee) => total + payee.amount, 0);
    if (this.free(actor) < sum) {
      return "5001";
    }
    this.#lines.push({ of: actor, amount: -sum, from: 0 });
    this.#lines.push(
      ...payees.map((payee) => ({ of: payee.to, amount: payee.amount, from: payee.unlock })),
    );
    this.#usedBy.set(key, text);
    return "done";
  }

  free(of: number): number {
    return sumOf(this.#lines.filter((line) => line.of === of && line.from <= this.time));
  }

  /** In the form of `TestLedger.held`. */
  held(by: number): string {
    const locked = this.#lines.filter(
      (line) => line.of === by && line.from > this.time && line.amount > 0,
    );
    const dates = [...new Set(locked.map(({ from }) => from))].sort((a, b) => a - b);
    return [
      String(this.free(by)),
      ...dates.map(
        (date) => `${sumOf(locked.filter(({ from }) => from === date))} at +${date - T}`,
      ),
    ].join(", ");
  }
}

function sumOf(lines: readonly { readonly amount: number }[]): number {
  return lines.reduce((total, { amount }) => total + amount, 0);
}

/** Runs all batches on a ledger, and compares it with the model after each. */
async function run(ledger: TestLedger, batches: readonly Batch[]): Promise<void> {
  const model = new Model();
  const addresses: Address[] = [ledger.treasury];
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
    for (const step of all) {
      if (step.kind === "address" || addresses.length === 1) {
        const address = ledger.drawAddress();
        created.push(address);
        texts.push(ledger.addressOperation(address));
        wanted.push("done");
        continue;
      }
      const sent = send(step);
      sentBefore.push(sent);
      texts.push(sent.text);
      wanted.push(model.judge(sent));
    }
    const { height } = ledger.ledger.head;
    const execution = await ledger.execute(...texts);
    assert.deepEqual(execution.outcomes.map(codeOf), wanted);
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
  assertLocksSummedUp(ledger.database);
  const rows = ledger.database.prepare("SELECT token, free, locked FROM balance").all();
  let total = 0;
  for (const { token, free, locked } of rows) {
    assert.equal(String(token), NATIVE_COIN);
    const amounts = [free as string, locked as string];
    assert(amounts.every((text) => /^(0|[1-9][0-9]*)$/.test(text)));
    total += amounts.reduce((sum, text) => sum + Number(text), 0);
  }
  assert.equal(total, SUPPLY);
}

test("conventions §6.3: random operations: outcomes and balances are those of a simple model, no unit is created or lost, and replay comes to the same", () =>
  fc.assert(
    fc.asyncProperty(runs, async (batches) => {
      using ledger = await TestLedger.begin({ supply: String(SUPPLY) });
      await run(ledger, batches);

      const { head } = ledger.ledger;
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
    }),
    { numRuns: 60 },
  ));

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
