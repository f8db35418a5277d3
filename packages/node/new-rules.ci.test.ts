import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  Ledger,
  LocalLog,
  NEWEST_VERSION,
  openForWriting,
  PROTOCOL_VERSIONS,
  type ProtocolVersions,
} from "@moneta/ledger";
import { address, addressAround, operationText } from "@moneta/protocol";
import { runInProcess } from "./testing/command-in-process.ts";
import { ServiceProcess } from "./testing/service-process.ts";
import { newKey, publicPem, summaryOf, TestNode } from "./testing/test-node.ts";

// A data directory across a change of the rules: what operators see without an
// upgrade.

/** The version after the newest, like it, which exists only here. */
const NEXT = NEWEST_VERSION + 1;
const WITH_NEXT: ProtocolVersions = new Map([
  ...PROTOCOL_VERSIONS,
  ...[...PROTOCOL_VERSIONS.values()].map((version): [number, typeof version] => [NEXT, version]),
]);

let node: TestNode;
let first: number;
before(async () => {
  node = await TestNode.startWithOperator();
  await node.holder({ coins: 1n });
  first = (await node.height()) + 3;
  const tkey = await node.key(node.operator);
  const params = { version: String(NEXT), height: String(first), note: "soon", tkey };
  const announcement = node.fullySigned("protocol", params, node.operator);
  assert.equal(summaryOf(await node.post("/protocol", announcement)), "200");
  await node.stop();
});
after(() => node[Symbol.asyncDispose]());

async function createAddress(url: string): Promise<string> {
  const body = new URLSearchParams({ publickey: publicPem(newKey()) });
  const response = await fetch(`${url}/address`, { method: "POST", body });
  const text = await response.text();
  return response.ok ? "200" : `${response.status} ${(JSON.parse(text) as { code: string }).code}`;
}

async function heightOf(url: string): Promise<number> {
  return Number(await (await fetch(`${url}/block`)).text());
}

async function withNewSoftware(act: (ledger: Ledger) => void | Promise<void>): Promise<void> {
  const database = openForWriting(join(node.data, "ledger.db"));
  const ledger = new Ledger(database, new LocalLog(database), WITH_NEXT);
  ledger.catchUp();
  await act(ledger);
  database.close();
}

test("chain §7.3: the log warns of announced unknown rules, and reports when they stop the node", async () => {
  await using service = await ServiceProcess.start({ data: node.data });
  assert.match(service.output(), new RegExp(`"version":${NEXT},"height":${first},.*announced`));
  assert.doesNotMatch(service.output(), /answered 503/);
  assert.equal(await createAddress(service.url), "200");
  assert.equal(await heightOf(service.url), first - 1);
  assert.equal(await createAddress(service.url), "503 9002");
  assert.match(service.output(), new RegExp(`"version":${NEXT},"height":${first},.*answered 503`));
  assert.equal((await fetch(`${service.url}/block/${first - 1}`)).status, 200);
});

test("chain §8: the operator is kept with the genesis, and a node with another one refuses to start", async () => {
  const kept = JSON.parse(readFileSync(join(node.data, "genesis.json"), "utf8")) as {
    operator?: { address: string; publickey: string };
  };
  assert.equal(kept.operator?.publickey, node.operatorKey);
  for (const operator of [undefined, { publickey: publicPem(newKey()) }]) {
    const file = join(node.data, "other.json");
    writeFileSync(file, JSON.stringify({ ...kept, operator }));
    node.flags = ["--genesis", file];
    await assert.rejects(node.resume(), /genesis file is not the one/);
  }
  node.flags = [];
});

test("verify finds a chain valid that ends before unknown rules", async () => {
  const { exitCode, output } = await runInProcess("verify", node.data);
  assert.equal(exitCode, 0, output);
  assert.match(output, new RegExp(`newest block ${first - 1},`));
});

test("chain §7.3: verify and rebuild report a chain that continues by unknown rules", async () => {
  await withNewSoftware(async (ledger) => {
    const operation = operationText({
      op: address.name,
      actor: "",
      params: { publickey: publicPem(newKey()) },
      decided: { address: addressAround("Later0000000000000000000000000") },
      signatures: {},
    });
    const { height, outcomes } = await ledger.execute([[operation]], node.now);
    assert.deepEqual([height, outcomes[0]?.kind], [first, "done"]);
  });

  const verified = await runInProcess("verify", node.data);
  assert.equal(verified.exitCode, 2, verified.output);
  assert.match(
    verified.output,
    new RegExp(`sound up to block ${first - 1},.* block ${first} .*version ${NEXT}`),
  );
  assert.doesNotMatch(verified.output, /invalid/);

  const rebuilt = await runInProcess("rebuild", node.data);
  assert.equal(rebuilt.exitCode, 2, rebuilt.output);
  assert.match(rebuilt.output, new RegExp(`version ${NEXT} .*nothing was changed`));

  // Blocks of newer software are still readable.
  await node.resume();
  assert.equal(await node.height(), first);
  assert.equal(await createAddress(node.url), "503 9002");

  // Without its tables the node rebuilds them as far as it can.
  await node.restart((database) => database.exec("PRAGMA user_version = 0"));
  assert.equal(await node.height(), first - 1);
  assert.equal(await createAddress(node.url), "503 9002");
  await node.stop();
});

test("chain §7.3: software that knows the rules continues where other software has stopped", async () => {
  await withNewSoftware((ledger) => {
    assert.equal(ledger.head.height, first);
    assert.equal(ledger.unknownVersion, undefined);
  });
});
