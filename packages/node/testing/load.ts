import assert from "node:assert/strict";
import { createWallet, fund, type Outcome, temporaryKeys, type Wallet } from "./clients/wallet.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { SentTransfer } from "./sent-transfer.ts";

const WALLETS = 20;
const IN_FLIGHT = 48;
const FUNDS = 1_000_000_000n; // per wallet; more than it can spend in one run
const TOO_MUCH = 10n ** 12n; // more than all wallets have together

/** Many simultaneous clients, which send new transfers and sometimes repeat an unanswered one. */
export class Load {
  readonly sent: SentTransfer[] = [];
  unansweredCount = 0;
  readonly #wallets: readonly Wallet[];
  readonly #random: SeededRandom;
  readonly #keys: Map<Wallet, string[]>;

  private constructor(wallets: readonly Wallet[], random: SeededRandom) {
    this.#wallets = wallets;
    this.#random = random;
    this.#keys = new Map(wallets.map((wallet) => [wallet, []]));
  }

  /** Makes the wallets and gives them coins. */
  static async prepare(url: string, random: SeededRandom): Promise<Load> {
    const make = async (): Promise<Wallet> => {
      const wallet = await createWallet(url);
      await fund(url, wallet, FUNDS);
      return wallet;
    };
    return new Load(await Promise.all(Array.from({ length: WALLETS }, make)), random);
  }

  /** The temporary keys of all payable transfers: in the end each has been paid, once. */
  affordableKeys(): Set<string> {
    const affordable = this.sent.filter(({ transfer }) => transfer.amount < TOO_MUCH);
    return new Set(affordable.map(({ transfer }) => transfer.checkkey));
  }

  /** Sends until the service is gone. */
  async run(url: string): Promise<void> {
    const toRetry = this.sent.filter((sent) => sent.isUnsettled);
    const client = async (): Promise<void> => {
      for (;;) {
        const isRetry = this.#happens({ percent: 10 });
        const sent = (isRetry ? toRetry.pop() : undefined) ?? (await this.#newTransfer(url));
        if (sent === undefined || (await this.#send(url, sent)).is === "unanswered") {
          return;
        }
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, client));
  }

  /** Repeats, with its key and a new signature, each transfer without a final answer. */
  async settle(url: string): Promise<void> {
    let unsettled = this.sent.filter((sent) => sent.isUnsettled);
    while (unsettled.length > 0) {
      await Promise.all(unsettled.map((sent) => this.#send(url, sent)));
      unsettled = unsettled.filter((sent) => sent.isUnsettled);
    }
  }

  /** Repeats some accepted by processes killed since: the answer must be the first one. */
  async repeatAccepted(url: string): Promise<void> {
    const accepted = this.sent.filter(({ outcome }) => outcome?.is === "accepted");
    const some = Array.from({ length: 300 }, () => this.#random.pick(accepted));
    await Promise.all(
      [...new Set(some)].map(async (sent) => {
        const first = sent.outcome;
        const again = await sent.send(url);
        assert.ok(first?.is === "accepted" && again.is === "accepted", JSON.stringify(again));
        assert.equal(again.transactionId, first.transactionId);
      }),
    );
  }

  async #send(url: string, sent: SentTransfer): Promise<Outcome> {
    const outcome = await sent.send(url);
    const isAffordable = sent.transfer.amount < TOO_MUCH;
    switch (outcome.is) {
      case "accepted":
        assert.ok(isAffordable, `accepted without funds: ${outcome.transactionId}`);
        if (outcome.nextKey !== undefined) {
          this.#keys.get(sent.transfer.from)?.push(outcome.nextKey);
        }
        break;
      case "refused":
        // Only a full queue (9002) may refuse a payable transfer.
        assert.ok(
          sent.isUnsettled || (outcome.code === "5001" && !isAffordable),
          JSON.stringify(outcome),
        );
        break;
      case "unanswered":
        this.unansweredCount += 1;
        break;
    }
    return outcome;
  }

  async #newTransfer(url: string): Promise<SentTransfer | undefined> {
    const from = this.#random.pick(this.#wallets);
    const to = this.#random.pick(this.#wallets.filter((wallet) => wallet !== from)).address;
    const amount = this.#happens({ percent: 3 })
      ? TOO_MUCH
      : BigInt(this.#random.integer({ min: 1, max: 1000 }));
    const checkkey = await this.#takeKey(url, from);
    if (checkkey === undefined) {
      return undefined;
    }
    const sent = new SentTransfer({ from, to, amount, checkkey });
    this.sent.push(sent);
    return sent;
  }

  /**
   * An unused key of the wallet, also from before a kill, or a fresh one; undefined if the service
   * is gone.
   */
  async #takeKey(url: string, wallet: Wallet): Promise<string | undefined> {
    const left = this.#keys.get(wallet);
    if (left?.length === 0) {
      left.push(...(await temporaryKeys(url, { address: wallet.address, count: 20 })));
    }
    return left?.pop();
  }

  #happens({ percent }: { readonly percent: number }): boolean {
    return this.#random.integer({ min: 1, max: 100 }) <= percent;
  }
}
