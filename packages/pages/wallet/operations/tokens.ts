import type { Mrc010sellRequest, Token, TokenListing } from "@moneta/sdk";
import {
  type Auction,
  auctionFields,
  auctionTerms,
  bidEffects,
  bidField,
  checkAuctionTerms,
  checkBid,
  finishEffects,
  mayBid,
  rateEffects,
  shareEffects,
} from "./auction.ts";
import {
  address,
  amount,
  choice,
  dated,
  type FieldFault,
  more,
  optional,
  pairs,
  pictureFile,
  rate,
  startingWith,
  text,
  token,
  url,
  type Values,
  whole,
} from "./fields.ts";
import { type Acting, type Effect, operationForm } from "./operation-form.ts";
import { priceStep } from "./price-step.ts";
import { sharesOf, tokenRates } from "./shares.ts";

type TokenSubject = { readonly token: Token };
type ListingSubject = { readonly listing: TokenListing };
type TradeUnit = NonNullable<Mrc010sellRequest["min_trade_unit"]>;

/** What a listing may say of the platform that brings buyers. Source: tokens §9 */
export const platformFields = {
  platform_name: more(optional(text(255))),
  platform_url: more(optional(url())),
  platform_address: more(optional(address())),
  platform_commission: more(optional(rate("10", 2))),
} as const;

type Platform = Values<typeof platformFields>;

const platformRates = ({ platform_address = "", platform_commission = "0" }: Platform) =>
  tokenRates({ platform_address, platform_commission });

const own = ({ token: { id } }: TokenSubject, { spendable }: Acting) => {
  const all = spendable(id);
  return all === undefined ? {} : { max: all, fills: [{ what: "all" as const, amount: all }] };
};

/** What offers and requests have in common: so much of a token, each at a price. */
const dealFields = (subject: TokenSubject, by: Acting, isOffer: boolean) => ({
  amount: amount({ token: subject.token.id }, isOffer ? own(subject, by) : {}),
  token: token(subject.token.id === "0" ? "" : "0"),
  price: amount({ field: "token" }),
  ...platformFields,
});

type Deal = Values<ReturnType<typeof dealFields>>;

const stepOf = (deal: Deal, subject: TokenSubject) =>
  priceStep(deal.price, subject.token.decimal) ?? { unit: 1n, price: deal.price };

const paymentOf = (deal: Deal, subject: TokenSubject): bigint => {
  const { unit, price } = stepOf(deal, subject);
  return (price * deal.amount) / unit;
};

function checkDeal(deal: Deal, { token: of }: TokenSubject): Readonly<Record<string, FieldFault>> {
  if (deal.token === of.id) {
    return { token: { what: "sameToken" } };
  }
  const step = priceStep(deal.price, of.decimal);
  if (step === undefined) {
    return { price: { what: "price" } };
  }
  return deal.amount % step.unit === 0n
    ? {}
    : { amount: { what: "step", bound: step.unit, decimals: of.decimal } };
}

const dealRequest = (deal: Deal, subject: TokenSubject) => {
  const { unit, price } = stepOf(deal, subject);
  return {
    ...deal,
    mrc010id: subject.token.id,
    min_trade_unit: String(unit) as TradeUnit,
    price,
  };
};

const pricePerWhole = ({ price, token: pay }: Deal, { token: of }: TokenSubject): Effect => ({
  kind: "price",
  per: 10n ** BigInt(of.decimal),
  of: of.id,
  amount: price,
  token: pay,
});

const isOwner = ({ token: { owner } }: TokenSubject, by: Acting): boolean => by.address === owner;

const tokensave = operationForm({
  name: "tokensave",
  on: "nothing",
  action: "token",
  isOpenTo: () => true,
  fields: () => ({
    symbol: text(32),
    name: text(128),
    decimal: startingWith(whole(18), "2"),
    totalsupply: amount({ decimals: "decimal" }, { min: 0n }),
    url: optional(url()),
    image: optional(pictureFile()),
    category: more(optional(text(64, { bar: true }))),
    reserve: more(
      optional(
        pairs(
          { key: address(), value: dated(amount({ decimals: "decimal" })), max: 100 },
          { isRepeatable: true },
        ),
      ),
    ),
  }),
  check: ({ totalsupply, reserve = [] }): Readonly<Record<string, FieldFault>> =>
    reserve.reduce((sum, [, { value }]) => sum + value, 0n) > totalsupply
      ? { reserve: { what: "below" } }
      : {},
  request: ({ reserve, ...values }) => ({
    ...values,
    reserve: reserve?.map(([to, { value, time }]) => ({ address: to, value, unlockdate: time })),
  }),
  // The token has no id yet, so its amounts are shown as the form has them.
  effects: ({ reserve = [] }) => [
    { kind: "note", what: "issuedToYou" },
    ...reserve.map(
      ([to, { time }]): Effect => ({ kind: "other", what: "reserved", address: to, until: time }),
    ),
    { kind: "note", what: "neverChanges" },
  ],
  // biome-ignore lint/suspicious/noThenProperty: what is sent next; nobody awaits a form.
  then: "tokencreate",
});

const tokenincrease = operationForm({
  name: "tokenincrease",
  on: "token",
  action: "increase",
  isOpenTo: isOwner,
  fields: ({ token: { id } }) => ({
    amount: amount({ token: id }),
    memo: more(optional(text(2048, { bar: true }))),
  }),
  request: (values, { token: { id } }) => ({ ...values, token: id }),
  effects: ({ amount: issued }, { token: { id } }) => [
    { kind: "own", what: "issued", sign: "+", amount: issued, token: id },
  ],
});

const tokenburn = operationForm({
  name: "tokenburn",
  on: "token",
  action: "burn",
  isDestructive: true,
  isOpenTo: isOwner,
  fields: (subject, by) => ({
    amount: amount({ token: subject.token.id }, own(subject, by)),
    memo: more(optional(text(2048, { bar: true }))),
  }),
  request: (values, { token: { id } }) => ({ ...values, token: id }),
  effects: ({ amount: burned }, { token: { id } }) => [
    { kind: "own", what: "destroyed", sign: "−", amount: burned, token: id },
    { kind: "note", what: "final" },
  ],
});

const tokenupdate = operationForm({
  name: "tokenupdate",
  on: "token",
  action: "update",
  isOpenTo: isOwner,
  fields: ({ token: { url: site, information, image } }) => ({
    url: startingWith(url(), site),
    info: startingWith(text(4096, { bar: true }), information),
    image: startingWith(pictureFile(), image),
  }),
  check: (values, { token: before }): Readonly<Record<string, FieldFault>> =>
    values.url === before.url && values.info === before.information && values.image === before.image
      ? { url: { what: "nothing" } }
      : {},
  request: (values, { token: { id } }) => ({ ...values, token: id }),
  effects: () => [{ kind: "note", what: "nothingElse" }],
});

const tokensetbase = operationForm({
  name: "tokensetbase",
  on: "token",
  action: "set-base",
  isOpenTo: (subject, by) => isOwner(subject, by) && subject.token.id !== "0",
  fields: ({ token: { basetoken } }) => ({ baseToken: token(String(basetoken)) }),
  check: ({ baseToken }, { token: of }): Readonly<Record<string, FieldFault>> =>
    baseToken === String(of.basetoken)
      ? { baseToken: { what: "nothing" } }
      : baseToken === of.id
        ? { baseToken: { what: "sameToken" } }
        : Object.hasOwn(of.targettoken, baseToken)
          ? { baseToken: { what: "itsTarget" } }
          : {},
  request: (values, { token: { id } }) => ({ ...values, token: id }),
  effects: ({ baseToken }) => [
    ...(baseToken === "0" ? [] : [{ kind: "note", what: "opensWithBase" } as const]),
    { kind: "note", what: "ordersStay" },
  ],
});

const tokenaddtarget = operationForm({
  name: "tokenaddtarget",
  on: "token",
  action: "add-target",
  isOpenTo: (subject, by) => isOwner(subject, by) && subject.token.id !== "0",
  fields: () => ({ targetToken: token("") }),
  check: ({ targetToken }, { token: of }): Readonly<Record<string, FieldFault>> =>
    Object.hasOwn(of.targettoken, targetToken)
      ? { targetToken: { what: "nothing" } }
      : targetToken === of.id || targetToken === "0"
        ? { targetToken: { what: "sameToken" } }
        : targetToken === String(of.basetoken)
          ? { targetToken: { what: "itsBase" } }
          : {},
  request: (values, { token: { id } }) => ({ ...values, token: id }),
  effects: () => [{ kind: "note", what: "opensWithTarget" }],
});

const tokenremovetarget = operationForm({
  name: "tokenremovetarget",
  on: "token",
  action: "remove-target",
  isOpenTo: (subject, by) =>
    isOwner(subject, by) && Object.keys(subject.token.targettoken).length > 0,
  fields: ({ token: { targettoken } }) => ({ targetToken: choice(...Object.keys(targettoken)) }),
  request: (values, { token: { id } }) => ({ ...values, token: id }),
  effects: () => [{ kind: "note", what: "ordersStay" }],
});

const mrc010sell = operationForm({
  name: "mrc010sell",
  on: "token",
  action: "sell",
  isOpenTo: (subject, by) => (by.spendable(subject.token.id) ?? 1n) > 0n,
  fields: (subject, by) => dealFields(subject, by, true),
  check: checkDeal,
  request: dealRequest,
  effects: (deal, subject) => [
    { kind: "own", what: "hold", sign: "−", amount: deal.amount, token: subject.token.id },
    pricePerWhole(deal, subject),
    { kind: "own", what: "asked", sign: "", amount: paymentOf(deal, subject), token: deal.token },
    ...rateEffects(platformRates(deal)),
    { kind: "note", what: "changeLater" },
  ],
});

const mrc010reqsell = operationForm({
  name: "mrc010reqsell",
  on: "token",
  action: "request",
  isOpenTo: () => true,
  fields: (subject, by) => dealFields(subject, by, false),
  check: checkDeal,
  request: dealRequest,
  effects: (deal, subject) => {
    const payment = paymentOf(deal, subject);
    const fees = sharesOf(payment, platformRates(deal), { role: "seller", address: "" });
    const fee = fees.reduce((sum, { rate: of, amount: part }) => (of ? sum + part : sum), 0n);
    return [
      { kind: "own", what: "hold", sign: "−", amount: payment + fee, token: deal.token },
      { kind: "own", what: "wanted", sign: "", amount: deal.amount, token: subject.token.id },
      pricePerWhole(deal, subject),
      ...rateEffects(platformRates(deal)),
      { kind: "note", what: "changeLater" },
    ];
  },
});

const mrc010auction = operationForm({
  name: "mrc010auction",
  on: "token",
  action: "auction",
  isOpenTo: (subject, by) => (by.spendable(subject.token.id) ?? 1n) > 0n,
  fields: (subject, by) => ({
    amount: amount({ token: subject.token.id }, own(subject, by)),
    token: token(subject.token.id === "0" ? "" : "0"),
    ...auctionFields(by),
    ...platformFields,
  }),
  check: (values, { token: of }): Readonly<Record<string, FieldFault>> =>
    values.token === of.id ? { token: { what: "sameToken" } } : checkAuctionTerms(values),
  request: (values, { token: { id } }) => ({ ...values, mrc010id: id }),
  effects: (values, { token: { id } }) => [
    { kind: "own", what: "hold", sign: "−", amount: values.amount, token: id },
    ...auctionTerms(values, values.token),
    ...rateEffects(platformRates(values)),
    { kind: "note", what: "untilBid" },
  ],
});

const isOpen = (
  { listing: { state, side } }: ListingSubject,
  ...sides: readonly TokenListing["side"][]
): boolean => state === "open" && sides.includes(side);

const part = ({ remain_amount: rest, mrc010 }: TokenListing) =>
  amount({ token: mrc010 }, { max: rest, fills: [{ what: "all", amount: rest }] });

const checkPart = (
  { amount: quantity }: { readonly amount: bigint },
  { listing: { min_trade_unit: bound, mrc010 } }: ListingSubject,
  { decimals }: { readonly decimals: (token: string) => number | undefined },
): Readonly<Record<string, FieldFault>> =>
  quantity % bound === 0n
    ? {}
    : { amount: { what: "step", bound, decimals: decimals(mrc010) ?? 0 } };

const mrc010buy = operationForm({
  name: "mrc010buy",
  on: "tokenListing",
  action: "buy",
  isOpenTo: (subject, by) => isOpen(subject, "sell") && subject.listing.seller !== by.address,
  fields: ({ listing }) => ({ amount: part(listing) }),
  check: (values, subject, reading) => checkPart(values, subject, reading),
  request: (values, { listing: { dexid } }) => ({ ...values, dexid }),
  effects: ({ amount: quantity }, { listing }) => {
    const { sell_price = 0n, sell_token: pay, min_trade_unit: unit, seller, mrc010 } = listing;
    const payment = (sell_price * quantity) / unit;
    return [
      { kind: "own", what: "pay", sign: "−", amount: payment, token: pay },
      { kind: "own", what: "get", sign: "+", amount: quantity, token: mrc010 },
      ...shareEffects(
        sharesOf(payment, tokenRates(listing), { role: "seller", address: seller }),
        pay,
      ),
    ];
  },
});

const mrc010acceptreqsell = operationForm({
  name: "mrc010acceptreqsell",
  on: "tokenListing",
  action: "accept",
  isOpenTo: (subject, by) => isOpen(subject, "buy") && subject.listing.buyer !== by.address,
  fields: ({ listing }) => ({ amount: part(listing) }),
  check: (values, subject, reading) => checkPart(values, subject, reading),
  request: (values, { listing: { dexid } }) => ({ ...values, dexid }),
  effects: ({ amount: quantity }, { listing }) => {
    const { buy_price = 0n, buy_token: pay, min_trade_unit: unit, buyer, mrc010 } = listing;
    const payment = (buy_price * quantity) / unit;
    const fees = sharesOf(payment, tokenRates(listing), { role: "seller", address: "" }).filter(
      ({ role }) => role === "platform",
    );
    const fee = fees.reduce((sum, { amount: of }) => sum + of, 0n);
    const rest = (listing.buy_price_total ?? 0n) - payment - fee;
    const isLast = quantity === listing.remain_amount;
    return [
      { kind: "own", what: "give", sign: "−", amount: quantity, token: mrc010 },
      { kind: "own", what: "get", sign: "+", amount: payment, token: pay },
      { kind: "share", role: "requester", address: buyer, amount: quantity, token: mrc010 },
      ...shareEffects(fees, pay),
      ...(isLast && rest > 0n
        ? [{ kind: "share", role: "requester", address: buyer, amount: rest, token: pay } as const]
        : []),
      { kind: "note", what: "requesterPaysFee" },
    ];
  },
});

const mrc010unsell = operationForm({
  name: "mrc010unsell",
  on: "tokenListing",
  action: "take-back",
  isOpenTo: (subject, by) => isOpen(subject, "sell") && subject.listing.seller === by.address,
  fields: () => ({}),
  request: (_, { listing: { dexid } }) => ({ dexid }),
  effects: (_, { listing: { remain_amount: rest, mrc010 } }) => [
    { kind: "own", what: "back", sign: "+", amount: rest, token: mrc010 },
  ],
});

const mrc010unreqsell = operationForm({
  name: "mrc010unreqsell",
  on: "tokenListing",
  action: "withdraw",
  isOpenTo: (subject, by) => isOpen(subject, "buy") && subject.listing.buyer === by.address,
  fields: () => ({}),
  request: (_, { listing: { dexid } }) => ({ dexid }),
  effects: (_, { listing: { buy_price_total = 0n, buy_token: pay } }) => [
    { kind: "own", what: "back", sign: "+", amount: buy_price_total, token: pay },
  ],
});

const auctionOf = ({ listing }: ListingSubject): Auction => ({
  token: listing.sell_token,
  start: listing.auction_start_price,
  unit: listing.auction_bidding_unit,
  buyNow: listing.auction_buynow_price,
  current: listing.auction_current_price ?? 0n,
  bidder: listing.auction_current_bidder,
  begins: listing.auction_start_date,
  ends: listing.auction_end_date,
});

const sellerOf = ({ listing: { seller } }: ListingSubject) =>
  ({ role: "seller", address: seller }) as const;

const mrc010bid = operationForm({
  name: "mrc010bid",
  on: "tokenListing",
  action: "bid",
  isOpenTo: (subject, by) =>
    isOpen(subject, "auction") &&
    subject.listing.seller !== by.address &&
    mayBid(auctionOf(subject), by),
  fields: (subject) => ({ amount: bidField(auctionOf(subject)) }),
  check: ({ amount: bid }, subject, reading) => checkBid(auctionOf(subject), bid, reading),
  request: (values, { listing: { dexid } }) => ({ ...values, dexid }),
  effects: ({ amount: bid }, subject, by) => {
    const { listing } = subject;
    return bidEffects(auctionOf(subject), bid, by, [
      { kind: "own", what: "get", sign: "+", amount: listing.amount, token: listing.mrc010 },
      ...shareEffects(sharesOf(bid, tokenRates(listing), sellerOf(subject)), listing.sell_token),
    ]);
  },
});

const mrc010unauction = operationForm({
  name: "mrc010unauction",
  on: "tokenListing",
  action: "cancel-auction",
  isOpenTo: (subject, by) =>
    isOpen(subject, "auction") &&
    subject.listing.seller === by.address &&
    subject.listing.auction_current_bidder === "" &&
    by.now < subject.listing.auction_end_date,
  fields: () => ({}),
  request: (_, { listing: { dexid } }) => ({ dexid }),
  effects: (_, { listing: { amount: lot, mrc010 } }) => [
    { kind: "own", what: "back", sign: "+", amount: lot, token: mrc010 },
  ],
});

const mrc010auctionfinish = operationForm({
  name: "mrc010auctionfinish",
  on: "tokenListing",
  action: "finish",
  isUnsigned: true,
  isOpenTo: (subject, { now }) =>
    isOpen(subject, "auction") && now >= subject.listing.auction_end_date,
  fields: () => ({}),
  request: (_, { listing: { dexid } }) => ({ dexid }),
  effects: (_, subject) =>
    finishEffects(
      auctionOf(subject),
      tokenRates(subject.listing),
      sellerOf(subject),
      (address) => ({
        kind: "share",
        role: subject.listing.auction_current_bidder === "" ? "seller" : "winner",
        address,
        amount: subject.listing.amount,
        token: subject.listing.mrc010,
      }),
    ),
});

/** Everything that can be done with tokens and their listings. Source: tokens §3 to §12 */
export const TOKEN_OPERATIONS = [
  tokensave,
  mrc010sell,
  mrc010reqsell,
  mrc010auction,
  tokenincrease,
  tokenburn,
  tokenupdate,
  tokensetbase,
  tokenaddtarget,
  tokenremovetarget,
  mrc010buy,
  mrc010acceptreqsell,
  mrc010bid,
  mrc010unsell,
  mrc010unreqsell,
  mrc010unauction,
  mrc010auctionfinish,
] as const;
