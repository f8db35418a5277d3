// A file's name shows its lane, one of three.
import { spawn } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundlePrograms } from "./bundle-programs.mjs";

const USAGE = `usage: npm test [-- [--ci | --long] [FILE...]]

            *.test.ts       5 minutes on two cores
  --ci      *.ci.test.ts    also these, as .ci/run does: 14 more minutes
  --long    *.long.test.ts  also these, and all in full length: hours
  FILE      these files, in the length of their lane or of the one that is named;
            FILE may contain *`;

/** Each lane includes the earlier ones. */
const LANES = ["quick", "ci", "long"];
/** They start first, each line in a process; files of the SDK share its packed copy. */
const LONGEST = [
  ["pages/testing/all-views.ci", "pages/wallet/things/things.ci", "pages/explorer/world.ci"],
  [
    "node/testing/disks/failing-disk.ci",
    "node/simulator/simulator.ci",
    "node/cluster/followers.ci",
  ],
  ["pages/wallet/send/send.ci", "pages/wallet/keys/keys.ci", "pages/testing/hostile-texts.ci"],
  ["node/cluster/edges.ci", "node/commands/audit.ci", "node/cluster/killed-nodes.ci"],
  ["node/webhooks/webhooks.ci", "node/http/reads/events.ci", "node/testing/disks/full-disk.ci"],
  ["node/cluster/shared-checkpoints.ci"],
  ["cli/commands/batch.ci"],
  ["sdk/package.ci", "sdk/getting-started.ci", "sdk/examples.ci"],
  ["node/http/reads/long-pages.ci"],
  ["node/node.ci"],
  ["sdk/demo.ci"],
  ["node/testing/disks/crash"],
  ["cli/story"],
  ["node/http/request-matrix"],
  ["node/cluster/several-nodes"],
  ["pages/wallet/wallet"],
  ["pages/ledger/follow-heights"],
].map((group) => group.map((name) => `packages/${name}.test.ts`));
/** Others, by lane. */
const FILES_A_PROCESS = [40, 8, 1];
/** Collecting short-lived objects seldom, and on one thread, takes 7 % less CPU. */
const V8_OPTIONS = ["--single-threaded-gc", "--min-semi-space-size=16"];
/** A file fails if none of its tests ends for this long, in the last lane for an hour. */
const STALLED_MS = 5 * 60_000;
/** A process fails if a socket, a timer or a child keeps it alive for this long after its tests. */
const LINGERS_MS = 120_000;
/** Processes have this long to clean up after SIGTERM. */
const GRACE_MS = 5000;
const OUTPUT_KEPT = 20_000;

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const started = performance.now();
const running = new Set();
const cpuOf = new WeakMap();
const failures = [];
const skipped = [];
let done = 0;
let passed = 0;
let failed = 0;
let cpuSecondsOfAll = 0;
let isEnding = false;

const options = process.argv.slice(2).filter((each) => each.startsWith("-"));
const args = process.argv.slice(2).filter((each) => !each.startsWith("-"));
const lane = options.length === 0 ? 0 : ["--quick", "--ci", "--long"].indexOf(options[0]);
if (lane < 0 || options.length > 1) {
  console.error(USAGE);
  process.exit(options.some((each) => each === "--help" || each === "-h") ? 0 : 2);
}
const files = args.length === 0 ? ofLane() : named();

for (const [signal, code] of [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
]) {
  process.on(signal, () => void endAll(code));
}
// npm cannot end this process if it is killed itself.
const parents = parentsUpToNpm();
setInterval(() => parentsUpToNpm() === parents || void endAll(143), 1000).unref();

// CPU time of a child counts only if its parent waits for it, and a browser does not.
setInterval(noteCpu, 2000).unref();

const imports = [
  pathToFileURL(join(root, "packages", "cli", "own-sources.mjs")).href,
  await bundlePrograms(root),
];
const queue = inProcesses(files);
// Many files wait for a disk, a browser or another process.
await Promise.all(
  Array.from({ length: availableParallelism() + 2 }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      await runProcess(next);
    }
  }),
);
summarize();

function ofLane() {
  const all = find(["packages/**/*.test.ts", "scripts/*.test.ts"]);
  const gone = LONGEST.flat().filter((file) => !existsSync(join(root, file)));
  if (gone.length > 0) {
    console.error(`scripts/test.mjs names files that are gone: ${gone.join(" ")}`);
    process.exit(1);
  }
  return all.filter((file) => laneOf(file) <= lane);
}

function laneOf(file) {
  const name = /\.(ci|long)\.test\.ts$/.exec(file)?.[1];
  return name === undefined ? 0 : LANES.indexOf(name);
}

function named() {
  const found = args.map((pattern) => find([pattern]));
  const missing = args.filter((_, index) => found[index].length === 0);
  if (missing.length > 0) {
    console.error(`no tests: ${missing.join(" ")}`);
    process.exit(1);
  }
  return [...new Set(found.flat())];
}

function find(patterns) {
  return globSync(patterns, { cwd: process.cwd(), exclude: ["**/node_modules"] });
}

function inProcesses(found) {
  const all = found.map((file) => file.replaceAll("\\", "/")).sort();
  const longest = LONGEST.map((group) => group.filter((file) => all.includes(file)));
  const others = all.filter((file) => !LONGEST.flat().includes(file));
  const packages = Map.groupBy(
    others.sort((a, b) => laneOf(b) - laneOf(a)),
    (file) => `${laneOf(file)} ${file.split("/", 2).join("/")}`,
  );
  const shared = [...packages.values()].flatMap((group) => {
    const most = FILES_A_PROCESS[laneOf(group[0])];
    return Array.from({ length: Math.ceil(group.length / most) }, (_, index) =>
      group.slice(index * most, (index + 1) * most),
    );
  });
  return [...longest.filter((group) => group.length > 0), ...shared];
}

async function runProcess(all) {
  const left = [...all];
  let before = { ms: 0, cpuSeconds: 0 };
  let result = { passed: 0, failures: [] };
  let output = "";
  let hasFailed = false;
  const child = spawn(
    process.execPath,
    [
      ...[...V8_OPTIONS, "--test-reporter", new URL("test-events.mjs", import.meta.url).href],
      ...[fileURLToPath(new URL("test-files.mjs", import.meta.url)), ...all],
    ],
    {
      env: environment(all[0]),
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      // Leads a process group, so that all that it starts can be ended with it.
      detached: process.platform !== "win32",
    },
  );
  running.add(child);
  cpuOf.set(child, new Map());
  let reason;
  const killAfter = (ms, why) =>
    setTimeout(() => {
      reason = why;
      signalGroup(child, "SIGKILL");
    }, ms);
  const isLong = lane === 2 || laneOf(all[0]) === 2;
  const stalled = killAfter(
    isLong ? 12 * STALLED_MS : STALLED_MS,
    "none of its tests ended in time",
  );
  let lingers;
  const endFile = ({ ms, cpuSeconds } = before) => {
    if (result.passed === 0 && result.failures.length === 0 && result.skips === undefined) {
      result.failures.push({ name: "has no tests", at: left[0], error: "", notes: [] });
    }
    hasFailed ||= result.failures.length > 0;
    const took = { ms: ms - before.ms, cpuSeconds: cpuSeconds - before.cpuSeconds };
    report(left.shift(), took, result, output);
    before = { ms, cpuSeconds };
    result = { passed: 0, failures: [] };
    output = "";
  };
  let lastEnd;
  child.on("message", (event) => {
    stalled.refresh();
    if (event.type === "end") {
      event.cpuSeconds = event.own + Math.max(event.ofChildren, sumOf(cpuOf.get(child)));
      // The last file ends with the process.
      lastEnd = left.length === 1 ? event : undefined;
      if (lastEnd === undefined) {
        endFile(event);
      } else {
        lingers = killAfter(LINGERS_MS, "its process did not end after its tests");
      }
    } else if (event.type === "fail") {
      result.failures.push({ ...event, notes: [] });
    } else if (event.type === "note") {
      result.failures.at(-1)?.notes.push(event.message);
    } else if (event.skip === undefined) {
      result.passed += 1;
    } else {
      skipped.push(`${event.name} (${event.skip})`);
      result.skips = true;
    }
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output = (output + text).slice(-OUTPUT_KEPT);
    });
  }
  const how = await new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    // Output may remain open in a process that the file has started; it is killed here.
    child.once("exit", () => signalGroup(child, "SIGKILL"));
    child.once("close", (code, signal) =>
      resolve(signal ?? (code === 0 ? "" : `exit code ${code}`)),
    );
  });
  clearTimeout(stalled);
  clearTimeout(lingers);
  running.delete(child);
  if (isEnding) {
    return;
  }
  hasFailed ||= result.failures.length > 0;
  if (lastEnd === undefined || !(how === "" || (how === "exit code 1" && hasFailed))) {
    const name = reason ?? (how === "" ? "ended without a result" : `ended with ${how}`);
    result.failures.push({ name, at: left[0], error: "", notes: [] });
  }
  endFile(lastEnd);
  if (left.length > 0) {
    queue.push(left);
  }
}

function noteCpu() {
  const all = new Map();
  for (const path of globSync("/proc/[0-9]*/stat")) {
    try {
      // The fields from the third on: the name is in parentheses.
      const fields = readFileSync(path, "utf8").replace(/.*\) /s, "").split(" ");
      const seconds = (Number(fields[11]) + Number(fields[12])) / 100;
      all.set(path.split("/")[2], { parent: fields[1], start: fields[19], seconds });
    } catch {}
  }
  for (const child of running) {
    for (const [pid, { parent, start, seconds }] of all) {
      let above = parent;
      while (above !== String(child.pid) && all.has(above)) {
        above = all.get(above).parent;
      }
      if (above === String(child.pid)) {
        cpuOf.get(child).set(`${pid} ${start}`, seconds);
      }
    }
  }
}

/** npm may have started this process through a shell, which outlives it. */
function parentsUpToNpm() {
  const parent = String(process.ppid);
  try {
    const stat = readFileSync(`/proc/${parent}/stat`, "utf8");
    const [, name, above] = /\((.*)\) \S (\d+)/s.exec(stat);
    const isShell = "npm_lifecycle_event" in process.env && !name.startsWith("npm");
    return isShell ? `${parent} ${above}` : parent;
  } catch {
    return parent;
  }
}

function sumOf(seconds) {
  return [...seconds.values()].reduce((sum, one) => sum + one, 0);
}

function environment(file) {
  return {
    ...process.env,
    TEST_LANE: LANES[Math.max(lane, laneOf(file))],
    // Sources or their bundles are found as `moneta` does, with Node's compiled code.
    NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled"),
    NODE_OPTIONS: [process.env["NODE_OPTIONS"], ...imports.map((url) => `--import=${url}`)].join(
      " ",
    ),
  };
}

function report(file, { ms, cpuSeconds }, result, output) {
  done += 1;
  passed += result.passed;
  failed += result.failures.length;
  const seconds = (ms / 1000).toFixed(1).padStart(6);
  const cpu = cpuSeconds.toFixed(1).padStart(6);
  cpuSecondsOfAll += cpuSeconds;
  const number = String(done).padStart(String(files.length).length);
  const isFailed = result.failures.length > 0;
  console.log(
    `${number} of ${files.length} ${seconds} s ${cpu} CPU s  ${file}${isFailed ? "  FAILED" : ""}`,
  );
  if (isFailed) {
    const text = [
      ...result.failures.flatMap(({ name, at, notes, error }) => [
        `  ${name}`,
        ...[at, ...notes, error].map(indented),
      ]),
      indented(output),
    ].filter((part) => part !== "");
    const said = result.failures.flatMap((each) => [...each.notes, each.error]).join("\n");
    const number = /^TEST_SEED=(.+)|\{ seed: (-?\d+)/m.exec(said)?.slice(1).join("");
    const seed = number === undefined ? "" : `TEST_SEED=${number}`;
    const command = [seed, `npm test -- ${file}`].filter(Boolean).join(" ");
    failures.push({ command, text: text.join("\n") });
    console.log(text.join("\n"));
  } else if (args.includes(file)) {
    process.stdout.write(output);
  }
}

function indented(text) {
  return text.replaceAll(/^(?=.)/gm, "    ").trimEnd();
}

function summarize() {
  for (const { command, text } of failures) {
    console.log(`\nFAILED: ${command}\n${text}`);
  }
  for (const name of skipped) {
    console.log(`SKIPPED: ${name}`);
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `${files.length} files in ${Math.floor(seconds / 60)} min ${seconds % 60} s, ${Math.round(cpuSecondsOfAll)} CPU s`,
  );
  console.log(
    `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`,
  );
  process.exitCode = failed > 0 ? 1 : 0;
}

async function endAll(code) {
  if (isEnding) {
    return;
  }
  isEnding = true;
  for (const child of running) {
    signalGroup(child, "SIGTERM");
  }
  const ended = Promise.all(
    [...running].map((child) => new Promise((resolve) => child.once("close", resolve))),
  );
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, GRACE_MS))]);
  for (const child of running) {
    signalGroup(child, "SIGKILL");
  }
  process.exit(code);
}

function signalGroup(child, signal) {
  try {
    process.kill(process.platform === "win32" ? child.pid : -child.pid, signal);
  } catch {}
}
