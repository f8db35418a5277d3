import { once } from "node:events";
import { createServer } from "node:net";

/** Whether nobody listens on any of these ports of this machine. */
export async function areFree(ports: readonly number[]): Promise<boolean> {
  for (const port of ports) {
    const server = createServer();
    try {
      await once(server.listen(port, "127.0.0.1"), "listening");
    } catch {
      return false;
    }
    await once(server.close(), "close");
  }
  return true;
}
