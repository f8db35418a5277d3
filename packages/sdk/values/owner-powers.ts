import type { Mrc401bidRequest } from "../api.ts";

/** Terms of an item of either kind, as its `GET` shows them. */
export interface TermsOfItem {
  /** Empty for an item that stands alone, whose terms cannot change. */
  readonly mrc400: string;
  readonly transferable: string;
  readonly meltint_fee: string;
  readonly sell_fee: string;
  readonly initial_reserve: bigint | string;
  readonly melting_date: number;
  readonly policy?: { readonly terms?: string | undefined };
  /** The following members are of multi-unit items. */
  readonly totalsupply?: bigint | string;
  readonly meltedamount?: bigint | string;
  readonly creatorcommission?: string;
  readonly shareholder?: { readonly [address: string]: string };
  readonly platform_address?: string;
  readonly platform_commission?: string;
}

export interface OwnerPowers {
  /**
   * The percentage to which the melting fee may be raised; absent if that would cost nothing more.
   */
  readonly meltFee?: string;
  readonly sellFee?: string;
  /** Whether the owner may make the item non-transferable. */
  readonly mayBind: boolean;
}

/** Rates in ten-thousandths of a percent. Source: mrc401 §7. */
const FEE_MAX = 999_999;
const WHOLE = 1_000_000;

/**
 * The changes that the project's owner can make at the holder's cost, given the item's current
 * terms; undefined if there are none. Source: mrc401 §2.6, mrc402 §2.4, §2.6, policies §8.
 */
export function ownerPowers(item: TermsOfItem): OwnerPowers | undefined {
  const { mrc400, transferable, meltint_fee, sell_fee, initial_reserve, melting_date } = item;
  const { totalsupply = "1", meltedamount = "0" } = item;
  const isEnded = melting_date > 0 || BigInt(totalsupply) === BigInt(meltedamount);
  if (mrc400 === "" || isEnded || item.policy?.terms === "fixed") {
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

/** It begins with "the owner". */
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

/** `7112` refuses it if the item's terms are worse by then. Source: mrc401 §2.6. */
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
 * The amount that a seller receives of a payment with the current fees, each rounded down: the
 * `atleast` of an acceptance. The project's owner pays no fee on its own items; on units all
 * sellers pay. Source: mrc401 §2.4, mrc402 §2.6, conventions §6.2.
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

/** Source: conventions §6.2. */
export function partOf(amount: bigint, rate: string): bigint {
  return (amount * BigInt(partsOf(rate))) / BigInt(WHOLE);
}

/** Source: mrc402 §2.6. */
function otherRates({
  creatorcommission = "0",
  shareholder = {},
  platform_address = "",
  platform_commission = "0",
}: TermsOfItem): readonly string[] {
  const platform = platform_address === "" ? "0" : platform_commission;
  return [creatorcommission, platform, ...Object.values(shareholder)];
}

function raisedTo(most: number, rate: string): string | undefined {
  return most > partsOf(rate) ? String(most / 10_000) : undefined;
}

function partsOf(rate: string): number {
  return Math.round(Number(rate) * 10_000);
}
