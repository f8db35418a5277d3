import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TemporaryDirectory } from "../node/testing/temporary-directory.ts";
import { TestNode } from "../node/testing/test-node.ts";

test("the README's program runs as it stands there, from its first block to its last", async () => {
  const readme = readFileSync(new URL("./README.md", import.meta.url), "utf8");
  const blocks = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  assert.ok(blocks.length >= 5);
  await using node = await TestNode.start();
  using folder = new TemporaryDirectory("readme");
  const file = join(folder.path, "program.mjs");
  const entryOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const program = blocks
    .join("\n")
    .replaceAll('"@moneta/sdk"', JSON.stringify(entryOf("index.ts")))
    .replaceAll('"@moneta/sdk/key-backup"', JSON.stringify(entryOf("key-backup.ts")))
    .replaceAll('"@moneta/sdk/proof"', JSON.stringify(entryOf("proof.ts")))
    .replace("http://127.0.0.1:20922", node.url);
  writeFileSync(file, program);
  const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 240_000 });
  assert.match(stdout, /balance: 150000000n/);
  assert.match(stdout, /^true$/m);
  assert.match(stdout, /^receive \[/m);
  assert.match(stdout, /^1\.5 from MT/m);
  assert.match(stdout, /^[0-9a-f]{64} NewWallet$/m);
  assert.match(
    stdout,
    /^verified \[\]\nin the ledger that localhost.*\nverified verified verified$/m,
  );
  assert.match(stdout, /^Savings passphrase$/m);
  assert.match(stdout, /^moneta:MT\w{38}\?token=0&amount=150000000&memo=tea$/m);
  assert.match(stdout, /^5001 .*The payer needs/m);
  assert.match(stdout, /^2 \[\] \[ \{ is: 'token', token: '0', amount: 1n \} \]$/m);
});
