import { BOB, ORDER } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { address, recordId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { orderExchangeResult } from "../../description/results.ts";

/** Source: protocols §10. */
export const mrc040Exchange = signedOperation({
  name: "mrc040exchange",
  title: "Trade with an order",
  route: "POST /mrc040/exchange/{tkey}",
  about:
    "Takes a quantity of the order that is first in its line, at its price: the taker does the opposite of the order.",
  parameters: {
    tkey: temporaryKey(),
    requester: address(),
    mrc040id: recordId("an order"),
    qtt: amount({ min: 1n, zero: "1107" }),
  },
  example: { requester: BOB, mrc040id: ORDER, qtt: "100" },
  actor: "requester",
  signed: ["requester", "mrc040id", "qtt", "tkey"],
  refusals: ["6004", "3090", "7101", "7102", "7114", "7115", "5000"],
  result: orderExchangeResult,
});
