import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { AUCTION, NO_ITEM } from "../../../../ledger/testing/trade/item-terms.ts";
import {
  createItems,
  createProject,
  ITEM_OPERATIONS,
  itemRecord,
  itemRequest,
  renamed,
} from "../../../testing/requests/item-requests.ts";
import { ItemTrade, TRADE_WORDS, type TradeWord } from "../../../testing/requests/item-trade.ts";
import {
  changed,
  type RequestParams,
  sendRequest,
} from "../../../testing/requests/signed-request.ts";
import { TemporaryDirectory } from "../../../testing/temporary-directory.ts";
import {
  type KeyHolder,
  type Params,
  parsed,
  START,
  said,
  saidCode,
  signatureOf,
  TestNode,
  transactionIdOf,
} from "../../../testing/test-node.ts";

// How trades of items are sent, signed and answered: mrc401 §1, §9 to §17. What they do: ledger/rules/items.

let trade: ItemTrade;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
before(async () => {
  trade = await ItemTrade.open();
  ({ a, b, d } = trade.cast);
});
after(() => trade[Symbol.asyncDispose]());
afterEach(() => trade.assertConserved());

// Who has to have signed what: conventions §4 and §5, mrc401 §1.2 and §1.3.

/** A request of each operation that would be accepted: whose it is and what it says. */
async function acceptable(word: TradeWord): Promise<{ by: KeyHolder; params: RequestParams }> {
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

  test(`conventions §5: ${word}: what does not exist comes before key and signature, what the rule refuses after both`, async () => {
    const { params } = await acceptable(word);
    const by = strangers ? a : trade.cast.c;
    const ids = (params["itemdata"] as readonly (string | object)[] | undefined) ?? [];
    const unknown =
      "mrc401id" in params
        ? { mrc401id: NO_ITEM }
        : {
            itemdata: ids
              .map((one) => (typeof one === "string" ? NO_ITEM : { ...one, id: NO_ITEM }))
              .slice(0, 1),
          };
    await trade.collection.mending(word, { by, stranger: b }, [
      [{ ...params, ...unknown, tkey: "abc" }, "404 6004"],
      [params, "key"],
      [{}, strangers ? "400 3004" : "403 7001"],
    ]);
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
    const id = transactionIdOf(first);
    assert.deepEqual(parsed(first), { transaction_id: id, txid: id });
    assert.match(first.headers.get("content-type") ?? "", /^application\/json/);
    assert.match(first.headers.get("replay-nonce") ?? "", /^[A-Za-z][0-9A-Za-z]{39,63}$/);
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
      const { text: tkey } = await node.get(`/nonce/${by.address}?valid=600`);
      const old = await collection.request(word, by, { ...params, tkey });
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

test("mrc401 §18 row 77: bid without token, signed X|100||tkey: accepted; without amount: 1000", async () => {
  const x = await trade.onAuction();
  const tkey = await trade.node.key(b);
  const body = { tkey, signature: signatureOf(`${x}|100||${tkey}`, b) };
  const path = `/mrc401/bid/${x}`;
  assert.equal(said(await trade.node.post(path, body)), "400 1000 amount");
  const bidding = () => trade.node.post(path, { ...body, amount: "100" });
  assert.equal(await trade.outcome(bidding), "200: b -100");
});

test("mrc401 §13: melt without address, key of A, signed X|tkey by A: melted for A", async () => {
  const x = await trade.x({ initial_reserve: "5" });
  const tkey = await trade.node.key(a);
  const body = { tkey, signature: signatureOf(`${x}|${tkey}`, a) };
  const melting = () => trade.node.post(`/mrc401/melt/${x}`, body);
  assert.equal(await trade.outcome(melting), "200: a +5");
});

test("mrc401 §1.3: a short signature of buy is one of melt; a full one and a key bound to one of them are not", async () => {
  const { node, collection } = trade;
  const mrc401id = await trade.x();
  const path = `/mrc401/melt/${mrc401id}`;
  const buying = { mrc401id };
  const full = await collection.request("buy", a, buying, { signed: "full" });
  // `buyer` is unknown to melt.
  assert.equal(saidCode(await node.post(path, full.params)), "400 1008");
  const tkey = await node.key(a, "mrc401buy");
  const bound = await collection.request("buy", a, { ...buying, tkey });
  assert.equal(saidCode(await node.post(path, bound.params)), "401 2020");
  const short = await collection.request("buy", a, buying);
  assert.equal(saidCode(await node.post(path, short.params)), "200");
});

test("mrc401 §12: a full signature covers price and token, a short one does not", async () => {
  const params = { mrc401id: await trade.onSale(), price: "299" };
  for (const signed of ["full", "short"] as const) {
    const request = await trade.collection.request("buy", b, params, { signed });
    const answer = await trade.collection.post(changed(request, { price: "300" }));
    assert.equal(saidCode(answer), signed === "full" ? "401 2010" : "200");
  }
});

test("mrc401 §18 row 51: buy without buyer, key of B, signed X|tkey by B: B buys", async () => {
  const x = await trade.onSale();
  const tkey = await trade.node.key(b);
  const signature = signatureOf(`${x}|${tkey}`, b);
  const buying = () => trade.node.post(`/mrc401/buy/${x}`, { tkey, signature });
  assert.equal(await trade.outcome(buying), "200: o +30, a +270, b -300");
});

for (const place of ["", "A"]) {
  test(`mrc401 §18 row 52: sell without seller, signed ${place}|itemdata|tkey: accepted`, async () => {
    const x = await trade.x();
    const tkey = await trade.node.key(a);
    const itemdata = `[ {"id":"${x}", "price":"300","token":"0"} ]`;
    const signature = signatureOf([place && a.address, itemdata, tkey].join("|"), a);
    const selling = () => trade.node.post("/mrc401/sell", { itemdata, tkey, signature });
    assert.equal(await trade.outcome(selling), "200");
    await trade.assertItem(x, { sell_price: "300" });
  });
}

test('mrc401 §18 row 39: batch transfer signed A|B|["…","…"]|tkey: both moved', async () => {
  const ids = [await trade.x(), await trade.x()];
  const tkey = await trade.node.key(a);
  const params = { fromAddr: a.address, toAddr: b.address, itemdata: JSON.stringify(ids), tkey };
  const fields = ["fromAddr", "toAddr", "itemdata", "tkey"];
  const request = await trade.node.shortlySigned(a, fields, params);
  assert.equal(await trade.outcome(() => trade.node.post("/mrc401/transfer/", request)), "200");
  for (const id of ids) {
    await trade.assertItem(id, { owner: b.address, holder: b.address });
  }
});

for (const word of ["sell", "unsell", "auction", "unauction"] as const) {
  test(`mrc401 §1.2: ${word} by S, unnamed: the place in the signed string is empty, or has S`, async () => {
    const { o, s } = trade.cast;
    for (const seller of ["", s.address]) {
      const id = await trade.fresh();
      if (word.startsWith("un")) {
        assert.equal(said(await trade[word.slice(2) as "sell" | "auction"](o, id)), "200");
      }
      const itemdata = word.startsWith("un") ? [id] : [{ id, price: "300", ...AUCTION }];
      const params = { itemdata, seller: "" };
      const other = { signedAs: { seller: o.address } };
      assert.equal(saidCode(await trade.collection.send(word, s, params, other)), "401 2010");
      const answer = await trade.collection.done(word, s, params, { signedAs: { seller } });
      const { address, parameters } = await trade.node.transaction(transactionIdOf(answer));
      assert.deepEqual([address, parameters[1]], [s.address, s.address]);
    }
  });
}

// Names, places and paths.

for (const { alias, word } of [
  { alias: { buyer: "address" }, word: "buy" },
  { alias: { seller: "address" }, word: "sell" },
  { alias: { itemdata: "itemdata[]" }, word: "sell" },
  { alias: { seller: "address" }, word: "unsell" },
  { alias: { itemdata: "itemdata[]" }, word: "unsell" },
] as const) {
  const [[name = "", other = ""] = []] = Object.entries(alias);
  for (const signed of ["short", "full"] as const) {
    test(`mrc401 §1.3: ${word}, signed ${signed}: ${name} may be called ${other}; two values of it are 1005`, async () => {
      const id = word === "sell" ? await trade.x() : await trade.onSale();
      const params = {
        buy: { mrc401id: id },
        sell: { itemdata: [{ id, price: "300", token: "0" }] },
        unsell: { itemdata: [id] },
      }[word];
      const by = word === "buy" ? b : a;
      const request = await trade.collection.request(word, by, params, { signed });
      const twice = changed(request, { [other]: name === "itemdata" ? "[]" : d.address });
      assert.equal(said(await trade.collection.post(twice)), `400 1005 ${name}`);
      assert.equal(said(await trade.collection.post(renamed(request, alias))), "200");
      const both = changed(request, { [other]: request.params[name] ?? "" });
      assert.equal(said(await trade.collection.post(both)), "200");
    });
  }
}

for (const alias of ["bidder", "address"]) {
  for (const signed of ["short", "full"] as const) {
    test(`mrc401 §1.3: bid, signed ${signed}: buyer may be called ${alias}; two values of it are 1005`, async () => {
      const params = { mrc401id: await trade.onAuction(), amount: "100" };
      const request = await trade.collection.request("bid", b, params, { signed });
      const twice = changed(request, { [alias]: d.address });
      assert.equal(said(await trade.collection.post(twice)), "400 1005 buyer");
      const answer = await trade.collection.post(renamed(request, { buyer: alias }));
      assert.equal(said(answer), "200");
      const again = await trade.collection.post(changed(request, { [alias]: b.address }));
      assert.deepEqual(parsed(again), parsed(answer));
    });
  }
}

for (const word of ["auction", "unauction"] as const) {
  for (const alias of [{ seller: "address" }, { itemdata: "itemdata[]" }]) {
    test(`mrc401 §1.3: ${word} takes other names: ${JSON.stringify(alias)}`, async () => {
      const id = word === "auction" ? await trade.x() : await trade.onAuction();
      const itemdata = word === "auction" ? [{ id, ...AUCTION }] : [id];
      const request = await trade.collection.request(word, a, { itemdata });
      assert.equal(said(await trade.collection.post(renamed(request, alias))), "200");
    });
  }
}

test("mrc401 §13: address may be called owner; two values of it are 1005", async () => {
  for (const signed of ["short", "full"] as const) {
    const mrc401id = await trade.x();
    const request = await trade.collection.request("melt", a, { mrc401id }, { signed });
    const twice = changed(request, { owner: b.address });
    assert.equal(said(await trade.collection.post(twice)), "400 1005 address");
    const owner = renamed(request, { address: "owner" });
    assert.equal(said(await trade.collection.post(owner)), "200");
  }
});

test("mrc401 §1.3: itemdata may be called itemdata[]; two values of it are 1005, one value twice is none", async () => {
  const ids = [await trade.x(), await trade.x()];
  const params = { itemdata: ids, toAddr: b.address };
  const request = await trade.collection.request("transferBatch", a, params);
  const { itemdata, ...others } = request.params;
  assert.ok(itemdata !== undefined);
  const twice = { ...others, itemdata, "itemdata[]": JSON.stringify(ids.toReversed()) };
  assert.equal(said(await trade.node.post(request.path, twice)), "400 1005 itemdata");
  const brackets = { ...others, "itemdata[]": itemdata };
  const answer = await trade.node.post(request.path, brackets);
  assert.equal(saidCode(answer), "200");
  const again = await trade.node.post(request.path, { ...brackets, itemdata });
  assert.equal(again.text, answer.text);
});

test("mrc401 §9: both an id in the path and itemdata: 1005; neither: 1000", async () => {
  const x = await trade.x();
  const params = { fromAddr: a.address, toAddr: b.address, tkey: await trade.node.key(a) };
  const signed = await trade.node.shortlySigned(a, ["fromAddr"], params);
  const both = { ...signed, itemdata: JSON.stringify([x]) };
  assert.equal(saidCode(await trade.node.post(`/mrc401/transfer/${x}`, both)), "400 1005");
  assert.equal(saidCode(await trade.node.post("/mrc401/transfer", signed)), "400 1000");
});

for (const word of ["sell", "unsell", "auction", "unauction"] as const) {
  test(`mrc401 §18 row 59: ${word} takes a project as a parameter, or none`, async () => {
    const { by, params } = await acceptable(word);
    const { path, params: sent } = await trade.collection.request(word, by, {
      ...params,
      mrc400id: "",
    });
    const unknown = { ...sent, mrc400id: NO_ITEM.slice(0, 40) };
    assert.equal(said(await trade.node.post(path, unknown)), "404 6004 mrc400id");
    const { mrc400id: _, ...without } = sent as Params;
    assert.equal(said(await trade.node.post(`${path}/`, without)), "200");
  });
}

// biome-ignore format: a line for each case
for (const { what, id } of [
  { what: "a project's id", id: () => trade.cast.q },
  { what: "81 characters that no item has", id: () => NO_ITEM },
  { what: "an item number that its project has not", id: () => `${trade.cast.q}_${"0".repeat(40)}` },
  { what: "an id of MRC402", id: () => `MRC402_${"0".repeat(33)}` },
  { what: "80 characters", id: () => NO_ITEM.slice(1) },
  { what: "text", id: () => "%F0%9F%98%80" },
]) {
  test(`mrc401 §18 row 79: GET /mrc401/ and auctionfinish of ${what}: 404 6004`, async () => {
    const { node } = trade;
    assert.equal(saidCode(await node.get(`/mrc401/${id()}`)), "404 6004");
    assert.equal(said(await node.get(`/mrc401/auctionfinish/${id()}`)), "404 6004 mrc401id");
  });
}

test("mrc401 §18 row 78: HEAD on auctionfinish: 405 9405, nothing closed; PUT and DELETE too", async () => {
  const x = await trade.row68();
  await trade.untilEnd(x);
  const item = await trade.record(x);
  for (const method of ["HEAD", "PUT", "DELETE"]) {
    const answer = await trade.node.request(`/mrc401/auctionfinish/${x}`, { method });
    assert.equal(answer.status, 405);
    assert.deepEqual(answer.headers.get("allow")?.split(", ").toSorted(), ["GET", "POST"]);
    assert.equal(method === "HEAD" ? "405 9405" : saidCode(answer), "405 9405");
  }
  assert.deepEqual(await trade.record(x), item);
});

for (const method of ["GET", "POST"] as const) {
  test(`mrc401 §18 row 78: ${method} on auctionfinish closes, and is a write: no-store, no ETag, no key, a block more`, async () => {
    const x = await trade.row68();
    await trade.untilEnd(x);
    const height = await trade.node.height();
    const { status, headers, text } = await trade.node.request(`/mrc401/auctionfinish/${x}/`, {
      method,
      headers: { "If-None-Match": "*" },
    });
    assert.equal(status, 200, text);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.has("etag"), false);
    assert.equal(headers.has("replay-nonce"), false);
    assert.equal(headers.get("ledger-height"), String(height + 1));
    const transaction_id = headers.get("transaction-id");
    assert.deepEqual(JSON.parse(text), { transaction_id, txid: transaction_id });
    await trade.assertItem(x, { owner: d.address });
  });
}

test("mrc401 §14: a deployment whose block 0 says so has auctions of 5 to 60 seconds", async () => {
  using directory = new TemporaryDirectory("genesis");
  const file = join(directory.path, "genesis.json");
  const made = JSON.parse(readFileSync(join(trade.node.data, "genesis.json"), "utf8")) as object;
  writeFileSync(file, JSON.stringify({ ...made, auctionMin: 5, auctionMax: 60 }));
  await using node = await TestNode.start("--genesis", file);
  const holder = await node.holder();
  const ids = await createItems(node, await createProject(node, holder), holder, [{}, {}, {}]);
  const lengths = [0, 7, 61];
  const itemdata = ids.map((id, n) => ({ id, ...AUCTION, end: START + (lengths[n] ?? 0) }));
  const answer = await sendRequest(node, await itemRequest(node, "auction", holder, { itemdata }));
  assert.equal(said(answer), "200");
  const ends = await Promise.all(ids.map(async (id) => (await itemRecord(node, id)).auction_end));
  assert.deepEqual(
    ends.map((end) => end - START),
    [5, 7, 60],
  );
});
