import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { ServiceProcess } from "../../testing/service-process.ts";
import { until } from "../../testing/until.ts";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

let service: ServiceProcess;
before(async () => {
  service = await ServiceProcess.start({ more: ["--log-level", "debug"] });
});
after(() => service[Symbol.asyncDispose]());

type Line = { readonly [member: string]: unknown };

/** Waits for the log line with `msg` of a request, by its id. */
async function logged(
  path: string,
  { id, traceparent, msg }: Record<"id" | "traceparent" | "msg", string>,
): Promise<Line> {
  const headers = { "X-Request-Id": id, traceparent };
  await fetch(`${service.url}${path}`, { headers })
    .then((answer) => answer.text())
    .catch(() => "an answer that is broken off");
  return await until(
    () =>
      service
        .output()
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line) as Line)
        .find((line) => line["reqId"] === id && line["msg"] === msg),
    () => service.output(),
  );
}

test("the line of a request at debug has the trace id that its client has given", async () => {
  const line = await logged("/health", { id: "traced", traceparent: TRACEPARENT, msg: "request" });
  assert.equal(line["trace_id"], TRACE_ID);
});

for (const [what, traceparent] of Object.entries({
  "of another version": `01${TRACEPARENT.slice(2)}`,
  "with more behind it": `${TRACEPARENT}-x`,
  twice: `${TRACEPARENT}, ${TRACEPARENT}`,
  "in upper case": TRACEPARENT.toUpperCase(),
  "with a short trace id": TRACEPARENT.replace(TRACE_ID, TRACE_ID.slice(1)),
  "with a trace id of zeros": TRACEPARENT.replace(TRACE_ID, "0".repeat(32)),
  "with a parent id of zeros": TRACEPARENT.replace("00f067aa0ba902b7", "0".repeat(16)),
  "without flags": TRACEPARENT.slice(0, -3),
  "that is empty": "",
  "that is something else": '","msg":"forged',
})) {
  test(`a traceparent ${what} is ignored`, async () => {
    const id = what.replaceAll(" ", "-");
    const line = await logged("/health", { id, traceparent, msg: "request" });
    assert.equal(line["status"], 200);
    assert.ok(!("trace_id" in line), JSON.stringify(line));
  });
}

for (const [msg, path] of [
  ["request failed", "/block/0"],
  ["answer broken off", "/blocks/raw"],
] as const) {
  test(`"${msg}" in the log has the trace id as well`, async () => {
    const database = new DatabaseSync(join(service.dataDirectory, "ledger.db"));
    database.exec("UPDATE block_log SET header = '{'; UPDATE block SET header = '{'");
    database.close();
    const line = await logged(path, {
      id: msg.replaceAll(" ", "-"),
      traceparent: TRACEPARENT,
      msg,
    });
    assert.equal(line["level"], 50);
    assert.equal(line["trace_id"], TRACE_ID);
  });
}
