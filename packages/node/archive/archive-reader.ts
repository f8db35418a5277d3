import { type LedgerReader, sha256 } from "@moneta/ledger";
import { leafHash, parseCheckpoint, TILE_WIDTH } from "@moneta/protocol";
import { Finding } from "../follower/finding.ts";
import { assertSigned } from "../follower/served-checkpoint.ts";
import { type ArchiveFiles, openArchive, wholeFile } from "./archive-files.ts";
import {
  type ArchivedBlock,
  type CheckedBlock,
  checkedBlock,
  readBlock,
} from "./archived-block.ts";
import {
  archivedTransaction,
  BLOCK_LINE,
  Chunk,
  type ProvenTransaction,
  type TransactionPlace,
} from "./archived-transaction.ts";
import { HASH_BYTES, leafTextsIn, type TreeEdge } from "./growing-tiles.ts";
import { gzipLines } from "./gzip-lines.ts";
import {
  CHUNK_BLOCKS,
  chunkFiles,
  MANIFEST_FILE,
  type Manifest,
  parseManifest,
  type Tree,
  tileFile,
  WrongArchive,
} from "./layout.ts";

const MANIFEST_BYTES_MAX = 64 << 10;

const TILE_BYTES_MAX = 256 << 10;

/** Checks everything against the manifest. Throws `WrongArchive` and `NotYet`. */
export class ArchiveReader {
  readonly manifest: Manifest;
  readonly #files: ArchiveFiles;
  #opened: { readonly number: number; readonly chunk: Chunk } | undefined;

  private constructor(files: ArchiveFiles, manifest: Manifest) {
    this.#files = files;
    this.manifest = manifest;
  }

  /** If `keys` are given, one of them must have signed the archive's tree. */
  static async open(where: string, keys: readonly string[]): Promise<ArchiveReader> {
    const files = openArchive(where);
    const bytes = await wholeFile(files, MANIFEST_FILE, MANIFEST_BYTES_MAX);
    const name = `${files.where}/${MANIFEST_FILE}`;
    const manifest = parseManifest(bytes.toString("utf8"), name);
    if (keys.length > 0) {
      await assertCheckpoint(name, manifest, keys);
    }
    return new ArchiveReader(files, manifest);
  }

  get where(): string {
    return this.#files.where;
  }

  /** Checked, after block `previous`. With `index`: by range requests. */
  async *blocks(
    from: number,
    previous: string,
    through: "stream" | "index" = "stream",
  ): AsyncGenerator<CheckedBlock> {
    const { before, last, size, root, ledger_id } = this.manifest;
    let id = previous;
    for (let chunk = Math.floor(from / CHUNK_BLOCKS); chunk * CHUNK_BLOCKS < before; chunk += 1) {
      for await (const read of this.#chunk(chunk, from, through)) {
        const height = read.header.sn;
        const block = checkedBlock(read, { height, previous: id });
        if (typeof block === "string") {
          throw this.#wrong(`block ${height}: ${block}`);
        }
        if (height === 0 && block.id !== ledger_id) {
          throw this.#wrong(`block 0 is ${block.id}, and ${MANIFEST_FILE} says ${ledger_id}`);
        }
        if (
          height === before - 1 &&
          (block.id !== last || block.header.size !== size || block.header.tree !== root)
        ) {
          throw this.#wrong(`block ${height} is not the last one that ${MANIFEST_FILE} names`);
        }
        yield block;
        id = block.id;
      }
    }
  }

  async transaction(place: TransactionPlace): Promise<ProvenTransaction | undefined> {
    return await archivedTransaction(this.#files, this.manifest, place);
  }

  /** Unverified, with their places: line 0 is the block's own. */
  async *linesWith(
    text: string,
    onChunk: (done: number) => void,
  ): AsyncGenerator<{ readonly height: number; readonly number: number; readonly line: string }> {
    const { before } = this.manifest;
    for (let chunk = 0; chunk * CHUNK_BLOCKS < before; chunk += 1) {
      const { blocks: file } = chunkFiles(chunk, before);
      let [height, number] = [chunk * CHUNK_BLOCKS - 1, 0];
      for await (const line of gzipLines(this.#files.stream(file), `${this.where}: ${file}`)) {
        [height, number] = line.startsWith(BLOCK_LINE) ? [height + 1, 0] : [height, number + 1];
        if (line.includes(text)) {
          yield { height, number, line };
        }
      }
      onChunk(Math.min(before, (chunk + 1) * CHUNK_BLOCKS));
    }
  }

  /** The file of blocks that has one before `before`. The last file is kept open. */
  async chunkWith(height: number): Promise<Chunk> {
    const number = Math.floor(height / CHUNK_BLOCKS);
    if (this.#opened?.number !== number) {
      const chunk = await Chunk.open(this.#files, number, this.manifest.before);
      this.#opened = { number, chunk };
    }
    return this.#opened.chunk;
  }

  async leafHashes(index: number): Promise<Buffer> {
    const file = tileFile(0, { index, width: TILE_WIDTH });
    return await this.#files.range(file, { offset: 0, bytes: TILE_WIDTH * HASH_BYTES });
  }

  /** The last leaves before `size` are the archive's, unverified. */
  async edgeOf({ tree }: LedgerReader, size: number): Promise<TreeEdge> {
    const start = size - (size % TILE_WIDTH);
    const tile = size === start ? [] : await this.leafTexts(start / TILE_WIDTH);
    const texts = tile.slice(0, size - start);
    const leaves = Buffer.concat(texts.map((text) => leafHash(sha256, text)));
    return {
      size,
      hashes: (level, from, to) => (level === 0 ? leaves : tree.hashes(level, from, to)),
      leafTexts: () => texts,
    };
  }

  /** Unverified. */
  async leafTexts(index: number): Promise<readonly string[]> {
    const width = Math.min(TILE_WIDTH, this.manifest.size - index * TILE_WIDTH);
    const file = tileFile("entries", { index, width });
    const texts = leafTextsIn(await wholeFile(this.#files, file, TILE_BYTES_MAX));
    if (texts?.length !== width) {
      throw this.#wrong(`${file} does not have ${width} leaves`);
    }
    return texts;
  }

  async assertFile(file: string, bytes: Uint8Array): Promise<void> {
    if (!(await wholeFile(this.#files, file, TILE_BYTES_MAX)).equals(bytes)) {
      throw this.#wrong(`${file} differs from the ledger`);
    }
  }

  /** Only the blocks' numbers are checked. */
  async *#chunk(
    chunk: number,
    from: number,
    through: "stream" | "index",
  ): AsyncGenerator<ArchivedBlock> {
    const { before } = this.manifest;
    const { blocks: file } = chunkFiles(chunk, before);
    await using lines =
      through === "index"
        ? (await Chunk.open(this.#files, chunk, before)).lines()
        : gzipLines(this.#files.stream(file), `${this.where}: ${file}`);
    const next = async (): Promise<string> => {
      const { value, done } = await lines.next();
      if (done === true) {
        throw this.#wrong(`${file} ends before its last block`);
      }
      return value;
    };
    const end = Math.min(before, (chunk + 1) * CHUNK_BLOCKS);
    for (let height = chunk * CHUNK_BLOCKS; height < end; height += 1) {
      const block = await readBlock(await next(), next, height < from);
      if (typeof block === "string") {
        throw this.#wrong(`${file}: block ${height}: ${block}`);
      }
      if (block.header.sn !== height) {
        throw this.#wrong(`${file} has block ${block.header.sn} in place of block ${height}`);
      }
      if (height >= from) {
        yield block;
      }
    }
    if ((await lines.next()).done !== true) {
      throw this.#wrong(`${file} has more than its blocks`);
    }
  }

  #wrong(what: string): WrongArchive {
    return new WrongArchive(`${this.where}: ${what}`);
  }
}

/** Throws `WrongArchive` unless one of the keys has signed the tree of a manifest. */
export async function assertCheckpoint(
  name: string,
  { ledger, size, root, checkpoint }: Tree,
  keys: readonly string[],
): Promise<void> {
  const signed = parseCheckpoint(checkpoint);
  if (
    signed?.origin !== ledger ||
    signed.size !== size ||
    Buffer.from(signed.root).toString("hex") !== root
  ) {
    throw new WrongArchive(`${name}: its checkpoint is not of the tree that it names`);
  }
  try {
    await assertSigned(name, checkpoint, keys);
  } catch (thrown) {
    throw thrown instanceof Finding ? new WrongArchive(thrown.message) : thrown;
  }
}
