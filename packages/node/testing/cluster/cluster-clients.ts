import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { RecordingClients } from "../answers/recording-clients.ts";
import {
  createWallet,
  fund,
  submit,
  type Transfer,
  temporaryKeys,
  type Wallet,
} from "../clients/wallet.ts";
import { lightFetch } from "../light-fetch.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { until } from "../until.ts";
import type { ClusterNode } from "./cluster-node.ts";

const FUNDS = 1_000_000n;
const BALLAST = "€".repeat(1900);
const PAUSE_MS = 100; // before a large transfer is repeated
const DONE_WITHIN_MS = 300_000;

/** Recording clients of a cluster, which begin and rest, and large transfers beside them. */
export class ClusterClients {
  readonly #nodes: readonly ClusterNode[];
  readonly #random: SeededRandom;
  readonly #recording: RecordingClients;
  readonly #wallets: readonly [Wallet, Wallet];
  /** Of large transfers that were done. */
  readonly #largeIds: string[] = [];
  #isAbandoned = false;
  #running: { isOver: boolean; failure: unknown; clients: Promise<void> } | undefined;

  private constructor(
    nodes: readonly ClusterNode[],
    random: SeededRandom,
    parts: { readonly recording: RecordingClients; readonly wallets: readonly [Wallet, Wallet] },
  ) {
    this.#nodes = nodes;
    this.#random = random;
    this.#recording = parts.recording;
    this.#wallets = parts.wallets;
  }

  /** The first node has the treasury's key. */
  static async prepare(
    nodes: readonly ClusterNode[],
    random: SeededRandom,
  ): Promise<ClusterClients> {
    const { url } = nodes[0] as ClusterNode;
    const size = { groups: 3, clients: 3, isCluster: true };
    const recording = await RecordingClients.prepare(url, random, size);
    const wallets = [await createWallet(url), await createWallet(url)] as const;
    await fund(url, wallets[0], FUNDS);
    return new ClusterClients(nodes, random, { recording, wallets });
  }

  get doneCount(): number {
    return this.#recording.doneCount;
  }

  /** See `RecordingClients`. */
  get laterAnswers(): ReadonlyMap<string, number> {
    return this.#recording.laterAnswers;
  }

  begin(): void {
    if (this.#running === undefined) {
      const running = { isOver: false, failure: undefined as unknown, clients: Promise.resolve() };
      const urls = this.#nodes.map(({ url }) => url);
      running.clients = this.#recording.run(urls, () => running.isOver);
      running.clients.catch((thrown: unknown) => {
        running.failure = thrown;
      });
      this.#running = running;
    }
  }

  async rest(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (running !== undefined) {
      running.isOver = true;
      await running.clients;
    }
  }

  abandon(): void {
    this.#isAbandoned = true;
    if (this.#running !== undefined) {
      this.#running.isOver = true;
    }
  }

  /** Waits until this many more writes are done; fails after two minutes. */
  async done(count: number): Promise<void> {
    const goal = this.doneCount + count;
    await this.#until(() => this.doneCount >= goal, "writes are done");
  }

  /** Waits until each of some nodes has done this many more writes; fails after two minutes. */
  async doneAt(nodes: readonly ClusterNode[], count: number): Promise<void> {
    const since = performance.now();
    for (const node of nodes) {
      await this.#until(
        () => this.#times(node).filter((ms) => ms >= since).length >= count,
        `node ${node.name} answers`,
      );
    }
  }

  /** The longest time since `sinceMs` (of `performance.now`) without a write done at a node, ms. */
  longestPause(node: ClusterNode, sinceMs: number): number {
    const times = this.#times(node)
      .filter((ms) => ms >= sinceMs)
      .toSorted((a, b) => a - b);
    const ends = [...times, performance.now()];
    return Math.max(...ends.map((end, index) => end - (times[index - 1] ?? sinceMs)));
  }

  /** So many transfers with long memos, to be sent. */
  async large({ url }: ClusterNode, count: number): Promise<readonly Transfer[]> {
    const [from, { address: to }] = this.#wallets;
    const keys: string[] = [];
    while (keys.length < count) {
      keys.push(...(await temporaryKeys(url, { address: from.address, count: 100 })));
    }
    return keys
      .slice(0, count)
      .map((checkkey) => ({ from, to, amount: 1n, checkkey, ballast: BALLAST }));
  }

  /** Sends large transfers to a node at the same time, then to others, until all are done. */
  async send(transfers: readonly Transfer[], node: ClusterNode): Promise<void> {
    const first = this.#nodes.indexOf(node);
    const settle = async (transfer: Transfer): Promise<void> => {
      for (let at = first, end = Date.now() + DONE_WITHIN_MS; !this.#isAbandoned; at += 1) {
        const { url } = this.#nodes[at % this.#nodes.length] as ClusterNode;
        const outcome = await submit(url, transfer);
        if (outcome.is === "accepted") {
          this.#largeIds.push(outcome.transactionId);
          return;
        }
        const isLater = outcome.is === "unanswered" || /^900[234]$/.test(outcome.code);
        assert.ok(isLater && Date.now() < end, JSON.stringify(outcome));
        await delay(PAUSE_MS);
      }
    };
    await Promise.all(transfers.map(settle));
  }

  /** With the clients at rest: an order of their requests explains all responses. */
  async check(): Promise<void> {
    const { url } = this.#random.pick(this.#nodes);
    await this.#recording.finish(url);
    this.#recording.assertExplained();
    for (const id of this.#largeIds) {
      assert.equal((await lightFetch(`${url}/transaction/${id}`)).status, 200, `lost: ${id}`);
    }
  }

  async #until(holds: () => boolean, what: string): Promise<void> {
    await until(() => {
      if (this.#running?.failure !== undefined) {
        throw this.#running.failure;
      }
      return holds();
    }, what);
  }

  #times({ url }: ClusterNode): readonly number[] {
    return this.#recording.doneAt(url);
  }
}
