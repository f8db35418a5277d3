import { type LedgerReader, NEVER_TRADED } from "@moneta/ledger";
import {
  type AnyRead,
  block,
  blockRaw,
  checkpointConsistency,
  entryBundle,
  groupRead,
  orderTrade,
  parseTransactionId,
  Refused,
  search,
  TILE_WIDTH,
  tile,
  transaction,
  transactionProof,
} from "@moneta/protocol";
import { KEYS_RECOGNISED_SECONDS } from "../archive/snapshot-reader.ts";
import { Finding, shortened } from "../follower/finding.ts";
import { heldBlocks } from "../follower/served-block.ts";
import type { AuditContext } from "./audit-context.ts";
import { jsonDifference } from "./json-difference.ts";
import type { DrawnRead } from "./own-answers.ts";

/** What a node may refuse with 6013; also any list of a named block. Source: proofs §5.6, §6.8. */
const OF_BLOCKS: ReadonlySet<AnyRead> = new Set<AnyRead>([
  ...[block, blockRaw, transaction, transactionProof, groupRead, orderTrade, search],
  ...[tile, entryBundle, checkpointConsistency],
]);

/** Responses that a node need not give because it states that it lacks older blocks. */
export class OldBlocks {
  readonly #reader: LedgerReader;
  readonly #first: number;
  readonly #newest: number;
  readonly #oldest: number;
  /** In words; empty of a node that has all blocks. */
  readonly stated: string;

  private constructor(reader: LedgerReader, first: number, stated: string) {
    this.#reader = reader;
    this.#first = first;
    this.stated = stated;
    this.#oldest = reader.newest.header.timestamp - KEYS_RECOGNISED_SECONDS;
    const height = Math.min(first - 1, reader.height);
    const lacked = height < 1 ? undefined : reader.block({ height })?.header.timestamp;
    this.#newest = Math.min(lacked ?? Number.NEGATIVE_INFINITY, this.#oldest - 1);
  }

  /** Source: proofs §6.9. */
  static async of({
    client,
    replica,
  }: Pick<AuditContext, "client" | "replica">): Promise<OldBlocks> {
    const { first, archive } = await heldBlocks(client);
    const where = archive === undefined ? "" : `, and names an archive: ${shortened(archive)}`;
    const stated =
      first === 1 ? "" : `the node says that it lacks the blocks from 1 to ${first - 1}${where}`;
    return new OldBlocks(replica.read(), first, stated);
  }

  /** Throws a `Finding` if a needed block is missing. Source: proofs §5.4, §6.3. */
  assertHasRecent(): void {
    const header =
      this.#first > this.#reader.height
        ? undefined
        : this.#reader.block({ height: this.#first })?.header;
    if (this.#first > 1 && (header === undefined || header.timestamp >= this.#oldest)) {
      throw new Finding(
        `GET /: ${this.stated}, but nodes have the blocks of the last ${KEYS_RECOGNISED_SECONDS} s`,
      );
    }
  }

  /** Whether a node may refuse with 6013: it needs the block, and the response begins with an old one. */
  mayDecline(read: DrawnRead, computed: unknown): boolean {
    const { description, parameters } = read;
    if (!OF_BLOCKS.has(description) && parameters["block"] === undefined) {
      return false;
    }
    const leaf = decidingLeaf(read);
    const oldest =
      leaf === undefined
        ? (this.#newestTime(computed) ?? this.#newestTime(parameters) ?? this.#timeOf(parameters))
        : this.#reader.blockWithTransaction(leaf)?.header.timestamp;
    return this.#first > 1 && oldest !== undefined && oldest <= this.#newest;
  }

  lacks(height: number): boolean {
    return height < this.#first;
  }

  /** Lacks only old items; continues only with those of block 0. `next` is the copy's page. */
  mayEnd(
    { items: served, cursor }: { readonly items: readonly unknown[]; readonly cursor?: unknown },
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
      (cursor === undefined || more.length > 0) &&
      missing.every((item) => this.#isOld(item)) &&
      more.every((item) => this.#newestTime(item) === genesis)
    );
  }

  /**
   * Whether steps of time, such as totals, lack only some that begin with old blocks, or parts of
   * these: a step can have block 0, or the first of the other blocks, without those between.
   */
  mayLackSteps(served: readonly unknown[], computed: readonly unknown[]): boolean {
    const isOld = (step: unknown): boolean => timeAndCountOf(step)[0] <= this.#newest;
    const isPart = (step: unknown): boolean => {
      const [time, count] = timeAndCountOf(step);
      return computed.some((whole) => {
        const [wholeTime, wholeCount] = timeAndCountOf(whole);
        return (
          time === wholeTime && (count < wholeCount || jsonDifference(step, whole) === undefined)
        );
      });
    };
    return (
      this.#first > 1 &&
      served.filter(isOld).every(isPart) &&
      jsonDifference(
        served.filter((step) => !isOld(step)),
        computed.filter((step) => !isOld(step)),
      ) === undefined
    );
  }

  /** Whether listed tokens lack only last trades that are old. */
  mayLackTrades(served: readonly unknown[], computed: readonly unknown[]): boolean {
    // A node has those since its snapshot, also when it has been pruned since.
    const allowed = computed.map((token, at) => {
      const { price_date: date } = token as { readonly price_date: number };
      const isLacked = date <= this.#newest && jsonDifference(served[at], token) !== undefined;
      return isLacked ? { ...(token as object), ...NEVER_TRADED } : token;
    });
    return this.#first > 1 && jsonDifference(served, allowed) === undefined;
  }

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
    return newest !== undefined && newest <= this.#newest;
  }

  #timeOf({ block }: DrawnRead["parameters"]): number | undefined {
    const name = /^[0-9]{1,15}$/.test(block ?? "")
      ? { height: Number(block) }
      : { id: block ?? "" };
    return this.#reader.block(name)?.header.timestamp;
  }

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

/** When a step of totals or candles begins, and how much it counts. */
function timeAndCountOf(step: unknown): readonly [time: number, count: number] {
  const { time, count, trades }: Record<string, unknown> = { ...(step as object | null) };
  return [Number(time), Number(count ?? trades)];
}

/**
 * The leaf whose block decides whether a node may lack a response without times: nodes have the
 * hashes of a tile with a leaf that is not old, and of the higher levels. Source: proofs §5.3.
 */
function decidingLeaf({ description, parameters }: DrawnRead): number | undefined {
  if (description === checkpointConsistency) {
    return Number(parameters["from"]) - 1;
  }
  const name = tile.parameters.tile.read(parameters["tile"] ?? "", "tile");
  if (name instanceof Refused) {
    return undefined;
  }
  const first = name.index * TILE_WIDTH;
  if (description === entryBundle) {
    return first;
  }
  return description === tile && parameters["level"] === "0" ? first + TILE_WIDTH - 1 : undefined;
}
