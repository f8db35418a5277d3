import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { byLane } from "../../ledger/testing/lane.ts";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const OF_COLOURS = ["color-contrast", "link-in-text-block"];
/** Entries of a list are alike: outside the last lane, axe checks five of each. */
const ALIKE = byLane({ quick: ["main :is(tbody tr, li):nth-child(n + 6)"], long: [] });

/**
 * One line each: the rule and the elements. `view` leaves out the frame of the page; `colours`
 * checks only colours, for another theme.
 */
export async function axeViolations(
  page: Page,
  extent: "all" | "view" | "colours" = "all",
): Promise<string[]> {
  const context = {
    include: [extent === "view" ? "main" : "html"],
    exclude: ALIKE,
  };
  const options = {
    resultTypes: ["violations"],
    selectors: false,
    // No view has frames, and no active rule reads style sheets again.
    iframes: false,
    preload: { assets: ["media"] },
    ...(extent === "colours" && { runOnly: { type: "rule", values: OF_COLOURS } }),
  };
  if (await page.evaluate("globalThis.axe === undefined")) {
    await page.evaluate(AXE);
  }
  return (await page.evaluate(`axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html, failureSummary }) =>
      id + ": " + html.slice(0, 200) + " " + failureSummary.split("\\n")[1].trim())))`)) as string[];
}
