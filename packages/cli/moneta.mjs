#!/usr/bin/env node
// The program's entry. Plain JavaScript, so that an old Node can say what is missing, and so that a command whose sources have all been compiled before need not
// load the compiler, which would be a fifth of its start.
import module from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

const NODE_MIN = 26;

if (Number.parseInt(process.versions.node, 10) < NODE_MIN) {
  console.error(
    `moneta: this is Node ${process.versions.node}, and Node ${NODE_MIN} or newer is needed: npx moneta runs the one that the project has installed`,
  );
  process.exit(2);
}
// In the user's own folder, because what is compiled there is run.
const folder = process.env.XDG_CACHE_HOME ?? "";
module.enableCompileCache(
  process.env.NODE_COMPILE_CACHE ??
    join(isAbsolute(folder) ? folder : join(homedir(), ".cache"), "moneta"),
);
await import("./main.ts");
