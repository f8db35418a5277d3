import type { Found } from "@moneta/protocol";
import { WrongUse } from "../command-line/wrong-use.ts";
import { visible } from "../terminal/visible-text.ts";
import type { Session } from "./session.ts";

/** Whether a text is an id as pages and histories print it: `0f933a…2ae0`, `MTpphMaM…c6df22`. */
export function isShortId(text: string): boolean {
  return /^[\w-]{4,}(?:…|\.\.\.)\w{4,}$/.test(text);
}

/** For reads alone: a short id may be made to resemble another. Refuses one that fits several. */
export async function wholeId(text: string, shown: string, session: Session): Promise<string> {
  const query = { text: text.replace("...", "…") };
  const found = await session.lookUp<readonly Found[]>("search", query);
  const [only] = found;
  if (only === undefined || found.length > 1) {
    const ids = found.map(({ id }) => visible(id)).join(", ");
    throw new WrongUse(
      `${shown} is "${visible(text)}", ${only === undefined ? "but nothing on this ledger has this id" : `the short form of several ids. Give one of them: ${ids}`}`,
    );
  }
  return only.id;
}
