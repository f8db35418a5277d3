import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ART } from "../../../../ledger/testing/trade/creations.ts";
import { NOBODY } from "../../../../ledger/testing/trade/item-terms.ts";
import {
  aloneIdOf,
  NO_UNIT_ITEM,
  PRESENT,
  type UnitRole,
  unitListingIdOf,
  unitNumberOf,
} from "../../../../ledger/testing/trade/unit-terms.ts";
import { renamed } from "../../../testing/requests/item-requests.ts";
import {
  changed,
  type RequestParams,
  type RequestSigning,
} from "../../../testing/requests/signed-request.ts";
import {
  CREATION,
  EXTRA_FIELDS,
  LONG_FIELDS,
  type UnitCast,
  Units,
} from "../../../testing/requests/unit-requests.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  parsed,
  said,
  saidCode,
  type TestNode,
  transactionIdOf,
} from "../../../testing/test-node.ts";

// HTTP of the operations that create, move and change units: forms, names, signatures, responses.

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
  cast = await units.cast({ coins: 100_000n });
  ({ c, a, b, d, o } = cast);
});
after(() => units[Symbol.asyncDispose]());

function create(change: RequestParams = {}, signing?: RequestSigning): Promise<Answered> {
  return units.send("create", c, { ...ART, ...change }, signing);
}

/** Creates in the project, as O by default. */
function createIn(
  itemdata: string | readonly unknown[],
  { role = "o", ...params }: Readonly<Record<string, string>> & { readonly role?: UnitRole } = {},
  signing?: RequestSigning,
): Promise<Answered> {
  const all = { mrc400id: cast.project, itemdata, ...params };
  return units.send("createItems", cast[role], all, signing);
}

/** Sends a creation with a signature over fields that the test chooses. */
async function signedOver(fields: readonly string[], change: Params): Promise<string> {
  const params = { creator: c.address, ...ART, ...change };
  const request = await node.shortlySigned(c, [...fields, "tkey"], params);
  return said(units.follow(await node.post("/mrc402", request)));
}

const SHORT = "creator|name|url|imageurl|category|itemurl|itemimageurl|data".split("|");

test("mrc402 §18 row 60: create with totalsupply=5, short string 2010, long string 5 units", async () => {
  assert.equal(await signedOver(SHORT, { totalsupply: "5" }), "401 2010 signature");
  assert.equal(await signedOver(CREATION, { totalsupply: "5" }), "200");
  assert.equal(said(await create({ totalsupply: "5" })), "200", "long string");
});

// The signed strings of §4.

test("mrc402 §4: the short string covers category, itemurl, itemimageurl and data; allowtoken and description leave it short", async () => {
  const { category, itemurl, itemimageurl, allowtoken, description } = PRESENT as Record<
    string,
    string
  >;
  const covered = { category, itemurl, itemimageurl, data: "d" } as Params;
  for (const change of [{}, covered, { allowtoken, description }, { totalsupply: "" }]) {
    assert.equal(await signedOver(SHORT, change as Params), "200");
    assert.equal(await signedOver(CREATION, change as Params), "401 2010 signature");
  }
});

for (const field of LONG_FIELDS) {
  test(`mrc402 §4: a creation with ${field} needs the long string`, async () => {
    const given = field === "platform_address" ? o.address : (PRESENT[field] ?? "");
    const isExtra = EXTRA_FIELDS.includes(field);
    const long = isExtra ? [...CREATION, ...EXTRA_FIELDS] : CREATION;
    const wrong = isExtra ? CREATION : [...CREATION, ...EXTRA_FIELDS];
    assert.equal(await signedOver(SHORT, { [field]: given }), "401 2010 signature");
    assert.equal(await signedOver(wrong, { [field]: given }), "401 2010 signature");
    assert.equal(await signedOver(long, { [field]: given }), "200");
  });
}

for (const field of EXTRA_FIELDS) {
  test(`mrc402 §4: a creation with totalsupply and ${field} needs the long string with all extra fields`, async () => {
    const given = field === "platform_address" ? o.address : (PRESENT[field] ?? "");
    const change = { totalsupply: "2", [field]: given };
    assert.equal(await signedOver(CREATION, change), "401 2010 signature");
    assert.equal(await signedOver([...CREATION, ...EXTRA_FIELDS], change), "200");
  });
}

for (const how of ["form", "query", "json"] as const) {
  for (const signed of ["short", "full"] as const) {
    test(`mrc402 §4, C1.1: parameters in ${how === "json" ? "a JSON body with objects and numbers" : `a ${how}`}, signed ${signed}`, async () => {
      const shareholder = { [o.address]: "5", [cast.a.address]: "1" };
      const terms = { totalsupply: "3", shareholder, initialreserve: { "0": "5" } };
      const { params } = await units.request("create", c, { ...ART, ...terms }, { signed });
      const answer = await (how === "form"
        ? node.post("/mrc402/", params)
        : how === "query"
          ? node.postQuery("/mrc402", params)
          : node.postJson("/mrc402", { ...params, ...terms, totalsupply: 3 }));
      const { transaction_id, mrc402id } = parsed<Record<string, string>>(units.follow(answer));
      assert.equal(mrc402id, aloneIdOf(c.address, params.tkey), answer.text);
      const { parameters } = await node.transaction(transaction_id ?? "");
      assert.equal(parameters[8], JSON.stringify(shareholder));
      await units.assertItem(mrc402id, { totalsupply: "3", shareholder, reserve: { "0": "15" } });
    });
  }
}

test("mrc402 §1.2, §4: creator may be called owner; another value 1005; no creator 1000", async () => {
  for (const signed of ["short", "full"] as const) {
    const request = await units.request("create", c, ART, { signed });
    assert.equal(
      said(await units.post(changed(request, { owner: o.address }))),
      "400 1005 creator",
    );
    assert.equal(said(await units.post(renamed(request, { creator: "owner" }))), "200");
  }
  assert.equal(said(await create({ creator: "" })), "400 1000 creator");
});

for (const name of ["name", "url", "imageurl", "tkey", "signature"]) {
  test(`mrc402 §4: without ${name}: 1000`, async () => {
    const request = await units.request("create", c, ART);
    const { [name]: _, ...without } = request.params as Params;
    assert.equal(said(await units.post({ ...request, params: without })), `400 1000 ${name}`);
    const empty = changed(request, { [name]: "" });
    assert.equal(said(await units.post(empty)), `400 1000 ${name}`);
  });
}

test("mrc402 §1.1, C5.3: a repeat is answered as the first time, with other parameters 2021", async () => {
  const e = await units.holder(1000n);
  const x = { ...ART, totalsupply: "2", initialreserve: { "0": "300" }, tkey: await node.key(e) };
  const first = await units.send("create", e, x);
  const height = await node.height();
  const again = await units.send("create", e, x);
  assert.deepEqual([again.status, again.text], [200, first.text]);
  assert.equal(await node.height(), height);
  assert.equal(await units.held(e), "400");
  const other = { ...x, totalsupply: "1" };
  assert.equal(said(await units.send("create", e, other)), "409 2021 tkey");
});

test("mrc402 §1.3: full signatures of mrc402create, keys bound to it, addresses that sign in full", async () => {
  const tkey = await node.key(c);
  const params = { creator: c.address, ...ART, tkey };
  for (const name of ["mrc402update", "mrc401create", "mrc400create"]) {
    const request = node.fullySigned(name, params, c);
    assert.equal(said(await node.post("/mrc402", request)), "401 2010 signature");
  }
  for (const [kind, answer] of [
    ["mrc402create", "200"],
    ["token", "200"],
    ["mrc402mint", "401 2020 tkey"],
    ["mrc401create", "401 2020 tkey"],
  ] as const) {
    const key = await node.key(c, kind);
    assert.equal(said(await create({ tkey: key })), answer, kind);
    assert.equal(
      said(await createIn([{}], { tkey: await node.key(o, kind) })),
      answer,
      `${kind} in a project`,
    );
  }
  const full = await units.holder(0n, { params: { signed: "full" } });
  assert.equal(said(await units.send("create", full, ART)), "401 2010 signature");
  assert.equal(said(await units.send("create", full, ART, { signed: "full" })), "200");
});

test("mrc402 §5: POST /mrc402/{mrc400id} and POST /mrc402 with mrc400id are the same; without it 1000, without itemdata 1000", async () => {
  for (const signed of ["short", "full"] as const) {
    const params = { mrc400id: cast.project, itemdata: "[{}]" };
    const inPath = await units.request("createItems", o, params, { signed });
    assert.equal(said(await units.post(inPath)), "200");
    const inBody = await units.request("createItems", o, params, { signed });
    const body = { ...inBody.params, mrc400id: cast.project };
    const answer = units.follow(await node.post("/mrc402", body));
    assert.equal(said(answer), "200");
    const again = await units.post(inBody);
    assert.deepEqual([again.status, again.text], [200, answer.text], "a repeat, too");
    const other = { ...inBody.params, mrc400id: `MRC400_${"0".repeat(33)}` };
    assert.equal(said(await node.post(inBody.path, other)), "400 1005 mrc400id");
  }
  const { params } = await units.request("createItems", o, { itemdata: "[{}]" });
  assert.equal(said(await node.post("/mrc402", params)), "400 1000 mrc400id");
  for (const itemdata of ["", undefined]) {
    const { itemdata: _, ...rest } = params as Params;
    const body = { ...rest, ...(itemdata === undefined ? {} : { itemdata }) };
    const answer = await node.post(`/mrc402/${cast.project}`, body);
    assert.equal(said(answer), "400 1000 itemdata");
  }
});

test("mrc402 §1.2: an unnamed actor is whom the key was issued to; its place in the string is empty or has its address", async () => {
  const { maker, a } = cast;
  for (const signedAs of [{}, { creator: maker.address }]) {
    const answer = await createIn([{}], { role: "maker", creator: "" }, { signedAs });
    const [id = ""] = parsed<{ mrc402ids: string[] }>(answer).mrc402ids;
    await units.assertItem(id, { creator: maker.address, owner: maker.address });
  }
  const foreign = await node.key(a);
  for (const [params, signing, answer] of [
    [{ creator: "" }, { by: a }, "401 2010 signature"],
    [{ creator: "", tkey: "abc" }, {}, "401 2020 tkey"],
    [{ tkey: foreign }, {}, "401 2020 tkey"],
    [{ tkey: foreign, creator: "" }, { by: a }, "403 7002"],
    [{}, { by: a }, "401 2010 signature"],
  ] as const) {
    const given = { role: "maker" as const, ...params };
    const answered = said(await createIn([{}], given, signing));
    assert.ok(answered.startsWith(answer), `${answered} ${JSON.stringify(params)}`);
  }
});

test("mrc402 §5: itemdata stands in the signed string as it was sent, and creator may be called owner", async () => {
  const itemdata = '[ {"groupid" : "a|b", "é": "\\u00e9"} ]';
  const other = { signedAs: { itemdata: JSON.stringify(JSON.parse(itemdata)) } };
  assert.equal(said(await createIn(itemdata, {}, other)), "401 2010 signature");
  assert.equal(said(await createIn(itemdata)), "200");
  const params = { mrc400id: cast.project, itemdata };
  const request = await units.request("createItems", o, params);
  const { address } = cast.a;
  assert.equal(said(await units.post(changed(request, { owner: address }))), "400 1005 creator");
  assert.equal(said(await units.post(renamed(request, { creator: "owner" }))), "200");
});

test("mrc402 §5: a JSON body with arrays; an itemdata[] is itemdata", async () => {
  const list = [{ name: 'é"\\', totalsupply: 5, initialreserve: { "0": 1 } }, {}];
  for (const signed of ["short", "full"] as const) {
    const params = { mrc400id: cast.project, itemdata: list };
    const request = await units.request("createItems", o, params, { signed });
    const body = { ...request.params, itemdata: list };
    const answer = units.follow(await node.postJson(`/mrc402/${cast.project}`, body));
    const { parameters } = await node.transaction(transactionIdOf(answer));
    assert.equal(parameters[2], JSON.stringify(list));
  }
});

function transfer(
  from: KeyHolder,
  to: KeyHolder,
  mrc402id: string,
  amount?: string,
  { signing, ...more }: { readonly signing?: RequestSigning } & Params = {} as Params,
): Promise<Answered> {
  const given = amount === undefined ? {} : { amount };
  const params = { mrc402id, toAddr: to.address, ...given, ...more };
  return units.send("transfer", from, params, signing as RequestSigning | undefined);
}

/** Standing alone, C's, of which A holds some. */
async function shared(total: string, ofA: string, more: RequestParams = {}): Promise<string> {
  const x = await units.alone(c, { totalsupply: total, ...more });
  await units.give(x, c, a, ofA);
  return x;
}

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
    const answered = said(await node.post(`/mrc402/transfer/${x}`, body));
    assert.equal(answered, answer, JSON.stringify(sent));
  }
});

test("mrc402 §6, C4.7: another's key 2020, another's signature 2010", async () => {
  const x = await shared("5", "2");
  const tkey = await node.key(d);
  assert.equal(said(await transfer(a, d, x, "1", { tkey })), "401 2020 tkey");
  const params = { mrc402id: x, toAddr: d.address };
  const forged = await units.send("transfer", a, params, { by: d });
  assert.equal(said(forged), "401 2010 signature");
  const request = await units.request("transfer", a, params);
  assert.equal(
    said(await units.post(changed(request, { signature: "abc!" }))),
    "401 2230 signature",
  );
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

const SUPPLY_WORDS = ["mint", "burn", "melt"] as const;

function change(
  word: (typeof SUPPLY_WORDS)[number],
  by: KeyHolder,
  mrc402id: string,
  amount?: string,
  more: RequestParams = {},
): Promise<Answered> {
  const given = amount === undefined ? {} : { amount };
  return units.send(word, by, { mrc402id, ...given, ...more });
}

test("mrc402 §18 row 12: mint with address=C, key of A: 401 2020; key of C signed by A: 401 2010; burn and melt alike", async () => {
  const x = await shared("10", "4");
  for (const word of SUPPLY_WORDS) {
    const params = { mrc402id: x, address: c.address, amount: "1" };
    const foreign = { ...params, tkey: await node.key(a) };
    for (const by of [a, c]) {
      const answer = saidCode(await units.send(word, c, foreign, { by }));
      assert.equal(answer, "401 2020", word);
    }
    for (const address of [c.address, ""]) {
      const signed = { ...params, address };
      const answer = saidCode(await units.send(word, c, signed, { by: a }));
      assert.equal(answer, "401 2010", word);
    }
  }
});

// How requests are made.

test("mrc402 §7, §8: the actor may be called address, owner, and for mint and burn creator; two values of it are 1005", async () => {
  const x = await units.alone(c, { totalsupply: "50" });
  for (const word of SUPPLY_WORDS) {
    for (const name of word === "melt" ? ["owner"] : ["owner", "creator"]) {
      for (const signed of ["short", "full"] as const) {
        const params = { mrc402id: x, amount: "1" };
        const request = await units.request(word, c, params, { signed });
        const twice = changed(request, { [name]: a.address });
        assert.equal(said(await units.post(twice)), "400 1005 address", `${word} ${name}`);
        const other = renamed(request, { address: name });
        assert.equal(said(await units.post(other)), "200", `${word} ${name}`);
      }
    }
  }
});

test("mrc402 §1.2: without an address who the key was issued to mints, burns and melts; its place in the string is empty or has its address", async () => {
  const x = await shared("10", "4");
  for (const word of SUPPLY_WORDS) {
    for (const signedAs of [{}, { address: c.address }]) {
      const params = { mrc402id: x, amount: "1", address: "" };
      const request = await units.request(word, c, params, { signedAs });
      assert.equal(said(await units.post(request)), "200", word);
    }
  }
  const wrong = { mrc402id: x, amount: "1", address: "" };
  const signedAs = { address: a.address };
  assert.equal(
    said(await units.send("melt", c, wrong, { signedAs })),
    "401 2010 signature",
    "somebody else's address",
  );
  const foreign = { ...wrong, tkey: await node.key(d) };
  assert.equal(said(await units.send("melt", d, foreign)), "403 7001");
  assert.equal(said(await units.send("mint", d, { ...foreign, tkey: "abc" })), "401 2020 tkey");
});

test("mrc402 §8: without amount the string has none; each string is refused where the other is meant", async () => {
  const x = await units.alone(c, { totalsupply: "10" });
  for (const [sent, fields, answer] of [
    [{}, ["mrc402id", "tkey"], "200"],
    [{}, ["mrc402id", "address", "amount", "tkey"], "401 2010 signature"],
    [{ amount: "" }, ["mrc402id", "tkey"], "200"],
    [{ amount: "1" }, ["mrc402id", "address", "amount", "tkey"], "200"],
    [{ amount: "1" }, ["mrc402id", "tkey"], "401 2010 signature"],
    [{ amount: "1" }, ["mrc402id", "amount", "tkey"], "401 2010 signature"],
  ] as const) {
    const params: Params = { mrc402id: x, address: c.address, ...sent };
    const { mrc402id: _, ...body } = await node.shortlySigned(c, fields, params);
    assert.equal(said(await node.post(`/mrc402/melt/${x}`, body)), answer);
  }
});

test("mrc402 §1.3: mint and burn share a string: a full signature and a bound key tell them apart", async () => {
  const x = await units.alone(c, { totalsupply: "10" });
  const params = { mrc402id: x, amount: "1" };
  const short = await units.request("mint", c, params);
  assert.equal(said(await units.post({ ...short, path: `/mrc402/burn/${x}` })), "200");
  for (const word of SUPPLY_WORDS) {
    for (const other of SUPPLY_WORDS) {
      const full = await units.request(other, c, params, { signed: "full" });
      const { method, path } = await units.request(word, c, params);
      const answer = said(await units.post({ ...full, method, path }));
      assert.equal(answer, word === other ? "200" : "401 2010 signature", `${other} as ${word}`);
      const tkey = await node.key(c, `mrc402${other}`);
      const bound = said(await units.send(word, c, { ...params, tkey }));
      assert.equal(bound, word === other ? "200" : "401 2020 tkey", `${other} as ${word}`);
    }
  }
});

test("C1.1, C1.2: query strings, JSON bodies with numbers, a slash at the end", async () => {
  const x = await units.alone(c, { totalsupply: "20" });
  for (const word of SUPPLY_WORDS) {
    const request = async (): Promise<{
      init: { method: string };
      path: string;
      params: Params;
    }> => {
      const { method, path, params } = await units.request(word, c, { mrc402id: x, amount: "2" });
      return { init: { method }, path, params };
    };
    const inQuery = await request();
    const query = `${inQuery.path}?${new URLSearchParams(inQuery.params)}`;
    assert.equal(said(await node.request(query, inQuery.init)), "200", word);
    const inJson = await request();
    const answer = await node.request(`${inJson.path}/`, {
      ...inJson.init,
      body: JSON.stringify({ ...inJson.params, amount: 2 }),
      headers: { "Content-Type": "application/json" },
    });
    assert.equal(said(answer), "200", word);
    const { parameters } = await node.transaction(transactionIdOf(answer));
    assert.equal(parameters[2], "2");
  }
});

test("C5.3: a repeat is answered as the first time, also when it would now fail; with another amount 2021", async () => {
  const x = await units.alone(c, { totalsupply: "3" });
  for (const word of SUPPLY_WORDS) {
    const tkey = await node.key(c);
    const amount = word === "melt" ? "4" : "1";
    if (word === "melt") {
      assert.equal(saidCode(await change("mint", c, x, "1")), "200");
    }
    const first = await change(word, c, x, amount, { tkey });
    const height = await node.height();
    const again = await change(word, c, x, amount, { tkey });
    assert.deepEqual([again.status, again.text], [200, first.text], word);
    assert.equal(await node.height(), height);
    assert.equal(said(await change(word, c, x, "2", { tkey })), "409 2021 tkey");
  }
});

/** Updates by the creator, §9. */
function update(mrc402id: string, change: RequestParams, by: KeyHolder = c): Promise<Answered> {
  return units.send("update", by, { mrc402id, ...change });
}

/** Updates items of P, §10, as O by default. */
function updateItems(
  itemdata: string | readonly unknown[],
  { role = "o", ...params }: Params & { readonly role?: UnitRole } = {},
): Promise<Answered> {
  const all = { mrc400id: cast.project, itemdata, ...params };
  return units.send("itemUpdate", cast[role], all);
}

test("mrc402 §1.2, §9: address may be called creator or owner; two values 1005; by key the place in the string does not exist", async () => {
  const x = await units.alone(c);
  let n = 0;
  for (const signed of ["short", "full"] as const) {
    for (const name of ["creator", "owner"]) {
      n++;
      const params = { mrc402id: x, data: String(n) };
      const request = await units.request("update", c, params, { signed });
      const twice = changed(request, { [name]: a.address });
      assert.equal(said(await units.post(twice)), "400 1005 address");
      assert.equal(said(await units.post(renamed(request, { address: name }))), "200");
    }
  }
  const tkey = await node.key(a);
  assert.equal(said(await update(x, { data: "x", tkey })), "401 2020 tkey");
  const params = { mrc402id: x, data: "x" };
  const forged = await units.send("update", c, params, { by: a });
  assert.equal(said(forged), "401 2010 signature");
});

test("mrc402 §1.3: update and itemupdate have their own full signatures and keys", async () => {
  const u = await units.item(cast.project, o);
  const itemdata = [{ id: u, groupid: "g" }];
  const own = { mrc402id: u, data: "d" };
  const ofProject = { mrc400id: cast.project, itemdata };
  for (const [word, params] of [
    ["update", own],
    ["itemUpdate", ofProject],
  ] as const) {
    for (const [kind, answer] of [
      ["mrc402update", word === "update" ? "200" : "401 2020 tkey"],
      ["mrc402itemupdate", word === "update" ? "401 2020 tkey" : "200"],
      ["mrc402create", "401 2020 tkey"],
    ] as const) {
      const tkey = await node.key(o, kind);
      assert.equal(said(await units.send(word, o, { ...params, tkey })), answer, `${word} ${kind}`);
    }
  }
  const create = await units.request("createItems", o, ofProject, { signed: "full" });
  assert.equal(said(await units.post({ ...create, method: "PUT" })), "401 2010 signature");
  const more = { ...ofProject, itemdata: [{ id: u, groupid: "h" }] };
  const right = await units.request("itemUpdate", o, more, { signed: "full" });
  assert.equal(said(await units.post({ ...right, method: "POST" })), "401 2010 signature");
  assert.equal(said(await units.post(right)), "200");
});

test("C1.1, C5.3: query strings, JSON bodies with objects, a repeat", async () => {
  const x = await units.alone(c);
  const socialmedia = { a: "https://a.example/" };
  const first = await units.request("update", c, { mrc402id: x, socialmedia });
  const inJson = await node.request(first.path, {
    method: "PUT",
    body: JSON.stringify({ ...first.params, socialmedia }),
    headers: { "Content-Type": "application/json" },
  });
  assert.equal(said(inJson), "200");
  const { parameters } = await node.transaction(transactionIdOf(inJson));
  assert.equal(parameters[5], JSON.stringify(socialmedia));
  const again = await units.post(first);
  assert.deepEqual([again.status, again.text], [200, inJson.text]);
  const second = await units.request("update", c, { mrc402id: x, data: "q" });
  const query = `${second.path}/?${new URLSearchParams(second.params)}`;
  assert.equal(said(await node.request(query, { method: "PUT" })), "200");
  await units.assertItem(x, { socialmedia, data: "q" });
});

test("mrc402 §1.2, §10: owner may be called creator or address; two values 1005; unnamed, its place in the string does not exist", async () => {
  const u = await units.item(cast.project, o);
  let n = 0;
  for (const signed of ["short", "full"] as const) {
    for (const name of ["creator", "address"]) {
      n++;
      const params = { mrc400id: cast.project, itemdata: [{ id: u, groupid: String(n) }] };
      const request = await units.request("itemUpdate", o, params, { signed });
      const twice = changed(request, { [name]: a.address });
      assert.equal(said(await units.post(twice)), "400 1005 owner");
      assert.equal(said(await units.post(renamed(request, { owner: name }))), "200");
    }
  }
  const tkey = await node.key(a);
  assert.equal(said(await updateItems([{ id: u, groupid: "x" }], { tkey })), "401 2020 tkey");
});

test("mrc402 §9: PUT /mrc402/{mrc402id} is PUT /mrc402/update/{mrc402id}, in short and full signature", async () => {
  const x = await units.alone(c);
  for (const signed of ["short", "full"] as const) {
    const params = { mrc402id: x, data: signed };
    const request = await units.request("update", c, params, { signed });
    assert.equal(said(await units.post({ ...request, path: `/mrc402/${x}` })), "200");
    await units.assertItem(x, { data: signed });
  }
});

test("mrc402 §1.7: the responses of operations on items: ids, headers and nothing else", async () => {
  const x = await units.alone(c, { totalsupply: "9" });
  const [u = ""] = await units.items(cast.project, o, {});
  const sale = [{ sell_price: "5", totalsupply: "2" }];
  for (const signed of ["short", "full"] as const) {
    for (const [word, by, params] of [
      ["transfer", c, { mrc402id: x, toAddr: a.address }],
      ["mint", c, { mrc402id: x, amount: "1" }],
      ["burn", c, { mrc402id: x, amount: "1" }],
      ["melt", c, { mrc402id: x }],
      ["update", c, { mrc402id: x, data: signed }],
      ["itemUpdate", o, { mrc400id: cast.project, itemdata: [{ id: u, groupid: signed }] }],
      ["createItems", o, { mrc400id: cast.project, itemdata: sale }],
    ] as const) {
      const request = await units.request(word, by, params, { signed });
      const answer = await units.post(request);
      const id = transactionIdOf(answer);
      const { mrc402ids, mrc402dexids, ...body } = parsed<Record<string, unknown>>(answer);
      assert.deepEqual(body, { transaction_id: id, txid: id }, word);
      const isSale = word === "createItems";
      const { tkey } = request.params;
      const made = `${cast.project}_${unitNumberOf(cast.project, tkey, 0)}`;
      assert.deepEqual(mrc402ids, isSale ? [made] : undefined);
      const listed = [unitListingIdOf(o.address, tkey)];
      assert.deepEqual(mrc402dexids, isSale ? listed : undefined);
      assertHeaders(answer, id);
    }
  }
});

function assertHeaders({ headers }: Answered, id: string): void {
  assert.equal(headers.get("transaction-id"), id);
  assert.match(headers.get("content-type") ?? "", /^application\/json/);
  assert.match(headers.get("replay-nonce") ?? "", /^[A-Za-z][0-9A-Za-z]{39,63}$/);
}
