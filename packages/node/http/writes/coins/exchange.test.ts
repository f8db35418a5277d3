import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type GroupMember, signedGroup } from "../../../testing/requests/batch-requests.ts";
import {
  type ExchangeRequest,
  type ExchangeSigning,
  exchangeRequest,
  sendExchange,
  shortText,
  signedExchange,
} from "../../../testing/requests/exchange-requests.ts";
import { issued } from "../../../testing/requests/token-requests.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  parsed,
  signatureOf,
  summaryOf,
  TestNode,
  transactionIdOf,
} from "../../../testing/test-node.ts";

// Source: protocols §2 to §4. All rows go through sockets, with signatures made without our code.

let node: TestNode;
let issuer: KeyHolder;
/** The tokens that the table calls 7 and 9. */
let seven: string;
let nine: string;

before(async () => {
  node = await TestNode.start();
  issuer = await node.holder();
  seven = await issued(node, issuer, { totalsupply: "1000000000", decimal: "0" });
  nine = await issued(node, issuer, { name: "Nine", totalsupply: "1000000000", decimal: "0" });
});
after(() => node[Symbol.asyncDispose]());

interface People {
  readonly a: KeyHolder;
  readonly b: KeyHolder;
  readonly c: KeyHolder;
  readonly f: KeyHolder;
  readonly g: KeyHolder;
  /** When the 50 of A unlock. */
  readonly unlock: number;
}

async function give(to: KeyHolder, token: string, amount: string, unlockdate = 0): Promise<void> {
  const terms = { to: to.address, token, amount, unlockdate: String(unlockdate) };
  const answer = await node.post("/transfer", await node.fullTransfer(issuer, terms));
  assert.equal(summaryOf(answer), "200");
}

/** What everybody has at the start of each case. */
async function people(change: { readonly toFull?: boolean } = {}): Promise<People> {
  const full = change.toFull === true ? { params: { signed: "full" } } : {};
  const [a, b, c, f, g] = (await Promise.all([
    node.holder({ coins: 1000n }),
    node.holder({ coins: 20n, curve: "secp384r1", ...full }),
    node.holder({ curve: "secp521r1" }),
    node.holder(),
    node.holder(),
  ])) as [KeyHolder, KeyHolder, KeyHolder, KeyHolder, KeyHolder];
  const unlock = node.now + 100;
  await Promise.all([
    give(a, seven, "500"),
    give(a, seven, "50", unlock),
    give(b, nine, "300"),
    give(c, nine, "300"),
  ]);
  return { a, b, c, f, g, unlock };
}

/** X1: 100 of 7 for 30 of 9, without fees. */
const x1 = (): Params => ({ fromAmount: "100", fromToken: seven, toAmount: "30", toToken: nine });

type Signing = Omit<ExchangeSigning, "from" | "to">;

/** X1 with changes, signed by A and B. */
async function deal(
  { a: from, b: to }: Pick<People, "a" | "b">,
  change: Params = {},
  signing: Signing = {},
): Promise<ExchangeRequest> {
  return await exchangeRequest(node, { ...x1(), ...change }, { from, to, ...signing });
}

async function send(request: ExchangeRequest): Promise<string> {
  return summaryOf(await sendExchange(node, request));
}

/** Sends X1 with changes that both have signed. */
async function dealt(all: People, change: Params = {}, signing: Signing = {}): Promise<string> {
  return await send(await deal(all, change, signing));
}

async function held(holder: KeyHolder, token: string): Promise<string> {
  return (await node.balances(holder, token)).filter((each) => each !== "0").join(" + ");
}

function without(request: ExchangeRequest, ...names: readonly string[]): ExchangeRequest {
  return Object.fromEntries(Object.entries(request).filter(([name]) => !names.includes(name)));
}

/** The 18 parameters of the records. */
function recorded(request: ExchangeRequest): readonly string[] {
  const names = ["Addr", "Amount", "Token", "Feesendto", "Feeamount", "Feetoken", "Tag", "Memo"];
  return ["from", "to"].flatMap((side) =>
    [...names, "Sign"].map((name) => request[`${side}${name}`] ?? ""),
  );
}

test("protocols §2.3: what A and B sign", async () => {
  const all = await people();
  const { a, b } = all;
  const request = await deal(all);
  const { fromTkey = "", toTkey = "" } = request;
  const texts = [
    `${a.address}|100|${seven}||||${b.address}|30|${nine}|${fromTkey}`,
    `${b.address}|30|${nine}||||${a.address}|100|${seven}|${toTkey}`,
  ] as const;
  assert.deepEqual([shortText("from", request), shortText("to", request)], texts);
  const signatures = {
    fromSign: signatureOf(texts[0], a, { form: "ieee-p1363", text: "base64url" }),
    toSign: signatureOf(texts[1], b, { digest: "sha512" }),
  };
  assert.equal(await send({ ...request, ...signatures }), "200");
});

test("protocols §3: keys in the path or in the body, of a form or of JSON", async () => {
  const all = await people();
  const types: unknown[] = [];
  for (const way of ["path", "form", "json"]) {
    const request = await deal(all, { fromAmount: "10", toAmount: "3" });
    const { fromTkey, toTkey, ...rest } = request;
    const answer =
      way === "path"
        ? await node.post(`/exchange/${fromTkey}/${toTkey}`, rest)
        : way === "form"
          ? await node.post("/exchange", request)
          : await node.postJson("/exchange", { ...request, fromAmount: 10, toAmount: 3 });
    const { type, parameters, effects } = await node.transaction(transactionIdOf(answer));
    assert.deepEqual(parameters, recorded(request));
    types.push([type, effects.map((effect) => effect.type)]);
    assert.match(answer.headers.get("replay-nonce") ?? "", /^K/);
    assert.deepEqual(parsed(answer), { transaction_id: answer.headers.get("transaction-id") });
  }
  assert.deepEqual(types, Array(3).fill(["exchange", ["exchangePair"]]));
});

test("protocols §2.8: Replay-Nonce is a key of the from side", async () => {
  const all = await people();
  const answer = await sendExchange(node, await deal(all));
  const fromTkey = answer.headers.get("replay-nonce") ?? "";
  assert.equal(await dealt(all, { fromTkey }), "200");
});

test("protocols §4 rows 17 and 18: a submitter changes nothing that both have signed", async () => {
  const all = await people();
  const { a, b, c, f } = all;
  const fee = { fromFeesendto: f.address, fromFeeamount: "5", fromFeetoken: "0" };
  const request = await deal(all, fee);
  const { fromSign = "", toSign = "" } = request;
  // C in the place of B, with all that C can sign, or with only its key or its signature.
  const place = { ...request, toAddr: c.address, toTkey: await node.key(c) };
  const inPlace = { ...signedExchange(node, place, { from: a, to: c }), fromSign };
  const withKey = await deal(all, { ...fee, toTkey: await node.key(c) }, { toSigner: c });
  const signedByC = await deal(all, fee, { toSigner: c });
  const own = ["Addr", "Amount", "Token"].map((name) => request[`to${name}`] ?? "");
  const published = [...own, "", "", "", ...own, request["toTkey"]].join("|");
  for (const [change, refused] of [
    [{ toSign: "" }, "400 1000 toSign"],
    [{ fromSign: "" }, "400 1000 fromSign"],
    [{ toSign: "abc!" }, "401 2230 toSign"],
    [{ fromSign: "abc!" }, "401 2230 fromSign"],
    [{ fromSign: toSign, toSign: fromSign }, "401 2010 fromSign"],
    [{ toAmount: "29" }, "401 2010 fromSign"],
    [{ fromAmount: "101" }, "401 2010 fromSign"],
    [{ fromToken: nine, toToken: seven }, "401 2010 fromSign"],
    [{ toFeesendto: c.address, toFeeamount: "10", toFeetoken: nine }, "401 2010 toSign"],
    [{ fromFeesendto: "", fromFeeamount: "", fromFeetoken: "" }, "401 2010 fromSign"],
    [{ fromFeesendto: c.address }, "401 2010 fromSign"],
    [{ fromFeeamount: "6" }, "401 2010 fromSign"],
    [inPlace, "401 2010 fromSign"],
    [withKey, "401 2020 toTkey"],
    [signedByC, "401 2010 toSign"],
    [{ toSign: signatureOf(published, b) }, "401 2010 toSign"],
  ] as const) {
    assert.equal(await send({ ...request, ...change }), refused, JSON.stringify(change));
  }
  assert.equal(await held(b, nine), "300");
  assert.equal(await send(request), "200");
});

test("protocols §2.4: tags and memos are covered by full signatures alone", async () => {
  const all = await people();
  for (const name of ["fromTag", "fromMemo", "toTag", "toMemo"]) {
    const terms = { fromAmount: "10", toAmount: "3", [name]: "rent" };
    const full = await deal(all, terms, { isFull: true });
    assert.equal(await send({ ...full, [name]: "bribe" }), "401 2010 fromSign");
    const short = await deal(all, terms);
    const answer = await sendExchange(node, { ...short, [name]: "bribe" });
    const { parameters } = await node.transaction(transactionIdOf(answer));
    assert.ok(parameters.includes("bribe"));
  }
});

/** The same deal with the sides written in the other order. */
function turned(request: ExchangeRequest): ExchangeRequest {
  return Object.fromEntries(
    Object.entries(request).map(([name, text]) => [
      name.startsWith("from") ? `to${name.slice(4)}` : `from${name.slice(2)}`,
      text,
    ]),
  );
}

test("protocols §2.7: the sides may be written in the other order, once", async () => {
  const all = await people();
  const { a, b } = all;
  const request = await deal(all);
  assert.equal(await send(turned(request)), "200");
  assert.deepEqual([await held(a, nine), await held(b, seven)], ["30", "100"]);
  assert.equal(await send(request), "409 2021 fromTkey");
  assert.equal(await held(a, nine), "30");
});

test("conventions §5.3: the same exchange again is answered and moves nothing", async () => {
  const all = await people();
  const { a, b } = all;
  const request = await deal(all);
  const again = signedExchange(node, without(request, "fromSign", "toSign"), { from: a, to: b });
  const ids = new Set<string>();
  for (const one of [request, request, again]) {
    ids.add(transactionIdOf(await sendExchange(node, one)));
  }
  assert.equal(ids.size, 1);
  assert.equal(await held(a, nine), "30");
  const wrong = { ...request, fromSign: again["toSign"] as string };
  assert.equal(await send(wrong), "200", "a repeat is answered before its signature is looked at");
});

test("conventions §4.6: kinds of keys that serve an exchange", async () => {
  const all = await people();
  const { a, b } = all;
  const terms = { fromAmount: "1", toAmount: "1" };
  for (const kind of ["exchange", "transfer", "token", undefined]) {
    const keys = { fromTkey: await node.key(a, kind), toTkey: await node.key(b, kind) };
    assert.equal(await dealt(all, { ...terms, ...keys }), "200", String(kind));
  }
  for (const [side, own] of [
    ["from", a],
    ["to", b],
  ] as const) {
    const key = { [`${side}Tkey`]: await node.key(own, "multitransfer") };
    assert.equal(await dealt(all, { ...terms, ...key }), `401 2020 ${side}Tkey`);
  }
  const checkkey = await node.key(a, "exchange");
  const transfer = await node.transfer(a, { to: b.address, amount: "1", checkkey });
  assert.equal(summaryOf(await node.post("/transfer", transfer)), "401 2020 checkkey");
});

test("protocols §2.4: in full both sign one text", async () => {
  const all = await people();
  const full = await deal(all, { fromMemo: "for silver" }, { isFull: true });
  const short = signedExchange(node, without(full, "fromSign", "toSign"), {
    ...{ from: all.a, to: all.b },
  });
  const { fromSign = "", toSign = "" } = short;
  assert.equal(await send({ ...full, fromSign }), "401 2010 fromSign");
  assert.equal(await send({ ...full, toSign }), "401 2010 toSign");
  assert.equal(await send(without(full, "signed")), "401 2010 fromSign");
  assert.equal(await send(full), "200");
});

test("protocols §2.4: a side that takes full signatures only", async () => {
  const all = await people({ toFull: true });
  assert.equal(await dealt(all), "401 2010 toSign");
  const turnedRound = turned(await deal(all));
  assert.equal(await send(turnedRound), "401 2010 fromSign");
  assert.equal(await dealt(all, {}, { isFull: true }), "200");
});

async function x1Member({ a, b }: People, change: Params = {}): Promise<GroupMember> {
  const params = {
    ...{ fromAddr: a.address, toAddr: b.address, ...x1() },
    ...{ fromTkey: await node.key(a), toTkey: await node.key(b), ...change },
  };
  return { operation: "exchange", params, by: [a, b] };
}

async function transferMember(
  from: KeyHolder,
  to: KeyHolder,
  amount: string,
): Promise<GroupMember> {
  const params = { from: from.address, to: to.address, token: nine, amount };
  return {
    operation: "transfer",
    params: { ...params, checkkey: await node.key(from) },
    by: [from],
  };
}

async function sendGroup(operations: readonly unknown[], query = ""): Promise<Answered> {
  return await node.postJson(`/group${query}`, { operations });
}

function refusal(answer: Answered): string {
  const { index } = parsed<{ index?: number }>(answer);
  return `${summaryOf(answer)} at ${index}`;
}

test("protocols §2.9: an exchange and what is done with its proceeds, as a group", async () => {
  const all = await people();
  const { a, b, c } = all;
  const operations = signedGroup(node, [await x1Member(all), await transferMember(a, c, "30")]);
  const poor = await people();
  const away = await node.transfer(poor.b, { to: c.address, token: nine, amount: "271" });
  assert.equal(summaryOf(await node.post("/transfer", away)), "200");
  const short = signedGroup(node, [await x1Member(poor), await transferMember(poor.a, c, "30")]);

  const forecast = await sendGroup(operations, "?dry=1");
  const { results } = parsed<{ results: { record: { type: string } }[] }>(forecast);
  assert.deepEqual(
    results.map(({ record }) => record.type),
    ["exchange", "transfer"],
  );
  assert.equal(summaryOf(await sendGroup(operations)), "200");
  assert.deepEqual([await held(a, nine), await held(c, nine)], ["", "601"]);
  assert.equal(await held(b, nine), "270");
  assert.equal(summaryOf(await sendGroup(operations)), "200", "the group again");
  assert.equal(await held(c, nine), "601");

  assert.equal(refusal(await sendGroup(short)), "400 5002 at 0");
  await give(poor.b, nine, "1");
  assert.equal(summaryOf(await sendGroup(short)), "200", "all three keys were unused");
});

test("protocols §2.9: an exchange of a group belongs into it, fully signed by both", async () => {
  const all = await people();
  const { a, b, c } = all;
  const members = [await x1Member(all), await transferMember(a, c, "30")];
  const [{ operation: _, ...alone } = {}, transfer] = signedGroup(node, members);
  assert.equal(await send(alone), "400 3020 group");
  const short = signedExchange(node, alone, { from: a, to: b });
  for (const name of ["fromSign", "toSign"]) {
    const wrong = { operation: "exchange", ...alone, [name]: short[name] as string };
    assert.equal(refusal(await sendGroup([wrong, transfer])), `401 2010 ${name} at 0`);
  }
});
