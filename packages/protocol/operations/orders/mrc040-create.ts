import { ALICE } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { address } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { orderResult } from "../../description/results.ts";
import { refuseOneToken, terms, termsExample } from "./order.ts";

/** Source: protocols §10. */
export const mrc040Create = signedOperation({
  name: "mrc040create",
  title: "Register an order",
  route: "POST /mrc040/create/{tkey}",
  about:
    "Offers to buy or sell a quantity of a token at a price for one whole token. It trades at once with orders of that price or a better one, and waits with the rest.",
  parameters: { tkey: temporaryKey(), owner: address(), ...terms },
  example: { owner: ALICE, ...termsExample },
  actor: "owner",
  signed: ["owner", "side", "basetoken", "targettoken", "price", "qtt", "tkey"],
  check: refuseOneToken,
  refusals: ["3090", "4001", "7114", "7116", "5000"],
  result: orderResult,
});
