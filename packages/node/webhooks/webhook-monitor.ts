import type { FastifyBaseLogger } from "fastify";
import type { Metrics } from "../metrics.ts";
import type { WebhookNews } from "./webhook-sender.ts";

/** How long no delivery must fail until the receiver has recovered: some fail in one of fifty. */
const CALM_MS = 60_000;

/** Counts deliveries, and logs when a receiver begins to fail and when it has recovered. */
export function webhookMonitor(
  metrics: Metrics,
  log: FastifyBaseLogger,
): (news: WebhookNews) => void {
  /** When each receiver that fails has failed last, as `performance.now`. */
  const failing = new Map<string, number>();
  return (news) => {
    metrics.noteWebhook(news);
    const { name: webhook, failure, lag } = news;
    const nowMs = performance.now();
    const failedMs = failing.get(webhook);
    if (failure !== undefined) {
      if (failedMs === undefined) {
        log.warn({ webhook, failure, lag }, "deliveries to a webhook fail: they are repeated");
      }
      failing.set(webhook, nowMs);
    } else if (failedMs !== undefined && nowMs - failedMs > CALM_MS) {
      failing.delete(webhook);
      log.info({ webhook, lag }, "deliveries to a webhook succeed again");
    }
  };
}
