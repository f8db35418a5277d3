import type { Page } from "playwright-core";
import { byLane } from "../../ledger/testing/lane.ts";
import { lightFetch } from "../../node/testing/light-fetch.ts";
import { viewPattern } from "./views.ts";

/** Views of one pattern, with those that are shown anyway; more would show the same. */
const SHOWN_MAX = byLane({ quick: 1, long: 3 });

/** By noun: shows whether a thing exists. */
const READS: Readonly<Record<string, (id: string) => string>> = {
  address: (id) => `/address/${id}`,
  block: (id) => `/block/${id}`,
  transaction: (id) => `/transaction/${id}`,
  token: (id) => `/token/${id}`,
  project: (id) => `/mrc400/${id}`,
  item: (id) => `/item/${id}/transactions?limit=1`,
  pair: (id) => `/mrc040/book/${id.replace("-", "/")}`,
  order: (id) => `/mrc040/${id}`,
  seal: (id) => `/mrc020/${id}`,
  listing: (id) => (id.startsWith("DEX402_") ? `/mrc402/dex/${id}` : `/token/dex/${id}`),
};

const LOOP_BACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

interface Link {
  readonly href: string;
  readonly target: string;
  readonly rel: string;
  readonly text: string;
}

/**
 * The target of a link: this node (`here`), this node by another name (`renamed`, for passkeys:
 * authority §3), a site whose host the text names and whose page cannot reach back (`out`), or
 * another site (`unsafe`).
 */
export function leadOf(
  { href, target, rel, text }: Link,
  node: string,
): "here" | "renamed" | "out" | "unsafe" {
  const [to, from] = [new URL(href), new URL(node)];
  if (to.origin === from.origin) {
    return "here";
  }
  const areOne = to.protocol === from.protocol && to.port === from.port;
  if (areOne && [to, from].every(({ hostname }) => LOOP_BACK.test(hostname))) {
    return "renamed";
  }
  const isSafe = target === "_blank" && rel.includes("noopener") && rel.includes("noreferrer");
  return !to.protocol.startsWith("http") || (isSafe && text.includes(to.host)) ? "out" : "unsafe";
}

/** Which links to follow in the browser, and which are dead. */
export class LinkWalk {
  readonly #url: string;
  readonly #waiting: string[] = [];
  /** By pattern. */
  readonly #shown = new Map<string, Set<string>>();
  /** Paths, or URLs by another name, with the first view that links there. */
  readonly #paths = new Map<string, string>();
  readonly #wrong: string[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  async take(page: Page): Promise<void> {
    const from = page.url().slice(this.#url.length);
    this.#shownLike(from).add(from);
    const { links, missing } = await page.evaluate(() => ({
      links: [...document.querySelectorAll<HTMLAnchorElement>("a[href]")].map(
        ({ href, target, rel, innerText }): Link => ({ href, target, rel, text: innerText }),
      ),
      missing: [...document.querySelectorAll("a[href^='#']")]
        .map((link) => link.getAttribute("href")?.slice(1) ?? "")
        .filter((id) => document.getElementById(id) === null),
    }));
    for (const link of links) {
      this.#note(link, from);
    }
    for (const name of missing) {
      this.#wrong.push(`${from}: #${name} is not on the page`);
    }
  }

  #note(link: Link, from: string): void {
    const { href, target, rel, text } = link;
    const lead = leadOf(link, this.#url);
    if (lead === "unsafe") {
      this.#wrong.push(`${from}: ${href} leads out as "${text}", target ${target}, rel ${rel}`);
    }
    if (lead === "out" || lead === "unsafe") {
      return;
    }
    const { pathname, search } = new URL(href);
    // Another name has its own storage: only requested.
    const path = lead === "renamed" ? href : `${pathname}${search}`;
    if (this.#paths.has(path)) {
      return;
    }
    this.#paths.set(path, from);
    if (/^\/(?:explorer|wallet|status)(?:[/?]|$)/.test(path)) {
      this.#waiting.push(path);
    }
  }

  next(): string | undefined {
    for (let path = this.#waiting.shift(); path !== undefined; path = this.#waiting.shift()) {
      const shown = this.#shownLike(path);
      if (!shown.has(path) && shown.size < SHOWN_MAX) {
        shown.add(path);
        return path;
      }
    }
    return undefined;
  }

  #shownLike(path: string): Set<string> {
    const pattern = viewPattern(path);
    const shown = this.#shown.get(pattern) ?? new Set();
    this.#shown.set(pattern, shown);
    return shown;
  }

  /** And those to other sites without the required attributes. */
  async dead(): Promise<string[]> {
    const dead = [...this.#wrong];
    for (const [path, from] of this.#paths) {
      const [, page = "", noun = "", id] = new URL(path, this.#url).pathname.split("/");
      const read = page === "explorer" && id !== undefined ? READS[noun]?.(id) : undefined;
      const { ok, status } = await lightFetch(String(new URL(read ?? path, this.#url)));
      if (!ok) {
        dead.push(`${from}: ${path}: ${status} of ${read ?? path}`);
      }
    }
    return dead;
  }
}
