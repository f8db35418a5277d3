import assert from "node:assert/strict";
import { test } from "node:test";
import { launchChromium, withoutChromium } from "./chromium.ts";

test("a real Chromium runs pages and their scripts", { skip: withoutChromium() }, async () => {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ locale: "en-US" });
    await page.setContent("<span>Ledger</span><script>document.title = String(6n * 7n)</script>");
    assert.equal(await page.title(), "42");
    // It has fonts.
    const { width } = (await page.locator("span").boundingBox()) ?? { width: 0 };
    assert.ok(width > 20);
  } finally {
    await browser.close();
  }
});
