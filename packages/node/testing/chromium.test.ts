import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fontsFile, launchChromium, withoutChromium } from "./chromium.ts";
import { TemporaryDirectory } from "./temporary-directory.ts";

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

test("where the unpacked Chromium was moved to, it finds its fonts", () => {
  using directory = new TemporaryDirectory("fonts");
  const [before, after] = [join(directory.path, "before"), join(directory.path, "after")];
  mkdirSync(before);
  assert.match(readFileSync(fontsFile(before), "utf8"), /\/before\/fonts</);
  renameSync(before, after);
  const text = readFileSync(fontsFile(after), "utf8");
  assert.match(text, /\/after\/fonts</);
  assert.doesNotMatch(text, /before/);
});
