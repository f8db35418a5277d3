import {
  ALICE,
  BLOCK,
  BLOCK_ID,
  BOB,
  NOW,
  SIGNATURE,
  TRANSACTION,
} from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { transactionName } from "../../description/parameters/ids.ts";
import { transactionSchema } from "../../description/results.ts";

const parameters = [ALICE, BOB, "100", "0", SIGNATURE, "0", "", "coffee"];

/** Shows a transaction: what was done, and what it did to others. Source: chain §3. */
export const transaction = read({
  name: "transaction",
  title: "Get a transaction",
  route: "GET /transaction/{transaction_id}",
  about: "Shows a transaction with its effects.",
  parameters: { transaction_id: transactionName() },
  example: { transaction_id: TRANSACTION },
  cache: "immutable",
  result: {
    kind: "json",
    about: "the transaction",
    schema: transactionSchema,
    example: {
      id: TRANSACTION,
      db_sn: BLOCK,
      db_id: BLOCK_ID,
      timestamp: NOW,
      type: "transfer",
      address: ALICE,
      token: 0,
      parameters,
      values: { balance: [{ balance: "900", token: "0", unlockdate: 0 }] },
      validationCode: "0",
      effects: [
        {
          type: "receive",
          address: BOB,
          token: 0,
          parameters,
          values: { balance: [{ balance: "100", token: "0", unlockdate: 0 }] },
        },
      ],
    },
  },
});
