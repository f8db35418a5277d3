import type { ClaimVerdict, SignaturePool } from "./signature-pool.ts";

/** A signature, and choices of which at most one was signed. */
export interface Search {
  /** Canonical body of the signer's public key. */
  readonly publicKey: string;
  readonly signature: string;
  /** Values of the unsent field, in the order in which they are tried. */
  readonly choices: readonly string[];
  readonly before: string;
  readonly after: string;
  /** Whether its client has disconnected. */
  readonly isAbandoned?: (() => boolean) | undefined;
}

interface Waiting extends Search {
  readonly client: string;
  readonly resolve: (verdict: ClaimVerdict | "refused") => void;
  readonly reject: (failure: unknown) => void;
}

interface Client {
  readonly waiting: Waiting[];
  cost: number;
  running: number;
}

/** Maximum of choices of a search. Source: tokens §6. */
const CHOICES_MAX = 64;
const RUNNING_PER_CLIENT_MAX = 2;
/**
 * Verifications in one message: up to 10 ms of a thread, so that other signatures come in between.
 */
const STEP = 8;
const DIGESTS = 3;

/**
 * Finds the signed choice: 64 tokens with 3 digests cost as much as 192 transfers. Searches use at
 * most half of the signature threads, and a client runs at most two. The others wait, and clients
 * take turns. Source: tokens §4, §6.
 */
export class SignatureSearches {
  readonly #pool: SignaturePool;
  readonly #runningMax: number;
  readonly #costMax: number;
  readonly #lengthMax: number;
  /** Clients with searches, in the order of their turns. */
  readonly #clients: Map<string, Client> = new Map();
  #running = 0;
  #cost = 0;
  #length = 0;
  #count = 0;
  #isClosed = false;

  constructor(
    pool: SignaturePool,
    options: {
      /** Maximum of choices of all searches, and of the length of their texts. */
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

  get cost(): number {
    return this.#cost;
  }

  /** Their memory, in characters. */
  get length(): number {
    return this.#length;
  }

  /**
   * Whether a client's search of the largest size would be refused. Called before the choices are
   * found, so that a refusal is cheap.
   */
  isFullFor(name: string): boolean {
    const own = (this.#clients.get(name)?.cost ?? 0) + CHOICES_MAX;
    return (
      this.#count > 0 &&
      this.#cost + CHOICES_MAX > this.#costMax &&
      [...this.#clients.values()].every(({ cost }) => cost <= own)
    );
  }

  /**
   * The choice that was signed. `refused` if too many searches wait, or to make room for a client
   * with fewer.
   */
  search(client: string, search: Search): Promise<ClaimVerdict | "refused"> {
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

  /** Refuses all waiting and later searches. */
  close(): void {
    this.#isClosed = true;
    for (const client of this.#clients.values()) {
      while (client.waiting.length > 0) {
        this.#refuseNewest(client);
      }
    }
  }

  /** Makes room at the cost of clients that have more waiting than this one, if that suffices. */
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

  /** Starts as many searches as may run, client by client. */
  #next(): void {
    while (this.#running < this.#runningMax) {
      const turn = this.#turn();
      if (turn === undefined) {
        return;
      }
      const [name, client] = turn;
      // The other clients are next.
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

  /** In steps of one digest: the signer's last one is tried with all choices before any other. */
  async #find({
    client,
    isAbandoned,
    publicKey,
    signature,
    choices,
    before,
    after,
  }: Waiting): Promise<ClaimVerdict> {
    const whose = { client, isAbandoned };
    const likely = this.#pool.digestOf(publicKey);
    for (let rank = 0; rank < DIGESTS; rank += 1) {
      for (let first = 0; first < choices.length; first += STEP) {
        const texts = choices.slice(first, first + STEP);
        const search = { before, after, likely, rank };
        const verdict = await this.#pool.check({ ...whose, publicKey, signature, texts, search });
        if (verdict !== "misfits") {
          return typeof verdict === "number" ? first + verdict : verdict;
        }
      }
    }
    return "misfits";
  }
}

/** The memory of a search, in characters. */
export function lengthOf({ choices, before, after }: Search): number {
  return choices.reduce((sum, choice) => sum + choice.length, before.length + after.length);
}
