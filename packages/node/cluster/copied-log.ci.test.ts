import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  closeWhole,
  genesisOperations,
  Ledger,
  LocalLog,
  openForWriting,
  readGenesis,
} from "@moneta/ledger";
import { schemaText } from "@moneta/ledger/postgres";
import { addressAround, encodeBase62Number, operationText } from "@moneta/protocol";
import { byLane } from "../../ledger/testing/lane.ts";
import { runInProcess } from "../testing/command-in-process.ts";
import { ended } from "../testing/exit-cleanup.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { newKey, publicPem, TestNode } from "../testing/test-node.ts";
import { until } from "../testing/until.ts";

/** Where the copy is killed, in parts of the blocks. The long lane has 10^5 transactions. */
const {
  blocks: BLOCKS,
  operations: OPERATIONS,
  kills: KILLS,
  nodes: NODES,
} = byLane({
  quick: { blocks: 1000, operations: 2, kills: [0.5], nodes: 1 },
  long: { blocks: 10_000, operations: 10, kills: [0.3, 0.5, 0.7], nodes: 3 },
});
const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const START = 1_767_225_600;

/** Makes a ledger with many addresses for one key. Returns the id of its newest block. */
async function largeLedger(data: string): Promise<string> {
  mkdirSync(data);
  const database = openForWriting(join(data, "ledger.db"), "NORMAL");
  const ledger = new Ledger(database, new LocalLog(database));
  const publickey = publicPem(newKey());
  const coin = { name: "C", symbol: "C", decimal: 0, totalsupply: "1" };
  const treasury = [{ publickey, amount: "1" }];
  const genesis = readGenesis({ ledger: "large", coin: { ...coin, treasury } }, START);
  await ledger.begin(genesisOperations(genesis), genesis.timestamp);
  for (let block = 1; block <= BLOCKS; block += 1) {
    const units = Array.from({ length: OPERATIONS }, (_, index) => {
      const name = encodeBase62Number(block * OPERATIONS + index, 30);
      const text = operationText({
        ...{ op: "address", actor: "", params: { publickey }, signatures: {} },
        decided: { address: addressAround(name) },
      });
      return [text];
    });
    const { outcomes } = await ledger.execute(units, START + block);
    assert.ok(outcomes.every(({ kind }) => kind === "done"));
  }
  const { id } = ledger.head;
  closeWhole(database);
  return id;
}

test(`cluster §10: a ledger of ${BLOCKS * OPERATIONS} transactions is copied into P, killed ${KILLS.length} times, served by ${NODES} nodes, and copied back`, async () => {
  await using server = await PostgresServer.start();
  using folder = new TemporaryDirectory("copied");
  const data = join(folder.path, "data");
  const id = await largeLedger(data);
  const copied = async (): Promise<number> => {
    const [row] = await server.sql("SELECT max(height)::int AS height FROM moneta.block");
    return row?.["height"] ?? -1;
  };

  // A gate in the table holds up the copy, so that each kill comes in the middle of it.
  await server.sql(schemaText("moneta"));
  await server.sql(
    "CREATE FUNCTION gate() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN true; END $$",
  );
  await using keeper = await server.connect();
  await keeper.query("SELECT pg_advisory_lock(1)");
  const atGate = "FROM pg_stat_activity WHERE wait_event = 'advisory'";
  const countAtGate = `SELECT count(*)::int AS n ${atGate}`;
  for (const part of KILLS) {
    await server.sql(
      `ALTER TABLE moneta.block DROP CONSTRAINT IF EXISTS gate, ADD CONSTRAINT gate CHECK (CASE WHEN height >= ${BLOCKS * part} THEN gate() ELSE true END) NOT VALID`,
    );
    const before = await copied();
    const child = spawn(process.execPath, [MAIN, "log", "copy", data, server.url], {
      stdio: "ignore",
    });
    await server.waitFor(countAtGate, ({ n }) => n === 1);
    child.kill("SIGKILL");
    assert.deepEqual(await ended(child), [null, "SIGKILL"]);
    // Its session has not noticed.
    await server.sql(`SELECT pg_terminate_backend(pid) ${atGate}`);
    await server.waitFor(countAtGate, ({ n }) => n === 0);
    const height = await copied();
    assert.ok(height > before && height < BLOCKS * part, `${height} after ${before}`);
  }
  await server.sql("ALTER TABLE moneta.block DROP CONSTRAINT gate");
  const { exitCode, output } = await runInProcess("log", "copy", data, server.url);
  assert.equal(exitCode, 0, output);
  assert.match(output, new RegExp(`copied: ${BLOCKS + 1} blocks, newest ${id}`));

  const more = ["--log", server.url];
  const serve = async (): Promise<void> => {
    await using node = await TestNode.start(...more);
    const headers = { "Ledger-Height-Min": String(BLOCKS) };
    const get = (): Promise<Response> => fetch(`${node.url}/block/${BLOCKS}`, { headers });
    await until(async () => (await get()).status === 200);
    assert.equal(((await (await get()).json()) as { id: string }).id, id);
  };
  await Promise.all(Array.from({ length: NODES }, serve));
  const back = join(folder.path, "back");
  const returned = await runInProcess("log", "copy", server.url, back);
  assert.match(returned.output, new RegExp(`newest ${id}`));
  const verified = await runInProcess("rebuild", back);
  assert.equal(verified.exitCode, 0, verified.output);
  assert.match(verified.output, new RegExp(`newest ${id}`));
});
