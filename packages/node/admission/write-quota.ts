import type { Address, Fault } from "@moneta/protocol";

const HOUR_MS = 3_600_000;
/**
 * Maximum of clients and of actors remembered, about 15 MB each. Beyond it the least recent writers
 * are dropped.
 */
const KEYS_MAX = 100_000;

/** The writer of an operation. */
export interface Writer {
  /** As `clientOf` names it; undefined for the node itself. */
  readonly client: string | undefined;
  /** Each of them writes the whole operation; none for operations without a signature. */
  readonly signers: readonly Address[];
}

/**
 * Limits the bytes of operations that each client and each actor writes, so that nobody fills the
 * disk for free. Counts belong to this node and are lost at a restart.
 */
export class WriteQuota {
  readonly #clients: Allowance;
  readonly #actors: Allowance;

  /** 0 means no limit. `clockMs` is monotonic. */
  constructor(options: {
    readonly clientBytesPerHour: number;
    readonly actorBytesPerHour: number;
    readonly clockMs?: () => number;
  }) {
    const { clientBytesPerHour, actorBytesPerHour, clockMs = () => performance.now() } = options;
    this.#clients = new Allowance(clientBytesPerHour, clockMs);
    this.#actors = new Allowance(actorBytesPerHour, clockMs);
  }

  /** Refuses a client that has used up its quota, before its request costs anything. */
  check(client: string | undefined): Fault | undefined {
    return this.#clients.check(client, 1, "client");
  }

  /** Takes the bytes of an operation from the quotas, or returns why it must wait. */
  take(bytes: number, writer: Writer): Fault | undefined {
    let fault = this.#clients.check(writer.client, bytes, "client");
    for (const signer of writer.signers) {
      fault ??= this.#actors.check(signer, bytes, "actor");
    }
    if (fault === undefined) {
      this.#add(bytes, writer);
    }
    return fault;
  }

  /** Gives back the bytes of an operation that was not written. */
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

/** A leaky bucket for each key: it holds one hour's bytes and refills within an hour. */
class Allowance {
  readonly #max: number;
  readonly #clockMs: () => number;
  /** Least recent writers first. */
  readonly #used: Map<string, { readonly bytes: number; readonly atMs: number }> = new Map();

  constructor(bytesPerHour: number, clockMs: () => number) {
    this.#max = bytesPerHour;
    this.#clockMs = clockMs;
  }

  /** An operation of any size fits into an unused bucket. */
  check(key: string | undefined, bytes: number, who: string): Fault | undefined {
    const used = this.#usedBy(key);
    const excess = used + Math.min(bytes, this.#max) - this.#max;
    if (used === 0 || excess <= 0) {
      return undefined;
    }
    const retryAfter = Math.ceil((excess * HOUR_MS) / this.#max / 1000);
    return { code: "9001", retryAfter, limit: `${this.#max} bytes an hour from one ${who}` };
  }

  add(key: string | undefined, bytes: number): void {
    if (key === undefined || this.#max === 0) {
      return;
    }
    const used = Math.max(0, this.#usedBy(key) + bytes);
    this.#used.delete(key);
    if (used > 0) {
      this.#used.set(key, { bytes: used, atMs: this.#clockMs() });
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
      : Math.max(0, used.bytes - ((this.#clockMs() - used.atMs) * this.#max) / HOUR_MS);
  }
}
