import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address, TransactionRecord } from "@moneta/protocol";
import fc from "fast-check";
import { ITEM } from "../../state/item-entry.ts";
import { ITEM_OFFER, UNIT_OFFER } from "../../state/offer-entry.ts";
import { PROJECT } from "../../state/project-entry.ts";
import { draftsOf } from "../../state/token-entry.ts";
import { UNIT_ITEM } from "../../state/units/unit-item-entry.ts";
import { unitItemView } from "../../state/units/unit-item-view.ts";
import { typesOf } from "../catalogue.ts";
import { documents } from "../ledger-snapshot.ts";
import { type ShownEntry, shownValues, withoutDefaults } from "../shown/watched-entries.ts";
import type { TestLedger } from "../test-ledger.ts";
import { JudgingModel } from "./judging-model.ts";
import type { ModelEntry, ModelPayment, ModelToken, Sent } from "./ledger-model.ts";
import type { Fields } from "./model-terms.ts";
import type { ModelPolicy } from "./policy-model.ts";
import { newProject, type Step, steps, Traders } from "./random-operations.ts";
import {
  agreement,
  COINS,
  comeToMoment,
  count,
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
  timedBatches,
} from "./random-runs.ts";
import { TradingDesk } from "./trading-desk.ts";
import { shownUnitItem, storedUnitItems } from "./unit-rules.ts";

type Batch = TimedBatch<Step>;

/** An operation, its expected outcome, and the expected content of its records. */
interface JudgedTrade extends Judged {
  readonly payments: readonly ModelPayment[];
  readonly shown: readonly ShownEntry<ModelEntry>[];
  readonly notified: readonly string[];
  readonly unitItems: ReadonlyMap<string, ShownEntry<Fields>>;
}

/** The value of a row of holdings or listings. */
type Stored = Readonly<Record<string, unknown>>;

/** Most times that an operation is drawn again. */
const TURNS_MAX = 12;

/** Members of a `GET` that are not in the state entry. */
const DERIVED = ["holder", "melting_fee", "policy"];
const DERIVED_OF_UNITS = [
  ...["policy", "owner", "holders", "reserve", "sell_count", "sell_dexid", "sell_price"],
  ...["auction_count", "auction_dexid", "auction_current_price"],
];

const SHOWN = { item_url: "https://rpg.example/1", item_image_url: "https://rpg.example/1.png" };

class Run implements Modelled<JudgedTrade> {
  readonly ledger: TestLedger;
  /** Records are checked after every block. */
  readonly comparesEvery = 4;
  readonly model: JudgingModel = new JudgingModel();
  readonly desk: TradingDesk;
  readonly #traders: Traders;
  readonly #tally: Tally;
  readonly #isToTheSecond: boolean;
  readonly #lacking: () => readonly string[];
  readonly #blocks: JudgedBlocks<JudgedTrade>;
  /** The newest operation of a batch. */
  #judged: JudgedTrade | undefined;

  constructor(
    ledger: TestLedger,
    tally: Tally,
    isToTheSecond: boolean,
    lacking: () => readonly string[] = () => [],
  ) {
    this.ledger = ledger;
    this.#lacking = lacking;
    this.#isToTheSecond = isToTheSecond;
    this.#tally = tally;
    this.#blocks = new JudgedBlocks(ledger, this, tally, inGroups(ledger));
    this.desk = new TradingDesk(ledger, this.model);
    this.#traders = new Traders(this.desk);
  }

  /**
   * An issuer of two tokens, an owner with a project, a partner, a seller, a creator and two
   * others. All have money, some of it locked, and one of the two others has a project, too. There
   * are items and units, some of them traded, under earlier policies of the project, and offers.
   */
  async begin(): Promise<void> {
    const { ledger, model, desk } = this;
    const { treasury } = ledger;
    const created = await ledger.createAddresses(6);
    const [o, p, s, c, a, b] = created as [Address, Address, Address, Address, Address, Address];
    const [coin] = documents<ModelToken>(ledger.database, "token");
    model.addresses.push(treasury, ...created);
    model.tokens.set("0", coin as ModelToken);
    model.move("", treasury, "0", BigInt(COINS));
    const reserve = JSON.stringify([
      ...created.map((address) => ({ address, value: "3000" })),
      { address: a, value: "500", unlockdate: ledger.now + 2000 },
    ]);
    const pay = (to: Address): Sent =>
      desk.signed("transfer", treasury, { from: treasury, to, token: "0", amount: "9000" });
    const save = ([owner, name]: readonly [Address, string]): Sent => {
      const draft = { owner, symbol: "X", name, totalsupply: "20000", reserve };
      return desk.signed("tokensave", owner, draft);
    };
    const names = [
      [treasury, "Gold"],
      [b, "Salt"],
    ] as const;
    const roles = { [p]: "partner", [s]: "seller", [c]: "creator" };
    await this.#do([...created.map(pay), ...names.map(save)]);
    await this.#do(
      names.map(([owner, name]) => desk.signed("tokencreate", owner, {}, undefined, { name })),
    );
    await this.#do([
      newProject(desk, o, roles),
      newProject(desk, a, { [p]: "creator", [s]: "seller" }, { allowtoken: "1" }),
    ]);
    const [q = "", other = ""] = model.projects.keys();
    const terms = { initial_reserve: "100", sell_fee: "10", melt_fee: "12.5" };
    const itemdata = JSON.stringify([terms, { ...terms, transferable: "Temporary" }]);
    await this.#do([
      desk.signed("mrc401create", o, { mrc400id: q, itemdata }),
      desk.signed("mrc401create", a, { mrc400id: other, itemdata }),
      desk.signed("mrc402create", a, {
        mrc400id: other,
        itemdata: JSON.stringify([{ totalsupply: "9", transferable: "Temporary" }]),
      }),
    ]);
    const items = JSON.stringify([...model.items.keys()].slice(0, 2));
    await this.#do([desk.signed("mrc401transfer", o, { itemdata: items, fromAddr: o, toAddr: b })]);
    const { time } = model;
    const face_price = "40";
    const some = { totalsupply: "20", to: a };
    const bounded: readonly (readonly [policy: object, items: Fields[], units?: Fields])[] = [
      [{ maxheld: 3, transfers: "market" }, [], { totalsupply: "20" }],
      [{ maxheld: 1 }, [{ to: a }, {}, {}]],
      [
        { cooldown: 3600, maxprice: "200" },
        [
          { face_price, to: b },
          { face_price, to: a },
        ],
      ],
      [
        { transfers: "market", maxprice: "110" },
        [{ face_price, to: a }],
        { ...some, face_price: "10" },
      ],
      [{ opens: time + 3000, closes: time + 8000 }, [{ to: b }, { to: b }]],
      [{ transfers: "issuer" }, [{ to: a }, {}], some],
      [{ terms: "fixed" }, [{ ...terms, transferable: "Temporary", expiredate: time + 50_000 }]],
      [
        {},
        [
          { ...SHOWN, frozen: String(time) },
          { to: b, transferable: "Bound" },
          { to: b },
          { to: b, transferable: "Temporary" },
          { to: b, transferable: "Temporary" },
        ],
        {
          ...{ ...some, ...SHOWN, frozen: String(time), expiredate: time + 9000 },
          initialreserve: { "0": "7" },
        },
      ],
      [{ maxprice: "10000" }, [], { ...some, face_price, transferable: "Temporary" }],
      [{}, [], { ...some, transferable: "Bound" }],
    ];
    const of = { mrc400id: q };
    const made = (op: string, elements: readonly Fields[]): Sent[] =>
      elements.length === 0
        ? []
        : [desk.signed(op, o, { ...of, itemdata: JSON.stringify(elements) })];
    await this.#do(
      bounded.flatMap(([policy, elements, ...units]) => [
        desk.signed("mrc400update", o, { ...of, policy: JSON.stringify(policy), signed: "full" }),
        ...made("mrc401create", elements),
        ...made("mrc402create", units as readonly Fields[]),
      ]),
    );
    const newest = [...model.items.keys()].slice(-3);
    const [melted, sold, auctioned] = newest as [string, string, string];
    const under = (name: keyof ModelPolicy): readonly string[] =>
      [...model.items.values()]
        .filter(({ policy_number: number }) => model.policyOf(q, number)[name] !== undefined)
        .map(({ id }) => id);
    const [closing = ""] = under("closes");
    // `a` has the most that it may hold of these.
    const [, limited = ""] = under("maxheld");
    // The second bid is more than its highest price.
    const [, , priced = ""] = under("maxprice");
    const [bound, several] = ["Temporary", "Permanent"].map(
      (kind) =>
        [...model.unitItems.values()].findLast(
          ({ mrc400, texts }) => mrc400 === q && texts["transferable"] === kind,
        )?.id,
    ) as [string, string];
    const item = { token: "0", price: "9", start: "5" };
    const list = (op: string, by: Address, id: string): Sent =>
      desk.signed(op, by, { itemdata: JSON.stringify([{ ...item, id, amount: "4" }]) });
    const listItem = (op: string, id: string, by = b, start = item.start): Sent => {
      const { price: _, ...lot } = { ...item, id, start };
      return desk.signed(op, by, {
        itemdata: JSON.stringify([op === "mrc401sell" ? { ...item, id } : lot]),
      });
    };
    await this.#do([
      desk.signed("mrc401melt", b, { mrc401id: melted }),
      ...[listItem("mrc401sell", sold), listItem("mrc401auction", auctioned)],
      ...[listItem("mrc401sell", closing), listItem("mrc401sell", limited, o)],
      listItem("mrc401auction", priced, a, "44"),
      ...[several, several, bound].flatMap((id) => [
        list("mrc402sell", a, id),
        list("mrc402auction", a, id),
      ]),
    ]);
    // An offer for a project is for items created before it.
    ledger.now += 1;
    const offered = { buyer: c, token: "0", end: String(time + 7_776_000), signed: "full" };
    const offer = (id: string, index: number): Sent =>
      desk.signed("mrc401offer", c, { id, price: String(10 + index), ...offered });
    const offerUnits = (id: string): Sent =>
      desk.signed("mrc402offer", c, { id, amount: "5", price: "12", ...offered });
    await this.#do([...[q, q, q, sold].map(offer), ...[...model.unitItems.keys()].map(offerUnits)]);
    // Listed items with offers become Bound.
    const bind = (ids: readonly string[]): string =>
      JSON.stringify(ids.map((id) => ({ id, transferable: "Bound" })));
    await this.#do([
      desk.signed("mrc401update", o, { ...of, itemdata: bind([sold, auctioned]) }),
      desk.signed("mrc402itemupdate", o, { ...of, itemdata: bind([bound]) }),
    ]);
    assert.deepEqual([model.items.size, model.unitItems.size, model.tokens.size], [20, 7, 3]);
  }

  async #do(sents: readonly Sent[]): Promise<void> {
    await this.#blocks.execute(sents.length, (index) => sents[index] as Sent);
  }

  async batch(batch: Batch): Promise<void> {
    const { steps: all } = batch;
    passTime(this.ledger, batch);
    if (this.#isToTheSecond) {
      comeToMoment(this.ledger, this.model.moments(), all[0]?.picks.at(-1));
    }
    await this.#blocks.execute(all.length, (index) => this.#send(all[index] as Step));
  }

  /** Of an operation with outcomes that lack, those that are refused otherwise are drawn again. */
  #send(step: Step): Sent {
    const lacking = this.#lacking();
    for (let turn = 0; ; turn += 1) {
      const sent = this.#traders.send(step, { lacking, turn });
      this.#judged = this.#judge(sent);
      const { wanted } = this.#judged;
      if (
        ["done", "repeat"].includes(wanted) ||
        turn === TURNS_MAX ||
        !lacking.some((one) => one.startsWith(`${sent.op} `)) ||
        lacking.includes(`${sent.op} ${wanted}`)
      ) {
        return sent;
      }
    }
  }

  setTime(time: number): void {
    this.model.time = time;
  }

  judge(sent: Sent): JudgedTrade {
    return this.#judged?.sent === sent ? this.#judged : this.#judge(sent);
  }

  #judge(sent: Sent): JudgedTrade {
    const { model } = this;
    const before = storedUnitItems(model);
    const wanted = model.judge(sent);
    const { payments, shown, notified: reported, isAlone } = model;
    for (const { type } of payments) {
      count(this.#tally, `movement ${type}`);
    }
    const unitItems = [...storedUnitItems(model)].map(
      ([id, after]): [string, ShownEntry<Fields>] => [id, { before: before.get(id), after }],
    );
    return {
      sent,
      wanted,
      payments,
      shown,
      notified: reported,
      isAlone,
      unitItems: new Map(unitItems),
    };
  }

  /** Codes for several elements of units are not compared: any of them may be refused first. */
  known(outcome: string, { op, params }: Sent): string {
    const isOfSeveral =
      op.startsWith("mrc402") && (JSON.parse(params["itemdata"] ?? "[]") as object[]).length > 1;
    return isOfSeveral && /^[0-9]/.test(outcome) ? "refused" : outcome;
  }

  checkRecord(record: TransactionRecord, judged: JudgedTrade): void {
    checkEntries(record, judged);
    checkUnitItems(record, judged);
    checkPayments(record, judged);
    const reported = record.effects.filter(
      ({ type, address }) => type === record.type && address !== "",
    );
    assert.deepEqual(
      reported.map(({ address }) => address),
      judged.notified,
      judged.sent.op,
    );
  }

  compare(): void {
    this.#compareEntries();
    this.#compareRows();
    this.#checkEscrows();
  }

  #compareEntries(): void {
    const { ledger, model } = this;
    const { addresses } = model;
    const seen = ledger.reading(() => {
      const { state, balances } = ledger.reader;
      const at = ledger.reader.timeAt(ledger.now);
      const shown = <V>(
        kind: { readonly view?: (value: V, of: typeof state) => unknown; json(value: V): unknown },
        found: V | undefined,
      ): unknown => found && (kind.view?.(found, state) ?? kind.json(found));
      return {
        at,
        balances: addresses.map((address) => {
          const addressNumber = state.address(address)?.number as number;
          return balances.list({ addressNumber, after: undefined, limit: 1000, at }).items;
        }),
        drafts: addresses.map((address) =>
          draftsOf(state, address)
            .filter(({ saved }) => at - saved < 3600)
            .map(({ name, saved }) => ({ name, saved })),
        ),
        projects: [...model.projects.keys()].map((id) => shown(PROJECT, state.find(PROJECT, id))),
        items: [...model.items.keys()].map((id) => shown(ITEM, state.find(ITEM, id))),
        itemOffers: [...model.itemOffers.keys()].map((id) =>
          shown(ITEM_OFFER, state.find(ITEM_OFFER, id)),
        ),
        unitOffers: [...model.unitOffers.keys()].map((id) =>
          shown(UNIT_OFFER, state.find(UNIT_OFFER, id)),
        ),
        unitItems: [...model.unitItems.values()].map((item) => {
          const found = state.find(UNIT_ITEM, item.id);
          const all: Fields = found ? { ...unitItemView(state, found) } : {};
          const names = Object.keys(shownUnitItem(model, item));
          return Object.fromEntries(names.map((name) => [name, all[name]]));
        }),
      };
    });
    assert.deepEqual(seen, {
      at: model.time,
      balances: addresses.map((address) => model.balances(address)),
      drafts: addresses.map((address) =>
        model.drafts(address).map(({ name, saved }) => ({ name, saved })),
      ),
      projects: [...model.projects.values()],
      items: [...model.items.values()],
      itemOffers: [...model.itemOffers.values()],
      unitOffers: [...model.unitOffers.values()],
      unitItems: [...model.unitItems.values()].map((item) => shownUnitItem(model, item)),
    });
  }

  #compareRows(): void {
    const { model } = this;
    const { database } = this.ledger;
    const listings = (table: string): readonly Stored[] =>
      documents<Stored>(database, table).map(
        ({ itemOrder: _, projectOrder: __, order: ___, ...listing }) => listing,
      );
    assert.deepEqual(documents(database, "token"), [...model.tokens.values()]);
    assert.deepEqual(listings("token_listing"), [...model.tokenListings.values()]);
    assert.deepEqual(listings("unit_listing"), [...model.unitListings.values()]);
    assert.deepEqual(
      ["item", "project", "unit_item"].map((table) => documents(database, table).length),
      [model.items.size, model.projects.size, model.unitItems.size],
    );
    const holdings = [...model.unitItems.keys()].flatMap((item) =>
      model.holders(item).map((address) => {
        const { balance, sale, auction } = model.units(item, address);
        return [address, item, balance, sale, auction].join(" ");
      }),
    );
    const held = documents<Stored>(database, "holding")
      .map(({ address, item, balance, saleamount, auctionamount }) =>
        [address, item, balance, saleamount, auctionamount].join(" "),
      )
      .filter((line) => !line.endsWith(" 0 0 0"));
    assert.deepEqual(held.sort(), holdings.sort());
  }

  /** Reserves, bids, listed goods and offered coins are in the escrows of the model. */
  #checkEscrows(): void {
    const { model } = this;
    for (const item of model.unitItems.values()) {
      for (const [token, each] of item.reserve) {
        assert.equal(model.held(item.id, token), each * (item.total - item.melted));
      }
    }
    for (const { dexid, state, sell_token, auction_current_price } of model.unitListings.values()) {
      const bid = state === "open" ? BigInt(auction_current_price || 0) : 0n;
      assert.equal(model.held(dexid, sell_token), bid);
    }
    for (const one of model.tokenListings.values()) {
      const isOpen = one.state === "open";
      const goods = isOpen && one.side !== "buy" ? one.remain_amount : "0";
      const payment = one.side === "buy" ? one.buy_price_total : one.auction_current_price;
      assert.equal(model.held(one.dexid, one.mrc010), BigInt(goods));
      // A closed request holds nothing, and the field shows that.
      const token = one.side === "buy" ? one.buy_token : one.sell_token;
      const held = isOpen || one.side === "buy" ? BigInt(payment || 0) : 0n;
      assert.equal(model.held(one.dexid, token), held);
    }
    for (const { offerid, token, held } of [
      ...model.itemOffers.values(),
      ...model.unitOffers.values(),
    ]) {
      assert.equal(model.held(offerid, token), BigInt(held));
    }
  }
}

function idOf(entry: ModelEntry): string {
  return "offerid" in entry ? entry.offerid : "dexid" in entry ? entry.dexid : entry.id;
}

/** Records show a new entry in full, and of a changed entry the changed members. */
function checkEntries(record: TransactionRecord, { sent, shown, unitItems }: JudgedTrade): void {
  const ofEntries = record.effects.filter(({ item }) => item !== undefined && !unitItems.has(item));
  const ids = shown.map(({ after }) => idOf(after));
  assert.deepEqual(
    ofEntries.map(({ item, values }) => [item, values]),
    shown.map((entry, index) => {
      const id = ids[index] as string;
      return [id, shownValues(entry, ids.indexOf(id) === index, DERIVED)];
    }),
    sent.op,
  );
}

/** The same for the members of unit items that the model has. */
function checkUnitItems(record: TransactionRecord, { sent, unitItems }: JudgedTrade): void {
  for (const { item, type, values } of record.effects) {
    const change = unitItems.get(item ?? "");
    if (change !== undefined) {
      const known = Object.entries(values).filter(([name]) => name in change.after);
      const isMade = type === "mrc402_create";
      assert.equal(change.before === undefined, isMade, sent.op);
      const names = Object.keys(
        isMade ? withoutDefaults(change.after) : shownValues(change, true, DERIVED_OF_UNITS),
      );
      assert.deepEqual(known.map(([name]) => name).sort(), names.sort(), sent.op);
      assert.deepEqual(
        isMade ? [] : DERIVED_OF_UNITS.filter((name) => name in values),
        [],
        sent.op,
      );
    }
  }
}

/** The payments text lists the movements, and each payee has a record of its payment. */
function checkPayments(record: TransactionRecord, { sent, payments }: JudgedTrade): void {
  const texts = record.effects
    .flatMap(({ parameters }) => parameters)
    .filter((text) => text.startsWith('[{"from_addr"'));
  // Payments of melted units are only in records of the payees.
  const isTold = payments.length > 0 && sent.op !== "mrc402melt";
  for (const text of isTold ? [...texts, texts[0] ?? "[]"] : texts) {
    assert.deepEqual(JSON.parse(text), payments, sent.op);
  }
  const received = record.effects
    .filter(
      ({ type, parameters }) =>
        /^receive_(mrc[0-9]+)?(fee|sell|auction|refund|melt)/.test(type) && parameters[2] !== "0",
    )
    .map(({ address, parameters }) => [address, ...parameters.slice(1, 4)].join(" "));
  const paid = payments
    .filter(({ type }) => /_recv_(fee|sell|auction|refund|melt)/.test(type))
    .map(({ to_addr: to, amount, token }) => [to, to, amount, token].join(" "));
  assert.deepEqual(received.sort(), paid.sort(), sent.op);
}

/** Compares a run of random batches with the model. A whole run is also replayed. */
function check(
  tally: Tally,
  isWhole: boolean,
  lacking?: () => readonly string[],
): fc.IAsyncProperty<[readonly Batch[]]> {
  const runs = fc.array(timedBatches(steps), { minLength: 1, maxLength: 30, size: "max" });
  return agreement(runs, tally, (ledger) => new Run(ledger, tally, isWhole, lacking), { isWhole });
}

test(`conventions §6.3, mrc402 §2.2, batches §2, policies §3: ${RANDOM_OPERATIONS} random operations of tokens, projects, items and units, their trades and offers, with policies, and groups of them: outcomes, balances, entries, holdings and payments are those of a simple model, no unit is created or lost, and replay gives the same state`, async () => {
  await repeatRuns((tally) => fc.assert(check(tally, true), { numRuns: 3, ...LIMIT }));
});

/**
 * Outcomes that must occur, so that the test above covers them: each operation accepted, and
 * refused for the reasons of its section.
 */
const TO_OCCUR = {
  transfer: "done repeat 2020 3090 4001 5001",
  tokensave: "done repeat 1003 1004 1007 1101 1102 1103 2020 3005 3090",
  tokencreate: "done repeat 2010 2020 6010",
  tokenburn: "done repeat 1206 2020 4001 5000 7001",
  tokenincrease: "done repeat 1101 1206 2020 4001 7001",
  tokenupdate: "done repeat 1000 2020 4001 4900 7001",
  mrc010sell: "done repeat 1101 1104 1107 2020 3005 3090 4001 5000",
  mrc010unsell: "done repeat 2020 6004 7101 7102 7103",
  mrc010buy: "done repeat 1101 1107 2020 3004 3005 3090 5000 6004 7101 7102 7103 7203",
  mrc010reqsell: "done repeat 1101 1104 1107 2020 3005 3090 4001 5000",
  mrc010unreqsell: "done repeat 2020 6004 7101 7102 7103",
  mrc010acceptreqsell: "done repeat 1101 1107 2020 3004 3005 3090 5000 6004 7101 7102 7103",
  mrc010auction: "done repeat 1101 1102 1104 1107 2020 3005 3090 4001 5000",
  mrc010unauction: "done repeat 2020 6004 7101 7102 7103 7104 7202",
  mrc010bid: "done repeat 1101 1107 2020 3004 3090 5000 6004 7101 7102 7103 7105 7202 7203",
  mrc010auctionfinish: "done 6004 7101 7102 7103 7201",
  mrc400create: "done repeat 3005 3190",
  mrc400update: "done repeat 1007 1101 1102 2020 3005 3090 4900 6004 7121",
  mrc401create: "done repeat 1007 3002 3004 3005 4001 5000 6004 7002 7109 7111",
  mrc401update: "done repeat 1007 3004 3005 4900 6004 7002 7110 7119 7121",
  mrc401transfer: "done repeat 1005 3005 3201 6004 7001 7108 7109 7110 7120 7122 7206 7207 7208",
  mrc401sell: "done repeat 1005 3004 3005 3022 4001 6004 7001 7108 7109 7110 7120 7207 7208",
  mrc401unsell: "done repeat 3004 6004 7001 7106",
  mrc401buy: "done repeat 3004 5000 6004 7106 7109 7110 7112 7122 7202 7203 7207",
  mrc401melt: "done 6004 7001 7108 7110 7204",
  mrc401auction:
    "done repeat 1101 1102 3004 3005 3022 4001 6004 7001 7108 7109 7110 7120 7207 7208",
  mrc401unauction: "done 3004 6004 7001 7104 7106",
  mrc401bid: "done repeat 3004 3022 5000 6004 7105 7106 7109 7110 7112 7122 7202",
  mrc401auctionfinish: "done 7106 7201",
  mrc401offer: "done repeat 1101 1102 3004 3005 4001 5000 6004 7109 7110",
  mrc401acceptoffer:
    "done repeat 1000 3004 3022 6004 7001 7106 7108 7109 7110 7112 7120 7122 7202 7207 7208",
  mrc401unoffer: "done 6004 7001 7106",
  mrc401offerfinish: "done 7106 7201",
  mrc402create: "done 2020 3005 5000 7002 7111",
  mrc402transfer: "done 1206 3201 5000 7001 7108 7109 7120 7122",
  mrc402mint: "done 3005 5000 7002",
  mrc402burn: "done 5000 7002 7108",
  mrc402melt: "done 5000 7001 7108 7204",
  mrc402update: "done 3005 4900 7002",
  mrc402itemupdate: "done 3005 4900 7002 7119",
  mrc402sell: "done 3005 3022 5000 7001 7108 7109 7120",
  mrc402unsell: "done 7001 7101 7102 7107",
  mrc402buy: "done 3004 5000 7101 7102 7107 7109 7112 7202 7203",
  mrc402auction: "done 1102 3005 5000 7001 7108 7109 7120",
  mrc402unauction: "done 7001 7101 7102 7104 7107",
  mrc402bid: "done 3004 7102 7105 7107 7112 7202",
  mrc402auctionfinish: "done 7102 7106 7201",
  mrc402offer: "done 1102 3005 5000 7109",
  mrc402acceptoffer: "done 3004 3022 5000 7001 7106 7108 7109 7112 7120 7122 7202",
  mrc402unoffer: "done 7001 7106",
  mrc402offerfinish: "done 7106 7201",
  movement:
    "mrc401_buy mrc401_bid mrc401_recv_fee mrc401_recv_sell mrc401_recv_auction mrc401_recv_refund mrc401_recv_meltfee mrc401_recv_melt",
};

/** Most runs until every outcome has occurred. */
const RUNS_MAX = 150;

test("among random operations each is accepted and refused for each of its reasons", async () => {
  const tally: Tally = new Map();
  const types = (["tokens", "items", "units"] as const).flatMap((of) => [...typesOf(of)]);
  const wanted = [
    ...Object.entries(TO_OCCUR).flatMap(([what, outcomes]) =>
      outcomes.split(" ").map((one) => `${what} ${one}`),
    ),
    ...types.map((type) => `record ${type}`),
  ];
  // Made by the random operations of another test.
  const missing = (): readonly string[] =>
    wanted.filter((one) => !tally.has(one) && one !== "record multi_transfer");
  const lacking = (): readonly string[] =>
    missing().filter((one) => /^(token|mrc|transfer)/.test(one));
  for (let seed = 1; seed <= RUNS_MAX && missing().length > 0; seed += 1) {
    await fc.assert(check(tally, false, lacking), { numRuns: 1, seed, endOnFailure: true });
  }
  assert.deepEqual(missing(), []);
  const withUsedKey = [...tally.keys()].filter((outcome) => outcome.endsWith(" 2021"));
  assert(withUsedKey.length >= 5, "a used key is refused whatever the operation");
});
