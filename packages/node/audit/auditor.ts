import { setTimeout as delay } from "node:timers/promises";
import { SettingProblem } from "../settings.ts";
import type { AuditContext } from "./audit-context.ts";
import {
  assertSameHistory,
  compareCheckpoint,
  fetchCheckpoint,
  type ServedCheckpoint,
} from "./checkpoint-watch.ts";
import { compareAddresses } from "./compare-addresses.ts";
import { compareBlock, compareBlocks } from "./compare-blocks.ts";
import { compareProofs } from "./compare-proofs.ts";
import { compareRecords } from "./compare-records.ts";
import { compareTiles } from "./compare-tiles.ts";
import { Finding, shortened } from "./finding.ts";
import { followBlocks } from "./follow-blocks.ts";
import { Declined, type TextAnswer, Unreachable } from "./node-client.ts";

/** The shortest time between two rounds, ms: each makes several requests, however little is new. */
const ROUND_EVERY_MS = 500;
/** How often a node without new blocks has its history checked again, ms. */
const SAME_AGAIN_EVERY_MS = 10_000;
/** Pages whose URLs people copy from a browser, or from what a node prints at its start. */
const PAGE_AT_END = /\/(explorer|wallet|status|docs)\/?$/;

/** Follows a node from outside, and compares all that it serves with its own replayed copy. */
export class Auditor {
  readonly #context: AuditContext;
  #checkpoint: ServedCheckpoint | undefined;
  #askedAt = 0;
  /** Whether a ledger has ever answered at this URL, in this run or an earlier one. */
  #isLedger: boolean;

  constructor(context: AuditContext) {
    this.#context = context;
    const { replica, memory, url } = context;
    const hasHistory = replica.head.height >= 0 || memory.state.checkpoint !== undefined;
    this.#isLedger = hasHistory && memory.state.url === url;
  }

  /** Records compared, earlier runs included. */
  get compared(): number {
    return this.#context.memory.state.records;
  }

  /** A line about what has been checked so far. */
  summary(): string {
    const { replica, memory } = this.#context;
    const { height, size, id } = replica.head;
    const checkpoint =
      this.#checkpoint === undefined
        ? "the node signs no checkpoints"
        : `checkpoint of size ${this.#checkpoint.size} signed by ${memory.state.keys.join(", ")}`;
    return `valid: ${height + 1} blocks, ${size} transactions with their signatures, records and proofs; newest block ${height}, ${id}; ${checkpoint}`;
  }

  /**
   * Follows the node: without `live` to its end, with it until the stream breaks off. Throws
   * `Finding` where an answer cannot be right, `SettingProblem` if there is no ledger or another
   * one, `Unreachable` where no answer comes; then a new call resumes.
   */
  async follow(options: {
    readonly isLive: boolean;
    readonly onCaughtUp: () => void;
  }): Promise<void> {
    await this.#round(0);
    await compareRecords(this.#context, {
      behind: async (height) => {
        await delay(Math.max(0, this.#askedAt + ROUND_EVERY_MS - Date.now()));
        await this.#round(height);
      },
      height: async () => {
        if (Date.now() - this.#askedAt >= SAME_AGAIN_EVERY_MS) {
          await this.#round(0);
        }
      },
      caughtUp: () => {
        options.onCaughtUp();
        return options.isLive ? "more" : "enough";
      },
    });
  }

  /** Throws a `Finding` if the node has fewer blocks than it served before. */
  async assertNothingLost(): Promise<void> {
    const { replica } = this.#context;
    const height = await this.#newestHeight(0);
    const { height: own, id } = replica.head;
    if (height < own) {
      throw new Finding(
        `the node has lost blocks: its newest is ${height}, but it has served block ${own} (${id}) before`,
      );
    }
  }

  /**
   * Brings the copy up to the node's newest block, at least to `heightMin`, and compares blocks, tree
   * and addresses. `isRest` leaves out the addresses, with which it might never end.
   */
  async #round(heightMin: number, isRest = false): Promise<void> {
    const { replica, memory } = this.#context;
    await this.#assertLedger();
    await this.#assertSameLedger();
    const checkpoint = await fetchCheckpoint(this.#context);
    if (checkpoint !== undefined) {
      await assertSameHistory(this.#context, checkpoint);
    }
    const height = await this.#newestHeight(
      Math.max(heightMin, replica.head.height, checkpoint?.height ?? 0),
    );
    if (replica.head.height >= 0) {
      await this.#assertSameHead();
    }
    await followBlocks(this.#context, height);
    if (checkpoint !== undefined) {
      await compareCheckpoint(this.#context, checkpoint);
    }
    await compareBlocks(this.#context);
    // Not the checkpoint's: a node may show an old one for ever.
    const { size } = replica.head;
    const from = memory.state.leaves;
    // Tiles first: they name the one wrong hash, while all proofs around it fail.
    await compareTiles(this.#context, size);
    await compareProofs(this.#context, { from, to: size }, size);
    if (from < size && !isRest) {
      await compareAddresses(this.#context, size);
    }
    memory.update({ leaves: Math.max(from, size) });
    this.#checkpoint = checkpoint;
    this.#askedAt = Date.now();
    if (replica.head.size > size && !isRest) {
      // Answers about addresses were of newer blocks.
      await this.#round(replica.head.height, true);
    }
  }

  /**
   * The number of the node's newest block. Throws `Unreachable` if it is below what the node is
   * known to have.
   */
  async #newestHeight(heightMin: number): Promise<number> {
    const { text } = await this.#context.client.text("/block");
    if (!/^(0|[1-9][0-9]{0,14})$/.test(text)) {
      throw new Finding(`GET /block: no number of a block: ${shortened(text)}`);
    }
    if (Number(text) < heightMin) {
      throw new Unreachable(
        `GET /block: the newest block is ${text}, but the node has served or signed block ${heightMin}`,
      );
    }
    return Number(text);
  }

  /** Throws a `Finding` if the newest block that the node served before has changed. */
  async #assertSameHead(): Promise<void> {
    const { client, replica, memory } = this.#context;
    const { height, id } = replica.head;
    const served = (await client.json(`/block/${height}`)) as { readonly id?: unknown } | null;
    if (served?.id !== id) {
      const now = `${shortened(served?.id)} by GET /block/${height}`;
      throw new Finding(
        `the node has rewritten its history: block ${height} was ${id}, now ${now}`,
        [memory.state.checkpoint?.note ?? ""].filter((note) => note !== ""),
      );
    }
    await compareBlock(this.#context, height);
  }

  /**
   * Refuses a URL at which something else answers. Only until a ledger has answered there:
   * otherwise a node could escape a finding by serving a page.
   */
  async #assertLedger(): Promise<void> {
    if (this.#isLedger) {
      return;
    }
    const { client, memory, url } = this.#context;
    const answer = await client.text("/block").catch((thrown: unknown) => {
      if (thrown instanceof Declined) {
        return thrown;
      }
      throw thrown;
    });
    const said = answer instanceof Declined ? answer.message : pageOf(answer);
    if (said !== undefined) {
      const [, page] = PAGE_AT_END.exec(new URL(url).pathname) ?? [];
      throw new SettingProblem(
        `${url}: something else than a ledger answers there (${said})${page === undefined ? "" : `: leave out /${page}`}`,
      );
    }
    memory.update({ url });
    this.#isLedger = true;
  }

  /** Refuses a node of another ledger than the directory's. */
  async #assertSameLedger(): Promise<void> {
    const { client, replica } = this.#context;
    const own = replica.read().block({ height: 0 })?.id;
    if (own === undefined) {
      return;
    }
    const served = (await client.json("/block/0")) as { readonly id?: unknown } | null;
    if (served?.id !== own) {
      throw new SettingProblem(
        `the directory holds the audit of the ledger ${own}, but block 0 of the node is ${shortened(served?.id)}: either it is another ledger, which needs a --data of its own, or the node has replaced its whole history`,
      );
    }
  }
}

/** What is wrong with an answer to `GET /block` that is a page for people; undefined otherwise. */
function pageOf({ headers }: TextAnswer): string | undefined {
  const isPage = /^text\/html\b/i.test(headers.get("content-type") ?? "");
  return isPage ? "GET /block: text/html" : undefined;
}
