import { setImmediate as nextTurn } from "node:timers/promises";
import { invariant } from "@moneta/ledger";
import type { Block } from "@moneta/protocol";
import type { ReadingPerTurn } from "../reading-per-turn.ts";

/** So long, and for about so many characters, nobody else is answered: 256 large operations would take seconds. */
const TOGETHER_MS = 5;
const LENGTH_TOGETHER = 1 << 20;

/**
 * Makes the texts of leaves that a bundle consists of. Stored are only their hashes, so every operation and record is hashed again: in pieces, between which others are
 * answered. One bundle is made at a time, because a block waits in memory meanwhile.
 */
export class EntryBundles {
  readonly #reading: ReadingPerTurn["reading"];
  #last: Promise<unknown> = Promise.resolve();

  constructor(reading: ReadingPerTurn["reading"]) {
    this.#reading = reading;
  }

  /** Leaf texts of the transactions from one running number to before another, all of which there are. Source: chain §4.4. */
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
      // Reading blocks takes time, too, of which a transaction may be a small part.
      if (length >= LENGTH_TOGETHER || performance.now() - beganMs >= TOGETHER_MS) {
        await nextTurn();
        beganMs = performance.now();
        length = 0;
      }
    }
    return texts;
  }
}
