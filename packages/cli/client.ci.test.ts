import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { type KeyHolder, TestNode } from "../node/testing/test-node.ts";
import { EXIT } from "./command-line/command.ts";
import { COMMANDS, onlyShows } from "./commands/registry.ts";
import { UNREAD } from "./terminal/output.ts";
import { CommandRuns, ENTRY } from "./testing/command-runs.ts";
import { RunningCommand } from "./testing/running-command.ts";

// Commands whose output nothing reads any more, as before `| head`.

/** More than are sent at once. */
const MANY = 1500;
const UNIX = { skip: process.platform === "win32" ? "it has no sh" : false };

let node: TestNode;
let user: CommandRuns;
let payee: KeyHolder;

before(async () => {
  node = await TestNode.start();
  user = new CommandRuns(node.url);
  payee = await node.holder();
  await user.newAddress();
});
after(async () => {
  user?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

async function balance(): Promise<bigint> {
  return BigInt((await node.balances(payee, "0"))[0] ?? "0");
}

/** `moneta` is a command; its exit code goes to the file `code`. */
async function inShell(line: string): Promise<number> {
  const code = user.file("code", "");
  const moneta = `moneta() { '${process.execPath}' '${ENTRY}' "$@"; echo $? > '${code}'; }`;
  const env = { ...process.env, ...user.environment };
  await once(spawn("sh", ["-c", `${moneta}\n${line}`], { env, cwd: user.home }), "close");
  return Number(readFileSync(code, "utf8"));
}

test(
  "a payment is made although its notes are not read, and does not end with 0 where its transaction is not read",
  UNIX,
  async () => {
    const before = await balance();
    const pay = `moneta transfer ${payee.address} 5 --units`;
    assert.equal(await inShell(`${pay} 2>&1 | true`), UNREAD);
    assert.equal(await balance(), before + 5n);
    assert.equal(await inShell(`{ ${pay} 2>&1 >&3 | true; } 3> paid`), EXIT.done);
    assert.equal(await balance(), before + 10n);
    assert.match(readFileSync(`${user.home}/paid`, "utf8"), /^transaction +[0-9a-f]{64}$/m);
    assert.equal(await inShell(`${pay.replace("5", "-5")} 2>&1 | true`), EXIT.misused);
  },
);

test("what only shows something ends with 0 when its reader has gone", UNIX, async () => {
  assert.equal(await inShell("moneta info | true"), EXIT.done);
  assert.equal(await inShell("moneta --help | true"), EXIT.done);
});

test("commands that send or write something are none that only show", () => {
  const showing = COMMANDS.filter(onlyShows).map(({ words }) => words);
  for (const each of ["balance", "watch", "key show", "show", "statement"]) {
    assert.ok(showing.includes(each), each);
  }
  for (const each of ["transfer", "batch", "key new", "address use", "sign", "seal key"]) {
    assert.ok(COMMANDS.some(({ words }) => words === each) && !showing.includes(each), each);
  }
});

test("a batch whose reader goes sends no more, ends with another code than 0, and says how to go on", async () => {
  const before = await balance();
  const payment = { operation: "transfer", to: payee.address, token: "0", amount: "1" };
  const file = user.file("unread.jsonl", `${JSON.stringify(payment)}\n`.repeat(MANY));
  const child = user.start(["batch", file]);
  let printed = "";
  child.stderr?.on("data", (text: Buffer) => {
    printed += text.toString();
  });
  child.stdout?.once("data", () => child.stdout?.destroy());
  const [code] = await once(child, "close");
  assert.equal(code, UNREAD, printed);
  assert.match(printed, /the output cannot be written: its reader has ended\n/);
  const [, done] = /^(\d+) done, 0 refused$/m.exec(printed) ?? [];
  assert.equal(await balance(), before + BigInt(done ?? "0"), "what was under way is counted");
  assert.ok(Number(done) < MANY, `${done} were done`);
  assert.match(printed, /unread\.jsonl --continue continues it, and does nothing twice\.\n$/);
  await user.moneta("batch", file, "--continue");
  assert.equal(await balance(), before + BigInt(MANY));
});

test("a batch from standard input that is still open ends when its reader has gone", async () => {
  await using running = new RunningCommand(user, ["batch", "-"]);
  await running.write("{\n");
  await running.until(() => running.lines().length === 1);
  running.stopReading();
  await running.write("{\n");
  assert.equal(await running.closed(), UNREAD, running.stderr);
});
