import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TestNode } from "../node/testing/test-node.ts";
import { CommandRuns, ENTRY } from "./testing/command-runs.ts";

const ROOT = new URL("../../", import.meta.url);
const missing = ["bash", "curl", "openssl"].filter(
  (program) => spawnSync(program, ["--version"]).error !== undefined,
);
const skip = missing.length === 0 ? false : `not on this machine: ${missing.join(", ")}`;

/**
 * What a page says to type into a shell, in its order; what starts the node is for another
 * terminal.
 */
function typed(page: string, section = /^/): string[] {
  const text = readFileSync(fileURLToPath(new URL(page, ROOT)), "utf8");
  const [own = ""] = (text.split(section)[1] ?? text).split(
    section.source === "^" ? /$^/ : /^## /m,
  );
  return [...own.matchAll(/^```bash\n(.*?)^```/gms)]
    .map(([, block = ""]) => block)
    .filter((block) => block !== "npm start\n");
}

test("README, getting started and the exchange, typed into one shell in one folder, do what they say", {
  skip,
}, async () => {
  await using node = await TestNode.start();
  using user = new CommandRuns(node.url);
  const [readme, second, third] = [
    typed("README.md"),
    typed("docs/getting-started.md", /^## From a shell$/m),
    typed("docs/swaps.md", /^## Two tokens, exchanged$/m),
  ] as const;
  assert.equal(readme.length, 2, "README has a first transfer, and the same with curl");
  assert.equal(second.length, 2, "the second page goes on, with an item");
  assert.equal(third.length, 3, "the third one exchanges with the same Bob");
  const pages = [...readme, ...second, ...third].join("\n");
  assert.doesNotMatch(pages, /[[{]"|jq|--json/, "nobody has to write or read JSON at first");
  // The program and its Node stand where the clone has them, so that the path is made as the pages
  // make it.
  const programs = join(user.home, "node_modules", ".bin");
  mkdirSync(programs, { recursive: true });
  symlinkSync(ENTRY, join(programs, "moneta"));
  symlinkSync(process.execPath, join(programs, "node"));
  const script = ["set -euo pipefail", pages.replaceAll("http://127.0.0.1:20922", node.url)];
  const { stdout } = await promisify(execFile)("bash", ["-c", script.join("\n")], {
    cwd: user.home,
    env: { ...process.env, ...user.environment },
  });
  assert.match(stdout, /^ +0 +1\.5 TST$/m, "Bob was paid");
  assert.match(stdout, /"balance":"100000000"/, "and so with curl");
  assert.match(stdout, /transfer +-0\.5 TST/, "the same address goes on");
  assert.match(stdout, /on sale +10 TST/, "the sword was on sale");
  assert.match(stdout, /^ +\d+ +1\.5 GLD #\d+$/m, "Alice has got gold");
  const [alice = ""] = /^MT\w{38}$/m.exec(stdout) ?? [];
  const [, holder = alice] = /^holder +(MT\w{38})$/m.exec(stdout) ?? [];
  assert.notEqual(holder, alice, "and has changed hands");
});
