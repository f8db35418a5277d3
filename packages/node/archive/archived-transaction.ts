import { gunzipSync } from "node:zlib";
import { sha256 } from "@moneta/ledger";
import {
  type Header,
  inclusionPath,
  leafHash,
  type Subtrees,
  TILE_HEIGHT,
  TILE_WIDTH,
  type TransactionName,
  verifyInclusion,
} from "@moneta/protocol";
import { type ArchiveFiles, wholeFile } from "./archive-files.ts";
import {
  type ArchivedBlock,
  type ArchivedTransaction,
  LINE_BYTES_MAX,
  leafTextOf,
  readBlock,
  readBlockLine,
  readTransactionLine,
} from "./archived-block.ts";
import { MEMBER_LENGTH, type Member } from "./chunk-writer.ts";
import { HASH_BYTES, hashesIn, treeOf } from "./growing-tiles.ts";
import {
  CHUNK_BLOCKS,
  chunkFiles,
  MANIFEST_FILE,
  type Manifest,
  parsedJson,
  tileFile,
  tileLevels,
  WrongArchive,
} from "./layout.ts";

/** About 300,000 members: a thousand blocks of 80 MB. */
const INDEX_BYTES_MAX = 16 << 20;

export const BLOCK_LINE = '{"header":';

export interface TransactionPlace extends Pick<TransactionName, "height" | "position"> {
  readonly id?: string;
}

export interface PlacedTransaction extends ArchivedTransaction {
  readonly block: { readonly header: Header; readonly id: string };
  readonly leaf: string;
  readonly index: number;
}

export interface ProvenTransaction extends PlacedTransaction {
  /** RFC 6962 §2.1.1, from the leaf upward. */
  readonly path: readonly Uint8Array[];
}

/**
 * The tree covers the leaf, but not the header. Throws `WrongArchive`, `NotYet`. Source: proofs §4.
 */
export async function archivedTransaction(
  files: ArchiveFiles,
  manifest: Manifest,
  { id, height, position }: TransactionPlace,
): Promise<ProvenTransaction | undefined> {
  const { before, size, root } = manifest;
  if (height >= before) {
    return undefined;
  }
  const chunk = await Chunk.open(files, Math.floor(height / CHUNK_BLOCKS), before);
  const found = await chunk.transaction(height, position);
  if (!("index" in found)) {
    return undefined;
  }
  const { leaf, index } = found;
  const path = index >= 0 && index < size ? await pathOf(files, { index, size }) : [];
  const claim = { leafHash: leafHash(sha256, leaf), index, size, path };
  if (!verifyInclusion(sha256, { ...claim, root: Uint8Array.fromHex(root) })) {
    throw new WrongArchive(
      `${files.where}: transaction ${position} of block ${height} is not in the tree that ${MANIFEST_FILE} names`,
    );
  }
  // Another transaction is at this place, and that is proven.
  return id === undefined || leaf.startsWith(`{"id":"${id}"`) ? { ...found, path } : undefined;
}

/** A file of blocks, read by ranges. All methods throw `WrongArchive` and `NotYet`. */
export class Chunk {
  readonly #files: ArchiveFiles;
  readonly #file: string;
  readonly #members: readonly Member[];
  readonly #first: number;
  #known: { readonly member: Member; readonly lines: ReadonlyMap<string, string> } | undefined;

  private constructor(
    files: ArchiveFiles,
    of: { readonly file: string; readonly members: readonly Member[]; readonly first: number },
  ) {
    this.#files = files;
    this.#file = of.file;
    this.#members = of.members;
    this.#first = of.first;
  }

  /** In an archive of the blocks before `before`. */
  static async open(files: ArchiveFiles, chunk: number, before: number): Promise<Chunk> {
    const { blocks: file, index } = chunkFiles(chunk, before);
    const text = (await wholeFile(files, index, INDEX_BYTES_MAX)).toString("utf8");
    const members = membersIn(text, `${files.where}/${index}`);
    return new Chunk(files, { file, members, first: chunk * CHUNK_BLOCKS });
  }

  /** Only its number is checked. */
  async block(height: number): Promise<ArchivedBlock> {
    let number = 0;
    const next = (): Promise<string> => {
      number += 1;
      return this.line(height, number);
    };
    return this.#ofHeight(height, await readBlock(await this.line(height, 0), next));
  }

  /** Or its block alone, if that has fewer. Only the block's number is checked. */
  async transaction(
    height: number,
    position: number,
  ): Promise<PlacedTransaction | Pick<PlacedTransaction, "block">> {
    const block = this.#ofHeight(height, readBlockLine(await this.line(height, 0)));
    const { header } = block;
    if (position >= header.count) {
      return { block };
    }
    const transaction = this.#read(readTransactionLine(await this.line(height, position + 1)));
    const leaf = leafTextOf(header, position, transaction);
    return { ...transaction, block, leaf, index: header.size - header.count + position };
  }

  async line(height: number, number: number): Promise<string> {
    const member = this.#members.findLast(
      ([block, line]) => block < height || (block === height && line <= number),
    );
    if (member === undefined) {
      throw this.#wrong(`its index does not have block ${height}`);
    }
    if (this.#known?.member !== member) {
      this.#known = { member, lines: await this.#numbered(member) };
    }
    const line = this.#known.lines.get(`${height} ${number}`);
    if (line === undefined) {
      throw this.#wrong(`it does not have line ${number} of block ${height} where its index says`);
    }
    return line;
  }

  async *lines(): AsyncGenerator<string> {
    let [block, at] = [this.#first - 1, 0];
    for (const member of this.#members) {
      const lines = await this.#linesOf(member);
      for (const [index, line] of lines.entries()) {
        [block, at] = line.startsWith(BLOCK_LINE) ? [block + 1, 0] : [block, at + 1];
        if (index === 0 && (member[0] !== block || member[1] !== at)) {
          throw this.#wrong(
            `its index names block ${member[0]}, line ${member[1]} in place of ${block}, ${at}`,
          );
        }
        yield line;
      }
    }
  }

  async #numbered(member: Member): Promise<ReadonlyMap<string, string>> {
    const numbered = new Map<string, string>();
    let [block, at] = member;
    for (const [index, line] of (await this.#linesOf(member)).entries()) {
      if (index > 0) {
        [block, at] = line.startsWith(BLOCK_LINE) ? [block + 1, 0] : [block, at + 1];
      }
      numbered.set(`${block} ${at}`, line);
    }
    return numbered;
  }

  #ofHeight<B extends { readonly header: Header }>(height: number, read: B | string): B {
    const block = this.#read(read);
    if (block.header.sn !== height) {
      throw this.#wrong(`it has block ${block.header.sn} in place of block ${height}`);
    }
    return block;
  }

  #read<T extends object>(read: T | string): T {
    if (typeof read === "string") {
      throw this.#wrong(read);
    }
    return read;
  }

  async #linesOf([, , offset, bytes]: Member): Promise<readonly string[]> {
    const member = await this.#files.range(this.#file, { offset, bytes });
    try {
      const text = gunzipSync(member, { maxOutputLength: LINE_BYTES_MAX + 4 * MEMBER_LENGTH });
      return text.toString("utf8").split("\n").slice(0, -1);
    } catch (thrown) {
      throw this.#wrong(`it is damaged: ${(thrown as Error).message}`);
    }
  }

  #wrong(what: string): WrongArchive {
    return new WrongArchive(`${this.#files.where}/${this.#file}: ${what}`);
  }
}

function membersIn(text: string, where: string): readonly Member[] {
  const members = parsedJson(text, where);
  const isMember = (member: unknown): boolean =>
    Array.isArray(member) &&
    member.length === 4 &&
    member.every((number) => Number.isSafeInteger(number) && number >= 0) &&
    member[3] > 0 &&
    member[3] <= LINE_BYTES_MAX;
  if (!Array.isArray(members) || !members.every(isMember)) {
    throw new WrongArchive(`${where} is not what moneta archive writes`);
  }
  return members as Member[];
}

/** Unverified. */
async function pathOf(
  files: ArchiveFiles,
  { index, size }: { readonly index: number; readonly size: number },
): Promise<readonly Uint8Array[]> {
  const tiles = new Map<string, Buffer>();
  for (const [level, count] of tileLevels(size).entries()) {
    // Siblings are in the tile of the leaf's own ancestor, or at the end of the tree.
    const own = Math.floor(index / TILE_WIDTH ** (level + 1));
    for (const tile of new Set([own, Math.floor((count - 1) / TILE_WIDTH)])) {
      const width = Math.min(TILE_WIDTH, count - tile * TILE_WIDTH);
      if (width > 0) {
        const file = tileFile(level, { index: tile, width });
        const bytes = width * HASH_BYTES;
        tiles.set(`${level} ${tile}`, await files.range(file, { offset: 0, bytes }));
      }
    }
  }
  const subtrees: Subtrees = (level, number) => {
    const tileLevel = Math.floor(level / TILE_HEIGHT);
    const width = 2 ** (level % TILE_HEIGHT);
    const from = (number * width) % TILE_WIDTH;
    const tile = tiles.get(`${tileLevel} ${Math.floor((number * width) / TILE_WIDTH)}`);
    return treeOf(hashesIn(tile ?? Buffer.of()).slice(from, from + width)).root();
  };
  return inclusionPath(sha256, { index, size }, subtrees);
}
