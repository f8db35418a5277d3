import {
  type Address,
  type HeldAs,
  integerSchema,
  type Rate,
  recordSchema,
  shownItemOffer,
  shownUnitOffer,
} from "@moneta/protocol";
import { documentForm } from "./document.ts";
import { type DocumentKind, type DocumentTable, subsetsOf } from "./entries.ts";
import { rankOf } from "./order-entry.ts";

type ItemOfferDocument = HeldAs<typeof shownItemOffer.schema>;
type UnitOfferDocument = HeldAs<typeof shownUnitOffer.schema>;

interface Placed {
  readonly order: number;
}

export interface ItemOffer extends ItemOfferDocument, Placed {}

export interface UnitOffer extends UnitOfferDocument, Placed {}

export type Offer = Placed &
  Pick<
    ItemOfferDocument,
    | "offerid"
    | "buyer"
    | "id"
    | "price"
    | "token"
    | "held"
    | "createdate"
    | "end"
    | "state"
    | "close_date"
  >;

/** The entry leaves them out. Source: offers §2. */
export const ANY_TERMS: Pick<ItemOffer, "maxmeltfee" | "maxsellfee" | "transferable"> = {
  ...{ maxmeltfee: 999_999n as Rate, maxsellfee: 999_999n as Rate },
  transferable: "",
};

/** Of an offer: an item, a project, or a group of a project. */
export function targetOf(id: string, groupid: string = ""): string {
  return groupid === "" ? id : `${id}/${groupid}`;
}

/** The table of a kind of offers. Source: offers §7. */
function offerTable<O extends Offer>(name: string, target: (offer: O) => string): DocumentTable<O> {
  return {
    name,
    rowNumber: ({ order }) => order,
    columns: {
      target: { type: "TEXT", of: target },
      buyer: { type: "ADDRESS", of: ({ buyer }) => buyer },
      pay_token: { type: "INTEGER", of: ({ token }) => Number(token) },
      state: { type: "TEXT", of: ({ state }) => state },
      price: {
        type: "TEXT",
        optional: true,
        of: ({ state, price }) => (state === "open" ? rankOf("BUY", price) : undefined),
      },
      offer_end: {
        type: "INTEGER",
        optional: true,
        of: ({ state, end }) => (state === "open" ? end : undefined),
      },
    },
    indexes: [
      ...subsetsOf(["target", "buyer", "pay_token"]).map((filters) => [...filters, "state"]),
      ["pay_token", "price"],
      ["target", "pay_token", "price"],
      ["buyer", "pay_token", "price"],
      ["offer_end"],
    ],
  };
}

export const ITEM_OFFER: DocumentKind<ItemOffer> = {
  table: offerTable("item_offer", ({ id, groupid }) => targetOf(id, groupid)),
  prefix: "off401/",
  noun: "an offer",
  id: ({ offerid }) => offerid,
  ...documentForm<ItemOffer, ItemOfferDocument, "order">(shownItemOffer, {
    stored: ["order"],
    beside: {},
    defaults: ANY_TERMS,
    copy: (blank) => ({ ...blank }),
  }),
};

export const UNIT_OFFER: DocumentKind<UnitOffer> = {
  table: offerTable("unit_offer", ({ id }) => targetOf(id)),
  prefix: "off402/",
  noun: "an offer",
  id: ({ offerid }) => offerid,
  ...documentForm<UnitOffer, UnitOfferDocument, "order">(shownUnitOffer, {
    stored: ["order"],
    beside: {},
    defaults: ANY_TERMS,
    copy: (blank) => ({ ...blank }),
  }),
};

const countSchema = recordSchema("OpenOffers", { open: integerSchema });

type CountDocument = HeldAs<typeof countSchema>;

/** Source: offers §2. */
export interface OpenOffers extends CountDocument {
  readonly address: Address;
}

export const OPEN_OFFERS: DocumentKind<OpenOffers> = {
  table: { name: "open_offers", columns: {}, indexes: [] },
  prefix: "offers/",
  id: ({ address }) => address,
  follows: (address) => ({ address }),
  isAbsent: ({ open }) => open === 0,
  ...documentForm<OpenOffers, CountDocument>(
    { schema: countSchema },
    { beside: { address: "" as Address } },
  ),
};
