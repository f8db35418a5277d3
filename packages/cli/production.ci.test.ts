import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { runInProcess } from "../node/testing/command-in-process.ts";
import { until } from "../node/testing/until.ts";
import { CommandRuns } from "./testing/command-runs.ts";

// A production ledger from its keys to the loss of its machine.

let user: CommandRuns;
let node: ChildProcess;
let url: string;
let treasury: string;

before(() => {
  user = new CommandRuns("http://127.0.0.1:1");
  treasury = join(user.home, "ledger/keys/treasury.pem");
});
after(() => {
  node?.kill("SIGKILL");
  user?.[Symbol.dispose]();
});

async function serve(...args: readonly string[]): Promise<string> {
  // Blocks are counted: none may have a state root, unless a test wants one.
  const roots = args.includes("--state-roots") ? [] : ["--state-roots", "0"];
  // Another node may have the port of ledger/moneta.json.
  const ports = ["--port", "0", "--operator-listen", "127.0.0.1:0"];
  const inTests = [...ports, "--log-level", "warn", "--shutdown-grace", "0", ...roots];
  node = user.start(["serve", ...args, ...inTests]);
  let printed = "";
  node.stderr?.on("data", (text: Buffer) => {
    printed += text.toString();
  });
  const started = Promise.withResolvers<string>();
  node.once("exit", () => started.reject(new Error(`it has ended: ${printed}`)));
  node.stdout?.on("data", (text: Buffer) => {
    printed += text.toString();
    const [found] = /http:\S+/.exec(printed) ?? [];
    if (found !== undefined && printed.includes("\ntry ")) {
      started.resolve(found);
    }
  });
  url = await started.promise;
  return printed;
}

async function stop(): Promise<void> {
  assert.ok(node.kill("SIGTERM"), "the node has ended");
  assert.deepEqual(await once(node, "exit"), [0, null]);
}

/** A command of the node that succeeds, in a process. */
async function done(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await user.run(args);
  assert.equal(code, 0, `moneta ${args.join(" ")}\n${stderr}${stdout}`);
  return stdout;
}

/** A command of the node that ends with 2, called in the user's home. */
async function refused(...args: readonly string[]): Promise<string> {
  const ownFolder = process.cwd();
  process.chdir(user.home);
  try {
    const { exitCode, output, errors } = await runInProcess(...args);
    assert.equal(exitCode, 2, `moneta ${args.join(" ")}\n${output}`);
    assert.equal(output, errors, "what went wrong goes to stderr");
    return errors;
  } finally {
    process.chdir(ownFolder);
  }
}

const COIN = ["--coin", "Example Coin", "--symbol", "EXC", "--supply", "1000000.5"];
let payee: string;
let made: string;

function mode(...path: readonly string[]): string {
  return (statSync(join(user.home, ...path)).mode & 0o777).toString(8);
}

test("init makes keys, genesis file and settings, and says what to publish and what to back up", async () => {
  made = await done("init", "ledger", "--ledger", "ledger.example/main", ...COIN);
  assert.match(
    made,
    /^publish .*:\n {2}ledger {5}ledger\.example\/main\n {2}ledger id {2}[0-9a-f]{64}\n {2}key {8}ledger\.example\/main\+/m,
  );
  assert.match(made, /^back up, before the first start:\n {2}move keys\/ to another machine/m);
  assert.equal(mode("ledger"), "700");
  for (const key of ["keys/treasury.pem", "keys/operator.pem", "data/checkpoint.pem"]) {
    assert.equal(mode("ledger", key), "600", key);
  }
  // A container's user reads it.
  assert.equal(mode("ledger/genesis.json"), "644");
  assert.match(await refused("init", "ledger", "--ledger", "x", ...COIN), /exists already/);
});

for (const { what, args, says } of [
  { what: "no name", args: COIN, says: /--ledger is missing: usage: moneta init FOLDER/ },
  { what: "a name in capitals", args: ["--ledger", "Mine", ...COIN], says: /ledger may only have/ },
  {
    what: "a supply with too many decimals",
    args: ["--ledger", "x", ...COIN, "--decimals", "0"],
    says: /--supply is "1000000\.5" but must be .* at most 0 decimals/,
  },
  {
    what: "a flag that is none",
    args: ["--leger", "x", ...COIN],
    says: /no option --leger\. Did you mean --ledger\? moneta init --help/,
  },
]) {
  test(`init refuses ${what}, and makes nothing`, async () => {
    assert.match(await refused("init", "other", ...args), says);
    assert.ok(!readdirSync(user.home).some((name) => name.startsWith("other")));
  });
}

test("the node runs on the files of init, and has the key that init tells to publish", async () => {
  const printed = await serve("--config", "ledger/moneta.json");
  const [, key = ""] = /^ {2}key {8}(\S+)$/m.exec(made) ?? [];
  assert.ok(printed.includes(`checkpoints  ${key}`), printed);
  assert.match(printed, /production deployment, ledger ledger\.example\/main, block 0/);
  user.environment["MONETA_URL"] = url;
  const { ledger_id } = await user.json<{ ledger_id: string }>("info");
  assert.ok(made.includes(ledger_id));
  await user.moneta("key", "new");
  payee = (await user.moneta("address", "new")).trim();
  await user.moneta("transfer", payee, "0.5", "--key", treasury, "--ledger-id", ledger_id);
  assert.match(await user.moneta("balance"), /0\.5 EXC/);
  await user.moneta("proof", "checkpoint");
});

test("a running node is backed up, with its keys apart, and nothing that exists is overwritten", async () => {
  // As a node with webhooks stores it.
  mkdirSync(join(user.home, "ledger", "data", "webhooks"));
  writeFileSync(join(user.home, "ledger", "data", "webhooks", "0f3c.json"), "{}");
  const message = await done("backup", "ledger/data", "backup", "--keys", "kept");
  assert.match(message, /^valid: 3 blocks/m);
  assert.match(message, /^backed up to backup: block 2, [0-9a-f]{64}, 4 files, verified$/m);
  assert.deepEqual(readdirSync(join(user.home, "backup")).toSorted(), [
    "backup.json",
    "genesis.json",
    "ledger.db",
    "webhooks",
  ]);
  assert.deepEqual(readdirSync(join(user.home, "kept")).toSorted(), [
    "checkpoint.pem",
    "checkpoint.signed",
  ]);
  assert.equal(mode("backup", "ledger.db"), "600");
  assert.match(await refused("backup", "ledger/data", "backup"), /backup exists already/);
  assert.match(await refused("backup", "nowhere", "other"), /there is no ledger in nowhere/);
  for (const inside of [
    ["ledger/data/backup"],
    ["other", "--keys", "ledger/data/kept"],
    ["ledger/../ledger/data"],
  ]) {
    const message = await refused("backup", "ledger/data", ...inside);
    assert.match(
      message,
      /would be lost with ledger\/data, in which it lies: name a folder outside/,
    );
  }
  await user.moneta("transfer", payee, "0.25", "--key", treasury);
  cpSync(join(user.home, "ledger", "data", "ledger.db"), join(user.home, "copy.db"));
  assert.match(
    await refused("verify", "copy.db"),
    /copy\.db is a file: name a directory that has it as ledger\.db/,
  );
});

test("a back-up that was changed or is not whole is refused", async () => {
  for (const [what, change] of [
    ["changed", (copy: string) => appendFileSync(join(copy, "genesis.json"), " ")],
    ["missing", (copy: string) => rmSync(join(copy, "ledger.db"))],
    ["no back-up", (copy: string) => writeFileSync(join(copy, "backup.json"), "{}")],
  ] as const) {
    const copy = join(user.home, "changed");
    cpSync(join(user.home, "backup"), copy, { recursive: true });
    change(copy);
    await refused("restore", "changed", "again");
    assert.ok(!existsSync(join(user.home, "again")), what);
    rmSync(copy, { recursive: true });
  }
  assert.match(await refused("restore", "backup", "ledger/data"), /is not empty/);
  assert.match(await refused("restore", "backup", "again", "--keys", "ledger"), /has none of/);
});

test("the machine burns down: the restored ledger continues from the back-up, with the same keys", async () => {
  await stop();
  // The directory itself is the machine's, as with systemd.
  rmSync(join(user.home, "ledger", "data"), { recursive: true });
  mkdirSync(join(user.home, "ledger", "data"), { mode: 0o700 });
  const message = await done("restore", "backup", "ledger/data", "--keys", "kept");
  assert.match(message, /^valid: 3 blocks/m);
  assert.match(message, /^writes after that block are lost/m);
  assert.match(message, /^to continue: moneta serve --data ledger\/data --deployment production/m);
  assert.equal(mode("ledger", "data"), "700");
  assert.deepEqual(readdirSync(join(user.home, "ledger", "data")).toSorted(), [
    ...["checkpoint.pem", "checkpoint.signed", "genesis.json", "ledger.db", "webhooks"],
  ]);
  const printed = await serve("--config", "ledger/moneta.json");
  const [, key = ""] = /^ {2}key {8}(\S+)$/m.exec(made) ?? [];
  assert.ok(printed.includes(`checkpoints  ${key}`), printed);
  user.environment["MONETA_URL"] = url;
  assert.match(await user.moneta("balance"), /0\.5 EXC/);
  await user.moneta("transfer", payee, "1", "--key", treasury);
  assert.match(await user.moneta("balance"), /1\.5 EXC/);
  await stop();
  assert.match(await done("verify", "ledger/data"), /^valid: 4 blocks/m);
});

test("what snapshot prints is right on a production ledger", async () => {
  await serve("--config", "ledger/moneta.json", "--state-roots", "1");
  user.environment["MONETA_URL"] = url;
  await user.moneta("transfer", payee, "1", "--key", treasury);
  const address = `balance/${payee}/0`;
  await until(async () => (await fetch(`${url}/${address}?proof=1`)).status === 200);
  const message = await done("snapshot", "ledger/data", "state.snapshot");
  await stop();
  const [, command = ""] =
    /^to start another node: moneta serve (.*), or with --config/m.exec(message) ?? [];
  assert.match(command, / --deployment production$/);
  const printed = await serve(...command.split(" "));
  assert.match(printed, /production deployment, ledger ledger\.example\/main, block [4-9]/);
  await stop();
});
