import { readFileSync } from "node:fs";

const PAGES = ["explorer", "wallet", "status"] as const;

/**
 * The pattern of every view of the pages, such as `/explorer/block/:block`, read from their
 * sources: a view without a route cannot be reached, and one with a route cannot be forgotten.
 */
export function routes(): readonly string[] {
  return PAGES.flatMap((page) => {
    const source = readFileSync(new URL(`../${page}/main.tsx`, import.meta.url), "utf8");
    const inner = [...source.matchAll(/^ {2}"(\/[^"]*)": lazy\(/gm)];
    return [`/${page}`, ...inner.map(([, path = ""]) => `/${page}${path}`)];
  });
}
