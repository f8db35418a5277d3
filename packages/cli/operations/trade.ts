import { isProjectId } from "@moneta/protocol";
import {
  type DescribedAmount,
  guardsOf,
  ownerPowers,
  ownerPowersText,
  ProblemError,
  type TermsOfItem,
} from "@moneta/sdk";
import { WrongUse } from "../command-line/wrong-use.ts";
import { ledgerTime } from "../session/ledger-time.ts";
import type { Members, Params, Session } from "../session/session.ts";
import { visible } from "../terminal/visible-text.ts";
import { amountText, type TokenUnits, unitsText } from "../values/amounts.ts";
import { timeText } from "../values/times.ts";
import { payment, priceEach, type WireOffer } from "../values/token-price.ts";
import { recordSummary } from "../views/record-summary.ts";
import { itemText } from "../views/sentence.ts";

export interface Trade {
  readonly doing?: string;
  /** Afterwards, such as `on sale`. Without it the transaction's records show the movements. */
  readonly done?: string;
  /** One per line; none if the node will refuse. */
  readonly terms?: (params: Params, session: Session) => Promise<readonly string[]>;
}

/** 100 entries, and a line with their total. */
const LINES_MAX = 101;

export function termsText(introduction: string, terms: readonly string[]): string {
  const shown = terms.slice(0, LINES_MAX).map((row) => visible(row));
  const [only = ""] = shown;
  return shown.length === 1
    ? `${introduction} ${only}`
    : [introduction.endsWith(":") ? introduction : `${introduction}:`, ...shown].join("\n  ");
}

/** Source: accounts §8. */
export async function paymentTerms(
  { transferlist, to: address = "", amount = "0", unlockdate = "0", token, from: payer }: Params,
  session: Session,
): Promise<readonly string[]> {
  const payments =
    transferlist === undefined ? [{ address, amount, unlockdate }] : entriesOf(transferlist);
  const units = await session.units(token ?? "0");
  const isLocked = payments.some(({ unlockdate: from = "0" }) => from !== "0");
  // For information only: without the time the payment continues.
  const now =
    isLocked && payer !== undefined
      ? await ledgerTime(payer, session).catch(() => undefined)
      : undefined;
  const lines = payments.map(({ address: payee, amount: part = "0", unlockdate: from = "0" }) => {
    const date = timeText(Number(from));
    const isPast = now !== undefined && Number(from) <= now;
    const text = isPast ? `not locked: ${date} is in the past` : `locked until ${date}`;
    const lock = from === "0" ? "" : `, ${text}`;
    return `${amountText(part, units)} to ${payee}${lock}`;
  });
  const total = payments.reduce((sum, { amount: part = "0" }) => sum + BigInt(part), 0n);
  return lines.length === 1 ? lines : [`${amountText(String(total), units)} in all`, ...lines];
}

/** Source: tokens §9. */
export function tokenOfferTerms(side: "sell" | "buy"): NonNullable<Trade["terms"]> {
  return async (params, session) => {
    const { mrc010id = "", token = "0", amount = "0", price = "0", min_trade_unit = "1" } = params;
    const tokens = { goods: mrc010id, money: token };
    const text = await offerText(amount, { price, min_trade_unit }, tokens, session);
    const { platform_address: platform = "", platform_commission: rate = "0" } = params;
    const hasFee = platform !== "" && rate !== "0";
    const fee = hasFee
      ? side === "sell"
        ? `, ${rate} % of it to ${platform}`
        : `, and up to ${rate} % on top to ${platform}`
      : "";
    const finest =
      min_trade_unit === "1"
        ? ""
        : `, in multiples of ${await paid(min_trade_unit, mrc010id, session)}`;
    return [`${text}${fee}${finest}`];
  };
}

async function offerText(
  amount: string,
  offer: WireOffer,
  tokens: { readonly goods: string; readonly money: string },
  session: Session,
): Promise<string> {
  const goods = await session.units(tokens.goods);
  const money = await session.units(tokens.money);
  const total = amountText(String(payment(offer, BigInt(amount))), money);
  return `${amountText(amount, goods)} at ${priceEach(offer, { goods, money })} each, ${total} in all`;
}

/** Source: tokens §11. */
export async function tokenTakeTerms(
  { dexid = "", amount = "0" }: Params,
  session: Session,
): Promise<readonly string[]> {
  const listing = await session.lookUp("tokenListing", { dexid });
  const side = listing["side"] === "buy" ? "buy" : "sell";
  const offer = {
    price: String(listing[`${side}_price`]),
    min_trade_unit: String(listing["min_trade_unit"]),
  };
  if (!/^[1-9]/.test(offer.price)) {
    return [];
  }
  const tokens = { goods: String(listing["mrc010"]), money: String(listing[`${side}_token`]) };
  return [await offerText(amount, offer, tokens, session)];
}

/** Prices are for the whole lot. Source: tokens §12. */
export async function tokenAuctionTerms(
  params: Params,
  session: Session,
): Promise<readonly string[]> {
  const { mrc010id = "", amount = "0", token = "0" } = params;
  const goods = amountText(amount, await session.units(mrc010id));
  return [`${goods} as one lot ${auctionTerms(params, await session.units(token))}`];
}

export async function tokenBidTerms(
  { dexid = "", amount = "0" }: Params,
  session: Session,
): Promise<readonly string[]> {
  const listing = await session.lookUp("tokenListing", { dexid });
  const goods = amountText(
    String(listing["amount"]),
    await session.units(String(listing["mrc010"])),
  );
  return [`${await paid(amount, listing["sell_token"], session)} for ${goods}`];
}

/** One per line. Source: mrc401 §10, §13. */
export async function itemTerms(
  { itemdata = "[]" }: Params,
  session: Session,
): Promise<readonly string[]> {
  const entries = entriesOf(itemdata);
  return await Promise.all(entries.map((entry) => entryTerms(entry, entries.length, session)));
}

/** Source: mrc402 §11, §14. */
export async function unitTerms(params: Params, session: Session): Promise<readonly string[]> {
  const { itemdata, id = "" } = params;
  if (itemdata === undefined) {
    return [await entryTerms({ ...params, id, amount: params["amount"] ?? "1" }, 1, session)];
  }
  const entries = entriesOf(itemdata).map((entry) => ({ amount: "1", ...entry }));
  return await Promise.all(entries.map((entry) => entryTerms(entry, entries.length, session)));
}

async function entryTerms(entry: Params, count: number, session: Session): Promise<string> {
  const { id = "", token = "0", amount, price } = entry;
  const money = await session.units(token);
  const item = await itemText(id, session, { of: count });
  const goods = amount === undefined ? item : `${unitsText(amount)} of ${item}`;
  if (price === undefined) {
    return `${goods}${amount === undefined ? "" : " as one lot"} ${auctionTerms(entry, money)}`;
  }
  return amount === undefined
    ? `${goods} for ${amountText(price, money)}`
    : `${goods} at ${amountText(price, money)} each, ${amountText(String(BigInt(price) * BigInt(amount)), money)} in all`;
}

function auctionTerms(
  { auction_start_price, auction_bidding_unit, auction_buynow_price, ...others }: Params,
  money: TokenUnits,
): string {
  const [start, step, now] = [
    auction_start_price ?? others["start"] ?? "0",
    auction_bidding_unit ?? others["bidding"] ?? "1",
    auction_buynow_price ?? others["buynow"] ?? others["bnynow"] ?? "0",
  ];
  const atOnce = now === "0" ? "" : `, buy now for ${amountText(now, money)}`;
  return `starting at ${amountText(start, money)}, bids at least ${amountText(step, money)} higher${atOnce}`;
}

export async function itemBuyTerms(
  { mrc401id = "", price, token }: Params,
  session: Session,
): Promise<readonly string[]> {
  return price === undefined
    ? []
    : [`${await itemText(mrc401id, session)} for ${await paid(price, token, session)}`];
}

export async function unitBuyTerms(
  { id = "", price, token, amount = "1" }: Params,
  session: Session,
): Promise<readonly string[]> {
  if (price === undefined) {
    return [];
  }
  const total = String(BigInt(price) * BigInt(amount));
  const { item } = await itemMeant({ kind: "mrc402", id, isNeeded: false }, session);
  return [
    `${unitsText(amount)} of ${await itemText(String(item["id"] ?? id), session)} at ${await paid(price, token, session)} each, ${await paid(total, token, session)} in all`,
  ];
}

/** A bid for an item, or for a lot of units, whose id the guard adds. */
export async function bidTerms(
  { mrc401id, id = "", amount = "0", token }: Params,
  session: Session,
): Promise<readonly string[]> {
  const lot = mrc401id === undefined ? await listingOfUnits(id, session) : undefined;
  const item = await itemText(mrc401id ?? String(lot?.["mrc402"]), session);
  const goods = lot === undefined ? item : `${unitsText(String(lot["amount"]))} of ${item}`;
  return [`${await paid(amount, token, session)} for ${goods}`];
}

/**
 * Price and token of an item on sale, sent along. Throws a `WrongUse` without a sale: a node that
 * denies it could keep the signed request for a sale at any price.
 */
export async function itemPrice(
  { mrc401id = "", price, token, ...given }: Params,
  session: Session,
): Promise<Params> {
  const isNamed = price !== undefined && token !== undefined;
  const wanted = { kind: "mrc401", id: mrc401id, isNeeded: !isNamed } as const;
  const { item } = await itemMeant(wanted, session);
  const { sell_date, sell_price, sell_token } = item;
  if (sell_date === 0 && !isNamed) {
    throw new WrongUse(
      `${mrc401id} is not on sale, and a purchase without a price would pay any: moneta item list --state sale lists items on sale`,
    );
  }
  return {
    price: price ?? String(sell_price),
    token: token ?? String(sell_token),
    ...termGuards(item, given),
  };
}

/**
 * Guards for an item's terms, which its project's owner may change; given ones stay. None if the
 * item is not on the ledger. Source: mrc401 §2.6.
 */
export function termGuards(item: Members, given: Params): Params {
  const { maxmeltfee, maxsellfee, transferable } = given;
  const guards = item["id"] === undefined ? {} : guardsOf(item as unknown as TermsOfItem);
  return {
    ...guards,
    ...(maxmeltfee !== undefined && { maxmeltfee }),
    ...(maxsellfee !== undefined && { maxsellfee }),
    ...(transferable !== undefined && { transferable }),
  };
}

/** Guards for a purchase of units. Of several offers the buyer must name one. */
export async function unitPrice(
  { id = "", price, token, ...given }: Params,
  session: Session,
): Promise<Params> {
  const isNamed = price !== undefined && token !== undefined;
  const { item, listing } = await itemMeant({ kind: "mrc402", id, isNeeded: !isNamed }, session);
  const record = listing ?? item;
  const offers = listing === undefined ? item["sell_count"] : Number(listing["side"] === "sell");
  if (offers !== 1 && !isNamed) {
    throw new WrongUse(
      `${notOne(id, { count: offers, state: "on sale", what: "offer" })}, and a purchase without a price would pay any: ${marketOf(id, "sell")}`,
    );
  }
  return {
    price: price ?? String(record["sell_price"]),
    token: token ?? String(record["sell_token"]),
    ...termGuards(item, given),
  };
}

export type Kind = "mrc401" | "mrc402";

export async function itemOf(kind: Kind, id: string, session: Session): Promise<Members> {
  return await session.lookUp(kind, { [`${kind}id`]: id });
}

async function itemMeant(
  { kind, id, isNeeded }: { readonly kind: Kind; readonly id: string; readonly isNeeded: boolean },
  session: Session,
): Promise<{ readonly item: Members; readonly listing?: Members }> {
  if (!isListing(id)) {
    return { item: await lookUpIf(isNeeded, () => itemOf(kind, id, session)) };
  }
  const listing = await lookUpIf(isNeeded, () => listingOfUnits(id, session));
  const mrc402id = String(listing["mrc402"] ?? "");
  const item = mrc402id === "" ? {} : await session.lookUp("mrc402", { mrc402id });
  return { item, listing };
}

/** A new auction may be in another token. Throws a `WrongUse` without an auction. */
export async function itemBid(
  { mrc401id = "", token, ...given }: Params,
  session: Session,
): Promise<Params> {
  const wanted = { kind: "mrc401", id: mrc401id, isNeeded: token === undefined } as const;
  const { item } = await itemMeant(wanted, session);
  const { auction_date, auction_token } = item;
  if (auction_date === 0 && token === undefined) {
    throw new WrongUse(
      `${mrc401id} is not on auction, and a bid without a token could be in any: moneta item list --state auction lists items on auction`,
    );
  }
  return { token: token ?? String(auction_token), ...termGuards(item, given) };
}

/** Guards with the lot instead of its item: a new auction may have fewer units. */
export async function unitBid(
  { id = "", token, ...given }: Params,
  session: Session,
): Promise<Params> {
  const item = isListing(id) ? undefined : await itemOf("mrc402", id, session);
  const lotId = item === undefined ? id : String(item["auction_dexid"]);
  const lot = isListing(lotId) ? await listingOfUnits(lotId, session) : {};
  const lots = item === undefined ? Number(lot["side"] === "auction") : item["auction_count"];
  if (lots !== 1) {
    throw new WrongUse(
      `${notOne(id, { count: lots, state: "on auction", what: "auction" })}: ${marketOf(id, "auction")}`,
    );
  }
  const terms = item ?? (await itemOf("mrc402", String(lot["mrc402"]), session));
  return { id: lotId, token: token ?? String(lot["sell_token"]), ...termGuards(terms, given) };
}

function notOne(
  id: string,
  {
    count,
    state,
    what,
  }: { readonly count: unknown; readonly state: string; readonly what: string },
): string {
  return Number(count) > 1
    ? `${id} has several ${what}s: name one of them`
    : `${id} is not ${state}`;
}

function marketOf(id: string, side: "sell" | "auction"): string {
  const item = isListing(id) ? "" : ` --item ${id}`;
  return `moneta units market${item} --side ${side} lists them`;
}

async function listingOfUnits(dexid: string, session: Session): Promise<Members> {
  return await session.lookUp("mrc402Listing", { dexid });
}

function isListing(id: string): boolean {
  return id.startsWith("DEX402_");
}

/** No members if it is not needed and not on the ledger. */
async function lookUpIf(isNeeded: boolean, lookUp: () => Promise<Members>): Promise<Members> {
  try {
    return await lookUp();
  } catch (thrown) {
    if (!isNeeded && thrown instanceof ProblemError && thrown.code === "6004") {
      return {};
    }
    throw thrown;
  }
}

/** Changes that the project's owner can still make, a line each. Source: mrc401 §2.6. */
export function ownerNotes(kind: Kind): NonNullable<Trade["terms"]> {
  return async ({ mrc401id, mrc402id, id = mrc401id ?? mrc402id, itemdata = "[]" }, session) => {
    const ids = id === undefined ? (JSON.parse(itemdata) as readonly string[]) : [id];
    const items = await Promise.all(
      ids
        .filter((each) => !isProjectId(each))
        .map(async (each) => {
          const { item } = await itemMeant({ kind, id: each, isNeeded: false }, session);
          return item;
        }),
    );
    const byText = Map.groupBy(
      items.filter((item) => item["id"] !== undefined),
      (item) => {
        const powers = ownerPowers(item as unknown as TermsOfItem);
        return powers === undefined
          ? ""
          : `${ownerPowersText(powers)} (owner of ${item["mrc400"]})`;
      },
    );
    byText.delete("");
    const lines = [...byText].map(async ([text, of]) => {
      const named = of.map((item) => itemText(String(item["id"]), session, { of: items.length }));
      return `${(await Promise.all(named)).join(", ")}: ${text}`;
    });
    return await Promise.all(lines);
  };
}

async function paid(units: string, token: unknown, session: Session): Promise<string> {
  return amountText(units, await session.units(String(token ?? "0")));
}

function entriesOf(list: string): readonly Params[] {
  return (JSON.parse(list) as readonly Members[]).map((entry) =>
    Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, String(value)])),
  );
}

/** Of the address, or of all addresses without a signer. */
export async function movesText(
  id: string,
  address: string | undefined,
  session: Session,
): Promise<readonly string[]> {
  const record = await session.lookUp("transaction", { transaction_id: id });
  const records = [record, ...(record["effects"] as readonly Members[])].filter((each) =>
    address === undefined ? /^MT/.test(String(each["address"])) : each["address"] === address,
  );
  const lines = records.map(async (each) => {
    const { money, goods } = recordSummary(each);
    const moved = [
      ...(money === undefined ? [] : [await movedText(money, "paid", session)]),
      ...(goods === undefined ? [] : [await movedText(goods, "gave", session)]),
    ];
    const who = address === undefined ? `${each["address"]} ` : "";
    return moved.length === 0 ? "" : visible(`${who}${moved.join(", ")}`);
  });
  return [...new Set((await Promise.all(lines)).filter((line) => line !== ""))];
}

async function movedText(
  { role, amount, token }: DescribedAmount,
  out: "paid" | "gave",
  session: Session,
): Promise<string> {
  const units = String(amount);
  const text = token === undefined ? unitsText(units) : await paid(units, token, session);
  return `${role === "out" ? out : "got"} ${text}`;
}
