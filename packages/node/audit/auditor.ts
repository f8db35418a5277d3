import { setTimeout as delay } from "node:timers/promises";
import { Finding, shortened } from "../follower/finding.ts";
import { followBlocks } from "../follower/follow-blocks.ts";
import { Declined, type TextAnswer, Unreachable } from "../follower/node-client.ts";
import { blockIdAt, newestBlock } from "../follower/served-block.ts";
import type { ServedCheckpoint } from "../follower/served-checkpoint.ts";
import { SettingProblem } from "../settings.ts";
import type { AuditContext } from "./audit-context.ts";
import { assertSameHistory, compareCheckpoint, fetchCheckpoint } from "./checkpoint-watch.ts";
import { compareRead, compareTiles } from "./compare-read.ts";
import { drawRead } from "./draw-read.ts";
import { OldBlocks } from "./old-blocks.ts";

/** In ms: each makes several requests, even without new blocks. */
const ROUND_EVERY_MS = 500;
const SAME_AGAIN_EVERY_MS = 10_000;
/** Pages whose URLs people copy from a browser or from the node's first lines. */
const PAGE_AT_END = /\/(explorer|wallet|status|docs)\/?$/;

/** Replays a node's blocks; checks checkpoints, leaf hashes and a sample of responses. */
export class Auditor {
  readonly #context: AuditContext;
  #checkpoint: ServedCheckpoint | undefined;
  #lacks = "";
  /** In this run or an earlier one. */
  #isLedger: boolean;

  constructor(context: AuditContext) {
    this.#context = context;
    const { replica, memory, url } = context;
    const hasHistory = replica.head.height >= 0 || memory.state.checkpoint !== undefined;
    this.#isLedger = hasHistory && memory.state.url === url;
  }

  summary(): string {
    const { replica, memory } = this.#context;
    const { height, size, id } = replica.head;
    const checkpoint =
      this.#checkpoint === undefined
        ? "the node signs no checkpoints"
        : `checkpoint of size ${this.#checkpoint.size} signed by ${memory.state.keys.join(", ")}`;
    return `valid: ${height + 1} blocks, ${size} transactions with their signatures, effects and hashes; ${memory.state.reads} other responses, a random sample; newest block ${height}, ${id}; ${checkpoint}${this.#lacks === "" ? "" : `; ${this.#lacks}`}`;
  }

  /** Throws `Finding`, `SettingProblem` without this ledger, and `Unreachable`: call again. */
  async follow(options: {
    readonly isLive: boolean;
    readonly onCaughtUp: () => void;
  }): Promise<void> {
    for (;;) {
      await this.#round();
      options.onCaughtUp();
      if (!options.isLive) {
        return;
      }
      await this.#nextRound();
    }
  }

  async #nextRound(): Promise<void> {
    const againAt = Date.now() + SAME_AGAIN_EVERY_MS;
    do {
      await delay(ROUND_EVERY_MS);
    } while (
      Date.now() < againAt &&
      (await this.#newestHeight(0)) <= this.#context.replica.head.height
    );
  }

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

  async #round(): Promise<void> {
    const { replica, memory } = this.#context;
    await this.#assertLedger();
    await this.#assertSameLedger();
    const checkpoint = await fetchCheckpoint(this.#context);
    if (checkpoint !== undefined) {
      await assertSameHistory(this.#context, checkpoint);
    }
    const height = await this.#newestHeight(Math.max(replica.head.height, checkpoint?.height ?? 0));
    if (replica.head.height >= 0) {
      await this.#assertSameHead();
    }
    await followBlocks(this.#context, height);
    // Includes findings of an earlier run.
    this.#context.onPage?.();
    if (checkpoint !== undefined) {
      await compareCheckpoint(this.#context, checkpoint);
    }
    await this.#compareSample();
    const { size } = replica.head;
    await compareTiles(this.#context, memory.state.leaves);
    memory.update({ leaves: Math.max(memory.state.leaves, size) });
    this.#checkpoint = checkpoint;
    const old = await OldBlocks.of(this.#context);
    old.assertHasRecent();
    this.#lacks = old.stated;
  }

  async #compareSample(): Promise<void> {
    const { memory, sample, progress } = this.#context;
    const show = progress("comparing responses", sample);
    for (let done = 0; done < sample; done += 1) {
      const read = await drawRead(this.#context, memory.state.leaves);
      if (read !== undefined) {
        await compareRead(this.#context, read);
      }
      show(done + 1);
    }
    memory.update({ reads: memory.state.reads + sample });
  }

  /** Throws `Unreachable` if it is below `heightMin`. */
  async #newestHeight(heightMin: number): Promise<number> {
    const { height } = await newestBlock(this.#context.client);
    if (height < heightMin) {
      throw new Unreachable(
        `GET /block: the newest block is ${height}, but the node has served or signed block ${heightMin}`,
      );
    }
    return height;
  }

  async #assertSameHead(): Promise<void> {
    const { client, replica, memory } = this.#context;
    const { height, id } = replica.head;
    const served = await blockIdAt(client, height);
    if (served !== id) {
      const now = `${shortened(served)} by GET /block/${height}`;
      throw new Finding(
        `the node has rewritten its history: block ${height} was ${id}, now ${now}`,
        [memory.state.checkpoint?.note ?? ""].filter((note) => note !== ""),
      );
    }
  }

  /** Only until a ledger has responded: otherwise serving a page would escape a finding. */
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
    const reported = answer instanceof Declined ? answer.message : pageOf(answer);
    if (reported !== undefined) {
      const [, page] = PAGE_AT_END.exec(new URL(url).pathname) ?? [];
      throw new SettingProblem(
        `${url}: something else than a ledger answers there (${reported})${page === undefined ? "" : `: leave out /${page}`}`,
      );
    }
    memory.update({ url });
    this.#isLedger = true;
  }

  async #assertSameLedger(): Promise<void> {
    const { client, replica } = this.#context;
    const own = replica.read().block({ height: 0 })?.id;
    if (own === undefined) {
      return;
    }
    const served = await blockIdAt(client, 0);
    if (served !== own) {
      throw new SettingProblem(
        `the directory holds the audit of the ledger ${own}, but block 0 of the node is ${shortened(served)}: either it is another ledger, which needs a --data of its own, or the node has replaced its whole history`,
      );
    }
  }
}

function pageOf({ headers }: TextAnswer): string | undefined {
  const isPage = /^text\/html\b/i.test(headers.get("content-type") ?? "");
  return isPage ? "GET /block: text/html" : undefined;
}
