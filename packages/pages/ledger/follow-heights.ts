import { Moneta } from "@moneta/sdk";
import type { LiveMessage } from "./live-message.ts";

/** A busy ledger makes many blocks a second; nobody reads faster than this. */
const PAUSE_MS = 250;

/**
 * Follows the newest block and the state of the connection until the page ends. The stream has
 * heights only: views read what they show, so nothing is missed or shown twice. Source: explorer §1.
 */
export async function followHeights(
  nodeUrl: string,
  tell: (message: LiveMessage) => void,
): Promise<void> {
  let newest: LiveMessage = { connection: "lost", height: undefined };
  let isTelling = false;
  const tellSoon = (message: LiveMessage): void => {
    const hasChanged = newest.connection !== message.connection;
    newest = message;
    if (hasChanged) {
      tell(message);
    } else if (!isTelling) {
      isTelling = true;
      setTimeout(() => {
        isTelling = false;
        tell(newest);
      }, PAUSE_MS);
    }
  };
  const events = new Moneta(nodeUrl).events(
    { type: ["block"] },
    { onReconnect: () => tellSoon({ connection: "lost", height: newest.height }) },
  );
  for await (const event of events) {
    if (event.kind === "height") {
      tellSoon({ connection: "live", height: event.height });
    }
  }
}
