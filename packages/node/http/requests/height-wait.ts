import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { type Refused, refuse } from "@moneta/protocol";
import type { Service } from "../../service.ts";

/** Source: conventions §2.3. */
const CATCH_UP_MS = 5000;
const CATCH_UP_STEP_MS = 10;

/** False if it is late or the client has gone. Source: conventions §2.3. */
export async function reachesHeight(
  height: () => number,
  wanted: number,
  socket?: Pick<Socket, "destroyed">,
): Promise<boolean> {
  const deadlineMs = performance.now() + CATCH_UP_MS;
  // First: a write of a disconnected client is not done, even if the block comes.
  while (socket?.destroyed !== true) {
    if (height() >= wanted) {
      return true;
    }
    if (performance.now() >= deadlineMs) {
      return false;
    }
    await new Promise((resolve) => setTimeout(resolve, CATCH_UP_STEP_MS));
  }
  return false;
}

/** Source: conventions §2.3. */
export function refusedHeight(
  { headers, socket }: Pick<IncomingMessage, "headers" | "socket">,
  service: Pick<Service, "height">,
): Promise<Refused | undefined> | undefined {
  const header = headers["ledger-height-min"];
  return header === undefined ? undefined : refusedBelow(String(header), socket, service);
}

async function refusedBelow(
  wanted: string,
  socket: IncomingMessage["socket"],
  { height }: Pick<Service, "height">,
): Promise<Refused | undefined> {
  if (!/^(0|[1-9][0-9]{0,14})$/.test(wanted)) {
    const reason = "must be the number of a block";
    return refuse({ code: "3005", parameter: "Ledger-Height-Min", reason });
  }
  return (await reachesHeight(height, Number(wanted), socket))
    ? undefined
    : refuse({ code: "9003", height: height(), wanted: Number(wanted) });
}
