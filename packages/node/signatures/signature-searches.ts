import type { ClaimVerdict, SignaturePool } from "./signature-pool.ts";

/** At most one of the choices was signed. */
export interface Search {
  readonly publicKey: string;
  readonly signature: string;
  /** Values of the unsent field, in the order in which they are tried. */
  readonly choices: readonly string[];
  readonly before: string;
  readonly after: string;
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

/** Source: tokens §6. */
const CHOICES_MAX = 64;
const RUNNING_PER_CLIENT_MAX = 2;
/** Up to 10 ms of a thread, so that other signatures come in between. */
const STEP = 8;
const DIGESTS = 3;

/** As costly as 192 transfers: they use at most half of the threads. Source: tokens §4, §6. */
export class SignatureSearches {
  readonly #pool: SignaturePool;
  readonly #runningMax: number;
  readonly #costMax: number;
  readonly #lengthMax: number;
  readonly #clients: Map<string, Client> = new Map();
  #running = 0;
  #cost = 0;
  #length = 0;
  #count = 0;
  #isClosed = false;

  constructor(
    pool: SignaturePool,
    options: {
      readonly costMax: number;
      readonly lengthMax: number;
    },
  ) {
    this.#pool = pool;
    this.#runningMax = Math.max(1, Math.floor(pool.threadCount / 2));
    this.#costMax = options.costMax;
    this.#lengthMax = options.lengthMax;
  }

  get count(): number {
    return this.#count;
  }

  get cost(): number {
    return this.#cost;
  }

  /** In characters. */
  get length(): number {
    return this.#length;
  }

  /** For the largest search. Called before choices are found, so that a refusal is cheap. */
  isFullFor(name: string): boolean {
    const own = (this.#clients.get(name)?.cost ?? 0) + CHOICES_MAX;
    return (
      this.#count > 0 &&
      this.#cost + CHOICES_MAX > this.#costMax &&
      [...this.#clients.values()].every(({ cost }) => cost <= own)
    );
  }

  /** `refused` if too many wait, or to make room for a client with fewer. */
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

  close(): void {
    this.#isClosed = true;
    for (const client of this.#clients.values()) {
      while (client.waiting.length > 0) {
        this.#refuseNewest(client);
      }
    }
  }

  /** At the cost of clients that have more waiting, if that suffices. */
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

  #next(): void {
    while (this.#running < this.#runningMax) {
      const turn = this.#turn();
      if (turn === undefined) {
        return;
      }
      const [name, client] = turn;
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

  /** In steps of one digest: the signer's last one first, with all choices. */
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

/** In characters. */
export function lengthOf({ choices, before, after }: Search): number {
  return choices.reduce((sum, choice) => sum + choice.length, before.length + after.length);
}
