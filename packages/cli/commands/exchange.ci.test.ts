import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ForwardingProxy } from "../../node/testing/forwarding-proxy.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import { CommandRuns } from "../testing/command-runs.ts";
import { RunningCommand } from "../testing/running-command.ts";

// An exchange as two people make it from two shells, over a file.

let node: TestNode;
let alice: CommandRuns;
let bob: CommandRuns;
/** Has no key. */
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
  await bob.moneta("token", "save", "GLD", "Gold", "--decimal", "1", "--totalsupply", "100");
  await bob.moneta("token", "create");
});
after(async () => {
  alice?.[Symbol.dispose]();
  bob?.[Symbol.dispose]();
  carol?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

let files = 0;

/** Alice offers 2 coins for 1.5 gold; the file, as Bob has it. */
async function offered(...flags: readonly string[]): Promise<readonly [string, string]> {
  files += 1;
  const file = join(alice.home, `our offer${files}.json`);
  const terms = [owner, "2", "0", "1.5", "1", ...flags];
  const { stderr } = await alice.call(["exchange", "propose", file, ...terms]);
  assert.match(stderr, /moneta exchange accept '\S+our offer\d+\.json'\.\n$/);
  const received = join(bob.home, `offer${files}.json`);
  writeFileSync(received, readFileSync(file));
  return [file, received];
}

test("one proposes, the other sees what it gives and gets, and accepts", async () => {
  const [, file] = await offered("--memo", "for gold", "--valid", "900");
  const shown = await bob.moneta("exchange", "show", file);
  assert.match(
    shown,
    new RegExp(`${buyer}, signed\n  gives 2 TST\n  gets 1\\.5 GLD #1\n  memo: for gold`),
  );
  assert.match(
    shown,
    new RegExp(`${owner} \\(you\\), not signed yet\n  gives 1\\.5 GLD #1\n  gets 2 TST`),
  );
  const { code, stdout, stderr } = await bob.call(["exchange", "accept", file]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, new RegExp(`${owner} \\(you\\)`));
  const [id = "nothing"] = /^[0-9a-f]{64}\n$/.exec(stdout) ?? [];
  assert.match(await alice.moneta("balance"), /1\.5 GLD #1/);
  assert.match(stderr, /the exchange is done/);
  assert.match(await bob.moneta("exchange", "accept", file), new RegExp(id), "again, the same");
  assert.match(
    await bob.moneta("exchange", "show", file),
    new RegExp(`It is done, .*${id.trim()}`),
  );
  const { transaction_id } = await bob.json<{ transaction_id: string }>("exchange", "show", file);
  assert.equal(transaction_id, id.trim());
  assert.match(await alice.moneta("history"), /exchange/);
});

test("one that was done days ago is accepted again as the first time, and one that was not is refused", async () => {
  const [[, file], [, left]] = [await offered(), await offered()];
  const id = (await bob.moneta("exchange", "accept", file)).trim();
  node.now += 30 * 3600;
  await node.holder(); // a block at that time
  assert.equal((await bob.moneta("exchange", "accept", file)).trim(), id);
  assert.deepEqual(await bob.json("exchange", "accept", file), { transaction_id: id });
  assert.match(await bob.refused(1, "exchange", "accept", left), /2020.*Nothing was done/s);
});

test("of two that propose into one file at the same time one is refused, and writes nothing over", async () => {
  const file = join(alice.home, "contested.json");
  const [one, other] = await Promise.all(
    ["2", "3"].map((amount) =>
      alice.call(["exchange", "propose", file, owner, amount, "0", "1.5", "1"]),
    ),
  );
  assert.deepEqual([one?.code, other?.code].sort(), [0, 2]);
  const amount = one?.code === 0 ? "2" : "3";
  assert.match(await alice.moneta("exchange", "show", file), new RegExp(`gives ${amount} TST`));
  assert.match(`${one?.stderr}${other?.stderr}`, /contested\.json cannot be written: EEXIST/);
});

test("a fee is shown to both", async () => {
  const fee = ["--fee", "0.5", "--feetoken", "1", "--feeto", owner];
  const [, file] = await offered(...fee);
  const shown = await bob.moneta("exchange", "show", file);
  assert.match(shown, new RegExp(`pays a fee of 0\\.5 GLD #1 to ${owner}`));
  await bob.moneta("exchange", "accept", file, "--sign-only");
  const { missing } = await bob.json<{ missing: string[] }>("exchange", "show", file);
  assert.deepEqual(missing, []);
  const signed = await carol.moneta("exchange", "show", file);
  assert.doesNotMatch(signed, /\(you\)|It is done/, "no key, and not done");
  // Anybody submits what both have signed; here a third person would need no key of a side.
  await bob.moneta("exchange", "accept", file);
});

test("who gives up waiting for an exchange or its end is told that it may have been done", async () => {
  await using proxy = await ForwardingProxy.to(node.url);
  proxy.answer = ({ method }) => method === "POST"; // and says nothing
  const [own, file] = await offered();
  for (const [user, args] of [
    [alice, ["withdraw", own]],
    [bob, ["accept", file]],
  ] as const) {
    proxy.asked.length = 0;
    await using run = new RunningCommand(user, ["exchange", ...args, "--url", proxy.url]);
    const isSent = (): boolean => proxy.asked.some((path) => /^.(multi|exchange)/.test(path));
    await run.until(() => isSent() && /Ctrl-C gives up/.test(run.stderr));
    assert.equal(await run.end("SIGINT"), null);
    assert.match(run.stderr, /Given up\. It may have been done all the same/);
  }
});

test("an offer is withdrawn, and what would be refused is said before", async () => {
  const [own, file] = await offered();
  await alice.moneta("exchange", "withdraw", own);
  assert.match(await bob.refused(1, "exchange", "accept", file), /2021.*propose makes a new/s);
  const [done, bobs] = await offered();
  await bob.moneta("exchange", "accept", bobs);
  assert.match(await alice.refused(1, "exchange", "withdraw", done), /2021.*nothing to withdraw/s);
  const dear = join(alice.home, "dear.json");
  await alice.moneta("exchange", "propose", dear, owner, "2", "0", "1000", "1");
  const { problem } = await alice.json<{ problem: { code: string } }>("exchange", "show", dear);
  assert.equal(problem.code, "5002");
});

test("a forecast that the node has not finished is no refusal", async () => {
  const [, file] = await offered();
  await using proxy = await ForwardingProxy.to(node.url);
  const problem = { status: 503, code: "9002", title: "Busy", detail: "It took too long." };
  proxy.change = (path, body) =>
    path.endsWith("?dry=1") ? JSON.stringify({ results: [{ problem }] }) : body;
  const { code, stdout, stderr } = await bob.call(["exchange", "show", file, "--url", proxy.url]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /the node has not finished its forecast: It took too long\. \(9002\)/);
  assert.doesNotMatch(stdout + stderr, /refused/);
});

test("wrong uses send nothing", async () => {
  const [own] = await offered();
  const propose = ["exchange", "propose"] as const;
  assert.match(await alice.refused(2, ...propose, own, owner, "2", "0", "1", "1"), /is there/);
  const fresh = join(alice.home, "fresh.json");
  const bad = (...args: readonly string[]): Promise<string> =>
    alice.refused(2, ...propose, fresh, owner, ...args);
  assert.match(await bad("x", "0", "1", "1"), /moneta: AMOUNT is "x"/);
  assert.match(await bad("0.0", "0", "1", "1"), /moneta: AMOUNT is "0\.0" .* more than 0/);
  assert.match(await bad("2", "0", "1", "TST"), /moneta: TOTOKEN is "TST" but must be the id/);
  assert.match(await bad("2", "0", "1", "0"), /moneta: TOTOKEN is 0, which is also TOKEN/);
  assert.match(await bad("2", "0", "0", "1", "--units"), /moneta: TOAMOUNT is "0" but must be an/);
  assert.match(await bad("2", "0", "1", "1", "--fee", "1"), /--feeto/);
  assert.match(await bad("2", "0", "1", "1", "--feetoken", "1"), /--fee and --feeto are missing/);
  const fee = (to: string, amount = "1"): Promise<string> =>
    bad("2", "0", "1", "1", "--fee", amount, "--feeto", to);
  assert.match(await fee("MTx"), /moneta: --feeto is "MTx" but must be an address/);
  assert.match(await fee(owner, "-1"), /moneta: --fee is "-1" but must be an amount/);
  assert.match(await fee(buyer), /moneta: --feeto is MT\w+, which is also the acting address/);
  const [to, itself] = ["MTx", buyer].map((side) => [...propose, fresh, side, "2", "0", "1", "1"]);
  assert.match(await alice.refused(2, ...(to ?? [])), /moneta: TO is "MTx" but must be an address/);
  assert.match(await alice.refused(2, ...(itself ?? [])), /moneta: TO is MT\w+, which is also the/);
  assert.equal(existsSync(fresh), false);
  assert.match(await bad("2", "0", "1", "1", "--valid", "x"), /--valid/);
  assert.match(await alice.refused(2, "exchange", "show", fresh), /cannot be read/);
  for (const args of [
    ["exchange", "accept", "-"],
    ["group", "sign", "-"],
    ["group", "new", "-"],
    [...propose, "-", owner, "2", "0", "1", "1"],
  ]) {
    assert.match(await alice.refused(2, ...args), /FILE must be a file/);
  }
  const file = alice.file("no.json", "{}");
  assert.match(await alice.refused(2, "exchange", "accept", file), /is no exchange: /);
});
