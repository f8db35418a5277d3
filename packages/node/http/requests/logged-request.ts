import type { FastifyRequest } from "fastify";

export interface LoggedRequest {
  readonly reqId: string;
  readonly trace_id?: string;
}

export function loggedRequest({ id, headers }: FastifyRequest): LoggedRequest {
  const traceId = traceIdOf(headers["traceparent"]);
  return { reqId: id, ...(traceId === undefined ? {} : { trace_id: traceId }) };
}

/** Of version 00; anything else must not reach the log. Source: W3C Trace Context §3.2. */
function traceIdOf(header: unknown): string | undefined {
  const [, traceId, parentId] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(String(header ?? "")) ?? [];
  const isZero = (text = ""): boolean => /^0*$/.test(text);
  return isZero(traceId) || isZero(parentId) ? undefined : traceId;
}
