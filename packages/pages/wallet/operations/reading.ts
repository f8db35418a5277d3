import { ProblemError } from "@moneta/sdk";
import { moneta } from "../../ledger/node.ts";
import { tokenForm } from "../../ledger/tokens.ts";
import { locale } from "../../texts/texts.ts";
import type { FormState } from "../fields/form-state.ts";
import { type Fields, type Reading, tokensIn } from "./fields.ts";

function textsOf(form: FormState, fields: Fields): Record<string, string> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, form.value(name)]));
}

/** Without decimals that are still being read. */
export function readingNow(form: FormState, fields: Fields): Reading {
  return {
    texts: textsOf(form, fields),
    decimals: decimalsNow,
    locale: locale(),
  };
}

/** After reading all named tokens. Throws if the node does not respond. */
export async function wholeReading(form: FormState, fields: Fields): Promise<Reading> {
  const texts = textsOf(form, fields);
  const named = Object.entries(fields).flatMap(([name, field]) =>
    tokensIn(field, texts[name] ?? "", texts),
  );
  return { texts, decimals: await readDecimals(named), locale: locale() };
}

const isTokenId = (text: string): boolean => /^(?:0|[1-9][0-9]{0,39})$/.test(text);

/** As known now; reads them for later. */
export function decimalsNow(token: string): number | undefined {
  return isTokenId(token) ? tokenForm(token).value?.decimals : undefined;
}

/** Throws if the node does not respond. */
export async function readDecimals(named: readonly string[]): Promise<Reading["decimals"]> {
  const ids = [...new Set(named)].filter(isTokenId);
  const known = new Map(
    await Promise.all(ids.map(async (token) => [token, await decimalsOf(token)] as const)),
  );
  return (token) => known.get(token);
}

/** Undefined if it does not exist. */
async function decimalsOf(token: string): Promise<number | undefined> {
  const known = tokenForm(token).peek();
  if (known !== undefined) {
    return known.decimals;
  }
  try {
    return (await moneta.token({ token })).decimal;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) {
      return undefined;
    }
    throw error;
  }
}
