import { afterFees, guardsOf, localTimeText } from "@moneta/sdk";
import { isOfferOver } from "../../ledger/sale-window.ts";
import type { Field, Values } from "./fields.ts";
import { type Acting, operationForm } from "./operation-form.ts";
import type { Subjects } from "./subject.ts";

type ItemOfferSubject = Subjects["itemOffer"];
type UnitOfferSubject = Subjects["unitOffer"];
type OfferSubject = ItemOfferSubject | UnitOfferSubject;

const WEEK_SECONDS = 7 * 86_400;

const FIELDS_OF_END = (_: unknown, { now }: Acting): Readonly<Record<string, Partial<Field>>> => ({
  end: { initial: localTimeText(Math.ceil((now + WEEK_SECONDS) / 60) * 60) },
});

/** Source: policies §3, mrc401 §2.4 */
function isTradable({
  transferable = "",
  policy: { transfers = "free" },
}: {
  readonly transferable?: string;
  readonly policy: { readonly transfers?: string | undefined };
}): boolean {
  return transferable !== "Bound" && (transfers === "free" || transfers === "market");
}

const isOpen = ({ offer }: OfferSubject, { now }: Acting): boolean =>
  offer.state === "open" && !isOfferOver(offer, now);

const offerId = ({ offer }: OfferSubject): Values => ({ offerid: offer.offerid });

const WITHDRAWN = {
  action: "withdraw-offer",
  fixed: offerId,
  isOffered: (subject: OfferSubject, by: Acting) =>
    isOpen(subject, by) && subject.offer.buyer === by.address,
} as const;
const CLOSED = {
  action: "finish-offer",
  fixed: offerId,
  isUnsigned: true,
  isOffered: ({ offer }: OfferSubject, { now }: Acting) => isOfferOver(offer, now),
  notes: ["anybody"],
} as const;

/** Source: offers §2 to §5 */
export const OFFER_OPERATIONS = [
  operationForm({
    name: "mrc401offer",
    on: "item",
    action: "offer",
    fields: "price token end",
    more: FIELDS_OF_END,
    fixed: ({ item }) => ({ id: item.id, ...guardsOf(item) }),
    isOffered: ({ item }, by) =>
      item.melting_date === 0 && item.holder !== by.address && isTradable(item),
    policy: (_, { item }) => item,
    notes: ["priceIsHeld", "onTheseTerms"],
    givesItem: true,
  }),
  operationForm({
    name: "mrc401offer",
    on: "project",
    action: "offer",
    fields: "groupid price token end +maxsellfee +maxmeltfee",
    more: FIELDS_OF_END,
    fixed: ({ project }) => ({ id: project.id }),
    isOffered: () => true,
    policy: (_, { project }) => project,
    notes: ["priceIsHeld", "olderItems"],
  }),
  operationForm({
    name: "mrc402offer",
    on: "units",
    action: "offer",
    fields: "amount price token end",
    more: (subject, by) => ({ ...FIELDS_OF_END(subject, by), amount: { initial: "1" } }),
    fixed: ({ item }) => ({ id: item.id, ...guardsOf(item) }),
    isOffered: ({ item }) => item.totalsupply > item.meltedamount && isTradable(item),
    policy: (_, { item }) => item,
    notes: ["priceIsHeld", "onTheseTerms"],
    givesItem: true,
  }),
  operationForm({
    name: "mrc401acceptoffer",
    on: "itemOffer",
    action: "accept-offer",
    fixed: ({ offer, item, project }) => ({
      offerid: offer.offerid,
      mrc401id: item?.id,
      atleast:
        item === undefined
          ? undefined
          : afterFees(item, offer.price, { sellerOwnsProject: item.holder === project.owner }),
    }),
    shown: ["atleast"],
    isOffered: (subject, by) =>
      isOpen(subject, by) &&
      subject.offer.buyer !== by.address &&
      subject.item?.holder === by.address,
    notes: (_, { item }) => (item !== undefined && item.sell_date > 0 ? ["leavesSale"] : []),
  }),
  operationForm({
    name: "mrc402acceptoffer",
    on: "unitOffer",
    action: "accept-offer",
    fields: "amount",
    more: ({ offer, holding }) => {
      const most = holding.balance < offer.remain_amount ? holding.balance : offer.remain_amount;
      return { amount: { initial: "1", fills: [{ what: "all", amount: most }] } };
    },
    fixed: offerId,
    convert: (values, { offer, item }) => ({
      ...values,
      atleast: afterFees(item, (values["amount"] as bigint) * offer.price, {
        sellerOwnsProject: false,
      }),
    }),
    shown: ["atleast"],
    isOffered: (subject, by) =>
      isOpen(subject, by) && subject.offer.buyer !== by.address && subject.holding.balance > 0n,
    notes: ["restOpen"],
  }),
  operationForm({ ...WITHDRAWN, name: "mrc401unoffer", on: "itemOffer" }),
  operationForm({ ...WITHDRAWN, name: "mrc402unoffer", on: "unitOffer" }),
  operationForm({ ...CLOSED, name: "mrc401offerfinish", on: "itemOffer" }),
  operationForm({ ...CLOSED, name: "mrc402offerfinish", on: "unitOffer" }),
];
