import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { packInto } from "../node/testing/packed-packages.ts";
import { TemporaryDirectory } from "../node/testing/temporary-directory.ts";
import { TestNode } from "../node/testing/test-node.ts";

// What a newcomer starts from: the programs of examples/, as the guide says they are run.

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

let node: TestNode;
let installed: TemporaryDirectory;

before(async () => {
  installed = new TemporaryDirectory("examples");
  const out = join(installed.path, "dist");
  packInto(out);
  for (const name of ["protocol", "sdk"]) {
    const to = join(installed.path, "node_modules", "@moneta", name);
    cpSync(join(out, name), to, { recursive: true });
  }
  cpSync(join(ROOT, "examples"), join(installed.path, "examples"), { recursive: true });
  writeFileSync(join(installed.path, "package.json"), `{"type":"module"}`);
  node = await TestNode.start();
});

after(async () => {
  await node?.[Symbol.asyncDispose]();
  installed?.[Symbol.dispose]();
});

test("the shop mints three swords and sells one", async () => {
  const program = join(installed.path, "examples", "shop.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [program, node.url]);
  const lines = stdout.split("\n");
  assert.equal(lines[0], "On sale:");
  assert.match(lines[1] ?? "", /^ {2}Gold {5}100 TST {2}MRC400_[0-9a-f]{33}_[0-9A-Za-z]{40}$/);
  assert.match(lines[4] ?? "", /^Sold for 10 TST in transaction [0-9a-f]{64}$/);
  assert.equal(lines[5], "It is the player's now, who has 90 TST left.");
});

test("a node that is not there, and a URL that is none, are a sentence", async () => {
  const program = join(installed.path, "examples", "shop.mjs");
  const env = { ...process.env, MONETA_URL: "http://127.0.0.1:1" };
  for (const { args, says } of [
    { args: [], says: /^shop: http:\/\/127\.0\.0\.1:1 did not respond: .*\n$/ },
    { args: ["nonsense"], says: /^shop: .*takes the URL of a node, .* not "nonsense"\n$/ },
  ]) {
    await assert.rejects(
      promisify(execFile)(process.execPath, [program, ...args], { env }),
      (thrown) => {
        const { code, stderr } = thrown as { code: number; stderr: string };
        assert.equal(code, 1);
        assert.match(stderr, says);
        return true;
      },
    );
  }
});
