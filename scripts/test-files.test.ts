import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { TemporaryDirectory } from "../packages/node/testing/temporary-directory.ts";
import { testFiles } from "./test-files.ts";

test("npm test runs our tests, and none of what is installed in a folder of packages/", () => {
  using root = new TemporaryDirectory("test-files");
  const ours = ["packages/ledger/state/state.test.ts", "scripts/setup.test.ts"];
  for (const file of [...ours, "packages/clients/node_modules/a/src/a.test.ts"]) {
    mkdirSync(dirname(join(root.path, file)), { recursive: true });
    writeFileSync(join(root.path, file), "");
  }
  assert.deepEqual(testFiles(undefined, root.path), ours);
  assert.deepEqual(testFiles(["packages/**/*.ts"], root.path), ours.slice(0, 1));
});
