import { read } from "../operation.ts";
import { transactionName } from "../parameters.ts";

const recordProperties = {
  type: { type: "string" },
  address: { type: "string" },
  token: { type: "integer" },
  parameters: { type: "array", items: { type: "string" } },
  values: { type: "object" },
};

/** Shows a transaction: what was done, and what it did to others. Source: chain §3. */
export const transaction = read({
  name: "transaction",
  route: "GET /transaction/{transaction_id}",
  about: "Shows a transaction with its effects.",
  parameters: { transaction_id: transactionName() },
  cache: "immutable",
  result: {
    kind: "json",
    about: "the transaction",
    schema: {
      type: "object",
      properties: {
        id: { type: "string" },
        db_sn: { type: "string" },
        db_id: { type: "string" },
        timestamp: { type: "integer" },
        ...recordProperties,
        validationCode: { type: "string" },
        effects: { type: "array", items: { type: "object", properties: recordProperties } },
      },
    },
  },
});
