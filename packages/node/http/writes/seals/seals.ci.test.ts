import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { sha256 } from "@moneta/ledger";
import { keyhashText } from "@moneta/protocol";
import { PostgresServer } from "../../../testing/postgres/postgres-server.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  parsed,
  refusalCode,
  summaryOf,
  TestNode,
  transactionIdOf,
} from "../../../testing/test-node.ts";

// Sealed texts over HTTP: short signatures, answers, reads, races. Source: protocols §6, §7.

const FIELDS = [
  ...["owner", "data", "opendate", "referencekey", "keyhash", "algorithm", "tkey"],
] as const;
const SALT = "9f3c1e0a7b5d2c48";
const KEY = `bid 4200; salt ${SALT}`;
const DAY = 86_400;

let node: TestNode;
let a: KeyHolder;
before(async () => {
  node = await TestNode.start();
});
after(() => node[Symbol.asyncDispose]());
beforeEach(async () => {
  a = await node.holder();
});

/** R1, or what it is with other terms. */
function terms(owner: KeyHolder, given: Params & { readonly key?: string } = {}, of = node) {
  const { key = KEY, ...others } = given;
  const sealed = {
    ...{ owner: owner.address, referencekey: "sealed_bid_1", opendate: String(of.now + DAY) },
    ...{ algorithm: "", data: "", ...others },
  };
  const { ledgerId } = of;
  return { ...sealed, keyhash: sha256.hex(keyhashText({ ...sealed, ledgerId, key })) };
}

async function signed(owner: KeyHolder, params: Params, of = node): Promise<Params> {
  return await of.shortlySigned(owner, FIELDS, params);
}

async function seal(owner: KeyHolder, given: Params = {}): Promise<Answered> {
  return await node.post("/mrc020", await signed(owner, terms(owner, given)));
}

function idOf({ address }: KeyHolder, referencekey = "sealed_bid_1"): string {
  return `MRC020_${address}_${referencekey}`;
}

function open(id: string, key: string = KEY, at = node): Promise<Answered> {
  return at.post(`/mrc020/open/${id}`, { key });
}

async function read<T = Readonly<Record<string, unknown>>>(path: string): Promise<T> {
  const answer = await node.get(path);
  assert.equal(answer.status, 200, answer.text);
  return parsed<T>(answer);
}

test("protocols §7 row 2: anybody opens it at its date, in a form, JSON or the older name", async () => {
  for (const referencekey of ["form", "json", "older"]) {
    assert.equal(summaryOf(await seal(a, { referencekey })), "200");
  }
  node.now += DAY - 1;
  assert.equal(summaryOf(await open(idOf(a, "form"))), "409 7205 mrc020key");
  node.now += 1;
  const answers = [
    await open(idOf(a, "form")),
    await node.postJson(`/mrc020/open/${idOf(a, "json")}`, { key: KEY }),
    await node.post(`/mrc020/open/${idOf(a, "older")}`, { publickey: KEY }),
  ];
  for (const answer of answers) {
    const id = transactionIdOf(answer);
    assert.deepEqual(parsed(answer), { transaction_id: id, txid: id });
    assert.equal(answer.headers.get("replay-nonce"), null, "no account has acted");
  }
  const { is_open, publickey, opened } = await read(`/mrc020/${idOf(a, "older")}`);
  assert.deepEqual([is_open, publickey, opened], [1, KEY, node.now]);
});

test("protocols §6: the key stands in the body alone", async () => {
  assert.equal(summaryOf(await seal(a)), "200");
  const path = `/mrc020/open/${idOf(a)}`;
  for (const name of ["key", "publickey"]) {
    const inQuery = await node.postQuery(path, { [name]: KEY });
    assert.equal(summaryOf(inQuery), "400 3005 key");
    assert.ok(!inQuery.text.includes(SALT));
    const twice = await node.post(`${path}?${new URLSearchParams({ [name]: KEY })}`, { key: KEY });
    assert.equal(summaryOf(twice), "400 3005 key");
  }
});

/** All that anybody can read about what an address has sealed. */
async function everything(owner: KeyHolder): Promise<string> {
  const { height } = await read<{ height: number }>("/ready");
  const paths = [
    ...[`/mrc020/${idOf(owner)}`, `/mrc020?owner=${owner.address}`, `/block/${height}/raw`],
    ...[`/block/${height}`, `/address/${owner.address}/transactions`],
    `/item/${idOf(owner)}/transactions`,
  ];
  const texts = await Promise.all(paths.map(async (path) => (await node.get(path)).text));
  return texts.join("\n");
}

test("protocols §5.4: the key is nowhere before the opening, and everywhere after it", async () => {
  const stream = new AbortController();
  const events = await fetch(`${node.url}/events?item=${idOf(a)}`, { signal: stream.signal });
  const sealed = await seal(a);
  assert.equal(summaryOf(sealed), "200");
  const before = await everything(a);
  const { text: transaction } = await node.get(`/transaction/${transactionIdOf(sealed)}`);
  assert.ok(before.includes(terms(a).keyhash) && transaction.includes(terms(a).keyhash));
  assert.ok(!before.includes(SALT) && !transaction.includes(SALT));

  node.now += DAY;
  const opened = await open(idOf(a));
  const after = await everything(a);
  assert.equal(after.split(KEY).length - 1 >= 5, true, "in each of them");
  const { items } = await read<{ items: Record<string, unknown>[] }>(
    `/address/${a.address}/transactions`,
  );
  const [newest] = items;
  assert.deepEqual(
    [newest?.["type"], newest?.["parameters"]],
    ["MRC020Open", [idOf(a), a.address, KEY]],
  );
  const { items: ofItem } = await read<{ items: Record<string, unknown>[] }>(
    `/item/${idOf(a)}/transactions`,
  );
  assert.deepEqual(
    ofItem.map(({ type }) => type),
    ["MRC020Open", "MRC020"],
  );

  let heard = "";
  const decoder = new TextDecoder();
  for await (const chunk of events.body as ReadableStream<Uint8Array>) {
    heard += decoder.decode(chunk, { stream: true });
    if (heard.includes(transactionIdOf(opened))) {
      break;
    }
  }
  stream.abort();
  const notified = heard.split("\n\n").filter((event) => event.includes(transactionIdOf(sealed)));
  assert.ok(notified.length > 0 && notified.every((event) => !event.includes(SALT)));
});

test("a wrong key, an unknown id and what is open already do not reach the ledger thread", async () => {
  assert.equal(summaryOf(await seal(a)), "200");
  node.now += DAY;
  assert.equal(summaryOf(await open(idOf(a))), "200");
  const { queue } = node.running.service;
  const submit = queue.submit.bind(queue);
  let submitted = 0;
  queue.submit = (...given) => {
    submitted += 1;
    return submit(...given);
  };
  try {
    const answers = await Promise.all([
      open(idOf(a), "wrong"),
      open(idOf(a)),
      open(`${idOf(a)}x`),
      open(idOf(a), "x".repeat(4097)),
    ]);
    assert.deepEqual(answers.map(refusalCode), ["400 3006", "409 7113", "404 6004", "400 3005"]);
  } finally {
    queue.submit = submit;
  }
  assert.equal(submitted, 0);
});

test("protocols §6: the same on two nodes of a cluster", async () => {
  await using server = await PostgresServer.start();
  const flags = ["--log", server.url, "--log-schema", "openings"];
  await using one = await TestNode.start(...flags);
  await using two = await TestNode.start(...flags);
  const owner = await one.holder();
  const sealed = async (given: Params): Promise<string> =>
    summaryOf(await one.post("/mrc020", await signed(owner, terms(owner, given, one), one)));
  const inSeconds = (seconds: number): string => String(Math.floor(Date.now() / 1000) + seconds);
  assert.equal(await sealed({ referencekey: "later", opendate: inSeconds(3600) }), "200");
  // A node refuses nothing because it lags behind the other one. On a busy machine it may say after
  // 5 s that it lags, and has done nothing.
  const openAt = async (at: TestNode, id: string): Promise<string> => {
    let answer: string;
    const end = Date.now() + 120_000;
    do {
      answer = summaryOf(await open(id, KEY, at));
    } while (answer === "503 9003" && Date.now() < end);
    return answer;
  };
  assert.equal(await openAt(two, idOf(owner, "later")), "409 7205 mrc020key");
  let soon = "";
  let ahead = 1;
  do {
    ahead *= 2; // a busy machine takes longer to send it
    soon = inSeconds(ahead);
  } while ((await sealed({ opendate: soon })) !== "200" && ahead < 100);
  while (Date.now() / 1000 < Number(soon) + 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const answers = await Promise.all([one, two].map((at) => openAt(at, idOf(owner))));
  assert.deepEqual(answers.toSorted(), ["200", "409 7113 mrc020key"]);
});
