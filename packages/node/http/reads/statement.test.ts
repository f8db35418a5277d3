import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import Papa from "papaparse";
import { exchangeRequest, sendExchange } from "../../testing/requests/exchange-requests.ts";
import { issued } from "../../testing/requests/token-requests.ts";
import { type KeyHolder, parsed, summaryOf, TestNode } from "../../testing/test-node.ts";

// A history as CSV for people: chain §10.

let node: TestNode;
let ann: KeyHolder;
let bob: KeyHolder;
let gold: string;
let gems: string;

before(async () => {
  node = await TestNode.start();
  [ann, bob] = [await node.holder(), await node.holder()];
  gold = await issued(node, ann, { totalsupply: "1000", decimal: "2" });
  gems = await issued(node, bob, { name: "Gems", totalsupply: "1000", decimal: "0" });
});
after(() => node[Symbol.asyncDispose]());

interface Line {
  readonly date: string;
  readonly counterparty: string;
  readonly what: string;
  readonly amount: string;
  readonly token: string;
  readonly fee: string;
  readonly balance: string;
  readonly memo: string;
  readonly transaction: string;
}

async function asked(query = "", accept = "text/csv;profile=statement"): Promise<Response> {
  const path = `/address/${ann.address}/transactions${query}`;
  return await fetch(node.url + path, { headers: { Accept: accept } });
}

async function lines(query?: string): Promise<readonly Line[]> {
  const text = await (await asked(query)).text();
  const { data, errors } = Papa.parse<Line>(text, { header: true, skipEmptyLines: true });
  assert.deepEqual(errors, []);
  return data;
}

async function pay(params: Readonly<Record<string, string>>): Promise<void> {
  const full = await node.fullTransfer(ann, { to: bob.address, token: "0", ...params } as never);
  assert.equal(summaryOf(await node.post("/transfer", full)), "200");
}

test("each line has who, what, decimals, the token with its id, the balance counted back, and the memo", async () => {
  await node.pay(ann, 500_000_000n);
  await node.pay(ann, 100_000_000n, { unlockdate: node.now + 1000 });
  await pay({ amount: "150000000", memo: "007" });
  const list = [
    { address: bob.address, amount: "100", unlockdate: "0", tag: "", memo: "first" },
    { address: node.treasury.address, amount: "250", unlockdate: "0", tag: "", memo: "second" },
  ];
  const many = await node.multitransfer(ann, list, { token: gold });
  assert.equal(summaryOf(await node.post("/multitransfer", many)), "200");
  const all = await lines();
  const shown = all.map(({ date, transaction, ...others }) => Object.values(others).join("|"));
  const treasury = node.treasury.address;
  assert.deepEqual(shown.slice(0, 5), [
    `${treasury}|payments|-2.5|GLD #${gold}||6.5|second`,
    `${bob.address}|payments|-1|GLD #${gold}||9|first`,
    `${bob.address}|payment|-1.5|TST #0||4.5|007`,
    `${treasury}|payment|1|TST #0||6|`,
    `${treasury}|payment|5|TST #0||5|`,
  ]);
  const [{ date, transaction } = { date: "", transaction: "" }] = all;
  assert.match(date, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  assert.equal(summaryOf(await node.get(`/transaction/${transaction}`)), "200");
});

test("the fees of an exchange are in the amounts of the side that pays them", async () => {
  const before = await lines();
  const answer = await sendExchange(
    node,
    await exchangeRequest(
      node,
      {
        ...{ fromAmount: "100", fromToken: gold, toAmount: "3", toToken: gems },
        ...{ fromFeesendto: node.treasury.address, fromFeeamount: "25", fromFeetoken: gold },
      },
      { from: ann, to: bob },
    ),
  );
  assert.equal(summaryOf(answer), "200");
  const all = await lines();
  const made = all.slice(0, all.length - before.length);
  assert.deepEqual(
    made.map(({ amount, token, fee, balance }) => [amount, token, fee, balance]).toSorted(),
    [
      ["-1.25", `GLD #${gold}`, "0.25", "5.25"],
      ["3", `GLD #${gems}`, "", "3"],
    ],
  );
});

test("filters leave lines out and change no balance; a cursor, behind which none is known, leaves them empty", async () => {
  const all = await lines();
  const paid = all.filter(({ token }) => token === "TST #0");
  assert.deepEqual(await lines("?token=0"), paid);
  assert.deepEqual(
    await lines("?type=receive"),
    all.filter(({ what, amount }) => what === "payment" && !amount.startsWith("-")),
  );
  const until = Date.parse(`${all.at(-1)?.date}Z`) / 1000;
  const early = all.filter(({ date }) => Date.parse(`${date}Z`) / 1000 <= until);
  assert.deepEqual(await lines(`?until=${until}`), early);
  const path = `/address/${ann.address}/transactions?limit=1`;
  const { cursor } = parsed<{ cursor: string }>(await node.get(path));
  const rest = await lines(`?cursor=${encodeURIComponent(cursor)}`);
  assert.ok(rest.length > 0 && rest.every(({ balance }) => balance === ""));
});

test("a byte order mark and texts that spreadsheets keep come if they are requested, in Accept or the query", async () => {
  for (const answer of [
    await asked("?bom=1&exact=1"),
    await asked("", 'Text/CSV; profile="statement"; bom=1;exact=1'),
  ]) {
    const bytes = new Uint8Array(await answer.arrayBuffer());
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    assert.match(
      new TextDecoder().decode(bytes),
      /,-1\.5,TST #0,,4\.5,"=""007""","=""[0-9a-f]{64}"/,
    );
    const type = answer.headers.get("content-type");
    assert.equal(type, "text/csv; charset=utf-8; header=present; profile=statement");
  }
  assert.match(await (await asked()).text(), /^date,counterparty,.*,4\.5,007,/s);
  assert.equal((await asked("?bom=yes")).status, 400);
  assert.match(await (await asked("", "text/csv")).text(), /^id,db_sn,/);
});

test("what anybody writes into a memo is no formula, also where a program splits lines at semicolons", async () => {
  for (const memo of [
    "=1+1",
    "a;=HYPERLINK()",
    '";=1+1',
    "＝1+1",
    "\t=1",
    "x\n=1+1",
    '"=1',
  ] as const) {
    await pay({ amount: "1", memo });
    for (const query of ["", "?exact=1"]) {
      const [line] = (await (await asked(query)).text()).split("\r\n").slice(1);
      for (const cell of (line ?? "").split(/[;\n,|\t]"*/).slice(1)) {
        assert.doesNotMatch(cell, /^(?:=(?!")|[+@＝]|-(?![0-9.]+$))/, `${memo} ${line}`);
      }
    }
  }
});
