import type { EngineResult } from "./engine.ts";
import { beginRead } from "./engine-settings.ts";

/** How much of its time a read may take at the engine, so that this is the first to give up. */
const ENGINE_SHARE = 0.9;

/**
 * Reads in one message that the engine gives up before this node does. Without its own limit a
 * session that waits for a lock stays there when its client has left, and the next attempt adds
 * another one. Behind a pooler a limit may only last as long as its message, hence only for it.
 * Statements that commit must not be sent so: a cancelled wait for the standby is a doubt.
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
