import type { Token } from "@moneta/sdk";
import type { Field, FieldFault, Pair, Values } from "./fields.ts";
import { listingOnMarket, usualEnd } from "./on-market.ts";
import { type Acting, operationForm } from "./operation-form.ts";
import { priceStep } from "./price-step.ts";
import type { Subjects } from "./subject.ts";
import { offered, tradeForms } from "./trade-forms.ts";

type TokenSubject = Subjects["token"];
type ListingSubject = Subjects["tokenListing"];

/** For the platform that brings buyers. Source: tokens §9 */
export const PLATFORM = "+platform_name +platform_url +platform_address +platform_commission";

/** Source: tokens §12 */
export const AUCTION =
  "auction_start_price! auction_bidding_unit auction_buynow_price auction_end_date! +auction_start_date +extend";

const isOwner = ({ token: { owner } }: TokenSubject, by: Acting): boolean => by.address === owner;

const hasSome = ({ token: { id } }: TokenSubject, by: Acting): boolean =>
  (by.spendable(id) ?? 1n) > 0n;

const own = ({ token: { id } }: TokenSubject, { spendable }: Acting): Partial<Field> => {
  const all = spendable(id);
  return all === undefined ? {} : { fills: [{ what: "all", amount: all }] };
};

/** Coins pay for tokens; a request for coins names a token. */
const payToken = ({ token: { id } }: TokenSubject): Partial<Field> => ({
  initial: id === "0" ? "" : "0",
});

const idOf = ({ token: { id } }: TokenSubject): Values => ({ token: id });
const mrc010id = ({ token: { id } }: TokenSubject): Values => ({ mrc010id: id });

const stepOf = (values: Values, { token: { decimal } }: TokenSubject) =>
  priceStep(values["price"] as bigint, decimal);

/** The wire has the price of the smallest part that can be paid exactly. */
const DEAL = {
  fields: `amount token price ${PLATFORM}`,
  fixed: mrc010id,
  check: (values: Values, subject: TokenSubject): Readonly<Record<string, FieldFault>> =>
    stepOf(values, subject) === undefined ? { price: { what: "price" } } : {},
  convert: (values: Values, subject: TokenSubject): Values => {
    const step = stepOf(values, subject);
    return {
      ...values,
      ...(step === undefined ? {} : { min_trade_unit: String(step.unit), price: step.price }),
    };
  },
  notes: ["unsellLater"],
} as const;

const whole = (reserve: readonly Pair[] | undefined): unknown =>
  reserve?.map(({ key, value, time }) => ({ address: key, value, unlockdate: time }));

const dexid = ({ listing }: ListingSubject): Values => ({ dexid: listing.dexid });

const LISTED = {
  on: "tokenListing",
  prefix: "mrc010",
  lot: ({ listing }: ListingSubject) => listingOnMarket(listing),
  isOwn: ({ listing: { side, buyer, seller } }: ListingSubject, by: Acting) =>
    (side === "buy" ? buyer : seller) === by.address,
  id: dexid,
} as const;

const rest = ({ listing: { remain_amount, mrc010 } }: ListingSubject) => ({
  amount: { of: mrc010, fills: [{ what: "all", amount: remain_amount }] } as const,
});

const isTradable = ({ id }: Token): boolean => id !== "0";

/** Source: tokens §3 to §12 */
export const TOKEN_OPERATIONS = [
  operationForm({
    name: "tokensave",
    on: "nothing",
    action: "token",
    fields: "symbol name decimal! totalsupply! url image +category +reserve",
    more: () => ({
      decimal: { initial: "2" },
      totalsupply: { decimalsIn: "decimal" },
      reserve: { value: { kind: "amount", min: 1, decimalsIn: "decimal" } },
    }),
    convert: (values) => ({ ...values, reserve: whole(values["reserve"] as readonly Pair[]) }),
    isOffered: () => true,
    notes: ["issuedToYou", "tokenNeverChanges"],
    // biome-ignore lint/suspicious/noThenProperty: the operation that is sent next; forms are never awaited.
    then: "tokencreate",
  }),
  operationForm({
    ...DEAL,
    name: "mrc010sell",
    on: "token",
    action: "sell",
    fields: `${DEAL.fields} +sell_start +sell_end`,
    more: (subject, by) => ({ amount: own(subject, by), token: payToken(subject) }),
    isOffered: hasSome,
  }),
  operationForm({
    ...DEAL,
    notes: ["withdrawLater"],
    name: "mrc010reqsell",
    on: "token",
    action: "request",
    more: (subject) => ({ token: payToken(subject) }),
    isOffered: () => true,
  }),
  operationForm({
    name: "mrc010auction",
    on: "token",
    action: "auction",
    fields: `amount token ${AUCTION} ${PLATFORM}`,
    more: (subject, by) => ({
      amount: own(subject, by),
      token: payToken(subject),
      auction_end_date: { initial: usualEnd(by) },
    }),
    fixed: mrc010id,
    isOffered: hasSome,
    notes: ["untilBid"],
  }),
  operationForm({
    name: "tokenincrease",
    on: "token",
    action: "increase",
    fields: "amount +memo",
    fixed: idOf,
    isOffered: isOwner,
  }),
  operationForm({
    name: "tokenburn",
    on: "token",
    action: "burn",
    fields: "amount +memo",
    more: (subject, by) => ({ amount: own(subject, by) }),
    fixed: idOf,
    isOffered: isOwner,
    isDestructive: true,
  }),
  operationForm({
    name: "tokenupdate",
    on: "token",
    action: "update",
    fields: "url info image",
    more: ({ token: { url, information, image } }) => ({
      url: { initial: url },
      info: { initial: information },
      image: { initial: image },
    }),
    fixed: idOf,
    isOffered: isOwner,
    notes: ["nothingElse"],
  }),
  operationForm({
    name: "tokensetbase",
    on: "token",
    action: "set-base",
    fields: "baseToken",
    more: ({ token: { basetoken } }) => ({ baseToken: { initial: String(basetoken) } }),
    fixed: idOf,
    isOffered: (subject, by) => isOwner(subject, by) && isTradable(subject.token),
    notes: ({ baseToken }) =>
      baseToken === "0" ? ["ordersStay"] : ["opensWithBase", "ordersStay"],
  }),
  operationForm({
    name: "tokenaddtarget",
    on: "token",
    action: "add-target",
    fields: "targetToken",
    more: () => ({ targetToken: { initial: "" } }),
    fixed: idOf,
    isOffered: (subject, by) => isOwner(subject, by) && isTradable(subject.token),
    notes: ["opensWithTarget"],
  }),
  operationForm({
    name: "tokenremovetarget",
    on: "token",
    action: "remove-target",
    fields: "targetToken",
    more: ({ token: { targettoken } }) => ({
      targetToken: { initial: Object.keys(targettoken)[0] ?? "" },
    }),
    fixed: idOf,
    isOffered: (subject, by) =>
      isOwner(subject, by) && Object.keys(subject.token.targettoken).length > 0,
    notes: ["ordersStay"],
  }),
  ...tradeForms({
    ...LISTED,
    buy: {
      fields: "amount",
      more: rest,
      pays: ({ amount }, { listing: { sell_price = 0n, min_trade_unit, sell_token } }) => ({
        amount: ((amount as bigint) * sell_price) / min_trade_unit,
        token: sell_token,
      }),
    },
  }),
  operationForm({
    name: "mrc010acceptreqsell",
    on: "tokenListing",
    action: "accept",
    fields: "amount",
    more: rest,
    fixed: dexid,
    isOffered: offered(LISTED, "accept"),
    notes: ["requesterPaysFee"],
  }),
  operationForm({
    name: "mrc010unreqsell",
    on: "tokenListing",
    action: "withdraw",
    fixed: dexid,
    isOffered: offered(LISTED, "withdraw"),
  }),
];
