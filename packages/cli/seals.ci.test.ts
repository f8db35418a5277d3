import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TestNode } from "../node/testing/test-node.ts";
import { CalledInShell, linkPrograms } from "./testing/called-in-shell.ts";
import { CommandRuns } from "./testing/command-runs.ts";

const PAGE = readFileSync(new URL("../../docs/sealed-texts.md", import.meta.url), "utf8");
const SDK = fileURLToPath(new URL("../sdk/index.ts", import.meta.url));
const skip =
  spawnSync("bash", ["--version"]).error === undefined ? false : "not on this machine: bash";

let node: TestNode;
let user: CommandRuns;
let address: string;

before(async () => {
  node = await TestNode.start();
  user = new CommandRuns(node.url);
  await user.moneta("key", "new");
  address = (await user.moneta("address", "new")).trimEnd();
});
after(async () => {
  user?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

test("a key is made, what it commits to is sealed, and it opens at its date", async (t) => {
  const date = `@${node.now + 3600}`;
  const terms = ["--data", "for lot 7", "--algorithm", "none"];
  const made = await user.json<{ readonly key: string; readonly keyhash: string }>(
    ...["seal", "key", "bid_1", date, "bid 4200", ...terms],
  );
  assert.match(made.key, /^bid 4200; salt [0-9a-f]{32}$/);
  const create = ["seal", "create", "bid_1", date, "--key-hash", made.keyhash, ...terms];
  const id = (await user.moneta(...create)).trimEnd();
  assert.equal(id, `MRC020_${address}_bid_1`);
  const requests = t.mock.method(globalThis, "fetch").mock;
  const early = await user.refused(2, "seal", "open", id, made.key);
  assert.match(
    early,
    /can be opened from \d{4}-\d\d-\d\dT[\d:+]+ on, and the ledger's time is \d{4}/,
  );
  assert.match(early, /the key was not sent\n$/);
  assert.ok(requests.calls.length > 0);
  assert.doesNotMatch(JSON.stringify(requests.calls.map((call) => call.arguments)), /bid 4200/);
  assert.match(await user.moneta("seal", "show", id), /^is open +no$/m);
  node.now += 3600;
  assert.match(await user.refused(1, "seal", "open", id, "bid 4200"), /3006/);
  await user.moneta("seal", "open", id, made.key);
  const again = await user.refused(1, "seal", "open", id, made.key);
  assert.match(again, /was opened at \d{4}-\d\d-\d\dT[\d:+]+\. \(7113\)/);
  const opened = await user.moneta("seal", "show", id);
  assert.match(opened, /^is open +yes$/m);
  assert.match(opened, /^opened +[0-9]{4}-[0-9]{2}-[0-9]{2}T/m);
  assert.match(opened, /^key +bid 4200; salt/m);
  const shown = await user.json<{ readonly publickey: string }>("seal", "show", id);
  assert.equal(shown.publickey, made.key);
  const list = await user.json<{ readonly items: readonly object[] }>(
    ...["seal", "list", "--owner", address, "--state", "open"],
  );
  assert.deepEqual(list.items, [shown]);
});

test("a key for a date in words, without a text, is random alone", async () => {
  const printed = await user.moneta("seal", "key", "bid_2", "2027-01-31T18:00Z");
  assert.match(printed, /^key +[0-9a-f]{64}\nkeyhash +[0-9a-f]{64}\n$/);
});

test("the command that seals is of the address and the node that the key is bound to", async () => {
  const second = (await user.moneta("address", "new")).trimEnd();
  const date = `@${node.now + 3600}`;
  const of = ["--from", second, "--url", `${node.url}/`];
  const { stdout, stderr } = await user.call(["seal", "key", "bid_7", date, "bid", ...of]);
  const [, key = ""] = /^key +(.*)$/m.exec(stdout) ?? [];
  const [, create = ""] = /To seal it: moneta (.*)\n$/.exec(stderr) ?? [];
  const args = create.split(" ").map((word) => word.replaceAll("'", ""));
  assert.deepEqual(args.slice(-4), of);
  const id = (await user.moneta(...args)).trimEnd();
  node.now += 3600;
  await user.moneta("seal", "open", id, key);
});

test("a key goes into a new file that only its user reads, and is never overwritten", async () => {
  const file = join(user.home, "secret.key");
  const make = ["seal", "key", "bid_4", "2027-01-31", "bid", "--out", file];
  const keyhash = (await user.moneta(...make)).trimEnd();
  assert.match(keyhash, /^[0-9a-f]{64}$/);
  const text = readFileSync(file, "utf8");
  assert.match(text, new RegExp(`^key +bid; salt [0-9a-f]{32}\nkeyhash +${keyhash}\n$`));
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.match(await user.refused(2, ...make), /exists already, and a key is never overwritten/);
  assert.equal(readFileSync(file, "utf8"), text);
});

test("the key in the file opens what is sealed, with every character that the text has", async () => {
  const file = join(user.home, "letter.key");
  const date = `@${node.now + 3600}`;
  const text = "tab\t, mark\u200f";
  const keyhash = (await user.moneta("seal", "key", "bid_5", date, text, "--out", file)).trimEnd();
  const id = (await user.moneta("seal", "create", "bid_5", date, "--key-hash", keyhash)).trimEnd();
  const [, key = ""] = /^key +(.*)$/m.exec(readFileSync(file, "utf8")) ?? [];
  node.now += 3600;
  await user.moneta("seal", "open", id, key);
  const shown = await user.json<{ readonly publickey: string }>("seal", "show", id);
  assert.ok(shown.publickey.startsWith(text), shown.publickey);
});

test("a text that its line would change gets a key only as JSON", async () => {
  const file = join(user.home, "lines.key");
  for (const text of ["line 1\nline 2", " bid"]) {
    const make = ["seal", "key", "bid_6", "2037-01-31", text];
    for (const more of [[], ["--out", file], ["--out", file, "--json"]]) {
      assert.match(await user.refused(2, ...make, ...more), /its key is kept in one line/);
    }
    assert.ok(!existsSync(file));
    assert.ok((await user.json<{ readonly key: string }>(...make)).key.startsWith(text));
  }
});

test("no key is made for what could not be sealed", async () => {
  const file = join(user.home, "refused.key");
  const past = await user.refused(2, "seal", "key", "bid_7", "2020-01-31", "bid", "--out", file);
  assert.match(past, /DATE is 2020-01-31T[\d:+-]+ but must be later than the ledger's time, /);
  const blank = await user.refused(2, "seal", "key", "my bid", "2037-01-31", "bid", "--out", file);
  assert.match(blank, /REFERENCE must be 1 to 64 of 0-9A-Za-z_/);
  const barred = ["seal", "key", "bid_7", "2037-01-31", "bid", "--out", file, "--data", "a|b"];
  assert.match(await user.refused(2, ...barred), /^moneta: --data must/);
  const old = await user.refused(2, "seal", "key", "bid_7", "@915148800", "bid", "--out", file);
  assert.match(old, /^moneta: DATE is 915148800 but must be a time in Unix seconds/);
  assert.ok(!existsSync(file));
});

test("what could never be opened is not sealed", async () => {
  const long = await user.refused(2, "seal", "key", "bid_3", "2027-01-31", "x".repeat(4090));
  assert.match(long, /TEXT cannot be sealed: A key is a text of 1 to 4096 characters/);
  const date = await user.refused(2, "seal", "key", "bid_3", "tomorrow");
  assert.match(date, /DATE is "tomorrow"/);
});

test("the commands of the page seal a bid and open it at its date", { skip }, async () => {
  linkPrograms(user.home);
  using called = await CalledInShell.start(user);
  const programs = join(user.home, "node_modules", ".bin");
  const env = { ...process.env, ...user.environment, PATH: `${programs}:${process.env["PATH"]}` };
  const blocks = [...PAGE.matchAll(/^```bash\n(.*?)^```/gms)].map(([, block = ""]) => block);
  assert.equal(blocks.length, 2);
  const type = async (block: string): Promise<string> => {
    const options = { cwd: user.home, env, timeout: 240_000 };
    return (await promisify(execFile)("bash", ["-euc", called.definition + block], options)).stdout;
  };
  node.now = Math.floor(Date.now() / 1000);
  assert.match(await type(blocks[0] as string), /^is open +no$/m);
  assert.match(await type(blocks[0] as string), /^is open +no$/m, "twice is once");
  node.now += 3700;
  assert.match(await type(blocks[1] as string), /^key +bid 4200; salt [0-9a-f]{32}$/m);
});

test("the program of the page seals a bid and opens it at its date", async () => {
  node.now = Math.floor(Date.now() / 1000) + 3700;
  const [, program = ""] = /^```js\n(.*?)^```/ms.exec(PAGE) ?? [];
  const file = join(user.home, "sealed.mjs");
  const local = program
    .replace('"@moneta/sdk"', JSON.stringify(SDK))
    .replace("http://127.0.0.1:20922", node.url)
    .replace("Date.now() / 1000", String(node.now));
  writeFileSync(file, local);
  const height = await node.height();
  const running = promisify(execFile)(process.execPath, [file], { timeout: 240_000 });
  let hasEnded = false;
  const ended = running.finally(() => {
    hasEnded = true;
  });
  // The sealed text's date comes only now.
  while (!hasEnded && (await node.height()) < height + 2) {
    await delay(20);
  }
  node.now += 10;
  assert.match((await ended).stdout, /publickey: 'bid 4200; salt [0-9a-f]{32}'/);
});
