import { ALICE, BOB, GOLD, TOMORROW } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import type { Schema } from "../../description/parameter.ts";
import { optional } from "../../description/parameter.ts";
import { balanceCursor } from "../../description/parameters/cursor.ts";
import { address, tokenId } from "../../description/parameters/ids.ts";
import { boundedInteger } from "../../description/parameters/integers.ts";
import type { Result } from "../../description/results.ts";
import {
  amount,
  listOf,
  noted,
  record,
  time,
  tokenId as tokenIdSchema,
} from "../../description/shown.ts";
import type { Json } from "../../text/canonical-json.ts";
import { asOf } from "../as-of.ts";

export const balanceEntriesSchema: Schema = {
  title: "BalanceEntries",
  ...listOf(
    record("BalanceEntry", {
      token: noted(tokenIdSchema, "id of the token; 0 is the native coin"),
      balance: noted(amount, "amount of the token"),
      unlockdate: noted(time, "when the amount may be moved; 0 for at once"),
    }),
  ),
};

export const balanceEntriesExample: Json = [
  { token: "0", balance: "700", unlockdate: 0 },
  { token: GOLD, balance: "50", unlockdate: TOMORROW },
];

const paging = {
  limit: optional(boundedInteger({ min: 1n, max: 10000n })),
  after: optional(balanceCursor()),
};
const result = {
  kind: "json",
  about: "the balance entries",
  schema: balanceEntriesSchema,
} as const satisfies Result;

/** Source: accounts §9. */
export const balance = asOf(
  read({
    name: "balance",
    title: "Get balances",
    route: "GET /balance/{address}",
    about: "Lists the balances of an address, free and locked ones.",
    parameters: { address: address(), ...paging },
    example: { address: ALICE, limit: "100", after: "0:0" },
    refusals: ["3090"],
    result: { ...result, example: balanceEntriesExample },
  }),
);

/** Source: accounts §9. */
export const balanceOfToken = asOf(
  read({
    name: "balanceOfToken",
    title: "Get the balances of a token",
    route: "GET /balance/{address}/{token}",
    about: "Lists the balances of an address in one token.",
    parameters: { address: address(), token: tokenId(), ...paging },
    example: { address: BOB, token: "0", limit: "100", after: "0:0" },
    refusals: ["3090", "4001"],
    result: { ...result, example: [{ token: "0", balance: "100", unlockdate: TOMORROW }] },
  }),
);
