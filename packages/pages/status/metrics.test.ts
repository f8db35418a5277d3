import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { TestNode } from "../../node/testing/test-node.ts";
import { CONDITIONS, FIGURES } from "./figures.ts";
import {
  increase,
  type Measured,
  type Metrics,
  parseMetrics,
  quantile,
  rate,
  total,
} from "./metrics.ts";

function measured(timeMs: number, ...lines: readonly string[]): Measured {
  return { timeMs, metrics: parseMetrics(lines.join("\n")) };
}

test("samples are read with their labels, comments and broken lines are left out", () => {
  const metrics = parseMetrics(
    [
      "# HELP a_total What it counts",
      'a_total{outcome="done",path="a\\"b\\\\c"} 3',
      'a_total{outcome="refused"} 1.5e2',
      "b 7",
      "c NaN",
      "no sample",
    ].join("\n"),
  );
  assert.deepEqual(metrics.get("a_total"), [
    { labels: { outcome: "done", path: 'a"b\\c' }, value: 3 },
    { labels: { outcome: "refused" }, value: 150 },
  ]);
  assert.equal(total(metrics, "a_total"), 153);
  assert.equal(total(metrics, "b"), 7);
  assert.equal(total(metrics, "c"), undefined);
});

test("a counter grows by its difference, and from zero after a restart", () => {
  const before = measured(0, "a 10");
  assert.equal(increase(before, measured(2000, "a 30"), "a"), 20);
  assert.equal(rate(before, measured(2000, "a 30"), "a"), 10);
  assert.equal(increase(before, measured(2000, "a 4"), "a"), 4);
  assert.equal(rate(before, before, "a"), undefined);
});

test("a quantile is that of what was counted in between", () => {
  const histogram = (at: number, one: number, two: number, all: number): Measured =>
    measured(
      at,
      `h_bucket{le="1"} ${one}`,
      `h_bucket{le="2"} ${two}`,
      `h_bucket{le="+Inf"} ${all}`,
    );
  const before = histogram(0, 100, 100, 100);
  const of = (after: Measured, q: number): number | undefined =>
    quantile(before, after, { name: "h", q });
  assert.equal(of(histogram(1, 100, 110, 110), 0.5), 1.5);
  assert.equal(of(histogram(1, 104, 108, 108), 0.5), 1);
  assert.equal(of(histogram(1, 100, 100, 104), 0.99), 2, "no more than the last bound is known");
  assert.equal(of(before, 0.5), undefined, "nothing was counted");
  assert.equal(of(histogram(1, 0, 4, 4), 0.5), 1.5, "the node was started again");
});

test("every figure is measured by a node, and every alert that is named watches one", async () => {
  await using node = await TestNode.start();
  await node.holder({ coins: 5n });
  const text = (await node.get("/metrics")).text;
  const metrics = parseMetrics(text);
  const asked = new Set<string>();
  const recording = new Proxy(metrics as Map<string, never>, {
    get: (map, property) =>
      property === "get"
        ? (name: string) => {
            asked.add(name);
            return map.get(name);
          }
        : Reflect.get(map, property),
  }) as Metrics;
  const now = { timeMs: Date.now(), metrics: recording };
  const before = { timeMs: now.timeMs - 60_000, metrics: parseMetrics("") };
  for (const { value } of FIGURES) {
    value(now, before, before);
  }
  for (const { holds } of CONDITIONS) {
    holds(now, before);
  }
  assert.deepEqual(
    [...asked].filter(
      (name) => !text.includes(`# TYPE ${name.replace(/_(bucket|sum|count)$/, "")} `),
    ),
    [],
  );
  const alerts = readFileSync(new URL("../../../deploy/alerts.yaml", import.meta.url), "utf8");
  for (const name of [
    ...FIGURES.flatMap(({ alert }) => alert?.name ?? []),
    ...CONDITIONS.map(({ alert }) => alert),
  ]) {
    assert.ok(alerts.includes(`alert: ${name}\n`), name);
  }
});
