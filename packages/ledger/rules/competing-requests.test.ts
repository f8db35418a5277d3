import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params, Request } from "../testing/admitted.ts";
import type { TestClient } from "../testing/test-client.ts";
import { AUCTION } from "../testing/trade/item-terms.ts";
import { ItemTrade } from "../testing/trade/item-trade.ts";
import { TokenMarket } from "../testing/trade/token-market.ts";
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

function times(count: number, ...request: Request): readonly Request[] {
  return Array.from({ length: count }, () => request);
}

// Items.

const temporary = { transferable: "Temporary" };
const idle = (): Promise<string> => items.x({ initial_reserve: "40", melt_fee: "25" });
const onSale = (): Promise<string> => items.onSale(temporary);
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

itemRace("mrc401 §12: two buyers", "done, 409 7106", "409 7106, done", onSale, (x) => [
  item.buy(x),
  item.buy(x, items.cast.d),
]);

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

// Units.

const unit = (word: string, by: Address, params: Params): Request => [`mrc402${word}`, by, params];

/** A sells 10 units at 30, of which C has bought some. */
async function unitSale(bought = 0): Promise<{ readonly x: string; readonly dexid: string }> {
  const { a, c } = units.cast;
  const x = await units.x({}, { a: 10 });
  const dexid = await units.sale(a, x);
  if (bought > 0) {
    assert.equal((await units.buy(c, dexid, String(bought))).summary, "done");
  }
  return { x, dexid };
}

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

test("conventions §5.3: one request ten times in one block is done once", async () => {
  const { b, dexid } = await tokens.listed("mrc010sell");
  const params = { dexid, amount: "10", tkey: tokens.client.ledger.key(b) };
  const answers = await tokens.client.block(times(10, ...token("mrc010buy", b, params)));
  assert.deepEqual(
    answers.map(({ summary: reported }) => reported),
    ["done", ...Array(9).fill("repeat")],
  );
});
