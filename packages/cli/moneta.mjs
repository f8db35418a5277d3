#!/usr/bin/env node
// The program's entry. Plain JavaScript, so that an old Node can say what is missing, and so that a command whose sources have all been compiled before need not
// load the compiler, which would be a fifth of its start.
import { existsSync, mkdirSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

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
}
await import("./own-sources.mjs");
await import("./main.ts");

/** In the user's own folder, because what is compiled there is run; undefined where there can be none, as on a file system that is read-only. */
function cacheFolder() {
  const caches = process.env.XDG_CACHE_HOME ?? "";
  try {
    const parent = isAbsolute(caches) ? caches : join(homedir(), ".cache");
    const own = join(parent, "moneta");
    // One by one: where nothing can be made, making all of a path at once may never end.
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
