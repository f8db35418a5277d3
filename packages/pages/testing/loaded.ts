import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";

/** Compressed bytes by URL. */
export type Loaded = ReadonlyMap<string, number>;

const BUILT = new URL("../dist/pages/", import.meta.url);

/** For the open view and its workers. */
export async function loaded(page: Page): Promise<Loaded> {
  const files = await page.evaluate(() =>
    [
      ...performance.getEntriesByType("navigation"),
      ...performance.getEntriesByType("resource"),
    ].map((entry) => {
      const { name, encodedBodySize } = entry as PerformanceResourceTiming;
      return [name, encodedBodySize] as const;
    }),
  );
  // Most systems have a font of their own.
  const ours = files.filter(([url]) =>
    /\/(?:explorer|wallet|status|pages)\b(?!.*\.woff2$)/.test(url),
  );
  return new Map([...ours, ...workers()]);
}

export function bytesOf(view: Loaded, without: Loaded): number {
  return [...view].filter(([url]) => !without.has(url)).reduce((sum, [, bytes]) => sum + bytes, 0);
}

/** A page does not list them among its files. */
function workers(): readonly (readonly [string, number])[] {
  return readdirSync(BUILT)
    .filter((file) => /worker.*\.js$/.test(file))
    .map((file) => [file, gzipSync(readFileSync(new URL(file, BUILT))).length]);
}
