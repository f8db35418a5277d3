import assert from "node:assert/strict";
import type { Element } from "../../../ledger/testing/trade/creations.ts";
import type { ItemShown } from "../../../ledger/testing/trade/item-terms.ts";
import { AUCTION } from "../../../ledger/testing/trade/item-terms.ts";
import {
  type Answered,
  type BalanceEntry,
  type KeyHolder,
  parsed,
  saidCode,
  type TestNode,
} from "../test-node.ts";
import { type Cast, Collection, finishAuction, type ItemWord } from "./item-requests.ts";
import type { RequestParams, RequestSigning } from "./signed-request.ts";

/** The operations by which items change hands. */
export const TRADE_WORDS = [
  "transfer",
  "transferBatch",
  "sell",
  "unsell",
  "buy",
  "melt",
  "auction",
  "unauction",
  "bid",
] as const satisfies readonly ItemWord[];

export type TradeWord = (typeof TRADE_WORDS)[number];

/** Everything that operations are watched by: what the parties have, and the items that the test has made. */
interface Seen {
  /** `name token` to the sum of its balance entries. */
  readonly balances: ReadonlyMap<string, bigint>;
  readonly items: readonly ItemShown[];
}

/**
 * The cast of mrc401 §18 with plenty of coins, trading items of O's project Q and watched on the way:
 * `await using trade = await ItemTrade.open()`.
 */
export class ItemTrade implements AsyncDisposable {
  readonly collection: Collection;
  readonly cast: Cast;
  readonly #parties: Map<string, KeyHolder>;
  #items: string[] = [];

  private constructor(collection: Collection, cast: Cast) {
    this.collection = collection;
    this.cast = cast;
    const { q: _, ...parties } = cast;
    this.#parties = new Map(Object.entries(parties));
  }

  static async open(options: { readonly tokens?: number } = {}): Promise<ItemTrade> {
    const collection = await Collection.open(options);
    try {
      return new ItemTrade(collection, await collection.cast({ coins: 1_000_000n }));
    } catch (thrown) {
      await collection[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.collection[Symbol.asyncDispose]();
  }

  get node(): TestNode {
    return this.collection.node;
  }

  /** A new address with exactly this many coins, watched under a name. */
  async newcomer(
    name: string,
    coins: bigint,
    tokens: Readonly<Record<string, bigint>> = {},
  ): Promise<KeyHolder> {
    const holder = await this.collection.holder(coins, { tokens });
    this.#parties.set(name, holder);
    return holder;
  }

  /** A fresh item that O created: sell_fee 10, no reserve, Permanent by default. */
  async fresh(terms: Element = {}, project = this.cast.q): Promise<string> {
    const id = await this.collection.item(project, this.cast.o, { sell_fee: "10", ...terms });
    this.#items.push(id);
    return id;
  }

  /** The item X of mrc401 §18: O created it, A holds it. */
  async x(terms: Element = {}, project?: string): Promise<string> {
    const id = await this.fresh(terms, project);
    await this.collection.give(id, this.cast.o, this.cast.a);
    return id;
  }

  /** An X that A has put on sale for 300. */
  async onSale(terms: Element = {}, change: Element = {}): Promise<string> {
    const id = await this.x(terms);
    assert.equal(saidCode(await this.sell(this.cast.a, id, change)), "200");
    return id;
  }

  /** An X that A has put on auction as in row 68, and what was bid. */
  async onAuction(
    terms: Element = {},
    {
      change = {},
      bids = [],
    }: { change?: Element; bids?: readonly (readonly [KeyHolder, string])[] } = {},
  ): Promise<string> {
    const id = await this.x(terms);
    assert.equal(saidCode(await this.auction(this.cast.a, id, change)), "200");
    for (const [bidder, amount] of bids) {
      assert.equal(saidCode(await this.bid(bidder, id, amount)), "200");
    }
    return id;
  }

  /** An X on auction after row 68: B bid 100, D 105. */
  row68(): Promise<string> {
    const { b, d } = this.cast;
    const bids = [
      [b, "100"],
      [d, "105"],
    ] as const;
    return this.onAuction({ sell_fee: "2.5" }, { bids });
  }

  async update(id: string, change: Element): Promise<Answered> {
    const { q, o } = this.cast;
    return this.collection.send("update", o, { mrc400id: q, itemdata: [{ id, ...change }] });
  }

  /** O makes a Temporary item Bound. */
  async bind(id: string): Promise<void> {
    assert.equal(saidCode(await this.update(id, { transferable: "Bound" })), "200");
  }

  sell(by: KeyHolder, ids: string | readonly string[], change: Element = {}): Promise<Answered> {
    const itemdata = [ids].flat().map((id) => ({ id, price: "300", token: "0", ...change }));
    return this.collection.send("sell", by, { itemdata });
  }

  auction(by: KeyHolder, ids: string | readonly string[], change: Element = {}): Promise<Answered> {
    const itemdata = [ids].flat().map((id) => ({ id, ...AUCTION, ...change }));
    return this.collection.send("auction", by, { itemdata });
  }

  unsell(by: KeyHolder, ...itemdata: readonly string[]): Promise<Answered> {
    return this.collection.send("unsell", by, { itemdata });
  }

  buy(by: KeyHolder, mrc401id: string, more: RequestParams = {}): Promise<Answered> {
    return this.collection.send("buy", by, { mrc401id, ...more });
  }

  bid(
    by: KeyHolder,
    mrc401id: string,
    amount: string,
    more: RequestParams = {},
    signing?: RequestSigning,
  ): Promise<Answered> {
    return this.collection.send("bid", by, { mrc401id, amount, ...more }, signing);
  }

  finish(id: string, method?: "GET" | "POST"): Promise<Answered> {
    return finishAuction(this.node, id, method);
  }

  /** Lets time pass until an auction is over. */
  async untilEnd(id: string): Promise<void> {
    this.node.now = (await this.record(id)).auction_end;
  }

  record(id: string): Promise<ItemShown> {
    return this.collection.record(id);
  }

  /** Some fields of an item have these values. */
  async assertItem(id: string, fields: Partial<ItemShown>): Promise<void> {
    const item = await this.record(id);
    assert.deepEqual(item, { ...item, ...fields });
  }

  /**
   * What an operation was answered and who was paid or has paid how much, such as `200: o +30, a +270, b -300`; amounts of other tokens
   * than the coin as `b -300 of 9`. One that was refused has changed nothing: neither a balance nor an item of this test.
   */
  async outcome(act: () => Promise<Answered>): Promise<string> {
    const before = await this.#seen();
    const answer = await act();
    const after = await this.#seen();
    if (answer.status !== 200) {
      assert.deepEqual(after, before, "a refused operation changes nothing");
      return saidCode(answer);
    }
    const moved = [...after.balances].flatMap(([key, has]) => {
      const difference = has - (before.balances.get(key) ?? 0n);
      const [name, token] = key.split(" ");
      const what = `${name} ${difference > 0n ? "+" : ""}${difference}`;
      return difference === 0n ? [] : [token === "0" ? what : `${what} of ${token}`];
    });
    return moved.length === 0 ? "200" : `200: ${moved.join(", ")}`;
  }

  async #seen(): Promise<Seen> {
    const [tokens, parties] = [this.collection.tokens, [...this.#parties]];
    const [entries, items] = await Promise.all([
      Promise.all(
        parties.map(async ([, { address }]) =>
          parsed<BalanceEntry[]>(await this.node.get(`/balance/${address}`)),
        ),
      ),
      Promise.all(this.#items.map((id) => this.record(id))),
    ]);
    const balances = tokens.flatMap((token) =>
      parties.map(([name], at): [string, bigint] => {
        const own = (entries[at] ?? []).filter((entry) => entry.token === token);
        return [`${name} ${token}`, own.reduce((sum, entry) => sum + BigInt(entry.balance), 0n)];
      }),
    );
    return { balances: new Map(balances), items };
  }

  /** Nothing was lost, mrc401 §18 row 80; items made so far are not watched any more. */
  async assertConserved(): Promise<void> {
    this.#items = [];
    await this.collection.assertConserved();
  }
}
