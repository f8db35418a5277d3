import assert from "node:assert/strict";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { findAddon } from "@moneta/native-verifier";
import { readSettings } from "../settings.ts";
import { outputOf, printed, runInProcess } from "../testing/command-in-process.ts";
import { runMonetaIn, ServiceProcess } from "../testing/service-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { type KeyHolder, parsed, summaryOf, TestNode } from "../testing/test-node.ts";
import { backup } from "./backup.ts";
import { init } from "./init.ts";
import { rebuild } from "./rebuild.ts";
import { restore } from "./restore.ts";
import { makePart } from "./targets.ts";
import { verify } from "./verify.ts";

let directory: TemporaryDirectory;
let node: TestNode;
let from: KeyHolder;
let to: KeyHolder;
let headId: string;

const INIT = {
  ...{ ledger: "localhost/made", coin: "Coin", symbol: "CN", decimal: 0, supply: "1" },
  hasOperator: false,
};

/** The block that is tampered with, in the middle of the chain. */
const TAMPERED = 4;

before(async () => {
  directory = new TemporaryDirectory("commands");
  node = await TestNode.start();
  from = await node.holder({ coins: 1_000_000n });
  to = await node.holder();
  await transfers(5);
  headId = await idOf(await node.height());
  await node.stop();
});
after(async () => {
  await node[Symbol.asyncDispose]();
  directory[Symbol.dispose]();
});

async function transfers(count: number): Promise<void> {
  for (let time = 0; time < count; time += 1) {
    const params = await node.transfer(from, { to: to.address, amount: "1", memo: "hello" });
    assert.equal(summaryOf(await node.post("/transfer", params)), "200");
  }
}

async function idOf(height: number): Promise<string> {
  return parsed<{ id: string }>(await node.get(`/block/${height}`)).id;
}

test("verify finds a chain valid and counts it", async () => {
  const output = await outputOf(["verify", node.data]);
  assert.match(output, /^valid: 9 blocks, 11 transactions.*; newest block 8/m);
  assert.ok(output.includes(headId));
});

/** A data directory with a copy of the ledger, changed. */
function changedCopy(name: string, change: (database: DatabaseSync) => void): string {
  const copy = join(directory.path, name.replaceAll(" ", "-"));
  mkdirSync(copy);
  copyFileSync(join(node.data, "ledger.db"), join(copy, "ledger.db"));
  const database = new DatabaseSync(join(copy, "ledger.db"));
  change(database);
  database.close();
  return copy;
}

test("chain §6: verify names the first bad block after an amount was changed", async () => {
  const copy = changedCopy("an amount", (database) => {
    const change = `operations = replace(operations, '"amount":"1"', '"amount":"2"')`;
    database.prepare(`UPDATE block_log SET ${change} WHERE height = ?`).run(TAMPERED);
  });
  const { exitCode, output } = await runInProcess("verify", copy);
  assert.equal(exitCode, 1, output);
  assert.match(output, new RegExp(`invalid: .*\\b${TAMPERED}\\b`));
});

test("verify ends with 1 and prints no stack", async () => {
  const copy = changedCopy("as a command", (database) => {
    database.exec("UPDATE block_log SET operations = '{' WHERE height = 2");
  });
  const { exitCode, output } = await runInProcess("verify", copy);
  assert.equal(exitCode, 1, output);
  assert.match(output, /invalid: .*\b2\b/);
  assert.doesNotMatch(output, /^ {4}at /m);
});

test("a node does not start on a ledger whose newest block was changed", async () => {
  const copy = changedCopy("newest", (database) => {
    database.exec(
      "UPDATE block_log SET operations = replace(operations, 'hello', 'hallo') WHERE height = 8",
    );
  });
  const { exitCode, output } = await runInProcess("serve", "--data", copy, "--port", "0");
  assert.notEqual(exitCode, 0);
  assert.match(output, /block 8/);
});

/** A copy of the ledger without one of its blocks. */
function copyWithout(height: number, name: string): string {
  return changedCopy(name, (database) => {
    database.prepare("DELETE FROM block_log WHERE height = ?").run(height);
  });
}

test("chain §2.1: verify, rebuild and log copy find that a block in the middle is missing, and change nothing", async () => {
  const copy = copyWithout(TAMPERED, "gap");
  const missing = new RegExp(`block ${TAMPERED}\\b`);
  for (const [command, code] of [
    [["verify", copy], 1],
    [["rebuild", copy], 2],
    [["log", "copy", copy, `${copy}-copy`], 2],
    [["verify", copy], 1],
  ] as const) {
    const { exitCode, output } = await runInProcess(...command);
    assert.equal(exitCode, code, output);
    assert.match(output, missing);
    assert.doesNotMatch(output, /sound|^ {4}at /m);
  }
  const database = new DatabaseSync(join(copy, "ledger.db"));
  assert.equal(database.prepare("SELECT height FROM head").get()?.["height"], 8);
  // As a start of other software finds it, which makes state and views anew.
  database.exec("PRAGMA user_version = 1");
  database.close();
  const { exitCode, output } = await runInProcess("serve", "--data", copy, "--port", "0");
  assert.equal(exitCode, 2, output);
  assert.match(output, missing);
});

test("verify and serve find that the newest block is missing", async () => {
  const copy = copyWithout(8, "end");
  const verified = await runInProcess("verify", copy);
  assert.equal(verified.exitCode, 1, verified.output);
  assert.match(verified.output, /invalid: block 8: state and views have it, but the log does not/);
  const served = await runInProcess("serve", "--data", copy, "--port", "0");
  assert.equal(served.exitCode, 2, served.output);
  assert.match(served.output, /block 8: state and views have it, but the log does not/);
});

test("rebuild makes state and views again, with the same newest block", async () => {
  const { exitCode, output } = await runInProcess("rebuild", node.data);
  assert.equal(exitCode, 0, output);
  assert.ok(output.includes(headId), output);
  await node.resume();
  assert.equal(await idOf(await node.height()), headId);
  assert.deepEqual(await node.balances(to), ["0: 5"]);
  await transfers(1);
  await outputOf(["verify", node.data]);
});

test("verify finds a changed row of histories, leaf hashes and roots of tiles, and rebuild repairs it", async () => {
  const copy = changedCopy("changed views", (database) => {
    database.exec(`
      INSERT INTO history (rowid, words) VALUES (1, 'z');
      UPDATE transaction_record SET leaf_hash = zeroblob(32), type = type + 1 WHERE number = 1;
      INSERT INTO subtree VALUES (7, 7, zeroblob(32));`);
  });
  const changed = await runInProcess("verify", copy);
  assert.equal(changed.exitCode, 1, changed.output);
  const { exitCode, output } = await runInProcess("rebuild", copy);
  assert.equal(exitCode, 0, output);
  await outputOf(["verify", copy]);
});

test("rebuild of a directory where a node runs is refused", async () => {
  await assert.rejects(
    printed(() => rebuild(node.data)),
    {
      name: "NotYet",
      message: /^another service runs on .*: stop it, and run this again$/,
    },
  );
  assert.equal(summaryOf(await node.get("/block")), "200");
});

test("verify of a running node finds it valid", async () => {
  await outputOf(["verify", node.data]);
});

test("restore shows its progress while it compares checksums and copies", async (t) => {
  const backup = join(directory.path, "backup with progress");
  await outputOf(["backup", node.data, backup]);
  let now = Date.now();
  let shown = "";
  t.mock.method(console, "log", () => undefined);
  t.mock.method(process.stderr, "write", (text: string) => {
    shown += text;
    return true;
  });
  // Lines are due every 5 s.
  t.mock.method(Date, "now", () => {
    now += 6000;
    return now;
  });
  const made = join(directory.path, "restored with progress");
  assert.equal(await restore(backup, made, { keys: "", isVerified: false }), 0);
  assert.match(shown, /^comparing checksums, MiB \[.*\] (\d+) of \1, 100 %/m);
  assert.match(shown, /^copying, MiB \[.*\] (\d+) of \1, 100 %/m);
});

test("restore without --keys leaves the keys out, and the node makes a new checkpoint key", async () => {
  const backup = join(directory.path, "backup");
  await outputOf(["backup", node.data, backup]);
  await using other = await TestNode.start();
  await other.stop();
  rmSync(other.data, { recursive: true });
  const output = await outputOf(["restore", backup, other.data]);
  assert.match(output, /^valid: /m);
  assert.match(output, /^without --keys the start makes a new checkpoint key/m);
  assert.deepEqual(readdirSync(other.data).toSorted(), ["genesis.json", "ledger.db"]);
  await other.resume();
  assert.equal(other.ledgerId, node.ledgerId);
  const keyOf = async (one: TestNode): Promise<string> => (await one.get("/checkpoint/key")).text;
  assert.notEqual(await keyOf(other), await keyOf(node));
});

test("restore refuses a back-up that is not valid and leaves nothing, with --skip-verify it restores it", async () => {
  const copy = changedCopy("to back up", (database) => {
    database.prepare("UPDATE block_log SET operations = '{' WHERE height = ?").run(TAMPERED);
  });
  const backup = join(directory.path, "unsound-backup");
  await outputOf(["backup", copy, backup, "--skip-verify"]);
  const restored = join(directory.path, "restored");
  const refused = await runInProcess("restore", backup, restored);
  assert.equal(refused.exitCode, 1, refused.output);
  assert.match(refused.output, new RegExp(`invalid: .*\\b${TAMPERED}\\b`));
  assert.deepEqual(readdirSync(restored), []);
  const output = await outputOf(["restore", backup, restored, "--skip-verify"]);
  assert.doesNotMatch(output, /valid: /);
  assert.deepEqual(readdirSync(restored), ["ledger.db"]);
});

for (const name of ["verify", "rebuild", "snapshot"]) {
  test(`${name} of a directory without a ledger reports that, and creates none`, async () => {
    const empty = join(directory.path, `none-${name}`);
    const command = [name, empty, ...(name === "snapshot" ? [`${empty}.db`] : [])];
    const { exitCode, output } = await runInProcess(...command);
    assert.equal(exitCode, 2, output);
    assert.match(output, /no ledger/);
    assert.ok(!existsSync(empty));

    // As a first start leaves it that was cut off.
    mkdirSync(empty);
    writeFileSync(join(empty, "ledger.db"), "");
    const cutOff = await runInProcess(...command);
    assert.deepEqual([cutOff.exitCode, cutOff.output], [exitCode, output]);
  });
}

test("a ledger of a development build ends serve, verify, rebuild, snapshot and audit with 2 and a message, unchanged", async () => {
  const copy = changedCopy("older", (database) => database.exec("PRAGMA application_id = 0"));
  const file = join(copy, "ledger.db");
  const before = readFileSync(file);
  const snapshotFile = join(directory.path, "older.db");
  for (const command of [
    ["serve", "--data", copy, "--port", "0"],
    ["verify", copy],
    ["rebuild", copy],
    ["snapshot", copy, snapshotFile],
    ["audit", "http://127.0.0.1:9", "--data", copy, "--once"],
  ]) {
    const { exitCode, output } = await runInProcess(...command);
    assert.equal(exitCode, 2, output);
    assert.match(output, /^moneta: .* a development build of Moneta .* new directory [^\n]*\n$/);
  }
  assert.deepEqual(readFileSync(file), before);
  assert.ok(!existsSync(join(copy, "genesis.json")) && !existsSync(snapshotFile));
});

test("an unknown command is refused, and --help lists the known ones", async () => {
  const none = await runInProcess("verfy");
  const help = await runInProcess("--help");
  assert.equal(none.exitCode, 2, none.output);
  assert.match(none.output, /verfy/);
  assert.equal(help.exitCode, 0);
  assert.match(help.output, /moneta verify DIR/);
  assert.match(help.output, /--data DIR/);
});

test("each command has its own help with its usage", async () => {
  for (const command of [
    "init",
    "serve",
    "verify",
    "audit",
    "rebuild",
    "snapshot",
    "prune",
    "backup",
    "restore",
  ]) {
    for (const args of [
      [command, "--help"],
      [command, "-h"],
      ["help", command],
    ]) {
      const { exitCode, output } = await runInProcess(...args);
      assert.equal(exitCode, 0, args.join(" "));
      assert.match(output, new RegExp(`^moneta ${command}: .*\n\nUsage: moneta ${command} `));
      const others = ["serve", "audit"].filter((other) => other !== command);
      assert.ok(!others.some((other) => output.includes(`moneta ${other} `)), output);
    }
  }
});

for (const { command, run, says } of [
  {
    command: "backup",
    run: (to: string) => backup(node.data, to, { keys: "", isVerified: false }),
    says: /moneta restore '[^']*made by backup' DIR$/m,
  },
  {
    command: "backup --keys",
    run: (to: string) => backup(node.data, `${to}-ledger`, { keys: to, isVerified: false }),
    says: /moneta restore '[^']*-ledger' DIR --keys '[^']*made by backup --keys'$/m,
  },
  {
    command: "init",
    run: (to: string) => init(to, INIT),
    says: /moneta backup '[^']*made by init\/data' BACKUP [\s\S]*moneta serve --config '[^']*made by init\/moneta\.json'$/m,
  },
]) {
  test(`${command} removes what an earlier run has left at NAME.part, and nothing that is a user's`, async () => {
    const to = join(directory.path, `made by ${command}`);
    const part = `${to}.part`;
    mkdirSync(part);
    writeFileSync(join(part, "thesis.txt"), "mine");
    const refused = {
      name: "SettingProblem",
      message: /\.part is there and was not left by moneta, .*: move it away, or name another/,
    };
    await assert.rejects(run(to), refused);
    assert.equal(readFileSync(join(part, "thesis.txt"), "utf8"), "mine");
    rmSync(part, { recursive: true });
    writeFileSync(part, "mine");
    await assert.rejects(run(to), refused);
    assert.equal(readFileSync(part, "utf8"), "mine");
    rmSync(part);
    symlinkSync(killedRun(`${to}-elsewhere`), part);
    await assert.rejects(run(to), refused);
    rmSync(part);
    rmSync(`${to}-elsewhere.part`, { recursive: true });
    killedRun(to);
    rmSync(join(part, ".moneta-part")); // before it was marked
    assert.equal(killedRun(to), part);
    writeFileSync(join(part, "half"), "left");
    const output = await outputOf(() => run(to));
    assert.ok(!existsSync(part));
    assert.match(output, says);
    assert.deepEqual(
      contentOf(directory.path).filter((file) => /half$|moneta-(part|lock)$/.test(file)),
      [],
    );
  });
}

test("two runs that make the same thing do not take it from each other: the second is refused", async () => {
  const saved = join(directory.path, "made once");
  const restored = join(directory.path, "restored once");
  const how = { keys: "", isVerified: true };
  for (const { run, at, has } of [
    {
      run: () => backup(node.data, saved, how),
      at: saved,
      has: ["backup.json", "genesis.json", "ledger.db"],
    },
    {
      run: () => restore(saved, restored, how),
      at: restored,
      has: ["genesis.json", "ledger.db"],
    },
  ]) {
    const { exitCode, output } = await printed(async () => {
      const both = [run(), run()];
      const refused = (await Promise.allSettled(both)).findIndex(
        ({ status }) => status === "rejected",
      );
      await assert.rejects(both[refused] as Promise<number>, {
        name: "NotYet",
        message: `${at} is being made by another run of moneta: wait for its end`,
      });
      return await (both[1 - refused] as Promise<number>);
    });
    assert.equal(exitCode, 0, output);
    assert.deepEqual(readdirSync(at).toSorted(), has);
    const { exitCode: sound } = await runInProcess("verify", at);
    assert.equal(sound, 0);
  }
});

/** What a run has left that began to make something, and has ended. */
function killedRun(path: string): string {
  using part = makePart(path);
  return part.path;
}

/** All of a folder, and where its links lead. */
function contentOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/** A folder with a back-up of the node, without keys, and a copy of its data directory. */
async function withBackup(name: string): Promise<{ in: (path: string) => string; data: string }> {
  const folder = join(directory.path, name);
  const data = join(folder, "ledger.part");
  mkdirSync(folder);
  cpSync(node.data, data, { recursive: true });
  const how = { keys: "", isVerified: false };
  await outputOf(() => backup(data, join(folder, "backup"), how));
  writeFileSync(join(folder, "file"), "");
  symlinkSync("ledger.part", join(folder, "link"));
  symlinkSync("nowhere", join(folder, "to-nowhere"));
  return { in: (path) => join(folder, path), data };
}

test("names that lead nowhere, are taken, lie in each other or would be removed, and wrong uses, end commands with 2 and a line, and change nothing", async () => {
  const odd = await withBackup("odd-names");
  const { data, in: at } = odd;
  const [saved, file] = [at("backup"), at("file")];
  mkdirSync(at("taken.part"));
  writeFileSync(at("taken.part/thesis.txt"), "mine");
  symlinkSync("loop", at("loop"));
  const genesis = ["--ledger", "x.example", "--coin", "X", "--symbol", "XXX", "--supply", "1"];
  const tail = "user:hidden@127.0.0.1:1/ledger";
  const before = contentOf(at(""));
  const backups: readonly (readonly [string, string, RegExp])[] = [
    ["b", "b", /--keys .*\/b and .*\/b lie in each other/],
    ["b", "b/", /lie in each other/],
    ["b", "b/keys", /lie in each other/],
    ["b/ledger", "b", /lie in each other/],
    ["b", "b.part", /\/b\.part would be removed, because .*\/b is made as /],
    ["b.part", "b", /\/b\.part would be removed/],
    ["ledger", "", /ledger\.part would be removed/],
    ["ledger.part/b", "", /would be lost with .*ledger\.part/],
    ["ledger.part/..b", "", /would be lost with .*ledger\.part/],
    ["link/b", "", /would be lost with .*ledger\.part/],
    ["b", "link/keys", /would be lost with .*ledger\.part/],
    ["to-nowhere", "", /to-nowhere exists already/],
    ["nowhere/made", "", /nowhere\/made cannot be made: .*\/nowhere is not there$/m],
  ];
  const rows: readonly (readonly [readonly string[], RegExp])[] = [
    ...backups.map(([folder, keys, says]): readonly [readonly string[], RegExp] => [
      ["backup", data, at(folder), "--skip-verify", ...(keys === "" ? [] : ["--keys", at(keys)])],
      says,
    ]),
    [["restore", saved, at("backup/data")], /would be lost with .*backup/],
    [["restore", saved, file], /file is a file: name a directory/],
    [
      ["restore", saved, at("file/data")],
      /file\/data cannot be made: a part of its path is a file$/m,
    ],
    [
      ["restore", at("nowhere"), at("made")],
      /nowhere is no back-up of moneta backup: .*nowhere\/backup\.json is not there$/m,
    ],
    [["log", "copy", data, at("link/copy")], /would be lost with .*ledger\.part/],
    [["log", "copy", data, at("link")], /link is the directory that is copied/],
    [["snapshot", data, at("file/")], /file exists already/],
    [["snapshot", data, at("to-nowhere")], /to-nowhere exists already/],
    [["snapshot", data, at("file/snapshot.db")], /cannot be made: a part of its path is a file$/m],
    [["snapshot", data, at("taken")], /taken\.part is there and /],
    [["snapshot", data, at("a".repeat(300))], /aaa cannot be made: /],
    [
      ["snapshot", data, at("nowhere/made")],
      /nowhere\/made cannot be made: .*nowhere is not there$/m,
    ],
    [["verify", at("loop")], /ELOOP: .*loop/],
    [["snapshot"], /^moneta: DIR and FILE are missing: usage: moneta snapshot/],
    [["log", "copy", data], /^moneta: TO is missing: usage: moneta log copy/],
    [["archive", "get", data], /^moneta: ID is missing: usage: /],
    [["prune", data, "more"], /^moneta: more is one name too many: usage: /],
    [["archive", data, "a", "--before"], /--before needs a value\./],
    [["verify", data, "--key", "k"], /usage: moneta verify DIR/],
    [["verify", "--archive", data, "--verifier", "native"], /usage: moneta verify DIR/],
    [["init", "", ...genesis], /a name is empty: usage: moneta init/],
    [["snapshot", data, ""], /a name is empty: usage: moneta snapshot/],
    // No password is printed, and a URL names no directory.
    [["audit", `http://${tail}`, "--once"], /^moneta: http:\/\/user:\*\*\*@127/],
    [["verify", `postgres://${tail}`], /^moneta: there is no ledger in postgres:/],
    [
      ["log", "copy", `POSTGRES://${tail}`, at("copied-from")],
      /^moneta: a log in PostgreSQL is given as postgres:\/\/USER@HOST/,
    ],
    [
      ["log", "copy", data, `postgress://${tail}`],
      /^moneta: a log in PostgreSQL is given as postgres:\/\/USER@HOST/,
    ],
  ];
  for (const [command, says] of rows) {
    const { exitCode, output } = await runInProcess(...command);
    assert.equal(exitCode, 2, `${command.join(" ")}: ${output}`);
    assert.match(output, says);
    assert.match(output, /^moneta: [^\n]*\n$/);
    assert.doesNotMatch(output, /hidden/);
    assert.deepEqual(contentOf(at("")), before, command.join(" "));
  }
  assert.ok(!existsSync("postgress:"));
});

test("a folder for a back-up or keys may be named with a slash at its end", async () => {
  const odd = await withBackup("slashes");
  const how = { keys: odd.in("keys/"), isVerified: false };
  await outputOf(() => backup(odd.data, odd.in("b/"), how));
  assert.ok(existsSync(odd.in("b/ledger.db")) && existsSync(odd.in("keys/checkpoint.pem")));
});

/** Has Node run a script before the program. */
function preloading(script: string): { readonly NODE_OPTIONS: string } {
  const url = `data:text/javascript,${encodeURIComponent(script)}`;
  return { NODE_OPTIONS: `--import=${url}` };
}

test("init writes the limits of clients, and names the native verifier where it is not built", async () => {
  const to = join(directory.path, "with limits");
  const output = await outputOf(() => init(to, INIT));
  assert.equal(output.includes("npm run build:native"), findAddon() === undefined, output);
  const written = JSON.parse(readFileSync(join(to, "moneta.json"), "utf8"));
  const settings = readSettings(["--config", join(to, "moneta.json")], {});
  for (const name of [
    ...(["rate-limit", "address-rate-limit", "connections-per-client-max"] as const),
    ...(["wrong-signatures-per-minute", "client-bytes-per-hour"] as const),
  ]) {
    assert.ok(written[name] > 0 && settings[name] === written[name], name);
  }
});

test("a TMPDIR that is not there ends verify and init with 2 and a line, and nothing is made", async (t) => {
  const nowhere = join(directory.path, "no-temporary-folder");
  const made = join(directory.path, "not-made");
  const genesis = ["--ledger", "x.example", "--coin", "X", "--symbol", "XXX", "--supply", "1"];
  const { TMPDIR } = process.env;
  t.after(() => {
    process.env["TMPDIR"] = TMPDIR;
    if (TMPDIR === undefined) {
      delete process.env["TMPDIR"];
    }
  });
  process.env["TMPDIR"] = nowhere;
  for (const command of [
    ["verify", node.data],
    ["init", made, ...genesis],
  ]) {
    const { exitCode, output } = await runInProcess(...command);
    assert.equal(exitCode, 2, output);
    const says = `moneta: the folder of TMPDIR cannot be used: ${nowhere} is not there\n`;
    assert.equal(output, says);
  }
  assert.ok(!existsSync(made));
});

test("a fault of the software ends a command with 70, not with the 1 of a ledger that is wrong", async () => {
  const faulty = preloading(`
    import { syncBuiltinESMExports } from "node:module";
    import os from "node:os";
    os.availableParallelism = () => { throw new TypeError("a fault"); };
    syncBuiltinESMExports();`);
  const { exitCode, output } = await runMonetaIn(faulty, "verify", node.data);
  assert.equal(exitCode, 70, output);
  assert.match(output, /^moneta: a part of the software has failed: TypeError: a fault\n +at /m);
});

test("an uncaught error ends a node with 70", async () => {
  const faulty = preloading(`process.once("SIGUSR2", () => { throw new TypeError("a fault"); });`);
  await using service = await ServiceProcess.start({ environment: faulty });
  process.kill(service.pid, "SIGUSR2");
  await assert.rejects(async () => {
    for (;;) {
      await (await fetch(`${service.url}/health`)).text();
    }
  });
  assert.equal(await service.finish(), 70, service.output());
  assert.match(service.output(), /^moneta: a part of the software has failed: TypeError: a fault/m);
});

test("a back-up with --keys of a node that has none says so", async () => {
  const bare = join(directory.path, "bare");
  mkdirSync(bare);
  cpSync(join(node.data, "ledger.db"), join(bare, "ledger.db"));
  const [to, keys] = [join(directory.path, "bare-backup"), join(directory.path, "bare-keys")];
  const output = await outputOf(() => backup(bare, to, { keys, isVerified: false }));
  assert.match(output, new RegExp(`^there are no keys in ${bare}, so ${keys} was not made$`, "m"));
  assert.ok(!existsSync(keys));
});

test("verify of a copied log says that there are only blocks yet", async () => {
  await using own = await TestNode.start();
  await own.stop();
  const copy = join(directory.path, "copied-log");
  await outputOf(["log", "copy", own.data, copy]);
  const { exitCode, output } = await printed(() => verify(copy));
  assert.equal(exitCode, 2);
  assert.match(
    output,
    /has blocks and no state and views yet.*: start the node or run moneta rebuild/,
  );
});
