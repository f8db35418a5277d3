import { form, ofEntry, SIGNED } from "../record-form.ts";

const RETURNED = `offerid buyer refund token ${SIGNED}`;

/** Source: offers §6. */
export const OFFER_RECORDS = {
  mrc401offer: form(
    "offers",
    { M: "buyer", L: "offerid" },
    `offerid buyer item groupid price token end ${SIGNED}`,
    { money: ["out", "price"] },
  ),
  transfer_mrc401acceptoffer: form(
    "offers",
    { M: "seller" },
    "seller offerid payment token signature =0 = item tkey",
    { by: "mrc401acceptoffer" },
  ),
  receive_mrc401acceptoffer: form(
    "offers",
    { A: "buyer" },
    "seller buyer payment token signature =0 offerid item tkey",
    { by: "mrc401acceptoffer", parties: ["seller", "buyer"], receives: true },
  ),
  mrc401_acceptoffer: ofEntry(
    { I: "item", L: "offerid" },
    `offerid seller buyer item payments ${SIGNED}`,
  ),
  mrc401unoffer: form("offers", { M: "buyer", L: "offerid" }, RETURNED, {
    money: ["in", "refund"],
  }),
  mrc401offerfinish: form("offers", { M: "buyer", L: "offerid" }, RETURNED, {
    money: ["in", "refund"],
  }),
  mrc402offer: form(
    "offers",
    { M: "buyer", L: "offerid" },
    `offerid buyer item amount price token end payment ${SIGNED}`,
    { money: ["out", "payment"], goods: ["wants", "amount"] },
  ),
  transfer_mrc402acceptoffer: form(
    "offers",
    { M: "seller" },
    "seller offerid payment token signature =0 amount item tkey",
    { by: "mrc402acceptoffer", goods: ["out", "amount"] },
  ),
  receive_mrc402acceptoffer: form(
    "offers",
    { A: "buyer" },
    "seller buyer payment token signature =0 offerid amount item tkey",
    { by: "mrc402acceptoffer", goods: ["in", "amount"], parties: ["seller", "buyer"] },
  ),
  mrc402_acceptoffer: ofEntry(
    { I: "item", L: "offerid" },
    `offerid seller buyer item amount payments ${SIGNED}`,
    { goods: ["wants", "amount"] },
  ),
  mrc402unoffer: form("offers", { M: "buyer", L: "offerid" }, RETURNED, {
    money: ["in", "refund"],
  }),
  mrc402offerfinish: form("offers", { M: "buyer", L: "offerid" }, RETURNED, {
    money: ["in", "refund"],
  }),
} as const;
