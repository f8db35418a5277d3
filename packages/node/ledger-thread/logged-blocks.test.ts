import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseTransactionId } from "@moneta/protocol";
import { byLane } from "../../ledger/testing/lane.ts";
import {
  createWallet,
  fund,
  submit,
  temporaryKeys,
  type Wallet,
} from "../testing/clients/wallet.ts";
import { sendRequest } from "../testing/requests/signed-request.ts";
import { createRequest, saveRequest } from "../testing/requests/token-requests.ts";
import { type KeyHolder, parsed, TestNode } from "../testing/test-node.ts";

const PAYERS = 64;
const ROUNDS = byLane({ quick: 1, long: 10 });

/** Payers that write without a pause and read nothing, so that blocks are logged. */
class BusyPayers {
  readonly #url: string;
  readonly #wallets: readonly Wallet[];
  #isOver = false;

  private constructor(url: string, wallets: readonly Wallet[]) {
    this.#url = url;
    this.#wallets = wallets;
  }

  static async of(url: string): Promise<BusyPayers> {
    const wallets = Array.from({ length: PAYERS }, async () => {
      const wallet = await createWallet(url);
      await fund(url, wallet, 1_000_000n);
      return wallet;
    });
    return new BusyPayers(url, await Promise.all(wallets));
  }

  /** Does `work` while all of them pay. */
  async during(work: () => Promise<void>): Promise<void> {
    const paying = this.#wallets.map((wallet, index) => {
      const { address } = this.#wallets[(index + 1) % PAYERS] as Wallet;
      return this.#pay(wallet, address);
    });
    try {
      await work();
    } finally {
      this.#isOver = true;
      await Promise.all(paying);
    }
  }

  async #pay(from: Wallet, to: string): Promise<void> {
    let [checkkey] = await temporaryKeys(this.#url, { address: from.address, count: 1 });
    while (!this.#isOver && checkkey !== undefined) {
      const outcome = await submit(this.#url, { from, to, amount: 1n, checkkey });
      assert(outcome.is === "accepted", JSON.stringify(outcome));
      checkkey = outcome.nextKey;
    }
  }
}

/** Long enough for blocks to be logged again after a read. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 130));

/** The block of a transaction. Source: chain §4.3. */
function heightOf(id: string): number {
  return parseTransactionId(id)?.height ?? Number.NaN;
}

test("conventions §2.3: each kind of request sees what its client was answered before, while blocks are logged", async () => {
  await using node = await TestNode.start();
  const payer: KeyHolder = await node.holder({ coins: 1_000_000n });
  const payee = await node.holder();
  const busy = await BusyPayers.of(node.url);
  const keys = await temporaryKeys(node.url, { address: payer.address, count: 1000 });
  const [payeeKey] = await temporaryKeys(node.url, { address: payee.address, count: 1 });
  const nextKey = (): string => keys.pop() as string;
  let paid = 0;
  const pay = async (): Promise<string> => {
    paid += 1;
    const change = { to: payee.address, amount: "1", checkkey: nextKey() };
    const answer = await node.post("/transfer", await node.transfer(payer, change));
    assert.equal(answer.status, 200, answer.text);
    const id = answer.headers.get("transaction-id") as string;
    assert(Number(answer.headers.get("ledger-height")) >= heightOf(id));
    return id;
  };
  /** Pays until the block of the payment is logged alone. */
  const paying = async (): Promise<string> => {
    await pause();
    let id = await pay();
    for (let attempt = 1; !node.isBehind; attempt += 1) {
      assert(attempt < 100, "blocks are logged under load");
      id = await pay();
    }
    return id;
  };
  await busy.during(async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      await paying();
      assert.deepEqual(await node.balances(payee, "0"), [String(paid)]);

      const id = await paying();
      const transaction = await node.get(`/transaction/${id}`);
      assert.equal(transaction.status, 200, transaction.text);

      const height = heightOf(await paying());
      const since = { "Ledger-Height-Min": String(height) };
      const block = await node.get("/block", since);
      assert.deepEqual([block.status, Number(block.text) >= height], [200, true]);

      await paying();
      const spent = { from: payee.address, to: payer.address, token: "0", amount: String(paid) };
      const operations = [{ operation: "transfer", ...spent, checkkey: payeeKey }];
      const dry = await node.postJson("/batch?dry=1", { operations });
      const { results } = parsed<{ results: { status: number }[] }>(dry);
      assert.deepEqual(
        results.map(({ status }) => status),
        [200],
      );

      // Admission does not know the new address until the block is committed.
      await pause();
      const created = await node.holder();
      await paying();
      assert.deepEqual(await node.balances(created), ["0: 0"]);

      // Of several drafts the newest is created.
      await pause();
      let drafts = 0;
      const draft = (): string => `Draft ${round}.${drafts}`;
      do {
        drafts += 1;
        assert(drafts < 100, "blocks are logged under load");
        const request = await saveRequest(node, payer, { name: draft() }, { tkey: nextKey() });
        const saved = await sendRequest(node, request);
        assert.equal(saved.status, 200, saved.text);
      } while (drafts < 2 || !node.isBehind);
      const signing = { tkey: nextKey(), isFull: true };
      const token = await sendRequest(node, await createRequest(node, payer, draft(), signing));
      assert.equal(token.status, 200, token.text);
      const location = token.headers.get("location") as string;
      assert.equal(parsed<{ name: string }>(await node.get(location)).name, draft());
    }
  });
  assert(existsSync(join(node.data, "ledger.db-redo")));
  await node.stop();
  assert(!existsSync(join(node.data, "ledger.db-redo")));
});
