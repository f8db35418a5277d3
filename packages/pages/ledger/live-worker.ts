import { followHeights } from "./follow-heights.ts";
import type { LiveMessage } from "./live-message.ts";

// The event stream that all tabs of a browser share: one connection, however many are open.

declare const self: { onconnect: (event: MessageEvent) => void; readonly name: string };

const tabs = new Set<MessagePort>();
let newest: LiveMessage | undefined;

self.onconnect = ({ ports: [port] }) => {
  if (port === undefined) {
    return;
  }
  tabs.add(port);
  port.onmessage = () => tabs.delete(port); // the tab closes
  if (newest !== undefined) {
    port.postMessage(newest);
  }
};

/** The worker's name is the node's URL: one worker for each node. */
void followHeights(self.name, (message) => {
  newest = message;
  for (const tab of tabs) {
    tab.postMessage(message);
  }
});
