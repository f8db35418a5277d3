import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { crc32 } from "node:zlib";
import type { Block } from "@moneta/protocol";
import { StorageFailure } from "../database.ts";
import { SyncFailure, syncFile, syncFolderOf } from "../sync-failure.ts";
import { blockOf, type StoredBlock } from "./stored-block.ts";

/**
 * Bytes, allocated ahead: if the file grew, each sync would also commit the file system's journal.
 */
const FILE_BYTES = 16 << 20;

/**
 * Some 20,000 transfers in bundles, which a restart executes in a second. The rest is for the WAL
 * of a full disk.
 */
const USED_BYTES_MAX = FILE_BYTES / 4;

/** Small: Linux counts a write to a part of a large folio as one of all of it. */
const ZEROS = Buffer.alloc(16 << 10);

/** Length and CRC-32 of the body, little-endian. */
const HEAD_BYTES = 8;

const RETRY_MS = 60_000;

/**
 * Durable blocks that are not yet committed, in a file beside the database: a block costs one write
 * and one sync. Source: ADR 18.
 */
export class RedoLog {
  readonly #file: string;
  #descriptor: number | undefined;
  /** Bytes. */
  #end = 0;
  #retryAtMs = -Infinity;
  #isShrunk = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Oldest first; without a partly written block and blocks of an earlier use. */
  static *blocksAfter(file: string, newest: { height: number; id: string }): Iterable<Block> {
    let descriptor: number;
    try {
      descriptor = openSync(file, "r");
    } catch (thrown) {
      throw unreadable(file, thrown);
    }
    try {
      let previous = newest;
      for (const block of blocksIn(descriptor, file)) {
        const { header, id } = block;
        if (header.sn > previous.height) {
          if (header.sn !== previous.height + 1 || header.previous !== previous.id) {
            return;
          }
          yield block;
          previous = { height: header.sn, id };
        }
      }
    } finally {
      closeSync(descriptor);
    }
  }

  /** Of an earlier process, whose blocks are committed. Throws `StorageFailure`. */
  static remove(file: string): void {
    try {
      rmSync(file, { force: true });
    } catch (cause) {
      throw unwritable(file, cause);
    }
  }

  /**
   * The block is on the disk on return; false if there is no room. Throws `StorageFailure` if it
   * was not written, `SyncFailure` if that is uncertain.
   */
  append(block: StoredBlock): boolean {
    const frame = frameOf(block);
    if (this.#end + frame.length > USED_BYTES_MAX || !this.#isAllocated()) {
      return false;
    }
    const descriptor = this.#descriptor as number;
    try {
      writeAt(descriptor, frame, this.#end);
    } catch (cause) {
      // The written part is not a whole frame.
      throw unwritable(this.#file, cause);
    }
    try {
      fdatasyncSync(descriptor);
    } catch (cause) {
      const { message } = cause as Error;
      throw new SyncFailure(`${this.#file} could not be synced to the disk: ${message}`, { cause });
    }
    this.#end += frame.length;
    return true;
  }

  reset(): void {
    this.#end = 0;
  }

  /** Returns unused space to a full disk; false if that was done before or fails. */
  shrink(): boolean {
    if (this.#descriptor === undefined || this.#isShrunk) {
      return false;
    }
    try {
      ftruncateSync(this.#descriptor, this.#end);
    } catch {
      return false;
    }
    this.#isShrunk = true;
    return true;
  }

  remove(): void {
    if (this.#descriptor !== undefined) {
      closeSync(this.#descriptor);
      this.#descriptor = undefined;
      RedoLog.remove(this.#file);
    }
  }

  #isAllocated(): boolean {
    if (this.#descriptor !== undefined && !this.#isShrunk) {
      return true;
    }
    if (performance.now() < this.#retryAtMs) {
      return false;
    }
    let isWhole = false;
    try {
      this.#descriptor ??= openSync(this.#file, "w+", 0o600);
      // After the uncommitted blocks, if the file was shrunk.
      for (let position = this.#end; position < FILE_BYTES; position += ZEROS.length) {
        writeAt(this.#descriptor, ZEROS, position);
      }
      syncFile(this.#descriptor, this.#file);
      syncFolderOf(this.#file);
      isWhole = true;
    } catch (thrown) {
      if (thrown instanceof SyncFailure) {
        throw thrown;
      }
    }
    if (isWhole) {
      this.#isShrunk = false;
    } else {
      this.#retryAtMs = performance.now() + RETRY_MS;
      if (this.#end === 0) {
        this.remove();
      }
    }
    return isWhole;
  }
}

function frameOf({ height, id, header, operations }: StoredBlock): Buffer {
  const text = `${height}\n${id}\n${header}\n${operations}`;
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(HEAD_BYTES + length);
  frame.write(text, HEAD_BYTES);
  frame.writeUInt32LE(length, 0);
  frame.writeUInt32LE(crc32(frame.subarray(HEAD_BYTES)), 4);
  return frame;
}

/** Up to the first frame that is not whole. */
function* blocksIn(descriptor: number, file: string): Iterable<Block> {
  const head = Buffer.alloc(HEAD_BYTES);
  for (let position = 0; ; ) {
    if (readAt(descriptor, head, position, file) < HEAD_BYTES) {
      return;
    }
    const length = head.readUInt32LE(0);
    if (length === 0 || position + HEAD_BYTES + length > USED_BYTES_MAX) {
      return;
    }
    const body = Buffer.allocUnsafe(length);
    const read = readAt(descriptor, body, position + HEAD_BYTES, file);
    if (read < length || crc32(body) !== head.readUInt32LE(4)) {
      return;
    }
    const [number, id, header, ...operations] = body.toString("utf8").split("\n");
    yield blockOf({
      height: Number(number),
      id: id as string,
      header: header as string,
      operations: operations.join("\n"),
    });
    position += HEAD_BYTES + length;
  }
}

function writeAt(descriptor: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(descriptor, bytes, done, bytes.length - done, position + done);
  }
}

function readAt(descriptor: number, bytes: Buffer, position: number, file: string): number {
  try {
    let done = 0;
    for (let read = -1; read !== 0 && done < bytes.length; done += read) {
      read = readSync(descriptor, bytes, done, bytes.length - done, position + done);
    }
    return done;
  } catch (thrown) {
    throw unreadable(file, thrown);
  }
}

function unwritable(file: string, cause: unknown): StorageFailure {
  return new StorageFailure(`${file} cannot be written: ${(cause as Error).message}`, { cause });
}

function unreadable(file: string, cause: unknown): StorageFailure {
  return new StorageFailure(`${file} cannot be read: ${(cause as Error).message}`, { cause });
}
