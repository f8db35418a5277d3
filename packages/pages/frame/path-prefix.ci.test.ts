import assert from "node:assert/strict";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { withoutChromium } from "../../node/testing/chromium.ts";
import type { TestNode } from "../../node/testing/test-node.ts";
import { inBrowser, testNode } from "../testing/in-browser.ts";
import { OpenedPage } from "../testing/opened-page.ts";

describe("a node behind a proxy that serves it under a path", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let proxy: Server;
  let origin: string;
  let browser: Browser;

  inBrowser(testNode, async (started) => {
    ({ node, browser } = started);
    proxy = createServer((asked, answer) => {
      const url = asked.url ?? "";
      if (!url.startsWith("/ledger/")) {
        answer.writeHead(404).end();
        return;
      }
      const { method, headers } = asked;
      const passed = request(
        `${node.url}${url.slice("/ledger".length)}`,
        { method, headers },
        (response) => {
          answer.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(answer);
          answer.on("close", () => response.destroy());
        },
      );
      passed.on("error", () => answer.destroy());
      asked.pipe(passed);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  after(async () => {
    proxy?.closeAllConnections();
    proxy?.close();
  });

  test("the pages find their files, the API and each other", async () => {
    await using opened = await OpenedPage.open(browser, origin, "/ledger/");
    const { page } = opened;
    assert.equal(page.url(), `${origin}/ledger/explorer`);
    await page.getByText("live", { exact: true }).waitFor({ state: "attached" });
    await page.goto(`${origin}/ledger/explorer/block/0`);
    await page.getByRole("heading", { name: "Block 0" }).waitFor();
    await page.getByRole("link", { name: "Blocks", exact: true }).click();
    await page.waitForURL(`${origin}/ledger/explorer/blocks`);
    await page.getByRole("link", { name: "Status", exact: true }).click();
    await page.getByText("Healthy: this node serves reads and writes.").waitFor();
    assert.equal(page.url(), `${origin}/ledger/status`);
    await page.getByRole("link", { name: "Explorer", exact: true }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    assert.deepEqual(opened.complaints, []);
  });
});
