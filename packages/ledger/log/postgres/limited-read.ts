import type { EngineResult } from "./engine.ts";
import { beginRead } from "./engine-settings.ts";

/** The engine's share of the time limit, so that it gives up first. */
const ENGINE_SHARE = 0.9;

/**
 * Reads in one message that the engine gives up before this node does. Without its own limit a
 * session that waits for a lock remains when its client has disconnected, and the next attempt adds
 * another one. Behind a pooler a limit must end with its message. Never for statements that commit:
 * a cancelled wait for the standby is a doubt.
 */
export async function limitedRead(
  send: (text: string, timeoutMs: number) => Promise<readonly EngineResult[]>,
  text: string,
  timeoutMs: number,
): Promise<readonly EngineResult[]> {
  const limitMs = Math.ceil(ENGINE_SHARE * timeoutMs);
  const results = await send(`${beginRead(limitMs)}; ${text}`, timeoutMs);
  return results.slice(1);
}
