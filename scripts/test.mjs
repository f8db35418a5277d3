// Runs the tests, all of them or the files that are named, two files more at a time than the machine has cores: many wait for a disk, a
// browser or another process. Node itself would leave one core idle, which is half of a machine with two. What Node has compiled of our sources is kept for the next thread and the next process:
// each test starts nodes, and each node threads.
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { run } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { testFiles } from "./test-files.ts";
import report from "./test-reporter.mjs";

/** What takes longest begins first: nobody waits for it alone at the end. */
const FIRST = [join("packages", "pages", "testing", "all-views.test.ts")];

/** After how long a test, or a file of them, is named as failed instead of being waited for, ms. */
const TEST_MS = 30 * 60_000;

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
// All processes and threads find our sources as `moneta` does, which is faster.
const sources = pathToFileURL(join(root, "packages", "cli", "own-sources.mjs"));
process.env["NODE_COMPILE_CACHE"] = join(root, "node_modules", ".cache", "compiled");
process.env["NODE_OPTIONS"] = `${process.env["NODE_OPTIONS"] ?? ""} --import=${sources}`;

const named = process.argv.slice(2);
if (named.some((each) => each.startsWith("-"))) {
  const isHelp = named.some((each) => each === "--help" || each === "-h");
  process.stderr.write("usage: npm test [-- FILE ...], with no options; FILE may have * in it\n");
  process.exit(isHelp ? 0 : 2);
}
const files = testFiles(named.length > 0 ? named : undefined).sort(
  (a, b) => FIRST.includes(b) - FIRST.includes(a),
);
if (files.length === 0) {
  process.stderr.write(`no tests: ${named.join(" ")}\n`);
  process.exitCode = 1;
}
run({
  files: files.map((file) => resolve(file)),
  concurrency: availableParallelism() + 2,
  timeout: process.env["MONETA_LONG_TESTS"] === undefined ? TEST_MS : Number.POSITIVE_INFINITY,
})
  .on("test:fail", ({ todo, name, file, line, details: { error } }) => {
    if (todo === undefined || todo === false) {
      process.exitCode = 1;
      // The report has it at the end, for which one waits long.
      if (error.failureType !== "subtestsFailed") {
        process.stderr.write(`${file}:${line}: ${name}\n${inspect(error.cause ?? error)}\n`);
      }
    }
  })
  .compose(report)
  .pipe(process.stdout);
