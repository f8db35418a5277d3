import assert from "node:assert/strict";
import type { UnitItemShown, UnitListingShown } from "../../../ledger/testing/shown/shown-units.ts";
import { ART, type Element } from "../../../ledger/testing/trade/creations.ts";
import {
  aloneIdOf,
  type Given,
  LOT,
  SALE,
  UNIT_ROLES,
  type UnitRole,
  unitListingIdOf,
} from "../../../ledger/testing/trade/unit-terms.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  parsed,
  refusalCode,
  type TestNode,
  transactionIdOf,
} from "../test-node.ts";
import { createProject } from "./item-requests.ts";
import { allOf, Parties, readJson } from "./parties.ts";
import type { RequestParams } from "./signed-request.ts";

export function unitListing(node: TestNode, dexid: string): Promise<UnitListingShown> {
  return readJson(node, `/mrc402/dex/${dexid}`);
}

/** Status and code, as of `refusalCode`; of an error that names listings, too, without them. */
export function unitsSummary(answer: Answered): string {
  if (answer.status !== 409) {
    return refusalCode(answer);
  }
  const { listings: _, ...problem } = parsed<{ listings?: unknown }>(answer);
  return refusalCode({ ...answer, text: JSON.stringify(problem) });
}

export type UnitCast = Readonly<Record<UnitRole, KeyHolder>> & { readonly project: string };

/** Unit items on a node, and the cast of mrc402 §18: `await using units = await Units.open()`. */
export class Units extends Parties {
  #cast: UnitCast | undefined;

  get roles(): UnitCast {
    assert.ok(this.#cast !== undefined, "cast() comes first");
    return this.#cast;
  }

  /** New addresses with 1000 coins each, or with `coins`, and O's project. */
  async cast({ coins = 1000n }: { readonly coins?: bigint } = {}): Promise<UnitCast> {
    const made = await Promise.all(
      UNIT_ROLES.map(async (role) => [role, await this.holder(coins)] as const),
    );
    const roles = Object.fromEntries(made) as Record<UnitRole, KeyHolder>;
    this.#cast = { ...roles, project: "" };
    this.#cast = { ...roles, project: await this.project() };
    return this.#cast;
  }

  /** A project of O with the partners of mrc402 §18. */
  project(overrides: RequestParams = {}): Promise<string> {
    const { o, partner, seller, maker } = this.roles;
    const roles = {
      [partner.address]: "partner",
      [seller.address]: "seller",
      [maker.address]: "creator",
    };
    return createProject(this.node, o, { partner: roles, ...overrides });
  }

  async alone(by: KeyHolder, change: RequestParams = {}): Promise<string> {
    const request = await this.request("mrc402create", by, { ...ART, ...change });
    const answer = await this.post(request);
    const id = aloneIdOf(by.address, request.tkey);
    const transaction_id = transactionIdOf(answer);
    assert.deepEqual(parsed(answer), { transaction_id, txid: transaction_id, mrc402id: id });
    return id;
  }

  async items(project: string, by: KeyHolder, ...itemdata: readonly Element[]): Promise<string[]> {
    const answer = await this.done("mrc402create", by, { mrc400id: project, itemdata });
    const { mrc402ids } = parsed<{ mrc402ids: string[] }>(answer);
    assert.equal(mrc402ids.length, itemdata.length);
    return mrc402ids;
  }

  async item(project: string, by: KeyHolder, element: Element = {}): Promise<string> {
    return (await this.items(project, by, element))[0] as string;
  }

  async give(id: string, from: KeyHolder, to: KeyHolder, amount = "1"): Promise<void> {
    await this.done("mrc402transfer", from, { mrc402id: id, toAddr: to.address, amount });
  }

  /** The X of mrc402 §18: C has created it, standing alone, with 100 units by default, and has given away some. */
  async x(terms: RequestParams = {}, given: Given = {}): Promise<string> {
    const { c } = this.roles;
    return this.#given(await this.alone(c, { totalsupply: "100", ...terms }), c, given);
  }

  /** The U of mrc402 §18: the maker has created it in O's project, with one unit by default, and has given away some. */
  async u(terms: Element = {}, given: Given = {}, project = this.roles.project): Promise<string> {
    const { maker } = this.roles;
    return this.#given(await this.item(project, maker, terms), maker, given);
  }

  async #given(id: string, from: KeyHolder, given: Given): Promise<string> {
    for (const [role, amount] of Object.entries(given)) {
      await this.give(id, from, this.roles[role as UnitRole], String(amount));
    }
    return id;
  }

  /** Lists units in quantity form and returns the id of the listing: `SALE` or `LOT` by default. */
  async list(
    word: "sell" | "auction",
    by: KeyHolder,
    id: string,
    change: Params = {},
  ): Promise<string> {
    const all = { id, ...(word === "sell" ? SALE : LOT), ...change };
    const request = await this.request(`mrc402${word}`, by, all);
    const answer = await this.post(request);
    const transaction_id = transactionIdOf(answer);
    const mrc402dexid = unitListingIdOf(by.address, request.tkey);
    assert.deepEqual(parsed(answer), { transaction_id, txid: transaction_id, mrc402dexid });
    return mrc402dexid;
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
      await this.done("mrc402bid", bidder, { id: dexid, amount });
    }
    return dexid;
  }

  buy(by: KeyHolder, id: string, amount = ""): Promise<Answered> {
    return this.send("mrc402buy", by, { id, amount });
  }

  record(id: string): Promise<UnitItemShown> {
    return readJson(this.node, `/mrc402/${id}`);
  }

  listing(dexid: string): Promise<UnitListingShown> {
    return unitListing(this.node, dexid);
  }

  async has({ address }: KeyHolder, mrc402id: string): Promise<string> {
    const path = `/mrc402/balance/${address}`;
    const [entry] = await allOf<{ balance: string }>(this.node, path, { mrc402id });
    return entry?.balance ?? "0";
  }
}
