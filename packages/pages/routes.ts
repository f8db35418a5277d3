import { readFileSync } from "node:fs";

const PAGES = ["explorer", "wallet", "status"] as const;

/** Patterns of all views, such as `/explorer/block/:block`, from the sources of the pages. */
export function routes(): readonly string[] {
  return PAGES.flatMap((page) => {
    const source = readFileSync(new URL(`./${page}/main.tsx`, import.meta.url), "utf8");
    const inner = [...source.matchAll(/^ {2}"(\/[^"]*)": lazy\(/gm)];
    return [`/${page}`, ...inner.map(([, path = ""]) => `/${page}${path}`)];
  });
}
