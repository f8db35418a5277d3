import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { OPERATIONS } from "@moneta/protocol";
import { longTest, someCases } from "../../ledger/testing/lane.ts";
import { Moneta } from "../../sdk/index.ts";
import { backup } from "../commands/backup.ts";
import { restore } from "../commands/restore.ts";
import { outputOf, printed, runInProcess } from "../testing/command-in-process.ts";
import { EventStream } from "../testing/event-stream.ts";
import { ForwardingProxy } from "../testing/forwarding-proxy.ts";
import { type By, changeKeys, passkey, raw, sendBy } from "../testing/requests/key-requests.ts";
import { Market } from "../testing/requests/market.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import {
  type Answered,
  type KeyHolder,
  parsed,
  problemOf,
  publicPem,
  summaryOf,
  TestNode,
  transactionIdOf,
} from "../testing/test-node.ts";
import { until } from "../testing/until.ts";

// Nodes that take their blocks from another one over HTTP. Source: cluster §8.

let market: Market;
/** The node that writes, and a proxy before it, so that it can lie or be away. */
let node: TestNode;
let proxy: ForwardingProxy;
/** Follows the proxy; each test finds and leaves it with all blocks. */
let follower: TestNode;
let alice: KeyHolder;
let bob: KeyHolder;
let key: string;

before(async () => {
  market = await Market.open({ tokens: 1 });
  node = market.node;
  alice = await market.holder(1_000_000n, { tokens: { "1": 1000n } });
  bob = await market.holder(1_000_000n);
  const platform = { p: await market.holder() };
  await market.list("sell", alice, market.listing1(platform));
  proxy = await ForwardingProxy.to(node.url);
  key = (await node.get("/checkpoint/key")).text.trim();
  follower = await TestNode.start(
    ...["--log", `${proxy.url}/`, "--log-key", key, "--stale-seconds", "6"],
  );
});
after(async () => {
  await follower?.[Symbol.asyncDispose]();
  await proxy?.[Symbol.asyncDispose]();
  await market?.[Symbol.asyncDispose]();
});
afterEach(() => {
  proxy.target = node.url;
  proxy.change = (_path, body) => body;
  proxy.answer = () => false;
});

async function caughtUp(of = follower): Promise<void> {
  const height = await node.height();
  await until(async () => (await of.height()) >= height, "the follower catches up");
}

function troubleOf(of: TestNode): string | undefined {
  const { trouble, refused } = of.running.service.log?.report ?? {};
  return refused ?? trouble;
}

/** Waits until a follower reports this fault. */
async function says(what: RegExp, of = follower): Promise<void> {
  await until(
    () => what.test(troubleOf(of) ?? ""),
    () => `it says ${troubleOf(of)}, and not ${what}`,
  );
}

/** A whole audit of a node, with the key that its source has. */
async function audited(url: string): Promise<void> {
  using directory = new TemporaryDirectory("audit");
  const args = [url, "--data", directory.path, "--once", "--key", key, "--patience", "0"];
  const output = await outputOf(["audit", ...args]);
  assert.match(output, /valid: .* signed by/);
}

test("a follower has the ledger and the keys of its source, and takes no writes", async () => {
  await caughtUp();
  const { ledger_id, checkpoint_keys } = parsed<{ ledger_id: string; checkpoint_keys: string[] }>(
    await follower.get("/"),
  );
  assert.equal(ledger_id, node.ledgerId);
  assert.deepEqual(checkpoint_keys, [key]);
  const ready = parsed<{ writes: string }>(await follower.get("/ready"));
  assert.match(ready.writes, /follows another/);
  assert.equal(summaryOf(await follower.get("/ready?for=writes")), "503 9002");
});

test("authority §1 to §5: a follower replays keys that change, signatures of k of n and grants used and ended, and an audit finds all that it serves right", async () => {
  const { address, privateKey } = await node.holder({ coins: 100n });
  const [one, two, three, agent] = [raw(), raw(1, "secp521r1"), passkey(), raw()];
  const set = { keys: [one, two, three], threshold: 2 };
  const byTwo: By = [
    [1, two],
    [2, three],
  ];
  const done = async (answer: Promise<Answered>): Promise<string> => {
    assert.equal(summaryOf(await answer), "200");
    return (await answer).text;
  };
  const granted = async (by: By): Promise<string> => {
    const params = {
      ...{ address, agent: publicPem(agent.privateKey), until: String(node.now + 86_400) },
      operations: '["transfer"]',
      limits: '[{"token":"0","amount":"5","period":"86400"}]',
    };
    const sent = sendBy(node, address, { operation: "grant", path: "/grant", params, by });
    return (JSON.parse(await done(sent)) as { grantid: string }).grantid;
  };
  const paid = (by: By, grant = ""): Promise<Answered> => {
    const params = { from: address, to: bob.address, token: "0", amount: "1", grant };
    return sendBy(node, address, { operation: "transfer", path: "/transfer", params, by });
  };
  await done(changeKeys(node, address, set, [[0, { privateKey }]]));
  await done(paid(byTwo));
  const ended = await granted(byTwo);
  await done(paid([[0, agent]], ended));
  const path = `/grant/end/${ended}`;
  const params = { grantid: ended, grant: "" };
  await done(
    sendBy(node, address, { operation: "grantend", path, params, inPath: "grantid", by: byTwo }),
  );
  const outlived = await granted(byTwo);
  await caughtUp(follower);
  // The follower sees the second change, which ends the second grant, by itself.
  await done(changeKeys(node, address, { keys: [one], threshold: 1 }, byTwo, { version: 2 }));
  assert.equal(summaryOf(await paid([[0, agent]], outlived)), "409 7209 grant");
  await done(paid([[0, one]]));
  await caughtUp(follower);
  for (const read of [
    `/address/${address}?view=full`,
    `/address/${address}/transactions`,
    `/grants?address=${address}&state=all`,
    ...[ended, outlived].map((id) => `/grant/${id}`),
  ]) {
    assert.deepEqual(parsed(await follower.get(read)), parsed(await node.get(read)), read);
  }
  await audited(follower.url);
});

test("a node without --log refuses a follower's directory, and a back-up of it, behind which it would write a second history", async () => {
  await using follower = await TestNode.start("--log", node.url);
  await caughtUp(follower);
  using folder = new TemporaryDirectory("followed");
  const [copy, restored] = [join(folder.path, "copy"), join(folder.path, "restored")];
  const how = { keys: "", isVerified: false };
  await printed(() => backup(follower.data, copy, how));
  const { output } = await printed(() => restore(copy, restored, how));
  assert.ok(output.includes(`moneta serve --data ${restored} --log ${node.url}`), output);
  await follower.stop();
  const refused = /come from http:\S+, and a node without --log would write .*: give --log http:/;
  for (const data of [follower.data, restored]) {
    const serve = await runInProcess("serve", "--data", data, "--port", "0");
    assert.equal(serve.exitCode, 2, serve.output);
    assert.match(serve.output, refused);
  }
  await outputOf(["serve", "--data", restored, "--port", "0", "--log", node.url]);
  rmSync(join(follower.data, "log-source"));
  await outputOf(["serve", "--data", follower.data, "--port", "0"]);
});

test("it follows while its source writes, and its streams tell of it", async () => {
  using stream = await EventStream.open(follower.url, `address=${bob.address}`);
  await stream.next();
  const before = await follower.height();
  await node.pay(bob, 3n);
  const { event, id } = await stream.nextButHeights();
  assert.equal(event, "transaction");
  assert.ok((await follower.height()) > before);
  const own = parsed<object>(await follower.get(`/transaction/${id}`));
  assert.deepEqual(own, parsed<object>(await node.get(`/transaction/${id}`)));
  const proof = parsed<{ checkpoint: string }>(await follower.get(`/transaction/${id}/proof`));
  assert.match(proof.checkpoint, /^localhost\/test\n/);
});

test("a follower follows a follower, continues after restarts", async () => {
  await using second = await TestNode.start("--log", follower.url, "--log-key", key);
  await node.pay(bob, 4n);
  await caughtUp(second);
  await second.stop();
  await follower.stop();
  await node.pay(bob, 5n);
  await follower.resume();
  second.flags = ["--log", follower.url, "--log-key", key];
  await second.resume();
  await caughtUp(second);
});

test("a write, and what it needs a writing node for, leads to the same path at the source", async () => {
  const led = async (method: string, path: string): Promise<void> => {
    const response = await fetch(follower.url + path, { method, redirect: "manual" });
    assert.equal(response.status, 307, path);
    assert.equal(response.headers.get("location"), proxy.url + path);
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
  };
  for (const { name, route } of OPERATIONS) {
    if (name === "protocol") {
      continue; // this ledger has no operator
    }
    const [method = "", path = ""] = (route ?? "").split(" ");
    if (path !== "") {
      await led(method, `${path.replaceAll(/\{\w+\}/g, "x")}?a=%20b&c`);
    }
  }
  await led("POST", "/batch");
  await led("POST", "/group");
  await led("POST", "/group?dry=1");
  await led("GET", `/nonce/${alice.address}?count=2`);
  await led("GET", `/getkey/transfer/${alice.address}`);
  await led("POST", "/faucet");

  const { address, privateKey } = await follower.holder();
  assert.match(address, /^MT/);
  await caughtUp();
  await node.pay({ address, privateKey }, 9n);
  const sent = await follower.post(
    "/transfer",
    await follower.fullTransfer({ address, privateKey }, { to: bob.address, amount: "2" }),
  );
  assert.equal(sent.status, 200, sent.text);
});

test("a stream of operations is refused, and with --writes refuse every write is", async () => {
  await using follower = await TestNode.start("--log", node.url, "--writes", "refuse");
  const headers = { "Content-Type": "application/x-ndjson" };
  const streamed = await follower.request("/batch", { method: "POST", headers, body: "{}\n" });
  assert.equal(summaryOf(streamed), "503 9002");
  const refused = await follower.postJson("/batch", { operations: [] });
  assert.equal(summaryOf(refused), "503 9002");
  await assert.rejects(
    new Moneta(follower.url).nonce({ address: alice.address }),
    /follows another one/,
    "the client library does not wait for what does not pass",
  );
  assert.equal(summaryOf(await follower.get(`/nonce/${alice.address}`)), "503 9002");
  assert.equal((await follower.get(`/balance/${alice.address}`)).status, 200);
});

test("while its source is away a follower serves what it has, and says how old it is", async () => {
  await caughtUp();
  assert.equal((await follower.get("/ready")).status, 200);
  assert.equal((await follower.get("/block")).headers.get("ledger-age"), null);
  proxy.target = undefined;
  proxy.breakOff();
  await says(/^GET \/block: /);
  await until(
    async () => Number((await follower.get("/block")).headers.get("ledger-age")) > 6,
    "answers bear their age",
  );
  assert.equal(summaryOf(await follower.get("/ready")), "503 9002");
  await node.pay(bob, 6n);
  assert.ok((await follower.height()) < (await node.height()));
  proxy.target = node.url;
  await caughtUp();
  await until(async () => (await follower.get("/ready")).status === 200, "it is ready again");
  assert.equal(troubleOf(follower), undefined);
});

longTest("the age of a source that is itself a follower adds up", async () => {
  await using first = await TestNode.start("--log", proxy.url);
  await using second = await TestNode.start("--log", first.url);
  proxy.target = undefined;
  proxy.breakOff();
  await until(
    async () => Number((await second.get("/block")).headers.get("ledger-age")) > 5,
    "the second bears the first one's age",
  );
  assert.equal(troubleOf(second), undefined);
});

/** Changes the source's responses about the newest block, from then on. */
const LIES: Readonly<Record<string, readonly [(path: string, body: string) => string, RegExp]>> = {
  "a changed amount in an operation": [
    (path, body) =>
      path.startsWith("/blocks/raw") ? body.replace('"amount":"77"', '"amount":"78"') : body,
    /^block \d+, transaction \d+ \([0-9a-f]+\): GET \/blocks\/raw: its signature does not fit/,
  ],
  "a changed byte of a signature": [
    (path, body) =>
      path.startsWith("/blocks/raw")
        ? body.replace(
            /("signature":".{40})(.)/,
            (_, start, one) => start + (one === "A" ? "B" : "A"),
          )
        : body,
    /^block \d+, transaction \d+ \([0-9a-f]+\): GET \/blocks\/raw: its (signature|actor)/,
  ],
  "a changed hash in a header": [
    (path, body) =>
      path.startsWith("/blocks/raw")
        ? body.replace(/("root":")(.)/, (_, start, one) => start + (one === "0" ? "1" : "0"))
        : body,
    /^block \d+: GET \/blocks\/raw: its header's root is .*; the header served hashes to/,
  ],
  "what is no JSON": [
    (path, body) => (path.startsWith("/blocks/raw") ? body.replace("{", "[") : body),
    /^block \d+: GET \/blocks\/raw: no JSON/,
  ],
  "a checkpoint of another root": [
    (path, body) =>
      path === "/checkpoint"
        ? body.replace(
            /\n(.)(.{42}=)\n\n/,
            (_, one, rest) => `\n${one === "A" ? "B" : "A"}${rest}\n\n`,
          )
        : body,
    /^GET \/checkpoint: the signature of .* does not fit the checkpoint/,
  ],
  "a checkpoint without a signature": [
    (path, body) => (path === "/checkpoint" ? body.replace(/\n\n.*$/s, "\n\n") : body),
    /^GET \/checkpoint: /,
  ],
};

for (const [what, [change, found]] of someCases(Object.entries(LIES))) {
  test(`cluster §8: a source that serves ${what}: says which, serves nothing that is wrong`, async () => {
    await caughtUp();
    const height = await follower.height();
    proxy.change = change;
    await node.pay(bob, 77n);
    await says(found);
    assert.equal(await follower.height(), height);
    assert.equal((await follower.get(`/block/${height}`)).status, 200);
    assert.equal(summaryOf(await follower.get(`/block/${height + 1}`)), "404 6001 block");
    proxy.change = (_path, body) => body;
    await caughtUp();
  });
}

test("streams of a follower whose source is not right end, and begin again behind what was sent", async () => {
  await caughtUp();
  const query = `address=${bob.address}`;
  using stream = await EventStream.open(follower.url, query);
  const last = (await stream.next()).id as string;
  proxy.change = (LIES["what is no JSON"] as (typeof LIES)[string])[0];
  await node.pay(bob, 78n);
  await until(() => follower.running.service.log?.noStreams !== undefined, "it refuses the block");
  const { event, data } = await stream.nextButHeights();
  assert.equal(event, "dropped");
  assert.match(data, /a block that it refuses/);
  assert.equal(await stream.nextOrEnd(), undefined);
  const none = await follower.get("/events");
  assert.equal(summaryOf(none), "503 9002");
  assert.match(
    problemOf(none).detail,
    /^This node follows another one, and what that gives is not right/,
  );
  assert.equal((await follower.get("/ready")).status, 200, "it serves what it has");
  proxy.change = (_path, body) => body;
  await caughtUp();
  await until(() => follower.running.service.log?.noStreams === undefined, "it continues");
  using resumed = await EventStream.open(follower.url, query, { "Last-Event-ID": last });
  const { data: missed } = await resumed.nextTransaction();
  assert.equal(JSON.parse(missed).parameters[2], "78");
});

test("blocks before a wrong one are served, where no checkpoint is required", async () => {
  await using follower = await TestNode.start("--log", proxy.url);
  await caughtUp(follower);
  const height = await follower.height();
  proxy.target = undefined;
  proxy.breakOff();
  for (const amount of [1n, 79n, 2n]) {
    await node.pay(bob, amount);
  }
  proxy.change = (path, body) =>
    path.startsWith("/blocks/raw") ? body.replace('"amount":"79"', '"amount":"80"') : body;
  // Without checkpoints the follower takes valid blocks one by one.
  proxy.answer = (request, response) => {
    const isAsked = request.url === "/checkpoint";
    if (isAsked) {
      response.writeHead(404, { "Content-Type": "application/problem+json" });
      response.end(JSON.stringify({ code: "9404", detail: "none" }));
    }
    return isAsked;
  };
  proxy.target = node.url;
  await until(async () => (await follower.height()) === height + 1, "the sound one is taken");
  await says(new RegExp(`^block ${height + 2}, transaction`), follower);
});

longTest("answers without end are broken off", async () => {
  await using follower = await TestNode.start("--log", proxy.url, "--block-bytes-max", "50000");
  await caughtUp(follower);
  for (const path of ["/blocks/raw", "/checkpoint"]) {
    let sent = 0;
    proxy.answer = (request, response) => {
      if (request.url?.startsWith(path) !== true) {
        return false;
      }
      response.writeHead(200, { "Ledger-Height": "1" });
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536))) {
          sent += 65_536;
        }
        response.once("drain", more);
      };
      more();
      return true;
    };
    await node.pay(bob, 8n);
    await says(/of more than \d+ bytes/, follower);
    assert.ok(sent < 64 << 20, `${sent} bytes`);
    proxy.answer = () => false;
    await caughtUp(follower);
    await until(() => troubleOf(follower) === undefined, "it continues");
  }
});

test("a source of another ledger is found out; with an empty directory nothing is begun", async () => {
  await using other = await TestNode.start();
  await caughtUp();
  const height = await follower.height();
  await follower.stop();
  proxy.target = other.url;
  await follower.resume();
  await says(new RegExp(`another ledger: its block 0 is "${other.ledgerId}", .*${node.ledgerId}`));
  assert.equal(await follower.height(), height);
  await assert.rejects(TestNode.start("--log", other.url, "--log-key", key), {
    name: "SettingProblem",
    message:
      /^--log http.*: GET \/checkpoint: the checkpoint is signed by .* but believed are only/,
  });
});

test("a source that has rewritten its history is found out", async () => {
  await using copy = await TestNode.copyOf(node);
  await node.pay(bob, 10n);
  await caughtUp();
  const id = parsed<{ id: string }>(await follower.get(`/block/${await follower.height()}`)).id;
  await copy.pay(bob, 11n);
  await copy.pay(bob, 12n);
  proxy.target = copy.url;
  await says(/it does not follow the block before it|rewritten/);
  const { height } = parsed<{ height: number }>(await follower.get("/ready"));
  assert.equal(parsed<{ id: string }>(await follower.get(`/block/${height}`)).id, id);
});

test("cluster §8: a follower of B, B killed, the follower pointed at C: same chain, no gap in its event stream", async () => {
  await using b = await ForwardingProxy.to(node.url);
  await using c = await ForwardingProxy.to(node.url);
  await using follower = await TestNode.start("--log", b.url, "--log-key", key);
  await caughtUp(follower);
  const heard: string[] = [];
  let last = "";
  const hear = async (count: number, stream: EventStream): Promise<void> => {
    while (heard.length < count) {
      const event = await stream.next();
      assert.ok(event !== undefined, "the stream continues");
      last = event.id ?? last;
      if (event.event === "transaction") {
        heard.push(JSON.parse(event.data).parameters[2]);
      }
    }
  };
  const query = `address=${bob.address}`;
  const from = (await follower.height()) + 1;
  {
    using stream = await EventStream.open(follower.url, `${query}&from=${from}`);
    await node.pay(bob, 101n);
    await node.pay(bob, 102n);
    await hear(2, stream);
    b.target = undefined;
    b.breakOff();
    await node.pay(bob, 103n);
    await says(/^GET /, follower);
  }
  await follower.stop();
  follower.flags = ["--log", c.url, "--log-key", key];
  await follower.resume();
  await node.pay(bob, 104n);
  using stream = await EventStream.open(follower.url, query, { "Last-Event-ID": last });
  await hear(4, stream);
  assert.deepEqual(heard, ["101", "102", "103", "104"]);
});

longTest(
  "a follower that has much to catch up with drops no client that reads steadily",
  async () => {
    await using follower = await TestNode.start("--log", proxy.url);
    await caughtUp(follower);
    using stream = await EventStream.open(follower.url, `address=${bob.address}`);
    await stream.next();
    using _paced = stream.readPaced({ pauseMs: 1 });
    proxy.target = undefined;
    proxy.breakOff();
    const sent: string[] = [];
    const one = { address: bob.address, amount: "1", unlockdate: "0", memo: "m".repeat(2048) };
    for (let round = 0; round < 30; round += 1) {
      const list = Array.from({ length: 100 }, () => one);
      const paid = await node.post("/multitransfer", await node.multitransfer(alice, list));
      sent.push(transactionIdOf(paid));
    }
    proxy.target = node.url;
    assert.deepEqual(await stream.ids(sent.length), sent);
  },
);

longTest("a stream may go on at a follower that has not got so far: it waits", async () => {
  await using follower = await TestNode.start("--log", proxy.url);
  await caughtUp(follower);
  proxy.target = undefined;
  proxy.breakOff();
  using ahead = await EventStream.open(node.url, `address=${bob.address}`);
  await ahead.next();
  await node.pay(bob, 201n);
  const { id: seen } = await ahead.nextTransaction();
  const opening = EventStream.open(follower.url, `address=${bob.address}&after=${seen}`);
  await delay(100);
  proxy.target = node.url;
  using stream = await opening;
  assert.equal((await stream.next())?.event, "height");
  await node.pay(bob, 202n);
  const { data } = await stream.nextTransaction();
  assert.equal(JSON.parse(data).parameters[2], "202");
});
