// Installs the locked dependencies here or in a named folder when node_modules differs. Any Node.js
// from 18 runs this script, before anything is installed: no packages.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeMajorMin, nodePackage, nodeProgram } from "./installed-node.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..", process.argv[2] ?? ".");
const windows = process.platform === "win32";

function packages(file) {
  return JSON.parse(readFileSync(join(root, file), "utf8")).packages ?? {};
}

function allows(list, value) {
  if (list === undefined) {
    return true;
  }
  const names = [list].flat();
  const wanted = names.filter((name) => !name.startsWith("!"));
  return !names.includes(`!${value}`) && (wanted.length === 0 || wanted.includes(value));
}

function libc() {
  if (process.platform !== "linux") {
    return undefined;
  }
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl";
}

function isForThisPlatform(entry) {
  if (entry.os === undefined && entry.cpu === undefined) {
    return false;
  }
  if (!allows(entry.os, process.platform) || !allows(entry.cpu, process.arch)) {
    return false;
  }
  return entry.libc === undefined || allows(entry.libc, libc());
}

function missing() {
  if (!existsSync(join(root, "node_modules/.package-lock.json"))) {
    return ["node_modules"];
  }
  const locked = packages("package-lock.json");
  const installed = packages("node_modules/.package-lock.json");
  return Object.keys(locked).filter((path) => {
    if (!path.includes("node_modules/")) {
      return false;
    }
    const want = locked[path];
    const have = installed[path];
    if (have !== undefined) {
      return want.version !== have.version || want.integrity !== have.integrity;
    }
    return want.optional || want.peer ? isForThisPlatform(want) : true;
  });
}

// Ends this script if npm fails. Retries downloads more often than npm, and fails within 2 minutes.
async function npm(node, ...args) {
  const cli = process.env.npm_execpath; // npm's own file, when npm runs this script
  const all = [...args, "--no-audit", "--no-fund", "--loglevel=error"];
  all.push("--fetch-retries=5", "--fetch-retry-maxtimeout=20000");
  const options = { cwd: root, stdio: ["ignore", process.stderr, process.stderr] };
  const child = cli?.endsWith(".js")
    ? spawn(node, [cli, ...all], options)
    : spawn("npm", all, { ...options, shell: windows });
  // npm undoes its changes on Ctrl-C; a second start must not meet a half removed node_modules.
  let interrupted = false;
  const onInterrupt = () => {
    interrupted = true;
  };
  const onTerminate = () => {
    interrupted = true;
    child.kill("SIGTERM");
  };
  process.on("SIGINT", onInterrupt).on("SIGTERM", onTerminate);
  const end = await new Promise((settle) => {
    child.once("error", (error) => settle(error.message));
    child.once("close", (code, signal) => settle(signal ?? code));
  });
  process.off("SIGINT", onInterrupt).off("SIGTERM", onTerminate);
  if (interrupted) {
    console.error(`setup: interrupted, so what ${root} needs may be missing: start again`);
    process.exit(130);
  }
  if (end !== 0) {
    const why = typeof end === "number" ? `exit code ${end}` : end;
    console.error(`setup: npm ${args[0]} failed (${why}), see above; it needs the npm registry`);
    process.exit(1);
  }
}

// Undefined if it does.
function whyNotStarted(file) {
  const { error, status, stderr } = spawnSync(file, ["--version"], { encoding: "utf8" });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

// Removes a Node.js that does not start from the PATH of npm's scripts; ends if npm's own is too
// old.
function leaveOut(link, why) {
  rmSync(link, { force: true });
  const least = nodeMajorMin(root);
  if (Number.parseInt(process.versions.node, 10) < least) {
    console.error(
      `setup: the Node.js that comes with the packages does not start here: ${why}
setup: install what it lacks (libatomic.so.1 is in libatomic1 of Debian and Ubuntu, libatomic of Fedora), or run npm with Node ${least} or newer; then start again`,
    );
    process.exit(1);
  }
}

let left = missing();
if (left.length > 0) {
  console.error(`setup: installing what ${root} needs (20 seconds to a few minutes)`);
  await npm(process.execPath, "ci", "--ignore-scripts");
  left = missing();
}
const name = nodePackage(root);
const program = name && nodeProgram(root, name);
const link = join(root, "node_modules/.bin", windows ? "node.cmd" : "node");
const why = program && whyNotStarted(program);
if (why !== undefined) {
  leaveOut(link, why);
}
if (left.length > 0) {
  // npm silently leaves out optional packages whose "engines" exclude its own Node.js.
  const node = program && why === undefined ? program : process.execPath;
  await npm(node, "install", "--no-save", "--ignore-scripts");
  left = missing();
}
if (name && why === undefined && !existsSync(link)) {
  // npm 10 removes this link again with the Node.js packages of other platforms.
  await npm(process.execPath, "rebuild", "--ignore-scripts", name);
}
if (left.length > 0) {
  console.error(`setup: still not installed: ${left.join(", ")}`);
  process.exit(1);
}
if (process.argv[2] === undefined) {
  await import("./generate.mjs");
}
