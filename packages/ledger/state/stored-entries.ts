import type { Change } from "./block-changes.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { documentBytes } from "./bytes-of.ts";
import type { JsonObject } from "./document.ts";
import { type DocumentKind, type EntryKind, isDocument, type NumberOf } from "./entries.ts";
import { hasOtherTexts } from "./long-texts.ts";
import { restored, textsOf } from "./tables/document-tables.ts";
import type { StoredTexts } from "./tables/earlier-entries.ts";
import type { StateTables } from "./tables/tables.ts";

const TEXTS_SIZES = 4096;

/** Besides key and document: places in maps, a balance with its amounts. */
export const ENTRY_BYTES = 250;

/**
 * As the database has it, undefined where it has none; the texts of a document; its part of the
 * cache.
 */
interface Stored {
  readonly bytes: number;
  readonly isRead: boolean;
  readonly value?: unknown;
  readonly texts?: StoredTexts | undefined;
}

/** Entries as the tables have them before the current block, through a cache; and their writes. */
export class StoredEntries {
  readonly #tables: StateTables;
  readonly #numberOf: NumberOf;
  readonly #cache: BoundedCache<Stored>;
  readonly #textsBytes: BoundedCache<number> = new BoundedCache(TEXTS_SIZES);
  /** Long texts that the block has replaced in the tables. */
  readonly #replacedTexts: Map<string, JsonObject> = new Map();
  /** Texts of documents as the block has written them to the tables. */
  readonly #written: Map<string, StoredTexts> = new Map();

  /** `cacheBytes`: at least so much, at most twice. */
  constructor(tables: StateTables, cacheBytes: number, numberOf: NumberOf) {
    this.#tables = tables;
    this.#numberOf = numberOf;
    this.#cache = new BoundedCache(cacheBytes, (_key, { bytes }) => bytes);
  }

  /** `readTexts` reads the long texts of the entry. */
  load<V>(
    kind: EntryKind<V>,
    key: string,
    readTexts: (kind: DocumentKind<V>, key: string) => JsonObject,
  ): V | undefined {
    const stored = this.#cache.get(key);
    if (stored?.isRead === true) {
      return stored.value as V | undefined;
    }
    const { table } = kind;
    if (typeof table === "string") {
      const value = this.#tables.load(table, key, this.#numberOf) as V | undefined;
      // A lock is read when it is made or added to, then not for long; addresses have their own
      // cache.
      if (table === "balance") {
        this.#keep(key, value);
      }
      return value;
    }
    const document = kind as DocumentKind<V>;
    const texts = stored?.texts ?? this.#tables.documents.get(document, key);
    const value = texts && restored(document, texts, () => readTexts(document, key));
    this.#keep(key, value, texts);
    return value;
  }

  #keep(key: string, value: unknown, texts?: StoredTexts): void {
    const bytes = entryBytes(key, texts) + (texts === undefined ? 0 : documentBytes(value));
    this.#cache.set(key, { bytes, isRead: true, value, texts });
  }

  /** As the block found them. They are not kept: one operation may read those of many entries. */
  texts<V>(kind: DocumentKind<V>, key: string): JsonObject {
    return this.#replacedTexts.get(key) ?? this.#tables.documents.texts(kind, key);
  }

  textsBytes<V>(kind: DocumentKind<V>, key: string): number {
    let bytes = this.#textsBytes.get(key);
    if (bytes === undefined) {
      bytes = this.#tables.documents.textsBytes(kind, key);
      this.#textsBytes.set(key, bytes);
    }
    return bytes;
  }

  replacedTexts(key: string): JsonObject | undefined {
    return this.#replacedTexts.get(key);
  }

  /**
   * For the block's comparison. Not counted as reads of the current operation, because their number
   * depends on earlier ones.
   */
  keepReplacedTexts(key: string, { kind, before, after }: Change): void {
    const longTexts = isDocument(kind) ? kind.table.longTexts : undefined;
    if (
      longTexts &&
      before !== undefined &&
      !this.#replacedTexts.has(key) &&
      hasOtherTexts(longTexts, before, after)
    ) {
      this.#replacedTexts.set(
        key,
        this.#tables.documents.texts(kind as DocumentKind<unknown>, key),
      );
    }
  }

  write(
    key: string,
    { kind, before, after }: Change,
    textOf: (kind: EntryKind<unknown>, value: unknown) => string,
  ): void {
    if (before !== after) {
      const longTexts = isDocument(kind) ? kind.table.longTexts : undefined;
      if (longTexts && (!before || !after || hasOtherTexts(longTexts, before, after))) {
        this.#textsBytes.delete(key);
      }
      const text = isDocument(kind) && !longTexts ? textOf(kind, after) : "";
      const numberOf = this.#numberOf;
      const stored = this.#tables.save(kind, key, { before, after, text, numberOf });
      if (stored === undefined) {
        this.#written.delete(key);
      } else {
        this.#written.set(key, stored);
      }
    }
  }

  /** Once a changed document is written. */
  keepEarlier(key: string, { kind, before, after }: Change): void {
    if (before !== after && isDocument(kind) && kind.table.isCurrentOnly !== true) {
      const was =
        before === undefined ? undefined : (this.#cache.get(key)?.texts ?? textsOf(kind, before));
      const change = { before, after, numberOf: this.#numberOf };
      this.#tables.documents.keepEarlier(kind, key, change, { was, is: this.#written.get(key) });
    }
  }

  acceptBlock(changes: Iterable<readonly [string, Change]>): void {
    for (const [key, { kind, after }] of changes) {
      const texts = this.#written.get(key);
      if (kind.table === "balance") {
        this.#keep(key, after);
      } else if (texts !== undefined) {
        // The value may hold parts of the request, and keep all of it in memory.
        this.#cache.set(key, { bytes: entryBytes(key, texts), isRead: false, texts });
      } else {
        // Locks are not read again for long.
        this.#cache.delete(key);
      }
    }
    this.#endBlock();
  }

  /** The database is unchanged. */
  undoBlock(): void {
    this.#textsBytes.clear();
    this.#endBlock();
  }

  #endBlock(): void {
    this.#written.clear();
    this.#replacedTexts.clear();
  }

  /** Another connection has written. */
  forget(): void {
    this.#cache.clear();
    this.#textsBytes.clear();
  }
}

function entryBytes(key: string, texts: StoredTexts | undefined): number {
  const length = (texts?.value.length ?? 0) + (texts?.beside?.length ?? 0);
  return ENTRY_BYTES + 2 * (key.length + length);
}
