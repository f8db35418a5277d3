import { form, type Meaning, SIGNED } from "../record-form.ts";

const returned: Meaning = { about: "offerid", money: ["in", "refund", "token"] };
const RETURNED = `offerid buyer refund token ${SIGNED}`;

/** Source: offers §6. */
export const OFFER_RECORDS = {
  mrc401offer: [
    form({
      by: "mrc401offer",
      filed: { M: "buyer", L: "offerid" },
      kind: "offers",
      parameters: `offerid buyer item groupid price token end ${SIGNED}`,
      about: "item",
      money: ["out", "price", "token"],
    }),
  ],
  transfer_mrc401acceptoffer: [
    form({
      by: "mrc401acceptoffer",
      filed: { M: "seller" },
      kind: "offers",
      parameters: "seller offerid payment token signature =0 = item tkey",
      about: "item",
    }),
  ],
  receive_mrc401acceptoffer: [
    form({
      by: "mrc401acceptoffer",
      filed: { A: "buyer" },
      kind: "offers",
      parameters: "seller buyer payment token signature =0 offerid item tkey",
      about: "item",
      receives: true,
      parties: ["seller", "buyer"],
    }),
  ],
  mrc401_acceptoffer: [
    form({
      by: "mrc401acceptoffer",
      filed: { I: "item", L: "offerid" },
      parameters: `offerid seller buyer item payments ${SIGNED}`,
      about: "item",
    }),
  ],
  mrc401unoffer: [
    form({
      by: "mrc401unoffer",
      filed: { M: "buyer", L: "offerid" },
      kind: "offers",
      parameters: RETURNED,
      ...returned,
    }),
  ],
  mrc401offerfinish: [
    form({
      by: "mrc401offerfinish",
      filed: { M: "buyer", L: "offerid" },
      kind: "offers",
      parameters: RETURNED,
      ...returned,
    }),
  ],
  mrc402offer: [
    form({
      by: "mrc402offer",
      filed: { M: "buyer", L: "offerid" },
      kind: "offers",
      parameters: `offerid buyer item amount price token end payment ${SIGNED}`,
      about: "item",
      money: ["out", "payment", "token"],
      goods: ["wants", "amount"],
    }),
  ],
  transfer_mrc402acceptoffer: [
    form({
      by: "mrc402acceptoffer",
      filed: { M: "seller" },
      kind: "offers",
      parameters: "seller offerid payment token signature =0 amount item tkey",
      about: "item",
      goods: ["out", "amount"],
    }),
  ],
  receive_mrc402acceptoffer: [
    form({
      by: "mrc402acceptoffer",
      filed: { A: "buyer" },
      kind: "offers",
      parameters: "seller buyer payment token signature =0 offerid amount item tkey",
      about: "item",
      goods: ["in", "amount"],
      parties: ["seller", "buyer"],
    }),
  ],
  mrc402_acceptoffer: [
    form({
      by: "mrc402acceptoffer",
      filed: { I: "item", L: "offerid" },
      parameters: `offerid seller buyer item amount payments ${SIGNED}`,
      about: "item",
      goods: ["wants", "amount"],
    }),
  ],
  mrc402unoffer: [
    form({
      by: "mrc402unoffer",
      filed: { M: "buyer", L: "offerid" },
      kind: "offers",
      parameters: RETURNED,
      ...returned,
    }),
  ],
  mrc402offerfinish: [
    form({
      by: "mrc402offerfinish",
      filed: { M: "buyer", L: "offerid" },
      kind: "offers",
      parameters: RETURNED,
      ...returned,
    }),
  ],
} as const;
