import { dry, Refused, refuse } from "@moneta/protocol";
import type { FastifyRequest } from "fastify";
import type { Settings } from "../../settings.ts";
import { NO_BODY } from "../requests/body.ts";
import { mergeParameters } from "../requests/request-parameters.ts";

const DRY = "dry";
const PARAMETERS = { [DRY]: dry };

/** Faults: 1005, 3005, 9404 without dry runs. Source: batches §2, Clients. */
export function isDryRun(
  { query, url }: FastifyRequest,
  settings: Pick<Settings, "dry-runs">,
): boolean | Refused {
  const places = { path: {}, query: (query as { query: string }).query, body: NO_BODY };
  const merged = mergeParameters(places, PARAMETERS);
  if (merged instanceof Refused) {
    return merged;
  }
  const sent = merged.take(DRY);
  if (sent instanceof Refused) {
    return sent;
  }
  const value = typeof sent === "string" ? dry.read(sent, DRY) : "";
  if (value instanceof Refused) {
    return value;
  }
  return value === "1" && settings["dry-runs"] === "no"
    ? refuse({ code: "9404", path: url })
    : value === "1";
}
