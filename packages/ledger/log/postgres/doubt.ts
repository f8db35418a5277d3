import type { BlockPlace } from "../block-log.ts";
import type { EngineSession } from "./engine-session.ts";
import { idInTurn, type TurnOptions } from "./turn.ts";

/**
 * Resolves a doubt. The holder of the append lock knows that the lost session cannot commit any
 * more, so after the barrier the log is final. Rejects with `LogUnavailable`. Source: cluster §3.
 */
export async function resolveDoubt(
  session: EngineSession,
  { height, id }: BlockPlace,
  options: TurnOptions & { readonly timeoutMs: number },
): Promise<"appended" | "absent"> {
  const found = await idInTurn(session, { ...options, height });
  return found === id ? "appended" : "absent";
}
