import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { after, before, beforeEach, describe, test } from "node:test";
import { derivedId } from "@moneta/ledger";
import type { Address } from "@moneta/protocol";
import {
  type Element,
  ones,
  type BatchResult as Result,
  resultSummaryOf,
  resultsOf,
  transferElements,
  without,
} from "../../testing/requests/batch-requests.ts";
import { signedRequest } from "../../testing/requests/signed-request.ts";
import { createRequest, saveRequest } from "../../testing/requests/token-requests.ts";
import {
  type Answered,
  type KeyHolder,
  parsed,
  publicPem,
  signatureOf,
  summaryOf,
  TestNode,
} from "../../testing/test-node.ts";
import { until } from "../../testing/until.ts";

let node: TestNode;
let a: KeyHolder;
let b: KeyHolder;
before(async () => {
  node = await TestNode.start();
  a = await node.holder({ coins: 100_000n });
  b = await node.holder();
});
after(() => node[Symbol.asyncDispose]());

async function sent(
  operations: readonly unknown[],
  to: TestNode = node,
): Promise<readonly Result[]> {
  return resultsOf(await to.postJson("/batch", { operations }));
}

async function coins(holder: KeyHolder, of = node): Promise<bigint> {
  return BigInt((await of.balances(holder, "0"))[0] ?? "0");
}

test("batches §1.3: of 1,000 transfers the one without funds is 5001 with its index, the others are done", async () => {
  const before = [await coins(a), await coins(b)] as const;
  const amounts = ones(1000).with(499, 1_000_000_000);
  const results = await sent(await transferElements(node, [a, b], amounts));
  assert.deepEqual(
    results.map(resultSummaryOf),
    amounts.map((amount, index) => (amount === 1 ? "200" : `400 5001 at ${index}`)),
  );
  assert.equal(await coins(a), before[0] - 999n);
  assert.equal(await coins(b), before[1] + 999n);
});

test("batches §1.3: what an earlier operation brings can be spent, and a draft and a token can be used at once", async () => {
  const [seller, buyer] = [await node.holder({ coins: 10n }), await node.holder()];
  const save = await saveRequest(node, seller, { totalsupply: "1000", decimal: "0" });
  const create = await createRequest(node, seller, "Gold", { isFull: true });
  const [saved, created] = await sent([
    { operation: "tokensave", ...save.texts },
    { operation: "tokencreate", ...create.texts },
  ]);
  assert.deepEqual([saved?.status, created?.status], [200, 200], JSON.stringify(created));
  assert.match(String(saved?.result), /^K/);
  assert.equal(created?.result, null);
  const token = /^\/token\/(\d+)$/.exec(created?.location ?? "")?.[1] ?? "";
  const full = { signed: "full" } as const;
  const terms = { mrc010id: token, amount: "100", token: "0", price: "3" };
  const sell = await signedRequest(node, "mrc010sell", seller, terms, full);
  const first = derivedId("DEX010", seller.address as Address, sell.tkey);
  const pay = await node.fullTransfer(seller, { to: buyer.address, amount: "9" });
  const buy = await signedRequest(node, "mrc010buy", buyer, { dexid: first, amount: "3" });
  const dearer = { ...terms, amount: "3", price: "5" };
  const sellOn = await signedRequest(node, "mrc010sell", buyer, dearer, full);
  const results = await sent([
    { operation: "mrc010sell", ...sell.texts },
    { operation: "transfer", ...pay },
    { operation: "mrc010buy", ...buy.texts },
    { operation: "mrc010sell", ...sellOn.texts },
  ]);
  assert.deepEqual(
    results.map(resultSummaryOf),
    ["200", "200", "200", "200"],
    JSON.stringify(results),
  );
  const [{ result } = { result: undefined }] = results;
  assert.equal((result as { mrc010dexid: string }).mrc010dexid, first);
  assert.deepEqual(await node.balances(buyer, "0"), ["0"]);
});

test("a full signature over the newest draft means the draft that is saved before it in the batch", async () => {
  const owner = await node.holder();
  assert.equal(
    summaryOf(await node.post("/token", (await saveRequest(node, owner, { name: "Old" })).params)),
    "200",
  );
  const save = await saveRequest(node, owner, { name: "New", symbol: "NEW" });
  const create = await createRequest(node, owner, "New", { isFull: true });
  node.now += 1;
  const [, created] = await sent([
    { operation: "tokensave", ...save.texts },
    { operation: "tokencreate", ...create.texts },
  ]);
  const token = parsed<{ name: string }>(await node.get(created?.location ?? ""));
  assert.equal(token.name, "New");
});

test("batches §1.3: a malformed element, an unknown operation, a wrong signature and a used key are refused one by one, the others are done", async () => {
  const [good = {}, other = {}, used = {}, wrong = {}, last = {}] = await transferElements(
    node,
    [a, b],
    ones(5),
  );
  assert.equal(summaryOf(await node.post("/transfer", without(used, "operation"))), "200");
  const before = await coins(b);
  const results = await sent([
    good,
    { ...other, amount: "x" },
    { ...other, operation: "nonce" },
    { ...wrong, amount: "2" },
    { ...used, ...(await anew(used, "2")) },
    { ...good, amount: "2" },
    "transfer",
    null,
    [good],
    {},
    { ...other, operation: "faucet" },
    { ...other, operation: "batch" },
    { ...other, operation: 7 },
    last,
  ]);
  assert.deepEqual(results.map(resultSummaryOf), [
    "200",
    "400 1101 amount at 1",
    "400 3005 operations[2].operation at 2",
    "401 2010 signature at 3",
    "409 2021 checkkey at 4",
    // Its key was used by the first element, so that its signature does not matter.
    "409 2021 checkkey at 5",
    "400 1007 operations[6] at 6",
    "400 1007 operations[7] at 7",
    "400 1007 operations[8] at 8",
    "400 1000 operations[9].operation at 9",
    "400 3005 operations[10].operation at 10",
    "400 3005 operations[11].operation at 11",
    "400 3005 operations[12].operation at 12",
    "200",
  ]);
  assert.equal(await coins(b), before + 2n);
});

/** The same key for another amount, rightly signed. */
async function anew(element: Element, amount: string): Promise<Element> {
  const checkkey = element["checkkey"] as string;
  return await node.transfer(a, { to: b.address, amount, checkkey });
}

test("names given twice, depth and numbers of parameters count for each element by itself", async () => {
  const [first = {}, second = {}] = await transferElements(node, [a, b], ones(2));
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const many = Array.from({ length: 1001 }, (_, index) => `"m${index}":1`).join(",");
  const answer = await node.postJson(
    "/batch",
    `{ "other": [1], "operations" : [ ${JSON.stringify(first)} ,
      {"operation":"transfer","to":"a","to":"a"}, {"operation":"transfer","to":${deep}},
      {"operation":"transfer",${many}}, {"to":"]}","operation":"transfer"},
      ${JSON.stringify({ ...without(second, "operation"), operation: "transfer" })} ] }`,
  );
  assert.deepEqual(resultsOf(answer).map(resultSummaryOf), [
    "200",
    "400 1007 operations[1] at 1",
    "400 1007 operations[2] at 2",
    "413 9413 at 3",
    "400 1000 from at 4",
    "200",
  ]);
});

const verifications = (): Promise<number> => node.metric("moneta_signature_verifications_total");

test("batches §1.3: a signature that does not fit is verified as often in a batch, and in a stream of lines, as alone", async () => {
  const from = await node.holder({ curve: "secp521r1" });
  const wrong = (await transferElements(node, [from, b], ones(33))).map((one) => ({
    ...one,
    amount: "2",
  }));
  const [alone = {}, ...others] = wrong;
  const before = await verifications();
  assert.equal(
    summaryOf(await node.post("/transfer", without(alone, "operation"))),
    "401 2010 signature",
  );
  const each = (await verifications()) - before;
  const results = await sent(others.slice(0, 16));
  const body = others.slice(16).map((one) => JSON.stringify(one));
  const lines = await node.request("/batch", {
    method: "POST",
    body: body.join("\n"),
    headers: { "Content-Type": "application/x-ndjson" },
  });
  const all = [
    ...results,
    ...lines.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ];
  assert.deepEqual(new Set(all.map(({ problem }) => problem?.code)), new Set(["2010"]));
  assert.equal(await verifications(), before + 33 * each);
});

test("batches §1.3: the same batch again gets the same results, and nothing moves twice", async () => {
  const elements = await transferElements(node, [a, b], [1, "x", 2]);
  const created = {
    operation: "address",
    publickey: publicPem(b.privateKey),
    idempotency_key: "k",
  };
  const first = await sent([...elements, created, created]);
  const balance = await coins(b);
  const again = await sent([...elements, created, created]);
  const withoutKeys = (results: readonly Result[]): unknown =>
    results.map(({ temporary_key, ...rest }) => ({ ...rest, hasKey: temporary_key !== undefined }));
  assert.deepEqual(withoutKeys(again), withoutKeys(first));
  assert.deepEqual(
    first.map(({ status }) => status),
    [200, 400, 200, 200, 200],
  );
  assert.match(String(first[3]?.result), /^MT/);
  assert.equal(first[4]?.result, first[3]?.result);
  assert.equal(await coins(b), balance);
});

test("every signed result has a fresh temporary key, and Ledger-Height is that of the newest block among them", async () => {
  const elements = await transferElements(node, [a, b], ones(3));
  const answer = await node.postJson("/batch", { operations: elements });
  const results = resultsOf(answer);
  const height = await node.height();
  assert.equal(answer.headers.get("ledger-height"), String(height));
  const checkkey = results[2]?.temporary_key ?? "";
  const params = await node.transfer(a, { to: b.address, amount: "1", checkkey });
  assert.equal(summaryOf(await node.post("/transfer", params)), "200");
  // A repeat is in the block in which it was done.
  const again = await node.postJson("/batch", { operations: elements });
  assert.equal(again.headers.get("ledger-height"), String(height));
});

const SIZES: readonly { readonly about: string; readonly body: string; readonly is: string }[] = [
  { about: "no operations", body: '{"operations":[]}', is: "400 3002 operations" },
  {
    about: "1,001 operations",
    body: `{"operations":[${Array(1001).fill('{"operation":"transfer"}').join(",")}]}`,
    is: "400 3002 operations",
  },
  {
    about: "4 MiB + 1",
    body: `{"operations":[${" ".repeat((4 << 20) - 16)}]}`,
    is: "413 9413",
  },
  { about: "no object", body: "[]", is: "400 1007" },
  { about: "operations twice", body: '{"operations":[{}],"operations":[{}]}', is: "400 1007" },
  { about: "operations absent", body: "{}", is: "400 1000 operations" },
  { about: "operations null", body: '{"operations":null}', is: "400 1000 operations" },
  { about: "operations no array", body: '{"operations":{}}', is: "400 1007 operations" },
  { about: "nothing", body: "", is: "400 1000 operations" },
  { about: "an element that does not end", body: '{"operations":[{"a":[}]', is: "400 1007" },
];
for (const { about, body, is } of SIZES) {
  test(`batches §1.1: ${about}: ${is}`, async () => {
    const height = await node.height();
    assert.equal(summaryOf(await node.postJson("/batch", body)), is);
    assert.equal(await node.height(), height);
  });
}

test("batches §1.1: another content type is 9415, and nothing is done where one element is no JSON", async () => {
  const [good = {}] = await transferElements(node, [a, b], ones(1));
  const height = await node.height();
  const form = await node.post("/batch", { operations: JSON.stringify([good]) });
  assert.equal(summaryOf(form), "415 9415");
  assert.match(form.text, /send application\/json/);
  const text = `{"operations":[${JSON.stringify(good)},{"operation":"transfer","to":tru}]}`;
  const answer = await node.postJson("/batch", text);
  assert.equal(summaryOf(answer), "400 1007");
  assert.match(answer.text, /in operations\[1\]/);
  assert.equal(await node.height(), height);
});

test("batches §1.5: no block gets more than 500 entries of one batch, which would hold up all others", async () => {
  const from = await node.holder({ coins: 10_000n });
  const keys = (await node.transfers(from, b, ones(12))).map(({ checkkey }) => checkkey);
  const entry = { address: b.address, amount: "1", unlockdate: "0", tag: "", memo: "" };
  const transferlist = JSON.stringify(Array.from({ length: 100 }, () => entry));
  const operations = keys.map((checkkey) => {
    const text = [from.address, transferlist, "0", checkkey].join("|");
    const signed = { from: from.address, transferlist, token: "0", checkkey };
    return { operation: "multitransfer", ...signed, signature: signatureOf(text, from) };
  });
  const results = await sent(operations);
  assert.deepEqual(new Set(results.map(resultSummaryOf)), new Set(["200"]));
  const blocks = Map.groupBy(results, ({ transaction_id: id = "" }) => id.slice(0, 16));
  const largest = Math.max(...[...blocks.values()].map(({ length }) => length));
  assert.ok(largest <= 5, `${largest} multitransfers of 100 in one block`);
});

test("batches §1.5: each operation counts as a request, each new address in its own limit, and the rest is 9001", async () => {
  const limits = ["--rate-limit", "40", "--address-rate-limit", "3", "--trust-proxy", "1"];
  await using own = await TestNode.start(...limits);
  const people = [await own.holder({ coins: 1000n }), await own.holder()] as const;
  const elements = [
    ...(await transferElements(own, people, ones(25), { "X-Forwarded-For": "192.0.2.7" })),
    ...(await transferElements(own, people, ones(25), { "X-Forwarded-For": "192.0.2.8" })),
  ];
  const send = (operations: readonly Element[], client: string): Promise<Answered> =>
    own.postJson("/batch", { operations }, { "X-Forwarded-For": client });
  const results = resultsOf(await send(elements, "192.0.2.1"));
  assert.deepEqual(
    results.map(resultSummaryOf),
    elements.map((_, index) => (index < 40 ? "200" : `429 9001 at ${index}`)),
  );
  assert.ok((results.at(-1)?.problem?.retry_after ?? 0) > 0);
  assert.equal(summaryOf(await send(elements, "192.0.2.1")), "429 9001");
  const address = { operation: "address", publickey: publicPem(people[0].privateKey) };
  const made = resultsOf(await send(Array(5).fill(address), "192.0.2.2"));
  assert.deepEqual(
    made.map(({ status }) => status),
    [200, 200, 200, 429, 429],
  );
});

describe("a batch that does not end", () => {
  let own: TestNode;
  let from: KeyHolder;
  let to: KeyHolder;
  before(async () => {
    own = await TestNode.start("--queue-max", "500", "--block-operations-max", "8");
    from = await own.holder({ coins: 10_000n });
  });
  beforeEach(async () => {
    to = await own.holder();
  });
  after(() => own[Symbol.asyncDispose]());

  /** Runs something at the first result of 300 transfers, and returns how many were done. */
  async function brokenOff(run: () => unknown): Promise<{
    readonly elements: readonly Element[];
    readonly results: readonly Result[];
    readonly done: number;
  }> {
    const elements = await transferElements(own, [from, to], ones(300));
    own.running.service.queue.once("result", run);
    const results = await sent(elements, own);
    const done = results.filter(({ status }) => status === 200).length;
    assert.ok(done > 0 && done < 300, `${done}`);
    assert.deepEqual(
      results.map(resultSummaryOf),
      elements.map((_, index) => (index < done ? "200" : `503 9002 at ${index}`)),
    );
    return { elements, results, done };
  }

  test("batches §1.5: while the queue is full for 5 s a prefix is done and the suffix is 9002, to be sent again", async () => {
    const { queue } = own.running.service;
    const { elements, results, done } = await brokenOff(() => queue.hold(1000, 0));
    assert.equal(results.at(-1)?.problem?.retry_after, 1);
    assert.equal(await coins(to, own), BigInt(done));
    // Nothing was admitted: the request as a whole is refused.
    const refused = await own.postJson("/batch", { operations: elements.slice(done) });
    assert.equal(summaryOf(refused), "503 9002");
    assert.equal(refused.headers.get("retry-after"), "1");
    queue.release(1000, 0);
    assert.ok((await sent(elements.slice(done), own)).every(({ status }) => status === 200));
    assert.equal(await coins(to, own), 300n);
  });

  test("a client that disconnects leaves what was admitted to be done, and the same batch does each once", async () => {
    const elements = await transferElements(own, [from, to], ones(300));
    const body = JSON.stringify({ operations: elements });
    const socket = connect(Number(new URL(own.url).port), "127.0.0.1");
    const { queue } = own.running.service;
    queue.once("result", () => socket.destroy());
    socket.write(
      `POST /batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await once(socket, "close");
    await queue.drain();
    let done = -1n;
    await until(async () => {
      const before = done;
      done = await coins(to, own);
      return done === before;
    });
    assert.ok(done > 0n && done < 300n, `${done}`);
    assert.ok((await sent(elements, own)).every(({ status }) => status === 200));
    assert.equal(await coins(to, own), 300n);
  });

  test("a shutdown in the middle answers what was admitted and refuses the rest with 9002", async () => {
    let stopped: Promise<void> | undefined;
    const { done } = await brokenOff(() => {
      stopped = own.stop();
    });
    await stopped;
    await own.resume();
    assert.equal(await coins(to, own), BigInt(done));
  });
});

test("other requests are answered while batches run, whatever these are made of", async () => {
  const text = randomBytes(3 << 20)
    .toString("hex")
    .slice(0, 4_000_000);
  const bodies = [
    `{"operations":[${Array(1000).fill('{"operation":"transfer","from":"x"}').join(",")}]}`,
    `{"operations":[{"operation":"transfer","memo":"${text}"}]}`,
    `{"operations":[${"[".repeat(2_000_000)}${"]".repeat(2_000_000)}]}`,
    `{"operations":[${Array(1000)
      .fill(`{"x":{"y":[${"1,".repeat(1900)}1]}}`)
      .join(",")}]}`,
  ];
  let others = 0;
  for (const body of bodies) {
    const received = nextReceived();
    let isAnswered = false;
    const batch = node.postJson("/batch", body).finally(() => {
      isAnswered = true;
    });
    await received;
    for (;;) {
      assert.equal((await node.get("/block")).status, 200);
      if (isAnswered) {
        break;
      }
      others += 1;
    }
    assert.ok(resultsOf(await batch).every(({ status }) => status === 400));
  }
  assert.ok(others > 1, `${others} others were answered meanwhile`);
});

const REQUEST_START = "http.server.request.start";

/** Resolves when the node has read all of the next request. */
function nextReceived(): Promise<void> {
  return new Promise((resolve) => {
    const note = (message: unknown): void => {
      unsubscribe(REQUEST_START, note);
      (message as { readonly request: IncomingMessage }).request.once("end", resolve);
    };
    subscribe(REQUEST_START, note);
  });
}

test("POST /batch waits for the block that Ledger-Height-Min asks for, and answers GET with 405", async () => {
  const answer = await node.postJson("/batch", '{"operations":[{}]}', { "Ledger-Height-Min": "x" });
  assert.equal(summaryOf(answer), "400 3005 Ledger-Height-Min");
  const status = await new Promise((resolve) => {
    httpRequest(`${node.url}/batch`, (response) => {
      response.resume();
      resolve(`${response.statusCode} ${response.headers.allow}`);
    }).end();
  });
  assert.equal(status, "405 POST");
});
