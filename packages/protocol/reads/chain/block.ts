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
import { optional, type Schema } from "../../description/parameter.ts";
import { cursor, cursorText, pageLimit } from "../../description/parameters/cursor.ts";
import { blockName } from "../../description/parameters/ids.ts";
import { boundedInteger } from "../../description/parameters/integers.ts";
import { listSchema } from "../../description/results.ts";
import { AMOUNT_MAX } from "../../text/amount.ts";

/** Source: chain §4.8. */
export const EXAMPLE_HEADER = {
  changes: "d0bf332f3dcffb1720fe5bcbae2e20c28fda0529b8cd5fc124e07e72133d3d3a",
  count: 1,
  previous: "b".repeat(64),
  protocol: 1,
  root: "73f63c4a0f6edd057a8e32d98f3ccffe43ef84949336f1e0749df570de560451",
  size: 1001,
  sn: Number(BLOCK),
  timestamp: NOW,
  tree: "c".repeat(64),
  v: 1,
} as const;
export const EXAMPLE_OPERATION = {
  actor: ALICE,
  decided: {},
  op: "transfer",
  params: {
    amount: "100",
    checkkey: TEMPORARY_KEY,
    from: ALICE,
    memo: "coffee",
    to: BOB,
    token: "0",
  },
  signatures: { signature: SIGNATURE },
  v: 1,
} as const;

const hash: Schema = { type: "string", pattern: "^[0-9a-f]{64}$" };
const count: Schema = { type: "integer", minimum: 0 };

/** Source: chain §4.7. */
export const blockHeaderSchema: Schema = {
  title: "BlockHeader",
  type: "object",
  required: Object.keys(EXAMPLE_HEADER),
  properties: {
    changes: { ...hash, description: "hash of what the block changed" },
    count: { ...count, description: "how many transactions it has" },
    previous: { ...hash, description: "id of the block before" },
    protocol: { ...count, description: "version of the rules" },
    root: { ...hash, description: "root of the tree of its transactions" },
    size: { ...count, description: "leaves of the tree of all transactions" },
    sn: { ...count, description: "number of the block" },
    timestamp: { ...count, description: "Unix seconds" },
    tree: { ...hash, description: "root of the tree of all transactions" },
    v: count,
  },
};

const texts: Schema = { type: "object", additionalProperties: { type: "string" } };

/** Source: chain §4.1. */
export const ledgerOperationSchema: Schema = {
  title: "LedgerOperation",
  type: "object",
  required: Object.keys(EXAMPLE_OPERATION),
  properties: {
    actor: { type: "string", description: "whose key has signed; empty if nobody signs" },
    decided: { ...texts, description: "what was chosen before the block" },
    op: { type: "string", description: "name of the operation" },
    params: { ...texts, description: "parameters as they were sent" },
    signatures: texts,
    v: count,
  },
};

/** The number of the newest block. Source: chain §2. */
export const height = read({
  name: "height",
  title: "Get the number of the newest block",
  route: "GET /block",
  about: "The number of the newest block.",
  parameters: {},
  cache: "never",
  result: { kind: "text", about: "the number", example: BLOCK },
});

/** Shows a block. Source: chain §2. */
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
    schema: {
      title: "Block",
      type: "object",
      required: ["sn", "id", "timestamp", "transaction"],
      properties: {
        sn: { type: "integer" },
        id: { type: "string" },
        timestamp: { type: "integer" },
        transaction: {
          type: "array",
          items: {
            title: "BlockTransaction",
            type: "object",
            required: ["id", "timestamp"],
            properties: { id: { type: "string" }, timestamp: { type: "integer" } },
          },
        },
      },
    },
    example: {
      sn: Number(BLOCK),
      id: BLOCK_ID,
      timestamp: NOW,
      transaction: [{ id: TRANSACTION, timestamp: NOW }],
    },
  },
});

/** Source: chain §4.8. */
const RAW_BLOCK = { header: EXAMPLE_HEADER, id: BLOCK_ID, operations: [EXAMPLE_OPERATION] };

/** Shows a block as it is stored: header, id and operations. Source: chain §2. */
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
    schema: {
      title: "RawBlock",
      type: "object",
      required: ["header", "id", "operations"],
      properties: {
        header: blockHeaderSchema,
        id: { type: "string" },
        operations: { type: "array", items: ledgerOperationSchema },
      },
    },
    example: RAW_BLOCK,
  },
});

/** The list of blocks, for its cursors. */
export const BLOCKS = "blocks";

const summarySchema: Schema = {
  title: "BlockSummary",
  type: "object",
  required: ["sn", "id", "timestamp", "count"],
  properties: {
    sn: { type: "integer" },
    id: { type: "string" },
    timestamp: { type: "integer" },
    count: { type: "integer", description: "how many transactions it has" },
  },
};

/** Lists blocks. Source: chain §2, §10. */
export const blocks = read({
  name: "blocks",
  title: "List blocks",
  route: "GET /blocks",
  about: "Lists blocks, newest first.",
  parameters: { limit: pageLimit(), cursor: cursor(BLOCKS) },
  example: { limit: "1", cursor: cursorText(BLOCKS, 259, {}) },
  cache: "revalidate",
  result: {
    kind: "json",
    about: "the newest blocks first, and where the list goes on",
    schema: listSchema(summarySchema),
    example: {
      items: [{ sn: Number(BLOCK), id: BLOCK_ID, timestamp: NOW, count: 1 }],
      cursor: cursorText(BLOCKS, BLOCK, {}),
    },
  },
});

/** Shows many blocks as they are stored: all that a follower or an auditor needs. Source: chain §2. */
export const blocksRaw = read({
  name: "blocksRaw",
  title: "Get many blocks as they are stored",
  route: "GET /blocks/raw",
  about:
    "Shows all of the blocks from one on that is needed to check and replay them, oldest first, one a line. It may end before the limit where they are large.",
  parameters: {
    // Any integer string is well-formed: above the newest block there is nothing.
    from: optional(boundedInteger({ min: 0n, max: AMOUNT_MAX })),
    limit: optional(boundedInteger({ min: 1n, max: 1000n })),
  },
  example: { from: BLOCK, limit: "1" },
  cache: "never",
  result: {
    kind: "file",
    about: "header, id and operations of each block",
    contentType: "application/x-ndjson",
    example: `${JSON.stringify(RAW_BLOCK)}\n`,
  },
});
