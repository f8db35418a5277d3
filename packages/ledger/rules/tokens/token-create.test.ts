import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { type Address, AMOUNT_MAX } from "@moneta/protocol";
import { assertRecords } from "../../testing/shown/expected-records.ts";
import { TestClient } from "../../testing/test-client.ts";
import { createToken } from "../../testing/trade/creations.ts";
import { createDraft, reserveOf, saveDraft, supplyOf } from "../../testing/trade/token-drafts.ts";

let client: TestClient;
let o: Address;
let a: Address;
let b: Address;
beforeEach(async () => {
  client = await TestClient.open();
  ({ o, a, b } = await client.people(["o", "a", "b"]));
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

test("tokens §4: who is given everything in the reserve leaves no rest and no record of one", async () => {
  const id = await issued({ totalsupply: "10", reserve: reserveOf([a, "4"], [b, "6"]) });
  assert.deepEqual(
    [o, a, b].map((one) => client.held(one, id)),
    ["0", "4", "6"],
  );
  await saveDraft(client, o, { totalsupply: "10", reserve: reserveOf([a, "10"]) });
  assert.deepEqual((await createDraft(client, o)).told, [`token_reserve ${a}`]);
});

test("tokens §4: a token of nothing has a record without effects, its texts empty where none were sent", async () => {
  await saveDraft(client, o);
  const answer = await createDraft(client, o);
  const texts = ["GLD", "Gold", "", "", "", "", ""];
  const parameters = ["1", o, ...texts, answer.signature, answer.tkey];
  assertRecords(client, answer, [{ type: "tokenRegister", of: o, parameters }], "1");
  assert.equal(supplyOf(client, "1"), "0 issued, 0 burned, the owner has 0");
});

test("tokens §4: an unlock date that has come by the time of the create does not lock", async () => {
  const date = client.now + 100;
  const reserve = reserveOf([a, "1", date], [b, "2", date + 1]);
  await saveDraft(client, o, { totalsupply: "10", reserve });
  client.now = date;
  await createDraft(client, o);
  assert.deepEqual([client.held(a, "1"), client.held(b, "1")], ["1", `0 + 2@${date + 1}`]);
  client.assertEntry("1", { createdate: date });
});

test("tokens §4: a hundred reserve entries are a hundred records, 10^40 units are none too many", async () => {
  const reserve = reserveOf(...Array.from({ length: 100 }, () => [a, "1"] as const));
  await saveDraft(client, o, { totalsupply: String(AMOUNT_MAX), reserve });
  const { effects } = await createDraft(client, o);
  assert.equal(effects.length, 101);
  assert.equal(effects[100]?.parameters[2], String(AMOUNT_MAX - 100n));
  assert.equal(client.held(a, "1"), "100");
});

test("tokens §7 row 11: with a key of A, signed by O: 6010 while A has no draft, 2010 once it has", async () => {
  await saveDraft(client, o);
  const tkey = client.ledger.key(a);
  assert.equal((await createDraft(client, o, "Gold", { tkey })).code, "404 6010");
  await saveDraft(client, a);
  assert.equal((await createDraft(client, o, "Gold", { tkey })).code, "401 2010");
  assert.equal((await createDraft(client, a, "Gold", { tkey })).said, "done");
  client.assertEntry("1", { owner: a });
});

test("tokens §7 row 12: repeated with the same key: the first transaction, no second token", async () => {
  await saveDraft(client, o);
  const first = await createDraft(client, o);
  const again = await createDraft(client, o, "Gold", { tkey: first.tkey });
  assert.deepEqual([again.said, again.id], ["repeat", first.id]);
  assert.throws(() => client.entry("2"));
});

test("tokens §4: create refuses in the order of its checks", async () => {
  const expired = client.ledger.key(o);
  client.now += 601;
  await saveDraft(client, o);
  const used = (await createDraft(client, o)).tkey;
  const creating = async (tkey: string, name = "Gold", by = o): Promise<string> =>
    (await createDraft(client, by, name, { tkey })).said;
  assert.equal(
    (await createDraft(client, o, "Gold", { signature: "" })).said,
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

test("tokens §4: a create that fails uses up no id and no key", async () => {
  await saveDraft(client, o);
  const tkey = client.ledger.key(o);
  assert.equal((await createDraft(client, o, "Silver", { tkey })).code, "401 2010");
  assert.deepEqual((await createDraft(client, o, "Gold", { tkey })).made, ["1"]);
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
      answers.map(({ said }) => said),
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
    assert.equal((await createDraft(client, o)).said, then);
  }
});
