// Writes packages/sdk/api.ts and the wallet's parameters from packages/protocol, unless they are
// current. Any Node.js from 18 runs this script, because npm does so right after an installation.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeMajorMin, nodePackage, nodeProgram } from "./installed-node.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const SDK = join(ROOT, "packages", "sdk");
const MADE = {
  api: join(SDK, "api.ts"),
  parameters: join(ROOT, "packages", "pages", "wallet", "operations", "parameters.ts"),
};
const SOURCES = [join(ROOT, "packages", "protocol"), join(SDK, "making")];

const head = `// Made by npm run generate from the descriptions in @moneta/protocol: sources ${hashOfSources()}\n`;
if (!isMade()) {
  const { status, stdout, stderr, error } = spawnSync(
    node(),
    ["--import=./packages/cli/own-sources.mjs", join(SDK, "making", "main.ts")],
    { cwd: ROOT, encoding: "utf8", maxBuffer: 64 << 20 },
  );
  if (status !== 0) {
    console.error(`generate: no sources were made: ${error?.message ?? stderr.trim()}`);
    process.exit(1);
  }
  for (const [name, text] of Object.entries(JSON.parse(stdout))) {
    // Programs that start at the same time must not read half of it.
    const whole = `${MADE[name]}.${process.pid}`;
    writeFileSync(whole, head + text);
    renameSync(whole, MADE[name]);
  }
}

function isMade() {
  return Object.values(MADE).every(
    (file) => existsSync(file) && readFileSync(file, "utf8").startsWith(head),
  );
}

function hashOfSources() {
  const hash = createHash("sha256");
  const files = SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|node_modules|test-vectors/.test(file))
      .map((file) => join(folder, file)),
  );
  for (const file of files.sort()) {
    hash.update(`${file.slice(ROOT.length)}\n`).update(readFileSync(file));
  }
  return hash.digest("hex");
}

/** The one that runs this, or the one that is installed. */
function node() {
  const least = nodeMajorMin(ROOT);
  if (Number.parseInt(process.versions.node, 10) >= least) {
    return process.execPath;
  }
  const name = nodePackage(ROOT);
  if (name === undefined) {
    console.error(
      `generate: this is Node ${process.versions.node}, and Node ${least} or newer is needed: install it, or the project's optional packages, which contain one`,
    );
    process.exit(1);
  }
  return nodeProgram(ROOT, name);
}
