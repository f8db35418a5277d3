import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Market, type Parties } from "../../../testing/requests/market.ts";
import {
  addressed,
  dexidOf,
  MARKET_OPERATIONS,
  MARKET_WORDS,
  type MarketWord,
} from "../../../testing/requests/market-requests.ts";
import {
  type KeyHolder,
  type Params,
  parsed,
  said,
  saidCode,
  signatureOf,
  transactionIdOf,
} from "../../../testing/test-node.ts";

// What holds for every signed operation of the market: parameters, signatures, temporary keys, repeats. Conventions §1, §4, §5.

const DAY = 86_400;

let market: Market;
let parties: Parties;
before(async () => {
  market = await Market.open();
  parties = await market.parties({ gold: 1_000_000n, coins: 1_000_000n });
});
after(() => market[Symbol.asyncDispose]());
afterEach(() => market.assertConserved());

/** A request that would be accepted, of each operation: who sends it and what it says. */
async function acceptable(word: MarketWord): Promise<{ by: KeyHolder; params: Params }> {
  const { s, b } = parties;
  switch (word) {
    case "sell":
      return { by: s, params: market.listing1(parties, PLATFORM) };
    case "reqsell":
      return { by: b, params: market.listing1(parties, PLATFORM) };
    case "auction": {
      const { now } = market.node;
      const dates = { auction_start_date: String(now), auction_end_date: String(now + DAY) };
      return { by: s, params: market.listing3(parties, { ...PLATFORM, ...dates }) };
    }
    case "unsell":
      return { by: s, params: { dexid: await listed("sell") } };
    case "unreqsell":
      return { by: b, params: { dexid: await listed("reqsell") } };
    case "unauction":
      return { by: s, params: { dexid: await listed("auction") } };
    case "buy":
      return { by: b, params: { dexid: await listed("sell"), amount: "100" } };
    case "acceptreqsell":
      return { by: s, params: { dexid: await listed("reqsell"), amount: "100" } };
    case "bid":
      return { by: b, params: { dexid: await listed("auction"), amount: "100" } };
  }
}

const PLATFORM = { platform_name: "Börse", platform_url: "https://example.org/p" };
const OPTIONAL =
  /^(platform_.*|min_trade_unit|auction_(bidding_unit|buynow_price|start_date|end_date))$/;

async function listed(word: "sell" | "reqsell" | "auction"): Promise<string> {
  const { s, b } = parties;
  const params = word === "auction" ? market.listing3(parties) : market.listing1(parties);
  return market.list(word, word === "reqsell" ? b : s, params);
}

for (const word of MARKET_WORDS) {
  const { name, inPath, signed } = MARKET_OPERATIONS[word];

  test(`tokens §9 to §12: ${word}: each required parameter is asked for before any is looked at: 1000`, async () => {
    const { by, params } = await acceptable(word);
    const request = await market.request(word, by, params);
    const required = Object.keys(request).filter(
      (field) => field !== inPath && !OPTIONAL.test(field),
    );
    for (const missing of required) {
      const bad = Object.fromEntries(
        Object.keys(request).map((field) => [field, field === missing ? "" : "|"]),
      );
      assert.equal(said(await market.post(word, bad)), `400 1000 ${missing}`);
      const { [missing]: _, ...others } = request;
      assert.equal(said(await market.post(word, others)), `400 1000 ${missing}`);
    }
    assert.equal(said(await market.post(word, request)), "200");
  });

  test(`tokens §9 to §12: ${word}: a short signature over the string with any field changed, left out or added: 2010`, async () => {
    const { by, params } = await acceptable(word);
    const request = await market.request(word, by, params);
    const texts = signed.split("|").map((field) => request[field] ?? "");
    const wrong = [
      ...texts.map((text, at) => texts.with(at, `${text}0`)),
      ...texts.map((_, at) => texts.toSpliced(at, 1)),
      [...texts, ""],
      texts.toReversed(),
    ];
    for (const fields of wrong) {
      const signature = signatureOf(fields.join("|"), by);
      const answer = await market.post(word, { ...request, signature });
      assert.equal(saidCode(answer), "401 2010", fields.join("|"));
    }
    assert.equal(said(await market.post(word, request)), "200");
  });

  test(`conventions §4.5: ${word}: a full signature as ${name} covers every parameter, that of the path too`, async () => {
    const { by, params } = await acceptable(word);
    const request = await market.request(word, by, params, { signed: "full" });
    const { signature, ...covered } = request;
    const { node } = market;
    for (const field of [inPath, "tkey"]) {
      const { [field]: _, signed: __, ...others } = covered as Readonly<Record<string, string>>;
      const uncovered = node.fullySigned(name, others, by).signature;
      const answer = await market.post(word, { ...request, signature: uncovered });
      assert.equal(saidCode(answer), "401 2010", `without ${field}`);
    }
    const { signed: _, ...plain } = covered as Readonly<Record<string, string>>;
    const added = node.fullySigned(name, { ...plain, more: "1" }, by).signature;
    assert.equal(saidCode(await market.post(word, { ...request, signature: added })), "401 2010");
    const other = name === "mrc010buy" ? "mrc010bid" : "mrc010buy";
    const misnamed = node.fullySigned(other, plain, by).signature;
    const answer = await market.post(word, { ...request, signature: misnamed });
    assert.equal(saidCode(answer), "401 2010", `as ${other}`);
    for (const field of Object.keys(request).filter((field) => OPTIONAL.test(field))) {
      const { [field]: __, ...fewer } = request;
      const code = saidCode(await market.post(word, fewer as Params));
      assert.equal(code, "401 2010", `${field} left out`);
    }
    assert.equal(said(await market.post(word, { ...covered, signature })), "200");
  });

  test(`conventions §4.6: ${word} takes a key of kind ${name} and none of another operation's kind`, async () => {
    const { by, params } = await acceptable(word);
    const kind = name === "mrc010buy" ? "mrc010sell" : "mrc010buy";
    for (const other of [kind, "multitransfer"]) {
      const tkey = await market.node.key(by, other);
      const answer = await market.send(word, by, { ...params, tkey });
      assert.equal(saidCode(answer), "401 2020", other);
    }
    const tkey = await market.node.key(by, name);
    assert.equal(said(await market.send(word, by, { ...params, tkey })), "200");
  });

  test(`conventions §5.3: ${word} sent again is answered as the first time and done once; its key serves nothing else`, async () => {
    const { by, params } = await acceptable(word);
    const request = await market.request(word, by, params);
    const first = await market.post(word, request);
    const id = transactionIdOf(first);
    const listed = ["sell", "reqsell", "auction"].includes(word)
      ? { mrc010dexid: dexidOf(by.address, request.tkey) }
      : {};
    assert.deepEqual(parsed(first), { transaction_id: id, txid: id, ...listed });
    const held = await market.held(by);
    const height = await market.node.height();
    const again = await market.request(word, by, request);
    const { path, body } = addressed(word, again);
    for (const answer of [
      await market.post(word, request),
      await market.post(word, again),
      await market.node.postQuery(`${path}/`, body),
      await market.node.postJson(path, body),
    ]) {
      assert.equal(answer.text, first.text);
      assert.equal(answer.headers.get("transaction-id"), id);
      assert.match(answer.headers.get("replay-nonce") ?? "", /^[A-Za-z][0-9A-Za-z]{39,63}$/);
    }
    assert.equal(await market.node.height(), height);
    assert.equal(await market.held(by), held);
    const { tkey } = request;
    const { s, b } = parties;
    const sale = await market.list("sell", by === s ? b : s, {
      ...market.listing1(parties),
      ...(by === s ? { mrc010id: "0", token: market.gold, amount: "100" } : {}),
    });
    const other = await market.send("buy", by, { dexid: sale, amount: "10", tkey });
    assert.equal(saidCode(other), "409 2021");
  });

  test(`conventions §1: ${word} by query, by JSON with the id in both places, and by form; two values of it are 1005`, async () => {
    const { by, params } = await acceptable(word);
    const { path, body } = addressed(word, await market.request(word, by, params));
    const id = { [inPath]: params[inPath] as string };
    const twice = await market.node.post(path, { ...body, [inPath]: `${id[inPath]}0` });
    assert.equal(said(twice), `400 1005 ${inPath}`);
    assert.equal(said(await market.node.postJson(`${path}/`, { ...body, ...id })), "200");
  });
}

test("tokens §10: unsell refuses in this order: existence, temporary key, signature, state", async () => {
  const { s, b } = parties;
  const dexid = await listed("sell");
  const used = await market.request("unsell", s, { dexid: await listed("sell") });
  assert.equal(said(await market.post("unsell", used)), "200");
  const request = await market.list("reqsell", s, {
    ...market.listing1(parties),
    ...{ mrc010id: "0", token: market.gold, amount: "100" },
  });
  const unknown = `DEX010_${"0".repeat(33)}`;
  const tkey = await market.node.key(s);
  for (const [params, answer, change = {}, by = s] of [
    [{ dexid: unknown, tkey: "abc" }, "404 6004"],
    [{ dexid: request, tkey: "abc" }, "401 2020"],
    [{ dexid: request, tkey: await market.node.key(b) }, "401 2020"],
    [{ dexid: request, tkey: used.tkey }, "409 2021"],
    [{ dexid: request, tkey }, "401 2230", { signature: "abc!" }],
    [{ dexid: request, tkey }, "401 2010", {}, b],
    [{ dexid: request, tkey }, "409 7103"],
    [{ dexid, tkey }, "200"],
  ] as readonly (readonly [Params, string, Params?, KeyHolder?])[]) {
    const sent = await market.request("unsell", s, params, { by });
    assert.equal(saidCode(await market.post("unsell", { ...sent, ...change })), answer);
  }
});

test("tokens §13 row 27: a buy with a signature over dexid|tkey: 2010", async () => {
  const { b } = parties;
  const params = { dexid: await listed("sell"), address: b.address, amount: "100" };
  const request = await market.node.shortlySigned(b, ["dexid", "tkey"], params);
  assert.equal(saidCode(await market.post("buy", request)), "401 2010");
});

test("conventions §4.5: an address created with signed=full trades by full signatures only", async () => {
  const strict = await market.holder({ gold: 1000n, params: { signed: "full" } });
  const params = market.listing1(parties);
  assert.equal(saidCode(await market.send("sell", strict, params)), "401 2010");
  assert.equal(said(await market.send("sell", strict, params, { signed: "full" })), "200");
});

test("conventions §1.6: numbers in a JSON body mean their decimal text", async () => {
  const { tkey, ...params } = await market.request("sell", parties.s, market.listing1(parties));
  const { path, body } = addressed("sell", { ...params, tkey });
  const numbers = { amount: 1000, price: 3, token: 0, mrc010id: Number(market.gold) };
  assert.equal(said(await market.node.postJson(path, { ...body, ...numbers })), "200");
});
