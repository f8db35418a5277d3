import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ART } from "../../../../ledger/testing/trade/creations.ts";
import { PRESENT } from "../../../../ledger/testing/trade/unit-terms.ts";
import type { RequestParams, RequestSigning } from "../../../testing/requests/signed-request.ts";
import { type UnitCast, Units } from "../../../testing/requests/unit-requests.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  said,
  saidCode,
  type TestNode,
} from "../../../testing/test-node.ts";

// HTTP of the operations that create, move and change units: forms, names, signatures, responses.

let units: Units;
let node: TestNode;
let cast: UnitCast;
let c: KeyHolder;
let a: KeyHolder;
let d: KeyHolder;
let o: KeyHolder;
before(async () => {
  units = await Units.open({ tokens: 7 });
  node = units.node;
  cast = await units.cast({ coins: 100_000n });
  ({ c, a, d, o } = cast);
});
after(() => units[Symbol.asyncDispose]());

function create(change: RequestParams = {}, signing?: RequestSigning): Promise<Answered> {
  return units.send("mrc402create", c, { ...ART, ...change }, signing);
}

const COPYRIGHT =
  "copyright_registration_country|copyright_registrar|copyright_registration_number";
const PLATFORM = "platform_name|platform_url|platform_address|platform_commission";

/** Where one of these is present, a creation is signed in the long form. Source: mrc402 §4. */
const LONG_FIELDS: readonly string[] = [
  ..."totalsupply|decimal|creatorcommission|shareholder|initialreserve|expiredate".split("|"),
  ...`information|socialmedia|${COPYRIGHT}|${PLATFORM}`.split("|"),
];

/** Where one of these is present, too, they stand at the end of the long form. Source: mrc402 §4. */
const EXTRA_FIELDS: readonly string[] =
  `allowtoken|category|description|itemurl|itemimageurl|${PLATFORM}`.split("|");

/** The long form without the extra fields, from the creator to the copyright. Source: mrc402 §4. */
const CREATION =
  `creator|name|creatorcommission|totalsupply|decimal|url|imageurl|shareholder|initialreserve|expiredate|data|information|socialmedia|${COPYRIGHT}`.split(
    "|",
  );

/** Sends a creation with a signature over fields that the test chooses. */
async function signedOver(fields: readonly string[], change: Params): Promise<string> {
  const params = { creator: c.address, ...ART, ...change };
  const request = await node.shortlySigned(c, [...fields, "tkey"], params);
  return said(await node.post("/mrc402", request));
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

test("mrc402 §5: POST /mrc402/{mrc400id} and POST /mrc402 with mrc400id are the same; without it 1000, without itemdata 1000", async () => {
  for (const signed of ["short", "full"] as const) {
    const params = { mrc400id: cast.project, itemdata: "[{}]" };
    const inPath = await units.request("mrc402create", o, params, { signed });
    assert.equal(said(await units.post(inPath)), "200");
    const inBody = await units.request("mrc402create", o, params, { signed });
    const body = { ...inBody.params, mrc400id: cast.project };
    const answer = await node.post("/mrc402", body);
    assert.equal(said(answer), "200");
    const again = await units.post(inBody);
    assert.deepEqual([again.status, again.text], [200, answer.text], "a repeat, too");
    const other = { ...inBody.params, mrc400id: `MRC400_${"0".repeat(33)}` };
    assert.equal(said(await node.post(inBody.path, other)), "400 1005 mrc400id");
  }
  const { params } = await units.request("mrc402create", o, { itemdata: "[{}]" });
  assert.equal(said(await node.post("/mrc402", params)), "400 1000 mrc400id");
  for (const itemdata of ["", undefined]) {
    const { itemdata: _, ...rest } = params as Params;
    const body = { ...rest, ...(itemdata === undefined ? {} : { itemdata }) };
    const answer = await node.post(`/mrc402/${cast.project}`, body);
    assert.equal(said(answer), "400 1000 itemdata");
  }
});

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

const SUPPLY_WORDS = ["mint", "burn", "melt"] as const;

test("mrc402 §18 row 12: mint with address=C, key of A: 401 2020; key of C signed by A: 401 2010; burn and melt alike", async () => {
  const x = await shared("10", "4");
  for (const word of SUPPLY_WORDS) {
    const params = { mrc402id: x, address: c.address, amount: "1" };
    const foreign = { ...params, tkey: await node.key(a) };
    for (const by of [a, c]) {
      const answer = saidCode(await units.send(`mrc402${word}`, c, foreign, { by }));
      assert.equal(answer, "401 2020", word);
    }
    for (const address of [c.address, ""]) {
      const signed = { ...params, address };
      const answer = saidCode(await units.send(`mrc402${word}`, c, signed, { by: a }));
      assert.equal(answer, "401 2010", word);
    }
  }
});

// How requests are made.

test("mrc402 §1.2: without an address who the key was issued to mints, burns and melts; its place in the string is empty or has its address", async () => {
  const x = await shared("10", "4");
  for (const word of SUPPLY_WORDS) {
    for (const signedAs of [{}, { address: c.address }]) {
      const params = { mrc402id: x, amount: "1", address: "" };
      const request = await units.request(`mrc402${word}`, c, params, { signedAs });
      assert.equal(said(await units.post(request)), "200", word);
    }
  }
  const wrong = { mrc402id: x, amount: "1", address: "" };
  const signedAs = { address: a.address };
  assert.equal(
    said(await units.send("mrc402melt", c, wrong, { signedAs })),
    "401 2010 signature",
    "somebody else's address",
  );
  const foreign = { ...wrong, tkey: await node.key(d) };
  assert.equal(said(await units.send("mrc402melt", d, foreign)), "403 7001");
  assert.equal(
    said(await units.send("mrc402mint", d, { ...foreign, tkey: "abc" })),
    "401 2020 tkey",
  );
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

test("mrc402 §9: PUT /mrc402/{mrc402id} is PUT /mrc402/update/{mrc402id}, in short and full signature", async () => {
  const x = await units.alone(c);
  for (const signed of ["short", "full"] as const) {
    const params = { mrc402id: x, data: signed };
    const request = await units.request("mrc402update", c, params, { signed });
    assert.equal(said(await units.post({ ...request, path: `/mrc402/${x}` })), "200");
    assert.equal((await units.record(x)).data, signed);
  }
});
