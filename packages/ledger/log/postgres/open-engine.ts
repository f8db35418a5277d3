import type { Time } from "../../time.ts";
import type { Engine, Timelines } from "./engine.ts";
import type { EngineUrl } from "./engine-url.ts";

/** The client library is loaded only by nodes that have such a log. */
export async function openEngine(
  url: EngineUrl,
  options: { readonly timelines: Pick<Timelines, "highest">; readonly time: Time },
): Promise<Engine> {
  const { PgEngine } = await import("./pg-engine.ts");
  return new PgEngine(url, options);
}
