import { createHash, type Hash } from "node:crypto";

/**
 * Events of a run, equal byte for byte in two runs of one seed. `A` to `C` are nodes, `P` and `S`
 * servers, `P#5` the fifth session at `P`. `>` is a node's message, `<` its response: tag and count
 * of each statement, or `refused` with the SQLSTATE. `loses`: a connection ends by itself,
 * `leaves`: by the node.
 */
export class Trace {
  readonly #nowMs: () => number;
  readonly #print: ((line: string) => void) | undefined;
  readonly #hash: Hash = createHash("sha256");
  #lines = 0;

  constructor(options: {
    readonly nowMs: () => number;
    /** Without it, only the hash of all lines is kept. */
    readonly print?: ((line: string) => void) | undefined;
  }) {
    this.#nowMs = options.nowMs;
    this.#print = options.print;
  }

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
