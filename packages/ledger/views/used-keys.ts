import type { TemporaryKey } from "@moneta/protocol";
import type { Database, Statement } from "../database.ts";

// Expiry first, then a node's counter: new rows are near the end, on few pages, and forgotten from
// the start.
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS used_key (
    expiry INTEGER NOT NULL,
    address INTEGER NOT NULL,
    random TEXT NOT NULL,
    transaction_number INTEGER NOT NULL,
    PRIMARY KEY (expiry, random, address)
  ) STRICT, WITHOUT ROWID;
`;

/** After a key's expiry, seconds. Source: accounts §7.4. */
export const REPEAT_RECOGNISED_SECONDS = 86_400;

/** With the transaction that each has served. Source: conventions §5.2, accounts §7. */
export class UsedKeyView {
  readonly #insert: Statement | undefined;
  readonly #delete: Statement | undefined;
  readonly #forget: Statement | undefined;
  readonly #select: Statement;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, access: "read" | "write") {
    if (access === "write") {
      this.#insert = database.prepare("INSERT OR IGNORE INTO used_key VALUES (?, ?, ?, ?)");
      this.#delete = database.prepare(
        "DELETE FROM used_key WHERE expiry = ? AND address = ? AND random = ?",
      );
      this.#forget = database.prepare(
        "DELETE FROM used_key WHERE (expiry, address, random) IN (SELECT expiry, address, random FROM used_key WHERE expiry < ? ORDER BY expiry LIMIT ?)",
      );
    }
    this.#select = database.prepare(
      "SELECT transaction_number FROM used_key WHERE expiry = ? AND address = ? AND random = ?",
    );
  }

  /** False if it has served before. */
  use(key: TemporaryKey, transactionNumber: number): boolean {
    const { changes } = this.#insert?.run(
      key.expiry,
      key.addressNumber,
      key.random,
      transactionNumber,
    ) ?? {
      changes: 0,
    };
    return changes === 1;
  }

  release(key: TemporaryKey): void {
    this.#delete?.run(key.expiry, key.addressNumber, key.random);
  }

  /** Undefined if not recognised at ledger time `at`. */
  usedBy(key: TemporaryKey, at: number): number | undefined {
    if (at > key.expiry + REPEAT_RECOGNISED_SECONDS) {
      return undefined;
    }
    const row = this.#select.get(key.expiry, key.addressNumber, key.random);
    return row?.["transaction_number"] as number | undefined;
  }

  /** Of keys that cannot be repeated at ledger time `at`. */
  forgetOld(at: number, count: number): void {
    this.#forget?.run(at - REPEAT_RECOGNISED_SECONDS, count);
  }
}
