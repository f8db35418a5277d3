import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { StorageFailure } from "../database.ts";
import { sha256 } from "../sha256.ts";
import { DamagedStateTree } from "./damaged-state-tree.ts";

/** Size of a page. Its first four bytes are the number of the commit that wrote it. */
export const PAGE_BYTES = 2048;

/** Where a page is, and the CRC-32 of its content. 0 is no page. */
export interface PageRef {
  readonly page: number;
  readonly checksum: number;
}

/** The end of a chain. */
export const NO_PAGE: PageRef = { page: 0, checksum: 0 };

const MAGIC = "moneta tree 1\n";
/** The two headers, 8 KiB apart: a write that is torn by a power cut destroys one at most. */
const HEADER_PAGES: readonly number[] = [0, 4];
const FIRST_PAGE = 8;
/** Pages that are written with one call if they lie side by side. */
const WRITTEN_TOGETHER = 512;
/**
 * The file grows until it has free places for so many commits as large as the last one. With fewer,
 * free places lie apart, and a large commit needs a call for each page.
 */
const FREE_COMMITS = 2;
/** A page of a chain: its commit, the next page with its checksum, the length of what it has. */
const CHAIN_HEAD_BYTES = 16;
const CHAINED_BYTES = PAGE_BYTES - CHAIN_HEAD_BYTES;

/** A page of a chain, as `chain` yields it. */
export interface ChainPage {
  readonly page: number;
  readonly commit: number;
  readonly content: Buffer;
}

/** What a header says: the state of the file after one commit. */
interface Header {
  readonly commit: number;
  /** Length of the file. */
  readonly pages: number;
  readonly content: PageRef;
  /** One bit for each page: 1 is used. */
  readonly map: PageRef;
}

const NO_HEADER: Header = { commit: 0, pages: FIRST_PAGE, content: NO_PAGE, map: NO_PAGE };

/**
 * A file of pages with checksums, in which a commit never overwrites what an earlier one has
 * written: pages are written to free places, and then one header, by turns, refers to the new
 * state. A process that is killed leaves the state of the last commit. Each reference to a page has
 * its checksum, from the header down, so that a page which has changed is found by who reads it.
 */
export class PageFile {
  readonly #path: string;
  readonly #ledger: Buffer;
  #descriptor: number;
  #inode = 0n;
  #header: Header = NO_HEADER;
  #content: Buffer = Buffer.alloc(0);
  /** Used pages, those of the next commit included. A file that is only read has none. */
  #used: Uint8Array = new Uint8Array(0);
  #pages = FIRST_PAGE;
  /** Pages that the next commit gives free: the last one, which a crash returns to, still has them. */
  #freed: number[] = [];
  /** Pages of the next commit. */
  #allocated: number[] = [];
  /** Where in the map the next free page is sought, and how much of it was searched in vain. */
  #cursor = 0;
  #scanned = 0;
  /** Whether the next commit is written to the end of the file. */
  #grows = false;
  readonly #pending: Buffer = Buffer.allocUnsafe(WRITTEN_TOGETHER * PAGE_BYTES);
  #pendingFrom = 0;
  #pendingCount = 0;
  #failure: StorageFailure | undefined;

  private constructor(path: string, ledgerId: string, descriptor: number) {
    this.#path = path;
    this.#ledger = Buffer.from(sha256.bytes(ledgerId));
    this.#descriptor = descriptor;
  }

  /** Makes the file, without content, in the place of another. Throws `StorageFailure`. */
  static create(path: string, ledgerId: string): PageFile {
    const file = new PageFile(path, ledgerId, opened(path, "w+"));
    file.#used = new Uint8Array(PAGE_BYTES).fill(0xff, 0, FIRST_PAGE / 8);
    try {
      file.commit(Buffer.alloc(0));
      syncFolder(path);
    } catch (thrown) {
      file.close();
      rmSync(path, { force: true });
      throw thrown;
    }
    return file;
  }

  /** Opens a file that is there. Throws `DamagedStateTree`, or `StorageFailure`. */
  static open(path: string, ledgerId: string, access: "read" | "write"): PageFile {
    const file = new PageFile(path, ledgerId, opened(path, access === "read" ? "r" : "r+"));
    try {
      file.#load();
      if (access === "write") {
        file.#loadMap();
        // A sync of it may have failed: the system then shows a header that the disk does not have.
        file.#writeHeader(file.#header);
      }
    } catch (thrown) {
      file.close();
      throw thrown;
    }
    return file;
  }

  /** What the last commit was given. */
  get content(): Buffer {
    return this.#content;
  }

  /** The number of the next commit. */
  get commitNumber(): number {
    return this.#header.commit + 1;
  }

  /** Reads what is newest now, where another connection writes. */
  refresh(): void {
    if (statSync(this.#path, { bigint: true }).ino !== this.#inode) {
      // Rebuilt: another file has the name.
      const before = this.#descriptor;
      this.#descriptor = opened(this.#path, "r");
      closeSync(before);
      this.#header = NO_HEADER;
    }
    this.#load();
  }

  /** Reads a page. Throws `DamagedStateTree` if it is not the one that was written. */
  read({ page, checksum }: PageRef, into: Buffer): void {
    const pending = page - this.#pendingFrom;
    if (pending >= 0 && pending < this.#pendingCount) {
      this.#pending.copy(into, 0, pending * PAGE_BYTES, (pending + 1) * PAGE_BYTES);
    } else {
      this.#readAt(page, into);
    }
    if (crc32(into) !== checksum) {
      throw new DamagedStateTree(`${this.#path}: page ${page} has changed`);
    }
  }

  /** Writes a page of the next commit, and its number into it. Throws `StorageFailure`. */
  write(content: Buffer): PageRef {
    return this.#put(this.#allocate(), content);
  }

  /** Gives a page free that `commit` has written: with the next commit, or now if it is of it. */
  free(page: number, commit: number): void {
    if (commit === this.commitNumber) {
      this.#used[page >> 3] = (this.#used[page >> 3] as number) & ~(1 << (page & 7));
    } else {
      this.#freed.push(page);
    }
  }

  /**
   * Adds bytes to a chain of pages, in front, and returns its new head. Pages of a chain are full but
   * for the first.
   */
  append(head: PageRef, bytes: Buffer): PageRef {
    let content = bytes;
    let next = head;
    const page = Buffer.allocUnsafe(PAGE_BYTES);
    if (head.page !== 0) {
      const first = this.#chainPage(head, page);
      if (first.content.length < CHAINED_BYTES) {
        content = Buffer.concat([first.content, bytes]);
        next = first.next;
        this.free(head.page, first.commit);
      }
    }
    for (let from = 0; from < content.length; from += CHAINED_BYTES) {
      next = this.#putChained(
        this.#allocate(),
        content.subarray(from, from + CHAINED_BYTES),
        next,
        page,
      );
    }
    return next;
  }

  /** The pages of a chain, the newest first. */
  *chain(head: PageRef): Iterable<ChainPage> {
    for (let ref = head; ref.page !== 0; ) {
      const { next, ...page } = this.#chainPage(ref, Buffer.allocUnsafe(PAGE_BYTES));
      yield page;
      ref = next;
    }
  }

  /**
   * Makes what was written and freed since the last commit durable, all of it or nothing. Throws
   * `StorageFailure`: `rollback` then returns to the state of before. If only the header failed, the
   * disk has either state, and the file must be opened again to be written.
   */
  commit(content: Buffer): void {
    this.#freeChain(this.#header.content);
    this.#freeChain(this.#header.map);
    const header: Header = {
      commit: this.commitNumber,
      content: this.append(NO_PAGE, content),
      map: this.#writeMap(),
      pages: this.#pages,
    };
    this.#flush();
    this.#sync();
    try {
      this.#writeHeader(header);
    } catch (thrown) {
      // Nothing is written any more over pages that only one of both headers has free.
      this.#failure = thrown as StorageFailure;
      throw thrown;
    }
    this.#header = header;
    this.#content = content;
    for (const page of this.#freed) {
      this.#used[page >> 3] = (this.#used[page >> 3] as number) & ~(1 << (page & 7));
    }
    // Not the first commit, and not the roots of many days that were dropped at once.
    const replaced = Math.min(this.#allocated.length, this.#freed.length);
    this.#grows = this.#pages - bitsIn(this.#used) < FREE_COMMITS * replaced;
    this.#begin();
  }

  /** Whether a header failed. */
  get isUncertain(): boolean {
    return this.#failure !== undefined;
  }

  /** Forgets what was written and freed since the last commit. */
  rollback(): void {
    for (const page of this.#allocated) {
      this.free(page, this.commitNumber);
    }
    this.#pages = this.#header.pages;
    this.#begin();
  }

  /** Seeks free places everywhere again, so that those given back since the last commit are used. */
  reuse(): void {
    this.#flush();
    this.#scanned = 0;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #writeHeader(header: Header): void {
    const place = HEADER_PAGES[header.commit % 2] as number;
    this.#writeAt(place, encodeHeader(header, this.#ledger));
    this.#sync();
  }

  #begin(): void {
    this.#freed = [];
    this.#allocated = [];
    this.#pendingCount = 0;
    this.#scanned = 0;
  }

  #load(): void {
    this.#inode = fstatSync(this.#descriptor, { bigint: true }).ino;
    const page = Buffer.allocUnsafe(PAGE_BYTES);
    let newest: Header | undefined;
    for (const place of HEADER_PAGES) {
      this.#readAt(place, page);
      const header = decodeHeader(page, this.#ledger, this.#path);
      if (header !== undefined && header.commit > (newest?.commit ?? 0)) {
        newest = header;
      }
    }
    if (newest === undefined) {
      throw new DamagedStateTree(`${this.#path} has no header that is whole`);
    }
    if (newest.commit !== this.#header.commit) {
      this.#content = this.#chainContent(newest.content);
    }
    this.#header = newest;
    this.#pages = newest.pages;
  }

  #loadMap(): void {
    const map = this.#chainContent(this.#header.map);
    if (map.length !== Math.ceil(this.#pages / 8)) {
      throw new DamagedStateTree(`${this.#path} has no whole map of its pages`);
    }
    this.#used = new Uint8Array(2 * map.length);
    this.#used.set(map);
  }

  /** The map has the pages that it is written to itself, and no longer those that were freed. */
  #writeMap(): PageRef {
    const places: number[] = [];
    while (places.length * CHAINED_BYTES < Math.ceil(this.#pages / 8)) {
      places.push(this.#allocate());
    }
    const map = Buffer.from(this.#used.subarray(0, Math.ceil(this.#pages / 8)));
    for (const page of this.#freed) {
      map[page >> 3] = (map[page >> 3] as number) & ~(1 << (page & 7));
    }
    const page = Buffer.allocUnsafe(PAGE_BYTES);
    let next = NO_PAGE;
    for (const [index, place] of places.entries()) {
      const part = map.subarray(index * CHAINED_BYTES, (index + 1) * CHAINED_BYTES);
      next = this.#putChained(place, part, next, page);
    }
    return next;
  }

  #chainContent(head: PageRef): Buffer {
    const parts = [...this.chain(head)].map(({ content }) => content);
    return Buffer.concat(parts.reverse());
  }

  #freeChain(head: PageRef): void {
    for (const { page, commit } of this.chain(head)) {
      this.free(page, commit);
    }
  }

  #chainPage(ref: PageRef, page: Buffer): ChainPage & { readonly next: PageRef } {
    this.read(ref, page);
    const length = page.readUInt32LE(12);
    return {
      page: ref.page,
      commit: page.readUInt32LE(0),
      next: { page: page.readUInt32LE(4), checksum: page.readUInt32LE(8) },
      content: page.subarray(CHAIN_HEAD_BYTES, CHAIN_HEAD_BYTES + length),
    };
  }

  #putChained(place: number, content: Buffer, next: PageRef, page: Buffer): PageRef {
    page.fill(0);
    page.writeUInt32LE(next.page, 4);
    page.writeUInt32LE(next.checksum, 8);
    page.writeUInt32LE(content.length, 12);
    content.copy(page, CHAIN_HEAD_BYTES);
    return this.#put(place, page);
  }

  /**
   * The next free place, around the file: there pages were written longest ago, so most of them are
   * free, side by side.
   */
  #allocate(): number {
    const bytes = this.#grows ? 0 : this.#pages >> 3;
    while (this.#scanned < bytes && this.#used[this.#cursor] === 0xff) {
      this.#cursor = (this.#cursor + 1) % bytes;
      this.#scanned += 1;
    }
    let page = this.#pages;
    if (this.#scanned < bytes) {
      const bits = this.#used[this.#cursor] as number;
      page = this.#cursor * 8 + 31 - Math.clz32(~bits & (bits + 1));
    } else if (page >> 3 === this.#used.length) {
      const larger = new Uint8Array(2 * this.#used.length);
      larger.set(this.#used);
      this.#used = larger;
    }
    this.#used[page >> 3] = (this.#used[page >> 3] as number) | (1 << (page & 7));
    this.#pages = Math.max(this.#pages, page + 1);
    this.#allocated.push(page);
    return page;
  }

  #put(page: number, content: Buffer): PageRef {
    const isNext =
      page === this.#pendingFrom + this.#pendingCount && this.#pendingCount < WRITTEN_TOGETHER;
    if (!isNext) {
      this.#flush();
      this.#pendingFrom = page;
    }
    content.writeUInt32LE(this.commitNumber, 0);
    content.copy(this.#pending, this.#pendingCount * PAGE_BYTES);
    this.#pendingCount += 1;
    return { page, checksum: crc32(content) };
  }

  #flush(): void {
    if (this.#pendingCount > 0) {
      const bytes = this.#pending.subarray(0, this.#pendingCount * PAGE_BYTES);
      this.#writeAt(this.#pendingFrom, bytes);
      this.#pendingCount = 0;
    }
  }

  #readAt(page: number, into: Buffer): void {
    let length: number;
    try {
      length = readSync(this.#descriptor, into, 0, PAGE_BYTES, page * PAGE_BYTES);
    } catch (cause) {
      throw new DamagedStateTree(`${this.#path} cannot be read: ${(cause as Error).message}`, {
        cause,
      });
    }
    if (length !== PAGE_BYTES) {
      throw new DamagedStateTree(`${this.#path} is cut off: it has no page ${page}`);
    }
  }

  #writeAt(page: number, bytes: Buffer): void {
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    try {
      for (let done = 0; done < bytes.length; ) {
        const position = page * PAGE_BYTES + done;
        done += writeSync(this.#descriptor, bytes, done, bytes.length - done, position);
      }
    } catch (cause) {
      throw failed(this.#path, "written", cause);
    }
  }

  #sync(): void {
    try {
      fdatasyncSync(this.#descriptor);
    } catch (cause) {
      throw failed(this.#path, "synced to the disk", cause);
    }
  }
}

/** Waits until the names of the files beside `path` are on the disk. Throws `StorageFailure`. */
export function syncFolder(path: string): void {
  const folder = dirname(path);
  const descriptor = opened(folder, "r");
  try {
    fsyncSync(descriptor);
  } catch (cause) {
    throw failed(folder, "synced to the disk", cause);
  } finally {
    closeSync(descriptor);
  }
}

function bitsIn(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) {
    for (let rest = byte; rest > 0; rest &= rest - 1) {
      count += 1;
    }
  }
  return count;
}

function opened(path: string, flags: "r" | "r+" | "w+"): number {
  try {
    return openSync(path, flags, 0o600);
  } catch (cause) {
    throw failed(path, "opened", cause);
  }
}

/** A sync that has failed is no more than that: the pages of the last commit were synced before. */
function failed(path: string, what: string, cause: unknown): StorageFailure {
  return new StorageFailure(`${path} cannot be ${what}: ${(cause as Error).message}`, { cause });
}

function encodeHeader({ commit, pages, content, map }: Header, ledger: Buffer): Buffer {
  const page = Buffer.alloc(PAGE_BYTES);
  page.write(MAGIC, 0);
  ledger.copy(page, 32);
  for (const [index, value] of [
    commit,
    pages,
    content.page,
    content.checksum,
    map.page,
    map.checksum,
  ].entries()) {
    page.writeUInt32LE(value, 64 + 4 * index);
  }
  page.writeUInt32LE(crc32(page.subarray(0, PAGE_BYTES - 4)), PAGE_BYTES - 4);
  return page;
}

/** Undefined if the page is no whole header, as before the second commit. */
function decodeHeader(page: Buffer, ledger: Buffer, path: string): Header | undefined {
  if (crc32(page.subarray(0, PAGE_BYTES - 4)) !== page.readUInt32LE(PAGE_BYTES - 4)) {
    return undefined;
  }
  if (page.toString("latin1", 0, MAGIC.length) !== MAGIC) {
    throw new DamagedStateTree(`${path} is no state tree of this format`);
  }
  if (!page.subarray(32, 64).equals(ledger)) {
    throw new DamagedStateTree(`${path} is the state tree of another ledger`);
  }
  const [commit = 0, pages = 0, contentPage = 0, contentSum = 0, mapPage = 0, mapSum = 0] =
    Array.from({ length: 6 }, (_, index) => page.readUInt32LE(64 + 4 * index));
  return {
    commit,
    pages,
    content: { page: contentPage, checksum: contentSum },
    map: { page: mapPage, checksum: mapSum },
  };
}
