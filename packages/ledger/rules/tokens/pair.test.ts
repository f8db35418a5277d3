import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import { TestClient } from "../../testing/test-client.ts";
import { createToken } from "../../testing/trade/creations.ts";

let client: TestClient;
let o: Address;
let p: Address;
/** Decimals 2, of P; decimals 1 and 0, of O. */
let base: string;
let target: string;
let other: string;

before(async () => {
  client = await TestClient.open();
});
after(() => client[Symbol.dispose]());

beforeEach(async () => {
  ({ o, p } = await client.people(["o", "p"]));
  base = await createToken(client, p, { name: "Base", decimal: "2" });
  target = await createToken(client, o, { name: "Target", decimal: "1" });
  other = await createToken(client, o, { name: "Other", decimal: "0" });
});

async function setBase(by: Address, token: string, baseToken: string): Promise<string> {
  return (await client.send("tokensetbase", by, { token, baseToken })).summary;
}

async function target1(
  what: "add" | "remove",
  by: Address,
  token: string,
  targetToken: string,
  more: Params = {},
): Promise<string> {
  return (await client.send(`token${what}target`, by, { token, targetToken, ...more })).summary;
}

test("protocols §8 row 1: a token begins with the native coin as its base, and without targets", () => {
  client.assertEntry(target, { basetoken: 0, targettoken: {} });
});

test("protocols §8 row 2: the owner sets the base; the record has base and target alone", async () => {
  const { record } = await client.done("tokensetbase", o, { token: target, baseToken: base });
  client.assertEntry(target, { basetoken: Number(base), targettoken: {} });
  assert.deepEqual(record.parameters, [base, target]);
});

test("protocols §8 row 3: the base's owner adds the target, with the ledger time", async () => {
  const { record } = await client.done("tokenaddtarget", p, { token: base, targetToken: target });
  client.assertEntry(base, { basetoken: 0, targettoken: { [target]: client.now } });
  assert.deepEqual(record.parameters.slice(0, 2), [base, target]);
});

test("protocols §8: the same base again changes nothing", async () => {
  assert.equal(await setBase(o, target, "0"), "400 4900");
  assert.equal(await setBase(o, target, base), "done");
  assert.equal(await setBase(o, target, base), "400 4900");
});

test("protocols §8: equal ids, the native coin as the target, unknown and malformed ids", async () => {
  assert.equal(await setBase(o, target, target), "400 3005 baseToken");
  assert.equal(await setBase(o, "0", base), "400 3005 token");
  assert.equal(await setBase(o, target, "99999"), "404 4001 baseToken");
  assert.equal(await setBase(o, "99999", base), "404 4001 token");
  assert.equal(await setBase(o, target, "x"), "400 1101 baseToken");
});

test("protocols §8: of two tokens only one is the base", async () => {
  assert.equal(await setBase(o, target, base), "done");
  assert.equal(await target1("add", o, target, base), "400 3005 targetToken");
  assert.equal(await target1("add", o, other, base), "done");
  assert.equal(await setBase(o, other, base), "400 3005 baseToken");
});

test("protocols §8: a target is added once, and only a target is removed", async () => {
  assert.equal(await target1("add", p, base, target), "done");
  assert.equal(await target1("add", p, base, target), "400 4900");
  assert.equal(await target1("remove", p, base, other), "400 4900");
});

test("protocols §8: a token is no target of itself, the native coin no target and no base with targets", async () => {
  assert.equal(await target1("add", p, base, base), "400 3005 targetToken");
  assert.equal(await target1("add", p, base, "0"), "400 3005 targetToken");
  assert.equal(await target1("add", p, "0", target), "400 3005 token");
  assert.equal(await target1("remove", p, "0", target), "400 3005 token");
});

test("protocols §8: a token has at most 1000 targets", async () => {
  const drafts = Array.from({ length: 1001 }, (_, index) => `T${index}`);
  for (let from = 0; from < drafts.length; from += 10) {
    const names = drafts.slice(from, from + 10);
    const terms = { symbol: "T", totalsupply: "1" };
    await client.block(names.map((name) => ["tokensave", o, { name, ...terms }]));
    await client.block(names.map((name) => ["tokencreate", o, {}, { decided: { name } }]));
  }
  const first = Number(other) + 1;
  const answers = await client.block(
    drafts.map((_, index) => [
      "tokenaddtarget",
      p,
      { token: base, targetToken: String(first + index) },
    ]),
  );
  const reported = answers.map((answer) => answer.summary);
  assert.deepEqual([...new Set(reported.slice(0, 1000))], ["done"]);
  assert.equal(reported[1000], "400 3002 targetToken");
});

test("protocols §8: targets are added and removed by full signatures only", async () => {
  for (const what of ["add", "remove"] as const) {
    assert.equal(await target1(what, p, base, target, { signed: "" }), "400 1000 signed");
    assert.equal(await target1(what, p, base, target, { signed: "short" }), "400 3005 signed");
  }
});

test("protocols §8: a target is removed", async () => {
  assert.equal(await target1("add", p, base, target), "done");
  await client.done("tokenremovetarget", p, { token: base, targetToken: target });
  client.assertEntry(base, { targettoken: {} });
});

test("protocols §8 and its row 12: the order in which the three refuse, a stranger's key and signature too", async () => {
  const people = { by: o, stranger: p };
  await client.mending("tokensetbase", people, [
    [{ token: "x" }, "400 1000 baseToken"],
    [{ baseToken: "y" }, "400 1101 token"],
    [{ token: target }, "400 1101 baseToken"],
    [{ baseToken: target }, "400 3005 baseToken"],
    [{ baseToken: "99999" }, "404 4001 baseToken"],
    [{ baseToken: "0" }, "key"],
    [{}, "400 4900"],
  ]);
  await client.mending("tokenaddtarget", people, [
    [{ token: target, targetToken: "99999" }, "404 4001 targetToken"],
    [{ targetToken: other }, "key"],
    [{}, "done"],
  ]);
  await client.mending("tokenremovetarget", people, [
    [{ token: target, targetToken: "99999" }, "404 4001 targetToken"],
    [{ targetToken: base }, "key"],
    [{}, "400 4900"],
  ]);
});
