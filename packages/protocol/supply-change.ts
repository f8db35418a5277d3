import { amount, temporaryKey, text, tokenId } from "./parameters.ts";
import { tokenResult } from "./results.ts";

/** What burning and increasing take alike. Source: tokens §5. */
export const supplyChange = {
  parameters: {
    tkey: temporaryKey(),
    token: tokenId(),
    amount: amount({ min: 1n, zero: "1206" }),
    memo: text({ cutAt: 2048, optional: true }),
  },
  signed: ["token", "amount", "tkey"],
  result: tokenResult,
} as const;
