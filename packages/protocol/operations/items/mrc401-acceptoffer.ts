import { ALICE, OFFER, SWORD } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { address, recordId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { offerId } from "../offer.ts";
import { HOLDER_CHANGE_REFUSALS } from "./policy.ts";

/** Source: offers §3. */
export const mrc401Acceptoffer = signedOperation({
  name: "mrc401acceptoffer",
  title: "Accept an offer for an item",
  route: "POST /mrc401/acceptoffer/{offerid}",
  about:
    "Sells an item that the seller holds to the buyer of an offer, with the fees of now. `atleast` guards against a fee that was raised meanwhile: it is what the seller must receive.",
  parameters: {
    offerid: offerId,
    seller: address(),
    mrc401id: optional(recordId("an item"), ""),
    atleast: optional(amount({ min: 0n })),
    tkey: temporaryKey(),
  },
  example: { offerid: OFFER, seller: ALICE, mrc401id: SWORD, atleast: "24" },
  actor: "seller",
  signed: [],
  fullOnly: true,
  refusals: [
    ...["6004", "3090", "7001", "7106", "7110", "7108", "7112", "7109"],
    ...HOLDER_CHANGE_REFUSALS,
    "7202",
  ] as const,
});
