import { guardsOf, type UnitItem } from "@moneta/sdk";
import { type Field, type Pair, pairLines, type Values } from "./fields.ts";
import {
  hasRole,
  ITEM_UPDATE,
  itemMembers,
  mayCreate,
  mayUpdate,
  metadataTexts,
  newFields,
  newPolicy,
  TRANSFERABLE,
  withAttributes,
} from "./items.ts";
import { listingOnMarket, usualEnd } from "./on-market.ts";
import { type Acting, operationForm } from "./operation-form.ts";
import { pairsObject } from "./projects.ts";
import type { Subjects } from "./subject.ts";
import { AUCTION, PLATFORM } from "./tokens.ts";
import { tradeForms } from "./trade-forms.ts";

type UnitsSubject = Subjects["units"];
type ListingSubject = Subjects["unitListing"];

/** Each member can be set once. Source: mrc402 §9 */
const COPYRIGHT = [
  "copyright_registration_country",
  "copyright_registrar",
  "copyright_registration_number",
] as const;

const LONG = `+information +data +socialmedia ${COPYRIGHT.map((name) => `+${name}`).join(" ")}`;

/** Source: mrc402 §4, §5 */
const NEW =
  "+attributes +to +initialreserve +creatorcommission +shareholder +expiredate +metadatahash +frozen +category +description";

const NEW_OF_PROJECT = `name! url imageurl totalsupply! sell_price +sell_token ${NEW} +face_price +face_token ${LONG} +item_url +item_image_url +groupid +sell_fee +melt_fee +transferable +sell_start +sell_end ${PLATFORM}`;

/** Pairs are objects on the wire. */
const members = (values: Values): Values => ({
  ...itemMembers(values),
  ...objects(values, ["initialreserve", "shareholder", "socialmedia"]),
});

const objects = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(
    names
      .filter((name) => values[name] !== undefined)
      .map((name) => [name, pairsObject(values[name] as readonly Pair[])]),
  );

const isEnded = ({ totalsupply, meltedamount }: UnitItem): boolean => totalsupply === meltedamount;

/** Partners and sellers act while only the creator has held the units. Source: mrc402 §2.3 */
const isAgent = ({ item, project }: Pick<UnitsSubject, "item" | "project">, by: Acting): boolean =>
  item.owner === item.creator && hasRole(project, by, "partner", "seller");

const mayList = (subject: UnitsSubject, by: Acting): boolean =>
  subject.item.transferable !== "Bound" &&
  !isEnded(subject.item) &&
  (subject.holding.balance > 0n || isAgent(subject, by));

const ownUnits = ({ holding: { balance } }: UnitsSubject): Partial<Field> => ({
  initial: "1",
  ...(balance === 0n ? {} : { fills: [{ what: "all", amount: balance }] }),
});

const hasUnits = ({ holding }: UnitsSubject): boolean => holding.balance > 0n;
const isCreator = ({ item }: UnitsSubject, { address }: Acting): boolean =>
  item.creator === address;

const mrc402id = ({ item }: UnitsSubject): Values => ({ mrc402id: item.id });
const id = ({ item }: UnitsSubject): Values => ({ id: item.id });

const isSeller = ({ listing }: ListingSubject, { address }: Acting): boolean =>
  listing.seller === address;

const mayTakeBack = (subject: ListingSubject, by: Acting): boolean =>
  isSeller(subject, by) || (subject.listing.agent !== "" && isAgent(subject, by));

const listingId = ({ listing }: ListingSubject): Values => ({ id: listing.dexid });

/** The shown terms may change before a purchase or bid arrives. */
const guarded = (subject: ListingSubject): Values => ({
  ...listingId(subject),
  token: subject.listing.sell_token,
  ...guardsOf(subject.item),
});

/** Source: mrc402 §4 to §17 */
export const UNIT_OPERATIONS = [
  operationForm({
    name: "mrc402create",
    on: "nothing",
    action: "units",
    fields: `name! url! imageurl! totalsupply! ${NEW} ${LONG} +allowtoken +itemurl +itemimageurl ${PLATFORM}`,
    more: () => ({ totalsupply: { initial: "1" } }),
    convert: members,
    isOffered: () => true,
    notes: ["neverChanges"],
  }),
  operationForm({
    name: "mrc402create",
    on: "project",
    action: "new-units",
    fields: ({ project }) => newFields(NEW_OF_PROJECT, project),
    isEntry: true,
    more: () => ({ totalsupply: { initial: "1" }, transferable: TRANSFERABLE }),
    convert: members,
    beside: ({ project }) => ({ mrc400id: project.id }),
    policy: newPolicy,
    isOffered: mayCreate,
    notes: ["neverChanges"],
  }),
  ...tradeForms({
    on: "unitListing",
    prefix: "mrc402",
    lot: ({ listing }) => listingOnMarket(listing),
    isOwn: isSeller,
    mayEnd: mayTakeBack,
    id: listingId,
    buy: {
      fields: "amount!",
      more: ({ listing: { remain_amount } }) => ({
        amount: { initial: "1", fills: [{ what: "all", amount: remain_amount }] },
      }),
      fixed: (subject) => ({ ...guarded(subject), price: subject.listing.sell_price }),
      shown: ["price"],
      pays: ({ amount }, { listing }) => ({
        amount: (amount as bigint) * listing.sell_price,
        token: listing.sell_token,
      }),
      givesItem: true,
    },
    bid: { fixed: guarded, givesItem: true },
  }),
  operationForm({
    name: "mrc402sell",
    on: "units",
    action: "sell",
    fields: `amount! price! token! +sell_start +sell_end ${PLATFORM}`,
    more: (subject) => ({ amount: ownUnits(subject) }),
    fixed: id,
    isOffered: mayList,
    showsFees: true,
    notes: ["unsellLater"],
  }),
  operationForm({
    name: "mrc402auction",
    on: "units",
    action: "auction",
    fields: `amount! token! ${AUCTION} ${PLATFORM}`,
    more: (subject, by) => ({
      amount: ownUnits(subject),
      auction_end_date: { initial: usualEnd(by) },
    }),
    fixed: id,
    isOffered: mayList,
    showsFees: true,
    notes: ["untilBid"],
  }),
  operationForm({
    name: "mrc402transfer",
    on: "units",
    action: "transfer",
    fields: "toAddr amount! +tag +memo",
    more: (subject) => ({ amount: ownUnits(subject) }),
    fixed: mrc402id,
    isOffered: (subject) => subject.item.transferable !== "Bound" && hasUnits(subject),
    givesItem: true,
  }),
  operationForm({
    name: "mrc402mint",
    on: "units",
    action: "mint",
    fields: "amount +to +memo",
    fixed: mrc402id,
    isOffered: (subject, by) => isCreator(subject, by) && !isEnded(subject.item),
  }),
  operationForm({
    name: "mrc402update",
    on: "units",
    action: "update",
    fields: ({ item }) =>
      [
        "url information data socialmedia",
        // Those of an item of a project are among its terms.
        ...(item.mrc400 === "" ? ["attributes", "+metadatahash", "+frozen"] : []),
        ...COPYRIGHT.filter((name) => item[name] === ""),
      ].join(" "),
    more: ({ item }) => ({
      url: { initial: item.url },
      information: { initial: item.information },
      data: { initial: item.data },
      socialmedia: { initial: pairLines(item.socialmedia) },
      ...metadataTexts(item),
    }),
    fixed: mrc402id,
    sendsChanges: true,
    convert: (values) => ({
      ...values,
      ...objects(values, ["socialmedia"]),
      ...withAttributes(values),
    }),
    isOffered: isCreator,
    notes: ["restStays"],
  }),
  operationForm({
    ...ITEM_UPDATE,
    name: "mrc402itemupdate",
    on: "units",
    action: "terms",
    isOffered: (subject, by) => !isEnded(subject.item) && mayUpdate(subject, by),
  }),
  operationForm({
    name: "mrc402burn",
    on: "units",
    action: "burn",
    fields: "amount! +memo",
    more: (subject) => ({ amount: ownUnits(subject) }),
    fixed: mrc402id,
    isOffered: (subject, by) => isCreator(subject, by) && hasUnits(subject),
    isDestructive: true,
  }),
  operationForm({
    name: "mrc402melt",
    on: "units",
    action: "melt",
    fields: "amount!",
    more: (subject) => ({ amount: ownUnits(subject) }),
    fixed: mrc402id,
    isOffered: (subject, { now }) => hasUnits(subject) && now >= subject.item.expiredate,
    isDestructive: true,
  }),
];
