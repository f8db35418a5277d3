import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { PLATFORM_VERIFIER } from "../signatures/chosen-verifier.ts";
import { HostileNode } from "../testing/hostile-node.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { Finding } from "./finding.ts";
import { followBlocks } from "./follow-blocks.ts";
import { NodeClient } from "./node-client.ts";
import { Replica } from "./replica.ts";

/** Far less than a page may take. */
const WAIT_MS = 30_000;

test("a page that is being fetched behind a wrong block is given up with it, however slowly it comes", async () => {
  using directory = new TemporaryDirectory("follow");
  const dripping = Promise.withResolvers<ServerResponse>();
  const wrong = `${JSON.stringify({ header: {}, id: "none", operations: [] })}\n`;
  await using source = await HostileNode.that((response, { url = "" }) => {
    response.writeHead(200);
    if (url.includes("from=0&")) {
      response.end(wrong);
    } else if (url.startsWith("/blocks/raw")) {
      response.write(wrong); // and never more
      dripping.resolve(response);
    } else {
      void dripping.promise.then(() => response.end("{}"));
    }
  });
  const replica = Replica.open(join(directory.path, "ledger.db"), {
    threads: 1,
    verifier: PLATFORM_VERIFIER,
    onBlock: () => undefined,
  });
  const client = new NodeClient(new URL(source.url), {
    lineMax: 1 << 20,
    stop: new AbortController().signal,
  });
  const context = { client, replica, progress: () => () => undefined };
  await assert.rejects(followBlocks(context, 1), Finding);
  const page = await dripping.promise;
  if (!page.closed) {
    await once(page, "close", { signal: AbortSignal.timeout(WAIT_MS) });
  }
  await replica.close();
});
