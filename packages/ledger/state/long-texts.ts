import type { JsonRecord } from "@moneta/protocol";

/** Reads the JSON of an entry's long texts from their row. */
export type ReadTexts = () => JsonRecord;

/**
 * Members of an entry that may have hundreds of kilobytes, and that rules seldom need. They have a
 * row of their own, which is read on demand and written when they change. So an operation that
 * names many entries, or a sale of one, costs the same whatever their owners have written into
 * them.
 */
export class LongTexts<T extends object> {
  readonly #read: () => T;

  /** Of an entry that is being made or changed. */
  static of<T extends object>(texts: T): LongTexts<T> {
    return new LongTexts(() => texts);
  }

  /** `read` gets them from their row, at each use. */
  constructor(read: () => T) {
    this.#read = read;
  }

  /** To be called while the block lasts that the entry was read in. */
  read(): T {
    return this.#read();
  }
}

/** Whether an entry that was there has got others. */
export function hasOtherTexts<V>(longTexts: LongTextsOf<V>, before: V, after: V): boolean {
  return longTexts.of(before) !== longTexts.of(after);
}

/** Which members of an entry are its long texts, and their JSON. */
export interface LongTextsOf<V> {
  of(value: V): LongTexts<object>;
  json(value: V): JsonRecord;
}
