import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import {
  changed,
  createProject,
  ITEM_OPERATIONS,
  type ItemParams,
} from "../testing/item-requests.ts";
import {
  AUCTION,
  ItemTrade,
  NO_ITEM,
  NOBODY,
  TRADE_WORDS,
  type TradeWord,
} from "../testing/item-trade.ts";
import { type KeyHolder, type Params, said, saidCode, signatureOf } from "../testing/test-node.ts";

// What refuses the operations of mrc401 §10 to §16, in which order, and who has to have signed them.

let trade: ItemTrade;
let o: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
before(async () => {
  trade = await ItemTrade.open({ tokens: 9 });
  ({ o, a, b, d } = trade.cast);
});
after(() => trade[Symbol.asyncDispose]());
afterEach(() => trade.assertConserved());

// The lists of checks, in the order in which they answer.

for (const { word, price } of [
  { word: "sell", price: "price" },
  { word: "auction", price: "start" },
] as const) {
  test(`mrc401 §10, §14: the order in which ${word} refuses`, async () => {
    const project = await createProject(trade.node, o, { allowtoken: "7" });
    const { foreign, melted, listed, bound, good, second } = await trade.faulty(project);
    const another = await trade.x();
    const of = (terms: object, ...ids: readonly string[]) => ({
      itemdata: ids.map((id) => ({ id, [price]: "300", token: "0", ...terms })),
    });
    const names = word === "sell" ? { price: "1", amount: "2" } : { buynow: "1", bnynow: "2" };
    const [twice] = Object.keys(names);
    const unknown = { id: another, [price]: "300", token: "99" };
    await trade.mending(word, a, [
      [{ itemdata: "", seller: "MTx", mrc400id: `MRC400_${"0".repeat(33)}` }, "400 1000 itemdata"],
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
      [{ seller: a.address }, "404 4001 itemdata[0].token"],
      [of({ token: "9" }, foreign, melted), "400 3005 itemdata[0].token"],
      [{ itemdata: [of({ token: "7" }, foreign).itemdata[0], unknown] }, "400 3005 itemdata[1]"],
      [of({}, bound, melted, good, foreign), "key"],
      [{}, "403 7001"],
      [of({}, good, melted), "409 7110 itemdata[1]"],
      [of({}, good, second, listed), "409 7108 itemdata[2]"],
      [of({}, good, bound), "409 7109 itemdata[1]"],
      [of({ token: "7" }, good, second), "200"],
    ]);
  });

  test(`mrc401 §1.1: with one element that is there twice and has a fault of its own, ${word} answers 3004`, async () => {
    const x = await trade.x();
    const bad = { id: x, [price]: "x", token: "0" };
    const itemdata = [{ ...bad, [price]: "300" }, bad];
    const answer = await trade.collection.send(word, a, { itemdata });
    assert.equal(said(answer), "400 3004 itemdata[1]");
  });
}

for (const word of ["unsell", "unauction"] as const) {
  test(`mrc401 §11, §15: the order in which ${word} refuses`, async () => {
    const { foreign, melted, bound, good, second } = await trade.faulty();
    const another = await trade.x({}, await createProject(trade.node, o));
    const listing = word === "unsell" ? "sell" : "auction";
    assert.equal(saidCode(await trade[listing](a, [good, second, another])), "200");
    const contestedSays = word === "unsell" ? "409 7106" : "409 7104";
    const contested = await trade.onAuction({}, { bids: [[b, "100"]] });
    await trade.mending(word, a, [
      [{ itemdata: "", seller: "MTx", mrc400id: `MRC400_${"0".repeat(33)}` }, "400 1000 itemdata"],
      [{ itemdata: "{" }, "400 3190 seller"],
      [{ seller: NOBODY }, "400 1007 itemdata"],
      [{ itemdata: [] }, "400 3002 itemdata"],
      [{ itemdata: [another, NO_ITEM, NO_ITEM] }, "400 3004 itemdata[2]"],
      [{ itemdata: [foreign, NO_ITEM, another] }, "404 6004 mrc400id"],
      [{ mrc400id: trade.cast.q }, "404 6004 itemdata[1]"],
      [{ itemdata: [good, another] }, "400 3005 itemdata[1]"],
      [{ itemdata: [melted, good, foreign] }, "404 3090 seller"],
      [{ seller: a.address }, "key"],
      [{}, "403 7001"],
      [{ itemdata: [good, melted] }, "409 7106 itemdata[1]"],
      [{ itemdata: [good, bound] }, "409 7106 itemdata[1]"],
      [{ itemdata: [good, contested] }, `${contestedSays} itemdata[1]`],
      [{ itemdata: [good, second] }, "200"],
    ]);
  });
}

test("mrc401 §12: the order in which buy refuses", async () => {
  const e = await trade.newcomer("e", 299n);
  const temporary = { transferable: "Temporary" };
  const [own, idle, melted] = [await trade.x(), await trade.x(), await trade.x()];
  const [bound, sale] = [await trade.onSale(temporary), await trade.onSale()];
  assert.equal(saidCode(await trade.transfer(a, own, e)), "200");
  assert.equal(saidCode(await trade.sell(e, own)), "200");
  assert.equal(saidCode(await trade.melt(a, melted)), "200");
  await trade.bind(bound);
  await trade.mending("buy", e, [
    [{ mrc401id: NO_ITEM, buyer: "MTx", price: "301", token: "" }, "400 3190 buyer"],
    [{ buyer: NOBODY, price: "x" }, "400 1101 price"],
    [{ price: "301", token: "x" }, "400 1101 token"],
    [{ token: "9" }, "404 6004 mrc401id"],
    [{ mrc401id: own }, "404 3090 buyer"],
    [{ buyer: e.address }, "key"],
    [{}, "400 3004"],
    [{ mrc401id: melted }, "409 7110"],
    [{ mrc401id: idle }, "409 7106"],
    [{ mrc401id: bound }, "409 7109"],
    [{ mrc401id: sale }, "409 7112"],
    [{ price: "300" }, "409 7112"],
    [{ token: "0" }, "400 5000"],
  ]);
  await trade.node.pay(e, 1n);
  assert.equal(await trade.outcome(() => trade.buy(e, sale)), "200: o +30, a +270, e -300");
});

test("mrc401 §16: the order in which bid refuses", async () => {
  const e = await trade.newcomer("e", 310n);
  const [own, melted, idle] = [await trade.x(), await trade.x(), await trade.x()];
  assert.equal(saidCode(await trade.transfer(a, own, e)), "200");
  assert.equal(saidCode(await trade.melt(a, melted)), "200");
  const bound = await trade.onAuction({ transferable: "Temporary" }, { bids: [[e, "100"]] });
  await trade.bind(bound);
  const [led, over] = [
    await trade.onAuction({}, { bids: [[e, "100"]] }),
    await trade.onAuction({}, { bids: [[b, "100"]] }),
  ];
  await trade.untilEnd(over);
  const open = await trade.onAuction({}, { bids: [[b, "100"]] });
  const leading = await trade.onAuction({}, { bids: [[e, "100"]] });
  await trade.mending("bid", e, [
    [{ mrc401id: NO_ITEM, amount: "", buyer: "MTx", token: "x" }, "400 1000 amount"],
    [{ amount: "x", token: "9" }, "400 1101 amount"],
    [{ amount: "503", token: "x" }, "400 1101 token"],
    [{ token: "9" }, "400 3190 buyer"],
    [{ buyer: NOBODY }, "404 6004 mrc401id"],
    [{ mrc401id: own }, "404 3090 buyer"],
    [{ buyer: e.address }, "key"],
    [{}, "400 3004"],
    [{ mrc401id: melted }, "409 7110"],
    [{ mrc401id: idle }, "409 7106"],
    [{ mrc401id: bound }, "409 7109"],
    [{ mrc401id: led }, "409 7105"],
    [{ mrc401id: over }, "409 7202"],
    [{ mrc401id: leading }, "409 7105"],
    [{ mrc401id: open }, "400 3004"],
    [{ amount: "105" }, "400 3004"],
    [{ token: "0", amount: "503" }, "400 3004"],
    [{ amount: "107" }, "400 3004"],
    [{ amount: "100" }, "400 3004"],
    [{ amount: "105" }, "400 5000"],
  ]);
  await trade.node.pay(e, 95n);
  assert.equal(await trade.outcome(() => trade.bid(e, open, "105")), "200: b +100, e -105");
});

// Who has to have signed what: conventions §4 and §5, mrc401 §1.2 and §1.3.

/** A request of each operation that would be accepted: whose it is and what it says. */
async function acceptable(word: TradeWord): Promise<{ by: KeyHolder; params: ItemParams }> {
  const toAddr = d.address;
  switch (word) {
    case "transfer":
      return { by: a, params: { mrc401id: await trade.x(), toAddr } };
    case "transferBatch":
      return { by: a, params: { itemdata: [await trade.x(), await trade.x()], toAddr } };
    case "sell": {
      const itemdata = [{ id: await trade.x(), price: "300", token: "0" }];
      return { by: a, params: { mrc400id: trade.cast.q, itemdata } };
    }
    case "auction": {
      const itemdata = [{ id: await trade.x(), ...AUCTION, end: "0" }];
      return { by: a, params: { mrc400id: trade.cast.q, itemdata } };
    }
    case "unsell":
      return { by: a, params: { mrc400id: trade.cast.q, itemdata: [await trade.onSale()] } };
    case "unauction":
      return { by: a, params: { mrc400id: trade.cast.q, itemdata: [await trade.onAuction()] } };
    case "buy":
      return { by: b, params: { mrc401id: await trade.onSale(), price: "300", token: "0" } };
    case "melt":
      return { by: a, params: { mrc401id: await trade.x() } };
    case "bid":
      return { by: b, params: { mrc401id: await trade.onAuction(), amount: "100", token: "0" } };
  }
}

const OPTIONAL = /^(seller|buyer|address|price|token|mrc400id|signed)$/;

for (const word of TRADE_WORDS) {
  const { name, signed, actor, inPath } = ITEM_OPERATIONS[word];
  const strangers = word === "buy" || word === "bid";

  test(`mrc401 §9 to §16: ${word}: what is required is asked for first: 1000`, async () => {
    const { by, params } = await acceptable(word);
    const request = await trade.collection.request(word, by, params);
    for (const missing of Object.keys(request.params).filter((field) => !OPTIONAL.test(field))) {
      const { [missing]: _, ...others } = request.params as Params;
      for (const lacking of [others, { ...others, [missing]: "" }]) {
        const answer = await trade.collection.post({ ...request, params: lacking });
        const isOneOfTwo = word === "transferBatch" && missing === "itemdata";
        const expected = `400 1000 ${missing}`;
        assert.equal(
          isOneOfTwo ? saidCode(answer) : said(answer),
          isOneOfTwo ? "400 1000" : expected,
        );
      }
    }
    assert.equal(said(await trade.collection.post(request)), "200");
  });

  test(`mrc401 §9 to §16: ${word}: a short signature over the string with any field changed, left out or added: 2010`, async () => {
    const { by, params } = await acceptable(word);
    const request = await trade.collection.request(word, by, params);
    const id = inPath === "mrc401id" ? { mrc401id: String(params["mrc401id"]) } : {};
    const fields: Params = { ...request.params, ...id };
    const texts = signed.split("|").map((field) => fields[field] ?? "");
    for (const wrong of [
      ...texts.map((text, at) => texts.with(at, `${text}0`)),
      ...texts.map((text, at) => texts.with(at, text === "" ? "1" : "")),
      ...texts.map((_, at) => texts.toSpliced(at, 1)),
      [...texts, ""],
      texts.toReversed(),
    ]) {
      const signature = signatureOf(wrong.join("|"), by);
      const answer = await trade.collection.post(changed(request, { signature }));
      assert.equal(saidCode(answer), "401 2010", wrong.join("|"));
    }
    assert.equal(said(await trade.collection.post(request)), "200");
  });

  test(`conventions §4.5, §4.6: ${word}: a full signature is that of ${name} over every parameter; a key of another operation's kind is 2020`, async () => {
    const { node, collection } = trade;
    const { by, params } = await acceptable(word);
    const other = name === "mrc401sell" ? "mrc401auction" : "mrc401sell";
    const foreign = await collection.request(word, by, {
      ...params,
      tkey: await node.key(by, other),
    });
    assert.equal(saidCode(await collection.post(foreign)), "401 2020");
    const tkey = await node.key(by, name);
    const request = await collection.request(word, by, { ...params, tkey }, { signed: "full" });
    const { signature: _, signed: __, ...all } = request.params as Params;
    const id = inPath === "" ? {} : { [inPath]: String(params[inPath]) };
    const whole: Params = { ...all, ...id };
    for (const field of Object.keys(whole)) {
      const { [field]: ___, ...fewer } = whole;
      const { signature } = node.fullySigned(name, fewer, by);
      const answer = await collection.post(changed(request, { signature }));
      assert.equal(saidCode(answer), "401 2010", `without ${field}`);
    }
    const { signature } = node.fullySigned(other, whole, by);
    assert.equal(saidCode(await collection.post(changed(request, { signature }))), "401 2010");
    for (const field of Object.keys(all).filter((field) => OPTIONAL.test(field))) {
      const { [field]: ___, ...fewer } = request.params as Params;
      const answer = await collection.post({ ...request, params: fewer });
      assert.equal(saidCode(answer), "401 2010", `${field} not sent`);
    }
    assert.equal(said(await collection.post(request)), "200");
  });

  test(`conventions §5.3: ${word} sent again is answered as the first time and done once; its key serves nothing else`, async () => {
    const { node, collection } = trade;
    const { by, params } = await acceptable(word);
    const unnamed = actor === "fromAddr" ? {} : { [actor]: "" };
    const request = await collection.request(word, by, { ...params, ...unnamed });
    const first = await collection.post(request);
    assert.equal(said(first), "200");
    const height = await node.height();
    const again = await collection.request(word, by, {
      ...params,
      ...unnamed,
      tkey: request.params.tkey,
    });
    for (const repeat of [
      () => collection.post(request),
      () => collection.post(again),
      () => node.postQuery(`${request.path}/`, request.params),
      () => node.postJson(request.path, request.params),
    ]) {
      const answer = await repeat();
      assert.equal(answer.text, first.text);
      assert.equal(answer.headers.get("transaction-id"), first.headers.get("transaction-id"));
      assert.match(answer.headers.get("replay-nonce") ?? "", /^[A-Za-z][0-9A-Za-z]{39,63}$/);
    }
    assert.equal(await node.height(), height);
    const [x, { tkey }] = [await trade.onSale(), request.params];
    const taker = by === a ? "melt" : "buy";
    const held = by === a ? await trade.x() : x;
    const other = await collection.send(taker, by, { mrc401id: held, tkey });
    assert.equal(saidCode(other), "409 2021");
  });

  test(`conventions §1: ${word} by query, and by JSON with arrays and the id in both places; two values of it are 1005`, async () => {
    const { by, params } = await acceptable(word);
    const { path, params: body } = await trade.collection.request(word, by, params);
    if (inPath !== "") {
      const twice = await trade.node.post(path, { ...body, [inPath]: NO_ITEM });
      assert.equal(said(twice), `400 1005 ${inPath}`);
    }
    const id = inPath === "" ? {} : { [inPath]: params[inPath] };
    const json = {
      ...body,
      ...id,
      ...(params["itemdata"] ? { itemdata: params["itemdata"] } : {}),
    };
    assert.equal(said(await trade.node.postJson(`${path}/`, json)), "200");
    const { by: second, params: more } = await acceptable(word);
    const query = await trade.collection.request(word, second, more);
    assert.equal(said(await trade.node.postQuery(query.path, query.params)), "200");
  });

  test(`mrc401 §1.2: ${word} of a named actor: somebody else's key is 2020, somebody else's signature 2010, its own address missing in the string 2010`, async () => {
    const { node, collection } = trade;
    const { by, params } = await acceptable(word);
    const stranger = await node.key(d);
    const foreign = await collection.request(word, by, { ...params, tkey: stranger }, { by: d });
    assert.equal(saidCode(await collection.post(foreign)), "401 2020");
    const own = await collection.request(word, by, params, { by: d });
    assert.equal(saidCode(await collection.post(own)), "401 2010");
    if (signed.startsWith("seller")) {
      const signedAs = { seller: "" };
      const empty = await collection.request(word, by, params, { signedAs });
      assert.equal(saidCode(await collection.post(empty)), "401 2010");
    }
  });

  if (actor !== "fromAddr") {
    test(`mrc401 §1.2: ${word} without an actor: that of the key: ${strangers ? "anybody" : "a stranger is 403 7001"}; no known key 2020; another's signature 2010`, async () => {
      const { node, collection } = trade;
      const { by, params: named } = await acceptable(word);
      const params = { ...named, [actor]: "" };
      if (!strangers) {
        assert.equal(await trade.outcome(() => collection.send(word, d, params)), "403 7001");
        const itself = { ...named, [actor]: d.address };
        assert.equal(await trade.outcome(() => collection.send(word, d, itself)), "403 7001");
      }
      const unknown = { ...params, tkey: "abc" };
      assert.equal(saidCode(await collection.send(word, by, unknown)), "401 2020");
      const old = await collection.request(word, by, params);
      const others = await collection.request(word, by, params, { by: d });
      assert.equal(saidCode(await collection.post(others)), "401 2010");
      node.now += 601;
      assert.equal(saidCode(await collection.post(old)), "401 2020");
      if (signed.startsWith("seller")) {
        const signedAs = { seller: d.address };
        const wrong = await collection.request(word, by, params, { signedAs });
        assert.equal(saidCode(await collection.post(wrong)), "401 2010");
        const right = { signedAs: { seller: by.address } };
        assert.equal(saidCode(await collection.send(word, by, params, right)), "200");
      } else {
        assert.equal(saidCode(await collection.send(word, by, params)), "200");
      }
    });
  }
}

test("conventions §4.5: an address created with signed=full trades by full signatures only", async () => {
  const strict = await trade.collection.holder(1000n, { params: { signed: "full" } });
  const mrc401id = await trade.onSale();
  assert.equal(saidCode(await trade.buy(strict, mrc401id)), "401 2010");
  const buying = await trade.collection.send("buy", strict, { mrc401id }, { signed: "full" });
  assert.equal(said(buying), "200");
});

test("mrc401 §1.5: | may stand in itemdata", async () => {
  const id = await trade.x();
  const itemdata = [{ id, price: "300", token: "0", note: "a|b" }];
  assert.equal(said(await trade.collection.send("sell", a, { itemdata })), "200");
});

for (const word of ["sell", "auction", "unsell", "unauction", "transferBatch"] as const) {
  const isOfIds = word.startsWith("un") || word === "transferBatch";
  const element = { id: NO_ITEM, price: "1", start: "1", token: "0" };
  const answered = async (itemdata: string): Promise<string> =>
    said(await trade.collection.send(word, a, { itemdata, toAddr: d.address }));

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
    test(`mrc401 §1.4: ${word} with itemdata ${itemdata.slice(0, 40)}: ${answer}`, async () =>
      assert.match(await answered(itemdata), answer));
  }

  test(`mrc401 §1.1: ${word} says which element is of another shape`, async () => {
    const wrong = JSON.stringify(isOfIds ? [NO_ITEM, 1] : [element, { ...element, id: 1 }]);
    assert.match(await answered(wrong), /^400 1007 itemdata\[1\]/);
  });

  test(`mrc401 §1.1: ${word} says which element the actor has no right to: 7001`, async () => {
    const ids = [await trade.x(), await trade.x(), await trade.x()] as const;
    assert.equal(saidCode(await trade.transfer(a, ids[1], b)), "200");
    const itemdata = isOfIds ? ids : ids.map((id) => ({ ...element, id }));
    assert.match(await answered(JSON.stringify(itemdata)), /^403 7001 itemdata\[1\]/);
  });
}

for (const word of ["sell", "auction"] as const) {
  test(`mrc401 §10, §14: 100 items by one ${word}; of 101 none`, async () => {
    const { cast, collection } = trade;
    const ids = await collection.items(cast.q, o, ...Array.from({ length: 100 }, () => ({})));
    assert.equal(said(await trade[word](o, [...ids, NO_ITEM])), "400 3002 itemdata");
    assert.equal(said(await trade[word](o, ids)), "200");
    assert.equal(said(await trade[`un${word}`](o, ...ids)), "200");
  });
}
