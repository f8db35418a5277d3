import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** One line each: the rule and the elements. `colours` checks only colours, for another theme. */
export async function axeViolations(
  page: Page,
  extent: "all" | "colours" = "all",
): Promise<string[]> {
  const options = {
    resultTypes: ["violations"],
    selectors: false,
    // No view has frames, and no active rule reads style sheets again.
    iframes: false,
    preload: { assets: ["media"] },
    ...(extent === "all" ? {} : { runOnly: { type: "rule", values: OF_COLOURS } }),
  };
  if (await page.evaluate("globalThis.axe === undefined")) {
    await page.evaluate(AXE);
  }
  return (await page.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html, failureSummary }) =>
      id + ": " + html.slice(0, 200) + " " + failureSummary.split("\\n")[1].trim())))`)) as string[];
}
