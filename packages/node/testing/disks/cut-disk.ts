import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SeededRandom } from "../seeded-random.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";

/** A node's change of a file, or a client's note in between. */
export type DiskRecord =
  | { readonly kind: "create" | "unlink"; readonly name: string; readonly inode: string }
  | { readonly kind: "rename"; readonly name: string; readonly to: string }
  | {
      readonly kind: "write";
      readonly inode: string;
      readonly offset: number;
      readonly data: Buffer;
    }
  | { readonly kind: "truncate"; readonly inode: string; readonly size: number }
  | { readonly kind: "sync" | "lost"; readonly inode: string }
  | { readonly kind: "syncnames" | "lostnames"; readonly folder: string }
  | { readonly kind: "client"; readonly text: string };

/** Reads the log of an `ObservedDisk`, to which clients append lines `client TEXT`. */
export function parseDiskLog(log: Buffer): DiskRecord[] {
  const records: DiskRecord[] = [];
  for (let at = 0; at < log.length; ) {
    const end = log.indexOf("\n", at);
    const line = log.toString("utf8", at, end);
    const [kind, a = "", b = "", c = ""] = line.split(" ");
    at = end + 1;
    switch (kind) {
      case "create":
        records.push({ kind, inode: a, name: b });
        break;
      case "unlink":
        records.push({ kind, name: a, inode: "" });
        break;
      case "rename":
        records.push({ kind, name: a, to: b });
        break;
      case "write": {
        const size = Number(c);
        records.push({ kind, inode: a, offset: Number(b), data: log.subarray(at, at + size) });
        at += size;
        break;
      }
      case "truncate":
        records.push({ kind, inode: a, size: Number(b) });
        break;
      case "sync":
      case "lost":
        records.push({ kind, inode: a });
        break;
      case "syncnames":
      case "lostnames":
        records.push({ kind, folder: a });
        break;
      case "client":
        records.push({ kind, text: line.slice("client ".length) });
        break;
      default:
        throw new Error(`an unknown line of the disk log: ${line.slice(0, 200)}`);
    }
  }
  return records;
}

const SECTOR = 512;

type Change = Extract<DiskRecord, { kind: "write" | "truncate" }>;
type NameChange = (names: Map<string, FileContent>) => void;

/** Effects of a power cut on unsynced data. */
const FATES = ["nothing", "everything", "some", "some of it torn"] as const;
type Fate = (typeof FATES)[number];

/** Bytes that grow without being copied each time. */
class Bytes {
  #buffer: Buffer;
  #length: number;

  constructor(buffer: Buffer = Buffer.alloc(0)) {
    this.#buffer = buffer;
    this.#length = buffer.length;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  apply(change: Change): void {
    const isWrite = change.kind === "write";
    const length = isWrite
      ? Math.max(this.#length, change.offset + change.data.length)
      : change.size;
    if (length > this.#buffer.length) {
      const larger = Buffer.alloc(2 * length);
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    // Bytes of a longer file before.
    this.#buffer.fill(0, Math.min(this.#length, length), Math.max(this.#length, length));
    this.#length = length;
    if (isWrite) {
      change.data.copy(this.#buffer, change.offset);
    }
  }
}

class FileContent {
  readonly #random: SeededRandom;
  #durable: Bytes = new Bytes();
  #pending: Change[] = [];

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  change(change: Change): void {
    this.#pending.push(change);
  }

  /** Makes changes durable, or those that a fate leaves. */
  sync(fate: Fate): void {
    for (const change of this.#pending) {
      for (const part of surviving(change, fate, this.#random)) {
        this.#durable.apply(part);
      }
    }
    this.#pending = [];
  }

  after(fate: Fate): Buffer {
    const copy = new FileContent(this.#random);
    copy.#durable = new Bytes(Buffer.from(this.#durable.bytes));
    copy.#pending = this.#pending;
    copy.sync(fate);
    return copy.#durable.bytes;
  }
}

/**
 * Folders with possible states after power cuts. The last one is after all records, without what
 * was not synced. Each is removed before the next. `at` is the number of records before the cut,
 * `cut` the same in words.
 */
export function* imagesAfterCuts(
  records: readonly DiskRecord[],
  options: {
    readonly random: SeededRandom;
    readonly count: number;
    /** The first and the last moment of a cut, in records; without them any. */
    readonly from?: number;
    readonly to?: number;
  },
): Iterable<{ readonly image: string; readonly at: number; readonly cut: string }> {
  const { random, count, from: min = 0, to: max = records.length } = options;
  using directory = new TemporaryDirectory("image");
  const image = join(directory.path, "data");
  const disk = new CutDisk(random);
  const moments = Array.from({ length: count - 1 }, () => random.integer({ min, max }));
  let applied = 0;
  for (const at of [...moments.sort((a, b) => a - b), records.length]) {
    for (const record of records.slice(applied, at)) {
      disk.apply(record);
    }
    applied = at;
    // What has been reported as done must be durable.
    disk.cut(image, at === records.length ? "nothing" : random.pick(FATES));
    yield { image, at, cut: `cut after ${at} of ${records.length}` };
    rmSync(image, { recursive: true });
  }
}

/**
 * A disk that keeps synced data, and of the rest any subset of a file's writes, torn at sectors,
 * and renames up to some point. Data written before a failed sync may be lost although later syncs
 * succeed.
 */
class CutDisk {
  readonly #inodes: Map<string, FileContent> = new Map();
  readonly #names: Map<string, FileContent> = new Map();
  readonly #durableNames: Map<string, FileContent> = new Map();
  #pendingNames: { readonly folder: string; readonly change: NameChange }[] = [];
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  apply(record: DiskRecord): void {
    switch (record.kind) {
      case "create": {
        const file = new FileContent(this.#random);
        this.#inodes.set(record.inode, file);
        this.#rename(record.name, (names) => names.set(record.name, file));
        break;
      }
      case "unlink":
        this.#rename(record.name, (names) => names.delete(record.name));
        break;
      case "rename":
        this.#rename(record.to, (names) => {
          const file = names.get(record.name);
          if (file !== undefined) {
            names.delete(record.name);
            names.set(record.to, file);
          }
        });
        break;
      case "write":
      case "truncate":
        this.#file(record.inode).change(record);
        break;
      case "sync":
      case "lost":
        this.#file(record.inode).sync(record.kind === "sync" ? "everything" : "some of it torn");
        break;
      case "syncnames":
        for (const { folder, change } of this.#pendingNames) {
          if (folder === record.folder) {
            change(this.#durableNames);
          }
        }
        this.#pendingNames = this.#pendingNames.filter(({ folder }) => folder !== record.folder);
        break;
      case "lostnames":
      case "client":
        break;
    }
  }

  /** Writes a possible state after a power cut at this moment into a new folder. */
  cut(folder: string, fate: Fate): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const names = new Map(this.#durableNames);
    const kept =
      fate === "nothing"
        ? 0
        : fate === "everything"
          ? this.#pendingNames.length
          : this.#random.integer({ min: 0, max: this.#pendingNames.length });
    for (const { change } of this.#pendingNames.slice(0, kept)) {
      change(names);
    }
    for (const [name, file] of names) {
      mkdirSync(join(folder, dirname(name)), { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, name), file.after(fate), { mode: 0o600 });
    }
  }

  #rename(name: string, change: NameChange): void {
    change(this.#names);
    this.#pendingNames.push({ folder: dirname(name), change });
  }

  #file(inode: string): FileContent {
    const file = this.#inodes.get(inode);
    if (file === undefined) {
      throw new Error(`inode ${inode} was never created`);
    }
    return file;
  }
}

/** The surviving part of a change; a torn write keeps some of its sectors. */
function surviving(change: Change, fate: Fate, random: SeededRandom): Change[] {
  if (fate === "everything") {
    return [change];
  }
  const chance = fate === "nothing" ? 3 : random.integer({ min: 0, max: 3 });
  if (chance === 3 || (chance === 2 && fate === "some")) {
    return [];
  }
  if (chance < 2 || change.kind === "truncate") {
    return [change];
  }
  const parts: Change[] = [];
  for (let at = 0; at < change.data.length; ) {
    const end = Math.min(
      change.data.length,
      (Math.floor((change.offset + at) / SECTOR) + 1) * SECTOR - change.offset,
    );
    if (random.integer({ min: 0, max: 1 }) === 1) {
      parts.push({ ...change, offset: change.offset + at, data: change.data.subarray(at, end) });
    }
    at = end;
  }
  return parts;
}
