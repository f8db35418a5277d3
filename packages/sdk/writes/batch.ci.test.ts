import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ForwardingProxy } from "../../node/testing/forwarding-proxy.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import {
  type Actor,
  Moneta,
  type PreparedWrite,
  ProblemError,
  type SentWrite,
  SigningKey,
  type UnansweredError,
} from "../index.ts";

let node: TestNode;
let proxy: ForwardingProxy;
let moneta: Moneta;
let alice: Actor;
let bob: Actor;
let key: SigningKey;

before(async () => {
  node = await TestNode.start("--queue-max", "64");
  proxy = await ForwardingProxy.to(node.url);
  moneta = new Moneta(proxy.url);
  key = await SigningKey.generate();
  alice = await moneta.createAddress(key);
  bob = await moneta.createAddress(await SigningKey.generate());
  await moneta.faucet({ address: alice.address, amount: 1_000_000n });
});
after(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await node?.[Symbol.asyncDispose]();
});

async function coins({ address }: Actor): Promise<bigint> {
  return (await moneta.balanceOfToken({ address, token: 0 }))[0]?.balance ?? 0n;
}

async function payments(amounts: readonly bigint[]): Promise<PreparedWrite[]> {
  await alice.prefetchKeys(amounts.length);
  const to = bob.address;
  return await Promise.all(
    amounts.map((amount) => alice.prepare("transfer", { to, token: 0, amount })),
  );
}

test("a batch returns for each write what its method returns or throws, in their order", async () => {
  const [first, second] = (await payments([2n, 10n ** 12n])) as [PreparedWrite, PreparedWrite];
  const draft = { name: "Points", symbol: "PTS", totalsupply: 1000n, decimal: 0 };
  const results = await moneta.batch([
    first,
    second,
    { operation: "address", publickey: key.publicKeyPem, idempotency_key: "one" },
    { operation: "address", publickey: key.publicKeyPem, idempotency_key: "one" },
    await alice.prepare("tokensave", draft),
    await alice.prepare("tokencreate"),
    { operation: "mrc010auctionfinish", dexid: `DEX010_${"0".repeat(33)}` },
  ]);
  const [paid, refused, one, again, saved, created, finished] = results;
  const { transaction_id } = await moneta.send(first);
  assert.deepEqual(paid, { transaction_id });
  assert.ok(refused instanceof ProblemError && refused.shortfall?.needed === 10n ** 12n);
  assert.match(String((one as SentWrite)["address"]), /^MT/);
  assert.deepEqual(again, one);
  assert.match(String((saved as SentWrite)["tkey"]), /^K/);
  const { token } = created as SentWrite & { readonly token: string };
  assert.equal((await moneta.token({ token })).name, "Points");
  assert.ok(finished instanceof ProblemError && finished.code === "6004");
});

test("more writes than one request has are done in their order, also while the node refuses some for now", async () => {
  const before = await coins(bob);
  const writes = await payments(Array.from({ length: 1100 }, () => 1n));
  const results = await moneta.batch(writes);
  assert.equal(results.filter((each) => each instanceof ProblemError).length, 0);
  assert.equal(await coins(bob), before + 1100n);
});

test("a batch whose answer was lost is sent again, and nothing is done twice", async () => {
  const before = await coins(bob);
  const writes = await payments([1n, 2n, 3n]);
  let lost = 0;
  proxy.loses = ({ url }) => {
    lost += url === "/batch" ? 1 : 0;
    return url === "/batch" && lost === 1;
  };
  const results = await moneta.batch(writes);
  proxy.loses = () => false;
  assert.equal(lost, 2);
  assert.equal(results.filter((each) => each instanceof ProblemError).length, 0);
  assert.equal(await coins(bob), before + 6n);
});

test("what cannot be in a batch is refused before anything is sent", async () => {
  const [payment] = (await payments([1n])) as [PreparedWrite];
  const refused = (write: { operation: string; [name: string]: unknown }, message: RegExp) =>
    assert.rejects(moneta.batch([payment, write]), { name: "TypeError", message });
  const before = await coins(bob);
  await refused({ operation: "nonce", address: bob.address }, /cannot be in a batch/);
  await refused({ operation: "nothing" }, /no operation or read nothing\.$/);
  await refused({ operation: "transfr" }, /transfr\. Did you mean transfer\?/);
  await refused({ operation: "address", publikey: "x" }, /publikey/);
  const other = new Moneta(proxy.url, { ledgerId: "f".repeat(64) });
  await assert.rejects(other.batch([payment]), /another ledger/);
  assert.equal(await coins(bob), before);
});

/** A client of a node that answers so, one request after the other; what is no text fails. */
function answered(...answers: readonly (string | Error | Response)[]): Moneta {
  const left = [...answers];
  return new Moneta("http://127.0.0.1", {
    ledgerId: "a".repeat(64),
    retries: 1,
    fetch: () => {
      const answer = left.length > 1 ? left.shift() : left[0];
      return answer instanceof Error
        ? Promise.reject(answer)
        : Promise.resolve(
            answer instanceof Response
              ? answer.clone()
              : new Response(answer, { headers: { "Ledger-Height": "1" } }),
          );
    },
  });
}

const DONE = { status: 200, transaction_id: "1".repeat(64), result: "MT" };
const FOR_NOW = { status: 503, problem: { code: "9002", status: 503, detail: "Overloaded." } };
const GONE = new TypeError("fetch failed", {
  cause: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
});
const TOO_MANY = Response.json(
  { code: "9001", status: 429, detail: "Too many requests." },
  { status: 429, headers: { "Content-Type": "application/problem+json", "Retry-After": "3600" } },
);

for (const { what, last } of [
  { what: "the node has gone", last: GONE },
  { what: "the rest is refused as a whole", last: TOO_MANY },
]) {
  test(`an executed operation of a batch is not reported as not executed where ${what}`, async () => {
    const write = { operation: "address", publickey: key.publicKeyPem };
    const results = (...some: readonly object[]): string => JSON.stringify({ results: some });
    const first = results(...Array.from({ length: 1000 }, () => DONE));
    for (const { count, answer } of [
      { count: 2, answer: results(DONE, FOR_NOW) },
      { count: 1001, answer: first },
    ]) {
      const writes = Array.from({ length: count }, () => write);
      await assert.rejects(answered(answer, last).batch(writes), {
        name: "UnansweredError",
        mayHaveHappened: true,
      });
    }
    await assert.rejects(answered(last).batch([write]), (thrown) => {
      return (
        thrown instanceof ProblemError || (thrown as UnansweredError).mayHaveHappened === false
      );
    });
  });
}
