import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import {
  assertRecorded,
  type Cast,
  Collection,
  changed,
  type Element,
  type ExpectedRecord,
  type ItemParams,
  type ItemRecord,
  type ItemSigning,
  itemRequest,
  numberOf,
  PLAIN_ITEM,
  type Role,
  renamed,
} from "../testing/item-requests.ts";
import {
  type Answered,
  type Params,
  parsed,
  said,
  saidCode,
  signatureOf,
  type TestNode,
  transactionIdOf,
} from "../testing/test-node.ts";

// How a create of items is signed, sent, answered, repeated and recorded, and what shows afterwards: mrc401 §1, §6, §7, §14.

const DAY = 86_400;

let collection: Collection;
let node: TestNode;
let cast: Cast;
let q: string;
before(async () => {
  collection = await Collection.open({ tokens: 9 });
  node = collection.node;
});
after(() => collection[Symbol.asyncDispose]());
beforeEach(async () => {
  cast = await collection.cast();
  ({ q } = cast);
});
afterEach(() => collection.assertConserved());

function create(
  role: Role,
  itemdata: string | readonly Element[],
  params: ItemParams = {},
  signing?: ItemSigning,
): Promise<Answered> {
  return collection.send("create", cast[role], { mrc400id: q, itemdata, ...params }, signing);
}

async function answered(...of: Parameters<typeof create>): Promise<string> {
  return said(await create(...of));
}

const SALE = { sell_price: "300", sell_token: "7", sell_fee: "2.50" };
const AUCTION = {
  auction_start_price: "100",
  auction_token: "7",
  auction_bidding_unit: "5",
  auction_buynow_price: "502",
  auction_end: String(10 ** 12),
  sell_fee: "10",
};

// biome-ignore format: a line for each listing
const LISTED: readonly (readonly [what: string, element: Element, shown: (now: number) => Partial<ItemRecord>])[] = [
  ["a sale", SALE, (now) => ({ sell_fee: "2.5", listing_fee: "2.5", sell_date: now, sell_price: "300", sell_token: "7" })],
  ["a sale for coins", { sell_price: 300 }, (now) => ({ sell_date: now, sell_price: "300" })],
  ["a sale at the highest price", { sell_price: String(10n ** 40n) }, (now) => ({ sell_date: now, sell_price: String(10n ** 40n) })],
  ["a sale of what is Temporary", { sell_price: "1", transferable: "Temporary" }, (now) => ({ sell_date: now, sell_price: "1", transferable: "Temporary" })],
  ["an auction", AUCTION, (now) => ({ sell_fee: "10", listing_fee: "10", auction_date: now, auction_end: now + 1_814_400, auction_token: "7", auction_bidding_unit: "5", auction_start_price: "100", auction_buynow_price: "502" })],
  ["an auction by default", { auction_start_price: "100" }, (now) => ({ auction_date: now, auction_end: now + 3600, auction_bidding_unit: "1", auction_start_price: "100" })],
  ["an auction with a sale at 0", { auction_start_price: "1", sell_price: "0", auction_buynow_price: "2", auction_end: 0 }, (now) => ({ auction_date: now, auction_end: now + 3600, auction_bidding_unit: "1", auction_start_price: "1", auction_buynow_price: "2" })],
];

for (const [what, element, shown] of LISTED) {
  for (const role of ["o", "s"] as const) {
    test(`mrc401 §7: ${what} while creating, by ${role.toUpperCase()}: all fields`, async () => {
      node.now += 100;
      const { [role]: by, o } = cast;
      const id = await collection.item(q, by, { groupid: "sword", ...element });
      assert.deepEqual(await collection.record(id), {
        ...PLAIN_ITEM,
        id,
        mrc400: q,
        holder: o.address,
        creator: by.address,
        groupid: "sword",
        createdate: node.now,
        ...shown(node.now),
      });
    });
  }
}

for (const [auction_end, after] of [
  ["0", 3600],
  [DAY, DAY],
  [3601, 3601],
  [1_814_401, 1_814_400],
] as const) {
  test(`mrc401 §7, §14: an auction that should end after ${auction_end} s ends after ${after} s`, async () => {
    const end = auction_end === "0" ? "0" : node.now + auction_end;
    const id = await collection.item(q, cast.p, { auction_start_price: "1", auction_end: end });
    assert.equal((await collection.record(id)).auction_end, node.now + after);
  });
}

/** One element of each kind, and what the records I of each have behind the id and the actor. */
const KINDS: readonly (readonly [
  element: Element,
  ...records: (readonly [type: string, ...parameters: string[]])[],
])[] = [
  [{}, ["mrc401_create", "0", "0"]],
  [{ initial_reserve: "400", initial_token: "0" }, ["mrc401_create", "400", "0"]],
  [{ initial_reserve: 30, initial_token: 7 }, ["mrc401_create", "30", "7"]],
  [{ initial_reserve: "1", ...SALE }, ["mrc401_create", "1", "0"], ["mrc401_sell", "300", "7"]],
  [{ sell_price: "300" }, ["mrc401_create", "0", "0"], ["mrc401_sell", "300", "0"]],
  [AUCTION, ["mrc401_create", "0", "0"], ["mrc401_auction", "100", "7", "502", "5"]],
  [
    { auction_start_price: "100" },
    ["mrc401_create", "0", "0"],
    ["mrc401_auction", "100", "0", "0", "1"],
  ],
];

const LISTED_KINDS = KINDS.filter(([, , listing]) => listing !== undefined);

for (const { role, kinds, signed, isNamed } of [
  { role: "o", kinds: KINDS, signed: "short", isNamed: true },
  { role: "o", kinds: KINDS, signed: "full", isNamed: false },
  { role: "p", kinds: KINDS, signed: "full", isNamed: true },
  { role: "p", kinds: KINDS, signed: "short", isNamed: false },
  { role: "c", kinds: KINDS.slice(0, 3), signed: "short", isNamed: true },
  { role: "s", kinds: LISTED_KINDS, signed: "short", isNamed: true },
  { role: "o", kinds: KINDS.slice(0, 1), signed: "short", isNamed: true },
  { role: "c", kinds: KINDS.slice(0, 1), signed: "short", isNamed: false },
] as const) {
  test(`mrc401 §7: ${kinds.length} created by ${role.toUpperCase()}, ${isNamed ? "named" : "by key"}, signed ${signed}: answer and records M, I${role === "o" ? "" : ", A(O)"}`, async () => {
    const { [role]: by, o } = cast;
    await collection.pay(by, "7", 100n);
    const itemdata = JSON.stringify(kinds.map(([element]) => element));
    const params = { mrc400id: q, itemdata, ...(isNamed ? {} : { creator: "" }) };
    const request = await collection.request("create", by, params, { signed });
    const { tkey, signature } = request.params;
    const answer = await collection.post(request);
    const { mrc401ids } = parsed<{ mrc401ids: string[] }>(answer);
    assert.equal(mrc401ids.length, kinds.length);
    const parameters = [q, by.address, itemdata, signature, tkey];
    const reserves = kinds.map(([, created = []]) => created.slice(1));
    const moved = [
      ...(reserves.some(([n, token]) => token === "0" && n !== "0") ? ["0"] : []),
      ...(reserves.some(([, token]) => token === "7") ? ["7"] : []),
    ];
    const items = kinds.flatMap(([, ...records], n): ExpectedRecord[] =>
      records.map(([type, ...between]) => ({
        type,
        of: mrc401ids[n] as string,
        parameters: [mrc401ids[n] as string, by.address, ...between, signature, tkey],
      })),
    );
    const forOwner: ExpectedRecord = { type: "mrc401create", of: o, parameters };
    await assertRecorded(
      node,
      answer,
      [
        { type: "mrc401create", of: by, parameters, moved },
        ...items,
        ...(role === "o" ? [] : [forOwner]),
      ],
      { more: { mrc401ids } },
    );
  });
}

test("mrc401 §1.9: an owner who stands in partner, too, acts for itself: no A record", async () => {
  const { o } = cast;
  await collection.done("updateProject", o, { mrc400id: q, partner: { [o.address]: "partner" } });
  const { effects } = await node.transaction(transactionIdOf(await create("o", [{}])));
  assert.deepEqual(
    effects.map(({ type }) => type),
    ["mrc401_create"],
  );
});

test("mrc401 §1.2: an unnamed actor is whom the key was issued to; other keys and signatures do not serve", async () => {
  const { p, c, a } = cast;
  const creatorOf = async (answer: Answered): Promise<string> => {
    const [id = ""] = parsed<{ mrc401ids: string[] }>(answer).mrc401ids;
    return (await collection.record(id)).creator;
  };
  assert.equal(await creatorOf(await create("p", [{}], { creator: "" })), p.address);
  assert.equal(await answered("a", [{}]), "403 7002 itemdata[0]");
  assert.equal(await answered("a", [{}], { creator: "" }), "403 7002 itemdata[0]");
  const foreign = { tkey: await node.key(a) };
  assert.equal(await answered("p", [{}], foreign), "401 2020 tkey");
  assert.equal(await answered("p", [{}], foreign, { by: a }), "401 2020 tkey");
  assert.equal(await answered("p", [{}], {}, { by: c }), "401 2010 signature");
  assert.equal(await answered("p", [{}], { creator: "" }, { by: c }), "401 2010 signature");
  assert.equal(await answered("p", [{}], { creator: "", tkey: "abc" }), "401 2020 tkey");
  assert.equal(await answered("p", [{}], { creator: "", ...foreign }), "401 2010 signature");
});

test("mrc401 §7: the signed string is project, itemdata as sent, and key; nothing else", async () => {
  const { o } = cast;
  const itemdata = '[ {"groupid" : "a|b", "é": "\\u00e9"} ]';
  for (const [text, answer] of [
    [`${q}|${itemdata}`, "200"],
    [`${q}|${JSON.stringify(JSON.parse(itemdata))}`, "401 2010 signature"],
    [`${o.address}|${q}|${itemdata}`, "401 2010 signature"],
    [itemdata, "401 2010 signature"],
  ] as const) {
    const tkey = await node.key(o);
    const signature = signatureOf(`${text}|${tkey}`, o);
    const params = { creator: o.address, itemdata, tkey, signature };
    assert.equal(said(await node.post(`/mrc401/${q}`, params)), answer);
  }
});

for (const signed of ["short", "full"] as const) {
  test(`mrc401 §1.3: creator, owner, address and itemdata, itemdata[] are names of the same, signed ${signed}`, async () => {
    for (const name of ["creator", "owner", "address"]) {
      for (const list of ["itemdata", "itemdata[]"]) {
        const params = { mrc400id: q, itemdata: [{}] };
        const request = await collection.request("create", cast.p, params, { signed });
        const other = renamed(request, { creator: name, itemdata: list });
        const twice = { creator: cast.p.address, itemdata: "[{}]" };
        assert.equal(said(await collection.post(changed(other, twice))), "200", `${name} ${list}`);
      }
    }
  });
}

test("mrc401 §1.3: two names with different values: 1005", async () => {
  const request = await collection.request("create", cast.p, { mrc400id: q, itemdata: [{}] });
  const { address } = cast.o;
  for (const [change, answer] of [
    [{ owner: address }, "400 1005 creator"],
    [{ address }, "400 1005 creator"],
    [{ "itemdata[]": "[{} ]" }, "400 1005 itemdata"],
  ] as const) {
    assert.equal(said(await collection.post(changed(request, change))), answer);
  }
  const { params } = renamed(request, { creator: "owner" });
  assert.equal(said(await node.post(`/mrc401/${q}`, { ...params, address })), "400 1005 creator");
});

test("mrc401 §7: a query string with 100 full elements, JSON with arrays, a slash at the end", async () => {
  const url = "https://rpg.example/".padEnd(255, "x");
  const itemdata = Array.from({ length: 100 }, (_, n) => ({
    item_id: numberOf(n),
    item_url: url,
    item_image_url: url,
    groupid: "😀".repeat(64),
  }));
  const long = { mrc400id: q, itemdata };
  const { params } = await itemRequest(node, "create", cast.o, long);
  assert.equal(said(await node.postQuery(`/mrc401/${q}`, params)), "200");
  for (const signed of ["short", "full"] as const) {
    const list = [{ groupid: 'é"\\', initial_reserve: 5, sell_fee: "2.5" }, {}];
    for (const name of ["itemdata", "itemdata[]"]) {
      const short = { mrc400id: q, itemdata: list };
      const request = await itemRequest(node, "create", cast.o, short, { signed });
      const { itemdata: _, ...rest } = request.params as Params;
      const body = { ...rest, [name]: list };
      const answer = collection.follow(await node.postJson(`/mrc401/${q}/`, body));
      assert.equal(said(answer), "200", name);
      const { parameters } = await node.transaction(transactionIdOf(answer));
      assert.equal(parameters[2], JSON.stringify(list));
    }
  }
  const { params: few } = await itemRequest(node, "create", cast.o, { mrc400id: q });
  const twice = `{"itemdata":[{"groupid":"a","groupid":"a"}],${JSON.stringify(few).slice(1)}`;
  assert.equal(saidCode(await node.postJson(`/mrc401/${q}`, twice)), "400 1007");
});

test("mrc401 §1.3: full signatures and keys for another operation, an address that signs in full", async () => {
  const { o } = cast;
  const params = { mrc400id: q, itemdata: "[{}]", tkey: await node.key(o) };
  const { mrc400id: _, ...body } = node.fullySigned("mrc401update", params, o);
  assert.equal(said(await node.post(`/mrc401/${q}`, body)), "401 2010 signature");
  for (const [kind, answer] of [
    ["mrc401create", "200"],
    ["token", "200"],
    ["mrc401update", "401 2020 tkey"],
    ["mrc400create", "401 2020 tkey"],
  ] as const) {
    assert.equal(await answered("o", [{}], { tkey: await node.key(o, kind) }), answer, kind);
  }
  const full = await collection.holder(0n, { params: { signed: "full" } });
  const partner = { [full.address]: "creator" };
  await collection.done("updateProject", o, { mrc400id: q, partner });
  const by = (signing: ItemSigning): Promise<Answered> =>
    collection.send("create", full, { mrc400id: q, itemdata: [{}] }, signing);
  assert.equal(said(await by({})), "401 2010 signature");
  assert.equal(said(await by({ signed: "full" })), "200");
});

test("mrc401 §1.1: a repeat is answered as the first time, another request with its key is not", async () => {
  const { p } = cast;
  const tkey = await node.key(p);
  const itemdata = [{ initial_reserve: "600" }];
  const first = await create("p", itemdata, { tkey });
  await collection.done("updateProject", cast.o, { mrc400id: q, partner: {} });
  const height = await node.height();
  const again = await create("p", itemdata, { tkey });
  assert.deepEqual([again.status, again.text], [200, first.text]);
  assert.equal(await node.height(), height);
  assert.equal(await collection.held(p), "400");
  assert.equal(await answered("p", [{}], { tkey }), "409 2021 tkey");
  assert.equal(await answered("p", '[{"initial_reserve": "600"}]', { tkey }), "409 2021 tkey");
});

test("mrc401 §18 row 79: a project's id, an unknown one, malformed ones at GET /mrc401: 6004", async () => {
  const id = await collection.item(q, cast.o, { item_id: "A".repeat(40) });
  assert.equal(said(await node.get(`/mrc401/${id}/`)), "200");
  for (const wrong of [
    q,
    `${q}_${numberOf(1)}`,
    "x",
    `${id}A`,
    id.slice(0, -1),
    id.replace("_A", "-A"),
    `${q}_${"a".repeat(40)}`,
    id.toLowerCase(),
  ]) {
    assert.equal(said(await node.get(`/mrc401/${wrong}`)), "404 6004 mrc401id", wrong);
  }
});

test("mrc401 §18 row 79: an MRC402 id at GET /mrc401, and the reverse: 6004", async () => {
  const itemdata = JSON.stringify([{ item_id: numberOf(2) }]);
  const params = { mrc400id: q, creator: cast.o.address, itemdata };
  const request = await node.shortlySigned(cast.o, ["mrc400id", "itemdata", "tkey"], params);
  assert.equal(said(await node.post("/mrc402", request)), "200");
  const id = `${q}_${numberOf(2)}`;
  assert.equal(said(await node.get(`/mrc402/${id}`)), "200");
  assert.equal(said(await node.get(`/mrc401/${id}`)), "404 6004 mrc401id");
});

test("mrc401 §1.6: the words of operations are never an id", async () => {
  const request = async (word: string, method: string): Promise<string> =>
    said(await node.request(`/mrc401/${word}`, { method }));
  for (const word of ["transfer", "sell", "unsell", "auction", "unauction"]) {
    for (const method of ["GET", "PUT"]) {
      assert.equal(await request(word, method), "405 9405", `${method} ${word}`);
    }
    assert.match(await request(word, "POST"), /^400 1000/, word);
    assert.match(await request(`${word}/`, "POST"), /^400 1000/, word);
  }
  for (const word of ["buy", "melt", "bid", "auctionfinish", "createtrade"]) {
    for (const method of ["GET", "POST", "PUT"]) {
      assert.equal(await request(word, method), "404 9404", `${method} ${word}`);
      assert.equal(await request(`${word}/`, method), "404 9404", `${method} ${word}/`);
    }
  }
});

const RACES: readonly {
  readonly name: string;
  readonly elements: readonly [Element, Element];
  readonly roles: readonly [Role, Role];
  readonly lost: string;
}[] = [
  {
    name: "two of the same number by two",
    elements: [{ item_id: numberOf(1) }, { item_id: numberOf(1) }],
    roles: ["o", "p"],
    lost: "409 7111",
  },
  {
    name: "two of the same number by one",
    elements: [{ item_id: numberOf(1) }, { item_id: numberOf(1) }],
    roles: ["o", "o"],
    lost: "409 7111",
  },
  {
    name: "two reserves, of which one can be paid",
    elements: [{ initial_reserve: "501" }, { initial_reserve: "500" }],
    roles: ["p", "p"],
    lost: "400 5000",
  },
];

for (const { name, elements, roles, lost } of RACES) {
  test(`mrc401 §7: ${name}, at the same time: one is created`, async () => {
    for (let round = 0; round < 6; round++) {
      cast = await collection.cast();
      const sends = [];
      for (const [n, role] of roles.entries()) {
        const params = { mrc400id: cast.q, itemdata: [elements[n]] };
        sends.push(await collection.ready("create", cast[role], params));
      }
      const ordered = round % 2 === 0 ? sends : sends.reverse();
      const answers = await Promise.all(ordered.map((send) => send()));
      assert.deepEqual(answers.map(saidCode).sort(), ["200", lost]);
      assert.ok(["1000", "500", "499"].includes(await collection.held(cast.p)));
    }
  });
}
