import { GROUP, TRANSACTION } from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { doneGroup } from "../../description/parameters/ids.ts";
import { listOf, transactionId } from "../../description/shown.ts";

/** Source: batches §2.4. */
export const groupRead = read({
  name: "groupTransactions",
  title: "Get the transactions of a group",
  route: "GET /group/{id}",
  about: "Lists the ids of the transactions that a group has become, in their order.",
  parameters: { id: doneGroup() },
  example: { id: GROUP },
  cache: "immutable",
  result: {
    kind: "json",
    about: "ids of its transactions",
    schema: { title: "GroupTransactions", ...listOf(transactionId) },
    example: [TRANSACTION, "00000000000001020000000145f8c3bb1189d0b649eba4bbbac485d6e94fb683"],
  },
});
