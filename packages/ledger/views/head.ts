import type { Database, Statement } from "../database.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS head (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    height INTEGER NOT NULL,
    id TEXT NOT NULL,
    timestamp INTEGER NOT NULL,
    size INTEGER NOT NULL,
    frontier BLOB NOT NULL
  ) STRICT;
`;

const HASH_BYTES = 32;

/** Progress of state and views: the newest block, and the frontier of the ledger tree. */
export interface Head {
  readonly height: number;
  readonly id: string;
  readonly timestamp: number;
  /** Leaves of the ledger tree. */
  readonly size: number;
  readonly frontier: readonly Uint8Array[];
}

export class HeadView {
  readonly #select: Statement;
  readonly #replace: Statement | undefined;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, access: "read" | "write") {
    this.#select = database.prepare("SELECT * FROM head");
    this.#replace =
      access === "write"
        ? database.prepare("INSERT OR REPLACE INTO head VALUES (1, ?, ?, ?, ?, ?)")
        : undefined;
  }

  /** Undefined before block 0. */
  get(): Head | undefined {
    const row = this.#select.get();
    return (
      row && {
        height: row["height"] as number,
        id: row["id"] as string,
        timestamp: row["timestamp"] as number,
        size: row["size"] as number,
        frontier: hashesOf(row["frontier"] as Uint8Array),
      }
    );
  }

  put({ height, id, timestamp, size, frontier }: Head): void {
    this.#replace?.run(height, id, timestamp, size, Buffer.concat(frontier));
  }
}

function hashesOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, index) =>
    bytes.slice(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  );
}
