import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Address, exchange, tokenCreate, tokenSave } from "@moneta/protocol";
import type { SignatureClaim } from "../../replay.ts";
import type { Params } from "../../testing/admitted.ts";
import { TestClient } from "../../testing/test-client.ts";
import { operationOf, replay, TestLedger } from "../../testing/test-ledger.ts";

// POST /exchange, protocols §3 and §4. Rows on routes and signatures are those of
// packages/node/http/writes/coins/exchange.test.ts.

interface Stage extends Disposable {
  readonly client: TestClient;
  readonly a: Address;
  readonly b: Address;
  readonly f: Address;
  readonly g: Address;
  readonly stranger: Address;
}

interface Row {
  readonly terms: (stage: Stage) => Params;
  readonly answer: string;
  readonly notified?: readonly string[];
}

/** A has 1000 coins and 500 of 7, of which 50 are locked; B has 20 coins and 300 of 9. */
async function start(): Promise<Stage> {
  const client = await TestClient.open({ tokens: 9 });
  return await people(client);
}

/** The same with others on the same ledger. */
async function people(client: TestClient, free = 450n): Promise<Stage> {
  const { a, b, f, g, stranger } = await client.people(["a", "b", "f", "g", "stranger"]);
  await client.pay(a, 1000n);
  await client.pay(a, free, { token: "7" });
  await client.pay(a, 50n, { token: "7", unlockdate: client.now + 100 });
  await client.pay(b, 20n);
  await client.pay(b, 300n, { token: "9" });
  return { client, a, b, f, g, stranger, [Symbol.dispose]: () => client[Symbol.dispose]() };
}

const X1 = { fromAmount: "100", fromToken: "7", toAmount: "30", toToken: "9" };
const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";
const NOBODY = "MTNobody0000000000000000000000000fa7c5a3";

/** A fee of one side. */
const fees = (
  side: "from" | "to",
  payee: Params[string],
  amount: string,
  token: string,
): Params => ({
  [`${side}Feesendto`]: payee,
  [`${side}Feeamount`]: amount,
  [`${side}Feetoken`]: token,
});
let client: TestClient;
before(async () => {
  client = await TestClient.open({ tokens: 9 });
});
after(() => client[Symbol.dispose]());

const SWAPPED = "done: a -100 of 7, b +100 of 7, a +30 of 9, b -30 of 9";
for (const { terms, answer, notified } of [
  { terms: () => ({}), answer: SWAPPED, notified: ["exchangePair b"] },
  {
    terms: ({ f, g }: Stage) => ({ ...fees("from", f, "5", "0"), ...fees("to", g, "1", "9") }),
    answer: "done: a -5, f +5, a -100 of 7, b +100 of 7, a +30 of 9, b -31 of 9, g +1 of 9",
    notified: ["exchangePair b", "exchangeFee f", "exchangeFeePair g"],
  },
  { terms: () => ({ fromAmount: "501" }), answer: "400 5001" },
  {
    terms: () => ({ fromAmount: "500" }),
    answer: "done: a -500 of 7, b +500 of 7, a +30 of 9, b -30 of 9",
  },
  { terms: () => ({ toAmount: "301" }), answer: "400 5002" },
  { terms: ({ f }: Stage) => fees("from", f, "31", "9"), answer: "400 5001" },
  {
    terms: ({ f }: Stage) => fees("from", f, "30", "9"),
    answer: "done: a -100 of 7, b +100 of 7, b -30 of 9, f +30 of 9",
  },
  { terms: ({ g }: Stage) => fees("to", g, "101", "7"), answer: "400 5002" },
  {
    terms: ({ g }: Stage) => fees("to", g, "100", "7"),
    answer: "done: a -100 of 7, g +100 of 7, a +30 of 9, b -30 of 9",
  },
  {
    terms: ({ b, g }: Stage) => ({ ...fees("from", b, "5", "7"), ...fees("to", g, "105", "7") }),
    answer: "done: a -105 of 7, g +105 of 7, a +30 of 9, b -30 of 9",
    notified: ["exchangePair b", "exchangeFee b", "exchangeFeePair g"],
  },
  {
    terms: ({ f }: Stage) => ({ ...fees("from", f, "5", "0"), ...fees("to", f, "1", "0") }),
    answer: "done: a -5, b -1, f +6, a -100 of 7, b +100 of 7, a +30 of 9, b -30 of 9",
    notified: ["exchangePair b", "exchangeFee f", "exchangeFeePair f"],
  },
  {
    terms: ({ a }: Stage) => fees("to", a, "2", "9"),
    answer: "done: a -100 of 7, b +100 of 7, a +32 of 9, b -32 of 9",
    notified: ["exchange a", "exchangePair b", "exchangeFeePair a"],
  },
  { terms: ({ a }: Stage) => fees("from", a, "1", "0"), answer: "400 3201 fromFeesendto" },
  { terms: ({ b }: Stage) => fees("to", b, "1", "0"), answer: "400 3201 toFeesendto" },
  { terms: ({ a }: Stage) => fees("from", a, "0", "0"), answer: SWAPPED },
  { terms: ({ b }: Stage) => fees("to", b, "0", "0"), answer: SWAPPED },
  { terms: () => fees("from", "", "5", "0"), answer: "400 1000 fromFeesendto" },
  { terms: ({ f }: Stage) => fees("from", f, "5", ""), answer: "400 1000 fromFeetoken" },
  { terms: () => fees("to", "MTx", "1", "0"), answer: "400 3190 toFeesendto" },
  { terms: () => fees("to", UNKNOWN, "1", "0"), answer: "404 3090 toFeesendto" },
  { terms: ({ f }: Stage) => fees("to", f, "1", "99"), answer: "404 4001 toFeetoken" },
  { terms: ({ f }: Stage) => fees("to", f, "-1", "0"), answer: "400 1101 toFeeamount" },
  { terms: ({ a }: Stage) => ({ toAddr: a }), answer: "400 3201 toAddr" },
  { terms: () => ({ toToken: "7" }), answer: "400 3005 toToken" },
  { terms: () => ({ fromAmount: "0" }), answer: "400 1101 fromAmount" },
  { terms: () => ({ toAmount: "1.5" }), answer: "400 1101 toAmount" },
  { terms: () => ({ toToken: "99" }), answer: "404 4001 toToken" },
  { terms: () => ({ fromToken: "99" }), answer: "404 4001 fromToken" },
  {
    terms: ({ client, f }: Stage) => ({ toAddr: UNKNOWN, toTkey: client.ledger.key(f) }),
    answer: "404 3090 toAddr",
  },
] as const satisfies readonly Row[]) {
  test(`protocols §3, §4: ${terms.toString().replace(/^.*=> */, "")}: ${answer}`, async () => {
    const stage = await people(client, 500n);
    const { a, b } = stage;
    const all = { ...X1, toAddr: b, ...(terms as Row["terms"])(stage) };
    const sent = await client.send("exchange", a, all);
    assert.equal(answer.startsWith("done") ? sent.outcome : sent.summary, answer);
    if (notified !== undefined) {
      const of = (type: string): string => (stage as never)[type];
      assert.deepEqual(
        sent.notified,
        (notified as readonly string[]).map((each) => each.replace(/\w$/, of)),
      );
    }
  });
}

test("protocols §3: checks in their order, parameters to balances", async () => {
  using stage = await start();
  const { client, a, b, f, stranger } = stage;
  const fee = { fromFeesendto: NOBODY, fromFeeamount: "5", fromFeetoken: "99" };
  await client.mending("exchange", { by: a, stranger }, [
    [{ ...X1, ...fee, toAddr: a, toTkey: client.ledger.key(b), fromAmount: "451" }, "400 3190"],
    [{ fromFeesendto: a, toToken: "7" }, "400 3201 toAddr"],
    [{ toAddr: b }, "400 3005 toToken"],
    [{ toToken: "98" }, "400 3201 fromFeesendto"],
    [{ fromFeesendto: f, toFeetoken: "97" }, "404 4001 toToken"],
    [{ toToken: "9" }, "404 4001 fromFeetoken"],
    [{ fromFeetoken: "9" }, "404 4001 toFeetoken"],
    [{ toFeetoken: "0" }, "key"],
    [{}, "400 5001"],
    [{ fromAmount: "450", toAmount: "301" }, "400 5002"],
    [{ toAmount: "4" }, "400 5001"],
    [{ toAmount: "5", toFeesendto: f, toFeeamount: "21" }, "400 5002"],
    [{ toFeeamount: "20" }, "done"],
  ]);
  assert.equal(client.held(a, "7"), `0 + 50@${client.now + 100}`);
  assert.deepEqual([client.held(a, "9"), client.held(f, "9")], ["0", "5"]);
  assert.deepEqual([client.held(b), client.held(f)], ["0", "20"]);
});

test("accounts §7.3, protocols §3: keys of both sides are checked alike, and end when they expire", async () => {
  using stage = await start();
  const { client, a, b, stranger } = stage;
  const attempt = async (toTkey: string, more: Params = {}): Promise<string> =>
    (await client.send("exchange", a, { ...X1, toAddr: b, toTkey, ...more })).summary;
  assert.equal(await attempt("abc"), "401 2020 toTkey");
  assert.equal(await attempt(client.ledger.key(stranger)), "401 2020 toTkey");
  assert.equal(await attempt(await client.usedKey(b)), "409 2021 toTkey");
  const [early, late] = [client.ledger.key(b), client.ledger.key(b)];
  const fromTkey = client.ledger.key(a);
  client.now += 600;
  assert.equal(await attempt(early), "done");
  client.now += 1;
  assert.equal(await attempt(late), "401 2020 toTkey");
  assert.equal(await attempt(client.ledger.key(b), { fromTkey }), "401 2020 fromTkey");
});

test("protocols §2.6: of a refused exchange both keys can be used, of one that is done neither", async () => {
  using stage = await start();
  const { client, a, b } = stage;
  const keys = { fromTkey: client.ledger.key(a), toTkey: client.ledger.key(b) };
  const sent = { ...X1, toAddr: b, ...keys };
  assert.equal(
    (await client.send("exchange", a, { ...sent, toAmount: "301" })).summary,
    "400 5002",
  );
  assert.equal((await client.send("exchange", a, sent)).summary, "done");
  assert.equal((await client.send("exchange", a, sent)).summary, "repeat");
  const greeting = [{ address: client.issuer, amount: "0", unlockdate: "0", memo: "hello" }];
  for (const [by, checkkey] of [
    [a, keys.fromTkey],
    [b, keys.toTkey],
  ] as const) {
    const other = { transferlist: greeting, token: "0", checkkey };
    assert.equal((await client.send("multitransfer", by, other)).summary, "409 2021 checkkey");
  }
});

test("protocols §2.6: of exchanges in one block that share a key the first is done, and a refused one frees only its own", async () => {
  using stage = await start();
  const { client, a, b, stranger } = stage;
  await client.pay(stranger, 300n, { token: "9" });
  const toTkey = client.ledger.key(b);
  const fresh = client.ledger.key(a);
  const reported = (
    await client.block([
      ["exchange", a, { ...X1, toAddr: b, toTkey }],
      ["exchange", a, { ...X1, toAddr: b, toTkey, fromTkey: fresh }],
      ["exchange", a, { ...X1, toAddr: stranger, fromTkey: fresh }],
    ])
  ).map((answer) => answer.summary);
  assert.deepEqual(reported, ["done", "409 2021 toTkey", "done"]);
});

test("protocols §3: records of both sides and both payees", async () => {
  using stage = await start();
  const { client, b, f } = stage;
  const { a } = await client.people(["a"], { coins: 1000n, tokens: { 7: 500n } });
  const long = "é".repeat(65);
  const sent = {
    ...{ ...X1, toAddr: b, fromTag: long, toMemo: "for gold" },
    ...{ fromFeesendto: f, fromFeeamount: "5", fromFeetoken: "0" },
    ...{ toFeesendto: a, toFeeamount: "2", toFeetoken: "9" },
  };
  const answer = await client.done("exchange", a, sent);
  const parameters = [
    ...[a, "100", "7", f, "5", "0", "é".repeat(64), "", "MEQ="],
    ...[b, "30", "9", a, "2", "9", "", "for gold", "MEQ="],
  ];
  assert.deepEqual(answer.parts, [
    ["exchange", a, 7, parameters],
    ["exchange", a, 7, parameters],
    ["exchangePair", b, 7, parameters],
    ["exchangeFee", f, 7, parameters],
    ["exchangeFeePair", a, 7, parameters],
  ]);
});

test("conventions §8.3: a fee of 0, or an amount that is not there, makes no record", async () => {
  using stage = await start();
  const { client, a, b, f } = stage;
  for (const fromFeeamount of ["0", ""]) {
    const terms = { fromFeesendto: f, fromFeetoken: "0", fromFeeamount };
    const answer = await client.done("exchange", a, { ...X1, toAddr: b, ...terms });
    assert.deepEqual(answer.notified, [`exchangePair ${b}`]);
    assert.deepEqual(answer.record.parameters.slice(3, 6), [f, fromFeeamount, "0"]);
  }
});

test("protocols §2.7: an absent fee is not one of 0", async () => {
  using stage = await start();
  const { client, a, b } = stage;
  const keys = { fromTkey: client.ledger.key(a), toTkey: client.ledger.key(b) };
  const sent = { ...X1, toAddr: b, ...keys };
  assert.equal((await client.send("exchange", a, sent)).summary, "done");
  const zero = { ...sent, fromFeeamount: "0" };
  assert.equal((await client.send("exchange", a, zero)).summary, "409 2021 fromTkey");
});

test("protocols §2.9: in a group, whose key signs is who must act", async () => {
  using stage = await start();
  const { client, a, b, stranger } = stage;
  const greeting = {
    transferlist: [{ address: a, amount: "0", unlockdate: "0", memo: "hi" }],
    token: "0",
  };
  const group = (params: object): Promise<{ summary: string }> =>
    client.group([
      ["exchange", a, { ...X1, toAddr: b, ...params }],
      ["multitransfer", b, greeting],
    ]);
  const toTkey = client.ledger.key(stranger);
  assert.equal((await group({ toTkey })).summary, "0: 401 2010 toSign");
  assert.equal((await group({ toTkey: await client.usedKey(b) })).summary, "0: 409 2021 toTkey");
  assert.equal((await group({ toTkey: "abc" })).summary, "0: 401 2020 toTkey");
  const key = client.ledger.key(a);
  assert.equal((await group({ fromTkey: key, toTkey: key })).summary, "0: 409 2021 toTkey");
  assert.equal((await group({})).summary, "done");
});

test("protocols §2.5: whoever replays a block gets both signatures to check, each with the text of its side", async () => {
  using ledger = await TestLedger.begin({ supply: "1000" });
  const a = ledger.treasury;
  const [b] = (await ledger.createAddresses(1)) as [Address];
  const signature = "MAYCAQECAQE=";
  const gold = { owner: b, symbol: "G", name: "Gold", totalsupply: "300" };
  const tkey = ledger.key(b);
  await ledger.done(
    operationOf(tokenSave, { ...gold, Temporarykey: ledger.key(b), signature }, b),
    operationOf(tokenCreate, { tkey, signature }, b, { name: "Gold" }),
  );
  const keys = { fromTkey: ledger.key(a), toTkey: ledger.key(b) };
  const signatures = { fromSign: signature, toSign: "MAYCAQICAQI=" };
  const amounts = { fromAmount: "100", fromToken: "0", toAmount: "30", toToken: "1" };
  await ledger.done(
    operationOf(exchange, { fromAddr: a, toAddr: b, ...amounts, ...keys, ...signatures }, a),
  );
  const claims: SignatureClaim[] = [];
  replay(ledger.blocks, (claim) => claims.push(claim)).database.close();
  assert.deepEqual(
    claims.slice(-2).map(({ position, signedTexts, signature }) => ({
      ...{ position, signedTexts, signature },
    })),
    [
      {
        position: 0,
        signedTexts: [`${a}|100|0||||${b}|30|1|${keys.fromTkey}`],
        signature: signatures.fromSign,
      },
      {
        position: 0,
        signedTexts: [`${b}|30|1||||${a}|100|0|${keys.toTkey}`],
        signature: signatures.toSign,
      },
    ],
  );
});

test("protocols §2.7: a repeat leaves no trace, also when to's key has been forgotten", async () => {
  using stage = await start();
  const { client, a, b } = stage;
  const { now } = client;
  const day = 86_400;
  const fromTkey = client.ledger.key(a, now + day);
  const sent = { ...X1, toAddr: b, fromTkey, toTkey: client.ledger.key(b, now + 1) };
  assert.equal((await client.send("exchange", a, sent)).summary, "done");
  client.now = now + day + 2;
  // Old keys are forgotten after so many operations.
  const greeting = [{ address: client.issuer, amount: "0", unlockdate: "0", memo: "hello" }];
  const hello = { transferlist: greeting, token: "0" };
  await client.block(Array.from({ length: 1000 }, () => ["multitransfer", a, hello] as const));
  const keys = (): number =>
    Number(client.ledger.database.prepare("SELECT count(*) AS n FROM used_key").get()?.["n"]);
  const before = keys();
  const answers = await client.block([
    ["exchange", a, sent],
    ["multitransfer", a, hello],
  ]);
  assert.deepEqual(
    answers.map(({ summary: reported }) => reported),
    ["repeat", "done"],
  );
  assert.equal(keys(), before + 1, "that of the other operation");
});
