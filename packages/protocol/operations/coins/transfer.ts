import { ALICE, BOB, TOMORROW } from "../../description/examples.ts";
import { refuse } from "../../description/faults.ts";
import { signedOperation } from "../../description/operation.ts";
import { aliased, optional } from "../../description/parameter.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { unlockDate } from "../../description/parameters/dates.ts";
import { address, tokenId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { text } from "../../description/parameters/texts.ts";
import { transactionIdResult } from "../../description/results.ts";

/** Source: accounts §10. */
export const transfer = signedOperation({
  name: "transfer",
  title: "Transfer",
  route: "POST /transfer",
  about: "Moves an amount of the native coin or of a token from one address to another.",
  parameters: {
    from: address(),
    to: address(),
    token: tokenId(),
    amount: amount({ min: 1n, of: "token" }),
    checkkey: aliased(temporaryKey(), "tkey"),
    tags: optional(aliased(text({ cutAt: 64 }), "tag"), ""),
    memo: optional(text({ cutAt: 2048 }), ""),
    unlockdate: optional(unlockDate(), 0),
  },
  example: {
    from: ALICE,
    to: BOB,
    token: "0",
    amount: "100",
    tags: "shop",
    memo: "coffee",
    unlockdate: String(TOMORROW),
  },
  actor: "from",
  signed: ["from", "to", "token", "amount", "checkkey"],
  check: ({ from, to }) =>
    from === to ? refuse({ code: "3201", parameter: "to", address: to }) : undefined,
  refusals: ["3201", "3090", "4001", "7118", "5001"],
  result: transactionIdResult,
});
