import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Database } from "../database.ts";
import { listNamed, listPage } from "../testing/list-pages.ts";
import type { TestClient } from "../testing/test-client.ts";
import { ItemTrade } from "../testing/trade/item-trade.ts";
import { UnitTrade } from "../testing/trade/unit-trade.ts";
import { type ProjectMarket, ProjectMarketView } from "./project-markets.ts";

const HOUR = 3600;

function marketOf({ ledger }: TestClient, project: string): ProjectMarket {
  const { items } = listPage(ledger, listNamed("mrc400Projects"), {});
  const entry = items.find(({ id }) => id === project) as unknown as ProjectMarket;
  return { day_trades: entry.day_trades, day_volume: entry.day_volume };
}

function inCoins(trades: number, volume: number): ProjectMarket {
  const day_volume = trades === 0 ? [] : [{ token: "0", volume: String(volume), trades }];
  return { day_trades: trades, day_volume };
}

test("mrc401 §5: each way to trade an item counts for its project with what was paid, fees included, for 24 hours", async () => {
  using trade = await ItemTrade.open();
  const { client, cast } = trade;
  const { a, b, d, q } = cast;
  let [trades, volume] = [0, 0];
  const counts = (paid: number): void => {
    trades += paid > 0 ? 1 : 0;
    volume += paid;
    assert.deepEqual(marketOf(client, q), inCoins(trades, volume));
  };
  counts(0);
  const sold = await trade.onSale();
  counts(0);
  await trade.buy(b, sold);
  counts(300);
  const offered = await trade.x();
  const offer = { id: offered, price: "50", token: "0", end: String(trade.now + HOUR) };
  const offerid = await client.make("mrc401offer", b, offer);
  await client.done("mrc401acceptoffer", a, { offerid });
  counts(50);
  const now = await trade.onAuction({}, { bids: [[b, "100"]] });
  counts(0);
  assert.equal((await trade.send("mrc401bid", d, { mrc401id: now, amount: "502" })).code, "done");
  counts(502);
  const at = trade.now;
  const won = await trade.row68();
  const failed = await trade.onAuction();
  client.ledger.rebuild();
  counts(0);
  trade.now = at - (at % HOUR) + 24 * HOUR - 1;
  counts(0);
  trade.now += 1;
  assert.deepEqual(marketOf(client, q), inCoins(0, 0));
  for (const item of [won, failed]) {
    assert.equal((await trade.finish(item)).code, "done");
  }
  assert.deepEqual(marketOf(client, q), inCoins(1, 105));
});

test("mrc401 §5: each way to trade units counts for their project, not for an item that stands alone", async () => {
  using trade = await UnitTrade.open();
  const { client, cast } = trade;
  const { a, b, d, project } = cast;
  const id = await trade.u({ totalsupply: "100" }, { a: 100 });
  const alone = await trade.x({}, { a: 100 });
  for (const item of [alone, id]) {
    const sale = await trade.sale(a, item);
    await trade.buy(b, sale, "2");
    const offer = {
      id: item,
      amount: "10",
      price: "30",
      token: "0",
      end: String(trade.now + 2 * HOUR),
    };
    const offerid = await client.make("mrc402offer", b, offer);
    await client.done("mrc402acceptoffer", a, { offerid, amount: "4" });
    const lot = await trade.lot(a, item, {}, [[b, "100"]]);
    assert.equal((await trade.bid(d, lot, "500")).code, "done");
    const market = item === id ? inCoins(3, 60 + 120 + 500) : inCoins(0, 0);
    assert.deepEqual(marketOf(client, project), market);
  }
  const won = await trade.lot(a, id, {}, [
    [b, "100"],
    [d, "105"],
  ]);
  trade.untilEnd(won);
  assert.equal((await trade.finish(won)).code, "done");
  assert.equal(marketOf(client, project).day_volume.at(0)?.volume.endsWith("105"), true);
});

test("mrc401 §5: trades of a bundle count each", async () => {
  using trade = await ItemTrade.open();
  const { client, cast } = trade;
  const [one, other] = [await trade.onSale(), await trade.onSale()];
  const buying = (id: string) => ({ operation: "mrc401buy", buyer: cast.b, mrc401id: id });
  const operations = [buying(one), buying(other)];
  const body = JSON.stringify({ actor: cast.b, tkey: client.ledger.key(cast.b), operations });
  await client.done("bundle", cast.b, { body });
  assert.deepEqual(marketOf(client, cast.q), inCoins(2, 600));
});

test("mrc401 §5: trades in pieces or together add up alike; an hour has a bounded number of tokens, the coin always", () => {
  const [pieces, together] = [1, 1000].map((least) => {
    const database = new DatabaseSync(":memory:") as unknown as Database;
    ProjectMarketView.create(database);
    const view = new ProjectMarketView(database);
    for (const token of [5, 6, 7, 8, 9, 10, 5, 0, 0, 0, 11]) {
      const trade = (amount: string) =>
        view.insert(
          [
            {
              record: {
                ...{ type: "transfer_mrc401buy", address: "", token, parameters: [], values: {} },
                effects: [
                  {
                    ...{ type: "receive_mrc401sell", address: "", token, values: {} },
                    parameters: ["", "", amount, String(token), "", "", "", "X", ""],
                  },
                ],
              },
            },
          ],
          100,
          () => 3,
        );
      trade("10");
      view.accept();
      view.write(least);
      trade("1000");
      view.undo();
    }
    view.write(0);
    return view.market(3, HOUR - 1);
  });
  assert.deepEqual(together, pieces);
  assert.deepEqual(together, {
    day_trades: 11,
    day_volume: [
      ["0", "30", 3],
      ["5", "20", 2],
      ["6", "10", 1],
      ["7", "10", 1],
      ["8", "10", 1],
    ].map(([token, volume, trades]) => ({ token, volume, trades })),
  });
});
