import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that systems give to connections and to whoever asks for any: one of those may
 * be taken before its program listens, or while a server that is to come back to it is down.
 */
const PORTS = { min: 21_000, max: 32_000 } as const;

/** In use, or kept by the system for something else. */
const TAKEN: ReadonlySet<string> = new Set(["EADDRINUSE", "EACCES"]);

/** A port that nobody listens to now, for a program that must be told one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.min, PORTS.max);
    if (await isFree(port)) {
      return port;
    }
  }
}

/** Whether nobody listens on a port of this machine. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch (thrown) {
    if (TAKEN.has((thrown as NodeJS.ErrnoException).code ?? "")) {
      return false;
    }
    throw thrown;
  }
  await once(server.close(), "close");
  return true;
}
