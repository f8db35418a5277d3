const TERMINAL_EVERY_MS = 100;
const LOG_EVERY_MS = 5000;
const BAR_WIDTH = 30;

const MIB = 2 ** 20;

/** For work that reports its total with each step. */
export function progressOf(what: string): (done: number, total: number) => void {
  let progress: Progress | undefined;
  return (done, total) => {
    progress ??= new Progress(what, total);
    progress.show(done);
  };
}

/** Shown in MiB; each call adds the bytes that are done. */
export function progressOfBytes(what: string, total: number): (bytes: number) => void {
  const progress = new Progress(`${what}, MiB`, Math.ceil(total / MIB));
  let done = 0;
  return (bytes) => {
    done += bytes;
    progress.show(Math.ceil(done / MIB));
  };
}

/** On stderr: a bar on a terminal, occasional lines elsewhere. */
export class Progress {
  readonly #what: string;
  readonly #total: number;
  readonly #started: number = Date.now();
  #shownAt: number = Date.now();
  #isShown = false;
  #isComplete = false;

  constructor(what: string, total: number) {
    this.#what = what;
    this.#total = total;
  }

  /** Short work shows nothing. */
  show(done: number): void {
    if (this.#isComplete) {
      return;
    }
    this.#isComplete = done >= this.#total;
    const isTerminal = process.stderr.isTTY === true;
    const now = Date.now();
    const isDue = now - this.#shownAt >= (isTerminal ? TERMINAL_EVERY_MS : LOG_EVERY_MS);
    if (!isDue && !(this.#isComplete && this.#isShown)) {
      return;
    }
    this.#shownAt = now;
    this.#isShown = true;
    const text = this.#text(done, now);
    process.stderr.write(
      isTerminal ? `\r${text}\u001b[K${this.#isComplete ? "\n" : ""}` : `${text}\n`,
    );
  }

  #text(done: number, now: number): string {
    const part = this.#total === 0 ? 1 : done / this.#total;
    const seconds = (now - this.#started) / 1000;
    const left = part > 0 ? Math.ceil(seconds / part - seconds) : 0;
    const filled = Math.round(part * BAR_WIDTH);
    const bar = "#".repeat(filled).padEnd(BAR_WIDTH);
    return `${this.#what} [${bar}] ${done} of ${this.#total}, ${Math.floor(part * 100)} %, ${left} s left`;
  }
}
