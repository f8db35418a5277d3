import type { Page } from "playwright-core";

/**
 * Elements wider than their place, which make the page scroll sideways or cut off their content.
 * Correct: elements that scroll, or end in an ellipsis. Waits for what follows the width, such as a
 * chart.
 */
export async function overflow(page: Page): Promise<string[]> {
  return await page.evaluate(async () => {
    await new Promise((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
    });
    const found: string[] = [];
    const name = (element: Element): string => {
      const { tagName, className, textContent } = element;
      return `${tagName.toLowerCase()}.${String(className)} "${textContent?.slice(0, 40)}"`;
    };
    const root = document.documentElement;
    const width = root.clientWidth;
    if (root.scrollWidth > width) {
      const wide = [...document.body.querySelectorAll("*")].filter(
        (element) => element.getBoundingClientRect().right > width + 1,
      );
      found.push(`${root.scrollWidth} px on ${width}: ${wide.slice(-1).map(name)}`);
    }
    for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
      const { overflowX, textOverflow } = getComputedStyle(element);
      const isCut =
        ["clip", "hidden"].includes(overflowX) &&
        textOverflow !== "ellipsis" &&
        !(element instanceof HTMLInputElement);
      if (isCut && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1) {
        found.push(`${element.scrollWidth} px cut off at ${element.clientWidth}: ${name(element)}`);
      }
    }
    return found;
  });
}
