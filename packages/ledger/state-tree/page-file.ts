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

/** The first four bytes are the number of the commit that wrote it. */
export const PAGE_BYTES = 2048;

/** CRC-32. Number 0 refers to no page. */
export interface PageRef {
  readonly page: number;
  readonly checksum: number;
}

export const NO_PAGE: PageRef = { page: 0, checksum: 0 };

const MAGIC = "moneta tree 1\n";
/** 8 KiB apart, so that a torn write destroys at most one. */
const HEADER_PAGES: readonly number[] = [0, 4];
const FIRST_PAGE = 8;
const WRITTEN_TOGETHER = 512;
/**
 * The file grows until its free pages suffice for so many commits: scattered ones need one call per
 * page.
 */
const FREE_COMMITS = 2;
/** Commit, next page with its checksum, content length. */
const CHAIN_HEAD_BYTES = 16;
const CHAINED_BYTES = PAGE_BYTES - CHAIN_HEAD_BYTES;

export interface ChainPage {
  readonly page: number;
  readonly commit: number;
  readonly content: Buffer;
}

interface Header {
  readonly commit: number;
  readonly pages: number;
  readonly content: PageRef;
  /** One bit per page: 1 means used. */
  readonly map: PageRef;
}

const NO_HEADER: Header = { commit: 0, pages: FIRST_PAGE, content: NO_PAGE, map: NO_PAGE };

/**
 * Pages with checksums in every reference. A commit writes to free pages, then the older of two
 * headers: a killed process leaves the last commit.
 */
export class PageFile {
  readonly #path: string;
  readonly #ledger: Buffer;
  #descriptor: number;
  #inode = 0n;
  #header: Header = NO_HEADER;
  #content: Buffer = Buffer.alloc(0);
  /** Used pages, also by the next commit. Empty if only read. */
  #used: Uint8Array = new Uint8Array(0);
  #pages = FIRST_PAGE;
  /** Freed by the next commit; a crash restores the last, which uses them. */
  #freed: number[] = [];
  #allocated: number[] = [];
  /** Where the search for a free page continues, and full bytes passed. */
  #cursor = 0;
  #scanned = 0;
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

  /** Replaces an existing file. Throws `StorageFailure`. */
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

  /** Throws `DamagedStateTree` or `StorageFailure`. */
  static open(path: string, ledgerId: string, access: "read" | "write"): PageFile {
    const file = new PageFile(path, ledgerId, opened(path, access === "read" ? "r" : "r+"));
    try {
      file.#load();
      if (access === "write") {
        file.#loadMap();
        // An earlier sync may have failed, and the header be only in the cache.
        file.#writeHeader(file.#header);
      }
    } catch (thrown) {
      file.close();
      throw thrown;
    }
    return file;
  }

  get content(): Buffer {
    return this.#content;
  }

  get commitNumber(): number {
    return this.#header.commit + 1;
  }

  refresh(): void {
    if (statSync(this.#path, { bigint: true }).ino !== this.#inode) {
      // Rebuilt: the path now names another file.
      const before = this.#descriptor;
      this.#descriptor = opened(this.#path, "r");
      closeSync(before);
      this.#header = NO_HEADER;
    }
    this.#load();
  }

  /** Throws `DamagedStateTree` if its checksum differs. */
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

  /** Sets its commit number. Throws `StorageFailure`. */
  write(content: Buffer): PageRef {
    return this.#put(this.#allocate(), content);
  }

  /** With the next commit, or now if it is the page's. */
  free(page: number, commit: number): void {
    if (commit === this.commitNumber) {
      this.#used[page >> 3] = (this.#used[page >> 3] as number) & ~(1 << (page & 7));
    } else {
      this.#freed.push(page);
    }
  }

  /** At the front; returns the new head. All pages of a chain except the first are full. */
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

  *chain(head: PageRef): Iterable<ChainPage> {
    for (let ref = head; ref.page !== 0; ) {
      const { next, ...page } = this.#chainPage(ref, Buffer.allocUnsafe(PAGE_BYTES));
      yield page;
      ref = next;
    }
  }

  /**
   * Durable and atomic. Throws `StorageFailure`: `rollback` restores the previous state, or if the
   * header failed, the file must be reopened.
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
      // Pages free in one header may be in use in the other.
      this.#failure = thrown as StorageFailure;
      throw thrown;
    }
    this.#header = header;
    this.#content = content;
    for (const page of this.#freed) {
      this.#used[page >> 3] = (this.#used[page >> 3] as number) & ~(1 << (page & 7));
    }
    // The minimum ignores the first commit, and a commit that drops many roots together.
    const replaced = Math.min(this.#allocated.length, this.#freed.length);
    this.#grows = this.#pages - bitsIn(this.#used) < FREE_COMMITS * replaced;
    this.#begin();
  }

  get isUncertain(): boolean {
    return this.#failure !== undefined;
  }

  rollback(): void {
    for (const page of this.#allocated) {
      this.free(page, this.commitNumber);
    }
    this.#pages = this.#header.pages;
    this.#begin();
  }

  /** Finds pages freed since the last commit. */
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
      throw new DamagedStateTree(`${this.#path} has no header that is valid`);
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
      throw new DamagedStateTree(`${this.#path} has an incomplete map of its pages`);
    }
    this.#used = new Uint8Array(2 * map.length);
    this.#used.set(map);
  }

  /** Its own pages count as used, freed ones do not. */
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

  /** In circular order: the pages ahead were written longest ago, so most are free and adjacent. */
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
      throw new DamagedStateTree(`${this.#path} is cut off: page ${page} is missing`);
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

/** So that names are durable. Throws `StorageFailure`. */
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

/** A failed sync leaves the last commit intact. */
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

/** Undefined if invalid, as before the second commit. */
function decodeHeader(page: Buffer, ledger: Buffer, path: string): Header | undefined {
  if (crc32(page.subarray(0, PAGE_BYTES - 4)) !== page.readUInt32LE(PAGE_BYTES - 4)) {
    return undefined;
  }
  if (page.toString("latin1", 0, MAGIC.length) !== MAGIC) {
    throw new DamagedStateTree(`${path} is not a state tree of this format`);
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
