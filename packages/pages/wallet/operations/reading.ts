import { ProblemError } from "@moneta/sdk";
import { moneta } from "../../ledger/node.ts";
import { tokenForm } from "../../ledger/tokens.ts";
import type { FormState } from "../fields/form-state.ts";
import type { Fields, Reading } from "./fields.ts";

const TOKEN_ID = /^(?:0|[1-9][0-9]{0,39})$/;

/** The texts of a form's fields. */
function textsOf(form: FormState, fields: Fields): Record<string, string> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, form.value(name)]));
}

/** What is known now: decimals of tokens that are still being read are missing. */
export function readingNow(form: FormState, fields: Fields): Reading {
  return {
    texts: textsOf(form, fields),
    decimals: (token) => (TOKEN_ID.test(token) ? tokenForm(token).value?.decimals : undefined),
  };
}

/** What is known once every token that the form names was read. Throws if the node does not answer. */
export async function wholeReading(form: FormState, fields: Fields): Promise<Reading> {
  const texts = textsOf(form, fields);
  const named = Object.entries(fields).flatMap(([name, field]) => [
    ...(field.tokens?.(texts[name] ?? "") ?? []),
    ...(field.token === undefined ? [] : [field.token(texts)]),
  ]);
  const ids = [...new Set(named)].filter((token) => TOKEN_ID.test(token));
  const known = new Map(
    await Promise.all(ids.map(async (token) => [token, await decimalsOf(token)] as const)),
  );
  return { texts, decimals: (token) => known.get(token) };
}

/** The decimals of a token; undefined if there is no such token. */
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
