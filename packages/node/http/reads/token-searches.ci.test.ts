import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { changed, sendRequest } from "../../testing/requests/signed-request.ts";
import {
  createRequest,
  issued,
  saved,
  updateRequest,
} from "../../testing/requests/token-requests.ts";
import {
  type Answered,
  type KeyHolder,
  refusalCode,
  summaryOf,
  TestNode,
} from "../../testing/test-node.ts";

// Requests whose signatures say which token or draft they mean cost as much as many others: what they may take, and from whom.

const DATA_IMAGE = "data:image/png;base64,".padEnd(131_072, "A");

let node: TestNode;
/** Has a P-384 key and 64 tokens with images. */
let o: KeyHolder;
let a: KeyHolder;
let first: string;
let last: string;
before(async () => {
  // 256 is room for four searches of 64 tokens.
  node = await TestNode.start("--trust-proxy", "1", "--queue-max", "1024");
  o = await node.holder({ curve: "secp384r1" });
  a = await node.holder({ coins: 1000n });
  first = await issued(node, o, { image: DATA_IMAGE });
  for (let count = 2; count < 64; count += 1) {
    await issued(node, o);
  }
  last = await issued(node, o, { image: DATA_IMAGE });
});
after(() => node[Symbol.asyncDispose]());

/** Sends an update of O's tokens that names none; the temporary key is O's, which anybody can get. */
async function updating(
  signedFor: string,
  change: Readonly<Record<string, string>> = {},
): Promise<() => Promise<Answered>> {
  const request = await updateRequest(node, o, { signedFor, info: `${Math.random()}` });
  return () => sendRequest(node, changed(request, change));
}

/** The same from an address that a proxy names. */
async function updatingFrom(client: string, signedFor: string): Promise<() => Promise<Answered>> {
  const { path, params } = await updateRequest(node, o, { signedFor, info: `${Math.random()}` });
  return () => node.put(path, params, { "X-Forwarded-For": client });
}

async function verificationsOf(sent: () => Promise<Answered>, answer: string): Promise<number> {
  const earlier = await node.metric("moneta_signature_verifications_total");
  assert.equal(summaryOf(await sent()), answer);
  return (await node.metric("moneta_signature_verifications_total")) - earlier;
}

test("an update without token costs a signature for each token that the owner has, if it is signed with the digest of last time", async () => {
  assert.equal(await verificationsOf(await updating(first), "200"), 1);
  assert.equal(await verificationsOf(await updating(last), "200"), 64);
});

test("a signature that fits none costs three for each token, and one that could not fit three in all", async () => {
  const answer = "401 2010 signature";
  assert.equal(await verificationsOf(await updating("0"), answer), 192);
  assert.equal(await verificationsOf(await updating("0", { signed: "full" }), answer), 3);
  assert.equal(
    await verificationsOf(await updating(first, { signature: "?" }), "401 2230 signature"),
    0,
  );
  assert.equal(await verificationsOf(await updating("0", { token: first }), answer), 3);
});

test("an address that accepts full signatures only has no other searched for", async () => {
  const full = await node.holder({ params: { signed: "full" } });
  for (const name of ["X", "Y"]) {
    const params = node.fullySigned(
      "tokensave",
      { owner: full.address, symbol: "S", name, Temporarykey: await node.key(full) },
      full,
    );
    assert.equal(summaryOf(await node.post("/token", params)), "200");
  }
  const create = { signature: "MAYCAQECAQE=" };
  const tkey = await node.key(full);
  const sent = (): Promise<Answered> => node.post(`/token/${tkey}`, create);
  assert.equal(await verificationsOf(sent, "401 2010 signature"), 3);
});

test("of ten drafts the one that was signed for is found, the newest first", async () => {
  const names = Array.from({ length: 10 }, (_, index) => `Draft ${index}`);
  for (const name of names) {
    node.now += 1;
    await saved(node, a, { name, image: DATA_IMAGE });
  }
  const oldest = await createRequest(node, a, "Draft 0");
  assert.equal(await verificationsOf(() => sendRequest(node, oldest), "200"), 10);
});

test("a client with many searches, whatever address they name, does not keep another client's searches or transfers from being done", async () => {
  const done: string[] = [];
  const begin = async (name: string, sent: () => Promise<Answered>): Promise<string> => {
    const answer = refusalCode(await sent());
    done.push(name);
    return answer;
  };
  // Those of the attacker name O, whose own request must not be counted with them.
  const attacks: (() => Promise<Answered>)[] = [];
  for (let count = 0; count < 20; count += 1) {
    attacks.push(await updatingFrom("203.0.113.1", "0"));
  }
  const own = await updatingFrom("203.0.113.2", last);
  const transfer = await node.transfer(a, { to: o.address, amount: "1" });
  const { admission } = node.running.service;
  let most = 0;
  /** Waits until so many requests have been done or have their search running or waiting. */
  const arrived = async (count: number): Promise<void> => {
    while (admission.searchCount + done.length < count) {
      most = Math.max(most, admission.searchCount);
      await turn();
    }
  };
  const attacked = Promise.all(attacks.map((sent) => begin("attack", sent)));
  await arrived(attacks.length);
  const updated = begin("update", own);
  await arrived(attacks.length + 1);
  const doneBefore = done.length;
  const paid = await begin("transfer", () => node.post("/transfer", transfer));
  assert.deepEqual([await updated, paid], ["200", "200"]);
  assert.deepEqual(new Set(await attacked), new Set(["401 2010", "503 9002"]));
  assert.ok(most <= 4, `${most} searches at a time, which is more than there is room for`);
  // One search of the attacker runs, and at most one more is before the other client's.
  const before = done.slice(doneBefore, done.indexOf("update"));
  const attacksBefore = before.filter((name) => name === "attack").length;
  assert.ok(attacksBefore <= 2, `the update came after ${attacksBefore} more`);
});

test("a used key is answered as a repeat or 2021 only once it is known what the signature is for", async () => {
  const tkey = await node.key(o);
  const info = "once";
  const used = await updateRequest(node, o, { signedFor: first, info }, { tkey });
  assert.equal(summaryOf(await sendRequest(node, used)), "200");
  const { path, params } = await updateRequest(node, o, { signedFor: last, info }, { tkey });
  const { admission } = node.running.service;
  // One client has all the room, and this request is its newest: another client takes its place.
  const from = (client: string): Record<string, string> => ({ "X-Forwarded-For": client });
  const filling = await Promise.all([0, 1, 2].map(() => updatingFrom("203.0.113.1", "0")));
  const other = await updatingFrom("203.0.113.2", "0");
  const sent: Promise<Answered>[] = [];
  let done = 0;
  for (const each of [...filling, () => node.put(path, params, from("203.0.113.1"))]) {
    sent.push(
      each().finally(() => {
        done += 1;
      }),
    );
    while (admission.searchCount + done < sent.length) {
      await turn();
    }
  }
  await other();
  // On a slow machine there may have been room again.
  assert.match(summaryOf((await Promise.all(sent)).at(-1) as Answered), /^503 9002|^409 2021/);
  assert.equal(summaryOf(await node.put(path, params)), "409 2021 tkey");
});

test("a search that waits is counted as what it costs, and leaves nothing when it is done", async () => {
  const sent = await Promise.all([0, 1, 2].map((n) => updatingFrom(`203.0.113.${n}`, "0")));
  const { queue, admission } = node.running.service;
  let isDone = false;
  const answers = Promise.all(sent.map((each) => each())).finally(() => {
    isDone = true;
  });
  let most = 0;
  while (!isDone) {
    assert.equal(queue.length, 64 * admission.searchCount);
    most = Math.max(most, queue.length);
    await turn();
  }
  assert.deepEqual((await answers).map(refusalCode), ["401 2010", "401 2010", "401 2010"]);
  assert.ok(most >= 64);
  assert.deepEqual([queue.length, queue.bytes], [0, 0]);
});
