import { ALICE, PRINT } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { aliased, optional } from "../../description/parameter.ts";
import { quantity } from "../../description/parameters/amounts.ts";
import { address } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { ACTOR, given } from "../../keys/signed-string.ts";
import { ONE } from "../../text/amount.ts";
import { unitItemId } from "./unit-item.ts";

/** Source: mrc402 §8. */
export const mrc402Melt = signedOperation({
  name: "mrc402melt",
  title: "Melt units",
  route: "POST /mrc402/melt/{mrc402id}",
  about:
    "Melts units of an item for good, one if no amount is given, and pays their reserve out to their holder.",
  parameters: {
    mrc402id: unitItemId(),
    address: optional(aliased(address(), "owner")),
    amount: optional(quantity({ zero: "1106" }), ONE),
    tkey: temporaryKey(),
  },
  example: { mrc402id: PRINT, address: ALICE, amount: "2" },
  actor: "address",
  signed: ["mrc402id", "tkey"],
  signedIf: [
    {
      about: "amount is given",
      when: given("amount"),
      signed: ["mrc402id", { name: "address", absentAs: ["", ACTOR] }, "amount", "tkey"],
    },
  ],
  refusals: ["6004", "3090", "7001", "7110", "7108", "7204", "5000"],
});
