import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import {
  assertRecorded,
  type Cast,
  Collection,
  type Element,
  type ExpectedRecord,
  type ItemParams,
  type ItemWord,
  numberOf,
  type Role,
} from "../testing/item-requests.ts";
import { said, saidCode, transactionIdOf } from "../testing/test-node.ts";

// Roles at work, in several columns of mrc401 §2.5, given and withdrawn. Every cell of the table: item-roles.test.ts.

let collection: Collection;
let cast: Cast;
let q: string;
before(async () => {
  collection = await Collection.open();
});
after(() => collection[Symbol.asyncDispose]());
beforeEach(async () => {
  cast = await collection.cast();
  ({ q } = cast);
});
afterEach(() => collection.assertConserved());

async function create(role: Role, ...itemdata: readonly Element[]): Promise<string> {
  return saidCode(await collection.send("create", cast[role], { mrc400id: q, itemdata }));
}

async function change(role: Role, id: string, fields: Element): Promise<string> {
  const itemdata = [{ id, ...fields }];
  return saidCode(await collection.send("update", cast[role], { mrc400id: q, itemdata }));
}

function elements(ids: readonly string[], price = "300"): Element[] {
  return ids.map((id) => ({ id, price, start: price, token: "0" }));
}

type Listing = "sell" | "unsell" | "auction" | "unauction";

function listing(word: Listing, ids: readonly string[], price?: string): ItemParams {
  return { itemdata: word.startsWith("un") ? ids : elements(ids, price) };
}

async function list(word: Listing, role: Role, ...ids: readonly string[]): Promise<string> {
  return saidCode(await collection.send(word, cast[role], listing(word, ids)));
}

/** A new item that O has created, and in turn those it was given to. */
async function itemOf(...holders: readonly Role[]): Promise<string> {
  const id = await collection.item(q, cast.o);
  let from = cast.o;
  for (const role of holders) {
    await collection.give(id, from, cast[role]);
    from = cast[role];
  }
  return id;
}

let edition = 1;

async function setRoles(roles: Partial<Record<Role, string>>): Promise<void> {
  const partner = Object.fromEntries(
    Object.entries(roles).map(([role, name]) => [cast[role as Role].address, name]),
  );
  const description = `Edition ${edition++}`;
  await collection.done("updateProject", cast.o, { mrc400id: q, partner, description });
}

const ROLES = { p: "partner", s: "seller", c: "creator" } as const;

for (const [role, answer] of [
  ["p", "200"],
  ["c", "200"],
  ["s", "403 7002"],
  ["a", "403 7002"],
] as const) {
  test(`mrc401 §18 row 25: create by ${role.toUpperCase()}: ${answer}`, async () => {
    assert.equal(await create(role, {}), answer);
  });
}

for (const [price, role, answer] of [
  ["300", "o", "200"],
  ["300", "p", "200"],
  ["300", "s", "200"],
  ["300", "c", "403 7002"],
  ["0", "s", "403 7002"],
  ["0", "c", "200"],
] as const) {
  test(`mrc401 §18 row 26: create with sell_price ${price} by ${role.toUpperCase()}: ${answer}`, async () => {
    const element = { item_id: numberOf(1), sell_price: price };
    assert.equal(await create(role, element), answer);
    if (answer === "200") {
      const { sell_price, owner } = await collection.record(`${q}_${numberOf(1)}`);
      assert.deepEqual([sell_price, owner], [price, ""]);
    }
  });
}

test("mrc401 §18 row 27: by S, two elements, one of them without sale: 7002, nothing created", async () => {
  const [sold, unsold] = [{ item_id: numberOf(1), sell_price: "300" }, { item_id: numberOf(2) }];
  const params = { mrc400id: q, itemdata: [sold, unsold] };
  const answer = said(await collection.send("create", cast.s, params));
  assert.match(answer, /^403 7002( itemdata\[1\])?$/);
  assert.equal((await collection.node.get(`/mrc401/${q}_${numberOf(1)}`)).status, 404);
  const auctioned = { item_id: numberOf(2), auction_start_price: "1" };
  assert.equal(await create("s", sold, auctioned), "200");
});

test("mrc401 §18 row 30: P changes groupid of an item it created / that C created; S, O of any", async () => {
  const own = await collection.item(q, cast.p);
  const other = await collection.item(q, cast.c);
  const groupid = { groupid: "b" };
  assert.deepEqual(
    [
      await change("p", own, groupid),
      await change("p", other, groupid),
      await change("s", own, groupid),
      await change("s", other, groupid),
      await change("o", own, { groupid: "c" }),
      await change("o", other, groupid),
    ],
    ["200", "403 7002", "403 7002", "403 7002", "200", "200"],
  );
});

test("mrc401 §18 row 31: P changes sell_fee of its item: 7002; the stored sell_fee with a new groupid: accepted", async () => {
  const id = await collection.item(q, cast.p, { sell_fee: "2.50", melt_fee: "5" });
  assert.equal(await change("p", id, { sell_fee: "3" }), "403 7002");
  assert.equal(await change("p", id, { sell_fee: "3", groupid: "b" }), "403 7002");
  const stored = { sell_fee: "2.5", melt_fee: "5.0", transferable: "Permanent" };
  assert.equal(await change("p", id, { ...stored, groupid: "b" }), "200");
  assert.equal(await change("p", id, { sell_fee: "2.50", groupid: "c" }), "200");
});

test("mrc401 §18 row 32: P's item was sold to A: P may change its item_url, until its role is withdrawn", async () => {
  const id = await collection.item(q, cast.p, { sell_price: "300" });
  await collection.done("buy", cast.a, { mrc401id: id });
  assert.equal(await change("p", id, { item_url: "https://a.example/" }), "200");
  await setRoles({ s: "seller" });
  assert.equal(await change("p", id, { item_url: "https://b.example/" }), "403 7002");
  assert.equal(await change("p", id, {}), "403 7002");
});

test("mrc401 §18 row 53: S sells F1 at 100, D buys: O +100; S sells F1 again: 7001", async () => {
  const { o, s, d } = cast;
  const id = await collection.item(q, o, { sell_fee: "10" });
  const request = await collection.request("sell", s, listing("sell", [id], "100"));
  const { itemdata = "", signature, tkey } = request.params;
  const parameters = [itemdata, s.address, signature, tkey];
  await assertRecorded(collection.node, await collection.post(request), [
    { type: "mrc401sell", of: s, parameters },
    { type: "mrc401_sell", of: id, parameters: [id, s.address, "100", "0", signature, tkey] },
    { type: "mrc401sell", of: o, parameters },
  ]);
  await collection.done("buy", d, { mrc401id: id });
  assert.deepEqual([await collection.held(o), await collection.held(d)], ["1100", "900"]);
  assert.equal(await collection.held(s), "1000");
  assert.equal(await list("sell", "s", id), "403 7001");
});

test("mrc401 §18 row 54: O sells F1, P unsells it: accepted; C sells it: 7001", async () => {
  const id = await itemOf();
  assert.equal(await list("sell", "o", id), "200");
  assert.equal(await list("unsell", "p", id), "200");
  assert.equal(await list("sell", "c", id), "403 7001");
});

test("mrc401 §18 row 55: F1 to A and back to O: S may not sell it; O sells it, and pays no fee", async () => {
  const { o, b } = cast;
  const id = await collection.item(q, o, { sell_fee: "10" });
  await collection.give(id, o, cast.a);
  await collection.give(id, cast.a, o);
  const { owner, holder } = await collection.record(id);
  assert.deepEqual([owner, holder], [o.address, o.address]);
  assert.equal(await list("sell", "s", id), "403 7001");
  assert.equal(await list("sell", "o", id), "200");
  const bought = await collection.done("buy", b, { mrc401id: id });
  assert.deepEqual([await collection.held(o), await collection.held(b)], ["1300", "700"]);
  const { effects } = await collection.node.transaction(transactionIdOf(bought));
  assert.deepEqual(
    effects.map(({ type }) => type),
    ["receive_mrc401sell", "mrc401_buy"],
  );
});

test("mrc401 §18 row 56: P holds an item that was traded: it sells it as its holder, without a record for O", async () => {
  const { o, p } = cast;
  const id = await collection.item(q, o, { sell_price: "300" });
  await collection.done("buy", p, { mrc401id: id });
  const answer = await collection.done("sell", p, listing("sell", [id]));
  const { effects } = await collection.node.transaction(transactionIdOf(answer));
  assert.deepEqual(
    effects.map(({ type, address }) => [type, address]),
    [["mrc401_sell", ""]],
  );
});

for (const [word, earlier] of [
  ["sell", undefined],
  ["unsell", "sell"],
  ["auction", undefined],
  ["unauction", "auction"],
] as const satisfies readonly (readonly [Listing, Listing | undefined])[]) {
  for (const role of ["p", "s"] as const) {
    test(`mrc401 §1.9: ${word} of two by ${role.toUpperCase()}: one A record for O, after all others; by O itself: none`, async () => {
      const ids = [await itemOf(), await itemOf()];
      if (earlier !== undefined) {
        assert.equal(await list(earlier, "o", ...ids), "200");
      }
      const { o, [role]: by } = cast;
      const request = await collection.request(word, by, listing(word, ids));
      const { itemdata = "", signature, tkey } = request.params;
      const parameters = [itemdata, by.address, signature, tkey];
      const between = {
        sell: ["300", "0"],
        auction: ["300", "0", "0", "1"],
        unsell: [],
        unauction: [],
      }[word];
      const items = ids.map(
        (id): ExpectedRecord => ({
          type: `mrc401_${word}`,
          of: id,
          parameters: [id, by.address, ...between, signature, tkey],
        }),
      );
      await assertRecorded(collection.node, await collection.post(request), [
        { type: `mrc401${word}`, of: by, parameters },
        ...items,
        { type: `mrc401${word}`, of: o, parameters },
      ]);
      const back = {
        sell: "unsell",
        unsell: "sell",
        auction: "unauction",
        unauction: "auction",
      } as const;
      const answer = await collection.done(back[word], o, listing(back[word], ids));
      const { effects } = await collection.node.transaction(transactionIdOf(answer));
      assert.deepEqual(
        effects.map(({ address }) => address),
        ["", ""],
      );
    });
  }
}

test("mrc401 §1.9: a role for one element of several is enough for the A record", async () => {
  const [held, fresh] = [await itemOf("p"), await itemOf()];
  const answer = await collection.done("sell", cast.p, listing("sell", [held, fresh]));
  const { effects } = await collection.node.transaction(transactionIdOf(answer));
  assert.deepEqual(
    effects.map(({ address }) => address),
    ["", "", cast.o.address],
  );
});

test("mrc401 §2.5: each element of a batch must be permitted", async () => {
  const [fresh, traded] = [await itemOf(), await itemOf("a")];
  const own = await collection.item(q, cast.p);
  const other = await collection.item(q, cast.c);
  const look = (): Promise<unknown[]> =>
    Promise.all([fresh, traded, own, other].map((id) => collection.record(id)));
  const earlier = await look();
  for (const word of ["sell", "auction"] as const) {
    for (const role of ["o", "p", "s", "a"] as const) {
      assert.equal(await list(word, role, fresh, traded), "403 7001");
      assert.equal(await list(word, role, traded, fresh), "403 7001");
    }
  }
  const groupid = "b";
  for (const pair of [
    [own, other],
    [other, own],
  ]) {
    const params = { mrc400id: q, itemdata: pair.map((id) => ({ id, groupid })) };
    assert.equal(saidCode(await collection.send("update", cast.p, params)), "403 7002");
  }
  assert.deepEqual(await look(), earlier);
  for (const [list1, unlist] of [
    ["sell", "unsell"],
    ["auction", "unauction"],
  ] as const) {
    assert.equal(await list(list1, "o", fresh), "200");
    assert.equal(await list(list1, "a", traded), "200");
    for (const role of ["o", "p", "s", "a"] as const) {
      assert.equal(await list(unlist, role, fresh, traded), "403 7001");
    }
    assert.equal(await list(unlist, "s", fresh), "200");
    assert.equal(await list(unlist, "a", traded), "200");
  }
});

for (const word of ["create", "update", "sell", "unsell"] as const) {
  test(`mrc401 §1.1: who may ${word} one of two, but not the other, is told which`, async () => {
    const [own, other] = [await collection.item(q, cast.p), await collection.item(q, cast.c)];
    await collection.give(other, cast.o, cast.a);
    const groupid = "b";
    const [role, params, code] = {
      create: ["s", { mrc400id: q, itemdata: [{ sell_price: "1" }, {}] }, "7002"],
      update: ["p", { mrc400id: q, itemdata: [own, other].map((id) => ({ id, groupid })) }, "7002"],
      sell: ["p", listing("sell", [own, other]), "7001"],
      unsell: ["p", listing("unsell", [own, other]), "7001"],
    }[word] as [Role, ItemParams, string];
    const answer = said(await collection.send(word, cast[role], params));
    assert.match(answer, new RegExp(`^403 ${code} itemdata\\[1\\]`));
  });
}

// biome-ignore format: a line for each who stands in several columns; what it may do as one of them is permitted
const SEVERAL: readonly (readonly [who: string, role: Role, name: string | undefined, may: Readonly<Record<string, string>>])[] = [
  ["O as seller",          "o", "seller",  { create: "200",      createOnSale: "200",      describe: "200",      terms: "200",      sellFresh: "200",      sellOwn: "200" }],
  ["O as creator",         "o", "creator", { create: "200",      createOnSale: "200",      describe: "200",      terms: "200",      sellFresh: "200",      sellOwn: "200" }],
  ["a holder, partner",    "a", "partner", { create: "200",      createOnSale: "200",      describe: "200",      terms: "403 7002", sellFresh: "200",      sellOwn: "200" }],
  ["a holder, seller",     "a", "seller",  { create: "403 7002", createOnSale: "200",      describe: "403 7002", terms: "403 7002", sellFresh: "200",      sellOwn: "200" }],
  ["a holder, creator",    "a", "creator", { create: "200",      createOnSale: "403 7002", describe: "200",      terms: "403 7002", sellFresh: "403 7001", sellOwn: "200" }],
  ["a holder, no role",    "a", undefined, { create: "403 7002", createOnSale: "403 7002", describe: "403 7002", terms: "403 7002", sellFresh: "403 7001", sellOwn: "200" }],
];

for (const [who, role, name, may] of SEVERAL) {
  test(`mrc401 §2.5: ${who}, of an item that it created and holds, has the rights of all columns`, async () => {
    await setRoles({ ...ROLES, [role]: "creator" });
    const { o, [role]: by } = cast;
    const own = await collection.item(q, by);
    await collection.give(own, o, role === "o" ? cast.b : by);
    if (role === "o") {
      await collection.give(own, cast.b, o);
    }
    await setRoles({ ...ROLES, ...(name === undefined ? {} : { [role]: name }) });
    const fresh = await itemOf();
    assert.deepEqual(
      {
        create: await create(role, {}),
        createOnSale: await create(role, { sell_price: "1" }),
        describe: await change(role, own, { groupid: "b" }),
        terms: await change(role, own, { sell_fee: "5" }),
        sellFresh: await list("sell", role, fresh),
        sellOwn: await list("sell", role, own),
      },
      may,
    );
  });
}

test("mrc401 §2.5: what counts is the role when the operation is applied: withdrawn, exchanged, given back", async () => {
  const ownOf = { p: await collection.item(q, cast.p), c: await collection.item(q, cast.c) };
  let group = 0;
  const rights = async (role: "p" | "c"): Promise<string[]> => {
    const fresh = await itemOf();
    return [
      await create(role, {}),
      await create(role, { auction_start_price: "1" }),
      await change(role, ownOf[role], { groupid: String(group++) }),
      await list("auction", role, fresh),
    ];
  };
  const none = ["403 7002", "403 7002", "403 7002", "403 7001"];
  const creators = ["200", "403 7002", "200", "403 7001"];
  const sellers = ["403 7002", "200", "403 7002", "200"];
  const partners = ["200", "200", "200", "200"];
  for (const [roles, p, c] of [
    [ROLES, partners, creators],
    [{}, none, none],
    [{ p: "seller", c: "partner" }, sellers, partners],
    [{ p: "creator", c: "seller" }, creators, sellers],
    [ROLES, partners, creators],
  ] as const) {
    await setRoles(roles);
    assert.deepEqual([await rights("p"), await rights("c")], [p, c], JSON.stringify(roles));
  }
});

test("mrc401 §2.5: sales and auctions made by role stay open when the role is withdrawn", async () => {
  const [sold, auctioned, kept] = [await itemOf(), await itemOf(), await itemOf()];
  assert.equal(await list("sell", "s", sold, kept), "200");
  assert.equal(await list("auction", "s", auctioned), "200");
  const sale = await collection.item(q, cast.s, { sell_price: "50" });
  await setRoles({});
  assert.equal(await list("unsell", "s", kept), "403 7001");
  assert.equal(await list("unauction", "s", auctioned), "403 7001");
  const { a, o } = cast;
  for (const mrc401id of [sold, sale]) {
    await collection.done("buy", a, { mrc401id });
  }
  assert.deepEqual([await collection.held(a), await collection.held(o)], ["650", "1350"]);
  assert.equal(await list("unsell", "o", kept), "200");
  assert.equal(await list("unauction", "o", auctioned), "200");
});

for (const word of [
  "sell",
  "unsell",
  "auction",
  "unauction",
] as const satisfies readonly ItemWord[]) {
  test(`mrc401 §1.2: ${word} by S, unnamed: the place in the signed string is empty, or has S`, async () => {
    const { s } = cast;
    for (const seller of ["", s.address]) {
      const id = await itemOf();
      if (word.startsWith("un")) {
        assert.equal(await list(word.slice(2) as Listing, "o", id), "200");
      }
      const params = { ...listing(word, [id]), seller: "" };
      const other = { signedAs: { seller: cast.o.address } };
      assert.equal(saidCode(await collection.send(word, s, params, other)), "401 2010");
      const answer = await collection.done(word, s, params, { signedAs: { seller } });
      const { address, parameters } = await collection.node.transaction(transactionIdOf(answer));
      assert.deepEqual([address, parameters[1]], [s.address, s.address]);
    }
  });
}
