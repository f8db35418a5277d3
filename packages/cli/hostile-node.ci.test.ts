import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { HostileNode, OF_LEDGER, OF_PROBLEM } from "../node/testing/hostile-node.ts";
import { EXIT } from "./command-line/command.ts";
import { Session } from "./session/session.ts";
import { Output } from "./terminal/output.ts";
import { CommandRuns, ENTRY } from "./testing/command-runs.ts";
import { itemText } from "./views/sentence.ts";

// A node that tries to control the terminal, or to confuse the program.

const CONTROL = /(?![\n\t])[\p{Cc}\u202e]/u;
const EVIL = "\u001b]0;x\u0007\u001b[2J\u202e";

test("no text of a refusal controls the terminal, listings in its hint included", async () => {
  await using node = await HostileNode.that((response) => {
    const listings = [`DEX010_${EVIL}`];
    const problem = { code: "7107", status: 409, title: EVIL, detail: EVIL, listings };
    response.writeHead(409, OF_PROBLEM).end(JSON.stringify(problem));
  });
  using user = new CommandRuns(node.url);
  for (const more of [[], ["--json"]]) {
    const { code, stdout, stderr } = await user.call(["info", ...more]);
    assert.equal(code, EXIT.refused);
    assert.doesNotMatch(stdout + stderr, CONTROL);
  }
});

test("the name of an item controls nothing and ends no quotation, and a run keeps 1,000 responses at most", async () => {
  const id = (number: number): string => `MRC402_${number}`;
  await using node = await HostileNode.that((response, { url = "" }) => {
    const found = new URL(url, node.url).searchParams.get("text");
    const body = [{ kind: "item", id: found, name: `A” (MRC402_9)${EVIL}` }];
    response.writeHead(200, OF_LEDGER).end(JSON.stringify(body));
  });
  const session = new Session(new Map(), new Output(), { MONETA_URL: node.url });
  const shown = "“A\\u201d (MRC402_9)\\u001b]0;x\\u0007\\u001b[2J\\u202e” (MRC402_0)";
  assert.equal(await itemText(id(0), session), shown);
  const before = node.asked.length;
  assert.equal(await itemText(id(0), session), shown);
  assert.equal(node.asked.length, before);
  for (let number = 1; number <= 1000; number += 1) {
    await itemText(id(number), session);
  }
  await itemText(id(1000), session);
  assert.equal(node.asked.length, before + 1000);
  await itemText(id(0), session);
  assert.equal(node.asked.length, before + 1001);
});

test("no header controls the terminal", async () => {
  await using node = await HostileNode.that((response) => {
    const headers = { "Ledger-Height": "1", "Content-Type": "text/plain;\u009b2J" };
    response.writeHead(200, headers).end("x");
  });
  using user = new CommandRuns(node.url);
  const file = user.file("image", "");
  const { stderr } = await user.call(["token", "image", "1", "--output", file]);
  assert.match(stderr, /1 bytes of text\/plain/);
  assert.doesNotMatch(stderr, CONTROL);
  const nowhere = ["token", "image", "1", "--output", user.home];
  assert.match(
    await user.refused(EXIT.misused, ...nowhere),
    /^moneta: \S+ cannot be written: EISDIR/,
  );
});

test("a command that cannot make sense of an answer says that it may be the node's fault", async () => {
  await using node = await HostileNode.that((response) => {
    response.writeHead(200, OF_LEDGER).end(JSON.stringify({ coin: { symbol: {} }, [EVIL]: EVIL }));
  });
  using user = new CommandRuns(node.url);
  // As a process: test runs provide no stack.
  const child = spawn(process.execPath, [ENTRY, "info"], { env: user.environment });
  const stderr = await text(child.stderr);
  assert.match(stderr, /please report it, or an invalid response from http:\S+:/);
  assert.doesNotMatch(stderr, CONTROL);
});

test("a refusal that cannot be explained is no refusal, and ends the command with 70", async () => {
  await using node = await HostileNode.that((response) => {
    const problem = { code: "7107", status: 409, detail: "x", listings: [{ toString: 1 }] };
    response.writeHead(409, OF_PROBLEM).end(JSON.stringify(problem));
  });
  using user = new CommandRuns(node.url);
  const child = spawn(process.execPath, [ENTRY, "info"], { env: user.environment });
  const closed = once(child, "close");
  const stderr = await text(child.stderr);
  assert.match(stderr, /^moneta: a bug in this program; .*or an invalid response from http:\S+:/);
  assert.deepEqual(await closed, [EXIT.failed, null]);
});

for (const args of [
  ["transactions", "--all"],
  ["statement", "MTAlice00000000000000000000000005dc33c90"],
]) {
  test(`pages that lead in a circle end moneta ${args[0]}`, async () => {
    await using node = await HostileNode.that((response, { url = "" }) => {
      const cursor = node.asked.length < 500 ? "again" : undefined;
      const page = url.startsWith("/balance/") ? [] : { items: [], cursor };
      response.writeHead(200, OF_LEDGER).end(JSON.stringify(page));
    });
    using user = new CommandRuns(node.url);
    const child = spawn(process.execPath, [ENTRY, ...args], { env: user.environment });
    const closed = once(child, "close");
    assert.match(await text(child.stderr), /the pages lead nowhere/);
    assert.deepEqual(await closed, [EXIT.failed, null]);
    assert.ok(node.asked.length < 10, `${node.asked.length}`);
  });
}

test("an answer without end is no fault of the program", async () => {
  const piece = Buffer.alloc(1 << 20, " ");
  await using node = await HostileNode.that((response) => {
    response.writeHead(200, OF_LEDGER);
    const go = (): void => {
      while (!response.destroyed && response.write(piece)) {}
    };
    response.on("drain", go);
    go();
  });
  using user = new CommandRuns(node.url);
  const { code, stderr } = await user.call(["info"]);
  assert.equal(code, EXIT.unanswered, stderr);
  assert.match(stderr, /the response has more than 67108864 bytes, more than a node/);
});

test("a node of another ledger than the one that is named is sent nothing", async () => {
  const [meant, other] = ["a".repeat(64), "b".repeat(64)];
  await using node = await HostileNode.that((response) => {
    const service = { deployment: "test", ledger_id: other, coin: { symbol: "TST", decimal: 8 } };
    response.writeHead(200, OF_LEDGER).end(JSON.stringify(service));
  });
  using user = new CommandRuns(node.url);
  await user.moneta("key", "new");
  for (const [args, variables] of [
    [["--ledger-id", meant], {}],
    [[], { MONETA_LEDGER_ID: meant }],
    [["--ledger-id", meant], { MONETA_LEDGER_ID: other }],
  ] as const) {
    Object.assign(user.environment, { MONETA_LEDGER_ID: "" }, variables);
    node.asked.length = 0;
    const { code, stderr } = await user.call(["address", "new", ...args]);
    assert.equal(code, EXIT.misused, stderr);
    assert.match(stderr, /has another ledger than the one in --ledger-id .*: b{64}\. Nothing else/);
    assert.deepEqual(node.asked, ["/"]);
  }
  const { code, stderr } = await user.call(["info", "--ledger-id", "x"]);
  assert.equal(code, EXIT.misused);
  assert.match(stderr, /--ledger-id .* is "x" but must be the id of block 0, 64 hex digits/);
});

test("after a 2020 of a key that is valid here the hint is not to run the command again at once", async () => {
  const owner = "MTBob0000000000000000000000000005f59bcba";
  const payee = "MTAlice00000000000000000000000005dc33c90";
  const key = `K0000001${"2zzzzz"}${"r".repeat(10)}${"t".repeat(22)}`; // expires in 2057
  await using node = await HostileNode.that((response, { url = "", method }) => {
    if (method === "GET") {
      const service = { ledger_id: "a".repeat(64), coin: { symbol: "TST", decimal: 8 } };
      const answer = url.startsWith("/nonce/") ? [key] : service;
      response.writeHead(200, OF_LEDGER).end(JSON.stringify(answer));
    } else {
      const problem = { code: "2020", status: 401, title: "Key", detail: "It has expired." };
      response.writeHead(401, OF_PROBLEM).end(JSON.stringify(problem));
    }
  });
  using user = new CommandRuns(node.url);
  await user.moneta("key", "new");
  const pay = ["transfer", payee, "5", "--units", "--from", owner];
  const printed = await user.refused(EXIT.refused, ...pay);
  assert.match(
    printed,
    /\(2020\)\nA temporary key is usually valid for an hour, .* may still be done, /,
  );
  assert.match(
    printed,
    /Run the command again after that, if moneta history does not show it by then/,
  );
});
