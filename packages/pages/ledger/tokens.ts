import type { Token } from "@moneta/sdk";
import type { ReadonlySignal } from "@preact/signals";
import { moneta } from "./node.ts";
import { ReadOnce } from "./read-once.ts";
import { service } from "./service.ts";

/** How amounts of a token are shown. */
export interface TokenForm {
  readonly symbol: string;
  readonly decimals: number;
}

const forms = new ReadOnce(async (token): Promise<TokenForm> => {
  if (token === "0") {
    const { coin } = service.value ?? (await moneta.service());
    return { symbol: coin.symbol, decimals: coin.decimal };
  }
  const { symbol, decimal } = await moneta.token({ token });
  return { symbol, decimals: decimal };
});

/** The symbol and the decimals of a token, which never change. */
export function tokenForm(token: string): ReadonlySignal<TokenForm | undefined> {
  return forms.of(token);
}

/** Keeps the form of a token that was read for more than its form; returns the token. */
export function noted<T extends Pick<Token, "id" | "symbol" | "decimal">>(token: T): T {
  const { id, symbol, decimal } = token;
  forms.note(id, { symbol, decimals: decimal });
  return token;
}
