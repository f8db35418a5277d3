import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { freePort } from "../../packages/node/testing/free-port.ts";
import { PostgresServer } from "../../packages/node/testing/postgres/postgres-server.ts";
import {
  closedLoop,
  FUNDS,
  isThere,
  output,
  PAYEES,
  PAYERS,
  type Rate,
  rateOf,
  type System,
  serve,
  untilUp,
  type Work,
} from "./double-entry.ts";

const SETTINGS = { shared_buffers: "256MB", max_connections: "200", max_wal_size: "4GB" };
const TIGERBEETLE_PAYMENTS = 1_000_000;

/** Peers, run as their documentation describes; one that is not installed is left out. */
export const PEERS: readonly System[] = [
  {
    name: isThere("pgbench") ? "PostgreSQL, pgbench" : "PostgreSQL, its client",
    answered: "done; log synced to the disk",
    measure: measurePostgres,
  },
  {
    name: "TigerBeetle, its benchmark (client's CPU too)",
    command: "tigerbeetle",
    answered: "done; batch synced to one replica's disk",
    measure: measureTigerBeetle,
  },
  {
    name: "Formance Ledger",
    command: "ledger",
    answered: "done; committed by its PostgreSQL",
    measure: measureFormance,
  },
  {
    name: "Blnk, skip_queue",
    command: "blnk",
    answered: "done; committed by its PostgreSQL. Without skip_queue: accepted",
    measure: measureBlnk,
  },
];

/** Two updates, the first with a check. Payers are never paid, so no two lock each other. */
function payment(payer: number | string, payee: number | string): string {
  return [
    `UPDATE account SET balance = balance - 1 WHERE id = ${payer}`,
    `UPDATE account SET balance = balance + 1 WHERE id = ${payee}`,
    `INSERT INTO payment (payer, payee, amount) VALUES (${payer}, ${payee}, 1)`,
  ].join(";\n");
}

async function measurePostgres(work: Work): Promise<Rate> {
  await using server = await PostgresServer.start({ settings: SETTINGS });
  for (const statement of [
    "CREATE TABLE account (id int PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= 0))",
    "CREATE TABLE payment (id bigserial PRIMARY KEY, payer int NOT NULL, payee int NOT NULL, amount bigint NOT NULL, at timestamptz NOT NULL DEFAULT now())",
    `INSERT INTO account SELECT n, CASE WHEN n <= ${PAYERS} THEN ${FUNDS} ELSE 0 END FROM generate_series(1, ${PAYERS + PAYEES}) n`,
    "VACUUM ANALYZE",
  ]) {
    await server.sql(statement);
  }
  return await rateOf([server.pid], () =>
    isThere("pgbench") ? pgbench(server.port, work) : payBySql(server.url, work),
  );
}

async function pgbench(
  port: number,
  { payees, clients, seconds, folder }: Work,
): ReturnType<typeof closedLoop> {
  const script = join(folder, "payment.sql");
  const draw = `\\set payer random(1, ${PAYERS})\n\\set payee ${PAYERS} + random(1, ${payees})`;
  writeFileSync(script, `${draw}\nBEGIN;\n${payment(":payer", ":payee")};\nCOMMIT;\n`);
  const text = await output("pgbench", [
    ...["-h", "127.0.0.1", "-p", String(port), "-U", "postgres", "--no-vacuum"],
    ...["-M", "prepared", "-c", String(clients), "-j", "2", "-T", String(seconds)],
    ...["-f", script, "postgres"],
  ]);
  const payments = Number(/^number of transactions actually processed: (\d+)/m.exec(text)?.[1]);
  return { payments, seconds: payments / Number(/^tps = ([\d.]+)/m.exec(text)?.[1]) };
}

async function payBySql(url: string, work: Work): ReturnType<typeof closedLoop> {
  const clients = Array.from({ length: work.clients }, () => new Client(url));
  await Promise.all(clients.map((client) => client.connect()));
  try {
    return await closedLoop(work, (payer, payee, index) =>
      (clients[index] as Client).query(`BEGIN;${payment(payer, PAYERS + payee)};COMMIT`),
    );
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** Source: `tigerbeetle benchmark --help`. The hot account pays there. */
function measureTigerBeetle({ payees }: Work): Promise<Rate> {
  const hot = payees === 1 ? ["--account-count-hot=1", "--transfer-hot-percent=100"] : [];
  const counts = [`--account-count=${PAYERS + PAYEES}`, `--transfer-count=${TIGERBEETLE_PAYMENTS}`];
  return rateOf([process.pid], async () => {
    const text = await output("tigerbeetle", ["benchmark", ...counts, ...hot]);
    const perSecond = Number(/load accepted = (\d+)/.exec(text)?.[1]);
    return { payments: TIGERBEETLE_PAYMENTS, seconds: TIGERBEETLE_PAYMENTS / perSecond };
  });
}

type Pay = (source: string, destination: string, amount: number) => Promise<void>;

async function measureFormance(work: Work): Promise<Rate> {
  await using postgres = await PostgresServer.start({ settings: SETTINGS });
  const address = `127.0.0.1:${await freePort()}`;
  const environment = { POSTGRES_URI: `${postgres.url}?sslmode=disable` };
  await using server = serve("ledger", ["serve", "--auto-upgrade", "--bind", address], environment);
  const url = `http://${address}/v2/bench`;
  await untilUp(() => post(url, {}));
  return await payOverHttp([server.pid, postgres.pid], work, (source, destination, amount) => {
    const postings = [{ source, destination, amount, asset: "COIN" }];
    return post(`${url}/transactions`, { postings, metadata: {} });
  });
}

async function measureBlnk(work: Work): Promise<Rate> {
  await using postgres = await PostgresServer.start({ settings: SETTINGS });
  const [port, redisPort] = [await freePort(), await freePort()].map(String) as [string, string];
  await using redis = serve("redis-server", ["--port", redisPort, "--save", ""]);
  const config = join(work.folder, "blnk.json");
  const content = {
    project_name: "bench",
    data_source: { dns: `${postgres.url}?sslmode=disable` },
    redis: { dns: `127.0.0.1:${redisPort}` },
    server: { port },
  };
  writeFileSync(config, JSON.stringify(content));
  await output("blnk", ["migrate", "up", "--config", config]);
  await using server = serve("blnk", ["start", "--config", config]);
  const pay: Pay = (from, to, amount) =>
    post(`http://127.0.0.1:${port}/transactions`, {
      ...{ source: `@${from}`, destination: `@${to}`, amount, precision: 1, currency: "COIN" },
      ...{ reference: crypto.randomUUID(), description: "", skip_queue: true },
      allow_overdraft: from === "world",
    });
  await untilUp(() => pay("world", "nobody", 1));
  return await payOverHttp([server.pid, postgres.pid, redis.pid], work, pay);
}

async function payOverHttp(pids: readonly number[], work: Work, pay: Pay): Promise<Rate> {
  for (let payer = 1; payer <= PAYERS; payer += 1) {
    await pay("world", `payer${payer}`, FUNDS);
  }
  return await rateOf(pids, () =>
    closedLoop(work, (payer, payee) => pay(`payer${payer}`, `payee${payee}`, 1)),
  );
}

async function post(url: string, content: unknown): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(content) });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${response.status} ${text.slice(0, 300)}`);
  }
}
