import { type Database, type Row, Statements } from "../database.ts";
import { invariant } from "../invariant.ts";
import { ITEM } from "../state/item-entry.ts";
import { NAMED_KINDS, type NamedKind } from "../state/names/name-table.ts";
import { startOf, wordsOf } from "../state/names/words.ts";
import { ITEM_OFFER, UNIT_OFFER } from "../state/offer-entry.ts";
import { ORDER } from "../state/order-entry.ts";
import { PROJECT } from "../state/project-entry.ts";
import { SEAL } from "../state/seal-entry.ts";
import { TOKEN_LISTING } from "../state/token-listing-entry.ts";
import { UNIT_ITEM } from "../state/units/unit-item-entry.ts";
import { UNIT_LISTING } from "../state/units/unit-listing-entry.ts";

/** Of a searched text; other words are compared. */
const WORDS_LOOKED_UP = 4;
/** Rows for one word of several, or for the head of an id. */
const EXAMINED_MAX = 250;
/** As a rule: "la la land" starts so often with a text. */
const STARTS_PER_NAME = 4;

const BEHIND = "\u{10ffff}";

interface Stored {
  readonly table: { readonly name: string };
  readonly prefix: string;
}

const IDENTIFIED: readonly (readonly [name: IdKind, kind: Stored, head: string])[] = [
  ["project", PROJECT, "MRC400_"],
  ["item", UNIT_ITEM, "MRC402_"],
  ["listing", TOKEN_LISTING, "DEX010_"],
  ["listing", UNIT_LISTING, "DEX402_"],
  ["offer", ITEM_OFFER, "OFF401_"],
  ["offer", UNIT_OFFER, "OFF402_"],
  ["order", ORDER, "MRC040_"],
  ["seal", SEAL, "MRC020_"],
];

const ITEMS_OF_PROJECTS: readonly Stored[] = [ITEM, UNIT_ITEM];

/** The project's id, an underscore and the number. */
const ITEM_ID = /^MRC400_[0-9a-f]{33}_/;

type IdKind =
  | "address"
  | "block"
  | "group"
  | "project"
  | "item"
  | "listing"
  | "offer"
  | "order"
  | "seal";

export interface FoundId {
  readonly kind: IdKind;
  readonly id: string;
}

/** `id` is that of the project of an attribute or a group. */
export interface FoundName {
  readonly kind: NamedKind;
  readonly id: string;
  /** The attribute or the group; empty for others. */
  readonly text: string;
}

/**
 * By names, and by parts of ids. Each look-up reads a bounded number of rows. Source: explorer §5.
 */
export class SearchView {
  readonly #statements: Statements;
  readonly #examinedMax: number;

  constructor(database: Database, examinedMax: number = EXAMINED_MAX) {
    this.#statements = new Statements(database);
    this.#examinedMax = examinedMax;
  }

  /**
   * First names with the text at a word's beginning, exact ones first; then those with all its
   * words.
   */
  byName(kind: NamedKind, text: string, limit: number): readonly FoundName[] {
    const words = wordsOf(text);
    const found = new Map<string, FoundName>();
    const add = ({ number, text: own }: Row): void => {
      const key = `${number} ${own}`;
      if (!found.has(key)) {
        const id = kind === "token" ? String(number) : this.#idOf(kind, number as number);
        found.set(key, { kind, id, text: own as string });
      }
    };
    const isFull = (): boolean => found.size >= limit;
    for (const row of this.#starting(kind, startOf(words), limit * STARTS_PER_NAME)) {
      if (isFull()) {
        break;
      }
      add(row);
    }
    for (const word of words.length > 1 ? words.slice(0, WORDS_LOOKED_UP) : []) {
      for (const row of isFull() ? [] : this.#starting(kind, word, this.#examinedMax)) {
        const start = ` ${row["start"]}`;
        if (!isFull() && words.every((each) => start.includes(` ${each}`))) {
          add(row);
        }
      }
    }
    return [...found.values()];
  }

  /** Whose number begins with that in a name such as "Boats #26a32e". */
  itemsNumbered(project: string, short: string, limit: number): readonly string[] {
    const ids = ITEMS_OF_PROJECTS.flatMap((kind) => [
      ...this.#idsLike(kind, `${project}_${short.padStart(40, "0")}`, 1),
      ...this.#idsLike(kind, `${project}_${short}`, limit),
    ]);
    return [...new Set(ids)].slice(0, limit);
  }

  /** `head` may lack the prefix of the id. */
  byId(head: string, tail: string, limit: number): readonly FoundId[] {
    const found: FoundId[] = [];
    const add = (kind: IdKind, ids: readonly string[]): void => {
      const ends = ids.filter((id) => id.endsWith(tail) && id.length >= head.length + tail.length);
      found.push(...ends.slice(0, limit).map((id) => ({ kind, id })));
    };
    if (head.startsWith("MT")) {
      add("address", this.#texts("address", "address", head));
      return found;
    }
    if (ITEM_ID.test(head)) {
      for (const kind of ITEMS_OF_PROJECTS) {
        add("item", this.#idsLike(kind, head));
      }
      return found;
    }
    const typed = IDENTIFIED.filter(([, , prefix]) => head.startsWith(prefix));
    for (const [name, kind, prefix] of typed.length > 0 ? typed : IDENTIFIED.slice(0, -1)) {
      add(name, this.#idsLike(kind, typed.length > 0 ? head : `${prefix}${head}`));
    }
    if (typed.length === 0) {
      add("block", this.#texts("block", "id", head));
      add("group", this.#texts("transaction_group", "id", head));
    }
    return found;
  }

  #starting(kind: NamedKind, start: string, limit: number): Iterable<Row> {
    return this.#statements
      .prepare(
        "SELECT start, number, text FROM name WHERE kind = ? AND start >= ? AND start < ? ORDER BY start, number, text LIMIT ?",
      )
      .all(NAMED_KINDS[kind], start, start + BEHIND, limit);
  }

  #idOf(kind: Exclude<NamedKind, "token">, number: number): string {
    const { table, prefix } = kind === "item" ? ITEM : kind === "unitItem" ? UNIT_ITEM : PROJECT;
    const row = this.#statements
      .prepare(`SELECT key FROM ${table.name} WHERE number = ?`)
      .get(number);
    invariant(row !== undefined, "what has a name is there");
    return (row["key"] as string).slice(prefix.length);
  }

  #idsLike({ table, prefix }: Stored, head: string, limit?: number): readonly string[] {
    const keys = this.#texts(table.name, "key", prefix + head, limit);
    return keys.map((key) => key.slice(prefix.length));
  }

  #texts(table: string, column: string, head: string, limit = this.#examinedMax): string[] {
    return this.#statements
      .prepare(
        `SELECT ${column} AS text FROM ${table} WHERE ${column} >= ? AND ${column} < ? ORDER BY ${column} LIMIT ?`,
      )
      .all(head, head + BEHIND, limit)
      .map(({ text }) => text as string);
  }
}
