import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { WatchedEntries } from "../shown/watched-entries.ts";
import { ItemModel, otherTerms } from "./item-model.ts";
import {
  attributesForm,
  closedOfferRefused,
  guardsIn,
  isBounded,
  type ModelAttributes,
  type ModelChange,
  type ModelOffer,
  offerEndRefused,
  outsideWindow,
  refusedByFreezing,
  refusedByPolicy,
  sortedAttributes,
  windowRefused,
} from "./policy-model.ts";
import type { Sent } from "./token-model.ts";

/** Units of an item that somebody has. Source: mrc402 §2.2. */
export interface ModelUnits {
  balance: bigint;
  sale: bigint;
  auction: bigint;
}

interface ModelPlatform {
  readonly platform_name: string;
  readonly platform_url: string;
  readonly platform_address: string;
  readonly platform_commission: string;
}

/** A class of units, as far as something depends on it or an operation changes it. */
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
  /** What can be changed, under the names of the wire. */
  texts: Readonly<Record<string, string>>;
}

/** What is taken for parameters that were left out, as far as it is part of what was asked. */
const DEFAULTS: { readonly [op: string]: { readonly amount: string } } = {
  mrc402transfer: { amount: "1" },
  mrc402melt: { amount: "1" },
};

/** A listing in the form of `GET /mrc402/dex/{dexid}`. Source: mrc402 §3. */
const BLANK = {
  agent: "",
  amount: "",
  auction_bid_count: 0,
  auction_bidding_unit: "0",
  auction_buynow_price: "0",
  auction_current_bidder: "",
  auction_current_price: "",
  auction_end_date: 0,
  auction_settle_date: 0,
  auction_start_date: 0,
  auction_start_price: "0",
  buyer: "",
  cancel_date: 0,
  dexid: "",
  job_type: "",
  mrc402: "",
  platform_address: "",
  platform_commission: "0",
  platform_name: "",
  platform_url: "",
  regdate: 0,
  remain_amount: "",
  sell_date: 0,
  sell_fee: "0",
  sell_price: "0",
  sell_token: "",
  seller: "",
  side: "sell" as "sell" | "auction",
  state: "open" as "open" | "sold" | "cancelled" | "failed",
};
/** Members that are not there while they are 0. Source: chain §5. */
interface ListingTimes {
  readonly sell_start?: number;
  readonly sell_end?: number;
  readonly auction_extend?: number;
  readonly auction_latest_end?: number;
}
export type ModelUnitListing = Readonly<typeof BLANK> & ListingTimes;

/** An offer for units as its entry is. Source: offers §1. */
export interface UnitOfferShown extends ModelOffer {
  readonly amount: string;
  readonly remain_amount: string;
}

/** An element of `itemdata`, or the parameters of a request. */
export type Fields = Readonly<Record<string, unknown>>;
type Code = string | undefined;

/** The checks of an operation in the order of its section, then its effects. */
interface ModelRule {
  readonly actor: string;
  form(values: Fields): Code;
  existence(values: Fields): Code;
  apply(values: Fields, actor: string): Code;
}

const MOST_UNITS = 99_999_999n;
const AUCTION_MIN = 3600;
const AUCTION_MAX = 1_814_400;
const UNSET = { date: 0, amount: "0", token: "0", type: "" };

/** What an item begins with where nothing is said. */
const TEXTS: Readonly<Record<string, string>> = {
  url: "",
  data: "",
  information: "",
  copyright_registration_country: "",
  item_url: "",
  item_image_url: "",
  groupid: "",
  metadatahash: "",
  frozen: "0",
  sell_fee: "0",
  melt_fee: "0",
  transferable: "Permanent",
};
const OF_THE_CREATOR = ["url", "data", "information", "copyright_registration_country"];
const DESCRIBING = ["item_url", "item_image_url", "groupid"];
const TERMS = ["sell_fee", "melt_fee", "transferable", "metadatahash", "frozen"];
const CLEARED = [...DESCRIBING, "metadatahash"];
const PLATFORM = ["platform_name", "platform_url", "platform_address", "platform_commission"];

/**
 * Multi-unit items as a bookkeeper would have them: every unit and every amount has a holder, which
 * may be an item (its reserve) or a listing (its highest bid). The rules follow the text of the
 * spec, check by check. Of several faults of several elements it may name another than the ledger.
 */
export class UnitModel {
  readonly base: ItemModel = new ItemModel();
  readonly items: Map<string, ModelUnitItem> = new Map();
  readonly listings: WatchedEntries<ModelUnitListing> = new WatchedEntries();
  readonly offers: WatchedEntries<UnitOfferShown> = new WatchedEntries();
  /** Whether the operation that was judged last traded what cannot be traded in a group. */
  isAlone = false;
  readonly #units: Map<string, Map<string, ModelUnits>> = new Map();
  readonly #usedBy: Map<string, string> = new Map();
  readonly #rules: { readonly [op: string]: ModelRule } = rulesOf(this);

  get time(): number {
    return this.base.time;
  }

  /**
   * What the ledger should say to an operation, which it does if that is `done`.
   * Source: conventions §3, §5.3.
   */
  judge(sent: Sent): string {
    this.listings.begin();
    this.offers.begin();
    this.isAlone = false;
    const { op, key, params } = sent;
    const rule = this.#rules[op];
    if (rule === undefined) {
      const outcome = this.base.judge(sent);
      if (outcome === "done" && key !== undefined) {
        this.#usedBy.set(key.text, JSON.stringify(params));
      }
      return outcome;
    }
    const meaning = JSON.stringify([op, sent.actor, { ...DEFAULTS[op], ...params }]);
    const usedBy = key && this.#usedBy.get(key.text);
    if (key !== undefined && usedBy === meaning && this.time <= key.expiry + 86_400) {
      return "repeat";
    }
    const named = params[rule.actor] ?? "";
    const isForeign = (): boolean =>
      key !== undefined &&
      (key.of === "" || (named !== "" && named !== key.of) || this.time > key.expiry);
    const refused =
      rule.form(params) ??
      rule.existence(params) ??
      when(isForeign(), "2020") ??
      when(usedBy !== undefined, "2021") ??
      rule.apply(params, named || (key?.of ?? ""));
    if (refused === undefined && key !== undefined) {
      this.#usedBy.set(key.text, meaning);
    }
    return refused ?? "done";
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

  /** Open listings of an item, the oldest first. */
  open(item: string, side: ModelUnitListing["side"]): ModelUnitListing[] {
    return [...this.listings.values()].filter(
      (one) => one.mrc402 === item && one.side === side && one.state === "open",
    );
  }

  /** Source: mrc402 §2.3. */
  isAgent({ id, mrc400, hasMoved }: ModelUnitItem, address: string): boolean {
    const role = this.base.projects.get(mrc400)?.partner[address];
    return (role === "partner" || role === "seller") && !hasMoved && this.all(id, address) === 0n;
  }

  allowed({ mrc400, allow_token }: Pick<ModelUnitItem, "mrc400" | "allow_token">): string {
    const project = this.base.projects.get(mrc400);
    return project === undefined ? allow_token : String(project.allow_token);
  }

  ownerOfProject({ mrc400 }: ModelUnitItem): string {
    return this.base.projects.get(mrc400)?.owner ?? "";
  }

  /** Times at which something begins or ends. */
  moments(): readonly number[] {
    const ofItems = [...this.items.values()].flatMap(({ mrc400, policyNumber, texts }) => {
      const { opens = 0, closes = 0 } = this.base.policies.numbered(mrc400, policyNumber);
      return [Number(texts["frozen"]), opens, closes];
    });
    const ofListings = [...this.listings.values()].flatMap((one) => [
      ...[one.auction_start_date, one.auction_end_date],
      ...[one.sell_start ?? 0, one.sell_end ?? 0],
    ]);
    return [...ofItems, ...ofListings, ...[...this.offers.values()].map(({ end }) => end)];
  }

  /** Who hands units out. Source: policies §2. */
  issuersOf(item: ModelUnitItem): readonly string[] {
    return [this.ownerOfProject(item), item.creator];
  }

  /** How much an address has of all that has the policy of an item. Source: policies §7. */
  heldBy(address: string, { mrc400, policyNumber }: ModelUnitItem): bigint {
    const alike = [...this.items.values()].filter(
      (one) =>
        one.mrc400 === mrc400 &&
        one.policyNumber === policyNumber &&
        !this.issuersOf(one).includes(address),
    );
    return alike.reduce((sum, { id }) => {
      const led = this.open(id, "auction").filter((lot) => lot.auction_current_bidder === address);
      return sum + led.reduce((all, lot) => all + BigInt(lot.amount), this.all(id, address));
    }, 0n);
  }

  /** The code that the policy of units refuses a change of their holder with. */
  forbidden(
    item: ModelUnitItem,
    change: Omit<ModelChange, "issuers" | "face" | "held" | "now" | "since">,
  ): Code {
    const policy = this.base.policies.numbered(item.mrc400, item.policyNumber);
    this.isAlone ||= change.way !== "transfer" && isBounded(policy);
    const issuers = this.issuersOf(item);
    const held = this.heldBy(change.to, item);
    const { face } = item;
    return refusedByPolicy(policy, { ...change, issuers, face, held, now: this.time, since: 0 });
  }

  put(listing: ModelUnitListing, change: Partial<ModelUnitListing> = {}): ModelUnitListing {
    const changed = { ...listing, ...change };
    this.listings.set(changed.dexid, changed);
    return changed;
  }

  move(from: string, to: string, token: string, amount: bigint): void {
    this.base.money.move(from, to, token, amount);
  }

  /** The items with their own texts, without those that a project stands in with. */
  stored(): ReadonlyMap<string, Fields> {
    return new Map(
      [...this.items].map(([id, item]) => {
        const { url, data, item_url } = item.texts;
        const { item_image_url } = item.texts;
        return [id, { ...this.shown(item), url, data, item_url, item_image_url }];
      }),
    );
  }

  /** In short what `GET /mrc402/{mrc402id}` shows of an item, but for what never changes. */
  shown(item: ModelUnitItem): Fields {
    const { id, total, melted, trade } = item;
    const left = total - melted;
    const holders = this.holders(id);
    const [sale] = this.open(id, "sell");
    const [lot] = this.open(id, "auction");
    const sole = holders.length === 1 ? holders[0] : "";
    const { melt_fee: meltint_fee, sell_fee, groupid, transferable, ...others } = item.texts;
    const { item_url, item_image_url, url, data, frozen, ...rest } = others;
    const project = this.base.projects.get(item.mrc400);
    const { mrc400, policyNumber: number } = item;
    return {
      ...rest,
      groupid,
      transferable,
      url: url || (project?.url ?? ""),
      data: data || (project?.data ?? ""),
      item_url: item_url || (project?.item_url ?? ""),
      item_image_url: item_image_url || (project?.item_image_url ?? ""),
      attributes: item.attributes,
      frozen: Number(frozen),
      policy: this.base.policies.numbered(mrc400, number),
      policy_number: number,
      face_price: item.face.price,
      face_token: item.face.token,
      meltint_fee: canonical(meltint_fee),
      sell_fee: canonical(sell_fee),
      owner: left > 0n ? sole : item.meltDate > 0 ? "MELTED" : "BURNED",
      holders: holders.length,
      totalsupply: String(total),
      meltedamount: String(melted),
      burnedamount: String(item.burned),
      melting_date: item.meltDate,
      reserve: Object.fromEntries(
        [...item.reserve].map(([token, each]) => [token, String(each * left)]),
      ),
      sell_count: this.open(id, "sell").length,
      sell_dexid: sale?.dexid ?? "",
      sell_price: sale?.sell_price ?? "0",
      auction_count: this.open(id, "auction").length,
      auction_dexid: lot?.dexid ?? "",
      auction_current_price: lot?.auction_current_price || "0",
      last_trade_date: trade.date,
      last_trade_amount: trade.amount,
      last_trade_token: trade.token,
      last_trade_type: trade.type,
    };
  }
}

function when(isWrong: boolean, code: string): Code {
  return isWrong ? code : undefined;
}

function first<V>(all: Iterable<V>, check: (one: V, index: number) => Code): Code {
  let index = 0;
  for (const one of all) {
    const code = check(one, index);
    if (code !== undefined) {
      return code;
    }
    index += 1;
  }
  return undefined;
}

function text(fields: Fields, name: string, absent = ""): string {
  const given = fields[name];
  return given === undefined || given === "" ? absent : String(given);
}

function parsed<V>(fields: Fields, name: string, absent: V): V {
  const given = fields[name] ?? "";
  return typeof given === "string" ? (given === "" ? absent : JSON.parse(given)) : (given as V);
}

function millionths(rate: string): bigint {
  const [whole = "", fraction = ""] = rate.split(".");
  return BigInt(whole + fraction.padEnd(4, "0"));
}

/** The part that a rate is of an amount, rounded down. Source: mrc402 §2.6. */
function part(amount: bigint, rate: string): bigint {
  return (amount * millionths(rate)) / 1_000_000n;
}

function canonical(rate = "0"): string {
  return rate.includes(".") ? rate.replace(/\.?0+$/, "") : rate;
}

function hash(...parts: readonly (string | number)[]): string {
  return createHash("sha256").update(parts.join("|")).digest("hex");
}

function isListing(id: string): boolean {
  return id.startsWith("DEX402_");
}

function platformOf(fields: Fields): ModelPlatform {
  return {
    platform_name: text(fields, "platform_name"),
    platform_url: text(fields, "platform_url"),
    platform_address: text(fields, "platform_address"),
    platform_commission: canonical(text(fields, "platform_commission", "0")),
  };
}

/** The platform of an item, alone. */
function platformIn(item: ModelPlatform): ModelPlatform {
  return {
    platform_name: item.platform_name,
    platform_url: item.platform_url,
    platform_address: item.platform_address,
    platform_commission: item.platform_commission,
  };
}

type Shares = Pick<ModelUnitItem, "creatorcommission" | "shareholders">;

/** Whether what others get of a trade is more than all of it. Source: mrc402 §2.6. */
function exceeds(item: Shares, sellFee: string, platform: ModelPlatform): boolean {
  const rates = [sellFee, item.creatorcommission, ...item.shareholders.map(([, rate]) => rate)];
  const all = platform.platform_address === "" ? rates : [...rates, platform.platform_commission];
  return all.reduce((sum, rate) => sum + millionths(rate), 0n) > 1_000_000n;
}

/** What a request or element says about a new item. */
function newItem(
  fields: Fields,
): Omit<ModelUnitItem, "id" | "mrc400" | "creator" | "policyNumber"> {
  const face = text(fields, "face_price", "0");
  const reserve = new Map(
    Object.entries(parsed<Record<string, string>>(fields, "initialreserve", {}))
      .sort(([x], [y]) => Number(x) - Number(y))
      .map(([token, amount]) => [token, BigInt(amount)]),
  );
  const alone = BigInt(text(fields, "initial_reserve", "0"));
  return {
    ...platformOf(fields),
    allow_token: text(fields, "allowtoken", "0"),
    expiredate: Number(text(fields, "expiredate", "0")),
    creatorcommission: text(fields, "creatorcommission", "0"),
    reserve: alone > 0n ? new Map([[text(fields, "initial_token", "0"), alone]]) : reserve,
    shareholders: Object.entries(parsed<Record<string, string>>(fields, "shareholder", {})),
    total: BigInt(text(fields, "totalsupply", "1")),
    melted: 0n,
    burned: 0n,
    meltDate: 0,
    hasMoved: false,
    trade: UNSET,
    face: { price: face, token: face === "0" ? "0" : text(fields, "face_token", "0") },
    attributes: sortedAttributes(parsed(fields, "attributes", {})),
    texts: Object.fromEntries(
      Object.entries(TEXTS).map(([name, absent]) => [name, text(fields, name, absent)]),
    ),
  };
}

function rulesOf(model: UnitModel): { readonly [op: string]: ModelRule } {
  const { items, listings, base } = model;
  const { money, projects } = base;

  const known = (...addresses: readonly string[]): Code =>
    first(addresses, (one) =>
      when(one !== "" && !money.addresses.some((address) => address === one), "3090"),
    );
  const tokens = (...ids: readonly string[]): Code =>
    first(ids, (id) => when(!money.tokens.has(id), "4001"));
  const itemThere = (id: string): Code =>
    when(!items.has(isListing(id) ? (listings.get(id)?.mrc402 ?? "") : id), "6004");
  const itemOf = (id: string): ModelUnitItem => {
    const item = items.get(isListing(id) ? (listings.get(id)?.mrc402 ?? "") : id);
    assert(item !== undefined, id);
    return item;
  };
  const hasEnded = ({ total, melted }: ModelUnitItem): boolean => total === melted;
  const guarded = ({ texts }: ModelUnitItem, values: Fields): Code =>
    otherTerms(
      {
        meltFee: texts["melt_fee"] ?? "0",
        sellFee: texts["sell_fee"] ?? "0",
        transferable: texts["transferable"] ?? "Permanent",
      },
      values,
    );
  const offer = (id: string): Code => when(!model.offers.has(id), "6004");
  const offerAt = (id: string): UnitOfferShown => model.offers.get(id) as UnitOfferShown;
  const metadataOf = (attributes: object, texts: Readonly<Record<string, string>>) => ({
    item_url: texts["item_url"] ?? "",
    item_image_url: texts["item_image_url"] ?? "",
    metadatahash: texts["metadatahash"] ?? "",
    frozen: Number(texts["frozen"]),
    attributes,
  });
  const isBound = ({ texts }: ModelUnitItem): boolean => texts["transferable"] === "Bound";
  /** The two halves of taking units. Source: mrc402 §2.2. */
  const unitsListed = (id: string, address: string, count: bigint): Code =>
    when(model.units(id, address).balance < count && model.all(id, address) >= count, "7108");
  const unitsMissing = (id: string, address: string, count: bigint): Code =>
    when(model.all(id, address) < count, "5000");
  const unaffordable = (who: string, costs: ReadonlyMap<string, bigint>): Code =>
    first(costs, ([token, amount]) => when(money.free(who, token) < amount, "5000"));
  const costOf = ({ reserve }: { reserve: ReadonlyMap<string, bigint> }, count: bigint) =>
    new Map([...reserve].map(([token, each]) => [token, each * count]));

  const create = (item: ModelUnitItem, to: string): void => {
    items.set(item.id, item);
    model.units(item.id, to).balance += item.total;
    for (const [token, amount] of costOf(item, item.total)) {
      model.move(item.creator, item.id, token, amount);
    }
  };

  /** Puts units up for sale or auction. */
  const list = (
    side: ModelUnitListing["side"],
    { id, actor, tkey, place }: { id: string; actor: string; tkey: string; place: number },
    amount: bigint,
    terms: Partial<ModelUnitListing>,
  ): void => {
    const item = itemOf(id);
    const seller = model.all(id, actor) > 0n ? actor : item.creator;
    const units = model.units(id, seller);
    units.balance -= amount;
    units[side === "sell" ? "sale" : "auction"] += amount;
    model.put({
      ...BLANK,
      dexid: `DEX402_${hash("DEX402", actor, tkey, place).slice(0, 33)}`,
      mrc402: id,
      side,
      seller,
      agent: seller === actor ? "" : actor,
      amount: String(amount),
      remain_amount: String(amount),
      sell_fee: canonical(item.texts["sell_fee"]),
      regdate: model.time,
      job_type: side === "sell" ? "mrc402_sell" : "mrc402_auction",
      ...terms,
    });
  };

  /** Pays what a sale or auction has brought. Source: mrc402 §2.6. */
  const feesOf = (
    listing: ModelUnitListing,
    price: bigint,
  ): readonly (readonly [string, bigint])[] => {
    const item = itemOf(listing.mrc402);
    const owner = model.ownerOfProject(item);
    return [
      [owner, owner === "" ? 0n : part(price, listing.sell_fee)],
      [item.creator, part(price, item.creatorcommission)],
      [
        listing.platform_address,
        listing.platform_address === "" ? 0n : part(price, listing.platform_commission),
      ],
      ...item.shareholders.map(([address, rate]) => [address, part(price, rate)] as const),
    ];
  };
  const distribute = (listing: ModelUnitListing, from: string, price: bigint): void => {
    const item = itemOf(listing.mrc402);
    let left = price;
    for (const [payee, fee] of feesOf(listing, price)) {
      model.move(from, payee, listing.sell_token, fee);
      left -= fee;
    }
    assert(left >= 0n);
    model.move(from, listing.seller, listing.sell_token, left);
    item.hasMoved = true;
    const type = listing.side === "sell" ? "Sell" : "Auction";
    item.trade = { date: model.time, amount: String(price), token: listing.sell_token, type };
  };

  const settle = (listing: ModelUnitListing, job_type: string): void => {
    const { dexid, mrc402, seller, amount, auction_current_bidder: winner } = listing;
    const count = BigInt(amount);
    model.units(mrc402, seller).auction -= count;
    const closed = { auction_settle_date: model.time, job_type };
    if (winner === "") {
      model.units(mrc402, seller).balance += count;
      model.put(listing, { ...closed, state: "failed" });
      return;
    }
    model.units(mrc402, winner).balance += count;
    distribute(listing, dexid, BigInt(listing.auction_current_price));
    const sold = { state: "sold", buyer: winner, remain_amount: "0" } as const;
    model.put(listing, { ...closed, ...sold, sell_date: model.time });
  };

  const notOpen = (listing: ModelUnitListing, side: ModelUnitListing["side"]): Code =>
    when(listing.side !== side, "7103") ??
    when(listing.state === "cancelled", "7101") ??
    when(listing.state !== "open", "7102");

  const theOnly = (all: readonly ModelUnitListing[]): ModelUnitListing | string => {
    const [only] = all;
    return only === undefined ? "7106" : all.length > 1 ? "7107" : only;
  };

  /** The listing that a buyer's id means. Source: mrc402 §2.7. */
  const meant = (
    id: string,
    taker: string,
    side: ModelUnitListing["side"],
  ): ModelUnitListing | string => {
    if (isListing(id)) {
      const listing = listings.get(id) as ModelUnitListing;
      return listing.seller === taker ? "3004" : (notOpen(listing, side) ?? listing);
    }
    const open = model.open(id, side);
    const others = open.filter(({ seller }) => seller !== taker);
    return others.length === 0 && open.length > 0 ? "3004" : theOnly(others);
  };

  const inProject = (values: Fields): boolean => "itemdata" in values;
  const elementsOf = (values: Fields): readonly Fields[] => parsed(values, "itemdata", []);
  const numberOf = (element: Fields): string =>
    text(element, "item_id") || text(element, "id").slice(-40);

  const newItemForm = (fields: Fields): Code => {
    const item = newItem(fields);
    return (
      when(item.total < 1n || item.total > MOST_UNITS, "1101") ??
      attributesForm(item.attributes) ??
      when(text(fields, "to") !== "" && text(fields, "sell_price") !== "", "3005") ??
      when(
        item.texts["frozen"] !== "0" &&
          (item.texts["item_url"] === "" || item.texts["item_image_url"] === ""),
        "3005",
      ) ??
      when(exceeds(item, item.texts["sell_fee"] ?? "0", item), "3005")
    );
  };

  const windowOf = (entry: Fields): ListingTimes => {
    const [start, end] = [text(entry, "sell_start", "0"), text(entry, "sell_end", "0")].map(Number);
    return { ...(start && { sell_start: start }), ...(end && { sell_end: end }) };
  };
  const saleRefused = (entry: Fields): Code => {
    const { sell_start = 0, sell_end = 0 } = windowOf(entry);
    return windowRefused(sell_start, sell_end, model.time);
  };

  const createRule: ModelRule = {
    actor: "creator",
    form: (values) =>
      inProject(values)
        ? (first(elementsOf(values), newItemForm) ??
          when(twice(elementsOf(values).map(numberOf).filter(Boolean)), "3004"))
        : newItemForm(values),
    existence(values) {
      const news = (inProject(values) ? elementsOf(values) : [values]).map(newItem);
      const project = projects.get(text(values, "mrc400id"));
      const sales = elementsOf(values).filter((element) => text(element, "sell_price") !== "");
      return (
        when(inProject(values) && project === undefined, "6004") ??
        known(text(values, "creator"), text(values, "to")) ??
        first(elementsOf(values), (element) => known(text(element, "to"))) ??
        first(news, (one) =>
          known(...one.shareholders.map(([address]) => address), one.platform_address),
        ) ??
        first(news, (one) => tokens(...one.reserve.keys(), one.allow_token)) ??
        first(sales, (one) => tokens(text(one, "sell_token", "0"))) ??
        first(news, ({ face }) => tokens(face.token)) ??
        first(sales, (one) => {
          const allowed = String(project?.allow_token);
          const asked = text(one, "sell_token", "0");
          const face = newItem(one).face.token;
          return when(allowed !== "0" && !["0", allowed, face].includes(asked), "3005");
        })
      );
    },
    apply(values, actor) {
      const tkey = text(values, "tkey");
      const mrc400 = text(values, "mrc400id");
      const elements = inProject(values) ? elementsOf(values) : [values];
      const project = projects.get(mrc400);
      const news = elements.map((element, place): ModelUnitItem => {
        const number = numberOf(element) || hash("MRC402", mrc400, tkey, place).slice(0, 40);
        const id = inProject(values)
          ? `${mrc400}_${number}`
          : `MRC402_${hash("MRC402", actor, tkey).slice(0, 33)}`;
        const policyNumber = project?.policy_number ?? 0;
        return { ...newItem(element), id, mrc400, creator: actor, policyNumber };
      });
      const role = project?.owner === actor ? "owner" : project?.partner[actor];
      const hasSale = (element: Fields): boolean => text(element, "sell_price") !== "";
      const mayCreate = (element: Fields): boolean =>
        role === "owner" ||
        (!(text(element, "to") !== "" && text(element, "transferable") !== "Bound") &&
          text(element, "metadatahash") === "" &&
          text(element, "frozen", "0") === "0" &&
          (role === "partner" || role === (hasSale(element) ? "seller" : "creator")));
      const costs = new Map<string, bigint>();
      for (const item of news) {
        for (const [token, amount] of costOf(item, item.total)) {
          costs.set(token, (costs.get(token) ?? 0n) + amount);
        }
      }
      const refused =
        when(inProject(values) && !elements.every(mayCreate), "7002") ??
        first(news, ({ id }) => when(items.has(id), "7111")) ??
        first(news, (item, place) =>
          when(isBound(item) && hasSale(elements[place] as Fields), "7109"),
        ) ??
        first(news, ({ policyNumber, face }) =>
          when(
            base.policies.numbered(mrc400, policyNumber).maxprice !== undefined &&
              face.price === "0",
            "3005",
          ),
        ) ??
        first(news, (item, place) => {
          const element = elements[place] as Fields;
          return hasSale(element)
            ? model.forbidden(item, {
                ...{ way: "sale", from: actor, to: "", more: 0n, at: model.time },
                prices: [BigInt(text(element, "sell_price"))],
                token: text(element, "sell_token", "0"),
              })
            : undefined;
        }) ??
        first(elements, (element) => (hasSale(element) ? saleRefused(element) : undefined)) ??
        unaffordable(actor, costs);
      if (refused !== undefined) {
        return refused;
      }
      for (const [place, item] of news.entries()) {
        const element = elements[place] as Fields;
        create(item, text(element, "to", actor));
        if (inProject(values) && hasSale(element)) {
          list("sell", { id: item.id, actor, tkey, place }, item.total, {
            ...platformOf(element),
            sell_price: text(element, "sell_price"),
            sell_token: text(element, "sell_token", "0"),
            ...windowOf(element),
          });
        }
      }
      return undefined;
    },
  };

  const transfer: ModelRule = {
    actor: "fromAddr",
    form: (values) =>
      when(text(values, "amount") === "0", "1206") ??
      when(text(values, "fromAddr") === text(values, "toAddr"), "3201"),
    existence: (values) =>
      known(text(values, "fromAddr"), text(values, "toAddr")) ??
      when(!items.has(text(values, "mrc402id")), "6004"),
    apply(values, actor) {
      const id = text(values, "mrc402id");
      const item = itemOf(id);
      const count = BigInt(text(values, "amount", "1"));
      const refused =
        when(!hasEnded(item) && model.all(id, actor) === 0n, "7001") ??
        when(hasEnded(item), "7110") ??
        when(isBound(item), "7109") ??
        model.forbidden(item, {
          ...{ way: "transfer", from: actor, to: text(values, "toAddr") },
          ...{ more: count, at: model.time },
        }) ??
        unitsListed(id, actor, count) ??
        unitsMissing(id, actor, count);
      if (refused === undefined) {
        model.units(id, actor).balance -= count;
        model.units(id, text(values, "toAddr")).balance += count;
        item.hasMoved = true;
      }
      return refused;
    },
  };

  const ofItem = {
    actor: "address",
    existence: (values: Fields): Code =>
      when(!items.has(text(values, "mrc402id")), "6004") ??
      known(text(values, "address"), text(values, "to")),
  };

  const mint: ModelRule = {
    ...ofItem,
    form: (values) => when(text(values, "amount") === "0", "1206"),
    apply(values, actor) {
      const item = itemOf(text(values, "mrc402id"));
      const count = BigInt(text(values, "amount"));
      const refused =
        when(item.creator !== actor, "7002") ??
        when(hasEnded(item), "7110") ??
        when(item.total + count > MOST_UNITS, "3005") ??
        unaffordable(actor, costOf(item, count));
      if (refused === undefined) {
        item.total += count;
        model.units(item.id, text(values, "to", actor)).balance += count;
        for (const [token, amount] of costOf(item, count)) {
          model.move(actor, item.id, token, amount);
        }
      }
      return refused;
    },
  };

  const burn: ModelRule = {
    ...mint,
    apply(values, actor) {
      const item = itemOf(text(values, "mrc402id"));
      const count = BigInt(text(values, "amount"));
      const refused =
        when(item.creator !== actor, "7002") ??
        when(hasEnded(item), "7110") ??
        unitsListed(item.id, actor, count) ??
        unitsMissing(item.id, actor, count);
      if (refused === undefined) {
        item.total -= count;
        item.burned += count;
        model.units(item.id, actor).balance -= count;
        for (const [token, amount] of costOf(item, count)) {
          model.move(item.id, actor, token, amount);
        }
      }
      return refused;
    },
  };

  const melt: ModelRule = {
    ...ofItem,
    form: (values) => when(text(values, "amount") === "0", "1106"),
    apply(values, actor) {
      const item = itemOf(text(values, "mrc402id"));
      const count = BigInt(text(values, "amount", "1"));
      const refused =
        when(!hasEnded(item) && model.all(item.id, actor) === 0n, "7001") ??
        when(hasEnded(item), "7110") ??
        unitsListed(item.id, actor, count) ??
        when(model.time < item.expiredate, "7204") ??
        unitsMissing(item.id, actor, count);
      if (refused === undefined) {
        item.melted += count;
        model.units(item.id, actor).balance -= count;
        item.meltDate = hasEnded(item) ? model.time : 0;
        const owner = model.ownerOfProject(item);
        for (const [token, amount] of costOf(item, count)) {
          const fee = owner === "" ? 0n : part(amount, item.texts["melt_fee"] ?? "0");
          model.move(item.id, owner, token, fee);
          model.move(item.id, actor, token, amount - fee);
        }
      }
      return refused;
    },
  };

  const update: ModelRule = {
    ...ofItem,
    form: (values) => attributesForm(parsed(values, "attributes", {})),
    apply(values, actor) {
      const item = itemOf(text(values, "mrc402id"));
      const attributes =
        text(values, "attributes") === ""
          ? item.attributes
          : sortedAttributes(parsed(values, "attributes", {}));
      const isSame = JSON.stringify(attributes) === JSON.stringify(item.attributes);
      const country = "copyright_registration_country";
      const change = Object.fromEntries(
        OF_THE_CREATOR.map((name) => [name, text(values, name, item.texts[name])]),
      );
      const refused =
        when(item.creator !== actor, "7002") ??
        when(text(values, country) !== "" && item.texts[country] !== "", "3005") ??
        when(text(values, "attributes") !== "" && item.mrc400 !== "", "3005") ??
        when(isSame && OF_THE_CREATOR.every((name) => change[name] === item.texts[name]), "4900");
      if (refused === undefined) {
        item.attributes = attributes;
        item.texts = { ...item.texts, ...change };
      }
      return refused;
    },
  };

  const itemUpdate: ModelRule = {
    actor: "owner",
    form: (values) =>
      first(elementsOf(values), (element) => attributesForm(parsed(element, "attributes", {}))) ??
      when(twice(elementsOf(values).map(numberOf)), "3004"),
    existence(values) {
      const project = text(values, "mrc400id");
      return (
        when(!projects.has(project), "6004") ??
        first(elementsOf(values), (one) =>
          when(!items.has(`${project}_${numberOf(one)}`), "6004"),
        ) ??
        known(text(values, "owner"))
      );
    },
    apply(values, actor) {
      const mrc400 = text(values, "mrc400id");
      const project = projects.get(mrc400);
      const changes = elementsOf(values).map((element) => {
        const item = itemOf(`${mrc400}_${numberOf(element)}`);
        const after: Record<string, string> = { ...item.texts };
        for (const name of [...DESCRIBING, ...TERMS]) {
          const isCleared = element[name] === "" && CLEARED.includes(name);
          after[name] = isCleared ? "" : text(element, name, item.texts[name]);
        }
        const changed = [...DESCRIBING, ...TERMS].filter((name) =>
          name.endsWith("_fee")
            ? canonical(after[name]) !== canonical(item.texts[name])
            : after[name] !== item.texts[name],
        );
        const attributes =
          element["attributes"] === undefined
            ? item.attributes
            : sortedAttributes(parsed(element, "attributes", {}));
        const isOther = JSON.stringify(attributes) !== JSON.stringify(item.attributes);
        const all = isOther ? [...changed, "attributes"] : changed;
        return { item, after, attributes, changed: all };
      });
      const role = project?.partner[actor];
      const refused =
        first(changes, ({ item, changed }) => {
          const mayDescribe = (role === "partner" || role === "creator") && item.creator === actor;
          const mayAll = project?.owner === actor;
          const changesTerms = changed.some((name) => TERMS.includes(name));
          return when(!mayAll && (!mayDescribe || changesTerms), "7002");
        }) ??
        first(changes, ({ item }) => when(hasEnded(item), "7110")) ??
        first(changes, ({ item, after, attributes }) => {
          const before = metadataOf(item.attributes, item.texts);
          return refusedByFreezing(before, metadataOf(attributes, after), model.time);
        }) ??
        first(changes, ({ item, changed }) =>
          when(
            changed.includes("transferable") && item.texts["transferable"] !== "Temporary",
            "3005",
          ),
        ) ??
        first(changes, ({ item, after }) => {
          const isHigher = (name: string): boolean =>
            Number(after[name]) > Number(item.texts[name]);
          const binds = after["transferable"] === "Bound" && item.texts["transferable"] !== "Bound";
          const { terms } = base.policies.numbered(mrc400, item.policyNumber);
          const isRefused = isHigher("sell_fee") || isHigher("melt_fee") || binds;
          return when(terms === "fixed" && isRefused, "7121");
        }) ??
        first(changes, ({ item, after }) =>
          when(exceeds(item, after["sell_fee"] ?? "0", item), "3005"),
        ) ??
        when(
          changes.every(({ changed }) => changed.length === 0),
          "4900",
        );
      if (refused === undefined) {
        for (const { item, after, attributes } of changes) {
          item.attributes = attributes;
          item.texts = after;
        }
      }
      return refused;
    },
  };

  /** An element of `itemdata`, or what the quantity form says, under the names of `itemdata`. */
  const entriesOf = (values: Fields): readonly Fields[] =>
    inProject(values)
      ? elementsOf(values)
      : [
          {
            ...values,
            start: values["auction_start_price"],
            bidding: values["auction_bidding_unit"],
            buynow: values["auction_buynow_price"],
          },
        ];
  const countOf = (entry: Fields): bigint => BigInt(text(entry, "amount", "1"));
  const platformFor = (entry: Fields): ModelPlatform =>
    PLATFORM.some((name) => text(entry, name) !== "")
      ? platformOf(entry)
      : platformIn(itemOf(text(entry, "id")));

  const listRule = (side: ModelUnitListing["side"]): ModelRule => {
    /** Begin and end of an auction, or undefined if they are out of bounds. Source: mrc402 §14. */
    const datesOf = (values: Fields, entry: Fields): readonly [number, number] | undefined => {
      const { time } = model;
      if (inProject(values)) {
        const end = Number(text(entry, "end", "0")) || time + AUCTION_MIN;
        return [time, Math.min(Math.max(end, time + AUCTION_MIN), time + AUCTION_MAX)];
      }
      const start = Number(text(entry, "auction_start_date", "0")) || time;
      const end = Number(text(entry, "auction_end_date", "0")) || start + 86_400;
      const isGood =
        start >= time &&
        start <= time + AUCTION_MAX &&
        end >= start + AUCTION_MIN &&
        end <= start + AUCTION_MAX;
      return isGood ? [start, end] : undefined;
    };
    const datesRefused = (values: Fields, entry: Fields): Code =>
      side === "sell" ? saleRefused(entry) : when(datesOf(values, entry) === undefined, "1102");
    /** What the policy is asked about a listing. */
    const changeOf = (
      values: Fields,
      entry: Fields,
      from: string,
    ): Parameters<UnitModel["forbidden"]>[1] => {
      const price = (name: string): bigint => BigInt(text(entry, name, "0"));
      const asked = { from, to: "", more: 0n, token: text(entry, "token") };
      const [, end = 0] = side === "auction" ? (datesOf(values, entry) ?? []) : [];
      return side === "sell"
        ? { ...asked, way: "sale", at: model.time, prices: [price("price")] }
        : {
            ...{ ...asked, way: "auction", at: end, units: countOf(entry) },
            prices: [price("start"), price("buynow")],
          };
    };
    /** Until when bids move the end. Source: mrc401 §14, policies §6. */
    const softCloseOf = (
      entry: Fields,
      seller: string,
      start: number,
      end: number,
    ): ListingTimes => {
      const extend = Number(text(entry, "extend", "0"));
      const item = itemOf(text(entry, "id"));
      const { closes = 0 } = base.policies.numbered(item.mrc400, item.policyNumber);
      const isFree = closes === 0 || model.issuersOf(item).includes(seller);
      const latest = Math.min(start + AUCTION_MAX, end + 86_400);
      return extend === 0
        ? {}
        : {
            auction_extend: extend,
            auction_latest_end: isFree ? latest : Math.min(latest, closes),
          };
    };
    return {
      actor: "seller",
      form: (values) =>
        when(twice(entriesOf(values).map((entry) => text(entry, "id"))), "3004") ??
        first(
          entriesOf(values),
          (entry) =>
            when(text(entry, "amount") === "0", side === "sell" ? "1107" : "1108") ??
            when(
              text(entry, "buynow", "0") !== "0" &&
                BigInt(text(entry, "buynow")) <= BigInt(text(entry, "start")),
              "3005",
            ),
        ),
      existence(values) {
        const entries = entriesOf(values);
        const path = inProject(values) ? text(values, "id") : "";
        return (
          first(entries, (entry) => when(!items.has(text(entry, "id")), "6004")) ??
          known(text(values, "seller")) ??
          first(entries, (entry) => known(text(entry, "platform_address"))) ??
          first(entries, (entry) => tokens(text(entry, "token"))) ??
          first(entries, (entry) => {
            const item = itemOf(text(entry, "id"));
            const allowed = model.allowed(item);
            return (
              when(path !== "" && path !== item.id && path !== item.mrc400, "3005") ??
              when(
                allowed !== "0" && !["0", allowed, item.face.token].includes(text(entry, "token")),
                "3005",
              ) ??
              when(exceeds(item, item.texts["sell_fee"] ?? "0", platformFor(entry)), "3005")
            );
          })
        );
      },
      apply(values, actor) {
        const entries = entriesOf(values);
        const sellerOf = (entry: Fields): string =>
          model.all(text(entry, "id"), actor) > 0n ? actor : itemOf(text(entry, "id")).creator;
        const refused =
          first(entries, (entry) => {
            const item = itemOf(text(entry, "id"));
            const may = model.all(item.id, actor) > 0n || model.isAgent(item, actor);
            return when(!hasEnded(item) && !may, "7001");
          }) ??
          first(entries, (entry) => {
            const item = itemOf(text(entry, "id"));
            return (
              when(hasEnded(item), "7110") ??
              when(isBound(item), "7109") ??
              (datesRefused(values, entry) === undefined
                ? model.forbidden(item, changeOf(values, entry, sellerOf(entry)))
                : undefined) ??
              unitsListed(item.id, sellerOf(entry), countOf(entry))
            );
          }) ??
          first(entries, (entry) => datesRefused(values, entry)) ??
          first(entries, (entry) =>
            unitsMissing(text(entry, "id"), sellerOf(entry), countOf(entry)),
          );
        if (refused !== undefined) {
          return refused;
        }
        for (const [place, entry] of entries.entries()) {
          const id = text(entry, "id");
          const [start, end] = datesOf(values, entry) ?? [0, 0];
          const ofSide =
            side === "sell"
              ? { sell_price: text(entry, "price"), ...windowOf(entry) }
              : {
                  auction_start_price: text(entry, "start"),
                  auction_bidding_unit: text(entry, "bidding", "1"),
                  auction_buynow_price: text(entry, "buynow", "0"),
                  auction_start_date: start,
                  auction_end_date: end,
                  ...softCloseOf(entry, sellerOf(entry), start, end),
                };
          list(side, { id, actor, tkey: text(values, "tkey"), place }, countOf(entry), {
            ...platformFor(entry),
            ...ofSide,
            sell_token: text(entry, "token"),
          });
        }
        return undefined;
      },
    };
  };

  const cancelRule = (side: ModelUnitListing["side"]): ModelRule => {
    const idsOf = (values: Fields): readonly string[] =>
      inProject(values) ? parsed(values, "itemdata", []) : [text(values, "id")];
    const mayCancel = (id: string, actor: string): boolean => {
      const item = itemOf(id);
      const listing = listings.get(id);
      const isAgent = model.isAgent(item, actor);
      return listing === undefined
        ? model.all(id, actor) > 0n || isAgent
        : listing.seller === actor || (listing.seller === item.creator && isAgent);
    };
    const targetOf = (id: string, actor: string): ModelUnitListing | string => {
      const seller = isListing(id) || model.all(id, actor) > 0n ? actor : itemOf(id).creator;
      const listing = listings.get(id);
      return listing ?? theOnly(model.open(id, side).filter((one) => one.seller === seller));
    };
    return {
      actor: "seller",
      form: (values) => when(twice(idsOf(values)), "3004"),
      existence: (values) =>
        when(!inProject(values) && !isListing(text(values, "id")), "6004") ??
        first(idsOf(values), itemThere) ??
        known(text(values, "seller")),
      apply(values, actor) {
        const ids = idsOf(values);
        const targets = ids.map((id) => targetOf(id, actor));
        const refused =
          first(ids, (id) => when(!mayCancel(id, actor), "7001")) ??
          first(targets, (target) =>
            typeof target === "string"
              ? target
              : (notOpen(target, side) ?? when(target.auction_current_bidder !== "", "7104")),
          ) ??
          when(twice(targets.map((target) => (target as ModelUnitListing).dexid)), "3004");
        if (refused !== undefined) {
          return refused;
        }
        for (const target of targets as ModelUnitListing[]) {
          const count = BigInt(target.remain_amount);
          const units = model.units(target.mrc402, target.seller);
          units[side === "sell" ? "sale" : "auction"] -= count;
          units.balance += count;
          const job_type = side === "sell" ? "mrc402_unsell" : "mrc402_unauction";
          model.put(target, { state: "cancelled", cancel_date: model.time, job_type });
        }
        return undefined;
      },
    };
  };

  const ofListing = {
    actor: "buyer",
    existence: (values: Fields): Code =>
      itemThere(text(values, "id")) ?? known(text(values, "buyer")),
  };

  const buy: ModelRule = {
    ...ofListing,
    form: (values) =>
      when(text(values, "amount") === "0", "1107") ??
      when(isListing(text(values, "id")) && text(values, "amount") === "", "1000"),
    apply(values, actor) {
      const listing = meant(text(values, "id"), actor, "sell");
      if (typeof listing === "string") {
        return listing;
      }
      const { mrc402, seller, sell_price, sell_token, remain_amount } = listing;
      const count = BigInt(text(values, "amount", "1"));
      const price = BigInt(sell_price) * count;
      const refused =
        guarded(itemOf(mrc402), values) ??
        when(isBound(itemOf(mrc402)), "7109") ??
        when(text(values, "price", sell_price) !== sell_price, "7112") ??
        when(text(values, "token", sell_token) !== sell_token, "7112") ??
        model.forbidden(itemOf(mrc402), {
          ...{ way: "purchase", from: seller, to: actor, more: count, at: model.time },
          ...{ prices: [BigInt(sell_price)], token: sell_token },
        }) ??
        outsideWindow({ sell_start: 0, sell_end: 0, ...listing }, model.time) ??
        when(count > BigInt(remain_amount), "3004") ??
        unaffordable(actor, new Map([[sell_token, price]]));
      if (refused === undefined) {
        model.units(mrc402, seller).sale -= count;
        model.units(mrc402, actor).balance += count;
        distribute(listing, actor, price);
        const left = BigInt(remain_amount) - count;
        const bought = { buyer: actor, remain_amount: String(left), job_type: "mrc402_buy" };
        model.put(listing, {
          ...bought,
          ...(left === 0n && { state: "sold", sell_date: model.time }),
        });
      }
      return refused;
    },
  };

  /** A bid near the end moves it. Source: mrc401 §14. */
  const endAfterBid = (lot: ModelUnitListing): number => {
    const { auction_end_date: end, auction_extend = 0, auction_latest_end = 0 } = lot;
    const moved = Math.min(model.time + auction_extend, auction_latest_end);
    return end - model.time < auction_extend ? Math.max(end, moved) : end;
  };

  const bid: ModelRule = {
    ...ofListing,
    form: (values) => when(text(values, "amount") === "", "1000"),
    apply(values, actor) {
      const listing = meant(text(values, "id"), actor, "auction");
      if (typeof listing === "string") {
        return listing;
      }
      const { dexid, sell_token: token, auction_current_bidder: leader } = listing;
      const [start, unit, buyNow, current] = [
        listing.auction_start_price,
        listing.auction_bidding_unit,
        listing.auction_buynow_price,
        listing.auction_current_price || "0",
      ].map(BigInt) as [bigint, bigint, bigint, bigint];
      const amount = BigInt(text(values, "amount"));
      const isBuyNow = buyNow > 0n && amount === buyNow;
      const isStep = amount >= start && (amount - start) % unit === 0n && amount > current;
      const own = leader === actor ? current : 0n;
      const refused =
        guarded(itemOf(listing.mrc402), values) ??
        when(isBound(itemOf(listing.mrc402)), "7109") ??
        when(leader === actor && !isBuyNow, "7105") ??
        model.forbidden(itemOf(listing.mrc402), {
          ...{ way: "bid", from: listing.seller, to: actor },
          more: leader === actor ? 0n : BigInt(listing.amount),
          at: isBuyNow ? model.time : listing.auction_end_date,
          ...{ prices: [amount], token, units: BigInt(listing.amount) },
        }) ??
        when(model.time < listing.auction_start_date, "7203") ??
        when(model.time >= listing.auction_end_date, "7202") ??
        when(text(values, "token", token) !== token, "3004") ??
        when((buyNow > 0n && amount > buyNow) || (!isBuyNow && !isStep), "3004") ??
        when(money.free(actor, token) + own < amount, "5000");
      if (refused === undefined) {
        model.move(dexid, leader, token, current);
        model.move(actor, dexid, token, amount);
        const led = model.put(listing, {
          auction_current_price: String(amount),
          auction_current_bidder: actor,
          auction_bid_count: listing.auction_bid_count + 1,
          auction_end_date: isBuyNow ? listing.auction_end_date : endAfterBid(listing),
          job_type: "mrc402_auctionbid",
        });
        if (isBuyNow) {
          settle(led, "mrc402_auctionbuynow");
        }
      }
      return refused;
    },
  };

  const finish: ModelRule = {
    actor: "",
    form: () => undefined,
    existence: (values) => itemThere(text(values, "id")),
    apply(values) {
      const id = text(values, "id");
      const open = model.open(id, "auction");
      const [next] = open.sort((x, y) => x.auction_end_date - y.auction_end_date);
      const listing = isListing(id) ? listings.get(id) : next;
      const refused =
        listing === undefined
          ? "7106"
          : (notOpen(listing, "auction") ?? when(model.time < listing.auction_end_date, "7201"));
      if (refused === undefined && listing !== undefined) {
        const isWon = listing.auction_current_bidder !== "";
        settle(listing, isWon ? "mrc402_auctionwinning" : "mrc402_auctionfailure");
      }
      return refused;
    },
  };

  const giveBack = (one: UnitOfferShown, state: "withdrawn" | "ended"): void => {
    model.move(one.offerid, one.buyer, one.token, BigInt(one.held));
    model.offers.set(one.offerid, { ...one, state, held: "0", close_date: model.time });
  };

  const makeOffer: ModelRule = {
    actor: "buyer",
    form: (values) =>
      when(text(values, "buyer") === "", "1000") ?? when(text(values, "amount") === "0", "1107"),
    existence(values) {
      const id = text(values, "id");
      const asked = text(values, "token");
      return (
        when(!items.has(id), "6004") ??
        known(text(values, "buyer")) ??
        tokens(asked) ??
        when(
          model.allowed(itemOf(id)) !== "0" &&
            !["0", model.allowed(itemOf(id)), itemOf(id).face.token].includes(asked),
          "3005",
        )
      );
    },
    apply(values, buyer) {
      const [id, amount, price, token] = ["id", "amount", "price", "token"].map((name) =>
        text(values, name),
      ) as [string, string, string, string];
      const all = BigInt(amount) * BigInt(price);
      const refused =
        when(hasEnded(itemOf(id)), "7110") ??
        when(isBound(itemOf(id)), "7109") ??
        offerEndRefused(text(values, "end"), model.time) ??
        unaffordable(buyer, new Map([[token, all]]));
      if (refused === undefined) {
        const offerid = `OFF402_${hash("OFF402", buyer, text(values, "tkey")).slice(0, 33)}`;
        model.move(buyer, offerid, token, all);
        model.offers.set(offerid, {
          ...{ offerid, buyer, id, price, token, held: String(all) },
          ...guardsIn(values),
          ...{ createdate: model.time, end: Number(text(values, "end")), state: "open" },
          ...{ close_date: 0, amount, remain_amount: amount },
        });
      }
      return refused;
    },
  };

  const accept: ModelRule = {
    actor: "seller",
    form: (values) =>
      when(text(values, "seller") === "", "1000") ?? when(text(values, "amount") === "0", "1107"),
    existence: (values) => offer(text(values, "offerid")) ?? known(text(values, "seller")),
    apply(values, seller) {
      const one = offerAt(text(values, "offerid"));
      const { offerid, buyer, id, price, token } = one;
      const item = itemOf(id);
      const count = BigInt(text(values, "amount"));
      const all = count * BigInt(price);
      const sale: ModelUnitListing = {
        ...{ ...BLANK, ...platformIn(item), mrc402: id, seller, sell_token: token },
        sell_fee: canonical(item.texts["sell_fee"]),
      };
      const rest = feesOf(sale, all).reduce((left, [, fee]) => left - fee, all);
      const refused =
        when(!hasEnded(item) && model.all(id, seller) === 0n, "7001") ??
        closedOfferRefused(one) ??
        when(buyer === seller, "3004") ??
        when(hasEnded(item), "7110") ??
        unitsListed(id, seller, count) ??
        when(rest < BigInt(text(values, "atleast", "0")), "7112") ??
        guarded(item, { ...one }) ??
        when(isBound(item), "7109") ??
        model.forbidden(item, {
          ...{ way: "offer", from: seller, to: buyer, more: count, at: model.time },
          ...{ prices: [BigInt(price)], token },
        }) ??
        when(model.time >= one.end, "7202") ??
        when(count > BigInt(one.remain_amount), "3004") ??
        unitsMissing(id, seller, count);
      if (refused === undefined) {
        model.units(id, seller).balance -= count;
        model.units(id, buyer).balance += count;
        distribute(sale, offerid, all);
        const left = BigInt(one.remain_amount) - count;
        model.offers.set(offerid, {
          ...{ ...one, remain_amount: String(left), held: String(BigInt(one.held) - all) },
          ...(left === 0n && { state: "accepted", close_date: model.time }),
        });
      }
      return refused;
    },
  };

  const withdraw: ModelRule = {
    actor: "buyer",
    form: (values) => when(text(values, "buyer") === "", "1000"),
    existence: (values) => offer(text(values, "offerid")) ?? known(text(values, "buyer")),
    apply(values, actor) {
      const one = offerAt(text(values, "offerid"));
      const refused = when(one.buyer !== actor, "7001") ?? when(one.state !== "open", "7106");
      if (refused === undefined) {
        giveBack(one, "withdrawn");
      }
      return refused;
    },
  };

  const closeOffer: ModelRule = {
    actor: "",
    form: () => undefined,
    existence: (values) => offer(text(values, "offerid")),
    apply(values) {
      const one = offerAt(text(values, "offerid"));
      const refused = when(one.state !== "open", "7106") ?? when(model.time < one.end, "7201");
      if (refused === undefined) {
        giveBack(one, "ended");
      }
      return refused;
    },
  };

  return {
    mrc402create: createRule,
    mrc402transfer: transfer,
    mrc402mint: mint,
    mrc402burn: burn,
    mrc402melt: melt,
    mrc402update: update,
    mrc402itemupdate: itemUpdate,
    mrc402sell: listRule("sell"),
    mrc402unsell: cancelRule("sell"),
    mrc402buy: buy,
    mrc402auction: listRule("auction"),
    mrc402unauction: cancelRule("auction"),
    mrc402bid: bid,
    mrc402auctionfinish: finish,
    mrc402offer: makeOffer,
    mrc402acceptoffer: accept,
    mrc402unoffer: withdraw,
    mrc402offerfinish: closeOffer,
  };
}

function twice(all: readonly string[]): boolean {
  return new Set(all).size < all.length;
}
