import assert from "node:assert/strict";
import type { Address } from "@moneta/protocol";
import type { Params, SendOptions } from "../admitted.ts";
import type { Answer } from "../answer.ts";
import type { UnitItemShown, UnitListingShown } from "../shown/shown-units.ts";
import { TestClient } from "../test-client.ts";
import { createProject, createUnitItems, createUnits, type Element } from "./creations.ts";
import {
  type Form,
  type Given,
  listingParams,
  UNIT_ROLES,
  type UnitRole,
  unitListingIdOf,
} from "./unit-terms.ts";

const WORDS = [
  ...["create", "transfer", "mint", "burn", "melt", "update", "itemupdate"],
  ...["sell", "unsell", "buy", "auction", "unauction", "bid"],
] as const;

/** A signed operation on units, without the `mrc402` of its wire name. */
export type UnitWord = (typeof WORDS)[number];

/**
 * C creates; A, B and D are others. O owns the project, in which `partner`, `seller` and `maker`
 * have the roles partner, seller and creator. Source: mrc402 §18.
 */
export type UnitCast = Readonly<Record<UnitRole, Address>> & { readonly project: string };

/**
 * A ledger on which the cast of mrc402 §18 trades units: `using trade = await UnitTrade.open()`.
 */
export class UnitTrade implements Disposable {
  readonly client: TestClient;
  readonly cast: UnitCast;

  private constructor(client: TestClient, cast: UnitCast) {
    this.client = client;
    this.cast = cast;
  }

  /** Everybody in the cast starts with `coins`; the client's issuer has `tokens` tokens. */
  static async open({ tokens = 0, coins = 1_000_000n } = {}): Promise<UnitTrade> {
    return UnitTrade.on(await TestClient.open({ tokens }), coins);
  }

  /** A new cast with its own project, on an existing ledger. */
  static async on(client: TestClient, coins = 1_000_000n): Promise<UnitTrade> {
    const roles = await client.people(UNIT_ROLES, { coins });
    const project = await createProject(client, roles.o, partnersOf(roles));
    return new UnitTrade(client, { ...roles, project });
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

  /** A new address with these coins and tokens, which outcomes show under this name. */
  async newcomer<const N extends string>(
    name: N,
    coins: bigint,
    tokens: { readonly [token: string]: bigint } = {},
  ): Promise<Address> {
    return (await this.client.people([name], { coins, tokens }))[name];
  }

  key(by: Address): string {
    return this.client.ledger.key(by);
  }

  send(word: UnitWord, by: Address, params: Params, options?: SendOptions): Promise<Answer> {
    return this.client.send(`mrc402${word}`, by, params, options);
  }

  /** Sends an operation that must succeed. */
  done(word: UnitWord, by: Address, params: Params, options?: SendOptions): Promise<Answer> {
    return this.client.done(`mrc402${word}`, by, params, options);
  }

  /** Each change to the request meets the next error. See `TestClient.mending`. */
  mending(
    word: UnitWord,
    people: { readonly by: Address; readonly stranger: Address },
    changes: readonly (readonly [change: Params, answer: string])[],
  ): Promise<void> {
    return this.client.mending(`mrc402${word}`, people, changes);
  }

  /** A standalone item, with one unit unless `terms` differ; returns its id. */
  alone(by: Address, terms: Params = {}): Promise<string> {
    return createUnits(this.client, by, terms);
  }

  /** An item in a project, with one unit unless `terms` differ; returns its id. */
  async item(project: string, by: Address, terms: Element = {}): Promise<string> {
    return (await createUnitItems(this.client, project, by, terms))[0] as string;
  }

  /** Items in a project, one for each element; their ids. */
  items(project: string, by: Address, ...itemdata: readonly Element[]): Promise<readonly string[]> {
    return createUnitItems(this.client, project, by, ...itemdata);
  }

  /** X of mrc402 §18: created by C, standing alone, with 100 units, of which C gives some away. */
  async x(terms: Params = {}, given: Given = {}): Promise<string> {
    const id = await this.alone(this.cast.c, { totalsupply: "100", ...terms });
    return this.#given(id, this.cast.c, given);
  }

  /** U of mrc402 §18: created by the maker in O's project, with one unit. */
  async u(terms: Element = {}, given: Given = {}, project = this.cast.project): Promise<string> {
    const id = await this.item(project, this.cast.maker, terms);
    return this.#given(id, this.cast.maker, given);
  }

  /** Like `u`, but created by O itself. */
  async ofO(terms: Element = {}, given: Given = {}): Promise<string> {
    const id = await this.item(this.cast.project, this.cast.o, terms);
    return this.#given(id, this.cast.o, given);
  }

  async #given(id: string, from: Address, given: Given): Promise<string> {
    for (const [role, amount] of Object.entries(given)) {
      await this.give(id, from, this.cast[role as UnitRole], String(amount));
    }
    return id;
  }

  async give(mrc402id: string, from: Address, toAddr: Address, amount = "1"): Promise<void> {
    await this.done("transfer", from, { mrc402id, toAddr, amount });
  }

  project(terms: Params = {}): Promise<string> {
    return createProject(this.client, this.cast.o, partnersOf(this.cast), terms);
  }

  async updateProject(change: Params, mrc400id = this.cast.project): Promise<void> {
    await this.client.done("mrc400update", this.cast.o, { mrc400id, ...change });
  }

  async update(id: string, change: Element): Promise<void> {
    const itemdata = [{ id, ...change }];
    await this.done("itemupdate", this.cast.o, { mrc400id: id.slice(0, 40), itemdata });
  }

  /** O makes a Temporary item Bound. */
  bind(id: string): Promise<void> {
    return this.update(id, { transferable: "Bound" });
  }

  /** Changes the number of units, by one without an amount. */
  supply(
    word: "mint" | "burn" | "melt",
    by: Address,
    mrc402id: string,
    amount?: string,
    more: Params = {},
  ): Promise<Answer> {
    return this.send(word, by, { mrc402id, ...(amount === undefined ? {} : { amount }), ...more });
  }

  /** Lists units in one of the forms, as `SALE` or `LOT` unless changed. */
  lists(
    word: "sell" | "auction",
    form: Form,
    by: Address,
    id: string,
    change: Element = {},
  ): Promise<Answer> {
    return this.send(word, by, listingParams(word, form, id, change));
  }

  /** Lists units, in quantity form by default; the id of the listing. */
  async list(
    word: "sell" | "auction",
    by: Address,
    id: string,
    change: Element = {},
    form: Form = "quantity",
  ): Promise<string> {
    const { tkey, made } = await this.done(word, by, listingParams(word, form, id, change));
    const dexid = unitListingIdOf(by, tkey);
    assert.deepEqual(made, [dexid]);
    return dexid;
  }

  sale(by: Address, id: string, change?: Element): Promise<string> {
    return this.list("sell", by, id, change);
  }

  /** Puts a lot on auction, for which some have bid in turn. */
  async lot(
    by: Address,
    id: string,
    change?: Element,
    bids: readonly (readonly [Address, string])[] = [],
  ): Promise<string> {
    const dexid = await this.list("auction", by, id, change);
    for (const [bidder, amount] of bids) {
      await this.done("bid", bidder, { id: dexid, amount });
    }
    return dexid;
  }

  /** Buys from an item or a listing; without an amount in item form. */
  buy(by: Address, id: string, amount = "", more: Params = {}): Promise<Answer> {
    return this.send("buy", by, { id, amount, ...more });
  }

  unsell(by: Address, id: string): Promise<Answer> {
    return this.send("unsell", by, { id });
  }

  bid(by: Address, id: string, amount: string, more: Params = {}): Promise<Answer> {
    return this.send("bid", by, { id, amount, ...more });
  }

  /** Closes an auction after its end, which needs no signature. */
  finish(id: string): Promise<Answer> {
    return this.client.send("mrc402auctionfinish", "", { id });
  }

  /** Lets time pass until an auction is over. */
  untilEnd(dexid: string): void {
    this.now = this.listing(dexid).auction_end_date;
  }

  /** The `GET` response of a unit item. */
  record(id: string): UnitItemShown {
    return this.client.entry(id);
  }

  /** The `GET` response of a listing. */
  listing(dexid: string): UnitListingShown {
    return this.client.entry(dexid);
  }

  assertItem(id: string, fields: Partial<UnitItemShown>): void {
    this.client.assertEntry(id, fields);
  }

  /** Some fields of a listing have these values. */
  assertListing(dexid: string, fields: Partial<UnitListingShown>): void {
    this.client.assertEntry(dexid, fields);
  }

  /** Units of an address in short: `96`, or `2 + 8 on sale + 1 on auction`. */
  has(by: Address, id: string): string {
    return this.client.units(by, id);
  }
}

function partnersOf({
  partner,
  seller,
  maker,
}: Pick<UnitCast, "partner" | "seller" | "maker">): Record<string, Address[]> {
  return { partner: [partner], seller: [seller], creator: [maker] };
}

/** Listings that a refusal names because the client must choose, by id. Source: mrc402 §2.7. */
export function listingsToChoose({ code, problem }: Answer): readonly string[] {
  assert.equal(code, "409 7107");
  return (problem?.listings ?? []).toSorted();
}
