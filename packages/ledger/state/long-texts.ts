import type { JsonRecord } from "@moneta/protocol";

export type ReadTexts = () => JsonRecord;

/**
 * Members of up to hundreds of kilobytes, in a row of their own, read on demand, so that operations
 * on many entries cost the same.
 */
export class LongTexts<T extends object> {
  readonly #read: () => T;

  static of<T extends object>(texts: T): LongTexts<T> {
    return new LongTexts(() => texts);
  }

  constructor(read: () => T) {
    this.#read = read;
  }

  /** To be called while the block lasts that the entry was read in. */
  read(): T {
    return this.#read();
  }
}

export function hasOtherTexts<V>(longTexts: LongTextsOf<V>, before: V, after: V): boolean {
  return longTexts.of(before) !== longTexts.of(after);
}

export interface LongTextsOf<V> {
  of(value: V): LongTexts<object>;
  json(value: V): JsonRecord;
}
