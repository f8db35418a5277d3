import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { TemporaryDirectory } from "../temporary-directory.ts";

const PROGRAM = fileURLToPath(new URL("verifiers.ts", import.meta.url));

test("a comparison of verifiers that would compare nothing is refused", () => {
  using empty = new TemporaryDirectory("no-vectors");
  for (const [option, value] of [
    ["--claims", "all"],
    ["--claims", "0"],
    ["--seed", "x"],
    ["--seed", "4294967296"],
    ["--wycheproof", empty.path],
    ["--wycheproof", "/nowhere"],
    ["--clams", "10"],
  ] as const) {
    const args = [PROGRAM, `${option}=${value}`];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    assert.deepEqual([status, stdout], [2, ""], stderr);
    assert.ok(stderr.startsWith("test:verifiers: "), stderr);
    assert.ok(stderr.split("\n")[0]?.includes(option), stderr);
  }
});
