import { ALICE, BLOCK, BOB, NOW, SWORD } from "../../description/examples.ts";
import { meaning, optional } from "../../description/parameter.ts";
import { address, blockNameText, recordId, tokenId } from "../../description/parameters/ids.ts";
import { since, until } from "../../description/parameters/integers.ts";
import { recordTypes } from "../../description/parameters/record-types.ts";
import { listRead } from "../list-read.ts";
import { shownItemRecord, shownRecord } from "./shown-transactions.ts";

const TYPES_MAX = 20;

const type = optional(meaning("filter", recordTypes(TYPES_MAX)));

const filters = {
  type,
  token: optional(tokenId()),
  since,
  until,
};
// 2100-01-01, fixed because the example's cursor has a checksum of its filters.
const UNTIL = "4102444800";
const filtersExample = { token: "0", since: String(NOW), until: UNTIL };

/** Source: chain §10. */
export const transactions = listRead({
  name: "transactions",
  title: "List transactions",
  route: "GET /transactions",
  about: "Lists what was done, newest first: of each transaction its own record, without effects.",
  list: "transactions",
  isOfBlocks: true,
  filters: { ...filters, block: optional(blockNameText()) },
  filtersExample: { type: "transfer,multi_transfer", ...filtersExample },
  otherExamples: { block: { block: BLOCK } },
  entries: "records of transactions",
  shown: shownRecord("transfer", ALICE),
  after: 1001,
  next: 1000,
});

/** Source: chain §10. */
export const itemTransactions = listRead({
  name: "itemTransactions",
  title: "List the history of an item",
  route: "GET /item/{id}/transactions",
  about:
    "The history of an item, a listing or a project, newest first. That of a multi-unit item has what was done to its listings, too.",
  list: "life",
  isOfBlocks: true,
  filters: { id: recordId("an item, a listing or a project"), type, since, until },
  filtersExample: {
    id: SWORD,
    type: "mrc401_sell",
    since: String(NOW),
    until: UNTIL,
  },
  refusals: ["6004"],
  entries: "records that are filed under it",
  shown: shownItemRecord,
  after: 4100097,
  next: 4096001,
});

/** Source: chain §10. */
export const addressTransactions = listRead({
  name: "addressTransactions",
  title: "List the history of an address",
  route: "GET /address/{address}/transactions",
  about: "The history of an address, newest first: what it did and what was done to it.",
  list: "history",
  isOfBlocks: true,
  filters: { address: address(), ...filters },
  filtersExample: { address: BOB, type: "receive", ...filtersExample },
  refusals: ["3090"],
  entries: "records that concern it",
  shown: shownRecord("receive", BOB),
  after: 4100096,
  next: 4096001,
});
