import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ForwardingProxy } from "../../node/testing/forwarding-proxy.ts";
import { issued } from "../../node/testing/requests/token-requests.ts";
import { TemporaryDirectory } from "../../node/testing/temporary-directory.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import {
  type Actor,
  Exchange,
  type ExchangeFile,
  Moneta,
  ProblemError,
  type ProposedExchange,
  SigningKey,
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
async function offered(change: Partial<ProposedExchange> = {}, url = moneta): Promise<Exchange> {
  const terms = { fromAddr: alice.address, fromAmount: 10n, fromToken: 0 };
  const wanted = { toAddr: bob.address, toAmount: 3n, toToken: token };
  return await Exchange.propose(url, { ...terms, ...wanted, ...change });
}

async function held(address: string, of: string): Promise<bigint> {
  const balances = await moneta.balance({ address });
  return balances.find((each) => each.token === of)?.balance ?? 0n;
}

test("one side proposes and signs, the other reads, signs and submits", async () => {
  const proposal = await offered({ fromMemo: "for you", toFeesendto: undefined });
  assert.deepEqual(proposal.missing, [alice.address, bob.address]);
  await proposal.sign(alice);
  const text = JSON.stringify(proposal);

  const exchange = await Exchange.from(text, moneta);
  assert.deepEqual(exchange.signers, [alice.address, bob.address]);
  assert.deepEqual(exchange.missing, [bob.address]);
  assert.ok(Math.abs(exchange.expiresAt - node.now - 600) <= 60);
  assert.deepEqual(exchange.terms(bob.address), {
    with: alice.address,
    gives: { amount: 3n, token },
    gets: { amount: 10n, token: "0" },
    fee: undefined,
  });
  await assert.rejects(exchange.submit(), { name: "ExchangeError", message: /signature of MT/ });
  const forecast = await exchange.forecast();
  assert.ok(!(forecast instanceof ProblemError));
  assert.equal(forecast.type, "exchange");
  await exchange.sign(bob);
  const before = await held(alice.address, token);
  const { transaction_id } = await exchange.submit();
  assert.equal(await held(alice.address, token), before + 3n);
  assert.equal((await exchange.submit()).transaction_id, transaction_id, "once, however often");
  assert.equal(await held(alice.address, token), before + 3n);
  const { type } = await moneta.transaction({ transaction_id });
  assert.equal(type, "exchange");
});

test("a fee is part of what its side gives", async () => {
  const fee = { toFeesendto: alice.address, toFeeamount: 1n, toFeetoken: token };
  const exchange = await offered(fee);
  assert.deepEqual(exchange.terms(bob.address).fee, { amount: 1n, token, to: alice.address });
  assert.equal(exchange.terms(alice.address).fee, undefined);
  await exchange.sign(bob);
  await exchange.sign(alice);
  await exchange.submit();
  assert.throws(() => exchange.terms(`MT${"0".repeat(38)}`), { name: "ExchangeError" });
});

test("whoever hands it over changed is found out", async () => {
  const exchange = await offered();
  await exchange.sign(alice);
  const { ledger_id, exchange: sent } = exchange.toJSON();
  const changed = await Exchange.from({ ledger_id, exchange: { ...sent, toAmount: "2" } }, moneta);
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
  const copy = await Exchange.from(JSON.stringify(exchange), moneta);
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
  const copy = await Exchange.from(JSON.stringify(exchange), two);
  const { transaction_id } = await copy.submit();
  assert.match(transaction_id, /^[0-9a-f]{64}$/);
  assert.deepEqual([hosts.size, new Set(bodies).size], [2, 1]);
  assert.equal(await held(alice.address, token), before + 3n);
});

const BAD: readonly (readonly [string, (file: ExchangeFile) => unknown, RegExp])[] = [
  ["no JSON", () => "{", /no JSON text/],
  ["a list", () => [], /no JSON object/],
  ["too long", () => " ".repeat(5 << 20), /more than/],
  ["another ledger", (file) => ({ ...file, ledger_id: "0".repeat(64) }), /for the ledger/],
  ["no exchange", ({ ledger_id }) => ({ ledger_id }), /object of parameters/],
  ["an unknown parameter", (file) => put(file, "extra", "1"), /no parameter "extra"/],
  ["a group", (file) => put(file, "group", "0".repeat(64)), /no parameter "group"/],
  ["a number", (file) => put(file, "toAmount", 3), /must be a text/],
  ["no amount", (file) => put(file, "toAmount", "1e3"), /must be an integer/],
  ["no temporary key", (file) => put(file, "toTkey", "x"), /toTkey must be a temporary key/],
  ["short signatures", (file) => put(file, "signed", "short"), /must be "full"/],
  ["one side", (file) => put(file, "toAddr", file.exchange["fromAddr"]), /one address/],
  ["a lone surrogate", (file) => put(file, "fromMemo", "\ud800"), /must be a text/],
];

function put(file: ExchangeFile, name: string, value: unknown): unknown {
  return { ...file, exchange: { ...file.exchange, [name]: value } };
}

for (const [what, change, message] of BAD) {
  test(`a file with what is wrong is refused: ${what}`, async () => {
    const file = (await offered()).toJSON();
    await assert.rejects(Exchange.from(change(file), moneta), { name: "ExchangeError", message });
  });
}

test("an actor alone neither prepares nor signs an exchange", async () => {
  await assert.rejects(alice.prepare("exchange", {}), /not signed by one actor/);
  const stranger = await moneta.createAddress(await SigningKey.generate());
  await assert.rejects((await offered()).sign(stranger), { name: "ExchangeError" });
});

test("the program of the page exchanges, as it stands there", async () => {
  const page = readFileSync(new URL("../../../docs/exchanges.md", import.meta.url), "utf8");
  const [, program = ""] = /^```js\n(.*?)^```/ms.exec(page) ?? [];
  using directory = new TemporaryDirectory("exchange");
  const file = join(directory.path, "exchange.mjs");
  const sdk = fileURLToPath(new URL("../index.ts", import.meta.url));
  const local = program
    .replace('"@moneta/sdk"', JSON.stringify(sdk))
    .replace("http://127.0.0.1:20922", node.url);
  writeFileSync(file, local);
  const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 240_000 });
  assert.match(stdout, /gives: \{ amount: 15n, token: '\d+' \}/);
  assert.match(stdout, /gets: \{ amount: 200000000n, token: '0' \}/);
  assert.match(stdout, /^[0-9a-f]{64}$/m);
});
