import type { Address } from "@moneta/protocol";
import type { Params } from "../admitted.ts";
import type { Answer } from "../answer.ts";
import { TestClient } from "../test-client.ts";
import { type Cast, createCast } from "./cast.ts";
import { createItems, type Element } from "./creations.ts";
import { AUCTION, type ItemShown, UNLISTED } from "./item-terms.ts";

/** Fields that change when an item changes hands at a price. */
export function traded(
  to: Address,
  at: number,
  [last_trade_type, last_trade_amount, last_trade_token = "0"]: readonly [
    type: "Sell" | "Auction",
    amount: string,
    token?: string,
  ],
): Partial<ItemShown> {
  return {
    ...UNLISTED,
    owner: to,
    holder: to,
    last_trade_date: at,
    last_trade_amount,
    last_trade_token,
    last_trade_type,
  };
}

type FaultyItem = "foreign" | "melted" | "listed" | "bound" | "good" | "second";

/**
 * The cast of mrc401 §18, which trades items of O's project Q:
 * `using trade = await ItemTrade.open()`.
 */
export class ItemTrade implements Disposable {
  readonly client: TestClient;
  readonly cast: Cast;

  private constructor(client: TestClient, cast: Cast) {
    this.client = client;
    this.cast = cast;
  }

  static async open({
    tokens = 0,
    coins,
  }: {
    readonly tokens?: number;
    readonly coins?: bigint;
  } = {}): Promise<ItemTrade> {
    return ItemTrade.on(await TestClient.open({ tokens }), coins);
  }

  /** A new cast with its own project Q, on an existing ledger. */
  static async on(client: TestClient, coins = 1_000_000n): Promise<ItemTrade> {
    return new ItemTrade(client, await createCast(client, { coins }));
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

  /** A new address with exactly these funds; `outcome` uses this name for it. */
  async newcomer(
    name: string,
    coins: bigint,
    tokens: Readonly<Record<string, bigint>> = {},
  ): Promise<Address> {
    return (await this.client.people([name], { coins, tokens }))[name] as Address;
  }

  /** A fresh item that O created: sell_fee 10, no reserve, Permanent, unless `terms` differ. */
  async fresh(terms: Element = {}, project: string = this.cast.q): Promise<string> {
    return this.item(project, this.cast.o, { sell_fee: "10", ...terms });
  }

  /** Creates an item without terms, unless `element` has some. */
  async item(project: string, creator: Address, element: Element = {}): Promise<string> {
    return (await createItems(this.client, project, creator, element))[0] as string;
  }

  /** The item X of mrc401 §18: O created it, A holds it. */
  async x(terms: Element = {}, project?: string): Promise<string> {
    const id = await this.fresh(terms, project);
    await this.give(id, this.cast.o, this.cast.a);
    return id;
  }

  async give(id: string, from: Address, to: Address): Promise<void> {
    await this.client.done("mrc401transfer", from, { mrc401id: id, toAddr: to });
  }

  /** An X that A has put on sale for 300. */
  async onSale(terms: Element = {}, change: Element = {}): Promise<string> {
    const id = await this.x(terms);
    await this.client.done("mrc401sell", this.cast.a, saleOf([id], change));
    return id;
  }

  /** An X that A has put on auction as in row 68, with these bids. */
  async onAuction(
    terms: Element = {},
    {
      change = {},
      bids = [],
    }: { change?: Element; bids?: readonly (readonly [Address, string])[] } = {},
  ): Promise<string> {
    const id = await this.x(terms);
    await this.client.done("mrc401auction", this.cast.a, auctionOf([id], change));
    for (const [bidder, amount] of bids) {
      await this.client.done("mrc401bid", bidder, { mrc401id: id, amount });
    }
    return id;
  }

  /** An X with sell_fee 2.5 on auction, after row 68: B bid 100, then D 105. */
  row68(terms: Element = {}): Promise<string> {
    const { b, d } = this.cast;
    const bids = [
      [b, "100"],
      [d, "105"],
    ] as const;
    return this.onAuction({ sell_fee: "2.5", ...terms }, { bids });
  }

  /** O changes some fields of an item. */
  update(id: string, change: Element): Promise<Answer> {
    const { q, o } = this.cast;
    return this.client.send("mrc401update", o, { mrc400id: q, itemdata: [{ id, ...change }] });
  }

  send(op: string, by: Address, params: Params): Promise<Answer> {
    return this.client.send(op, by, params);
  }

  done(op: string, by: Address, params: Params): Promise<Answer> {
    return this.client.done(op, by, params);
  }

  transfer(by: Address, ids: string | readonly string[], toAddr: Address): Promise<Answer> {
    const sent = typeof ids === "string" ? { mrc401id: ids } : { itemdata: ids };
    return this.client.send("mrc401transfer", by, { ...sent, toAddr });
  }

  sell(by: Address, ids: string | readonly string[], change: Element = {}): Promise<Answer> {
    return this.client.send("mrc401sell", by, saleOf([ids].flat(), change));
  }

  auction(by: Address, ids: string | readonly string[], change: Element = {}): Promise<Answer> {
    return this.client.send("mrc401auction", by, auctionOf([ids].flat(), change));
  }

  unsell(by: Address, ...itemdata: readonly string[]): Promise<Answer> {
    return this.client.send("mrc401unsell", by, { itemdata });
  }

  unauction(by: Address, ...itemdata: readonly string[]): Promise<Answer> {
    return this.client.send("mrc401unauction", by, { itemdata });
  }

  buy(by: Address, mrc401id: string, more: Params = {}): Promise<Answer> {
    return this.client.send("mrc401buy", by, { mrc401id, ...more });
  }

  melt(by: Address, mrc401id: string, more: Params = {}): Promise<Answer> {
    return this.client.send("mrc401melt", by, { mrc401id, ...more });
  }

  /** Closes an auction, which needs no signature. */
  finish(mrc401id: string): Promise<Answer> {
    return this.client.send("mrc401auctionfinish", "", { mrc401id });
  }

  /** Lets time pass until an auction is over. */
  untilEnd(id: string): void {
    this.now = this.shown(id).auction_end;
  }

  /** An item as its `GET` shows it. */
  shown(id: string): ItemShown {
    return this.client.entry<ItemShown>(id);
  }

  /** Some fields of an item have these values. */
  assertItem(id: string, fields: Partial<ItemShown>): void {
    this.client.assertEntry(id, fields);
  }

  /** Sends a request and corrects its faults in turn. */
  mending(
    op: string,
    by: Address,
    changes: readonly (readonly [change: Params, answer: string])[],
  ): Promise<void> {
    const { b, d } = this.cast;
    return this.client.mending(op, { by, stranger: by === b ? d : b }, changes);
  }

  /**
   * Items of A: one given to B, one melted, two Bound ones of which one is on sale, and two without
   * fault.
   */
  async faulty(project = this.cast.q): Promise<Readonly<Record<FaultyItem, string>>> {
    const { o, a, b } = this.cast;
    const temporary = { transferable: "Temporary" };
    const terms = [{}, {}, temporary, temporary, {}, {}];
    const itemdata = terms.map((term) => ({ sell_fee: "10", ...term }));
    const ids = await createItems(this.client, project, o, ...itemdata);
    const [foreign, melted, listed, bound, good, second] = ids as [
      ...[string, string, string, string, string, string],
    ];
    await this.client.done("mrc401transfer", o, { itemdata: ids, toAddr: a });
    await this.give(foreign, a, b);
    await this.client.done("mrc401melt", a, { mrc401id: melted });
    await this.client.done("mrc401sell", a, saleOf([listed]));
    const binding = [listed, bound].map((id) => ({ id, transferable: "Bound" }));
    await this.client.done("mrc401update", o, { mrc400id: project, itemdata: binding });
    return { foreign, melted, listed, bound, good, second };
  }
}

function saleOf(ids: readonly string[], change: Element = {}): Params {
  return { itemdata: ids.map((id) => ({ id, price: "300", token: "0", ...change })) };
}

function auctionOf(ids: readonly string[], change: Element = {}): Params {
  return { itemdata: ids.map((id) => ({ id, ...AUCTION, ...change })) };
}
