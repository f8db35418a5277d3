import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import {
  changed,
  createItems as createUniqueItems,
  type Element,
  type ItemParams,
  type ItemSigning,
  renamed,
} from "../testing/item-requests.ts";
import { NOBODY, NOBODY_ELSE } from "../testing/item-trade.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  parsed,
  said,
  saidCode,
  type TestNode,
  transactionIdOf,
} from "../testing/test-node.ts";
import {
  assertUnitsRecorded,
  NO_UNIT_ITEM,
  type UnitCast,
  Units,
  unitsSaid,
} from "../testing/unit-requests.ts";

// Transfers of units: mrc402 §2.2, §2.4, §6, and their rows in §18. After each case row 66 holds.

let units: Units;
let node: TestNode;
let cast: UnitCast;
let c: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
let o: KeyHolder;
before(async () => {
  units = await Units.open({ tokens: 7 });
  node = units.node;
});
after(() => units[Symbol.asyncDispose]());
beforeEach(async () => {
  cast = await units.cast();
  ({ c, a, b, d, o } = cast);
});
afterEach(() => units.assertConserved());

function transfer(
  from: KeyHolder,
  to: KeyHolder,
  mrc402id: string,
  amount?: string,
  { signing, ...more }: { readonly signing?: ItemSigning } & Params = {} as Params,
): Promise<Answered> {
  const given = amount === undefined ? {} : { amount };
  const params = { mrc402id, toAddr: to.address, ...given, ...more };
  return units.send("transfer", from, params, signing as ItemSigning | undefined);
}

function outcome(...of: Parameters<typeof transfer>): Promise<string> {
  return units.outcome(() => transfer(...of));
}

/** Standing alone, C's, of which A holds some. */
async function shared(total: string, ofA: string, more: ItemParams = {}): Promise<string> {
  const x = await units.alone(c, { totalsupply: total, ...more });
  await units.give(x, c, a, ofA);
  return x;
}

/** An item of P, created by O, of which A holds one unit. */
async function ofProject(element: Element = {}): Promise<string> {
  const u = await units.item(cast.project, o, element);
  await units.give(u, o, a);
  return u;
}

async function setTransferable(id: string, transferable: string): Promise<Answered> {
  const itemdata = [{ id, transferable }];
  return units.send("itemUpdate", o, { mrc400id: cast.project, itemdata });
}

test("mrc402 §18 row 3: C sends 3 to A in quantity form, then 1 in item form: C 96, A 4, owner empty, holders 2", async () => {
  c = await units.holder(500n, { tokens: { "7": 1000n }, name: "c" });
  const initialreserve = { "0": "5", "7": "10" };
  const x = await units.alone(c, { totalsupply: "100", initialreserve });
  await units.assertItem(x, { owner: c.address, holders: 1 });
  assert.equal(await outcome(c, a, x, "3"), "200: c -3 units, a +3 units");
  assert.equal(await outcome(c, a, x), "200: c -1 units, a +1 units");
  assert.deepEqual([await units.has(c, x), await units.has(a, x)], ["96", "4"]);
  const reserve = { "0": "500", "7": "1000" };
  await units.assertItem(x, { owner: "", holders: 2, totalsupply: "100", reserve });
});

test("mrc402 §18 row 17: without amount, string with amount: 2010; the reverse: 2010", async () => {
  const x = await units.alone(c, { totalsupply: "5" });
  const item = ["fromAddr", "toAddr", "mrc402id", "tkey"];
  const quantity = ["fromAddr", "toAddr", "amount", "mrc402id", "tkey"];
  for (const [sent, fields, answer] of [
    [{}, quantity, "401 2010 signature"],
    [{ amount: "1" }, item, "401 2010 signature"],
    [{}, item, "200"],
    [{ amount: "" }, item, "200"],
    [{ amount: "1" }, quantity, "200"],
  ] as const) {
    const params: Params = { mrc402id: x, fromAddr: c.address, toAddr: a.address, ...sent };
    const { mrc402id: _, ...body } = await node.shortlySigned(c, fields, params);
    const answered = await units.outcome(async () =>
      units.follow(await node.post(`/mrc402/transfer/${x}`, body)),
    );
    const expected = answer === "200" ? "200: c -1 units, a +1 units" : "401 2010";
    assert.equal(answered, expected, JSON.stringify(sent));
  }
});

for (const side of ["sell", "auction"] as const) {
  test(`mrc402 §18 row 39: U ${side === "sell" ? "on sale" : "on auction"}: transfer it: 7108, owner still the seller; sell and auction it again: 7108`, async () => {
    const u = await ofProject();
    await units.list(side, a, u);
    assert.equal(await outcome(a, b, u), "409 7108");
    assert.equal(await outcome(a, b, u, "1"), "409 7108");
    assert.equal(await outcome(a, b, u, "2"), "400 5000");
    for (const [word, params] of [
      ["sell", { id: u, amount: "1", price: "1", token: "0" }],
      ["auction", { id: u, amount: "1", auction_start_price: "1", token: "0" }],
      ["melt", { mrc402id: u }],
    ] as const) {
      assert.equal(await units.outcome(() => units.send(word, a, params)), "409 7108", word);
    }
    await units.assertItem(u, { owner: a.address, holders: 1 });
  });
}

test("mrc402 §2.2: free units can be transferred while others are listed, and only those", async () => {
  const x = await shared("20", "10");
  const sale = await units.list("sell", a, x, { amount: "4" });
  await units.list("auction", a, x, { amount: "3" });
  assert.equal(await units.has(a, x), "3 + 4 on sale + 3 on auction");
  assert.equal(await outcome(a, b, x, "4"), "409 7108");
  assert.equal(await outcome(a, b, x, "10"), "409 7108");
  assert.equal(await outcome(a, b, x, "11"), "400 5000");
  assert.equal(await outcome(a, b, x, "3"), "200: a -3 units, b +3 units");
  assert.equal(await outcome(a, b, x), "409 7108");
  await units.done("unsell", a, { id: sale });
  assert.equal(await outcome(a, b, x, "4"), "200: a -4 units, b +4 units");
  await units.assertItem(x, { owner: "", holders: 3 });
});

test("mrc402 §2.3: only who holds units transfers them: neither creator, project's owner, roles nor strangers, named or by key", async () => {
  const u = await ofProject();
  for (const by of [o, cast.partner, cast.seller, cast.maker, d]) {
    assert.equal(await outcome(by, b, u), "403 7001");
    assert.equal(await outcome(by, b, u, "2"), "403 7001");
  }
  assert.equal(await outcome(a, b, u), "200: a -1 units, b +1 units");
  assert.equal(await outcome(a, b, u), "403 7001");
  await units.assertItem(u, { owner: b.address });
  assert.equal(await outcome(b, o, u), "200: b -1 units, o +1 units");
  await units.assertItem(u, { owner: o.address, creator: o.address });
});

test("mrc402 §6, C4.7: another's key 2020, another's signature 2010", async () => {
  const x = await shared("5", "2");
  const tkey = await node.key(d);
  assert.equal(await outcome(a, d, x, "1", { tkey }), "401 2020");
  const answer = await units.outcome(() =>
    units.send("transfer", a, { mrc402id: x, toAddr: d.address }, { by: d }),
  );
  assert.equal(answer, "401 2010");
});

test("mrc402 §2.4: Bound: 7109, whoever asks; Temporary and Permanent pass", async () => {
  const { project } = cast;
  const bound = await units.item(project, o, { transferable: "Bound", totalsupply: "3" });
  assert.equal(await outcome(o, a, bound), "409 7109");
  assert.equal(await outcome(o, a, bound, "4"), "409 7109", "state before balances");
  assert.equal(await outcome(d, a, bound), "403 7001", "permission before state");
  const u = await ofProject({ transferable: "Temporary", totalsupply: "3" });
  assert.equal(await outcome(a, b, u), "200: a -1 units, b +1 units");
  assert.equal(saidCode(await setTransferable(u, "Bound")), "200");
  assert.equal(await outcome(b, a, u), "409 7109");
  assert.equal(await outcome(o, a, u), "409 7109");
  const free = await ofProject({ transferable: "Temporary" });
  assert.equal(saidCode(await setTransferable(free, "Permanent")), "200");
  assert.equal(await outcome(a, b, free, "1"), "200: a -1 units, b +1 units");
});

test("mrc402 §2.3: a project's item is anybody's once it has been given; melting date does not hold it", async () => {
  const expiredate = String(node.now + 1000);
  const x = await shared("5", "5", { expiredate, initialreserve: { "0": "3" } });
  assert.equal(await outcome(a, b, x, "5"), "200: a -5 units, b +5 units");
  await units.assertItem(x, { owner: b.address, holders: 1, reserve: { "0": "15" } });
});

for (const { signed, sent, amount } of [
  { signed: "short", sent: {}, amount: "" },
  { signed: "full", sent: {}, amount: "" },
  { signed: "short", sent: { amount: "3", tag: "t", memo: "a|b 😀" }, amount: "3" },
  { signed: "full", sent: { amount: "5", tag: "t", memo: "m" }, amount: "5" },
] as const) {
  test(`mrc402 §6: a transfer of ${amount || "one unit"}, signed ${signed}: answer, records M and A`, async () => {
    node.now += 10;
    const x = await shared("5", "5");
    const params = { mrc402id: x, toAddr: b.address, ...sent };
    const request = await units.request("transfer", a, params, { signed });
    const { signature, tkey, tag = "", memo = "" } = request.params as Record<string, string>;
    const answer = await units.post(request);
    const parameters = [a.address, b.address, amount, x, tag, memo, signature ?? "", tkey ?? ""];
    await assertUnitsRecorded(node, answer, [
      { type: "transfer_mrc402", of: a, parameters, units: [x] },
      { type: "receive_mrc402", of: b, parameters, units: [x] },
    ]);
    assert.match(answer.headers.get("replay-nonce") ?? "", /^[A-Za-z][0-9A-Za-z]{39,63}$/);
  });
}

test("mrc402 §6: of tag the first 64, of memo the first 2048 code points are kept, in short and full form", async () => {
  const x = await shared("5", "5");
  for (const signed of ["short", "full"] as const) {
    const params = { mrc402id: x, toAddr: b.address, tag: "😀".repeat(65), memo: "é".repeat(2049) };
    const answer = await units.send("transfer", a, params, { signed });
    const { parameters, effects } = await node.transaction(transactionIdOf(answer));
    assert.deepEqual(parameters.slice(4, 6), ["😀".repeat(64), "é".repeat(2048)]);
    assert.deepEqual(effects[0]?.parameters, parameters);
  }
});

test("mrc402 §1.3, C4.6: full signatures, bound keys, and the string that MRC401 shares", async () => {
  const x = await shared("9", "9");
  const params = { mrc402id: x, toAddr: b.address };
  const { path } = await units.request("transfer", a, params);
  const all = { fromAddr: a.address, ...params, tkey: await node.key(a) };
  const { mrc402id: _, ...foreign } = node.fullySigned("mrc401transfer", all, a);
  assert.equal(said(await node.post(path, foreign)), "401 2010 signature");
  for (const [kind, answer] of [
    ["mrc402transfer", "200"],
    ["transfer", "200"],
    ["mrc401transfer", "401 2020 tkey"],
    ["mrc402melt", "401 2020 tkey"],
  ] as const) {
    const tkey = await node.key(a, kind);
    assert.equal(said(await transfer(a, b, x, "1", { tkey })), answer, kind);
  }
  const full = await units.holder(0n, { params: { signed: "full" } });
  await units.give(x, a, full);
  assert.equal(said(await units.send("transfer", full, params)), "401 2010 signature");
  assert.equal(said(await units.send("transfer", full, params, { signed: "full" })), "200");
});

test("mrc402 §6: fromAddr is required, also where the key would tell; canonical names only", async () => {
  const x = await shared("5", "5");
  const params = { mrc402id: x, toAddr: b.address };
  assert.equal(
    said(await units.send("transfer", a, { ...params, fromAddr: "" })),
    "400 1000 fromAddr",
  );
  const request = await units.request("transfer", a, params);
  assert.equal(said(await units.post(renamed(request, { toAddr: "to" }))), "400 1000 toAddr");
  const other = changed(request, { mrc402id: NO_UNIT_ITEM });
  assert.equal(said(await units.post(other)), "400 1005 mrc402id");
});

for (const name of ["toAddr", "tkey", "signature"]) {
  test(`mrc402 §6: a transfer without ${name}: 1000`, async () => {
    const params = { mrc402id: NO_UNIT_ITEM, toAddr: NOBODY, amount: "x" };
    const request = await units.request("transfer", a, params);
    const { [name]: _, ...without } = request.params as Params;
    assert.equal(said(await units.post({ ...request, params: without })), `400 1000 ${name}`);
  });
}

// biome-ignore format: a line for each parameter
const REFUSED: readonly (readonly [name: string, values: readonly string[], answer: string])[] = [
  ["amount", ["x", "-1", "+1", "01", "1.5", "1e2", " 1", "100000000", String(10n ** 40n)], "400 1101 amount"],
  ["amount", ["0"], "400 1206 amount"],
  ["toAddr", ["x", "MTx", NOBODY.toLowerCase(), `${NOBODY}0`], "400 3190 toAddr"],
  ["toAddr", [NOBODY], "404 3090 toAddr"],
  ["fromAddr", ["x", "MTx"], "400 3190 fromAddr"],
  ["fromAddr", [NOBODY], "404 3090 fromAddr"],
  ["mrc402id", ["x", NO_UNIT_ITEM, "MRC402_", `MRC400_${"0".repeat(33)}`, `MRC400_${"0".repeat(33)}_${"0".repeat(40)}`, `DEX402_${"0".repeat(33)}`, "😀"], "404 6004 mrc402id"],
  ["tag", ["a\u0000"], "400 1006 tag"],
];

for (const [name, values, answer] of REFUSED) {
  test(`mrc402 §6: ${name} ${JSON.stringify(values).slice(0, 60)}: ${answer}`, async () => {
    const x = await shared("5", "5");
    for (const value of values) {
      const params = { mrc402id: x, toAddr: b.address, amount: "1", [name]: value };
      assert.equal(said(await units.send("transfer", a, params)), answer, value);
    }
  });
}

test("mrc402 §1.6: ids of an MRC401 item, of the project and of an item with another case are unknown here", async () => {
  const [unique = ""] = await createUniqueItems(node, cast.project, o, [{}]);
  const x = await units.alone(c);
  for (const id of [unique, cast.project, x.toLowerCase(), x.toUpperCase(), `${x}0`]) {
    assert.equal(await outcome(o, a, id), "404 6004", id);
  }
});

test("mrc402 §6: to oneself: 3201, with and without amount", async () => {
  const x = await shared("5", "5");
  assert.equal(await outcome(a, a, x), "400 3201");
  assert.equal(await outcome(a, a, x, "1"), "400 3201");
});

test("mrc402 §6: the order in which a transfer refuses", async () => {
  const { project } = cast;
  const foreign = await units.alone(c, { totalsupply: "9" });
  const ended = await units.item(project, o, { transferable: "Temporary" });
  await units.give(ended, o, a);
  assert.equal(saidCode(await units.send("melt", a, { mrc402id: ended })), "200");
  const bound = await units.item(project, o, { transferable: "Temporary", totalsupply: "4" });
  await units.give(bound, o, a, "4");
  await units.list("sell", a, bound, { amount: "2" });
  assert.equal(saidCode(await setTransferable(bound, "Bound")), "200");
  const listed = await shared("9", "4");
  await units.list("sell", a, listed, { amount: "2" });
  await units.mending("transfer", { by: a, stranger: c }, [
    [{ mrc402id: NO_UNIT_ITEM, fromAddr: NOBODY, toAddr: "", amount: "x" }, "400 1000"],
    [{ toAddr: NOBODY }, "400 1101"],
    [{ amount: "0" }, "400 1206"],
    [{ amount: "3", toAddr: "MTx" }, "400 3190"],
    [{ toAddr: NOBODY }, "400 3201"],
    [{ toAddr: NOBODY_ELSE }, "404 3090"],
    [{ fromAddr: a.address }, "404 3090"],
    [{ toAddr: b.address }, "404 6004"],
    [{ mrc402id: foreign }, "key"],
    [{}, "403 7001"],
    [{ mrc402id: ended }, "409 7110"],
    [{ mrc402id: bound }, "409 7109"],
    [{ mrc402id: listed }, "409 7108"],
    [{ amount: "5" }, "400 5000"],
    [{ amount: "2" }, "200"],
  ]);
  const both = { mrc402id: NO_UNIT_ITEM, toAddr: NOBODY_ELSE };
  assert.equal(
    said(await units.send("transfer", a, { ...both, fromAddr: NOBODY })),
    "404 3090 fromAddr",
  );
  assert.equal(said(await units.send("transfer", a, both)), "404 3090 toAddr");
});

test("C1.1, C1.2: query strings, JSON bodies with numbers, a slash at the end; other parameters are ignored", async () => {
  const x = await shared("9", "9");
  const params = { mrc402id: x, toAddr: b.address, amount: "2", price: "x", itemdata: "x" };
  const first = await units.request("transfer", a, params);
  assert.equal(said(await node.postQuery(first.path, first.params)), "200");
  const second = await units.request("transfer", a, params);
  const answer = await node.postJson(`${second.path}/`, { ...second.params, amount: 2 });
  assert.equal(said(answer), "200");
  assert.equal(await units.has(a, x), "5");
  for (const amount of [0, -1, 1.5, 2 ** 53, true, [1], { a: 1 }]) {
    const request = await units.request("transfer", a, { ...params, amount: String(amount) });
    const refused = await node.postJson(request.path, { ...request.params, amount });
    assert.match(said(refused), /^400 (1101|1206|1006|1007) amount$/, JSON.stringify(amount));
  }
});

test("C5.3: a repeat is answered as the first time, also when nothing is left; with another amount or receiver 2021", async () => {
  const x = await shared("5", "2");
  const tkey = await node.key(a);
  const first = await transfer(a, b, x, "2", { tkey });
  const height = await node.height();
  const again = await transfer(a, b, x, "2", { tkey });
  assert.deepEqual([again.status, again.text], [200, first.text]);
  assert.equal(await node.height(), height);
  assert.equal(said(await transfer(a, b, x, "1", { tkey })), "409 2021 tkey");
  assert.equal(said(await transfer(a, d, x, "2", { tkey })), "409 2021 tkey");
  assert.equal(said(await transfer(a, b, x, undefined, { tkey })), "409 2021 tkey");
});

// Truly at once.

async function atOnce(
  ...of: readonly (readonly [from: KeyHolder, params: ItemParams])[]
): Promise<string[]> {
  const ready = await Promise.all(
    of.map(([from, params]) => units.ready("transfer", from, params)),
  );
  return (await Promise.all(ready.map((send) => send()))).map(unitsSaid).sort();
}

test("mrc402 §2.2: two transfers of the same unit at once: one is done, the other 7001; of the same units of several 5000", async () => {
  for (let n = 0; n < 5; n++) {
    const u = await shared("2", "1");
    const one = await atOnce(
      [a, { mrc402id: u, toAddr: b.address }],
      [a, { mrc402id: u, toAddr: d.address }],
    );
    assert.deepEqual(one, ["200", "403 7001"]);
    const x = await shared("4", "3");
    const several = await atOnce(
      [a, { mrc402id: x, toAddr: b.address, amount: "2" }],
      [a, { mrc402id: x, toAddr: d.address, amount: "2" }],
    );
    assert.deepEqual(several, ["200", "400 5000"]);
  }
});

test("mrc402 §2.2: thirty transfers at once of ten units: ten are done", async () => {
  const x = await shared("11", "10");
  const receivers = [b, d, o];
  const all = Array.from({ length: 30 }, (_, n) => {
    const { address } = receivers[n % 3] as KeyHolder;
    return [a, { mrc402id: x, toAddr: address }] as const;
  });
  const answers = await atOnce(...all);
  assert.equal(answers.filter((answer) => answer === "200").length, 10);
  assert.ok(answers.every((answer) => /^(200|403 7001)$/.test(answer)));
  const held = await Promise.all([a, b, d, o].map(async (by) => Number(await units.has(by, x))));
  assert.equal(held[0], 0);
  assert.equal(
    held.reduce((sum, n) => sum + n),
    10,
  );
});

test("mrc402 §2.2: units go round at once without one being lost", async () => {
  const x = await units.alone(c, { totalsupply: "9" });
  const ring = [a, b, d] as const;
  for (const holder of ring) {
    await units.give(x, c, holder, "3");
  }
  const moves = Array.from({ length: 30 }, (_, n) => {
    const [from, to] = [ring[n % 3], ring[(n + 1) % 3]] as [KeyHolder, KeyHolder];
    return [from, { mrc402id: x, toAddr: to.address, amount: String((n % 2) + 1) }] as const;
  });
  const answers = await atOnce(...moves);
  assert.ok(
    answers.every((answer) => /^(200|403 7001|400 5000)$/.test(answer)),
    answers.join(),
  );
  const held = await Promise.all(ring.map(async (by) => Number(await units.has(by, x))));
  assert.equal(
    held.reduce((sum, n) => sum + n),
    9,
  );
});

test("C5.3: one transfer ten times at once: one answer, one transfer", async () => {
  const x = await shared("5", "5");
  const params = { mrc402id: x, toAddr: b.address, amount: "2" };
  const send = await units.ready("transfer", a, params);
  const answers = await Promise.all(Array.from({ length: 10 }, () => send()));
  assert.equal(new Set(answers.map((answer) => parsed<{ txid: string }>(answer).txid)).size, 1);
  assert.deepEqual([await units.has(a, x), await units.has(b, x)], ["3", "2"]);
});
