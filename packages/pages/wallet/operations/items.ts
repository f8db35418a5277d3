import {
  guardsOf,
  type Item,
  localTimeText,
  ownerPowers,
  type Project,
  type UnitItem,
} from "@moneta/sdk";
import {
  type Auction,
  auctionTerms,
  bidEffects,
  bidField,
  checkBid,
  finishEffects,
  laterEffects,
  mayBid,
  rateEffects,
  shareEffects,
  usualEnd,
} from "./auction.ts";
import {
  address,
  amount,
  choice,
  type FieldFault,
  type Fields,
  more,
  optional,
  picture,
  rate,
  startingWith,
  text,
  time,
  token,
  url,
  type Values,
} from "./fields.ts";
import { type Acting, type Effect, operationForm } from "./operation-form.ts";
import { itemRates, meltShares, type Rate, sharesOf } from "./shares.ts";

interface ItemSubject {
  readonly item: Item;
  readonly project: Project;
}

interface ProjectSubject {
  readonly project: Project;
}

/** Who may make items in a project. Source: mrc401 §2.5 */
export function mayCreate({ project: { owner, partner } }: ProjectSubject, by: Acting): boolean {
  return by.address === owner || partner[by.address] !== undefined;
}

/** The terms of an item that its creation sets. Source: mrc401 §7 */
export const itemFields = {
  item_image_url: optional(picture()),
  item_url: optional(url()),
  groupid: optional(text(64, { bar: true })),
  initial_reserve: optional(amount({ field: "initial_token" }, { min: 0n })),
  initial_token: token(),
  sell_fee: optional(rate("99.9999", 4)),
  melt_fee: optional(rate("99.9999", 4)),
  transferable: choice("Permanent", "Temporary", "Bound"),
  expiredate: more(optional(time())),
  sell_price: optional(amount({ field: "sell_token" })),
  sell_token: token(),
} as const;

type ItemTerms = Values<typeof itemFields>;

/** The element of `itemdata` for the terms of an item, without what has no effect. */
export function itemElement<T extends ItemTerms>({
  initial_reserve,
  initial_token,
  sell_price,
  sell_token,
  ...rest
}: T) {
  return {
    ...rest,
    ...(initial_reserve ? { initial_reserve, initial_token } : {}),
    ...(sell_price ? { sell_price, sell_token } : {}),
  };
}

/** What is wrong with the terms of an item in a project. Source: mrc401 §2.4, §2.5 */
export function checkItem(
  values: ItemTerms,
  { project }: ProjectSubject,
): Readonly<Record<string, FieldFault>> {
  return {
    ...(values.initial_reserve ? checkToken("initial_token", values.initial_token, project) : {}),
    ...(values.sell_price === undefined
      ? {}
      : values.transferable === "Bound"
        ? { sell_price: { what: "bound" } }
        : checkToken("sell_token", values.sell_token, project)),
  };
}

function checkToken(
  field: string,
  given: string,
  { allow_token: allowed }: Project,
): Readonly<Record<string, FieldFault>> {
  return allowed === 0 || given === "0" || given === String(allowed)
    ? {}
    : { [field]: { what: "otherToken", token: String(allowed) } };
}

/** What creating items does, for any number of them. */
export function creationEffects(
  items: readonly ItemTerms[],
  { project: { owner } }: ProjectSubject,
): readonly Effect[] {
  const reserves = new Map<string, bigint>();
  for (const { initial_reserve: reserve = 0n, initial_token: of } of items) {
    reserves.set(of, (reserves.get(of) ?? 0n) + reserve);
  }
  return [
    ...[...reserves]
      .filter(([, sum]) => sum > 0n)
      .map(
        ([of, sum]): Effect => ({
          kind: "own",
          what: "reserve",
          sign: "−",
          amount: sum,
          token: of,
        }),
      ),
    { kind: "other", what: "itemOwner", address: owner },
    ...items
      .slice(0, 1)
      .flatMap(({ sell_price, sell_token }): readonly Effect[] =>
        items.length === 1 && sell_price !== undefined
          ? [{ kind: "own", what: "asked", sign: "", amount: sell_price, token: sell_token }]
          : [],
      ),
  ];
}

const mrc401create = operationForm({
  name: "mrc401create",
  on: "project",
  action: "new-item",
  isOpenTo: mayCreate,
  fields: () => itemFields,
  check: (values, subject, _, by) =>
    Object.keys(checkItem(values, subject)).length === 0 &&
    values.sell_price === undefined &&
    by.address !== subject.project.owner &&
    subject.project.partner[by.address] === "seller"
      ? { sell_price: { what: "sellersSell" } }
      : checkItem(values, subject),
  request: (values, { project: { id } }) => ({
    mrc400id: id,
    itemdata: [itemElement(values)],
  }),
  effects: (values, subject) => creationEffects([values], subject),
});

const isIdle = ({ sell_date, auction_date, melting_date }: Item): boolean =>
  sell_date === 0 && auction_date === 0 && melting_date === 0;

const isOnSale = ({ sell_date }: Item): boolean => sell_date > 0;
const isOnAuction = ({ auction_date }: Item): boolean => auction_date > 0;
const isBound = ({ transferable }: Item): boolean => transferable === "Bound";

/** Whoever holds it; of a fresh one also partners and sellers of the project. Source: mrc401 §2.5 */
function mayList({ item, project }: ItemSubject, { address: actor }: Acting): boolean {
  const role = project.partner[actor];
  return item.holder === actor || (item.owner === "" && (role === "partner" || role === "seller"));
}

const listed = ({ item: { id } }: ItemSubject, terms: object) =>
  ({ itemdata: [{ id, ...terms }] }) as never;

const ratesAtListing = ({ item, project }: ItemSubject): readonly Rate[] =>
  itemRates(item, project, item.sell_fee);

const ratesOfListing = ({ item, project }: ItemSubject): readonly Rate[] =>
  itemRates(item, project, item.listing_fee);

const holderOf = ({ item: { holder } }: ItemSubject) =>
  ({ role: "seller", address: holder }) as const;

/**
 * What the owner of the project may still change of an item that somebody gets; nothing where that is
 * the owner itself. Source: mrc401 §2.6
 */
export function ownerEffects(
  item: Item | UnitItem,
  project: Project | undefined,
  { address: holder }: Pick<Acting, "address">,
): readonly Effect[] {
  const powers = holder === project?.owner ? undefined : ownerPowers(item);
  return powers === undefined ? [] : [{ kind: "owner", powers }];
}

const mrc401transfer = operationForm({
  name: "mrc401transfer",
  on: "item",
  action: "transfer",
  isOpenTo: ({ item }, by) => isIdle(item) && !isBound(item) && item.holder === by.address,
  fields: () => ({ toAddr: address() }),
  check: ({ toAddr }, _subject, _reading, by): Readonly<Record<string, FieldFault>> =>
    toAddr === by.address ? { toAddr: { what: "yourself" } } : {},
  request: (values, { item: { id } }) => ({ ...values, mrc401id: id }),
  effects: ({ toAddr }, { item, project }) => [
    { kind: "other", what: "newOwner", address: toAddr },
    ...(item.initial_reserve > 0n ? [{ kind: "note", what: "reserveGoesAlong" } as const] : []),
    ...ownerEffects(item, project, { address: toAddr }),
  ],
});

const mrc401sell = operationForm({
  name: "mrc401sell",
  on: "item",
  action: "sell",
  isOpenTo: (subject, by) => isIdle(subject.item) && !isBound(subject.item) && mayList(subject, by),
  fields: () => ({ token: token(), price: amount({ field: "token" }) }),
  check: ({ token: given }, { project }) => checkToken("token", given, project),
  request: (values, subject) => listed(subject, values),
  effects: ({ price, token: pay }, subject) => [
    { kind: "own", what: "asked", sign: "", amount: price, token: pay },
    ...laterEffects(sharesOf(price, ratesAtListing(subject), holderOf(subject)), pay),
    { kind: "note", what: "changeLater" },
  ],
});

const mrc401auction = operationForm({
  name: "mrc401auction",
  on: "item",
  action: "auction",
  isOpenTo: (subject, by) => isIdle(subject.item) && !isBound(subject.item) && mayList(subject, by),
  fields: (_, by) => ({
    token: token(),
    start: amount({ field: "token" }),
    bidding: optional(amount({ field: "token" })),
    buynow: optional(amount({ field: "token" })),
    end: startingWith(time(), localTimeText(usualEnd(by))),
  }),
  check: ({ token: given, start, buynow = start + 1n }, { project }) =>
    buynow <= start ? { buynow: { what: "notAbove" } } : checkToken("token", given, project),
  request: (values, subject) => listed(subject, values),
  effects: ({ token: pay, start, buynow, end }, subject) => [
    ...auctionTerms(
      { auction_start_price: start, auction_buynow_price: buynow, auction_end_date: end },
      pay,
    ),
    ...rateEffects(ratesAtListing(subject)),
    { kind: "note", what: "endMoves" },
    { kind: "note", what: "untilBid" },
  ],
});

const mrc401unsell = operationForm({
  name: "mrc401unsell",
  on: "item",
  action: "take-back",
  isOpenTo: (subject, by) => isOnSale(subject.item) && mayList(subject, by),
  fields: () => ({}),
  request: (_, { item: { id } }) => ({ itemdata: [id] }),
  effects: () => [{ kind: "note", what: "offSale" }],
});

const mrc401unauction = operationForm({
  name: "mrc401unauction",
  on: "item",
  action: "cancel-auction",
  isOpenTo: (subject, by) =>
    isOnAuction(subject.item) && subject.item.auction_current_bidder === "" && mayList(subject, by),
  fields: () => ({}),
  request: (_, { item: { id } }) => ({ itemdata: [id] }),
  effects: () => [{ kind: "note", what: "offAuction" }],
});

const mrc401buy = operationForm({
  name: "mrc401buy",
  on: "item",
  action: "buy",
  isOpenTo: ({ item }, by) => isOnSale(item) && !isBound(item) && item.holder !== by.address,
  fields: () => ({}),
  // Guards against an offer that was replaced meanwhile, and against other terms than are shown.
  request: (_, { item }) => ({
    mrc401id: item.id,
    price: item.sell_price,
    token: item.sell_token,
    ...guardsOf(item),
  }),
  effects: (_, subject, by) => {
    const { sell_price: price, sell_token: pay, initial_reserve } = subject.item;
    return [
      { kind: "own", what: "pay", sign: "−", amount: price, token: pay },
      { kind: "note", what: "itemIsYours" },
      ...(initial_reserve > 0n ? [{ kind: "note", what: "reserveGoesAlong" } as const] : []),
      ...ownerEffects(subject.item, subject.project, by),
      ...shareEffects(sharesOf(price, ratesOfListing(subject), holderOf(subject)), pay),
    ];
  },
});

const auctionOf = ({ item }: ItemSubject): Auction => ({
  token: item.auction_token,
  start: item.auction_start_price,
  unit: item.auction_bidding_unit,
  buyNow: item.auction_buynow_price,
  current: item.auction_current_price,
  bidder: item.auction_current_bidder,
  begins: item.auction_date,
  ends: item.auction_end,
});

const mrc401bid = operationForm({
  name: "mrc401bid",
  on: "item",
  action: "bid",
  isOpenTo: (subject, by) =>
    isOnAuction(subject.item) &&
    !isBound(subject.item) &&
    subject.item.holder !== by.address &&
    mayBid(auctionOf(subject), by),
  fields: (subject) => ({ amount: bidField(auctionOf(subject)) }),
  check: ({ amount: bid }, subject, reading) => checkBid(auctionOf(subject), bid, reading),
  request: (values, { item }) => ({
    ...values,
    mrc401id: item.id,
    token: item.auction_token,
    ...guardsOf(item),
  }),
  effects: ({ amount: bid }, subject, by) => [
    ...bidEffects(auctionOf(subject), bid, by, [
      { kind: "note", what: "itemIsYours" },
      ...shareEffects(
        sharesOf(bid, ratesOfListing(subject), holderOf(subject)),
        subject.item.auction_token,
      ),
    ]),
    ...ownerEffects(subject.item, subject.project, by),
  ],
});

const mrc401auctionfinish = operationForm({
  name: "mrc401auctionfinish",
  on: "item",
  action: "finish",
  isUnsigned: true,
  isOpenTo: ({ item }, { now }) => isOnAuction(item) && now >= item.auction_end,
  fields: () => ({}),
  request: (_, { item: { id } }) => ({ mrc401id: id }),
  effects: (_, subject) =>
    finishEffects(auctionOf(subject), ratesOfListing(subject), holderOf(subject), (address) => ({
      kind: "other",
      what: "newOwner",
      address,
    })),
});

const mrc401melt = operationForm({
  name: "mrc401melt",
  on: "item",
  action: "melt",
  isDestructive: true,
  isOpenTo: ({ item }, { address: actor, now }) =>
    isIdle(item) && item.holder === actor && now >= item.expiredate,
  fields: () => ({}),
  request: (_, { item: { id } }) => ({ mrc401id: id }),
  effects: (_, { item, project: { owner } }) => [
    ...shareEffects(
      meltShares(
        item.initial_reserve,
        { holder: item.holder, owner, rate: item.meltint_fee },
        true,
      ),
      item.initial_token,
    ),
    { kind: "note", what: "final" },
  ],
});

/** What the update of an item of either kind may change. */
interface Changeable {
  readonly item: Pick<
    Item,
    | "creator"
    | "groupid"
    | "item_image_url"
    | "item_url"
    | "meltint_fee"
    | "sell_fee"
    | "transferable"
  >;
  readonly project: Project | undefined;
}

/** Who may change an item of either kind. Source: mrc401 §2.5, mrc402 §2.3 */
export function mayUpdate({ item, project }: Changeable, { address: actor }: Acting): boolean {
  const role = project?.partner[actor];
  return (
    actor === project?.owner ||
    (item.creator === actor && (role === "partner" || role === "creator"))
  );
}

/** The fields that the actor may change. Source: mrc401 §2.5, §8, mrc402 §10 */
export function updateFields({ item, project }: Changeable, by: Acting): Fields {
  const shown = {
    item_image_url: startingWith(optional(picture()), item.item_image_url),
    item_url: startingWith(optional(url()), item.item_url),
    groupid: startingWith(optional(text(64, { bar: true })), item.groupid),
  };
  return by.address === project?.owner
    ? {
        ...shown,
        sell_fee: startingWith(rate("99.9999", 4), item.sell_fee),
        melt_fee: startingWith(rate("99.9999", 4), item.meltint_fee),
        ...(item.transferable === "Temporary"
          ? { transferable: choice("Temporary", "Permanent", "Bound") }
          : {}),
      }
    : shown;
}

/** The members of an element that differ from the item. An empty text clears its field. */
export function changesOf(
  values: Values<Fields>,
  { item }: Pick<Changeable, "item">,
): Record<string, string> {
  const before: Readonly<Record<string, string>> = {
    item_image_url: item.item_image_url,
    item_url: item.item_url,
    groupid: item.groupid,
    sell_fee: item.sell_fee,
    melt_fee: item.meltint_fee,
    transferable: item.transferable,
  };
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, String(value ?? "")] as const)
      .filter(([name, value]) => value !== before[name]),
  );
}

const mrc401update = operationForm({
  name: "mrc401update",
  on: "item",
  action: "update",
  isOpenTo: (subject, by) => subject.item.melting_date === 0 && mayUpdate(subject, by),
  fields: updateFields,
  check: (values, subject): Readonly<Record<string, FieldFault>> =>
    Object.keys(changesOf(values, subject)).length === 0
      ? { item_image_url: { what: "nothing" } }
      : {},
  request: (values, subject) => ({
    mrc400id: subject.item.mrc400,
    itemdata: [{ id: subject.item.id, ...changesOf(values, subject) }],
  }),
  effects: (values, subject) => updateEffects(changesOf(values, subject)),
});

/** What changing an item of either kind means. */
export function updateEffects(changes: Readonly<Record<string, string>>): readonly Effect[] {
  return [
    ...("sell_fee" in changes ? [{ kind: "note", what: "fromNextListing" } as const] : []),
    ...("transferable" in changes ? [{ kind: "note", what: "neverChanges" } as const] : []),
    { kind: "note", what: "restStays" },
  ];
}

/** Everything that can be done with items. Source: mrc401 §7 to §17 */
export const ITEM_OPERATIONS = [
  mrc401create,
  mrc401buy,
  mrc401bid,
  mrc401sell,
  mrc401auction,
  mrc401transfer,
  mrc401unsell,
  mrc401unauction,
  mrc401auctionfinish,
  mrc401update,
  mrc401melt,
] as const;
