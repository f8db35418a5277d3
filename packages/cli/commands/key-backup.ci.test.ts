import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TestNode } from "../../node/testing/test-node.ts";
import { openKeys } from "../../sdk/key-backup.ts";
import backups from "../../sdk/testing/key-backups.json" with { type: "json" };
import { EXIT } from "../command-line/command.ts";
import { CommandRuns, ENTRY } from "../testing/command-runs.ts";

const PASSPHRASE = backups.passphrase;

let node: TestNode;
let user: CommandRuns;
let passphrase: string;

before(async () => {
  node = await TestNode.start();
  user = new CommandRuns(node.url);
  passphrase = user.file("passphrase", `${PASSPHRASE}\n`);
});
after(async () => {
  user?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

function newcomer(): CommandRuns {
  return new CommandRuns(node.url);
}

interface Imported {
  readonly name: string;
  readonly file: string;
  readonly fingerprint: string;
  readonly address?: string;
}

test("a key that was exported is imported by another person, who acts and pays with its address", async () => {
  await user.moneta("key", "new");
  const address = (await user.moneta("address", "new")).trim();
  await user.moneta("faucet");
  const backup = join(user.home, "backup.json");
  const from = ["--passphrase-file", passphrase];
  assert.equal(
    await user.moneta("key", "export", backup, "--name", "Savings", ...from),
    `${backup}\n`,
  );
  assert.equal(statSync(backup).mode & 0o777, 0o600);
  const [only, ...more] = await openKeys(readFileSync(backup, "utf8"), PASSPHRASE);
  assert.deepEqual(
    [only?.name, only?.address, only?.ledgerId, more],
    ["Savings", address, node.ledgerId, []],
  );

  using other = newcomer();
  const [imported] = await other.json<Imported[]>("key", "import", backup, ...from);
  const file = join(other.home, ".config", "moneta", "key.pem");
  assert.deepEqual([imported?.name, imported?.file, imported?.address], ["Savings", file, address]);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(
    readFileSync(file, "utf8"),
    readFileSync(join(user.home, ".config", "moneta", "key.pem"), "utf8"),
  );
  assert.equal(await other.moneta("address", "use"), `${address}\n`);
  await other.moneta("transfer", node.treasury.address, "1");

  // A repeat changes nothing. Another key there stays.
  const printed = await other.moneta("key", "import", backup, ...from);
  assert.ok(printed.includes(address) && printed.includes(file), printed);
  using third = newcomer();
  await third.moneta("key", "new");
  const kept = join(third.home, ".config", "moneta", "key.pem");
  const before = readFileSync(kept, "utf8");
  assert.match(
    await third.refused(EXIT.misused, "key", "import", backup, ...from),
    /key\.pem has another key, and a key is never overwritten/,
  );
  assert.equal(readFileSync(kept, "utf8"), before);
  const elsewhere = join(third.home, "savings.pem");
  await third.moneta("key", "import", backup, ...from, "--key", elsewhere);
  assert.ok(existsSync(elsewhere));
  assert.match(
    await user.refused(EXIT.misused, "key", "export", backup, ...from),
    /exists already, and a back-up is never overwritten/,
  );
});

test("a key is imported, and the import is reported, where the choice of its address cannot be stored", async () => {
  const backup = user.file("chosen.json", JSON.stringify(backups.one.file));
  const address = backups.one.accounts[0]?.address;
  using other = newcomer();
  const folder = join(other.home, ".config", "moneta");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "addresses"), "");
  const { code, stdout, stderr } = await other.call([
    ...["key", "import", backup, "--passphrase-file", passphrase],
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Alice.*key\.pem/);
  assert.match(stderr, new RegExp(`^warning: the choice of ${address} cannot be stored: E`));
  assert.ok(existsSync(join(folder, "key.pem")));
});

test("several keys go into files of their accounts' names, which are no paths", async () => {
  using other = newcomer();
  const { accounts, file: sealed } = backups.several;
  const backup = other.file("wallet.json", JSON.stringify(sealed));
  const from = ["--passphrase-file", passphrase];
  const folder = join(other.home, ".config", "moneta");
  const imported = await other.json<Imported[]>("key", "import", backup, ...from);
  const names = ["savings", "etc-passwd", "key-2", "savings-2", "savings", "2j"];
  assert.deepEqual(
    imported.map(({ file }) => file),
    names.map((name) => join(folder, `${name}.pem`)),
  );
  for (const [at, { file, fingerprint }] of imported.entries()) {
    assert.equal(readFileSync(file, "utf8"), accounts[at]?.privateKeyPem);
    const shown = await other.json<Imported>("key", "show", "--key", file);
    assert.equal(shown.fingerprint, fingerprint);
  }
  const printed = await other.moneta(
    "key",
    "import",
    backup,
    ...from,
    "--to",
    join(other.home, "all"),
  );
  assert.ok(!printed.includes("\u001b"), JSON.stringify(printed));
  assert.equal(readdirSync(join(other.home, "all")).length, 5);
  assert.match(
    await other.refused(EXIT.misused, "key", "import", backup, ...from, "--key", "x.pem"),
    /--key names the file of one key: for the 5 keys of this back-up name a folder with --to FOLDER/,
  );
  // One file exists: none is written.
  using third = newcomer();
  const taken = join(third.home, "keys");
  await third.moneta("key", "new", "--key", join(taken, "savings-2.pem"));
  await third.refused(EXIT.misused, "key", "import", backup, ...from, "--to", taken);
  assert.deepEqual(readdirSync(taken), ["savings-2.pem"]);
});

test("a passphrase that cannot be typed makes no back-up", async () => {
  using other = newcomer();
  await other.moneta("key", "new");
  const backup = join(other.home, "untypeable.json");
  for (const [name, content] of [
    ["marked", `\ufeff${PASSPHRASE}\n`],
    ["of two lines", `${PASSPHRASE}\n${PASSPHRASE}\n`],
    ["in UTF-16", Buffer.from(`\ufeff${PASSPHRASE}\r\n`, "utf16le")],
  ] as const) {
    const file = other.file(name, content);
    const summaryOf = await other.refused(2, "key", "export", backup, "--passphrase-file", file);
    assert.match(
      summaryOf,
      /the passphrase in .* must be one line of UTF-8, without a byte order mark/,
    );
    assert.ok(!existsSync(backup));
  }
  const lined = other.file("lined", `${PASSPHRASE}\r\n`);
  await other.moneta("key", "export", backup, "--passphrase-file", lined);
  assert.equal((await openKeys(readFileSync(backup, "utf8"), PASSPHRASE)).length, 1);
});

test("a wrong passphrase, a damaged file and another file are refused with different messages", async () => {
  using other = newcomer();
  const sealed = JSON.stringify(backups.one.file, null, 2);
  const backup = other.file("backup.json", sealed);
  const wrong = other.file("wrong", "another passphrase");
  const summaryOf = (file: string, from = passphrase): Promise<string> =>
    other.refused(EXIT.misused, "key", "import", file, "--passphrase-file", from);
  assert.match(await summaryOf(backup, wrong), /The passphrase is not the one/);
  writeFileSync(join(other.home, "half.json"), sealed.slice(0, 300));
  assert.match(await summaryOf(join(other.home, "half.json")), /The back-up is damaged/);
  assert.match(await summaryOf(passphrase), /This is no back-up of keys/);
  assert.match(
    await summaryOf(join(other.home, "nowhere")),
    /nowhere cannot be read: there is no such file/,
  );
  assert.match(
    await summaryOf(backup, join(other.home, "nowhere")),
    /the passphrase in .*nowhere cannot be read/,
  );
  assert.ok(!existsSync(join(other.home, ".config")), "nothing was written");
  const { code, stderr } = await other.run(["key", "import", backup]);
  assert.equal(code, EXIT.misused);
  assert.match(stderr, /only a terminal can prompt for a passphrase.*--passphrase-file FILE/);
  await other.moneta("key", "new");
  const short = other.file("short", "1234567");
  const file = join(other.home, "new.json");
  assert.match(
    await other.refused(EXIT.misused, "key", "export", file, "--passphrase-file", short),
    /The passphrase must have 8 to 1000 characters/,
  );
  assert.ok(!existsSync(file));
});

const IN_TERMINAL = fileURLToPath(new URL("../testing/in_terminal.py", import.meta.url));
const skip =
  spawnSync("python3", ["--version"]).error === undefined ? false : "not on this machine: python3";

test("a terminal prompts for a passphrase without showing it, for a new one twice", {
  skip,
}, async () => {
  using other = newcomer();
  const inTerminal = async (typed: readonly string[], ...args: readonly string[]) => {
    const environment = { ...other.environment, TYPED: typed.join("\n") };
    const env = { PATH: process.env["PATH"], TERM: "xterm", ...environment };
    const command = [IN_TERMINAL, process.execPath, ENTRY, ...args];
    return await promisify(execFile)("python3", command, { cwd: other.home, env });
  };
  await other.moneta("key", "new");
  const backup = join(other.home, "backup.json");
  const written = await inTerminal([PASSPHRASE, PASSPHRASE], "key", "export", backup);
  assert.equal(written.stdout, `New passphrase: \nThe same again: \n${backup}\n`);
  const read = await inTerminal([PASSPHRASE], "key", "import", backup);
  assert.match(read.stdout, /^Passphrase: \n/);
  assert.match(read.stdout, /key\.pem/);
  assert.ok(!read.stdout.includes("horse"), read.stdout);
  await assert.rejects(
    inTerminal([PASSPHRASE, "another one"], "key", "export", join(other.home, "b.json")),
    (error: { readonly code: number; readonly stdout: string }) => {
      assert.equal(error.code, EXIT.misused);
      assert.match(error.stdout, /the two passphrases are not the same: nothing was written/);
      return true;
    },
  );
  await assert.rejects(inTerminal(["\u0003"], "key", "import", backup), { code: EXIT.misused });
});
