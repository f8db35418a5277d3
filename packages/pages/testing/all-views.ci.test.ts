import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Moneta } from "@moneta/sdk";
import type { Browser } from "playwright-core";
import type { DemoNode } from "../../../examples/demo/demo-node.ts";
import { fillWorld } from "../../../examples/demo/fill-world.ts";
import { byLane, IS_LAST_LANE } from "../../ledger/testing/lane.ts";
import { withoutChromium } from "../../node/testing/chromium.ts";
import { axeViolations } from "./axe-violations.ts";
import { follow } from "./follow.ts";
import { demoNode, inBrowser } from "./in-browser.ts";
import { LinkWalk } from "./link-walk.ts";
import { boundsOf, bytesOf, type Loaded, loaded } from "./loaded.ts";
import { openAccount } from "./open-account.ts";
import { OpenedPage } from "./opened-page.ts";
import { overflow } from "./overflow.ts";
import { oneOfEach, thingsOf, viewPaths, viewPattern } from "./views.ts";

type Theme = "light" | "dark";
/** A zoom of 200 %. */
const ZOOMED = 640;
/** With the themes in which axe sees one view of each kind. */
const LOOKS: readonly (readonly [width: number, themes: readonly Theme[]])[] = byLane({
  quick: [],
  ci: [
    [360, ["light"]],
    [1280, []],
  ],
  long: [
    [360, ["light", "dark"]],
    [1280, ["light", "dark"]],
    [2560, ["light", "dark"]],
    [ZOOMED, []],
  ],
});
const ENTRY = ":is(tbody tr, li)";
/** With everything that the browser loads. Source: explorer §1. */
const FIRST_KB = 120;
const FURTHER_KB = 60;
/** Views with more lazy files than that; they do not load all of them. */
const LARGE = ["token-view", "item-view", "new-thing-view", "thing-view"];

/** Each page's first view, and those of `LARGE`. */
function isMeasured(path: string): boolean {
  return /^\/\w+$|^\/explorer\/(?:token|item)\/|^\/wallet\/\w+\/./.test(path);
}

/** The browser's messages on 404: a view requests an item of either kind. */
function isOfLookUp(complaint: string): boolean {
  return /status of 404 .*\/mrc40[12]\/MRC400_\w+$/.test(complaint);
}

/** Axe has seen its frame already. */
function isTab(path: string): boolean {
  return path.includes("?tab=");
}

// On a fresh node and with a world. Source: explorer §1.
describe("all views", { skip: withoutChromium() }, () => {
  let node: DemoNode;
  let browser: Browser;
  let opened: OpenedPage;
  let walk: LinkWalk;
  /** By caption: whether it had entries on any view. */
  const lists = new Map<string, boolean>();
  const sizes = new Map<string, Loaded>();

  inBrowser(demoNode, async (started) => {
    ({ node, browser } = started);
    walk = new LinkWalk(node.url);
    opened = await OpenedPage.open(browser, node.url, "/explorer");
  });

  /** Except its looks. */
  async function faults(path: string, isLoaded = false): Promise<string[]> {
    const { page, complaints, elsewhere } = opened;
    if (isLoaded) {
      await page.goto(`${node.url}${path}`);
      await opened.isShown();
    } else {
      await follow(opened, path);
    }
    const problems = await page.locator("main .problem, main dl:empty").allInnerTexts();
    const noted = complaints.splice(0).filter((complaint) => !isOfLookUp(complaint));
    return [...problems, ...noted, ...elsewhere.splice(0)];
  }

  test("on a fresh ledger, and for a new account, every view is shown, and empty lists say so", async (t) => {
    for (const [name, path] of Object.entries(viewPaths())) {
      if (path === "/wallet") {
        await openAccount(opened);
      }
      await t.test(name, async () => {
        assert.deepEqual(await faults(path), []);
        const silent = opened.page.locator(`main .list:not(:has(${ENTRY}, .empty))`);
        assert.deepEqual(await silent.allInnerTexts(), []);
        if (!isTab(path) && byLane({ quick: false, long: true })) {
          assert.deepEqual(await axeViolations(opened.page), []);
        }
      });
    }
  });

  test("with a world every view is shown, in the widths and themes of the lane, and printed", async (t) => {
    const world = await fillWorld(new Moneta(node.url));
    const paths = viewPaths(thingsOf(world));
    const examples = oneOfEach(paths);
    const { page } = opened;
    const patternOf = (path: string) => viewPattern(path).replace("MRC402", "MRC400");
    const patterns = new Set(Object.values(paths).map(patternOf));
    for (const [name, path] of Object.entries(paths)) {
      await t.test(name, async () => {
        const isExample = name in examples && !isTab(path);
        const isLoaded = isExample && isMeasured(path);
        assert.deepEqual(await faults(path, isLoaded), []);
        const { shown, tabs } = await page.evaluate(listsAndTabs, ENTRY);
        for (const [caption, isFilled] of shown) {
          // The wallet's own tests check new accounts.
          lists.set(caption, path.startsWith("/wallet") || isFilled || lists.get(caption) === true);
        }
        assert.deepEqual(
          tabs.filter((tab) => !patterns.has(patternOf(tab))),
          [],
          "tabs that no view of the list has",
        );
        if (isLoaded) {
          sizes.set(path, await loaded(page));
        }
        await walk.take(page);
        const wrong = await looks(isExample ? "all" : name in examples ? "tab" : "repeated");
        assert.deepEqual(wrong, []);
      });
    }
  });

  /** And axe's findings. */
  async function looks(of: "all" | "tab" | "repeated"): Promise<string[]> {
    const { page } = opened;
    const isHome = /^\/\w+$/.test(new URL(page.url()).pathname);
    const wrong: string[] = [];
    const note = (where: string, found: readonly string[]): void => {
      wrong.push(...found.map((one) => `${where}: ${one}`));
    };
    const current = page.viewportSize()?.width;
    // The width of the last view first.
    const sorted = LOOKS.toSorted(([a], [b]) => Number(b === current) - Number(a === current));
    for (const [width, themes] of of === "repeated" ? LOOKS.slice(0, 1) : sorted) {
      if (width !== page.viewportSize()?.width) {
        await page.setViewportSize({ width, height: 900 });
      }
      note(`${width} px`, await overflow(page));
      if (of === "tab" && width === 1280) {
        note("axe", await axeViolations(page, "view"));
      }
      for (const colorScheme of of === "all" ? themes : []) {
        await page.emulateMedia({ colorScheme });
        const extent = colorScheme === "dark" ? "colours" : isHome ? "all" : "view";
        note(`axe, ${width} px, ${colorScheme}`, await axeViolations(page, extent));
      }
    }
    if (of === "repeated" || (!isHome && !IS_LAST_LANE)) {
      return wrong;
    }
    await page.emulateMedia({ media: "print", colorScheme: "light" });
    note("print", await overflow(page));
    await page.emulateMedia({ media: "screen" });
    return wrong;
  }

  test("each list has entries on some view", () => {
    const empty = [...lists].filter(([, isFilled]) => !isFilled).map(([caption]) => caption);
    assert.deepEqual(empty, []);
  });

  test("the first view of a page has at most 120 KB, and each further one at most 60 more", (t) => {
    const tooLarge: string[] = [];
    for (const [path, ofView] of sizes) {
      const first = sizes.get(`/${path.split(/[/?]/)[1]}`) as Loaded;
      const isFirst = first === ofView;
      const kilobytes = bytesOf(ofView, isFirst ? new Map() : first) / 1000;
      assert.ok(!isFirst || kilobytes > 10, `the browser says what it has loaded: ${kilobytes} KB`);
      t.diagnostic(`${path}: ${kilobytes} KB`);
      if (kilobytes > (isFirst ? FIRST_KB : FURTHER_KB)) {
        tooLarge.push(`${path}: ${kilobytes} KB`);
      }
    }
    const bounds = ["explorer", "wallet"].flatMap((page) => [...boundsOf(page)]);
    for (const [view, bytes] of bounds) {
      if (bytes > FURTHER_KB * 1000 && !LARGE.includes(view)) {
        tooLarge.push(`${view}: at most ${bytes / 1000} KB`);
      }
    }
    assert.deepEqual(
      LARGE.filter((large) => !bounds.some(([view]) => view === large)),
      [],
    );
    assert.deepEqual(tooLarge, []);
  });

  test("Korean words have the width of their characters, not of boxes, the first one of a size too", async () => {
    await using korean = await OpenedPage.open(browser, node.url, "/explorer", { locale: "ko" });
    await korean.isShown();
    await korean.page.waitForFunction(() => {
      const [first] = document.querySelectorAll<HTMLElement>("header nav a");
      const range = document.createRange();
      range.selectNodeContents(first as HTMLElement);
      const { width } = range.getBoundingClientRect();
      const size = Number.parseFloat(getComputedStyle(first as HTMLElement).fontSize);
      return first?.innerText === "탐색기" && width > 2.4 * size;
    });
  });

  test("no link of any view is dead, and all that are followed are shown", async () => {
    for (let path = walk.next(); path !== undefined; path = walk.next()) {
      assert.deepEqual(await faults(path), [], path);
      await walk.take(opened.page);
    }
    assert.deepEqual(await walk.dead(), []);
  });
});

/** Runs in the page: whether each list has entries, and where the tabs lead. */
function listsAndTabs(entry: string): {
  readonly shown: readonly (readonly [caption: string, isFilled: boolean])[];
  readonly tabs: readonly string[];
} {
  const lists = [...document.querySelectorAll("main .list")];
  const tabs = [...document.querySelectorAll<HTMLAnchorElement>("main .tabs a")];
  return {
    shown: lists.map((list) => [
      list.getAttribute("aria-label") ?? "",
      list.querySelector(entry) !== null,
    ]),
    tabs: tabs.map(({ href }) => href),
  };
}
