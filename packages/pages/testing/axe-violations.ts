import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core")), "utf8");

/** What axe finds on the page as it is shown: the rule and the elements, one line each. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(`globalThis.axe === undefined && (() => { ${AXE} })()`);
  return (await page.evaluate(`axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html, failureSummary }) =>
      id + ": " + html.slice(0, 200) + " " + failureSummary.split("\\n")[1].trim())))`)) as string[];
}
