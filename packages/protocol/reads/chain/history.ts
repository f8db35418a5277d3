import {
  ALICE,
  BLOCK,
  BLOCK_ID,
  BOB,
  NOW,
  SIGNATURE,
  TOMORROW,
  TRANSACTION,
} from "../../description/examples.ts";
import { type Result, read } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { cursor, cursorText, pageLimit } from "../../description/parameters/cursor.ts";
import { address, tokenId } from "../../description/parameters/ids.ts";
import { boundedInteger } from "../../description/parameters/integers.ts";
import { recordTypes } from "../../description/parameters/record-types.ts";
import { listSchema, transactionRecordSchema } from "../../description/results.ts";

/** Types in one filter. Source: chain §10. */
const TYPES_MAX = 20;

const time = optional(boundedInteger({ min: 0n, max: BigInt(Number.MAX_SAFE_INTEGER) }));

const filters = {
  type: optional(recordTypes(TYPES_MAX)),
  token: optional(tokenId()),
  since: time,
  until: time,
  limit: pageLimit(),
};

function recordsResult(about: string, type: string, of: string, cursorExample: string): Result {
  return {
    kind: "json",
    about,
    schema: listSchema(transactionRecordSchema),
    example: {
      items: [
        {
          id: TRANSACTION,
          db_sn: BLOCK,
          db_id: BLOCK_ID,
          timestamp: NOW,
          type,
          address: of,
          token: 0,
          parameters: [ALICE, BOB, "100", "0", SIGNATURE, "0", "", "coffee"],
          values: { balance: [{ balance: "100", token: "0", unlockdate: 0 }] },
          validationCode: "0",
        },
      ],
      cursor: cursorExample,
    },
  };
}

/** The list of all transactions, for its cursors. */
export const TRANSACTIONS = "transactions";

const transactionsFilters = {
  type: "transfer,multi_transfer",
  token: "0",
  since: String(NOW),
  until: String(TOMORROW),
};

/** Lists transactions. Source: chain §10. */
export const transactions = read({
  name: "transactions",
  title: "List transactions",
  route: "GET /transactions",
  about: "Lists what was done, newest first: of each transaction its own record, without effects.",
  parameters: { ...filters, cursor: cursor(TRANSACTIONS) },
  example: {
    ...transactionsFilters,
    limit: "1",
    cursor: cursorText(TRANSACTIONS, 1001, transactionsFilters),
  },
  cache: "revalidate",
  result: recordsResult(
    "records of transactions",
    "transfer",
    ALICE,
    cursorText(TRANSACTIONS, 1000, transactionsFilters),
  ),
});

/** The history of an address, for its cursors. */
export const HISTORY = "history";

const addressTransactionsFilters = {
  address: BOB,
  type: "receive",
  token: "0",
  since: String(NOW),
  until: String(TOMORROW),
};

/** Lists what concerns an address. Source: chain §10. */
export const addressTransactions = read({
  name: "addressTransactions",
  title: "List the history of an address",
  route: "GET /address/{address}/transactions",
  about: "The history of an address, newest first: what it did and what was done to it.",
  parameters: { address: address(), ...filters, cursor: cursor(HISTORY) },
  example: {
    ...addressTransactionsFilters,
    limit: "1",
    cursor: cursorText(HISTORY, 4100096, addressTransactionsFilters),
  },
  refusals: ["3090"],
  cache: "revalidate",
  result: recordsResult(
    "records that concern it",
    "receive",
    BOB,
    cursorText(HISTORY, 4096001, addressTransactionsFilters),
  ),
});
