import { sha256 } from "../sha256.ts";
import type { BlockChanges, Change } from "./block-changes.ts";
import { type EntryKind, isDocument, jsonText } from "./entries.ts";

/**
 * Characters from which on waiting changes have a value's hash of 64: cheaper than writing the
 * value twice.
 */
const LONG_VALUE = 200;

/** The text of a block's changes, to which the block commits. Source: chain §4.6. */
export class ChangesText {
  readonly #texts: Map<string, string> = new Map();
  #members: string[] = [];
  #sortedDocuments: string[] = [];
  readonly #longValues: {
    readonly place: number;
    readonly key: string;
    readonly text: string;
  }[] = [];

  /** JCS of changed entries; undefined above `most` characters. */
  of(changes: BlockChanges, most: number): string | undefined {
    this.#longValues.length = 0;
    const members: string[] = [];
    let length = "{}".length - ",".length;
    this.#sortedDocuments = [];
    for (const key of [...changes.keys()].sort()) {
      const change = changes.get(key) as Change;
      const { kind } = change;
      if (isDocument(kind)) {
        this.#sortedDocuments.push(key);
      }
      const [before, after] = [entryIn(kind, change.before), entryIn(kind, change.after)];
      if (before !== after && !isSame(kind, before, after)) {
        const text = this.textOf(key, kind, after);
        const member = `${JSON.stringify(key)}:${text}`;
        length += member.length + ",".length;
        if (length > most) {
          return undefined;
        }
        if (text.length > LONG_VALUE) {
          this.#longValues.push({ place: members.length, key, text });
        }
        members.push(member);
      }
    }
    this.#members = members;
    return `{${members.join(",")}}`;
  }

  /**
   * The members of the text, a line each, values above `LONG_VALUE` characters as a string: the
   * SHA-256 of the JCS in hex. No entry's value is a string.
   */
  shortened(): string {
    for (const { place, key, text } of this.#longValues) {
      this.#members[place] = `${JSON.stringify(key)}:"${sha256.hex(text)}"`;
    }
    return this.#members.join("\n");
  }

  /** Keys of changed documents, in order. */
  get sortedDocuments(): readonly string[] {
    return this.#sortedDocuments;
  }

  /** Computed once for a key, as the block leaves the entry. */
  textOf(key: string, kind: EntryKind<unknown>, value: unknown): string {
    let text = this.#texts.get(key);
    if (text === undefined) {
      text = jsonText(kind, value);
      this.#texts.set(key, text);
    }
    return text;
  }

  clear(): void {
    this.#texts.clear();
    this.#members = [];
    this.#sortedDocuments = [];
    this.#longValues.length = 0;
  }
}

export function entryIn(kind: EntryKind<unknown>, value: unknown): unknown {
  return kind.hasNoEntry === true ? undefined : value;
}

function isSame(kind: EntryKind<unknown>, before: unknown, after: unknown): boolean {
  return before !== undefined && after !== undefined && kind.isSame(before, after);
}
