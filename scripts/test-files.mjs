// Runs test files in this process, each as a suite: sources are loaded and compiled once.
import asyncHooks from "node:async_hooks";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { noteEnd } from "./test-events.mjs";

const { after, suite } = await withoutHooks(() => import("node:test"));

// Source: CONTRIBUTING.
const seed = process.env.TEST_SEED ?? (process.env.TEST_LANE === "long" ? undefined : "1");
if (seed !== undefined) {
  const { configureGlobal } = await import("fast-check");
  configureGlobal({ seed: Number(seed) });
}

for (const file of process.argv.slice(2)) {
  // Sequential, so that hooks of a file apply to that file.
  await new Promise((done) => {
    suite(file, async () => {
      try {
        await import(pathToFileURL(resolve(file)));
      } finally {
        after(() => noteEnd(file));
        done();
      }
    });
  });
}

/**
 * Makes the test runner use an `AsyncLocalStorage`: its own hook takes up to a fifth of the CPU of
 * tests that send requests.
 */
async function withoutHooks(load) {
  const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = asyncHooks;
  const ids = new AsyncLocalStorage();
  let noteTest;
  asyncHooks.AsyncResource = class extends AsyncResource {
    constructor(...args) {
      super(...args);
      noteTest?.(this.asyncId(), "", 0, this);
    }

    runInAsyncScope(run, self, ...args) {
      const id = this.asyncId();
      return super.runInAsyncScope(() => ids.run(id, () => Reflect.apply(run, self, args)));
    }
  };
  asyncHooks.executionAsyncId = () => ids.getStore() ?? executionAsyncId();
  asyncHooks.createHook = ({ init }) => {
    noteTest = init;
    return { enable: () => undefined, disable: () => undefined };
  };
  try {
    return await load();
  } finally {
    Object.assign(asyncHooks, { AsyncResource, createHook, executionAsyncId });
  }
}
