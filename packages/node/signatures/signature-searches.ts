import type { SignatureVerdict } from "@moneta/ledger";
import type { SignaturePool } from "./signature-pool.ts";

/** A signature, and the choices of which it may mean one. */
export interface Search {
  /** Canonical body of the signer's public key. */
  readonly publicKey: string;
  readonly signature: string;
  /** Values of the field that was not sent, in the order in which they are tried. */
  readonly choices: readonly string[];
  /** What stands before and after it in the signed string. */
  readonly before: string;
  readonly after: string;
}

interface Waiting extends Search {
  readonly client: string;
  readonly resolve: (verdict: SignatureVerdict | "refused") => void;
  readonly reject: (failure: unknown) => void;
}

interface Client {
  readonly waiting: Waiting[];
  /** Choices of those that wait. */
  cost: number;
  running: number;
}

/** Choices that a signature may decide between. Source: tokens §6. */
const CHOICES_MAX = 64;
const RUNNING_PER_CLIENT_MAX = 2;
/** Verifications in one message: up to 10 ms of a thread, so that other signatures have their turn in between. */
const STEP = 8;
const DIGESTS = 3;

/**
 * Finds what a signature is for where the request does not say it: 64 tokens with 3 digests cost as much as 192 transfers. All searches together use at most half of the
 * signature threads at a time, a client at most two searches. The others wait, and clients take turns, whatever address their requests name. Source: tokens §4, §6.
 */
export class SignatureSearches {
  readonly #pool: SignaturePool;
  readonly #runningMax: number;
  readonly #costMax: number;
  readonly #lengthMax: number;
  /** Clients with searches, by whose turn is next. */
  readonly #clients: Map<string, Client> = new Map();
  #running = 0;
  #cost = 0;
  #length = 0;
  #count = 0;
  #isClosed = false;

  constructor(
    pool: SignaturePool,
    options: {
      /** Choices of all searches that run or wait, and the length of their texts. */
      readonly costMax: number;
      readonly lengthMax: number;
    },
  ) {
    this.#pool = pool;
    this.#runningMax = Math.max(1, Math.floor(pool.threadCount / 2));
    this.#costMax = options.costMax;
    this.#lengthMax = options.lengthMax;
  }

  /** Searches that run or wait. */
  get count(): number {
    return this.#count;
  }

  /** Choices that they have between them. */
  get cost(): number {
    return this.#cost;
  }

  /** Memory that they take, in characters. */
  get length(): number {
    return this.#length;
  }

  /**
   * Whether a search of a client, of as many choices as there may be, would be refused. Asked before the choices are found, so that a refused request costs as little
   * as any other.
   */
  isFullFor(name: string): boolean {
    const own = (this.#clients.get(name)?.cost ?? 0) + CHOICES_MAX;
    return (
      this.#count > 0 &&
      this.#cost + CHOICES_MAX > this.#costMax &&
      [...this.#clients.values()].every(({ cost }) => cost <= own)
    );
  }

  /** Which choice a client's signature fits; `refused` if too many searches wait, or it makes room for a client with fewer. */
  search(client: string, search: Search): Promise<SignatureVerdict | "refused"> {
    if (this.#isClosed || !this.#hasRoom(client, search)) {
      return Promise.resolve("refused");
    }
    return new Promise((resolve, reject) => {
      const own = this.#clients.get(client) ?? { waiting: [], cost: 0, running: 0 };
      this.#clients.set(client, own);
      own.waiting.push({ ...search, client, resolve, reject });
      own.cost += search.choices.length;
      this.#count += 1;
      this.#cost += search.choices.length;
      this.#length += lengthOf(search);
      this.#next();
    });
  }

  /** Refuses what waits, and whatever comes. */
  close(): void {
    this.#isClosed = true;
    for (const client of this.#clients.values()) {
      while (client.waiting.length > 0) {
        this.#refuseNewest(client);
      }
    }
  }

  /** Makes room, if it takes no more than what clients have waiting that have more than this one. */
  #hasRoom(name: string, search: Search): boolean {
    for (;;) {
      const cost = this.#cost + search.choices.length;
      const length = this.#length + lengthOf(search);
      if (this.#count === 0 || (cost <= this.#costMax && length <= this.#lengthMax)) {
        return true;
      }
      const own = (this.#clients.get(name)?.cost ?? 0) + search.choices.length;
      let most: Client | undefined;
      for (const client of this.#clients.values()) {
        if (client.cost > (most?.cost ?? own)) {
          most = client;
        }
      }
      if (most === undefined) {
        return false;
      }
      this.#refuseNewest(most);
    }
  }

  #refuseNewest(client: Client): void {
    const search = client.waiting.pop() as Waiting;
    client.cost -= search.choices.length;
    this.#forget(search);
    search.resolve("refused");
  }

  #forget(search: Waiting): void {
    this.#count -= 1;
    this.#cost -= search.choices.length;
    this.#length -= lengthOf(search);
    const client = this.#clients.get(search.client);
    if (client?.waiting.length === 0 && client.running === 0) {
      this.#clients.delete(search.client);
    }
  }

  /** Starts as many searches as may run, one of each client in turn. */
  #next(): void {
    while (this.#running < this.#runningMax) {
      const turn = this.#turn();
      if (turn === undefined) {
        return;
      }
      const [name, client] = turn;
      // The next turn is that of the others.
      this.#clients.delete(name);
      this.#clients.set(name, client);
      const search = client.waiting.shift() as Waiting;
      client.cost -= search.choices.length;
      void this.#run(search, client);
    }
  }

  #turn(): [string, Client] | undefined {
    for (const [name, client] of this.#clients) {
      if (client.waiting.length > 0 && client.running < RUNNING_PER_CLIENT_MAX) {
        return [name, client];
      }
    }
    return undefined;
  }

  async #run(search: Waiting, client: Client): Promise<void> {
    this.#running += 1;
    client.running += 1;
    try {
      search.resolve(await this.#find(search));
    } catch (thrown) {
      search.reject(thrown);
    }
    this.#running -= 1;
    client.running -= 1;
    this.#forget(search);
    this.#next();
  }

  /** In steps, each with one digest: the one that the signer last used goes through all choices before any other. */
  async #find({ publicKey, signature, choices, before, after }: Search): Promise<SignatureVerdict> {
    const likely = this.#pool.digestOf(publicKey);
    for (let rank = 0; rank < DIGESTS; rank += 1) {
      for (let first = 0; first < choices.length; first += STEP) {
        const texts = choices.slice(first, first + STEP);
        const search = { before, after, likely, rank };
        const verdict = await this.#pool.check({ publicKey, signature, texts, search });
        if (verdict !== "misfits") {
          return typeof verdict === "number" ? first + verdict : verdict;
        }
      }
    }
    return "misfits";
  }
}

/** Memory that a search takes, in characters. */
export function lengthOf({ choices, before, after }: Search): number {
  return choices.reduce((sum, choice) => sum + choice.length, before.length + after.length);
}
