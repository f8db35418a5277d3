import type { Page } from "playwright-core";
import { byLane } from "../../ledger/testing/lane.ts";
import { viewPattern } from "./views.ts";

/** So many links of one pattern are followed; more would show the same view. */
const FOLLOWED = byLane({ quick: 1, long: 2 });

/** Where the API says whether there is a thing of a noun. */
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

interface Link {
  readonly href: string;
  readonly target: string;
  readonly rel: string;
  readonly text: string;
}

/** The links of views: which to follow in the browser, and which lead nowhere. */
export class LinkWalk {
  readonly #url: string;
  readonly #patterns = new Map<string, Set<string>>();
  readonly #waiting: string[] = [];
  /** Paths of views that were shown, and need not be followed. */
  readonly #shown = new Set<string>();
  /** Paths of the node, and the view that has led there first. */
  readonly #paths = new Map<string, string>();
  readonly #wrong: string[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  /** Notes all links of the page as it is. */
  async take(page: Page): Promise<void> {
    const from = page.url().slice(this.#url.length);
    this.#shown.add(from);
    const links = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>("a[href]")].map(
        ({ href, target, rel, innerText }): Link => ({ href, target, rel, text: innerText }),
      ),
    );
    for (const link of links) {
      this.#note(link, from);
    }
    for (const name of await page.evaluate(() =>
      [...document.querySelectorAll("a[href^='#']")]
        .map((link) => link.getAttribute("href")?.slice(1) ?? "")
        .filter((id) => document.getElementById(id) === null),
    )) {
      this.#wrong.push(`${from}: #${name} is not on the page`);
    }
  }

  #note({ href, target, rel, text }: Link, from: string): void {
    const { origin, host, pathname, search, protocol } = new URL(href);
    if (origin !== this.#url) {
      const isSafe = target === "_blank" && rel.includes("noopener") && rel.includes("noreferrer");
      if (protocol.startsWith("http") && !(isSafe && text.includes(host))) {
        this.#wrong.push(`${from}: ${href} leads out as "${text}", target ${target}, rel ${rel}`);
      }
      return;
    }
    const path = `${pathname}${search}`;
    if (this.#paths.has(path)) {
      return;
    }
    this.#paths.set(path, from);
    if (!/^\/(?:explorer|wallet|status)(?:[/?]|$)/.test(path)) {
      return;
    }
    const pattern = viewPattern(path);
    const seen = this.#patterns.get(pattern) ?? new Set();
    this.#patterns.set(pattern, seen);
    if (seen.size < FOLLOWED) {
      seen.add(path);
      this.#waiting.push(path);
    }
  }

  /** The next path to follow, of a view that was not shown yet. */
  next(): string | undefined {
    const path = this.#waiting.shift();
    return path !== undefined && this.#shown.has(path) ? this.next() : path;
  }

  /** All links that lead nowhere, or out without what such a link needs. */
  async dead(): Promise<string[]> {
    const dead = [...this.#wrong];
    for (const [path, from] of this.#paths) {
      const [, page = "", noun = "", id] = new URL(path, this.#url).pathname.split("/");
      const read = page === "explorer" && id !== undefined ? READS[noun]?.(id) : undefined;
      const response = await fetch(`${this.#url}${read ?? path}`);
      await response.body?.cancel();
      if (!response.ok) {
        dead.push(`${from}: ${path}: ${response.status} of ${read ?? path}`);
      }
    }
    return dead;
  }
}
