import assert from "node:assert/strict";
import { type Address, operationText, type Texts } from "@moneta/protocol";
import fc from "fast-check";
import type { TestLedger } from "../test-ledger.ts";
import {
  creatorOf,
  type ModelDraft,
  type ModelListing,
  payTokenOf,
  type Sent,
  type TestKey,
  type TokenModel,
} from "./token-model.ts";

/**
 * One step of a run: what is tried, and numbers from which all the rest is chosen by what there is
 * then.
 */
export interface Step {
  readonly kind: Kind;
  readonly picks: readonly number[];
}

const WEIGHTS = {
  tokensave: 4,
  tokencreate: 3,
  tokenburn: 2,
  tokenincrease: 2,
  tokenupdate: 2,
  transfer: 4,
  mrc010sell: 4,
  mrc010unsell: 2,
  mrc010buy: 7,
  mrc010reqsell: 4,
  mrc010unreqsell: 3,
  mrc010acceptreqsell: 7,
  mrc010auction: 4,
  mrc010unauction: 4,
  mrc010bid: 9,
  mrc010auctionfinish: 3,
  draft: 1,
  /** An earlier operation, signed again. */
  again: 5,
} as const;
type Kind = keyof typeof WEIGHTS;

const DRAFTING = ["draft", "draft", "draft", "draft", "draft", "draft", "tokencreate"] as const;

const picked = fc.array(fc.noBias(fc.nat(9999)), { minLength: 16, maxLength: 16 });
const kinds = Object.entries(WEIGHTS).map(([kind, weight]) => ({
  weight,
  arbitrary: fc.constant(kind as Kind),
}));

export const steps: fc.Arbitrary<readonly Step[]> = fc.oneof(
  {
    weight: 19,
    arbitrary: fc.array(fc.record({ kind: fc.oneof(...kinds), picks: picked }), {
      minLength: 1,
      maxLength: 8,
      size: "max",
    }),
  },
  {
    weight: 1,
    arbitrary: fc.array(fc.record({ kind: fc.constantFrom(...DRAFTING), picks: picked }), {
      minLength: 15,
      maxLength: 20,
    }),
  },
);

/**
 * The canonical text of an operation. Signatures are any text, because the ledger does not check
 * them.
 */
export function textOf({ op, actor, params, decided, key }: Sent, signature = "MEQ="): string {
  const signatures: Texts = key === undefined ? {} : { signature };
  return operationText({ op, actor, params, decided, signatures });
}

/** Choices from numbers, of which 0 chooses what is usual. */
class Picks {
  readonly #numbers: readonly number[];
  #used = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  below(bound: number): number {
    const number = this.#numbers[this.#used % this.#numbers.length] ?? 0;
    this.#used += 1;
    return bound < 1 ? 0 : number % bound;
  }

  of<V>(list: readonly V[]): V {
    assert(list.length > 0, "there is something to choose from");
    return list[this.below(list.length)] as V;
  }

  /** From 1 to `most`, a quarter of the time just that. */
  upTo(most: bigint): bigint {
    const bound = most > 1_000_000n ? 1_000_000 : Number(most);
    return this.below(4) === 3 ? most : BigInt(1 + this.below(bound));
  }

  rarely(oneIn: number): boolean {
    return this.below(oneIn) === oneIn - 1;
  }

  /** Mostly undefined, else one of the names of what may be odd. */
  odd<N extends string>(...names: readonly N[]): N | undefined {
    return this.rarely(4) ? this.of(names) : undefined;
  }
}

/** What goes with a name, if anything does. */
function given<V>(name: string | undefined, all: { readonly [name: string]: V }): V | undefined {
  return name === undefined ? undefined : all[name];
}

const UNKNOWN_TOKEN = "999";
const UNKNOWN_LISTING = `DEX010_${"0".repeat(33)}`;
const MOST = String(10n ** 40n);
const COMMISSIONS = ["0", "0.01", "1", "2.5", "5.70", "10"];

/** What may be left out, or sent as what is then taken for it. */
const DEFAULTS: Texts = {
  auction_bidding_unit: "1",
  auction_buynow_price: "0",
  auction_end_date: "0",
  auction_start_date: "0",
  min_trade_unit: "1",
  platform_commission: "0",
  reserve: "[]",
  reservedamount: "0",
  tier: "[]",
  totalsupply: "0",
  type: "010",
  unlockdate: "0",
};

/**
 * Who sends operations, and knows from the model what makes sense: most are accepted, the others
 * mostly wrong in one point.
 */
export class Traders {
  readonly #ledger: TestLedger;
  readonly #model: TokenModel;
  readonly #sent: Sent[] = [];

  constructor(ledger: TestLedger, model: TokenModel) {
    this.#ledger = ledger;
    this.#model = model;
  }

  /** The operation of a step, which the model has yet to judge. */
  send({ kind, picks: numbers }: Step): Sent {
    const picks = new Picks(numbers);
    return kind === "again" ? this.#again(picks) : this.#make(kind, picks);
  }

  signed(op: string, actor: Address, params: Texts, given?: TestKey, decided: Texts = {}): Sent {
    const key = given ?? this.#keyOf(actor);
    const name = { tokensave: "Temporarykey", transfer: "checkkey" }[op] ?? "tkey";
    const present = Object.entries(params).filter(([, text]) => text !== "");
    const sent = { ...Object.fromEntries(present), [name]: key.text };
    return this.#noted({ op, actor, params: sent, decided, key });
  }

  #noted(sent: Sent): Sent {
    this.#sent.push(sent);
    return sent;
  }

  #keyOf(of: Address, expiry = this.#ledger.now + 600): TestKey {
    return { text: this.#ledger.key(of, expiry), of, expiry };
  }

  /** A temporary key, mostly a good one. */
  #key(of: Address, picks: Picks): TestKey | undefined {
    const used = this.#sent.filter(({ actor, key }) => actor === of && key !== undefined);
    switch (picks.rarely(15) ? picks.below(6) : undefined) {
      case 0:
        return this.#keyOf(this.#other(picks, of));
      case 1:
        return this.#keyOf(of, this.#model.time - picks.below(2));
      case 2:
        return { text: "abc", of: "", expiry: 0 };
      case undefined:
        return undefined;
      default:
        return used.length === 0 ? undefined : used.at(-1 - picks.below(5))?.key;
    }
  }

  #other(picks: Picks, than: string): Address {
    return picks.of(this.#model.addresses.filter((address) => address !== than));
  }

  #again(picks: Picks): Sent {
    const op = picks.of([...new Set(this.#sent.map((sent) => sent.op))]);
    const earlier = picks.of(this.#sent.filter((sent) => sent.op === op).slice(-3));
    const names = Object.keys(DEFAULTS).filter((name) => TAKES[earlier.op]?.includes(name));
    if (names.length === 0 || picks.rarely(2)) {
      return earlier;
    }
    const name = picks.of(names);
    const { [name]: sent, ...others } = earlier.params;
    const usual = DEFAULTS[name] as string;
    if (sent !== undefined && sent !== usual) {
      return earlier;
    }
    return { ...earlier, params: sent === undefined ? { ...others, [name]: usual } : others };
  }

  #make(op: Exclude<Kind, "again">, picks: Picks): Sent {
    switch (op) {
      case "transfer":
        return this.#transfer(picks);
      case "tokensave":
        return this.#save(picks);
      case "draft":
        return this.#draft(picks);
      case "tokencreate":
        return this.#drafts().length === 0 && !picks.rarely(6)
          ? this.#save(picks)
          : this.#create(picks);
      case "tokenburn":
      case "tokenincrease":
        return this.#changeSupply(op, picks);
      case "tokenupdate":
        return this.#update(picks);
      case "mrc010sell":
        return this.#sell(picks);
      case "mrc010reqsell":
        return this.#request(picks);
      case "mrc010auction":
        return this.#auction(picks);
      case "mrc010unsell":
        return this.#lacks("sell", picks) ? this.#sell(picks) : this.#cancel(op, "sell", picks);
      case "mrc010unreqsell":
        return this.#lacks("buy", picks) ? this.#request(picks) : this.#cancel(op, "buy", picks);
      case "mrc010unauction":
        return this.#lacks("auction", picks)
          ? this.#auction(picks)
          : this.#cancel(op, "auction", picks);
      case "mrc010buy":
        return this.#lacks("sell", picks) ? this.#sell(picks) : this.#buy(picks);
      case "mrc010acceptreqsell":
        return this.#lacks("buy", picks) ? this.#request(picks) : this.#accept(picks);
      case "mrc010bid":
        return this.#lacks("auction", picks) ? this.#auction(picks) : this.#bid(picks);
      case "mrc010auctionfinish":
        return this.#finish(picks);
    }
  }

  /** Somebody who can spend some of a token, and what else there is to trade it for. */
  #holding(picks: Picks): { holder: Address; held: string; free: bigint; other: string } {
    const { addresses, tokens } = this.#model;
    const held = picks.of([...tokens.keys()]);
    const holders = addresses.filter((address) => this.#model.free(address, held) > 0n);
    const holder = picks.of(holders.length === 0 ? addresses : holders);
    const others = [...tokens.keys()].filter((token) => token !== held);
    return { holder, held, free: this.#model.free(holder, held), other: picks.of(others) };
  }

  #transfer(picks: Picks): Sent {
    const { holder: from, held: token, free } = this.#holding(picks);
    const odd = picks.odd("unknown payee", "unknown token", "too much");
    const amount = odd === "too much" ? free + 1n : picks.upTo(free < 500n ? free : 500n);
    const unlockdate = picks.rarely(3)
      ? String(this.#model.time + picks.of([500, 0, 2500, -10]))
      : "";
    const params = {
      from,
      to: odd === "unknown payee" ? this.#ledger.drawAddress() : this.#other(picks, from),
      token: odd === "unknown token" ? UNKNOWN_TOKEN : token,
      amount: String(amount === 0n ? 1n : amount),
      unlockdate,
    };
    return this.signed("transfer", from, params, this.#key(from, picks));
  }

  #save(picks: Picks): Sent {
    const [mostly] = this.#model.addresses as [Address];
    const owner = picks.of([mostly, ...this.#model.addresses, mostly, mostly]);
    const odd = picks.odd(
      ...(["supply", "unknown", "decimal", "many decimals", "bar", "reserve", "too much"] as const),
      ...(["too much reserved", "date", "value", "unknown", "all there can be"] as const),
    );
    const supply = BigInt(picks.of([5000, 0, 100, 20_000]));
    const isOfEntry = ["date", "value", "unknown"].includes(odd ?? "");
    const entries = Array.from({ length: picks.below(3) || Number(isOfEntry) }, () => ({
      address: odd === "unknown" ? this.#ledger.drawAddress() : picks.of(this.#model.addresses),
      value: odd === "value" ? "0" : String(1n + supply / 4n),
      ...(picks.rarely(2) ? { unlockdate: this.#model.time + picks.of([600, 4000, -5]) } : {}),
      ...(odd === "date" ? { unlockdate: "2147483648" } : {}),
    }));
    const reserve = entries.length === 0 ? "" : JSON.stringify(entries);
    const totals = { supply: `0${supply}`, "too much": "1", "all there can be": MOST };
    const reserved = picks.rarely(3) ? "1" : "";
    const params = {
      owner,
      symbol: picks.of(["AU", "AG"]),
      name: odd === "bar" ? "a|b" : picks.of(["Gold", "Silver", "Tin", "Lead"]),
      totalsupply: given(odd, totals) ?? (supply === 0n ? "" : String(supply)),
      decimal: given(odd, { decimal: "x", "many decimals": "19" }) ?? picks.of(["", "2", "18"]),
      reservedamount: odd === "too much reserved" ? "20001" : reserved,
      reserve: odd === "reserve" ? '[{"address":' : reserve,
      tier: picks.of(["", '[{"price":5,"x":[true,null]}]']),
      category: picks.of(["", "metal"]),
      url: picks.of(["", "https://example.com/"]),
      image: picks.of(["", "ipfs://x"]),
      type: picks.of(["", "100"]),
      token: picks.of(["", "0"]),
    };
    return this.signed("tokensave", owner, params, this.#key(owner, picks));
  }

  #draft(picks: Picks): Sent {
    const owner = this.#model.addresses[0] as Address;
    const { length } = this.#sent;
    const name = `Draft ${picks.rarely(4) ? length - picks.below(10) : length}`;
    const draft = { owner, symbol: "D", name, totalsupply: "7" };
    return this.signed("tokensave", owner, draft);
  }

  /** Drafts that can be created, and those that just cannot any more. */
  #drafts(): readonly ModelDraft[] {
    const { addresses, time } = this.#model;
    return addresses.flatMap((address) => this.#model.drafts(address, time - 1));
  }

  #create(picks: Picks): Sent {
    const drafts = this.#drafts();
    const stale = this.#sent.filter(({ op }) => op === "tokensave");
    const odd = picks.odd("no draft", "any draft");
    const earlier = stale.length === 0 ? undefined : picks.of(stale);
    const isStale = drafts.length === 0 || odd === "any draft";
    const saved = isStale ? earlier?.params : picks.of(drafts).values;
    const owner = (saved?.["owner"] as Address | undefined) ?? picks.of(this.#model.addresses);
    const name = odd === "no draft" ? "Nothing" : (saved?.["name"] ?? "Nothing");
    const key = this.#key(owner, picks);
    // Whoever the key was issued to is the actor.
    const actor = key === undefined || key.of === "" ? owner : key.of;
    return this.signed("tokencreate", actor, {}, key, { name });
  }

  #changeSupply(op: "tokenburn" | "tokenincrease", picks: Picks): Sent {
    const { tokens, addresses } = this.#model;
    const odd = picks.odd("coin", "unknown", "nothing", "too much");
    const owned = [...tokens.values()].filter(({ owner }) => owner !== "");
    const id = odd === "coin" ? "0" : odd === "unknown" ? UNKNOWN_TOKEN : picks.of(owned).id;
    const actor = (tokens.get(id)?.owner || addresses[0]) as Address;
    const free = this.#model.free(actor, id);
    const most = op === "tokenburn" ? free : BigInt(MOST);
    const usual = picks.upTo(free < 100n ? (free === 0n ? 1n : free) : 100n);
    const amounts = { nothing: 0n, "too much": most + (op === "tokenburn" ? 1n : 0n) };
    const amount = given(odd, amounts) ?? usual;
    const params = { token: id, amount: String(amount), memo: picks.of(["", "so be it"]) };
    return this.signed(op, actor, params, this.#key(actor, picks));
  }

  #update(picks: Picks): Sent {
    const { tokens, addresses } = this.#model;
    const odd = picks.odd("coin", "unknown", "same", "nothing owned", "missing");
    const one = picks.of([...tokens.values()].filter(({ owner }) => owner !== ""));
    const texts =
      odd === "same" && one.information !== "" && one.image !== ""
        ? { url: one.url, info: one.information, image: one.image }
        : {
            url: picks.of(["https://example.com/", "http://x/y"]),
            info: odd === "missing" ? "" : picks.of(["a|b", "new", "ä"]),
            image: picks.of(["data:image/png;base64,AA==", "ipfs://x", ""]),
          };
    const named = given(odd, { coin: "0", unknown: UNKNOWN_TOKEN });
    const isDecided = named === undefined && (odd === "nothing owned" || picks.rarely(2));
    const owners = new Set([...tokens.values()].map(({ owner }) => owner));
    const poor = addresses.find((address) => !owners.has(address));
    const actor = odd === "nothing owned" && poor !== undefined ? poor : (one.owner as Address);
    const token = isDecided ? "" : (named ?? one.id);
    // Whose token it is without an id depends on the key, so that it had better be a good one.
    const key = isDecided ? undefined : this.#key(actor, picks);
    const decided: Texts = isDecided ? { token: one.id } : {};
    return this.signed("tokenupdate", actor, { token, ...texts }, key, decided);
  }

  #platform(picks: Picks): Texts {
    const address = picks.rarely(30) ? this.#ledger.drawAddress() : picks.of(this.#model.addresses);
    return {
      platform_name: picks.of(["", "Market"]),
      platform_url: picks.of(["", "https://example.com/"]),
      platform_address: picks.rarely(4) ? "" : address,
      platform_commission: picks.of(["", ...COMMISSIONS]),
    };
  }

  /** What is wrong with what sell, reqsell and auction have in common, and else. */
  #listing(op: string, by: Address, params: Texts, picks: Picks): Sent {
    const odds: { readonly [odd: string]: Texts } = {
      nothing: { amount: "0" },
      form: { amount: "01" },
      same: { token: params["mrc010id"] as string },
      "unknown token": { token: UNKNOWN_TOKEN },
      "unknown item": { mrc010id: UNKNOWN_TOKEN },
      commission: { platform_commission: "10.01" },
      stranger: { address: this.#ledger.drawAddress() },
    };
    const odd = picks.rarely(2) ? given(picks.odd(...Object.keys(odds)), odds) : undefined;
    const whole = { ...params, address: by, ...this.#platform(picks), ...odd };
    return this.signed(op, by, whole, this.#key(by, picks));
  }

  #sell(picks: Picks): Sent {
    const { holder, held, free, other } = this.#holding(picks);
    const odd = picks.odd("too much", "part of a unit", "free", "no end");
    const unit = picks.of([10n, 1n, 100n].filter((one) => one <= free || one === 1n));
    const most = free / unit < 30n ? free / unit : 30n;
    const count = odd === "too much" ? free / unit + 1n : picks.upTo(most < 1n ? 1n : most);
    const params = {
      mrc010id: held,
      amount: String(count * unit + (odd === "part of a unit" ? 1n : 0n)),
      min_trade_unit: unit === 1n && picks.rarely(2) ? "" : String(unit),
      token: other,
      price: odd === "free" ? "0" : odd === "no end" ? MOST : String(1 + picks.below(30)),
    };
    return this.#listing("mrc010sell", holder, params, picks);
  }

  #request(picks: Picks): Sent {
    const { holder, held, free, other } = this.#holding(picks);
    const odd = picks.odd("too much", "part of a unit", "free", "no end");
    const unit = picks.of([10n, 1n, 100n]);
    const price = BigInt(1 + picks.below(30));
    const affordable = (free * 10n) / (price * 11n);
    const most = affordable < 30n ? affordable : 30n;
    const count = odd === "too much" ? free / price + 1n : picks.upTo(most < 1n ? 1n : most);
    const params = {
      mrc010id: other,
      amount: String(count * unit + (odd === "part of a unit" ? 1n : 0n)),
      min_trade_unit: unit === 1n && picks.rarely(2) ? "" : String(unit),
      token: held,
      price: odd === "free" ? "0" : odd === "no end" ? MOST : String(price),
    };
    return this.#listing("mrc010reqsell", holder, params, picks);
  }

  #auction(picks: Picks): Sent {
    const { time } = this.#model;
    const { holder, held, free, other } = this.#holding(picks);
    const odd = picks.odd("too much", "free", "no step", "cheap", "past", "short", "long", "late");
    const price = 1 + picks.below(50);
    const most = free < 1n ? 1n : free < 50n ? free : 50n;
    const start = picks.rarely(3) ? time + picks.below(2000) : 0;
    const length = given(odd, { short: 3599, long: 1_814_401 }) ?? 3600 + picks.below(300);
    const isPlain = start === 0 && picks.rarely(4) && odd !== "short" && odd !== "long";
    const starts = { past: time - 1, late: time + 1_814_401 };
    const startDate = given(odd, starts) ?? start;
    const buyNow = picks.of(["", String(price + 7), String(price + 100), "0"]);
    const params = {
      mrc010id: held,
      amount: String(odd === "too much" ? free + 1n : picks.upTo(most)),
      token: other,
      auction_start_price: odd === "free" ? "0" : String(price),
      auction_bidding_unit: odd === "no step" ? "0" : picks.of(["", "5", "3"]),
      auction_buynow_price: odd === "cheap" ? String(price) : buyNow,
      auction_start_date: startDate === 0 ? "" : String(startDate),
      auction_end_date: isPlain ? "" : String((startDate || time) + length),
    };
    return this.#listing("mrc010auction", holder, params, picks);
  }

  /**
   * A listing of a side, open and running; rarely another one of that side, any, or one that is not
   * there.
   */
  #target(side: ModelListing["side"], picks: Picks): ModelListing | undefined {
    const running = this.#open(side);
    const all = [...this.#model.listings.values()];
    const others = all.filter((one) => one.side === side && !running.includes(one));
    const isOdd = running.length === 0 || picks.rarely(5);
    const from = isOdd ? picks.of([others, others, all]) : running;
    return from.length === 0 || picks.rarely(40) ? undefined : picks.of(from);
  }

  #open(side: ModelListing["side"]): readonly ModelListing[] {
    const { listings, time } = this.#model;
    // Those that begin or end just now are of interest, too.
    const isRunning = ({
      auction_start_date: start,
      auction_end_date: end,
    }: ModelListing): boolean => side !== "auction" || (start - 1 <= time && time <= end);
    return [...listings.values()].filter(
      (one) => one.side === side && one.state === "open" && isRunning(one),
    );
  }

  /** Whether it makes no sense to trade with listings of a side, because there are none. */
  #lacks(side: ModelListing["side"], picks: Picks): boolean {
    return this.#open(side).length === 0 && !picks.rarely(6);
  }

  #cancel(op: string, side: ModelListing["side"], picks: Picks): Sent {
    const listing = this.#target(side, picks);
    const creator = listing === undefined ? picks.of(this.#model.addresses) : creatorOf(listing);
    const actor = creator as Address;
    const dexid = listing?.dexid ?? UNKNOWN_LISTING;
    return this.signed(op, actor, { dexid }, this.#key(actor, picks));
  }

  /** Somebody who trades with a listing and had better have some of a token. */
  #taker(listing: ModelListing | undefined, token: string, least: bigint, picks: Picks): Address {
    const { addresses } = this.#model;
    const creator = listing === undefined ? "" : creatorOf(listing);
    const others = addresses.filter((address) => address !== creator);
    const able = others.filter((address) => this.#model.free(address, token) >= least);
    return picks.of(able.length === 0 || picks.rarely(8) ? others : able);
  }

  #take(
    op: string,
    listing: ModelListing | undefined,
    { by, amount, odd }: { by: Address; amount: bigint; odd: string | undefined },
    picks: Picks,
  ): Sent {
    const self = odd === "oneself" && listing !== undefined ? creatorOf(listing) : by;
    const address = odd === "stranger" ? this.#ledger.drawAddress() : self;
    const dexid = listing?.dexid ?? UNKNOWN_LISTING;
    const text = odd === "nothing" ? "0" : odd === "form" ? "1.0" : String(amount);
    const actor = address as Address;
    const key = odd === "stranger" ? this.#keyOf(by) : this.#key(actor, picks);
    return this.signed(op, actor, { dexid, address, amount: text }, key);
  }

  #buy(picks: Picks): Sent {
    const listing = this.#target("sell", picks);
    const [unit, price, remaining] = termsOf(listing);
    const token = listing === undefined ? "0" : payTokenOf(listing);
    const by = this.#taker(listing, token, price, picks);
    const affordable = this.#model.free(by, token) / price;
    return this.#trade("mrc010buy", listing, { by, unit, remaining, affordable }, picks);
  }

  #accept(picks: Picks): Sent {
    const listing = this.#target("buy", picks);
    const [unit, , remaining] = termsOf(listing);
    const token = listing?.mrc010 ?? "0";
    const by = this.#taker(listing, token, unit, picks);
    const affordable = this.#model.free(by, token) / unit;
    return this.#trade("mrc010acceptreqsell", listing, { by, unit, remaining, affordable }, picks);
  }

  /** Buys or sells a number of units, of which so many remain and so many are affordable. */
  #trade(
    op: string,
    listing: ModelListing | undefined,
    terms: { by: Address; unit: bigint; remaining: bigint; affordable: bigint },
    picks: Picks,
  ): Sent {
    const { by, unit, remaining, affordable } = terms;
    const most = remaining < affordable ? remaining : affordable;
    const odd = picks.odd("oneself", "stranger", "nothing", "form", "part", "too much", "poor");
    const counts = { "too much": remaining + 1n, poor: affordable + 1n };
    const count = given(odd, counts) ?? picks.upTo(most < 1n ? 1n : most);
    const amount = count * unit + (odd === "part" ? 1n : 0n);
    return this.#take(op, listing, { by, amount, odd }, picks);
  }

  #bid(picks: Picks): Sent {
    const listing = this.#target("auction", picks);
    const unit = BigInt(listing?.auction_bidding_unit ?? 1) || 1n;
    const start = BigInt(listing?.auction_start_price ?? 1);
    const buyNow = BigInt(listing?.auction_buynow_price ?? 0);
    const current = BigInt(listing?.auction_current_price || 0);
    const leader = listing?.auction_current_bidder ?? "";
    const odd = picks.odd(
      ...([
        "oneself",
        "stranger",
        "nothing",
        "form",
        "leader",
        "leader",
        "low",
        "off step",
        "same",
      ] as const),
      ...(["above", "poor"] as const),
    );
    const steps = current < start ? 0n : (current - start) / unit + 1n;
    const next = start + (steps + BigInt(picks.below(3))) * unit;
    const usual = buyNow > 0n && (next > buyNow || picks.rarely(3)) ? buyNow : next;
    const amounts = {
      low: start - 1n || 1n,
      "off step": next + 1n,
      same: current || start,
      above: buyNow + 1n,
      poor: next + 1_000_000n * unit,
    };
    const amount = given(odd, amounts) ?? usual;
    const token = listing === undefined ? "0" : payTokenOf(listing);
    const others = this.#taker(listing, token, amount, picks);
    const notLeader = others === leader ? this.#taker(listing, token, amount, picks) : others;
    // Who leads may still buy now.
    const isLeader = leader !== "" && (odd === "leader" || (amount === buyNow && picks.rarely(3)));
    const by = isLeader ? (leader as Address) : notLeader;
    return this.#take("mrc010bid", listing, { by, amount, odd }, picks);
  }

  #finish(picks: Picks): Sent {
    const { listings, time } = this.#model;
    const over = [...listings.values()].filter(
      ({ side, state, auction_end_date: end }) =>
        side === "auction" && state === "open" && end <= time + 1,
    );
    const isOver = over.length > 0 && !picks.rarely(5);
    const dexid = isOver ? picks.of(over).dexid : this.#target("auction", picks)?.dexid;
    const params = { dexid: dexid ?? UNKNOWN_LISTING };
    const op = "mrc010auctionfinish";
    return this.#noted({ op, actor: "", params, decided: {}, key: undefined });
  }
}

/** Which of the parameters with defaults an operation takes. */
const TAKES: { readonly [op: string]: readonly string[] } = {
  transfer: ["unlockdate"],
  tokensave: ["reserve", "reservedamount", "tier", "totalsupply", "type"],
  mrc010sell: ["min_trade_unit", "platform_commission"],
  mrc010reqsell: ["min_trade_unit", "platform_commission"],
  mrc010auction: [
    "auction_bidding_unit",
    "auction_buynow_price",
    "auction_end_date",
    "auction_start_date",
    "platform_commission",
  ],
};

function termsOf(listing: ModelListing | undefined): readonly [bigint, bigint, bigint] {
  const unit = BigInt(listing?.min_trade_unit ?? 1);
  const price = BigInt(listing?.sell_price || listing?.buy_price || 1);
  return [unit, price, BigInt(listing?.remain_amount ?? 1) / unit];
}
