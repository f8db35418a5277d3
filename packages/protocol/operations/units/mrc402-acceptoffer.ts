import { ALICE, UNIT_OFFER } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { amount, quantity } from "../../description/parameters/amounts.ts";
import { address } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { HOLDER_CHANGE_REFUSALS } from "../items/policy.ts";
import { offerId } from "../offer.ts";

/** Source: offers §3. */
export const mrc402Acceptoffer = signedOperation({
  name: "mrc402acceptoffer",
  title: "Accept an offer for units",
  route: "POST /mrc402/acceptoffer/{offerid}",
  about:
    "Sells free units of the seller to the buyer of an offer, with the fees of now; the offer stays open with the rest. `atleast` guards against a fee that was raised meanwhile: it is what the seller must receive in all.",
  parameters: {
    offerid: offerId,
    seller: address(),
    amount: quantity({ zero: "1107" }),
    atleast: optional(amount({ min: 0n })),
    tkey: temporaryKey(),
  },
  example: { offerid: UNIT_OFFER, seller: ALICE, amount: "2", atleast: "48" },
  actor: "seller",
  signed: [],
  fullOnly: true,
  refusals: [
    ...["6004", "3090", "7001", "7106", "7110", "7108", "7112", "7109"],
    ...HOLDER_CHANGE_REFUSALS,
    ...["7202", "5000"],
  ] as const,
});
