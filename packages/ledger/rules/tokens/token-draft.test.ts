import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { TestClient } from "../../testing/test-client.ts";
import { createDraft, saveDraft, supplyOf } from "../../testing/trade/token-drafts.ts";

let client: TestClient;
let o: Address;
let a: Address;
beforeEach(async () => {
  client = await TestClient.open();
  ({ o, a } = await client.people(["o", "a"]));
});
afterEach(() => client[Symbol.dispose]());

/** Saves drafts one second after the other. */
async function savedInTurn(names: readonly string[]): Promise<void> {
  for (const name of names) {
    client.now += 1;
    assert.equal((await saveDraft(client, o, { name })).said, "done");
  }
}

async function creating(name?: string): Promise<string> {
  return (await createDraft(client, o, name)).code;
}

const TEN = Array.from({ length: 10 }, (_, index) => `Draft ${index}`);

test("tokens §7 row 8: two drafts can be open at once, the signature says which is created", async () => {
  await savedInTurn(["X", "Y"]);
  for (const [name, id] of [
    ["X", "1"],
    ["Y", "2"],
  ] as const) {
    assert.deepEqual((await createDraft(client, o, name)).made, [id]);
    client.assertEntry(id, { name });
  }
});

test("tokens §4: a full signature names no draft: the newest is created, a replaced one is as new as what replaced it", async () => {
  await savedInTurn(["X", "Y", "Z", "X"]);
  for (const name of ["X", "Z", "Y"]) {
    client.assertEntry(await client.make("tokencreate", o, { signed: "full" }), { name });
  }
});

test("tokens §7 row 9: a second save of the same name replaces the first; one draft makes one token", async () => {
  await saveDraft(client, o, { totalsupply: "100", url: "https://old.example/" });
  await saveDraft(client, o, { totalsupply: "200", symbol: "NEW" });
  assert.equal(await creating(), "done");
  assert.equal(supplyOf(client, "1"), "200 issued, 0 burned, the owner has 200");
  client.assertEntry("1", { url: "", symbol: "NEW" });
  assert.equal(await creating(), "404 6010");
});

test("tokens §3: drafts of two owners with one name are two", async () => {
  await saveDraft(client, o, { symbol: "O" });
  await saveDraft(client, a, { symbol: "A" });
  assert.equal(await creating(), "done");
  assert.equal((await createDraft(client, a)).said, "done");
  client.assertEntry("1", { symbol: "O", owner: o });
  client.assertEntry("2", { symbol: "A", owner: a });
});

for (const { seconds, answer } of [
  { seconds: 3599, answer: "done" },
  { seconds: 3600, answer: "404 6010" },
  { seconds: 3601, answer: "404 6010" },
]) {
  test(`tokens §7 row 10: create ${seconds} s after save: ${answer}`, async () => {
    await saveDraft(client, o);
    client.now += seconds;
    assert.equal(await creating(), answer);
  });
}

test("tokens §3: saving again makes a draft last 3600 s from then on", async () => {
  await saveDraft(client, o);
  client.now += 3599;
  await saveDraft(client, o);
  client.now += 3599;
  assert.equal(await creating(), "done");
});

test("tokens §4: beside an older draft that is open one that is over fits no more", async () => {
  await saveDraft(client, o, { name: "Old" });
  client.now += 1800;
  await saveDraft(client, o, { name: "New" });
  client.now += 1801;
  assert.equal(await creating("Old"), "401 2010");
  assert.equal(await creating("New"), "done");
});

test("tokens §3: an eleventh draft removes the oldest", async () => {
  await savedInTurn([...TEN, "Draft 10"]);
  assert.equal(await creating("Draft 0"), "401 2010");
  for (const name of [...TEN.slice(1), "Draft 10"]) {
    assert.equal(await creating(name), "done", name);
  }
  assert.equal(await creating("Draft 0"), "404 6010");
});

test("tokens §3: a draft that is replaced takes no second place, and is the newest then", async () => {
  await savedInTurn([...TEN, "Draft 0"]);
  await savedInTurn(["Draft 10"]);
  assert.equal(await creating("Draft 1"), "401 2010");
  for (const name of ["Draft 0", ...TEN.slice(2), "Draft 10"]) {
    assert.equal(await creating(name), "done", name);
  }
});

test("tokens §3: of 25 drafts saved in one block the newest ten are left", async () => {
  const names = Array.from({ length: 25 }, (_, index) => `At once ${index}`);
  await client.block(names.map((name) => ["tokensave", o, { symbol: "GLD", name }]));
  for (const [index, name] of names.entries()) {
    assert.equal(await creating(name), index < 15 ? "401 2010" : "done", name);
  }
});

test("tokens §3: drafts survive a restart, their order and their age, too", async () => {
  await savedInTurn(["X", "Y"]);
  client.ledger.restart();
  client.assertEntry(await client.make("tokencreate", o), { name: "Y" });
  client.now += 3598;
  assert.equal(await creating("X"), "done");
});
