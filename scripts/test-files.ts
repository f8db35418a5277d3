import { globSync } from "node:fs";

/** Where tests of this project are, from its root. */
const OURS = ["packages/**/*.test.ts", "scripts/*.test.ts"];

/** The files of tests that the patterns name, without any: all; never those of what is installed. */
export function testFiles(
  patterns: readonly string[] = OURS,
  root: string = process.cwd(),
): string[] {
  return globSync([...patterns], { cwd: root, exclude: ["**/node_modules"] }).sort();
}
