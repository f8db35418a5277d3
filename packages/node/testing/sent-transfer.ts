import assert from "node:assert/strict";
import type { Audit } from "./audit.ts";
import { type Outcome, submit, type Transfer } from "./clients/wallet.ts";

export class SentTransfer {
  readonly transfer: Transfer;
  outcome: Outcome | undefined;
  /** Whether it was once left open: a later refusal then does not show whether it has happened. */
  #wasLeftOpen = false;

  constructor(transfer: Transfer) {
    this.transfer = transfer;
  }

  async send(url: string): Promise<Outcome> {
    const outcome = await submit(url, this.transfer);
    this.#wasLeftOpen ||=
      outcome.is === "unanswered" || (outcome.is === "refused" && outcome.code === "9004");
    this.outcome = outcome;
    return outcome;
  }

  /** Neither accepted nor finally refused: it is to be repeated. */
  get isUnsettled(): boolean {
    return (
      this.outcome?.is === "unanswered" ||
      (this.outcome?.is === "refused" && /^900[234]$/.test(this.outcome.code))
    );
  }

  get isKnownToHaveFailed(): boolean {
    return this.outcome?.is === "refused" && !this.#wasLeftOpen;
  }
}

/**
 * Checks that the ledger has exactly the acknowledged transfers, possibly others without a
 * response, and the resulting balances.
 */
export async function assertKept(
  url: string,
  all: readonly SentTransfer[],
  audit: Audit,
): Promise<void> {
  await audit.readOn(url);
  await audit.assertBalances(url);
  const byKey = new Map(all.map((sent) => [sent.transfer.checkkey, sent]));
  assert.equal(byKey.size, all.length, "a temporary key was issued twice");
  for (const [checkkey, found] of audit.transfers) {
    const transfer = byKey.get(checkkey)?.transfer;
    assert.ok(transfer, `nobody asked for ${found.id}`);
    const { from, to, amount } = transfer;
    assert.deepEqual(found, { id: found.id, from: from.address, to, amount });
  }
  for (const sent of all) {
    const { outcome, transfer } = sent;
    const found = audit.transfers.get(transfer.checkkey)?.id;
    if (outcome?.is === "accepted") {
      assert.equal(found, outcome.transactionId, `answered 200, then lost: ${transfer.checkkey}`);
    } else if (sent.isKnownToHaveFailed) {
      assert.equal(found, undefined, `refused, yet done: ${JSON.stringify(outcome)}`);
    }
  }
}
