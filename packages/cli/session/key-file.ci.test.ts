import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ObservedDisk } from "../../node/testing/disks/observed-disk.ts";
import { SmallTmpfs } from "../../node/testing/disks/small-disk.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import { EXIT } from "../command-line/command.ts";
import { CommandRuns, ENTRY } from "../testing/command-runs.ts";

let node: TestNode;
let user: CommandRuns;

before(async () => {
  node = await TestNode.start();
  user = new CommandRuns(node.url);
});
after(async () => {
  user?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

interface Shown {
  readonly file: string;
  readonly curve: string;
  readonly fingerprint: string;
  readonly publickey: string;
}

test("a new key is in a file of its user's own, in a folder of its user's own", async () => {
  const shown = await user.json<Shown>("key", "new");
  const file = join(user.home, ".config", "moneta", "key.pem");
  assert.equal(shown.file, file);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(statSync(join(file, "..")).mode & 0o777, 0o700);
  assert.match(readFileSync(file, "utf8"), /^-----BEGIN PRIVATE KEY-----\n/);
});

test("a key is never overwritten", async () => {
  const file = join(user.home, ".config", "moneta", "key.pem");
  const before = readFileSync(file, "utf8");
  assert.match(await user.refused(EXIT.misused, "key", "new"), /exists already.*never overwritten/);
  const other = join(user.home, "bob's.pem");
  await user.moneta("key", "new", "--key", other);
  assert.match(
    await user.refused(EXIT.misused, "key", "new", "--key", other),
    /go on with this one: moneta key show --key '\S*bob'\\''s\.pem'\n$/,
  );
  assert.equal(readFileSync(file, "utf8"), before);
});

test("of many who make a key at once one has made it, and that one is there whole", async () => {
  const file = join(user.home, "raced.pem");
  const made = await Promise.all(
    Array.from({ length: 6 }, () => user.run(["key", "new", "--key", file, "--json"])),
  );
  const [winner, ...others] = made.filter(({ code }) => code === EXIT.done);
  assert.equal(others.length, 0);
  const { fingerprint } = JSON.parse(winner?.stdout ?? "") as Shown;
  const kept = await user.json<Shown>("key", "show", "--key", file);
  assert.equal(kept.fingerprint, fingerprint);
});

test("an empty file that a kill has left is reported, with what to do", async () => {
  const file = join(user.home, "cut-off.pem");
  writeFileSync(file, "");
  for (const word of ["new", "show"]) {
    const printed = await user.refused(EXIT.misused, "key", word, "--key", file);
    assert.match(printed, /cut-off\.pem is empty, .*: remove it/);
  }
});

test("where the disk is full no part of a key is left, and the next attempt makes one", {
  skip: SmallTmpfs.missing(),
}, async () => {
  using disk = new SmallTmpfs();
  mkdirSync(disk.data);
  disk.fill();
  disk.exhaust();
  const file = join(disk.data, "key.pem");
  const printed = await user.refused(EXIT.misused, "key", "new", "--key", file);
  assert.match(printed, /key\.pem cannot be written: ENOSPC/);
  assert.ok(!existsSync(file), "nothing is left");
  disk.free();
  assert.equal((await user.json<Shown>("key", "new", "--key", file)).file, file);
});

test("a key whose name may not last is none: a power cut would take it, and what its address holds", {
  skip: ObservedDisk.missing(),
}, async () => {
  using observed = new ObservedDisk();
  const folder = join(user.home, "unsynced");
  const file = join(folder, "key.pem");
  mkdirSync(folder);
  const fault = { operation: "sync", file: ".", nth: 1 } as const;
  const environment = observed.environment(folder, { fault });
  const { code, stderr } = await user.run(["key", "new", "--key", file], { environment });
  assert.equal(code, EXIT.misused, stderr);
  assert.match(stderr, /key\.pem cannot be written: EIO/);
  assert.ok(!existsSync(file), "nothing is left");
});

test("a key in a new folder whose name may not last is none", {
  skip: ObservedDisk.missing(),
}, async () => {
  using observed = new ObservedDisk();
  const folder = join(user.home, "with-a-new-folder");
  mkdirSync(folder);
  const fault = { operation: "sync", file: ".", nth: 1 } as const;
  const environment = observed.environment(folder, { fault });
  const file = join(folder, "new", "key.pem");
  const { code, stderr } = await user.run(["key", "new", "--key", file], { environment });
  assert.equal(code, EXIT.misused, stderr);
  assert.match(stderr, /key\.pem cannot be written: EIO/);
  assert.ok(!existsSync(file), "nothing is left");
});

test("a home in which no file can be made is reported, and nothing hangs", {
  skip: process.platform !== "linux",
}, async () => {
  const environment = { HOME: "/proc/self" };
  const { code, stderr } = await user.run(["key", "new"], { environment });
  assert.equal(code, EXIT.misused);
  assert.match(stderr, /\/proc\/self\/\.config\/moneta\/key\.pem cannot be written: E/);
});

test("the suggested next command uses the same key", async () => {
  const file = join(user.home, "Bob's key.pem");
  const word = `--key '${file.replace("'", "'\\''")}'`;
  const made = await user.call(["key", "new", "--key", file]);
  assert.ok(made.stderr.includes(`moneta address new ${word}`), made.stderr);
  const none = await user.refused(EXIT.refused, "balance", "--key", file);
  assert.ok(none.includes(`moneta address new ${word} creates one`), none);
  const { stderr } = await user.call(["address", "new", "--key", file]);
  assert.ok(stderr.includes(`moneta faucet ${word}`), stderr);
});

test("--key, MONETA_KEY and XDG_CONFIG_HOME say where a key is", async () => {
  const named = join(user.home, "named.pem");
  assert.equal((await user.json<Shown>("key", "new", "--key", named)).file, named);
  const inVariable = join(user.home, "variable.pem");
  const { code } = await user.call(["key", "new"], { MONETA_KEY: inVariable });
  assert.equal(code, 0);
  assert.ok(existsSync(inVariable));
  const folder = join(user.home, "xdg");
  await user.call(["key", "new"], { XDG_CONFIG_HOME: folder });
  assert.ok(existsSync(join(folder, "moneta", "key.pem")));
});

test("an empty --key, as of a variable that is not set, is none, and the variables name the key", async () => {
  using own = new CommandRuns("http://127.0.0.1:1");
  const [usual, other] = [join(own.home, ".config/moneta/key.pem"), join(own.home, "other.pem")];
  await own.moneta("key", "new");
  await own.moneta("key", "new", "--key", other);
  const shown = async (environment: Record<string, string>): Promise<string> => {
    const { code, stdout } = await own.call(["key", "show", "--key", "", "--json"], environment);
    assert.equal(code, 0);
    return (JSON.parse(stdout) as { readonly file: string }).file;
  };
  assert.equal(await shown({ MONETA_KEY: other }), other);
  const pem = readFileSync(other, "utf8");
  assert.equal(await shown({ MONETA_PRIVATE_KEY: pem }), "MONETA_PRIVATE_KEY");
  assert.equal(await shown({ MONETA_KEY: "" }), usual);
  assert.match(
    await own.refused(3, "info", "--url", ""),
    /http:\/\/127\.0\.0\.1:1 did not respond/,
  );
});

test("what is shown of a key is never the private one", async () => {
  const file = join(user.home, ".config", "moneta", "key.pem");
  const { stdout, stderr } = await user.call(["key", "show"]);
  const json = await user.moneta("key", "show", "--json");
  const inner = readFileSync(file, "utf8").split("\n").slice(1, -2);
  for (const line of inner) {
    // The public half is in the file's last lines.
    assert.ok(!`${stdout}${stderr}${json}`.includes(line), line);
  }
  assert.match(stdout, /^-----BEGIN PUBLIC KEY-----\n[^-]+-----END PUBLIC KEY-----\n$/);
  assert.match(stderr, /^curve +P-256$/m);
});

test("a key is on the curve that was chosen", async () => {
  for (const curve of ["P-384", "P-521"]) {
    const file = join(user.home, `${curve}.pem`);
    const made = await user.json<Shown>("key", "new", "--key", file, "--curve", curve);
    assert.equal(made.curve, curve);
  }
});

test("a key file that others can read is warned of, and used all the same", async () => {
  const file = join(user.home, ".config", "moneta", "key.pem");
  chmodSync(file, 0o644);
  const { code, stderr } = await user.call(["key", "show"]);
  chmodSync(file, 0o600);
  assert.equal(code, 0);
  assert.match(stderr, /^warning: others can read the key.*chmod 600/m);
  assert.doesNotMatch((await user.call(["key", "show"])).stderr, /warning/);
});

test("a key file that cannot be read, or is a folder, is a wrong use and no fault, without the advice to change its mode", async () => {
  const loop = join(user.home, "loop.pem");
  symlinkSync(loop, loop);
  const folder = join(user.home, "folder.pem");
  mkdirSync(folder, { mode: 0o755 });
  const shared = user.file("public.pem", publicPem());
  chmodSync(shared, 0o644);
  for (const [file, says] of [
    [loop, /the key in \S+loop\.pem cannot be read: ELOOP/],
    [folder, /the key in \S+folder\.pem cannot be read: it is a directory/],
    [shared, /holds a public key/],
  ] as const) {
    const printed = await user.refused(EXIT.misused, "key", "show", "--key", file);
    assert.match(printed, says);
    assert.doesNotMatch(printed, /chmod/);
  }
});

for (const { what, text, says } of [
  { what: "a public key", text: publicPem(), says: /holds a public key/ },
  { what: "an encrypted key", text: encryptedPem(), says: /is encrypted.*openssl pkcs8/ },
  {
    what: "a key of another kind",
    text: ed25519Pem(),
    says: /not an ECDSA key on P-256, P-384, P-521/,
  },
  { what: "a key on another curve", text: otherCurvePem(), says: /not an ECDSA key on P-256/ },
  { what: "no key", text: "hunter2", says: /holds no private key that can be read/ },
]) {
  test(`a file with ${what} is refused with a sentence that says why, and nothing of it`, async () => {
    const file = user.file("wrong.pem", text);
    const printed = await user.refused(EXIT.misused, "key", "show", "--key", file);
    assert.match(printed, says);
    assert.doesNotMatch(printed, /hunter2/);
  });
}

test("a key may come through a pipe, and a file without an end is none", {
  skip: process.platform === "win32",
}, async () => {
  const shown = await user.json<Shown>("key", "show");
  const pipe = `cat '${shown.file}' | '${process.execPath}' '${ENTRY}' key show --key /dev/stdin --json`;
  const env = { ...process.env, ...user.environment };
  const piped = JSON.parse(execFileSync("sh", ["-c", pipe], { encoding: "utf8", env })) as Shown;
  assert.equal(piped.fingerprint, shown.fingerprint);
  const printed = await user.refused(EXIT.misused, "key", "show", "--key", "/dev/zero");
  assert.match(printed, /the key in \/dev\/zero cannot be read: it has more than 65536 bytes/);
});

test("a file that is not there is named, with what makes one", async () => {
  const printed = await user.refused(EXIT.misused, "key", "show", "--key", "none.pem");
  assert.match(printed, /there is no key in none\.pem: moneta key new --key none\.pem makes one/);
});

test("a key that is not that of the acting address is refused by the ledger, and the message names the key", async () => {
  const { address } = await node.holder({ coins: 100n });
  const printed = await user.refused(
    EXIT.refused,
    "transfer",
    node.treasury.address,
    "0.00000001",
    "--from",
    address,
  );
  assert.match(printed, /\(2010\)/);
  assert.match(
    printed,
    /The key in .*key\.pem is not the key of the acting address: moneta address list/,
  );
});

const openssl = spawnSync("openssl", ["version"]).error === undefined;
const skip = openssl ? false : "not on this machine: openssl";

for (const { form, commands } of [
  { form: "SEC1", commands: ["ecparam -name prime256v1 -genkey -noout -out KEY"] },
  { form: "SEC1 with its parameters", commands: ["ecparam -name secp384r1 -genkey -out KEY"] },
  { form: "PKCS#8", commands: ["genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-521 -out KEY"] },
]) {
  test(`a key of openssl signs, ${form}`, { skip }, async () => {
    const file = join(user.home, `openssl-${form.length}.pem`);
    for (const command of commands) {
      spawnSync("openssl", command.replace("KEY", file).split(" "));
    }
    chmodSync(file, 0o600);
    await user.moneta("address", "new", "--key", file);
    await user.moneta("faucet", "--key", file);
    await user.moneta("transfer", node.treasury.address, "1", "--key", file);
    const publicKey = spawnSync("openssl", ["pkey", "-in", file, "-pubout"]).stdout.toString();
    assert.equal(await user.moneta("key", "show", "--key", file), publicKey);
  });
}

test("a key in MONETA_PRIVATE_KEY goes before files, but not before --key", async () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  const environment = { MONETA_PRIVATE_KEY: pem, MONETA_KEY: "none.pem" };
  const shown = async (...args: readonly string[]): Promise<Shown> =>
    JSON.parse((await user.call(["key", "show", "--json", ...args], environment)).stdout);
  assert.equal((await shown()).file, "MONETA_PRIVATE_KEY");
  assert.equal((await shown()).curve, "P-384");
  const file = join(user.home, ".config", "moneta", "key.pem");
  assert.equal((await shown("--key", file)).curve, "P-256");
});

function publicPem(): string {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return publicKey.export({ type: "spki", format: "pem" }) as string;
}

function encryptedPem(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const encrypted = { cipher: "aes-256-cbc", passphrase: "hunter2" } as const;
  return privateKey.export({ type: "pkcs8", format: "pem", ...encrypted }) as string;
}

function ed25519Pem(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ type: "pkcs8", format: "pem" }) as string;
}

function otherCurvePem(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
  return privateKey.export({ type: "pkcs8", format: "pem" }) as string;
}
