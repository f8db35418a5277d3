// Builds the published packages into dist/NAME or a named folder, ready for `npm publish`, with an
// archive of each for `npm install`: npm only links folders, and a link would find the sources
// here.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const OUT = resolve(process.argv[2] ?? join(ROOT, "dist"));
const PUBLISHED = ["protocol", "sdk"];
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
  }
  archive(PUBLISHED.map((name) => join(OUT, name)));
} finally {
  rmSync(build, { recursive: true, force: true });
}

/** All at once, because the compiler includes the sources of imported packages. */
function compile(outDir) {
  const options = [
    ["-p", "packages/sdk/tsconfig.build.json"],
    ["--outDir", outDir],
  ].flat();
  const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [compiler, ...options], { cwd: ROOT, stdio: "inherit" });
}

async function bundle(outDir) {
  const whole = await rolldown({ input: join(ROOT, "packages", "sdk", "index.ts") });
  await whole.write({
    file: join(outDir, "sdk", "moneta.min.js"),
    format: "esm",
    minify: true,
    sourcemap: true,
  });
}

function archive(folders) {
  mkdirSync(OUT, { recursive: true });
  const archives = () => readdirSync(OUT).filter((file) => /^moneta-[\w.-]+\.tgz$/.test(file));
  for (const old of archives()) {
    rmSync(join(OUT, old));
  }
  npm("pack", ...folders, "--pack-destination", OUT, "--ignore-scripts", "--loglevel=error");
  for (const made of archives()) {
    console.log(join(OUT, made));
  }
}

function npm(...args) {
  const cli = process.env.npm_execpath; // npm's own file, when npm runs this script
  const isFile = cli?.endsWith(".js");
  const options = { stdio: ["ignore", "ignore", "inherit"] };
  if (isFile) {
    execFileSync(process.execPath, [cli, ...args], options);
  } else {
    execFileSync("npm", args, { ...options, shell: process.platform === "win32" });
  }
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
