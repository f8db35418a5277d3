import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address, TransactionRecord } from "@moneta/protocol";
import fc from "fast-check";
import { UNIT_OFFER } from "../../state/offer-entry.ts";
import { UNIT_ITEM } from "../../state/unit-item-entry.ts";
import { unitItemView } from "../../state/unit-item-view.ts";
import { typesOf } from "../catalogue.ts";
import { documents } from "../ledger-snapshot.ts";
import { type ShownEntry, shownValues, withoutDefaults } from "../shown/watched-entries.ts";
import type { TestLedger } from "../test-ledger.ts";
import { ItemTraders } from "./item-operations.ts";
import {
  agreement,
  balancesNow,
  comeToMoment,
  inGroups,
  type Judged,
  JudgedBlocks,
  LIMIT,
  type Modelled,
  passTime,
  RANDOM_OPERATIONS,
  repeatRuns,
  type Tally,
  type TimedBatch,
  tellMoney,
  timedBatches,
} from "./random-runs.ts";
import type { Sent } from "./token-model.ts";
import {
  type Fields,
  type ModelUnitListing,
  UnitModel,
  type UnitOfferShown,
} from "./unit-model.ts";
import {
  elementsOf,
  OPERATIONS,
  type UnitStep,
  UnitTraders,
  unitSteps,
} from "./unit-operations.ts";

type Batch = TimedBatch<UnitStep>;

const batches: fc.Arbitrary<Batch> = timedBatches(
  fc.array(unitSteps, { minLength: 1, maxLength: 8, size: "max" }),
);

/** A row's value; of a holding, an item or a listing. */
type Stored = Readonly<Record<string, unknown>>;

/** An operation, what should become of it, and what it should have made of listings and items. */
interface JudgedUnits extends Judged {
  readonly listings: ReadonlyMap<string, ShownEntry<ModelUnitListing>>;
  readonly items: ReadonlyMap<string, ShownEntry<Fields>>;
  readonly offers: ReadonlyMap<string, ShownEntry<UnitOfferShown>>;
}

/** Members of an item that its `GET` shows and that are no part of its state entry. */
const DERIVED = [
  "policy",
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

class Run implements Modelled<JudgedUnits> {
  readonly ledger: TestLedger;
  readonly model: UnitModel = new UnitModel();
  readonly traders: UnitTraders;
  readonly #isToTheSecond: boolean;
  readonly #blocks: JudgedBlocks<JudgedUnits>;

  constructor(ledger: TestLedger, tally: Tally, isToTheSecond: boolean) {
    this.ledger = ledger;
    this.#isToTheSecond = isToTheSecond;
    this.#blocks = new JudgedBlocks(ledger, this, tally, inGroups(ledger));
    this.traders = new UnitTraders(ledger, this.model);
  }

  /**
   * Six addresses with money in three tokens, and two projects, the second of which allows one
   * token beside the coin. Some units were created under policies that the first has had, and
   * somebody offers for them.
   */
  async begin(): Promise<void> {
    const { ledger, model } = this;
    const { base } = model;
    const { money } = base;
    const { treasury } = ledger;
    const setup = new ItemTraders(ledger, base);
    const created = await ledger.createAddresses(6);
    const [o, p, s, c, a] = created as [Address, Address, Address, Address, Address];
    tellMoney(money, ledger, created);
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
      await this.#blocks.execute(sents.length, (index) => sents[index] as Sent);
    }
    assert.deepEqual([...money.tokens.keys()], ["0", "1", "2"]);
    assert.equal(base.projects.size, 2);
    const [q = ""] = base.projects.keys();
    const [of, signed] = [{ mrc400id: q }, "full"];
    const some = { totalsupply: "20", to: a };
    for (const [policy, element] of [
      [{ transfers: "issuer" }, some],
      [{ maxprice: "110" }, { ...some, face_price: "10" }],
      [{ maxheld: 3, transfers: "market" }, { totalsupply: "20" }],
      [{}, { ...some, transferable: "Temporary" }],
      [{}, { ...some, transferable: "Bound" }],
    ]) {
      const given = { ...of, policy: JSON.stringify(policy), signed };
      const made = { ...of, itemdata: JSON.stringify([element]) };
      await this.#blocks.execute(2, (index) =>
        index === 0
          ? setup.signed("mrc400update", o, given)
          : setup.signed("mrc402create", o, made),
      );
    }
    const ids = [...model.items.keys()];
    const end = String(model.time + 7_776_000);
    const offered = { buyer: c, amount: "5", price: "12", token: "0", end, signed };
    await this.#blocks.execute(ids.length, (index) =>
      setup.signed("mrc402offer", c, { ...offered, id: ids[index] as string }),
    );
  }

  async batch(batch: Batch): Promise<void> {
    const { steps } = batch;
    passTime(this.ledger, batch);
    if (this.#isToTheSecond) {
      comeToMoment(this.ledger, this.model.moments(), steps[0]?.picks.at(-1));
    }
    await this.#blocks.execute(steps.length, (index) =>
      this.traders.send(steps[index] as UnitStep),
    );
  }

  setTime(time: number): void {
    this.model.base.time = time;
  }

  judge(sent: Sent): JudgedUnits {
    const { model } = this;
    const before = model.stored();
    const wanted = model.judge(sent);
    const items = [...model.stored()].map(([id, after]): [string, ShownEntry<Fields>] => [
      id,
      { before: before.get(id), after },
    ]);
    const { listings, offers, isAlone } = model;
    return {
      ...{ sent, wanted, isAlone, listings: listings.changes(), offers: offers.changes() },
      items: new Map(items),
    };
  }

  /** Which of several elements is to blame, the test leaves open. */
  known(outcome: string, sent: Sent): string {
    return elementsOf(sent).length > 1 && /^[0-9]/.test(outcome) ? "refused" : outcome;
  }

  checkRecord(record: TransactionRecord, judged: JudgedUnits): void {
    checkRecord(record, judged);
  }

  compare(): void {
    this.#compareEntries();
    this.#checkEscrows();
  }

  #compareEntries(): void {
    const { ledger, model } = this;
    const { money } = model.base;
    const seen = ledger.reading(() => ({
      ...balancesNow(ledger, money.addresses),
      items: [...model.items.values()].map((item) => {
        const { state } = ledger.reader;
        const found = state.find(UNIT_ITEM, item.id);
        return found && { ...unitItemView(state, found) };
      }),
      offers: [...model.offers.keys()].map((id) => {
        const found = ledger.reader.state.find(UNIT_OFFER, id);
        return found && UNIT_OFFER.json(found);
      }),
    }));
    assert.deepEqual(seen.offers, [...model.offers.values()]);
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
    for (const { offerid, token, held } of this.model.offers.values()) {
      assert.equal(money.held(offerid, token), BigInt(held));
    }
  }
}

/**
 * A record of a listing shows all of it when it is made and then what has changed; so does one of
 * an item, as far as the model knows it.
 */
function checkRecord(record: TransactionRecord, judged: JudgedUnits): void {
  const { sent, listings, items, offers } = judged;
  const ofOffers = record.effects.filter(({ item }) => item?.startsWith("OFF402_"));
  assert.deepEqual(
    new Map(ofOffers.map(({ item, values }) => [item, values])),
    new Map([...offers].map(([id, change]) => [id, shownValues(change, true)])),
    sent.op,
  );
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
      const names = Object.keys(
        isMade ? withoutDefaults(change.after) : shownValues(change, true, DERIVED),
      );
      assert.deepEqual(known.map(([name]) => name).sort(), names.sort(), sent.op);
      assert.deepEqual(isMade ? [] : DERIVED.filter((name) => name in values), [], sent.op);
    }
  }
}

/** A run of random batches agrees with the model, and is replayed alike. */
function check(
  minLength: number,
  tally: Tally,
  isToTheSecond = false,
): fc.IAsyncProperty<[readonly Batch[]]> {
  const runs = fc.array(batches, { minLength, maxLength: 40, size: "max" });
  return agreement(runs, tally, (ledger) => new Run(ledger, tally, isToTheSecond));
}

test(`mrc402 §18 row 66, batches §3 row 20, policies §10 row 20: ${RANDOM_OPERATIONS} random operations of multi-unit items, and groups of them: outcomes, balances, holdings and listings are those of a simple model, the equations of §2.2 hold, and replay comes to the same`, async () => {
  await repeatRuns((tally) => fc.assert(check(1, tally, true), { numRuns: 10, ...LIMIT }));
});

/** What each operation has to be refused with, lest the test above say nothing. */
const REFUSALS: { readonly [op: string]: string } = {
  mrc402create: "2020 3005 5000 7002 7111",
  mrc402transfer: "1206 3201 5000 7001 7108 7109 7120 7122",
  mrc402mint: "3005 5000 7002",
  mrc402burn: "5000 7002 7108",
  mrc402melt: "5000 7001 7108 7204",
  mrc402update: "3005 4900 7002",
  mrc402itemupdate: "3005 4900 7002 7119",
  mrc402sell: "3005 3022 5000 7001 7108 7109 7120",
  mrc402unsell: "7001 7101 7102 7107",
  mrc402buy: "3004 5000 7101 7102 7107 7109 7112 7202 7203",
  mrc402auction: "1102 3005 5000 7001 7108 7109 7120",
  mrc402unauction: "7001 7101 7102 7104 7107",
  mrc402bid: "3004 7102 7105 7107 7112 7202",
  mrc402auctionfinish: "7102 7106 7201",
  mrc402offer: "1102 3005 5000 7109",
  mrc402acceptoffer: "3004 3022 5000 7001 7106 7108 7109 7112 7120 7122 7202",
  mrc402unoffer: "7001 7106",
  mrc402offerfinish: "7106 7201",
};

test("random operations of multi-unit items come to all that the chapter has", async () => {
  const tally: Tally = new Map();
  await fc.assert(check(25, tally), { numRuns: 50, seed: 1, endOnFailure: true });
  const wanted = OPERATIONS.flatMap((op) =>
    ["done", ...(REFUSALS[op]?.split(" ") ?? [])].map((outcome) => `${op} ${outcome}`),
  );
  assert.deepEqual(
    wanted.filter((outcome) => !tally.has(outcome)),
    [],
  );
  const missing = [...typesOf("units")].filter((type) => !tally.has(`record ${type}`));
  assert.deepEqual(missing, []);
});
