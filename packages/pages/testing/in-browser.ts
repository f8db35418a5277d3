import { after, before } from "node:test";
import type { Browser } from "playwright-core";
import { DemoNode } from "../../../examples/demo/demo-node.ts";
import { launchChromium } from "../../node/testing/chromium.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import { buildPages } from "./opened-page.ts";

export const testNode = (): Promise<TestNode> => TestNode.start();

/** For `fillWorld`. */
export const demoNode = (): Promise<DemoNode> => DemoNode.start({ port: "0" });

/** Suites of one process share it: to start one takes a second of CPU time. */
let shared: Promise<Browser> | undefined;
let suites = 0;

/** A node and a browser for all tests of a suite. */
export function inBrowser<N extends AsyncDisposable>(
  start: () => Promise<N>,
  use: (started: { readonly node: N; readonly browser: Browser }) => void | Promise<void>,
): void {
  const stack = new AsyncDisposableStack();
  suites += 1;
  before(async () => {
    buildPages();
    shared ??= launchChromium();
    const [node, browser] = await Promise.all([start(), shared]);
    stack.use(node);
    stack.defer(async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    });
    await use({ node, browser });
  });
  after(async () => {
    await stack.disposeAsync();
    suites -= 1;
    if (suites === 0) {
      await (await shared)?.close();
      shared = undefined;
    }
  });
}
