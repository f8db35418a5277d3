// Runs the tests, all of them or the files that are named, two files more at a time than the machine has cores: many wait for a disk, a
// browser or another process. Node itself would leave one core idle, which is half of a machine with two. What Node has compiled of our sources is kept for the next thread and the next process:
// each test starts nodes, and each node threads.
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
// All processes and threads find our sources as `moneta` does, which is faster.
const sources = pathToFileURL(join(root, "packages", "cli", "own-sources.mjs"));
const files = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  [
    "--test",
    `--test-concurrency=${availableParallelism() + 2}`,
    "--test-reporter=./scripts/test-reporter.mjs",
    ...(files.length > 0 ? files : ["packages/**/*.test.ts", "scripts/*.test.ts"]),
  ],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled"),
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --import=${sources}`,
    },
  },
);
process.exitCode = status ?? 1;
