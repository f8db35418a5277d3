import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { shortId } from "@moneta/protocol";
import { ForwardingProxy } from "../../node/testing/forwarding-proxy.ts";
import { freePort } from "../../node/testing/free-port.ts";
import { type KeyHolder, TestNode } from "../../node/testing/test-node.ts";
import { CommandRuns } from "../testing/command-runs.ts";
import { RunningCommand } from "../testing/running-command.ts";

let node: TestNode;
let user: CommandRuns;
let payee: KeyHolder;

before(async () => {
  // As an operator's node.
  node = await TestNode.start("--port", String(await freePort()));
  user = new CommandRuns(node.url);
  payee = await node.holder();
});
after(async () => {
  user?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

class Watching extends RunningCommand {
  constructor(...args: readonly string[]) {
    super(user, ["watch", ...args]);
  }

  /** From then on nothing is missed. */
  begun(): Promise<void> {
    return this.until(() => this.stderr.includes("Ctrl-C ends it"));
  }
}

test("a line is printed for each transaction, until Ctrl-C, which is no failure", async () => {
  await using watching = new Watching("--address", payee.address);
  await watching.begun();
  await node.pay(payee, 150_000_000n);
  await node.pay(await node.holder(), 7n); // is of no watched address
  await node.pay(payee, 1n);
  await watching.until(() => watching.lines().length === 2);
  const treasury = node.treasury.address;
  const [first = "", second = ""] = watching.lines();
  assert.match(
    first,
    new RegExp(
      `  [0-9]+-0…[0-9a-f]{6}  ${shortId(treasury)} paid ${shortId(payee.address)} 1\\.5 TST$`,
    ),
  );
  assert.match(second, / 0\.00000001 TST$/);
  assert.equal(await watching.end("SIGINT"), 0);
});

test("lines of a watched address show what it gained by operations of others", async () => {
  await user.moneta("key", "new");
  const [seller, buyer] = [
    (await user.moneta("address", "new")).trim(),
    (await user.moneta("address", "new")).trim(),
  ];
  for (const each of [seller, buyer]) {
    await user.moneta("faucet", each);
  }
  const print = await user.moneta(
    ...["units", "create", "--name", "Sunset", "--supply", "5", "--from", seller],
    ...["--page-url", "https://prints.example/", "--picture-url", "https://prints.example/1.png"],
  );
  const sale = ["units", "sell", print.trim(), "5", "0.5", "--from", seller];
  const { mrc402dexid: listing } = await user.json<{ mrc402dexid: string }>(...sale);
  await using watching = new Watching("--address", seller, "--full");
  await watching.begun();
  await user.moneta("units", "buy", listing, "2", "--from", buyer);
  await watching.until(() => watching.lines().length === 1);
  assert.match(
    watching.lines()[0] ?? "",
    new RegExp(`  [0-9a-f]{64}  ${seller} received 1 TST .*${print.trim()}`),
  );
  assert.equal(await watching.end("SIGINT"), 0);
});

test("a watch outlives a restart of its node, and misses and repeats nothing", async () => {
  await using watching = new Watching("--json", "--address", payee.address);
  await watching.begun();
  await node.pay(payee, 11n);
  await watching.until(() => watching.lines().length === 1);
  await node.stop();
  await watching.until(() => watching.stderr.includes("connection lost"));
  await node.resume();
  await node.pay(payee, 12n);
  await node.pay(payee, 13n);
  await watching.until(() => watching.lines().length === 3);
  assert.match(watching.stderr, /connected again/);
  const amounts = watching
    .lines()
    .map((line) => (JSON.parse(line) as { parameters: string[] }).parameters[2]);
  assert.deepEqual(amounts, ["11", "12", "13"]);
  assert.equal(await watching.end("SIGINT"), 0);
});

test("a watch continues when the node cannot describe a token, and asks again", async () => {
  using own = new CommandRuns(node.url);
  await own.newAddress();
  await own.moneta("token", "save", "GLD", "Gold", "--decimals", "2", "--supply", "100");
  const token = (await own.moneta("token", "create")).trim();
  await using proxy = await ForwardingProxy.to(node.url);
  proxy.loses = ({ url = "" }) => url.startsWith("/token/");
  await using watching = new Watching("--token", "gld", "--url", proxy.url);
  await watching.begun();
  await own.moneta("transfer", payee.address, "1.5", "--token", token);
  await watching.until(() => watching.lines().length === 1);
  assert.match(watching.lines()[0] ?? "", new RegExp(` 150 of token ${token}$`));
  proxy.loses = () => false;
  await own.moneta("transfer", payee.address, "2.5", "--token", token);
  await watching.until(() => watching.lines().length === 2);
  assert.match(watching.lines()[1] ?? "", new RegExp(` 2\\.5 GLD #${token}$`));
  assert.equal(await watching.end("SIGINT"), 0);
});

test("a watch can begin in the past, and tell of blocks", async () => {
  await using watching = new Watching("--from-block", "0", "--type", "block,transfer", "--units");
  await watching.until(() => watching.lines().length > 5);
  assert.ok(watching.lines().some((line) => /^block \d+$/.test(line)));
  assert.ok(watching.lines().some((line) => line.includes("150000000 of token 0")));
});

test("a watch whose output is closed ends silently", async () => {
  const child = user.start(["watch", "--from-block", "0"]);
  let printed = "";
  child.stderr?.on("data", (text: Buffer) => {
    printed += text.toString();
  });
  child.stdout?.once("data", () => child.stdout?.destroy());
  const paying = (async () => {
    while (child.exitCode === null) {
      await node.pay(payee, 1n);
      await delay(50);
    }
  })();
  const [code] = await once(child, "close");
  await paying;
  assert.equal(code, 0);
  assert.match(printed, /^watching [^\n]+\n$/);
});

test("what cannot be watched is refused, and a missing node is reported at once", async () => {
  assert.match(await user.refused(2, "watch", "--address", "MTBob"), /address/);
  await node.stop();
  assert.match(await user.refused(3, "watch"), /did not respond/);
  await node.resume();
});

test("with several nodes it continues at the next one, without a gap", async () => {
  const own = await node.holder();
  await using a = await ForwardingProxy.to(node.url);
  await using b = await ForwardingProxy.to(node.url);
  await using watching = new Watching("--address", own.address, "--url", `${a.url},${b.url}`);
  await watching.begun();
  a.target = undefined;
  a.breakOff();
  await node.pay(own, 1n);
  await watching.until(() => watching.lines().length === 1);
  assert.match(await user.moneta("height", "--url", `${a.url}, ${b.url}`), /^\d+$/m);
  await node.pay(own, 2n);
  await watching.until(() => watching.lines().length === 2);
  assert.match(watching.stderr, /connection lost: reconnecting.*connected again/s);
});

test("a watch of a ledger that was replaced ends, and says that what was printed may not hold", async () => {
  await using other = await TestNode.start();
  await using proxy = await ForwardingProxy.to(node.url);
  for (const json of [[], ["--json"]]) {
    proxy.target = node.url;
    await using watching = new Watching("--address", payee.address, "--url", proxy.url, ...json);
    await watching.begun();
    await node.pay(payee, 21n);
    await watching.until(() => watching.lines().length === 1);
    proxy.target = other.url;
    proxy.breakOff();
    assert.equal(await watching.closed(), 1);
    assert.match(watching.stderr, /restored to an older state/);
  }
});
