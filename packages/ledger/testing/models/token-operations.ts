import type { Address, Texts } from "@moneta/protocol";
import type { ModelDraft, ModelListing, Sent } from "./ledger-model.ts";
import { MOST } from "./model-terms.ts";
import { tradeMakers } from "./trade-operations.ts";
import {
  type Makers,
  type Picks,
  type TradingDesk,
  UNKNOWN,
  UNKNOWN_TOKEN,
} from "./trading-desk.ts";

const COMMISSIONS = ["0", "0.01", "1", "2.5", "5.70", "10"];

export function tokenMakers(desk: TradingDesk): Makers {
  const { model, ledger } = desk;

  /** An address that can spend some of a token, and the other token of a trade. */
  const holding = (
    picks: Picks,
  ): { holder: Address; held: string; free: bigint; other: string } => {
    const { addresses, tokens } = model;
    const held = picks.of([...tokens.keys()]);
    const holders = addresses.filter((address) => model.free(address, held) > 0n);
    const holder = picks.of(holders.length === 0 ? addresses : holders);
    const others = [...tokens.keys()].filter((token) => token !== held);
    return { holder, held, free: model.free(holder, held), other: picks.of(others) };
  };

  const transfer = (picks: Picks): Sent => {
    const { holder: from, held: token, free } = holding(picks);
    const params = {
      from,
      to: desk.other(picks, from),
      token,
      amount: String(picks.upTo(free < 500n ? free : 500n) || 1n),
      unlockdate: picks.rarely(3) ? String(desk.time + picks.of([500, 0, 2500, 4000, -10])) : "",
      ...picks.odd<Texts>({
        payee: { to: ledger.drawAddress() },
        token: { token: UNKNOWN_TOKEN },
        much: { amount: String(free + 1n) },
      }),
    };
    return desk.signed("transfer", from, params, desk.key(from, picks));
  };

  const save = (picks: Picks): Sent => {
    const [mostly] = model.addresses as [Address];
    const owner = picks.of([mostly, ...model.addresses, mostly, mostly]);
    const supply = BigInt(picks.of([5000, 0, 100, 20_000]));
    const entry = (): Record<string, string | number> => ({
      address: picks.of(model.addresses),
      value: String(1n + supply / 4n),
      ...(picks.rarely(2) ? { unlockdate: desk.time + picks.of([600, 4000, -5]) } : {}),
    });
    const entries = Array.from({ length: picks.below(3) }, entry);
    const reserved = (odd: Record<string, string>): Texts => ({
      reserve: JSON.stringify([{ ...entry(), ...odd }]),
    });
    const params = {
      owner,
      symbol: picks.of(["AU", "AG"]),
      name: picks.of(["Gold", "Silver", "Tin", "Lead"]),
      totalsupply: supply === 0n ? "" : String(supply),
      decimal: picks.of(["", "2", "18"]),
      reservedamount: picks.rarely(3) ? "1" : "",
      reserve: entries.length === 0 ? "" : JSON.stringify(entries),
      tier: picks.of(["", '[{"price":5,"x":[true,null]}]']),
      category: picks.of(["", "metal"]),
      url: picks.of(["", "https://example.com/"]),
      image: picks.of(["", "ipfs://x"]),
      type: picks.of(["", "100"]),
      token: picks.of(["", "0"]),
      ...picks.odd<Texts>({
        bar: { name: "a|b" },
        supply: { totalsupply: `0${supply}` },
        little: { totalsupply: "1", reserve: JSON.stringify([entry()]) },
        most: { totalsupply: String(MOST) },
        decimal: { decimal: "x" },
        decimals: { decimal: "19" },
        reserved: { reservedamount: "20001" },
        reserve: { reserve: '[{"address":' },
        unknown: reserved({ address: ledger.drawAddress() }),
        value: reserved({ value: "0" }),
        date: reserved({ unlockdate: "2147483648" }),
      }),
    };
    return desk.signed("tokensave", owner, params, desk.key(owner, picks));
  };

  const draft = (picks: Picks): Sent => {
    const owner = model.addresses[0] as Address;
    const { length } = desk.sent;
    const name = `Draft ${picks.rarely(4) ? length - picks.below(10) : length}`;
    return desk.signed("tokensave", owner, { owner, symbol: "D", name, totalsupply: "7" });
  };

  /** Drafts that can be created, and those that just cannot any more. */
  const drafts = (): readonly ModelDraft[] =>
    model.addresses.flatMap((address) => model.drafts(address, desk.time - 1));

  const create = (picks: Picks): Sent => {
    const stale = desk.sent.filter(({ op }) => op === "tokensave");
    const odd = picks.rarely(4) ? picks.of(["no draft", "any draft"]) : undefined;
    const earlier = stale.length === 0 ? undefined : picks.of(stale);
    const isStale = drafts().length === 0 || odd === "any draft";
    const saved = isStale ? earlier?.params : picks.of(drafts()).values;
    const owner = (saved?.["owner"] as Address | undefined) ?? picks.of(model.addresses);
    const name = odd === "no draft" ? "Nothing" : (saved?.["name"] ?? "Nothing");
    const key = desk.key(owner, picks);
    // The address that the key was issued to is the actor.
    return desk.signed("tokencreate", key.of === "" ? owner : key.of, {}, key, { name });
  };

  const owned = (picks: Picks) =>
    picks.of([...model.tokens.values()].filter(({ owner }) => owner !== ""));

  const supply =
    (op: "tokenburn" | "tokenincrease") =>
    (picks: Picks): Sent => {
      const id = picks.odd({ coin: "0", unknown: UNKNOWN_TOKEN }) ?? owned(picks).id;
      const actor = (model.tokens.get(id)?.owner || model.addresses[0]) as Address;
      const free = model.free(actor, id);
      const most = op === "tokenburn" ? free + 1n : MOST;
      const usual = picks.upTo(free < 100n ? free || 1n : 100n);
      const amount = picks.odd({ nothing: 0n, much: most }) ?? usual;
      const params = { token: id, amount: String(amount), memo: picks.of(["", "so be it"]) };
      return desk.signed(op, actor, params, desk.key(actor, picks));
    };

  const update = (picks: Picks): Sent => {
    const one = owned(picks);
    const isSame = picks.rarely(5) && one.information !== "" && one.image !== "";
    const texts = isSame
      ? { url: one.url, info: one.information, image: one.image }
      : {
          url: picks.of(["https://example.com/", "http://x/y"]),
          info: picks.rarely(15) ? "" : picks.of(["a|b", "new", "ä"]),
          image: picks.of(["data:image/png;base64,AA==", "ipfs://x", ""]),
        };
    const named = picks.odd({ coin: "0", unknown: UNKNOWN_TOKEN });
    const owners = new Set([...model.tokens.values()].map(({ owner }) => owner));
    const poor = model.addresses.find((address) => !owners.has(address));
    const isPoor = poor !== undefined && picks.rarely(8);
    const isDecided = named === undefined && (isPoor || picks.rarely(2));
    const actor = (isPoor ? poor : one.owner) as Address;
    // Without an id, the key decides whose token it is, so the key is mostly valid.
    const key = isDecided ? undefined : desk.key(actor, picks);
    const decided: Texts = isDecided ? { token: one.id } : {};
    const token = isDecided ? "" : (named ?? one.id);
    return desk.signed("tokenupdate", actor, { token, ...texts }, key, decided);
  };

  const platform = (picks: Picks): Texts => ({
    platform_name: picks.of(["", "Market"]),
    platform_url: picks.of(["", "https://example.com/"]),
    platform_address: picks.rarely(4)
      ? ""
      : picks.rarely(30)
        ? ledger.drawAddress()
        : picks.of(model.addresses),
    platform_commission: picks.of(["", ...COMMISSIONS]),
  });

  /** A listing, and a fault in the parameters that sell, reqsell and auction share. */
  const listing = (op: string, by: Address, params: Texts, picks: Picks): Sent => {
    const odd = picks.odd<Texts>({
      nothing: { amount: "0" },
      form: { amount: "01" },
      same: { token: params["mrc010id"] as string },
      token: { token: UNKNOWN_TOKEN },
      item: { mrc010id: UNKNOWN_TOKEN },
      commission: { platform_commission: "10.01" },
      stranger: { address: ledger.drawAddress() },
    });
    const whole: Texts = {
      ...params,
      address: by,
      ...platform(picks),
      ...(picks.rarely(2) && odd),
    };
    const isFull = ["sell_start", "sell_end", "extend"].some((name) => whole[name]);
    return desk.signed(
      op,
      by,
      { ...whole, ...(isFull && { signed: "full" }) },
      desk.key(by, picks),
    );
  };

  const sell = (picks: Picks): Sent => {
    const { holder, held, free, other } = holding(picks);
    const unit = picks.of([10n, 1n, 100n].filter((one) => one <= free || one === 1n));
    const most = free / unit < 30n ? free / unit : 30n;
    const count = picks.upTo(most || 1n);
    const params = {
      mrc010id: held,
      amount: String(count * unit),
      min_trade_unit: unit === 1n && picks.rarely(2) ? "" : String(unit),
      token: other,
      price: String(1 + picks.below(30)),
      ...desk.window(picks),
      ...picks.odd<Texts>({
        much: { amount: String((free / unit + 1n) * unit) },
        part: { amount: String(count * unit + 1n) },
        free: { price: "0" },
        most: { price: String(MOST) },
      }),
    };
    return listing("mrc010sell", holder, params, picks);
  };

  const request = (picks: Picks): Sent => {
    const { holder, held, free, other } = holding(picks);
    const unit = picks.of([10n, 1n, 100n]);
    const price = BigInt(1 + picks.below(30));
    const affordable = (free * 10n) / (price * 11n);
    const count = picks.upTo((affordable < 30n ? affordable : 30n) || 1n);
    const params = {
      mrc010id: other,
      amount: String(count * unit),
      min_trade_unit: unit === 1n && picks.rarely(2) ? "" : String(unit),
      token: held,
      price: String(price),
      ...picks.odd<Texts>({
        much: { amount: String((free / price + 1n) * unit) },
        part: { amount: String(count * unit + 1n) },
        free: { price: "0" },
        most: { price: String(MOST) },
      }),
    };
    return listing("mrc010reqsell", holder, params, picks);
  };

  const auction = (picks: Picks): Sent => {
    const { time } = desk;
    const { holder, held, free, other } = holding(picks);
    const price = 1 + picks.below(50);
    const start = picks.rarely(3) ? time + picks.below(2000) : 0;
    const odd = picks.odd<{ start?: number; length?: number } | Texts>({
      much: { amount: String(free + 1n) },
      free: { auction_start_price: "0" },
      step: { auction_bidding_unit: "0" },
      cheap: { auction_buynow_price: String(price) },
      extend: { extend: picks.of(["x", "3601"]) },
      past: { auction_start_date: String(time - 1) },
      late: { auction_start_date: String(time + 1_814_401) },
      short: { auction_end_date: String((start || time) + 3599) },
      long: { auction_end_date: String((start || time) + 1_814_401) },
    });
    const length = 3600 + picks.below(300);
    const params = {
      mrc010id: held,
      amount: String(picks.upTo((free < 50n ? free : 50n) || 1n)),
      token: other,
      auction_start_price: String(price),
      auction_bidding_unit: picks.of(["", "5", "3"]),
      auction_buynow_price: picks.of(["", String(price + 7), String(price + 100), "0"]),
      auction_start_date: start === 0 ? "" : String(start),
      auction_end_date: start === 0 && picks.rarely(4) ? "" : String((start || time) + length),
      extend: picks.rarely(3) ? picks.of(["300", "3600", "0"]) : "",
      ...(odd as Texts | undefined),
    };
    return listing("mrc010auction", holder, params, picks);
  };

  const cancel =
    (op: string, side: ModelListing["side"], list: (picks: Picks) => Sent) =>
    (picks: Picks): Sent => {
      if (desk.lacks("mrc010", side, picks)) {
        return list(picks);
      }
      const { lot } = desk.target("mrc010", side, picks, (one) => one.lot.leader === "") ?? {};
      const actor = (lot?.seller ?? picks.of(model.addresses)) as Address;
      return desk.signed(op, actor, { dexid: lot?.id ?? UNKNOWN.mrc010 }, desk.key(actor, picks));
    };

  const accept = (picks: Picks): Sent => {
    if (desk.lacks("mrc010", "buy", picks)) {
      return request(picks);
    }
    const one = desk.target("mrc010", "buy", picks);
    const { id = UNKNOWN.mrc010, unit = 1n, remain = 1n, seller = "" } = one?.lot ?? {};
    const token = model.tokenListings.get(id)?.mrc010 ?? "0";
    const by = picks.rarely(12) && seller !== "" ? seller : desk.able(token, unit, picks, seller);
    const affordable = model.free(by, token) / unit;
    const most = remain / unit < affordable ? remain / unit : affordable;
    const amount = picks.odd({
      nothing: "0",
      form: "1.0",
      part: String(unit + 1n),
      much: String(remain + unit),
      poor: String((affordable + 1n) * unit),
    });
    const usual = String(picks.upTo(most || 1n) * unit);
    const params = { dexid: id, amount: amount ?? usual };
    const isNamed = true;
    return desk.by("address", "mrc010acceptreqsell", by as Address, params, picks, { isNamed });
  };

  return {
    transfer,
    tokensave: save,
    draft,
    tokencreate: (picks) => (drafts().length === 0 && !picks.rarely(6) ? save : create)(picks),
    tokenburn: supply("tokenburn"),
    tokenincrease: supply("tokenincrease"),
    tokenupdate: update,
    mrc010sell: sell,
    mrc010reqsell: request,
    mrc010auction: auction,
    mrc010acceptreqsell: accept,
    mrc010unsell: cancel("mrc010unsell", "sell", sell),
    mrc010unreqsell: cancel("mrc010unreqsell", "buy", request),
    mrc010unauction: cancel("mrc010unauction", "auction", auction),
    ...tradeMakers(desk, "mrc010", { sell, auction }),
  };
}
