import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ForwardingProxy } from "../../node/testing/forwarding-proxy.ts";
import { issued } from "../../node/testing/requests/token-requests.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import {
  type Actor,
  Moneta,
  Proposal,
  type ProposalFile,
  type SentWrite,
  SigningKey,
  type Thing,
} from "../index.ts";

let node: TestNode;
let moneta: Moneta;
let alice: Actor;
let bob: Actor;
let token: string;

before(async () => {
  node = await TestNode.start();
  node.now = Math.floor(Date.now() / 1000);
  moneta = new Moneta(node.url);
  alice = await moneta.createAddress(await SigningKey.generate());
  bob = await moneta.createAddress(await SigningKey.generate({ curve: "P-384" }), {
    signed: "full",
  });
  await moneta.faucet({ address: alice.address, amount: 1_000_000n });
  const issuer = await node.holder();
  token = await issued(node, issuer, { totalsupply: "1000000", decimal: "0" });
  const gift = { to: bob.address, token, amount: "1000" };
  assert.equal((await node.post("/transfer", await node.fullTransfer(issuer, gift))).status, 200);
});
after(() => node?.[Symbol.asyncDispose]());

/** Alice gives Bob 10 coins for 3 of the token, and pays herself no fee. */
async function offered(change: object = {}): Promise<Proposal> {
  const terms = { fromAddr: alice.address, fromAmount: 10n, fromToken: 0 };
  const wanted = { toAddr: bob.address, toAmount: 3n, toToken: token };
  return await Proposal.propose(moneta, [
    { operation: "exchange", ...terms, ...wanted, ...change },
  ]);
}

const tokens = (id: string, amount: bigint): Thing => ({ is: "token", token: id, amount });

async function held(address: string, of: string): Promise<bigint> {
  const balances = await moneta.balance({ address });
  return balances.find((each) => each.token === of)?.balance ?? 0n;
}

test("one side proposes and signs, the other reads, signs and submits", async () => {
  const proposal = await offered({ fromMemo: "for you", toFeesendto: undefined });
  assert.deepEqual(proposal.missing, [alice.address, bob.address]);
  await proposal.sign(alice);
  const text = JSON.stringify(proposal);

  const exchange = await Proposal.from(text, moneta);
  assert.deepEqual(exchange.signers, [alice.address, bob.address]);
  assert.deepEqual(exchange.missing, [bob.address]);
  assert.ok(Math.abs(exchange.expiresAt - node.now - 600) <= 60);
  const { gives, gets } = await exchange.effects(bob.address);
  assert.deepEqual([gives, gets], [[tokens(token, 3n)], [tokens("0", 10n)]]);
  await assert.rejects(exchange.submit(), { name: "ProposalError", message: /signature of MT/ });
  const { problem, records } = await exchange.forecast();
  assert.deepEqual([problem, records.map(({ type }) => type)], [undefined, ["exchange"]]);
  await exchange.sign(bob);
  const before = await held(alice.address, token);
  const [{ transaction_id }] = (await exchange.submit()) as [SentWrite];
  assert.equal(await held(alice.address, token), before + 3n);
  assert.equal((await exchange.submit())[0]?.transaction_id, transaction_id, "once, however often");
  assert.equal(await held(alice.address, token), before + 3n);
  const { type } = await moneta.transaction({ transaction_id });
  assert.equal(type, "exchange");
});

test("a fee is part of what its side gives", async () => {
  const fee = { toFeesendto: alice.address, toFeeamount: 1n, toFeetoken: token };
  const exchange = await offered(fee);
  const forecast = await exchange.forecast();
  assert.deepEqual(forecast.of(bob.address).gives, [tokens(token, 4n)]);
  assert.deepEqual(forecast.of(alice.address).gets, [tokens(token, 4n)]);
  await exchange.sign(bob);
  await exchange.sign(alice);
  await exchange.submit();
});

test("whoever hands it over changed is found out", async () => {
  const exchange = await offered();
  await exchange.sign(alice);
  const changed = await Proposal.from(put(exchange.toJSON(), "toAmount", "2"), moneta);
  await changed.sign(bob);
  await assert.rejects(changed.submit(), {
    name: "ProblemError",
    code: "2010",
    parameter: "fromSign",
  });
  await exchange.sign(bob);
  await exchange.submit();
});

test("one half is withdrawn until both are submitted", async () => {
  const exchange = await offered();
  await exchange.sign(alice);
  const copy = await Proposal.from(JSON.stringify(exchange), moneta);
  await copy.sign(bob);
  const { transaction_id } = await exchange.withdraw(alice);
  assert.match(transaction_id, /^[0-9a-f]{64}$/);
  await assert.rejects(copy.submit(), { code: "2021", parameter: "fromTkey" });

  const done = await offered();
  await done.sign(alice);
  await done.sign(bob);
  await done.submit();
  await assert.rejects(done.withdraw(bob), { code: "2021" });
});

test("a submit whose answer is lost is repeated at the next node, with the same bytes", async () => {
  await using first = await ForwardingProxy.to(node.url);
  const exchange = await offered();
  await exchange.sign(alice);
  await exchange.sign(bob);
  first.loses = ({ url = "" }) => url.startsWith("/exchange");
  const bodies: string[] = [];
  const hosts = new Set<string>();
  const two = new Moneta([first.url, node.url], {
    fetch: (input, init) => {
      const { host, pathname } = new URL(String(input));
      if (pathname.startsWith("/exchange")) {
        hosts.add(host);
        bodies.push(`${pathname} ${String(init?.body)}`);
      }
      return fetch(input, init);
    },
  });
  const before = await held(alice.address, token);
  const copy = await Proposal.from(JSON.stringify(exchange), two);
  const [{ transaction_id }] = (await copy.submit()) as [SentWrite];
  assert.match(transaction_id, /^[0-9a-f]{64}$/);
  assert.deepEqual([hosts.size, new Set(bodies).size], [2, 1]);
  assert.equal(await held(alice.address, token), before + 3n);
});

const BAD: readonly (readonly [string, (file: ProposalFile) => unknown, RegExp])[] = [
  ["an unknown parameter", (file) => put(file, "extra", "1"), /no parameter "extra"/],
  ["a group", (file) => put(file, "group", "0".repeat(64)), /others are missing/],
  ["a number", (file) => put(file, "toAmount", 3), /must be a text/],
  ["no temporary key", (file) => put(file, "toTkey", "x"), /toTkey must be a temporary key/],
  ["short signatures", (file) => put(file, "signed", "short"), /must be "full"/],
  ["one side", (file) => put(file, "toAddr", alice.address), /its toAddr is/],
  ["one signer", (file) => ({ ...file, signers: [[alice.address]] }), /needs 2 different signers/],
  ["one key for both", sameKey, /temporary key is that of another signature/],
  ["no base64", (file) => put(file, "toSign", "<b>"), /toSign must be base64/],
];

function put(file: ProposalFile, name: string, value: unknown): object {
  return { ...file, operations: file.operations.map((one) => ({ ...one, [name]: value })) };
}

function sameKey(file: ProposalFile): object {
  return put(file, "toTkey", file.operations[0]?.["fromTkey"]);
}

for (const [what, change, message] of BAD) {
  test(`a file with what is wrong is refused: ${what}`, async () => {
    const file = (await offered()).toJSON();
    await assert.rejects(Proposal.from(change(file), moneta), { name: "ProposalError", message });
  });
}

test("an exchange with oneself is refused before keys are fetched", async () => {
  await assert.rejects(offered({ toAddr: alice.address }), /needs 2 different signers/);
});

test("an exchange is a member of a group, and signed by both sides", async () => {
  const proposal = await Proposal.propose(moneta, [
    { actor: alice.address, operation: "transfer", to: bob.address, token: 0, amount: 5n },
    {
      operation: "exchange",
      ...{ fromAddr: alice.address, fromAmount: 10n, fromToken: 0 },
      ...{ toAddr: bob.address, toAmount: 3n, toToken: token },
    },
  ]);
  await proposal.sign(alice);
  assert.deepEqual(proposal.missing, [bob.address]);
  const copy = await Proposal.from(JSON.stringify(proposal), moneta);
  await copy.sign(bob);
  const before = await held(alice.address, token);
  assert.equal((await copy.submit()).length, 2);
  assert.equal(await held(alice.address, token), before + 3n);
});

test("an actor alone neither prepares nor signs an exchange", async () => {
  await assert.rejects(alice.prepare("exchange", {}), /not signed by one actor/);
  const stranger = await moneta.createAddress(await SigningKey.generate());
  await assert.rejects((await offered()).sign(stranger), { name: "ProposalError" });
});
