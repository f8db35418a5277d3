import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Moneta } from "@moneta/sdk";
import type { Browser } from "playwright-core";
import type { DemoNode } from "../../../examples/demo/demo-node.ts";
import { byLane, IS_LAST_LANE } from "../../ledger/testing/lane.ts";
import { withoutChromium } from "../../node/testing/chromium.ts";
import { follow } from "./follow.ts";
import { fillHostileWorld, HOSTILE_ORIGIN } from "./hostile-world.ts";
import { demoNode, inBrowser } from "./in-browser.ts";
import { openAccount } from "./open-account.ts";
import { OpenedPage } from "./opened-page.ts";
import { overflow } from "./overflow.ts";
import { viewPaths } from "./views.ts";

const WIDTHS = byLane({ quick: [360], long: [1280, 640, 360] });
/** Views that show nothing of others: all-views.ci.test.ts has them with the same content. */
const OWN =
  /^\/(?:status|wallet\/(?:send|send-many|receive|history|accounts|new-account|keys|grant|device|back-up|restore|sweep|swap|new\/.*))$/;

// Source: explorer §1.
describe("texts that mean harm", { skip: withoutChromium() }, () => {
  let node: DemoNode;
  let browser: Browser;

  inBrowser(demoNode, (started) => {
    ({ node, browser } = started);
  });

  test("run no script, break no layout, and request nothing from others", async (t) => {
    const paths = Object.entries(viewPaths(await fillHostileWorld(new Moneta(node.url)))).filter(
      ([, path]) => IS_LAST_LANE || !OWN.test(path),
    );
    await using opened = await OpenedPage.open(browser, node.url, "/explorer");
    const { page, complaints, elsewhere } = opened;
    const taps: string[] = [];
    page.on("dialog", (dialog) => void dialog.dismiss());
    for (const [name, path] of paths) {
      if (path === "/wallet") {
        await openAccount(opened);
      }
      await t.test(name, async () => {
        await follow(opened, path);
        const wrong: string[] = [...(await page.locator("main .problem").allInnerTexts())];
        for (const width of WIDTHS) {
          if (width !== page.viewportSize()?.width) {
            await page.setViewportSize({ width, height: 900 });
          }
          wrong.push(...(await overflow(page)).map((one) => `${width} px: ${one}`));
        }
        assert.deepEqual([...wrong, ...complaints.splice(0), ...elsewhere.splice(0)], []);

        await page.evaluate(() => {
          for (const details of document.querySelectorAll("details")) {
            details.open = true;
          }
        });
        const notes = page.locator("main .picture-note:has(button)");
        for (const [index, note] of (await notes.all()).entries()) {
          await note.getByRole("button").click();
          // All messages of the browser have arrived then.
          await notes.nth(index).getByText("The picture could not be loaded.").waitFor();
        }
        const amount = page.locator("main .reveal:has(.symbol.long)").first();
        if ((await amount.count()) > 0) {
          await amount.click();
          await page.locator(".revealed").getByText("in the smallest unit").waitFor();
          await page.keyboard.press("Escape");
        }
        await opened.isShown();
        const unfolded = (await overflow(page)).map((one) => `opened: ${one}`);
        assert.equal(await page.evaluate("globalThis.hacked"), undefined);
        taps.push(...elsewhere.splice(0));
        const isOfTap = (complaint: string): boolean => complaint.includes("ERR_NAME_NOT_RESOLVED");
        assert.deepEqual([...unfolded, ...complaints.splice(0).filter((one) => !isOfTap(one))], []);
      });
    }
    assert.deepEqual([...new Set(taps.map((url) => new URL(url).origin))], [HOSTILE_ORIGIN]);
  });
});
