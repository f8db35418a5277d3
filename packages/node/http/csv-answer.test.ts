import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CSV_CONTENT_TYPE, READS } from "@moneta/protocol";
import { type KeyHolder, parsed, said, TestNode } from "../testing/test-node.ts";
import { csvColumns, wantsCsv } from "./csv-answer.ts";

let node: TestNode;
let alice: KeyHolder;
let bob: KeyHolder;

before(async () => {
  node = await TestNode.start();
  alice = await node.holder({ coins: 1_000n });
  bob = await node.holder();
  for (const memo of ['=cmd|"/c calc"!A1', "two\r\nlines", "-1.5"]) {
    const params = await node.transfer(alice, { to: bob.address, amount: "1", memo });
    assert.equal(said(await node.post("/transfer", params)), "200");
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
  { accept: "text/csv, */*;q=0.1", wants: true },
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

test("a page of a history as CSV says what the same page says as JSON, and runs as no formula", async () => {
  const path = `/address/${bob.address}/transactions?limit=2`;
  const answer = await csv(path);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), CSV_CONTENT_TYPE);
  assert.equal(answer.headers.get("vary"), "Accept");
  const text = await answer.text();
  const { items, cursor = "" } = parsed<{
    items: readonly Readonly<Record<string, unknown>>[];
    cursor?: string;
  }>(await node.get(path));
  assert.ok(text.startsWith(`${Object.keys(items[0] ?? {}).join(",")}\r\n${items[0]?.["id"]},`));
  const next = /^<(.*)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1] ?? "";
  assert.ok(next.includes(`cursor=${encodeURIComponent(cursor)}`), next);
  const second = await csv(next);
  assert.equal(second.headers.get("link"), null);
  const rest = await second.text();
  // Parameters stand in one cell, as JSON: its first character is that of no formula.
  assert.match(rest, /""=cmd\|\\""\/c calc\\""!A1""/);
  assert.doesNotMatch(text + rest, /^[=+@-]|,[=+@]|,"[=+@]/m);
});

test("a CSV list has its own entity tag, and a client that has it gets 304", async () => {
  const path = `/address/${bob.address}/transactions`;
  const [asCsv, asJson] = [await csv(path), await fetch(`${node.url}${path}`)];
  const etag = asCsv.headers.get("etag") ?? "";
  assert.notEqual(etag, asJson.headers.get("etag"));
  assert.equal((await csv(path, { "If-None-Match": etag })).status, 304);
  assert.equal(
    (await csv(path, { "If-None-Match": asJson.headers.get("etag") ?? "" })).status,
    200,
  );
  await asCsv.text();
  await asJson.text();
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
