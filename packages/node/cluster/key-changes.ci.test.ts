import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTransactionId, type TransactionName } from "@moneta/protocol";
import { byLane } from "../../ledger/testing/lane.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { type By, changeKeys, pay, payBy, raw, sendBy } from "../testing/requests/key-requests.ts";
import {
  type Answered,
  parsed,
  publicPem,
  signatureOf,
  summaryOf,
  TestNode,
} from "../testing/test-node.ts";

const ROUNDS = byLane({ quick: 2, ci: 5, long: 50 });

test("authority §1.4: writes at one node cross a change of keys, or the end of a grant, at another, and none passes after it", async () => {
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
    refused += await crossing(
      changeKeys(a, alice.address, { keys: [key], threshold: 1 }, [[0, alice]]),
      byOld,
      "401 2010 signature",
    );
    assert.equal(summaryOf(await payBy(b, alice.address, [[0, key]], to)), "200");

    const { address } = alice;
    const agent = raw();
    const by: By = [[0, key]];
    const terms = {
      ...{
        address,
        agent: publicPem(agent.privateKey),
        until: String(Math.floor(Date.now() / 1000) + 3600),
      },
      ...{ operations: '["transfer"]', limits: '[{"token":"0","amount":"100","period":"3600"}]' },
    };
    const granted = await sendBy(a, address, {
      ...{ operation: "grant", path: "/grant", params: terms, by },
    });
    assert.equal(summaryOf(granted), "200", granted.text);
    const { grantid: grant } = parsed<{ grantid: string }>(granted);
    const params = { from: address, to, token: "0", amount: "1", grant };
    const byAgent = (): Promise<Answered> =>
      sendBy(b, address, { operation: "transfer", path: "/transfer", params, by: [[0, agent]] });
    const end = { operation: "grantend", path: `/grant/end/${grant}`, inPath: "grantid", by };
    refused += await crossing(
      sendBy(a, address, { ...end, params: { grantid: grant, grant: "" } }),
      byAgent,
      "409 7209 grant",
    );
  }
  assert.ok(refused >= 2 * ROUNDS, "the old key and the agent are refused after the change");
});

/** Sends writes during a change of the allowed signers. Returns the number refused with `code`. */
async function crossing(
  change: Promise<Answered>,
  write: () => Promise<Answered>,
  code: string,
): Promise<number> {
  const [changed, ...answers] = await Promise.all([change, ...Array.from({ length: 30 }, write)]);
  assert.equal(summaryOf(changed), "200");
  let refused = 0;
  for (const answer of [...answers, await write()]) {
    if (answer.status === 200) {
      assert.ok(placeOf(answer) < placeOf(changed), "a write that is done is before the change");
    } else {
      refused += 1;
      assert.equal(summaryOf(answer), code);
    }
  }
  return refused;
}

function placeOf(answer: Answered): number {
  const { height, position } = parseTransactionId(
    parsed<{ transaction_id: string }>(answer).transaction_id,
  ) as TransactionName;
  return height * 1000 + position;
}
