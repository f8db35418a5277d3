import {
  ALICE,
  BLOCK,
  BLOCK_ID,
  BOB,
  NOW,
  SIGNATURE,
  TEMPORARY_KEY,
  TRANSACTION,
} from "../../description/examples.ts";
import { read } from "../../description/operation.ts";
import { meaning, optional, type Schema } from "../../description/parameter.ts";
import { blockName } from "../../description/parameters/ids.ts";
import { boundedInteger } from "../../description/parameters/integers.ts";
import {
  integer,
  listOf,
  noted,
  record,
  type Shown,
  shown,
  text,
  time,
} from "../../description/shown.ts";
import { AMOUNT_MAX } from "../../text/amount.ts";
import { listRead } from "../list-read.ts";

const hash: Schema = { type: "string", pattern: "^[0-9a-f]{64}$" };
const count: Schema = { type: "integer", minimum: 0 };
const texts: Schema = { type: "object", additionalProperties: text };

export const header: Shown = shown("BlockHeader", {
  changes: [
    noted(hash, "hash of the changes that the block made to the state, hex"),
    "d0bf332f3dcffb1720fe5bcbae2e20c28fda0529b8cd5fc124e07e72133d3d3a",
  ],
  count: [noted(count, "how many transactions it has"), 1],
  previous: [noted(hash, "id of the block before this one"), "b".repeat(64)],
  protocol: [noted(count, "version of the rules"), 1],
  root: [
    noted(hash, "root of the tree of its transactions, hex"),
    "65f105bf2e088759181263386fd0fa6f83b2817bdb1c3838b2420e005604a36b",
  ],
  size: [noted(count, "how many transactions the ledger has up to this block"), 1001],
  sn: [noted(count, "number of the block"), Number(BLOCK)],
  timestamp: [noted(count, "ledger time of the block, Unix seconds"), NOW],
  tree: [noted(hash, "root of the tree of all transactions, hex"), "c".repeat(64)],
  v: [count, 1],
});

const exampleParams = {
  amount: "100",
  checkkey: TEMPORARY_KEY,
  from: ALICE,
  memo: "coffee",
  to: BOB,
  token: "0",
};

export const operation: Shown = shown("LedgerOperation", {
  actor: [noted(text, "address whose key signed; empty for none"), ALICE],
  decided: [noted(texts, "values that the node chose for the operation, by name"), {}],
  op: [noted(text, "name of the operation"), "transfer"],
  params: [noted(texts, "parameters as they were sent"), exampleParams],
  signatures: [texts, { signature: SIGNATURE }],
  v: [count, 1],
});

/** Source: chain §2. */
export const height = read({
  name: "height",
  title: "Get the number of the newest block",
  route: "GET /block",
  about: "The number of the newest block.",
  parameters: {},
  cache: "never",
  result: { kind: "text", about: "the number", example: BLOCK },
});

/** Source: chain §2. */
export const block = read({
  name: "block",
  title: "Get a block",
  route: "GET /block/{block}",
  about: "Shows a block by its number or by its id.",
  parameters: { block: blockName() },
  example: { block: BLOCK },
  cache: "immutable",
  result: {
    kind: "json",
    about: "the block",
    ...shown("Block", {
      sn: [integer, Number(BLOCK)],
      id: [text, BLOCK_ID],
      timestamp: [time, NOW],
      transaction: [
        listOf(record("BlockTransaction", { id: text, timestamp: time })),
        [{ id: TRANSACTION, timestamp: NOW }],
      ],
    }),
  },
});

const rawBlock = shown("RawBlock", {
  header: [header.schema, header.example],
  id: [text, BLOCK_ID],
  operations: [
    noted(listOf(operation.schema), "its operations, in their order"),
    [operation.example],
  ],
});

/** Source: chain §2. */
export const blockRaw = read({
  name: "blockRaw",
  title: "Get a block as it is stored",
  route: "GET /block/{block}/raw",
  about: "Shows all of a block that is needed to check and replay it.",
  parameters: { block: blockName() },
  example: { block: BLOCK_ID },
  cache: "immutable",
  result: {
    kind: "json",
    about: "header, id and operations",
    ...rawBlock,
  },
});

/** Source: chain §2, §10. */
export const blocks = listRead({
  name: "blocks",
  title: "List blocks",
  route: "GET /blocks",
  about: "Lists blocks, newest first.",
  list: "blocks",
  isOfBlocks: true,
  filters: {},
  filtersExample: {},
  entries: "the newest blocks first, and the cursor of the next page",
  shown: shown("BlockSummary", {
    sn: [integer, Number(BLOCK)],
    id: [text, BLOCK_ID],
    timestamp: [time, NOW],
    count: [noted(integer, "how many transactions it has"), 1],
    size: [
      noted(integer, "bytes of the block as it is stored"),
      JSON.stringify(rawBlock.example).length,
    ],
  }),
  after: 259,
  next: Number(BLOCK),
});

/** Source: chain §2. */
export const blocksRaw = read({
  name: "blocksRaw",
  title: "Get many blocks as they are stored",
  route: "GET /blocks/raw",
  about:
    "Shows all of the blocks from one on that is needed to check and replay them, oldest first, one a line. It may end before the limit where they are large.",
  parameters: {
    // Any integer is well-formed: the list above the newest block is empty.
    from: optional(
      meaning("number of the first block", boundedInteger({ min: 0n, max: AMOUNT_MAX })),
    ),
    limit: optional(boundedInteger({ min: 1n, max: 1000n })),
  },
  example: { from: BLOCK, limit: "1" },
  cache: "never",
  result: {
    kind: "file",
    about: "header, id and operations of each block",
    contentType: "application/x-ndjson",
    example: `${JSON.stringify(rawBlock.example)}\n`,
  },
});
