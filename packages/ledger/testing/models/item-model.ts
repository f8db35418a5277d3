import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Address } from "@moneta/protocol";
import { type ShownEntry, WatchedEntries } from "../shown/watched-entries.ts";
import type { ProjectShown } from "../trade/creations.ts";
import { type ItemShown, PLAIN_ITEM } from "../trade/item-terms.ts";
import {
  attributesForm,
  closedOfferRefused,
  guardsIn,
  isBounded,
  LATEST,
  type ModelChange,
  type ModelOffer,
  ModelPolicies,
  type ModelPolicy,
  offerEndRefused,
  outsideWindow,
  policyForm,
  policyOf,
  refusedByFreezing,
  refusedByPolicy,
  sortedAttributes,
  windowRefused,
} from "./policy-model.ts";
import { type ModelPayment, type Sent, type TestKey, TokenModel } from "./token-model.ts";

const NO_SALE = {
  ...{ sell_date: 0, sell_price: "0", sell_token: "0", listing_fee: "0" },
  ...{ sell_start: 0, sell_end: 0 },
};
const NO_AUCTION = {
  auction_date: 0,
  auction_end: 0,
  auction_token: "0",
  auction_bidding_unit: "0",
  auction_start_price: "0",
  auction_buynow_price: "0",
  auction_current_price: "0",
  auction_current_bidder: "",
  auction_extend: 0,
  auction_latest_end: 0,
  listing_fee: "0",
};

/** The states of mrc401 §2.3; `open` is an auction without a bid. */
export type Phase = "idle" | "sale" | "open" | "bid" | "melted";

export function phaseOf(item: ItemShown): Phase {
  if (item.owner === "MELTED") {
    return "melted";
  }
  if (item.auction_date > 0) {
    return item.auction_current_bidder === "" ? "open" : "bid";
  }
  return item.sell_date > 0 ? "sale" : "idle";
}

/** Whether an item is on a sale that has ended by itself. Source: mrc401 §2.3. */
export function isEndedSale(item: ItemShown, time: number): boolean {
  return phaseOf(item) === "sale" && item.sell_end > 0 && time >= item.sell_end;
}

/** An offer for an item as its entry is. Source: offers §1. */
export interface ItemOfferShown extends ModelOffer {
  readonly groupid: string;
  readonly mrc401: string;
  readonly seller: string;
}

/** An element of `itemdata`; a key that is undefined is not sent. */
export type Element = Readonly<Record<string, string | number | object | undefined>>;

/** What is taken for a parameter that was left out. */
const DEFAULTS = {
  ...{ address: "", allowtoken: "", amount: "", atleast: "", buyer: "", category: "" },
  ...{ creator: "", data: "", description: "", end: "", from: "", fromAddr: "", groupid: "" },
  ...{ id: "", imageurl: "", itemdata: "", itemimageurl: "", itemurl: "", mrc400id: "" },
  ...{ mrc401id: "", name: "", offerid: "", owner: "", partner: "", policy: "", price: "" },
  ...{ seller: "", socialmedia: "", to: "", tkey: "", toAddr: "", token: "" },
  ...{ unlockdate: "0", url: "" },
};
type Values = Readonly<typeof DEFAULTS>;

/**
 * Projects and items as a bookkeeper would have them, in the form of the wire; the rules follow the
 * text of the spec, check by check. What an item has in escrow lies with its id as a holder of
 * money.
 */
export class ItemModel {
  readonly money: TokenModel = new TokenModel();
  readonly projects: WatchedEntries<ProjectShown> = new WatchedEntries();
  readonly items: WatchedEntries<ItemShown> = new WatchedEntries();
  readonly offers: WatchedEntries<ItemOfferShown> = new WatchedEntries();
  readonly policies: ModelPolicies = new ModelPolicies();
  /** When the `groupid` of an item changed last. */
  readonly grouped: Map<string, number> = new Map();
  /** What the operation that was judged last has moved, if it was a trade or melted something. */
  payments: ModelPayment[] = [];
  /** Projects and items that it has made or changed, in the order of its records I. */
  shown: ShownEntry<ModelEntry>[] = [];
  /** Whether it traded what cannot be traded in a group. Source: policies §4. */
  isAlone = false;
  /** Project owners who are told of what others did for them. Source: mrc401 §1.9. */
  told: string[] = [];
  readonly #usedBy: Map<string, string> = new Map();
  readonly #rules: { readonly [op: string]: ModelRule } = rulesOf(this);

  get time(): number {
    return this.money.time;
  }

  set time(time: number) {
    this.money.time = time;
  }

  /**
   * What the ledger should say to an operation, which it does if that is `done`.
   * Source: conventions §3, §5.3.
   */
  judge(sent: Sent): string {
    const { op, key } = sent;
    this.payments = [];
    this.shown = [];
    this.told = [];
    this.isAlone = false;
    this.projects.begin();
    this.items.begin();
    this.offers.begin();
    if (op.startsWith("token")) {
      return this.money.judge(sent);
    }
    const rule = this.#rules[op];
    assert(rule !== undefined, op);
    const values: Values = { ...DEFAULTS, ...sent.params };
    const meaning = JSON.stringify([op, sent.actor, values]);
    const isRepeat = key !== undefined && this.#usedBy.get(key.text) === meaning;
    if (isRepeat && this.time <= key.expiry + 86_400) {
      return "repeat";
    }
    const named = rule.named(values);
    const refused =
      rule.form(values) ??
      rule.existence(values) ??
      this.#keyFault(key, named) ??
      rule.apply(values, named || (key?.of ?? ""));
    if (refused === undefined && key !== undefined) {
      this.#usedBy.set(key.text, meaning);
    }
    return refused ?? "done";
  }

  #keyFault(key: TestKey | undefined, named: string): string | undefined {
    if (key === undefined) {
      return undefined;
    }
    if (key.of === "" || (named !== "" && key.of !== named) || this.time > key.expiry) {
      return "2020";
    }
    return this.#usedBy.has(key.text) ? "2021" : undefined;
  }

  projectOf({ mrc400 }: ItemShown): ProjectShown {
    return this.projects.get(mrc400) as ProjectShown;
  }

  putProject(project: ProjectShown): void {
    this.projects.set(project.id, project);
    this.show(this.projects.change(project.id));
  }

  put(item: ItemShown, change: Partial<ItemShown> = {}): ItemShown {
    const next = { ...item, ...change };
    const { holder } = this.items.get(item.id) ?? { holder: "" };
    const isPassedOn = next.holder !== holder && next.holder !== "";
    const { cooldown = 0 } = this.policyOf(next);
    const changed = isPassedOn && cooldown > 0 ? { ...next, held_since: this.time } : next;
    this.items.set(changed.id, changed);
    this.show(this.items.change(changed.id));
    return changed;
  }

  putOffer(offer: ItemOfferShown): void {
    this.offers.set(offer.offerid, offer);
    this.show(this.offers.change(offer.offerid));
  }

  /** Times at which something begins or ends. */
  moments(): readonly number[] {
    const ofItems = [...this.items.values()].flatMap((one) => {
      const { cooldown = 0, opens = 0, closes = 0 } = this.policyOf(one);
      const free = one.held_since + cooldown;
      return [one.auction_end, one.sell_start, one.sell_end, one.frozen, free, opens, closes];
    });
    return [...ofItems, ...[...this.offers.values()].map(({ end }) => end)];
  }

  policyOf({ mrc400, policy_number: number }: ItemShown): ModelPolicy {
    return this.policies.numbered(mrc400, number);
  }

  forbidden(
    item: ItemShown,
    change: Omit<ModelChange, "issuers" | "from" | "face" | "held" | "now" | "since">,
  ): Code {
    const policy = this.policyOf(item);
    this.isAlone ||= change.way !== "transfer" && isBounded(policy);
    const alike = [...this.items.values()].filter(
      ({ mrc400, policy_number: number }) =>
        mrc400 === item.mrc400 && number === item.policy_number,
    );
    const holds = alike.filter(({ holder }) => holder === change.to).length;
    const leads = alike.filter((one) => one.auction_current_bidder === change.to).length;
    return refusedByPolicy(policy, {
      ...change,
      issuers: [this.projectOf(item).owner],
      from: item.holder,
      face: { price: item.face_price, token: item.face_token },
      held: BigInt(holds + leads),
      now: this.time,
      since: item.held_since,
    });
  }

  show(entry: ShownEntry<ModelEntry> | undefined): void {
    assert(entry !== undefined);
    this.shown.push(entry);
  }

  pay(type: string, from: string, to: string, token: string, amount: bigint): void {
    this.money.move(from, to, token, amount);
    if (amount > 0n) {
      const moved = { from_addr: from, to_addr: to, amount: String(amount), token };
      this.payments.push({ ...moved, trade_amount: "", trade_id: "", type });
    }
  }
}

type Code = string | undefined;

export type ModelEntry = ProjectShown | ItemShown | ItemOfferShown;

/**
 * The checks of an operation in the order of its section, each the code that refuses or undefined.
 */
interface ModelRule {
  form(values: Values): Code;
  existence(values: Values): Code;
  /** The address that the request names as its actor, `""` if it is known by the key alone. */
  named(values: Values): string;
  /** Permission, state, time and balances, then effects. */
  apply(values: Values, actor: string): Code;
}

function when(isWrong: boolean, code: string): Code {
  return isWrong ? code : undefined;
}

function first<V>(all: Iterable<V>, check: (one: V) => Code): Code {
  for (const one of all) {
    const code = check(one);
    if (code !== undefined) {
      return code;
    }
  }
  return undefined;
}

const MOST = 10n ** 40n;

function isInteger(text: string, least = 0n): boolean {
  return /^(0|[1-9][0-9]*)$/.test(text) && BigInt(text) >= least && BigInt(text) <= MOST;
}

/**
 * 1101 unless one of the keys that are there is an integer string of at least so much; 1101 also
 * for what is no safe integer.
 */
function integers(element: Element, least: bigint, ...keys: readonly string[]): Code {
  return first(keys, (key) =>
    when(has(element, key) && !isInteger(textOf(element, key), least), "1101"),
  );
}

function has(element: Element, key: string): boolean {
  return element[key] !== undefined && element[key] !== "";
}

function textOf(element: Element, key: string, absent = ""): string {
  return has(element, key) ? String(element[key]) : absent;
}

const RATE = /^(0|[1-9][0-9]?)(\.[0-9]{1,4})?$/;

/** The part that a rate is of an amount, rounded down. Source: conventions §6.2. */
function part(amount: bigint, rate: string): bigint {
  const [whole = "", fraction = ""] = rate.split(".");
  return (amount * BigInt(whole + fraction.padEnd(4, "0"))) / 1_000_000n;
}

function canonicalRate(rate: string): string {
  return rate.includes(".") ? rate.replace(/\.?0+$/, "") : rate;
}

function sha256(...parts: readonly (string | number)[]): string {
  return createHash("sha256").update(parts.join("|")).digest("hex");
}

/** 1007 unless JSON text of an array of what `isEntry` takes, 3002 unless 1 to 100 of them. */
function list(text: string, isEntry: (entry: unknown) => boolean): Code {
  const all = parsed(text);
  return Array.isArray(all) && all.every(isEntry)
    ? when(all.length < 1 || all.length > 100, "3002")
    : "1007";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(entry: unknown): boolean {
  return typeof entry === "object" && entry !== null && !Array.isArray(entry);
}

function isText(entry: unknown): boolean {
  return typeof entry === "string";
}

function elementsOf(values: Values): readonly Element[] {
  return JSON.parse(values.itemdata) as readonly Element[];
}

function idsOf(values: Values): readonly string[] {
  return JSON.parse(values.itemdata) as readonly string[];
}

function twice(all: readonly (string | undefined)[]): Code {
  const given = all.filter((one) => one !== undefined);
  return when(new Set(given).size < given.length, "3004");
}

function missing(...values: readonly string[]): Code {
  return when(values.includes(""), "1000");
}

function addresses(...given: readonly string[]): Code {
  return first(given, (one) => when(one !== "" && !/^MT[0-9A-Za-z]{38}$/.test(one), "3190"));
}

const ROLES = ["partner", "seller", "saller", "creator"];
const TRANSFERABLE = ["Permanent", "Bound", "Temporary", "Temprary"];

/** Check 1 of mrc401 §3, of what is there. */
function projectForm(values: Values): Code {
  const { partner, socialmedia } = values;
  const isBad = (text: string, length: number): boolean =>
    text.includes("|") || text.length > length;
  const roles = parsed(partner || "{}");
  const texts = [roles, parsed(socialmedia || "{}")];
  return (
    when(values.allowtoken !== "" && !/^(0|[1-9][0-9]{0,15})$/.test(values.allowtoken), "1101") ??
    policyForm(values.policy) ??
    when(isBad(values.name, 128) || isBad(values.category, 64), "3005") ??
    first(texts, (one) =>
      when(!isObject(one) || !Object.values(one as object).every(isText), "1007"),
    ) ??
    first(
      Object.entries(roles as Record<string, string>),
      ([address, role]) => addresses(address) ?? when(!ROLES.includes(role), "3005"),
    )
  );
}

/** What check 1 of mrc401 §7 and §8 asks of an element, whichever of its keys are there. */
function elementForm(element: Element, mrc400id: string): Code {
  const number = textOf(element, "item_id");
  const id = textOf(element, "id");
  const fees = ["sell_fee", "melt_fee", "melting_fee"];
  const texts = ["item_id", "id", "groupid", "item_url", "transferable", "metadatahash", ...fees];
  const dates = ["frozen", "sell_start", "sell_end"].map((key) => textOf(element, key, "0"));
  const extend = textOf(element, "auction_extend", "0");
  const [price, start, buyNow] = ["sell_price", "auction_start_price", "auction_buynow_price"].map(
    (key) => textOf(element, key, "0"),
  ) as [string, string, string];
  const expire = textOf(element, "expiredate", textOf(element, "melting_date", "0"));
  return (
    when(
      texts.some((key) => has(element, key) && !isText(element[key])),
      "1007",
    ) ??
    when(has(element, "melt_fee") && element["melting_fee"] !== undefined, "1005") ??
    when(number !== "" && !/^[0-9A-Za-z]{40}$/.test(number), "3005") ??
    when(id !== "" && !id.startsWith(`${mrc400id}_`), "3005") ??
    when(textOf(element, "groupid").length > 64, "3005") ??
    first(fees, (key) => when(has(element, key) && !RATE.test(textOf(element, key)), "3005")) ??
    when(!TRANSFERABLE.includes(textOf(element, "transferable", "Bound")), "3005") ??
    integers(element, 0n, "initial_reserve", "initial_token", "sell_price", "sell_token") ??
    integers(element, 0n, "auction_start_price", "auction_token", "auction_buynow_price") ??
    integers(element, 1n, "auction_bidding_unit") ??
    integers(element, 1n, "face_price") ??
    integers(element, 0n, "face_token") ??
    when(!isInteger(extend) || BigInt(extend) > 3600n, "1101") ??
    first([expire, ...dates], (date) => when(!isInteger(date) || BigInt(date) > LATEST, "1102")) ??
    (has(element, "attributes") ? attributesForm(element["attributes"]) : undefined) ??
    when(!/^([0-9a-f]{64})?$/.test(textOf(element, "metadatahash")), "3005") ??
    addresses(textOf(element, "to")) ??
    when(!isInteger(textOf(element, "auction_end", "0")), "1102") ??
    when(price !== "0" && start !== "0", "3005") ??
    when(start !== "0" && buyNow !== "0" && BigInt(buyNow) <= BigInt(start), "3005") ??
    when(has(element, "to") && isListed(element), "3005")
  );
}

/** What check 1 of mrc401 §7 asks of a new item alone. */
function newElementForm(element: Element): Code {
  const hasUrls = has(element, "item_url") && has(element, "item_image_url");
  return when(textOf(element, "frozen", "0") !== "0" && !hasUrls, "3005");
}

/** 3002 if an operation sets more than 800 attributes. Source: mrc401 §19. */
function attributeCount(values: Values): Code {
  const counts = elementsOf(values).map(
    ({ attributes }) => Object.keys((attributes || {}) as object).length,
  );
  return when(counts.reduce((sum, count) => sum + count, 0) > 800, "3002");
}

function numberOf(element: Element): string | undefined {
  return textOf(element, "item_id") || textOf(element, "id").slice(-40) || undefined;
}

function isListed(element: Element): boolean {
  return textOf(element, "sell_price", "0") !== "0" || isAuctioned(element);
}

function isAuctioned(element: Element): boolean {
  return textOf(element, "auction_start_price", "0") !== "0";
}

function auctionTerms(element: Element): Element {
  return {
    auction_start_price: textOf(element, "start"),
    auction_token: textOf(element, "token"),
    auction_bidding_unit: textOf(element, "bidding"),
    auction_buynow_price: textOf(element, "buynow", textOf(element, "bnynow")),
    auction_end: textOf(element, "end"),
    auction_extend: textOf(element, "extend"),
  };
}

/** Whether an item, with these terms, is not what a buyer or bidder accepts. Source: mrc401 §2.6. */
export function otherTerms(
  item: { readonly meltFee: string; readonly sellFee: string; readonly transferable: string },
  values: { readonly [name: string]: unknown },
): Code {
  const isAbove = (rate: string, guard: string): boolean =>
    values[guard] !== undefined && Number(rate) > Number(values[guard]);
  const transferable = values["transferable"] || item.transferable;
  return when(
    isAbove(item.meltFee, "maxmeltfee") ||
      isAbove(item.sellFee, "maxsellfee") ||
      transferable !== item.transferable,
    "7112",
  );
}

function rulesOf(m: ItemModel): { readonly [op: string]: ModelRule } {
  const address = (given: string): Code =>
    when(given !== "" && !m.money.addresses.includes(given as Address), "3090");
  const token = (id: string): Code => when(!m.money.tokens.has(id), "4001");
  const project = (id: string): Code => when(!m.projects.has(id), "6004");
  const item = (id: string): Code => when(!m.items.has(id), "6004");
  const projectAt = (id: string): ProjectShown => m.projects.get(id) as ProjectShown;
  const itemAt = (id: string): ItemShown => m.items.get(id) as ItemShown;
  /** `face` is the token of a face price, which may always be asked for. Source: policies §5. */
  const allowed = ({ allow_token: only }: ProjectShown, id: string, face = "0"): Code =>
    when(only !== 0 && ![face, "0", String(only)].includes(id), "3005");
  const offer = (id: string): Code => when(!m.offers.has(id), "6004");
  const offerAt = (id: string): ItemOfferShown => m.offers.get(id) as ItemOfferShown;

  // The table of mrc401 §2.5, from here.
  const roleOf = ({ partner }: ProjectShown, actor: string): string => partner[actor] ?? "";
  const mayCreate = (one: ProjectShown, actor: string, element: Element): boolean =>
    one.owner === actor ||
    (!(has(element, "to") && element["transferable"] !== "Bound") &&
      !has(element, "metadatahash") &&
      textOf(element, "frozen", "0") === "0" &&
      (roleOf(one, actor) === "partner" ||
        roleOf(one, actor) === (isListed(element) ? "seller" : "creator")));
  const mayDescribe = (one: ItemShown, actor: string): boolean =>
    m.projectOf(one).owner === actor ||
    (one.creator === actor && ["partner", "creator"].includes(roleOf(m.projectOf(one), actor)));
  const mayList = (one: ItemShown, actor: string): boolean =>
    one.holder === actor ||
    (one.owner === "" && ["partner", "seller"].includes(roleOf(m.projectOf(one), actor)));
  const isMelted = (one: ItemShown): boolean => phaseOf(one) === "melted";
  const holderOnly = (one: ItemShown, actor: string): Code =>
    when(!isMelted(one) && one.holder !== actor, "7001");

  /** Checks of the state of what is to be passed on, listed or melted. */
  const unlisted = (one: ItemShown): Code =>
    when(isMelted(one), "7110") ??
    when(phaseOf(one) !== "idle" && !isEndedSale(one, m.time), "7108");
  const guarded = (one: ItemShown, values: Values): Code =>
    otherTerms(
      { meltFee: one.meltint_fee, sellFee: one.sell_fee, transferable: one.transferable },
      values,
    );
  const unbound = (one: ItemShown): Code => when(one.transferable === "Bound", "7109");

  /** On sale or on auction, from the keys that a creation has. Effects of mrc401 §10 and §14. */
  const listing = (
    element: Element,
    sellFee: string,
    closes = Number.MAX_SAFE_INTEGER,
  ): Partial<ItemShown> => {
    if (!isAuctioned(element)) {
      return {
        sell_date: m.time,
        sell_price: textOf(element, "sell_price"),
        sell_token: textOf(element, "sell_token", "0"),
        sell_start: Number(textOf(element, "sell_start", "0")),
        sell_end: Number(textOf(element, "sell_end", "0")),
        listing_fee: sellFee,
      };
    }
    const end = BigInt(textOf(element, "auction_end", "0"));
    const [earliest, latest] = [m.time + 3600, m.time + 1_814_400];
    const auction_end = end < earliest ? earliest : end > latest ? latest : Number(end);
    const extend = Number(textOf(element, "auction_extend", "0"));
    return {
      auction_date: m.time,
      auction_end,
      auction_extend: extend,
      auction_latest_end: extend === 0 ? 0 : Math.min(latest, auction_end + 86_400, closes),
      auction_token: textOf(element, "auction_token", "0"),
      auction_bidding_unit: textOf(element, "auction_bidding_unit", "1"),
      auction_start_price: textOf(element, "auction_start_price"),
      auction_buynow_price: textOf(element, "auction_buynow_price", "0"),
      listing_fee: sellFee,
    };
  };

  /** What a trade or a melting pays out of an item. Source: mrc401 §2.4. */
  const payOut = (
    one: ItemShown,
    [amount, id, rate]: readonly [amount: string, token: string, rate: string],
    [feeType, restType]: readonly [fee: string, rest: string],
    from = one.id,
  ): void => {
    const { owner } = m.projectOf(one);
    const fee = one.holder === owner ? 0n : part(BigInt(amount), rate);
    m.pay(feeType, from, owner, id, fee);
    m.pay(restType, from, one.holder, id, BigInt(amount) - fee);
  };
  const trade = (type: string, to: string, amount: string, id: string): Partial<ItemShown> => ({
    owner: to,
    holder: to,
    last_trade_date: m.time,
    last_trade_amount: amount,
    last_trade_token: id,
    last_trade_type: type,
  });
  const settle = (one: ItemShown): Partial<ItemShown> => {
    const { auction_current_price: price, auction_token: id, auction_current_bidder: to } = one;
    payOut(one, [price, id, one.listing_fee], ["mrc401_recv_fee", "mrc401_recv_auction"]);
    return { ...trade("Auction", to, price, id), ...NO_AUCTION };
  };
  /** Whether the policy of an item lets it be listed with these terms. */
  const listable = (one: ItemShown, element: Element): Code => {
    const [price, start, buyNow] = [
      "sell_price",
      "auction_start_price",
      "auction_buynow_price",
    ].map((key) => BigInt(textOf(element, key, "0"))) as [bigint, bigint, bigint];
    const isSale = !isAuctioned(element);
    const { auction_end: end = 0 } = isSale ? {} : listing(element, "0");
    return m.forbidden(one, {
      ...{ way: isSale ? "sale" : "auction", to: "", more: 0n, at: isSale ? m.time : end },
      prices: isSale ? [price] : [start, buyNow],
      token: textOf(element, isSale ? "sell_token" : "auction_token", "0"),
    });
  };
  const saleWindow = (element: Element): Code =>
    textOf(element, "sell_price", "0") === "0"
      ? undefined
      : windowRefused(
          Number(textOf(element, "sell_start", "0")),
          Number(textOf(element, "sell_end", "0")),
          m.time,
        );
  /** Who is told of what an actor does for the holders of items. Source: mrc401 §1.9. */
  const tell = (actor: string, all: readonly ItemShown[]): void => {
    m.told = [...new Set(all.map(({ holder }) => holder).filter((holder) => holder !== actor))];
  };

  /**
   * Sell, unsell, auction and unauction. `check` is of the state, `change` what becomes of an item.
   */
  const lister = <E>(options: {
    form(values: Values): Code;
    entries(values: Values): readonly E[];
    id(entry: E): string;
    token?(entry: E): string;
    check(one: ItemShown): Code;
    bounds?(one: ItemShown, entry: E): Code;
    window?(entry: E): Code;
    change(entry: E, one: ItemShown): Partial<ItemShown>;
  }): ModelRule => ({
    form: (values) => missing(values.itemdata) ?? addresses(values.seller) ?? options.form(values),
    existence(values) {
      const { mrc400id, seller } = values;
      const entries = options.entries(values);
      const itemOf = (entry: E): ItemShown => itemAt(options.id(entry));
      const tokens = options.token === undefined ? [] : entries;
      const tokenOf = (entry: E): string => options.token?.(entry) ?? "";
      return (
        when(mrc400id !== "" && project(mrc400id) !== undefined, "6004") ??
        first(entries, (entry) => item(options.id(entry))) ??
        first(entries, (entry) =>
          when(mrc400id !== "" && itemOf(entry).mrc400 !== mrc400id, "3005"),
        ) ??
        address(seller) ??
        first(tokens, (entry) => token(tokenOf(entry))) ??
        first(tokens, (entry) =>
          allowed(m.projectOf(itemOf(entry)), tokenOf(entry), itemOf(entry).face_token),
        )
      );
    },
    named: ({ seller }) => seller,
    apply(values, actor) {
      const entries = options.entries(values);
      const items = entries.map((entry) => itemAt(options.id(entry)));
      const refused =
        first(items, (one) => when(!isMelted(one) && !mayList(one, actor), "7001")) ??
        first(items, options.check) ??
        first(entries.entries(), ([index, entry]) =>
          options.bounds?.(items[index] as ItemShown, entry),
        ) ??
        first(entries, (entry) => options.window?.(entry));
      if (refused === undefined) {
        tell(actor, items);
        for (const [index, entry] of entries.entries()) {
          const one = items[index] as ItemShown;
          m.put(one, options.change(entry, one));
        }
      }
      return refused;
    },
  });
  const listingUp = (
    form: (element: Element) => Code,
    terms: (element: Element) => Element,
  ): ModelRule =>
    lister<Element>({
      form: (values) =>
        list(values.itemdata, isObject) ??
        first(
          elementsOf(values),
          (element) =>
            missing(textOf(element, "id"), textOf(element, "token")) ??
            integers(element, 0n, "token") ??
            form(element),
        ) ??
        twice(elementsOf(values).map(({ id }) => String(id))),
      entries: elementsOf,
      id: ({ id }) => String(id),
      token: (element) => textOf(element, "token"),
      check: (one) => unlisted(one) ?? unbound(one),
      bounds: (one, element) => listable(one, terms(element)),
      window: (element) => saleWindow(terms(element)),
      change(element, one) {
        const isOfIssuer = one.holder === m.projectOf(one).owner;
        const { closes = Number.MAX_SAFE_INTEGER } = isOfIssuer ? {} : m.policyOf(one);
        return { ...NO_SALE, ...listing(terms(element), one.sell_fee, closes) };
      },
    });
  const takingOff = (check: (one: ItemShown) => Code, change: Partial<ItemShown>): ModelRule =>
    lister<string>({
      form: (values) => list(values.itemdata, isText) ?? twice(idsOf(values)),
      entries: idsOf,
      id: (id) => id,
      check,
      change: () => change,
    });

  const integersForm = ({ amount, price, token: id }: Values): Code =>
    when(amount !== "" && !isInteger(amount, 1n), "1101") ??
    first([price, id], (text) => when(text !== "" && !isInteger(text), "1101"));

  /** Buy, bid and melt: what one address does to one item. A bid needs an amount. */
  const single = (
    name: "buyer" | "address",
    isBid: boolean,
    act: (one: ItemShown, actor: string, values: Values) => Code,
  ): ModelRule => ({
    form: (values) =>
      missing(values.mrc401id, ...(isBid ? [values.amount] : [])) ??
      (isBid
        ? (integersForm(values) ?? addresses(values.buyer))
        : (addresses(values[name]) ?? integersForm(values))),
    existence: (values) => item(values.mrc401id) ?? address(values[name]),
    named: (values) => values[name],
    apply: (values, actor) => act(itemAt(values.mrc401id), actor, values),
  });
  const affordable = (actor: string, id: string, amount: bigint, own = 0n): Code =>
    when(m.money.free(actor, id) + own < amount, "5000");

  const ofOffer = {
    form: (values: Values): Code =>
      missing(values.offerid, values.buyer) ?? addresses(values.buyer),
    existence: (values: Values): Code => offer(values.offerid) ?? address(values.buyer),
    named: (values: Values): string => values.buyer,
  };
  const giveBack = (one: ItemOfferShown, state: "withdrawn" | "ended"): void => {
    m.money.move(one.offerid, one.buyer, one.token, BigInt(one.held));
    m.putOffer({ ...one, state, held: "0", close_date: m.time });
  };
  /** Whether an item was there before an offer for its project or group. Source: offers §3. */
  const isMeant = ({ id, groupid, createdate }: ItemOfferShown, one: ItemShown): boolean => {
    const isOfGroup = groupid === "" || groupid === one.groupid;
    const groupedAt = groupid === "" ? 0 : (m.grouped.get(one.id) ?? 0);
    return (
      id === one.id ||
      (id === one.mrc400 && isOfGroup && Math.max(one.createdate, groupedAt) < createdate)
    );
  };

  const pricesOf = (element: Element): string[] => [
    ...(textOf(element, "sell_price", "0") === "0" ? [] : [textOf(element, "sell_token", "0")]),
    ...(isAuctioned(element) ? [textOf(element, "auction_token", "0")] : []),
  ];
  const faceOf = (element: Element): string =>
    has(element, "face_price") ? textOf(element, "face_token", "0") : "0";
  const tokensOf = (element: Element): string[] => [
    textOf(element, "initial_token", "0"),
    faceOf(element),
    ...pricesOf(element),
  ];
  const transferred = ({ mrc401id, itemdata }: Values): readonly string[] =>
    mrc401id === "" ? (JSON.parse(itemdata) as string[]) : [mrc401id];
  const partners = ({ partner }: Values): readonly string[] =>
    Object.keys(JSON.parse(partner || "{}") as object);
  const policyShown = (
    id: string,
    text: string,
  ): { readonly policy: object; readonly policy_number: number } => {
    const policy = policyOf(text || "{}");
    const number = m.policies.numberOf(id, policy);
    m.policies.note(id, policy);
    return { policy, policy_number: number };
  };
  const rolesOf = (partner: string): Record<string, string> =>
    JSON.parse(partner.replaceAll('"saller"', '"seller"')) as Record<string, string>;

  /** A new item that is not listed. Source: mrc401 §7. */
  const newItem = (one: ProjectShown, creator: string, element: Element, id: string): ItemShown => {
    const meltFee = canonicalRate(textOf(element, "melt_fee", textOf(element, "melting_fee", "0")));
    const transferable = textOf(element, "transferable", "Permanent");
    return {
      ...PLAIN_ITEM,
      id,
      mrc400: one.id,
      owner: textOf(element, "to"),
      holder: textOf(element, "to", one.owner),
      creator,
      item_url: textOf(element, "item_url"),
      item_image_url: textOf(element, "item_image_url"),
      groupid: textOf(element, "groupid"),
      createdate: m.time,
      initial_reserve: textOf(element, "initial_reserve", "0"),
      initial_token: textOf(element, "initial_token", "0"),
      meltint_fee: meltFee,
      melting_fee: meltFee,
      expiredate: Number(textOf(element, "expiredate", textOf(element, "melting_date", "0"))),
      transferable: transferable === "Temprary" ? "Temporary" : transferable,
      sell_fee: canonicalRate(textOf(element, "sell_fee", "0")),
      attributes: has(element, "attributes") ? sortedAttributes(element["attributes"]) : {},
      metadatahash: textOf(element, "metadatahash"),
      frozen: Number(textOf(element, "frozen", "0")),
      policy: one.policy,
      policy_number: one.policy_number,
      face_price: textOf(element, "face_price", "0"),
      face_token: faceOf(element),
    };
  };

  return {
    transfer: {
      form: () => undefined,
      existence: (values) => address(values.from) ?? address(values.to) ?? token(values.token),
      named: ({ from }) => from,
      apply({ from, to, token: id, amount, unlockdate }) {
        if (m.money.free(from, id) < BigInt(amount)) {
          return "5001";
        }
        m.money.move(from, to, id, BigInt(amount), Number(unlockdate));
        return undefined;
      },
    },

    mrc400create: {
      form: (values) =>
        missing(values.owner, values.name, values.url, values.data) ??
        addresses(values.owner) ??
        projectForm(values),
      existence: (values) =>
        address(values.owner) ??
        first(partners(values), address) ??
        (values.allowtoken === "" ? undefined : token(values.allowtoken)),
      named: ({ owner }) => owner,
      apply(values, owner) {
        m.putProject({
          id: `MRC400_${sha256("MRC400", owner, values.tkey).slice(0, 33)}`,
          owner,
          name: values.name,
          url: values.url,
          image_url: values.imageurl,
          allow_token: Number(values.allowtoken || 0),
          category: values.category,
          description: values.description,
          data: values.data,
          item_url: values.itemurl,
          item_image_url: values.itemimageurl,
          socialmedia: JSON.parse(values.socialmedia || "{}") as Record<string, string>,
          partner: rolesOf(values.partner || "{}"),
          createdate: m.time,
          ...policyShown(
            `MRC400_${sha256("MRC400", owner, values.tkey).slice(0, 33)}`,
            values.policy,
          ),
        });
        return undefined;
      },
    },

    mrc400update: {
      form: projectForm,
      existence: (values) =>
        project(values.mrc400id) ??
        first(partners(values), address) ??
        (values.allowtoken === "" ? undefined : token(values.allowtoken)),
      named: ({ mrc400id }) => m.projects.get(mrc400id)?.owner ?? "",
      apply(values) {
        const one = projectAt(values.mrc400id);
        const { socialmedia, partner } = values;
        const changed: ProjectShown = {
          ...one,
          name: values.name || one.name,
          description: values.description || one.description,
          allow_token: Number(values.allowtoken || one.allow_token),
          socialmedia: socialmedia === "" ? one.socialmedia : JSON.parse(socialmedia),
          partner: partner === "" ? one.partner : rolesOf(partner),
        };
        if (changed.allow_token !== one.allow_token && m.policies.hasFixedTerms(one.id)) {
          return "7121";
        }
        if (values.policy !== "") {
          Object.assign(changed, policyShown(one.id, values.policy));
        }
        const sorted = (whole: ProjectShown): string =>
          JSON.stringify([whole, Object.entries(whole.partner).sort()], (name, value) =>
            name === "partner" ? "" : value,
          );
        if (sorted(changed) === sorted(one)) {
          return "4900";
        }
        m.putProject(changed);
        return undefined;
      },
    },

    mrc401create: {
      form(values) {
        const refused =
          missing(values.mrc400id, values.itemdata) ??
          addresses(values.creator) ??
          list(values.itemdata, isObject) ??
          first(
            elementsOf(values),
            (element) => elementForm(element, values.mrc400id) ?? newElementForm(element),
          ) ??
          twice(elementsOf(values).map(numberOf));
        if (refused !== undefined) {
          return refused;
        }
        return (
          when(
            [...sums(elementsOf(values)).values()].some((sum) => sum > MOST),
            "1101",
          ) ?? attributeCount(values)
        );
      },
      existence(values) {
        const elements = elementsOf(values);
        const one = projectAt(values.mrc400id);
        return (
          project(values.mrc400id) ??
          twice(newIds(values)) ??
          address(values.creator) ??
          first(elements, (element) => address(textOf(element, "to"))) ??
          first(elements.flatMap(tokensOf), token) ??
          first(elements, (element) => allowed(one, textOf(element, "initial_token", "0"))) ??
          first(elements, (element) =>
            first(pricesOf(element), (id) => allowed(one, id, faceOf(element))),
          )
        );
      },
      named: ({ creator }) => creator,
      apply(values, creator) {
        const one = projectAt(values.mrc400id);
        const elements = elementsOf(values);
        const ids = newIds(values);
        const refused =
          first(elements, (element) => when(!mayCreate(one, creator, element), "7002")) ??
          first(ids, (id) => when(m.items.has(id), "7111")) ??
          first(elements, (element) =>
            when(isListed(element) && element["transferable"] === "Bound", "7109"),
          ) ??
          first(elements, (element) =>
            when(
              m.policies.numbered(one.id, one.policy_number).maxprice !== undefined &&
                !has(element, "face_price"),
              "3005",
            ),
          ) ??
          first(elements.entries(), ([index, element]) =>
            isListed(element)
              ? listable(newItem(one, creator, element, ids[index] as string), element)
              : undefined,
          ) ??
          first(elements, saleWindow) ??
          first(sums(elements), ([id, sum]) => affordable(creator, id, sum));
        if (refused !== undefined) {
          return refused;
        }
        for (const [index, element] of elements.entries()) {
          const id = ids[index] as string;
          const plain = newItem(one, creator, element, id);
          const { initial_reserve: reserve, initial_token } = plain;
          m.money.move(creator, id, initial_token, BigInt(reserve));
          const created = m.put(
            plain,
            isListed(element) ? listing(element, plain.sell_fee) : undefined,
          );
          if (isListed(element)) {
            m.show(m.items.change(created.id));
          }
        }
        m.told = creator === one.owner ? [] : [one.owner];
        return undefined;
      },
    },

    mrc401update: {
      form: (values) =>
        missing(values.mrc400id, values.itemdata) ??
        addresses(values.creator) ??
        list(values.itemdata, isObject) ??
        first(
          elementsOf(values),
          (element) =>
            when(numberOf(element) === undefined, "1000") ?? elementForm(element, values.mrc400id),
        ) ??
        twice(elementsOf(values).map(numberOf)) ??
        attributeCount(values),
      existence: (values) =>
        project(values.mrc400id) ??
        first(elementsOf(values), (element) => item(`${values.mrc400id}_${numberOf(element)}`)) ??
        address(values.creator),
      named: ({ creator }) => creator,
      apply(values, actor) {
        const owner = projectAt(values.mrc400id).owner;
        const changes = elementsOf(values).map((element) => {
          const one = itemAt(`${values.mrc400id}_${numberOf(element)}`);
          const meltFee = canonicalRate(textOf(element, "melt_fee", one.meltint_fee));
          const transferable = textOf(element, "transferable", one.transferable);
          const changed: ItemShown = {
            ...one,
            item_url: String(element["item_url"] ?? one.item_url),
            item_image_url: String(element["item_image_url"] ?? one.item_image_url),
            attributes: has(element, "attributes")
              ? sortedAttributes(element["attributes"])
              : one.attributes,
            metadatahash: String(element["metadatahash"] ?? one.metadatahash),
            frozen: Number(textOf(element, "frozen", String(one.frozen))),
            groupid: String(element["groupid"] ?? one.groupid),
            sell_fee: canonicalRate(textOf(element, "sell_fee", one.sell_fee)),
            meltint_fee: meltFee,
            melting_fee: meltFee,
            transferable: transferable === "Temprary" ? "Temporary" : transferable,
          };
          const { sell_fee, meltint_fee, transferable: kind } = one;
          const isOfTerms =
            changed.sell_fee !== sell_fee ||
            meltFee !== meltint_fee ||
            changed.metadatahash !== one.metadatahash ||
            changed.frozen !== one.frozen ||
            changed.transferable !== kind;
          return { one, changed, isOfTerms };
        });
        const refused =
          first(changes, ({ one, isOfTerms }) =>
            when(!mayDescribe(one, actor) || (isOfTerms && actor !== owner), "7002"),
          ) ??
          first(changes, ({ one }) => when(isMelted(one), "7110")) ??
          first(changes, ({ one, changed }) => refusedByFreezing(one, changed, m.time)) ??
          first(changes, ({ one, changed }) =>
            when(
              one.transferable !== "Temporary" && changed.transferable !== one.transferable,
              "3005",
            ),
          ) ??
          first(changes, ({ one, changed }) =>
            when(
              m.policyOf(one).terms === "fixed" &&
                (Number(changed.sell_fee) > Number(one.sell_fee) ||
                  Number(changed.meltint_fee) > Number(one.meltint_fee) ||
                  (changed.transferable === "Bound" && one.transferable !== "Bound")),
              "7121",
            ),
          ) ??
          when(
            changes.every(({ one, changed }) => JSON.stringify(one) === JSON.stringify(changed)),
            "4900",
          );
        if (refused === undefined) {
          for (const { one, changed } of changes) {
            if (changed.groupid !== one.groupid) {
              m.grouped.set(one.id, m.time);
            }
            m.put(changed);
          }
        }
        return refused;
      },
    },

    mrc401transfer: {
      form: (values) =>
        when(values.mrc401id !== "" && values.itemdata !== "", "1005") ??
        missing(values.mrc401id + values.itemdata, values.fromAddr, values.toAddr) ??
        (values.itemdata === ""
          ? undefined
          : (list(values.itemdata, isText) ?? twice(idsOf(values)))) ??
        addresses(values.fromAddr, values.toAddr) ??
        when(values.fromAddr === values.toAddr, "3201"),
      existence(values) {
        const ids = transferred(values);
        const ofOne = (): boolean => new Set(ids.map((id) => itemAt(id).mrc400)).size === 1;
        return (
          first(ids, item) ??
          when(!ofOne(), "3005") ??
          address(values.fromAddr) ??
          address(values.toAddr)
        );
      },
      named: ({ fromAddr }) => fromAddr,
      apply(values, from) {
        const items = transferred(values).map(itemAt);
        const refused =
          first(items, (one) => holderOnly(one, from)) ??
          first(items, (one) => unlisted(one) ?? unbound(one)) ??
          first(items.entries(), ([index, one]) => {
            const before = items.slice(0, index + 1);
            const { length } = before.filter((other) => other.policy_number === one.policy_number);
            const [to, at] = [values.toAddr, m.time];
            return m.forbidden(one, { way: "transfer", to, more: BigInt(length), at });
          });
        if (refused === undefined) {
          for (const one of items) {
            m.put(one, { ...NO_SALE, owner: values.toAddr, holder: values.toAddr });
          }
        }
        return refused;
      },
    },

    mrc401sell: listingUp(
      (element) =>
        when(has(element, "amount") && has(element, "price"), "1005") ??
        missing(textOf(element, "price", textOf(element, "amount"))) ??
        integers(element, 1n, "price", "amount") ??
        elementForm({ sell_start: element["sell_start"], sell_end: element["sell_end"] }, ""),
      (element) => ({
        sell_price: textOf(element, "price", textOf(element, "amount")),
        sell_token: textOf(element, "token"),
        sell_start: textOf(element, "sell_start"),
        sell_end: textOf(element, "sell_end"),
      }),
    ),
    mrc401auction: listingUp(
      (element) =>
        missing(textOf(element, "start")) ??
        integers(element, 1n, "start") ??
        elementForm(auctionTerms(element), ""),
      auctionTerms,
    ),
    mrc401unsell: takingOff((one) => when(phaseOf(one) !== "sale", "7106"), NO_SALE),
    mrc401unauction: takingOff(
      (one) =>
        when(!["open", "bid"].includes(phaseOf(one)), "7106") ??
        when(phaseOf(one) === "bid", "7104"),
      NO_AUCTION,
    ),

    mrc401buy: single("buyer", false, (one, buyer, values) => {
      const { sell_price: price, sell_token: id, listing_fee: rate } = one;
      const refused =
        when(one.holder === buyer, "3004") ??
        when(isMelted(one), "7110") ??
        when(phaseOf(one) !== "sale", "7106") ??
        guarded(one, values) ??
        unbound(one) ??
        when(![price, ""].includes(values.price) || ![id, ""].includes(values.token), "7112") ??
        m.forbidden(one, {
          ...{ way: "purchase", to: buyer, more: 1n, at: m.time },
          ...{ prices: [BigInt(price)], token: id },
        }) ??
        outsideWindow(one, m.time) ??
        affordable(buyer, id, BigInt(price));
      if (refused === undefined) {
        m.pay("mrc401_buy", buyer, one.id, id, BigInt(price));
        payOut(one, [price, id, rate], ["mrc401_recv_fee", "mrc401_recv_sell"]);
        m.put(one, { ...trade("Sell", buyer, price, id), ...NO_SALE });
      }
      return refused;
    }),

    mrc401melt: single("address", false, (one, actor) => {
      const refused =
        holderOnly(one, actor) ?? unlisted(one) ?? when(m.time < one.expiredate, "7204");
      if (refused === undefined) {
        const { initial_reserve: reserve, initial_token: id, meltint_fee: rate } = one;
        payOut(one, [reserve, id, rate], ["mrc401_recv_meltfee", "mrc401_recv_melt"]);
        m.put(one, { ...NO_SALE, owner: "MELTED", holder: "", melting_date: m.time });
      }
      return refused;
    }),

    mrc401bid: single("buyer", true, (one, bidder, values) => {
      const amount = BigInt(values.amount);
      const { auction_token: id, auction_current_bidder: leader } = one;
      const [start, unit, buyNow, current] = [
        one.auction_start_price,
        one.auction_bidding_unit,
        one.auction_buynow_price,
        one.auction_current_price,
      ].map(BigInt) as [bigint, bigint, bigint, bigint];
      const isBuyNow = buyNow > 0n && amount === buyNow;
      const isStep = (): boolean =>
        amount >= start && (amount - start) % unit === 0n && amount > current;
      const refused =
        when(one.holder === bidder, "3004") ??
        when(isMelted(one), "7110") ??
        when(one.auction_date === 0, "7106") ??
        guarded(one, values) ??
        unbound(one) ??
        when(leader === bidder && !isBuyNow, "7105") ??
        m.forbidden(one, {
          ...{ way: "bid", to: bidder, more: leader === bidder ? 0n : 1n },
          at: isBuyNow ? m.time : one.auction_end,
          ...{ prices: [amount], token: id },
        }) ??
        when(m.time >= one.auction_end, "7202") ??
        when(values.token !== "" && values.token !== id, "3004") ??
        when(buyNow > 0n && amount > buyNow, "3004") ??
        when(!isBuyNow && !isStep(), "3004") ??
        affordable(bidder, id, amount, leader === bidder ? current : 0n);
      if (refused === undefined) {
        m.pay("mrc401_recv_refund", one.id, leader, id, current);
        m.pay("mrc401_bid", bidder, one.id, id, amount);
        const led = {
          ...one,
          auction_current_price: String(amount),
          auction_current_bidder: bidder,
          auction_end:
            one.auction_extend > 0 && one.auction_end - m.time < one.auction_extend && !isBuyNow
              ? Math.max(
                  one.auction_end,
                  Math.min(m.time + one.auction_extend, one.auction_latest_end),
                )
              : one.auction_end,
        };
        m.put(led, isBuyNow ? settle(led) : {});
      }
      return refused;
    }),

    mrc401auctionfinish: {
      form: () => undefined,
      existence: ({ mrc401id }) => item(mrc401id),
      named: () => "",
      apply({ mrc401id }) {
        const one = itemAt(mrc401id);
        const refused =
          when(one.auction_date === 0, "7106") ?? when(m.time < one.auction_end, "7201");
        if (refused === undefined) {
          m.put(one, one.auction_current_bidder === "" ? NO_AUCTION : settle(one));
        }
        return refused;
      },
    },

    mrc401offer: {
      form: (values) =>
        missing(values.buyer, values.id, values.price, values.token, values.end) ??
        addresses(values.buyer) ??
        when(!isInteger(values.price, 1n) || !isInteger(values.token), "1101") ??
        when(!isInteger(values.end), "1102") ??
        when(values.groupid !== "" && values.id.includes("_", 7), "3005"),
      existence: (values) => {
        const one = m.items.get(values.id);
        const of = one?.mrc400 ?? values.id;
        return (
          project(of) ??
          address(values.buyer) ??
          token(values.token) ??
          allowed(projectAt(of), values.token, one?.face_token)
        );
      },
      named: ({ buyer }) => buyer,
      apply(values, buyer) {
        const { id, groupid, price, token: payToken, end, tkey } = values;
        const one = m.items.get(id);
        const refused =
          (one === undefined
            ? undefined
            : (when(one.holder === buyer, "3004") ??
              when(isMelted(one), "7110") ??
              unbound(one))) ??
          offerEndRefused(end, m.time) ??
          affordable(buyer, payToken, BigInt(price));
        if (refused === undefined) {
          const offerid = `OFF401_${sha256("OFF401", buyer, tkey).slice(0, 33)}`;
          m.money.move(buyer, offerid, payToken, BigInt(price));
          m.putOffer({
            ...{ offerid, buyer, id, groupid, price, token: payToken, held: price },
            ...guardsIn(values),
            ...{ createdate: m.time, end: Number(end), state: "open", close_date: 0 },
            ...{ mrc401: "", seller: "" },
          });
        }
        return refused;
      },
    },

    mrc401acceptoffer: {
      form: (values) =>
        missing(values.offerid, values.seller) ??
        addresses(values.seller) ??
        when(values.atleast !== "" && !isInteger(values.atleast), "1101"),
      existence: ({ offerid, mrc401id, seller }) =>
        offer(offerid) ??
        when(mrc401id === "" && m.projects.has(offerAt(offerid).id), "1000") ??
        item(mrc401id || offerAt(offerid).id) ??
        address(seller),
      named: ({ seller }) => seller,
      apply({ offerid, mrc401id, atleast }, seller) {
        const accepted = offerAt(offerid);
        const one = itemAt(mrc401id || accepted.id);
        const { buyer, price, token: id } = accepted;
        const isOwner = m.projectOf(one).owner === seller;
        const rest = BigInt(price) - (isOwner ? 0n : part(BigInt(price), one.sell_fee));
        const { meltint_fee: meltFee, sell_fee: sellFee, transferable } = one;
        const refused =
          holderOnly(one, seller) ??
          closedOfferRefused(accepted) ??
          when(buyer === seller, "3004") ??
          when(!isMeant(accepted, one), "3004") ??
          when(isMelted(one), "7110") ??
          when(one.auction_date > 0, "7108") ??
          when(atleast !== "" && rest < BigInt(atleast), "7112") ??
          otherTerms({ meltFee, sellFee, transferable }, { ...accepted }) ??
          unbound(one) ??
          m.forbidden(one, {
            ...{ way: "offer", to: buyer, more: 1n, at: m.time },
            ...{ prices: [BigInt(price)], token: id },
          }) ??
          when(m.time >= accepted.end, "7202");
        if (refused === undefined) {
          payOut(one, [price, id, sellFee], ["mrc401_recv_fee", "mrc401_recv_sell"], offerid);
          m.put(one, { ...trade("Sell", buyer, price, id), ...NO_SALE });
          m.putOffer({
            ...accepted,
            ...{ state: "accepted", held: "0", close_date: m.time, mrc401: one.id, seller },
          });
        }
        return refused;
      },
    },

    mrc401unoffer: {
      ...ofOffer,
      apply({ offerid }, buyer) {
        const one = offerAt(offerid);
        const refused = when(one.buyer !== buyer, "7001") ?? when(one.state !== "open", "7106");
        if (refused === undefined) {
          giveBack(one, "withdrawn");
        }
        return refused;
      },
    },

    mrc401offerfinish: {
      form: () => undefined,
      existence: ({ offerid }) => offer(offerid),
      named: () => "",
      apply({ offerid }) {
        const one = offerAt(offerid);
        const refused = when(one.state !== "open", "7106") ?? when(m.time < one.end, "7201");
        if (refused === undefined) {
          giveBack(one, "ended");
        }
        return refused;
      },
    },
  };
}

/** Ids of new items. Source: mrc401 §7. */
function newIds(values: Values): readonly string[] {
  const { mrc400id, tkey } = values;
  return elementsOf(values).map(
    (element, n) => `${mrc400id}_${numberOf(element) ?? derivedNumber(mrc400id, tkey, n)}`,
  );
}

/** The item number that the nth element of a creation gets by itself. Source: mrc401 §7. */
export function derivedNumber(mrc400id: string, tkey: string, n: number): string {
  return sha256("MRC401", mrc400id, tkey, n).slice(0, 40);
}

function sums(elements: readonly Element[]): ReadonlyMap<string, bigint> {
  const all = new Map<string, bigint>();
  for (const element of elements) {
    const id = textOf(element, "initial_token", "0");
    all.set(id, (all.get(id) ?? 0n) + BigInt(textOf(element, "initial_reserve", "0")));
  }
  return all;
}
