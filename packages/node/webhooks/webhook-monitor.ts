import type { FastifyBaseLogger } from "fastify";
import type { Metrics } from "../metrics.ts";
import type { WebhookNews } from "./webhook-sender.ts";

/** Counts deliveries, and logs when a receiver begins to fail and when it recovers. */
export function webhookMonitor(
  metrics: Metrics,
  log: FastifyBaseLogger,
): (news: WebhookNews) => void {
  const failing = new Set<string>();
  return (news) => {
    metrics.noteWebhook(news);
    const { name: webhook, failure, lag } = news;
    if (failure !== undefined && !failing.has(webhook)) {
      failing.add(webhook);
      log.warn({ webhook, failure, lag }, "a webhook cannot be told: it is tried again");
    } else if (failure === undefined && failing.delete(webhook)) {
      log.info({ webhook, lag }, "a webhook can be told again");
    }
  };
}
