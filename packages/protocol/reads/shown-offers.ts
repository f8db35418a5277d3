import { BOB, NOW, OFFER, PRINT, SWORD, TOMORROW, UNIT_OFFER } from "../description/examples.ts";
import {
  address,
  addressOrNone,
  amount,
  defaulted,
  type Members,
  noted,
  oneOf,
  rate,
  shown,
  text,
  time,
  tokenId,
} from "../description/shown.ts";

const STATES = oneOf("open", "accepted", "withdrawn", "ended");

const ends = {
  createdate: [time, NOW],
  end: [noted(time, "from when on it cannot be accepted"), TOMORROW],
  state: [noted(STATES, "ended once it is closed after its end"), "open"],
  close_date: [noted(time, "when it was accepted, withdrawn or closed"), 0],
} satisfies Members;

const TERMS = oneOf("", "Permanent", "Bound", "Temporary");

/** The defaults accept any. Source: mrc401 §2.6. */
const guards = {
  maxmeltfee: [defaulted(noted(rate, "accepts items with this melt_fee or less"), "99.9999"), "10"],
  maxsellfee: [
    defaulted(noted(rate, "accepts items with this sell_fee or less"), "99.9999"),
    "2.5",
  ],
  transferable: [
    defaulted(noted(TERMS, "accepts items with this value; empty: any"), ""),
    "Permanent",
  ],
} satisfies Members;

/** Source: offers §1. */
export const shownItemOffer = shown("ItemOffer", {
  offerid: [text, OFFER],
  buyer: [address, BOB],
  id: [noted(text, "id of the item, or of the project of which any item will do"), SWORD],
  groupid: [noted(text, "of a project's offer: of which group any item will do"), ""],
  price: [amount, "25"],
  token: [tokenId, "0"],
  held: [noted(amount, "what it holds of the token"), "25"],
  ...guards,
  ...ends,
  mrc401: [noted(text, "id of the item once it is accepted"), ""],
  seller: [noted(addressOrNone, "who accepted it"), ""],
});

export const shownUnitOffer = shown("UnitOffer", {
  offerid: [text, UNIT_OFFER],
  buyer: [address, BOB],
  id: [noted(text, "id of the multi-unit item"), PRINT],
  price: [noted(amount, "of each unit"), "25"],
  token: [tokenId, "0"],
  amount: [noted(amount, "units"), "6"],
  remain_amount: [noted(amount, "units that are not bought yet"), "4"],
  held: [noted(amount, "what it holds of the token"), "100"],
  ...guards,
  ...ends,
});
