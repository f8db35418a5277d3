import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CSV_CONTENT_TYPE, READS } from "@moneta/protocol";
import {
  type KeyHolder,
  newKey,
  parsed,
  publicPem,
  START,
  summaryOf,
  TestNode,
} from "../../testing/test-node.ts";
import { csvColumns, wantsCsv } from "./csv-answer.ts";

interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly cursor?: string;
}

let node: TestNode;
let alice: KeyHolder;
let bob: KeyHolder;

before(async () => {
  node = await TestNode.start();
  alice = await node.holder({ coins: 1_000n });
  bob = await node.holder();
  for (const memo of ['=cmd|"/c calc"!A1', "two\r\nlines", "-1.5"]) {
    const params = await node.transfer(alice, { to: bob.address, amount: "1", memo });
    assert.equal(summaryOf(await node.post("/transfer", params)), "200");
  }
});
after(() => node[Symbol.asyncDispose]());

async function csv(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return await fetch(`${node.url}${path}`, { headers: { Accept: "text/csv", ...headers } });
}

for (const { accept, wants } of [
  { accept: undefined, wants: false },
  { accept: "*/*", wants: false },
  { accept: "application/json", wants: false },
  { accept: "text/csv", wants: true },
  { accept: "TEXT/CSV".toLowerCase(), wants: true },
  { accept: "Text/CSV", wants: true },
  { accept: "TEXT/CSV ; Q=0.5", wants: true },
  { accept: 'text/csv; charset="a,b;q=0"; header=present', wants: true },
  { accept: "text/csv, */*;q=0.1", wants: true },
  { accept: "text/csv, */*", wants: true },
  { accept: "text/csv;q=0.5, */*", wants: false },
  { accept: "text/csv;q=0.5, application/*;q=0.9", wants: false },
  { accept: "Application/JSON;q=0.4, text/CSV;q=0.5", wants: true },
  { accept: "text/csvx, x-text/csv", wants: false },
  { accept: "text/*", wants: false },
  { accept: "application/json, text/csv", wants: false },
  { accept: "application/json;q=0.5, text/csv;q=0.9", wants: true },
  { accept: "text/csv;q=0", wants: false },
]) {
  test(`Accept: ${accept}: ${wants ? "CSV" : "JSON"}`, () => {
    assert.equal(wantsCsv(accept), wants);
  });
}

test("every list is available as CSV, with the members of its entries as columns", () => {
  const lists = READS.flatMap((read) => {
    const columns = csvColumns(read);
    return columns === undefined ? [] : [{ name: read.name, columns }];
  });
  assert.ok(lists.length >= 15, `${lists.length}`);
  for (const { name, columns } of lists) {
    assert.ok(columns.length > 0, name);
  }
});

test("a history as CSV is the whole list from the cursor on, whatever the limit, and runs as no formula", async () => {
  const path = `/address/${bob.address}/transactions?limit=2`;
  const answer = await csv(path);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), CSV_CONTENT_TYPE);
  assert.equal(answer.headers.get("vary"), "Accept");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal(answer.headers.get("etag"), null);
  assert.equal(answer.headers.get("ledger-height"), String(await node.height()));
  const text = await answer.text();
  const first = parsed<Page>(await node.get(path));
  const query = `&cursor=${encodeURIComponent(first.cursor ?? "")}`;
  const second = parsed<Page>(await node.get(path + query));
  const ids = [...first.items, ...second.items].map(({ id }) => id);
  // JSON leaves out the group and the place in a bundle of a record that has none.
  const header = `${Object.keys(first.items[0] ?? {}).join(",")},group,at\r\n`;
  const rest = await (await csv(path + query)).text();
  assert.ok(rest.startsWith(`${header}${ids[2]},`), rest);
  assert.equal(
    text.slice(header.length).slice(-(rest.length - header.length)),
    rest.slice(header.length),
  );
  assert.deepEqual(text.match(/^[0-9a-f]{64}/gm), ids);
  // Parameters stand in one cell, as JSON: its first character is that of no formula.
  assert.match(text, /""=cmd\|\\""\/c calc\\""!A1""/);
  assert.doesNotMatch(text, /^[=+@-]|,[=+@-]|,"[=+@-]/m);
});

test("lists that go on after a balance or an address are whole, too", async () => {
  const rich = await node.holder({ params: { publickey: publicPem(bob.privateKey) } });
  const dates = Array.from({ length: 101 }, (_, index) => START + 1000 + index);
  for (const part of [dates.slice(0, 100), dates.slice(100)]) {
    const { address } = rich;
    const list = part.map((date) => ({ address, amount: "2", unlockdate: String(date) }));
    const params = await node.multitransfer(node.treasury, list);
    assert.equal(summaryOf(await node.post("/multitransfer", params)), "200");
  }
  const balances = parsed<readonly { balance: string; unlockdate: number }[]>(
    await node.get(`/balance/${rich.address}`),
  );
  assert.ok(balances.length > dates.length, `${balances.length}`);
  assert.deepEqual((await (await csv(`/balance/${rich.address}`)).text()).split("\r\n"), [
    "token,balance,unlockdate",
    ...balances.map(({ balance, unlockdate }) => `0,${balance},${unlockdate}`),
    "",
  ]);
  const publickey = publicPem(newKey());
  const made: string[] = [];
  while (made.length < 101) {
    made.push((await node.post("/address", { publickey })).text);
  }
  const found = await node.post(
    "/address/bykey",
    { publickey, limit: "1" },
    { Accept: "text/csv" },
  );
  assert.deepEqual(found.text.split("\r\n"), ["value", ...made, ""]);
});

test("an empty list as CSV is its header; HEAD has the head alone", async () => {
  assert.match(await (await csv("/mrc401")).text(), /^[a-z0-9_,]+\r\n$/);
  const head = await fetch(`${node.url}/blocks`, {
    method: "HEAD",
    headers: { Accept: "text/csv" },
  });
  assert.equal(head.headers.get("content-type"), CSV_CONTENT_TYPE);
  assert.equal(await head.text(), "");
  assert.equal((await csv("/blocks")).status, 200);
});

test("balances are CSV as well, and lists of texts; a read that is no list and a refusal are as ever", async () => {
  const balances = await (await csv(`/balance/${bob.address}`)).text();
  assert.equal(balances, "token,balance,unlockdate\r\n0,3,0\r\n");
  const one = await csv(`/address/${bob.address}`);
  assert.equal(one.headers.get("content-type"), "application/json");
  const refused = await csv("/transactions?limit=x");
  assert.equal(refused.status, 400);
  assert.equal(refused.headers.get("content-type"), "application/problem+json");
});
