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

/**
 * For each lazy view of a page, by the name of its file: the most that it adds to the first view.
 * Counts all files that it can load, also those that the first view has loaded lazily.
 */
export function boundsOf(page: string): ReadonlyMap<string, number> {
  const html = readFileSync(new URL(`../${page}.html`, BUILT), "utf8");
  const linked = [...html.matchAll(/"\.\/pages\/([^"]+\.(?:js|css))"/g)].map(
    ([, file = ""]) => file,
  );
  const first = closure(linked, (file) => mentioned(file, EAGER));
  const views = linked.flatMap((file) => mentioned(file, ANY).filter(isView));
  return new Map(
    views.map((view) => {
      const further = (file: string) =>
        first.has(file)
          ? []
          : [...mentioned(file, EAGER), ...mentioned(file, ANY).filter((one) => !isView(one))];
      const files = [...closure([view], further)].filter((file) => !first.has(file));
      return [view.slice(0, -HASH), files.reduce((sum, file) => sum + gzipped(file), 0)];
    }),
  );
}

const HASH = "-12345678.js".length;
const EAGER = /(?:from|import)"\.\/([^"]+)"/g;
/** Also lazy modules, and what the bundler loads with them. */
const ANY = /["`]\.\/([\w.-]+\.(?:js|css))["`]/g;

function isView(file: string): boolean {
  return /-view-.{8}\.js$/.test(file);
}

function mentioned(file: string, how: RegExp): string[] {
  const text = readFileSync(new URL(file, BUILT), "utf8");
  const files = [...text.matchAll(how)].map(([, one = ""]) => one);
  // One language is loaded, once.
  return files.filter((one) => !/^(?:wallet-)?ko-/.test(one));
}

function closure(files: readonly string[], further: (file: string) => string[]): Set<string> {
  const all = new Set(files);
  // The loop also visits files that it adds.
  for (const file of all) {
    for (const one of further(file)) {
      all.add(one);
    }
  }
  return all;
}

function gzipped(file: string): number {
  return gzipSync(readFileSync(new URL(file, BUILT))).length;
}

/** A page does not list them among its files. */
function workers(): readonly (readonly [string, number])[] {
  return readdirSync(BUILT)
    .filter((file) => /worker.*\.js$/.test(file))
    .map((file) => [file, gzipped(file)]);
}
