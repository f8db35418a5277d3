import assert from "node:assert/strict";
import { type Address, operationText, type Texts } from "@moneta/protocol";
import { KEY_SECONDS, type TestLedger } from "../test-ledger.ts";
import type { JudgingModel } from "./judging-model.ts";
import type { ModelListing, Sent, TestKey } from "./ledger-model.ts";
import type { ModelOffer } from "./policy-model.ts";
import type { Kind, Lot, ModelGoods } from "./trade-rules.ts";

/** Makes an operation from choices and the state at that time. */
export type Maker = (picks: Picks) => Sent;
export type Makers = { readonly [op: string]: Maker };

export type Listed = ReturnType<ModelGoods["listed"]>[number];

export const UNKNOWN_TOKEN = "999";
export const UNKNOWN_PROJECT: string = `MRC400_${"0".repeat(33)}`;
/** Well-formed ids that are not in use, by kind. */
export const UNKNOWN = {
  mrc010: `DEX010_${"0".repeat(33)}`,
  mrc401: `${UNKNOWN_PROJECT}_${"0".repeat(40)}`,
  mrc402: `MRC402_${"0".repeat(33)}`,
} as const;
export const UNKNOWN_UNIT_LISTING: string = `DEX402_${"0".repeat(33)}`;
export const NO_ADDRESS = "MTnobody" as Address;

/** Defaults of optional parameters. `TAKES` lists, by operation, those to send or leave out. */
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
const TAKES: { readonly [op: string]: readonly string[] } = {
  transfer: ["unlockdate"],
  tokensave: ["reserve", "reservedamount", "tier", "totalsupply", "type"],
  mrc010sell: ["min_trade_unit", "platform_commission"],
  mrc010reqsell: ["min_trade_unit", "platform_commission"],
  mrc010auction: [
    ...["auction_bidding_unit", "auction_buynow_price", "auction_end_date"],
    ...["auction_start_date", "platform_commission"],
  ],
};

/**
 * The canonical text of an operation. Signatures are any text, because the ledger does not check
 * them.
 */
export function textOf({ op, actor, params, decided, key }: Sent, signature = "MEQ="): string {
  const signatures: Texts = key === undefined ? {} : { signature };
  return operationText({ op, actor, params, decided, signatures });
}

/** Choices from numbers; 0 chooses the usual case. */
export class Picks {
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

  rarely(oneIn: number): boolean {
    return this.below(oneIn) === oneIn - 1;
  }

  /** From 1 to `most`, a quarter of the time just that. */
  upTo(most: bigint): bigint {
    const bound = most > 1_000_000n ? 1_000_000 : Number(most);
    return this.below(4) === 3 ? most : BigInt(1 + this.below(bound));
  }

  /** Mostly undefined, else one of the odd values. */
  odd<V>(all: { readonly [name: string]: V }): V | undefined {
    return this.rarely(4) ? this.of(Object.values(all)) : undefined;
  }

  /** Mostly part of `most`, sometimes all of it, rarely more or nothing. */
  units(most: bigint): string {
    const part = BigInt(1 + this.below(Math.max(1, Math.min(Number(most), 6))));
    switch (this.below(14)) {
      case 12:
        return String(most + 1n);
      case 13:
        return this.rarely(2) ? "0" : String(most + 1000n);
      case 11:
      case 10:
      case 9:
      case 8:
        return String(most || 1n);
      default:
        return String(part);
    }
  }
}

/** Signs operations, chosen from the state of the model. */
export class TradingDesk {
  readonly ledger: TestLedger;
  readonly model: JudgingModel;
  readonly sent: Sent[] = [];

  constructor(ledger: TestLedger, model: JudgingModel) {
    this.ledger = ledger;
    this.model = model;
  }

  get time(): number {
    return this.model.time;
  }

  signed(op: string, actor: Address, params: Texts, given?: TestKey, decided: Texts = {}): Sent {
    const key = given ?? this.keyOf(actor);
    const name = { tokensave: "Temporarykey", transfer: "checkkey" }[op] ?? "tkey";
    const present = Object.entries(params).filter(([, text]) => text !== "");
    const sent = { ...Object.fromEntries(present), [name]: key.text };
    return this.#noted({ op, actor, params: sent, decided, key });
  }

  unsigned(op: string, params: Texts): Sent {
    return this.#noted({ op, actor: "", params, decided: {}, key: undefined });
  }

  #noted(sent: Sent): Sent {
    this.sent.push(sent);
    return sent;
  }

  keyOf(of: Address, expiry: number = this.ledger.now + KEY_SECONDS): TestKey {
    return { text: this.ledger.key(of, expiry), of, expiry };
  }

  /** A temporary key, mostly a good one. */
  key(of: Address, picks: Picks): TestKey {
    const used = this.sent.filter(({ actor, key }) => actor === of && key !== undefined);
    switch (picks.rarely(15) ? picks.below(6) : undefined) {
      case 0:
        return this.keyOf(this.other(picks, of));
      case 1:
        return this.keyOf(of, this.time - picks.below(2));
      case 2:
        return { text: "abc", of: "", expiry: 0 };
      case undefined:
        return this.keyOf(of);
      default:
        return used.at(-1 - picks.below(5))?.key ?? this.keyOf(of);
    }
  }

  /** An operation whose actor is mostly named, and otherwise known by the temporary key. */
  by(
    name: string,
    op: string,
    actor: Address,
    params: Texts,
    picks: Picks,
    { isNamed = false, key = this.key(actor, picks) }: { isNamed?: boolean; key?: TestKey } = {},
  ): Sent {
    const strangers = [this.ledger.drawAddress(), ...(op.startsWith("mrc401") ? [NO_ADDRESS] : [])];
    const odd = picks.rarely(25) ? picks.of(strangers) : undefined;
    const named = odd ?? (!isNamed && picks.rarely(3) ? "" : actor);
    const by = (named || key.of || actor) as Address;
    return this.signed(op, by, { ...params, [name]: named }, key);
  }

  /** One of the newest operations of type `wanted`, or of any type, signed again. */
  again(picks: Picks, wanted?: string): Sent {
    const ops = [...new Set(this.sent.map((sent) => sent.op))];
    const op = wanted !== undefined && ops.includes(wanted) ? wanted : picks.of(ops);
    const earlier = picks.of(this.sent.filter((sent) => sent.op === op).slice(-3));
    const names = TAKES[op] ?? [];
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

  other(picks: Picks, ...than: readonly string[]): Address {
    return picks.of(this.model.addresses.filter((address) => !than.includes(address)));
  }

  free(address: string, token: string): bigint {
    return this.model.free(address, token);
  }

  /** An address outside `but`, which can mostly pay the amount. */
  able(token: string, amount: bigint, picks: Picks, ...but: readonly string[]): Address {
    const others = this.model.addresses.filter((address) => !but.includes(address));
    const able = others.filter((address) => this.free(address, token) >= amount);
    return picks.of(able.length === 0 || picks.rarely(8) ? others : able);
  }

  /** Start and end of a sale: mostly open at once and for ever. */
  window(picks: Picks): Texts {
    const { time } = this;
    return picks.rarely(3)
      ? {
          sell_start: picks.of([
            ...["", String(time + 600), "0", String(time + 3000)],
            ...(picks.rarely(6) ? [String(time + 31_536_001)] : []),
          ]),
          sell_end: picks.of([
            ...[String(time + 3600), String(time + 300), "", String(time + 90_000)],
            ...(picks.rarely(6) ? [String(time)] : []),
          ]),
        }
      : {};
  }

  /** Metadata of an item: mostly none. */
  metadata(picks: Picks): Readonly<Record<string, string | object>> {
    const { time } = this;
    return {
      ...(picks.rarely(3) && {
        attributes: picks.of<object>([{ level: 7 }, { rare: true, level: "7" }, {}]),
      }),
      ...(picks.rarely(8) && { metadatahash: picks.of(["a".repeat(64), "b".repeat(64)]) }),
      ...(picks.rarely(6) && {
        item_url: "https://rpg.example/1",
        item_image_url: picks.rarely(6) ? "" : "https://rpg.example/1.png",
        frozen: picks.of([String(time), String(time + 4000), "0", String(time + 100_000)]),
      }),
    };
  }

  // Listings.

  listed(kind: Kind, side: ModelListing["side"]): readonly Listed[] {
    const goods = this.model.goods.find((one) => one.kind === kind) as ModelGoods;
    return goods.listed().filter((one) => one.side === side);
  }

  /** Mostly true if no listing of a side is open. */
  lacks(kind: Kind, side: ModelListing["side"], picks: Picks): boolean {
    return !this.listed(kind, side).some(({ isOpen }) => isOpen) && !picks.rarely(8);
  }

  /** A listing of a side, mostly one that can be taken, rarely any or none. */
  target(
    kind: Kind,
    side: ModelListing["side"],
    picks: Picks,
    isFit: (one: Listed) => boolean = () => true,
  ): Listed | undefined {
    const all = this.listed(kind, side);
    const open = all.filter((one) => one.isOpen);
    const fit = open.filter(isFit);
    const usual = fit.length > 0 && !picks.rarely(6) ? fit : open;
    const gone = all.filter(({ isGone }) => isGone);
    const closed = gone.length > 0 && picks.rarely(2) ? gone : all.filter((one) => !one.isOpen);
    const isOdd = usual.length === 0 || picks.rarely(6);
    const sides = (["sell", "buy", "auction"] as const).flatMap((one) => this.listed(kind, one));
    const from = isOdd ? (picks.rarely(3) || closed.length === 0 ? sides : closed) : usual;
    return from.length === 0 || picks.rarely(30) ? undefined : picks.of(from);
  }

  /** Offers that are open, or that are over and not closed. */
  offers<O extends ModelOffer>(all: ReadonlyMap<string, O>, which: "open" | "over"): O[] {
    return [...all.values()].filter(
      ({ state, end }) => state === "open" && (which === "open" || end <= this.time),
    );
  }

  /** An offer that is open, or mostly so. */
  anyOffer<O extends ModelOffer>(
    all: ReadonlyMap<string, O>,
    picks: Picks,
    open: readonly O[] = this.offers(all, "open"),
  ): O | undefined {
    const closed = [...all.values()].filter(({ state }) => state !== "open");
    const odd = closed.length > 0 ? closed : [...all.values()];
    const from = open.length === 0 || picks.rarely(7) ? odd : open;
    return from.length === 0 ? undefined : picks.of(from);
  }
}

/** The next bid of an auction: a `usual` step; rarely an `odd` amount, which is mostly refused. */
export function bidFor(lot: Lot | undefined, picks: Picks): { usual: bigint; odd: string } {
  const { start = 1n, step: unit = 1n, buyNow = 0n, current = 0n } = lot ?? {};
  const step = unit || 1n;
  const passed = current < start || current === 0n ? 0n : (current - start) / step + 1n;
  const next = start + (passed + BigInt(picks.below(3))) * step;
  const usual = buyNow > 0n && (next > buyNow || picks.rarely(4)) ? buyNow : next;
  const odd = picks.odd({
    low: String(start > 1n ? start - 1n : start),
    step: String(next + 1n),
    same: String(current || start || 1n),
    above: String(buyNow + 1n),
    poor: String(next + 100_000n * step),
    form: picks.of(["0", "01", "1.0"]),
  });
  return { usual: usual || 1n, odd: odd ?? "" };
}

/** Guards of a purchase, bid or offer, mostly none. */
export function guardsFor(transferable: string, picks: Picks, oneIn = 5): Texts {
  if (!picks.rarely(oneIn)) {
    return {};
  }
  const guards = picks.of<Texts>([
    { maxmeltfee: "99.9999", maxsellfee: "99.9999", transferable },
    { maxmeltfee: picks.of(["0", "10", "33.3333"]) },
    { maxsellfee: picks.of(["0", "10", "33.3333"]) },
    { transferable: picks.of(["Permanent", "Temporary", "Bound"]) },
  ]);
  return { ...guards, signed: "full" };
}
