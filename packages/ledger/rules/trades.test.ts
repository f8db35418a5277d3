import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { PROTOCOL, type ProtocolEntry } from "../state/entries.ts";
import type { Params, Request } from "../testing/admitted.ts";
import type { Answer } from "../testing/answer.ts";
import { TestClient } from "../testing/test-client.ts";
import { createItems, createProject, createUnitItems } from "../testing/trade/creations.ts";

// Rules that the markets of tokens, items and units share: each row of their chapters once, for all
// kinds. O receives 10 % of every trade: as the platform of tokens, as the owner of the project of
// items and units. A lists, B and D buy and bid. `Stall` has the differences between the kinds, and
// sends for each kind what is named for one: POST /mrc402/unsell, /mrc402/unauction, /mrc402/unoffer.

const KINDS = ["mrc010", "mrc401", "mrc402"] as const;
type Kind = (typeof KINDS)[number];

const DAY = 86_400;
/** The token whose units are goods. */
const GOODS = "3";
const NAMES = ["o", "a", "b", "d", "m", "p"] as const;
type Name = (typeof NAMES)[number];

/** Lots of 5 from 100 on in steps of 5, or bought at once for 500; sales of 10 for 30 each. */
const LOT = { start: "100", bidding: "5", buynow: "500", token: "0" };
const SALE = { price: "30", token: "0" };
const [LOT_AMOUNT, SALE_AMOUNT] = ["5", "10"];

type Terms = Readonly<Record<string, string>>;

/** What tokens and units call the terms of an auction that items have in `itemdata`. */
const WIRE_NAMES: Terms = {
  start: "auction_start_price",
  bidding: "auction_bidding_unit",
  buynow: "auction_buynow_price",
  begin: "auction_start_date",
  end: "auction_end_date",
};

/** Refuses a purchase, a bid or a settlement of a listing that has ended. */
const CLOSED = { mrc010: "409 7102", mrc401: "409 7106", mrc402: "409 7102" };
/** Refuses the seller who cancels then. The seller of an item holds it no longer. */
const TAKEN = { ...CLOSED, mrc401: "403 7001" };

let client: TestClient;
let people: Readonly<Record<Name, Address>>;
let project: string;
before(async () => {
  client = await TestClient.open({ tokens: 9 });
  people = await client.people(NAMES, { coins: 1_000_000n });
  for (const address of Object.values(people)) {
    await client.pay(address, 1_000_000n, { token: "2" });
  }
  await client.pay(people.a, 1_000_000n, { token: GOODS });
  project = await createProject(client, people.o, { creator: [people.m], seller: [people.p] });
});
after(() => client[Symbol.dispose]());

/** Goods of a kind that A holds; lists them, buys them and bids. */
class Stall {
  readonly kind: Kind;
  /** The id of the item of items and units. */
  item: string;
  /** The id that buyers and bidders send: of the newest listing, or of the item. */
  id = "";
  /** `itemdata` as it was sent last. */
  itemdata = "";
  readonly #people: Record<string, Address>;

  constructor(kind: Kind, item: string) {
    this.kind = kind;
    this.item = item;
    this.#people = { ...people };
  }

  static async open(kind: Kind, terms: Params = {}, holder: Name = "a"): Promise<Stall> {
    const element = { to: people[holder], sell_fee: "10", ...terms };
    const [item = ""] =
      kind === "mrc401"
        ? await createItems(client, project, people.o, element)
        : kind === "mrc402"
          ? await createUnitItems(client, project, people.o, { totalsupply: "50", ...element })
          : [""];
    return new Stall(kind, item);
  }

  /** Units that M has created, of which A has all. */
  static async ofMaker(terms: Params): Promise<Stall> {
    const element = { totalsupply: "50", sell_fee: "10", ...terms };
    const [item = ""] = await createUnitItems(client, project, people.m, element);
    const given = { mrc402id: item, toAddr: people.a, amount: "50" };
    await client.done("mrc402transfer", people.m, given);
    return new Stall("mrc402", item);
  }

  /** The listing, as its `GET` shows it; of an item the item. */
  get shown(): Readonly<Record<string, string | number>> {
    return client.entry(this.id);
  }

  get end(): number {
    return Number(this.shown[this.kind === "mrc401" ? "auction_end" : "auction_end_date"]);
  }

  async list(side: "sell" | "reqsell" | "auction", terms: Terms = {}, by = "a"): Promise<Answer> {
    const { kind, item } = this;
    const isSale = side !== "auction";
    const sale = kind === "mrc401" ? { ...SALE, price: "300" } : SALE;
    const all: Terms = { ...(isSale ? sale : LOT), ...terms };
    const amount = isSale ? SALE_AMOUNT : LOT_AMOUNT;
    const named = Object.fromEntries(
      Object.entries(all).map(([name, value]) => [WIRE_NAMES[name] ?? name, value]),
    );
    const platform = { platform_address: people.o, platform_commission: "10" };
    const sent = {
      mrc010: { mrc010id: GOODS, amount, ...platform, ...named },
      mrc401: { itemdata: [{ id: item, ...all }] },
      mrc402: { id: item, amount, ...named },
    }[kind];
    const isFull =
      kind !== "mrc401" && ["sell_start", "sell_end", "extend"].some((n) => n in terms);
    const signed = isFull ? { signed: "full" } : {};
    const answer = await this.send(side, by, { ...sent, ...signed } as Params);
    this.id = kind === "mrc401" ? item : (answer.made[0] ?? this.id);
    return answer;
  }

  /** `by` is a name or an address. */
  send(word: string, by: string, params: Params): Promise<Answer> {
    this.itemdata = JSON.stringify(params["itemdata"] ?? "");
    return client.send(`${this.kind}${word}`, this.#people[by] ?? (by as Address | ""), params);
  }

  /** Buys this amount, or the whole item. */
  buy(by: string, amount: string, more: Params = {}): Promise<Answer> {
    const whole = this.kind === "mrc401" ? {} : { amount };
    return this.send("buy", by, { ...idOf(this.kind, this.id), ...whole, ...more });
  }

  bid(by: string, amount: string, more: Params = {}): Promise<Answer> {
    return this.send("bid", by, { ...idOf(this.kind, this.id), amount, ...more });
  }

  finish(): Promise<Answer> {
    return this.send("auctionfinish", "", idOf(this.kind, this.id));
  }

  takeOff(word: string, by: string): Promise<Answer> {
    const { kind, id } = this;
    return this.send(word, by, kind === "mrc401" ? { itemdata: [id] } : idOf(kind, id));
  }

  /** Creates an address with these coins, none of them locked. */
  async newcomer(name: string, coins: bigint): Promise<void> {
    this.#people[name] = (await client.people([name], { coins }))[name] as Address;
  }

  /** Runs lines such as `b bid 105 -> b -105, d +100` or `b bid 99 -> 400 3004`. */
  async run(...lines: readonly string[]): Promise<void> {
    for (const line of lines) {
      await this.#line(line);
    }
  }

  async #line(line: string): Promise<void> {
    const [act = "", wanted = ""] = line.split(" -> ");
    const [by = "", word = "", amount = ""] = act.split(" ");
    if (by === "end" || by === "later") {
      client.now = (by === "end" ? this.end : client.now) + Number(word || 0);
      return;
    }
    if (by === "new") {
      await this.newcomer(word, BigInt(amount));
      return;
    }
    const answer = await (by === "finish"
      ? this.finish()
      : word === "bid"
        ? this.bid(by, amount)
        : word === "buy"
          ? this.buy(by, amount)
          : this.takeOff(word, by));
    const traded = word === "buy" ? amount : LOT_AMOUNT;
    assert.deepEqual(
      this.#outcomeOf(answer),
      this.#expected(wanted, traded),
      `${this.kind}: ${line}`,
    );
  }

  /** The outcome, money and goods apart. */
  #outcomeOf(answer: Answer): readonly string[] {
    const [code = "", moved = ""] = answer.outcome.split(": ");
    const parts = moved === "" ? [] : moved.split(", ");
    const isOfGoods = (part: string): boolean => / (of 3|units|on sale|on auction)$/.test(part);
    const money = parts.filter((part) => !isOfGoods(part)).sort();
    return [code, ...money, ...parts.filter(isOfGoods).sort()];
  }

  /** `CLOSED` is the code of the kind, `b gets` the goods that change hands. */
  #expected(wanted: string, amount: string): readonly string[] {
    const refused = { CLOSED, TAKEN }[wanted]?.[this.kind] ?? wanted;
    if (refused.startsWith("4")) {
      return [refused];
    }
    const parts = wanted === "" ? [] : wanted.split(", ");
    const isOfGoods = (part: string): boolean => / (gets|gets all)$/.test(part);
    const goods = parts.filter(isOfGoods).flatMap((part) => this.#goods(part, amount));
    return ["done", ...parts.filter((part) => !isOfGoods(part)).sort(), ...goods.sort()];
  }

  #goods(part: string, amount: string): readonly string[] {
    const [buyer = ""] = part.split(" ");
    const side = this.shown["side"] === "sell" ? "on sale" : "on auction";
    return {
      mrc010: [`${buyer} +${amount} of ${GOODS}`],
      mrc401: [],
      mrc402: [`a -${amount} ${side}`, `${buyer} +${amount} units`],
    }[this.kind];
  }
}

/** The parameter that names a listing, or an item. */
function idOf(kind: Kind, id: string): Params {
  return { mrc010: { dexid: id }, mrc401: { mrc401id: id }, mrc402: { id } }[kind];
}

/** A test for each kind that a row is for. */
function row(
  what: string,
  run: (stall: Stall) => Promise<void>,
  kinds: readonly Kind[] = KINDS,
): void {
  for (const kind of kinds) {
    test(`${what}: ${kind}`, async () => run(await Stall.open(kind)));
  }
}

const LISTED: readonly Kind[] = ["mrc010", "mrc402"];

row("tokens §13 rows 2 to 4, mrc401 §18 row 41, mrc402 §18 row 27: all at once", async (stall) => {
  await stall.list("sell");
  await stall.run(
    "a buy 10 -> 400 3004",
    "b buy 10 -> o +30, a +270, b -300, b gets",
    "d buy 10 -> CLOSED",
    "a unsell -> TAKEN",
  );
});

row(
  "tokens §13 rows 2, 3 and 4, mrc402 §18 row 27: in parts, each with a fee of its own, rounded down",
  async (stall) => {
    await stall.list("sell", { price: "33" });
    await stall.run(
      "b buy 0 -> 400 1107",
      "b buy 11 -> 400 3004",
      "b buy 1 -> o +3, a +30, b -33, b gets",
      "d buy 4 -> o +13, a +119, d -132, d gets",
      "b buy 6 -> 400 3004",
    );
    const { state, remain_amount: remain, buyer } = stall.shown;
    assert.deepEqual([state, remain, buyer], ["open", "5", people.d]);
    await stall.run("b buy 5 -> o +16, a +149, b -165, b gets", "b buy 1 -> CLOSED");
    const { sell_date, ...sold } = stall.shown;
    assert.deepEqual([sold["state"], sold["buyer"], sell_date], ["sold", people.b, client.now]);
  },
  LISTED,
);

row(
  "mrc401 §2.4, market §2.4: a buyer that receives a fee needs the whole price, too",
  async (stall) => {
    await stall.list("sell");
    await stall.run("o buy 10 -> o -270, a +270, o gets");
  },
);

for (const { coins, wanted } of [
  { coins: "299", wanted: "400 5000" },
  { coins: "300", wanted: "o +30, a +270, e -300, e gets" },
]) {
  row(`tokens §8, mrc401 §12, market §2.4: with ${coins} coins`, async (stall) => {
    await stall.list("sell");
    await stall.run(`new e ${coins}`, `e buy 10 -> ${wanted}`);
  });
}

row("accounts §8.3: locked coins cannot be bid", async (stall) => {
  const poor = (await client.people(["poor"], { coins: 99n })).poor;
  await client.pay(poor, 1000n, { unlockdate: client.now + 2 * DAY });
  await stall.list("auction");
  assert.equal((await stall.bid(poor, "100")).code, "400 5000");
  await client.pay(poor, 1n);
  assert.equal((await stall.bid(poor, "100")).outcome, "done: poor -100");
});

row("mrc401 §10, §12: a sale is open from its start to its end", async (stall) => {
  const [start, end] = [client.now + 600, client.now + 900];
  await stall.list("sell", { sell_start: String(start), sell_end: String(end) });
  client.now = start - 1;
  await stall.run("b buy 10 -> 409 7203");
  client.now = end;
  await stall.run("b buy 10 -> 409 7202");
  for (const [terms, reported] of [
    [{ sell_start: client.now + 31_536_001 }, "400 3005"],
    [{ sell_end: client.now }, "400 3005"],
    [{ sell_start: client.now + 10, sell_end: client.now + 10 }, "400 3005"],
    [{ sell_start: client.now + 10, sell_end: client.now + 11 }, "done"],
  ] as const) {
    const other = await Stall.open(stall.kind);
    const texts = Object.entries(terms).map(([name, time]) => [name, String(time)]);
    const answer = await other.list("sell", Object.fromEntries(texts));
    assert.equal(answer.code, reported);
  }
});

row("mrc401 §12: the first second and the last of a sale", async (stall) => {
  const other = await Stall.open(stall.kind);
  const [start, end] = [client.now + 600, client.now + 900];
  for (const one of [stall, other]) {
    await one.list("sell", { sell_start: String(start), sell_end: String(end) });
  }
  client.now = start;
  await stall.run("b buy 10 -> o +30, a +270, b -300, b gets");
  client.now = end - 1;
  await other.run("b buy 10 -> o +30, a +270, b -300, b gets");
});

row(
  "market §2.1: the end of a sale needs a full signature where the signed string lacks it",
  async (stall) => {
    const goods = stall.kind === "mrc010" ? { mrc010id: GOODS } : { id: stall.item };
    const sale = { ...goods, ...SALE, amount: SALE_AMOUNT, sell_end: String(client.now + DAY) };
    assert.equal((await stall.send("sell", "a", sale)).code, "401 2010");
  },
  LISTED,
);

row("market §2.4: two buyers in one block", async (stall) => {
  await stall.list("sell");
  const isOne = stall.kind === "mrc401";
  const buying = (["b", "d"] as const).map((by): Request => {
    const sent = { ...idOf(stall.kind, stall.id), ...(isOne ? {} : { amount: "6" }) };
    return [`${stall.kind}buy`, people[by], sent];
  });
  const codes = (await client.block(buying)).map(({ code }) => code);
  assert.deepEqual(codes, ["done", isOne ? "409 7106" : "400 3004"]);
});

row("market §3, mrc401 §18 row 68: bids are steps", async (stall) => {
  await stall.list("auction");
  await stall.run(
    "b bid 99 -> 400 3004",
    "b bid 95 -> 400 3004",
    "b bid 102 -> 400 3004",
    "b bid 100 -> b -100",
    "d bid 100 -> 400 3004",
    "d bid 106 -> 400 3004",
    "d bid 105 -> b +100, d -105",
  );
  const { auction_current_price: price, auction_current_bidder: bidder } = stall.shown;
  assert.deepEqual([price, bidder], ["105", people.d]);
});

row("tokens §13 row 31, market §3.3, market §3: outbidding", async (stall) => {
  await stall.list("auction");
  await stall.run(
    "b bid 100 -> b -100",
    "d bid 105 -> b +100, d -105",
    "d bid 110 -> 409 7105",
    "b bid 501 -> 400 3004",
    "a bid 110 -> 400 3004",
    "a unauction -> 409 7104",
    "b bid 495 -> b -495, d +105",
  );
});

row("tokens §13 row 31, mrc401 §18 row 70, mrc402 §18 row 51: the buy-now price", async (stall) => {
  await stall.list("auction");
  await stall.run(
    "d bid 105 -> d -105",
    "later 9",
    "b bid 500 -> o +50, a +450, b -500, d +105, b gets",
    "d bid 500 -> CLOSED",
    "finish -> CLOSED",
    "a unauction -> TAKEN",
  );
});

row(
  "market §3.3: a buy-now price that is not a step can be bid, a step above it cannot",
  async (stall) => {
    await stall.list("auction", { buynow: "503" });
    await stall.run(
      "b bid 505 -> 400 3004",
      "d bid 500 -> d -500",
      "b bid 503 -> o +50, a +453, b -503, d +500, b gets",
    );
  },
);

row("market §3.3: without a buy-now price no bid closes", async (stall) => {
  await stall.list("auction", { buynow: "0", bidding: "7", start: "3" });
  await stall.run(
    "b bid 7 -> 400 3004",
    "b bid 10 -> b -10",
    "d bid 1003 -> 400 3004",
    "d bid 1004 -> b +10, d -1004",
    "end",
    "finish -> o +100, a +904, d gets",
  );
});

for (const { coins, wanted } of [
  { coins: "499", wanted: "400 5000" },
  { coins: "500", wanted: "o +50, a +450, e -395, e gets" },
]) {
  row(
    `tokens §12, market §3.3, market §3.3: the leader of 105 with ${coins} in all bids 500`,
    async (stall) => {
      await stall.list("auction");
      await stall.run(`new e ${coins}`, "e bid 105 -> e -105", `e bid 500 -> ${wanted}`);
    },
  );
}

row("tokens §13 row 32, mrc401 §18 row 72, mrc402 §18 row 52: the end", async (stall) => {
  await stall.list("auction");
  await stall.run(
    "b bid 100 -> b -100",
    "d bid 105 -> b +100, d -105",
    "end -1",
    "finish -> 409 7201",
    "b bid 110 -> b -110, d +105",
    "end",
    "d bid 115 -> 409 7202",
    "d bid 500 -> 409 7202",
    "later 500000",
    "finish -> o +11, a +99, b gets",
    "finish -> CLOSED",
  );
});

row("market §3.6, market §3.6, market §3: without bids", async (stall) => {
  await stall.list("auction");
  await stall.run("end -1", "finish -> 409 7201", "end", "b bid 100 -> 409 7202");
  const back = {
    mrc010: "done: a +5 of 3",
    mrc401: "done",
    mrc402: "done: a +5 units, a -5 on auction",
  };
  assert.equal((await stall.finish()).outcome, back[stall.kind]);
  await stall.run("finish -> CLOSED");
  if (stall.kind !== "mrc401") {
    const { state, sell_date, auction_settle_date: settled } = stall.shown;
    assert.deepEqual([state, sell_date, settled], ["failed", 0, client.now]);
  }
});

row(
  "tokens §12, mrc402 §16: an auction begins at its start",
  async (stall) => {
    const begin = client.now + 100;
    await stall.list("auction", { begin: String(begin), end: String(begin + 7200) });
    client.now = begin - 1;
    await stall.run("b bid 100 -> 409 7203", "finish -> 409 7201");
    client.now = begin;
    await stall.run("b bid 100 -> b -100");
  },
  LISTED,
);

row("market §3.2: a soft close moves the end, for a day at most", async (stall) => {
  await stall.list("auction", { extend: "300", buynow: "0" });
  const first = stall.end;
  await stall.run("end -301", "b bid 100 -> b -100");
  assert.equal(stall.end, first);
  let [bidder, other, last] = ["d", "b", 100];
  for (let bids = 0; stall.end < first + DAY; bids += 1) {
    assert.ok(bids < 400);
    await stall.run(
      "end -10",
      `${bidder} bid ${last + 5} -> ${other} +${last}, ${bidder} -${last + 5}`,
    );
    assert.equal(stall.end, Math.min(client.now + 300, first + DAY));
    [bidder, other, last] = [other, bidder, last + 5];
  }
  await stall.run(
    "end -1",
    `${bidder} bid ${last + 5} -> ${other} +${last}, ${bidder} -${last + 5}`,
  );
  assert.equal(stall.end, first + DAY);
});

row(
  "market §3.2: a soft close ends with the longest auction; without one, no bid moves the end",
  async (stall) => {
    const { auctionMax } = client.ledger.ledger.state.find(PROTOCOL, "") as ProtocolEntry;
    const latest = client.now + auctionMax;
    await stall.list("auction", { extend: "300", buynow: "0", end: String(latest - 60) });
    await stall.run("end -10", "b bid 100 -> b -100");
    assert.equal(stall.end, latest);
    const other = await Stall.open(stall.kind);
    await other.list("auction");
    assert.equal(other.shown["auction_latest_end"] ?? 0, 0);
    const { end } = other;
    await other.run("end -1", "b bid 100 -> b -100", "d bid 105 -> b +100, d -105");
    assert.equal(other.end, end);
    assert.equal(other.shown["auction_bid_count"] ?? 2, 2);
  },
);

row("market §3.3: bids and refunds are in the token of the auction", async (stall) => {
  await stall.list("auction", { token: "2" });
  await stall.run(
    "b bid 100 -> b -100 of 2",
    "d bid 500 -> o +50 of 2, a +450 of 2, b +100 of 2, d -500 of 2, d gets",
  );
});

row(
  "mrc401 §2.6, market §2.4: terms that the buyer expects",
  async (stall) => {
    const { kind } = stall;
    const price = kind === "mrc401" ? "300" : "30";
    const sale = await Stall.open(kind, { transferable: "Temporary", melt_fee: "10" });
    await sale.list("sell");
    for (const [expected, reported] of [
      [{ price: "29" }, "409 7112 price"],
      [{ token: "7" }, "409 7112 token"],
      [{ price, token: "7" }, "409 7112 token"],
      [{ price: "x" }, "400 1101 price"],
      [{ token: "x" }, "400 1101 token"],
      [{ maxsellfee: "10" }, "400 3005 maxsellfee"],
      [{ maxsellfee: "9.9999", signed: "full" }, "409 7112 maxsellfee"],
      [{ maxmeltfee: "9.9999", signed: "full" }, "409 7112 maxmeltfee"],
      [{ transferable: "Permanent", signed: "full" }, "409 7112 transferable"],
    ] as const) {
      assert.equal((await sale.buy("b", "10", expected)).summary, reported);
    }
    const good = { maxsellfee: "10", maxmeltfee: "10", transferable: "Temporary", signed: "full" };
    const lot = await Stall.open(kind, { transferable: "Temporary", melt_fee: "10" });
    await lot.list("auction");
    assert.equal((await lot.bid("b", "100", { token: "7" })).summary, "400 3004 token");
    assert.equal((await lot.bid("b", "100", { maxsellfee: "9", signed: "full" })).code, "409 7112");
    assert.equal((await lot.bid("b", "100", { ...good, token: "0" })).summary, "done");
    assert.equal((await sale.buy("b", "10", { ...good, price, token: "0" })).summary, "done");
  },
  ["mrc401", "mrc402"],
);

row(
  "mrc401 §2.4, mrc401 §2.4: Bound goods cannot be bought, but an auction settles",
  async ({ kind }) => {
    const [sale, lot] = [
      await Stall.open(kind, { transferable: "Temporary" }),
      await Stall.open(kind, { transferable: "Temporary" }),
    ];
    await sale.list("sell");
    await lot.list("auction");
    await lot.run("b bid 100 -> b -100");
    const word = kind === "mrc401" ? "update" : "itemupdate";
    for (const { item } of [sale, lot]) {
      const itemdata = [{ id: item, transferable: "Bound" }];
      await client.done(`${kind}${word}`, people.o, { mrc400id: project, itemdata });
    }
    await sale.run("b buy 10 -> 409 7109");
    await lot.run("d bid 105 -> 409 7109", "b bid 500 -> 409 7109", "end");
    await lot.run("finish -> o +10, a +90, b gets");
    assert.equal((await sale.takeOff("unsell", "a")).code, "done");
    assert.equal((await sale.list("sell")).code, "409 7109");
  },
  ["mrc401", "mrc402"],
);

row(
  "mrc401 §2.4, mrc402 §2.6: an auction keeps its fee, changed before and after a bid; the next has the new fee",
  async (stall) => {
    await stall.list("auction");
    const word = stall.kind === "mrc401" ? "update" : "itemupdate";
    const setFee = (sell_fee: string): Promise<Answer> => {
      const itemdata = [{ id: stall.item, sell_fee }];
      return client.done(`${stall.kind}${word}`, people.o, { mrc400id: project, itemdata });
    };
    await setFee("40");
    await stall.run("b bid 100 -> b -100");
    await setFee("50");
    await stall.run("end", "finish -> o +10, a +90, b gets");
    if (stall.kind === "mrc402") {
      await stall.list("auction");
      await stall.run("b bid 500 -> o +250, a +250, b -500, b gets");
    }
  },
  ["mrc401", "mrc402"],
);

row(
  "conventions §7.1: an auction that is over stays over when the clock is set back",
  async (stall) => {
    await stall.list("auction");
    await stall.run("end");
    await client.pay(people.b, 1n);
    await stall.run("later -100", "b bid 100 -> 409 7202");
    assert.equal((await stall.finish()).code, "done");
    client.now += 100;
  },
);

row(
  "mrc401 §2.4, §2.5: S lists for O, which receives everything and cannot bid",
  async (stall) => {
    const [fresh = ""] = await createItems(client, project, people.o, { sell_fee: "10" });
    const sale = new Stall(stall.kind, fresh);
    await sale.list("auction", {}, "p");
    await sale.run("o bid 100 -> 400 3004", "p bid 100 -> p -100", "p bid 500 -> o +500, p -400");
  },
  ["mrc401"],
);

// The order of the checks: each change corrects one fault.

const NOBODY = "MTAlice00000000000000000000000005dc33c90";

/** Listings of A that E cannot buy or bid for, each for another reason, and one that it can. */
async function obstacles(kind: Kind, side: "sell" | "auction", e: Address) {
  const isSale = side === "sell";
  const made = async (terms: Terms = {}, more: Params = {}): Promise<Stall> => {
    const stall = await Stall.open(kind, more);
    await stall.list(side, { ...(!isSale && { end: String(client.now + DAY) }), ...terms });
    return stall;
  };
  const short = { end: String(client.now + 3600) };
  const own = await Stall.open(kind, { to: e });
  if (kind === "mrc010") {
    await client.pay(e, 100n, { token: GOODS });
  }
  const listing = new Map<string, string>();
  const note = (name: string, { id }: Stall): void => void listing.set(name, id);
  const { now } = client;
  const other = await Stall.open(kind);
  await other.list(isSale ? "auction" : "sell");
  note("other side", other);
  const unit = kind === "mrc010" && isSale ? { min_trade_unit: "10" } : {};
  const [cancelled, closed, open] = [await made(), await made(), await made(unit)];
  assert.equal((await cancelled.takeOff(isSale ? "unsell" : "unauction", "a")).code, "done");
  await (isSale ? closed.buy("b", "10") : closed.bid("b", "500"));
  note("cancelled", cancelled);
  note("closed", closed);
  note("open", open);
  if (kind !== "mrc010") {
    const bound = await made({}, { transferable: "Temporary" });
    const word = kind === "mrc401" ? "update" : "itemupdate";
    const itemdata = [{ id: bound.item, transferable: "Bound" }];
    await client.done(`${kind}${word}`, people.o, { mrc400id: project, itemdata });
    note("bound", bound);
  }
  if (kind === "mrc401") {
    const melted = await Stall.open(kind);
    await client.done("mrc401melt", people.a, { mrc401id: melted.item });
    listing.set("melted", melted.item);
  }
  if (!isSale) {
    const leading = await made();
    await client.done(`${kind}bid`, e, { ...idOf(kind, leading.id), amount: "100" });
    note("leading", leading);
    if (kind !== "mrc401") {
      note("early", await made({ begin: String(now + 7200) }));
    }
    note("over", await made(short));
    await open.bid("b", "100");
  } else {
    note("early", await made({ sell_start: String(now + 7200) }));
    note("over", await made({ sell_end: String(now + 3000) }));
  }
  client.now = now + 3600;
  assert.equal((await own.list(side, {}, e)).code, "done");
  note("own", own);
  return (name: string): Params => idOf(kind, listing.get(name) as string);
}

const NOWHERE = {
  mrc010: { dexid: `DEX010_${"0".repeat(33)}` },
  mrc401: { mrc401id: `MRC400_${"0".repeat(33)}_${"0".repeat(40)}` },
  mrc402: { id: `DEX402_${"0".repeat(33)}` },
};

type Mending = readonly (readonly [change: Params, answer: string])[];
type At = Awaited<ReturnType<typeof obstacles>>;

/** Checks of a purchase, in the order of tokens §11, mrc401 §12 and mrc402 §13. */
const BUYING: { readonly [K in Kind]: (at: At, e: Address) => Mending } = {
  mrc010: (at, e) => [
    [{ ...NOWHERE.mrc010, address: NOBODY, amount: "01" }, "400 1101 amount"],
    [{ amount: "0" }, "400 1107 amount"],
    [{ amount: "12", address: "MTx" }, "400 3190 address"],
    [{ address: NOBODY }, "404 6004 dexid"],
    [at("own"), "404 3090 address"],
    [{ address: e }, "key"],
    [{}, "400 3004 address"],
    [at("other side"), "409 7103 dexid"],
    [at("cancelled"), "409 7101 dexid"],
    [at("closed"), "409 7102 dexid"],
    [at("early"), "409 7203 dexid"],
    [at("over"), "409 7202 dexid"],
    [at("open"), "400 3005 amount"],
    [{ amount: "20" }, "400 3004 amount"],
    [{ amount: "10" }, "400 5000"],
  ],
  mrc401: (at, e) => [
    [{ transferable: "Temporary", maxsellfee: "x" }, "400 1000 mrc401id"],
    [{ ...NOWHERE.mrc401, buyer: "MTx", price: "301", token: "" }, "400 3190 buyer"],
    [{ buyer: NOBODY, price: "x" }, "400 1101 price"],
    [{ price: "301", token: "x" }, "400 1101 token"],
    [{ token: "9" }, "400 3005 maxsellfee"],
    [{ maxsellfee: "10" }, "400 3005 maxsellfee"],
    [{ signed: "full" }, "404 6004 mrc401id"],
    [at("own"), "404 3090 buyer"],
    [{ buyer: e }, "key"],
    [{}, "400 3004 buyer"],
    [at("melted"), "409 7110 mrc401id"],
    [at("cancelled"), "409 7106 mrc401id"],
    [at("other side"), "409 7106 mrc401id"],
    [at("bound"), "409 7112 transferable"],
    [{ transferable: "" }, "409 7109 mrc401id"],
    [at("early"), "409 7112 price"],
    [{ price: "300" }, "409 7112 token"],
    [{ token: "0" }, "409 7203 mrc401id"],
    [at("over"), "409 7202 mrc401id"],
    [at("open"), "400 5000"],
  ],
  mrc402: (at, e) => [
    [{ ...NOWHERE.mrc402, buyer: NOBODY, price: "31", token: "7" }, "400 1000 amount"],
    [{ amount: "x" }, "400 1101 amount"],
    [{ amount: "0" }, "400 1107 amount"],
    [{ amount: "12", price: "x" }, "400 1101 price"],
    [{ price: "31", token: "x" }, "400 1101 token"],
    [{ token: "7", buyer: "MTx" }, "400 3190 buyer"],
    [{ buyer: NOBODY, transferable: "Temporary" }, "400 3005 transferable"],
    [{ signed: "full" }, "404 6004 id"],
    [at("own"), "404 3090 buyer"],
    [{ buyer: e }, "key"],
    [{}, "400 3004 buyer"],
    [at("other side"), "409 7103 id"],
    [at("cancelled"), "409 7101 id"],
    [at("closed"), "409 7102 id"],
    [at("bound"), "409 7112 transferable"],
    [{ transferable: "" }, "409 7109 id"],
    [at("early"), "409 7112 price"],
    [{ price: "30" }, "409 7112 token"],
    [{ token: "0" }, "409 7203 id"],
    [at("over"), "409 7202 id"],
    [at("open"), "400 3004 amount"],
    [{ amount: "10" }, "400 5000"],
  ],
};

/** Checks of a bid, in the order of tokens §12, mrc401 §16 and mrc402 §16. */
const BIDDING: { readonly [K in Kind]: (at: At, e: Address) => Mending } = {
  mrc010: (at, e) => [
    [{ ...NOWHERE.mrc010, address: NOBODY, amount: "01" }, "400 1101 amount"],
    [{ amount: "0" }, "400 1107 amount"],
    [{ amount: "501", address: "MTx" }, "400 3190 address"],
    [{ address: NOBODY }, "404 6004 dexid"],
    [at("own"), "404 3090 address"],
    [{ address: e }, "key"],
    [{}, "400 3004 address"],
    [at("other side"), "409 7103 dexid"],
    [at("cancelled"), "409 7101 dexid"],
    [at("closed"), "409 7102 dexid"],
    [at("early"), "409 7203 dexid"],
    [at("over"), "409 7202 dexid"],
    [at("leading"), "409 7105 address"],
    [at("open"), "400 3004 amount"],
    [{ amount: "499" }, "400 3004 amount"],
    [{ amount: "100" }, "400 3004 amount"],
    [{ amount: "105" }, "400 5000"],
  ],
  mrc401: (at, e) => [
    [{ ...NOWHERE.mrc401, amount: "", buyer: "MTx", token: "x" }, "400 1000 amount"],
    [{ amount: "x", token: "9" }, "400 1101 amount"],
    [{ amount: "501", token: "x" }, "400 1101 token"],
    [{ token: "9", transferable: "Temporary" }, "400 3190 buyer"],
    [{ buyer: NOBODY }, "400 3005 transferable"],
    [{ signed: "full" }, "404 6004 mrc401id"],
    [at("own"), "404 3090 buyer"],
    [{ buyer: e }, "key"],
    [{}, "400 3004 buyer"],
    [at("melted"), "409 7110 mrc401id"],
    [at("cancelled"), "409 7106 mrc401id"],
    [at("other side"), "409 7106 mrc401id"],
    [at("bound"), "409 7112 transferable"],
    [{ transferable: "" }, "409 7109 mrc401id"],
    [at("leading"), "409 7105 buyer"],
    [at("over"), "409 7202 mrc401id"],
    [at("open"), "400 3004 token"],
    [{ token: "0" }, "400 3004 amount"],
    [{ amount: "499" }, "400 3004 amount"],
    [{ amount: "100" }, "400 3004 amount"],
    [{ amount: "105" }, "400 5000"],
  ],
  mrc402: (at, e) => [
    [{ ...NOWHERE.mrc402, buyer: NOBODY, token: "x" }, "400 1000 amount"],
    [{ amount: "0" }, "400 1101 amount"],
    [{ amount: "501" }, "400 1101 token"],
    [{ token: "7", buyer: "MTx" }, "400 3190 buyer"],
    [{ buyer: NOBODY, transferable: "Temporary" }, "400 3005 transferable"],
    [{ signed: "full" }, "404 6004 id"],
    [at("own"), "404 3090 buyer"],
    [{ buyer: e }, "key"],
    [{}, "400 3004 buyer"],
    [at("other side"), "409 7103 id"],
    [at("cancelled"), "409 7101 id"],
    [at("closed"), "409 7102 id"],
    [at("bound"), "409 7112 transferable"],
    [{ transferable: "" }, "409 7109 id"],
    [at("leading"), "409 7105 buyer"],
    [at("early"), "409 7203 id"],
    [at("over"), "409 7202 id"],
    [at("open"), "400 3004 token"],
    [{ token: "0" }, "400 3004 amount"],
    [{ amount: "499" }, "400 3004 amount"],
    [{ amount: "100" }, "400 3004 amount"],
    [{ amount: "105" }, "400 5000"],
  ],
};

/** Coins of a buyer that has one too few. */
const TOO_LITTLE = { mrc010: 29n, mrc401: 299n, mrc402: 299n };

for (const [word, side, table] of [
  ["buy", "sell", BUYING],
  ["bid", "auction", BIDDING],
] as const) {
  row(
    `tokens §11, §12, mrc401 §12, §16, mrc402 §13, §16: the order in which ${word} refuses`,
    async ({ kind }) => {
      const coins = word === "buy" ? TOO_LITTLE[kind] : 204n;
      const { e } = await client.people(["e"], { coins });
      const at = await obstacles(kind, side, e);
      await client.mending(`${kind}${word}`, { by: e, stranger: people.d }, table[kind](at, e));
      await client.pay(e, 1n);
      const params = { amount: word === "buy" ? "10" : "105", ...at("open") };
      const { amount: _, ...whole } = params;
      const sent = kind === "mrc401" && word === "buy" ? whole : params;
      assert.equal((await client.send(`${kind}${word}`, e, sent)).code, "done");
    },
  );
}

row("market §3.6: the order in which auctionfinish refuses", async ({ kind }) => {
  const { e } = await client.people(["e"], { coins: 1000n });
  const at = await obstacles(kind, "auction", e);
  const idle = { mrc010: "7103 dexid", mrc401: "7106 mrc401id", mrc402: "7103 id" }[kind];
  const parameter = Object.keys(NOWHERE[kind])[0];
  for (const [params, reported] of [
    [NOWHERE[kind], `404 6004 ${parameter}`],
    [at("other side"), `409 ${idle}`],
    [at("cancelled"), `409 ${kind === "mrc401" ? "7106" : "7101"} ${parameter}`],
    [at("closed"), `${CLOSED[kind]} ${parameter}`],
    [at("open"), `409 7201 ${parameter}`],
    [at("over"), "done"],
  ] as const) {
    assert.equal((await client.send(`${kind}auctionfinish`, "", params)).summary, reported);
  }
});

// Records, one a line: type, address or entry, parameters. The last line is the payments text. L is
// the listing, X the goods, S the signature, K the temporary key, P the payments text, J the list as
// it was sent, N now, E the end, F a day later, - an empty parameter.

const RECORDS: { readonly [K in Kind]: { readonly [what: string]: string } } = {
  mrc010: {
    sell: `
      mrc010sell a: L a 10 X 30 0 - - o 10 - S K
      mrc010_sell L: L a 10 X 30 0 - - o 10 - S K`,
    sellAll: `
      mrc010sell a: L a 10 X 30 0 Fair https://fair.example/ o 2.50 10 S K
      mrc010_sell L: L a 10 X 30 0 Fair https://fair.example/ o 2.50 10 S K`,
    unsell: `
      mrc010unsell a: L a 9 X 30 0 S K
      mrc010_unsell L: L a 9 X 30 0 S K`,
    auction: `
      mrc010auction a: L a 5 X 100 0 5 500 - - - - o 10 S K
      mrc010_auction L: L a 5 X 100 0 5 500 - - - - o 10 S K`,
    unauction: `
      mrc010unauction a: L a 5 X 100 0 S K
      mrc010_unauction L: L a 5 X 100 0 S K`,
    reqsell: `
      mrc010reqsell a: L a 10 X 33 0 - - o 10 - S K
      mrc010_reqsell L: L a 10 X 33 0 - - o 10 - S K`,
    unreqsell: `
      mrc010unreqsell a: L a 5 X 182 0 S K
      mrc010_unreqsell L: L a 5 X 182 0 S K`,
    accept: `
      transfer_mrc010sell b: b L 165 0 S 0 5 X K
      receive_mrc010buy a: L a 0 0 S 0 5 X K
      receive_mrc010fee o: L o 16 0 S 0 0 X K
      mrc010_acceptreqsell L: L a b P X
      mrc010_sell b>L 5 X, mrc010_send_item L>b 165, mrc010_recv_fee_platform L>o 16, mrc010_recv_buy L>a 5 X`,
    acceptRest: `
      transfer_mrc010sell b: b L 165 0 S 0 5 X K
      receive_mrc010buy a: L a 0 0 S 0 5 X K
      receive_mrc010fee o: L o 16 0 S 0 0 X K
      receive_mrc010refund a: L a 1 0 S 0 0 X K
      mrc010_acceptreqsell L: L a b P X
      mrc010_sell b>L 5 X, mrc010_send_item L>b 165, mrc010_recv_fee_platform L>o 16, mrc010_recv_buy L>a 5 X, mrc010_recv_fee_remain L>a 1`,
    buy: `
      transfer_mrc010buy b: b L 300 0 S 0 10 X K
      receive_mrc010sell a: L a 270 0 S 0 0 X K
      receive_mrc010fee o: L o 30 0 S 0 0 X K
      mrc010_buy L: L a b P X
      mrc010_buy b>L 300, mrc010_recv_item L>b 10 X, mrc010_recv_fee_platform L>o 30, mrc010_recv_sell L>a 270`,
    bid: `
      transfer_mrc010bid d: d L 105 0 S 0 0 X K
      receive_mrc010refund b: L b 100 0 S 0 0 X K
      mrc010_auctionbid L: L a d P X
      mrc010_recv_refund L>b 100, mrc010_bid d>L 105`,
    buynow: `
      transfer_mrc010bid b: b L 500 0 S 0 5 X K
      receive_mrc010refund d: L d 105 0 S 0 0 X K
      receive_mrc010auction a: L a 450 0 S 0 0 X K
      receive_mrc010fee o: L o 50 0 S 0 0 X K
      mrc010_auctionbuynow L: L a b P X
      mrc010_recv_refund L>d 105, mrc010_bid b>L 500, mrc010_recv_item L>b 5 X, mrc010_recv_fee_platform L>o 50, mrc010_recv_auction L>a 450`,
    win: `
      receive_mrc010item b: L b 0 0 - 0 5 X -
      receive_mrc010auction a: L a 95 0 - 0 0 X -
      receive_mrc010fee o: L o 10 0 - 0 0 X -
      mrc010_auctionwinning L: L a b P X
      mrc010_recv_item L>b 5 X, mrc010_recv_fee_platform L>o 10, mrc010_recv_auction L>a 95`,
    fail: `
      mrc010auctionfailure a: L a 5 X
      mrc010_auctionfailure L: L a 5 X`,
  },
  mrc401: {
    sell: `
      mrc401sell a: J a S K
      mrc401_sell L: L a 300 0 S K`,
    unsell: `
      mrc401unsell a: J a S K
      mrc401_unsell L: L a S K`,
    auction: `
      mrc401auction a: J a S K
      mrc401_auction L: L a 100 0 500 5 S K`,
    unauction: `
      mrc401unauction a: J a S K
      mrc401_unauction L: L a S K`,
    buy: `
      transfer_mrc401buy b: b L 300 0 S 0 - L K
      receive_mrc401fee o: a o 30 0 S 0 - L K
      receive_mrc401sell a: b a 270 0 S 0 - L K
      mrc401_buy L: L a b P S K
      mrc401_buy b>L 300, mrc401_recv_fee L>o 30, mrc401_recv_sell L>a 270`,
    bid: `
      transfer_mrc401bid d: d L 105 0 S 0 - L K
      receive_mrc401refund b: L b 100 0 S 0 - L K
      mrc401_auctionbid L: L d P S K
      mrc401_recv_refund L>b 100, mrc401_bid d>L 105`,
    buynow: `
      transfer_mrc401bid b: b L 500 0 S 0 - L K
      receive_mrc401refund d: L d 105 0 S 0 - L K
      receive_mrc401fee o: a o 50 0 S 0 - L K
      receive_mrc401auction a: b a 450 0 S 0 - L K
      mrc401_auctionbuynow L: L b P S K
      mrc401_recv_refund L>d 105, mrc401_bid b>L 500, mrc401_recv_fee L>o 50, mrc401_recv_auction L>a 450`,
    win: `
      mrc401_auctionwinning b: L b P - -
      receive_mrc401fee o: a o 10 0 - 0 - L -
      receive_mrc401auction a: b a 95 0 - 0 - L -
      mrc401_auctionwinning L: L b P - -
      mrc401_recv_fee L>o 10, mrc401_recv_auction L>a 95`,
    fail: `
      mrc401_auctionfailure a: L a - P - -
      mrc401_auctionfailure L: L a - P - -`,
    offer: `
      mrc401offer b: L b X - 50 0 F S K
      mrc401offer L: L b X - 50 0 F S K`,
    acceptOffer: `
      transfer_mrc401acceptoffer a: a L 50 0 S 0 - X K
      receive_mrc401acceptoffer b: a b 50 0 S 0 L X K
      receive_mrc401fee o: a o 5 0 S 0 - X K
      receive_mrc401sell a: b a 45 0 S 0 - X K
      mrc401_acceptoffer X: L a b X P S K
      mrc401_acceptoffer L: L a b X P S K
      mrc401_recv_fee L>o 5, mrc401_recv_sell L>a 45`,
    transfer: `
      mrc401transfer a: L a b S K
      mrc401_transfer L: L a b S K
      receive_mrc401 b: L a b S K`,
    melt: `
      mrc401_melt a: L a P S K
      receive_meltfee o: L o 10 0 S 0 - L K
      receive_melt a: L a 90 0 S 0 - L K
      mrc401_melt L: L a P S K
      mrc401_recv_meltfee L>o 10, mrc401_recv_melt L>a 90`,
  },
  mrc402: {
    sell: `
      mrc402sell a: L a 10 X 30 0 - - - - S K
      mrc402_sell L: L a 10 X 30 0 - - p 1 S K`,
    sellAll: `
      mrc402sell a: L a 10 X 30 0 Fair https://fair.example/ o 2.50 S K
      mrc402_sell L: L a 10 X 30 0 Fair https://fair.example/ o 2.5 S K`,
    unsell: `
      mrc402unsell a: L a 9 X 30 0 S K
      mrc402_unsell L: L a 9 X 30 0 S K`,
    auction: `
      mrc402auction a: L a 5 X 100 0 5 500 - - - - - - S K
      mrc402_auction L: L a 5 X 100 0 5 500 N E - - p 1 S K`,
    sellList: `
      mrc402sell a: J a S K
      mrc402_sell L: L a 10 X 30 0 - - p 1 S K`,
    unsellList: `
      mrc402unsell a: J a S K
      mrc402_unsell L: L a 10 X 30 0 S K`,
    agentSells: `
      mrc402sell p: L m 10 X 30 0 - - - - S K
      mrc402_sell L: L m 10 X 30 0 - - - 0 S K
      mrc402sell m: L m 10 X 30 0 - - - 0 S K`,
    agentUnsells: `
      mrc402unsell p: L m 10 X 30 0 S K
      mrc402_unsell L: L m 10 X 30 0 S K
      mrc402unsell m: L m 10 X 30 0 S K`,
    unauction: `
      mrc402unauction a: L a 5 X 100 0 S K
      mrc402_unauction L: L a 5 X 100 0 S K`,
    buy: `
      transfer_mrc402buy b: b L 300 0 S 0 10 X K
      receive_mrc402fee o: L o 30 0 S 0 - X K
      receive_mrc402fee m: L m 15 0 S 0 - X K
      receive_mrc402fee p: L p 3 0 S 0 - X K
      receive_mrc402fee d: L d 9 0 S 0 - X K
      receive_mrc402sell a: L a 243 0 S 0 - X K
      mrc402_buy L: L a b P X
      mrc402_buy b>L 300, mrc402_recv_item L>b 10 X, mrc402_recv_fee_owner L>o 30, mrc402_recv_fee_creator L>m 15, mrc402_recv_fee_platform L>p 3, mrc402_recv_fee_shareholder L>d 9, mrc402_recv_sell L>a 243`,
    bid: `
      transfer_mrc402bid d: d L 105 0 S 0 - X K
      receive_mrc402refund b: L b 100 0 S 0 - X K
      mrc402_auctionbid L: L a d P S K
      mrc402_recv_refund L>b 100, mrc402_bid d>L 105`,
    buynow: `
      transfer_mrc402bid b: b L 500 0 S 0 5 X K
      receive_mrc402refund d: L d 105 0 S 0 - X K
      receive_mrc402fee o: L o 50 0 S 0 - X K
      receive_mrc402fee m: L m 25 0 S 0 - X K
      receive_mrc402fee p: L p 5 0 S 0 - X K
      receive_mrc402fee d: L d 15 0 S 0 - X K
      receive_mrc402auction a: L a 405 0 S 0 - X K
      mrc402_auctionbuynow L: L a b P X
      mrc402_recv_refund L>d 105, mrc402_bid b>L 500, mrc402_recv_item L>b 5 X, mrc402_recv_fee_owner L>o 50, mrc402_recv_fee_creator L>m 25, mrc402_recv_fee_platform L>p 5, mrc402_recv_fee_shareholder L>d 15, mrc402_recv_auction L>a 405`,
    win: `
      receive_mrc402item b: L b 0 0 - 0 5 X -
      receive_mrc402fee o: L o 10 0 - 0 - X -
      receive_mrc402fee m: L m 5 0 - 0 - X -
      receive_mrc402fee p: L p 1 0 - 0 - X -
      receive_mrc402fee d: L d 3 0 - 0 - X -
      receive_mrc402auction a: L a 86 0 - 0 - X -
      mrc402_auctionwinning L: L a b P X
      mrc402_recv_item L>b 5 X, mrc402_recv_fee_owner L>o 10, mrc402_recv_fee_creator L>m 5, mrc402_recv_fee_platform L>p 1, mrc402_recv_fee_shareholder L>d 3, mrc402_recv_auction L>a 86`,
    fail: `
      mrc402auctionfailure a: L a 5 X
      mrc402_auctionfailure L: L a 5 X`,
    offer: `
      mrc402offer b: L b X 4 30 0 F 120 S K
      mrc402offer L: L b X 4 30 0 F 120 S K`,
    acceptOffer: `
      transfer_mrc402acceptoffer a: a L 120 0 S 0 4 X K
      receive_mrc402acceptoffer b: a b 120 0 S 0 L 4 X K
      receive_mrc402fee o: L o 12 0 S 0 - X K
      receive_mrc402fee m: L m 6 0 S 0 - X K
      receive_mrc402fee p: L p 1 0 S 0 - X K
      receive_mrc402fee d: L d 3 0 S 0 - X K
      receive_mrc402sell a: L a 98 0 S 0 - X K
      mrc402_acceptoffer X: L a b X 4 P S K
      mrc402_acceptoffer L: L a b X 4 P S K
      mrc402_recv_item L>b 4 X, mrc402_recv_fee_owner L>o 12, mrc402_recv_fee_creator L>m 6, mrc402_recv_fee_platform L>p 1, mrc402_recv_fee_shareholder L>d 3, mrc402_recv_sell L>a 98`,
    transfer: `
      transfer_mrc402 a: a b 3 X - - S K
      receive_mrc402 b: a b 3 X - - S K`,
    mint: `
      mrc402mint m: X m 3 - S K
      mrc402_mint X: X m 3 - S K`,
    burn: `
      mrc402burn m: X m 3 - S K
      mrc402_burn X: X m 3 - S K`,
    melt: `
      mrc402melt a: X a 2 S K
      mrc402_melt X: X a 2 S K
      receive_meltfee o: X o 10 0 S 0 - X K
      receive_melt a: X a 90 0 S 0 - X K`,
  },
};

/** Parts of a request of A for 10 at 33, which holds 330 and a fee of 33. */
async function accepted(stall: Stall, ...amounts: readonly string[]): Promise<Answer> {
  await stall.list("reqsell", { price: "33" });
  await client.pay(people.b, 10n, { token: GOODS });
  const answers: Answer[] = [];
  for (const amount of amounts) {
    answers.push(await stall.send("acceptreqsell", "b", { dexid: stall.id, amount }));
  }
  return answers.at(-1) as Answer;
}

/** Units that A sells in the form of items. */
async function listed(stall: Stall): Promise<Answer> {
  const itemdata = [{ id: stall.item, amount: SALE_AMOUNT, ...SALE }];
  const answer = await stall.send("sell", "a", { itemdata });
  stall.id = answer.made[0] as string;
  return answer;
}

/** Goods of A with a reserve of 100 for what it melts, of which O receives 10. */
async function melted(stall: Stall): Promise<Answer> {
  const terms = { to: people.a, melt_fee: "10" };
  const isOne = stall.kind === "mrc401";
  const made = await (isOne
    ? createItems(client, project, people.o, { ...terms, initial_reserve: "100" })
    : createUnitItems(client, project, people.o, {
        ...{ ...terms, totalsupply: "4", initialreserve: { "0": "50" } },
      }));
  stall.item = stall.id = made[0] as string;
  const part = isOne ? { mrc401id: stall.item } : { mrc402id: stall.item, amount: "2" };
  return stall.send("melt", "a", part);
}

/** B offers 50 for an item or 30 for each of four units. */
async function offered(stall: Stall): Promise<Answer> {
  const terms = stall.kind === "mrc401" ? { price: "50" } : { price: "30", amount: "4" };
  const end = String(client.now + DAY);
  const answer = await stall.send("offer", "b", { id: stall.item, token: "0", end, ...terms });
  stall.id = answer.made[0] as string;
  return answer;
}

/** Three units that M mints or burns. */
function supplied(stall: Stall, word: "mint" | "burn"): Promise<Answer> {
  stall.id = stall.item;
  return stall.send(word, "m", { mrc402id: stall.item, amount: "3" });
}

/** New units of M, which P sells by its role. */
async function agented(stall: Stall): Promise<Answer> {
  const units = await createUnitItems(client, project, people.m, { totalsupply: "50" });
  stall.item = units[0] as string;
  return stall.list("sell", {}, "p");
}

const TRADES: { readonly [what: string]: (stall: Stall) => Promise<Answer> } = {
  sell: (stall) => stall.list("sell"),
  sellAll(stall) {
    const platform = { platform_name: "Fair", platform_url: "https://fair.example/" };
    const rate = { platform_address: people.o, platform_commission: "2.50" };
    const unit = stall.kind === "mrc010" ? { min_trade_unit: "10" } : {};
    return stall.list("sell", { ...platform, ...rate, ...unit });
  },
  async unsell(stall) {
    await stall.list("sell");
    if (stall.kind !== "mrc401") {
      await stall.buy("b", "1");
    }
    return stall.takeOff("unsell", "a");
  },
  sellList: listed,
  async unsellList(stall) {
    await listed(stall);
    return stall.send("unsell", "a", { itemdata: [stall.item] });
  },
  agentSells: agented,
  async agentUnsells(stall) {
    await agented(stall);
    return stall.takeOff("unsell", "p");
  },
  auction: (stall) => stall.list("auction"),
  async unauction(stall) {
    await stall.list("auction");
    return stall.takeOff("unauction", "a");
  },
  reqsell: (stall) => stall.list("reqsell", { price: "33" }),
  async unreqsell(stall) {
    await accepted(stall, "5");
    return stall.takeOff("unreqsell", "a");
  },
  accept: (stall) => accepted(stall, "5"),
  acceptRest: (stall) => accepted(stall, "5", "5"),
  async buy(stall) {
    await stall.list("sell");
    return stall.buy("b", "10");
  },
  async bid(stall) {
    await stall.list("auction");
    await stall.bid("b", "100");
    return stall.bid("d", "105");
  },
  async buynow(stall) {
    await stall.list("auction");
    await stall.bid("d", "105");
    return stall.bid("b", "500");
  },
  async win(stall) {
    await stall.list("auction");
    await stall.bid("b", "105");
    client.now = stall.end;
    return stall.finish();
  },
  async fail(stall) {
    await stall.list("auction");
    client.now = stall.end;
    return stall.finish();
  },
  offer: offered,
  async acceptOffer(stall) {
    await offered(stall);
    const part = stall.kind === "mrc401" ? {} : { amount: "4" };
    return stall.send("acceptoffer", "a", { offerid: stall.id, ...part });
  },
  transfer(stall) {
    stall.id = stall.item;
    const part = stall.kind === "mrc401" ? {} : { amount: "3" };
    const sent = { [`${stall.kind}id`]: stall.item, toAddr: people.b, ...part };
    return stall.send("transfer", "a", sent);
  },
  mint: (stall) => supplied(stall, "mint"),
  async burn(stall) {
    await supplied(stall, "mint");
    return supplied(stall, "burn");
  },
  melt: melted,
};

/** Movements of a payments text from `TYPE FROM>TO AMOUNT`, with X of goods. */
function paymentsOf(line: string, real: (word: string) => string): string {
  const movements = line.split(", ").filter((part) => part !== "");
  return JSON.stringify(
    movements.map((movement) => {
      const [type, parties = "", amount, goods] = movement.split(" ");
      const [from_addr, to_addr] = parties.split(">").map(real);
      const money =
        goods === undefined
          ? { amount, token: "0", trade_amount: "", trade_id: "" }
          : { amount: "", token: "", trade_amount: amount, trade_id: real(goods) };
      return { from_addr, to_addr, ...money, type };
    }),
  );
}

for (const kind of KINDS) {
  for (const [what, text] of Object.entries(RECORDS[kind])) {
    test(`tokens §9 to §12, mrc401 §10 to §17, mrc402 §11 to §17: records of ${what}: ${kind}`, async () => {
      const shared = { creatorcommission: "5", shareholder: { [people.d]: "3" } };
      const platform = { platform_address: people.p, platform_commission: "1" };
      const stall = await (kind === "mrc402"
        ? Stall.ofMaker({ ...shared, ...platform })
        : Stall.open(kind));
      const answer = await (TRADES[what] as (of: Stall) => Promise<Answer>)(stall);
      const goods = kind === "mrc010" ? GOODS : stall.item;
      const symbols: { readonly [symbol: string]: string } = {
        ...{ ...people, L: stall.id, X: goods, S: answer.signature, K: answer.tkey, "-": "" },
        ...{ J: stall.itemdata, N: String(client.now), E: String(stall.end) },
        F: String(client.now + DAY),
      };
      const real = (word: string): string => symbols[word] ?? word;
      const lines = text
        .trim()
        .split("\n")
        .map((line) => line.trim());
      const paid = lines.filter((line) => !line.includes(":"));
      const payments = paymentsOf(paid[0] ?? "", real);
      const expected = lines
        .filter((line) => line.includes(":"))
        .map((line) => {
          const [type = "", of = "", ...parameters] = line.replace(":", "").split(" ");
          const texts = parameters.map((one) => (one === "P" ? payments : real(one)));
          return [type, real(of), kind === "mrc010" ? Number(GOODS) : 0, texts];
        });
      assert.deepEqual(answer.parts, expected);
    });
  }
}
