import { BOB, LISTING } from "../../description/examples.ts";
import type { Example } from "../../description/operation.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { address, recordId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";

const cancelParameters = { dexid: recordId("a listing of tokens"), tkey: temporaryKey() };

/** Source: tokens §10, §12. */
export const listingCancel = {
  parameters: cancelParameters,
  example: { dexid: LISTING } satisfies Example<typeof cancelParameters>,
  signed: ["dexid", "tkey"],
} as const;

const takeParameters = {
  dexid: recordId("a listing of tokens"),
  address: address(),
  amount: amount({ min: 1n, zero: "1107" }),
  tkey: temporaryKey(),
};

/** Source: tokens §11, §12. */
export const listingTake = {
  parameters: takeParameters,
  actor: "address",
  example: { dexid: LISTING, address: BOB, amount: "100" } satisfies Example<typeof takeParameters>,
  signed: ["dexid", "address", "amount", "tkey"],
} as const;
