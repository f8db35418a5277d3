import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params, Request } from "../testing/admitted.ts";
import type { TestClient } from "../testing/test-client.ts";
import { ART, createToken } from "../testing/trade/creations.ts";
import { AUCTION } from "../testing/trade/item-terms.ts";
import { ItemTrade } from "../testing/trade/item-trade.ts";
import { TokenMarket } from "../testing/trade/token-market.ts";
import { DAY, listingParams } from "../testing/trade/unit-terms.ts";
import { UnitTrade } from "../testing/trade/unit-trade.ts";

// Requests for the same goods that are admitted together, before any of them has been executed, and
// come into one block. Each is refused or done as if the other had been there before. The client
// asserts after each block that nothing was created or lost.

let items: ItemTrade;
let units: UnitTrade;
let tokens: TokenMarket;
before(async () => {
  items = await ItemTrade.open();
  units = await UnitTrade.open({ tokens: 1 });
  tokens = await TokenMarket.open();
});
after(() => {
  for (const { client } of [items, units, tokens]) {
    client[Symbol.dispose]();
  }
});

type Pair = readonly [Request, Request];

const onItems = (): TestClient => items.client;
const onUnits = (): TestClient => units.client;
const onTokens = (): TestClient => tokens.client;

/**
 * A test of two requests in one block: their answers with the first of them first, and in turned
 * order. `start` prepares both.
 */
function race(
  on: () => TestClient,
  name: string,
  inOrder: string,
  turned: string,
  start: () => Promise<Pair>,
): void {
  test(`${name}, in one block: ${inOrder}; in turned order: ${turned}`, async () => {
    const codes = async (pair: readonly Request[]): Promise<string[]> =>
      (await on().block(pair)).map(({ code }) => code);
    assert.equal((await codes(await start())).join(", "), inOrder);
    const [first, second] = await start();
    assert.equal((await codes([second, first])).reverse().join(", "), turned);
  });
}

/** Of several requests in one block, how many had each answer, such as `3 done, 7 400 5000`. */
async function tally(client: TestClient, requests: readonly Request[]): Promise<string> {
  const codes = (await client.block(requests)).map(({ code }) => code);
  const counts = Object.entries(Object.groupBy(codes, (code) => code));
  return counts.map(([code, each = []]) => `${each.length} ${code}`).join(", ");
}

function times(count: number, ...request: Request): readonly Request[] {
  return Array.from({ length: count }, () => request);
}

// Items.

const temporary = { transferable: "Temporary" };
const idle = (): Promise<string> => items.x({ initial_reserve: "40", melt_fee: "25" });
const onSale = (): Promise<string> => items.onSale(temporary);
const open = (): Promise<string> => items.onAuction(temporary);
const withBid = (): Promise<string> =>
  items.onAuction(temporary, { bids: [[items.cast.b, "100"]] });
const atEnd =
  (make: () => Promise<string>, secondsBefore = 0) =>
  async (): Promise<string> => {
    const x = await make();
    items.untilEnd(x);
    items.client.now -= secondsBefore;
    return x;
  };

const item = {
  buy: (x: string, by = items.cast.b): Request => ["mrc401buy", by, { mrc401id: x }],
  bid: (x: string, amount: string, by = items.cast.b): Request => [
    ...(["mrc401bid", by] as const),
    { mrc401id: x, amount },
  ],
  melt: (x: string): Request => ["mrc401melt", items.cast.a, { mrc401id: x }],
  give: (x: string, toAddr: Address): Request => [
    ...(["mrc401transfer", items.cast.a] as const),
    { mrc401id: x, toAddr },
  ],
  sell: (...ids: readonly string[]): Request => {
    const itemdata = ids.map((id) => ({ id, price: "300", token: "0" }));
    return ["mrc401sell", items.cast.a, { itemdata }];
  },
  auction: (x: string): Request => [
    ...(["mrc401auction", items.cast.a] as const),
    { itemdata: [{ id: x, ...AUCTION }] },
  ],
  undo: (word: "unsell" | "unauction", x: string): Request => [
    ...([`mrc401${word}`, items.cast.a] as const),
    { itemdata: [x] },
  ],
  bind: (x: string): Request => [
    ...(["mrc401update", items.cast.o] as const),
    { mrc400id: items.cast.q, itemdata: [{ id: x, transferable: "Bound" }] },
  ],
  finish: (x: string): Request => ["mrc401auctionfinish", "", { mrc401id: x }],
};

/** A race for an item that `make` makes. */
function itemRace(
  name: string,
  inOrder: string,
  turned: string,
  make: () => Promise<string>,
  pair: (x: string) => Pair,
): void {
  race(onItems, name, inOrder, turned, async () => pair(await make()));
}

itemRace("mrc401 §18 row 50: two buyers", "done, 409 7106", "409 7106, done", onSale, (x) => [
  item.buy(x),
  item.buy(x, items.cast.d),
]);

itemRace("mrc401 §14: sell and auction", "done, 409 7108", "409 7108, done", idle, (x) => [
  item.sell(x),
  item.auction(x),
]);

itemRace(
  "mrc401 §16: two bids of the same amount",
  "done, 400 3004",
  "400 3004, done",
  open,
  (x) => [item.bid(x, "100"), item.bid(x, "100", items.cast.d)],
);

itemRace(
  "mrc401 §17: bid and auctionfinish at the end",
  "409 7202, done",
  "409 7106, done",
  atEnd(withBid),
  (x) => [item.bid(x, "105", items.cast.d), item.finish(x)],
);

itemRace(
  "mrc401 §10: one key for sell and auction",
  "done, 409 2021",
  "409 2021, done",
  idle,
  (x) => oneKey(items.client, item.sell(x), item.auction(x)),
);

function oneKey(client: TestClient, ...pair: Pair): Pair {
  const tkey = client.ledger.key(pair[0][1] as Address);
  return pair.map(([op, by, params]): Request => [op, by, { ...params, tkey }]) as never;
}

test("mrc401 §12: with coins for one item, of two purchases in one block one is 5000", async () => {
  const [x, y] = [await onSale(), await onSale()];
  const { e } = await items.client.people(["e"], { coins: 300n });
  assert.equal(await tally(items.client, [item.buy(x, e), item.buy(y, e)]), "1 done, 1 400 5000");
});

test("mrc401 §16: of 20 bids in one block the highest leads, and all others have their coins back", async () => {
  const x = await open();
  const bidders = Object.values(
    await items.client.people(
      Array.from({ length: 20 }, (_, at) => `bidder ${at}`),
      { coins: 1000n },
    ),
  );
  const bids = bidders.map((by, at) => item.bid(x, String(100 + 5 * ((at * 7) % 20)), by));
  await items.client.block(bids);
  const highest = bidders.findIndex((_, at) => (at * 7) % 20 === 19);
  items.assertItem(x, { auction_current_bidder: bidders[highest] as Address });
  for (const [at, by] of bidders.entries()) {
    assert.equal(items.client.held(by), at === highest ? "805" : "1000");
  }
});

// Units.

const unit = (word: string, by: Address, params: Params): Request => [`mrc402${word}`, by, params];

/** A sells 10 units at 30, of which C has bought some. */
async function unitSale(bought = 0): Promise<{ readonly x: string; readonly dexid: string }> {
  const { a, c } = units.cast;
  const x = await units.x({}, { a: 10 });
  const dexid = await units.sale(a, x);
  if (bought > 0) {
    assert.equal((await units.buy(c, dexid, String(bought))).said, "done");
  }
  return { x, dexid };
}

/** A has 5 units on auction, with or without C's bid of 100. */
async function unitLot(hasBid = false): Promise<{ readonly x: string; readonly dexid: string }> {
  const { a, c } = units.cast;
  const x = await units.x({}, { a: 5 });
  return { x, dexid: await units.lot(a, x, {}, hasBid ? [[c, "100"]] : []) };
}

const unitFinish = (id: string): Request => ["mrc402auctionfinish", "", { id }];

race(
  onUnits,
  "mrc402 §2.2: two buyers of 3 of the last 5 units",
  "done, 400 3004",
  "400 3004, done",
  async () => {
    const params = { id: (await unitSale(5)).dexid, amount: "3" };
    return [unit("buy", units.cast.b, params), unit("buy", units.cast.d, params)];
  },
);

race(
  onUnits,
  "mrc402 §2.2: a sale and an auction of 6 of 10 units",
  "done, 409 7108",
  "409 7108, done",
  async () => {
    const { a } = units.cast;
    const x = await units.x({}, { a: 10 });
    return [
      unit("sell", a, listingParams("sell", "quantity", x, { amount: "6" })),
      unit("auction", a, listingParams("auction", "item", x, { amount: "6" })),
    ];
  },
);

race(
  onUnits,
  "mrc402 §2.2: two auctionfinish by item id, with two auctions past their end",
  "done, done",
  "done, done",
  async () => {
    const { b, c } = units.cast;
    const { x } = await unitLot();
    await units.give(x, c, b, "5");
    await units.lot(b, x);
    units.client.now += DAY;
    return [unitFinish(x), unitFinish(x)];
  },
);

race(
  onUnits,
  "mrc402 §2.2: a melt and a burn of the last units",
  "done, 409 7110",
  "409 7110, done",
  async () => {
    const { c } = units.cast;
    const x = await units.alone(c, { totalsupply: "2", initialreserve: { "0": "1" } });
    const all = { mrc402id: x, amount: "2" };
    return [unit("melt", c, all), unit("burn", c, all)];
  },
);

test("mrc402: of more requests in one block than units or coins suffice for, so many are done", async () => {
  const { client } = units;
  const { a, b, c } = units.cast;
  const { e } = await client.people(["e"], { coins: 1250n });
  const { dexid } = await unitSale();
  const one = unit("buy", e, { id: dexid, amount: "1" });
  assert.equal(await tally(client, times(30, ...one)), "10 done, 20 409 7102");
  const x = await units.x({ totalsupply: "11" }, { a: 10 });
  const gift = unit("transfer", a, { mrc402id: x, toAddr: b });
  assert.equal(await tally(client, times(30, ...gift)), "10 done, 20 403 7001");
  const reserved = await units.alone(e, { initialreserve: { "0": "200" } });
  const mint = unit("mint", e, { mrc402id: reserved, amount: "1" });
  assert.equal(await tally(client, times(10, ...mint)), "3 done, 7 400 5000");
  const y = await units.x({ totalsupply: "9", initialreserve: { "0": "1" } }, { a: 3 });
  const melt = unit("melt", a, { mrc402id: y });
  assert.equal(await tally(client, times(5, ...melt)), "3 done, 2 403 7001");
  await units.give(y, c, a);
  const contest = [
    melt,
    unit("transfer", a, { mrc402id: y, toAddr: b }),
    unit("sell", a, { id: y, amount: "1", price: "1", token: "0" }),
  ];
  assert.equal(await tally(client, contest), "1 done, 2 403 7001");
});

test("mrc402 §2.1, §4: of creations in one block with one number one is done, and with one balance so many as it suffices for", async () => {
  const { client } = units;
  const { o, partner, maker, project } = units.cast;
  const itemdata = [{ item_id: "7".repeat(40), initialreserve: { "0": "10" } }];
  const create = (by: Address): Request => unit("create", by, { mrc400id: project, itemdata });
  const creators = [o, partner, maker].map(create);
  assert.equal(await tally(client, creators), "1 done, 2 409 7111");
  const { e } = await client.people(["e"], { coins: 1000n });
  const art = { ...ART, totalsupply: "2", initialreserve: { "0": "300" } };
  assert.equal(await tally(client, times(2, ...unit("create", e, art))), "1 done, 1 400 5000");
});

// Tokens.

const token = (word: string, by: Address, params: Params): Request => [word, by, params];

race(
  onTokens,
  "tokens §8: two buys of 500 while 600 remain",
  "done, 400 3004",
  "400 3004, done",
  async () => {
    const { b, dexid } = await tokens.listed("mrc010sell", { taken: ["400"] });
    const buy = token("mrc010buy", b, { dexid, amount: "500" });
    return [buy, buy];
  },
);

race(onTokens, "tokens §8: buy of all and unsell", "done, 409 7102", "409 7101, done", async () => {
  const { s, b, dexid } = await tokens.listed("mrc010sell");
  const buy = token("mrc010buy", b, { dexid, amount: "1000" });
  return [buy, token("mrc010unsell", s, { dexid })];
});

race(
  onTokens,
  "tokens §8: two sales of 600 of 1000",
  "done, 400 5000",
  "400 5000, done",
  async () => {
    const parties = await tokens.parties();
    const sale = tokens.listing1(parties, { amount: "600" });
    return [token("mrc010sell", parties.s, sale), token("mrc010sell", parties.s, sale)];
  },
);

/** O and A, and a token of O's with these units. */
async function ownedToken(
  totalsupply: string,
): Promise<{ readonly o: Address; readonly a: Address; readonly id: string }> {
  const { o, a } = await tokens.client.people(["o", "a"]);
  return { o, a, id: await createToken(tokens.client, o, { totalsupply }) };
}

race(
  onTokens,
  "tokens §5: a burn and an increase with one temporary key",
  "done, 409 2021",
  "409 2021, done",
  async () => {
    const { o, id } = await ownedToken("100");
    const params = { token: id, amount: "10" };
    const burn = token("tokenburn", o, params);
    return oneKey(tokens.client, burn, token("tokenincrease", o, params));
  },
);

race(
  onTokens,
  "tokens §5: §4: two creations from one draft",
  "done, 404 6010",
  "404 6010, done",
  async () => {
    const { o } = await tokens.client.people(["o"]);
    await tokens.client.done("tokensave", o, { symbol: "GLD", name: "Gold" });
    const create: Request = ["tokencreate", o, {}, { decided: { name: "Gold" } }];
    return [create, create];
  },
);

test("tokens §5, §8: of more requests in one block than units suffice for, so many are done", async () => {
  const { o, id } = await ownedToken("1000");
  const burn = token("tokenburn", o, { token: id, amount: "300" });
  assert.equal(await tally(tokens.client, times(5, ...burn)), "3 done, 2 400 5000");
  const { b, dexid } = await tokens.listed("mrc010sell", { change: { amount: "100" } });
  const buy = token("mrc010buy", b, { dexid, amount: "10" });
  assert.equal(await tally(tokens.client, times(30, ...buy)), "10 done, 20 409 7102");
});

test("mrc401 §4: of two equal updates of a project in one block one is done, the other 4900", async () => {
  const { o, q } = items.cast;
  const update: Request = ["mrc400update", o, { mrc400id: q, category: "changed" }];
  assert.equal(await tally(items.client, times(2, ...update)), "1 done, 1 400 4900");
});

test("conventions §5.3: one request ten times in one block is done once", async () => {
  const { b, dexid } = await tokens.listed("mrc010sell");
  const params = { dexid, amount: "10", tkey: tokens.client.ledger.key(b) };
  const answers = await tokens.client.block(times(10, ...token("mrc010buy", b, params)));
  assert.deepEqual(
    answers.map(({ said }) => said),
    ["done", ...Array(9).fill("repeat")],
  );
});
