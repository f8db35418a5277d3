import { signedOperation } from "../../description/operation.ts";
import { meaning } from "../../description/parameter.ts";
import { integer } from "../../description/parameters/integers.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { text } from "../../description/parameters/texts.ts";
import { transactionIdResult } from "../../description/results.ts";

/** Source: chain §7.2. */
export const protocol = signedOperation({
  name: "protocol",
  title: "Announce new rules",
  route: "POST /protocol",
  about:
    "Announces a new version of the rules and the block from which it holds, on ledgers that have an operator, who signs it. A later announcement before that block replaces it.",
  parameters: {
    version: integer("the number of the new version, which is that of the one in force + 1"),
    height: meaning("", integer("the number of the first block that follows it")),
    note: text({ max: 255, withoutBar: true }),
    tkey: temporaryKey(),
  },
  example: { version: "2", height: "1000000", note: "fees are rounded up" },
  signed: [],
  fullOnly: true,
  isAlone: true,
  refusals: ["9404"],
  result: transactionIdResult,
});
