import { globSync, readFileSync, rmdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { InvalidBlock, invariant, type LedgerReader } from "@moneta/ledger";
import { type Header, NO_BLOCK } from "@moneta/protocol";
import { makeFolder } from "../data-directory/data-directory.ts";
import type { SignedTree } from "../data-directory/signed-tree-file.ts";
import { writeWhole } from "../data-directory/write-whole.ts";
import { ArchiveReader } from "./archive-reader.ts";
import { type ArchivedBlock, checkedBlock, linesOf } from "./archived-block.ts";
import { ChunkWriter } from "./chunk-writer.ts";
import { GrowingTiles, type TreeEdge } from "./growing-tiles.ts";
import {
  CHECKPOINT_FILE,
  CHUNK_BLOCKS,
  chunkFiles,
  MANIFEST_FILE,
  type Manifest,
  partialFiles,
} from "./layout.ts";

export class ArchiveWriter {
  readonly #folder: string;
  readonly #reader: LedgerReader;
  readonly #checkpointOf: (tree: SignedTree) => string;
  #manifest: Manifest | undefined;

  /** `checkpointOf` signs the checkpoint of a tree; it returns `""` if it cannot. */
  constructor(
    folder: string,
    from: {
      readonly reader: LedgerReader;
      readonly manifest: Manifest | undefined;
      readonly checkpointOf: (tree: SignedTree) => string;
    },
  ) {
    this.#folder = folder;
    this.#reader = from.reader;
    this.#manifest = from.manifest;
    this.#checkpointOf = from.checkpointOf;
  }

  get manifest(): Manifest | undefined {
    return this.#manifest;
  }

  get height(): number {
    return this.#manifest?.before ?? 0;
  }

  /** At most one file of blocks, atomically. Throws `WrongArchive` and `InvalidBlock`. */
  async extend(heightMax: number): Promise<void> {
    const chunk = Math.floor(this.height / CHUNK_BLOCKS);
    const first = chunk * CHUNK_BLOCKS;
    const before = Math.min(heightMax, first + CHUNK_BLOCKS);
    invariant(before > this.height, "there are blocks to add");
    const files = chunkFiles(chunk, before);
    const put = (file: string, bytes: Uint8Array | string): void => this.#put(file, bytes);
    const { firstKept } = this.#reader;
    // Blocks that the ledger no longer has come from the archive.
    const archive = firstKept > 1 ? await ArchiveReader.open(this.#folder, []) : undefined;
    const { edge, previous } = await this.#beginning(first, archive);
    const tiles = new GrowingTiles(edge, put);
    await using older = first < firstKept ? archive?.blocks(first, previous) : undefined;
    using writer = new ChunkWriter(this.#path(files.blocks));
    let last: { readonly id: string; readonly header: Header | undefined } = {
      id: previous,
      header: undefined,
    };
    for (let height = first; height < before; height += 1) {
      const archived = height < firstKept ? await older?.next() : undefined;
      // A long snapshot prevents reuse of the WAL, so each block has its own.
      const stored = archived?.value ?? this.#seen(() => recordedBlock(this.#reader, height));
      const block = checkedBlock(stored, { height, previous: last.id });
      if (typeof block === "string") {
        throw new InvalidBlock({ height }, block);
      }
      for (const leaf of block.leaves) {
        tiles.append(leaf);
      }
      if (tiles.root !== block.header.tree) {
        throw new InvalidBlock({ height }, "the tree is not the one that it commits to");
      }
      writer.add(height, linesOf(block));
      last = block;
    }
    put(files.index, writer.finish());
    tiles.putPartial();
    const { header, id } = last;
    invariant(header !== undefined, "a block has been added");
    this.#complete({ before, last: id, size: header.size, root: header.tree });
  }

  /** Removes partial files of shorter archives, after an interrupted run or a power cut. */
  removeLeftovers(): void {
    const named = new Set(this.#manifest === undefined ? [] : partialFiles(this.#manifest));
    for (const file of globSync(["**/*.p/*", "**/*.part"], { cwd: this.#folder })) {
      if (!named.has(file.replaceAll("\\", "/"))) {
        remove(join(this.#folder, file));
      }
    }
  }

  async #beginning(
    first: number,
    archive: ArchiveReader | undefined,
  ): Promise<{ readonly edge: TreeEdge; readonly previous: string }> {
    if (archive !== undefined) {
      const { previous, size, count } =
        first < this.#reader.firstKept
          ? (await (await archive.chunkWith(first)).block(first)).header
          : this.#seen(() => recordedBlock(this.#reader, first)).header;
      return { edge: await archive.edgeOf(this.#reader, size - count), previous };
    }
    return this.#seen(() => {
      const block = first === 0 ? undefined : this.#reader.block({ height: first - 1 });
      const edge = {
        size: block?.header.size ?? 0,
        hashes: this.#reader.tree.hashes.bind(this.#reader.tree),
        leafTexts: this.#reader.leafTexts.bind(this.#reader),
      };
      return { edge, previous: block?.id ?? NO_BLOCK };
    });
  }

  #complete(tree: Pick<Manifest, "before" | "last" | "size" | "root">): void {
    const { ledger, ledger_id } =
      this.#manifest ??
      this.#seen(() => ({
        ledger: this.#reader.ledgerName(),
        ledger_id: this.#reader.block({ height: 0 })?.id ?? "",
      }));
    const checkpoint = this.#checkpointOf({ size: tree.size, tree: tree.root });
    const manifest: Manifest = { archive: 1, ledger, ledger_id, ...tree, checkpoint };
    if (checkpoint !== "") {
      this.#put(CHECKPOINT_FILE, checkpoint);
    } else {
      // An earlier one does not cover the new blocks.
      rmSync(join(this.#folder, CHECKPOINT_FILE), { force: true });
    }
    this.#put(MANIFEST_FILE, `${JSON.stringify(manifest, null, 2)}\n`);
    const named = new Set(partialFiles(manifest));
    const replaced = this.#manifest === undefined ? [] : partialFiles(this.#manifest);
    for (const file of replaced.filter((each) => !named.has(each))) {
      remove(join(this.#folder, file));
    }
    this.#manifest = manifest;
  }

  #seen<T>(read: () => T): T {
    this.#reader.open(0);
    try {
      return read();
    } finally {
      this.#reader.close();
    }
  }

  #put(file: string, content: Uint8Array | string): void {
    const path = this.#path(file);
    const bytes = Buffer.from(content);
    const isThere =
      statSync(path, { throwIfNoEntry: false })?.size === bytes.length &&
      readFileSync(path).equals(bytes);
    if (!isThere) {
      writeWhole(path, bytes, 0o644);
    }
  }

  #path(file: string): string {
    const path = join(this.#folder, file);
    makeFolder(dirname(path), 0o755);
    return path;
  }
}

/** Throws `InvalidBlock` if it is missing. */
export function recordedBlock(reader: LedgerReader, height: number): ArchivedBlock {
  const block = reader.log.block(height);
  if (block === undefined) {
    throw new InvalidBlock({ height }, "the ledger has later blocks, but not this one");
  }
  const { count, size } = block.header;
  const stored = reader.transactions.range(size - count, size);
  return { ...block, records: Array.from(stored, ({ record }) => record) };
}

function remove(path: string): void {
  rmSync(path, { force: true });
  try {
    rmdirSync(dirname(path));
  } catch {
    // The folder has other files or is missing.
  }
}
