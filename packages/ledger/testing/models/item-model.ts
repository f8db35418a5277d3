import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Address } from "@moneta/protocol";
import { type ShownEntry, WatchedEntries } from "../shown/watched-entries.ts";
import type { ProjectShown } from "../trade/creations.ts";
import { type ItemShown, PLAIN_ITEM } from "../trade/item-terms.ts";
import { type ModelPayment, type Sent, type TestKey, TokenModel } from "./token-model.ts";

const NO_SALE = { sell_date: 0, sell_price: "0", sell_token: "0", listing_fee: "0" };
const NO_AUCTION = {
  auction_date: 0,
  auction_end: 0,
  auction_token: "0",
  auction_bidding_unit: "0",
  auction_start_price: "0",
  auction_buynow_price: "0",
  auction_current_price: "0",
  auction_current_bidder: "",
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

/** An element of `itemdata`; a key that is undefined is not sent. */
export type Element = Readonly<Record<string, string | number | undefined>>;

/** What is taken for a parameter that was left out. */
const DEFAULTS = {
  ...{ address: "", allowtoken: "", amount: "", buyer: "", category: "", creator: "", data: "" },
  ...{ description: "", from: "", fromAddr: "", imageurl: "", itemdata: "", itemimageurl: "" },
  ...{ itemurl: "", mrc400id: "", mrc401id: "", name: "", owner: "", partner: "", price: "" },
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
  /** What everybody has, and which addresses and tokens there are. */
  readonly money: TokenModel = new TokenModel();
  readonly projects: WatchedEntries<ProjectShown> = new WatchedEntries();
  readonly items: WatchedEntries<ItemShown> = new WatchedEntries();
  /** What the operation that was judged last has moved, if it was a trade or melted something. */
  payments: ModelPayment[] = [];
  /** Projects and items that it has made or changed, in the order of its records I. */
  shown: ShownEntry<ProjectShown | ItemShown>[] = [];
  /** Project owners who are told of what others did for them. Source: mrc401 §1.9. */
  told: string[] = [];
  readonly #usedBy: Map<string, string> = new Map();
  readonly #rules: { readonly [op: string]: ModelRule } = rulesOf(this);

  /** The ledger time. */
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
    this.projects.begin();
    this.items.begin();
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
    const changed = { ...item, ...change };
    this.items.set(changed.id, changed);
    this.show(this.items.change(changed.id));
    return changed;
  }

  /** There is a record of an entry. */
  show(entry: ShownEntry<ProjectShown | ItemShown> | undefined): void {
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

/** The first code that one of many checks gives. */
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
  const texts = ["item_id", "id", "groupid", "item_url", "transferable", ...fees];
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
    when(!isInteger(expire) || BigInt(expire) > 253402300799n, "1102") ??
    when(!isInteger(textOf(element, "auction_end", "0")), "1102") ??
    when(price !== "0" && start !== "0", "3005") ??
    when(start !== "0" && buyNow !== "0" && BigInt(buyNow) <= BigInt(start), "3005")
  );
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

/** The terms of an auction under the keys that a creation has them under. */
function auctionTerms(element: Element): Element {
  return {
    auction_start_price: textOf(element, "start"),
    auction_token: textOf(element, "token"),
    auction_bidding_unit: textOf(element, "bidding"),
    auction_buynow_price: textOf(element, "buynow", textOf(element, "bnynow")),
    auction_end: textOf(element, "end"),
  };
}

/** Whether an item, with these terms, is not what a buyer or bidder accepts. Source: mrc401 §2.6. */
export function otherTerms(
  item: { readonly meltFee: string; readonly sellFee: string; readonly transferable: string },
  values: { readonly [name: string]: unknown },
): Code {
  const isAbove = (rate: string, guard: string): boolean =>
    values[guard] !== undefined && Number(rate) > Number(values[guard]);
  const { transferable = item.transferable } = values;
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
  const allowed = ({ allow_token: only }: ProjectShown, id: string): Code =>
    when(only !== 0 && id !== "0" && id !== String(only), "3005");

  // The table of mrc401 §2.5, from here.
  const roleOf = ({ partner }: ProjectShown, actor: string): string => partner[actor] ?? "";
  const mayCreate = (one: ProjectShown, actor: string, listed: boolean): boolean =>
    one.owner === actor ||
    roleOf(one, actor) === "partner" ||
    roleOf(one, actor) === (listed ? "seller" : "creator");
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
    when(isMelted(one), "7110") ?? when(phaseOf(one) !== "idle", "7108");
  const guarded = (one: ItemShown, values: Values): Code =>
    otherTerms(
      { meltFee: one.meltint_fee, sellFee: one.sell_fee, transferable: one.transferable },
      values,
    );
  const unbound = (one: ItemShown): Code => when(one.transferable === "Bound", "7109");

  /** On sale or on auction, from the keys that a creation has. Effects of mrc401 §10 and §14. */
  const listing = (element: Element, sellFee: string): Partial<ItemShown> => {
    if (!isAuctioned(element)) {
      return {
        sell_date: m.time,
        sell_price: textOf(element, "sell_price"),
        sell_token: textOf(element, "sell_token", "0"),
        listing_fee: sellFee,
      };
    }
    const end = BigInt(textOf(element, "auction_end", "0"));
    const [earliest, latest] = [m.time + 3600, m.time + 1_814_400];
    return {
      auction_date: m.time,
      auction_end: end < earliest ? earliest : end > latest ? latest : Number(end),
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
  ): void => {
    const { owner } = m.projectOf(one);
    const fee = one.holder === owner ? 0n : part(BigInt(amount), rate);
    m.pay(feeType, one.id, owner, id, fee);
    m.pay(restType, one.id, one.holder, id, BigInt(amount) - fee);
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
        first(tokens, (entry) => allowed(m.projectOf(itemOf(entry)), tokenOf(entry)))
      );
    },
    named: ({ seller }) => seller,
    apply(values, actor) {
      const entries = options.entries(values);
      const items = entries.map((entry) => itemAt(options.id(entry)));
      const refused =
        first(items, (one) => when(!isMelted(one) && !mayList(one, actor), "7001")) ??
        first(items, options.check);
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
      change: (element, { sell_fee: fee }) => listing(terms(element), fee),
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

  const tokensOf = (element: Element): string[] => [
    textOf(element, "initial_token", "0"),
    ...(textOf(element, "sell_price", "0") === "0" ? [] : [textOf(element, "sell_token", "0")]),
    ...(isAuctioned(element) ? [textOf(element, "auction_token", "0")] : []),
  ];
  const transferred = ({ mrc401id, itemdata }: Values): readonly string[] =>
    mrc401id === "" ? (JSON.parse(itemdata) as string[]) : [mrc401id];
  const partners = ({ partner }: Values): readonly string[] =>
    Object.keys(JSON.parse(partner || "{}") as object);
  const rolesOf = (partner: string): Record<string, string> =>
    JSON.parse(partner.replaceAll('"saller"', '"seller"')) as Record<string, string>;

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
          ...{ policy: {}, policy_number: 0 },
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
          first(elementsOf(values), (element) => elementForm(element, values.mrc400id)) ??
          twice(elementsOf(values).map(numberOf));
        if (refused !== undefined) {
          return refused;
        }
        return when(
          [...sums(elementsOf(values)).values()].some((sum) => sum > MOST),
          "1101",
        );
      },
      existence(values) {
        const elements = elementsOf(values);
        const one = projectAt(values.mrc400id);
        return (
          project(values.mrc400id) ??
          twice(newIds(values)) ??
          address(values.creator) ??
          first(elements.flatMap(tokensOf), token) ??
          first(elements.flatMap(tokensOf), (id) => allowed(one, id))
        );
      },
      named: ({ creator }) => creator,
      apply(values, creator) {
        const one = projectAt(values.mrc400id);
        const elements = elementsOf(values);
        const ids = newIds(values);
        const refused =
          first(elements, (element) => when(!mayCreate(one, creator, isListed(element)), "7002")) ??
          first(ids, (id) => when(m.items.has(id), "7111")) ??
          first(elements, (element) =>
            when(isListed(element) && element["transferable"] === "Bound", "7109"),
          ) ??
          first(sums(elements), ([id, sum]) => affordable(creator, id, sum));
        if (refused !== undefined) {
          return refused;
        }
        for (const [index, element] of elements.entries()) {
          const id = ids[index] as string;
          const sellFee = canonicalRate(textOf(element, "sell_fee", "0"));
          const meltFee = canonicalRate(
            textOf(element, "melt_fee", textOf(element, "melting_fee", "0")),
          );
          const reserve = textOf(element, "initial_reserve", "0");
          const transferable = textOf(element, "transferable", "Permanent");
          m.money.move(creator, id, textOf(element, "initial_token", "0"), BigInt(reserve));
          const created = m.put({
            ...PLAIN_ITEM,
            id,
            mrc400: one.id,
            holder: one.owner,
            creator,
            item_url: textOf(element, "item_url"),
            item_image_url: textOf(element, "item_image_url"),
            groupid: textOf(element, "groupid"),
            createdate: m.time,
            initial_reserve: reserve,
            initial_token: textOf(element, "initial_token", "0"),
            meltint_fee: meltFee,
            melting_fee: meltFee,
            expiredate: Number(textOf(element, "expiredate", textOf(element, "melting_date", "0"))),
            transferable: transferable === "Temprary" ? "Temporary" : transferable,
            sell_fee: sellFee,
            ...(isListed(element) ? listing(element, sellFee) : {}),
          });
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
        twice(elementsOf(values).map(numberOf)),
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
            changed.transferable !== kind;
          return { one, changed, isOfTerms };
        });
        const refused =
          first(changes, ({ one, isOfTerms }) =>
            when(!mayDescribe(one, actor) || (isOfTerms && actor !== owner), "7002"),
          ) ??
          first(changes, ({ one }) => when(isMelted(one), "7110")) ??
          first(changes, ({ one, changed }) =>
            when(
              one.transferable !== "Temporary" && changed.transferable !== one.transferable,
              "3005",
            ),
          ) ??
          when(
            changes.every(({ one, changed }) => JSON.stringify(one) === JSON.stringify(changed)),
            "4900",
          );
        if (refused === undefined) {
          for (const { changed } of changes) {
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
          first(items, (one) => unlisted(one) ?? unbound(one));
        if (refused === undefined) {
          for (const one of items) {
            m.put(one, { owner: values.toAddr, holder: values.toAddr });
          }
        }
        return refused;
      },
    },

    mrc401sell: listingUp(
      (element) =>
        when(has(element, "amount") && has(element, "price"), "1005") ??
        missing(textOf(element, "price", textOf(element, "amount"))) ??
        integers(element, 1n, "price", "amount"),
      (element) => ({
        sell_price: textOf(element, "price", textOf(element, "amount")),
        sell_token: textOf(element, "token"),
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
        m.put(one, { owner: "MELTED", holder: "", melting_date: m.time });
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

/** Reserves by token. */
function sums(elements: readonly Element[]): ReadonlyMap<string, bigint> {
  const all = new Map<string, bigint>();
  for (const element of elements) {
    const id = textOf(element, "initial_token", "0");
    all.set(id, (all.get(id) ?? 0n) + BigInt(textOf(element, "initial_reserve", "0")));
  }
  return all;
}
