import { signedOperation } from "../operation.ts";
import { amount, optionalAddress, optionalTokenId, recordId, temporaryKey } from "../parameters.ts";
import { marketResult } from "../results.ts";

/** Bids for an item; a bid of the buy-now price wins at once. Source: mrc401 §16. */
export const mrc401Bid = signedOperation({
  name: "mrc401bid",
  route: "POST /mrc401/bid/{mrc401id}",
  about: "Bids for an item that is on auction; a bid of the buy-now price wins at once.",
  parameters: {
    mrc401id: recordId("an item"),
    buyer: optionalAddress({ aliases: ["bidder", "address"] }),
    amount: amount({ min: 1n }),
    token: optionalTokenId(),
    tkey: temporaryKey(),
  },
  signed: ["mrc401id", "amount", "token", "tkey"],
  result: marketResult,
});
