import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTransactionId, type TransactionName } from "@moneta/protocol";
import { byLane } from "../../ledger/testing/lane.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { changeKeys, pay, payBy, raw } from "../testing/requests/key-requests.ts";
import { type Answered, parsed, said, signatureOf, TestNode } from "../testing/test-node.ts";

const ROUNDS = byLane({ quick: 2, ci: 5, long: 50 });

test("authority §6 row 2: writes at one node cross a change of keys at another, and none passes by the old key after it", async () => {
  await using server = await PostgresServer.start();
  const start = (): Promise<TestNode> =>
    TestNode.start("--log", server.url, "--log-schema", "keys");
  await using a = await start();
  await using b = await start();
  const to = a.treasury.address;
  let refused = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const alice = await a.holder({ coins: 1000n });
    const key = raw();
    const byOld = (): Promise<Answered> =>
      pay(b, alice.address, (text) => signatureOf(text, alice), to);
    const [changed, ...answers] = await Promise.all([
      changeKeys(a, alice.address, { keys: [key], threshold: 1 }, [[0, alice]]),
      ...Array.from({ length: 30 }, byOld),
    ]);
    assert.equal(said(changed), "200");
    for (const answer of [...answers, await byOld()]) {
      if (answer.status === 200) {
        assert.ok(
          placeOf(answer) < placeOf(changed),
          "a payment by the old key is before the change",
        );
      } else {
        refused += 1;
        assert.equal(said(answer), "401 2010 signature");
      }
    }
    assert.equal(said(await payBy(b, alice.address, [[0, key]], to)), "200");
  }
  assert.ok(refused >= ROUNDS, "the old key is refused once the change is made");
});

function placeOf(answer: Answered): number {
  const { height, position } = parseTransactionId(
    parsed<{ transaction_id: string }>(answer).transaction_id,
  ) as TransactionName;
  return height * 1000 + position;
}
