import { createHash, type Hash } from "node:crypto";

/**
 * The events of a run, one line each, equal byte for byte in two runs of one seed. `A` to `C` are
 * nodes, `P` and `S` servers, `P#5` the fifth session at `P`. `>` is a message of a node, `<` its
 * response: a tag and a count for each statement, or `refused` with the SQLSTATE. `loses` is a
 * connection that ends by itself, `leaves` one that the node ends.
 */
export class Trace {
  readonly #nowMs: () => number;
  readonly #print: ((line: string) => void) | undefined;
  readonly #hash: Hash = createHash("sha256");
  #lines = 0;

  constructor(options: {
    readonly nowMs: () => number;
    /** Gets each line; without it, only the hash of all of them is kept. */
    readonly print?: ((line: string) => void) | undefined;
  }) {
    this.#nowMs = options.nowMs;
    this.#print = options.print;
  }

  /** Adds a line: the time in ms, the actor, and its action. */
  add(who: string, what: string): void {
    const line = `${this.#nowMs().toFixed(3).padStart(12)} ${who.padEnd(10)} ${what}`;
    this.#lines += 1;
    this.#hash.update(line).update("\n");
    this.#print?.(line);
  }

  get lines(): number {
    return this.#lines;
  }

  /** SHA-256 of all lines so far, hex. */
  digest(): string {
    return this.#hash.copy().digest("hex");
  }
}
