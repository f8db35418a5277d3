import { ALICE, BOB, TOMORROW } from "../../description/examples.ts";
import { refuse } from "../../description/faults.ts";
import { signedOperation } from "../../description/operation.ts";
import {
  address,
  amount,
  temporaryKey,
  text,
  tokenId,
  unlockDate,
} from "../../description/parameters.ts";
import { transactionIdResult } from "../../description/results.ts";

/** Moves the native coin or a token. Source: accounts §10. */
export const transfer = signedOperation({
  name: "transfer",
  title: "Transfer",
  route: "POST /transfer",
  about: "Moves an amount of the native coin or of a token from one address to another.",
  parameters: {
    from: address(),
    to: address(),
    token: tokenId(),
    amount: amount({ min: 1n }),
    checkkey: temporaryKey({ aliases: ["tkey"] }),
    tags: text({ cutAt: 64, optional: true, aliases: ["tag"] }),
    memo: text({ cutAt: 2048, optional: true }),
    unlockdate: unlockDate({ optional: true }),
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
