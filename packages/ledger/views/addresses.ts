import type { Address } from "@moneta/protocol";
import type { Database, Statement } from "../database.ts";
import { indexName } from "../state/entries.ts";
import { KEY_SET, KEY_USE } from "../state/key-set-entry.ts";

/** By one page: some addresses have other keys now. */
const LOOKED_MAX = 1000;

export interface AddressPage {
  readonly addresses: readonly Address[];
  readonly last: Address | undefined;
}

interface Found {
  readonly address: Address;
  readonly number: number;
}

/** Addresses by their only public key. Source: accounts §6, authority §1.5. */
export class AddressView {
  readonly #created: Statement;
  readonly #changed: Statement;

  constructor(database: Database) {
    this.#created = database.prepare(
      `SELECT address, number, EXISTS (SELECT 1 FROM ${KEY_SET.table.name} WHERE key = '${KEY_SET.prefix}' || address) AS is_changed
       FROM address WHERE public_key = ? AND number > ? ORDER BY number LIMIT ?`,
    );
    this.#changed = database.prepare(
      `SELECT a.address, a.number FROM ${KEY_USE.table.name} u
         INDEXED BY ${indexName(KEY_USE.table, ["public_key", "sole", "address"])}
         JOIN address a ON a.number = u.address
       WHERE u.public_key = ? AND u.sole = 1 AND u.address > ? ORDER BY u.address LIMIT ?`,
    );
  }

  /**
   * Without recovery, with a number above `afterNumber`. It may read some that have other keys now.
   */
  withKey(publicKey: string, afterNumber: number, limit: number): AddressPage {
    const looked = Math.max(limit, LOOKED_MAX);
    const created = this.#created.all(
      publicKey,
      afterNumber,
      looked,
    ) as unknown as readonly (Found & {
      readonly is_changed: number;
    })[];
    const changed = this.#changed.all(publicKey, afterNumber, limit) as unknown as readonly Found[];
    // More addresses may have been created for the key after the last one that was read.
    const end = created.length < looked ? undefined : created.at(-1);
    const found = [...created.filter(({ is_changed: isChanged }) => isChanged === 0), ...changed]
      .filter(({ number }) => end === undefined || number <= end.number)
      .toSorted((a, b) => a.number - b.number);
    const page = found.slice(0, limit).map(({ address }) => address);
    return { addresses: page, last: page.length === limit ? page.at(-1) : end?.address };
  }
}
