import { ProblemError, type Token } from "@moneta/sdk";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { moneta } from "./node.ts";
import { service } from "./service.ts";

/** How amounts of a token are shown. */
export interface TokenForm {
  readonly symbol: string;
  readonly decimals: number;
}

const forms = new Map<string, Signal<TokenForm | undefined>>();

/**
 * The symbol and the decimals of a token; undefined until they are known, and for a token that does
 * not exist. They never change, so each is asked for at most once.
 */
export function tokenForm(token: string): ReadonlySignal<TokenForm | undefined> {
  const known = forms.get(token);
  if (known !== undefined) {
    return known;
  }
  const form = signal<TokenForm | undefined>(undefined);
  forms.set(token, form);
  void load(token, form);
  return form;
}

/** Keeps the form of a token that was read for more than its form; returns the token. */
export function noted<T extends Pick<Token, "id" | "symbol" | "decimal">>(token: T): T {
  const { id, symbol, decimal } = token;
  const form = forms.get(id);
  if (form === undefined) {
    forms.set(id, signal({ symbol, decimals: decimal }));
  } else {
    form.value ??= { symbol, decimals: decimal };
  }
  return token;
}

async function load(token: string, form: Signal<TokenForm | undefined>): Promise<void> {
  try {
    if (token === "0") {
      const { coin } = service.value ?? (await moneta.service());
      form.value = { symbol: coin.symbol, decimals: coin.decimal };
    } else {
      const { symbol, decimal } = await moneta.token({ token });
      form.value = { symbol, decimals: decimal };
    }
  } catch (error) {
    if (!(error instanceof ProblemError && error.status === 404)) {
      forms.delete(token); // whoever shows it next asks again
    }
  }
}
