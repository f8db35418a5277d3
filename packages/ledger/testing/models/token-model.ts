import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Address, Texts } from "@moneta/protocol";
import { WatchedEntries } from "../shown/watched-entries.ts";

/**
 * An operation as it was sent, and the temporary key with it; `decided` is what admission has
 * added.
 */
export interface Sent {
  readonly op: string;
  readonly actor: Address | "";
  readonly params: Texts;
  readonly decided: Texts;
  readonly key: TestKey | undefined;
}

/**
 * A temporary key: whom it was issued to, `""` for a text that is none, and until when it is valid.
 */
export interface TestKey {
  readonly text: string;
  readonly of: Address | "";
  readonly expiry: number;
}

/**
 * What is taken for a parameter that was left out.
 * Source: the tables of tokens §3 to §12, accounts §10.
 */
const DEFAULTS = {
  ...{ address: "", amount: "", auction_start_price: "", category: "", dexid: "", from: "" },
  ...{ image: "", info: "", mrc010id: "", name: "", owner: "", platform_address: "" },
  ...{ platform_name: "", platform_url: "", price: "", symbol: "", to: "", token: "", url: "" },
  ...{ auction_bidding_unit: "1", auction_buynow_price: "0", auction_end_date: "0" },
  ...{ auction_start_date: "0", decimal: "0", min_trade_unit: "1", platform_commission: "0" },
  ...{ reserve: "[]", reservedamount: "0", tier: "[]", totalsupply: "0", type: "010" },
  ...{ memo: "", tags: "", unlockdate: "0" },
};
type Values = Readonly<typeof DEFAULTS>;

/** A listing in the form of `GET /token/dex/{dexid}`, as nothing applies. Source: tokens §8. */
const BLANK = {
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
  buy_price: "",
  buy_price_total: "",
  buy_token: "",
  buyer: "",
  cancel_date: 0,
  dexid: "",
  job_type: "",
  min_trade_unit: "1",
  mrc010: "",
  platform_address: "",
  platform_commission: "0",
  platform_name: "",
  platform_url: "",
  regdate: 0,
  remain_amount: "",
  sell_date: 0,
  sell_price: "",
  sell_token: "",
  seller: "",
  side: "sell" as "sell" | "buy" | "auction",
  state: "open" as "open" | "sold" | "cancelled" | "failed",
};
export type ModelListing = Readonly<typeof BLANK>;

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

interface ReserveSent {
  readonly address: string;
  readonly value: string;
  readonly unlockdate?: string | number;
}

/** One of the movements that records of trades list. Source: tokens §8, "the payments text". */
export interface ModelPayment {
  readonly from_addr: string;
  readonly to_addr: string;
  readonly amount: string;
  readonly token: string;
  readonly trade_amount: string;
  readonly trade_id: string;
  readonly type: string;
}

const MOST = 10n ** 40n;
const DRAFT_SECONDS = 3600;
const DRAFTS_MAX = 10;

/**
 * Tokens and their market as a bookkeeper would have them: whoever holds something, a listing among
 * them, has lines with an amount and the time from which it counts as free, and nothing is ever
 * merged. Everything stands in the form of the wire, and the rules follow the text of the spec,
 * check by check.
 */
export class TokenModel {
  time = 0;
  readonly addresses: Address[] = [];
  readonly tokens: Map<string, ModelToken> = new Map();
  readonly listings: WatchedEntries<ModelListing> = new WatchedEntries();
  /** What the operation that was judged last has moved, if it was a trade. */
  payments: ModelPayment[] = [];
  #drafts: ModelDraft[] = [];
  readonly #lines: Map<string, { readonly amount: bigint; readonly from: number }[]> = new Map();
  readonly #usedBy: Map<string, string> = new Map();
  readonly #rules: { readonly [op: string]: ModelRule };

  constructor() {
    this.#rules = rulesOf(this);
  }

  /**
   * What the ledger should say to an operation, which it does if that is `done`.
   * Source: conventions §3, §5.3.
   */
  judge(sent: Sent): string {
    const { op, key } = sent;
    const rule = this.#rules[op];
    assert(rule !== undefined, op);
    this.payments = [];
    this.listings.begin();
    const values: Values = { ...DEFAULTS, ...sent.params };
    const meaning = JSON.stringify([op, sent.actor, values, sent.decided]);
    const isRepeat = key !== undefined && this.#usedBy.get(key.text) === meaning;
    if (isRepeat && this.time <= key.expiry + 86_400) {
      return "repeat";
    }
    const refused =
      rule.form(values) ??
      rule.existence(values, key?.of ?? "") ??
      this.#keyFault(key, rule.actor(values, key?.of ?? "")) ??
      rule.apply(values, sent);
    if (refused === undefined && key !== undefined) {
      this.#usedBy.set(key.text, meaning);
    }
    return refused ?? "done";
  }

  #keyFault(key: TestKey | undefined, actor: string): string | undefined {
    if (key === undefined) {
      return undefined;
    }
    if (key.of !== actor || this.time > key.expiry) {
      return "2020";
    }
    return this.#usedBy.has(key.text) ? "2021" : undefined;
  }

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

  /** Times yet to come at which something changes by itself. */
  dates(): readonly number[] {
    const auctions = [...this.listings.values()].filter(({ side }) => side === "auction");
    return [
      ...auctions.flatMap((one) => [one.auction_start_date, one.auction_end_date]),
      ...this.#drafts.map(({ saved }) => saved + DRAFT_SECONDS),
      ...[...this.#lines.values()].flatMap((lines) => lines.map(({ from }) => from)),
    ].filter((date) => date > this.time);
  }

  /** Moves an amount; `""` is whoever issues and burns. */
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

  pay(type: string, { mrc010 }: ModelListing, [from, to, token, amount]: Payment): void {
    this.move(from, to, token, amount);
    if (amount > 0n) {
      const [x, y] = token === mrc010 ? [String(amount), ""] : ["", String(amount)];
      const ids = token === mrc010 ? { token: "", trade_id: token } : { token, trade_id: "" };
      this.payments.push({
        from_addr: from,
        to_addr: to,
        amount: y,
        token: ids.token,
        trade_amount: x,
        trade_id: ids.trade_id,
        type,
      });
    }
  }

  put(listing: ModelListing, change: Partial<ModelListing>): ModelListing {
    const changed = { ...listing, ...change };
    this.listings.set(changed.dexid, changed);
    return changed;
  }

  #of(holder: string, token: string): { readonly amount: bigint; readonly from: number }[] {
    const key = `${holder}/${token}`;
    const lines = this.#lines.get(key) ?? [];
    this.#lines.set(key, lines);
    return lines;
  }
}

type Payment = readonly [from: string, to: string, token: string, amount: bigint];

function sumOf(lines: readonly { readonly amount: bigint }[]): bigint {
  return lines.reduce((sum, { amount }) => sum + amount, 0n);
}

export function creatorOf({ side, buyer, seller }: ModelListing): string {
  return side === "buy" ? buyer : seller;
}

export function payTokenOf({ side, buy_token, sell_token }: ModelListing): string {
  return side === "buy" ? buy_token : sell_token;
}

/** What a platform gets of a payment. Source: tokens §8. */
export function feeOn(
  payment: bigint,
  platform: { readonly platform_address: string; readonly platform_commission: string },
): bigint {
  const [whole = "", fraction = ""] = platform.platform_commission.split(".");
  const hundredths = BigInt(whole + fraction.padEnd(2, "0"));
  return platform.platform_address === "" ? 0n : (payment * hundredths) / 10_000n;
}

/** The id of the listing that an operation makes. Source: tokens §8. */
export function listingId(creator: string, tkey: string): string {
  const digest = createHash("sha256").update(`DEX010|${creator}|${tkey}`).digest("hex");
  return `DEX010_${digest.slice(0, 33)}`;
}

type Code = string | undefined;

/**
 * The checks of an operation in the order of its table, each the code that refuses or undefined.
 * `holder` is whom the key was issued to.
 */
interface ModelRule {
  form(values: Values): Code;
  existence(values: Values, holder: string): Code;
  actor(values: Values, holder: string): string;
  /** Permission, state, time and balances, then effects. */
  apply(values: Values, sent: Sent): Code;
}

function isInteger(text: string): boolean {
  return /^(0|[1-9][0-9]*)$/.test(text) && BigInt(text) <= MOST;
}

/** 1101 unless an integer string; the other code for 0. */
function integer(text: string, zero?: string): Code {
  if (!isInteger(text)) {
    return "1101";
  }
  return text === "0" ? zero : undefined;
}

function first(...codes: readonly Code[]): Code {
  return codes.find((code) => code !== undefined);
}

function when(isWrong: boolean, code: string): Code {
  return isWrong ? code : undefined;
}

function reserveOf(text: string): readonly ReserveSent[] | undefined {
  try {
    return JSON.parse(text) as readonly ReserveSent[];
  } catch {
    return undefined;
  }
}

function paymentOf(values: Values): bigint {
  return (BigInt(values.price) * BigInt(values.amount)) / BigInt(values.min_trade_unit);
}

/** Checks 1 of tokens §3. */
function saveForm(values: Values): Code {
  const { owner, decimal, totalsupply, reservedamount } = values;
  const reserve = reserveOf(values.reserve);
  const malformed = first(
    when(`${values.symbol}${values.name}${values.url}`.includes("|"), "3005"),
    integer(totalsupply),
    when(!isInteger(decimal), "1003") ?? when(BigInt(decimal) > 18n, "1004"),
    integer(reservedamount),
    when(reserve === undefined, "1007"),
    ...(reserve ?? []).flatMap(({ value, unlockdate = 0 }) => [
      integer(value, "1101"),
      when(!isInteger(String(unlockdate)) || Number(unlockdate) > 2147483647, "1102"),
    ]),
  );
  if (malformed !== undefined) {
    return malformed;
  }
  const reserved = (entries: readonly ReserveSent[]): bigint =>
    sumOf(entries.map(({ value }) => ({ amount: BigInt(value) })));
  const all = reserve ?? [];
  const left = BigInt(totalsupply) - reserved(all);
  const own = reserved(all.filter(({ address }) => address === owner));
  return when(left < 0n || BigInt(reservedamount) > left + own, "1103");
}

/** What checks 1 of tokens §9 and §12 have in common. */
function listingForm({ mrc010id, token, platform_commission: commission }: Values): Code {
  const isRate = /^(0|[1-9][0-9]?)(\.[0-9]{1,2})?$/.test(commission) && Number(commission) <= 10;
  return when(mrc010id === token || !isRate, "3005");
}

/** Checks 1 of tokens §9. */
function offerForm(values: Values): Code {
  const { amount, price, min_trade_unit: unit } = values;
  return (
    integer(amount, "1107") ??
    integer(price, "1104") ??
    listingForm(values) ??
    when(BigInt(amount) % BigInt(unit) !== 0n, "3005")
  );
}

/** Checks 1 of tokens §12. */
function auctionForm(values: Values): Code {
  const { auction_start_price: start, auction_buynow_price: buyNow } = values;
  return (
    integer(values.amount, "1107") ??
    integer(start, "1104") ??
    integer(values.auction_bidding_unit, "1104") ??
    integer(buyNow) ??
    integer(values.auction_start_date) ??
    integer(values.auction_end_date) ??
    when(buyNow !== "0" && BigInt(buyNow) <= BigInt(start), "3005") ??
    listingForm(values)
  );
}

function rulesOf(m: TokenModel): { readonly [op: string]: ModelRule } {
  const address = (given: string): Code => when(!m.addresses.includes(given as Address), "3090");
  const token = (id: string): Code => when(!m.tokens.has(id), "4001");
  const tokenAt = (id: string): ModelToken => m.tokens.get(id) as ModelToken;
  const listingAt = (dexid: string): ModelListing => m.listings.get(dexid) as ModelListing;
  const listing = (dexid: string): Code => when(!m.listings.has(dexid), "6004");
  const tokensOf = (owner: string): ModelToken[] =>
    [...m.tokens.values()].filter((one) => one.owner === owner);

  const open = ({ side, state }: ModelListing, wanted: ModelListing["side"]): Code =>
    first(
      when(side !== wanted, "7103"),
      when(state === "cancelled", "7101"),
      when(state !== "open", "7102"),
    );

  /** A new listing, from what sell, reqsell and auction have in common. */
  const listed = (values: Values, sent: Sent, job: string): ModelListing => ({
    ...BLANK,
    dexid: listingId(values.address, sent.key?.text ?? ""),
    mrc010: values.mrc010id,
    amount: values.amount,
    remain_amount: values.amount,
    min_trade_unit: values.min_trade_unit,
    platform_name: values.platform_name,
    platform_url: values.platform_url,
    platform_address: values.platform_address,
    platform_commission: values.platform_commission
      .replace(/(\.[0-9]*?)0+$/, "$1")
      .replace(/\.$/, ""),
    regdate: m.time,
    job_type: job,
  });
  const listingExistence = ({ address: by, mrc010id, token: y, platform_address }: Values): Code =>
    first(
      address(by),
      token(mrc010id),
      token(y),
      platform_address === "" ? undefined : address(platform_address),
    );
  const byAddress = (values: Values): string => values.address;
  const escrow = (one: ModelListing, id: string, amount: bigint): Code => {
    const creator = creatorOf(one);
    if (m.free(creator, id) < amount) {
      return "5000";
    }
    m.move(creator, one.dexid, id, amount);
    m.put(one, {});
    return undefined;
  };

  /** Unsell, unreqsell and unauction. */
  const cancel = (
    side: ModelListing["side"],
    job: string,
    more: (one: ModelListing) => Code = () => undefined,
  ): ModelRule => ({
    form: () => undefined,
    existence: ({ dexid }) => listing(dexid),
    actor: ({ dexid }) => creatorOf(listingAt(dexid)),
    apply({ dexid }) {
      const one = listingAt(dexid);
      const refused = open(one, side) ?? more(one);
      if (refused === undefined) {
        const held = side === "buy" ? one.buy_token : one.mrc010;
        m.move(dexid, creatorOf(one), held, m.held(dexid, held));
        const escrowed = side === "buy" ? { buy_price_total: "0" } : {};
        m.put(one, { ...escrowed, state: "cancelled", cancel_date: m.time, job_type: job });
      }
      return refused;
    },
  });

  /** Buy, acceptreqsell and bid. */
  const take = (
    side: ModelListing["side"],
    trade: (one: ModelListing, by: string, amount: bigint) => Code,
  ): ModelRule => ({
    form: ({ amount }) => integer(amount, "1107"),
    existence: ({ dexid, address: by }) => listing(dexid) ?? address(by),
    actor: byAddress,
    apply({ dexid, address: by, amount }) {
      const one = listingAt(dexid);
      return (
        when(creatorOf(one) === by, "3004") ?? open(one, side) ?? trade(one, by, BigInt(amount))
      );
    },
  });
  const quantity = ({ min_trade_unit, remain_amount }: ModelListing, amount: bigint): Code =>
    first(
      when(amount % BigInt(min_trade_unit) !== 0n, "3005"),
      when(amount > BigInt(remain_amount), "3004"),
    );
  const rest = (one: ModelListing, amount: bigint): Partial<ModelListing> => {
    const remain = BigInt(one.remain_amount) - amount;
    const closed = remain === 0n ? { state: "sold" as const, sell_date: m.time } : {};
    return { ...closed, remain_amount: String(remain) };
  };
  const fee = (one: ModelListing, payment: bigint): bigint => {
    const amount = feeOn(payment, one);
    const { dexid, platform_address: platform } = one;
    m.pay("mrc010_recv_fee_platform", one, [dexid, platform, payTokenOf(one), amount]);
    return amount;
  };

  const win = (one: ModelListing, job: string): void => {
    const { dexid, auction_current_bidder: winner, sell_token: y, amount } = one;
    const price = BigInt(one.auction_current_price);
    m.pay("mrc010_recv_item", one, [dexid, winner, one.mrc010, BigInt(amount)]);
    m.pay("mrc010_recv_auction", one, [dexid, one.seller, y, price - fee(one, price)]);
    const dates = { sell_date: m.time, auction_settle_date: m.time };
    m.put(one, { ...dates, buyer: winner, remain_amount: "0", state: "sold", job_type: job });
  };

  const supply = (change: (one: ModelToken, amount: bigint) => Code): ModelRule => ({
    form: ({ amount }) => integer(amount, "1206"),
    existence: (values) => token(values.token) ?? when(tokenAt(values.token).owner === "", "7001"),
    actor: (values) => tokenAt(values.token).owner,
    apply: (values) => change(tokenAt(values.token), BigInt(values.amount)),
  });

  return {
    transfer: {
      form: ({ from, to, amount }) => integer(amount, "1101") ?? when(from === to, "3201"),
      existence: (values) => first(address(values.from), address(values.to), token(values.token)),
      actor: ({ from }) => from,
      apply({ from, to, token: id, amount, unlockdate }) {
        if (m.free(from, id) < BigInt(amount)) {
          return "5001";
        }
        m.move(from, to, id, BigInt(amount), Number(unlockdate));
        return undefined;
      },
    },

    tokensave: {
      form: saveForm,
      existence: ({ owner, reserve }) =>
        first(address(owner), ...(reserveOf(reserve) ?? []).map((entry) => address(entry.address))),
      actor: ({ owner }) => owner,
      apply(values) {
        m.save({ owner: values.owner, name: values.name, saved: m.time, values });
        return undefined;
      },
    },

    tokencreate: {
      form: () => undefined,
      existence: (_, holder) => when(holder === "", "2020"),
      actor: (_, holder) => holder,
      apply(_, { actor: owner, decided }) {
        const draft = m.drafts(owner).find(({ name }) => name === decided["name"]);
        if (draft === undefined) {
          return m.drafts(owner).length === 0 ? "6010" : "2010";
        }
        const { values } = draft;
        const id = String(m.tokens.size);
        const reserve = (reserveOf(values.reserve) ?? []).map((entry) => ({
          address: entry.address,
          value: entry.value,
          unlockdate: Number(entry.unlockdate ?? 0),
        }));
        m.discard(owner, draft.name);
        m.tokens.set(id, {
          ...{ id, token: Number(id), owner, symbol: values.symbol, name: values.name },
          ...{ category: values.category, decimal: Number(values.decimal), createdate: m.time },
          ...{ totalsupply: values.totalsupply, burnningamount: "0", reserve },
          ...{ reservedamount: values.reservedamount, tier: JSON.parse(values.tier) as unknown },
          ...{ url: values.url, information: "", image: values.image, type: values.type },
          ...{ status: "", basetoken: 0, targettoken: {}, logger: {} },
        });
        let left = BigInt(values.totalsupply);
        for (const entry of reserve) {
          m.move("", entry.address, id, BigInt(entry.value), entry.unlockdate);
          left -= BigInt(entry.value);
        }
        m.move("", owner, id, left);
        return undefined;
      },
    },

    tokenburn: supply((one, amount) => {
      if (m.free(one.owner, one.id) < amount) {
        return "5000";
      }
      m.move(one.owner, "", one.id, amount);
      const burnningamount = String(BigInt(one.burnningamount) + amount);
      m.tokens.set(one.id, { ...one, burnningamount });
      return undefined;
    }),

    tokenincrease: supply((one, amount) => {
      const totalsupply = BigInt(one.totalsupply) + amount;
      if (totalsupply > MOST) {
        return "1101";
      }
      m.move("", one.owner, one.id, amount);
      m.tokens.set(one.id, { ...one, totalsupply: String(totalsupply) });
      return undefined;
    }),

    tokenupdate: {
      form: ({ token: id, info }) =>
        first(when(id !== "" && !isInteger(id), "1101"), when(info === "", "1000")),
      existence({ token: id }, holder) {
        return id === ""
          ? first(when(holder === "", "2020"), when(tokensOf(holder).length === 0, "4001"))
          : (token(id) ?? when(tokenAt(id).owner === "", "7001"));
      },
      actor: ({ token: id }, holder) => (id === "" ? holder : tokenAt(id).owner),
      apply({ token: id, url, info: information, image: given }, { decided, key }) {
        const one = tokenAt(id || (decided["token"] as string));
        // Sent again, it names what was chosen for its sender when that was somebody without tokens.
        if (id === "" && one.owner !== key?.of) {
          return "4001";
        }
        const image = given === "" ? one.image : given;
        const [u, i, g] = [one.url, one.information, one.image];
        if (url === u && information === i && image === g) {
          return "4900";
        }
        m.tokens.set(one.id, { ...one, url, information, image });
        return undefined;
      },
    },

    mrc010sell: {
      form: (values) => offerForm(values) ?? when(paymentOf(values) > MOST, "1101"),
      existence: listingExistence,
      actor: byAddress,
      apply(values, sent) {
        const { address: seller, token: sell_token, price: sell_price } = values;
        const one = { ...listed(values, sent, "mrc010_sell"), seller, sell_token, sell_price };
        return escrow(one, one.mrc010, BigInt(one.amount));
      },
    },

    mrc010reqsell: {
      form: (values) =>
        offerForm(values) ??
        when(paymentOf(values) + feeOn(paymentOf(values), values) > MOST, "1101"),
      existence: listingExistence,
      actor: byAddress,
      apply(values, sent) {
        const { address: buyer, token: buy_token, price: buy_price } = values;
        const total = paymentOf(values) + feeOn(paymentOf(values), values);
        const terms = { buyer, buy_token, buy_price, buy_price_total: String(total) };
        const one = { ...listed(values, sent, "mrc010_reqsell"), ...terms, side: "buy" as const };
        return escrow(one, buy_token, total);
      },
    },

    mrc010auction: {
      form: auctionForm,
      existence: listingExistence,
      actor: byAddress,
      apply(values, sent) {
        const start = Number(values.auction_start_date) || m.time;
        const end = Number(values.auction_end_date) || start + 86_400;
        const isOut = start < m.time || start > m.time + 1_814_400;
        if (isOut || end < start + 3600 || end > start + 1_814_400) {
          return "1102";
        }
        const one = {
          ...listed(values, sent, "mrc010_auction"),
          side: "auction" as const,
          seller: values.address,
          sell_token: values.token,
          auction_start_price: values.auction_start_price,
          auction_bidding_unit: values.auction_bidding_unit,
          auction_buynow_price: values.auction_buynow_price,
          auction_start_date: start,
          auction_end_date: end,
        };
        return escrow(one, one.mrc010, BigInt(one.amount));
      },
    },

    mrc010unsell: cancel("sell", "mrc010_unsell"),
    mrc010unreqsell: cancel("buy", "mrc010_unreqsell"),
    mrc010unauction: cancel("auction", "mrc010_unauction", (one) =>
      first(
        when(one.auction_current_bidder !== "", "7104"),
        when(m.time >= one.auction_end_date, "7202"),
      ),
    ),

    mrc010buy: take("sell", (one, buyer, amount) => {
      const { dexid, seller, sell_token: y } = one;
      const payment = (BigInt(one.sell_price) * amount) / BigInt(one.min_trade_unit);
      const refused = quantity(one, amount) ?? when(m.free(buyer, y) < payment, "5000");
      if (refused === undefined) {
        m.pay("mrc010_buy", one, [buyer, dexid, y, payment]);
        m.pay("mrc010_recv_item", one, [dexid, buyer, one.mrc010, amount]);
        m.pay("mrc010_recv_sell", one, [dexid, seller, y, payment - fee(one, payment)]);
        m.put(one, { ...rest(one, amount), buyer, job_type: "mrc010_buy" });
      }
      return refused;
    }),

    mrc010acceptreqsell: take("buy", (one, seller, amount) => {
      const { dexid, buyer, mrc010: x, buy_token: y } = one;
      const payment = (BigInt(one.buy_price) * amount) / BigInt(one.min_trade_unit);
      const refused = quantity(one, amount) ?? when(m.free(seller, x) < amount, "5000");
      if (refused === undefined) {
        const after = rest(one, amount);
        m.pay("mrc010_sell", one, [seller, dexid, x, amount]);
        m.pay("mrc010_send_item", one, [dexid, seller, y, payment]);
        fee(one, payment);
        m.pay("mrc010_recv_buy", one, [dexid, buyer, x, amount]);
        if (after.state === "sold") {
          m.pay("mrc010_recv_fee_remain", one, [dexid, buyer, y, m.held(dexid, y)]);
        }
        const buy_price_total = String(m.held(dexid, y));
        m.put(one, { ...after, seller, buy_price_total, job_type: "mrc010_acceptreqsell" });
      }
      return refused;
    }),

    mrc010bid: take("auction", (one, bidder, amount) => {
      const { dexid, sell_token: y, auction_current_bidder: leader } = one;
      const [start, unit, buyNow, current] = [
        one.auction_start_price,
        one.auction_bidding_unit,
        one.auction_buynow_price,
        one.auction_current_price || "0",
      ].map(BigInt) as [bigint, bigint, bigint, bigint];
      const isBuyNow = buyNow > 0n && amount === buyNow;
      const isStep = amount >= start && (amount - start) % unit === 0n && amount > current;
      const own = leader === bidder ? current : 0n;
      const refused = first(
        when(m.time < one.auction_start_date, "7203"),
        when(m.time >= one.auction_end_date, "7202"),
        when(leader === bidder && !isBuyNow, "7105"),
        when(buyNow > 0n && amount > buyNow, "3004"),
        when(!isBuyNow && !isStep, "3004"),
        when(m.free(bidder, y) + own < amount, "5000"),
      );
      if (refused === undefined) {
        m.pay("mrc010_recv_refund", one, [dexid, leader, y, current]);
        m.pay("mrc010_bid", one, [bidder, dexid, y, amount]);
        const bid = { auction_current_price: String(amount), auction_current_bidder: bidder };
        const count = { auction_bid_count: one.auction_bid_count + 1 };
        const led = m.put(one, { ...bid, ...count, job_type: "mrc010_auctionbid" });
        if (isBuyNow) {
          win(led, "mrc010_auctionbuynow");
        }
      }
      return refused;
    }),

    mrc010auctionfinish: {
      form: () => undefined,
      existence: ({ dexid }) => listing(dexid),
      actor: () => "",
      apply({ dexid }) {
        const one = listingAt(dexid);
        const refused = open(one, "auction") ?? when(m.time < one.auction_end_date, "7201");
        if (refused !== undefined) {
          return refused;
        }
        if (one.auction_current_bidder !== "") {
          win(one, "mrc010_auctionwinning");
          return undefined;
        }
        m.move(dexid, one.seller, one.mrc010, BigInt(one.amount));
        const settled = { state: "failed" as const, auction_settle_date: m.time };
        m.put(one, { ...settled, job_type: "mrc010_auctionfailure" });
        return undefined;
      },
    },
  };
}
