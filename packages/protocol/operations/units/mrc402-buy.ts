import { BOB, PRINT, UNIT_LISTING } from "../../description/examples.ts";
import { refuse } from "../../description/faults.ts";
import { signedOperation } from "../../description/operation.ts";
import { aliased, optional } from "../../description/parameter.ts";
import { quantity } from "../../description/parameters/amounts.ts";
import { address, recordId } from "../../description/parameters/ids.ts";
import { ACTOR, given } from "../../keys/signed-string.ts";
import { itemGuardsExample, purchaseParameters } from "../items/item-data.ts";
import { HOLDER_CHANGE_REFUSALS } from "../items/policy.ts";
import { isUnitListingId } from "./unit-listing.ts";

/** Source: mrc402 §13. */
export const mrc402Buy = signedOperation({
  name: "mrc402buy",
  title: "Buy units of an item",
  route: "POST /mrc402/buy/{id}",
  about:
    "Buys units from an offer, which its id names, or the item's if there is just one. Price and token, if given, guard against an offer that was replaced meanwhile; maxmeltfee, maxsellfee and transferable against other terms of the item, which its project's owner may change at any time.",
  parameters: {
    id: recordId("a listing, or a multi-unit item"),
    buyer: optional(aliased(address(), "address")),
    amount: optional(quantity({ zero: "1107" })),
    ...purchaseParameters,
  },
  example: {
    id: UNIT_LISTING,
    buyer: BOB,
    amount: "2",
    price: "30",
    token: "0",
    ...itemGuardsExample,
  },
  otherExamples: { item: { id: PRINT, buyer: BOB, price: "30", token: "0" } },
  actor: "buyer",
  signed: ["id", "tkey"],
  signedIf: [
    {
      about: "amount is given",
      when: given("amount"),
      signed: ["id", { name: "buyer", absentAs: ["", ACTOR] }, "amount", "tkey"],
    },
  ],
  check: ({ id, amount: units }) =>
    isUnitListingId(id) && units === undefined
      ? refuse({ code: "1000", parameter: "amount" })
      : undefined,
  refusals: [
    "6004",
    "3090",
    "7106",
    "7107",
    "7103",
    "7101",
    "7102",
    "7109",
    "7112",
    ...HOLDER_CHANGE_REFUSALS,
    "7202",
    "7203",
    "5000",
  ],
});
