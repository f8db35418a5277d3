import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Database } from "../database.ts";
import { admitted } from "../testing/admitted.ts";
import { listNamed, listPage } from "../testing/list-pages.ts";
import type { TestClient } from "../testing/test-client.ts";
import { OrderMarket } from "../testing/trade/order-market.ts";
import { TokenMarket } from "../testing/trade/token-market.ts";
import { TokenMarketView } from "./token-markets.ts";

const HOUR = 3600;

/** The market of a token as the list of tokens shows it. */
function marketOf({ ledger }: TestClient, token: string) {
  const { items } = listPage(ledger, listNamed("tokens"), {});
  const entry = items.find(({ id }) => id === token);
  assert(entry !== undefined);
  const { holders, day_trades, day_volume, price, price_of, price_token, price_date } = entry;
  return { holders, day_trades, day_volume, price, price_of, price_token, price_date };
}

test("tokens §2: a token has the trades of this hour and the 23 before it, and its last price", async () => {
  using market = await TokenMarket.open();
  const { client, gold } = market;
  const never = { price: "", price_of: "", price_token: "", price_date: 0 };
  const none = { day_trades: 0, day_volume: "0" };
  assert.deepEqual(marketOf(client, gold), { holders: 1, ...none, ...never });
  const { take } = await market.listed("mrc010sell", { taken: ["100", "50"] });
  const at = market.now;
  const last = { price: "15", price_of: "50", price_token: "0", price_date: at };
  assert.deepEqual(marketOf(client, gold), {
    ...{ holders: 2, day_trades: 2, day_volume: "150" },
    ...last,
  });
  const hour = at - (at % HOUR);
  market.now = hour + 24 * HOUR - 1;
  assert.equal(marketOf(client, gold).day_volume, "150");
  market.now = hour + 24 * HOUR;
  assert.deepEqual(marketOf(client, gold), { holders: 2, ...none, ...last });
  assert.equal((await take("20")).code, "done");
  assert.equal(marketOf(client, gold).day_volume, "20");
  assert.equal(marketOf(client, "0").day_trades, 0);
  client.ledger.rebuild();
  assert.equal(marketOf(client, gold).day_volume, "20");
});

test("tokens §2: a trade of a logged block counts once, also if it is executed again after a failure", async () => {
  using market = await TokenMarket.open();
  const { client, gold } = market;
  const { s, b, p } = await market.parties();
  const terms = { amount: "100", min_trade_unit: "1", price: "5", platform_commission: "0" };
  const dexid = await market.list("mrc010sell", s, market.listing1({ p }, terms));
  const { ledger } = client.ledger;
  const log = (text: string) => ledger.execute([[text]], market.now, { mayLog: true });
  const buy = (amount: string) => {
    const { text } = admitted(client.ledger, ["mrc010buy", b, { dexid, amount }]);
    return log(text as string).outcomes[0]?.kind;
  };
  assert.deepEqual([buy("10"), buy("20")], ["done", "done"]);
  assert.throws(() => log("{"), SyntaxError);
  assert.equal(buy("40"), "done");
  assert.equal(marketOf(client, gold).day_trades, 0);
  ledger.flush();
  const { day_trades, day_volume } = marketOf(client, gold);
  assert.deepEqual([day_trades, day_volume], [3, "70"]);
});

test("tokens §2: trades of many blocks are added up alike, whether written in pieces or together", () => {
  const [pieces, together] = [3, 1000].map((least) => {
    const database = new DatabaseSync(":memory:") as unknown as Database;
    TokenMarketView.create(database);
    const view = new TokenMarketView(database);
    for (let block = 0; block < 10; block += 1) {
      const trade = { token: 1 + (block % 2), priceOf: "2", priceToken: "0" };
      for (const amount of ["5", "7"]) {
        view.add({ ...trade, time: block * 20, amount, price: String(block + 1) });
      }
      view.accept();
      view.write(least);
      view.add({ ...trade, time: block * 20, amount: "100", price: "1000" });
      view.undo();
    }
    const isWritten = view.market(1, HOUR).day_trades > 0;
    view.write(0);
    const decimals = { token: 0, priceToken: 0 };
    const span = { since: 0, until: HOUR, priceToken: 0, decimals };
    const candles = view.candles({ ...span, token: 2, step: "minute" });
    const { day_trades, day_volume, price } = view.market(1, HOUR);
    return { isWritten, sums: [day_trades, day_volume, price, candles.length], candles };
  });
  assert.deepEqual([pieces?.isWritten, together?.isWritten], [true, false]);
  assert.deepEqual(together?.sums, [10, "60", "9", 4]);
  assert.deepEqual({ ...pieces, isWritten: false }, together);
});

test("tokens §2: each trade with an order counts, and its price is that of a whole token", async () => {
  using market = await OrderMarket.open();
  const { client, target, base } = market;
  const { a, c, d } = await market.traders();
  await market.book1({ c, d });
  await market.request(a, "BUY", "15", "100");
  assert.deepEqual(marketOf(client, target), {
    ...{ holders: 5, day_trades: 2, day_volume: "15" },
    ...{ price: "100", price_of: "10", price_token: base, price_date: client.now },
  });
  assert.equal(marketOf(client, base).day_trades, 0);
});

test("tokens §2: an auction that is won at its end counts with what its winner has bid", async () => {
  using market = await TokenMarket.open();
  const { dexid, end } = await market.auctioned({ bids: ["100", "105"] });
  market.now = end;
  assert.equal((await market.finish(dexid)).code, "done");
  const { day_volume, price, price_of } = marketOf(market.client, market.gold);
  assert.deepEqual([day_volume, price, price_of], ["50", "105", "50"]);
});

test("tokens §2: whoever pays all of a token away is a holder no more", async () => {
  using market = await TokenMarket.open();
  const { client, gold } = market;
  const holder = await market.holder({ gold: 5n });
  const other = await market.holder();
  const holders = () => marketOf(client, gold).holders;
  assert.equal(holders(), 2);
  await market.pay(other, 5n, { from: holder });
  assert.equal(holders(), 2);
  await market.pay(market.issuer, 5n, { from: other });
  assert.equal(holders(), 1);
  await market.pay(other, 3n, { unlockdate: client.now + HOUR });
  assert.equal(holders(), 2);
});

test("tokens §2: candles have prices and volume by minute, hour and day, of one pair of tokens", async () => {
  using market = await TokenMarket.open();
  const { client, gold } = market;
  const { s, b, p } = await market.parties();
  const buy = async (amount: string, price: string, unit = "1"): Promise<void> => {
    const terms = { amount, min_trade_unit: unit, price, platform_commission: "0" };
    const dexid = await market.list("mrc010sell", s, market.listing1({ p }, terms));
    assert.equal((await market.send("mrc010buy", b, { dexid, amount })).summary, "done");
  };
  const candles = (
    step: "minute" | "hour" | "day",
    more: { token?: string; since?: number; until?: number } = {},
  ) =>
    client.ledger.reading(() =>
      client.ledger.reader.tokenMarkets.candles({
        ...{ token: Number(more.token ?? gold), priceToken: 0, step },
        ...{
          since: more.since ?? 0,
          until: more.until ?? market.now,
          decimals: { token: 0, priceToken: 0 },
        },
      }),
    );
  const day = (Math.floor(market.now / 86_400) + 1) * 86_400;
  market.now = day + 30;
  await buy("10", "3");
  await buy("10", "10", "10");
  await buy("5", "4");
  const first = { open: "3", high: "4", low: "1", close: "4", volume: "25", trades: 3 };
  assert.deepEqual(candles("minute"), [{ time: day, ...first }]);
  market.now = day + 60;
  const lot = { mrc010id: gold, amount: "6", token: "0", auction_start_price: "1" };
  const dexid = await market.list("mrc010auction", s, { ...lot, auction_buynow_price: "2" });
  assert.equal((await market.send("mrc010bid", b, { dexid, amount: "2" })).summary, "done");
  market.now = day + HOUR;
  await buy("10", "5", "10");
  const third = "0.33333333333333333333";
  const rare = { open: third, high: third, low: third, close: third, volume: "6", trades: 1 };
  const half = { open: "0.5", high: "0.5", low: "0.5", close: "0.5", volume: "10", trades: 1 };
  const second = { time: day + HOUR, ...half };
  assert.deepEqual(candles("minute", { since: day + 1 }), [{ time: day + 60, ...rare }, second]);
  assert.deepEqual(candles("minute", { until: day + 59 }), [{ time: day, ...first }]);
  const hour = { time: day, ...first, low: third, close: third, volume: "31", trades: 4 };
  assert.deepEqual(candles("hour"), [hour, second]);
  assert.deepEqual(candles("day"), [{ ...hour, close: "0.5", volume: "41", trades: 5 }]);
  assert.deepEqual(candles("day", { token: "0" }), []);
  client.ledger.rebuild();
  assert.deepEqual(candles("hour"), [hour, second]);
});
