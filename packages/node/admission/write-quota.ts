import type { Address, Fault } from "@moneta/protocol";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** About 15 MB each of clients and actors. */
const KEYS_MAX = 100_000;

export interface Writer {
  readonly client: string | undefined;
  /** Each of them is charged for the whole operation; none for unsigned operations. */
  readonly signers: readonly Address[];
}

/**
 * Bounds written bytes and wrong signatures, so that no client fills the disk for free. Lost at a
 * restart.
 */
export class WriteQuota {
  readonly #clients: Allowance;
  readonly #actors: Allowance;
  readonly #wrong: Allowance;

  /** 0 means no limit. `clockMs` is monotonic. */
  constructor(options: {
    readonly clientBytesPerHour: number;
    readonly actorBytesPerHour: number;
    readonly wrongSignaturesPerMinute: number;
    readonly clockMs?: () => number;
  }) {
    const { clockMs = () => performance.now() } = options;
    const allowance = (max: number, periodMs: number, what: string): Allowance =>
      new Allowance({ max, periodMs, limit: `${max} ${what}`, clockMs });
    const { clientBytesPerHour, actorBytesPerHour, wrongSignaturesPerMinute } = options;
    this.#clients = allowance(clientBytesPerHour, HOUR_MS, "bytes an hour from one client");
    this.#actors = allowance(actorBytesPerHour, HOUR_MS, "bytes an hour from one actor");
    this.#wrong = allowance(
      wrongSignaturesPerMinute,
      MINUTE_MS,
      "wrong signatures a minute from one client",
    );
  }

  check(client: string | undefined): Fault | undefined {
    return this.#clients.check(client, 1);
  }

  checkSignatures(client: string | undefined): Fault | undefined {
    return this.#wrong.check(client, 1);
  }

  noteWrong(client: string | undefined, texts: number): void {
    this.#wrong.add(client, texts);
  }

  take(bytes: number, writer: Writer): Fault | undefined {
    let fault = this.#clients.check(writer.client, bytes);
    for (const signer of writer.signers) {
      fault ??= this.#actors.check(signer, bytes);
    }
    if (fault === undefined) {
      this.#add(bytes, writer);
    }
    return fault;
  }

  giveBack(bytes: number, writer: Writer): void {
    this.#add(-bytes, writer);
  }

  #add(bytes: number, { client, signers }: Writer): void {
    this.#clients.add(client, bytes);
    for (const signer of signers) {
      this.#actors.add(signer, bytes);
    }
  }
}

/** A leaky bucket for each key: it holds the allowance of one period. */
class Allowance {
  readonly #max: number;
  readonly #periodMs: number;
  readonly #limit: string;
  readonly #clockMs: () => number;
  readonly #used: Map<string, { readonly amount: number; readonly atMs: number }> = new Map();

  constructor(options: {
    readonly max: number;
    readonly periodMs: number;
    readonly limit: string;
    readonly clockMs: () => number;
  }) {
    this.#max = options.max;
    this.#periodMs = options.periodMs;
    this.#limit = options.limit;
    this.#clockMs = options.clockMs;
  }

  /** Any amount fits into an unused bucket. */
  check(key: string | undefined, amount: number): Fault | undefined {
    const used = this.#usedBy(key);
    const excess = used + Math.min(amount, this.#max) - this.#max;
    if (excess <= 0) {
      return undefined;
    }
    const retryAfter = Math.ceil((excess * this.#periodMs) / this.#max / 1000);
    return { code: "9001", retryAfter, limit: this.#limit };
  }

  add(key: string | undefined, amount: number): void {
    if (key === undefined || this.#max === 0) {
      return;
    }
    const used = Math.max(0, this.#usedBy(key) + amount);
    this.#used.delete(key);
    if (used > 0) {
      this.#used.set(key, { amount: used, atMs: this.#clockMs() });
    }
    if (this.#used.size > KEYS_MAX) {
      const [longest] = this.#used.keys();
      this.#used.delete(longest as string);
    }
  }

  #usedBy(key: string | undefined): number {
    const used = key === undefined || this.#max === 0 ? undefined : this.#used.get(key);
    return used === undefined
      ? 0
      : Math.max(0, used.amount - ((this.#clockMs() - used.atMs) * this.#max) / this.#periodMs);
  }
}
