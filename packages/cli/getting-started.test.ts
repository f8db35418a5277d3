import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TestNode } from "../node/testing/test-node.ts";
import { CommandRuns, ENTRY } from "./testing/command-runs.ts";

const PAGE = fileURLToPath(new URL("../../docs/getting-started.md", import.meta.url));
const skip =
  spawnSync("bash", ["--version"]).error === undefined ? false : "not on this machine: bash";

test("what the documentation says to type into a shell at first does what it says", {
  skip,
}, async () => {
  await using node = await TestNode.start();
  using user = new CommandRuns(node.url);
  const [, section = ""] = readFileSync(PAGE, "utf8").split(/^## From a shell$/m);
  const [own = ""] = section.split(/^## /m);
  const blocks = [...own.matchAll(/^```bash\n(.*?)^```/gms)].map(([, block = ""]) => block);
  assert.ok(blocks.length >= 3, "it has the path, a transfer and an item");
  // The program and its Node stand in the path, as the first of the blocks makes it.
  assert.match(blocks[0] ?? "", /^export PATH="\$PWD\/node_modules\/\.bin:\$PATH"$/m);
  symlinkSync(ENTRY, join(user.home, "moneta"));
  symlinkSync(process.execPath, join(user.home, "node"));
  const script = ["set -euo pipefail", ...blocks.slice(1)].join("\n");
  assert.doesNotMatch(script, /[[{]"|jq|--json/, "nobody has to write or read JSON at first");
  const { stdout } = await promisify(execFile)("bash", ["-c", script], {
    cwd: user.home,
    env: { ...user.environment, PATH: `${user.home}:${process.env["PATH"]}` },
  });
  assert.match(stdout, /^ +0 +1\.5 TST$/m, "Bob was paid");
  assert.match(stdout, /on sale +10 TST/, "the sword was on sale");
  const [alice = ""] = /^MT\w{38}$/m.exec(stdout) ?? [];
  const [, holder = alice] = /^holder +(MT\w{38})$/m.exec(stdout) ?? [];
  assert.notEqual(holder, alice, "and has changed hands");
});
