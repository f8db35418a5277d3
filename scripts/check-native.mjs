// Checks and tests the native verifier's crate; prints a note if the tools are not installed.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const CRATE = join(ROOT, "packages", "native-verifier");
const TARGET = join(ROOT, "node_modules", ".cache", "native-verifier");

for (const { tool, args } of [
  { tool: "fmt", args: ["--check"] },
  {
    tool: "clippy",
    args: ["--release", "--locked", "--target-dir", TARGET, "--", "--deny", "warnings"],
  },
  { tool: "test", args: ["--release", "--locked", "--lib", "--quiet", "--target-dir", TARGET] },
]) {
  if (spawnSync("cargo", [tool, "--help"], { cwd: CRATE }).status !== 0) {
    console.log(`not checked: packages/native-verifier, because cargo ${tool} is not installed`);
  } else if (spawnSync("cargo", [tool, ...args], { cwd: CRATE, stdio: "inherit" }).status !== 0) {
    console.error(`check:native: cargo ${tool} complains`);
    process.exitCode = 1;
  }
}
