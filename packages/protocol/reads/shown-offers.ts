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
  end: [noted(time, "when the offer ends"), TOMORROW],
  state: [noted(STATES, "`ended` once it was closed after its end"), "open"],
  close_date: [noted(time, "when it was accepted, withdrawn or closed; 0 before"), 0],
} satisfies Members;

const TERMS = oneOf("", "Permanent", "Bound", "Temporary");

/** The defaults accept any. Source: mrc401 §2.6. */
const guards = {
  maxmeltfee: [
    defaulted(noted(rate, "highest `melt_fee` of the item that is accepted, percent"), "99.9999"),
    "10",
  ],
  maxsellfee: [
    defaulted(noted(rate, "highest `sell_fee` of the item that is accepted, percent"), "99.9999"),
    "2.5",
  ],
  transferable: [
    defaulted(noted(TERMS, "the `transferable` of the item that is accepted; empty for any"), ""),
    "Permanent",
  ],
} satisfies Members;

/** Source: offers §1. */
export const shownItemOffer = shown("ItemOffer", {
  offerid: [text, OFFER],
  buyer: [address, BOB],
  id: [noted(text, "id of the item, or of the project if any of its items is wanted"), SWORD],
  groupid: [
    noted(text, "of an offer for a project: the group of which any item is wanted; empty for any"),
    "",
  ],
  price: [amount, "25"],
  token: [tokenId, "0"],
  held: [noted(amount, "amount of the token that the offer holds"), "25"],
  ...guards,
  ...ends,
  mrc401: [noted(text, "id of the item that was sold; empty before"), ""],
  seller: [noted(addressOrNone, "address that accepted the offer; empty before"), ""],
});

export const shownUnitOffer = shown("UnitOffer", {
  offerid: [text, UNIT_OFFER],
  buyer: [address, BOB],
  id: [noted(text, "id of the multi-unit item"), PRINT],
  price: [noted(amount, "price of each unit"), "25"],
  token: [tokenId, "0"],
  amount: [noted(amount, "how many units are wanted"), "6"],
  remain_amount: [noted(amount, "how many units are still wanted"), "4"],
  held: [noted(amount, "amount of the token that the offer holds"), "100"],
  ...guards,
  ...ends,
});
