import assert from "node:assert/strict";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { after, before, test } from "node:test";
import Papa from "papaparse";
import { byLane } from "../../../ledger/testing/lane.ts";
import { type KeyHolder, parsed, summaryOf, TestNode } from "../../testing/test-node.ts";
import { until } from "../../testing/until.ts";

// Whole lists as CSV: chain §10.

const LISTS = byLane({ quick: 240, long: 1000 });
const PAYMENTS = 100;
const AT_ONCE = 20;

let node: TestNode;
let bob: KeyHolder;
let path: string;

before(async () => {
  node = await TestNode.start();
  bob = await node.holder();
  path = `/address/${bob.address}/transactions`;
  for (let begun = 0; begun < LISTS; begun += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => payMany()));
  }
});
after(() => node[Symbol.asyncDispose]());

async function payMany(): Promise<void> {
  const list = Array.from({ length: PAYMENTS }, (_, place) => ({
    address: bob.address,
    amount: "1",
    unlockdate: "0",
    tag: "",
    memo: `=${place}`,
  }));
  const params = await node.multitransfer(node.treasury, list);
  assert.equal(summaryOf(await node.post("/multitransfer", params)), "200");
}

function csv(of: string): Promise<Response> {
  return fetch(node.url + of, { headers: { Accept: "text/csv" } });
}

/** Asks for the whole history, and reads nothing of it. */
async function askUnread(protocol = "HTTP/1.1"): Promise<Socket> {
  const socket = connect(Number(new URL(node.url).port), "127.0.0.1").pause();
  await once(socket, "connect");
  socket.write(`GET ${path} ${protocol}\r\nHost: x\r\nAccept: text/csv\r\n\r\n`);
  return socket;
}

/** As a reader that is not ours has it: how many rows of which form, and what of them is wrong. */
function readBack(text: string): object {
  const { data, errors } = Papa.parse<string[]>(text, { skipEmptyLines: true });
  const [names = [], ...rows] = data;
  const types: Record<string, number> = {};
  let wrong = errors.length + rows.filter((row) => row.length !== names.length).length;
  let last: { readonly id: string; readonly place: number } | undefined;
  for (const row of rows) {
    const entry = Object.fromEntries(names.map((name, index) => [name, row[index] ?? ""]));
    const { id = "", type = "", parameters = "" } = entry;
    types[type] = (types[type] ?? 0) + 1;
    if (type === "receive") {
      const place = Number((JSON.parse(parameters) as string[])[7]?.slice(1));
      const follows =
        last === undefined ||
        (id === last.id && place === last.place - 1) ||
        (id < last.id && place === PAYMENTS - 1 && last.place === 0);
      wrong += follows ? 0 : 1;
      last = { id, place };
    }
    wrong += row.some((cell) => /^[=+\-@\t\r]/.test(cell)) ? 1 : 0;
  }
  return { names, types, wrong };
}

test(`chain §10: a history of ${LISTS * PAYMENTS} entries is one CSV, in its order, while others are answered and paid`, async () => {
  const answer = await csv(`${path}?limit=1`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-length"), null);
  let isRead = false;
  let answered = 0;
  const file = join(node.data, "history.csv");
  const reading = pipeline(Readable.fromWeb(answer.body as never), createWriteStream(file)).finally(
    () => {
      isRead = true;
    },
  );
  const paid = node.pay(bob, 1n);
  while (!isRead) {
    assert.equal(summaryOf(await node.get("/block")), "200");
    answered += 1;
  }
  await Promise.all([reading, paid]);
  assert.ok(answered > 10, `${answered}`);
  const { items } = parsed<{ items: readonly object[] }>(await node.get(`${path}?limit=2`));
  assert.deepEqual(readBack(await readFile(file, "utf8")), {
    names: [...Object.keys(items[0] ?? {}), "group", "at"],
    types: { receive: LISTS * PAYMENTS, NewWallet: 1 },
    wrong: 0,
  });
});

test("a client gets one CSV at a time, else 9002; others, and JSON, are as ever; it gets the next once it has left", async () => {
  const balances = `/balance/${bob.address}`;
  const asked = async (): Promise<string> =>
    summaryOf(await node.get(balances, { Accept: "text/csv" }));
  const unread = await askUnread();
  await until(async () => (await asked()) === "503 9002");
  const refused = await csv(balances);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  assert.equal(((await refused.json()) as { code: string }).code, "9002");
  assert.equal(summaryOf(await node.get(balances)), "200");
  const other = request(node.url + balances, {
    headers: { Accept: "text/csv" },
    localAddress: "127.0.0.2",
  }).end();
  const [response] = await once(other, "response");
  response.resume();
  assert.equal(response.statusCode, 200);
  unread.destroy();
  await until(async () => (await asked()) === "200");
  assert.equal(await asked(), "200");
});

test("a list that is refused is a problem as ever, and does not keep the client from the next", async () => {
  for (let times = 0; times < 2; times += 1) {
    const refused = await node.get("/token/holders/99", { Accept: "text/csv" });
    assert.equal(summaryOf(refused), "404 4001 token");
    assert.equal(
      summaryOf(await node.get("/transactions?limit=0", { Accept: "text/csv" })),
      "400 1101 limit",
    );
  }
});

test("a shutdown cuts a list: its client does not take the half for the whole", async () => {
  const answer = await csv(path);
  const stopped = node.stop();
  await assert.rejects(answer.text());
  await stopped;
  await node.resume();
});

test("an error in the middle cuts the list, also for a client of HTTP/1.0", async () => {
  const database = new DatabaseSync(join(node.data, "ledger.db"));
  database.exec(
    "UPDATE transaction_record SET record = '{' WHERE number = (SELECT max(number) FROM transaction_record) - 5",
  );
  database.close();
  const answer = await csv(path);
  assert.equal(answer.status, 200);
  await assert.rejects(answer.text());
  const old = await askUnread("HTTP/1.0");
  const ended: string[] = [];
  old.on("end", () => ended.push("end"));
  old.on("error", (error: NodeJS.ErrnoException) => ended.push(error.code ?? ""));
  old.resume();
  await once(old, "close").catch(() => undefined);
  assert.deepEqual(ended, ["ECONNRESET"]);
});
