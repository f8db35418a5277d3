import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that systems assign: one of those may be taken before its program listens, or
 * while a server is down for a while.
 */
const PORTS = { min: 21_000, max: 32_000 } as const;

/** In use, or kept by the system for something else. */
const TAKEN: ReadonlySet<string> = new Set(["EADDRINUSE", "EACCES"]);

/**
 * A free port for a program that needs its number beforehand. No other test gets it before this
 * process ends, also while the program does not listen yet, or is down for a while.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.min, PORTS.max);
    if ((await reserve(port)) && (await isFree(port))) {
      return port;
    }
  }
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  if (!(await unlessTaken(once(server.listen(port, "127.0.0.1"), "listening")))) {
    return false;
  }
  await once(server.close(), "close");
  return true;
}

/**
 * Reserves a port by the UDP port of the same number, which has no other use here: the system knows
 * of it in all processes, and frees it however this one ends. False if another test has it.
 */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket("udp4").unref();
  socket.bind({ port, address: "127.0.0.1", exclusive: true });
  return await unlessTaken(once(socket, "listening"));
}

async function unlessTaken(listening: Promise<unknown>): Promise<boolean> {
  try {
    await listening;
    return true;
  } catch (thrown) {
    if (TAKEN.has((thrown as NodeJS.ErrnoException).code ?? "")) {
      return false;
    }
    throw thrown;
  }
}
