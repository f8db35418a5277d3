// What a newcomer reads when the first installation fails or is interrupted.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { TemporaryDirectory } from "../packages/node/testing/temporary-directory.ts";

const SETUP = fileURLToPath(new URL("setup.mjs", import.meta.url));

/** Starts the set-up of a folder that lacks a package, with a program in the place of npm. */
function setUp(folder: string, npm: string): ChildProcess {
  const packages = { "node_modules/lacking": { version: "1.0.0" } };
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages }));
  writeFileSync(join(folder, "npm.js"), npm);
  const env = { ...process.env, npm_execpath: join(folder, "npm.js") };
  // A process group of its own, as a shell makes it, for Ctrl-C to reach as a whole.
  return spawn(process.execPath, [SETUP, folder], {
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

test("a failed installation is a sentence, and not where it was thrown", async () => {
  using folder = new TemporaryDirectory("setup");
  const child = setUp(folder.path, 'console.error("npm error network"); process.exitCode = 3;');
  const [[code], stderr] = await Promise.all([
    once(child, "exit"),
    text(child.stderr as NodeJS.ReadableStream),
  ]);
  assert.equal(code, 1, stderr);
  assert.match(
    stderr,
    /^setup: installing .*\nnpm error network\nsetup: npm ci failed \(exit code 3\), see above; .*\n$/,
  );
});

test("Ctrl-C ends the set-up after npm, which may have to undo something", {
  skip: process.platform === "win32" ? "no process groups on Windows" : false,
}, async () => {
  using folder = new TemporaryDirectory("setup");
  const undone = join(folder.path, "undone");
  const child = setUp(
    folder.path,
    `process.once("SIGINT", () => setTimeout(() => {
       require("node:fs").writeFileSync(${JSON.stringify(undone)}, "");
       process.exit(130);
     }, 500));
     console.error("npm is busy");
     setTimeout(() => {}, 60_000);`,
  );
  let stderr = "";
  for await (const part of child.stderr as NodeJS.ReadableStream) {
    stderr += String(part);
    if (/npm is busy\n$/.test(stderr)) {
      process.kill(-(child.pid as number), "SIGINT");
    }
  }
  assert.ok(existsSync(undone), stderr);
  assert.match(stderr, /npm is busy\nsetup: interrupted, .*: start again\n$/);
  assert.equal(child.exitCode ?? (await once(child, "exit"))[0], 130);
});
