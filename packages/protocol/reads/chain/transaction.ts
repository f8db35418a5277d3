import { TRANSACTION } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { transactionName } from "../../description/parameters/ids.ts";
import { shownTransaction } from "./shown-transactions.ts";

/** Source: chain §3. */
export const transaction = read({
  name: "transaction",
  title: "Get a transaction",
  route: "GET /transaction/{transaction_id}",
  about: "Shows a transaction with its effects.",
  parameters: { transaction_id: transactionName() },
  example: { transaction_id: TRANSACTION },
  cache: "immutable",
  result: { kind: "json", about: "the transaction", ...shownTransaction },
});
