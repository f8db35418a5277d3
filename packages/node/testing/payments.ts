import assert from "node:assert/strict";
import { createWallet, fund, temporaryKeys, type Wallet } from "./clients/wallet.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { SentTransfer } from "./sent-transfer.ts";

const CLIENTS = 12;
/** Characters of a memo, at most: transfers fill the log of changes faster with it. */
const BALLAST = 1900;

/** A few addresses that pay one another, and record the responses. */
export class Payments {
  /** Transfers with the status 200, with 503 and not repeated, and without a final response. */
  readonly accepted: SentTransfer[] = [];
  readonly refused: Set<SentTransfer> = new Set();
  readonly unsettled: SentTransfer[] = [];
  readonly #note: (text: string) => void;
  readonly #random: SeededRandom;
  #wallets: readonly Wallet[] = [];
  /**
   * Temporary keys of the payer from earlier responses: requests without reads let blocks wait in
   * the log.
   */
  #keys: string[] = [];

  constructor(note: (text: string) => void, random: SeededRandom) {
    this.#note = note;
    this.#random = random;
  }

  /**
   * Sends this number of transfers, and repeats those without a final response; fewer if the node
   * ends. Returns whether all have a response.
   */
  async pay(url: string, count: number): Promise<boolean> {
    try {
      const wallets = await Promise.all([createWallet(url), createWallet(url)]);
      await Promise.all(wallets.map((wallet) => fund(url, wallet, 1_000_000n)));
      this.#wallets = wallets;
      this.#keys = [];
    } catch {
      return false; // the fault has come already
    }
    const toRepeat = this.unsettled.splice(0);
    let left = count;
    const client = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const sent = toRepeat.pop() ?? (await this.#next(url));
        if (sent === undefined || !(await this.#send(url, sent))) {
          left = 0;
        }
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    return this.unsettled.length === 0;
  }

  async #next(url: string): Promise<SentTransfer | undefined> {
    const [from, to] = this.#wallets as [Wallet, Wallet];
    const checkkey =
      this.#keys.pop() ?? (await temporaryKeys(url, { address: from.address, count: 1 }))[0];
    const ballast = "x".repeat(this.#random.integer({ min: 0, max: BALLAST }));
    return checkkey === undefined
      ? undefined
      : new SentTransfer({ from, to: to.address, amount: 1n, checkkey, ballast });
  }

  async #send(url: string, sent: SentTransfer): Promise<boolean> {
    const { checkkey } = sent.transfer;
    this.refused.delete(sent);
    this.#note(`sends ${checkkey}`);
    const outcome = await sent.send(url);
    switch (outcome.is) {
      case "accepted":
        this.accepted.push(sent);
        if (outcome.nextKey !== undefined && sent.transfer.from === this.#wallets[0]) {
          this.#keys.push(outcome.nextKey);
        }
        this.#note(`accepted ${outcome.transactionId}`);
        return true;
      case "refused":
        assert.equal(outcome.code, "9002", outcome.detail);
        this.refused.add(sent);
        this.#note(`refused ${checkkey}`);
        return true;
      case "unanswered":
        this.unsettled.push(sent);
        return false;
    }
  }
}
