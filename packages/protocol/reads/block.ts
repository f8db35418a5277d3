import { read } from "../operation.ts";
import { blockName } from "../parameters.ts";

/** The number of the newest block. Source: chain §2. */
export const height = read({
  name: "height",
  route: "GET /block",
  about: "The number of the newest block.",
  parameters: {},
  cache: "never",
  result: { kind: "text", about: "the number", example: "258" },
});

/** Shows a block. Source: chain §2. */
export const block = read({
  name: "block",
  route: "GET /block/{block}",
  about: "Shows a block by its number or by its id.",
  parameters: { block: blockName() },
  cache: "immutable",
  result: {
    kind: "json",
    about: "the block",
    schema: {
      type: "object",
      required: ["sn", "id", "timestamp", "transaction"],
      properties: {
        sn: { type: "integer" },
        id: { type: "string" },
        timestamp: { type: "integer" },
        transaction: {
          type: "array",
          items: {
            type: "object",
            required: ["id", "timestamp"],
            properties: { id: { type: "string" }, timestamp: { type: "integer" } },
          },
        },
      },
    },
  },
});

/** Shows a block as it is stored: header, id and operations. Source: chain §2. */
export const blockRaw = read({
  name: "blockRaw",
  route: "GET /block/{block}/raw",
  about: "Shows all of a block that is needed to check and replay it.",
  parameters: { block: blockName() },
  cache: "immutable",
  result: {
    kind: "json",
    about: "header, id and operations",
    schema: {
      type: "object",
      required: ["header", "id", "operations"],
      properties: {
        header: { type: "object" },
        id: { type: "string" },
        operations: { type: "array", items: { type: "object" } },
      },
    },
  },
});
