import assert from "node:assert/strict";
import type { UnitItemShown, UnitListingShown } from "../../../ledger/testing/shown/shown-units.ts";
import { ART, type Element } from "../../../ledger/testing/trade/creations.ts";
import {
  aloneIdOf,
  UNIT_ROLES,
  type UnitRole,
  unitListingIdOf,
} from "../../../ledger/testing/trade/unit-terms.ts";
import {
  type Answered,
  type BalanceEntry,
  type KeyHolder,
  type Params,
  parsed,
  saidCode,
  type TestNode,
  transactionIdOf,
} from "../test-node.ts";
import { createProject } from "./item-requests.ts";
import {
  type RequestParams,
  type RequestSigning,
  type SentRequest,
  type SignedOperation,
  type SignedRequest,
  signedRequest,
} from "./signed-request.ts";
import { openParties, TestParties } from "./test-parties.ts";
import { tokenRecord } from "./token-requests.ts";

const COPYRIGHT =
  "copyright_registration_country|copyright_registrar|copyright_registration_number";
const PLATFORM = "platform_name|platform_url|platform_address|platform_commission";

/** Where one of these is present, a creation is signed in the long form. Source: mrc402 §4. */
export const LONG_FIELDS: readonly string[] = [
  ..."totalsupply|decimal|creatorcommission|shareholder|initialreserve|expiredate".split("|"),
  ...`information|socialmedia|${COPYRIGHT}|${PLATFORM}`.split("|"),
];

/** Where one of these is present, too, they stand at the end of the long form. Source: mrc402 §4. */
export const EXTRA_FIELDS: readonly string[] =
  `allowtoken|category|description|itemurl|itemimageurl|${PLATFORM}`.split("|");

/** The long form without the extra fields, from the creator to the copyright. Source: mrc402 §4. */
export const CREATION =
  `creator|name|creatorcommission|totalsupply|decimal|url|imageurl|shareholder|initialreserve|expiredate|data|information|socialmedia|${COPYRIGHT}`.split(
    "|",
  );

const ITEMDATA = {
  path: "/mrc402",
  inPath: "mrc400id",
  signed: () => "mrc400id|itemdata|tkey",
} as const;

const SUPPLY = {
  method: "PUT",
  inPath: "mrc402id",
  actor: "address",
  signed: () => "mrc402id|amount|memo|tkey",
} as const;

const LISTING = { method: "POST", inPath: "id", actor: "seller" } as const;

/** Item form if there is `itemdata`, else quantity form. */
function formOf(quantityForm: string): (has: (name: string) => boolean) => string {
  return (has) => (has("itemdata") ? "seller|itemdata|tkey" : quantityForm);
}

/** Source: mrc402 §1.3, §4 to §16. */
const UNIT_OPERATIONS = {
  create: {
    name: "mrc402create",
    method: "POST",
    path: "/mrc402",
    inPath: "",
    actor: "creator",
    signed: (has) => {
      if (!LONG_FIELDS.some(has)) {
        return "creator|name|url|imageurl|category|itemurl|itemimageurl|data|tkey";
      }
      return [...CREATION, ...(EXTRA_FIELDS.some(has) ? EXTRA_FIELDS : []), "tkey"].join("|");
    },
  },
  createItems: { name: "mrc402create", method: "POST", actor: "creator", ...ITEMDATA },
  transfer: {
    name: "mrc402transfer",
    method: "POST",
    path: "/mrc402/transfer",
    inPath: "mrc402id",
    actor: "fromAddr",
    signed: (has) => `fromAddr|toAddr|${has("amount") ? "amount|" : ""}mrc402id|tkey`,
  },
  mint: { name: "mrc402mint", path: "/mrc402/mint", ...SUPPLY },
  burn: { name: "mrc402burn", path: "/mrc402/burn", ...SUPPLY },
  melt: {
    name: "mrc402melt",
    method: "POST",
    path: "/mrc402/melt",
    inPath: "mrc402id",
    actor: "address",
    signed: (has) => (has("amount") ? "mrc402id|address|amount|tkey" : "mrc402id|tkey"),
  },
  update: {
    name: "mrc402update",
    method: "PUT",
    path: "/mrc402/update",
    inPath: "mrc402id",
    actor: "address",
    signed: () => `mrc402id|url|data|information|socialmedia|${COPYRIGHT}|tkey`,
  },
  itemUpdate: { name: "mrc402itemupdate", method: "PUT", actor: "owner", ...ITEMDATA },
  sell: {
    name: "mrc402sell",
    path: "/mrc402/sell",
    ...LISTING,
    signed: formOf(`seller|amount|id|price|token|${PLATFORM}|tkey`),
  },
  unsell: {
    name: "mrc402unsell",
    path: "/mrc402/unsell",
    ...LISTING,
    signed: formOf("id|tkey"),
  },
  buy: {
    name: "mrc402buy",
    method: "POST",
    path: "/mrc402/buy",
    inPath: "id",
    actor: "buyer",
    signed: (has) => (has("amount") ? "id|buyer|amount|tkey" : "id|tkey"),
  },
  auction: {
    name: "mrc402auction",
    path: "/mrc402/auction",
    ...LISTING,
    signed: formOf(
      `seller|amount|id|auction_start_price|token|auction_bidding_unit|auction_buynow_price|auction_start_date|auction_end_date|${PLATFORM}|tkey`,
    ),
  },
  unauction: {
    name: "mrc402unauction",
    path: "/mrc402/unauction",
    ...LISTING,
    signed: formOf("id|tkey"),
  },
  /** Of an item; of a listing it is `bidListing`. */
  bid: {
    name: "mrc402bid",
    method: "POST",
    path: "/mrc402/bid",
    inPath: "id",
    actor: "buyer",
    signed: () => "id|amount|token|tkey",
  },
  bidListing: {
    name: "mrc402bid",
    method: "POST",
    path: "/mrc402/bid",
    inPath: "id",
    actor: "buyer",
    signed: () => "id|buyer|amount|tkey",
  },
} as const satisfies Readonly<Record<string, SignedOperation>>;

export type UnitWord = keyof typeof UNIT_OPERATIONS;

/** See `signedRequest`. */
export function unitRequest(
  node: TestNode,
  word: UnitWord,
  by: KeyHolder,
  params: RequestParams,
  signing?: RequestSigning,
): Promise<SignedRequest> {
  return signedRequest(node, UNIT_OPERATIONS[word], by, params, signing);
}

/** What an address has of an item. Source: mrc402 §2.2. */
export interface Holding {
  readonly balance: string;
  readonly saleamount: string;
  readonly auctionamount: string;
}

const HOLDS_NOTHING: Holding = { balance: "0", saleamount: "0", auctionamount: "0" };

export async function readJson<T>(node: TestNode, path: string): Promise<T> {
  const answer = await node.get(path);
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return parsed<T>(answer);
}

export function unitItem(node: TestNode, id: string): Promise<UnitItemShown> {
  return readJson(node, `/mrc402/${id}`);
}

export function unitListing(node: TestNode, dexid: string): Promise<UnitListingShown> {
  return readJson(node, `/mrc402/dex/${dexid}`);
}

/** All entries of a list, page after page. */
export async function allOf<T>(node: TestNode, path: string, query: Params = {}): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const search = new URLSearchParams({ limit: "100", ...query, ...(cursor && { cursor }) });
    const page: { items: T[]; cursor?: string } = await readJson(node, `${path}?${search}`);
    all.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
}

async function holdingOf(
  node: TestNode,
  { address }: Pick<KeyHolder, "address">,
  id: string,
): Promise<Holding> {
  const path = `/mrc402/balance/${address}`;
  const [entry] = await allOf<Holding & { mrc402: string }>(node, path, { mrc402id: id });
  if (entry === undefined) {
    return HOLDS_NOTHING;
  }
  const { mrc402, ...holding } = entry;
  assert.equal(mrc402, id);
  return holding;
}

/** Status and code, as of `saidCode`; of an error that names listings, too, without them. */
export function unitsSaid(answer: Answered): string {
  if (answer.status !== 409) {
    return saidCode(answer);
  }
  const { listings: _, ...problem } = parsed<{ listings?: unknown }>(answer);
  return saidCode({ ...answer, text: JSON.stringify(problem) });
}

/** The listings among which a client has to choose. Source: mrc402 §2.7. */
export function listingsToChoose(answer: Answered): readonly string[] {
  assert.equal(unitsSaid(answer), "409 7107", answer.text);
  return parsed<{ listings: string[] }>(answer).listings;
}

/** Who they are: `UnitRole`. */
export type UnitCast = Readonly<Record<UnitRole, KeyHolder>> & { readonly project: string };

/** An id of an item or of a listing, wherever it stands. */
const IDS = /MRC400_[0-9a-f]{33}_[0-9A-Za-z]{40}|(?:MRC402|DEX402)_[0-9a-f]{33}/g;

/**
 * Unit items on a node: `await using units = await Units.open()`. Knows every item that a test has
 * asked for.
 */
export class Units extends TestParties<UnitWord> {
  /**
   * What was not with the payers when the last cast came, by token, and the newest item and listing
   * then: nobody of later casts touches these.
   */
  #settled: ReadonlyMap<string, bigint> = new Map();
  #newestThen: ReadonlySet<string> = new Set();
  /** Items and listings that this test has asked for. */
  readonly #seen = new Set<string>();

  static open({ tokens = 0 }: { readonly tokens?: number } = {}): Promise<Units> {
    return openParties((node, issuer) => new Units(node, issuer), tokens);
  }

  /** New addresses with 1000 coins each, or with `coins`, and O's project. Earlier addresses must not act any more. */
  async cast({
    coins = 1000n,
    project: overrides = {},
  }: {
    readonly coins?: bigint;
    readonly project?: RequestParams;
  } = {}): Promise<UnitCast> {
    await this.#settle();
    const made = await Promise.all(UNIT_ROLES.map(() => this.holder(coins)));
    const roles = Object.fromEntries(UNIT_ROLES.map((role, at) => [role, made[at]])) as Record<
      UnitRole,
      KeyHolder
    >;
    const partner = {
      [roles.partner.address]: "partner",
      [roles.seller.address]: "seller",
      [roles.maker.address]: "creator",
    };
    const project = await createProject(this.node, roles.o, { partner, ...overrides });
    return { ...roles, project };
  }

  override request(
    word: UnitWord,
    by: KeyHolder,
    params: RequestParams,
    signing?: RequestSigning,
  ): Promise<SignedRequest> {
    return unitRequest(this.node, word, by, params, signing);
  }

  override post(request: SentRequest): Promise<Answered> {
    this.#see(`${request.path} ${JSON.stringify(request.params)}`);
    return super.post(request);
  }

  override follow(answer: Answered): Answered {
    if (answer.status === 200) {
      this.#see(answer.text);
    }
    return answer;
  }

  #see(text: string): void {
    for (const [id] of text.matchAll(IDS)) {
      this.#seen.add(id);
    }
  }

  /** Creates `ART` standing alone, or what is given instead, and returns its id. */
  async alone(by: KeyHolder, change: RequestParams = {}): Promise<string> {
    const request = await this.request("create", by, { ...ART, ...change });
    const answer = await this.post(request);
    const id = aloneIdOf(by.address, request.params.tkey);
    const transaction_id = transactionIdOf(answer);
    assert.deepEqual(parsed(answer), { transaction_id, txid: transaction_id, mrc402id: id });
    return id;
  }

  async items(project: string, by: KeyHolder, ...itemdata: readonly Element[]): Promise<string[]> {
    const answer = await this.done("createItems", by, { mrc400id: project, itemdata });
    const { mrc402ids } = parsed<{ mrc402ids: string[] }>(answer);
    assert.equal(mrc402ids.length, itemdata.length);
    return mrc402ids;
  }

  async item(project: string, by: KeyHolder, element: Element = {}): Promise<string> {
    return (await this.items(project, by, element))[0] as string;
  }

  async give(id: string, from: KeyHolder, to: KeyHolder, amount = "1"): Promise<void> {
    await this.done("transfer", from, { mrc402id: id, toAddr: to.address, amount });
  }

  /** Lists units in quantity form and returns the id of the listing: a sale for 30 coins each, an auction from 100 coins on. */
  async list(
    word: "sell" | "auction",
    by: KeyHolder,
    id: string,
    change: Params = {},
  ): Promise<string> {
    const terms: Params = word === "sell" ? { price: "30" } : { auction_start_price: "100" };
    const all = { id, amount: "1", token: "0", ...terms, ...change };
    const request = await this.request(word, by, all);
    const answer = await this.post(request);
    const transaction_id = transactionIdOf(answer);
    const mrc402dexid = unitListingIdOf(by.address, request.params.tkey);
    assert.deepEqual(parsed(answer), { transaction_id, txid: transaction_id, mrc402dexid });
    return mrc402dexid;
  }

  /** Closes an auction, by the id of its item or its own. Source: mrc402 §17. */
  async finish(id: string, method: "GET" | "POST" = "POST"): Promise<Answered> {
    this.#see(id);
    return this.follow(await this.node.request(`/mrc402/auctionfinish/${id}`, { method }));
  }

  record(id: string): Promise<UnitItemShown> {
    return unitItem(this.node, id);
  }

  listing(dexid: string): Promise<UnitListingShown> {
    return unitListing(this.node, dexid);
  }

  holding(holder: KeyHolder, id: string): Promise<Holding> {
    return holdingOf(this.node, holder, id);
  }

  /** Units of an address in short: `96`, or `2 + 8 on sale + 1 on auction`. */
  async has(holder: KeyHolder, id: string): Promise<string> {
    const { balance, saleamount, auctionamount } = await this.holding(holder, id);
    return [
      balance,
      ...(saleamount === "0" ? [] : [`${saleamount} on sale`]),
      ...(auctionamount === "0" ? [] : [`${auctionamount} on auction`]),
    ].join(" + ");
  }

  /** Some fields of an item have these values. */
  async assertItem(id: string, fields: Partial<UnitItemShown>): Promise<void> {
    const item = await this.record(id);
    assert.deepEqual(item, { ...item, ...fields });
  }

  /** Some fields of a listing have these values. */
  async assertListing(dexid: string, fields: Partial<UnitListingShown>): Promise<void> {
    const listing = await this.listing(dexid);
    assert.deepEqual(listing, { ...listing, ...fields });
  }

  /** The items that this test has asked for, and those of its listings; ids that nothing has are left out. */
  async #itemsSeen(): Promise<ReadonlySet<string>> {
    const items = new Set<string>();
    for (const id of this.#seen) {
      if (id.startsWith("DEX402_")) {
        const answer = await this.node.get(`/mrc402/dex/${id}`);
        if (answer.status === 200) {
          items.add(parsed<UnitListingShown>(answer).mrc402);
        }
      } else if ((await this.node.get(`/mrc402/${id}`)).status === 200) {
        items.add(id);
      }
    }
    return items;
  }

  /**
   * The four equations of mrc402 §2.2 for the items of this test, and for every token: what all have, all reserves and bids are what was
   * issued and not burned. Items of earlier tests are not asked about again. Source: mrc402 §18 row 66.
   */
  async assertConserved(): Promise<void> {
    for (const id of await this.#itemsSeen()) {
      await this.#assertItemConserved(id);
    }
    this.#seen.clear();
    const found = new Map(this.#settled);
    const add = (token: string, amount: string): void => {
      found.set(token, (found.get(token) ?? 0n) + BigInt(amount || "0"));
    };
    for (const { token, balance } of await this.#balancesOf([...this.payers, ...this.holders])) {
      add(token, balance);
    }
    for (const { reserve } of await this.#since<UnitItemShown>("/mrc402")) {
      for (const [token, amount] of Object.entries(reserve)) {
        add(token, amount);
      }
    }
    const listings = await this.#since<UnitListingShown>("/mrc402/dex", { state: "all" });
    for (const { sell_token, auction_current_price } of listings.filter(isOpen)) {
      add(sell_token, auction_current_price);
    }
    for (const token of this.tokens) {
      assert.equal(found.get(token), await this.#issuedOf(token), `units of token ${token}`);
    }
  }

  /** Takes for granted that nothing has been lost so far, so that checks need not look at what rests. */
  async #settle(): Promise<void> {
    const settled = new Map<string, bigint>();
    for (const token of this.tokens) {
      settled.set(token, await this.#issuedOf(token));
    }
    for (const { token, balance } of await this.#balancesOf(this.payers)) {
      settled.set(token, (settled.get(token) ?? 0n) - BigInt(balance));
    }
    const newest = await Promise.all(
      ["/mrc402?limit=1", "/mrc402/dex?state=all&limit=1"].map((path) =>
        readJson<{ items: (UnitItemShown | UnitListingShown)[] }>(this.node, path),
      ),
    );
    this.#settled = settled;
    this.#newestThen = new Set(newest.flatMap(({ items }) => items.map(idOf)));
    this.holders = [];
  }

  async #balancesOf(holders: readonly KeyHolder[]): Promise<readonly BalanceEntry[]> {
    const entries = holders.map(({ address }) =>
      readJson<BalanceEntry[]>(this.node, `/balance/${address}`),
    );
    return (await Promise.all(entries)).flat();
  }

  async #issuedOf(token: string): Promise<bigint> {
    const { totalsupply, burnningamount } = await tokenRecord(this.node, token);
    return BigInt(String(totalsupply)) - BigInt(String(burnningamount));
  }

  /** What a list, newest first, has since the last cast. */
  async #since<T extends UnitItemShown | UnitListingShown>(
    path: string,
    query: Params = {},
  ): Promise<T[]> {
    const all: T[] = [];
    let cursor: string | undefined;
    do {
      const search = new URLSearchParams({ limit: "100", ...query, ...(cursor && { cursor }) });
      const page: { items: T[]; cursor?: string } = await readJson(this.node, `${path}?${search}`);
      const old = page.items.findIndex((entry) => this.#newestThen.has(idOf(entry)));
      all.push(...(old < 0 ? page.items : page.items.slice(0, old)));
      cursor = old < 0 ? page.cursor : undefined;
    } while (cursor !== undefined);
    return all;
  }

  async #assertItemConserved(id: string): Promise<void> {
    const item = await this.record(id);
    const existing = BigInt(item.totalsupply) - BigInt(item.meltedamount);
    const holders = await allOf<Holding & { address: string }>(this.node, `/mrc402/holders/${id}`);
    const open = await allOf<UnitListingShown>(this.node, "/mrc402/dex", { mrc402id: id });
    let all = 0n;
    for (const { address, ...holding } of holders) {
      assert.deepEqual(await holdingOf(this.node, { address }, id), holding);
      const { balance, saleamount, auctionamount } = holding;
      all += BigInt(balance) + BigInt(saleamount) + BigInt(auctionamount);
      const listed = (side: string, field: "remain_amount" | "amount"): bigint =>
        open
          .filter((listing) => listing.side === side && listing.seller === address)
          .reduce((sum, listing) => sum + BigInt(listing[field]), 0n);
      assert.equal(BigInt(saleamount), listed("sell", "remain_amount"), `${id}: on sale`);
      assert.equal(BigInt(auctionamount), listed("auction", "amount"), `${id}: on auction`);
    }
    assert.equal(all, existing, `${id}: units`);
    assert.equal(item.holders, holders.length, `${id}: holders`);
    const sellers = new Set(holders.map(({ address }) => address));
    assert.ok(
      open.every(({ seller }) => sellers.has(seller)),
      `${id}: sellers hold what is listed`,
    );
    for (const token of new Set(Object.keys({ ...item.initialreserve, ...item.reserve }))) {
      const expected = BigInt(item.initialreserve[token] ?? "0") * existing;
      assert.equal(BigInt(item.reserve[token] ?? "0"), expected, `${id}: reserve of ${token}`);
    }
    for (const { side, auction_current_price, auction_current_bidder } of open) {
      const hasBid = side === "auction" && auction_current_bidder !== "";
      assert.equal(auction_current_price !== "" && auction_current_price !== "0", hasBid, id);
    }
  }
}

function idOf(entry: UnitItemShown | UnitListingShown): string {
  return "dexid" in entry ? entry.dexid : entry.id;
}

function isOpen({ state }: UnitListingShown): boolean {
  return state === "open";
}
