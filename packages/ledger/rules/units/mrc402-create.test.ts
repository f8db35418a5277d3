import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type Address, AMOUNT_MAX } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import type { Answer } from "../../testing/answer.ts";
import { PLAIN_UNIT, type UnitItemShown } from "../../testing/shown/shown-units.ts";
import { TestClient } from "../../testing/test-client.ts";
import {
  ART,
  createItems,
  createProject,
  type Element,
  PROJECT,
} from "../../testing/trade/creations.ts";
import { NOBODY, NOBODY_ELSE, numberOf } from "../../testing/trade/item-terms.ts";
import {
  aloneIdOf,
  PRESENT,
  type UnitRole,
  unitListingIdOf,
  unitNumberOf,
} from "../../testing/trade/unit-terms.ts";
import { type UnitCast, UnitTrade } from "../../testing/trade/unit-trade.ts";

let client: TestClient;
let trade: UnitTrade;
let cast: UnitCast;
let c: Address;
let o: Address;
before(async () => {
  client = await TestClient.open({ tokens: 9 });
});
after(() => client[Symbol.dispose]());
beforeEach(async () => {
  trade = await UnitTrade.on(client, 1000n);
  ({ cast } = trade);
  ({ c, o } = cast);
});

function create(change: Params = {}): Promise<Answer> {
  return trade.send("create", c, { ...ART, ...change });
}

/** Creates in the project, as O by default. */
function createIn(
  itemdata: string | readonly unknown[],
  { role = "o", ...params }: Readonly<Record<string, string>> & { readonly role?: UnitRole } = {},
): Promise<Answer> {
  const all = { mrc400id: cast.project, itemdata, ...params };
  return trade.send("create", cast[role], all);
}

const YEAR_9999 = "253402300799";

// Rows of §18.

for (const { sevens, answer } of [
  { sevens: 1000n, answer: "done: c -500, c -1000 of 7, c +100 units" },
  { sevens: 999n, answer: "400 5000" },
]) {
  test(`mrc402 §4, §18 row 1: C with 500 of 0 and ${sevens} of 7 creates X 100 {0:5, 7:10}: ${answer}`, async () => {
    c = await trade.newcomer("c", 500n, { "7": sevens });
    const tkey = trade.key(c);
    const x = { totalsupply: "100", initialreserve: { "0": "5", "7": "10" }, tkey };
    assert.equal((await create(x)).outcome, answer);
    const id = aloneIdOf(c, tkey);
    if (sevens < 1000n) {
      await trade.client.pay(c, 1n, { token: "7" });
      assert.equal(
        (await create(x)).outcome,
        "done: c -500, c -1000 of 7, c +100 units",
        "the key is still usable",
      );
    }
    assert.deepEqual([trade.client.held(c), trade.client.held(c, "7")], ["0", "0"]);
    assert.equal(trade.has(c, id), "100");
    trade.assertItem(id, { owner: c, reserve: { "0": "500", "7": "1000" } });
  });
}

test("mrc402 §2.6: create with sell_fee 95.01 and creatorcommission 5: 3005; with 95: accepted", async () => {
  const rates = { sell_fee: "95.01", creatorcommission: "5" };
  assert.equal((await createIn([rates])).outcome, "400 3005");
  assert.equal((await createIn([{ ...rates, sell_fee: "95" }])).code, "done");
});

for (const { what, shareholder, answer } of [
  { what: "six shareholders", shareholder: "six", answer: "400 3002" },
  { what: "five shareholders", shareholder: "five", answer: "done" },
  { what: "rate 10.01", shareholder: { [NOBODY]: "10.01" }, answer: "400 3005" },
  { what: "rate 2.555", shareholder: { [NOBODY]: "2.555" }, answer: "400 3005" },
  { what: "rate as a number", shareholder: { [NOBODY]: 5 }, answer: "400 1007" },
  {
    what: "one address twice in the JSON",
    shareholder: `{"${NOBODY}":"5","${NOBODY}":"5"}`,
    answer: "400 1007",
  },
] as const) {
  test(`mrc402 §4: ${what}: ${answer}, alone and in a project`, async () => {
    const { a, b, d, partner, seller, maker } = cast;
    const count = shareholder === "six" ? 6 : 5;
    const given =
      shareholder === "six" || shareholder === "five"
        ? Object.fromEntries(
            [a, b, d, partner, seller, maker].slice(0, count).map((address) => [address, "1"]),
          )
        : shareholder;
    assert.equal((await create({ shareholder: given })).code, answer);
    assert.equal((await createIn([{ shareholder: given }])).code, answer);
  });
}

for (const { what, change, answer } of [
  {
    what: "six reserve tokens",
    change: { initialreserve: { "0": "1", "1": "1", "2": "1", "3": "1", "4": "1", "5": "1" } },
    answer: "400 3002",
  },
  { what: "reserve amount 0", change: { initialreserve: { "0": "0" } }, answer: "400 1101" },
  {
    what: "reserve token 99 unknown",
    change: { initialreserve: { "99": "1" } },
    answer: "404 4001",
  },
  { what: "totalsupply 0", change: { totalsupply: "0" }, answer: "400 1101" },
  { what: "decimal 1", change: { decimal: "1" }, answer: "400 3005" },
] as const) {
  test(`mrc402 §4: ${what}: ${answer}`, async () => {
    assert.equal((await create(change)).code, answer);
    if (!("decimal" in change)) {
      assert.equal((await createIn([change])).code, answer, "in a project");
    }
  });
}

test("mrc402 §2.3: role creator creates; with sell_price 7002; role seller 7002; D without role 7002; the others of §2.3", async () => {
  const sale = { sell_price: "1", sell_token: "0" };
  for (const [role, element, answer] of [
    ["maker", {}, "done: maker +1 units"],
    ["maker", sale, "403 7002"],
    ["seller", {}, "403 7002"],
    ["seller", sale, "done: seller +1 on sale"],
    ["d", {}, "403 7002"],
    ["d", sale, "403 7002"],
    ["o", {}, "done: o +1 units"],
    ["o", sale, "done: o +1 on sale"],
    ["partner", {}, "done: partner +1 units"],
    ["partner", sale, "done: partner +1 on sale"],
  ] as const) {
    for (const creator of [cast[role], ""]) {
      const outcome = (await createIn([element], { role, creator })).outcome;
      assert.equal(outcome, answer, `${role} ${JSON.stringify(element)}`);
    }
  }
  const mixed = [sale, {}];
  assert.equal((await createIn(mixed, { role: "seller" })).outcome, "403 7002", "each element");
  await trade.updateProject({ partner: {} });
  assert.equal((await createIn([{}], { role: "maker" })).code, "403 7002");
});

test("mrc401 §2.1: an item number serves once per project, for MRC401 or MRC402: 7111", async () => {
  const item_id = numberOf(1);
  const [unique = ""] = await createItems(trade.client, cast.project, o, { item_id });
  assert.equal((await createIn([{ item_id }])).outcome, "409 7111");
  const taken = await createIn([{}, {}, { id: unique }]);
  assert.equal(taken.code, "409 7111");
  const detail = taken.problem?.detail ?? "";
  assert.ok(detail.includes(unique) && /\b[23]\b/.test(detail), `position and id: ${detail}`);
  const other = await trade.item(cast.project, o, { item_id: numberOf(2) });
  assert.equal((await createIn([{ item_id: numberOf(2) }])).code, "409 7111");
  const again = { mrc400id: cast.project, itemdata: [{ item_id: numberOf(2) }] };
  assert.equal((await trade.client.send("mrc401create", o, again)).code, "409 7111");
  assert.equal((await trade.send("transfer", o, { mrc402id: unique, toAddr: c })).code, "404 6004");
  const unit = { mrc401id: other, toAddr: c };
  assert.equal((await trade.client.send("mrc401transfer", o, unit)).code, "404 6004");
  const elsewhere = await createProject(trade.client, o);
  await trade.item(elsewhere, o, { item_id });
});

test("mrc402 §11: reserve 10^40 per unit, totalsupply 2: 1101", async () => {
  const supply = { totalsupply: "2", initialreserve: { "1": String(AMOUNT_MAX) } };
  assert.equal((await create(supply)).code, "400 1101");
  assert.equal((await createIn([supply])).code, "400 1101");
  assert.equal(
    (await create({ ...supply, initialreserve: { "1": String(AMOUNT_MAX / 2n) } })).code,
    "400 5000",
  );
});

// Records and fields.

function everything(): Params {
  return {
    ...PRESENT,
    totalsupply: "100",
    creatorcommission: "2.50",
    shareholder: `{ "${cast.b}" : "7.5", "${cast.a}":"0.10" }`,
    initialreserve: '{"7":"1", "0": 2}',
    expiredate: YEAR_9999,
    data: "data",
    socialmedia: '{"homepage": "https://a.example/"}',
    platform_address: cast.d,
    platform_commission: "1.20",
  };
}

for (const isFull of [false, true]) {
  test(`mrc402 §4, §3: ${isFull ? "all" : "the least"} that an item can have: all fields`, async () => {
    trade.now += 10;
    await trade.client.pay(c, 100n, { token: "7" });
    const all = everything();
    const params: Params = { ...ART, ...(isFull && all), creator: c };
    const { made, tkey } = await trade.done("create", c, params);
    const id = aloneIdOf(c, tkey);
    assert.deepEqual(made, [id]);
    const {
      allowtoken: allow_token,
      itemurl: item_url,
      itemimageurl: item_image_url,
      ...same
    } = all;
    const shown = {
      ...{ ...same, allow_token, item_url, item_image_url },
      ...{ creatorcommission: "2.5", platform_commission: "1.2", expiredate: Number(YEAR_9999) },
      shareholder: { [cast.b]: "7.5", [cast.a]: "0.1" },
      initialreserve: { "0": "2", "7": "1" },
      reserve: { "0": "200", "7": "100" },
      initial_reserve: "2",
      socialmedia: { homepage: "https://a.example/" },
      decimal: 0,
    };
    const item = trade.record(id);
    assert.deepEqual(item, {
      ...{ ...PLAIN_UNIT, id, owner: c, creator: c, createdate: trade.now },
      ...(isFull && shown),
    });
    const order = isFull ? [cast.b, cast.a] : [];
    assert.deepEqual(Object.keys(item.shareholder), order, "shareholders are in the order given");
  });
}

test("mrc402 §4: the order in which a creation refuses: parameters, existence, key, balance", async () => {
  const { a, b, d } = cast;
  const shareholder = { [b]: "1", [NOBODY]: "1", [NOBODY_ELSE]: "1" };
  const later = {
    creator: NOBODY,
    shareholder,
    platform_address: NOBODY,
    initialreserve: { "9": "1", "99": "1" },
    allowtoken: "99",
  };
  await trade.mending("create", { by: c, stranger: a }, [
    [{ ...ART, ...later, name: "" }, "400 1000"],
    [{ name: "n", totalsupply: "0" }, "400 1101"],
    [{ totalsupply: "2", expiredate: "x" }, "400 1102"],
    [{ expiredate: "", socialmedia: "[]" }, "400 1007"],
    [{ socialmedia: "", initialreserve: "[]" }, "400 1007"],
    [{ initialreserve: later.initialreserve, category: "a|b" }, "400 3005"],
    [{ category: "", creator: "MTx" }, "400 3190"],
    [{ creator: NOBODY, initialreserve: { "9": String(AMOUNT_MAX) } }, "400 1101"],
    [{ initialreserve: later.initialreserve }, "404 3090"],
    [{ creator: c }, "404 3090"],
    [{ shareholder: { [b]: "1" } }, "404 3090"],
    [{ platform_address: d }, "404 4001"],
    [{ initialreserve: { "9": "1" } }, "404 4001"],
    [{ allowtoken: "9" }, "key"],
    [{}, "400 5000"],
    [{ initialreserve: { "0": "500" } }, "done"],
  ]);
  for (const [change, blamed] of [
    [later, "creator"],
    [{ ...later, creator: c }, "shareholder"],
    [{ ...later, creator: c, shareholder: {} }, "platform_address"],
    [{ ...later, creator: c, shareholder: {}, platform_address: "" }, "initialreserve"],
    [{ allowtoken: "99" }, "allowtoken"],
  ] as const) {
    const [, code, parameter] = (await create(change)).summary.split(/[ .[]/);
    const expected = blamed === "initialreserve" || blamed === "allowtoken" ? "4001" : "3090";
    assert.deepEqual([code, parameter], [expected, blamed]);
  }
  const { problem } = await create({ shareholder });
  const detail = problem?.detail ?? "";
  assert.ok(detail.includes(NOBODY) && !detail.includes(NOBODY_ELSE), `in order: ${detail}`);
});

// In a project: §5.

const PROJECT_VALUES = {
  name: PROJECT.name,
  category: PROJECT.category,
  description: PROJECT.description,
  url: PROJECT.url,
  image_url: PROJECT.imageurl,
  data: PROJECT.data,
  item_url: PROJECT.itemurl,
  item_image_url: PROJECT.itemimageurl,
} as const;

function fullElement(): Element & Params {
  return {
    item_id: "A".repeat(40),
    name: "Sword",
    category: "weapon",
    description: "sharp",
    url: "https://sword.example/",
    imageurl: "https://sword.example/i.png",
    totalsupply: "10",
    creatorcommission: "2.5",
    shareholder: JSON.stringify({ [cast.a]: "1.5" }),
    initialreserve: '{"0":"3","7":"2"}',
    expiredate: "5",
    data: "dd",
    information: "i|i",
    socialmedia: '{"homepage":"https://sword.example/"}',
    copyright_registration_country: "DE",
    copyright_registrar: "DPMA",
    copyright_registration_number: "42",
    platform_name: "Shop",
    platform_url: "https://shop.example/",
    platform_address: cast.d,
    platform_commission: "1",
    item_url: "https://sword.example/1",
    item_image_url: "ipfs://sword",
    groupid: "g",
    sell_fee: "2.5",
    melt_fee: "33.3333",
    transferable: "Temporary",
  };
}

for (const { role, isNamed } of [
  { role: "o", isNamed: true },
  { role: "maker", isNamed: false },
] as const) {
  test(`mrc402 §5, §3: created by ${role}, ${isNamed ? "named" : "by key"}: all fields`, async () => {
    trade.now += 10;
    const { [role]: by, project } = cast;
    await trade.client.pay(by, 50n, { token: "7" });
    const full = fullElement();
    const itemdata = JSON.stringify([{}, full]);
    const params = { mrc400id: project, itemdata, ...(isNamed ? {} : { creator: "" }) };
    const { made, tkey } = await trade.done("create", by, params);
    const plain = `${project}_${unitNumberOf(project, tkey, 0)}`;
    const sword = `${project}_${"A".repeat(40)}`;
    assert.deepEqual(made, [plain, sword]);
    const common: UnitItemShown = {
      ...{ ...PLAIN_UNIT, ...PROJECT_VALUES, mrc400: project },
      ...{ owner: by, creator: by, createdate: trade.now },
    };
    assert.deepEqual(trade.record(plain), { ...common, id: plain });
    const { item_id: _, imageurl: image_url, melt_fee: meltint_fee, ...same } = full;
    assert.deepEqual(trade.record(sword), {
      ...{ ...common, ...same, id: sword, image_url, meltint_fee, expiredate: 5 },
      shareholder: { [cast.a]: "1.5" },
      initialreserve: { "0": "3", "7": "2" },
      reserve: { "0": "30", "7": "20" },
      initial_reserve: "3",
      socialmedia: { homepage: "https://sword.example/" },
    });
  });
}

test("mrc402 §3: what a project says stands in for what an item does not, also after the project has changed; allow_token is the project's", async () => {
  const id = await trade.item(cast.project, o, { name: "Own" });
  await trade.updateProject({ name: "New", category: "new", allowtoken: "7" });
  trade.assertItem(id, {
    name: "Own",
    category: "new",
    allow_token: "7",
    description: PROJECT.description,
  });
});

for (const [what, element, fields] of [
  ["an initial_reserve", { initial_reserve: "5", initial_token: "7" }, { "7": "5" }],
  ["an initial_reserve of coins", { initial_reserve: 5 }, { "0": "5" }],
  ["an initial_reserve of 0", { initial_reserve: "0", initial_token: "7" }, {}],
  ["initialreserve as an object", { initialreserve: { "7": 5 } }, { "7": "5" }],
  ["initialreserve as text", { initialreserve: '{"7":"5"}' }, { "7": "5" }],
  ["both, one of 0", { initialreserve: { "7": "5" }, initial_reserve: "0" }, { "7": "5" }],
] as const) {
  test(`mrc402 §5: reserve as ${what}`, async () => {
    await trade.client.pay(o, 100n, { token: "7" });
    const id = await trade.item(cast.project, o, { ...element, totalsupply: 2 });
    const { initialreserve, reserve, initial_reserve, initial_token } = trade.record(id);
    const [[token, amount] = ["0", "0"]] = Object.entries(fields);
    assert.deepEqual(initialreserve, fields);
    assert.deepEqual(reserve, amount === "0" ? {} : { [token]: "10" });
    assert.deepEqual([initial_token, initial_reserve], [token, amount]);
  });
}

test("mrc402 §1.4, §5: other names of keys, numbers, objects as text, Temprary; unknown keys are ignored", async () => {
  const number = numberOf(7);
  const [first = "", second = "", third = ""] = await trade.items(
    cast.project,
    o,
    { id: `${cast.project}_${number}`, image_url: "ipfs://a", meltint_fee: "1.0", totalsupply: 3 },
    { melting_fee: "2", shareholder: `{"${o}":"1"}`, transferable: "Temprary" },
    { melt_fee: "3", shareholder: { [o]: "1" }, expiredate: 5, unknown: [{}], price: "x" },
  );
  assert.equal(first, `${cast.project}_${number}`);
  trade.assertItem(first, { image_url: "ipfs://a", meltint_fee: "1", totalsupply: "3" });
  const shareholder = { [o]: "1" };
  trade.assertItem(second, { meltint_fee: "2", shareholder, transferable: "Temporary" });
  trade.assertItem(third, { meltint_fee: "3", shareholder, expiredate: 5 });
});

for (const [what, itemdata, answer] of [
  [
    "initialreserve together with an initial_reserve above 0",
    [{ initialreserve: { "7": "1" }, initial_reserve: "1" }],
    "400 3005",
  ],
  [
    "reserves of one token together above 10^40",
    [{ initialreserve: { "1": String(AMOUNT_MAX) } }, { initialreserve: { "1": "1" } }],
    "400 1101",
  ],
  [
    "sell_price × totalsupply above 10^40",
    [{ sell_price: String(AMOUNT_MAX), totalsupply: "2" }],
    "400 1101",
  ],
  [
    "rates together above 100",
    [
      {
        sell_fee: "90",
        creatorcommission: "5",
        platform_commission: "5.01",
        platform_address: "P",
      },
    ],
    "400 3005",
  ],
  [
    "rates together above 100 with a platform that has no address",
    [{ sell_fee: "90", creatorcommission: "5", platform_commission: "5.01" }],
    "done",
  ],
] as const) {
  test(`mrc402 §5: ${what}: ${answer}`, async () => {
    const text = JSON.stringify(itemdata).replace('"P"', `"${cast.d}"`);
    assert.equal((await createIn(text)).code, answer);
  });
}

test("mrc402 §5: a sale while creating: all units are listed, as the records say", async () => {
  const { seller, project } = cast;
  const element = { totalsupply: "5", sell_price: "30", sell_token: "7" };
  const itemdata = [element, element];
  const { effects, made, tkey, signature } = await trade.done("create", seller, {
    ...{ mrc400id: project, itemdata },
  });
  const ids = [0, 1].map((n) => `${project}_${unitNumberOf(project, tkey, n)}`);
  const dexids = [0, 1].map((n) => unitListingIdOf(seller, tkey, n));
  assert.deepEqual(made, [...ids, ...dexids]);
  assert.deepEqual(
    effects.filter(({ type }) => type === "mrc402_sell").map(({ parameters }) => parameters),
    dexids.map((dexid, n) => [
      ...[dexid, seller, "5", ids[n], "30", "7", "", "", "", "0", signature, tkey],
    ]),
  );
  assert.equal(trade.has(seller, ids[0] as string), "0 + 5 on sale");
});

test("mrc402 §5: the order in which a creation in a project refuses", async () => {
  const { project, a, d, maker } = cast;
  const taken = { item_id: numberOf(1) };
  await trade.item(project, o, taken);
  await trade.updateProject({ allowtoken: "7" });
  const bound = { ...taken, transferable: "Bound", sell_price: "1", sell_token: "99" };
  const unknown = { shareholder: { [NOBODY]: "1" }, initialreserve: { "99": "1001" } };
  const element: Element = { ...bound, ...unknown };
  const noProject = `MRC400_${"0".repeat(33)}`;
  await trade.mending("create", { by: maker, stranger: a }, [
    [{ mrc400id: noProject, creator: NOBODY, itemdata: "" }, "400 1000"],
    [{ itemdata: [] }, "400 3002"],
    [{ itemdata: [element, element] }, "400 3004"],
    [{ itemdata: [element, { id: `${project}_${numberOf(3)}` }] }, "400 3005"],
    [{ itemdata: [element, { groupid: "x".repeat(65) }] }, "400 3005"],
    [{ itemdata: [{ ...element, sell_price: "x" }] }, "400 1101"],
    [{ itemdata: [{ ...element, sell_fee: "99.5" }] }, "400 3005"],
    [{ itemdata: [element], creator: "MTx" }, "400 3190"],
    [{ creator: NOBODY }, "404 6004"],
    [{ mrc400id: "x" }, "404 6004"],
    [{ mrc400id: project }, "404 3090"],
    [{ creator: maker }, "404 3090"],
    [{ itemdata: [{ ...element, shareholder: { [d]: "1" } }] }, "404 4001"],
    [{ itemdata: [{ ...bound, initialreserve: { "0": "1001" } }] }, "404 4001"],
    [{ itemdata: [{ ...bound, sell_token: "9" }] }, "400 3005"],
    [{ itemdata: [{ ...bound, sell_token: "7" }] }, "key"],
    [{}, "403 7002"],
    [{ itemdata: [{ ...taken, initialreserve: { "0": "1001" } }] }, "409 7111"],
    [{ itemdata: [{ initialreserve: { "0": "1001" } }] }, "400 5000"],
    [{ itemdata: [{ initialreserve: { "0": "1000" } }] }, "done"],
  ]);
  const all = { ...bound, sell_token: "7", initialreserve: { "0": "1001" } };
  await trade.mending("create", { by: o, stranger: a }, [
    [{ mrc400id: project, itemdata: [all] }, "409 7111"],
    [{ itemdata: [{ ...all, item_id: "" }] }, "409 7109"],
    [{ itemdata: [{ ...all, item_id: "", transferable: "Temporary" }] }, "400 5000"],
  ]);
});

test("mrc402 §1.1: each step is done for all elements before the next", async () => {
  const taken = { item_id: numberOf(1) };
  await trade.item(cast.project, o, taken);
  const poor = { initialreserve: { "0": "1001" } };
  for (const [itemdata, answer] of [
    [[taken, { shareholder: { [NOBODY]: "1" } }], "404 3090"],
    [[{ shareholder: { [NOBODY]: "1" } }, { sell_fee: "x" }], "400 3005"],
    [[{ initialreserve: { "99": "1" } }, { shareholder: { [NOBODY]: "1" } }], "404 3090"],
    [[poor, taken], "409 7111"],
    [[poor, { transferable: "Bound", sell_price: "1" }], "409 7109"],
  ] as const) {
    assert.equal((await createIn(itemdata)).code, answer, JSON.stringify(itemdata));
  }
});

test("mrc402 §5: a number that another element derives: 3004", async () => {
  const tkey = trade.key(o);
  for (const n of [0, 1]) {
    const given = { item_id: unitNumberOf(cast.project, tkey, n), initialreserve: { "0": "5" } };
    const itemdata = n === 0 ? [{}, given] : [given, {}];
    assert.equal((await createIn(itemdata, { tkey })).outcome, "400 3004");
  }
});
