import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { createWallet, fund, temporaryKeys, type Wallet } from "../clients/wallet.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { SentTransfer } from "../sent-transfer.ts";
import type { ClusterNode } from "./cluster-node.ts";

/** More than a client can spend in a test. */
const FUNDS = 1_000_000_000n;
/** Between two transfers of a client, and before one is repeated, ms. */
const PAUSE_MS = { next: 120, repeat: 100 } as const;
const BALLAST = "€".repeat(1900);
const SETTLED_WITHIN_MS = 300_000;
/** Of the transfers that are certainly not done, one in so many is given up. */
const GIVES_UP_ONE_IN = 4;

/**
 * Clients of a cluster, each with a preferred node and books of its own. They repeat requests
 * without a final response at the next node, with the same temporary key.
 */
export class ClusterClients {
  readonly sent: SentTransfer[] = [];
  readonly ofOthers: SentTransfer[] = [];
  /** The number of each of these codes, and of missing responses. */
  readonly refusals: Map<string, number> = new Map();
  readonly #nodes: readonly ClusterNode[];
  readonly #random: SeededRandom;
  readonly #wallets: readonly Wallet[];
  readonly #keys: Map<Wallet, string[]> = new Map();
  readonly #acceptedMs: Map<string, number[]> = new Map();
  #accepted = 0;
  #isAbandoned = false;
  /** Why a client has given up: an impossible response. */
  #failure: unknown;
  #running: { isOver: boolean; readonly clients: Promise<unknown> } | undefined;

  private constructor(
    nodes: readonly ClusterNode[],
    wallets: readonly Wallet[],
    random: SeededRandom,
  ) {
    this.#nodes = nodes;
    this.#wallets = wallets;
    this.#random = random;
  }

  /** `count` of them at each node; the first node has the treasury's key. */
  static async prepare(
    nodes: readonly ClusterNode[],
    random: SeededRandom,
    count = 2,
  ): Promise<ClusterClients> {
    const url = (nodes[0] as ClusterNode).url;
    const make = async (): Promise<Wallet> => {
      const wallet = await createWallet(url);
      await fund(url, wallet, FUNDS);
      return wallet;
    };
    const wallets = await Promise.all(Array.from({ length: count * nodes.length }, make));
    return new ClusterClients(nodes, wallets, random);
  }

  get accepted(): number {
    return this.#accepted;
  }

  begin(): void {
    if (this.#running !== undefined) {
      return;
    }
    const running = { isOver: false, clients: Promise.resolve() as Promise<unknown> };
    this.#running = running;
    const clients = Promise.all(
      this.#wallets.map((wallet, index) => this.#run(wallet, index, () => running.isOver)),
    );
    clients.catch((thrown: unknown) => {
      this.#failure = thrown;
    });
    this.#running = Object.assign(running, { clients });
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

  /** Waits until this many more have the status 200; fails after `withinMs`. */
  async done(count: number, withinMs = 120_000): Promise<void> {
    const goal = this.#accepted + count;
    for (const end = Date.now() + withinMs; this.#accepted < goal; await this.#moment()) {
      assert.ok(Date.now() < end, `only ${this.#accepted} of ${goal} transfers were answered 200`);
    }
  }

  /** Waits until each of some nodes has acknowledged this many more; fails after `withinMs`. */
  async doneAt(nodes: readonly ClusterNode[], count: number, withinMs = 120_000): Promise<void> {
    const since = Date.now();
    for (const node of nodes) {
      while (this.#answers(node).filter((ms) => ms >= since).length < count) {
        assert.ok(Date.now() < since + withinMs, `node ${node.name} does not answer`);
        await this.#moment();
      }
    }
  }

  /** The longest time since `sinceMs` (Unix) without a 200 of a node, ms. */
  longestPause(node: ClusterNode, sinceMs: number): number {
    const times = this.#answers(node).filter((ms) => ms >= sinceMs);
    const ends = [...times, Date.now()];
    return Math.max(...ends.map((end, index) => end - (times[index - 1] ?? sinceMs)));
  }

  /** Notes so many transfers with long memos, which are to be sent. */
  async large({ url }: ClusterNode, count: number): Promise<readonly SentTransfer[]> {
    const [from, to] = this.#wallets as [Wallet, Wallet];
    const keys: string[] = [];
    while (keys.length < count) {
      keys.push(...(await temporaryKeys(url, { address: from.address, count: 100 })));
    }
    const large = keys
      .slice(0, count)
      .map((checkkey) => ({ from, to: to.address, amount: 1n, checkkey, ballast: BALLAST }))
      .map((transfer) => new SentTransfer(transfer));
    this.sent.push(...large);
    return large;
  }

  /** Sends transfers to a node at the same time; resolves once they are settled. */
  async send(transfers: readonly SentTransfer[], node: ClusterNode): Promise<void> {
    const at = this.#nodes.indexOf(node);
    await Promise.all(transfers.map((sent) => this.#settle(sent, at)));
  }

  /** Repeats some acknowledged transfers, at any node: the response is the first one. */
  async repeatSome(count: number): Promise<void> {
    const accepted = this.sent.filter(({ outcome }) => outcome?.is === "accepted");
    for (let index = 0; index < Math.min(count, accepted.length); index += 1) {
      const sent = this.#random.pick(accepted);
      const first = sent.outcome;
      let again = await sent.send(this.#random.pick(this.#nodes).url);
      for (const end = Date.now() + SETTLED_WITHIN_MS; sent.isUnsettled && Date.now() < end; ) {
        await delay(PAUSE_MS.repeat);
        again = await sent.send(this.#random.pick(this.#nodes).url);
      }
      assert.ok(first?.is === "accepted" && again.is === "accepted", JSON.stringify(again));
      assert.equal(again.transactionId, first.transactionId);
    }
  }

  async #moment(): Promise<void> {
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    await delay(10);
  }

  #answers({ name }: ClusterNode): readonly number[] {
    return this.#acceptedMs.get(name) ?? [];
  }

  async #run(wallet: Wallet, index: number, isOver: () => boolean): Promise<void> {
    const preferred = index % this.#nodes.length;
    const to = (this.#wallets[(index + 1) % this.#wallets.length] as Wallet).address;
    while (!isOver()) {
      const checkkey = await this.#key(wallet, preferred, isOver);
      if (checkkey === undefined) {
        return;
      }
      const amount = BigInt(this.#random.integer({ min: 1, max: 1000 }));
      const sent = new SentTransfer({ from: wallet, to, amount, checkkey });
      this.sent.push(sent);
      await this.#settle(sent, preferred);
      await delay(PAUSE_MS.next);
    }
  }

  /** Sends until the response is final, at one node after the other; sometimes gives up. */
  async #settle(sent: SentTransfer, preferred: number): Promise<void> {
    for (let at = preferred, end = Date.now() + SETTLED_WITHIN_MS; Date.now() < end; at += 1) {
      const node = this.#nodes[at % this.#nodes.length] as ClusterNode;
      const outcome = await sent.send(node.url);
      if (outcome.is === "accepted") {
        this.#note(node, sent, outcome.nextKey);
        return;
      }
      const what = outcome.is === "refused" ? outcome.code : "unanswered";
      this.refusals.set(what, (this.refusals.get(what) ?? 0) + 1);
      assert.ok(sent.isUnsettled, `${node.name}: ${JSON.stringify(outcome)}`);
      if (this.#isAbandoned) {
        return;
      }
      if (
        sent.isKnownToHaveFailed &&
        this.#random.integer({ min: 1, max: GIVES_UP_ONE_IN }) === 1
      ) {
        return;
      }
      await delay(PAUSE_MS.repeat);
    }
    assert.fail(`no node answers finally, at last ${JSON.stringify(sent.outcome)}`);
  }

  #note({ name }: ClusterNode, { transfer }: SentTransfer, nextKey: string | undefined): void {
    this.#accepted += 1;
    this.#acceptedMs.set(name, [...(this.#acceptedMs.get(name) ?? []), Date.now()]);
    if (nextKey !== undefined) {
      this.#keys.set(transfer.from, [...(this.#keys.get(transfer.from) ?? []), nextKey]);
    }
  }

  /** An unused key; undefined if the clients are to rest before there is one. */
  async #key(
    wallet: Wallet,
    preferred: number,
    isOver: () => boolean,
  ): Promise<string | undefined> {
    const left = this.#keys.get(wallet)?.pop();
    if (left !== undefined) {
      return left;
    }
    for (let at = preferred; !isOver(); at += 1) {
      const { url } = this.#nodes[at % this.#nodes.length] as ClusterNode;
      try {
        const response = await fetch(`${url}/nonce/${wallet.address}?count=5`);
        if (response.status === 200) {
          const [first, ...more] = (await response.json()) as string[];
          this.#keys.set(wallet, more);
          return first;
        }
        assert.equal(response.status, 503, await response.text());
      } catch (thrown) {
        if (!(thrown instanceof TypeError)) {
          throw thrown;
        }
      }
      await delay(PAUSE_MS.repeat);
    }
    return undefined;
  }
}
