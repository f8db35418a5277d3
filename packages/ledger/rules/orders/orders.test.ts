import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import type { Address, Amount, TokenId } from "@moneta/protocol";
import type { Order } from "../../state/order-entry.ts";
import type { Answer } from "../../testing/answer.ts";
import { createToken } from "../../testing/trade/creations.ts";
import { OrderMarket, type Traders, tradesOf } from "../../testing/trade/order-market.ts";
import { tradeWith } from "./matching.ts";

let market: OrderMarket;
let a: Address;
let b: Address;
let c: Address;
let d: Address;
let traders: Traders;
before(async () => {
  market = await OrderMarket.open();
});
after(() => market[Symbol.dispose]());
beforeEach(async () => {
  traders = await market.traders();
  ({ a, b, c, d } = traders);
});
afterEach(() => market.clear());

/** A sale of 10, of which 1 is left. */
const DUST: Order = {
  ...{
    mrc040id: "",
    owner: "" as Address,
    side: "SELL",
    status: "TRADING",
    job_type: "stodexExchange",
  },
  ...{ basetoken: "1" as TokenId, targettoken: "2" as TokenId, price: 1n as Amount },
  ...{ qtt: 10n as Amount, remainqtt: 1n as Amount, held: 1n as Amount, order: 0 },
  ...{ regdate: 0, complete_date: 0, cancel_date: 0 },
};
const RICH = { base: 20_000n };

test("protocols §11 row 1: a sale waits and holds what it sells", async () => {
  const answer = await market.create(c, "SELL", "10", "100");
  const [o1] = answer.made;
  assert.equal(answer.outcome, `done: c -10 of ${market.target}`);
  assert.equal(market.state(o1 as string), "WAIT 10, holds 10");
  market.client.assertEntry(o1 as string, { complete_date: 0, cancel_date: 0 });
  const pending = [{ token: market.target, pending: "10" }];
  assert.deepEqual(answer.record.values["pending"], pending);
});

test("protocols §11 row 2: a purchase holds its total, which must be a whole number", async () => {
  const first = await market.create(a, "BUY", "10", "123");
  assert.equal(first.outcome, `done: a -123 of ${market.base}`);
  assert.equal(market.state(first.made[0] as string), "WAIT 10, holds 123");
  assert.equal((await market.create(a, "BUY", "5", "123")).summary, "400 3005 qtt");
  const other = await market.order(a, "BUY", "5", "124");
  assert.equal(market.state(other), "WAIT 5, holds 62");
});

test("protocols §10: prices, quantities, sides and tokens that cannot be", async () => {
  const create = async (change: object): Promise<string> => {
    const params = { ...market.terms("SELL", "10", "100"), ...change };
    return (await market.client.send("mrc040create", c, params)).summary;
  };
  assert.equal(await create({ price: "0" }), "400 1104 price");
  assert.equal(await create({ qtt: "0" }), "400 1107 qtt");
  assert.equal(await create({ qtt: "1.5" }), "400 1101 qtt");
  assert.equal(await create({ side: "sell" }), "400 3005 side");
  assert.equal(await create({ targettoken: market.base }), "400 3005 targettoken");
  assert.equal(await create({ price: String(10n ** 40n), qtt: "20" }), "400 1101 price");
});

test("protocols §10: what is locked or not there cannot be put into orders", async () => {
  const { poor } = await market.people(["poor"], { base: 122n, target: 5n });
  const unlockdate = market.client.now + 1000;
  for (const token of [market.base, market.target]) {
    await market.client.pay(poor, 1000n, { token, from: market.issuer, unlockdate });
  }
  assert.equal((await market.create(poor, "BUY", "10", "123")).code, "400 5000");
  assert.equal((await market.create(poor, "SELL", "10", "100")).code, "400 5000");
  assert.equal((await market.create(poor, "BUY", "10", "122")).summary, "done");
});

test("protocols §11 row 5: a purchase takes the best prices and the oldest orders first", async () => {
  const { o1, o2, o3 } = await market.book1(traders);
  const answer = await market.create(b, "BUY", "35", "110");
  assert.deepEqual(tradesOf(answer), ["10 for 100", "20 for 200", "5 for 55"]);
  assert.equal(market.held(b), "645 1035");
  assert.equal(market.state(answer.made[0] as string), "COMPLETE 0, holds 0");
  assert.deepEqual(
    [o1, o2].map((id) => market.state(id)),
    Array(2).fill("COMPLETE 0, holds 0"),
  );
  assert.equal(market.state(o3), "TRADING 5, holds 5");
  assert.deepEqual([market.held(c), market.held(d)], ["1155 980", "1200 980"]);
});

test("protocols §10: the records of an order and of each of its trades", async () => {
  const { o1, o3 } = await market.book1(traders);
  await market.take(b, o1, "10");
  const { o2 } = { o2: market.orders().find((one) => one["owner"] === d)?.["mrc040id"] as string };
  const answer = await market.create(b, "BUY", "25", "110");
  const [order] = answer.made as [string];
  const { base, target } = market;
  const signed = [answer.signature, answer.tkey];
  const now = String(market.client.now);
  const [t0, t1] = answer.effects
    .filter(({ type }) => type === "stodexExchange")
    .map(({ parameters }) => parameters[3] as string) as [string, string];
  assert.match(t0, /^TRD040_[0-9a-f]{33}$/);
  const registered = [b, "BUY", base, target, "110", "25", order, ...signed];
  const traded = (owner: Address, side: string, price: string, qtt: string, rest: string[]) => [
    ...[owner, b, side, base, target, price, qtt, now, ...rest],
  ];
  const rest0 = [o2, t0, "200"];
  const rest1 = [o3, t1, "55"];
  const of = Number(target);
  assert.deepEqual(answer.parts, [
    ["stodexRegister", b, of, registered],
    ["stodexExchangePending", d, of, traded(d, "SELL", "100", "20", rest0)],
    ["stodexExchangeRequest", b, of, traded(d, "BUY", "100", "20", rest0)],
    ["stodexExchange", o2, of, [b, "20", o2, t0, ...signed]],
    ["stodexExchangePending", c, of, traded(c, "SELL", "110", "5", rest1)],
    ["stodexExchangeRequest", b, of, traded(c, "BUY", "110", "5", rest1)],
    ["stodexExchange", o3, of, [b, "5", o3, t1, ...signed]],
    ["stodexRegister", order, of, registered],
  ]);
  assert.deepEqual(answer.effects[3]?.values["pending"], [{ token: target, pending: "5" }]);
});

test("protocols §10: the whole total must be there, and what is saved is left", async () => {
  const { rich, poor } = {
    ...(await market.people(["rich"], { base: 385n })),
    ...(await market.people(["poor"], { base: 384n })),
  };
  await market.book1(traders);
  assert.equal((await market.create(poor, "BUY", "35", "110")).code, "400 5000");
  assert.equal((await market.create(rich, "BUY", "35", "110")).summary, "done");
  assert.equal(market.client.held(rich, market.base), "30");
});

test("protocols §11 row 7: what finds no order of its price waits", async () => {
  await market.book1(traders);
  const dear = await market.create(b, "BUY", "50", "110");
  assert.deepEqual(tradesOf(dear), ["10 for 100", "20 for 200", "10 for 110"]);
  assert.equal(market.state(dear.made[0] as string), "TRADING 10, holds 110");
  assert.equal(market.held(b), "480 1040");
  await market.clear();
  await market.book1(traders);
  const cheap = await market.create(a, "BUY", "40", "100");
  assert.deepEqual(tradesOf(cheap), ["10 for 100", "20 for 200"]);
  assert.equal(market.state(cheap.made[0] as string), "TRADING 10, holds 100");
});

test("protocols §9.6: from the oldest order alone, or from none", async () => {
  const { o1 } = await market.book1(traders);
  assert.deepEqual(tradesOf(await market.create(b, "BUY", "5", "100")), ["5 for 50"]);
  assert.equal(market.state(o1), "TRADING 5, holds 5");
  const waiting = await market.create(b, "BUY", "10", "99");
  assert.deepEqual(tradesOf(waiting), []);
});

test("protocols §11 row 10: a sale in three parts is paid its total, rounded up on the way", async () => {
  const sale = await market.order(c, "SELL", "10", "123");
  const costs = [];
  for (const part of ["3", "4", "3"]) {
    costs.push(...tradesOf(await market.request(a, "BUY", part, "123")));
  }
  assert.deepEqual(costs, ["3 for 37", "4 for 50", "3 for 36"]);
  assert.equal(market.state(sale), "COMPLETE 0, holds 0");
  assert.equal(market.held(c), "1123 990");
});

test("protocols §11 row 11: a purchase in three parts pays its total, rounded down on the way", async () => {
  const purchase = await market.order(a, "BUY", "10", "123");
  const seen = [];
  for (const part of ["3", "4", "3"]) {
    seen.push(...tradesOf(await market.request(b, "SELL", part, "123")), market.state(purchase));
  }
  assert.deepEqual(seen, [
    ...["3 for 36", "TRADING 7, holds 87", "4 for 50", "TRADING 3, holds 37"],
    ...["3 for 37", "COMPLETE 0, holds 0"],
  ]);
});

test("protocols §10: who cancels has back what the order holds", async () => {
  const sale = await market.order(c, "SELL", "10", "123");
  await market.request(a, "BUY", "3", "123");
  assert.equal((await market.cancel(c, sale)).outcome, `done: c +7 of ${market.target}`);
  assert.equal(market.held(c), "1037 997");
  const purchase = await market.order(a, "BUY", "10", "123");
  await market.request(b, "SELL", "3", "123");
  assert.equal((await market.cancel(a, purchase)).outcome, `done: a +87 of ${market.base}`);
});

test("protocols §9.3: who completes an order has the unit that was rounded up", async () => {
  await market.order(c, "SELL", "10", "123");
  assert.deepEqual(tradesOf(await market.request(a, "BUY", "9", "123")), ["9 for 111"]);
  assert.deepEqual(tradesOf(await market.request(b, "BUY", "1", "123")), ["1 for 12"]);
});

test("protocols §11 row 14: nothing is sold for 0", async () => {
  const purchase = await market.order(a, "BUY", "10", "1");
  assert.equal(market.state(purchase), "WAIT 10, holds 1");
  assert.equal((await market.request(b, "SELL", "9", "1")).summary, "409 7117 qtt");
  assert.equal((await market.take(b, purchase, "9")).summary, "400 3004 qtt");
  assert.deepEqual(tradesOf(await market.request(b, "SELL", "10", "1")), ["10 for 1"]);
});

test("protocols §9.3: the rest of a sale whose total was paid costs 0", async () => {
  await market.order(c, "SELL", "10", "1");
  assert.deepEqual(tradesOf(await market.request(a, "BUY", "9", "1")), ["9 for 1"]);
  const last = await market.request(b, "BUY", "1", "1");
  assert.deepEqual(tradesOf(last), ["1 for 0"]);
  assert.equal(last.outcome, `done: b +1 of ${market.target}`);
  assert.deepEqual(movedIn(last), withoutBase("stodexRequest"));
});

test("conventions §8.3: a trade that costs 0 moves no base, however the order is met", async () => {
  const dust = async (): Promise<string> => {
    const sale = await market.order(c, "SELL", "10", "1");
    await market.request(a, "BUY", "9", "1");
    return sale;
  };
  const taken = await market.take(b, await dust(), "1");
  assert.deepEqual(movedIn(taken), withoutBase("stodexExchange"));
  await dust();
  const ordered = await market.create(b, "BUY", "1", "10");
  assert.deepEqual(movedIn(ordered), withoutBase("stodexRegister"));
});

/** M, the seller's and the buyer's record of a trade that has moved the target alone. */
function withoutBase(type: string): string[] {
  const { target } = market;
  return [`${type} ${target}`, "stodexExchangePending", `stodexExchangeRequest ${target}`];
}

/** Of M and each A: the type, and the tokens of which it lists balances. */
function movedIn({ record }: Answer): string[] {
  return [record, ...record.effects]
    .filter(({ address }) => address !== "")
    .map(({ type, values }) => {
      const balance = (values["balance"] ?? []) as readonly { readonly token: string }[];
      return [type, ...balance.map(({ token }) => token)].join(" ");
    });
}

test("protocols §11 row 16: dust cannot be used to collect rounded-up units", async () => {
  // At one price the line itself does not come to this: the oldest order is taken whole first.
  const dust = { ...DUST, price: 123n as Amount };
  const costs = Array.from({ length: 50 }, () => tradeWith(dust, 1n as Amount, 1).cost);
  assert.deepEqual([costs[0], costs.reduce((sum, cost) => sum + cost, 0n)], [12n, 600n]);

  await market.client.pay(a, 100_000n, { token: market.base, from: market.issuer });
  const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
  let exact = 0;
  let price = 613;
  for (const seller of Object.values(await market.people(names))) {
    await market.order(seller, "SELL", "10", String(price));
    assert.equal((await market.request(a, "BUY", "9", String(price))).summary, "done");
    exact += price / 10;
    price -= 10;
  }
  await market.client.pay(b, 10_000n, { token: market.base, from: market.issuer });
  const { parameters } = (await market.request(b, "BUY", "50", "613")).record;
  assert.equal(parameters[7], "50");
  assert.ok(Number(parameters[8]) <= exact, `${parameters[8]} for what is worth ${exact}`);
});

test("protocols §9.5: a sale takes the highest bids first", async () => {
  await market.order(a, "BUY", "5", "110");
  await market.order(c, "BUY", "10", "100");
  const sale = await market.create(b, "SELL", "15", "90");
  assert.deepEqual(tradesOf(sale), ["5 for 55", "10 for 100"]);
  assert.equal(market.state(sale.made[0] as string), "COMPLETE 0, holds 0");
  assert.equal(market.held(b), "1155 985");
});

test("protocols §9.6: no address trades with itself, and an own order refuses all", async () => {
  const { o1, o2 } = await market.book1(traders);
  const own = await market.create(c, "BUY", "10", "100");
  assert.equal(own.summary, "400 3004 price");
  assert.ok(own.problem?.detail.includes(o1));
  assert.equal((await market.create(c, "BUY", "10", "99")).summary, "done");
  const later = await market.create(d, "BUY", "15", "100");
  assert.equal(later.summary, "400 3004 price");
  assert.ok(later.problem?.detail.includes(o2));
  assert.equal(market.state(o1), "WAIT 10, holds 10");
  assert.deepEqual(tradesOf(await market.create(d, "BUY", "10", "100")), ["10 for 100"]);
});

test("protocols §10: a request trades at least minqtt, or nothing", async () => {
  await market.book1(traders);
  const asks = async (more: object): Promise<string> =>
    (await market.request(b, "BUY", "35", "100", { ...more })).summary;
  assert.equal(await asks({ minqtt: "35" }), "409 7117 qtt");
  assert.equal(await asks({ minqtt: "36" }), "400 1101 minqtt");
  assert.equal(await asks({ minqtt: "0" }), "400 1101 minqtt");
  const answer = await market.request(b, "BUY", "35", "100", { minqtt: "30" });
  const { parameters } = answer.record;
  assert.deepEqual(parameters, [
    ...[b, "BUY", market.base, market.target, "100", "35", "30", "30", "300"],
    ...[answer.signature, answer.tkey],
  ]);
  assert.deepEqual(answer.made, []);
});

test("protocols §10: a request pays what it takes, whatever its price", async () => {
  const { poor } = await market.people(["poor"], { base: 100n, target: 0n });
  await market.book1(traders);
  const answer = await market.request(poor, "BUY", "10", 10n ** 40n);
  assert.deepEqual(tradesOf(answer), ["10 for 100"]);
  assert.equal(market.held(poor), "0 10");
});

test("protocols §10: on an empty side a request does nothing, and its key stays", async () => {
  const tkey = market.client.ledger.key(b);
  assert.equal((await market.request(b, "BUY", "1", "100", { tkey })).summary, "409 7117 qtt");
  await market.book1(traders);
  assert.equal((await market.request(b, "BUY", "1", "100", { tkey })).summary, "done");
});

test("protocols §10: only the first in line is taken", async () => {
  const { o1, o2, o3 } = await market.book1(traders);
  for (const [id, qtt] of [
    [o2, "20"],
    [o3, "5"],
  ] as const) {
    const answer = await market.take(b, id, qtt);
    assert.equal(answer.summary, "409 7115 mrc040id");
    assert.ok(answer.problem?.detail.includes(o1));
  }
  const first = await market.take(b, o1, "10");
  assert.deepEqual(tradesOf(first), ["10 for 100"]);
  const trade = first.record.parameters[3];
  assert.deepEqual(first.record.parameters, [b, "10", o1, trade, first.signature, first.tkey]);
  assert.deepEqual(tradesOf(await market.take(b, o2, "20")), ["20 for 200"]);
});

test("protocols §10: what cannot be taken of an order", async () => {
  const { o1 } = await market.book1(traders);
  assert.equal((await market.take(b, o1, "11")).summary, "400 3004 qtt");
  assert.equal((await market.take(c, o1, "1")).summary, "400 3004 requester");
  await market.take(b, o1, "10");
  assert.equal((await market.take(b, o1, "1")).summary, "409 7102 mrc040id");
  const other = await market.order(c, "SELL", "10", "90");
  await market.cancel(c, other);
  assert.equal((await market.take(b, other, "1")).summary, "409 7101 mrc040id");
});

test("protocols §10: an order is cancelled once, by its owner", async () => {
  const { o1, o2 } = await market.book1(traders);
  assert.equal((await market.cancel(c, o1)).outcome, `done: c +10 of ${market.target}`);
  assert.equal((await market.cancel(c, o1)).summary, "409 7101 mrc040id");
  const tkey = market.client.ledger.key(d);
  assert.equal((await market.cancel(c, o2, { tkey })).summary, "401 2020 tkey");
  assert.equal((await market.cancel(c, o2)).summary, "403 7001 owner");
});

test("protocols §10: the records of a cancel say what came back", async () => {
  const { o1, o2 } = await market.book1(traders);
  await market.request(b, "BUY", "15", "100");
  const answer = await market.cancel(d, o2);
  assert.equal(market.state(o1), "COMPLETE 0, holds 0");
  assert.equal(answer.outcome, `done: d +15 of ${market.target}`);
  assert.equal(market.state(o2), "CANCEL 15, holds 0");
  const parameters = [d, o2, answer.signature, answer.tkey, "15", market.target];
  assert.deepEqual(
    answer.parts,
    [d, o2].map((of) => ["stodexUnRegister", of, Number(market.target), parameters]),
  );
});

describe("protocols §11 row 28: an operation makes at most 100 trades", () => {
  const names = Array.from({ length: 101 }, (_, index) => `s${index}`);

  /** Sales of 10 for 100, each of another address; their ids. */
  async function sellers(): Promise<readonly string[]> {
    const people = Object.values(await market.people(names, { base: 0n, target: 10n }));
    const terms = market.terms("SELL", "10", "100");
    const answers = await market.client.block(people.map((one) => ["mrc040create", one, terms]));
    return answers.map(({ record }) => record.parameters[6] as string);
  }

  test("the rest of an order is cancelled, as it would cross the book", async () => {
    const sales = await sellers();
    const { rich } = await market.people(["rich"], RICH);
    const answer = await market.create(rich, "BUY", "1010", "100");
    assert.equal(tradesOf(answer).length, 100);
    assert.equal(market.state(answer.made[0] as string), "CANCEL 10, holds 0");
    market.client.assertEntry(answer.made[0] as string, { cancel_date: market.client.now });
    assert.equal(market.client.held(rich, market.base), "10000");
    assert.equal(market.state(sales[100] as string), "WAIT 10, holds 10");
  });

  test("a request continues where the one before has ended", async () => {
    await sellers();
    const { rich } = await market.people(["rich"], RICH);
    const answer = await market.request(rich, "BUY", "1010", "100");
    assert.deepEqual(answer.record.parameters.slice(7, 9), ["1000", "10000"]);
    assert.deepEqual(tradesOf(await market.request(rich, "BUY", "10", "100")), ["10 for 100"]);
  });

  test("batches §2.12: and so does a group", async () => {
    await sellers();
    const { rich } = await market.people(["rich"], RICH);
    const group = (minqtt: string): Promise<{ readonly summary: string }> =>
      market.client.group([
        ["mrc040request", rich, market.terms("BUY", "600", "100")],
        ["mrc040request", rich, { ...market.terms("BUY", "410", "100"), minqtt }],
      ]);
    assert.equal((await group("401")).summary, "1: 409 7117 qtt");
    assert.equal((await group("400")).summary, "done");
    assert.equal(market.client.held(rich, market.base), "10000");
    assert.deepEqual(tradesOf(await market.request(rich, "BUY", "10", "100")), ["10 for 100"]);
  });

  test("batches §2.12: an exchange that would be the group's 101st trade is refused", async () => {
    const sales = await sellers();
    const { rich } = await market.people(["rich"], RICH);
    const group = (qtt: string, next: number): Promise<{ readonly summary: string }> =>
      market.client.group([
        ["mrc040request", rich, market.terms("BUY", qtt, "100")],
        ["mrc040exchange", rich, { mrc040id: sales[next] ?? "", qtt: "10" }],
      ]);
    assert.equal((await group("1000", 100)).summary, "1: 400 3002 mrc040id");
    assert.equal((await group("990", 99)).summary, "done");
    assert.equal(market.client.held(rich, market.base), "10000");
  });
});

test("protocols §10: of two requests for all, one finds nothing", async () => {
  await market.book1(traders);
  const params = market.terms("BUY", "30", "100");
  const answers = await market.client.block([
    ["mrc040request", a, params],
    ["mrc040request", b, params],
  ]);
  assert.deepEqual(
    answers.map(({ summary: reported }) => reported),
    ["done", "409 7117 qtt"],
  );
});

test("protocols §10: an order is cancelled or taken", async () => {
  const { o1, o2 } = await market.book1(traders);
  const [cancelled, taken] = await market.client.block([
    ["mrc040cancel", c, { mrc040id: o1 }],
    ["mrc040exchange", b, { mrc040id: o1, qtt: "10" }],
  ]);
  assert.deepEqual([cancelled?.summary, taken?.summary], ["done", "409 7101 mrc040id"]);
  market.client.assertEntry(o1, {
    ...{ status: "CANCEL", cancel_date: market.client.now, job_type: "stodexUnRegister" },
  });
  const [first, late] = await market.client.block([
    ["mrc040exchange", b, { mrc040id: o2, qtt: "20" }],
    ["mrc040cancel", d, { mrc040id: o2 }],
  ]);
  assert.deepEqual([first?.summary, late?.summary], ["done", "409 7102 mrc040id"]);
});

test("conventions §5.3: an order that is sent again is the same order", async () => {
  const params = { ...market.terms("SELL", "10", "100"), tkey: market.client.ledger.key(c) };
  const first = await market.client.done("mrc040create", c, params);
  await market.request(b, "BUY", "5", "100");
  for (const signature of ["MEQ=", "MEQCIA=="]) {
    const again = await market.client.send("mrc040create", c, { ...params, signature });
    assert.deepEqual([again.summary, again.id], ["repeat", first.id]);
  }
  assert.equal(market.state(first.made[0] as string), "TRADING 5, holds 5");
});

test("protocols §9.8: an address has at most 1000 open orders that hold a token", async () => {
  const { many } = await market.people(["many"], { base: 100n, target: 2000n });
  for (let count = 0; count < 1000; count += 100) {
    const answers = await market.client.block(
      Array.from({ length: 100 }, () => ["mrc040create", many, market.terms("SELL", "1", "110")]),
    );
    assert.deepEqual([...new Set(answers.map(({ summary: reported }) => reported))], ["done"]);
  }
  assert.equal((await market.create(many, "SELL", "1", "110")).summary, "409 7116 owner");
  assert.equal((await market.create(many, "BUY", "1", "10")).summary, "done");
});

test("protocols §8: in a closed pair orders are cancelled, and nothing else", async () => {
  const { o1 } = await market.book1(traders);
  await market.closePair();
  const { summary: reported } = await market.create(b, "BUY", "10", "100");
  assert.equal(reported, "409 7114 targettoken");
  assert.equal((await market.request(b, "BUY", "10", "100")).summary, "409 7114 targettoken");
  assert.equal((await market.take(b, o1, "10")).summary, "409 7114 targettoken");
  assert.equal((await market.cancel(c, o1)).summary, "done");
  await market.admitTarget();
});

test("protocols §9.2: other decimals", async () => {
  const { client, issuer } = market;
  const supply = { totalsupply: String(10n ** 30n) };
  const whole = await createToken(client, issuer, { name: "Whole", decimal: "0", ...supply });
  const fine = await createToken(client, issuer, { name: "Fine", decimal: "18", ...supply });
  await client.pay(c, 5n, { token: whole, from: issuer });
  await client.pay(b, 100n);
  await client.pay(c, 100n);
  const terms = { side: "SELL", basetoken: "0", targettoken: whole, price: "7", qtt: "3" };
  const sale = await client.make("mrc040create", c, terms);
  const bought = await client.done("mrc040create", b, { ...terms, side: "BUY", qtt: "2" });
  assert.deepEqual(tradesOf(bought), ["2 for 14"]);
  assert.equal(market.state(sale), "TRADING 1, holds 1");
  const buys = { side: "BUY", basetoken: "0", targettoken: fine, price: "1" };
  const most = { ...buys, qtt: String(10n ** 18n - 1n) };
  assert.equal((await client.send("mrc040create", c, most)).summary, "400 3005 qtt");
  const one = await client.make("mrc040create", c, { ...buys, qtt: String(10n ** 18n) });
  assert.equal(market.state(one), `WAIT ${10n ** 18n}, holds 1`);
});

test("protocols §9.4: what waits is in no balance", async () => {
  await market.book1(traders);
  assert.equal(market.client.held(c, market.target), "980");
});

test("protocols §10: in a group a purchase and what is done with it", async () => {
  await market.book1(traders);
  const { none } = await market.people(["none"], { base: 100n, target: 0n });
  const buys = market.terms("BUY", "10", "100");
  const gives = { to: d, token: market.target, amount: "10" };
  const group = [
    ["mrc040request", none, buys],
    ["transfer", none, gives],
  ] as const;
  assert.equal((await market.client.group(group)).summary, "done");
  assert.equal(market.held(none), "0 0");
  await market.clear();
  assert.equal((await market.client.group(group)).summary, "0: 409 7117 qtt");
});

test("protocols §8 rows 1 and 2: without a base of its own a token is traded for coins", async () => {
  const { client, issuer } = market;
  const target = await createToken(client, issuer, { name: "Coin pair", decimal: "0" });
  await client.pay(c, 10n, { token: target, from: issuer });
  const terms = { side: "SELL", basetoken: "0", targettoken: target, price: "5", qtt: "2" };
  const [one, two] = [
    await client.make("mrc040create", c, terms),
    await client.make("mrc040create", c, terms),
  ];
  const closed = { ...terms, basetoken: market.base };
  assert.equal((await client.send("mrc040create", c, closed)).summary, "409 7114 targettoken");
  await client.done("tokensetbase", issuer, { token: target, baseToken: market.base });
  assert.equal((await client.send("mrc040create", c, terms)).summary, "409 7114 targettoken");
  assert.equal((await client.send("mrc040create", c, closed)).summary, "409 7114 targettoken");
  assert.equal((await market.take(b, one, "2")).summary, "409 7114 targettoken");
  assert.deepEqual(
    [one, two].map((id) => market.state(id)),
    Array(2).fill("WAIT 2, holds 2"),
  );
  // Row 5: opened again, they are traded in their old order.
  await client.done("tokensetbase", issuer, { token: target, baseToken: "0" });
  await client.pay(b, 100n);
  assert.equal((await market.take(b, two, "2")).summary, "409 7115 mrc040id");
  assert.equal((await market.take(b, one, "2")).summary, "done");
  assert.equal((await market.cancel(c, two)).summary, "done");
});

test("protocols §8: amounts in orders cannot be burned, and their market continues", async () => {
  const { client, issuer } = market;
  const target = await createToken(client, issuer, { name: "Burned", totalsupply: "10" });
  const terms = { side: "SELL", basetoken: "0", targettoken: target, price: "5", qtt: "6" };
  const order = await client.make("mrc040create", issuer, terms);
  const burn = { token: target, amount: "5", memo: "" };
  assert.equal((await client.send("tokenburn", issuer, burn)).code, "400 5000");
  await client.done("tokenburn", issuer, { ...burn, amount: "4" });
  await client.done("tokenincrease", issuer, { ...burn, amount: "9" });
  assert.equal(market.state(order), "WAIT 6, holds 6");
});

test("protocols §8: an order before the base is set stands in a closed pair", async () => {
  const { client, issuer } = market;
  const target = await createToken(client, issuer, { name: "Raced", totalsupply: "10" });
  const terms = { side: "SELL", basetoken: "0", targettoken: target, price: "5", qtt: "6" };
  const setting = { token: target, baseToken: market.base };
  const [order, set] = await client.block([
    ["mrc040create", issuer, terms],
    ["tokensetbase", issuer, setting],
  ]);
  assert.deepEqual([order?.summary, set?.summary], ["done", "done"]);
  const [back] = await client.block([["tokensetbase", issuer, { ...setting, baseToken: "0" }]]);
  assert.equal(back?.summary, "done");
  const [setFirst, late] = await client.block([
    ["tokensetbase", issuer, setting],
    ["mrc040create", issuer, terms],
  ]);
  assert.deepEqual([setFirst?.summary, late?.summary], ["done", "409 7114 targettoken"]);
});

test("protocols §10: the order in which the four refuse", async () => {
  const { o1, o2 } = await market.book1(traders);
  const { by } = await market.people(["by"], { base: 10n, target: 0n });
  const people = { by, stranger: market.issuer };
  const terms = market.terms("BUY", "10", "100");
  await market.client.mending("mrc040create", people, [
    [{ side: "x", basetoken: "y" }, "400 1000 targettoken"],
    [{ ...terms, side: "x", basetoken: "y" }, "400 3005 side"],
    [{ side: "BUY" }, "400 1101 basetoken"],
    [{ basetoken: market.target }, "400 3005 targettoken"],
    [{ basetoken: "99999" }, "404 4001 basetoken"],
    [{ basetoken: market.base, targettoken: "99999" }, "404 4001 targettoken"],
    [{ targettoken: market.target, price: "101", qtt: "5" }, "400 3005 qtt"],
    [{ basetoken: "0", price: "100", qtt: "10" }, "key"],
    [{}, "409 7114 targettoken"],
    [{ basetoken: market.base }, "400 5000"],
  ]);
  await market.client.mending("mrc040request", people, [
    [{ ...terms, targettoken: "99999" }, "404 4001 targettoken"],
    [{ targettoken: market.target, basetoken: "0" }, "key"],
    [{}, "409 7114 targettoken"],
    [{ basetoken: market.base, minqtt: "10", price: "99" }, "409 7117 qtt"],
    [{ price: "100" }, "400 5000"],
  ]);
  await market.client.mending("mrc040exchange", people, [
    [{ mrc040id: "MRC040_x", qtt: "0" }, "400 1107 qtt"],
    [{ qtt: "100" }, "404 6004 mrc040id"],
    [{ mrc040id: o2 }, "key"],
    [{}, "409 7115 mrc040id"],
    [{ mrc040id: o1 }, "400 3004 qtt"],
    [{ qtt: "10" }, "400 5000"],
  ]);
  await market.client.mending("mrc040cancel", people, [
    [{ mrc040id: "MRC040_x" }, "404 6004 mrc040id"],
    [{ mrc040id: o1 }, "key"],
    [{}, "403 7001 owner"],
  ]);
});
