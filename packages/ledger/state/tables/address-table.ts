import { type Address, canonicalJson } from "@moneta/protocol";
import type { Database, Row, Statements } from "../../database.ts";
import { ADDRESS, type AddressEntry, addressKey } from "../entries.ts";
import type { EarlierEntries } from "./earlier-entries.ts";

/**
 * Addresses are integers, so that rows of balances are short and sorted by creation. They never
 * change. Source: chain §5.
 */
export class AddressTable {
  readonly #statements: Statements;
  readonly #earlier: EarlierEntries;

  static create(database: Database): void {
    database.exec(`
      CREATE TABLE IF NOT EXISTS address (
        number INTEGER PRIMARY KEY,
        address TEXT NOT NULL UNIQUE,
        public_key TEXT NOT NULL,
        addinfo TEXT NOT NULL,
        create_date INTEGER NOT NULL,
        signed TEXT NOT NULL,
        transaction_number INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX IF NOT EXISTS address_by_key ON address (public_key);
    `);
  }

  constructor(statements: Statements, earlier: EarlierEntries) {
    this.#statements = statements;
    this.#earlier = earlier;
  }

  *entries(): Generator<readonly [key: string, text: string]> {
    for (const row of this.#statements.prepare("SELECT * FROM address").iterate()) {
      const entry = addressIn(row);
      if (this.#isThere(entry)) {
        yield [addressKey(entry.address), canonicalJson(ADDRESS.json(entry))];
      }
    }
  }

  get(address: string): AddressEntry | undefined {
    const row = this.#statements.prepare("SELECT * FROM address WHERE address = ?").get(address);
    const entry = row && addressIn(row);
    return entry !== undefined && this.#isThere(entry) ? entry : undefined;
  }

  #isThere({ transactionNumber }: AddressEntry): boolean {
    const { past } = this.#earlier;
    return past === undefined || transactionNumber < past.size;
  }

  /** From the index of addresses alone, unless as of an earlier block. */
  numberOf(address: Address): number | undefined {
    if (this.#earlier.past !== undefined) {
      return this.get(address)?.number;
    }
    const row = this.#statements
      .prepare("SELECT number FROM address WHERE address = ?")
      .get(address);
    return row?.["number"] as number | undefined;
  }

  numbered(number: number): Address | undefined {
    const row = this.#statements
      .prepare("SELECT address FROM address WHERE number = ?")
      .get(number);
    return row?.["address"] as Address | undefined;
  }

  insert(entry: AddressEntry): void {
    this.#statements
      .prepare("INSERT INTO address VALUES (?, ?, ?, ?, ?, ?, ?)")
      .run(
        entry.number,
        entry.address,
        entry.publickey,
        entry.addinfo,
        entry.createdate,
        entry.signed,
        entry.transactionNumber,
      );
  }
}

function addressIn(row: Row): AddressEntry {
  return {
    address: row["address"] as Address,
    number: row["number"] as number,
    publickey: row["public_key"] as string,
    addinfo: row["addinfo"] as string,
    createdate: row["create_date"] as number,
    signed: row["signed"] as "full" | "",
    transactionNumber: row["transaction_number"] as number,
  };
}
