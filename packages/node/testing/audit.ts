import assert from "node:assert/strict";

/** A payment in a block, with the test's text in its memo. */
export interface FoundTransfer {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

interface BlockAnswer {
  readonly sn: number;
  readonly id: string;
  readonly timestamp: number;
  readonly transaction: readonly { readonly id: string; readonly timestamp: number }[];
}

interface RecordAnswer {
  readonly type: string;
  readonly address: string;
  readonly token: number;
  readonly parameters: readonly string[];
  readonly values: { readonly balance?: readonly BalanceEntry[] };
}

interface TransactionAnswer extends RecordAnswer {
  readonly id: string;
  readonly db_sn: string;
  readonly db_id: string;
  readonly effects: readonly RecordAnswer[];
}

interface BalanceEntry {
  readonly token: string;
  readonly balance: string;
  readonly unlockdate: number;
}

const READS_IN_FLIGHT = 24;

/**
 * Reads the blocks of a ledger with only addresses and free transfers of the native coin, through
 * the public API. Keeps its own books: payments of each temporary key, and balances. Every record
 * must match them.
 */
export class Audit {
  /**
   * Payments by the temporary key in their memo. The faucet's have none and are only in the
   * balances.
   */
  readonly transfers = new Map<string, FoundTransfer>();
  readonly balances = new Map<string, bigint>();
  readonly #blocks: BlockAnswer[] = [];
  #supply = 0n;

  /** Reads new blocks and checks each record against the books. */
  async readOn(url: string): Promise<void> {
    const height = Number(await text(`${url}/block`));
    assert.ok(height >= this.#blocks.length - 1, `the chain got shorter: ${height}`);
    const from = this.#blocks.length;
    const numbers = Array.from({ length: height + 1 - from }, (_, i) => from + i);
    const blocks = await inParallel(numbers, (sn) => json<BlockAnswer>(`${url}/block/${sn}`));
    const ids = blocks.flatMap((block) => block.transaction.map(({ id }) => id));
    const transactions = await inParallel(ids, (id) =>
      json<TransactionAnswer>(`${url}/transaction/${id}`),
    );
    let next = 0;
    for (const block of blocks) {
      assert.equal(block.sn, this.#blocks.length, "blocks without a gap");
      assert.ok(block.transaction.length > 0, `block ${block.sn} is empty`);
      this.#blocks.push(block);
      for (const [position, { id }] of block.transaction.entries()) {
        const transaction = transactions[next++] as TransactionAnswer;
        assert.equal(transaction.id, id);
        assert.equal(id.slice(0, 24), hex(block.sn, 16) + hex(position, 8), "chain §4.3");
        assert.equal(transaction.db_sn, String(block.sn));
        assert.equal(transaction.db_id, block.id);
        this.#enter(transaction);
      }
    }
  }

  /** Checks that the service's balances are those of the books, and add up to the supply. */
  async assertBalances(url: string): Promise<void> {
    const all = [...this.balances];
    const shown = await inParallel(all, ([address]) =>
      json<readonly BalanceEntry[]>(`${url}/balance/${address}`),
    );
    for (const [i, [address, amount]] of all.entries()) {
      assert.deepEqual(shown[i], [free(amount)], `GET /balance/${address}`);
    }
    const sum = shown.flat().reduce((total, entry) => total + BigInt(entry.balance), 0n);
    assert.equal(sum, this.#supply, "all balances together are the total supply");
  }

  get transactionCount(): number {
    return this.#blocks.reduce((sum, block) => sum + block.transaction.length, 0);
  }

  #enter(transaction: TransactionAnswer): void {
    switch (transaction.type) {
      case "Chaincode Install or Update":
        return;
      case "NewWallet":
        this.balances.set(transaction.address, 0n);
        return;
      case "tokenRegister":
        this.#enterSupply(transaction);
        return;
      case "transfer":
        this.#enterTransfer(transaction);
        return;
      default:
        assert.fail(`nobody asked for ${transaction.type}: ${transaction.id}`);
    }
  }

  #enterSupply({ parameters, effects }: TransactionAnswer): void {
    this.#supply = BigInt(parameters[5] ?? "");
    for (const effect of effects) {
      assert.equal(effect.type, "token_reserve");
      const [, receiver = "", amount = ""] = effect.parameters;
      this.#add(receiver, BigInt(amount));
    }
  }

  #enterTransfer(transaction: TransactionAnswer): void {
    const { id, parameters, effects, values } = transaction;
    const [from = "", to = "", amountText = "", token, , unlockdate, tag, memo = ""] = parameters;
    assert.deepEqual([token, unlockdate], ["0", "0"], id);
    const amount = BigInt(amountText);
    this.#add(from, -amount);
    this.#add(to, amount);
    assert.ok((this.balances.get(from) ?? 0n) >= 0n, `${id} overdraws ${from}`);

    // Complete or absent: payer and payee, with the balances of both.
    assert.equal(transaction.address, from, id);
    const paid = [{ amount: String(-amount), token: "0" }];
    assert.deepEqual(values, { balance: [free(this.balances.get(from))], moved: paid }, id);
    const receive = {
      type: "receive",
      address: to,
      token: 0,
      parameters,
      values: {
        balance: [free(this.balances.get(to))],
        moved: [{ amount: String(amount), token: "0" }],
      },
    };
    assert.deepEqual(effects, [receive], id);

    if (tag === "faucet") {
      return;
    }
    const [key = ""] = memo.split(" ");
    assert.ok(!this.transfers.has(key), `${id} and ${this.transfers.get(key)?.id} have one key`);
    this.transfers.set(key, { id, from, to, amount });
  }

  #add(address: string, amount: bigint): void {
    this.balances.set(address, (this.balances.get(address) ?? 0n) + amount);
  }
}

function free(amount: bigint | undefined): BalanceEntry {
  return { token: "0", balance: String(amount), unlockdate: 0 };
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

async function text(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(120_000) });
  const body = await response.text();
  assert.equal(response.status, 200, `${url}: ${body}`);
  return body;
}

async function json<T>(url: string): Promise<T> {
  return JSON.parse(await text(url)) as T;
}

/** Maps a few at a time, and returns the results in order. */
async function inParallel<A, B>(all: readonly A[], work: (one: A) => Promise<B>): Promise<B[]> {
  const results: B[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < all.length; i = next++) {
      results[i] = await work(all[i] as A);
    }
  };
  await Promise.all(Array.from({ length: READS_IN_FLIGHT }, worker));
  return results;
}
