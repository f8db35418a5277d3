import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TestNode } from "../../node/testing/test-node.ts";
import { CommandRuns } from "../testing/command-runs.ts";

let node: TestNode;
let mallory: CommandRuns;
let alice: CommandRuns;
let address: string;

before(async () => {
  node = await TestNode.start();
  node.now = Math.floor(Date.now() / 1000);
  [mallory, alice] = [new CommandRuns(node.url), new CommandRuns(node.url)];
  await mallory.newAddress();
  address = await alice.newAddress();
  for (const [symbol, name] of [
    ["\u0422\u0405\u0422", "Mine"],
    ["GLD", "Gold"],
    ["G\u200dLD", "Shares"],
    ["000,000 TST", "Money"],
  ] as const) {
    await mallory.moneta("token", "save", symbol, name, "--supply", "1000");
    await mallory.moneta("token", "create");
  }
  for (const token of ["2", "3"]) {
    await mallory.moneta("transfer", address, "5", "--token", token);
  }
});
after(async () => {
  mallory?.[Symbol.dispose]();
  alice?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

async function warned(...args: readonly string[]): Promise<readonly string[]> {
  const { stderr } = await alice.call([...args]);
  return stderr.split("\n").filter((line) => line.includes("only looks like it"));
}

test("a purchase with a token that looks like the coin says so before it is sent", async () => {
  const listing = (await mallory.moneta("token", "sell", "1", "500", "0.1")).trim();
  const { stderr } = await alice.call(["token", "buy", listing, "500"]);
  const [terms = "", warning = "", outcome = ""] = stderr.split("\n");
  assert.match(terms, /500 \u0422\u0405\u0422 #1 at 0.1 TST each/);
  assert.match(warning, /\u0422\u0405\u0422 #1 \(Mine\) is not TST \(Test Coin\), the native coin/);
  assert.match(outcome, /got 500 \u0422\u0405\u0422 #1/);
});

test("an exchange says so before it is proposed", async () => {
  const { address: other } = await node.holder();
  const [line = "", ...more] = await warned("exchange", other, "1", "0", "5", "4");
  assert.match(line, /"000,000 TST" #4 \(Money\) is not TST/);
  assert.deepEqual(more, []);
});

test("a payment in coins is compared with nothing", async () => {
  const { address: other } = await node.holder();
  assert.deepEqual(await warned("transfer", other, "0.5"), []);
});

test("two tokens that look alike are named until one is marked as trusted", async () => {
  const { address: other } = await node.holder();
  const pay = (token: string) => warned("transfer", other, "1", "--token", token);
  assert.match(
    (await pay("2")).join(),
    /GLD #2 \(Gold\) is not "?G\\u200dLD"? #3 .*which you have/,
  );
  assert.equal(await alice.moneta("token", "trust", "2"), "2\n");
  assert.equal(await alice.moneta("token", "trust"), "2\n");
  assert.deepEqual(await pay("2"), []);
  assert.match((await pay("3")).join(), / is not GLD #2 \(Gold\), which you trust: /);
  await alice.moneta("token", "trust", "2", "--remove");
  assert.match((await pay("2")).join(), /which you have/);
  assert.match(await alice.refused(1, "token", "trust", "99"), /99/);
});

test("a symbol or name that several tokens have is refused, with all of them", async () => {
  const { address: other } = await node.holder();
  const { code, stderr } = await alice.call(["transfer", other, "1", "--token", "gold"]);
  assert.deepEqual([code, /is token (\d+)/.exec(stderr)?.[1]], [0, "2"]);
  await mallory.moneta("token", "save", "gld", "More", "--supply", "1000");
  await mallory.moneta("token", "create");
  const { code: refused, stderr: says } = await alice.call([
    "transfer",
    other,
    "1",
    "--token",
    "GLD",
  ]);
  assert.equal(refused, 2);
  assert.match(
    says,
    /--token is "GLD", the symbol or name of several tokens\. .*: 2 \(GLD #2, Gold\), 5 \(gld #5, More\)/,
  );
});
