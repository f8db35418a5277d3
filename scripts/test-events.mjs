import { readFileSync } from "node:fs";
import { inspect } from "node:util";

const ends = new Map();

export function noteEnd(file) {
  ends.set(file, { ms: performance.now(), ...cpuSeconds() });
}

// biome-ignore lint/correctness/useYield: results go to the other process, not to this one's output
export default async function* report(source) {
  // Node reports a test's diagnostics, such as its seed, after its result.
  let isFailed = false;
  for await (const { type, data } of source) {
    const { name, file, line, details, skip, message, nesting } = data ?? {};
    const isFile = details?.type === "suite" && nesting === 0;
    if (type === "test:diagnostic" && isFailed) {
      process.send({ type: "note", message });
    } else if (type === "test:pass") {
      isFailed = false;
      // Node runs no test of a skipped suite.
      if (details.type !== "suite" || skip !== undefined) {
        process.send({ type: "pass", name, skip: skip === true ? "no reason given" : skip });
      }
    } else if (type === "test:fail") {
      const { error } = details;
      const isOfPart = error.failureType === "subtestsFailed";
      isFailed = details.type !== "suite";
      if (isFailed || !isOfPart) {
        const text = isOfPart ? "" : textOf(error.cause ?? error);
        process.send({ type: "fail", name, at: `${file}:${line}`, error: text });
      }
    } else if (type === "test:plan") {
      isFailed = false;
    }
    if (isFile && (type === "test:pass" || type === "test:fail")) {
      process.send({ type: "end", ...ends.get(name) });
    }
  }
}

/** `inspect` hides both errors of a `SuppressedError`: that of the test, and that of its clean-up. */
function textOf(error) {
  return error instanceof SuppressedError
    ? [error.suppressed, error.error].map(textOf).join("\n")
    : inspect(error);
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  let ofChildren = 0;
  try {
    const [, fields] = readFileSync("/proc/self/stat", "utf8").split(") ");
    const [children, childrenSystem] = fields.split(" ").slice(13, 15);
    ofChildren = (Number(children) + Number(childrenSystem)) / 100;
  } catch {}
  return { own: (user + system) / 1e6, ofChildren };
}

// If scripts/test.mjs is killed, this process and its children end, too.
process.once("disconnect", () => {
  process.once("exit", () => process.kill(-process.pid, "SIGKILL"));
  process.exit(1);
});
// The listener would keep this process alive.
process.channel.unref();
