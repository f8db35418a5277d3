import type { BlockPlace } from "../block-log.ts";
import type { EngineSession } from "./engine-session.ts";
import { idInTurn, type TurnOptions } from "./turn.ts";

/**
 * Resolves a doubt: COMMIT was sent for a block, and its reply was lost, or had a warning. The
 * holder of the append lock knows that the lost session cannot commit any more, because it would
 * still have the lock. So the log's content at that height, once the barrier is written, is final.
 * Rejects with `LogUnavailable`: the doubt stays. Source: cluster §3.
 */
export async function resolveDoubt(
  session: EngineSession,
  { height, id }: BlockPlace,
  options: TurnOptions & { readonly timeoutMs: number },
): Promise<"appended" | "absent"> {
  const found = await idInTurn(session, { ...options, height });
  return found === id ? "appended" : "absent";
}
