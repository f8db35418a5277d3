import { normalizeIP } from "@fastify/rate-limit";
import type { FastifyRequest } from "fastify";

/** Who counts as one client for limits: an IPv4 address, or the /64 of an IPv6 address. */
export function clientOf({ ip }: FastifyRequest): string {
  return normalizeIP(ip);
}
