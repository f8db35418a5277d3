import { FOUND_MAX, type Found } from "@moneta/protocol";
import { WrongUse } from "../command-line/wrong-use.ts";
import { visible } from "../terminal/visible-text.ts";
import { nameOf } from "../values/amounts.ts";
import type { Session } from "./session.ts";

/** Whether a text can be a symbol or name, not a mistyped id or amount. */
export function isTokenName(text: string): boolean {
  return /[^0-9.,+-]/.test(text) && text.length <= 100;
}

/** By id, symbol, name, or as in `GLD #7`. Ignores case; refuses a text that fits several. */
export async function namedToken(text: string, shown: string, session: Session): Promise<string> {
  if (!isTokenName(text)) {
    return text;
  }
  const query = { text, kind: "token", limit: String(FOUND_MAX) };
  const found = await session.lookUp<readonly Found[]>("search", query);
  const meant = text.toLowerCase();
  const fitting = found.filter(({ id, symbol = "", name }) =>
    [symbol, name, `${symbol} #${id}`].some((each) => each.toLowerCase() === meant),
  );
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) {
    session.output.note(`${shown} is token ${only.id}, ${described(only)}`);
    return only.id;
  }
  const candidates = (fitting.length > 0 ? fitting : found).map(
    (one) => `${one.id} (${described(one)})`,
  );
  throw new WrongUse(
    `${shown} is "${visible(text)}", ${fitting.length > 1 ? "the symbol or name of several tokens" : "but no token has this symbol or name"}.${
      candidates.length === 0 ? "" : ` Give the id of one: ${candidates.join(", ")}`
    }`,
  );
}

function described({ id, symbol = "", name }: Found): string {
  return `${nameOf({ id, symbol, decimal: 0 })}, ${visible(name)}`;
}
