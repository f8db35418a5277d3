import type { Address } from "@moneta/protocol";
import type { Database, Statement } from "../database.ts";

/** Addresses by their public key. Source: accounts §6. */
export class AddressView {
  readonly #byKey: Statement;

  constructor(database: Database) {
    this.#byKey = database.prepare(
      "SELECT address FROM address WHERE public_key = ? AND number > ? ORDER BY number LIMIT ?",
    );
  }

  /**
   * At most `limit` addresses of the key with this canonical body, oldest first, those with a
   * number above `afterNumber`.
   */
  withKey(publicKey: string, afterNumber: number, limit: number): Address[] {
    return this.#byKey.all(publicKey, afterNumber, limit).map((row) => row["address"] as Address);
  }
}
