import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address, TransactionRecord } from "@moneta/protocol";
import fc from "fast-check";
import { ITEM } from "../../state/item-entry.ts";
import { ITEM_OFFER } from "../../state/offer-entry.ts";
import { PROJECT } from "../../state/project-entry.ts";
import { typesOf } from "../catalogue.ts";
import { documents } from "../ledger-snapshot.ts";
import { type ShownEntry, shownValues } from "../shown/watched-entries.ts";
import type { TestLedger } from "../test-ledger.ts";
import type { ItemShown } from "../trade/item-terms.ts";
import { type Element, ItemModel, type ModelEntry } from "./item-model.ts";
import { type ItemStep, ItemTraders, itemSteps } from "./item-operations.ts";
import {
  agreement,
  balancesNow,
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
  tellMoney,
  timedBatches,
} from "./random-runs.ts";
import type { ModelPayment, Sent } from "./token-model.ts";

type Batch = TimedBatch<ItemStep>;

const runs: fc.Arbitrary<readonly Batch[]> = fc.array(
  timedBatches(fc.array(itemSteps, { minLength: 1, maxLength: 8 })),
  { minLength: 1, maxLength: 30, size: "max" },
);

const SHOWN = { item_url: "https://rpg.example/1", item_image_url: "https://rpg.example/1.png" };

/** An operation, what should become of it, and what its records should show. */
interface JudgedItems extends Judged {
  readonly payments: readonly ModelPayment[];
  readonly shown: readonly ShownEntry<ModelEntry>[];
  readonly told: readonly string[];
}

class Run implements Modelled<JudgedItems> {
  readonly ledger: TestLedger;
  readonly model: ItemModel = new ItemModel();
  readonly traders: ItemTraders;
  readonly #tally: Tally;
  readonly #isToTheSecond: boolean;
  readonly #blocks: JudgedBlocks<JudgedItems>;

  constructor(ledger: TestLedger, tally: Tally, isToTheSecond: boolean) {
    this.ledger = ledger;
    this.#isToTheSecond = isToTheSecond;
    this.#tally = tally;
    this.#blocks = new JudgedBlocks(ledger, this, tally, inGroups(ledger));
    this.traders = new ItemTraders(ledger, this.model);
  }

  /**
   * An issuer of two tokens, an owner with a project, a partner, a seller, a creator and two
   * others, all with money. One of the others has a project, too, and there are some items, not all
   * of them fresh, and others under policies that the project has had.
   */
  async begin(): Promise<void> {
    const { ledger, model, traders } = this;
    const { treasury } = ledger;
    const created = await ledger.createAddresses(6);
    const [o, p, s, c, a, b] = created as [Address, Address, Address, Address, Address, Address];
    const { money } = model;
    tellMoney(money, ledger, created);
    const reserve = JSON.stringify(created.map((address) => ({ address, value: "1000" })));
    const names = ["Gold", "Salt"];
    const pay = (to: Address): Sent =>
      traders.signed("transfer", treasury, { from: treasury, to, token: "0", amount: "2000" });
    const save = (name: string): Sent => {
      const draft = { owner: treasury, symbol: "X", name, totalsupply: "9000", reserve };
      return traders.signed("tokensave", treasury, draft);
    };
    const create = (name: string): Sent =>
      traders.signed("tokencreate", treasury, {}, undefined, { name });
    const roles = { [p]: "partner", [s]: "seller", [c]: "creator" };
    for (const sents of [
      [...created.map(pay), ...names.map(save)],
      names.map(create),
      [traders.project(o, roles), traders.project(a, { [p]: "creator" }, { allowtoken: "1" })],
    ]) {
      await this.#blocks.execute(sents.length, (index) => sents[index] as Sent);
    }
    assert.deepEqual([...money.tokens.keys()], ["0", "1", "2"]);
    const [q = "", other = ""] = model.projects.keys();
    const terms = { initial_reserve: "100", sell_fee: "10", melt_fee: "12.5" };
    const itemdata = JSON.stringify([terms, { ...terms, transferable: "Temporary" }]);
    await this.#blocks.execute(2, (index) =>
      index === 0
        ? traders.signed("mrc401create", o, { mrc400id: q, itemdata })
        : traders.signed("mrc401create", a, { mrc400id: other, itemdata }),
    );
    const items = JSON.stringify([...model.items.keys()].slice(0, 2));
    const given = { itemdata: items, fromAddr: o, toAddr: b };
    await this.#blocks.execute(1, () => traders.signed("mrc401transfer", o, given));
    const { time } = model;
    const face_price = "40";
    const bounded: readonly (readonly [policy: object, ...elements: Element[]])[] = [
      [{ maxheld: 1 }, { to: a }, {}, {}],
      [
        { cooldown: 3600, maxprice: "200" },
        { face_price, to: b },
      ],
      [
        { transfers: "market", maxprice: "110" },
        { face_price, to: a },
      ],
      [{ opens: time + 3000, closes: time + 20_000 }, { to: b }],
      [{ transfers: "issuer" }, { to: a }, {}],
      [{ terms: "fixed" }, { ...terms, transferable: "Temporary", expiredate: time + 50_000 }],
      [{}, { ...SHOWN, frozen: String(time) }, { to: b, transferable: "Bound" }],
    ];
    for (const [policy, ...elements] of bounded) {
      const [of, signed] = [{ mrc400id: q }, "full"];
      const given = { ...of, policy: JSON.stringify(policy), signed };
      const made = { ...of, itemdata: JSON.stringify(elements) };
      await this.#blocks.execute(2, (index) =>
        index === 0
          ? traders.signed("mrc400update", o, given)
          : traders.signed("mrc401create", o, made),
      );
    }
    assert.equal(model.items.size, 15);
    // An offer for a project is for what was there before.
    ledger.now += 1;
    const offered = { token: "0", end: String(time + 7_776_000), signed: "full" };
    await this.#blocks.execute(4, (index) => {
      const offer = { id: q, buyer: c, price: String(10 + index), ...offered };
      return traders.signed("mrc401offer", c, offer);
    });
  }

  async batch(batch: Batch): Promise<void> {
    const { steps } = batch;
    passTime(this.ledger, batch);
    if (this.#isToTheSecond) {
      comeToMoment(this.ledger, this.model.moments(), steps[0]?.picks.at(-1));
    }
    await this.#blocks.execute(steps.length, (index) =>
      this.traders.send(steps[index] as ItemStep),
    );
  }

  setTime(time: number): void {
    this.model.time = time;
  }

  judge(sent: Sent): JudgedItems {
    const wanted = this.model.judge(sent);
    const { payments, shown, told, isAlone } = this.model;
    for (const { type } of payments) {
      count(this.#tally, `movement ${type}`);
    }
    return { sent, wanted, payments, shown, told, isAlone };
  }

  checkRecord(record: TransactionRecord, judged: JudgedItems): void {
    checkRecord(record, judged);
  }

  compare(): void {
    const { ledger, model } = this;
    const { money } = model;
    const seen = ledger.reading(() => {
      const { state } = ledger.reader;
      return {
        ...balancesNow(ledger, money.addresses),
        projects: [...model.projects.keys()].map((id) => {
          const project = state.find(PROJECT, id);
          return project && PROJECT.view?.(project, state);
        }),
        items: [...model.items.keys()].map((id) => {
          const item = state.find(ITEM, id);
          return item && ITEM.view?.(item, state);
        }),
        offers: [...model.offers.keys()].map((id) => {
          const offer = state.find(ITEM_OFFER, id);
          return offer && ITEM_OFFER.json(offer);
        }),
      };
    });
    assert.deepEqual(seen, {
      at: model.time,
      balances: money.addresses.map((address) => money.balances(address)),
      projects: [...model.projects.values()],
      items: [...model.items.values()],
      offers: [...model.offers.values()],
    });
    assert.equal(documents(ledger.database, "item").length, model.items.size);
    assert.equal(documents(ledger.database, "project").length, model.projects.size);
  }
}

/**
 * A record shows what an operation has made of projects and items, what it has paid to whom, and
 * whom it has told.
 */
function checkRecord(
  record: TransactionRecord,
  { sent, payments, shown, told }: JudgedItems,
): void {
  const ofEntries = record.effects.filter(({ item }) => item !== undefined);
  const ofAddresses = record.effects.filter(({ address }) => address !== "");
  if (/^mrc40/.test(sent.op)) {
    assert.deepEqual(
      ofEntries.map(({ values: shownAs }) => shownAs),
      shown.map((entry, index) =>
        shownValues(entry, index === shown.findIndex((one) => isOfSame(one, entry)), [
          "holder",
          "melting_fee",
          "policy",
        ]),
      ),
      sent.op,
    );
  }
  const [item] = shown as readonly ShownEntry<ItemShown>[];
  const isOfOne = shown.length === 1 || sent.op === "mrc401acceptoffer";
  if (item !== undefined && isOfOne) {
    const { id } = item.after;
    const text = ofEntries[0]?.parameters.find((parameter) =>
      parameter.startsWith('[{"from_addr"'),
    );
    assert.deepEqual(JSON.parse(text ?? "[]"), payments, sent.op);
    const received = ofAddresses.filter(
      ({ type }) =>
        type.startsWith("receive_") &&
        !["receive_mrc401", "receive_mrc401acceptoffer"].includes(type),
    );
    assert.deepEqual(
      received.map(({ address, parameters }) => [address, ...parameters.slice(1, 4)]),
      payments
        .filter(({ to_addr: to }) => to !== id)
        .map(({ to_addr: to, amount, token }) => [to, to, amount, token]),
      sent.op,
    );
  }
  const toOwners = ofAddresses.filter(({ type }) => type === record.type);
  assert.deepEqual(
    toOwners.map(({ address }) => address),
    told,
    sent.op,
  );
}

function idOf(entry: ModelEntry): string {
  return "offerid" in entry ? entry.offerid : entry.id;
}

function isOfSame(a: ShownEntry<ModelEntry>, b: typeof a): boolean {
  return idOf(a.after) === idOf(b.after);
}

function check(tally: Tally, isToTheSecond = false): fc.IAsyncProperty<[readonly Batch[]]> {
  return agreement(runs, tally, (ledger) => new Run(ledger, tally, isToTheSecond));
}

test(`mrc401 §18 row 80, batches §3 row 20, policies §10 row 20: ${RANDOM_OPERATIONS} random operations of projects and items, and groups of them: outcomes, balances, items and payments are those of a simple model, no unit is created or lost, and replay comes to the same`, async () => {
  await repeatRuns((tally) => fc.assert(check(tally, true), { numRuns: 10, ...LIMIT }));
});

/**
 * What has to come up, lest the test above say nothing: each operation accepted, and what its
 * section refuses.
 */
const TO_OCCUR = {
  transfer: "done repeat 5001",
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
  movement:
    "mrc401_buy mrc401_bid mrc401_recv_fee mrc401_recv_sell mrc401_recv_auction mrc401_recv_refund mrc401_recv_meltfee mrc401_recv_melt",
};

/**
 * The codes of mrc401 §3 to §17, but for those of signatures, which the ledger does not check, and of
 * paths.
 */
const CODES =
  "1000 1005 1007 1101 1102 3002 3004 3005 3190 3201 4900 5000 2020 7001 7002 3090 4001 6004 2021 7104 7105 7106 7108 7109 7110 7111 7112 7119 7120 7121 7122 7201 7202 7203 7204 7206 7207 7208 3022";

test("random operations of projects and items come to all that the chapter has", async () => {
  const tally: Tally = new Map();
  await fc.assert(check(tally), { numRuns: 100, seed: 1 });
  const wanted = Object.entries(TO_OCCUR).flatMap(([what, outcomes]) =>
    outcomes.split(" ").map((one) => `${what} ${one}`),
  );
  const types = [...typesOf("items")].map((type) => `record ${type}`);
  assert.deepEqual(
    [...wanted, ...types].filter((one) => !tally.has(one)),
    [],
  );
  const all = new Set([...tally.keys()].map((name) => name.split(" ")[1]));
  assert.deepEqual(
    CODES.split(" ").filter((code) => !all.has(code)),
    [],
  );
});
