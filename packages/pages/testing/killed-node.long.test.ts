import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Moneta, SigningKey } from "@moneta/sdk";
import type { Browser } from "playwright-core";
import { launchChromium, withoutChromium } from "../../node/testing/chromium.ts";
import { freePort } from "../../node/testing/free-port.ts";
import { ServiceProcess } from "../../node/testing/service-process.ts";
import { TemporaryDirectory } from "../../node/testing/temporary-directory.ts";
import { becomes } from "../../node/testing/until.ts";
import { buildPages, OpenedPage } from "./opened-page.ts";

const LOST = "The connection to the node is lost.";

// Source: explorer §1.
describe("a node that is killed and started again", { skip: withoutChromium() }, () => {
  const temporary = new TemporaryDirectory("killed-node");
  let browser: Browser;
  let service: ServiceProcess;

  before(async () => {
    buildPages();
    const port = String(await freePort());
    [service, browser] = await Promise.all([start(port), launchChromium()]);
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
    temporary[Symbol.dispose]();
  });

  function start(port: string): Promise<ServiceProcess> {
    return ServiceProcess.start({ data: temporary.path, more: ["--port", port] });
  }

  test("the page says so, and continues: nothing is missing, nothing there twice", async () => {
    const moneta = new Moneta(service.url);
    await using home = await OpenedPage.open(browser, service.url, "/explorer");
    await using other = await OpenedPage.open(home.context, service.url, "/explorer/protocol");
    const blocks = home.page.getByRole("table", { name: "Newest blocks" });
    const shown = (block: number) => blocks.getByRole("link", { name: String(block), exact: true });
    await writeBlocks(moneta, 2);
    await shown(2).waitFor();
    await home.page.evaluate("globalThis.isSamePage = true");

    await service.kill();
    await home.page.getByText(LOST).waitFor();
    await other.page.getByText(LOST).waitFor();
    // The browser has never loaded this view.
    await other.page.getByRole("link", { name: "Blocks" }).click();
    await other.page.getByRole("alert").waitFor();

    service = await start(new URL(service.url).port);
    await writeBlocks(moneta, 3);
    await shown(5).waitFor();
    await home.page.getByText(LOST).waitFor({ state: "detached" });
    const numbers = () =>
      blocks
        .locator("tbody tr")
        .evaluateAll((rows) => rows.map((row) => Number(row.querySelector("a")?.textContent)));
    await becomes(numbers, [5, 4, 3, 2, 1, 0]);
    assert.equal(await home.page.evaluate("globalThis.isSamePage"), true);
    await other.page.getByRole("table", { name: "Newest blocks" }).waitFor();
    const isOfNode = (complaint: string) =>
      /ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY_RESPONSE/.test(complaint);
    assert.deepEqual(
      [...home.complaints, ...other.complaints].filter((complaint) => !isOfNode(complaint)),
      [],
    );
  });
});

/** One by one, so each makes a block. */
async function writeBlocks(moneta: Moneta, count: number): Promise<void> {
  const key = await SigningKey.generate();
  for (let made = 0; made < count; made += 1) {
    await moneta.createAddress(key);
  }
}
