import { setImmediate as nextTurn } from "node:timers/promises";
import { invariant } from "@moneta/ledger";
import type { Block } from "@moneta/protocol";
import type { ReadingPerTurn } from "../../reading-per-turn.ts";

/** Time and characters of a piece: 256 large operations at once would take seconds. */
const TOGETHER_MS = 5;
const LENGTH_TOGETHER = 1 << 20;

/**
 * Makes the leaf texts of bundles. Only their hashes are stored, so every operation and record is
 * hashed again, in pieces that yield to others. One bundle at a time, because each holds a block in
 * memory.
 */
export class EntryBundles {
  readonly #reading: ReadingPerTurn["reading"];
  #last: Promise<unknown> = Promise.resolve();

  constructor(reading: ReadingPerTurn["reading"]) {
    this.#reading = reading;
  }

  /** Leaf texts of the transactions `from` to before `to`, which exist. Source: chain §4.4. */
  leafTexts(from: number, to: number): Promise<readonly string[]> {
    const texts = this.#last.then(() => this.#make(from, to));
    this.#last = texts.catch(() => undefined);
    return texts;
  }

  async #make(from: number, to: number): Promise<readonly string[]> {
    const texts: string[] = [];
    let block: Block | undefined;
    let beganMs = performance.now();
    let length = 0;
    for (let number = from; number < to; number = from + texts.length) {
      const reader = this.#reading();
      if (block === undefined || number >= block.header.size) {
        block = reader.blockHolding(number);
      }
      invariant(block !== undefined, "the transactions of a bundle are there");
      const piece = reader.leafTextsOf(block, { from: number, to, lengthMax: LENGTH_TOGETHER });
      texts.push(...piece.texts);
      length += piece.length;
      // Reading a block takes time as well, even for a small part of it.
      if (length >= LENGTH_TOGETHER || performance.now() - beganMs >= TOGETHER_MS) {
        await nextTurn();
        beganMs = performance.now();
        length = 0;
      }
    }
    return texts;
  }
}
