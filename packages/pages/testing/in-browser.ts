import { after, before } from "node:test";
import type { Browser } from "playwright-core";
import { DemoNode } from "../../../examples/demo/demo-node.ts";
import { launchChromium } from "../../node/testing/chromium.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import { buildPages } from "./opened-page.ts";

export const testNode = (): Promise<TestNode> => TestNode.start();

/** For `fillWorld`. */
export const demoNode = (): Promise<DemoNode> => DemoNode.start({ port: "0" });

/** A node and a browser for all tests of a suite. */
export function inBrowser<N extends AsyncDisposable>(
  start: () => Promise<N>,
  use: (started: { readonly node: N; readonly browser: Browser }) => void | Promise<void>,
): void {
  const stack = new AsyncDisposableStack();
  before(async () => {
    buildPages();
    const [node, browser] = await Promise.all([start(), launchChromium()]);
    stack.use(node);
    stack.defer(() => browser.close());
    await use({ node, browser });
  });
  after(() => stack.disposeAsync());
}
