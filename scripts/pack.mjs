// Builds the packages that are published, into dist/NAME or a folder that is named: JavaScript, types, and a package.json that names them, ready for
// `npm publish dist/NAME`. Node runs our sources as they are, but not those of an installed package.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const OUT = process.argv[2] ?? join(ROOT, "dist");
/** In the order in which they need each other. */
const PUBLISHED = ["protocol", "sdk"];
/** What is shipped beside the code. */
const FILES = ["README.md", "test-vectors"];

const build = mkdtempSync(join(ROOT, "node_modules", ".cache-pack-"));
try {
  compile(build);
  await bundle(build);
  for (const name of PUBLISHED) {
    const dist = join(OUT, name);
    rmSync(dist, { recursive: true, force: true });
    cpSync(join(build, name), dist, { recursive: true });
    cpSync(join(ROOT, "LICENSE"), join(dist, "LICENSE"));
    for (const file of FILES.map((one) => join(ROOT, "packages", name, one)).filter(existsSync)) {
      cpSync(file, join(dist, file.split("/").at(-1)), {
        recursive: true,
        filter: (path) => !/\.ts$|\/make$/.test(path),
      });
    }
    writeFileSync(join(dist, "package.json"), `${JSON.stringify(manifest(name), null, 2)}\n`);
    console.log(dist);
  }
} finally {
  rmSync(build, { recursive: true, force: true });
}

/** All at once, because the compiler takes what one imports of another for its own source. */
function compile(outDir) {
  const options = [
    ["-p", "packages/sdk/tsconfig.build.json"],
    ["--outDir", outDir],
  ].flat();
  const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [compiler, ...options], { cwd: ROOT, stdio: "inherit" });
}

/** All of the client library in one file, for pages without a bundler. */
async function bundle(outDir) {
  const whole = await rolldown({ input: join(ROOT, "packages", "sdk", "index.ts") });
  await whole.write({
    file: join(outDir, "sdk", "moneta.min.js"),
    format: "esm",
    minify: true,
    sourcemap: true,
  });
}

function manifest(name) {
  const {
    private: _private,
    scripts: _scripts,
    devDependencies: _devDependencies,
    ...kept
  } = JSON.parse(readFileSync(join(ROOT, "packages", name, "package.json"), "utf8"));
  const compiled = (source) => {
    const base = source.replace(/\.ts$/, "");
    return { types: `${base}.d.ts`, default: `${base}.js` };
  };
  const exports = Object.fromEntries(
    Object.entries(kept.exports).map(([path, source]) => [path, compiled(source)]),
  );
  if (name === "sdk") {
    exports["./moneta.min.js"] = "./moneta.min.js";
  }
  return { ...kept, exports, engines: { node: ">=20" } };
}
