import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { TestNode } from "../../node/testing/test-node.ts";
import { FIGURES, levelOf } from "./figures.ts";
import { baseOf, type Measured, parseMetrics, percentile99, rate, total } from "./metrics.ts";

function measured(time: number, ...lines: readonly string[]): Measured {
  return parseMetrics(lines.join("\n"), time);
}

test("samples are read with their labels, comments and broken lines are left out", () => {
  const now = measured(
    1,
    "# HELP a_total What it counts",
    'a_total{outcome="done",path="a\\"b"} 3',
    'a_total{outcome="refused"} 1.5e2',
    "b 7",
    "c NaN",
    "no sample",
  );
  assert.deepEqual(now.metrics.get("a_total"), [
    { labels: 'outcome="done",path="a\\"b"', value: 3 },
    { labels: 'outcome="refused"', value: 150 },
  ]);
  assert.equal(total(now, "a_total"), 153);
  assert.equal(total(now, "a_total", /outcome="done"/), 3);
  assert.equal(total(now, "c"), undefined);
});

test("a measurement is compared with the oldest of the last minute, or with the node's start", () => {
  const run = (started: number, time: number, count: number): Measured =>
    measured(time, `process_start_time_seconds ${started}`, `a ${count}`);
  const [old, minute, recent, now] = [
    run(1000, 1100, 10),
    run(1000, 1140, 20),
    run(1000, 1190, 70),
    run(1000, 1200, 80),
  ] as const;
  assert.equal(baseOf(now, [old, minute, recent]), minute);
  assert.equal(rate(baseOf(now, [old, minute, recent]), now, "a"), 1);
  assert.equal(rate(baseOf(now, []), now, "a"), 80 / 200, "since the start");
  const restarted = run(1198, 1200, 8);
  assert.equal(rate(baseOf(restarted, [old, minute, recent]), restarted, "a"), 4);
  assert.equal(rate(now, now, "a"), undefined);
  assert.equal(rate(minute, now, "b"), undefined);
});

test("a percentile is that of what was counted in between", () => {
  const histogram = (one: number, two: number, all: number): Measured =>
    measured(
      1,
      `h_bucket{le="1",route="/a"} ${one}`,
      `h_bucket{le="2",route="/a"} ${two}`,
      `h_bucket{le="+Inf",route="/a"} ${all}`,
      'h_bucket{le="1",route="/events"} 0',
      'h_bucket{le="+Inf",route="/events"} 1000',
    );
  const before = histogram(100, 100, 100);
  const of = (now: Measured): number | undefined => percentile99(before, now, "h", /route="\/a"/);
  assert.equal(of(histogram(100, 200, 200)), 1.99);
  assert.equal(of(histogram(199, 200, 200)), 1);
  assert.equal(of(histogram(100, 100, 104)), 2, "no more than the last bound is known");
  assert.equal(of(before), undefined, "nothing was counted");
});

test("a figure past its threshold is bad, one near it a warning", () => {
  const levels = (name: string, ...values: readonly (number | undefined)[]) =>
    FIGURES.filter((figure) => figure.name === name).flatMap((figure) =>
      values.map((value) => levelOf(figure, value)),
    );
  assert.deepEqual(levels("slowest", undefined, 0.75, 0.76, 1, 1.01), [
    ...["good", "good", "warn", "warn", "bad"],
  ]);
  assert.deepEqual(levels("disk", 0.07, 0.06, 0.05, 0.049), ["good", "warn", "warn", "bad"]);
  assert.deepEqual(levels("faults", 0, 1), ["good", "bad"]);
  assert.deepEqual(levels("writes", 1e9), ["good"]);
});

test("a node measures every figure from the first request on, and every alert exists", async () => {
  await using node = await TestNode.start();
  await node.holder({ coins: 5n });
  const now = parseMetrics((await node.get("/metrics")).text, Date.now() / 1000);
  for (const { name, value } of FIGURES) {
    assert.ok((value(now, baseOf(now, [])) ?? -1) >= 0, name);
  }
  const alerts = readFileSync(new URL("../../../deploy/alerts.yaml", import.meta.url), "utf8");
  for (const { name } of FIGURES.flatMap(({ alert = [] }) => alert)) {
    assert.ok(alerts.includes(`alert: ${name}\n`), name);
  }
});
