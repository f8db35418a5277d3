import type { LeafTile, LedgerReader, TransactionLeaf } from "@moneta/ledger";
import {
  parseAmount,
  Refused,
  refuse,
  TILE_WIDTH,
  type TileName,
  type TransactionName,
  tileNameText,
} from "@moneta/protocol";
import type { ArchivedLeaf } from "../../archive/archive-read-messages.ts";
import { HASH_BYTES, lengthAndText } from "../../archive/growing-tiles.ts";
import type { CheckpointNotes } from "../../checkpoint-notes.ts";
import type { Service } from "../../service.ts";
import { transactionProofText } from "../../transaction-text.ts";
import { type Answer, json, jsonText, plain } from "../responses/answer.ts";
import type { ReadContext } from "./read-context.ts";
import type { Reply } from "./read-handler.ts";

/** Source: chain §12. */
export function showCheckpoint(
  _values: unknown,
  reader: LedgerReader,
  service: Service,
  { later }: ReadContext,
): Reply {
  return withNotes(service, { reader, later }, (notes, newestReader) => {
    const newest = notes.newest(newestReader);
    return newest === undefined ? none(notes) : { ...plain(newest.note), height: newest.height };
  });
}

/** Source: chain §12. */
export function showCheckpointKey(
  _values: unknown,
  _reader: LedgerReader,
  { checkpoints }: Service,
): Reply {
  const show = (): Answer | Refused => {
    const keys = checkpoints?.verifierKeys ?? [];
    return keys.length === 0 ? none(checkpoints) : plain(keys.map((key) => `${key}\n`).join(""));
  };
  // Without a key of its own, the node finds others' beside the newest checkpoint.
  return checkpoints?.prepare === undefined
    ? show()
    : checkpoints.prepare().then((fault) => {
        const isUnknown = fault !== undefined && checkpoints.verifierKeys.length === 0;
        return isUnknown ? refuse(fault) : show();
      });
}

/** `notes` is undefined if none are signed. */
function none(notes: CheckpointNotes | undefined): Refused {
  const reason = notes?.whyNone ?? "This node has no key to sign checkpoints with";
  return refuse({ code: "9404", reason });
}

/** After `prepare`, if other nodes sign as well. */
export function withNotes(
  { checkpoints }: Service,
  { reader, later }: { readonly reader: LedgerReader } & Pick<ReadContext, "later">,
  show: (notes: CheckpointNotes, reader: LedgerReader) => Answer | Refused,
): Answer | Refused | Promise<Answer | Refused> {
  if (checkpoints?.prepare === undefined) {
    return checkpoints === undefined ? none(checkpoints) : show(checkpoints, reader);
  }
  return checkpoints
    .prepare()
    .then((fault) =>
      fault === undefined ? later((newest) => show(checkpoints, newest)) : refuse(fault),
    );
}

/** Source: chain §12. */
export function showTransactionProof(
  values: ProofValues,
  reader: LedgerReader,
  service: Service,
  { later }: ReadContext,
): Reply {
  const prove = (notes: CheckpointNotes | undefined, on: LedgerReader): Answer | Refused =>
    transactionProof(values, on, notes);
  // A missing transaction is refused without the log.
  return reader.leaf(values.transaction_id) === undefined || service.checkpoints === undefined
    ? prove(service.checkpoints, reader)
    : withNotes(service, { reader, later }, prove);
}

/** Source: proofs §6. */
export async function showArchivedProof(
  values: ProofValues,
  { tile: hashes, block: { header }, ...leaf }: ArchivedLeaf,
  service: Service,
  later: ReadContext["later"],
): Promise<Answer | Refused> {
  const tile = { tile: Math.floor(leaf.index / TILE_WIDTH), hashes };
  const prove = (notes: CheckpointNotes | undefined, on: LedgerReader): Answer | Refused =>
    leafProof(values, { ...leaf, header, tile }, on, notes);
  return await later<Answer | Refused | Promise<Answer | Refused>>((reader) =>
    service.checkpoints === undefined
      ? prove(undefined, reader)
      : withNotes(service, { reader, later }, prove),
  );
}

export interface ProofValues {
  readonly transaction_id: TransactionName;
  readonly size: string | undefined;
}

function transactionProof(
  { transaction_id: name, size }: ProofValues,
  reader: LedgerReader,
  checkpoints: CheckpointNotes | undefined,
): Answer | Refused {
  const found = reader.leaf(name);
  if (found === undefined) {
    return refuse({ code: "6008", given: name.id });
  }
  return leafProof({ transaction_id: name, size }, found, reader, checkpoints);
}

/** `tile`: the leaves of its tile, if they are not stored. */
function leafProof(
  { transaction_id: name, size }: ProofValues,
  { header, index, operation, text, tile }: TransactionLeaf & { readonly tile?: LeafTile },
  reader: LedgerReader,
  checkpoints: CheckpointNotes | undefined,
): Answer | Refused {
  const newest = reader.newest.header.size;
  const signed = checkpoints?.newestSize(reader);
  // The newest checkpoint of others may not cover the transaction.
  const at =
    size === undefined && signed !== undefined && index < signed
      ? signed
      : sizeWithin({ parameter: "size", given: size, min: index + 1, max: newest });
  if (at instanceof Refused) {
    return at;
  }
  // The tree of a smaller size needs leaves that are not stored.
  reader.assertTreeKept(at);
  return jsonText(
    transactionProofText({
      ...{ id: name.id, leaf: text, index, size: at, header, operation },
      root: rootOf(at, reader),
      path: reader.tree.inclusionPath({ index, size: at }, tile),
      checkpoint: at === signed ? (checkpoints?.newest(reader)?.note ?? "") : "",
    }),
  );
}

/** Source: chain §12. */
export function showConsistency(
  given: { from: string; to: string | undefined },
  reader: LedgerReader,
): Answer | Refused {
  const newest = reader.newest.header.size;
  const from = sizeWithin({ parameter: "from", given: given.from, min: 1, max: newest });
  if (from instanceof Refused) {
    return from;
  }
  const to = sizeWithin({ parameter: "to", given: given.to, min: from, max: newest });
  if (to instanceof Refused) {
    return to;
  }
  reader.assertTreeKept(from);
  const { tree } = reader;
  return json({
    from,
    to,
    from_root: base64(rootOf(from, reader)),
    to_root: base64(rootOf(to, reader)),
    proof: tree.consistencyPath({ from, to }).map(base64),
  });
}

function rootOf(size: number, reader: LedgerReader): Uint8Array {
  const newest = reader.newest.header;
  return size === newest.size ? Buffer.from(newest.tree, "hex") : reader.tree.root(size);
}

/** By default the newest, `max`. */
function sizeWithin({
  parameter,
  given,
  min,
  max,
}: {
  readonly parameter: string;
  readonly given: string | undefined;
  readonly min: number;
  readonly max: number;
}): number | Refused {
  if (given === undefined) {
    return max;
  }
  const size = parseAmount(given);
  return size === undefined || size < min || size > max
    ? refuse({
        code: "1101",
        parameter,
        given,
        wanted: `an integer from ${min} to ${max}: a number of transactions, decimal digits without sign or leading zero`,
      })
    : Number(size);
}

/** Source: C2SP tlog-tiles. */
export function showTile(
  { level, tile }: { level: number; tile: TileName },
  reader: LedgerReader,
): Answer | Refused {
  const missing = missingTile(level, tile, reader);
  if (missing !== undefined) {
    return missing;
  }
  const body = reader.tree.hashes(level, ...rangeOf(tile));
  if (body.length < tile.width * HASH_BYTES) {
    reader.assertTreeKept(rangeOf(tile)[0] + 1);
  }
  return { contentType: "application/octet-stream", body };
}

/** Source: C2SP tlog-tiles. */
export async function showEntryBundle(
  { tile }: { tile: TileName },
  reader: LedgerReader,
  { bundles }: Service,
  { client, socket, later }: ReadContext,
): Promise<Answer | Refused> {
  const missing = missingTile(0, tile, reader);
  if (missing !== undefined) {
    return missing;
  }
  const texts = await bundles.leafTexts(...rangeOf(tile), { client, socket, later });
  return texts instanceof Refused
    ? texts
    : {
        contentType: "application/octet-stream",
        body: Buffer.concat(texts.map(lengthAndText)),
      };
}

/** Tiles of smaller trees are prefixes of the newest one's. */
function missingTile(level: number, tile: TileName, reader: LedgerReader): Refused | undefined {
  const { size } = reader.newest.header;
  const [, end] = rangeOf(tile);
  const there = Math.floor(size / TILE_WIDTH ** level);
  return end <= there
    ? undefined
    : refuse({
        code: "9404",
        reason: `Tile ${tileNameText(tile)} ends at ${end}, but the tree of ${size} leaves has ${there} complete hashes at level ${level}`,
      });
}

function rangeOf({ index, width }: TileName): [number, number] {
  return [index * TILE_WIDTH, index * TILE_WIDTH + width];
}

function base64(hash: Uint8Array): string {
  return Buffer.from(hash).toString("base64");
}
