import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address, TransactionRecord } from "@moneta/protocol";
import fc from "fast-check";
import { UNIT_ITEM } from "./state/unit-item-entry.ts";
import { unitItemView } from "./state/unit-item-view.ts";
import { checkCatalogue, typesOf } from "./testing/catalogue.ts";
import { assertConserved } from "./testing/conservation.ts";
import { Grouping } from "./testing/grouping.ts";
import { assertHistories } from "./testing/history-model.ts";
import { ItemTraders } from "./testing/item-operations.ts";
import { LedgerSnapshot } from "./testing/ledger-snapshot.ts";
import { RANDOM_OPERATIONS, repeatRuns } from "./testing/long-runs.ts";
import { type ShownEntry, shownValues } from "./testing/shown-entry.ts";
import {
  assertLocksSummedUp,
  assertReplaysAlike,
  codeOf,
  documents,
  TestLedger,
} from "./testing/test-ledger.ts";
import type { ModelToken, Sent } from "./testing/token-model.ts";
import { textOf } from "./testing/token-operations.ts";
import { type Fields, type ModelUnitListing, UnitModel } from "./testing/unit-model.ts";
import {
  elementsOf,
  OPERATIONS,
  type UnitStep,
  UnitTraders,
  unitSteps,
} from "./testing/unit-operations.ts";

interface Batch {
  /** How the clock moves before it, seconds; it may be set back. */
  readonly wait: number;
  /** Whether the ledger is opened anew, so that it has to read what it has stored. */
  readonly isRestart: boolean;
  readonly steps: readonly UnitStep[];
}

const wait = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: -50, max: 300 }) },
  { weight: 3, arbitrary: fc.integer({ min: 3500, max: 4000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 86_000, max: 90_000 }) },
);

const batches: fc.Arbitrary<Batch> = fc.record({
  wait,
  isRestart: fc.nat(9).map((number) => number === 9),
  steps: fc.array(unitSteps, { minLength: 1, maxLength: 8, size: "max" }),
});

const COINS = "1000000";

/** How often operations came to each outcome, by `operation outcome`. */
type Tally = Map<string, number>;

/** A row's value; of a holding, an item or a listing. */
type Stored = Readonly<Record<string, unknown>>;

/** An operation, what should become of it, and what it should have made of listings and items. */
interface Judged {
  readonly sent: Sent;
  readonly wanted: string;
  readonly listings: ReadonlyMap<string, ShownEntry<ModelUnitListing>>;
  readonly items: ReadonlyMap<string, ShownEntry<Fields>>;
}

/** Members of an item that its `GET` shows and that are no part of its state entry. */
const DERIVED = [
  "owner",
  "holders",
  "reserve",
  "sell_count",
  "sell_dexid",
  "sell_price",
  "auction_count",
  "auction_dexid",
  "auction_current_price",
];

/** A ledger and a model that have been told the same. */
class Run {
  readonly ledger: TestLedger;
  readonly model: UnitModel = new UnitModel();
  readonly traders: UnitTraders;
  readonly #tally: Tally;
  readonly #grouping: Grouping;
  #blockTime = 0;
  #operations = 0;

  constructor(ledger: TestLedger, tally: Tally) {
    this.ledger = ledger;
    this.#tally = tally;
    this.#grouping = new Grouping(ledger);
    this.traders = new UnitTraders(ledger, this.model);
  }

  /**
   * Six addresses with money in three tokens, and two projects, the second of which allows one
   * token beside the coin.
   */
  async begin(): Promise<void> {
    const { ledger, model } = this;
    const { base } = model;
    const { money } = base;
    const { treasury } = ledger;
    const setup = new ItemTraders(ledger, base);
    const created = await ledger.createAddresses(6);
    const [o, p, s, c, a] = created as [Address, Address, Address, Address, Address];
    money.addresses.push(treasury, ...created);
    const [coin] = documents<ModelToken>(this.ledger.database, "token");
    money.tokens.set("0", coin as ModelToken);
    money.move("", treasury, "0", BigInt(COINS));
    const reserve = JSON.stringify(created.map((address) => ({ address, value: "3000" })));
    const names = ["Gold", "Salt"];
    const pay = (to: Address): Sent =>
      setup.signed("transfer", treasury, { from: treasury, to, token: "0", amount: "5000" });
    const save = (name: string): Sent => {
      const draft = { owner: treasury, symbol: "X", name, totalsupply: "20000", reserve };
      return setup.signed("tokensave", treasury, draft);
    };
    const roles = { [p]: "partner", [s]: "seller", [c]: "creator" };
    for (const sents of [
      [...created.map(pay), ...names.map(save)],
      names.map((name) => setup.signed("tokencreate", treasury, {}, undefined, { name })),
      [setup.project(o, roles), setup.project(a, { [p]: "seller" }, { allowtoken: "1" })],
    ]) {
      await this.#execute(sents.length, (index) => sents[index] as Sent);
    }
    assert.deepEqual([...money.tokens.keys()], ["0", "1", "2"]);
    assert.equal(base.projects.size, 2);
  }

  async batch({ wait: seconds, isRestart, steps }: Batch): Promise<void> {
    this.ledger.now += seconds;
    if (isRestart) {
      this.ledger.restart();
    }
    await this.#execute(steps.length, (index) => this.traders.send(steps[index] as UnitStep));
  }

  /** Executes a batch, of which each operation is made when those before it have been judged. */
  async #execute(count: number, send: (index: number) => Sent): Promise<void> {
    const { ledger, model } = this;
    model.base.time = Math.max(this.#blockTime, ledger.now);
    const judged: Judged[] = [];
    for (let index = 0; index < count; index += 1) {
      const sent = send(index);
      const before = model.stored();
      const wanted = model.judge(sent);
      const items = [...model.stored()].map(([id, after]): [string, ShownEntry<Fields>] => [
        id,
        { before: before.get(id), after },
      ]);
      const listings = model.listings.changes();
      judged.push({ sent, wanted, listings, items: new Map(items) });
      const name = `${sent.op} ${wanted}`;
      this.#tally.set(name, (this.#tally.get(name) ?? 0) + 1);
    }
    const texts = judged.map(({ sent }) => textOf(sent, this.#nextSignature()));
    const execution = await this.#grouping.execute(judged, texts);
    // Which of several elements is to blame, the test leaves open.
    const said = (outcome: string, index: number): string => {
      const { sent } = judged[index] as { readonly sent: Sent };
      const isOpen = elementsOf(sent).length > 1 && /^[0-9]/.test(outcome);
      return `${isOpen ? "refused" : outcome}: ${texts[index]}`;
    };
    assert.deepEqual(
      execution.outcomes.map((outcome, index) => said(codeOf(outcome), index)),
      judged.map(({ wanted }, index) => said(wanted, index)),
    );
    const isBlock = judged.some(({ wanted }) => wanted === "done");
    this.#blockTime = isBlock ? model.time : this.#blockTime;
    for (const [index, outcome] of execution.outcomes.entries()) {
      if (outcome.kind === "done") {
        checkRecord(ledger.record(outcome.transactionId), judged[index] as Judged);
      }
    }
    this.#compare();
    assertLocksSummedUp(this.ledger.database);
    assertConserved(new LedgerSnapshot(this.ledger.database));
    this.#checkEscrows();
  }

  /** Signatures differ also where all else is the same, and nothing depends on them. */
  #nextSignature(): string {
    this.#operations += 1;
    return Buffer.from(String(this.#operations)).toString("base64");
  }

  /** The ledger has what the model has. */
  #compare(): void {
    const { ledger, model } = this;
    const { money } = model.base;
    const seen = ledger.reading(() => {
      const { state, balances } = ledger.reader;
      const at = ledger.reader.timeAt(ledger.now);
      const options = { after: undefined, limit: 1000, at };
      return {
        balances: money.addresses.map((address) => {
          const addressNumber = state.address(address)?.number as number;
          return balances.list({ addressNumber, ...options }).items;
        }),
        items: [...model.items.values()].map((item) => {
          const found = state.find(UNIT_ITEM, item.id);
          return found && { ...unitItemView(state, found) };
        }),
      };
    });
    assert.deepEqual(
      seen.balances,
      money.addresses.map((address) => money.balances(address)),
    );
    const items = [...model.items.values()].map((item) => model.shown(item));
    const part = seen.items.map((item, index) =>
      Object.fromEntries(Object.keys(items[index] ?? {}).map((name) => [name, item?.[name]])),
    );
    assert.deepEqual(part, items);
    assert.equal(documents(this.ledger.database, "unit_item").length, items.length);
    assert.deepEqual(
      documents<Stored>(this.ledger.database, "unit_listing").map(
        ({ itemOrder: _, projectOrder: __, order: ___, ...listing }) => listing,
      ),
      [...model.listings.values()],
    );
    const holdings = [...model.items.keys()].flatMap((item) =>
      model.holders(item).map((address) => {
        const { balance, sale, auction } = model.units(item, address);
        const amounts = [balance, sale, auction].map(String);
        return [address, item, ...amounts].join(" ");
      }),
    );
    const held = documents<Stored>(this.ledger.database, "holding")
      .map(({ address, item, balance, saleamount, auctionamount }) =>
        [address, item, balance, saleamount, auctionamount].join(" "),
      )
      .filter((line) => !line.endsWith(" 0 0 0"));
    assert.deepEqual(held.sort(), holdings.sort());
  }

  /** Reserves and bids are where the model has them. Source: mrc402 §2.2. */
  #checkEscrows(): void {
    const { money } = this.model.base;
    const listings = documents<ModelUnitListing>(this.ledger.database, "unit_listing");
    for (const item of this.model.items.values()) {
      for (const [token, each] of item.reserve) {
        assert.equal(money.held(item.id, token), each * (item.total - item.melted));
      }
    }
    for (const { dexid, state, sell_token, auction_current_price } of listings) {
      const bid = state === "open" ? BigInt(auction_current_price || 0) : 0n;
      assert.equal(money.held(dexid, sell_token), bid);
    }
  }
}

/**
 * A record of a listing shows all of it when it is made and then what has changed; so does one of
 * an item, as far as the model knows it.
 */
function checkRecord(record: TransactionRecord, { sent, listings, items }: Judged): void {
  const ofListings = record.effects.filter(({ item }) => item?.startsWith("DEX402_"));
  assert.deepEqual(
    new Map(ofListings.map(({ item, values }) => [item, values])),
    new Map([...listings].map(([id, change]) => [id, shownValues(change, true)])),
    sent.op,
  );
  for (const { item, type, values } of record.effects) {
    const change = items.get(item ?? "");
    if (change !== undefined) {
      const known = Object.entries(values).filter(([name]) => name in change.after);
      const isMade = type === "mrc402_create";
      assert.equal(change.before === undefined, isMade, sent.op);
      const names = Object.keys(isMade ? change.after : shownValues(change, true, DERIVED));
      assert.deepEqual(known.map(([name]) => name).sort(), names.sort(), sent.op);
      assert.deepEqual(isMade ? [] : DERIVED.filter((name) => name in values), [], sent.op);
    }
  }
}

/**
 * Stops shrinking a failure after 10 minutes; runs that a slow machine did not finish by then fail,
 * too.
 */
const LIMIT = { interruptAfterTimeLimit: 600_000, markInterruptAsFailure: true };

/** A run of random batches agrees with the model, and is replayed alike. */
function check(minLength: number, tally: Tally): fc.IAsyncProperty<[readonly Batch[]]> {
  const runs = fc.array(batches, { minLength, maxLength: 40, size: "max" });
  return fc.asyncProperty(runs, async (all) => {
    using ledger = await TestLedger.begin({ supply: COINS });
    ledger.isForecast = true;
    const run = new Run(ledger, tally);
    await run.begin();
    for (const batch of all) {
      await run.batch(batch);
    }

    assertHistories(ledger);
    for (const type of checkCatalogue(ledger)) {
      tally.set(`record ${type}`, 1);
    }
    assertReplaysAlike(ledger);
  });
}

test(`mrc402 §18 row 66, batches §3 row 20: ${RANDOM_OPERATIONS} random operations of multi-unit items, and groups of them: outcomes, balances, holdings and listings are those of a simple model, the equations of §2.2 hold, and replay comes to the same`, async () => {
  const tally: Tally = new Map();
  const sent = (): number => [...tally].reduce((sum, [of, n]) => sum + (isRecord(of) ? 0 : n), 0);
  await repeatRuns(sent, () => fc.assert(check(1, tally), { numRuns: 10, ...LIMIT }));
});

function isRecord(of: string): boolean {
  return of.startsWith("record ");
}

/** What each operation has to be refused with, lest the test above say nothing. */
const REFUSALS: { readonly [op: string]: string } = {
  mrc402create: "2020 3005 5000 7002 7111",
  mrc402transfer: "1206 3201 5000 7001 7108 7109",
  mrc402mint: "3005 5000 7002",
  mrc402burn: "5000 7002 7108",
  mrc402melt: "5000 7001 7108 7204",
  mrc402update: "3005 4900 7002",
  mrc402itemupdate: "3005 4900 7002",
  mrc402sell: "3005 5000 7001 7108 7109",
  mrc402unsell: "7001 7101 7102 7107",
  mrc402buy: "3004 5000 7101 7102 7107 7109 7112",
  mrc402auction: "1102 3005 5000 7001 7108 7109",
  mrc402unauction: "7001 7101 7102 7104 7107",
  mrc402bid: "3004 7102 7105 7107 7202",
  mrc402auctionfinish: "7102 7106 7201",
};

test("random operations of multi-unit items come to all that the chapter has", async () => {
  const tally: Tally = new Map();
  await fc.assert(check(25, tally), { numRuns: 25, seed: 1, endOnFailure: true });
  const wanted = OPERATIONS.flatMap((op) =>
    ["done", ...(REFUSALS[op] ?? "").split(" ")].map((outcome) => `${op} ${outcome}`),
  );
  assert.deepEqual(
    wanted.filter((outcome) => !tally.has(outcome)),
    [],
  );
  const missing = [...typesOf("units")].filter((type) => !tally.has(`record ${type}`));
  assert.deepEqual(missing, []);
});
