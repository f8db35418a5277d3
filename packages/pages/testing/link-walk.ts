import type { Page } from "playwright-core";
import { byLane } from "../../ledger/testing/lane.ts";
import { viewPattern } from "./views.ts";

/** So many links of one pattern are followed; more would show the same view. */
const FOLLOWED = byLane({ quick: 1, long: 2 });

/** Reads that show whether a thing of a noun exists. */
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

/** The names under which a machine reaches itself. */
const LOOP_BACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

interface Link {
  readonly href: string;
  readonly target: string;
  readonly rel: string;
  readonly text: string;
}

/**
 * Where a link of a view leads: to the node under the URL of the view (`here`), to the same node by
 * another name of this machine (`renamed`, for passkeys: authority §3), elsewhere as such a link must
 * (`out`: its text names the host, its page cannot reach back), or elsewhere without that (`unsafe`).
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

/** The links of views: which to follow in the browser, and which lead nowhere. */
export class LinkWalk {
  readonly #url: string;
  readonly #patterns = new Map<string, Set<string>>();
  readonly #waiting: string[] = [];
  /** Paths of views that were shown, and need not be followed. */
  readonly #shown = new Set<string>();
  /** Paths of the node, or URLs of it by another name, and the view that has led there first. */
  readonly #paths = new Map<string, string>();
  readonly #wrong: string[] = [];

  constructor(url: string) {
    this.#url = url;
  }

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
    // A page by another name has a storage of its own, so it is requested and not followed.
    const path = lead === "renamed" ? href : `${pathname}${search}`;
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

  /** All dead links, and those to other sites without the required attributes. */
  async dead(): Promise<string[]> {
    const dead = [...this.#wrong];
    for (const [path, from] of this.#paths) {
      const [, page = "", noun = "", id] = new URL(path, this.#url).pathname.split("/");
      const read = page === "explorer" && id !== undefined ? READS[noun]?.(id) : undefined;
      const response = await fetch(new URL(read ?? path, this.#url));
      await response.body?.cancel();
      if (!response.ok) {
        dead.push(`${from}: ${path}: ${response.status} of ${read ?? path}`);
      }
    }
    return dead;
  }
}
