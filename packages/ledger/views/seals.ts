import type { Database } from "../database.ts";
import { SEAL, type SealState } from "../state/seal-entry.ts";
import { NewestFirst, type Page } from "./newest-first.ts";

const STATES: readonly SealState[] = ["closed", "open"];

/** Lists sealed texts. Source: protocols §6. */
export class SealView {
  readonly #pages: NewestFirst;

  constructor(database: Database) {
    this.#pages = new NewestFirst(database);
  }

  /** A page of those that pass all the filters that are given. */
  list({
    ownerNumber,
    state,
    before,
    limit,
  }: {
    readonly ownerNumber: number | undefined;
    readonly state: SealState | undefined;
    readonly before: number | undefined;
    readonly limit: number;
  }): Page {
    const columns = {
      ...(ownerNumber === undefined ? {} : { owner: [ownerNumber] }),
      state: state === undefined ? STATES : [state],
    };
    return this.#pages.pageShown({ table: SEAL.table, columns, before, limit }, (text) =>
      JSON.stringify(SEAL.json(SEAL.restore(JSON.parse(text)))),
    );
  }
}
