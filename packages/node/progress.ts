/** Shows how far long work has come: a bar that grows on a terminal, a line now and then elsewhere. Written to stderr. */
export class Progress {
  readonly #what: string;
  readonly #total: number;
  readonly #started: number = Date.now();
  #shownAt = 0;
  #isComplete = false;

  constructor(what: string, total: number) {
    this.#what = what;
    this.#total = total;
  }

  /** `done` of the total. */
  show(done: number): void {
    if (this.#isComplete) {
      return;
    }
    this.#isComplete = done >= this.#total;
    const now = Date.now();
    const isTerminal = process.stderr.isTTY === true;
    if (now - this.#shownAt < (isTerminal ? 100 : 5000) && !this.#isComplete) {
      return;
    }
    this.#shownAt = now;
    const part = this.#total === 0 ? 1 : done / this.#total;
    const seconds = (now - this.#started) / 1000;
    const left = part > 0 ? Math.ceil(seconds / part - seconds) : 0;
    const numbers = `${done} of ${this.#total}, ${Math.floor(part * 100)} %, ${left} s left`;
    if (isTerminal) {
      const width = 30;
      const filled = Math.round(part * width);
      process.stderr.write(
        `\r${this.#what} [${"#".repeat(filled)}${" ".repeat(width - filled)}] ${numbers}\u001b[K${done >= this.#total ? "\n" : ""}`,
      );
    } else {
      process.stderr.write(`${this.#what}: ${numbers}\n`);
    }
  }
}
