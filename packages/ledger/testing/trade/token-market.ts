import type { Address } from "@moneta/protocol";
import type { Params } from "../admitted.ts";
import type { Answer } from "../answer.ts";
import type { ModelTokenListing } from "../models/ledger-model.ts";
import { TestClient } from "../test-client.ts";
import { createToken } from "./creations.ts";

/** S sells, B buys, P is the platform. Source: tokens §13. */
export interface Parties {
  readonly s: Address;
  readonly b: Address;
  readonly p: Address;
}

/** An auction of S, on which B and B2 bid. */
export interface Auctioned extends Parties {
  readonly b2: Address;
  readonly dexid: string;
  /** When it starts and ends, Unix seconds. */
  readonly start: number;
  readonly end: number;
}

/** Name and URL of a platform. */
export const PLATFORM = {
  platform_name: "Börse 😀",
  platform_url: "https://börse.example/?a=1",
};

/** A ledger on which gold is traded for coins: `using market = await TokenMarket.open()`. */
export class TokenMarket implements Disposable {
  readonly client: TestClient;
  /** Owns the gold, and holds the rest of it. */
  readonly issuer: Address;
  readonly gold: string;

  private constructor(client: TestClient, gold: string) {
    this.client = client;
    this.issuer = client.issuer;
    this.gold = gold;
  }

  static async open(): Promise<TokenMarket> {
    const client = await TestClient.open();
    const terms = { totalsupply: "1000000000000" };
    return new TokenMarket(client, await createToken(client, client.issuer, terms));
  }

  [Symbol.dispose](): void {
    this.client[Symbol.dispose]();
  }

  get now(): number {
    return this.client.now;
  }

  set now(now: number) {
    this.client.now = now;
  }

  async holder({
    coins = 0n,
    gold = 0n,
  }: {
    coins?: bigint;
    gold?: bigint;
  } = {}): Promise<Address> {
    const tokens = { [this.gold]: gold };
    return (await this.client.people(["holder"], { coins, tokens })).holder;
  }

  /** S with 1000 of gold, B with 1000 coins, and P with nothing, unless other amounts are given. */
  async parties({
    gold = 1000n,
    coins = 1000n,
  }: {
    gold?: bigint;
    coins?: bigint;
  } = {}): Promise<Parties> {
    return {
      s: await this.holder({ gold }),
      b: await this.holder({ coins }),
      p: await this.holder(),
    };
  }

  /** Pays gold from its issuer, or another token from `from`. */
  pay(
    to: Address,
    amount: bigint,
    more: { readonly token?: string; readonly from?: Address; readonly unlockdate?: number } = {},
  ): Promise<void> {
    return this.client.pay(to, amount, { token: this.gold, ...more });
  }

  send(op: string, by: Address, params: Params): Promise<Answer> {
    return this.client.send(op, by, params);
  }

  /** Creates a listing; returns its id. */
  list(op: string, by: Address, params: Params): Promise<string> {
    return this.client.make(op, by, params);
  }

  /** Closes an auction after its end, which needs no signature. */
  finish(dexid: string): Promise<Answer> {
    return this.client.send("mrc010auctionfinish", "", { dexid });
  }

  /** Listing 1 of tokens §13: sells 1000 of gold for coins. */
  listing1({ p }: Pick<Parties, "p">, change: Params = {}): Params {
    return {
      ...{ mrc010id: this.gold, amount: "1000", token: "0", min_trade_unit: "10", price: "3" },
      ...{ platform_commission: "2.5", platform_address: p },
      ...change,
    };
  }

  /** Listing 3 of tokens §13: an auction of 50 of gold for coins. */
  listing3({ p }: Pick<Parties, "p">, change: Params = {}): Params {
    return {
      ...{ mrc010id: this.gold, amount: "50", token: "0" },
      ...{ auction_start_price: "100", auction_bidding_unit: "5", auction_buynow_price: "500" },
      ...{ platform_commission: "1", platform_address: p },
      ...change,
    };
  }

  /** Listing 1 or 2 of tokens §13, of which parts have been taken in turn by the other side. */
  async listed(
    op: "mrc010sell" | "mrc010reqsell",
    { change = {}, taken = [] }: { change?: Params; taken?: readonly string[] } = {},
  ): Promise<
    Parties & { readonly dexid: string; readonly take: (amount: string) => Promise<Answer> }
  > {
    const parties = await this.parties();
    const { s, b } = parties;
    const [creator, taker, taking] =
      op === "mrc010sell" ? [s, b, "mrc010buy"] : [b, s, "mrc010acceptreqsell"];
    const dexid = await this.list(op, creator as Address, this.listing1(parties, change));
    for (const amount of taken) {
      await this.client.done(taking as string, taker as Address, { dexid, amount });
    }
    const take = (amount: string): Promise<Answer> =>
      this.send(taking as string, taker as Address, { dexid, amount });
    return { ...parties, dexid, take };
  }

  /**
   * Listing 3, on which B and B2 have bid in turn; S has 50 of gold, the bidders 1000 coins each.
   */
  async auctioned({
    change = {},
    bids = [],
  }: {
    change?: Params;
    bids?: readonly string[];
  } = {}): Promise<Auctioned> {
    const parties = await this.parties({ gold: 50n });
    const b2 = await this.holder({ coins: 1000n });
    const dexid = await this.list("mrc010auction", parties.s, this.listing3(parties, change));
    const { auction_start_date: start, auction_end_date: end } = this.listing(dexid);
    for (const [index, amount] of bids.entries()) {
      await this.client.done("mrc010bid", index % 2 === 0 ? parties.b : b2, { dexid, amount });
    }
    return { ...parties, b2, dexid, start, end };
  }

  /** Bids; `done`, or the code that refuses it. */
  async bid(by: Address, dexid: string, amount: string): Promise<string> {
    return (await this.send("mrc010bid", by, { dexid, amount })).code;
  }

  /** As `TestClient.mending`; the issuer is the stranger. */
  mending(
    op: string,
    by: Address,
    changes: readonly (readonly [change: Params, answer: string])[],
  ): Promise<void> {
    return this.client.mending(op, { by, stranger: this.issuer }, changes);
  }

  listing(dexid: string): ModelTokenListing {
    return this.client.entry(dexid);
  }

  /** Balances, such as `970 coins, 100 gold`; locked amounts as `50@1767225700`. */
  held(by: Address): string {
    return `${this.client.held(by)} coins, ${this.client.held(by, this.gold)} gold`;
  }
}
