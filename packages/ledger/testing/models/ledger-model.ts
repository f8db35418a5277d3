import type { Address, Texts } from "@moneta/protocol";
import { type ShownEntry, WatchedEntries } from "../shown/watched-entries.ts";
import type { ProjectShown } from "../trade/creations.ts";
import type { ItemShown } from "../trade/item-terms.ts";
import type { Code } from "./model-terms.ts";
import {
  isBounded,
  type ModelAttributes,
  type ModelChange,
  type ModelOffer,
  ModelPolicies,
  type ModelPolicy,
  refusedByPolicy,
} from "./policy-model.ts";

/** A sent operation and its temporary key; `decided` is what admission has added. */
export interface Sent {
  readonly op: string;
  readonly actor: Address | "";
  readonly params: Texts;
  readonly decided: Texts;
  readonly key: TestKey | undefined;
}

/**
 * A temporary key: the address it was issued to, `""` for a malformed one, and its expiry.
 */
export interface TestKey {
  readonly text: string;
  readonly of: Address | "";
  readonly expiry: number;
}

/** Values of parameters that were left out, unless a rule has another default. */
export const BLANK_VALUES = {
  ...{ address: "", allowtoken: "", amount: "", atleast: "", buyer: "", category: "" },
  ...{ creator: "", data: "", description: "", dexid: "", end: "", from: "", fromAddr: "" },
  ...{ groupid: "", id: "", image: "", imageurl: "", info: "", itemdata: "" },
  ...{ itemimageurl: "", itemurl: "", mrc010id: "" },
  ...{ mrc400id: "", mrc401id: "", mrc402id: "", name: "", offerid: "", owner: "" },
  ...{ partner: "", platform_address: "", platform_commission: "", platform_name: "" },
  ...{ platform_url: "", policy: "", price: "", seller: "", socialmedia: "", symbol: "" },
  ...{ tkey: "", to: "", toAddr: "", token: "", unlockdate: "", url: "" },
  ...{ auction_bidding_unit: "", auction_buynow_price: "", auction_end_date: "" },
  ...{ auction_start_date: "", auction_start_price: "", decimal: "", extend: "" },
  ...{ min_trade_unit: "", reserve: "", reservedamount: "", sell_end: "", sell_start: "" },
  ...{ tier: "", totalsupply: "", type: "" },
};
export type Values = Readonly<typeof BLANK_VALUES>;

/**
 * The checks of an operation in the order of its section. Each returns the code that refuses, or
 * undefined.
 */
export interface ModelRule {
  readonly defaults?: Partial<Values>;
  form(values: Values): Code;
  /** The key was issued to `holder`. */
  existence(values: Values, holder: string): Code;
  /** The actor; `""` for the address that the key was issued to. */
  actor(values: Values): string;
  /** Permission, state, time and balances, then effects. */
  apply(values: Values, actor: string, sent: Sent): Code;
}

export type ModelRules = { readonly [op: string]: ModelRule };

/** A token in the form of its state entry. Source: tokens §2, chain §5. */
export interface ModelToken {
  readonly id: string;
  readonly owner: string;
  readonly totalsupply: string;
  readonly burnningamount: string;
  readonly url: string;
  readonly information: string;
  readonly image: string;
  readonly [member: string]: unknown;
}

export interface ModelDraft {
  readonly owner: string;
  readonly name: string;
  readonly saved: number;
  readonly values: Values;
}

/** One of the movements that records of trades list. Source: market §4. */
export interface ModelPayment {
  readonly from_addr: string;
  readonly to_addr: string;
  readonly amount: string;
  readonly token: string;
  readonly trade_amount: string;
  readonly trade_id: string;
  readonly type: string;
}

/** A listing of tokens or of units in the form of its `GET`. Source: market §1. */
export interface ModelListing {
  readonly dexid: string;
  readonly side: "sell" | "buy" | "auction";
  readonly state: "open" | "sold" | "cancelled" | "failed";
  readonly seller: string;
  readonly buyer: string;
  readonly amount: string;
  readonly remain_amount: string;
  readonly sell_price: string;
  readonly sell_token: string;
  readonly regdate: number;
  readonly sell_date: number;
  readonly cancel_date: number;
  readonly job_type: string;
  readonly platform_name: string;
  readonly platform_url: string;
  readonly platform_address: string;
  readonly platform_commission: string;
  readonly auction_bid_count: number;
  readonly auction_bidding_unit: string;
  readonly auction_buynow_price: string;
  readonly auction_current_bidder: string;
  readonly auction_current_price: string;
  readonly auction_end_date: number;
  readonly auction_settle_date: number;
  readonly auction_start_date: number;
  readonly auction_start_price: string;
  // Absent while they are 0. Source: chain §5.
  readonly sell_start?: number;
  readonly sell_end?: number;
  readonly auction_extend?: number;
  readonly auction_latest_end?: number;
}

/** The defaults of a listing. Source: market §1. */
export const BLANK_LISTING: ModelListing = {
  ...{ amount: "", buyer: "", dexid: "", job_type: "", seller: "", remain_amount: "" },
  ...{ auction_bid_count: 0, auction_bidding_unit: "0", auction_buynow_price: "0" },
  ...{ auction_current_bidder: "", auction_current_price: "", auction_end_date: 0 },
  ...{ auction_settle_date: 0, auction_start_date: 0, auction_start_price: "0" },
  ...{ cancel_date: 0, regdate: 0, sell_date: 0, sell_price: "0", sell_token: "" },
  ...{ platform_address: "", platform_commission: "0", platform_name: "", platform_url: "" },
  ...{ side: "sell", state: "open" },
};

export interface ModelTokenListing extends ModelListing {
  readonly mrc010: string;
  readonly min_trade_unit: string;
  readonly buy_price: string;
  readonly buy_price_total: string;
  readonly buy_token: string;
}

export interface ModelUnitListing extends ModelListing {
  readonly mrc402: string;
  readonly agent: string;
  readonly sell_fee: string;
}

/** An offer for an item as its entry is. Source: offers §1. */
export interface ModelItemOffer extends ModelOffer {
  readonly groupid: string;
  readonly mrc401: string;
  readonly seller: string;
}

export interface ModelUnitOffer extends ModelOffer {
  readonly amount: string;
  readonly remain_amount: string;
}

/** The platform through which units are sold. */
export interface ModelPlatform {
  readonly platform_name: string;
  readonly platform_url: string;
  readonly platform_address: string;
  readonly platform_commission: string;
}

/** A unit item, with the members that a rule reads or changes. */
export interface ModelUnitItem extends ModelPlatform {
  readonly id: string;
  readonly mrc400: string;
  readonly creator: string;
  readonly allow_token: string;
  readonly expiredate: number;
  readonly creatorcommission: string;
  /** Per unit. */
  readonly reserve: ReadonlyMap<string, bigint>;
  readonly shareholders: readonly (readonly [address: string, rate: string])[];
  readonly policyNumber: number;
  readonly face: { readonly price: string; readonly token: string };
  attributes: ModelAttributes;
  total: bigint;
  melted: bigint;
  burned: bigint;
  meltDate: number;
  hasMoved: boolean;
  trade: { date: number; amount: string; token: string; type: string };
  /** The texts that can be changed, under the names of the wire. */
  texts: Readonly<Record<string, string>>;
}

/** Units of an item that an address holds. Source: mrc402 §2.2. */
export interface ModelUnits {
  balance: bigint;
  sale: bigint;
  auction: bigint;
}

export type ModelEntry =
  | ProjectShown
  | ItemShown
  | ModelItemOffer
  | ModelUnitOffer
  | ModelTokenListing
  | ModelUnitListing;

/** The input of a policy's check of a change of holder, except the properties of the goods. */
export type AskedChange = Omit<ModelChange, "issuers" | "face" | "held" | "now" | "since">;

const DRAFT_SECONDS = 3600;
const DRAFTS_MAX = 10;

/**
 * Tokens, projects, items, units and their trades as in a cash book. Each holder of tokens (also a
 * listing, an offer or a reserve) has lines with an amount and the time at which it unlocks. Lines
 * are never merged. Entries have the form of the wire.
 */
export class LedgerModel {
  time = 0;
  readonly addresses: Address[] = [];
  readonly tokens: Map<string, ModelToken> = new Map();
  readonly tokenListings: WatchedEntries<ModelTokenListing> = new WatchedEntries();
  readonly projects: WatchedEntries<ProjectShown> = new WatchedEntries();
  readonly items: WatchedEntries<ItemShown> = new WatchedEntries();
  readonly itemOffers: WatchedEntries<ModelItemOffer> = new WatchedEntries();
  readonly unitItems: Map<string, ModelUnitItem> = new Map();
  readonly unitListings: WatchedEntries<ModelUnitListing> = new WatchedEntries();
  readonly unitOffers: WatchedEntries<ModelUnitOffer> = new WatchedEntries();
  readonly policies: ModelPolicies = new ModelPolicies();
  /** Time of the last change of an item's `groupid`. */
  readonly grouped: Map<string, number> = new Map();
  /** Movements of the operation that was judged last, if it was a trade or melted an item. */
  payments: ModelPayment[] = [];
  /** Entries that it has made or changed, in the order of its records, without unit items. */
  shown: ShownEntry<ModelEntry>[] = [];
  /** Whether it traded goods that cannot be traded in a group. Source: policies §4. */
  isAlone = false;
  /**
   * Addresses with a record of another one's operation for them. Source: mrc401 §1.3, mrc402 §2.3.
   */
  notified: string[] = [];
  #drafts: ModelDraft[] = [];
  readonly #lines: Map<string, { readonly amount: bigint; readonly from: number }[]> = new Map();
  readonly #units: Map<string, Map<string, ModelUnits>> = new Map();

  /** Forgets the effects of the previous operation. */
  begin(): void {
    this.payments = [];
    this.shown = [];
    this.notified = [];
    this.isAlone = false;
    for (const entries of this.#watched()) {
      entries.begin();
    }
  }

  #watched(): readonly WatchedEntries<ModelEntry>[] {
    const { tokenListings, unitListings, projects, items, itemOffers, unitOffers } = this;
    const all = [tokenListings, unitListings, projects, items, itemOffers, unitOffers];
    return all as unknown as readonly WatchedEntries<ModelEntry>[];
  }

  /** Stores an entry, and notes that a record shows it. */
  put<E extends ModelEntry>(entries: WatchedEntries<E>, id: string, entry: E): void {
    entries.set(id, entry);
    this.show(entries, id);
  }

  show<E extends ModelEntry>(entries: WatchedEntries<E>, id: string): void {
    this.shown.push(entries.change(id) as ShownEntry<E>);
  }

  // Money.

  free(holder: string, token: string): bigint {
    return sumOf(this.#of(holder, token).filter(({ from }) => from <= this.time));
  }

  held(holder: string, token: string): bigint {
    return sumOf(this.#of(holder, token));
  }

  /** In the form of `GET /balance/{address}`. Source: accounts §9. */
  balances(address: Address): { balance: string; token: string; unlockdate: number }[] {
    return [...this.tokens.keys()].flatMap((token) => {
      const free = this.free(address, token);
      const locked = this.#of(address, token).filter(({ from }) => from > this.time);
      const dates = [...new Set(locked.map(({ from }) => from))].sort((a, b) => a - b);
      return [
        ...(free > 0n || token === "0" ? [{ amount: free, date: 0 }] : []),
        ...dates.map((date) => ({
          amount: sumOf(locked.filter(({ from }) => from === date)),
          date,
        })),
      ].map(({ amount, date }) => ({ balance: String(amount), token, unlockdate: date }));
    });
  }

  /** Moves an amount; `""` issues and burns. */
  move(from: string, to: string, token: string, amount: bigint, unlockDate = 0): void {
    for (const line of [
      { holder: from, amount: -amount, from: 0 },
      { holder: to, amount, from: unlockDate > this.time ? unlockDate : 0 },
    ]) {
      if (line.holder !== "" && amount > 0n) {
        this.#of(line.holder, token).push(line);
      }
    }
  }

  /** Moves a payment, which a record lists. */
  pay(type: string, from: string, to: string, token: string, amount: bigint): void {
    this.move(from, to, token, amount);
    this.note({ type, from_addr: from, to_addr: to, token, amount: String(amount) });
  }

  /** A record lists a movement, of `trade_amount` of the goods or of `amount` of a token. */
  note(movement: Partial<ModelPayment>): void {
    const { from_addr = "", to_addr = "", amount = "", token = "", type = "" } = movement;
    const { trade_amount = "", trade_id = "" } = movement;
    if (![amount, trade_amount].includes("0")) {
      this.payments.push({ from_addr, to_addr, amount, token, trade_amount, trade_id, type });
    }
  }

  #of(holder: string, token: string): { readonly amount: bigint; readonly from: number }[] {
    const key = `${holder}/${token}`;
    const lines = this.#lines.get(key) ?? [];
    this.#lines.set(key, lines);
    return lines;
  }

  /** Drafts of an owner that can still be created, the oldest first. Source: tokens §3. */
  drafts(owner: string, time: number = this.time): readonly ModelDraft[] {
    return this.#drafts.filter(
      (draft) => draft.owner === owner && time - draft.saved < DRAFT_SECONDS,
    );
  }

  save(draft: ModelDraft): void {
    this.discard(draft.owner, draft.name);
    const [oldest, ...others] = this.drafts(draft.owner);
    if (oldest !== undefined && others.length + 1 === DRAFTS_MAX) {
      this.discard(draft.owner, oldest.name);
    }
    this.#drafts.push(draft);
  }

  discard(owner: string, name: string): void {
    this.#drafts = this.#drafts.filter((draft) => draft.owner !== owner || draft.name !== name);
  }

  // Items and units.

  projectOf({ mrc400 }: { readonly mrc400: string }): ProjectShown | undefined {
    return this.projects.get(mrc400);
  }

  putItem(item: ItemShown, change: Partial<ItemShown> = {}): void {
    const next = { ...item, ...change };
    const { holder } = this.items.get(item.id) ?? { holder: "" };
    const isPassedOn = next.holder !== holder && next.holder !== "";
    const { cooldown = 0 } = this.policyOf(next.mrc400, next.policy_number);
    const changed = isPassedOn && cooldown > 0 ? { ...next, held_since: this.time } : next;
    this.put(this.items, changed.id, changed);
  }

  policyOf(mrc400: string, number: number): ModelPolicy {
    return this.policies.numbered(mrc400, number);
  }

  units(item: string, address: string): ModelUnits {
    const all = this.#units.get(item) ?? new Map<string, ModelUnits>();
    this.#units.set(item, all);
    const units = all.get(address) ?? { balance: 0n, sale: 0n, auction: 0n };
    all.set(address, units);
    return units;
  }

  all(item: string, address: string): bigint {
    const { balance, sale, auction } = this.units(item, address);
    return balance + sale + auction;
  }

  holders(item: string): string[] {
    const addresses = [...(this.#units.get(item)?.keys() ?? [])];
    return addresses.filter((address) => this.all(item, address) > 0n);
  }

  /** Open listings of a unit item, the oldest first. */
  open(item: string, side: ModelListing["side"]): ModelUnitListing[] {
    return [...this.unitListings.values()].filter(
      (one) => one.mrc402 === item && one.side === side && one.state === "open",
    );
  }

  /** The code that the policy of an item refuses a change of its holder with. Source: policies §3. */
  itemForbidden(item: ItemShown, change: AskedChange): Code {
    const { mrc400, policy_number: number, face_price: price, face_token: token } = item;
    return this.#forbidden(this.policyOf(mrc400, number), {
      ...{ ...change, issuers: [this.projectOf(item)?.owner ?? ""], face: { price, token } },
      ...{ held: this.#heldOf(mrc400, number, change.to), now: this.time, since: item.held_since },
    });
  }

  unitsForbidden(item: ModelUnitItem, change: AskedChange): Code {
    const { mrc400, policyNumber, face } = item;
    const held = this.#heldOf(mrc400, policyNumber, change.to);
    return this.#forbidden(this.policyOf(mrc400, policyNumber), {
      ...{ ...change, issuers: this.issuersOf(item), face, held, now: this.time, since: 0 },
    });
  }

  /** Items and units of a policy that an address has, with its highest bids. Source: policies §7. */
  #heldOf(mrc400: string, number: number, address: string): bigint {
    const items = [...this.items.values()].filter(
      (one) => one.mrc400 === mrc400 && one.policy_number === number,
    );
    const holds = items.filter(({ holder }) => holder === address).length;
    const leads = items.filter((one) => one.auction_current_bidder === address).length;
    const units = [...this.unitItems.values()].filter(
      (one) =>
        one.mrc400 === mrc400 &&
        one.policyNumber === number &&
        !this.issuersOf(one).includes(address),
    );
    return units.reduce(
      (sum, { id }) => {
        const led = this.open(id, "auction").filter(
          (lot) => lot.auction_current_bidder === address,
        );
        return sum + led.reduce((all, lot) => all + BigInt(lot.amount), this.all(id, address));
      },
      BigInt(holds + leads),
    );
  }

  #forbidden(policy: ModelPolicy, change: ModelChange): Code {
    this.isAlone ||= change.way !== "transfer" && isBounded(policy);
    return refusedByPolicy(policy, change);
  }

  /** The addresses that issue units. Source: policies §2. */
  issuersOf(item: ModelUnitItem): readonly string[] {
    return [this.projectOf(item)?.owner ?? "", item.creator];
  }

  /** Source: mrc402 §2.3. */
  isAgent({ id, mrc400, hasMoved }: ModelUnitItem, address: string): boolean {
    const role = this.projects.get(mrc400)?.partner[address];
    return (role === "partner" || role === "seller") && !hasMoved && this.all(id, address) === 0n;
  }

  /** Times at which something begins or ends. */
  moments(): readonly number[] {
    const ofListings = [...this.tokenListings.values(), ...this.unitListings.values()].flatMap(
      (one) => [
        ...[one.auction_start_date, one.auction_end_date],
        ...[one.sell_start ?? 0, one.sell_end ?? 0],
      ],
    );
    const ofItems = [...this.items.values()].flatMap((one) => {
      const { cooldown = 0 } = this.policyOf(one.mrc400, one.policy_number);
      const free = one.held_since + cooldown;
      return [one.auction_end, one.sell_start, one.sell_end, one.frozen, free];
    });
    const ofPolicies = this.policies.all().flatMap(({ opens = 0, closes = 0 }) => [opens, closes]);
    const offers = [...this.itemOffers.values(), ...this.unitOffers.values()];
    return [
      ...[...ofListings, ...ofItems, ...ofPolicies, ...offers.map(({ end }) => end)],
      ...[...this.unitItems.values()].map(({ texts }) => Number(texts["frozen"])),
      ...this.#drafts.map(({ saved }) => saved + DRAFT_SECONDS),
      ...[...this.#lines.values()].flatMap((lines) => lines.map(({ from }) => from)),
    ];
  }
}

function sumOf(lines: readonly { readonly amount: bigint }[]): bigint {
  return lines.reduce((sum, { amount }) => sum + amount, 0n);
}
