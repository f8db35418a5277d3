import { address, amount, recordId, temporaryKey } from "./parameters.ts";
import { marketResult } from "./results.ts";

/** What the operations take that cancel a listing of tokens. Source: tokens §10, §12. */
export const listingCancel = {
  parameters: { dexid: recordId("a listing of tokens"), tkey: temporaryKey() },
  signed: ["dexid", "tkey"],
  result: marketResult,
} as const;

/** What the operations take that buy from a listing of tokens, sell to one, or bid. Source: tokens §11, §12. */
export const listingTake = {
  parameters: {
    dexid: recordId("a listing of tokens"),
    address: address(),
    amount: amount({ min: 1n, zero: "1107" }),
    tkey: temporaryKey(),
  },
  signed: ["dexid", "address", "amount", "tkey"],
  result: marketResult,
} as const;
