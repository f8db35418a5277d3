import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address, TransactionRecord } from "@moneta/protocol";
import fc from "fast-check";
import { typesOf } from "../catalogue.ts";
import { documents } from "../ledger-snapshot.ts";
import { type ShownEntry, shownValues } from "../shown/watched-entries.ts";
import type { TestLedger } from "../test-ledger.ts";
import {
  agreement,
  balancesNow,
  inGroups,
  type Judged,
  JudgedBlocks,
  LIMIT,
  type Modelled,
  RANDOM_OPERATIONS,
  repeatRuns,
  type Tally,
  tellMoney,
} from "./random-runs.ts";
import { type ModelListing, type ModelPayment, type Sent, TokenModel } from "./token-model.ts";
import { type Step, steps, Traders } from "./token-operations.ts";

interface Batch {
  /**
   * How the clock moves before it, seconds; it may be set back. Or to just before or at one of the
   * times at which something changes by itself.
   */
  readonly wait: number | { readonly date: number; readonly off: number };
  /** Whether the process is restarted before it. */
  readonly restarts: boolean;
  readonly steps: readonly Step[];
}

const batches: fc.Arbitrary<Batch> = fc.record({
  wait: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.integer({ min: -50, max: 300 }) },
    { weight: 2, arbitrary: fc.integer({ min: 500, max: 4000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 86_000, max: 90_000 }) },
    { weight: 4, arbitrary: fc.record({ date: fc.nat(), off: fc.constantFrom(0, -1) }) },
  ),
  restarts: fc.nat(9).map((number) => number === 9),
  steps,
});

/** An operation, what should become of it, and what it should have moved. */
interface JudgedTrade extends Judged {
  readonly payments: readonly ModelPayment[];
  readonly listing: ShownEntry<ModelListing> | undefined;
}

class Run implements Modelled<JudgedTrade> {
  readonly ledger: TestLedger;
  readonly model: TokenModel = new TokenModel();
  readonly traders: Traders;
  readonly #blocks: JudgedBlocks<JudgedTrade>;
  /** What listings hold by the records of the ledger, by listing and token. */
  readonly #escrow: Map<string, bigint> = new Map();

  constructor(ledger: TestLedger, tally: Tally) {
    this.ledger = ledger;
    this.#blocks = new JudgedBlocks(ledger, this, tally, inGroups(ledger));
    this.traders = new Traders(ledger, this.model);
  }

  /** Six addresses with coins and units of two tokens, some of them locked. */
  async begin(): Promise<void> {
    const { ledger, model, traders } = this;
    const { treasury } = ledger;
    const created = await ledger.createAddresses(5);
    const [a, b] = created as [Address, Address];
    tellMoney(model, ledger, created);
    const reserveOf = (owner: Address): string =>
      JSON.stringify([
        ...created.map((address) => ({ address, value: "1500" })),
        { address: owner, value: "500", unlockdate: ledger.now + 2000 },
      ]);
    const drafts = [
      { owner: a, symbol: "FE", name: "Iron", totalsupply: "10000", reserve: reserveOf(a) },
      { owner: b, symbol: "NA", name: "Salt", totalsupply: "10000", reserve: reserveOf(b) },
    ];
    const coins = { from: treasury, token: "0", amount: "20000" };
    for (const sents of [
      created.map((to) => traders.signed("transfer", treasury, { ...coins, to })),
      drafts.map((draft) => traders.signed("tokensave", draft.owner, draft)),
      drafts.map(({ owner, name }) =>
        traders.signed("tokencreate", owner, {}, undefined, { name }),
      ),
    ]) {
      await this.#blocks.execute(sents.length, (index) => sents[index]);
    }
    assert.deepEqual([...model.tokens.keys()], ["0", "1", "2"]);
  }

  async batch({ wait, restarts, steps: all }: Batch): Promise<void> {
    const { ledger, model } = this;
    if (restarts) {
      ledger.restart();
    }
    if (typeof wait === "number") {
      ledger.now += wait;
    } else {
      const dates = model.dates();
      ledger.now = (dates[wait.date % dates.length] ?? model.time) + wait.off;
    }
    await this.#blocks.execute(all.length, (index) => this.traders.send(all[index] as Step));
  }

  setTime(time: number): void {
    this.model.time = time;
  }

  judge(sent: Sent): JudgedTrade {
    const wanted = this.model.judge(sent);
    const [listing] = this.model.listings.changes().values();
    return { sent, wanted, payments: this.model.payments, listing };
  }

  /**
   * A trade's record says what has moved and changed; and what a listing had and got is what it
   * gave and has.
   */
  checkRecord(record: TransactionRecord, { sent, payments, listing: shown }: JudgedTrade): void {
    const ofListing = record.effects.find(({ item }) => item?.startsWith("DEX010_"));
    const text = ofListing?.parameters.find((parameter) => parameter.startsWith('[{"from_addr"'));
    const moved = JSON.parse(text ?? "[]") as ModelPayment[];
    assert.deepEqual(moved, payments, sent.op);
    if (ofListing === undefined) {
      assert.equal(shown, undefined, sent.op);
      return;
    }
    assert(shown !== undefined, sent.op);
    assert.deepEqual(ofListing.values, shownValues(shown, true), sent.op);
    const listing = shown.after;
    const { mrc010, dexid } = listing;
    for (const [token, after] of escrowOf(listing)) {
      const key = `${dexid} ${token}`;
      const sumOf = (part: readonly ModelPayment[]): bigint =>
        part
          .map((one) => (token === mrc010 ? one.trade_amount : one.amount))
          .reduce((sum, amount) => sum + BigInt(amount || 0), 0n);
      const got = sumOf(moved.filter(({ to_addr: to }) => to === dexid));
      const gave = sumOf(moved.filter(({ from_addr: from }) => from === dexid));
      if (moved.length > 0) {
        assert.equal((this.#escrow.get(key) ?? 0n) + got, gave + after, sent.op);
      }
      this.#escrow.set(key, after);
    }
  }

  compare(): void {
    const { ledger, model } = this;
    const { database } = ledger;
    const { addresses } = model;
    const seen = ledger.reading(() => {
      const { at, balances } = balancesNow(ledger, addresses);
      const drafts = addresses.map((address) =>
        ledger.reader.state
          .drafts(address)
          .filter(({ saved }) => at - saved < 3600)
          .map(({ name, saved }) => ({ name, saved })),
      );
      return { at, balances, drafts };
    });
    assert.deepEqual(seen, {
      at: model.time,
      balances: addresses.map((address) => model.balances(address)),
      drafts: addresses.map((address) =>
        model.drafts(address).map(({ name, saved }) => ({ name, saved })),
      ),
    });
    assert.deepEqual(documents(database, "token"), [...model.tokens.values()]);
    assert.deepEqual(
      documents<object & { order?: number }>(database, "token_listing").map(
        ({ order: _, ...listing }) => listing,
      ),
      [...model.listings.values()],
    );
  }
}

/** A run of random batches agrees with the model, and is replayed alike. */
function property(
  lengths: { readonly minLength: number; readonly maxLength: number },
  tally: Tally,
): fc.IAsyncProperty<[readonly Batch[]]> {
  const all = fc.array(batches, { ...lengths, size: "max" });
  return agreement(all, tally, (ledger) => new Run(ledger, tally));
}

/**
 * The codes that each operation must have been refused with, so that the test has tried what there
 * is to try. Source: the checks of tokens §3 to §12.
 */
const REFUSALS: { readonly [op: string]: string } = {
  transfer: "2020 3090 4001 5001",
  tokensave: "1003 1004 1007 1101 1102 1103 2020 3005 3090",
  tokencreate: "2010 2020 6010",
  tokenburn: "1206 2020 4001 5000 7001",
  tokenincrease: "1101 1206 2020 4001 7001",
  tokenupdate: "1000 2020 4001 4900 7001",
  mrc010sell: "1101 1104 1107 2020 3005 3090 4001 5000",
  mrc010unsell: "2020 6004 7101 7102 7103",
  mrc010buy: "1101 1107 2020 3004 3005 3090 5000 6004 7101 7102 7103",
  mrc010reqsell: "1101 1104 1107 2020 3005 3090 4001 5000",
  mrc010unreqsell: "2020 6004 7101 7102 7103",
  mrc010acceptreqsell: "1101 1107 2020 3004 3005 3090 5000 6004 7101 7102 7103",
  mrc010auction: "1101 1102 1104 1107 2020 3005 3090 4001 5000",
  mrc010unauction: "2020 6004 7101 7102 7103 7104 7202",
  mrc010bid: "1101 1107 2020 3004 3090 5000 6004 7101 7102 7103 7105 7202 7203",
  mrc010auctionfinish: "6004 7101 7102 7103 7201",
};

test(`conventions §6.3, batches §3 row 20: ${RANDOM_OPERATIONS} random operations of tokens and their market, and groups of them, come to the same as in a simple model, lose no unit and are replayed alike`, async () => {
  await repeatRuns((tally) =>
    fc.assert(property({ minLength: 1, maxLength: 30 }, tally), { numRuns: 10, ...LIMIT }),
  );
});

test("among them every operation is accepted, repeated and refused for each of its reasons", async () => {
  const tally: Tally = new Map();
  // A seed of which we know that it comes to all of them, as nearly all do; all runs have to take
  // place, however long they take.
  const runs = property({ minLength: 25, maxLength: 40 }, tally);
  await fc.assert(runs, { numRuns: 30, seed: 1, endOnFailure: true });
  const wanted = Object.entries(REFUSALS).flatMap(([op, codes]) =>
    // What nobody signs has no key to tell a repeat by.
    ["done", ...(op === "mrc010auctionfinish" ? [] : ["repeat"]), ...codes.split(" ")].map(
      (outcome) => `${op} ${outcome}`,
    ),
  );
  assert.deepEqual(
    wanted.filter((outcome) => !tally.has(outcome)),
    [],
  );
  const missing = [...typesOf("tokens")].filter((type) => !tally.has(`record ${type}`));
  // Made by the random operations of another test.
  assert.deepEqual(missing, ["multi_transfer"]);
  const withUsedKey = [...tally.keys()].filter((outcome) => outcome.endsWith(" 2021"));
  assert(withUsedKey.length >= 5, "a used key is refused whatever the operation");
});

/** What a listing holds of each of its two tokens. Source: tokens §8. */
function escrowOf(listing: ModelListing): readonly (readonly [token: string, amount: bigint])[] {
  const { side, state, mrc010, buy_token, sell_token, remain_amount } = listing;
  const isOpen = state === "open";
  const payment = side === "buy" ? listing.buy_price_total : listing.auction_current_price;
  return [
    [mrc010, isOpen && side !== "buy" ? BigInt(remain_amount) : 0n],
    // Of a request that is closed nothing is held any more, and the field says so.
    [side === "buy" ? buy_token : sell_token, isOpen || side === "buy" ? BigInt(payment || 0) : 0n],
  ];
}
