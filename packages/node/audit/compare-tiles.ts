import { TILE_WIDTH, type TileName, tileNameText } from "@moneta/protocol";
import type { AuditContext } from "./audit-context.ts";
import { compareTransaction } from "./compare-records.ts";
import { Finding, placeOf } from "./finding.ts";
import { Declined } from "./node-client.ts";

const HASH_BYTES = 32;
/**
 * Leaf texts have some 270 bytes, with a length prefix of two. Source: chain §4.4, C2SP tlog-tiles.
 */
const ENTRY_BYTES_MAX = 2 + 65_535;

/**
 * Compares all tiles not requested so far with the copy's hashes, on every level, and the leaf
 * texts. Proofs consist of these hashes alone. Source: chain §12, C2SP tlog-tiles.
 */
export async function compareTiles(context: AuditContext, size: number): Promise<void> {
  const { memory, progress } = context;
  const from = memory.state.leaves;
  if (from >= size) {
    return;
  }
  const show = progress("comparing tiles", size);
  let level = 0;
  for (let width = 1; width <= size; width *= TILE_WIDTH) {
    const count = Math.floor(size / width);
    const first = Math.floor(Math.floor(from / width) / TILE_WIDTH);
    for (let index = first; index * TILE_WIDTH < count; index += 1) {
      const tile = { index, width: Math.min(TILE_WIDTH, count - index * TILE_WIDTH) };
      await compareTile(context, level, tile);
      if (level === 0) {
        await compareEntries(context, tile);
        show(index * TILE_WIDTH + tile.width);
      }
    }
    level += 1;
  }
}

async function compareTile(
  { client, replica }: AuditContext,
  level: number,
  tile: TileName,
): Promise<void> {
  const path = `/tlog/tile/${level}/${tileNameText(tile)}`;
  const served = await fetched(client.bytes(path, TILE_WIDTH * HASH_BYTES), path);
  const first = tile.index * TILE_WIDTH;
  const hashes = replica.read().tree.hashes(level, first, first + tile.width);
  for (let at = 0; at < tile.width; at += 1) {
    const hash = hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
    const there = served.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
    if (Buffer.compare(there, hash) !== 0) {
      const place = level === 0 ? placeOf(replica.nameOf(first + at)) : `tree level ${8 * level}`;
      throw new Finding(
        `${place}: GET ${path}: hash ${at}: served ${hexOf(there)}, computed ${hexOf(hash)}`,
      );
    }
  }
  assertLength(path, served, tile.width * HASH_BYTES);
}

async function compareEntries(context: AuditContext, tile: TileName): Promise<void> {
  const { client, replica } = context;
  const path = `/tlog/tile/entries/${tileNameText(tile)}`;
  const served = await fetched(client.bytes(path, TILE_WIDTH * ENTRY_BYTES_MAX), path);
  const first = tile.index * TILE_WIDTH;
  let offset = 0;
  for (const [at, text] of replica
    .read()
    .leafTexts(first, first + tile.width)
    .entries()) {
    const leaf = Buffer.from(text);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(leaf.length);
    const entry = Buffer.concat([length, leaf]);
    const there = served.subarray(offset, offset + entry.length);
    if (Buffer.compare(there, entry) !== 0) {
      const name = replica.nameOf(first + at);
      // A wrong record explains more than the wrong hash that it causes.
      await compareTransaction(context, name);
      throw new Finding(
        `${placeOf(name)}: GET ${path}: leaf ${at}: served ${JSON.stringify(Buffer.from(there).toString("latin1", 2))}, computed ${JSON.stringify(text)}`,
      );
    }
    offset += entry.length;
  }
  assertLength(path, served, offset);
}

async function fetched(answer: Promise<Uint8Array>, path: string): Promise<Uint8Array> {
  try {
    return await answer;
  } catch (thrown) {
    throw thrown instanceof Declined ? new Finding(`GET ${path}: ${thrown.message}`) : thrown;
  }
}

function assertLength(path: string, served: Uint8Array, length: number): void {
  if (served.length !== length) {
    throw new Finding(`GET ${path}: served ${served.length} bytes, computed ${length}`);
  }
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
