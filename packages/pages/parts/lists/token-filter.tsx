import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { t } from "../../texts/texts.ts";
import { tokenName } from "../amount-text.tsx";
import { WrittenFilter } from "./written-filter.tsx";

/** Source: explorer §5 */
const TEXT_MAX = 120;

export function TokenFilter({
  name = "token",
  label = t().explorer.address.token,
}: {
  readonly name?: string;
  readonly label?: string;
}): JSX.Element {
  return (
    <WrittenFilter name={name} label={label} max={TEXT_MAX} read={tokenMeant} shown={tokenName} />
  );
}

/** The text itself if none is found: the list then shows the node's refusal. */
async function tokenMeant(text: string): Promise<string> {
  const id = /^(?:.*#)?([0-9]{1,40})$/.exec(text)?.[1];
  if (id !== undefined || text === "") {
    return id ?? "";
  }
  const [found] = await moneta.search({ text, kind: "token", limit: 1 }).catch(() => []);
  return found?.id ?? text;
}
