import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ForwardingProxy } from "../../node/testing/forwarding-proxy.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import { CommandRuns } from "../testing/command-runs.ts";
import { RunningCommand } from "../testing/running-command.ts";

let node: TestNode;
let alice: CommandRuns;
let bob: CommandRuns;
let carol: CommandRuns;
let buyer: string;
let owner: string;

before(async () => {
  node = await TestNode.start();
  node.now = Math.floor(Date.now() / 1000);
  alice = new CommandRuns(node.url);
  bob = new CommandRuns(node.url);
  carol = new CommandRuns(node.url);
  buyer = await alice.newAddress();
  owner = await bob.newAddress();
  await bob.moneta("token", "save", "GLD", "Gold", "--decimals", "1", "--supply", "100");
  await bob.moneta("token", "create");
});
after(async () => {
  alice?.[Symbol.dispose]();
  bob?.[Symbol.dispose]();
  carol?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

let files = 0;

async function offer(file: string, terms: readonly string[], ...flags: readonly string[]) {
  const operation = alice.file("operation.json", await alice.moneta("exchange", owner, ...terms));
  await alice.moneta("propose", file, operation, ...flags);
  await alice.moneta("sign", file);
}

/** Alice offers 2 coins for 1.5 gold; Bob's file. */
async function offered(...flags: readonly string[]): Promise<readonly [string, string]> {
  files += 1;
  const file = join(alice.home, `our offer${files}.json`);
  await offer(file, ["2", "0", "1.5", "1", ...flags]);
  const received = join(bob.home, `offer${files}.json`);
  writeFileSync(received, readFileSync(file));
  return [file, received];
}

/** Bob signs and submits; the transaction's id. */
async function accepted(file: string): Promise<string> {
  await bob.moneta("sign", file);
  return await bob.moneta("submit", file);
}

test("one proposes, the other sees what it gives and gets, signs and submits", async () => {
  const [, file] = await offered("--memo", "for gold");
  const shown = await bob.moneta("show", file);
  assert.match(shown, new RegExp(`exchange by ${buyer}, signed; ${owner}, not signed yet\n`));
  assert.match(
    shown,
    new RegExp(`${buyer} gives 2 TST\n +${owner} gives 1\\.5 GLD #1\n +fromMemo: for gold`),
  );
  assert.match(shown, new RegExp(`${owner} \\(you\\)\n  gives 1\\.5 GLD #1\n  gets 2 TST`));
  assert.match(await bob.moneta("sign", file), new RegExp(`${owner} \\(you\\)`));
  const { code, stdout, stderr } = await bob.call(["submit", file]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /the proposal is done/);
  assert.match(stdout, /^[0-9a-f]{64}\n$/);
  assert.match(await alice.moneta("balance"), /1\.5 GLD #1/);
  assert.equal(await bob.moneta("submit", file), stdout, "again, the same");
  assert.match(
    await bob.moneta("show", file),
    new RegExp(`It is done, by the transactions\n${stdout}`),
  );
  const { transactions } = await bob.json<{ transactions: string[] }>("show", file);
  assert.deepEqual(transactions, [stdout.trim()]);
  assert.match(await alice.moneta("history"), /exchange/);
});

test("an exchange that was done days ago is submitted again as the first time, and one that was not is refused", async () => {
  const [[, file], [, left]] = [await offered(), await offered()];
  const id = await accepted(file);
  await bob.moneta("sign", left);
  node.now += 30 * 3600;
  await node.holder(); // a block at that time
  assert.equal(await bob.moneta("submit", file), id);
  const { results } = await bob.json<{ results: object[] }>("submit", file);
  assert.deepEqual(results, [{ transaction_id: id.trim() }]);
  assert.match(await bob.refused(1, "submit", left), /2020.*Nothing was done/s);
});

test("of two that propose into one file at the same time one is refused, and writes nothing over", async () => {
  const file = join(alice.home, "contested.json");
  const operations = await Promise.all(
    ["2", "3"].map(async (amount) =>
      alice.file(`${amount}.json`, await alice.moneta("exchange", owner, amount, "0", "1.5", "1")),
    ),
  );
  const [one, other] = await Promise.all(
    operations.map((each) => alice.call(["propose", file, each])),
  );
  assert.deepEqual([one?.code, other?.code].sort(), [0, 2]);
  const amount = one?.code === 0 ? "2" : "3";
  assert.match(await alice.moneta("show", file), new RegExp(`gives ${amount} TST`));
  assert.match(`${one?.stderr}${other?.stderr}`, /contested\.json cannot be written: EEXIST/);
});

test("a fee is shown to both, and anybody submits what both have signed", async () => {
  const fee = ["--fee", "0.5", "--fee-token", "1", "--fee-to", owner];
  const [, file] = await offered(...fee);
  const shown = await bob.moneta("show", file);
  assert.match(shown, new RegExp(`and pays a fee of 0\\.5 GLD #1 to ${owner}`));
  await bob.moneta("sign", file);
  const { missing } = await bob.json<{ missing: string[] }>("show", file);
  assert.deepEqual(missing, []);
  const signed = await carol.moneta("show", file);
  assert.doesNotMatch(signed, /\(you\)|It is done/, "no key, and not done");
  assert.match(await carol.moneta("submit", file), /^[0-9a-f]{64}\n$/);
});

test("Ctrl-C while a proposal is submitted or withdrawn says that it may have been done", async () => {
  await using proxy = await ForwardingProxy.to(node.url);
  proxy.answer = ({ method }) => method === "POST"; // and says nothing
  const [own, file] = await offered();
  await bob.moneta("sign", file);
  for (const [user, args] of [
    [alice, ["withdraw", own]],
    [bob, ["submit", file]],
  ] as const) {
    proxy.asked.length = 0;
    await using run = new RunningCommand(user, [...args, "--url", proxy.url]);
    const isSent = (): boolean => proxy.asked.some((path) => /^.(multi|exchange)/.test(path));
    await run.until(() => isSent() && /Ctrl-C to give up/.test(run.stderr));
    assert.equal(await run.end("SIGINT"), null);
    assert.match(run.stderr, /Given up\. It may have been done anyway/);
  }
});

test("an offer is withdrawn, and an offer that would be refused is shown so", async () => {
  const [own, file] = await offered();
  await alice.moneta("withdraw", own);
  await bob.moneta("sign", file);
  assert.match(await bob.refused(1, "submit", file), /2021.*moneta propose/s);
  const [done, bobs] = await offered();
  await accepted(bobs);
  assert.match(await alice.refused(1, "withdraw", done), /2021.*nothing to withdraw/s);
  const dear = join(alice.home, "dear.json");
  await offer(dear, ["2", "0", "1000", "1"]);
  const { problem } = await alice.json<{ problem: { code: string } }>("show", dear);
  assert.equal(problem.code, "5002");
  assert.match(await alice.moneta("show", dear), /Now it would be refused: .*1000 GLD.*\(5002\)/);
});

test("a forecast that the node has not finished is no refusal", async () => {
  const [, file] = await offered();
  await using proxy = await ForwardingProxy.to(node.url);
  const problem = { status: 503, code: "9002", title: "Busy", detail: "It took too long." };
  proxy.change = (path, body) =>
    path.endsWith("?dry=1") ? JSON.stringify({ results: [{ problem }] }) : body;
  const { code, stdout, stderr } = await bob.call(["show", file, "--url", proxy.url]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /The node has not finished its forecast: It took too long\. \(9002\)/);
  assert.doesNotMatch(stdout + stderr, /refused/);
});

test("a wrong exchange is refused before a node is asked to do anything", async () => {
  const refused = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await alice.call(["exchange", ...args]);
    assert.equal(code, 2, stderr);
    assert.match(stdout, /^\{"problem":/, "so that a pipe proposes nothing");
    return stderr;
  };
  const bad = (...args: readonly string[]): Promise<string> => refused(owner, ...args);
  assert.match(await bad("x", "0", "1", "1"), /moneta: AMOUNT is "x"/);
  assert.match(await bad("0.0", "0", "1", "1"), /moneta: AMOUNT is "0\.0" .* more than 0/);
  assert.match(await bad("2", "0", "1", "GOD"), /moneta: TOTOKEN is "GOD", but no token has this/);
  assert.match(
    await bad("2", "tst", "1", "Test Coin"),
    /moneta: TOTOKEN is 0, which is also TOKEN/,
  );
  assert.match(await bad("2", "0", "1", "0"), /moneta: TOTOKEN is 0, which is also TOKEN/);
  assert.match(await bad("2", "0", "0", "1", "--units"), /moneta: TOAMOUNT is "0" but must be an/);
  assert.match(await bad("2", "0", "1", "1", "--fee", "1"), /moneta: --fee-to is missing/);
  assert.match(await bad("2", "0", "1", "1", "--fee-token", "1"), /moneta: --fee is missing/);
  const fee = (to: string, amount = "1"): Promise<string> =>
    bad("2", "0", "1", "1", "--fee", amount, "--fee-to", to);
  assert.match(await fee("MTx"), /moneta: --fee-to is "MTx" but must be an address/);
  assert.match(await fee(owner, "-1"), /moneta: --fee is "-1" but must be an amount/);
  assert.match(await fee(buyer), /moneta: --fee-to is MT\w+, which is also --from/);
  const [to = "", itself = ""] = await Promise.all(
    ["MTx", buyer].map((side) => refused(side, "2", "0", "1", "1")),
  );
  assert.match(to, /moneta: TO is "MTx" but must be an address/);
  assert.match(itself, /moneta: TO is MT\w+, which is also --from/);
});

test("a proposal is signed in a file", async () => {
  for (const args of [
    ["sign", "-"],
    ["propose", "-"],
  ]) {
    assert.match(await alice.refused(2, ...args), /FILE must be a file/);
  }
  const file = alice.file("no.json", "{}");
  assert.match(await alice.refused(2, "sign", file), /is no proposal to be trusted: /);
});
