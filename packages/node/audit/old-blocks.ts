import type { LedgerReader } from "@moneta/ledger";
import { parseTransactionId } from "@moneta/protocol";
import { KEYS_RECOGNISED_SECONDS } from "../archive/snapshot-reader.ts";
import { jsonDifference } from "./json-difference.ts";

/**
 * The responses that a node may omit because it does not have older blocks: those about blocks more
 * than two days before the newest one. Source: proofs §5.6, §6.8.
 */
export class OldBlocks {
  readonly #reader: LedgerReader;
  readonly #since: number;

  constructor(reader: LedgerReader) {
    this.#reader = reader;
    this.#since = reader.newest.header.timestamp - KEYS_RECOGNISED_SECONDS;
  }

  /** Whether a node may refuse a response of the copy: with 6013 if everything in it is older. */
  mayDecline(code: string, computed: unknown): boolean {
    const newest = this.#newestTime(computed);
    // The ids of groups and trades do not show a node that it had them.
    return newest === undefined ? code === "6013" : newest <= this.#since;
  }

  /**
   * Whether the items of a list lack only old ones of the copy's. Those of block 0 may follow.
   * `next` has the items of the copy's next page.
   */
  mayEnd(
    served: readonly unknown[],
    computed: readonly unknown[],
    next: readonly unknown[],
  ): boolean {
    const at = computed.findIndex(
      (item, index) => jsonDifference(served[index], item) !== undefined,
    );
    const missing = at === -1 ? next : computed.slice(at);
    const more = served.slice(at === -1 ? computed.length : at);
    const genesis = this.#reader.block({ height: 0 })?.header.timestamp;
    return (
      missing.length > 0 &&
      missing.every((item) => this.#isOld(item)) &&
      more.every((item) => this.#newestTime(item) === genesis)
    );
  }

  /** Whether a search lacks only old blocks and transactions that the copy finds. */
  mayNotFind(served: readonly unknown[], computed: readonly unknown[]): boolean {
    const left = computed.filter((item) => !this.#isOld(this.#placeOf(item)));
    return left.length < computed.length && jsonDifference(served, left) === undefined;
  }

  /** A result of a search, with the time of a block or the transactions of a group. */
  #placeOf(found: unknown): unknown {
    const { kind, id = "" } = found as { readonly kind?: string; readonly id?: string };
    switch (kind) {
      case "block":
        return this.#reader.block({ id })?.header ?? found;
      case "group":
        return this.#reader.groupTransactions(id) ?? found;
      default:
        return found;
    }
  }

  #isOld(item: unknown): boolean {
    const newest = this.#newestTime(item);
    return newest !== undefined && newest <= this.#since;
  }

  /** The newest time of a block in a response; undefined without any. */
  #newestTime(value: unknown, name = ""): number | undefined {
    if (typeof value === "object" && value !== null) {
      const times = Object.entries(value).flatMap(
        ([member, each]) => this.#newestTime(each, member) ?? [],
      );
      return times.length === 0 ? undefined : Math.max(...times);
    }
    if (name === "timestamp" && typeof value === "number") {
      return value;
    }
    const height = typeof value === "string" ? parseTransactionId(value)?.height : undefined;
    return height === undefined || height > this.#reader.height
      ? undefined
      : this.#reader.block({ height })?.header.timestamp;
  }
}
