// Makes dist/moneta, or the named file: node, pages, command line, native verifier if built, and
// Node.js.
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle-programs.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const SUFFIX = process.platform === "win32" ? ".exe" : "";
const OUTPUT = resolve(process.argv[2] ?? join(ROOT, "dist", `moneta${SUFFIX}`));

const FILES = [
  "packages/{cli,node}/package.json",
  "packages/pages/dist/**/*.*",
  // The version of the tables follows from their sources.
  "packages/ledger/{state,views}/**/*.ts",
  "packages/native-verifier/*.node",
];

execFileSync(process.execPath, [join(ROOT, "scripts", "generate.mjs")], { stdio: "inherit" });
await import("./build-pages.mjs");
const made = mkdtempSync(join(ROOT, "node_modules", ".cache-executable-"));
try {
  const programs = join(made, "programs");
  await bundle(ROOT, programs, { isWhole: true, place: placeInside });
  const files = globSync(FILES, { cwd: ROOT, exclude: ["**/*.test.ts"] });
  const config = {
    main: join(ROOT, "scripts", "executable-main.mjs"),
    mainFormat: "module",
    output: OUTPUT,
    executable: withoutSymbols(join(made, `node${SUFFIX}`)),
    disableExperimentalSEAWarning: true,
    useVfs: true,
    execArgv: [
      "--experimental-vfs",
      "--disable-warning=ExperimentalWarning",
      // Objects of requests live until their block is written: 16 MB copies many, an eighth of the
      // main thread's CPU.
      "--max-semi-space-size=32",
    ],
    assets: Object.fromEntries([
      ...globSync("*.mjs", { cwd: programs }).map((file) => [file, join(programs, file)]),
      ...files.map((file) => [file.replaceAll(sep, "/"), join(ROOT, file)]),
    ]),
  };
  const configFile = join(made, "config.json");
  writeFileSync(configFile, JSON.stringify(config));
  mkdirSync(dirname(OUTPUT), { recursive: true });
  execFileSync(process.execPath, ["--build-sea", configFile], { stdio: "inherit" });
  if (process.platform === "darwin") {
    execFileSync("codesign", ["--sign", "-", "--force", OUTPUT]);
  }
} finally {
  rmSync(made, { recursive: true, force: true });
}

function placeInside(source) {
  const path = relative(ROOT, source).replaceAll(sep, "/");
  const url = `new URL(${JSON.stringify(path)}, import.meta.url)`;
  return {
    url: `${url}.href`,
    dirname: `process.getBuiltinModule("node:url").fileURLToPath(new URL(".", ${url}))`,
  };
}

/** Without symbols Node is a fifth smaller; unchanged if there is no strip. */
function withoutSymbols(copy) {
  const isStripped =
    process.platform === "linux" && spawnSync("strip", ["-o", copy, process.execPath]).status === 0;
  return isStripped ? copy : process.execPath;
}
