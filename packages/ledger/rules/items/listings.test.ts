import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { assertRecords } from "../../testing/shown/expected-records.ts";
import { createItems, createProject } from "../../testing/trade/creations.ts";
import { NO_ITEM, NO_PROJECT, NOBODY } from "../../testing/trade/item-terms.ts";
import { ItemTrade } from "../../testing/trade/item-trade.ts";

let trade: ItemTrade;
let o: Address;
let p: Address;
let s: Address;
let a: Address;
let b: Address;
let d: Address;
before(async () => {
  trade = await ItemTrade.open({ tokens: 9 });
  ({ o, p, s, a, b, d } = trade.cast);
});
after(() => trade[Symbol.dispose]());

test("mrc401 §18 row 58: sell of 3, one not A's: nothing on sale; unsell likewise", async () => {
  const ids = [await trade.x(), await trade.x(), await trade.x()] as const;
  assert.equal((await trade.transfer(a, ids[1], b)).code, "done");
  assert.equal((await trade.sell(a, ids)).outcome, "403 7001");
  assert.equal((await trade.sell(a, [ids[0], ids[2]])).code, "done");
  assert.equal((await trade.sell(b, ids[1])).code, "done");
  assert.equal((await trade.unsell(a, ids[0], ids[2], ids[1])).outcome, "403 7001");
  assert.equal((await trade.unsell(a, ids[0], ids[2])).outcome, "done");
});

for (const word of ["sell", "unsell", "auction", "unauction"] as const) {
  test(`mrc401 §18 row 59: ${word} in Q of a list with an item of another project: 3005; with its own, and without: accepted`, async () => {
    const { cast } = trade;
    const op = `mrc401${word}`;
    const another = await createProject(trade.client, o);
    const ids = [await trade.x(), await trade.x({}, another)] as const;
    const terms = { price: "300", token: "0", start: "100" };
    for (const id of ids) {
      if (word === "unsell" || word === "unauction") {
        const made = word === "unsell" ? trade.sell(a, id) : trade.auction(a, id);
        assert.equal((await made).code, "done");
      }
    }
    const itemdataOf = (...some: readonly string[]) =>
      word.startsWith("un") ? some : some.map((id) => ({ id, ...terms }));
    for (const wrong of [ids, ids.toReversed()]) {
      const params = { mrc400id: cast.q, itemdata: itemdataOf(...wrong) };
      const answer = (await trade.send(op, a, params)).said;
      assert.ok(answer.startsWith(`400 3005 itemdata[${wrong.indexOf(ids[1])}]`), answer);
    }
    const unknown = { mrc400id: NO_PROJECT, itemdata: itemdataOf(ids[0]) };
    assert.equal((await trade.send(op, a, unknown)).said, "404 6004 mrc400id");
    const own = { mrc400id: cast.q, itemdata: itemdataOf(ids[0]) };
    assert.equal((await trade.send(op, a, own)).said, "done");
    const second = { itemdata: itemdataOf(ids[1]) };
    assert.equal((await trade.send(op, a, second)).said, "done");
  });
}

test("mrc401 §10: without mrc400id items of several projects are sold and taken off sale together", async () => {
  const another = await createProject(trade.client, o);
  const ids = [await trade.x(), await trade.x({}, another)];
  assert.equal((await trade.sell(a, ids)).outcome, "done");
  assert.equal((await trade.unsell(a, ...ids)).outcome, "done");
});

for (const { token, answer } of [
  { token: "9", answer: "400 3005 itemdata[0].token" },
  { token: "7", answer: "done" },
  { token: "0", answer: "done" },
]) {
  for (const word of ["sell", "auction"] as const) {
    test(`mrc401 §2.4: in a project that allows token 7, ${word} for ${token}: ${answer}`, async () => {
      const x = await trade.x({}, await createProject(trade.client, o, {}, { allowtoken: "7" }));
      assert.equal((await trade[word](a, x, { token })).said, answer);
    });
  }
}

for (const { word, price } of [
  { word: "sell", price: "price" },
  { word: "auction", price: "start" },
] as const) {
  test(`mrc401 §10, §14: the order in which ${word} refuses`, async () => {
    const project = await createProject(trade.client, o, {}, { allowtoken: "7" });
    const { foreign, melted, listed, bound, good, second } = await trade.faulty(project);
    const another = await trade.x();
    const of = (terms: object, ...ids: readonly string[]) => ({
      itemdata: ids.map((id) => ({ id, [price]: "300", token: "0", ...terms })),
    });
    const names = word === "sell" ? { price: "1", amount: "2" } : { buynow: "1", bnynow: "2" };
    const [twice] = Object.keys(names);
    const unknown = { id: another, [price]: "300", token: "99" };
    await trade.mending(`mrc401${word}`, a, [
      [{ itemdata: "", seller: "MTx", mrc400id: NO_PROJECT }, "400 1000 itemdata"],
      [{ itemdata: "{" }, "400 3190 seller"],
      [{ seller: NOBODY }, "400 1007 itemdata"],
      [of({}), "400 3002 itemdata"],
      [of({ [price]: "x" }, NO_ITEM), `400 1101 itemdata[0].${price}`],
      [of({ [price]: "" }, NO_ITEM), `400 1000 itemdata[0].${price}`],
      [of(names, NO_ITEM), `400 1005 itemdata[0].${twice}`],
      ...(word === "auction"
        ? ([
            [of({ end: "x" }, NO_ITEM), "400 1102 itemdata[0].end"],
            [of({ buynow: "300" }, NO_ITEM), "400 3005 itemdata[0].buynow"],
          ] as const)
        : []),
      [of({}, another, NO_ITEM, NO_ITEM), "400 3004 itemdata[2]"],
      [of({ token: "99" }, foreign, NO_ITEM, another), "404 6004 mrc400id"],
      [{ mrc400id: project }, "404 6004 itemdata[1].id"],
      [of({ token: "99" }, foreign, another), "400 3005 itemdata[1]"],
      [of({ token: "99" }, foreign, melted), "404 3090 seller"],
      [{ seller: a }, "404 4001 itemdata[0].token"],
      [of({ token: "9" }, foreign, melted), "400 3005 itemdata[0].token"],
      [{ itemdata: [of({ token: "7" }, foreign).itemdata[0], unknown] }, "400 3005 itemdata[1]"],
      [of({}, bound, melted, good, foreign), "key"],
      [{}, "403 7001"],
      [of({}, good, melted), "409 7110 itemdata[1]"],
      [of({}, good, second, listed), "409 7108 itemdata[2]"],
      [of({}, good, bound), "409 7109 itemdata[1]"],
      [of({ token: "7" }, good, second), "done"],
    ]);
  });

  test(`conventions §3: with one element that is there twice and has a fault of its own, ${word} is refused with 3004`, async () => {
    const x = await trade.x();
    const bad = { id: x, [price]: "x", token: "0" };
    const itemdata = [{ ...bad, [price]: "300" }, bad];
    const answer = await trade.send(`mrc401${word}`, a, { itemdata });
    assert.equal(answer.said, "400 3004 itemdata[1]");
  });
}

for (const word of ["unsell", "unauction"] as const) {
  test(`mrc401 §11, §15: the order in which ${word} refuses`, async () => {
    const { foreign, melted, bound, good, second } = await trade.faulty();
    const another = await trade.x({}, await createProject(trade.client, o));
    const listing = word === "unsell" ? "sell" : "auction";
    assert.equal((await trade[listing](a, [good, second, another])).code, "done");
    const contestedSays = word === "unsell" ? "409 7106" : "409 7104";
    const contested = await trade.onAuction({}, { bids: [[b, "100"]] });
    await trade.mending(`mrc401${word}`, a, [
      [{ itemdata: "", seller: "MTx", mrc400id: NO_PROJECT }, "400 1000 itemdata"],
      [{ itemdata: "{" }, "400 3190 seller"],
      [{ seller: NOBODY }, "400 1007 itemdata"],
      [{ itemdata: [] }, "400 3002 itemdata"],
      [{ itemdata: [another, NO_ITEM, NO_ITEM] }, "400 3004 itemdata[2]"],
      [{ itemdata: [foreign, NO_ITEM, another] }, "404 6004 mrc400id"],
      [{ mrc400id: trade.cast.q }, "404 6004 itemdata[1]"],
      [{ itemdata: [good, another] }, "400 3005 itemdata[1]"],
      [{ itemdata: [melted, good, foreign] }, "404 3090 seller"],
      [{ seller: a }, "key"],
      [{}, "403 7001"],
      [{ itemdata: [good, melted] }, "409 7106 itemdata[1]"],
      [{ itemdata: [good, bound] }, "409 7106 itemdata[1]"],
      [{ itemdata: [good, contested] }, `${contestedSays} itemdata[1]`],
      [{ itemdata: [good, second] }, "done"],
    ]);
  });
}

for (const word of ["sell", "auction", "unsell", "unauction", "transfer"] as const) {
  const isOfIds = word.startsWith("un") || word === "transfer";
  const element = { id: NO_ITEM, price: "1", start: "1", token: "0" };
  const answered = async (itemdata: string): Promise<string> =>
    (await trade.send(`mrc401${word}`, a, { itemdata, toAddr: d })).said;

  // biome-ignore format: a row a case
  for (const [itemdata, answer] of [
    ["x", /^400 1007 itemdata$/],
    ["{}", /^400 1007 itemdata$/],
    ["[null]", /^400 1007 itemdata/],
    ["[[]]", /^400 1007 itemdata/],
    [isOfIds ? "[1]" : '[{"id":1}]', /^400 1007 itemdata/],
    [isOfIds ? "[{}]" : '["x"]', /^400 1007 itemdata/],
    ["[]", /^400 3002 itemdata$/],
    [JSON.stringify(Array(101).fill(isOfIds ? "x" : element)), /^400 3002 itemdata$/],
    [isOfIds ? '["x"]' : JSON.stringify([{ ...element, id: "x" }]), /^404 6004 itemdata\[0\]/],
    ...(isOfIds ? [] : [
      ['[{"id":"x","id":"x"}]', /^400 1007 itemdata/],
      ['[{"price":"1","start":"1","token":"0"}]', /^400 1000 itemdata\[0\]\.id$/],
    ] as const),
  ] as const) {
    test(`mrc401 §1.1: ${word} with itemdata ${itemdata.slice(0, 40)}: ${answer}`, async () =>
      assert.match(await answered(itemdata), answer));
  }

  test(`conventions §3: ${word} says which element is of another shape`, async () => {
    const wrong = JSON.stringify(isOfIds ? [NO_ITEM, 1] : [element, { ...element, id: 1 }]);
    assert.match(await answered(wrong), /^400 1007 itemdata\[1\]/);
  });

  test(`conventions §3: ${word} says which element the actor has no right to: 7001`, async () => {
    const ids = [await trade.x(), await trade.x(), await trade.x()] as const;
    assert.equal((await trade.transfer(a, ids[1], b)).code, "done");
    const itemdata = isOfIds ? ids : ids.map((id) => ({ ...element, id }));
    assert.match(await answered(JSON.stringify(itemdata)), /^403 7001 itemdata\[1\]/);
  });
}

for (const word of ["sell", "auction"] as const) {
  test(`mrc401 §10, §14: 100 items by one ${word}; of 101 none`, async () => {
    const ids = await createItems(
      trade.client,
      trade.cast.q,
      o,
      ...Array.from({ length: 100 }, () => ({})),
    );
    assert.equal((await trade[word](o, [...ids, NO_ITEM])).said, "400 3002 itemdata");
    assert.equal((await trade[word](o, ids)).said, "done");
    assert.equal((await trade[`un${word}`](o, ...ids)).said, "done");
  });
}

test("mrc401 §1.1: | may stand in itemdata", async () => {
  const id = await trade.x();
  const itemdata = [{ id, price: "300", token: "0", note: "a|b" }];
  assert.equal((await trade.send("mrc401sell", a, { itemdata })).said, "done");
});

test("mrc401 §14, §15: several items at once, each on its own terms; all or none", async () => {
  const ids = [await trade.x(), await trade.x(), await trade.x()] as const;
  const itemdata = ids.map((id, n) => ({ id, start: String(100 + n), token: String(n) }));
  const auctioning = () => trade.send("mrc401auction", a, { itemdata });
  assert.equal((await trade.transfer(a, ids[2], b)).code, "done");
  assert.equal((await auctioning()).outcome, "403 7001");
  assert.equal((await trade.transfer(b, ids[2], a)).code, "done");
  assert.equal((await auctioning()).outcome, "done");
  for (const [n, id] of ids.entries()) {
    const terms = { auction_start_price: String(100 + n), auction_token: String(n) };
    trade.assertItem(id, { ...terms, auction_bidding_unit: "1", auction_buynow_price: "0" });
  }
  assert.equal((await trade.bid(b, ids[0], "100")).code, "done");
  assert.equal((await trade.unauction(a, ids[1], ids[0])).outcome, "409 7104");
  assert.equal((await trade.unauction(a, ids[1], ids[2])).outcome, "done");
});

const TERMS = {
  sell: { price: "300", token: "2" },
  auction: { start: "100", token: "2", bidding: "5", buynow: "502", end: "7" },
};

for (const { who, seller, fresh, isByRole } of [
  { who: "A, its holder", seller: () => a, fresh: false, isByRole: false },
  { who: "O, the holder of fresh items", seller: () => o, fresh: true, isByRole: false },
  { who: "P by role", seller: () => p, fresh: true, isByRole: true },
  { who: "S by role", seller: () => s, fresh: true, isByRole: true },
]) {
  for (const { word, undo } of [
    { word: "sell", undo: "unsell" },
    { word: "auction", undo: "unauction" },
  ] as const) {
    test(`mrc401 §10, §11, §14, §15: ${word} and ${undo} by ${who}: M, I of each${isByRole ? ", A(MRC400 owner) at last" : ""}`, async () => {
      const by = seller();
      const ids = fresh
        ? [await trade.fresh(), await trade.fresh()]
        : [await trade.x(), await trade.x()];
      const elements = ids.map((id) => ({ id, ...TERMS[word] }));
      for (const what of [word, undo] as const) {
        const itemdata = JSON.stringify(what === word ? elements : ids);
        const request = { itemdata, ...(fresh ? {} : { seller: "" }) };
        const answer = await trade.done(`mrc401${what}`, by, request);
        const { signature, tkey } = answer;
        const parameters = [itemdata, by, signature, tkey];
        const terms = {
          sell: ["300", "2"],
          auction: ["100", "2", "502", "5"],
          unsell: [],
          unauction: [],
        }[what];
        assertRecords(trade.client, answer, [
          { type: `mrc401${what}`, of: by, parameters },
          ...ids.map((id) => ({
            type: `mrc401_${what}`,
            of: id,
            parameters: [id, by, ...terms, signature, tkey],
          })),
          ...(isByRole ? [{ type: `mrc401${what}`, of: o, parameters }] : []),
        ]);
      }
    });
  }
}

test("mrc401 §1.3: one element by role is enough for one A(MRC400 owner); what P holds is listed as a holder", async () => {
  const own = await trade.fresh();
  assert.equal((await trade.transfer(o, own, p)).code, "done");
  for (const ids of [[own], [own, await trade.fresh(), await trade.fresh()]]) {
    const itemdata = JSON.stringify(ids.map((id) => ({ id, ...TERMS.sell })));
    const answer = await trade.done("mrc401sell", p, { itemdata });
    const { signature, tkey } = answer;
    const parameters = [itemdata, p, signature, tkey];
    const by = [p, "300", "2", signature, tkey];
    assertRecords(trade.client, answer, [
      { type: "mrc401sell", of: p, parameters },
      ...ids.map((id) => ({ type: "mrc401_sell", of: id, parameters: [id, ...by] })),
      ...(ids.length > 1 ? [{ type: "mrc401sell", of: o, parameters }] : []),
    ]);
    assert.equal((await trade.unsell(p, ...ids)).code, "done");
  }
});

test("mrc401 §1.3: items of several projects by role: an A for the owner of each of them, once", async () => {
  const partner = { [s]: "seller" };
  const theirs = await createProject(trade.client, d, {}, { partner });
  const ids = [
    await trade.fresh(),
    await trade.item(theirs, d),
    await trade.fresh(),
    await trade.item(theirs, d),
  ];
  const itemdata = JSON.stringify(ids.map((id) => ({ id, price: "1", token: "0" })));
  const { effects } = await trade.done("mrc401sell", s, { itemdata });
  const seen = effects.map(({ type, address }) => `${type} ${address}`);
  const owners = [o, d].map((owner) => `mrc401sell ${owner}`);
  assert.deepEqual(seen.toSorted(), [...Array(4).fill("mrc401_sell "), ...owners].toSorted());
  assert.deepEqual(seen.slice(0, 4), Array(4).fill("mrc401_sell "));
});
