import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { SeededRandom } from "../seeded-random.ts";
import { ClientGroup, type GroupOptions } from "./client-group.ts";
import { isLater, type Target } from "./group-requests.ts";
import { type Attempt, unexplained } from "./ledger-model.ts";

/** After a refusal to be repeated later, and between two requests to a cluster. */
const PAUSE_MS = { later: 100, cluster: 60 } as const;

/** Of a client's turns, in percent; the rest are reads. */
const TURNS = { pay: 35, bundle: 10, open: 3, item: 20, again: 5 } as const;
/**
 * In each period, clients first only write, then read and write: without reads, a node may publish
 * blocks later than it acknowledges them.
 */
const PHASES_MS = { all: 700, writes: 500 } as const;
/** Of writes, in percent: sent twice at once; sent at once with another one of the same key. */
const WAYS = { twice: 8, rival: 8 } as const;
/** In percent: those that are repeated after a restart; turns that repeat one at some node of a cluster. */
const REPEATED = 70;
const REPEATED_AT_OTHERS = 10;
/** Requests to a cluster that name a block, in percent. */
const KNOWS_BLOCK = 70;

/**
 * Concurrent clients of one node, or of the nodes of a cluster, which record requests and
 * responses. Addresses deal only with others of their group, so each group is explained by itself.
 * A client sends one or two requests at a time.
 */
export class RecordingClients {
  readonly groups: readonly ClientGroup[];
  readonly #clients: readonly Client[];
  readonly #isCluster: boolean;

  private constructor(
    groups: readonly ClientGroup[],
    clients: readonly Client[],
    { isCluster }: { readonly isCluster: boolean },
  ) {
    this.groups = groups;
    this.#clients = clients;
    this.#isCluster = isCluster;
  }

  /**
   * Makes addresses with coins, and items. The node must have the faucet. In a cluster, reads may
   * lag unless the client names the block that it has seen, and clients continue when a node does
   * not respond.
   */
  static async prepare(
    url: string,
    random: SeededRandom,
    {
      groups,
      clients,
      isCluster = false,
      ...options
    }: {
      readonly groups: number;
      readonly clients: number;
      readonly isCluster?: boolean;
    } & GroupOptions,
  ): Promise<RecordingClients> {
    const made = await Promise.all(
      Array.from({ length: groups }, () => ClientGroup.make(url, random, options)),
    );
    return new RecordingClients(
      made,
      made.flatMap((group, index) =>
        Array.from(
          { length: clients },
          (_, n) => new Client(`${index}.${n}`, { group, random, isCluster }),
        ),
      ),
      { isCluster },
    );
  }

  get doneCount(): number {
    return this.groups.reduce((sum, { done }) => sum + done.length, 0);
  }

  /** Responses to writes that were not final, by their codes; those without any are `unanswered`. */
  get laterAnswers(): ReadonlyMap<string, number> {
    const later = this.#attempts.filter(
      ({ sent, answer }) => "wish" in sent && (answer === undefined || isLater(answer)),
    );
    const byCode = Map.groupBy(later, ({ answer }) =>
      answer?.is === "refused" ? answer.code : "unanswered",
    );
    return new Map([...byCode].map(([code, all]) => [code, all.length]));
  }

  /** Whether the last 16 writes of each group were refused, to be sent again later. */
  get areWritesRefused(): boolean {
    return this.groups.every(({ attempts }) => {
      const writes = attempts.slice(-100).filter(({ sent }) => "wish" in sent);
      return writes.length >= 16 && writes.slice(-16).every(({ answer }) => isLater(answer));
    });
  }

  /** When writes at a node were done, in the time of `performance.now`. */
  doneAt(url: string): readonly number[] {
    return this.#attempts
      .filter((attempt) => attempt.url === url && attempt.answer?.is === "done")
      .map(({ end }) => end);
  }

  summary(): string {
    const answers = Map.groupBy(this.#attempts, ({ sent, answer }) => {
      const what = answer?.is === "refused" ? answer.code : (answer?.is ?? "unanswered");
      return `${"wish" in sent ? sent.wish.kind : sent.kind} ${what}`;
    });
    const counts = [...answers].map(([what, all]) => `${what}: ${all.length}`);
    return `${this.#attempts.length} requests: ${counts.sort().join(", ")}`;
  }

  /**
   * Sends to the nodes until `isOver`, or until a single node does not respond. Begins with repeats
   * of most writes without a final response.
   */
  async run(urls: readonly string[], isOver: () => boolean = () => false): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.run(urls, isOver)));
  }

  /** Repeats writes without a final response, and reads everything. */
  async finish(url: string): Promise<void> {
    const newest = Math.max(...this.#attempts.map(({ height = 0 }) => height));
    await Promise.all(this.groups.map((group) => group.finish({ url, newest })));
  }

  /** Fails unless some order explains all responses. After `finish` only. */
  assertExplained(): void {
    for (const [index, group] of this.groups.entries()) {
      const why = unexplained(group.attempts, group.world, {
        isComplete: true,
        mayLag: this.#isCluster,
      });
      assert.ok(why === undefined, `group ${index}: ${why}`);
    }
    if (!this.#isCluster) {
      assertHeightsGrow(this.#attempts);
    }
  }

  get #attempts(): readonly Attempt[] {
    return this.groups.flatMap((group) => group.attempts);
  }
}

/**
 * A response to a later request is from the same block or a later one. Source: conventions §2.3.
 */
function assertHeightsGrow(attempts: readonly Attempt[]): void {
  const answered = attempts.filter(({ height }) => height !== undefined);
  const byEnd = answered.toSorted((a, b) => a.end - b.end);
  let [next, newest] = [0, -1];
  for (const { begin, height = 0, client } of answered.toSorted((a, b) => a.begin - b.begin)) {
    for (; (byEnd[next]?.end ?? Number.POSITIVE_INFINITY) < begin; next += 1) {
      newest = Math.max(newest, byEnd[next]?.height ?? 0);
    }
    assert.ok(height >= newest, `${client} was shown block ${height} after block ${newest}`);
  }
}

class Client {
  readonly #name: string;
  readonly #group: ClientGroup;
  readonly #random: SeededRandom;
  readonly #isCluster: boolean;
  #newest = 0;

  constructor(
    name: string,
    parts: {
      readonly group: ClientGroup;
      readonly random: SeededRandom;
      readonly isCluster: boolean;
    },
  ) {
    this.#name = name;
    this.#group = parts.group;
    this.#random = parts.random;
    this.#isCluster = parts.isCluster;
  }

  async run(urls: readonly string[], isOver: () => boolean): Promise<void> {
    const group = this.#group;
    const left = [...group.open].filter(() => this.#happens(REPEATED));
    while (!isOver()) {
      const isOld = this.#isCluster && this.#happens(REPEATED_AT_OTHERS) && group.open.size > 0;
      const repeated = left.pop() ?? (isOld ? this.#random.pick([...group.open]) : undefined);
      const attempts = await (repeated === undefined
        ? this.#turn(urls)
        : Promise.all([group.send(this.#name, this.#target(urls), repeated)]));
      const isUnanswered = attempts.some(({ end }) => end === Number.POSITIVE_INFINITY);
      if (!this.#isCluster && (attempts.length === 0 || isUnanswered)) {
        return;
      }
      this.#newest = Math.max(this.#newest, ...attempts.map(({ height = 0 }) => height));
      const isAllLater = attempts.every(({ answer }) => answer === undefined || isLater(answer));
      if (isAllLater || this.#isCluster) {
        await delay(isAllLater ? PAUSE_MS.later : PAUSE_MS.cluster);
      }
    }
  }

  /** Some node; in a cluster, often with the newest block that this client has seen. */
  #target(urls: readonly string[]): Target {
    const url = this.#random.pick(urls);
    return this.#isCluster && this.#happens(KNOWS_BLOCK) ? { url, newest: this.#newest } : { url };
  }

  async #turn(urls: readonly string[]): Promise<readonly Attempt[]> {
    const group = this.#group;
    const target = this.#target(urls);
    const bounds = {
      bundle: TURNS.pay + TURNS.bundle,
      open: TURNS.pay + TURNS.bundle + TURNS.open,
    };
    const writes = bounds.open + TURNS.item + TURNS.again;
    const isWriting = performance.now() % PHASES_MS.all < PHASES_MS.writes;
    const turn = this.#random.integer({ min: 1, max: isWriting ? writes : 100 });
    if (turn > writes) {
      return [await group.read(this.#name, target, group.someRead())];
    }
    if (turn > bounds.open + TURNS.item) {
      const { write } = group.done.length > 0 ? this.#random.pick(group.done) : {};
      return [
        write === undefined
          ? await group.read(this.#name, target, group.someRead())
          : await group.send(this.#name, target, write),
      ];
    }
    const kind =
      turn <= TURNS.pay
        ? "pay"
        : turn <= bounds.bundle
          ? "bundle"
          : turn <= bounds.open
            ? "open"
            : "item";
    const write = await group.someWrite(target.url, kind);
    if (write === undefined) {
      return [];
    }
    const other = this.#happens(WAYS.twice)
      ? write
      : this.#happens(WAYS.rival) && write.wish.kind !== "open"
        ? await group.rivalOf(target.url, write)
        : undefined;
    const sent = other === undefined ? [write] : [write, other];
    return Promise.all(sent.map((each) => group.send(this.#name, this.#target(urls), each)));
  }

  #happens(percent: number): boolean {
    return this.#random.integer({ min: 1, max: 100 }) <= percent;
  }
}
