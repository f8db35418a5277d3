import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Engine } from "@moneta/ledger/postgres";
import type { Address } from "@moneta/protocol";
import { changedEngine } from "../testing/cluster/changed-engine.ts";
import { LogPeer, peerGenesis } from "../testing/cluster/log-peer.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server[Symbol.asyncDispose]());

const genesis = peerGenesis();

async function peers(count: number): Promise<readonly LogPeer[]> {
  return await Promise.all(
    Array.from({ length: count }, () => LogPeer.start({ url: server.url, genesis })),
  );
}

test("cluster §1: several nodes append to one chain, and no write is refused", async () => {
  await using stack = new AsyncDisposableStack();
  const all = await peers(3);
  for (const peer of all) {
    stack.use(peer);
  }
  const outcomes = await Promise.all(
    all.map(async (peer) => {
      const reported: string[] = [];
      for (let round = 0; round < 30; round += 1) {
        reported.push(...(await Promise.all([1, 2, 3].map(() => peer.submit(peer.newAddress())))));
      }
      return reported;
    }),
  );
  assert.deepEqual(
    outcomes.flat().filter((reported) => !reported.startsWith("done ")),
    [],
  );
  const height = Math.max(...all.map(({ ledger }) => ledger.stored.height));
  await Promise.all(all.map((peer) => peer.reaches(height)));
  const heads = new Set(all.map(({ ledger }) => ledger.stored.id));
  assert.equal(heads.size, 1);
  assert.equal(new Set(outcomes.flat()).size, 270);
});

test("cluster §1.3: a repeat at any node is one, and a key serves one operation", async () => {
  await using stack = new AsyncDisposableStack();
  const all = await peers(3);
  for (const peer of all) {
    stack.use(peer);
  }
  const [a] = all as [LogPeer];
  const create = a.newAddress();
  assert.match(await a.submit(create), /^done /);
  const { address: to } = (JSON.parse(create) as { decided: { address: Address } }).decided;
  await Promise.all(all.map((peer) => peer.reaches(a.ledger.stored.height)));
  for (let round = 0; round < 5; round += 1) {
    const text = a.transfer(to);
    const same = await Promise.all(all.map((peer) => peer.submit(text)));
    assert.deepEqual(same.map((reported) => reported.split(" ")[0]).sort(), [
      "done",
      "repeat",
      "repeat",
    ]);
    assert.equal(new Set(same.map((reported) => reported.split(" ")[1])).size, 1);
    const key = a.key();
    const different = await Promise.all(
      all.map((peer, index) => peer.submit(peer.transfer(to, key, String(index + 1)))),
    );
    assert.deepEqual(different.map((reported) => reported.split(" ")[0]).sort(), [
      "2021",
      "2021",
      "done",
    ]);
  }
});

test("cluster §5: a wrong second of the engine's clock stamps no block; writes are held until it is right", async () => {
  let aheadSeconds = 0;
  const around = (engine: Engine): Engine =>
    changedEngine(engine, {
      after: (results) =>
        results.map((result) => ({
          ...result,
          rows: result.rows.map((row) =>
            typeof row["now"] === "string"
              ? { ...row, now: String(Number(row["now"]) + aheadSeconds) }
              : row,
          ),
        })),
    });
  await using peer = await LogPeer.start({ url: server.url, genesis, around });
  assert.match(await peer.submit(peer.newAddress()), /^done /);
  const height = peer.ledger.stored.height;
  aheadSeconds = 400 * 86_400;
  assert.equal(await peer.submit(peer.newAddress()), "9002");
  const year = new Date(Date.now() + aheadSeconds * 1000).getUTCFullYear();
  assert.match(peer.report?.clockHold ?? "", new RegExp(`engine ${year}-.* newest block is of `));
  const isHeld = peer.report?.ledgerMs;
  aheadSeconds = 0;
  for (let code = "9002"; code === "9002"; ) {
    code = (await peer.submit(peer.newAddress())).slice(0, 4);
  }
  assert.equal(peer.ledger.stored.height, height + 1);
  assert.ok(Math.abs(peer.ledger.stored.timestamp - Date.now() / 1000) < 60);
  // Reads and keys have not taken the wrong time either.
  assert.ok(Math.abs((peer.report?.ledgerMs ?? 0) - (isHeld ?? 0)) < 60_000);
});
