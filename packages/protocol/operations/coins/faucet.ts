import { ALICE, TRANSACTION } from "../../description/examples.ts";
import { unsignedOperation } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { address } from "../../description/parameters/ids.ts";
import { shown, text } from "../../description/shown.ts";

/** Source: accounts §13. */
export const faucet = unsignedOperation({
  name: "faucet",
  title: "Get test coins",
  route: "POST /faucet",
  about: "Gives an address some of the native coin, on deployments that have a faucet.",
  parameters: { address: address(), amount: optional(amount({ min: 1n })) },
  example: { address: ALICE, amount: "10000000000" },
  refusals: ["3201", "3090", "5001"],
  result: {
    kind: "json",
    about: "the transfer that was made, and its amount",
    ...shown("FaucetAnswer", {
      transaction_id: [text, TRANSACTION],
      amount: [{ type: "string", format: "amount" }, "10000000000"],
    }),
  },
});
