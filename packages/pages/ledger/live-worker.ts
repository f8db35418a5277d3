import { followHeights } from "./follow-heights.ts";
import type { LiveMessage } from "./live-message.ts";

// One event stream for all tabs of a browser.

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

/** The worker's name is the node's URL. */
void followHeights(self.name, (message) => {
  newest = message;
  for (const tab of tabs) {
    tab.postMessage(message);
  }
});
