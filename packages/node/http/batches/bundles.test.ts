import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { derivedId } from "@moneta/ledger";
import { EventStream } from "../../testing/event-stream.ts";
import {
  type Bundled,
  bundleBody,
  payment,
  type SignedBundle,
  sendBundle,
  signedBundle,
} from "../../testing/requests/bundle-requests.ts";
import { issued } from "../../testing/requests/token-requests.ts";
import {
  type Answered,
  type KeyHolder,
  type ProblemBody,
  parsed,
  signatureOf,
  summaryOf,
  TestNode,
} from "../../testing/test-node.ts";

// Source: bundles §1 to §8.

interface Result {
  readonly status: number;
  readonly result?: unknown;
  readonly problem?: ProblemBody & { readonly index: number; readonly at?: number };
}

interface BundleAnswer {
  readonly transaction_id: string;
  readonly results: readonly Result[];
}

let node: TestNode;
let a: KeyHolder;
let b: KeyHolder;
before(async () => {
  node = await TestNode.with({ heightAfterMs: 20 });
  a = await node.holder({ coins: 1_000_000n });
  b = await node.holder({ coins: 10_000n });
});
after(() => node[Symbol.asyncDispose]());

async function send(operations: readonly unknown[], more: object = {}): Promise<Answered> {
  return await sendBundle(node, signedBundle(node, a, await bundleBody(node, a, operations, more)));
}

/** The codes of the results, `200` for what was done. */
function codes(answer: Answered): string[] {
  return parsed<BundleAnswer>(answer).results.map(({ status, problem }) =>
    problem === undefined ? String(status) : `${status} ${problem.code}`,
  );
}

function indexOf(answer: Answered): number | undefined {
  return parsed<{ index?: number }>(answer).index;
}

const RICH = String(10n ** 20n);

describe("500 transfers, the last without funds", () => {
  const operations = (): Bundled[] =>
    Array.from({ length: 500 }, (_, index) => payment(a, b, index === 499 ? RICH : "1"));
  test("bundles §4.1: 5001 with index 499, and nothing is done", async () => {
    const before = await node.balances(b);
    const answer = await send(operations());
    assert.equal(summaryOf(answer), "400 5001");
    assert.equal(indexOf(answer), 499);
    assert.deepEqual(await node.balances(b), before);
  });
  test("bundles §4.2: skip 5001: 499 are done, and the last has its problem", async () => {
    const holder = await node.holder();
    const all = operations().map((operation) => ({ ...operation, to: holder.address }));
    const answer = await send(all, { skip: ["5001"] });
    assert.equal(summaryOf(answer), "200");
    assert.deepEqual(codes(answer), [...Array(499).fill("200"), "400 5001"]);
    assert.deepEqual(await node.balances(holder), ["0: 499"]);
    assert.equal(answer.headers.get("transaction-id"), parsed<BundleAnswer>(answer).transaction_id);
    assert.notEqual(answer.headers.get("replay-nonce"), null);
  });
});

test("bundles §8.1: 501 operations, and 6 lists of 100 payees, 3 lists of 100 items, 51 unit items, and a dry run of 101: 3002", async () => {
  assert.equal(summaryOf(await send(Array(501).fill(payment(a, b, "1")))), "400 3002 operations");
  const list = Array(100).fill({ address: b.address, amount: "1", unlockdate: "0" });
  const many = { operation: "multitransfer", from: a.address, token: "0", transferlist: list };
  assert.equal(summaryOf(await send(Array(6).fill(many))), "400 3002 operations");
  const itemdata = Array.from(
    { length: 100 },
    (_, index) => `${"MRC400_".padEnd(40, "0")}_${String(index).padStart(40, "0")}`,
  );
  const unsell = { operation: "mrc401unsell", itemdata };
  assert.equal(summaryOf(await send([unsell, unsell, unsell])), "400 3002 operations");
  assert.equal(summaryOf(await send([unsell, unsell])), "404 6004 itemdata[0]");
  const unit = {
    ...{ operation: "mrc402create", creator: a.address, name: "U" },
    ...{ url: "https://a.example/", imageurl: "https://a.example/i.png" },
  };
  assert.equal(summaryOf(await send(Array(51).fill(unit))), "400 3002 operations");
  assert.equal(summaryOf(await send([])), "400 3002 operations");
  const body = await bundleBody(node, a, Array(101).fill(payment(a, b, "1")));
  const dry = await sendBundle(node, { body, signature: "" }, { query: "?dry=1" });
  assert.equal(summaryOf(dry), "400 3002 operations");
});

test("bundles §1.1: a body of more than 1 MiB: 9413", async () => {
  const memo = "m".repeat(2048);
  const all = Array(500).fill(payment(a, b, "1", { memo, tags: "é".repeat(64) }));
  assert.equal(summaryOf(await send(all)), "413 9413");
});

describe("the signature", () => {
  test("bundles §2: of other bytes, or for another ledger: 2010; none: 1000", async () => {
    const body = await bundleBody(node, a, [payment(a, b, "1")]);
    const right = signedBundle(node, a, body);
    for (const changed of [` ${body}`, `${body}\n`, body.replace('"1"', '"2"')]) {
      const answer = await sendBundle(node, { ...right, body: changed });
      assert.equal(summaryOf(answer), "401 2010 signature");
      assert(!answer.text.includes('"index"'), "the signature is that of all operations");
    }
    const elsewhere = signatureOf(`moneta|1|${"0".repeat(64)}|bundle|${body}`, a);
    assert.equal(
      summaryOf(await sendBundle(node, { body, signature: elsewhere })),
      "401 2010 signature",
    );
    const headers = { "Content-Type": "application/json" };
    const bare = await node.request("/bundle", { method: "POST", body, headers });
    assert.equal(summaryOf(bare), "400 1000 signature");
    assert.equal(summaryOf(await sendBundle(node, right)), "200");
  });

  test("bundles §1: stands in the query as well; two that differ are 1005", async () => {
    const one = signedBundle(node, a, await bundleBody(node, a, [payment(a, b, "1")]));
    const query = `?signature=${encodeURIComponent(one.signature)}`;
    const headers = { "Content-Type": "application/json" };
    const both = await sendBundle(node, { ...one, signature: "AAAA" }, { query });
    assert.equal(summaryOf(both), "400 1005 signature");
    const request = { method: "POST", body: one.body, headers };
    assert.equal(summaryOf(await node.request(`/bundle${query}`, request)), "200");
  });

  test("bundles §2: an address that accepts full signatures only signs bundles", async () => {
    const full = await node.holder({ coins: 100n, params: { signed: "full" } });
    const body = await bundleBody(node, full, [payment(full, b, "1")]);
    assert.equal(summaryOf(await sendBundle(node, signedBundle(node, full, body))), "200");
  });
});

describe("the form of a bundle", () => {
  for (const { what, operation, more = {}, refused, index } of [
    { what: "a signature", operation: { signature: "AAAA" }, refused: "400 3005 signature" },
    { what: "signed", operation: { signed: "full" }, refused: "400 3005 signed" },
    { what: "a temporary key", operation: { checkkey: "K" }, refused: "400 3005 checkkey" },
    { what: "its other name", operation: { tkey: "K" }, refused: "400 3005 tkey" },
    { what: "a group", operation: { group: "0".repeat(64) }, refused: "400 3005 group" },
    { what: "an unknown name", operation: { memos: "m" }, refused: "400 1008 memos" },
    { what: "another sender", operation: { from: "B", to: "A" }, refused: "403 7001" },
    ...["exchange", "protocol", "address", "bundle", "group", "addresskeys", "faucet"].map(
      (name) => ({
        what: name,
        operation: { operation: name },
        refused: "400 3005 operations[1].operation",
      }),
    ),
    {
      what: "a bad URL, which skip does not cover",
      operation: {
        ...{ operation: "mrc400create", owner: "A", name: "n", url: "x", imageurl: "http://a.b" },
        ...{ allowtoken: "0", category: "c", description: "d", itemurl: "http://a.b", data: "{}" },
        ...{ itemimageurl: "http://a.b", from: null, to: null, token: null, amount: null },
      },
      more: { skip: ["*"] },
      refused: "400 3005 url",
    },
    {
      what: "a token that no member names",
      operation: {
        ...{
          operation: "tokenupdate",
          url: "http://a.b",
          info: "i",
          image: "data:image/png;base64,iVBORw0KGgo=",
        },
        ...{ from: null, to: null, token: null, amount: null },
      },
      refused: "400 1000 token",
    },
  ] as {
    what: string;
    operation: Record<string, unknown>;
    more?: object;
    refused: string;
    index?: number;
  }[]) {
    test(`bundles §3: an operation with ${what}: ${refused}`, async () => {
      const own = Object.fromEntries(
        Object.entries({ ...payment(a, b, "1"), ...operation })
          .filter(([, value]) => value !== null)
          .map(([name, value]) => [
            name,
            value === "A" ? a.address : value === "B" ? b.address : value,
          ]),
      );
      const answer = await send([payment(a, b, "1"), own], more);
      assert.equal(summaryOf(answer), refused);
      assert.equal(indexOf(answer), index ?? 1);
    });
  }
  for (const { what, body, refused } of [
    { what: "another member", body: { memo: "m" }, refused: "400 1007" },
    {
      what: "operations that are no array",
      body: { operations: {} },
      refused: "400 1007 operations",
    },
    { what: "no operations", body: { operations: null }, refused: "400 1000 operations" },
    { what: "an actor that is no text", body: { actor: 1 }, refused: "400 1007 actor" },
    { what: "no actor", body: { actor: "" }, refused: "400 1000 actor" },
    { what: "a malformed actor", body: { actor: "MT" }, refused: "400 3190 actor" },
    {
      what: "an unknown actor",
      body: { actor: "MTAlice00000000000000000000000005dc33c90" },
      refused: "404 3090 actor",
    },
    { what: "no key", body: { tkey: "" }, refused: "400 1000 tkey" },
    { what: "what is no key", body: { tkey: "K1" }, refused: "401 2020 tkey" },
    {
      what: "a code that is never skipped",
      body: { skip: ["*", "3005"] },
      refused: "400 3005 skip[1]",
    },
    {
      what: "thousands of codes",
      body: { skip: Array(5000).fill("5001") },
      refused: "400 3002 skip",
    },
  ]) {
    test(`bundles §1: ${what}: ${refused}`, async () =>
      assert.equal(summaryOf(await send([payment(a, b, "1")], body)), refused));
  }

  test("bundles §3: a name twice, in the body and in an operation: 1007", async () => {
    const body = await bundleBody(node, a, [payment(a, b, "1")]);
    for (const changed of [
      body.replace('"tkey":', '"actor":"x","tkey":'),
      body.replace('"amount":', '"amount":"2","amount":'),
      `[${body}]`,
      body.slice(0, -1),
      body.replace('"1"', '"1'),
    ]) {
      const answer = await sendBundle(node, signedBundle(node, a, changed));
      assert.match(summaryOf(answer), /^400 1007/, changed);
    }
  });

  test("bundles §1: a form is 9415, a byte order mark 1006", async () => {
    const signed = signedBundle(node, a, await bundleBody(node, a, [payment(a, b, "1")]));
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    assert.equal(summaryOf(await sendBundle(node, signed, { headers: form })), "415 9415");
    const marked = signedBundle(node, a, `\ufeff${signed.body}`);
    assert.equal(summaryOf(await sendBundle(node, marked)), "400 1006");
  });
});

describe("a repeat", () => {
  test("bundles §7.2: is answered as the first one; skipped operations have code, status and title", async () => {
    const operations = [payment(a, b, "1"), payment(a, b, RICH), payment(a, b, "2")];
    const one = signedBundle(node, a, await bundleBody(node, a, operations, { skip: ["*"] }));
    const first = parsed<BundleAnswer>(await sendBundle(node, one));
    const height = await node.height();
    const again = parsed<BundleAnswer>(
      await sendBundle(node, { ...one, signature: signedBundle(node, a, one.body).signature }),
    );
    assert.equal(await node.height(), height);
    assert.deepEqual(again.results[0], first.results[0]);
    const { type, title, status, code, index } = first.results[1]?.problem ?? {};
    assert.equal(code, "5001");
    const problem = { type, title, status, code, index };
    assert.deepEqual(again.results[1], { status: 400, problem });
  });
});

test("bundles §7: with dry=1 nothing is done, and the result has the record", async () => {
  const body = await bundleBody(node, a, [payment(a, b, "1"), payment(a, b, RICH)], {
    skip: ["*"],
  });
  const height = await node.height();
  const answer = await sendBundle(node, { body, signature: "" }, { query: "?dry=1" });
  assert.equal(summaryOf(answer), "200");
  const [result] = parsed<{ results: { record: { type: string; parameters: string[] } }[] }>(
    answer,
  ).results;
  assert.equal(result?.record.type, "bundle");
  assert.deepEqual(result?.record.parameters.slice(0, 2), ["2", '[[1,"5001"]]']);
  assert.equal(await node.height(), height);
  const refused = await sendBundle(
    node,
    { body: await bundleBody(node, a, [payment(a, b, "1"), payment(a, b, RICH)]), signature: "" },
    { query: "?dry=1" },
  );
  const [problem] = parsed<BundleAnswer>(refused).results;
  assert.deepEqual([problem?.problem?.code, problem?.problem?.index], ["5001", 1]);
});

test("bundles §8: lines of a batch are bundles, each with the results of its operations", async () => {
  const bodies = await Promise.all([
    bundleBody(node, a, [payment(a, b, "1"), payment(a, b, "2")]),
    bundleBody(node, a, [payment(a, b, "1"), payment(a, b, RICH)]),
    bundleBody(node, a, Array(450).fill(payment(a, b, "1"))),
  ]);
  const operations = bodies.map((body) => ({
    operation: "bundle",
    ...signedBundle(node, a, body),
  }));
  const answer = await node.postJson("/batch", { operations });
  const [done, refused, large] = parsed<{ results: [Result, Result, Result] }>(answer).results;
  assert.equal(done.status, 200);
  assert.equal((done.result as BundleAnswer).results.length, 2);
  assert.equal((large.result as BundleAnswer).results.length, 450);
  const { code, index, at } = refused.problem ?? {};
  assert.deepEqual([code, index, at], ["5001", 1, 1]);
});

test("the examples of the chapter are answered as it says", async () => {
  const chapter = readFileSync(
    fileURLToPath(new URL("../../../../docs/specification/bundles.md", import.meta.url)),
    "utf8",
  );
  const blocks = [...chapter.matchAll(/^```(?:json|text)\n(.*?)\n```$/gms)].map(
    ([, text = ""]) => text,
  );
  const [
    first = "",
    string = "",
    signed = "",
    fault = "",
    skipping = "",
    skipped = "",
    received = "",
    again = "",
  ] = blocks;
  assert.equal(blocks.length, 8);
  const alice = await node.holder({ coins: 1000n });
  const bob = await node.holder();
  const names = new Map([
    ["MTAlice00000000000000000000000005dc33c90", alice.address],
    ["MTBob0000000000000000000000000005f59bcba", bob.address],
  ]);
  const TRANSACTION = "00000000000001020000000062838ec1189d0b649eba4bbbac485d6e94fb6834";
  const real = (text: string): string =>
    [...names].reduce((whole, [name, its]) => whole.replaceAll(name, its), text);
  const sent = async (text: string): Promise<SignedBundle> => {
    names.set("K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX", await node.key(alice));
    return signedBundle(node, alice, real(text));
  };
  const answered = async (bundle: SignedBundle): Promise<string> => {
    const { text } = await sendBundle(node, bundle);
    names.set(TRANSACTION, parsed<BundleAnswer>({ text } as Answered).transaction_id);
    return text;
  };

  assert.equal(summaryOf(await sendBundle(node, await sent(first))), "200");
  const body = '{"actor":"MTAlice00000000000000000000000005dc33c90","tkey":"K1","operations":[]}';
  assert.match(string, /^moneta\|1\|[0-9a-f]{64}\|bundle\|/);
  assert.ok(string.endsWith(`|bundle|${body}`));
  assert.deepEqual(JSON.parse(await answered(await sent(signed))), JSON.parse(fault));
  const bundle = await sent(skipping);
  assert.deepEqual(JSON.parse(await answered(bundle)), JSON.parse(real(skipped)));
  assert.deepEqual(JSON.parse(await answered(bundle)), JSON.parse(real(again)));
  const { items } = parsed<{ items: readonly object[] }>(
    await node.get(`/address/${bob.address}/transactions?limit=1`),
  );
  const wanted = JSON.parse(real(received)) as object;
  assert.deepEqual({ ...items[0], ...wanted }, items[0]);
});

describe("what readers see of a bundle", () => {
  let id: string;
  let gold: string;
  let lots: readonly string[];
  before(async () => {
    gold = await issued(node, a, { totalsupply: "1000", decimal: "0" });
    const offer = { operation: "mrc010sell", address: a.address, mrc010id: gold, amount: "5" };
    const terms = { price: "2", token: "0" };
    const body = await bundleBody(node, a, [
      { ...offer, ...terms },
      payment(a, b, "3"),
      { ...offer, ...terms, amount: "7" },
    ]);
    assert.equal(summaryOf(await sendBundle(node, signedBundle(node, a, body))), "200");
    const { tkey } = JSON.parse(body) as { tkey: string };
    lots = [0, 2].map((index) => derivedId("DEX010", a.address, `${tkey}.${index}`));
    const buys = ["5", "7"].map((amount, index) => ({
      ...{ operation: "mrc010buy", dexid: lots[index], address: b.address, amount },
    }));
    const answer = await sendBundle(
      node,
      signedBundle(node, b, await bundleBody(node, b, [...buys, payment(b, a, "1")])),
    );
    assert.equal(summaryOf(answer), "200");
    id = parsed<BundleAnswer>(answer).transaction_id;
  });

  test("bundles §5.5: each trade of a token is in the list of trades, the newest first", async () => {
    const { items } = parsed<{ items: { transaction_id: string; amount: string }[] }>(
      await node.get(`/token/trades/${gold}`),
    );
    assert.deepEqual(
      items.map(({ transaction_id, amount }) => [transaction_id, amount]),
      [
        [id, "7"],
        [id, "5"],
      ],
    );
  });

  test("bundles §5.5: histories have the records of each operation with `at`, CSV as well", async () => {
    const { items } = parsed<{ items: { id: string; type: string; at?: number }[] }>(
      await node.get(`/address/${b.address}/transactions?limit=4`),
    );
    assert.deepEqual(
      items.map((one) => [one.id === id, one.type, one.at]),
      [
        [true, "transfer", 2],
        [true, "transfer_mrc010buy", 1],
        [true, "transfer_mrc010buy", 0],
        [true, "bundle", undefined],
      ],
    );
    const csv = await node.get(`/address/${b.address}/transactions?limit=4`, {
      Accept: "text/csv",
    });
    assert.equal(csv.text.split("\r\n").filter((line) => line.includes(id)).length, 4);
    const all = parsed<{ items: { id: string; type: string }[] }>(
      await node.get("/transactions?limit=3"),
    );
    assert.deepEqual(
      all.items.filter((one) => one.id === id).map(({ type }) => type),
      ["bundle"],
    );
  });

  /** Transactions from the bundle on of which a stream with these filters has events. */
  async function streamed(query: string): Promise<readonly object[]> {
    const height = await node.height();
    const from = Number.parseInt(id.slice(0, 16), 16);
    using stream = await EventStream.open(node.url, `${query}&from=${from}`);
    const transactions: object[] = [];
    for (;;) {
      const { event, data } = await stream.next();
      if (event === "transaction") {
        transactions.push(JSON.parse(data) as object);
      } else if ((JSON.parse(data) as { sn: number }).sn >= height) {
        return transactions;
      }
    }
  }

  test("bundles §5.5: a stream of events has a bundle once if a record of one of its operations matches", async () => {
    const shown = parsed<object>(await node.get(`/transaction/${id}`));
    for (const query of [
      `type=transfer_mrc010buy&address=${b.address}`,
      `type=transfer&address=${b.address}`,
      `type=bundle&address=${b.address}`,
      `item=${lots[1]}`,
      `type=transfer_mrc010buy&token=${gold}`,
      `address=${b.address}`,
    ]) {
      assert.deepEqual([query, await streamed(query)], [query, [shown]]);
    }
    // No record matches both, though one of the bundle matches each.
    assert.deepEqual(await streamed(`type=transfer&item=${lots[1]}`), []);
  });

  test("bundles §5.5: totals count the operations of a bundle, and one leaf proves them", async () => {
    const totals = parsed<{ types: Readonly<Record<string, number>> }[]>(
      await node.get("/totals?step=hour"),
    );
    assert.equal(totals.at(-1)?.types["transfer_mrc010buy"], 2);
    assert.equal(totals.at(-1)?.types["bundle"], undefined);
    const proof = await node.get(`/transaction/${id}/proof`);
    assert.equal(summaryOf(proof), "200");
    const shown = parsed<{ effects: { at: number }[] }>(await node.get(`/transaction/${id}`));
    assert.deepEqual([...new Set(shown.effects.map(({ at }) => at))], [0, 1, 2]);
  });
});
