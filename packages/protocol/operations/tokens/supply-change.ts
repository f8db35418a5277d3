import { GOLD } from "../../description/examples.ts";
import type { Example } from "../../description/operation.ts";
import { amount, temporaryKey, text, tokenId } from "../../description/parameters.ts";
import { tokenResult } from "../../description/results.ts";

const parameters = {
  tkey: temporaryKey(),
  token: tokenId(),
  amount: amount({ min: 1n, zero: "1206" }),
  memo: text({ cutAt: 2048, optional: true }),
};

/** What burning and increasing take alike. Source: tokens §5. */
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
