import assert from "node:assert/strict";
import {
  type Answered,
  type BalanceEntry,
  type KeyHolder,
  type Params,
  parsed,
  signatureOf,
  TestNode,
} from "../test-node.ts";
import {
  addressed,
  dexidOf,
  type Listing,
  type MarketRequest,
  type MarketSigning,
  type MarketWord,
  marketRequest,
} from "./market-requests.ts";

const SAVED = ["owner", "symbol", "token", "name", "url", "Temporarykey"];

/** S sells, B buys, P is the platform. Source: tokens §13. */
export interface Parties {
  readonly s: KeyHolder;
  readonly b: KeyHolder;
  readonly p: KeyHolder;
}

/**
 * A node on which tokens are traded, and a token `gold` to trade. It knows every address that has ever held anything there, so it can ask
 * whether a unit was lost: `await using market = await Market.open()`.
 */
export class Market implements AsyncDisposable {
  readonly node: TestNode;
  /** Owns `gold`, and has what nobody else has of it. */
  readonly issuer: KeyHolder;
  #gold = "";
  readonly #holders: KeyHolder[];
  readonly #tokens: string[] = ["0"];

  private constructor(node: TestNode, issuer: KeyHolder) {
    this.node = node;
    this.issuer = issuer;
    this.#holders = [node.treasury, issuer];
  }

  static async open(): Promise<Market> {
    const node = await TestNode.start();
    try {
      const market = new Market(node, await node.holder());
      market.#gold = await market.issue(market.issuer, "1000000000000");
      return market;
    } catch (thrown) {
      await node[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.node[Symbol.asyncDispose]();
  }

  get gold(): string {
    return this.#gold;
  }

  /** A new token, all of which its owner has. Source: tokens §3, §4. */
  async issue(owner: KeyHolder, totalsupply: string): Promise<string> {
    const name = `Metal ${this.#tokens.length}`;
    const draft = { owner: owner.address, symbol: "MTL", name, totalsupply };
    const signing = { keyName: "Temporarykey" };
    const save = await this.node.shortlySigned(owner, SAVED, draft, signing);
    const { status, text: tkey } = await this.node.post("/token", save);
    assert.equal(status, 200, tkey);
    const signature = signatureOf(`${owner.address}|${name}|${tkey}`, owner);
    const created = await this.node.post(`/token/${tkey}`, { signature });
    assert.equal(created.status, 200, created.text);
    const id = /^\/token\/([1-9][0-9]*)$/.exec(created.headers.get("location") ?? "")?.[1];
    assert.ok(id !== undefined, "the new token's place is answered");
    this.#tokens.push(id);
    return id;
  }

  async holder({
    coins = 0n,
    gold = 0n,
    params = {},
  }: {
    readonly coins?: bigint;
    readonly gold?: bigint;
    readonly params?: Params;
  } = {}): Promise<KeyHolder> {
    const holder = await this.node.holder(coins > 0n ? { coins, params } : { params });
    this.#holders.push(holder);
    if (gold > 0n) {
      await this.pay(this.issuer, holder, gold);
    }
    return holder;
  }

  /** S with 1000 of gold, B with 1000 coins, and P with nothing, unless other amounts are given. */
  async parties({
    gold = 1000n,
    coins = 1000n,
  }: {
    readonly gold?: bigint;
    readonly coins?: bigint;
  } = {}): Promise<Parties> {
    const [s, b, p] = await Promise.all([
      this.holder({ gold }),
      this.holder({ coins }),
      this.holder(),
    ]);
    return { s, b, p };
  }

  async pay(
    from: KeyHolder,
    to: KeyHolder,
    amount: bigint,
    { token = this.gold, unlockdate = 0 }: { token?: string; unlockdate?: number } = {},
  ): Promise<void> {
    const params = {
      to: to.address,
      token,
      amount: String(amount),
      unlockdate: String(unlockdate),
    };
    const answer = await this.node.post("/transfer", await this.node.fullTransfer(from, params));
    assert.equal(answer.status, 200, answer.text);
  }

  request(
    word: MarketWord,
    by: KeyHolder,
    params: Params,
    signing?: MarketSigning,
  ): Promise<MarketRequest> {
    return marketRequest(this.node, word, by, params, signing);
  }

  post(word: MarketWord, request: Params): Promise<Answered> {
    const { path, body } = addressed(word, request);
    return this.node.post(path, body);
  }

  async send(
    word: MarketWord,
    by: KeyHolder,
    params: Params,
    signing?: MarketSigning,
  ): Promise<Answered> {
    return this.post(word, await this.request(word, by, params, signing));
  }

  /** Signs what is to be sent later. */
  async ready(word: MarketWord, by: KeyHolder, params: Params): Promise<() => Promise<Answered>> {
    const request = await this.request(word, by, params);
    return () => this.post(word, request);
  }

  /** Creates a listing and returns its id. */
  async list(word: "sell" | "reqsell" | "auction", by: KeyHolder, params: Params): Promise<string> {
    const request = await this.request(word, by, params);
    const answer = await this.post(word, request);
    assert.equal(answer.status, 200, answer.text);
    const { mrc010dexid } = parsed<{ mrc010dexid: string }>(answer);
    assert.equal(mrc010dexid, dexidOf(by.address, request.tkey));
    return mrc010dexid;
  }

  /** Listing 1 of tokens §13: sells 1000 of gold for coins. */
  listing1({ p }: Pick<Parties, "p">, change: Params = {}): Params {
    return {
      mrc010id: this.gold,
      amount: "1000",
      token: "0",
      min_trade_unit: "10",
      price: "3",
      platform_commission: "2.5",
      platform_address: p.address,
      ...change,
    };
  }

  /** Listing 3 of tokens §13: an auction of 50 of gold for coins. */
  listing3({ p }: Pick<Parties, "p">, change: Params = {}): Params {
    return {
      mrc010id: this.gold,
      amount: "50",
      token: "0",
      auction_start_price: "100",
      auction_bidding_unit: "5",
      auction_buynow_price: "500",
      platform_commission: "1",
      platform_address: p.address,
      ...change,
    };
  }

  finish(dexid: string, method: "GET" | "POST" = "POST"): Promise<Answered> {
    return this.node.request(`/token/auctionfinish/${dexid}`, { method });
  }

  async listing(dexid: string): Promise<Listing> {
    const answer = await this.node.get(`/token/dex/${dexid}`);
    assert.equal(answer.status, 200, answer.text);
    return parsed<Listing>(answer);
  }

  /** What somebody has, such as `970 coins, 100 gold`; locked amounts as `50@1767225700`. */
  async held(holder: KeyHolder): Promise<string> {
    const [coins, gold] = await Promise.all([
      this.node.balances(holder, "0"),
      this.node.balances(holder, this.gold),
    ]);
    return `${coins.join(" + ")} coins, ${gold.join(" + ")} gold`;
  }

  async listings(query: Params, limit = 100): Promise<Listing[]> {
    const all: Listing[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.page({ ...query, limit: String(limit), ...(cursor && { cursor }) });
      all.push(...page.items);
      cursor = page.cursor;
    } while (cursor !== undefined);
    return all;
  }

  async page(query: Params): Promise<{ items: Listing[]; cursor?: string }> {
    const answer = await this.node.get(`/token/dex?${new URLSearchParams(query)}`);
    assert.equal(answer.status, 200, answer.text);
    const page = parsed<{ items: Listing[]; cursor?: string }>(answer);
    const { items, cursor, ...more } = page;
    assert.deepEqual(more, {});
    assert.ok(Array.isArray(items));
    assert.ok(cursor === undefined || (typeof cursor === "string" && cursor !== ""), answer.text);
    return page;
  }

  /** Per token: what all hold, and what open listings hold, is what was issued and not burned. Source: tokens §13 row 36. */
  async assertConserved(): Promise<void> {
    const found = new Map(this.#tokens.map((token) => [token, 0n]));
    const add = (token: string, amount: string): void => {
      if (amount !== "") {
        found.set(token, (found.get(token) ?? 0n) + BigInt(amount));
      }
    };
    const balances = this.#holders.map(({ address }) => this.node.get(`/balance/${address}`));
    for (const answer of await Promise.all(balances)) {
      for (const { token, balance } of parsed<BalanceEntry[]>(answer)) {
        add(token, balance);
      }
    }
    for (const listing of await this.listings({ state: "open" })) {
      if (listing.side === "buy") {
        add(listing.buy_token, listing.buy_price_total);
      } else {
        add(listing.mrc010, listing.remain_amount);
        add(listing.sell_token, listing.auction_current_price);
      }
    }
    for (const [token, held] of found) {
      const answer = await this.node.get(`/token/${token}`);
      assert.equal(answer.status, 200, answer.text);
      const record = parsed<{ totalsupply: string; burnningamount: string }>(answer);
      const issued = BigInt(record.totalsupply) - BigInt(record.burnningamount);
      assert.equal(held, issued, `units of token ${token}`);
    }
  }
}
