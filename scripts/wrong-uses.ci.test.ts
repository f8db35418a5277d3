// A mistyped flag, or a missing requirement, of a program of this project leads to a message
// without a stack trace.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { TemporaryDirectory } from "../packages/node/testing/temporary-directory.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

for (const { program, args, says } of [
  {
    program: "bench/main.ts",
    args: ["--quik"],
    says: /^bench: Unknown option '--quik'[\s\S]*--quick/,
  },
  {
    program: "bench/main.ts",
    args: ["--scenario", "foo"],
    says: /^bench: there is no scenario foo\n\nusage: /,
  },
  {
    program: "bench/main.ts",
    args: ["--seconds", "x"],
    says: /^bench: --seconds must be a number above 0, not "x"\n\nusage: /,
  },
  {
    program: "bench/main.ts",
    args: ["--connections", "0.5"],
    says: /^bench: --connections must be a whole number, not "0.5"\n\nusage: /,
  },
  {
    program: "bench/main.ts",
    args: ["--scenario", "worst", "--case", "none such"],
    says: /^bench: there is no case with "none such" in its name\. All cases:\n {2}\S/,
  },
  {
    program: "bench/main.ts",
    args: ["--cluster", "2", "--scenario", "worst"],
    says: /^bench: --cluster measures only .*, not worst\n\nusage: /,
  },
]) {
  test(`${program} ${args.join(" ")} ends with 2 and the usage`, () => {
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, program), ...args], {
      encoding: "utf8",
    });
    assert.equal(status, 2, stderr);
    assert.match(stderr, says);
    assert.doesNotMatch(stderr, /^ {4}at /m);
  });
}

test("a native verifier that cannot be built, because rustup has no toolchain, is reported with the reason", {
  skip: process.platform === "win32" ? "a script in the place of rustc" : false,
}, () => {
  using folder = new TemporaryDirectory("rustc");
  const says = "error: no default is configured\nhelp: run 'rustup default stable'\n\nStack";
  const script = `#!/bin/sh\ncat >&2 <<'END'\n${says}\nEND\nexit 1\n`;
  writeFileSync(join(folder.path, "rustc"), script, { mode: 0o755 });
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, "scripts/build-native.mjs")], {
    encoding: "utf8",
    env: { ...process.env, PATH: `${folder.path}:${process.env["PATH"]}` },
  });
  assert.equal(status, 1, stderr);
  assert.match(stderr, /^build:native: rustc cannot be run \(error: no default is configured/);
  assert.match(stderr, /rustup default stable/);
  assert.doesNotMatch(stderr, /Stack/);
});

test("pages that cannot be built, because only what runs a node is installed, say how they can", () => {
  using folder = new TemporaryDirectory("pages");
  for (const name of ["pages", "sdk", "protocol"]) {
    mkdirSync(join(folder.path, "packages", name), { recursive: true });
  }
  writeFileSync(join(folder.path, "package-lock.json"), "{}");
  const script = join(folder.path, "scripts", "build-pages.mjs");
  cpSync(join(ROOT, "scripts", "build-pages.mjs"), script);
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  assert.equal(status, 1, stderr);
  assert.match(stderr, /^build:pages: vite is not installed.*npm ci && npm run build:pages/);
});
