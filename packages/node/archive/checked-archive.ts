import { BoundedCache, type LedgerReader, NotYet, sha256 } from "@moneta/ledger";
import {
  blockId,
  blockText,
  leafHash,
  parseTransactionId,
  TILE_WIDTH,
  type TransactionName,
} from "@moneta/protocol";
import { SettingProblem } from "../settings.ts";
import type {
  ArchivedLeaf,
  ArchivedLines,
  ArchivedReads,
  FromArchive,
  ToArchive,
} from "./archive-read-messages.ts";
import { ArchiveReader } from "./archive-reader.ts";
import { type CheckedBlock, checkedBlock } from "./archived-block.ts";
import type { PlacedTransaction } from "./archived-transaction.ts";
import { HASH_BYTES, hashesIn, treeOf } from "./growing-tiles.ts";
import { WrongArchive } from "./layout.ts";

const TILES_KEPT = 16;

/** Characters after which no further block is read in one step. */
const LINES_LENGTH = 1 << 20;

/** Checks archived blocks against the ledger's own tree. Source: proofs §6. */
export class CheckedArchive {
  readonly #where: string;
  readonly #reader: LedgerReader;
  readonly #tiles: KnownTiles = {
    hashes: new BoundedCache(TILES_KEPT),
    texts: new BoundedCache(TILES_KEPT),
  };
  #archive: ArchiveReader | undefined;

  constructor(where: string, reader: LedgerReader) {
    this.#where = where;
    this.#reader = reader;
  }

  async read(message: ToArchive): Promise<FromArchive> {
    const isKnown = this.#archive !== undefined;
    try {
      return { found: await this.#found(message) };
    } catch (thrown) {
      this.#archive = undefined;
      if (isKnown) {
        // `moneta archive` has removed partial files that the earlier manifest names.
        return await this.read(message);
      }
      if (
        thrown instanceof WrongArchive ||
        thrown instanceof NotYet ||
        thrown instanceof SettingProblem
      ) {
        return { wrong: thrown.message };
      }
      throw thrown;
    }
  }

  async #found({ read, of }: ToArchive): Promise<ArchivedReads[keyof ArchivedReads][1]> {
    const archive = this.#archive ?? (await ArchiveReader.open(this.#where, []));
    this.#archive = archive;
    this.#reader.open(0);
    try {
      const reading = new Reading(archive, this.#reader, this.#tiles);
      switch (read) {
        case "transaction":
          return await reading.transaction(of as TransactionName);
        case "block":
          return await reading.block(of as number);
        case "lines":
          return await reading.lines(of as ArchivedReads["lines"][0]);
        case "hashes":
          return await reading.hashes(of as number);
        case "texts":
          return await reading.texts(of as number);
      }
    } finally {
      this.#reader.close();
    }
  }
}

/** Complete tiles of leaves that the ledger tree has. */
interface KnownTiles {
  readonly hashes: BoundedCache<Uint8Array>;
  readonly texts: BoundedCache<readonly string[]>;
}

class Reading {
  readonly #archive: ArchiveReader;
  readonly #reader: LedgerReader;
  readonly #tiles: KnownTiles;

  constructor(archive: ArchiveReader, reader: LedgerReader, tiles: KnownTiles) {
    this.#archive = archive;
    this.#reader = reader;
    this.#tiles = tiles;
  }

  async transaction({ id, height, position }: TransactionName): Promise<ArchivedLeaf | undefined> {
    const found = await (await this.#archive.chunkWith(height)).transaction(height, position);
    const { block } = found;
    await this.#assertHeader(block);
    if (!("index" in found)) {
      return undefined;
    }
    const { index, leaf: text, operation, record } = found;
    const tile = await this.#assertLeaves([text], index);
    return text.startsWith(`{"id":"${id}"`)
      ? { block, operation, record, text, index, tile }
      : undefined;
  }

  async block(height: number): Promise<ArchivedReads["block"][1]> {
    const { header, id, leaves } = await this.#checkedBlock(height);
    return { header, id, transactions: leaves.map(idOfLeaf) };
  }

  async lines({ from, to }: ArchivedReads["lines"][0]): Promise<ArchivedLines> {
    let [lines, next] = ["", from];
    while (next < to && lines.length < LINES_LENGTH) {
      lines += `${blockText(await this.#checkedBlock(next))}\n`;
      next += 1;
    }
    return { lines, next };
  }

  async hashes(tile: number): Promise<Uint8Array> {
    const known = this.#tiles.hashes.get(`${tile}`);
    const hashes = known ?? (await this.#checkedHashes(tile));
    if (known === undefined && hashes.length === TILE_WIDTH * HASH_BYTES) {
      this.#tiles.hashes.set(`${tile}`, hashes);
    }
    return hashes;
  }

  async texts(tile: number): Promise<readonly string[]> {
    const known = this.#tiles.texts.get(`${tile}`);
    const texts = known ?? (await this.#checkedTexts(tile));
    if (known === undefined && texts.length === TILE_WIDTH) {
      this.#tiles.texts.set(`${tile}`, texts);
    }
    return texts;
  }

  async #checkedTexts(tile: number): Promise<readonly string[]> {
    const [start, end] = this.#rangeOf(tile);
    // The archive may end within this tile, where the ledger's file begins.
    const stored = Math.max(start, Math.min(end, this.#firstStored));
    const archived = await this.#archive.leafTexts(tile);
    const texts = [...archived.slice(0, stored - start), ...this.#reader.leafTexts(stored, end)];
    await this.#assertLeaves(texts, start);
    return texts;
  }

  get #firstStored(): number {
    return this.#reader.firstTransactionOf(this.#reader.firstKept) ?? 0;
  }

  #rangeOf(tile: number): readonly [start: number, end: number] {
    const start = tile * TILE_WIDTH;
    return [start, Math.min(start + TILE_WIDTH, this.#reader.size)];
  }

  async #checkedHashes(tile: number): Promise<Uint8Array> {
    const [start, end] = this.#rangeOf(tile);
    const own = this.#reader.tree.hashes(0, start, end);
    if (own.length === (end - start) * HASH_BYTES) {
      return own;
    }
    const hashes = await this.#archive.leafHashes(tile);
    if (!this.#reader.tree.hashes(1, tile, tile + 1).equals(treeOf(hashesIn(hashes)).root())) {
      throw this.#wrong(`its leaves from ${start} to ${end - 1} differ from the ledger`);
    }
    return hashes;
  }

  /** A block that its id commits to, and whose transactions are in the ledger tree. */
  async #checkedBlock(height: number): Promise<CheckedBlock> {
    const read = await (await this.#archive.chunkWith(height)).block(height);
    const { previous, size, count } = read.header;
    const block = checkedBlock(read, { height, previous });
    if (typeof block === "string") {
      throw this.#wrong(`block ${height}: ${block}`);
    }
    await this.#assertHeader(block);
    await this.#assertLeaves(block.leaves, size - count);
    return block;
  }

  /** Throws `WrongArchive` unless the ledger has these transactions with the block. */
  async #assertHeader({ header, id }: PlacedTransaction["block"]): Promise<void> {
    const { sn: height, size, count, tree } = header;
    const isWithin = count > 0 && size >= count && size <= this.#firstStored;
    if (!isWithin || blockId(header, sha256) !== id) {
      throw this.#wrong(`block ${height}: its id is not the hash of its header`);
    }
    const [last, next] = [await this.#idAt(size - 1), await this.#idAt(size)];
    const leaves = { tile: Math.floor(size / TILE_WIDTH), hashes: Buffer.of() };
    if (size % TILE_WIDTH > 0) {
      leaves.hashes = Buffer.from(await this.hashes(leaves.tile));
    }
    const root = Buffer.from(this.#reader.tree.root(size, leaves)).toString("hex");
    if (
      tree !== root ||
      !isAt(last, { height, position: count - 1 }) ||
      !isAt(next, { height: height + 1, position: 0 })
    ) {
      throw this.#wrong(`block ${height} differs from the ledger`);
    }
  }

  async #idAt(index: number): Promise<string> {
    const own = this.#reader.transactionIdOf(index);
    if (own !== undefined) {
      return own;
    }
    const texts = await this.texts(Math.floor(index / TILE_WIDTH));
    return idOfLeaf(texts[index % TILE_WIDTH] ?? "{}");
  }

  /** Throws `WrongArchive` unless the tree has these leaves. Returns the first one's tile. */
  async #assertLeaves(texts: readonly string[], from: number): Promise<Uint8Array> {
    const first = Math.floor(from / TILE_WIDTH);
    let tile = { number: first, hashes: await this.hashes(first) };
    const { hashes } = tile;
    for (const [place, text] of texts.entries()) {
      const index = from + place;
      const number = Math.floor(index / TILE_WIDTH);
      if (number !== tile.number) {
        tile = { number, hashes: await this.hashes(number) };
      }
      const at = (index % TILE_WIDTH) * HASH_BYTES;
      const known = tile.hashes.subarray(at, at + HASH_BYTES);
      if (Buffer.compare(leafHash(sha256, text), known) !== 0) {
        throw this.#wrong(`transaction ${index} differs from the ledger`);
      }
    }
    return hashes;
  }

  #wrong(what: string): WrongArchive {
    return new WrongArchive(`${this.#archive.where}: ${what}`);
  }
}

function idOfLeaf(text: string): string {
  return (JSON.parse(text) as { readonly id: string }).id;
}

function isAt(id: string, place: { readonly height: number; readonly position: number }): boolean {
  const name = parseTransactionId(id);
  return name?.height === place.height && name.position === place.position;
}
