import { guardsOf, type Mrc402createRequest, type UnitItem, type UnitListing } from "@moneta/sdk";
import {
  type Auction,
  auctionFields,
  auctionTerms,
  bidEffects,
  bidField,
  checkAuctionTerms,
  checkBid,
  finishEffects,
  laterEffects,
  mayBid,
  rateEffects,
  shareEffects,
} from "./auction.ts";
import {
  address,
  amount,
  choice,
  country,
  type FieldFault,
  type Fields,
  links,
  more,
  optional,
  pairLines,
  pairs,
  picture,
  rate,
  startingWith,
  text,
  time,
  token,
  units,
  url,
  type Values,
} from "./fields.ts";
import {
  changesOf,
  mayCreate,
  mayUpdate,
  ownerEffects,
  updateEffects,
  updateFields,
} from "./items.ts";
import { type Acting, type Effect, operationForm } from "./operation-form.ts";
import { hasSameMembers } from "./projects.ts";
import { meltShares, type Rate, sharesOf, type UnitTerms, unitRates } from "./shares.ts";
import type { Subjects } from "./subject.ts";
import { platformFields } from "./tokens.ts";

type UnitsSubject = Subjects["units"];
type ListingSubject = Subjects["unitListing"];
type UnitElement = NonNullable<Mrc402createRequest["itemdata"]>[number];

const LONG_TEXT_MAX = 40_960;

/** Who has registered a copyright; each can be said once. Source: mrc402 §9 */
const copyrightFields = {
  copyright_registration_country: more(optional(country())),
  copyright_registrar: more(optional(text(128))),
  copyright_registration_number: more(optional(text(64))),
} as const;

/** What can be said at length. */
const longFields = {
  information: more(optional(text(LONG_TEXT_MAX, { bar: true }))),
  data: more(optional(text(LONG_TEXT_MAX))),
  socialmedia: more(optional(links())),
  ...copyrightFields,
} as const;

/** What both ways to create a multi-unit item ask for. Source: mrc402 §4, §5 */
const creationFields = {
  name: text(128),
  url: url(),
  imageurl: picture(),
  totalsupply: startingWith(units(), "1"),
  initialreserve: optional(pairs({ key: token(), value: (of) => amount({ token: of }), max: 5 })),
  creatorcommission: optional(rate("10", 2)),
  shareholder: optional(pairs({ key: address(), value: rate("10", 2), max: 5 })),
  expiredate: more(optional(time())),
  category: more(optional(text(64))),
  description: more(optional(text(4096))),
  ...longFields,
} as const;

/** A project item need not have a name of its own. */
const projectFields = {
  ...creationFields,
  url: optional(url()),
  imageurl: optional(picture()),
  item_url: more(optional(url())),
  item_image_url: more(optional(picture())),
  groupid: optional(text(64, { bar: true })),
  sell_fee: optional(rate("99.9999", 4)),
  melt_fee: optional(rate("99.9999", 4)),
  transferable: choice("Permanent", "Temporary", "Bound"),
  sell_price: optional(amount({ field: "sell_token" })),
  sell_token: token(),
} as const;

type Creation = Omit<Values<typeof creationFields>, "url" | "imageurl">;

const terms = ({ initialreserve, shareholder, socialmedia }: Creation) => ({
  initialreserve: initialreserve && Object.fromEntries(initialreserve),
  shareholder: shareholder && Object.fromEntries(shareholder),
  socialmedia: socialmedia && Object.fromEntries(socialmedia),
});

const creationEffects = ({
  totalsupply,
  initialreserve = [],
  expiredate,
}: Creation): readonly Effect[] => [
  { kind: "units", what: "get", sign: "+", units: totalsupply },
  ...reserveEffects(initialreserve, totalsupply, "−"),
  ...(expiredate === undefined
    ? []
    : [{ kind: "time", what: "meltable", time: expiredate } as const]),
];

const reserveEffects = (
  perUnit: readonly (readonly [string, bigint])[],
  count: bigint,
  sign: "+" | "−",
): readonly Effect[] =>
  perUnit.map(([of, each]) => ({
    kind: "own",
    what: sign === "−" ? "reserve" : "reserveBack",
    sign,
    amount: each * count,
    token: of,
  }));

const sumOf = (rates: readonly (string | undefined)[]): number =>
  rates.reduce((sum, one = "0") => sum + Math.round(Number(one) * 10_000), 0);

const HUNDRED_PERCENT = 1_000_000;

const mrc402create = operationForm({
  name: "mrc402create",
  on: "nothing",
  action: "units",
  isOpenTo: () => true,
  fields: () => ({
    ...creationFields,
    allowtoken: more(token()),
    itemurl: more(optional(url())),
    itemimageurl: more(optional(picture())),
    ...platformFields,
  }),
  request: (values) => ({ ...values, ...terms(values) }),
  effects: (values) => [...creationEffects(values), { kind: "note", what: "neverChanges" }],
});

const mrc402createInProject = operationForm({
  name: "mrc402create",
  on: "project",
  action: "new-units",
  isOpenTo: mayCreate,
  fields: () => ({ ...projectFields, ...platformFields }),
  check: (values, { project }): Readonly<Record<string, FieldFault>> => {
    const { sell_price, sell_token, sell_fee, creatorcommission, platform_commission } = values;
    const shares = values.shareholder?.map(([, of]) => of) ?? [];
    const isAllowed =
      project.allow_token === 0 || ["0", String(project.allow_token)].includes(sell_token);
    return sumOf([sell_fee, creatorcommission, platform_commission, ...shares]) > HUNDRED_PERCENT
      ? { sell_fee: { what: "rates" } }
      : sell_price === undefined
        ? {}
        : values.transferable === "Bound"
          ? { sell_price: { what: "bound" } }
          : isAllowed
            ? {}
            : { sell_token: { what: "otherToken", token: String(project.allow_token) } };
  },
  request: (values, { project: { id } }) => {
    const { sell_price, sell_token, ...rest } = { ...values, ...terms(values) };
    const element: UnitElement =
      sell_price === undefined ? rest : { ...rest, sell_price, sell_token };
    return { mrc400id: id, itemdata: [element] };
  },
  effects: (values) => [
    ...creationEffects(values),
    ...(values.sell_price === undefined
      ? []
      : ([
          { kind: "units", what: "hold", sign: "−", units: values.totalsupply },
          {
            kind: "own",
            what: "asked",
            sign: "",
            amount: values.sell_price * values.totalsupply,
            token: values.sell_token,
          },
        ] as const)),
    { kind: "note", what: "neverChanges" },
  ],
});

const isBound = ({ transferable }: UnitItem): boolean => transferable === "Bound";
const isEnded = ({ totalsupply, meltedamount }: UnitItem): boolean => totalsupply === meltedamount;

/** Partners and sellers act for a creator whose units nobody else ever had. Source: mrc402 §2.3 */
function isAgent({ item, project, holding }: UnitsSubject, { address: actor }: Acting): boolean {
  const role = project?.partner[actor];
  const isUntouched = item.owner === item.creator && item.last_trade_date === 0;
  return (
    (role === "partner" || role === "seller") &&
    isUntouched &&
    holding.balance + holding.saleamount + holding.auctionamount === 0n
  );
}

const mayList = (subject: UnitsSubject, by: Acting): boolean =>
  !isBound(subject.item) &&
  !isEnded(subject.item) &&
  (subject.holding.balance > 0n || isAgent(subject, by));

/** Of the units that the actor has; whoever acts for the creator does not see how many there are. */
const ownUnits = ({ holding: { balance } }: UnitsSubject) =>
  startingWith(
    balance === 0n ? units() : units({ max: balance, fills: [{ what: "all", amount: balance }] }),
    "1",
  );

const ratesAtListing = (
  { item, project }: UnitsSubject,
  { platform_address: given, platform_commission: rate, ...names }: Values<typeof platformFields>,
): readonly Rate[] => {
  const isOwnPlatform = (given ?? rate ?? names.platform_name ?? names.platform_url) !== undefined;
  const platform: UnitTerms = isOwnPlatform
    ? {
        sell_fee: item.sell_fee,
        platform_address: given ?? "",
        platform_commission: rate ?? "0",
      }
    : item;
  return unitRates(item, project, platform);
};

const sellerOf = ({ item, holding }: UnitsSubject, { address: actor }: Acting) =>
  ({ role: "seller", address: holding.balance > 0n ? actor : item.creator }) as const;

function checkListing(
  values: { readonly token: string } & Values<typeof platformFields>,
  subject: UnitsSubject,
): Readonly<Record<string, FieldFault>> {
  const { allow_token: allowed } = subject.item;
  return allowed !== "0" && values.token !== "0" && values.token !== allowed
    ? { token: { what: "otherToken", token: allowed } }
    : sumOf(ratesAtListing(subject, values).map(({ rate: of }) => of)) > HUNDRED_PERCENT
      ? { platform_commission: { what: "rates" } }
      : {};
}

const mrc402sell = operationForm({
  name: "mrc402sell",
  on: "units",
  action: "sell",
  isOpenTo: mayList,
  fields: (subject) => ({
    amount: ownUnits(subject),
    token: token(),
    price: amount({ field: "token" }),
    ...platformFields,
  }),
  check: (values, subject) => checkListing(values, subject),
  request: (values, { item: { id } }) => ({ ...values, id }),
  effects: (values, subject, by) => {
    const payment = values.price * values.amount;
    return [
      { kind: "units", what: "hold", sign: "−", units: values.amount },
      { kind: "own", what: "asked", sign: "", amount: payment, token: values.token },
      ...laterEffects(
        sharesOf(payment, ratesAtListing(subject, values), sellerOf(subject, by)),
        values.token,
      ),
      { kind: "note", what: "changeLater" },
    ];
  },
});

const mrc402auction = operationForm({
  name: "mrc402auction",
  on: "units",
  action: "auction",
  isOpenTo: mayList,
  fields: (subject, by) => ({
    amount: ownUnits(subject),
    token: token(),
    ...auctionFields(by),
    ...platformFields,
  }),
  check: (values, subject) => ({ ...checkListing(values, subject), ...checkAuctionTerms(values) }),
  request: (values, { item: { id } }) => ({ ...values, id }),
  effects: (values, subject) => [
    { kind: "units", what: "hold", sign: "−", units: values.amount },
    ...auctionTerms(values, values.token),
    ...rateEffects(ratesAtListing(subject, values)),
    { kind: "note", what: "untilBid" },
  ],
});

const mrc402transfer = operationForm({
  name: "mrc402transfer",
  on: "units",
  action: "transfer",
  isOpenTo: ({ item, holding }) => !isBound(item) && holding.balance > 0n,
  fields: (subject) => ({
    toAddr: address(),
    amount: ownUnits(subject),
    tag: more(optional(text(64, { bar: true }))),
    memo: more(optional(text(2048, { bar: true }))),
  }),
  check: ({ toAddr }, _subject, _reading, by): Readonly<Record<string, FieldFault>> =>
    toAddr === by.address ? { toAddr: { what: "yourself" } } : {},
  request: (values, { item: { id } }) => ({ ...values, mrc402id: id }),
  effects: ({ toAddr, amount: given }, { item, project }) => [
    { kind: "units", what: "give", sign: "−", units: given },
    { kind: "units", what: "get", sign: "+", units: given, address: toAddr },
    ...ownerEffects(item, project, { address: toAddr }),
  ],
});

const mrc402mint = operationForm({
  name: "mrc402mint",
  on: "units",
  action: "mint",
  isOpenTo: ({ item }, { address: actor }) => item.creator === actor && !isEnded(item),
  fields: ({ item: { totalsupply } }) => ({
    amount: units({ max: 99_999_999n - totalsupply }),
    memo: more(optional(text(1024, { bar: true }))),
  }),
  request: (values, { item: { id } }) => ({ ...values, mrc402id: id }),
  effects: ({ amount: minted }, { item: { initialreserve } }) => [
    { kind: "units", what: "issued", sign: "+", units: minted },
    ...reserveEffects(Object.entries(initialreserve), minted, "−"),
  ],
});

const mrc402burn = operationForm({
  name: "mrc402burn",
  on: "units",
  action: "burn",
  isDestructive: true,
  isOpenTo: ({ item, holding }, { address: actor }) =>
    item.creator === actor && holding.balance > 0n,
  fields: (subject) => ({
    amount: ownUnits(subject),
    memo: more(optional(text(1024, { bar: true }))),
  }),
  request: (values, { item: { id } }) => ({ ...values, mrc402id: id }),
  effects: ({ amount: burned }, { item: { initialreserve } }) => [
    { kind: "units", what: "destroyed", sign: "−", units: burned },
    ...reserveEffects(Object.entries(initialreserve), burned, "+"),
    { kind: "note", what: "final" },
  ],
});

const mrc402melt = operationForm({
  name: "mrc402melt",
  on: "units",
  action: "melt",
  isDestructive: true,
  isOpenTo: ({ item, holding }, { now }) => holding.balance > 0n && now >= item.expiredate,
  fields: (subject) => ({ amount: ownUnits(subject) }),
  request: (values, { item: { id } }) => ({ ...values, mrc402id: id }),
  effects: ({ amount: melted }, { item, project }, { address: holder }) => [
    { kind: "units", what: "melted", sign: "−", units: melted },
    ...Object.entries(item.initialreserve).flatMap(([of, each]) =>
      shareEffects(
        meltShares(
          each * melted,
          { holder, owner: project?.owner ?? "", rate: item.meltint_fee },
          false,
        ),
        of,
      ),
    ),
    { kind: "note", what: "final" },
  ],
});

const mrc402update = operationForm({
  name: "mrc402update",
  on: "units",
  action: "update",
  isOpenTo: ({ item }, { address: actor }) => item.creator === actor,
  fields: ({ item }): Fields => ({
    url: startingWith(optional(url()), item.url),
    information: startingWith(optional(text(LONG_TEXT_MAX, { bar: true })), item.information),
    data: startingWith(longFields.data, item.data),
    socialmedia: startingWith(longFields.socialmedia, pairLines(item.socialmedia)),
    ...Object.fromEntries(
      Object.entries(copyrightFields).filter(([name]) => item[name as CopyrightField] === ""),
    ),
  }),
  check: (values, subject): Readonly<Record<string, FieldFault>> =>
    Object.keys(changedTexts(values, subject)).length === 0 ? { url: { what: "nothing" } } : {},
  request: (values, subject) => ({
    ...changedTexts(values, subject),
    mrc402id: subject.item.id,
  }),
  effects: () => [{ kind: "note", what: "restStays" }],
});

type CopyrightField = keyof typeof copyrightFields;

/** The parameters that differ from the item. An empty text leaves its field as it is. */
function changedTexts(values: Values<Fields>, { item }: UnitsSubject): Record<string, unknown> {
  const { socialmedia, ...texts } = values;
  const named = Object.fromEntries((socialmedia as readonly [string, string][] | undefined) ?? []);
  return {
    ...Object.fromEntries(
      Object.entries(texts).filter(
        ([name, value]) => value !== undefined && value !== item[name as keyof UnitItem],
      ),
    ),
    ...(hasSameMembers(named, item.socialmedia) ? {} : { socialmedia: named }),
  };
}

const mrc402itemupdate = operationForm({
  name: "mrc402itemupdate",
  on: "units",
  action: "terms",
  isOpenTo: (subject, by) => !isEnded(subject.item) && mayUpdate(subject, by),
  fields: updateFields,
  check: (values, subject): Readonly<Record<string, FieldFault>> => {
    const { sell_fee = subject.item.sell_fee } = changesOf(values, subject);
    const rates = unitRates(subject.item, subject.project, { ...subject.item, sell_fee });
    return Object.keys(changesOf(values, subject)).length === 0
      ? { item_image_url: { what: "nothing" } }
      : sumOf(rates.map(({ rate: of }) => of)) > HUNDRED_PERCENT
        ? { sell_fee: { what: "rates" } }
        : {};
  },
  request: (values, subject) => ({
    mrc400id: subject.item.mrc400,
    itemdata: [{ id: subject.item.id, ...changesOf(values, subject) }],
  }),
  effects: (values, subject) => updateEffects(changesOf(values, subject)),
});

const isOpen = ({ listing: { state, side } }: ListingSubject, wanted: "sell" | "auction") =>
  state === "open" && side === wanted;

/** Whoever listed them, or acts for that creator. */
function mayTakeBack({ listing, item, project }: ListingSubject, by: Acting): boolean {
  const role = project?.partner[by.address];
  const isForCreator = listing.seller === item.creator && item.owner === item.creator;
  return (
    listing.seller === by.address ||
    (isForCreator && (role === "partner" || role === "seller") && listing.agent !== "")
  );
}

const ratesOf = ({ item, project, listing }: ListingSubject): readonly Rate[] =>
  unitRates(item, project, listing);

const sellerOfListing = ({ listing: { seller } }: ListingSubject) =>
  ({ role: "seller", address: seller }) as const;

const mrc402buy = operationForm({
  name: "mrc402buy",
  on: "unitListing",
  action: "buy",
  isOpenTo: (subject, by) =>
    isOpen(subject, "sell") && !isBound(subject.item) && subject.listing.seller !== by.address,
  fields: ({ listing: { remain_amount: rest } }) => ({
    amount: startingWith(units({ max: rest, fills: [{ what: "all", amount: rest }] }), "1"),
  }),
  // Guards against an offer that was replaced meanwhile, and against other terms than are shown.
  request: (values, { listing: { dexid, sell_price, sell_token }, item }) => ({
    ...values,
    id: dexid,
    price: sell_price,
    token: sell_token,
    ...guardsOf(item),
  }),
  effects: ({ amount: bought }, subject, by) => {
    const { sell_price, sell_token: pay } = subject.listing;
    const payment = sell_price * bought;
    return [
      { kind: "own", what: "pay", sign: "−", amount: payment, token: pay },
      { kind: "units", what: "get", sign: "+", units: bought },
      ...ownerEffects(subject.item, subject.project, by),
      ...shareEffects(sharesOf(payment, ratesOf(subject), sellerOfListing(subject)), pay),
    ];
  },
});

const auctionOf = ({ listing }: { readonly listing: UnitListing }): Auction => ({
  token: listing.sell_token,
  start: listing.auction_start_price,
  unit: listing.auction_bidding_unit,
  buyNow: listing.auction_buynow_price,
  current: listing.auction_current_price ?? 0n,
  bidder: listing.auction_current_bidder,
  begins: listing.auction_start_date,
  ends: listing.auction_end_date,
});

const mrc402bid = operationForm({
  name: "mrc402bid",
  on: "unitListing",
  action: "bid",
  isOpenTo: (subject, by) =>
    isOpen(subject, "auction") &&
    !isBound(subject.item) &&
    subject.listing.seller !== by.address &&
    mayBid(auctionOf(subject), by),
  fields: (subject) => ({ amount: bidField(auctionOf(subject)) }),
  check: ({ amount: bid }, subject, reading) => checkBid(auctionOf(subject), bid, reading),
  request: (values, { listing: { dexid, sell_token }, item }) => ({
    ...values,
    id: dexid,
    token: sell_token,
    ...guardsOf(item),
  }),
  effects: ({ amount: bid }, subject, by) => [
    ...bidEffects(auctionOf(subject), bid, by, [
      { kind: "units", what: "get", sign: "+", units: subject.listing.amount },
      ...shareEffects(
        sharesOf(bid, ratesOf(subject), sellerOfListing(subject)),
        subject.listing.sell_token,
      ),
    ]),
    ...ownerEffects(subject.item, subject.project, by),
  ],
});

const mrc402unsell = operationForm({
  name: "mrc402unsell",
  on: "unitListing",
  action: "take-back",
  isOpenTo: (subject, by) => isOpen(subject, "sell") && mayTakeBack(subject, by),
  fields: () => ({}),
  request: (_, { listing: { dexid } }) => ({ id: dexid }),
  effects: (_, { listing: { remain_amount: rest, seller } }) => [
    { kind: "units", what: "back", sign: "+", units: rest, address: seller },
  ],
});

const mrc402unauction = operationForm({
  name: "mrc402unauction",
  on: "unitListing",
  action: "cancel-auction",
  isOpenTo: (subject, by) =>
    isOpen(subject, "auction") &&
    subject.listing.auction_current_bidder === "" &&
    mayTakeBack(subject, by),
  fields: () => ({}),
  request: (_, { listing: { dexid } }) => ({ id: dexid }),
  effects: (_, { listing: { amount: lot, seller } }) => [
    { kind: "units", what: "back", sign: "+", units: lot, address: seller },
  ],
});

const mrc402auctionfinish = operationForm({
  name: "mrc402auctionfinish",
  on: "unitListing",
  action: "finish",
  isUnsigned: true,
  isOpenTo: (subject, { now }) =>
    isOpen(subject, "auction") && now >= subject.listing.auction_end_date,
  fields: () => ({}),
  request: (_, { listing: { dexid } }) => ({ id: dexid }),
  effects: (_, subject) =>
    finishEffects(auctionOf(subject), ratesOf(subject), sellerOfListing(subject), (address) => ({
      kind: "units",
      what: "get",
      sign: "+",
      units: subject.listing.amount,
      address,
    })),
});

/** Everything that can be done with units. Source: mrc402 §4 to §17 */
export const UNIT_OPERATIONS = [
  mrc402create,
  mrc402createInProject,
  mrc402buy,
  mrc402bid,
  mrc402sell,
  mrc402auction,
  mrc402transfer,
  mrc402mint,
  mrc402unsell,
  mrc402unauction,
  mrc402auctionfinish,
  mrc402update,
  mrc402itemupdate,
  mrc402burn,
  mrc402melt,
] as const;
