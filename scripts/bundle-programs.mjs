// Bundles programs of tests: a few files instead of six hundred, a quarter less CPU to start a
// node.
import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const PROGRAMS = ["packages/node/main.ts", "packages/cli/main.ts", "packages/node/**/*-thread.ts"];

/** Bundles of earlier sources are removed after a day. */
const UNUSED_MS = 24 * 3_600_000;

/** Returns the URL of a module that makes importing processes run the bundles. */
export async function bundlePrograms(root) {
  const sources = globSync(["packages/*/**/*.{ts,json}"], {
    cwd: root,
    exclude: ["**/node_modules", "packages/pages", "**/*.test.ts"],
  }).sort();
  const hash = createHash("sha256");
  for (const file of [...sources, "package-lock.json", "scripts/bundle-programs.mjs"]) {
    const { mtimeMs, size } = statSync(join(root, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  const cache = join(root, "node_modules", ".cache", "programs");
  const folder = join(cache, hash.digest("hex").slice(0, 16));
  if (!existsSync(folder)) {
    const made = `${folder}-${process.pid}`;
    mkdirSync(made, { recursive: true });
    writeFinder(root, made, await bundle(root, made));
    for (const old of globSync(join(cache, "*"))) {
      if (statSync(old).mtimeMs < Date.now() - UNUSED_MS) {
        rmSync(old, { recursive: true, force: true });
      }
    }
    try {
      renameSync(made, folder);
    } catch (thrown) {
      rmSync(made, { recursive: true });
      if (!existsSync(folder)) {
        throw thrown;
      }
    }
  }
  return pathToFileURL(join(folder, "find.mjs")).href;
}

/**
 * `isWhole` includes imported packages; `place` replaces `import.meta.url` and `dirname`. Returns
 * the sources.
 */
export async function bundle(root, folder, { isWhole = false, place = placeOnDisk } = {}) {
  const { rolldown } = await import("rolldown");
  const entries = globSync(PROGRAMS, { cwd: root, exclude: ["**/node_modules"] });
  const bundled = await rolldown({
    input: Object.fromEntries(entries.map((file) => [bundleOf(file), join(root, file)])),
    cwd: root,
    platform: "node",
    logLevel: "silent",
    external: (id) => !isWhole && !/^(@moneta\/|[./\\]|[A-Za-z]:)/.test(id),
    plugins: [
      {
        name: "places",
        // Files beside a source are found from where the source is.
        transform: (code, id) =>
          code.includes("import.meta.")
            ? code.replaceAll(/import\.meta\.(url|dirname)/g, (_, what) => place(id)[what])
            : undefined,
      },
    ],
  });
  await bundled.write({
    dir: folder,
    format: "esm",
    keepNames: true,
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  await bundled.close();
  return entries;
}

function placeOnDisk(source) {
  return {
    url: JSON.stringify(pathToFileURL(source).href),
    dirname: JSON.stringify(join(source, "..")),
  };
}

export function bundleOf(file) {
  return file.replaceAll(/[\\/]/g, "-").replace(/\.ts$/, "");
}

/** The module that makes processes run bundles instead of sources. */
function writeFinder(root, folder, entries) {
  const bundles = entries.map((file) => [
    pathToFileURL(join(root, file)).href,
    `./${bundleOf(file)}.mjs`,
  ]);
  writeFileSync(
    join(folder, "find.mjs"),
    `import module from "node:module";
const bundles = new Map(${JSON.stringify(bundles)});
module.registerHooks({
  resolve(specifier, context, next) {
    // Only what a process or a thread starts with.
    if (/(main|-thread)\\.ts$/.test(specifier) && (context.parentURL === undefined || context.parentURL.endsWith("/moneta.mjs"))) {
      const bundle = bundles.get(new URL(specifier, context.parentURL).href);
      if (bundle !== undefined) {
        return { url: new URL(bundle, import.meta.url).href, format: "module", shortCircuit: true };
      }
    }
    return next(specifier, context);
  },
});
`,
  );
}
