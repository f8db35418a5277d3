import type { BlockPlace } from "../block-log.ts";
import type { EngineSession } from "./engine-session.ts";
import { idInTurn, type TurnOptions } from "./turn.ts";

/**
 * Resolves a doubt: COMMIT was sent for a block, and its answer was lost, or came with a warning.
 * Whoever has the turn knows that the lost session can commit no more, because it has ended, or
 * would still have the turn. So what the log has at that height then, once the barrier is written,
 * is what it will always have. Rejects with `LogUnavailable`: the doubt stays. Source: cluster §3.
 */
export async function resolveDoubt(
  session: EngineSession,
  { height, id }: BlockPlace,
  options: TurnOptions & { readonly timeoutMs: number },
): Promise<"appended" | "absent"> {
  const found = await idInTurn(session, { ...options, height });
  return found === id ? "appended" : "absent";
}
