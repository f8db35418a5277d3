import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { ServiceProcess } from "./service-process.ts";
import { until } from "./until.ts";

/** The node of a cluster that delivers to its one webhook now. Fails if several do. */
export async function holderOf(nodes: readonly ServiceProcess[]): Promise<ServiceProcess> {
  const delivered = async ({ url }: ServiceProcess): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^moneta_webhook_deliveries_total\{.*"delivered"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  return await until(async () => {
    const before = await Promise.all(nodes.map(delivered));
    await delay(500);
    const counts = await Promise.all(nodes.map(delivered));
    const moved = nodes.filter((_, index) => (counts[index] ?? 0) > (before[index] ?? 0));
    assert.ok(moved.length < 2, "one node delivers");
    return moved[0];
  }, "no node delivers");
}
