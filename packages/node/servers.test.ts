import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceProcess } from "./testing/service-process.ts";

test("what a node prints at its start is for people: no line of a log is among it", async () => {
  await using service = await ServiceProcess.start({
    environment: {},
    more: ["--log-level", "info"],
  });
  const lines = service.output().trim().split("\n");
  assert.match(lines[0] ?? "", /^Moneta \d/);
  assert.equal(lines[1], `listening on ${service.url}`);
  assert.deepEqual(
    lines.filter((line) => line.startsWith("{")),
    [],
  );
});
