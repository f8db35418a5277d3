import type { Amount } from "@moneta/protocol";
import { type Database, ROW_NUMBER, type Row, Statements, wordsOf } from "../../database.ts";
import { invariant } from "../../invariant.ts";
import type { Balance } from "../balances/balance.ts";
import type { JsonObject } from "../document.ts";

/**
 * Entries before the blocks that changed them, in pieces of a block. The state after block H is in
 * the first piece above H with the entry, else in the tables. A row for each entry would write a
 * page of the file for most: four times the cost. Source: ADR 20.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS earlier_entries (
    -- Of the block that changed them, and the place of the piece in it: see pieceNumber.
    number INTEGER PRIMARY KEY,
    -- For each entry a line feed, its word, a space, and what it was: nothing where there was none.
    text TEXT NOT NULL
  ) STRICT;
  CREATE VIRTUAL TABLE IF NOT EXISTS earlier_index USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '/_^.'"
  );
  CREATE TABLE IF NOT EXISTS left_list (
    list TEXT NOT NULL,
    place ANY NOT NULL,
    -- Of the last block that took the entry out of the list.
    height INTEGER NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (list, place)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS kept_state (
    only INTEGER PRIMARY KEY CHECK (only = 0),
    -- The earliest block whose state can be read; NULL if only that of the newest can.
    since INTEGER
  ) STRICT;
`;

export const EARLIER_TABLES = [
  { table: "earlier_entries", key: "number" },
  { table: "left_list", key: "list, place" },
] as const;

export function earlierRowsFrom(
  since: number,
): Readonly<Record<(typeof EARLIER_TABLES)[number]["table"], string>> {
  return {
    earlier_entries: `number >= ${pieceNumber(since + 1, 0)}`,
    left_list: `height > ${since}`,
  };
}

/** Characters; read as a whole. An entry is in one piece. */
const PIECE_LENGTH = 16_384;

const PIECES_MAX = 4096;

function pieceNumber(height: number, place: number): number {
  return height * PIECES_MAX + place;
}

/** Readable states: `all`, from a block on, or `none` but the newest. */
export type KeepState = "all" | "none" | number;

export interface PastBlock {
  readonly height: number;
  readonly size: number;
}

/** The position of an entry in the order of a list. */
export interface ListedPlace {
  readonly place: string | number;
  readonly key: string;
}

interface Earlier<T> {
  readonly was: T | undefined;
}

interface Piece {
  readonly height: number;
  readonly place: number;
  text: string;
  words: string;
}

export interface StoredTexts {
  readonly value: string;
  readonly beside: string | null;
}

type BalancePlace = readonly [address: number, token: number];
export type LockPlace = readonly [address: number, token: number, unlockDate: number];

/** The kept states before each block. Source: proofs §1. */
export class EarlierEntries {
  /** The block as of which entries are read; undefined for the newest. */
  past: PastBlock | undefined;
  readonly #database: Database;
  readonly #statements: Statements;
  #piece: Piece | undefined;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database) {
    this.#database = database;
    this.#statements = new Statements(database);
  }

  get kept(): "none" | number {
    const row = this.#statements.prepare("SELECT since FROM kept_state").get();
    return row === undefined ? 0 : ((row["since"] as number | null) ?? "none");
  }

  isKeptFrom(wanted: KeepState): boolean {
    const { kept } = this;
    return wanted === "none" || kept === "none"
      ? wanted === kept
      : wanted === "all" || wanted <= kept;
  }

  /** Removes earlier ones. If none was kept, it begins at `height` at the earliest. */
  keep(wanted: KeepState, height: number): void {
    const { kept } = this;
    const earliest = kept === "none" ? Math.max(height, 0) : kept;
    const since = wanted === "none" ? null : Math.max(wanted === "all" ? 0 : wanted, earliest);
    // The pieces of block H are read as of blocks before it.
    const first = pieceNumber((since ?? height) + 1, 0);
    const deletion = this.#statements.prepare(
      `DELETE FROM earlier_index WHERE rowid < ${ROW_NUMBER}`,
    );
    // With each result JavaScript gets a row number, which is too large for it.
    deletion.setReadBigInts(true);
    deletion.run(first);
    this.#statements.prepare("INSERT OR REPLACE INTO kept_state VALUES (0, ?)").run(since);
    this.#statements.prepare(`DELETE FROM earlier_entries WHERE number < ${ROW_NUMBER}`).run(first);
    this.#statements.prepare("DELETE FROM left_list WHERE height <= ?").run(since ?? height);
  }

  keepsBefore(height: number): boolean {
    const { kept } = this;
    return kept !== "none" && height > kept;
  }

  /** Before the changes of a block are stored. */
  begin(height: number): void {
    this.#piece = this.keepsBefore(height) ? { height, place: 0, text: "", words: "" } : undefined;
  }

  /** Whether the state before the begun block is kept. */
  get isKeeping(): boolean {
    return this.#piece !== undefined;
  }

  putBalance([address, token]: BalancePlace, was: Balance | undefined): void {
    this.#put(balanceWord(address, token), was === undefined ? "" : balanceText(was));
  }

  putLock(place: LockPlace, was: Amount | undefined): void {
    this.#put(lockWord(place), was === undefined ? "" : String(was));
  }

  putDocument(key: string, was: StoredTexts | undefined): void {
    const { value = "", beside = null } = was ?? {};
    this.#put(wordOf(key), beside === null ? value : `${value}\t${beside}`);
  }

  putTexts(key: string, was: JsonObject): void {
    this.#put(textsWord(key), JSON.stringify(was));
  }

  #put(word: string, was: string): void {
    const piece = this.#begun();
    piece.text += `\n${word} ${was}`;
    piece.words += `${word} `;
    if (piece.text.length >= PIECE_LENGTH && piece.place < PIECES_MAX - 1) {
      this.#store(piece);
      this.#piece = { height: piece.height, place: piece.place + 1, text: "", words: "" };
    }
  }

  #begun(): Piece {
    invariant(this.#piece !== undefined, "the state before the block is kept");
    return this.#piece;
  }

  end(): void {
    if (this.#piece !== undefined) {
      this.#store(this.#piece);
      this.#piece = undefined;
    }
  }

  #store({ height, place, text, words }: Piece): void {
    if (text !== "") {
      const number = pieceNumber(height, place);
      this.#statements.prepare("INSERT INTO earlier_entries VALUES (?, ?)").run(number, text);
      this.#insertWords(number, words);
    }
  }

  #insertWords(piece: number, words: string): void {
    this.#statements
      .prepare(`INSERT INTO earlier_index (rowid, words) VALUES (${ROW_NUMBER}, ?)`)
      .run(piece, words);
  }

  /** Empty in a copy of the other tables. */
  fillIndex(): void {
    this.#database.exec("BEGIN");
    for (const { number, text } of this.#statements
      .prepare("SELECT * FROM earlier_entries")
      .iterate()) {
      this.#insertWords(number as number, wordsIn(text as string).join(" "));
    }
    this.#database.exec("COMMIT");
  }

  /** Without a key the place identifies the entry. */
  putLeft(list: string, place: ListedPlace["place"], key: string = ""): void {
    this.#statements
      .prepare("INSERT OR REPLACE INTO left_list VALUES (?, ?, ?, ?)")
      .run(list, place, this.#begun().height, key);
  }

  /** In order, each once, with the block in which it left last. */
  *left(
    list: string,
    { after, isAscending }: { readonly after: string | number; readonly isAscending: boolean },
  ): Generator<ListedPlace & { readonly height: number }> {
    const [beyond, direction] = isAscending ? [">", ""] : ["<", "DESC"];
    const rows = this.#statements
      .prepare(
        `SELECT place, height, key FROM left_list WHERE list = ? AND place ${beyond} ? ORDER BY place ${direction}`,
      )
      .iterate(list, after);
    for (const row of rows) {
      yield row as unknown as ListedPlace & { readonly height: number };
    }
  }

  /** Entries that left the lists with this prefix since the past block: some may be in them again. */
  gone(lists: string): Iterable<ListedPlace & { readonly list: string }> {
    if (this.past === undefined) {
      return [];
    }
    return this.#statements
      .prepare(
        "SELECT list, place, key FROM left_list WHERE list >= ?1 AND list < ?1 || char(1114111) AND height > ?2",
      )
      .iterate(lists, this.past.height) as Iterable<unknown> as Iterable<
      ListedPlace & { readonly list: string }
    >;
  }

  /** Undefined if it has not changed since the past block, as the other three. */
  balance(address: number, token: number): Earlier<Balance> | undefined {
    return this.past && earlierIn(this.#first(balanceWord(address, token)), balanceIn);
  }

  lock(place: LockPlace): Earlier<Amount> | undefined {
    return this.past && earlierIn(this.#first(lockWord(place)), (text) => BigInt(text) as Amount);
  }

  document(key: string): Earlier<StoredTexts> | undefined {
    return (
      this.past &&
      earlierIn(this.#first(wordOf(key)), (text) => {
        const [value = "", beside = null] = text.split("\t");
        return { value, beside };
      })
    );
  }

  texts(key: string): JsonObject | undefined {
    const text = this.past && this.#first(textsWord(key));
    return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
  }

  /** The value of an entry before the first block after the past one that changed it. */
  #first(word: string): string | undefined {
    const height = this.past?.height ?? 0;
    const row = this.#statements
      .prepare(
        `SELECT text FROM earlier_index CROSS JOIN earlier_entries ON number = earlier_index.rowid
         WHERE earlier_index MATCH ? AND earlier_index.rowid >= ${ROW_NUMBER} ORDER BY earlier_index.rowid LIMIT 1`,
      )
      .get(`"${word}"`, pieceNumber(height + 1, 0));
    return row && lineOf(row["text"] as string, word);
  }

  nextToken(address: number, from: number, to: number): number | undefined {
    return this.#nextLeft(balancesListName(address), from, to);
  }

  nextUnlockDate([address, token]: BalancePlace, from: number): number | undefined {
    return this.#nextLeft(locksListName(address, token), from, Number.MAX_SAFE_INTEGER);
  }

  #nextLeft(list: string, from: number, to: number): number | undefined {
    return lowestIn(
      this.#statements
        .prepare(
          "SELECT min(place) AS lowest FROM left_list WHERE list = ? AND place BETWEEN ? AND ?",
        )
        .get(list, from, to),
    );
  }
}

/** Gone entries: tokens of an address, unlock dates of a balance. */
export const [BALANCES_LIST, LOCKS_LIST] = ["balances/", "locks/"] as const;

export function balancesListName(address: number): string {
  return `${BALANCES_LIST}${address}`;
}

export function locksListName(address: number, token: number): string {
  return `${LOCKS_LIST}${address}/${token}`;
}

/** Names of drafts may have any characters, and the index ignores case. */
function wordOf(key: string): string {
  let word = "";
  // Runs between capital letters: a call for each of them takes five times as long.
  let start = 0;
  for (let at = 0; at < key.length; at += 1) {
    const escaped = ESCAPED[key.charCodeAt(at)];
    if (escaped !== "") {
      word += key.slice(start, at) + (escaped ?? `^.${key.charCodeAt(at).toString(16)}.`);
      start = at + 1;
    }
  }
  return word + key.slice(start);
}

/** Replacements by ASCII code; an empty text leaves the character unchanged. */
const ESCAPED: readonly string[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[0-9a-z/_]/.test(character)
    ? ""
    : /[A-Z]/.test(character)
      ? `^${character.toLowerCase()}`
      : `^.${code.toString(16)}.`;
});

/** Shorter than the key. No document's key begins so. */
function balanceWord(address: number, token: number): string {
  return `b/${address}/${token}`;
}

function lockWord([address, token, unlockDate]: LockPlace): string {
  return `l/${address}/${token}/${unlockDate}`;
}

function textsWord(key: string): string {
  return `texts/${wordOf(key)}`;
}

function lineOf(text: string, word: string): string | undefined {
  const line = text.indexOf(`\n${word} `);
  if (line === -1) {
    return undefined;
  }
  const start = line + word.length + 2;
  const end = text.indexOf("\n", start);
  return text.slice(start, end === -1 ? text.length : end);
}

function wordsIn(text: string): readonly string[] {
  const lines = text.split("\n").slice(1);
  return lines.map((line) => line.slice(0, line.indexOf(" ")));
}

/** Missing or surplus words of the pieces, which SQLite does not find. */
export function damagedEarlierIndex(database: Database): string | undefined {
  const [has, needs] = [new WordSum(), new WordSum()];
  for (const { term, doc } of wordsOf(database, "earlier_index")) {
    has.add(term, doc);
  }
  for (const { number, text } of database.prepare("SELECT * FROM earlier_entries").iterate()) {
    for (const word of new Set(wordsIn(text as string))) {
      needs.add(word, number as number);
    }
  }
  return has.count === needs.count && has.sum === needs.sum
    ? undefined
    : `the index of earlier entries has ${has.count} words where there are ${needs.count}, or others`;
}

class WordSum {
  count = 0;
  sum = 0;

  add(word: string, piece: number): void {
    let hash = piece % 2 ** 32;
    for (let at = 0; at < word.length; at += 1) {
      hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
    }
    this.count += 1;
    this.sum = (this.sum + (hash >>> 0)) % 2 ** 48;
  }
}

/** From which block on a ledger's file keeps the state. */
export function keptState(database: Database): KeepState {
  return new EarlierEntries(database).kept;
}

function balanceText({ free, locks, locked, unlocksFrom }: Balance): string {
  return locks === 0 ? String(free) : `${free} ${locks} ${locked} ${unlocksFrom}`;
}

function balanceIn(text: string): Balance {
  const [free = "", locks = "0", locked = "0", unlocksFrom = "0"] = text.split(" ");
  return {
    free: BigInt(free) as Amount,
    locks: Number(locks),
    locked: BigInt(locked) as Amount,
    unlocksFrom: Number(unlocksFrom),
  };
}

function earlierIn<T>(text: string | undefined, read: (text: string) => T): Earlier<T> | undefined {
  return text === undefined ? undefined : { was: text === "" ? undefined : read(text) };
}

export function lowestIn(row: Row | undefined): number | undefined {
  invariant(row !== undefined, "an aggregate has a row");
  return (row["lowest"] as number | null) ?? undefined;
}
