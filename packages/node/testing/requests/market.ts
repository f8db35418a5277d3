import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { ART } from "../../../ledger/testing/trade/creations.ts";
import { type Answered, type KeyHolder, type Params, parsed, summaryOf } from "../test-node.ts";
import { createItems, createProject } from "./item-requests.ts";
import { Parties } from "./parties.ts";
import { issued } from "./token-requests.ts";

/** S sells, B buys, P is the platform. Source: tokens §13. */
export interface MarketCast {
  readonly s: KeyHolder;
  readonly b: KeyHolder;
  readonly p: KeyHolder;
}

/** A node on which tokens are traded, and the token `gold`: `await using market = await Market.open()`. */
export class Market extends Parties {
  readonly gold = "1";

  /** A new token, all of which its owner has. */
  issue(owner: KeyHolder, totalsupply: string): Promise<string> {
    return issued(this.node, owner, { name: `Metal of ${totalsupply}`, totalsupply });
  }

  /** S with 1000 of gold, B with 1000 coins, and P with nothing, unless other amounts are given. */
  async cast({ gold = 1000n, coins = 1000n } = {}): Promise<MarketCast> {
    const tokens = { [this.gold]: gold };
    const [s, b, p] = [
      await this.holder(0n, { tokens }),
      await this.holder(coins),
      await this.holder(),
    ];
    return { s, b, p };
  }

  async list(word: "sell" | "reqsell" | "auction", by: KeyHolder, params: Params): Promise<string> {
    const request = await this.request(`mrc010${word}`, by, params);
    const answer = await this.post(request);
    assert.equal(answer.status, 200, answer.text);
    const { mrc010dexid } = parsed<{ mrc010dexid: string }>(answer);
    assert.equal(mrc010dexid, dexidOf(by.address, request.tkey));
    return mrc010dexid;
  }

  /** Listing 1 of tokens §13: sells 1000 of gold for coins. */
  listing1({ p }: Pick<MarketCast, "p">, change: Params = {}): Params {
    return {
      ...{ mrc010id: this.gold, amount: "1000", token: "0", min_trade_unit: "10", price: "3" },
      ...{ platform_commission: "2.5", platform_address: p.address },
      ...change,
    };
  }

  /** Listing 3 of tokens §13: an auction of 50 of gold for coins. */
  listing3({ p }: Pick<MarketCast, "p">, change: Params = {}): Params {
    return {
      ...{ mrc010id: this.gold, amount: "50", token: "0", auction_start_price: "100" },
      ...{ auction_bidding_unit: "5", auction_buynow_price: "500" },
      ...{ platform_commission: "1", platform_address: p.address },
      ...change,
    };
  }

  finish(dexid: string, method: "GET" | "POST" = "POST"): Promise<Answered> {
    return this.node.request(`/token/auctionfinish/${dexid}`, { method });
  }
}

/** The id of the listing that an address creates with a temporary key. Source: market §1.1. */
export function dexidOf(address: string, tkey: string): string {
  const hash = createHash("sha256").update(`DEX010|${address}|${tkey}`).digest("hex");
  return `DEX010_${hash.slice(0, 33)}`;
}

/** A sale of tokens, a sale of an item, a creation of units: records with effects of all kinds. */
export async function tradeAll(market: Market, alice: KeyHolder, bob: KeyHolder): Promise<void> {
  const platform = { p: await market.holder() };
  const dexid = await market.list("sell", alice, market.listing1(platform));
  assert.equal(summaryOf(await market.send("mrc010buy", bob, { dexid, amount: "400" })), "200");
  const project = await createProject(market.node, alice);
  const [item = ""] = await createItems(market.node, project, alice, [{ token: "0" }]);
  const itemdata = [{ id: item, price: "30", token: "0" }];
  await market.done("mrc401sell", alice, { itemdata });
  await market.done("mrc401buy", bob, { mrc401id: item });
  await market.done("mrc402create", alice, { ...ART, totalsupply: "20" });
}
