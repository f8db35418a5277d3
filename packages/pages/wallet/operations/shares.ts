import type { Item, Project, TokenListing, UnitItem, UnitListing } from "@moneta/sdk";

/** Why somebody gets a part of a payment. */
export type ShareRole =
  | "projectOwner"
  | "creator"
  | "platform"
  | "shareholder"
  | "seller"
  | "holder"
  | "earlierBidder"
  | "requester"
  | "orderOwner"
  | "winner";

/** A part of a payment: who gets it, and how much. */
export interface Share {
  readonly role: ShareRole;
  readonly address: string;
  /** The percentage; absent for who gets the rest. */
  readonly rate?: string | undefined;
  readonly amount: bigint;
}

/** A percentage of somebody. */
export interface Rate extends Pick<Share, "role" | "address"> {
  readonly rate: string;
}

/** floor(amount × rate / 100), for a percentage with at most 4 decimals. Source: conventions §1.7 */
export function feeOf(amount: bigint, rate: string): bigint {
  const [whole = "0", fraction = ""] = rate.split(".");
  return (amount * BigInt(whole + fraction.padEnd(4, "0"))) / 1_000_000n;
}

/** Shares of a payment by rates, each of the whole of it; the last one gets the rest. */
export function sharesOf(
  payment: bigint,
  rates: readonly Rate[],
  rest: Pick<Share, "role" | "address">,
): readonly Share[] {
  const fees = rates
    .map((one) => ({ ...one, amount: feeOf(payment, one.rate) }))
    .filter(({ amount }) => amount > 0n);
  const amount = fees.reduce((left, fee) => left - fee.amount, payment);
  return amount > 0n ? [...fees, { ...rest, amount }] : fees;
}

const positive = (rates: readonly Rate[]): readonly Rate[] =>
  rates.filter(({ rate }) => Number(rate) > 0);

/** Who takes part in the sale of an item, beside its holder. Source: mrc401 §2.4 */
export function itemRates(
  { holder }: Pick<Item, "holder">,
  { owner }: Pick<Project, "owner">,
  rate: string,
): readonly Rate[] {
  return holder === owner ? [] : positive([{ role: "projectOwner", address: owner, rate }]);
}

/** Terms of a listing of units. */
export type UnitTerms = Pick<UnitListing, "sell_fee" | "platform_address" | "platform_commission">;

/** Who takes part in a sale of units, beside the seller, in the order of payment. Source: mrc402 §2.6 */
export function unitRates(
  item: Pick<UnitItem, "creator" | "creatorcommission" | "shareholder">,
  project: Pick<Project, "owner"> | undefined,
  { sell_fee, platform_address, platform_commission }: UnitTerms,
): readonly Rate[] {
  return positive([
    ...(project === undefined
      ? []
      : [{ role: "projectOwner" as const, address: project.owner, rate: sell_fee }]),
    { role: "creator", address: item.creator, rate: item.creatorcommission },
    ...(platform_address === ""
      ? []
      : [{ role: "platform" as const, address: platform_address, rate: platform_commission }]),
    ...Object.entries(item.shareholder).map(([address, rate]) => ({
      role: "shareholder" as const,
      address,
      rate,
    })),
  ]);
}

/** The platform's part in trades of a listing of tokens. Source: tokens §8 */
export function tokenRates({
  platform_address: address,
  platform_commission: rate,
}: Pick<TokenListing, "platform_address" | "platform_commission">): readonly Rate[] {
  return address === "" ? [] : positive([{ role: "platform", address, rate: rate || "0" }]);
}

/** What melting pays of a reserve. Source: mrc401 §2.4, mrc402 §2.5 */
export function meltShares(
  reserve: bigint,
  {
    holder,
    owner,
    rate,
  }: { readonly holder: string; readonly owner: string; readonly rate: string },
  isOwnerExempt: boolean,
): readonly Share[] {
  const rates =
    owner === "" || (isOwnerExempt && holder === owner)
      ? []
      : [{ role: "projectOwner" as const, address: owner, rate }];
  return sharesOf(reserve, rates, { role: "holder", address: holder });
}
