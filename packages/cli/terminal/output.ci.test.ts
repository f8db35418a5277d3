import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TestNode } from "../../node/testing/test-node.ts";
import { EXIT } from "../command-line/command.ts";
import { CommandRuns, ENTRY } from "../testing/command-runs.ts";

// Exact output, as tables and JSON, into a pipe and in a terminal.

const IN_TERMINAL = fileURLToPath(new URL("../testing/in_terminal.py", import.meta.url));
const ESCAPE = "\u001b";

let node: TestNode;
let user: CommandRuns;
let alice: string;
let bob: string;
let payment: string;

before(async () => {
  node = await TestNode.start();
  user = new CommandRuns(node.url);
  await user.moneta("key", "new");
  alice = (await user.moneta("address", "new")).trim();
  bob = (await node.holder()).address;
  await user.moneta("faucet");
  const paid = await user.json<{ transaction_id: string }>(
    "transfer",
    bob,
    "1.5",
    "--memo",
    "a\tb",
  );
  payment = paid.transaction_id;
  await user.moneta("transfer", bob, "2", "--unlocks", "2027-01-01T00:00Z");
});
after(async () => {
  user?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

/** Names replace values that vary. */
function named(text: string): string {
  return text
    .replaceAll(alice, "ALICE".padEnd(40, "."))
    .replaceAll(bob, "BOB".padEnd(40, "."))
    .replaceAll(node.treasury.address, "TREASURY".padEnd(40, "."))
    .replaceAll(/\b[0-9a-f]{64}\b/g, "ID".padEnd(64, "."));
}

const id = "ID".padEnd(64, ".");
const [ALICE, BOB, TREASURY] = ["ALICE", "BOB", "TREASURY"].map((name) => name.padEnd(40, "."));

test("a table in a pipe: a line a record, however long, and no colours", async () => {
  assert.equal(named(await user.moneta("balance", bob)), BALANCES);
  assert.equal(
    named(await user.moneta("history", "--full")),
    `TIME                 TRANSACTION                                                       WHAT
2026-01-01 00:00:00  ${id}  ${ALICE} paid ${BOB} 2 TST, locked until 2027-01-01 00:00:00
2026-01-01 00:00:00  ${id}  ${ALICE} paid ${BOB} 1.5 TST: “a b”
2026-01-01 00:00:00  ${id}  ${ALICE} received 100 TST from ${TREASURY}
2026-01-01 00:00:00  ${id}  ${ALICE} joined the ledger
`,
  );
});

const BALANCES = `TOKEN  BALANCE  UNLOCKS
    0  1.5 TST
    0    2 TST  2027-01-01 00:00:00
`;

test("a record: a name and a value a line, and nothing that is empty", async () => {
  assert.equal(
    named(await user.moneta("tx", payment)),
    `transaction  ${id}
block        4
block id     ${id}
time         2026-01-01T00:00:00+00:00
type         transfer
what         ${ALICE} paid ${BOB} 1.5 TST: “a b”
memo         a b
effects      ${BOB} received 1.5 TST from ${ALICE}: “a b”
`,
  );
});

test("--json is what the node answers, and nothing else is on stdout", async () => {
  for (const [args, path] of [
    [["balance", bob], `/balance/${bob}`],
    [["history", alice, "--limit", "2"], `/address/${alice}/transactions?limit=2`],
    [["tx", payment], `/transaction/${payment}`],
    [["token", "show", "0"], "/token/0"],
    [["info"], "/"],
  ] as const) {
    const { stdout, stderr } = await user.call([...args, "--json"]);
    assert.deepEqual(JSON.parse(stdout), JSON.parse((await node.get(path)).text), args.join(" "));
    assert.equal(stderr, "");
  }
  assert.equal(await user.moneta("height", "--json"), `"${await node.height()}"\n`);
});

test("an empty result is a note on stderr, and stdout is empty or an empty list", async () => {
  const { stdout, stderr } = await user.call(["token", "market"]);
  assert.deepEqual([stdout, stderr], ["", "nothing found\n"]);
  assert.deepEqual(await user.json("token", "market"), { items: [] });
});

const skip =
  spawnSync("python3", ["--version"]).error === undefined ? false : "not on this machine: python3";

/** In a process; `user.shown` takes a tenth of the CPU. */
async function inTerminal(args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    "python3",
    [IN_TERMINAL, process.execPath, ENTRY, ...args],
    {
      cwd: user.home,
      env: { PATH: process.env["PATH"], TERM: "xterm", ...user.environment },
    },
  );
  // On a busy machine a note comes first.
  return stdout.replaceAll(/^Waiting for a response from .*\r?\n/gm, "");
}

test("in a terminal titles are bold, and a record takes several lines where it does not fit into 80 columns", {
  skip,
}, async () => {
  const args = ["history", "--full", "--limit", "1"];
  const [first = "", second = ""] = named(await inTerminal(args)).split("\n");
  assert.equal(first, `${ESCAPE}[1mTIME${ESCAPE}[22m`);
  assert.equal(second, `${ESCAPE}[1m  TRANSACTION${ESCAPE}[22m`);
  const plain = named(await user.shown(args, { NO_COLOR: "1" }));
  assert.equal(
    plain.split("there is more")[0],
    `TIME
  TRANSACTION
  WHAT
2026-01-01 00:00:00
  ${id}
  ${ALICE} paid
  ${BOB} 2 TST, locked until 2027-01-01
  00:00:00
`,
  );
});

test("a list that is wider than the terminal shortens parties, except with --full", async () => {
  const args = ["blocks", "--limit", "1"];
  const plain = { NO_COLOR: "1" };
  assert.match(await user.shown(args, plain), /^ +\d+ .* [0-9a-f]{8}…[0-9a-f]{6}$/m);
  assert.match(await user.shown([...args, "--full"], plain), /^ {2}[0-9a-f]{64}$/m);
  const { stdout } = await user.call(args);
  assert.match(stdout, /^ +\d+ .* [0-9a-f]{64}$/m);
});

test("in a terminal there are no colours with NO_COLOR, on a dumb one, or in JSON", async () => {
  assert.equal(await user.shown(["balance", bob], { NO_COLOR: "1" }), BALANCES);
  assert.equal(await user.shown(["balance", bob], { TERM: "dumb" }), BALANCES);
  assert.ok(!(await user.shown(["balance", bob, "--json"])).includes(ESCAPE));
  assert.ok((await user.shown(["balance", bob])).includes(ESCAPE));
  assert.ok((await user.shown(["help"])).includes(ESCAPE));
});

test("no line of what is shown in a terminal is longer than 80 columns", async () => {
  for (const args of [
    ["help"],
    ["help", "token", "sell"],
    ["help", "units"],
    ["balance"],
    ["history"],
    ["transactions"],
    ["blocks"],
    ["token", "list"],
  ]) {
    const lines = (await user.shown(args, { NO_COLOR: "1" })).split("\n");
    assert.deepEqual(
      lines.filter((line) => line.length > 80),
      [],
      args.join(" "),
    );
  }
});

test("who stops reading ends a command without a word", async () => {
  const child = user.start(["transactions", "--all", "--limit", "1"]);
  child.stdin?.end();
  child.stdout?.destroy();
  let printed = "";
  child.stderr?.on("data", (text: Buffer) => {
    printed += text.toString();
  });
  const [code] = await once(child, "close");
  assert.deepEqual([code, printed], [0, ""]);
});

test("output that a file takes in part, as on a disk that is nearly full, is reported as cut", {
  skip: process.platform === "win32" ? "its shell sets no limits" : false,
}, () => {
  const script = `trap '' XFSZ; ulimit -f 2; exec "$@" > "$0"`;
  const args = ["-c", script, user.file("help.txt", ""), process.execPath, ENTRY, "help"];
  const { status, stderr } = spawnSync("sh", args, { encoding: "utf8" });
  assert.equal(status, EXIT.failed, stderr);
  assert.match(stderr, /the output cannot be written: EFBIG/);
});

test("a reader of the first line ends a long answer without a word", async () => {
  const child = spawn("sh", [
    "-c",
    '"$0" "$1" completion bash | read -r line',
    process.execPath,
    ENTRY,
  ]);
  let printed = "";
  child.stderr.on("data", (text: Buffer) => {
    printed += text.toString();
  });
  const [code] = await once(child, "close");
  assert.deepEqual([code, printed], [0, ""]);
});

test("symbols, names and memos of others cannot control the terminal", async () => {
  await user.moneta(
    "token",
    "save",
    "\u009b31mGLD",
    "\u202eGold",
    "--decimals",
    "2",
    "--supply",
    "5",
  );
  await user.moneta("token", "create");
  const shown = await user.moneta("token", "list");
  assert.match(shown, /"\\u009b31mGLD" +\\u202eGold +0 "\\u009b31mGLD" #1 +5 "\\u009b31mGLD" #1/);
  assert.match(await user.moneta("balance"), /5 "\\u009b31mGLD" #1/);
  const json = await user.moneta("token", "show", "1", "--json");
  assert.match(json, /"symbol": "\\u009b31mGLD"/);
  assert.deepEqual(JSON.parse(json), JSON.parse((await node.get("/token/1")).text));
});

test("a home that nothing can be written to is no reason to fail", async () => {
  const { code, stdout, stderr } = await user.run(["balance", bob], {
    environment: { HOME: "/proc/none", NODE_COMPILE_CACHE: "" },
  });
  assert.deepEqual([code, stdout, stderr], [0, BALANCES, ""]);
});

test("in a terminal a bar shows how much of a file of operations is done, and results replace it", {
  skip,
}, async () => {
  const line = JSON.stringify({ operation: "transfer", to: bob, token: "0", amount: "1" });
  const file = user.file("many.jsonl", `${line}\n`.repeat(501));
  const shown = await inTerminal(["batch", file]);
  const bar = (done: number, percent: number): string =>
    `\r${ESCAPE}[K[${"#".repeat((30 * percent) / 100).padEnd(30)}] ${done} of 501, ${percent} %`;
  assert.ok(shown.startsWith(`${bar(0, 0)}\r${ESCAPE}[K{"line":1,`), shown.slice(0, 200));
  // Results are faster than the bar's interval; the last one removes it.
  const last = shown.lastIndexOf('{"line":501,');
  assert.ok(shown.slice(0, last).endsWith(`\r${ESCAPE}[K`), shown.slice(-500));
  assert.ok(shown.endsWith(`\r${ESCAPE}[K501 done, 0 refused\n`), shown.slice(-200));
});
