import { BOB, SWORD } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import {
  amount,
  optionalAddress,
  optionalTokenId,
  recordId,
  temporaryKey,
} from "../../description/parameters.ts";
import { marketResult } from "../../description/results.ts";

/** Buys an item that is on sale. Source: mrc401 §12. */
export const mrc401Buy = signedOperation({
  name: "mrc401buy",
  title: "Buy an item",
  route: "POST /mrc401/buy/{mrc401id}",
  about:
    "Buys an item that is on sale. Price and token, if given, guard against a sale that was replaced meanwhile.",
  parameters: {
    mrc401id: recordId("an item"),
    buyer: optionalAddress({ aliases: ["address"] }),
    price: amount({ min: 0n, optional: true }),
    token: optionalTokenId(),
    tkey: temporaryKey(),
  },
  example: { mrc401id: SWORD, buyer: BOB, price: "30", token: "0" },
  actor: "buyer",
  signed: ["mrc401id", "tkey"],
  refusals: ["6004", "3090", "3004", "7110", "7106", "7109", "7112", "5000"],
  result: marketResult,
});
