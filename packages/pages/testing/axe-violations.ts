import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Rules whose result depends on the theme. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/**
 * Axe's findings on the shown page: the rule and the elements, one line each. `colours` checks only
 * colours, for a page that was checked in another theme.
 */
export async function axeViolations(
  page: Page,
  extent: "all" | "colours" = "all",
): Promise<string[]> {
  const options = {
    resultTypes: ["violations"],
    selectors: false,
    // No view has frames, and no rule that is on needs the style sheets read once more.
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
