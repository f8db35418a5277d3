import type { Result } from "./operation.ts";
import type { Schema } from "./parameters.ts";

/** What most writes are answered with. Source: accounts §10. */
export const transactionIdResult: Result = {
  kind: "json",
  about: "the id of the transaction",
  schema: {
    type: "object",
    required: ["transaction_id"],
    properties: { transaction_id: { type: "string", pattern: "^[0-9a-f]{64}$" } },
  },
};

/** An address's balances. Source: accounts §9. */
export const balanceEntriesSchema: Schema = {
  type: "array",
  items: {
    type: "object",
    required: ["token", "balance", "unlockdate"],
    properties: {
      token: { type: "string", description: "id of the token; 0 is the native coin" },
      balance: { type: "string", description: "amount in the token's smallest unit" },
      unlockdate: {
        type: "integer",
        description: "when it may be moved, Unix seconds; 0 is at once",
      },
    },
  },
};
