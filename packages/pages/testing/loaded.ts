import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";

/** Compressed bytes of each file that a view needs, by its URL. */
export type Loaded = ReadonlyMap<string, number>;

const BUILT = new URL("../dist/pages/", import.meta.url);

/** The files that the browser has loaded for the open view, and for its workers. */
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
  const ours = files.filter(([url]) => /\/(?:explorer|wallet|status|pages)\b/.test(url));
  return new Map([...ours, ...workers()]);
}

/** Bytes of a view that are not among those of another. */
export function bytesOf(view: Loaded, without: Loaded): number {
  return [...view].filter(([url]) => !without.has(url)).reduce((sum, [, bytes]) => sum + bytes, 0);
}

/** The scripts of workers, which a page does not list among its files. */
function workers(): readonly (readonly [string, number])[] {
  return readdirSync(BUILT)
    .filter((file) => /worker.*\.js$/.test(file))
    .map((file) => [file, gzipSync(readFileSync(new URL(file, BUILT))).length]);
}
