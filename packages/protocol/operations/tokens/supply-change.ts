import { GOLD } from "../../description/examples.ts";
import type { Example } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { tokenId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { text } from "../../description/parameters/texts.ts";
import { tokenResult } from "../../description/results.ts";

const parameters = {
  tkey: temporaryKey(),
  token: tokenId(),
  amount: amount({ min: 1n, zero: "1206", of: "token" }),
  memo: optional(text({ cutAt: 2048 }), ""),
};

/** Source: tokens §5. */
export const supplyChange = {
  parameters,
  example: {
    token: GOLD,
    amount: "500",
    memo: "yearly audit",
  } satisfies Example<typeof parameters>,
  signed: ["token", "amount", "tkey"],
  result: tokenResult,
} as const;
