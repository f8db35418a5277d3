import type { Mrc401bidRequest } from "../api.ts";

/** Terms of an item of either kind, as its `GET` shows them; amounts read or still as texts. */
export interface TermsOfItem {
  /** Empty for an item that stands alone: nobody can change its terms. */
  readonly mrc400: string;
  readonly transferable: string;
  readonly meltint_fee: string;
  readonly sell_fee: string;
  readonly initial_reserve: bigint | string;
  readonly melting_date: number;
  /** The following are of items of many units. */
  readonly totalsupply?: bigint | string;
  readonly meltedamount?: bigint | string;
  readonly creatorcommission?: string;
  readonly shareholder?: { readonly [address: string]: string };
  readonly platform_address?: string;
  readonly platform_commission?: string;
}

/** What the owner of an item's project may still change of it, to the cost of its holder. */
export interface OwnerPowers {
  /** The melting fee to which it may be raised, a percentage; absent if that takes nothing more. */
  readonly meltFee?: string;
  /** The same of the fee on later sales and auctions. */
  readonly sellFee?: string;
  /** Whether it may bind the item, so that nobody can sell it or pass it on. */
  readonly mayBind: boolean;
}

/** Rates in ten-thousandths of a percent. Source: mrc401 §7. */
const FEE_MAX = 999_999;
const WHOLE = 1_000_000;

/**
 * What the owner of the project may still change of an item, by what the item is now; undefined if
 * that is nothing that costs its holder anything. Source: mrc401 §2.6, mrc402 §2.4, §2.6.
 */
export function ownerPowers(item: TermsOfItem): OwnerPowers | undefined {
  const { mrc400, transferable, meltint_fee, sell_fee, initial_reserve, melting_date } = item;
  const { totalsupply = "1", meltedamount = "0" } = item;
  if (mrc400 === "" || melting_date > 0 || BigInt(totalsupply) === BigInt(meltedamount)) {
    return undefined;
  }
  const meltFee = raisedTo(FEE_MAX, meltint_fee);
  const others = otherRates(item).reduce((sum, rate) => sum + partsOf(rate), 0);
  const sellFee = raisedTo(Math.min(FEE_MAX, WHOLE - others), sell_fee);
  const powers = {
    ...(BigInt(initial_reserve) > 0n && meltFee !== undefined ? { meltFee } : {}),
    ...(transferable !== "Bound" && sellFee !== undefined ? { sellFee } : {}),
    mayBind: transferable === "Temporary",
  };
  return powers.mayBind || Object.keys(powers).length > 1 ? powers : undefined;
}

/** The sentence of `ownerPowers`, with what it can cost. It begins with "the owner". */
export function ownerPowersText({ meltFee, sellFee, mayBind }: OwnerPowers): string {
  const atAnyTime = [
    ...(meltFee === undefined ? [] : [`raise the melting fee to ${meltFee} %`]),
    ...(mayBind ? ["bind this item"] : []),
  ].join(" and ");
  const changes = [
    ...(atAnyTime === "" ? [] : [`${atAnyTime} at any time`]),
    ...(sellFee === undefined ? [] : [`take up to ${sellFee} % of later sales`]),
  ].join(", and ");
  const costs = [
    ...(meltFee === undefined ? [] : ["melting then pays next to nothing of the reserve"]),
    ...(mayBind ? ["a bound item can no longer be sold or transferred"] : []),
  ].join("; ");
  return `the owner may ${changes}${costs === "" ? "" : `: ${costs}`}`;
}

/**
 * Guards of a purchase or bid: it is refused with `7112` if the item has worse terms by then. Source:
 * mrc401 §2.6.
 */
export function guardsOf({
  meltint_fee: maxmeltfee,
  sell_fee: maxsellfee,
  transferable,
}: Pick<TermsOfItem, "meltint_fee" | "sell_fee" | "transferable">): Required<
  Pick<Mrc401bidRequest, "maxmeltfee" | "maxsellfee" | "transferable">
> {
  return { maxmeltfee, maxsellfee, transferable };
}

/**
 * What a seller receives of a payment with the fees of now, each rounded down: the `atleast` of an
 * acceptance. The owner of the project pays no fee on an item of its own; on units everybody pays.
 * Source: mrc401 §2.4, mrc402 §2.6, conventions §6.2.
 */
export function afterFees(
  item: TermsOfItem,
  payment: bigint,
  { sellerOwnsProject }: { readonly sellerOwnsProject: boolean },
): bigint {
  const isFree = item.mrc400 === "" || (sellerOwnsProject && item.totalsupply === undefined);
  const rates = [isFree ? "0" : item.sell_fee, ...otherRates(item)];
  return rates.reduce((rest, rate) => rest - partOf(payment, rate), payment);
}

/** A percentage of an amount, rounded down. Source: conventions §6.2. */
export function partOf(amount: bigint, rate: string): bigint {
  return (amount * BigInt(partsOf(rate))) / BigInt(WHOLE);
}

/** What others than the project's owner get of each sale. Source: mrc402 §2.6. */
function otherRates({
  creatorcommission = "0",
  shareholder = {},
  platform_address = "",
  platform_commission = "0",
}: TermsOfItem): readonly string[] {
  const platform = platform_address === "" ? "0" : platform_commission;
  return [creatorcommission, platform, ...Object.values(shareholder)];
}

/** The highest rate as text; undefined if the rate is that already. */
function raisedTo(most: number, rate: string): string | undefined {
  return most > partsOf(rate) ? String(most / 10_000) : undefined;
}

function partsOf(rate: string): number {
  return Math.round(Number(rate) * 10_000);
}
