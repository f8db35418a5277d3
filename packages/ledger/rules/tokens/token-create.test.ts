import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { TestClient } from "../../testing/test-client.ts";
import { createToken } from "../../testing/trade/creations.ts";
import { createDraft, reserveOf, saveDraft, supplyOf } from "../../testing/trade/token-drafts.ts";

// Creating tokens from drafts: tokens §3, §4.

let client: TestClient;
let o: Address;
let a: Address;
beforeEach(async () => {
  client = await TestClient.open();
  ({ o, a } = await client.people(["o", "a"]));
});
afterEach(() => client[Symbol.dispose]());

async function issued(terms: Parameters<typeof createToken>[2]): Promise<string> {
  return createToken(client, o, terms);
}

test("tokens §7 row 1: with six tokens there, a total of 1000 without reserve becomes token 7, all of it the owner's", async () => {
  for (const id of ["1", "2", "3", "4", "5", "6"]) {
    assert.equal(await issued({}), id);
  }
  assert.equal(await issued({ totalsupply: "1000" }), "7");
  assert.equal(supplyOf(client, "7"), "1000 issued, 0 burned, the owner has 1000");
});

test("tokens §7 row 2: reserves are paid out, locked until their dates, the rest goes to the owner; a record for each", async () => {
  const date = client.now + 1000;
  const reserve = reserveOf([a, "300", date], [a, "100"], [o, "50", date]);
  const change = { url: "https://a.b/", decimal: "2", category: "metal", totalsupply: "1000" };
  await saveDraft(client, o, { ...change, reserve });
  const { record, signature, tkey } = await createDraft(client, o);
  assert.equal(client.held(a, "1"), `100 + 300@${date}`);
  assert.equal(supplyOf(client, "1"), `1000 issued, 0 burned, the owner has 550 + 50@${date}`);

  const shown = (free: string, locked?: string): object => ({
    balance: [
      { token: "1", balance: free, unlockdate: 0 },
      ...(locked === undefined ? [] : [{ token: "1", balance: locked, unlockdate: date }]),
    ],
  });
  const received = (to: Address, value: string, values: object): object => ({
    ...{ type: "token_reserve", address: to, token: 1, parameters: [o, to, value, "1"] },
    values: { ...values, moved: [{ amount: value, token: "1" }] },
  });
  assert.deepEqual(record, {
    ...{ type: "tokenRegister", address: o, token: 1, values: shown("550") },
    parameters: [
      ...["1", o, "GLD", "Gold", "https://a.b/", "1000", "2", "metal", reserve],
      ...[signature, tkey],
    ],
    effects: [
      received(a, "300", shown("100", "300")),
      received(a, "100", shown("100")),
      received(o, "50", shown("550", "50")),
      received(o, "550", shown("550")),
    ],
  });
});

test("tokens §4: an owner to whom the reserves leave nothing has no balance and no record of it", async () => {
  await saveDraft(client, o, { totalsupply: "1000", reserve: reserveOf([a, "1000"]) });
  const { effects } = await createDraft(client, o);
  assert.deepEqual(
    effects.map(({ type, address }) => [type, address]),
    [["token_reserve", a]],
  );
});

test("tokens §4: with a key of A, signed by O: 6010 while A has no draft, 2010 once it has", async () => {
  await saveDraft(client, o);
  const tkey = client.ledger.key(a);
  assert.equal((await createDraft(client, o, "Gold", { tkey })).code, "404 6010");
  await saveDraft(client, a);
  assert.equal((await createDraft(client, o, "Gold", { tkey })).code, "401 2010");
  assert.equal((await createDraft(client, a, "Gold", { tkey })).summary, "done");
  client.assertEntry("1", { owner: a });
});

test("conventions §5.3: repeated with the same key: the first transaction, no second token", async () => {
  await saveDraft(client, o);
  const first = await createDraft(client, o);
  const again = await createDraft(client, o, "Gold", { tkey: first.tkey });
  assert.deepEqual([again.summary, again.id], ["repeat", first.id]);
  assert.throws(() => client.entry("2"));
});

test("tokens §4: create refuses in the order of its checks", async () => {
  const expired = client.ledger.key(o);
  client.now += 601;
  await saveDraft(client, o);
  const used = (await createDraft(client, o)).tkey;
  const creating = async (tkey: string, name = "Gold", by = o): Promise<string> =>
    (await createDraft(client, by, name, { tkey })).summary;
  assert.equal(
    (await createDraft(client, o, "Gold", { signature: "" })).summary,
    "400 1000 signature",
  );
  for (const tkey of ["unknown", expired, `${client.ledger.key(o)}x`]) {
    assert.equal(await creating(tkey), "401 2020 tkey");
  }
  assert.equal(await creating(used, "Silver"), "409 2021 tkey");
  const tkey = client.ledger.key(o);
  assert.equal(await creating(tkey), "404 6010");
  await saveDraft(client, o);
  assert.equal(await creating(tkey, "Silver"), "401 2010 signature");
  assert.equal(await creating(tkey, "Gold", a), "401 2010 signature");
  assert.equal(await creating(tkey), "done");
});

test("tokens §4: of two creates of one draft in a block one is done, the other 6010, or 2010 while another draft is open", async () => {
  for (const [drafts, loser] of [
    [["Gold"], "404 6010"],
    [["Gold", "Silver"], "401 2010 signature"],
  ] as const) {
    for (const name of drafts) {
      await saveDraft(client, o, { name });
    }
    const create = ["tokencreate", o, {}, { decided: { name: "Gold" } }] as const;
    const answers = await client.block([create, create]);
    assert.deepEqual(
      answers.map(({ summary: reported }) => reported),
      ["done", loser],
    );
  }
});

test("tokens §4: a save before a create in a block gives the new draft, after it another one", async () => {
  const create = ["tokencreate", o, {}, { decided: { name: "Gold" } }] as const;
  const save = ["tokensave", o, { symbol: "GLD", name: "Gold", totalsupply: "200" }] as const;
  for (const [requests, total, then] of [
    [[save, create], "200", "404 6010"],
    [[create, save], "100", "done"],
  ] as const) {
    await saveDraft(client, o, { totalsupply: "100" });
    const answers = await client.block(requests);
    const [id] = (answers[0] as (typeof answers)[0]).made;
    client.assertEntry(id as string, { totalsupply: total });
    assert.equal((await createDraft(client, o)).summary, then);
  }
});

/** Saves drafts one second after the other. */
async function savedInTurn(names: readonly string[]): Promise<void> {
  for (const name of names) {
    client.now += 1;
    assert.equal((await saveDraft(client, o, { name })).summary, "done");
  }
}

async function creating(name?: string): Promise<string> {
  return (await createDraft(client, o, name)).code;
}

const TEN = Array.from({ length: 10 }, (_, index) => `Draft ${index}`);

test("tokens §4: two drafts can be open at once, the signature says which is created", async () => {
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

test("tokens §3: a second save of the same name replaces the first; one draft makes one token", async () => {
  await saveDraft(client, o, { totalsupply: "100", url: "https://old.example/" });
  await saveDraft(client, o, { totalsupply: "200", symbol: "NEW" });
  assert.equal(await creating(), "done");
  assert.equal(supplyOf(client, "1"), "200 issued, 0 burned, the owner has 200");
  client.assertEntry("1", { url: "", symbol: "NEW" });
  assert.equal(await creating(), "404 6010");
});

for (const { seconds, answer } of [
  { seconds: 3599, answer: "done" },
  { seconds: 3600, answer: "404 6010" },
  { seconds: 3601, answer: "404 6010" },
]) {
  test(`tokens §4: create ${seconds} s after save: ${answer}`, async () => {
    await saveDraft(client, o);
    client.now += seconds;
    assert.equal(await creating(), answer);
  });
}

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
