import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Moneta, SigningKey } from "@moneta/sdk";
import type { Browser } from "playwright-core";
import { someCases } from "../../ledger/testing/lane.ts";
import { launchChromium, withoutChromium } from "../../node/testing/chromium.ts";
import type { TestNode } from "../../node/testing/test-node.ts";
import { becomes } from "../../node/testing/until.ts";
import { follow } from "./follow.ts";
import { inBrowser, testNode } from "./in-browser.ts";
import { OpenedPage } from "./opened-page.ts";

const svg = (content: string): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">${content}</svg>`)}`;

/** One pixel, and bytes behind it. */
function large(index: number): string {
  const pixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const bytes = Buffer.concat([Buffer.from(pixel, "base64"), Buffer.alloc(80_000, index)]);
  return `data:image/png;base64,${bytes.toString("base64")}`;
}

/** 2.4 KB that draw 10^13 circles: as an image it freezes the page. */
const BOMB = svg(
  `<g id="a0"><circle r="5"/></g>${Array.from(
    { length: 13 },
    (_, index) => `<g id="a${index + 1}">${`<use href="#a${index}"/>`.repeat(10)}</g>`,
  ).join("")}`,
);

// Source: explorer §1.
describe("pictures of strangers", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;

  inBrowser(testNode, (started) => {
    ({ node, browser } = started);
  });

  /** Returns the token's id. */
  async function issue(symbol: string, image: string): Promise<string> {
    const moneta = new Moneta(node.url);
    const owner = await moneta.createAddress(await SigningKey.generate());
    await owner.tokensave({
      symbol,
      name: `${symbol} token`,
      decimal: 0,
      totalsupply: 1000n,
      image,
    });
    return (await owner.tokencreate()).token;
  }

  test("a bomb of nested uses is not drawn at all", async () => {
    const bomb = await issue("BOMB", BOMB);
    await using opened = await OpenedPage.open(browser, node.url, `/explorer/token/${bomb}`);
    const { page } = opened;
    await opened.isShown();
    await page.getByText("The picture is not shown").waitFor();
    assert.equal(await page.locator("main :is(iframe, img)").count(), 0);
    assert.equal(await page.locator(".picture-letter").first().innerText(), "B");
    assert.deepEqual([...opened.complaints, ...opened.elsewhere], []);
  });

  test("a drawing is drawn after a tap, without scripts, and is gone after its time", async () => {
    const script = "parent.hacked=1;globalThis.hacked=1";
    const drawing = await issue(
      "DRW",
      svg(`<rect width="10" height="10" fill="rgb(1,200,3)" onload="${script}"/><a/>`).replace(
        "%3Ca%2F%3E",
        "",
      ),
    );
    await using painting = await launchChromium({ hasPixels: true });
    await using opened = await OpenedPage.open(painting, node.url, `/explorer/token/${drawing}`);
    const { page } = opened;
    await opened.isShown();
    assert.equal(await page.locator("iframe").count(), 0);
    const now = Date.now();
    await page.clock.install({ time: now });
    await page.clock.pauseAt(now + 1000);
    await page.getByRole("button", { name: "Load picture" }).click();
    await page.clock.runFor(500);
    const frame = page.locator("main iframe");
    await frame.waitFor();
    assert.equal(await frame.getAttribute("sandbox"), "");
    const image = page.frameLocator("main iframe").locator("img");
    await image.waitFor();
    const shown = await frame.screenshot();
    assert.ok(await hasColour(opened, shown, [1, 200, 3]), "it is drawn");
    await page.clock.fastForward(19_000);
    assert.equal(await frame.count(), 1);
    await page.clock.fastForward(2000);
    await frame.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Load picture" }).waitFor();
    assert.equal(await page.evaluate("globalThis.hacked"), undefined);
    // The frame refuses the test's own clock.
    const others = opened.complaints.filter((one) => !one.startsWith("Blocked script execution"));
    assert.deepEqual([...others, ...opened.elsewhere], []);
  });

  test("large pictures of a list are loaded once they are in sight", async () => {
    const still = await issue("STILL", large(0));
    for (let index = 0; index < 25; index += 1) {
      await issue(`L${index}`, large(index));
    }
    await using opened = await OpenedPage.open(browser, node.url, "/explorer/protocol");
    const { page } = opened;
    await opened.isShown();
    await page.setViewportSize({ width: 1280, height: 500 });
    const loaded = new Set<string>();
    page.on("request", (request) => {
      const [, token] = /\/token\/([0-9]+)\/image$/.exec(request.url()) ?? [];
      if (token !== undefined) {
        loaded.add(token);
      }
    });
    await follow(opened, "/explorer/tokens");
    await page.locator("main tbody tr").first().locator("canvas").waitFor();
    assert.ok(loaded.size < 20, String(loaded.size));
    assert.ok(!loaded.has(still), "it is on the next page");
    const last = page.locator("main tbody tr").filter({ hasText: "L0 token" });
    await last.scrollIntoViewIfNeeded();
    await last.locator("canvas").waitFor();
    assert.deepEqual([...opened.complaints, ...opened.elsewhere], []);
  });

  // picture-source.test.ts reads the sizes of each kind.
  for (const [type, name] of someCases([
    ["image/png", "PNG"],
    ["image/jpeg", "JPG"],
    ["image/webp", "WEBP"],
  ] as const)) {
    test(`a ${type} of 1,024 px is drawn as a still, one of 1,025 px is not`, async () => {
      await using opened = await OpenedPage.open(browser, node.url, "/explorer/protocol");
      const { page } = opened;
      await opened.isShown();
      const [fits, exceeds] = (await page.evaluate(
        (kind) =>
          [1024, 1025].map((side) => {
            const canvas = document.createElement("canvas");
            canvas.width = side;
            canvas.height = 3;
            const context = canvas.getContext("2d") as CanvasRenderingContext2D;
            context.fillStyle = "rgb(255,0,0)";
            context.fillRect(0, 0, side, 3);
            return canvas.toDataURL(kind);
          }),
        type,
      )) as [string, string];
      assert.ok(fits.startsWith(`data:${type}`));
      const [small, large] = [await issue(name, fits), await issue(`X${name}`, exceeds)];
      await follow(opened, `/explorer/token/${small}`);
      await page.locator(".picture.full canvas").waitFor();
      await page.waitForFunction(
        () => document.querySelector<HTMLCanvasElement>(".picture.full canvas")?.width === 1024,
      );
      const red = await page.locator(".picture.full canvas").evaluate((one) => {
        const context = (one as HTMLCanvasElement).getContext("2d");
        return context?.getImageData(10, 1, 1, 1).data[0] ?? 0;
      });
      assert.ok(red > 200, String(red));
      const thumb = page.locator(".picture.thumb canvas");
      await becomes(() => thumb.evaluate((one) => (one as HTMLCanvasElement).width), 96);
      await follow(opened, `/explorer/token/${large}`);
      await page.getByText("The picture is not shown").waitFor();
      assert.equal(await page.locator("main :is(canvas, img)").count(), 0);
      assert.deepEqual([...opened.complaints, ...opened.elsewhere], []);
    });
  }
});

async function hasColour(
  { context }: OpenedPage,
  picture: Buffer,
  colour: readonly [number, number, number],
): Promise<boolean> {
  const blank = await context.newPage();
  const found = await blank.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const drawing = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
    drawing.drawImage(bitmap, 0, 0);
    return [...drawing.getImageData(bitmap.width / 2, bitmap.height / 2, 1, 1).data];
  }, picture.toString("base64"));
  await blank.close();
  return colour.every((value, index) => Math.abs(value - (found[index] ?? -99)) < 3);
}
