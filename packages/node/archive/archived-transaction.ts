import { gunzipSync } from "node:zlib";
import { sha256 } from "@moneta/ledger";
import {
  type Header,
  inclusionPath,
  leafHash,
  MerkleTree,
  type Subtrees,
  TILE_HEIGHT,
  TILE_WIDTH,
  type TransactionName,
  verifyInclusion,
} from "@moneta/protocol";
import { type ArchiveFiles, wholeFile } from "./archive-files.ts";
import {
  type ArchivedTransaction,
  LINE_BYTES_MAX,
  leafTextOf,
  readBlockLine,
  readTransactionLine,
} from "./archived-block.ts";
import { MEMBER_LENGTH, type Member } from "./chunk-writer.ts";
import { HASH_BYTES, hashesIn } from "./growing-tiles.ts";
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

/** How the first line of a block begins, and no other. */
const BLOCK_LINE = '{"header":';

/** A transaction with its block and its proof in the tree of the archive. */
export interface ProvenTransaction extends ArchivedTransaction {
  readonly block: { readonly header: Header; readonly id: string };
  readonly leaf: string;
  /** The leaf's index in the tree, from 0. */
  readonly index: number;
  /** RFC 6962 §2.1.1, from the leaf upward. */
  readonly path: readonly Uint8Array[];
}

/**
 * Reads a transaction of an archive with range requests and at most two tiles of each level;
 * undefined if there is none with this id. The tree covers its leaf, but not the returned header.
 * Throws `WrongArchive`, also if it is not in the manifest's tree, and `NotYet`. Source: proofs §4.
 */
export async function archivedTransaction(
  files: ArchiveFiles,
  manifest: Manifest,
  { id, height, position }: TransactionName,
): Promise<ProvenTransaction | undefined> {
  const { before, size, root } = manifest;
  if (height >= before) {
    return undefined;
  }
  const chunk = await Chunk.open(files, chunkFiles(Math.floor(height / CHUNK_BLOCKS), before));
  const block = chunk.read(readBlockLine(await chunk.line(height, 0)));
  const { header } = block;
  if (header.sn !== height) {
    throw new WrongArchive(`${files.where}: it has block ${header.sn} in place of block ${height}`);
  }
  if (position >= header.count) {
    return undefined;
  }
  const transaction = chunk.read(readTransactionLine(await chunk.line(height, position + 1)));
  const leaf = leafTextOf(header, position, transaction);
  const index = header.size - header.count + position;
  const path = index >= 0 && index < size ? await pathOf(files, { index, size }) : [];
  const claim = { leafHash: leafHash(sha256, leaf), index, size, path };
  if (!verifyInclusion(sha256, { ...claim, root: Uint8Array.fromHex(root) })) {
    throw new WrongArchive(
      `${files.where}: transaction ${position} of block ${height} is not in the tree that ${MANIFEST_FILE} names`,
    );
  }
  // Another transaction is at this place, and that is proven.
  if (!leaf.startsWith(`{"id":"${id}"`)) {
    return undefined;
  }
  return { ...transaction, block, leaf, index, path };
}

/**
 * The lines of a file of blocks, read by range requests as its index names them. Throws
 * `WrongArchive`, also if the index differs from the file, and `NotYet`.
 */
export async function* indexedLines(
  files: ArchiveFiles,
  chunk: number,
  before: number,
): AsyncGenerator<string> {
  yield* (await Chunk.open(files, chunkFiles(chunk, before))).lines(chunk * CHUNK_BLOCKS);
}

/** A file of blocks that is read by gzip members. */
class Chunk {
  readonly #files: ArchiveFiles;
  readonly #file: string;
  readonly #members: readonly Member[];
  /** The last member read. */
  #known: { readonly member: Member; readonly lines: readonly string[] } | undefined;

  private constructor(files: ArchiveFiles, file: string, members: readonly Member[]) {
    this.#files = files;
    this.#file = file;
    this.#members = members;
  }

  static async open(
    files: ArchiveFiles,
    { blocks, index }: { readonly blocks: string; readonly index: string },
  ): Promise<Chunk> {
    const text = (await wholeFile(files, index, INDEX_BYTES_MAX)).toString("utf8");
    return new Chunk(files, blocks, membersIn(text, `${files.where}/${index}`));
  }

  /** Line `number` of a block. */
  async line(height: number, number: number): Promise<string> {
    const member = this.#members.findLast(
      ([block, line]) => block < height || (block === height && line <= number),
    );
    if (member === undefined) {
      throw this.#wrong(`its index does not have block ${height}`);
    }
    if (this.#known?.member !== member) {
      this.#known = { member, lines: await this.#linesOf(member) };
    }
    let [block, at] = member;
    for (const [index, line] of this.#known.lines.entries()) {
      if (index > 0) {
        [block, at] = line.startsWith(BLOCK_LINE) ? [block + 1, 0] : [block, at + 1];
      }
      if (block === height && at === number) {
        return line;
      }
    }
    throw this.#wrong(`it does not have line ${number} of block ${height} where its index says`);
  }

  /** All lines from the first one of block `first` on. */
  async *lines(first: number): AsyncGenerator<string> {
    let [block, at] = [first - 1, 0];
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

  /** The parsed form of a line. */
  read<T extends object>(read: T | string): T {
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

/** The members of an index. */
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

/** The inclusion path of a leaf, unverified. */
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
    const root = new MerkleTree(sha256);
    for (const hash of hashesIn(tile ?? Buffer.of()).slice(from, from + width)) {
      root.appendHash(hash);
    }
    return root.root();
  };
  return inclusionPath(sha256, { index, size }, subtrees);
}
