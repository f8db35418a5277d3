import { BOB } from "../../description/examples.ts";
import { refuse } from "../../description/faults.ts";
import { signedOperation } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { address } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { orderRequestResult } from "../../description/results.ts";
import type { Amount } from "../../text/amount.ts";
import { refuseOneToken, terms, termsExample } from "./order.ts";

/** Source: protocols §10. */
export const mrc040Request = signedOperation({
  name: "mrc040request",
  title: "Trade at once",
  route: "POST /mrc040/request/{tkey}",
  about:
    "Buys or sells at once what waiting orders have at this price or a better one, if it is at least minqtt. Nothing of it waits.",
  parameters: {
    tkey: temporaryKey(),
    requester: address(),
    ...terms,
    minqtt: optional(amount({ min: 1n, of: "targettoken" }), 1n as Amount),
  },
  example: { requester: BOB, ...termsExample, side: "BUY", qtt: "100", minqtt: "50" },
  actor: "requester",
  signed: ["requester", "side", "basetoken", "targettoken", "price", "qtt", "minqtt", "tkey"],
  check(values) {
    const { minqtt, qtt } = values;
    const wanted = `at most qtt, ${qtt}`;
    return (
      refuseOneToken(values) ??
      (minqtt > qtt
        ? refuse({ code: "1101", parameter: "minqtt", given: String(minqtt), wanted })
        : undefined)
    );
  },
  refusals: ["3090", "4001", "7114", "7117", "5000"],
  result: orderRequestResult,
});
