// Runs test files one after another in this process, each as a suite. Files that share a process
// load the sources once, and run code that is already compiled.
import { resolve } from "node:path";
import { after, suite } from "node:test";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { noteEnd } from "./test-events.mjs";

// A change must not fail by bad luck: only the last lane draws new random cases.
const { TEST_LANE, TEST_SEED } = process.env;
const seed = TEST_SEED ?? (TEST_LANE === "long" ? undefined : 1);
if (seed !== undefined) {
  fc.configureGlobal({ seed: Number(seed) });
}

for (const file of process.argv.slice(2)) {
  // A suite is complete before the next one begins, so that hooks of a file apply to that file.
  await new Promise((done) => {
    suite(file, async () => {
      try {
        await import(pathToFileURL(resolve(file)));
      } finally {
        // Behind the hooks of the file.
        after(() => noteEnd(file));
        done();
      }
    });
  });
}
