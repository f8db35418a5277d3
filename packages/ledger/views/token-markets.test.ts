import assert from "node:assert/strict";
import { test } from "node:test";
import { listNamed, listPage } from "../testing/list-pages.ts";
import type { TestClient } from "../testing/test-client.ts";
import { OrderMarket } from "../testing/trade/order-market.ts";
import { TokenMarket } from "../testing/trade/token-market.ts";

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
