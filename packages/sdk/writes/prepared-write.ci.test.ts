import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ForwardingProxy } from "../../node/testing/forwarding-proxy.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import {
  type Actor,
  isTransactionOf,
  Moneta,
  type PreparedWrite,
  ProblemError,
  SigningKey,
} from "../index.ts";

const HOUR = 3600;

let node: TestNode;
let proxy: ForwardingProxy;
let moneta: Moneta;
let alice: Actor;
let bob: Actor;

before(async () => {
  node = await TestNode.start();
  proxy = await ForwardingProxy.to(node.url);
  moneta = new Moneta(proxy.url, { retries: 0 });
  alice = await moneta.createAddress(await SigningKey.generate());
  bob = await moneta.createAddress(await SigningKey.generate());
  await moneta.faucet({ address: alice.address, amount: 1_000_000n });
});
after(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await node?.[Symbol.asyncDispose]();
});

function code(wanted: string): (error: unknown) => boolean {
  return (error) => error instanceof ProblemError && error.code === wanted;
}

async function coins({ address }: Actor): Promise<bigint> {
  return (await moneta.balanceOfToken({ address, token: 0 }))[0]?.balance ?? 0n;
}

/** As a program that was started again has it. */
function stored(prepared: PreparedWrite): PreparedWrite {
  return JSON.parse(JSON.stringify(prepared)) as PreparedWrite;
}

/** The clock of this device is right by some hours. */
function setClock(): void {
  node.now = Math.floor(Date.now() / 1000);
}

test("what is prepared is not sent, and is done once however often it is sent", async () => {
  const before = await coins(bob);
  const request = { to: bob.address, token: "0", amount: 7n, memo: "ünï | code" };
  const prepared = await alice.prepare("transfer", request);
  assert.equal(await coins(bob), before);
  assert.deepEqual(Object.keys(prepared.params).sort(), [
    ...["amount", "checkkey", "from", "memo", "signed", "to", "token"],
  ]);
  const first = await moneta.send(prepared);
  const again = await new Moneta(proxy.url).send(stored(prepared));
  assert.equal(again.transaction_id, first.transaction_id);
  assert.equal(await coins(bob), before + 7n);
});

test("an answer that was lost is there when the same is sent hours later", async () => {
  setClock();
  const before = await coins(bob);
  const prepared = await alice.prepare("transfer", { to: bob.address, token: "0", amount: 3n });
  proxy.loses = ({ url }) => url === "/transfer";
  await assert.rejects(moneta.send(prepared), { name: "UnansweredError", mayHaveHappened: true });
  proxy.loses = () => false;
  node.now += 12 * HOUR;
  const { transaction_id } = await moneta.send(stored(prepared));
  assert.equal(await coins(bob), before + 3n);
  const found = await moneta.findSent(prepared);
  assert.deepEqual(found, { transaction_id, height: await node.height() });
  const shown = await moneta.transaction({ transaction_id });
  assert.equal(await isTransactionOf(prepared, shown), true);
  const params = { ...prepared.params, amount: "4" };
  assert.equal(await isTransactionOf({ ...prepared, params }, shown), false);
});

test("days later the ledger knows the key no more, and the history still has what was done", async () => {
  setClock();
  const request = { to: bob.address, token: "0", amount: 1n };
  const [done, left] = [
    await alice.prepare("transfer", request),
    await alice.prepare("transfer", request),
  ];
  const { transaction_id } = await moneta.send(done);
  node.now += 60 * HOUR;
  await node.holder(); // a block at that time
  for (const prepared of [done, left]) {
    await assert.rejects(moneta.send(prepared), code("2020"));
  }
  assert.equal((await moneta.findSent(stored(done)))?.transaction_id, transaction_id);
  assert.equal(await moneta.findSent(stored(left)), undefined);
});

for (const { clock, days } of [
  { clock: "slow", days: -400 },
  { clock: "fast", days: 3 },
]) {
  test(`what was signed by a clock that is ${clock} by days is found in the history`, async () => {
    setClock();
    const request = { to: bob.address, token: "0", amount: 1n };
    const prepared = await alice.prepare("transfer", request);
    const { transaction_id } = await moneta.send(prepared);
    const preparedAt = prepared.preparedAt + days * 24 * HOUR;
    assert.equal(
      (await moneta.findSent({ ...prepared, preparedAt }))?.transaction_id,
      transaction_id,
    );
  });
}

test("a token that was created is found by the name of its draft", async () => {
  setClock();
  await alice.tokensave({
    name: "Points",
    symbol: "PTS",
    totalsupply: 1000n,
    decimal: 0,
    category: "game",
    url: "https://points.example/",
    image: "https://points.example/logo.png",
    type: "010",
  });
  const prepared = await alice.prepare("tokencreate");
  const created = await moneta.send<{ transaction_id: string; token: string }>(prepared);
  assert.equal((await moneta.token({ token: created.token })).symbol, "PTS");
  assert.equal((await moneta.findSent(prepared))?.transaction_id, created.transaction_id);
});

test("another ledger's write, an unsigned operation and an unknown parameter are refused at once", async () => {
  const prepared = await alice.prepare("transfer", { to: bob.address, token: "0", amount: 1n });
  const other = new Moneta(proxy.url, { ledgerId: "f".repeat(64) });
  await assert.rejects(other.send(prepared), { name: "TypeError", message: /another ledger/ });
  await assert.rejects(alice.prepare("faucet", {}), { name: "TypeError", message: /not signed/ });
  await assert.rejects(alice.prepare("transfer", { memmo: "x" }), /memmo/);
});
