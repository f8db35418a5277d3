import assert from "node:assert/strict";
import { EntryValues } from "./entry-values.ts";
import type { Market } from "./market.ts";
import type { MarketWord } from "./market-requests.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  parsed,
  transactionIdOf,
} from "./test-node.ts";

/** A record of an operation that trades gold: M or A of an address, or L of a listing. Source: tokens §1.7. */
export interface ExpectedRecord {
  readonly type: string;
  /** The address, or the id of the listing. */
  readonly of: KeyHolder | string;
  readonly parameters: readonly string[];
  /** The tokens that were moved at the address. */
  readonly moved?: readonly string[];
}

/** The answer is exactly what it should be, and its transaction has exactly these records: M first, L last. Source: tokens §1.6 to §1.8. */
export async function assertRecorded(
  market: Market,
  answer: Answered,
  [first, ...others]: readonly [ExpectedRecord, ...ExpectedRecord[]],
  more: Params = {},
): Promise<void> {
  const id = transactionIdOf(answer);
  assert.deepEqual(parsed(answer), { transaction_id: id, txid: id, ...more });
  assert.equal(answer.headers.get("transaction-id"), id);
  const { db_sn: _, db_id: __, ...transaction } = await market.node.transaction(id);
  using entries = await EntryValues.around(market.node, id);
  const recordOf = async (expected: ExpectedRecord): Promise<object> => {
    const { type, of, parameters, moved = [] } = expected;
    const common = { type, token: Number(market.gold), parameters };
    return typeof of === "string"
      ? { ...common, address: "", item: of, values: await entries.next("/token/dex", of) }
      : { ...common, address: of.address, values: await market.valuesOf(of, ...moved) };
  };
  assert.deepEqual(transaction, {
    id,
    timestamp: market.node.now,
    validationCode: "0",
    ...(await recordOf(first)),
    effects: await Promise.all(others.map(recordOf)),
  });
}

/** Signs and sends, and answers the signature and the temporary key, too, which records have. */
export async function sendSigned(
  market: Market,
  word: MarketWord,
  by: KeyHolder,
  params: Params,
): Promise<{ readonly answer: Answered; readonly signature: string; readonly tkey: string }> {
  const request = await market.request(word, by, params);
  const { signature, tkey } = request;
  return { answer: await market.post(word, request), signature, tkey };
}
