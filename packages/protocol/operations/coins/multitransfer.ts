import { ALICE, BOB } from "../../description/examples.ts";
import { refuse } from "../../description/faults.ts";
import { jsonList } from "../../description/json/json-list.ts";
import { signedOperation } from "../../description/operation.ts";
import { aliased, meaning, optional } from "../../description/parameter.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { unlockDate } from "../../description/parameters/dates.ts";
import { address, tokenId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { text } from "../../description/parameters/texts.ts";
import { transactionIdResult } from "../../description/results.ts";

/** Source: accounts §11. */
export const multitransfer = signedOperation({
  name: "multitransfer",
  title: "Transfer to many",
  route: "POST /multitransfer",
  about:
    "Moves amounts of the native coin or of a token from one address to 1 to 100 others, all or none.",
  parameters: {
    from: address(),
    transferlist: jsonList({
      min: 1,
      max: 100,
      members: {
        address: meaning("address that receives", address()),
        amount: amount({ min: 0n, of: "token" }),
        unlockdate: unlockDate(),
        tag: optional(text({ cutAt: 64 }), ""),
        memo: optional(text({ cutAt: 2048 }), ""),
      },
      checkMember({ key, value, parameter }, has) {
        const wanted = "an integer from 1 to 10^40, or 0 together with a memo";
        return key === "amount" && value === 0n && !has("memo")
          ? refuse({ code: "1101", parameter, given: "0", wanted })
          : undefined;
      },
      checkEntry: ({ address }, parameter, { from }) =>
        address === from
          ? refuse({ code: "3201", parameter: `${parameter}.address`, address })
          : undefined,
    }),
    token: tokenId(),
    checkkey: aliased(temporaryKey(), "tkey"),
  },
  example: {
    from: ALICE,
    transferlist: JSON.stringify([
      { address: BOB, amount: "100", unlockdate: "0", tag: "rent", memo: "May" },
    ]),
    token: "0",
  },
  actor: "from",
  signed: ["from", "transferlist", "token", "checkkey"],
  refusals: ["3201", "3090", "4001", "7118", "5001"],
  result: transactionIdResult,
});
