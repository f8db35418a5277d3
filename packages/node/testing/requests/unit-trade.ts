import assert from "node:assert/strict";
import type { UnitItemShown, UnitListingShown } from "../../../ledger/testing/shown/shown-units.ts";
import type { Element } from "../../../ledger/testing/trade/creations.ts";
import type { UnitRole } from "../../../ledger/testing/trade/unit-terms.ts";
import { type Given, LOT, SALE } from "../../../ledger/testing/trade/unit-terms.ts";
import type { Answered, KeyHolder, Params, TestNode } from "../test-node.ts";
import { createProject } from "./item-requests.ts";
import {
  changed,
  type RequestParams,
  type RequestSigning,
  type SignedRequest,
} from "./signed-request.ts";
import { type UnitCast, Units, type UnitWord, unitsSaid } from "./unit-requests.ts";

export const UNIT_TRADE_WORDS = ["sell", "unsell", "buy", "auction", "unauction", "bid"] as const;

export type UnitTradeWord = (typeof UNIT_TRADE_WORDS)[number];

/**
 * The cast of mrc402 §18 with plenty of coins, trading units: `await using trade = await UnitTrade.open()`.
 */
export class UnitTrade implements AsyncDisposable {
  readonly units: Units;
  readonly cast: UnitCast;

  private constructor(units: Units, cast: UnitCast) {
    this.units = units;
    this.cast = cast;
  }

  static async open(options: { readonly tokens?: number } = {}): Promise<UnitTrade> {
    const units = await Units.open(options);
    try {
      return new UnitTrade(units, await units.cast({ coins: 1_000_000n }));
    } catch (thrown) {
      await units[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.units[Symbol.asyncDispose]();
  }

  get node(): TestNode {
    return this.units.node;
  }

  /** A new address with exactly this many coins. */
  newcomer(coins: bigint): Promise<KeyHolder> {
    return this.units.holder(coins);
  }

  /** The X of mrc402 §18: C has created it, standing alone, with 100 units by default, and has given away some. */
  async x(terms: RequestParams = {}, given: Given = {}): Promise<string> {
    const id = await this.units.alone(this.cast.c, { totalsupply: "100", ...terms });
    return this.#given(id, this.cast.c, given);
  }

  /** The U of mrc402 §18: the maker has created it in O's project, with one unit by default, and has given away some. */
  async u(terms: Element = {}, given: Given = {}, project = this.cast.project): Promise<string> {
    const id = await this.units.item(project, this.cast.maker, terms);
    return this.#given(id, this.cast.maker, given);
  }

  async #given(id: string, from: KeyHolder, given: Given): Promise<string> {
    for (const [role, amount] of Object.entries(given)) {
      await this.units.give(id, from, this.cast[role as UnitRole], String(amount));
    }
    return id;
  }

  project(overrides: RequestParams = {}): Promise<string> {
    const { o, partner, seller, maker } = this.cast;
    const roles = {
      [partner.address]: "partner",
      [seller.address]: "seller",
      [maker.address]: "creator",
    };
    return createProject(this.node, o, { partner: roles, ...overrides });
  }

  async update(id: string, change: Element): Promise<void> {
    const itemdata = [{ id, ...change }];
    await this.units.done("itemUpdate", this.cast.o, { mrc400id: id.slice(0, 40), itemdata });
  }

  /** O makes a Temporary item Bound. */
  bind(id: string): Promise<void> {
    return this.update(id, { transferable: "Bound" });
  }

  request(
    word: UnitWord,
    by: KeyHolder,
    params: RequestParams,
    signing?: RequestSigning,
  ): Promise<SignedRequest> {
    const isForListing = word === "bid" && String(params["id"]).startsWith("DEX402_");
    return this.units.request(isForListing ? "bidListing" : word, by, params, signing);
  }

  post(request: SignedRequest): Promise<Answered> {
    return this.units.post(request);
  }

  /** The same request with parameters changed after it was signed. */
  changed(request: SignedRequest, change: Params): SignedRequest {
    return changed(request, change);
  }

  async send(
    word: UnitWord,
    by: KeyHolder,
    params: RequestParams,
    signing?: RequestSigning,
  ): Promise<Answered> {
    return this.post(await this.request(word, by, params, signing));
  }

  /** Signs what is to be sent later. */
  async ready(
    word: UnitWord,
    by: KeyHolder,
    params: RequestParams,
  ): Promise<() => Promise<Answered>> {
    const request = await this.request(word, by, params);
    return () => this.post(request);
  }

  list(word: "sell" | "auction", by: KeyHolder, id: string, change: Params = {}): Promise<string> {
    return this.units.list(word, by, id, { ...(word === "sell" ? SALE : LOT), ...change });
  }

  sale(by: KeyHolder, id: string, change?: Params): Promise<string> {
    return this.list("sell", by, id, change);
  }

  /** Puts a lot on auction, for which some have bid in turn. */
  async lot(
    by: KeyHolder,
    id: string,
    change?: Params,
    bids: readonly (readonly [KeyHolder, string])[] = [],
  ): Promise<string> {
    const dexid = await this.list("auction", by, id, change);
    for (const [bidder, amount] of bids) {
      assert.equal(unitsSaid(await this.bid(bidder, dexid, amount)), "200");
    }
    return dexid;
  }

  /** By item or listing; without an amount in item form. */
  buy(by: KeyHolder, id: string, amount = "", more: RequestParams = {}): Promise<Answered> {
    return this.send("buy", by, { id, amount, ...more });
  }

  unsell(by: KeyHolder, id: string): Promise<Answered> {
    return this.send("unsell", by, { id });
  }

  bid(by: KeyHolder, id: string, amount: string, more: RequestParams = {}): Promise<Answered> {
    return this.send("bid", by, { id, amount, ...more });
  }

  finish(id: string, method?: "GET" | "POST"): Promise<Answered> {
    return this.units.finish(id, method);
  }

  /** Lets time pass until an auction is over. */
  async untilEnd(dexid: string): Promise<void> {
    this.node.now = (await this.listing(dexid)).auction_end_date;
  }

  listing(dexid: string): Promise<UnitListingShown> {
    return this.units.listing(dexid);
  }

  record(id: string): Promise<UnitItemShown> {
    return this.units.record(id);
  }

  assertListing(dexid: string, fields: Partial<UnitListingShown>): Promise<void> {
    return this.units.assertListing(dexid, fields);
  }

  assertItem(id: string, fields: Partial<UnitItemShown>): Promise<void> {
    return this.units.assertItem(id, fields);
  }

  /** Row 66 of mrc402 §18. */
  assertConserved(): Promise<void> {
    return this.units.assertConserved();
  }
}
