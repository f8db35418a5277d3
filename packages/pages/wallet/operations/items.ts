import {
  attributeText,
  attributeValue,
  guardsOf,
  type Item,
  localTimeText,
  type Project,
} from "@moneta/sdk";
import type { Pair, Values } from "./fields.ts";
import { itemOnMarket, usualEnd } from "./on-market.ts";
import { type Acting, operationForm } from "./operation-form.ts";
import type { Subjects, WithPolicy } from "./subject.ts";
import { tradeForms } from "./trade-forms.ts";

type ItemSubject = Subjects["item"];

/** Source: mrc401 §2.5 */
export function hasRole(
  project: Project | undefined,
  { address }: Acting,
  ...roles: readonly string[]
): boolean {
  return roles.includes(project?.partner[address] ?? "");
}

export function mayCreate({ project }: { readonly project: Project }, by: Acting): boolean {
  return by.address === project.owner || hasRole(project, by, "partner", "creator");
}

/** In the order of the form. Source: mrc401 §7 */
export const NEW_ITEM =
  "item_image_url sell_price +sell_token +sell_start +sell_end +attributes +groupid +sell_fee +initial_reserve +initial_token +melt_fee +transferable +to +item_url +face_price +face_token +expiredate +metadatahash +frozen";

/** They have fields of their own. Source: mrc401 §20 */
const NAMED = {
  name: { kind: "text", max: 256 },
  description: { kind: "lines", max: 256, isMore: true },
} as const;

/** The policy may need a face price. Source: policies §5 */
export function newFields(fields: string, { policy }: Pick<Project, "policy">): string {
  return policy.maxprice === undefined
    ? fields
    : fields.replace("+face_price +face_token", "face_price! face_token");
}

export function newPolicy(
  { face_price, face_token = "0" }: Values,
  { project: { policy } }: { readonly project: Project },
): WithPolicy {
  return typeof face_price === "bigint"
    ? { policy, face_price, face_token: String(face_token) }
    : { policy };
}

export const TRANSFERABLE = { options: ["Permanent", "Temporary", "Bound"] } as const;

/** Without tokens of absent amounts. */
export function itemMembers(values: Values): Values {
  const { initial_token, sell_token, face_token, ...rest } = values;
  return {
    ...rest,
    ...withAttributes(values),
    ...(rest["face_price"] === undefined ? {} : { face_token }),
    ...(rest["initial_reserve"] === undefined ? {} : { initial_token }),
    ...(rest["sell_price"] === undefined ? {} : { sell_token }),
  };
}

/** In wire form; nothing if the form has none. */
export function withAttributes({ attributes }: Values): Values {
  return attributes === undefined
    ? {}
    : {
        attributes: Object.fromEntries(
          (attributes as readonly Pair[]).map(({ key, value }) => [
            key,
            attributeValue(String(value)),
          ]),
        ),
      };
}

function namedMembers({ name, description, ...rest }: Values): Values {
  const members = itemMembers(rest);
  const named = Object.entries({ name, description }).filter(([, value]) => value !== undefined);
  return named.length === 0
    ? members
    : {
        ...members,
        attributes: {
          ...(members["attributes"] as Values | undefined),
          ...Object.fromEntries(named),
        },
      };
}

function shownMembers({ attributes, ...rest }: Values): Values {
  const { name, description, ...others } = (attributes ?? {}) as Values;
  const known = { name, description, attributes: others };
  const given = Object.entries(known).filter(
    ([, value]) => value !== undefined && !(value === others && Object.keys(others).length === 0),
  );
  return { ...rest, ...Object.fromEntries(given) };
}

/** Empty for 0, which is no time. */
export const timeText = (time = 0): string => (time === 0 ? "" : localTimeText(time));

export function metadataTexts({
  attributes,
  metadatahash,
  frozen,
}: Pick<Item, "attributes" | "frozen" | "metadatahash">) {
  const lines = Object.entries(attributes).map(([name, one]) => `${name}: ${attributeText(one)}`);
  return {
    attributes: { initial: lines.join("\n") },
    metadatahash: { initial: metadatahash },
    frozen: { initial: timeText(frozen) },
  };
}

const isIdle = ({ sell_date, auction_date, melting_date }: Item): boolean =>
  sell_date === 0 && auction_date === 0 && melting_date === 0;

/** Its holder; while fresh also the project's partners and sellers. Source: mrc401 §2.5 */
function mayList({ item, project }: ItemSubject, by: Acting): boolean {
  return (
    item.holder === by.address || (item.owner === "" && hasRole(project, by, "partner", "seller"))
  );
}

const isListable = (subject: ItemSubject, by: Acting): boolean =>
  isIdle(subject.item) && subject.item.transferable !== "Bound" && mayList(subject, by);

const holds = ({ item }: ItemSubject, { address }: Acting): boolean => item.holder === address;

const id = ({ item }: ItemSubject): Values => ({ id: item.id });
const itemdata = ({ item }: ItemSubject): Values => ({ itemdata: [item.id] });
const mrc401id = ({ item }: ItemSubject): Values => ({ mrc401id: item.id });

/** The shown terms may change before a purchase or bid arrives. */
const guarded = (subject: ItemSubject): Values => ({
  ...mrc401id(subject),
  ...guardsOf(subject.item),
});

const goesAlong = (_: Values, { item }: ItemSubject) =>
  item.initial_reserve > 0n ? (["reserveGoesAlong"] as const) : [];

interface Changeable {
  readonly item: Pick<
    Item,
    | "attributes"
    | "creator"
    | "frozen"
    | "groupid"
    | "id"
    | "item_image_url"
    | "item_url"
    | "meltint_fee"
    | "metadatahash"
    | "mrc400"
    | "sell_fee"
    | "transferable"
  >;
  readonly project: Project | undefined;
}

/** Except its name and place. Source: mrc401 §8, mrc402 §10 */
export const ITEM_UPDATE = {
  // Only the project's owner sets fees and transferability. Source: mrc401 §2.5
  fields: ({ item, project }: Changeable, { address }: Acting) =>
    address === project?.owner
      ? `item_image_url item_url groupid attributes sell_fee melt_fee${item.transferable === "Temporary" ? " transferable" : ""} +metadatahash +frozen`
      : "item_image_url item_url groupid attributes",
  isEntry: true,
  sendsChanges: true,
  more: ({ item }: Changeable) => ({
    item_image_url: { initial: item.item_image_url },
    item_url: { initial: item.item_url },
    groupid: { initial: item.groupid },
    ...metadataTexts(item),
    sell_fee: { initial: item.sell_fee },
    melt_fee: { initial: item.meltint_fee },
    transferable: { options: ["Temporary", "Permanent", "Bound"] },
  }),
  fixed: ({ item }: Changeable): Values => ({ id: item.id }),
  convert: (values: Values): Values => ({ ...values, ...withAttributes(values) }),
  beside: ({ item }: Changeable): Values => ({ mrc400id: item.mrc400 }),
  notes: (values: Values) => [
    ...("sell_fee" in values ? (["fromNextListing"] as const) : []),
    "restStays" as const,
  ],
} as const;

/** The project's owner, and the creator while it has a role. Source: mrc401 §2.5 */
export function mayUpdate({ item, project }: Changeable, by: Acting): boolean {
  return (
    by.address === project?.owner ||
    (item.creator === by.address && hasRole(project, by, "partner", "creator"))
  );
}

/** Source: mrc401 §7 to §17 */
export const ITEM_OPERATIONS = [
  operationForm({
    name: "mrc401create",
    on: "project",
    action: "new-item",
    fields: ({ project }) => newFields(`name description ${NEW_ITEM}`, project),
    isEntry: true,
    more: () => ({ ...NAMED, transferable: TRANSFERABLE }),
    convert: namedMembers,
    shownAs: shownMembers,
    policy: newPolicy,
    beside: ({ project }) => ({ mrc400id: project.id }),
    isOffered: mayCreate,
  }),
  ...tradeForms({
    on: "item",
    prefix: "mrc401",
    lot: ({ item }) => itemOnMarket(item),
    isOwn: holds,
    mayEnd: mayList,
    id: mrc401id,
    buy: {
      fixed: (subject) => ({
        ...guarded(subject),
        price: subject.item.sell_price,
        token: subject.item.sell_token,
      }),
      pays: (_, { item }) => ({ amount: item.sell_price, token: item.sell_token }),
      notes: goesAlong,
      givesItem: true,
    },
    bid: {
      fixed: (subject) => ({ ...guarded(subject), token: subject.item.auction_token }),
      givesItem: true,
    },
    unsell: { fixed: itemdata, notes: ["offSale"] },
    unauction: { fixed: itemdata, notes: ["offAuction"] },
  }),
  operationForm({
    name: "mrc401sell",
    on: "item",
    action: "sell",
    fields: "price token +sell_start +sell_end",
    isEntry: true,
    fixed: id,
    isOffered: isListable,
    showsFees: true,
    notes: ["unsellItem"],
  }),
  operationForm({
    name: "mrc401auction",
    on: "item",
    action: "auction",
    fields: "token start bidding buynow end! +extend",
    isEntry: true,
    more: (_, by) => ({ end: { initial: usualEnd(by) } }),
    fixed: id,
    isOffered: isListable,
    showsFees: true,
    notes: ["endMoves", "untilBid"],
  }),
  operationForm({
    name: "mrc401transfer",
    on: "item",
    action: "transfer",
    fields: "toAddr",
    fixed: mrc401id,
    isOffered: ({ item }, by) =>
      isIdle(item) && item.transferable !== "Bound" && item.holder === by.address,
    notes: goesAlong,
    givesItem: true,
  }),
  operationForm({
    ...ITEM_UPDATE,
    name: "mrc401update",
    on: "item",
    action: "update",
    isOffered: (subject, by) => subject.item.melting_date === 0 && mayUpdate(subject, by),
  }),
  operationForm({
    name: "mrc401melt",
    on: "item",
    action: "melt",
    fixed: mrc401id,
    isOffered: ({ item }, { address: actor, now }) =>
      isIdle(item) && item.holder === actor && now >= item.expiredate,
    isDestructive: true,
  }),
];
