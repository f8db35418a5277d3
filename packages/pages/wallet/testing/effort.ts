import type { Page } from "playwright-core";

/** Clicks on links, buttons and chosen files, and filled-in fields. */
export interface Effort {
  readonly clicks: number;
  readonly fields: number;
}

/** Until the page is loaded again. Returns the count so far. */
export async function countEffort(page: Page): Promise<() => Promise<Effort>> {
  await page.evaluate(() => {
    const effort = { clicks: 0, fields: 0 };
    const filled = new Set<EventTarget>();
    Object.assign(window, { effort });
    const listen = (type: string, heard: (target: Element) => void): void =>
      document.addEventListener(
        type,
        ({ isTrusted, target }) => isTrusted && target instanceof Element && heard(target),
        { capture: true },
      );
    listen("click", (target) => {
      effort.clicks += target.closest("a, button, summary, [role=option]") === null ? 0 : 1;
    });
    listen("input", (target) => {
      if (target.matches("[type=file]")) {
        effort.clicks += 1;
      } else if (!filled.has(target)) {
        effort.fields += 1;
        filled.add(target);
      }
    });
  });
  return async () => (await page.evaluate("window.effort")) as Effort;
}
