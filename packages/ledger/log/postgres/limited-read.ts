import type { EngineResult } from "./engine.ts";
import { beginRead } from "./engine-settings.ts";

/** So that the engine gives up first. */
const ENGINE_SHARE = 0.9;

/**
 * A read that the engine gives up before this node does: otherwise each attempt leaves a session
 * there. Never for statements that commit: a cancelled wait for the standby is a doubt.
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
