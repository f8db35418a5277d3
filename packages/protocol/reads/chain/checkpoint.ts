import { CHECKPOINT, ROOT, TRANSACTION, VERIFIER_KEY } from "../../description/examples.ts";
import { refuse } from "../../description/faults.ts";
import { read } from "../../description/operation.ts";
import { optional, type Parameter, parameter } from "../../description/parameter.ts";
import { transactionName } from "../../description/parameters/ids.ts";
import { treeSize } from "../../description/parameters/integers.ts";
import { integer, listOf, noted, shown, text } from "../../description/shown.ts";
import { parseTileName, type TileName } from "../../tree/tile.ts";
import { header, operation } from "./block.ts";

const SIZE = "1001";
const EARLIER_SIZE = "1000";
const hash = { type: "string", pattern: "^[0-9A-Za-z+/]{43}=$" };

/** Source: chain §12, C2SP tlog-checkpoint. */
export const checkpoint = read({
  name: "checkpoint",
  title: "Get the signed checkpoint",
  route: "GET /checkpoint",
  otherRoutes: ["GET /tlog/checkpoint"],
  about:
    "The signed checkpoint of the tree of all transactions (C2SP tlog-checkpoint); Ledger-Height names its block.",
  parameters: {},
  refusals: ["9404"],
  result: { kind: "text", about: "the checkpoint", example: CHECKPOINT },
});

/** Source: chain §12. */
export const checkpointKey = read({
  name: "checkpointKey",
  title: "Get the keys of checkpoints",
  route: "GET /checkpoint/key",
  about:
    "The verifier keys of checkpoints (C2SP signed-note), one a line, newest first. Whoever verifies should know them from elsewhere.",
  parameters: {},
  refusals: ["9404"],
  result: { kind: "text", about: "the keys", example: `${VERIFIER_KEY}\n` },
});

/** Source: chain §12. */
export const transactionProof = read({
  name: "transactionProof",
  title: "Prove a transaction",
  route: "GET /transaction/{transaction_id}/proof",
  about:
    "Proves that a transaction is in the tree of all transactions, of the newest size or of an earlier one (RFC 6962).",
  parameters: {
    transaction_id: transactionName(),
    size: optional(treeSize("above the transaction's place in the ledger, at most the newest")),
  },
  example: { transaction_id: TRANSACTION, size: SIZE },
  result: {
    kind: "json",
    about: "the leaf, what leads from it to the root, and the operation and the block it is of",
    ...shown("TransactionProof", {
      id: [text, TRANSACTION],
      leaf: [
        noted(text, "text of which the leaf is the hash"),
        `{"id":"${TRANSACTION}","operation":"73ea2ccdfc69e04f560eb3d43dc59478092ba135db98a800039274d0caf9654f","record":"d9e89eae2c953a9605fbe920ef8dbb5a99434fd89d67b485c9e594f76e8954a5","timestamp":1767225600}`,
      ],
      leaf_index: [integer, 1000],
      tree_size: [integer, 1001],
      root: [noted(hash, "root of the tree of that size, base64"), ROOT],
      proof: [
        noted(listOf(hash), "hashes of the proof, base64, from the leaf upward (RFC 6962 §2.1.1)"),
        ["u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7s="],
      ],
      operation: [
        noted(operation.schema, "the operation as its signer sent it"),
        operation.example,
      ],
      block: [noted(header.schema, "header of its block"), header.example],
      checkpoint: [
        noted(text, "checkpoint of the newest size; empty if another size was requested"),
        CHECKPOINT,
      ],
    }),
  },
});

/** Source: chain §12. */
export const checkpointConsistency = read({
  name: "checkpointConsistency",
  title: "Prove that the ledger has only grown",
  route: "GET /checkpoint/consistency",
  about:
    "Proves that the tree of one size is the beginning of that of a later size (RFC 6962), by default the newest.",
  parameters: {
    from: treeSize("from 1 to the later one"),
    to: optional(treeSize("from the earlier one to the newest")),
  },
  example: { from: EARLIER_SIZE, to: SIZE },
  result: {
    kind: "json",
    about: "both roots and what leads from one to the other",
    ...shown("ConsistencyProof", {
      from: [noted(integer, "earlier size, in transactions"), 1000],
      to: [noted(integer, "later size, in transactions"), 1001],
      from_root: [hash, "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqo="],
      to_root: [hash, ROOT],
      proof: [
        noted(listOf(hash), "hashes of the proof, base64 (RFC 6962 §2.1.2)"),
        ["u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7s="],
      ],
    }),
  },
});

/** Source: C2SP tlog-tiles. */
export const tile = read({
  name: "tile",
  title: "Get a tile of the tree",
  route: "GET /tlog/tile/{level}/{tile}",
  about:
    "256 consecutive hashes of a level of the tree, or fewer of a partial tile (C2SP tlog-tiles).",
  parameters: { level: tileLevel(), tile: tileName() },
  example: { level: "0", tile: "000.p/3" },
  cache: "immutable",
  result: {
    kind: "file",
    about: "32 bytes a hash",
    contentType: "application/octet-stream",
    example: "32 bytes a hash",
  },
});

/** Source: C2SP tlog-tiles. */
export const entryBundle = read({
  name: "entryBundle",
  title: "Get a bundle of leaves",
  route: "GET /tlog/tile/entries/{tile}",
  about:
    "The texts of 256 consecutive leaves, or fewer of a partial tile, each after its length as a big-endian uint16 (C2SP tlog-tiles).",
  parameters: { tile: tileName() },
  example: { tile: "000.p/3" },
  cache: "immutable",
  result: {
    kind: "file",
    about: "leaf texts after their lengths",
    contentType: "application/octet-stream",
    example: "leaf texts after their lengths",
  },
});

/** 256^63 is above any size; too high a level is as absent as a malformed one. */
function tileLevel(): Parameter<number> {
  return parameter<number>({
    meaning: "",
    wanted: "the level of the tile, 0 to 63; 0 has the hashes of leaves",
    schema: { type: "string", format: "integer", pattern: "^(0|[1-9]|[1-5][0-9]|6[0-3])$" },
    refusals: ["9404"],
    read: (text) =>
      /^(0|[1-9]|[1-5][0-9]|6[0-3])$/.test(text)
        ? Number(text)
        : refuse({
            code: "9404",
            reason:
              'A level of tiles is an integer from 0 to 63, or "entries" for the texts of leaves',
          }),
  });
}

function tileName(): Parameter<TileName> {
  return parameter<TileName>({
    meaning: "",
    wanted:
      "the index of the tile in groups of three digits, all but the last one after an x and with a slash behind: x001/x234/067; .p/ and a width from 1 to 255 behind it ask for the beginning of it. Slashes need not be encoded",
    schema: { type: "string", pattern: "^(x[0-9]{3}/)*[0-9]{3}(\\.p/[1-9][0-9]{0,2})?$" },
    refusals: ["9404"],
    hasSlashes: true,
    read: (text) =>
      parseTileName(text) ??
      refuse({
        code: "9404",
        reason:
          "Names of tiles are 000, 067, x001/x234/067 and the like, with .p/ and a width from 1 to 255 behind it for the beginning of one",
      }),
  });
}
