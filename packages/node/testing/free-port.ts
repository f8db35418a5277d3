import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that systems give to connections and to whoever asks for any: one of those may
 * be taken before its program listens, or while a server that is to come back to it is down.
 */
const PORTS = { min: 21_000, max: 32_000 } as const;

/** In use, or kept by the system for something else. */
const TAKEN: ReadonlySet<string> = new Set(["EADDRINUSE", "EACCES"]);

/**
 * A port that nobody listens to now, for a program that must be told one. No other test is given it
 * before this process ends, also while the program does not listen yet, or is down for a while.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.min, PORTS.max);
    if ((await reserve(port)) && (await isFree(port))) {
      return port;
    }
  }
}

/** Whether nobody listens on a port of this machine. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  if (!(await unlessTaken(once(server.listen(port, "127.0.0.1"), "listening")))) {
    return false;
  }
  await once(server.close(), "close");
  return true;
}

/**
 * Reserves a port by its namesake of UDP, which nobody here uses otherwise: the system knows of it
 * in all processes, and takes it back however this one ends. False if another test has it.
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
