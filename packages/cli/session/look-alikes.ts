import type { CalledToken } from "@moneta/sdk/look-alike";
import { visible } from "../terminal/visible-text.ts";
import { nameOf } from "../values/amounts.ts";
import { balancePages } from "./balance-pages.ts";
import type { Session } from "./session.ts";
import { trustedTokens } from "./trusted-tokens.ts";

/** Those with the lowest ids: anybody can send an address more. */
const HELD_MAX = 100;

/**
 * Warns once of each used token that resembles the native coin, a held token or a trusted one.
 * Source: explorer §3.
 */
export async function warnOfLookAlikes(
  session: Session,
  address: string | undefined,
): Promise<void> {
  const named = session.unwarnedTokens();
  if (named.length === 0) {
    return;
  }
  const { ledger_id: ledgerId, coin } = await session.service();
  const trusted = trustedTokens(ledgerId, session.environment);
  const doubtful = named.filter((token) => !trusted.includes(token));
  if (doubtful.length === 0) {
    return;
  }
  const { lookAlike } = await import("@moneta/sdk/look-alike");
  const called = async (token: string): Promise<CalledToken> => {
    const { symbol, name } = await session.lookUp<CalledToken>("token", { token });
    return { id: token, symbol, name };
  };
  let others: readonly CalledToken[] = [];
  try {
    const held = address === undefined ? [] : await heldTokens(address, session);
    const ids = new Set([...trusted, ...held].filter((token) => token !== "0"));
    others = await Promise.all([...ids].map(called));
  } catch (thrown) {
    session.output.note(`not compared with the tokens that you have: ${(thrown as Error).message}`);
  }
  const known = [{ id: "0", ...coin }, ...others];
  for (const token of await Promise.all(doubtful.map(called))) {
    const other = lookAlike(token, known);
    if (other !== undefined) {
      const whose =
        other.id === "0"
          ? "the native coin"
          : trusted.includes(other.id)
            ? "which you trust"
            : "which you have";
      session.output.warn(
        `${textOf(token)} is not ${textOf(other)}, ${whose}: it only looks like it, and anybody may give a token any symbol and name`,
      );
    }
  }
}

function textOf({ id, symbol, name }: CalledToken): string {
  return `${nameOf({ id, symbol, decimal: 0 })} (${visible(name)})`;
}

async function heldTokens(address: string, session: Session): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const { body } of balancePages("balance", { address }, session)) {
    for (const { token } of body as readonly { readonly token: string }[]) {
      found.add(token);
    }
    if (found.size > HELD_MAX) {
      break;
    }
  }
  return [...found].sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).slice(0, HELD_MAX);
}
