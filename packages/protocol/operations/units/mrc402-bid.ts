import { BOB, PRINT, UNIT_LISTING } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { recordId } from "../../description/parameters/ids.ts";
import { ACTOR } from "../../keys/signed-string.ts";
import { bidParameters, itemGuardsExample } from "../items/item-data.ts";
import { HOLDER_CHANGE_REFUSALS } from "../items/policy.ts";
import { isUnitListingId } from "./unit-listing.ts";

/** Source: mrc402 §16. */
export const mrc402Bid = signedOperation({
  name: "mrc402bid",
  title: "Bid for units",
  route: "POST /mrc402/bid/{id}",
  about:
    "Bids in an auction of units, which its id names, or the item's if there is just one. A bid of the buy-now price wins at once. maxmeltfee, maxsellfee and transferable, if given, guard against other terms of the item, which its project's owner may change at any time.",
  parameters: {
    id: recordId("a listing, or a multi-unit item"),
    ...bidParameters,
  },
  example: { id: UNIT_LISTING, amount: "50", token: "0", buyer: BOB, ...itemGuardsExample },
  otherExamples: { item: { id: PRINT, amount: "50", token: "0", buyer: BOB } },
  actor: "buyer",
  signed: ["id", "amount", "token", "tkey"],
  signedIf: [
    {
      about: "id is that of a listing",
      when: ({ id = "" }) => isUnitListingId(id),
      signed: ["id", { name: "buyer", absentAs: ["", ACTOR] }, "amount", "tkey"],
    },
  ],
  refusals: [
    "6004",
    "3090",
    "7106",
    "7107",
    "7103",
    "7101",
    "7102",
    "7112",
    "7109",
    "7105",
    ...HOLDER_CHANGE_REFUSALS,
    "7203",
    "7202",
    "5000",
  ],
});
