import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import {
  changed,
  createProject,
  createItems as createUniqueItems,
  type Element,
  type ItemParams,
  type ItemSigning,
  itemRequest,
  numberOf,
  PROJECT,
  renamed,
  sendItem,
} from "../testing/item-requests.ts";
import { NOBODY, NOBODY_ELSE } from "../testing/item-trade.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  parsed,
  problemOf,
  said,
  saidCode,
  type TestNode,
  transactionIdOf,
} from "../testing/test-node.ts";
import {
  ART,
  aloneIdOf,
  assertUnitsRecorded,
  CREATION,
  EXTRA_FIELDS,
  LONG_FIELDS,
  PLAIN_UNIT,
  type UnitCast,
  type UnitItem,
  type UnitRole,
  Units,
  unitListingIdOf,
  unitNumberOf,
} from "../testing/unit-requests.ts";

// Creation of items of many units, standing alone and in a project: mrc402 §1 to §5, and its rows in §18. After each case row 66 holds.

const MAX = 10n ** 40n;
const YEAR_9999 = "253402300799";

let units: Units;
let node: TestNode;
let cast: UnitCast;
let c: KeyHolder;
let o: KeyHolder;
before(async () => {
  units = await Units.open({ tokens: 9 });
  node = units.node;
});
after(() => units[Symbol.asyncDispose]());
beforeEach(async () => {
  cast = await units.cast();
  ({ c, o } = cast);
});
afterEach(() => units.assertConserved());

function create(change: ItemParams = {}, signing?: ItemSigning): Promise<Answered> {
  return units.send("create", c, { ...ART, ...change }, signing);
}

async function created(change: ItemParams = {}): Promise<UnitItem> {
  return units.record(await units.alone(c, change));
}

/** Creates in the project, as O unless told otherwise. */
function createIn(
  itemdata: string | readonly unknown[],
  { role = "o", ...params }: Readonly<Record<string, string>> & { readonly role?: UnitRole } = {},
  signing?: ItemSigning,
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

// Rows of §18.

for (const { row, sevens, answer } of [
  { row: 1, sevens: 1000n, answer: "200: c -500, c -1000 of 7, c +100 units" },
  { row: 2, sevens: 999n, answer: "400 5000" },
]) {
  test(`mrc402 §18 row ${row}: C with 500 of 0 and ${sevens} of 7 creates X 100 {0:5, 7:10}: ${answer}`, async () => {
    c = await units.holder(500n, { tokens: { "7": sevens }, name: "c" });
    const tkey = await node.key(c);
    const x = { totalsupply: "100", initialreserve: { "0": "5", "7": "10" }, tkey };
    assert.equal(await units.outcome(() => create(x)), answer);
    const id = aloneIdOf(c.address, tkey);
    if (row === 2) {
      assert.equal(saidCode(await node.get(`/mrc402/${id}`)), "404 6004");
      await units.pay(c, "7", 1n);
      assert.equal(
        await units.outcome(() => create(x)),
        "200: c -500, c -1000 of 7, c +100 units",
        "the key is still usable",
      );
    }
    assert.deepEqual(await node.balances(c, "0"), ["0"]);
    assert.deepEqual(await node.balances(c, "7"), ["0"]);
    assert.equal(await units.has(c, id), "100");
    await units.assertItem(id, { owner: c.address, reserve: { "0": "500", "7": "1000" } });
  });
}

test("mrc402 §18 row 24: create with sell_fee 95.01 and creatorcommission 5: 3005; with 95: accepted", async () => {
  const rates = { sell_fee: "95.01", creatorcommission: "5" };
  assert.equal(await units.outcome(() => createIn([rates])), "400 3005");
  assert.equal(saidCode(await createIn([{ ...rates, sell_fee: "95" }])), "200");
});

for (const { what, shareholder, answer } of [
  { what: "six shareholders", shareholder: "six", answer: "400 3002" },
  { what: "five shareholders", shareholder: "five", answer: "200" },
  { what: "rate 10.01", shareholder: { [NOBODY]: "10.01" }, answer: "400 3005" },
  { what: "rate 2.555", shareholder: { [NOBODY]: "2.555" }, answer: "400 3005" },
  { what: "rate as a number", shareholder: { [NOBODY]: 5 }, answer: "400 1007" },
  {
    what: "one address twice in the JSON",
    shareholder: `{"${NOBODY}":"5","${NOBODY}":"5"}`,
    answer: "400 1007",
  },
] as const) {
  test(`mrc402 §18 row 25: ${what}: ${answer}, alone and in a project`, async () => {
    const { a, b, d, partner, seller, maker } = cast;
    const count = shareholder === "six" ? 6 : 5;
    const given =
      shareholder === "six" || shareholder === "five"
        ? Object.fromEntries(
            [a, b, d, partner, seller, maker].slice(0, count).map(({ address }) => [address, "1"]),
          )
        : shareholder;
    assert.equal(saidCode(await create({ shareholder: given })), answer);
    assert.equal(saidCode(await createIn([{ shareholder: given }])), answer);
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
  test(`mrc402 §18 row 26: ${what}: ${answer}`, async () => {
    assert.equal(saidCode(await create(change)), answer);
    if (!("decimal" in change)) {
      assert.equal(saidCode(await createIn([change])), answer, "in a project");
    }
  });
}

test("mrc402 §18 row 43: role creator creates; with sell_price 7002; role seller 7002; D without role 7002; the others of §2.3", async () => {
  const sale = { sell_price: "1", sell_token: "0" };
  for (const [role, element, answer] of [
    ["maker", {}, "200: maker +1 units"],
    ["maker", sale, "403 7002"],
    ["seller", {}, "403 7002"],
    ["seller", sale, "200: seller +1 on sale"],
    ["d", {}, "403 7002"],
    ["d", sale, "403 7002"],
    ["o", {}, "200: o +1 units"],
    ["o", sale, "200: o +1 on sale"],
    ["partner", {}, "200: partner +1 units"],
    ["partner", sale, "200: partner +1 on sale"],
  ] as const) {
    for (const creator of [cast[role].address, ""]) {
      const outcome = await units.outcome(() => createIn([element], { role, creator }));
      assert.equal(outcome, answer, `${role} ${JSON.stringify(element)}`);
    }
  }
  const mixed = [sale, {}];
  assert.equal(
    await units.outcome(() => createIn(mixed, { role: "seller" })),
    "403 7002",
    "each element",
  );
  const right = { mrc400id: cast.project, partner: {} };
  const withdrawn = await itemRequest(node, "updateProject", o, right);
  assert.equal(saidCode(await sendItem(node, withdrawn)), "200");
  assert.equal(saidCode(await createIn([{}], { role: "maker" })), "403 7002");
});

test("mrc402 §18 row 44: an item number serves once per project, for MRC401 or MRC402: 7111", async () => {
  const item_id = numberOf(1);
  const [unique = ""] = await createUniqueItems(node, cast.project, o, [{ item_id }]);
  assert.equal(await units.outcome(() => createIn([{ item_id }])), "409 7111");
  const taken = await createIn([{}, {}, { id: unique }]);
  assert.equal(saidCode(taken), "409 7111");
  const { detail } = problemOf(taken);
  assert.ok(detail.includes(unique) && /\b[23]\b/.test(detail), `position and id: ${detail}`);
  const other = await units.item(cast.project, o, { item_id: numberOf(2) });
  assert.equal(saidCode(await createIn([{ item_id: numberOf(2) }])), "409 7111");
  const again = { mrc400id: cast.project, itemdata: [{ item_id: numberOf(2) }] };
  const clash = await itemRequest(node, "create", o, again);
  assert.equal(saidCode(await sendItem(node, clash)), "409 7111");
  assert.equal(saidCode(await node.get(`/mrc402/${unique}`)), "404 6004");
  assert.equal(saidCode(await node.get(`/mrc401/${other}`)), "404 6004");
  const elsewhere = await createProject(node, o);
  await units.item(elsewhere, o, { item_id });
});

test("mrc402 §18 row 60: create with totalsupply=5, short string 2010, long string 5 units", async () => {
  assert.equal(await signedOver(SHORT, { totalsupply: "5" }), "401 2010 signature");
  assert.equal(await signedOver(CREATION, { totalsupply: "5" }), "200");
  assert.equal(
    await units.outcome(() => create({ totalsupply: "5" })),
    "200: c +5 units",
    "long string",
  );
});

test("mrc402 §18 row 64: reserve 10^40 per unit, totalsupply 2: 1101", async () => {
  const supply = { totalsupply: "2", initialreserve: { "1": String(MAX) } };
  assert.equal(saidCode(await create(supply)), "400 1101");
  assert.equal(saidCode(await createIn([supply])), "400 1101");
  assert.equal(
    saidCode(await create({ ...supply, initialreserve: { "1": String(MAX / 2n) } })),
    "400 5000",
  );
});

// The signed strings of §4.

const PRESENT: Params = {
  totalsupply: "5",
  decimal: "0",
  creatorcommission: "2.5",
  shareholder: "{}",
  initialreserve: "{}",
  expiredate: "1",
  information: "a|b",
  socialmedia: "{}",
  copyright_registration_country: "CH",
  copyright_registrar: "IGE",
  copyright_registration_number: "1",
  allowtoken: "7",
  category: "art",
  description: "d",
  itemurl: "https://a.example/1",
  itemimageurl: "https://a.example/2",
  platform_name: "Shop",
  platform_url: "https://shop.example/",
  platform_address: "",
  platform_commission: "1",
};

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

// Records and fields.

function everything(): Params {
  return {
    ...PRESENT,
    totalsupply: "100",
    creatorcommission: "2.50",
    shareholder: `{ "${cast.b.address}" : "7.5", "${cast.a.address}":"0.10" }`,
    initialreserve: '{"7":"1", "0": 2}',
    expiredate: YEAR_9999,
    data: "data",
    socialmedia: '{"homepage": "https://a.example/"}',
    platform_address: cast.d.address,
    platform_commission: "1.20",
  };
}

for (const signed of ["short", "full"] as const) {
  for (const kind of ["least", "long", "all"] as const) {
    test(`mrc402 §4, §3: ${kind === "least" ? "the least" : kind === "long" ? "the long form" : "all"} that can be said of an item, signed ${signed}: answer, records M and I, all fields`, async () => {
      node.now += 10;
      await units.pay(c, "7", 100n);
      const all = everything();
      const isSent = (field: string): boolean =>
        kind === "all" || (kind === "long" && !EXTRA_FIELDS.includes(field));
      const change = Object.fromEntries(Object.entries(all).filter(([field]) => isSent(field)));
      const request = await units.request("create", c, { ...ART, ...change }, { signed });
      const answer = await units.post(request);
      const { params } = request;
      const id = aloneIdOf(c.address, params.tkey);
      const fields = [...CREATION, "signature", "tkey", ...(kind === "all" ? EXTRA_FIELDS : [])];
      const parameters = [id, ...fields.map((field) => params[field] ?? "")];
      const moved = kind === "least" ? [] : ["0", "7"];
      await assertUnitsRecorded(
        node,
        answer,
        [
          { type: "mrc402create", of: c, parameters, moved, units: [id] },
          { type: "mrc402_create", of: id, parameters },
        ],
        { more: { mrc402id: id } },
      );
      assert.match(answer.headers.get("replay-nonce") ?? "", /^[A-Za-z][0-9A-Za-z]{39,63}$/);
      const plain: UnitItem = {
        ...PLAIN_UNIT,
        id,
        owner: c.address,
        creator: c.address,
        createdate: node.now,
      };
      const long: Partial<UnitItem> = {
        totalsupply: "100",
        creatorcommission: "2.5",
        shareholder: { [cast.b.address]: "7.5", [cast.a.address]: "0.1" },
        initialreserve: { "0": "2", "7": "1" },
        reserve: { "0": "200", "7": "100" },
        initial_reserve: "2",
        expiredate: Number(YEAR_9999),
        data: "data",
        information: "a|b",
        socialmedia: { homepage: "https://a.example/" },
        copyright_registration_country: "CH",
        copyright_registrar: "IGE",
        copyright_registration_number: "1",
      };
      const extra: Partial<UnitItem> = {
        allow_token: "7",
        category: "art",
        description: "d",
        item_url: "https://a.example/1",
        item_image_url: "https://a.example/2",
        platform_name: "Shop",
        platform_url: "https://shop.example/",
        platform_address: cast.d.address,
        platform_commission: "1.2",
      };
      const item = await units.record(id);
      assert.deepEqual(item, {
        ...plain,
        ...(kind === "least" ? {} : long),
        ...(kind === "all" ? extra : {}),
      });
      if (kind !== "least") {
        assert.deepEqual(
          Object.keys(item.shareholder),
          [cast.b.address, cast.a.address],
          "shareholders are in the order given",
        );
      }
    });
  }
}

test("mrc402 §4: records say what was sent, with extra fields also in the short form", async () => {
  const request = await units.request("create", c, { ...ART, category: "art" });
  const id = aloneIdOf(c.address, request.params.tkey);
  const { parameters, effects } = await node.transaction(
    transactionIdOf(await units.post(request)),
  );
  const { tkey, signature } = request.params;
  const expected = [
    ...[id, c.address, "JamesNFT", "", "", "", ART.url, ART.imageurl, "", "", "", "", "", ""],
    ...["", "", "", signature, tkey, "", "art", "", "", "", "", "", "", ""],
  ];
  assert.deepEqual(parameters, expected);
  assert.deepEqual(
    effects.map(({ type, parameters: same }) => [type, same]),
    [["mrc402_create", expected]],
  );
});

test("mrc402 §3: initial_reserve and initial_token are those of the lowest token id, as a number", async () => {
  const tokens = { "9": 1n, "7": 1n };
  c = await units.holder(0n, { tokens });
  const item = await created({ initialreserve: { "9": "1", "7": "1" } });
  assert.deepEqual([item.initial_token, item.initial_reserve], ["7", "1"]);
});

test("mrc402 §4: the greatest values, and texts in code points", async () => {
  c = await units.holder(0n, { tokens: { "1": MAX } });
  const url = "https://a.example/".padEnd(255, "x");
  const item = await created({
    name: "😀".repeat(128),
    url,
    imageurl: url,
    totalsupply: "99999999",
    data: "d".repeat(40_960),
    information: "i".repeat(40_960),
    copyright_registrar: "r".repeat(128),
    copyright_registration_number: "n".repeat(64),
    category: "c".repeat(64),
    description: "d".repeat(4096),
    itemurl: url,
    itemimageurl: url,
    platform_name: "p".repeat(255),
    platform_url: url,
    platform_commission: "10",
    creatorcommission: "10",
    initialreserve: { "1": String(MAX / 99_999_999n) },
  });
  assert.equal(item.totalsupply, "99999999");
  assert.equal(item.description.length, 4096);
});

for (const imageurl of ["ipfs://abc/i.png", "data:image/png;base64,AAAA"]) {
  test(`mrc402 §4: an image at ${imageurl}`, async () => {
    const item = await created({ imageurl, itemimageurl: imageurl });
    assert.deepEqual([item.image_url, item.item_image_url], [imageurl, imageurl]);
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

// biome-ignore format: a line for each parameter
const REFUSED: readonly (readonly [name: string, values: readonly string[], answer: string])[] = [
  ["creator", ["x", "MTx", NOBODY.toLowerCase()], "400 3190"],
  ["creator", [NOBODY], "404 3090"],
  ["name", ["x".repeat(129), "a|b"], "400 3005"],
  ["name", ["a\u0000b"], "400 1006"],
  ["url", ["x", "ftp://a.example/", "https://a.example/".padEnd(256, "x"), "https://a.example/|"], "400 3005"],
  ["imageurl", ["x", "ftp://a.example/", "https://a.example/".padEnd(256, "x"), "https://a.example/|"], "400 3005"],
  ["totalsupply", ["0", "x", "-1", "01", "1.5", "1e3", "100000000", String(MAX)], "400 1101"],
  ["decimal", ["1", "8"], "400 3005"],
  ["creatorcommission", ["10.01", "2.555", "x", "-1", "1e1", "11"], "400 3005"],
  ["shareholder", ["x", "[]", "5", '"x"', "null", `{"${NOBODY}":5}`, `{"${NOBODY}":["5"]}`], "400 1007"],
  ["shareholder", ['{"MTx":"5"}', '{"":"5"}'], "400 3190"],
  ["shareholder", [`{"${NOBODY}":"5"}`], "404 3090"],
  ["shareholder", [`{"${NOBODY}":"x"}`, `{"${NOBODY}":"-1"}`, `{"${NOBODY}":"5"${" ".repeat(1024)}}`], "400 3005"],
  ["initialreserve", ["x", "[]", "5", '"x"', '{"0":"5","0":"5"}'], "400 1007"],
  ["initialreserve", ['{"0":"x"}', '{"0":"-1"}', '{"0":"01"}', '{"0":1.5}', '{"0":-1}', '{"0":9007199254740992}', `{"0":"${MAX + 1n}"}`, '{"x":"5"}', '{"01":"5"}'], "400 1101"],
  ["initialreserve", [`{"0":"5"${" ".repeat(1024)}}`], "400 3005"],
  ["expiredate", ["x", "-1", "01", "253402300800"], "400 1102"],
  ["data", ["x".repeat(40_961), "a|b"], "400 3005"],
  ["information", ["x".repeat(40_961)], "400 3005"],
  ["socialmedia", ["x", "[]", '{"a":5}', '{"a":"https://a.example/","a":"https://a.example/"}'], "400 1007"],
  ["socialmedia", ['{"a":"x"}', '{"a":"ftp://a.example/"}'], "400 3005"],
  ["copyright_registration_country", ["C", "CHE", "ch", "Ch", "XX", "12"], "400 3005"],
  ["copyright_registrar", ["x".repeat(129), "a|b"], "400 3005"],
  ["copyright_registration_number", ["x".repeat(65), "a|b"], "400 3005"],
  ["allowtoken", ["x", "01", "-1"], "400 1101"],
  ["allowtoken", ["99"], "404 4001"],
  ["category", ["x".repeat(65), "a|b"], "400 3005"],
  ["description", ["x".repeat(4097), "a|b"], "400 3005"],
  ["itemurl", ["x", "ftp://a.example/", "https://a.example/".padEnd(256, "x")], "400 3005"],
  ["itemimageurl", ["x", "ftp://a.example/", "https://a.example/".padEnd(256, "x")], "400 3005"],
  ["platform_name", ["x".repeat(256), "a|b"], "400 3005"],
  ["platform_url", ["x", "ftp://a.example/", "https://a.example/".padEnd(256, "x")], "400 3005"],
  ["platform_address", ["x", "MTx"], "400 3190"],
  ["platform_address", [NOBODY], "404 3090"],
  ["platform_commission", ["10.01", "2.555", "x", "-1"], "400 3005"],
];

for (const [name, values, answer] of REFUSED) {
  test(`mrc402 §4: ${name} ${JSON.stringify(values).slice(0, 60)}: ${answer}, and it is named`, async () => {
    for (const value of values) {
      const problem = said(await create({ [name]: value }));
      assert.equal(problem.split(/[.[]/)[0], `${answer} ${name}`, value.slice(0, 80));
    }
  });
}

test("mrc402 §4: the order in which a creation refuses: parameters, existence, key, balance", async () => {
  const { a, b, d } = cast;
  const shareholder = { [b.address]: "1", [NOBODY]: "1", [NOBODY_ELSE]: "1" };
  const later = {
    creator: NOBODY,
    shareholder,
    platform_address: NOBODY,
    initialreserve: { "9": "1", "99": "1" },
    allowtoken: "99",
  };
  await units.mending("create", { by: c, stranger: a }, [
    [{ ...ART, ...later, name: "" }, "400 1000"],
    [{ name: "n", totalsupply: "0" }, "400 1101"],
    [{ totalsupply: "2", expiredate: "x" }, "400 1102"],
    [{ expiredate: "", socialmedia: "[]" }, "400 1007"],
    [{ socialmedia: "", initialreserve: "[]" }, "400 1007"],
    [{ initialreserve: later.initialreserve, category: "a|b" }, "400 3005"],
    [{ category: "", creator: "MTx" }, "400 3190"],
    [{ creator: NOBODY, initialreserve: { "9": String(MAX) } }, "400 1101"],
    [{ initialreserve: later.initialreserve }, "404 3090"],
    [{ creator: c.address }, "404 3090"],
    [{ shareholder: { [b.address]: "1" } }, "404 3090"],
    [{ platform_address: d.address }, "404 4001"],
    [{ initialreserve: { "9": "1" } }, "404 4001"],
    [{ allowtoken: "9" }, "key"],
    [{}, "400 5000"],
    [{ initialreserve: { "0": "500" } }, "200"],
  ]);
  for (const [change, blamed] of [
    [later, "creator"],
    [{ ...later, creator: c.address }, "shareholder"],
    [{ ...later, creator: c.address, shareholder: {} }, "platform_address"],
    [{ ...later, creator: c.address, shareholder: {}, platform_address: "" }, "initialreserve"],
    [{ allowtoken: "99" }, "allowtoken"],
  ] as const) {
    const [, code, parameter] = said(await create(change)).split(/[ .[]/);
    const expected = blamed === "initialreserve" || blamed === "allowtoken" ? "4001" : "3090";
    assert.deepEqual([code, parameter], [expected, blamed]);
  }
  const { detail } = problemOf(await create({ shareholder }));
  assert.ok(detail.includes(NOBODY) && !detail.includes(NOBODY_ELSE), `in order: ${detail}`);
});

test("mrc402 §2.5: the reserve is taken from what is spendable, each token as a whole", async () => {
  c = await units.holder(0n, { name: "c" });
  await node.pay(c, 100n, { unlockdate: node.now + 100 });
  const x = { totalsupply: "20", initialreserve: { "0": "5" } };
  assert.equal(await units.outcome(() => create(x)), "400 5000");
  await units.pay(c, "0", 100n);
  assert.equal(await units.outcome(() => create(x)), "200: c -100, c +20 units");
  node.now += 100;
  assert.equal(await units.outcome(() => create(x)), "200: c -100, c +20 units");
});

test("mrc402 §1.1, C5.3: a repeat is answered as the first time, with other parameters 2021", async () => {
  const tkey = await node.key(c);
  const x = { totalsupply: "2", initialreserve: { "0": "300" }, tkey };
  const first = await create(x);
  const height = await node.height();
  const again = await create(x);
  assert.deepEqual([again.status, again.text], [200, first.text]);
  assert.equal(await node.height(), height);
  assert.equal(await units.held(c), "400");
  assert.equal(said(await create({ ...x, totalsupply: "1" })), "409 2021 tkey");
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
  c = await units.holder(0n, { params: { signed: "full" } });
  assert.equal(said(await create()), "401 2010 signature");
  assert.equal(said(await create({}, { signed: "full" })), "200");
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

/** What the record I of an item says between its id and the signature. */
function creationOf(creator: KeyHolder, element: Params): string[] {
  const filled: Params = {
    creator: creator.address,
    creatorcommission: "0",
    totalsupply: "1",
    decimal: "0",
    shareholder: "{}",
    initialreserve: "{}",
    expiredate: "0",
    socialmedia: "{}",
    ...element,
  };
  return CREATION.map((field) => filled[field] ?? "");
}

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
    shareholder: JSON.stringify({ [cast.a.address]: "1.5" }),
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
    platform_address: cast.d.address,
    platform_commission: "1",
    item_url: "https://sword.example/1",
    item_image_url: "ipfs://sword",
    groupid: "g",
    sell_fee: "2.5",
    melt_fee: "33.3333",
    transferable: "Temporary",
  };
}

for (const { role, signed, isNamed } of [
  { role: "o", signed: "short", isNamed: true },
  { role: "partner", signed: "full", isNamed: false },
  { role: "maker", signed: "short", isNamed: false },
  { role: "maker", signed: "full", isNamed: true },
] as const) {
  test(`mrc402 §5, §3: created by ${role}, ${isNamed ? "named" : "by key"}, signed ${signed}: answer, records M and I, all fields`, async () => {
    node.now += 10;
    const { [role]: by, project } = cast;
    await units.pay(by, "7", 50n);
    const full = fullElement();
    const itemdata = JSON.stringify([{}, full]);
    const params = { mrc400id: project, itemdata, ...(isNamed ? {} : { creator: "" }) };
    const request = await units.request("createItems", by, params, { signed });
    const { tkey, signature } = request.params;
    const answer = await units.post(request);
    const plain = `${project}_${unitNumberOf(project, tkey, 0)}`;
    const sword = `${project}_${"A".repeat(40)}`;
    const ends = [signature, tkey];
    await assertUnitsRecorded(
      node,
      answer,
      [
        {
          type: "mrc402create",
          of: by,
          parameters: [project, by.address, itemdata, ...ends],
          moved: ["0", "7"],
          units: [plain, sword],
        },
        {
          type: "mrc402_create",
          of: plain,
          parameters: [plain, ...creationOf(by, {}), ...ends],
        },
        {
          type: "mrc402_create",
          of: sword,
          parameters: [sword, ...creationOf(by, full), ...ends],
        },
      ],
      { more: { mrc402ids: [plain, sword] } },
    );
    const common: UnitItem = {
      ...PLAIN_UNIT,
      ...PROJECT_VALUES,
      mrc400: project,
      owner: by.address,
      creator: by.address,
      createdate: node.now,
    };
    assert.deepEqual(await units.record(plain), { ...common, id: plain });
    assert.deepEqual(await units.record(sword), {
      ...common,
      id: sword,
      name: "Sword",
      category: "weapon",
      description: "sharp",
      url: "https://sword.example/",
      image_url: "https://sword.example/i.png",
      totalsupply: "10",
      creatorcommission: "2.5",
      shareholder: { [cast.a.address]: "1.5" },
      initialreserve: { "0": "3", "7": "2" },
      reserve: { "0": "30", "7": "20" },
      initial_reserve: "3",
      expiredate: 5,
      data: "dd",
      information: "i|i",
      socialmedia: { homepage: "https://sword.example/" },
      copyright_registration_country: "DE",
      copyright_registrar: "DPMA",
      copyright_registration_number: "42",
      platform_name: "Shop",
      platform_url: "https://shop.example/",
      platform_address: cast.d.address,
      platform_commission: "1",
      item_url: "https://sword.example/1",
      item_image_url: "ipfs://sword",
      groupid: "g",
      sell_fee: "2.5",
      meltint_fee: "33.3333",
      transferable: "Temporary",
    });
  });
}

test("mrc402 §3: what a project says stands in for what an item does not, also after the project has changed; allow_token is the project's", async () => {
  const id = await units.item(cast.project, o, { name: "Own" });
  const change = { mrc400id: cast.project, name: "New", category: "new", allowtoken: "7" };
  const update = await itemRequest(node, "updateProject", o, change);
  assert.equal(saidCode(await sendItem(node, update)), "200");
  await units.assertItem(id, {
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
    await units.pay(o, "7", 100n);
    const id = await units.item(cast.project, o, { ...element, totalsupply: 2 });
    const { initialreserve, reserve, initial_reserve, initial_token } = await units.record(id);
    const [[token, amount] = ["0", "0"]] = Object.entries(fields);
    assert.deepEqual(initialreserve, fields);
    assert.deepEqual(reserve, amount === "0" ? {} : { [token]: "10" });
    assert.deepEqual([initial_token, initial_reserve], [token, amount]);
  });
}

test("mrc402 §1.4, §5: other names of keys, numbers, objects as text, Temprary; unknown keys are ignored", async () => {
  const number = numberOf(7);
  const [first = "", second = "", third = ""] = await units.items(
    cast.project,
    o,
    { id: `${cast.project}_${number}`, image_url: "ipfs://a", meltint_fee: "1.0", totalsupply: 3 },
    { melting_fee: "2", shareholder: `{"${o.address}":"1"}`, transferable: "Temprary" },
    { melt_fee: "3", shareholder: { [o.address]: "1" }, expiredate: 5, unknown: [{}], price: "x" },
  );
  assert.equal(first, `${cast.project}_${number}`);
  await units.assertItem(first, { image_url: "ipfs://a", meltint_fee: "1", totalsupply: "3" });
  const shareholder = { [o.address]: "1" };
  await units.assertItem(second, { meltint_fee: "2", shareholder, transferable: "Temporary" });
  await units.assertItem(third, { meltint_fee: "3", shareholder, expiredate: 5 });
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

for (const [what, itemdata, answer] of [
  ["no elements", [], "400 3002"],
  ["101 elements", Array.from({ length: 101 }, () => ({})), "400 3002"],
  ["100 elements", Array.from({ length: 100 }, () => ({})), "200"],
  ["no array", "{}", "400 1007"],
  ["no JSON", "x", "400 1007"],
  ["an element that is no object", [{}, 5], "400 1007"],
  ["a key twice", '[{"name":"a","name":"a"}]', "400 1007"],
  ["a number twice", [{ item_id: numberOf(1) }, { item_id: numberOf(1) }], "400 3004"],
  ["a bad element of three", [{}, {}, { sell_fee: "100" }], "400 3005"],
] as const) {
  test(`mrc402 §5: ${what}: ${answer}`, async () => {
    assert.equal(saidCode(await createIn(itemdata)), answer);
  });
}

// biome-ignore format: a line for each key
const REFUSED_KEYS: readonly (readonly [key: string, values: readonly unknown[], answer: string])[] = [
  ["item_id", ["x", "0".repeat(39), "-".repeat(40)], "400 3005"],
  ["id", [`MRC400_${"0".repeat(33)}_${numberOf(1)}`], "400 3005"],
  ["name", ["x".repeat(129)], "400 3005"],
  ["name", [5, ["x"]], "400 1007"],
  ["name", ["a\u0000"], "400 1006"],
  ["category", ["x".repeat(65)], "400 3005"],
  ["description", ["x".repeat(4097)], "400 3005"],
  ["url", ["x", "ftp://a.example/"], "400 3005"],
  ["imageurl", ["x", "ftp://a.example/"], "400 3005"],
  ["item_url", ["x", "ftp://a.example/", "https://a.example/".padEnd(256, "x")], "400 3005"],
  ["item_image_url", ["x", "ftp://a.example/", "https://a.example/".padEnd(256, "x")], "400 3005"],
  ["groupid", ["x".repeat(65)], "400 3005"],
  ["totalsupply", ["0", "x", "-1", 0, 1.5, "100000000"], "400 1101"],
  ["creatorcommission", ["10.01", "2.555", "x"], "400 3005"],
  ["creatorcommission", [5], "400 1007"],
  ["shareholder", [[], "x", 5, { [NOBODY]: 5 }], "400 1007"],
  ["shareholder", [{ MTx: "5" }], "400 3190"],
  ["shareholder", [{ [NOBODY]: "5" }], "404 3090"],
  ["initialreserve", [[], "x", 5], "400 1007"],
  ["initialreserve", [{ "0": "0" }, { "0": 0 }, { x: "5" }, { "0": String(MAX + 1n) }], "400 1101"],
  ["initialreserve", [{ "99": "5" }], "404 4001"],
  ["initial_reserve", ["x", "-1", "01", String(MAX + 1n), 1.5], "400 1101"],
  ["initial_token", ["x", "01"], "400 1101"],
  ["expiredate", ["x", "-1", "253402300800", 253_402_300_800], "400 1102"],
  ["data", ["x".repeat(40_961)], "400 3005"],
  ["information", ["x".repeat(40_961)], "400 3005"],
  ["socialmedia", [[], { a: 5 }], "400 1007"],
  ["socialmedia", [{ a: "x" }], "400 3005"],
  ["copyright_registration_country", ["ch", "XX"], "400 3005"],
  ["copyright_registrar", ["x".repeat(129)], "400 3005"],
  ["copyright_registration_number", ["x".repeat(65)], "400 3005"],
  ["platform_name", ["x".repeat(256)], "400 3005"],
  ["platform_url", ["x"], "400 3005"],
  ["platform_address", ["x"], "400 3190"],
  ["platform_address", [NOBODY], "404 3090"],
  ["platform_commission", ["10.01", "2.555"], "400 3005"],
  ["sell_fee", ["100", "99.99999", "x", "-1"], "400 3005"],
  ["sell_fee", [5], "400 1007"],
  ["melt_fee", ["100", "99.99999", "x"], "400 3005"],
  ["transferable", ["permanent", "x"], "400 3005"],
  ["sell_price", ["x", "-1", "1.5", String(MAX + 1n)], "400 1101"],
];

for (const [key, values, answer] of REFUSED_KEYS) {
  test(`mrc402 §5: ${key} ${JSON.stringify(values).slice(0, 60)}: ${answer}, and nothing is created`, async () => {
    for (const value of values) {
      const refused = await createIn([{}, {}, { [key]: value }]);
      assert.equal(saidCode(refused), answer, JSON.stringify(value).slice(0, 80));
    }
    assert.deepEqual(
      parsed(await node.get(`/mrc402?mrc400id=${cast.project}`)),
      { items: [] },
      "all elements succeed or none",
    );
  });
}

for (const [what, itemdata, answer] of [
  [
    "initialreserve together with an initial_reserve above 0",
    [{ initialreserve: { "7": "1" }, initial_reserve: "1" }],
    "400 3005",
  ],
  [
    "reserves of one token together above 10^40",
    [{ initialreserve: { "1": String(MAX) } }, { initialreserve: { "1": "1" } }],
    "400 1101",
  ],
  [
    "sell_price × totalsupply above 10^40",
    [{ sell_price: String(MAX), totalsupply: "2" }],
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
    "200",
  ],
  [
    "rates together above 100 with a shareholder",
    [{ sell_fee: "95", shareholder: { [NOBODY]: "5.01" } }],
    "400 3005",
  ],
  ["a sale of a Bound item", [{ transferable: "Bound", sell_price: "1" }], "409 7109"],
  ["a Bound item", [{ transferable: "Bound" }], "200"],
  ["a sale for a token that is unknown", [{ sell_price: "1", sell_token: "99" }], "404 4001"],
] as const) {
  test(`mrc402 §5: ${what}: ${answer}`, async () => {
    const text = JSON.stringify(itemdata)
      .replace('"P"', `"${cast.d.address}"`)
      .replace(NOBODY, cast.a.address);
    assert.equal(saidCode(await createIn(text)), answer);
  });
}

test("mrc402 §2.6: allow_token limits what a sale asks for, not the reserve", async () => {
  const project = await createProject(node, o, { allowtoken: "7" });
  await units.pay(o, "9", 5n);
  await units.item(project, o, { initialreserve: { "9": "5" } });
  const sale = (sell_token: string): Promise<Answered> =>
    createIn([{ sell_price: "1", sell_token }], { mrc400id: project });
  assert.equal(saidCode(await sale("9")), "400 3005");
  assert.equal(saidCode(await sale("7")), "200");
  assert.equal(saidCode(await sale("0")), "200");
});

test("mrc402 §5: reserves of all elements together are taken, or none: 5000", async () => {
  const half = { initialreserve: { "0": "250" }, totalsupply: "2" };
  assert.equal(await units.outcome(() => createIn([half, half, {}, half])), "400 5000");
  assert.equal(
    await units.outcome(() => createIn([half, half])),
    "200: o -1000, o +2 units, o +2 units",
  );
});

test("mrc402 §5: a sale while creating: all units are listed, as R and the records say", async () => {
  node.now += 10;
  const { seller, project } = cast;
  const element = { totalsupply: "5", sell_price: "30", sell_token: "7", sell_fee: "2.5" };
  const itemdata = JSON.stringify([{ ...element, initialreserve: { "0": "10" } }, element]);
  const request = await units.request("createItems", seller, { mrc400id: project, itemdata });
  const { tkey, signature } = request.params;
  const answer = await units.post(request);
  const mrc402ids = [0, 1].map((n) => `${project}_${unitNumberOf(project, tkey, n)}`);
  const mrc402dexids = [0, 1].map((n) => unitListingIdOf(seller.address, tkey, n));
  const transaction_id = transactionIdOf(answer);
  assert.deepEqual(parsed(answer), {
    transaction_id,
    txid: transaction_id,
    mrc402ids,
    mrc402dexids,
  });
  const { effects } = await node.transaction(transaction_id);
  assert.deepEqual(effects.map(({ type }) => type).sort(), [
    "mrc402_create",
    "mrc402_create",
    "mrc402_sell",
    "mrc402_sell",
  ]);
  const [id = "", dexid = ""] = [mrc402ids[0], mrc402dexids[0]];
  const sale = effects.find(({ type }) => type === "mrc402_sell");
  assert.deepEqual(
    sale?.parameters,
    [...[dexid, seller.address, "5", id, "30", "7", "", "", "", "", signature, tkey]].map(
      (text, at) => (at === 9 ? (sale?.parameters[9] ?? "") : text),
    ),
  );
  assert.equal(await units.has(seller, id), "0 + 5 on sale");
  const date = node.now;
  await units.assertItem(id, {
    owner: seller.address,
    sell_count: 1,
    sell_date: date,
    sell_price: "30",
    sell_token: "7",
    sell_dexid: dexid,
    reserve: { "0": "50" },
  });
  await units.assertListing(dexid, {
    mrc402: id,
    side: "sell",
    state: "open",
    seller: seller.address,
    agent: "",
    amount: "5",
    remain_amount: "5",
    sell_price: "30",
    sell_token: "7",
    sell_fee: "2.5",
    regdate: date,
  });
});

test("mrc402 §5: the order in which a creation in a project refuses", async () => {
  const { project, a, d, maker } = cast;
  const taken = { item_id: numberOf(1) };
  await units.item(project, o, taken);
  const change = { mrc400id: project, allowtoken: "7" };
  const limited = await itemRequest(node, "updateProject", o, change);
  assert.equal(saidCode(await sendItem(node, limited)), "200");
  const bound = { ...taken, transferable: "Bound", sell_price: "1", sell_token: "99" };
  const unknown = { shareholder: { [NOBODY]: "1" }, initialreserve: { "99": "1001" } };
  const element: Element = { ...bound, ...unknown };
  const noProject = `MRC400_${"0".repeat(33)}`;
  await units.mending("createItems", { by: maker, stranger: a }, [
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
    [{ creator: maker.address }, "404 3090"],
    [{ itemdata: [{ ...element, shareholder: { [d.address]: "1" } }] }, "404 4001"],
    [{ itemdata: [{ ...bound, initialreserve: { "0": "1001" } }] }, "404 4001"],
    [{ itemdata: [{ ...bound, sell_token: "9" }] }, "400 3005"],
    [{ itemdata: [{ ...bound, sell_token: "7" }] }, "key"],
    [{}, "403 7002"],
    [{ itemdata: [{ ...taken, initialreserve: { "0": "1001" } }] }, "409 7111"],
    [{ itemdata: [{ initialreserve: { "0": "1001" } }] }, "400 5000"],
    [{ itemdata: [{ initialreserve: { "0": "1000" } }] }, "200"],
  ]);
  const all = { ...bound, sell_token: "7", initialreserve: { "0": "1001" } };
  await units.mending("createItems", { by: o, stranger: a }, [
    [{ mrc400id: project, itemdata: [all] }, "409 7111"],
    [{ itemdata: [{ ...all, item_id: "" }] }, "409 7109"],
    [{ itemdata: [{ ...all, item_id: "", transferable: "Temporary" }] }, "400 5000"],
  ]);
});

test("mrc402 §1.1: each step is done for all elements before the next", async () => {
  const taken = { item_id: numberOf(1) };
  await units.item(cast.project, o, taken);
  const poor = { initialreserve: { "0": "1001" } };
  for (const [itemdata, answer] of [
    [[taken, { shareholder: { [NOBODY]: "1" } }], "404 3090"],
    [[{ shareholder: { [NOBODY]: "1" } }, { sell_fee: "x" }], "400 3005"],
    [[{ initialreserve: { "99": "1" } }, { shareholder: { [NOBODY]: "1" } }], "404 3090"],
    [[poor, taken], "409 7111"],
    [[poor, { transferable: "Bound", sell_price: "1" }], "409 7109"],
  ] as const) {
    assert.equal(saidCode(await createIn(itemdata)), answer, JSON.stringify(itemdata));
  }
});

test("mrc402 §5: a number that another element derives: 3004", async () => {
  const tkey = await node.key(o);
  for (const n of [0, 1]) {
    const given = { item_id: unitNumberOf(cast.project, tkey, n), initialreserve: { "0": "5" } };
    const itemdata = n === 0 ? [{}, given] : [given, {}];
    assert.equal(await units.outcome(() => createIn(itemdata, { tkey })), "400 3004");
  }
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

test("mrc402 §2.1: two creations at once of one item number: one is done, the other 7111", async () => {
  const { project } = cast;
  const element = { item_id: numberOf(5), initialreserve: { "0": "10" } };
  const params = { mrc400id: project, itemdata: [element] };
  const ready = await Promise.all(
    (["o", "partner", "maker"] as const).map((role) =>
      units.ready("createItems", cast[role], params),
    ),
  );
  const answers = await Promise.all(ready.map((send) => send()));
  assert.deepEqual(answers.map(saidCode).sort(), ["200", "409 7111", "409 7111"]);
});

test("mrc402 §4: two creations at once with one balance: one is done, the other 5000", async () => {
  const x = { ...ART, totalsupply: "2", initialreserve: { "0": "300" } };
  const ready = await Promise.all([units.ready("create", c, x), units.ready("create", c, x)]);
  const answers = await Promise.all(ready.map((send) => send()));
  assert.deepEqual(answers.map(saidCode).sort(), ["200", "400 5000"]);
  assert.equal(await units.held(c), "400");
});
