// Sends the results of a test file to scripts/test.mjs, which has started its process.
import { inspect } from "node:util";

// biome-ignore lint/correctness/useYield: results go to the other process, not to this one's output
export default async function* report(source) {
  // Node reports what a test notes, such as its seed, after its result.
  let isFailed = false;
  for await (const { type, data } of source) {
    const { name, file, line, details, skip, message } = data ?? {};
    if (type === "test:diagnostic" && isFailed) {
      process.send({ type: "note", message });
    } else if (details?.type === "suite") {
      isFailed = false;
    } else if (type === "test:pass") {
      isFailed = false;
      process.send({ type: "pass", name, skip: skip === true ? "no reason given" : skip });
    } else if (type === "test:fail") {
      isFailed = true;
      // A test that contains a failed one counts as failed, too, but its error says nothing more.
      const { error } = details;
      const text = error.failureType === "subtestsFailed" ? "" : inspect(error.cause ?? error);
      process.send({ type: "fail", name, at: `${file}:${line}`, error: text });
    } else if (type === "test:plan") {
      isFailed = false;
    }
  }
}

// If scripts/test.mjs is killed, this process and all that it has started end, too.
process.once("disconnect", () => {
  process.once("exit", () => process.kill(-process.pid, "SIGKILL"));
  process.exit(1);
});
// The listener would keep this process alive.
process.channel.unref();
