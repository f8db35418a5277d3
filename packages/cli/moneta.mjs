#!/usr/bin/env node
// Plain JavaScript, so that an old Node can report what is missing, and a start without compilation
// need not load the compiler, a fifth of it.
import { existsSync, mkdirSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import workers from "node:worker_threads";

const NODE_MIN = 26;

if (Number.parseInt(process.versions.node, 10) < NODE_MIN) {
  console.error(
    `moneta: this is Node ${process.versions.node}, and Node ${NODE_MIN} or newer is needed: npx --no moneta runs the one that the project has installed`,
  );
  process.exit(2);
}
if (!existsSync(new URL("../sdk/api.ts", import.meta.url))) {
  console.error("moneta: packages/sdk/api.ts has not been generated: run npm run generate");
  process.exit(2);
}
const folder = process.env.NODE_COMPILE_CACHE || cacheFolder();
if (folder !== undefined) {
  module.enableCompileCache(folder);
  // For threads, which take part only so.
  process.env.NODE_COMPILE_CACHE = folder;
}
const SOURCES = new URL("./own-sources.mjs", import.meta.url).href;
const { Worker } = workers;
workers.Worker = class extends Worker {
  constructor(file, options) {
    // Without those of the process: threads take no flags of V8. NODE_OPTIONS apply.
    super(file, { execArgv: [`--import=${SOURCES}`], ...options });
  }
};
module.syncBuiltinESMExports();
await import(SOURCES);
await import("./main.ts");

/** In the user's own folder, because its code is run; undefined if it cannot be made. */
function cacheFolder() {
  const caches = process.env.XDG_CACHE_HOME ?? "";
  try {
    const parent = isAbsolute(caches) ? caches : join(homedir(), ".cache");
    const own = join(parent, "moneta");
    // One by one: recursive mkdir may never end on some file systems.
    for (const one of [parent, own]) {
      if (!existsSync(one)) {
        mkdirSync(one, { mode: 0o700 });
      }
    }
    return own;
  } catch {
    return undefined;
  }
}
