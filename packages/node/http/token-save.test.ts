import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  type KeyHolder,
  type Params,
  said,
  saidCode,
  signatureOf,
  TestNode,
} from "../testing/test-node.ts";
import {
  AMOUNT_MAX,
  changed,
  createdId,
  createRequest,
  reserveOf,
  saveRequest,
  send,
  type TokenSigning,
} from "../testing/token-requests.ts";

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";
const UNKNOWN_2 = "MTBob0000000000000000000000000005f59bcba";

let node: TestNode;
let o: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
before(async () => {
  node = await TestNode.start();
  o = await node.holder();
  a = await node.holder();
  b = await node.holder();
});
after(() => node[Symbol.asyncDispose]());

/** What a save of O is answered. */
async function saving(change: Params = {}, signing: TokenSigning = {}): Promise<string> {
  return said(await send(node, await saveRequest(node, o, change, signing)));
}

function shortened(change: Params): string {
  const text = JSON.stringify(change);
  return text.length > 60 ? `${text.slice(0, 50)}… (${text.length})` : text;
}

function url(length: number): string {
  return "https://gold.example/".padEnd(length, "x");
}

function dataUrl(length: number): string {
  return "data:image/png;base64,".padEnd(length, "A");
}

const LONG_TIER = `[{"a":"${"😀".repeat(16384 - 10)}"}]`;

// biome-ignore format: a line for each rule and answer
const FORMS: readonly { row?: string; answer: string; changes: readonly Params[] }[] = [
  { row: "§7 row 6", answer: "400 1101 totalsupply", changes: ["1e3", "01", "10.0", "-1", String(AMOUNT_MAX + 1n)].map((totalsupply) => ({ totalsupply })) },
  { row: "§7 row 6", answer: "200", changes: [{ totalsupply: String(AMOUNT_MAX) }, { totalsupply: "0" }] },
  { row: "§7 row 7", answer: "400 1004 decimal", changes: [{ decimal: "19" }, { decimal: "100" }] },
  { row: "§7 row 7", answer: "400 1003 decimal", changes: ["x", "-1", "1.5", "1e1", "01", " 1"].map((decimal) => ({ decimal })) },
  { row: "§7 row 7", answer: "200", changes: [{}, { decimal: "" }, { decimal: "0" }, { decimal: "18" }] },
  { row: "§7 row 14", answer: "400 3005 name", changes: [{ name: "a|b" }, { name: "|" }] },
  { answer: "400 3190 owner", changes: [{ owner: "MTx" }] },
  { answer: "200", changes: [{ symbol: "s" }, { symbol: "😀".repeat(32) }, { name: "n" }, { name: "😀".repeat(128) }] },
  { answer: "400 3005 symbol", changes: [{ symbol: "s".repeat(33) }, { symbol: "a|b" }] },
  { answer: "400 3005 name", changes: [{ name: "n".repeat(129) }] },
  { answer: "400 1006 symbol", changes: [{ symbol: "\u0001" }] },
  { answer: "400 1101 reservedamount", changes: ["x", "01", "-1", String(AMOUNT_MAX + 1n)].map((reservedamount) => ({ reservedamount })) },
  { answer: "200", changes: [{ remainamount: "x|1e3" }, { remainamount: "-1" }] },
  { answer: "200", changes: [{ category: "😀".repeat(64) }, { category: "a|b" }] },
  { answer: "400 3005 category", changes: [{ category: "c".repeat(65) }] },
  { answer: "200", changes: [{ url: "http://a.b" }, { url: url(255) }, { url: "https://a.b/é" }] },
  { answer: "400 3005 url", changes: ["a.b", "//a.b", "ftp://a.b", "data:image/png,x", "ipfs://x", "https://", "https://a.b/|", url(256)].map((given) => ({ url: given })) },
  { answer: "200", changes: ["ipfs://bafy/1.png", "http://a.b/i", url(255), "data:image/svg+xml,%3Csvg/%3E", dataUrl(131_072)].map((image) => ({ image })) },
  { answer: "400 3005 image", changes: ["x", "ftp://a.b", "data:text/html,x", "data:,x", "javascript:1", "https://a.b/é", "data:image/png,|", "data:image/png,é", url(256), dataUrl(131_073)].map((image) => ({ image })) },
  { answer: "200", changes: [{ type: "010" }, { type: "100" }, { type: "101" }] },
  { answer: "400 3005 type", changes: ["10", "000", "111", "x"].map((type) => ({ type })) },
  { answer: "200", changes: [{ token: "t".repeat(16) }, { token: "7" }, { token: "01" }] },
  { answer: "400 3005 token", changes: [{ token: "t".repeat(17) }, { token: "1|2" }] },
  { answer: "400 1007 reserve", changes: ["x", "{}", "[1]", "[[]]", "null", "[", '["a"]', "[{}]x"].map((reserve) => ({ reserve })) },
  { answer: "200", changes: [{ reserve: "[]" }, { reserve: " [ ] " }, { tier: "[]" }] },
  { answer: "400 1007 tier", changes: ["x", "{}", "[1]", "[null]", "[[]]", `[${"{},".repeat(20)}{}]`, '[{"a":1,"a":1}]', '[{"a":1,"\\u0061":2}]', LONG_TIER.replace("😀", "😀x")].map((tier) => ({ tier })) },
  { answer: "200", changes: [{ tier: `[${"{},".repeat(19)}{}]` }, { tier: LONG_TIER }, { tier: `[{"a":${"[".repeat(6)}${"]".repeat(6)}}]` }] },
  { answer: "400 1007 tier", changes: [{ tier: `[{"a":${"[".repeat(7)}${"]".repeat(7)}}]` }] },
];

for (const { row = "§3", answer, changes } of FORMS) {
  for (const change of changes) {
    test(`tokens ${row}: save with ${shortened(change)}: ${answer}`, async () =>
      assert.equal(await saving(change), answer));
  }
}

for (const { entry, answer } of [
  { entry: {}, answer: "200" },
  { entry: { unlockdate: 2147483647 }, answer: "200" },
  { entry: { unlockdate: "2147483647" }, answer: "200" },
  { entry: { unlockdate: "0" }, answer: "200" },
  { entry: { address: "MTx" }, answer: "400 3190" },
  { entry: { address: undefined }, answer: "400 1000" },
  { entry: { address: "" }, answer: "400 1000" },
  { entry: { value: undefined }, answer: "400 1000" },
  ...["0", "01", "x", "-1", "1.0", "1e3", String(AMOUNT_MAX + 1n)].map((value) => ({
    entry: { value },
    answer: "400 1101",
  })),
  ...["x", "01", "-1", "1.5", "2147483648", -1, 1.5, 2147483648].map((unlockdate) => ({
    entry: { unlockdate },
    answer: "400 1102",
  })),
]) {
  test(`tokens §3: a reserve entry with ${JSON.stringify(entry)}: ${answer}`, async () => {
    const good = { address: a.address, value: "1" };
    const reserve = JSON.stringify([good, { ...good, ...entry }]);
    const answered = await saving({ totalsupply: "1000", reserve });
    assert.equal(answered.split(" ").slice(0, 2).join(" "), answer);
  });
}

test("tokens §3: a key twice in a reserve entry: 1007", async () => {
  const reserve = `[{"address":"${a.address}","value":"1","value":"1"}]`;
  assert.equal(await saving({ totalsupply: "1000", reserve }), "400 1007 reserve");
});

test("tokens §3: a reserve has at most 100 entries", async () => {
  const entries = (count: number): string =>
    reserveOf(...Array.from({ length: count }, () => [a, "1"] as const));
  assert.equal(await saving({ totalsupply: "1000", reserve: entries(101) }), "400 1007 reserve");
  assert.equal(await saving({ totalsupply: "100", reserve: entries(100) }), "200");
});

// biome-ignore format: a case is a line
const SUMS: readonly { row?: string; what: string; change: () => Params; answer: string }[] = [
  { row: "§7 row 3", what: "reserve A 400, B 601 of 1000", change: () => ({ reserve: reserveOf([a, "400"], [b, "601"]) }), answer: "400 1103" },
  { row: "§7 row 4", what: "reservedamount 600 beside A 400 of 1000", change: () => ({ reserve: reserveOf([a, "400"]), reservedamount: "600" }), answer: "200" },
  { row: "§7 row 4", what: "reservedamount 601 beside A 400 of 1000", change: () => ({ reserve: reserveOf([a, "400"]), reservedamount: "601" }), answer: "400 1103" },
  { what: "reserve of all 1000", change: () => ({ reserve: reserveOf([a, "400"], [b, "600"]) }), answer: "200" },
  { what: "the owner's own entries count as what it receives", change: () => ({ reserve: reserveOf([o, "300"], [a, "100"], [o, "600"]), reservedamount: "900" }), answer: "200" },
  { what: "no more than the owner receives", change: () => ({ reserve: reserveOf([o, "300"], [a, "100"], [o, "600"]), reservedamount: "901" }), answer: "400 1103" },
  { what: "a reserve of a token without supply", change: () => ({ totalsupply: "", reserve: reserveOf([a, "1"]) }), answer: "400 1103" },
  { what: "reservedamount of a token without supply", change: () => ({ totalsupply: "", reservedamount: "1" }), answer: "400 1103" },
  { what: "a sum far above 10^40", change: () => ({ totalsupply: String(AMOUNT_MAX), reserve: reserveOf([a, String(AMOUNT_MAX)], [b, String(AMOUNT_MAX)]) }), answer: "400 1103" },
];

for (const { row = "§3", what, change, answer } of SUMS) {
  test(`tokens ${row}: save: ${what}: ${answer}`, async () => {
    const answered = await saving({ totalsupply: "1000", ...change() });
    assert.equal(answered.split(" ").slice(0, 2).join(" "), answer);
  });
}

test("tokens §3 checks: each answers before those below it", async () => {
  const reserve = JSON.stringify([{ address: UNKNOWN_2, value: "2" }]);
  let params: Params = {};
  const answered = async (change: Params): Promise<string> => {
    params = { ...params, ...change };
    return said(await node.post("/token", params));
  };
  // What is required is asked for first, whatever else is wrong.
  assert.equal(await answered({ decimal: "x", reserve, totalsupply: "1" }), "400 1000 owner");
  assert.equal(await answered({ owner: UNKNOWN }), "400 1000 symbol");
  assert.equal(await answered({ symbol: "|" }), "400 1000 name");
  assert.equal(await answered({ name: "Gold" }), "400 1000 Temporarykey");
  assert.equal(await answered({ Temporarykey: "x" }), "400 1000 signature");
  await answered({ signature: "?", symbol: "GLD", decimal: "" });
  // Each fault of form answers before sums, existence and key.
  for (const [name, fault, code] of [
    ["owner", "MTx", "3190"],
    ["symbol", "a|b", "3005"],
    ["totalsupply", "01", "1101"],
    ["decimal", "19", "1004"],
    ["reservedamount", "x", "1101"],
    ["reserve", "[1]", "1007"],
    ["tier", "[1]", "1007"],
    ["category", "c".repeat(65), "3005"],
    ["url", "x", "3005"],
    ["image", "x", "3005"],
    ["type", "x", "3005"],
  ] as const) {
    const before = params[name] ?? "";
    assert.equal(await answered({ [name]: fault }), `400 ${code} ${name}`);
    params = { ...params, [name]: before };
  }
  assert.match(await answered({}), /^400 1103/);
  assert.equal(await answered({ totalsupply: "5" }), "404 3090 owner");
  assert.match(await answered({ owner: o.address }), /^404 3090 reserve/);
  const twoUnknown = JSON.stringify([
    { address: a.address, value: "1" },
    { address: UNKNOWN_2, value: "1" },
    { address: UNKNOWN, value: "1" },
  ]);
  await answered({ reserve: twoUnknown });
  assert.ok((await node.post("/token", params)).text.includes(UNKNOWN_2));
  assert.equal(await answered({ reserve: reserveOf([a, "1"]) }), "401 2020 Temporarykey");
  assert.equal(await answered({ Temporarykey: await node.key(a) }), "401 2020 Temporarykey");
  const used = await node.key(o);
  assert.equal(await saving({}, { tkey: used }), "200");
  assert.equal(await answered({ Temporarykey: used }), "409 2021 Temporarykey");
  const tkey = await node.key(o);
  assert.equal(await answered({ Temporarykey: tkey }), "401 2230 signature");
  const { signature } = (await saveRequest(node, o, {}, { tkey, by: a })).params as Signed;
  assert.match(await answered({ signature }), /^401 2010/);
  const own = (await saveRequest(node, o, {}, { tkey })).params as Signed;
  assert.equal(await answered(own), "200");
});

type Signed = Params & { readonly signature: string };

test("tokens §3: what a save refuses leaves no block, and its key unused", async () => {
  const height = await node.height();
  const tkey = await node.key(o);
  assert.equal(await saving({ totalsupply: "01" }, { tkey }), "400 1101 totalsupply");
  assert.match(await saving({ reservedamount: "1" }, { tkey }), /^400 1103/);
  assert.match(await saving({}, { tkey, by: a }), /^401 2010/);
  assert.equal(await node.height(), height);
  assert.equal(await saving({}, { tkey }), "200");
});

for (const name of ["Temporarykey", "temporarykey", "tkey"]) {
  for (const isFull of [false, true]) {
    test(`tokens §3: the key as ${name}, to /token and /token/, ${isFull ? "full" : "short"} signature`, async () => {
      for (const path of ["/token", "/token/"]) {
        const { params } = await saveRequest(node, o, {}, { isFull });
        const { Temporarykey = "", ...rest } = params;
        assert.equal(said(await node.post(path, { ...rest, [name]: Temporarykey })), "200");
      }
    });
  }
}

test("conventions §1.1: two names of the key with two values: 1005", async () => {
  const request = await saveRequest(node, o);
  const answer = await send(node, changed(request, { tkey: await node.key(o) }));
  assert.equal(said(answer), "400 1005 Temporarykey");
});

for (const { row = "§3", token, signed, answer } of [
  { token: undefined, signed: "", answer: "200" },
  { row: "§7 row 13", token: undefined, signed: "0", answer: "200" },
  { token: "", signed: "0", answer: "200" },
  { token: undefined, signed: "1", answer: "401 2010" },
  { token: "0", signed: "0", answer: "200" },
  { token: "0", signed: "", answer: "401 2010" },
  { token: "7", signed: "7", answer: "200" },
  { token: "7", signed: "0", answer: "401 2010" },
  { token: "7", signed: "", answer: "401 2010" },
]) {
  test(`tokens ${row}: token ${token ?? "absent"}, "${signed}" in its place signed: ${answer}`, async () => {
    const { params } = await saveRequest(node, o, token === undefined ? {} : { token });
    const { symbol, name, Temporarykey } = params;
    const text = [o.address, symbol, signed, name, "", Temporarykey].join("|");
    const answered = await node.post("/token", { ...params, signature: signatureOf(text, o) });
    assert.equal(saidCode(answered), answer);
  });
}

test("tokens §3: signed over the fields in another order, or without one: 2010", async () => {
  const { params } = await saveRequest(node, o, { url: "https://a.b/" });
  const { symbol, name, url: page, Temporarykey } = params;
  for (const fields of [
    [o.address, name, "", symbol, page, Temporarykey],
    [o.address, symbol, name, page, Temporarykey],
    [o.address, symbol, "", name, "", Temporarykey],
    [o.address, symbol, "", name, page],
  ]) {
    const signature = signatureOf(fields.join("|"), o);
    assert.equal(saidCode(await node.post("/token", { ...params, signature })), "401 2010");
  }
});

test("conventions §4.5: a short signature leaves the supply open, a full one covers every parameter that was sent", async () => {
  const change = { totalsupply: "5", remainamount: "1", tier: "[]", token: "7" };
  const short = await saveRequest(node, o);
  assert.equal(said(await send(node, changed(short, { totalsupply: "6" }))), "200");
  const full = await saveRequest(node, o, change, { isFull: true });
  for (const other of [{ totalsupply: "6" }, { tier: "[ ]" }, { token: "" }, { type: "010" }]) {
    assert.equal(saidCode(await send(node, changed(full, other))), "401 2010");
  }
  assert.equal(said(await send(node, full)), "200");
  const strict = await node.holder({ params: { signed: "full" } });
  assert.equal(saidCode(await send(node, await saveRequest(node, strict))), "401 2010");
  await issuedFull(strict);
});

/** Saves and creates with full signatures. */
async function issuedFull(owner: KeyHolder): Promise<string> {
  const answer = await send(node, await saveRequest(node, owner, {}, { isFull: true }));
  const signing = { isFull: true, tkey: answer.text };
  return createdId(await send(node, await createRequest(node, owner, "Gold", signing)));
}
