import type { Token } from "@moneta/sdk";
import type { ReadonlySignal } from "@preact/signals";
import { moneta } from "./node.ts";
import { ReadOnce } from "./read-once.ts";
import { service } from "./service.ts";

/** How a token is shown, and its amounts. */
export interface TokenForm {
  readonly id: string;
  readonly decimals: number;
  /**
   * As its issuer wrote it, which is any text: `TokenName` and `tokenName` show it, with the id.
   * A structure test keeps other files from reading it.
   */
  readonly symbol: string;
  readonly name: string;
}

const forms = new ReadOnce(async (token): Promise<TokenForm> => {
  if (token === "0") {
    const { coin } = service.value ?? (await moneta.service());
    return { id: token, symbol: coin.symbol, name: coin.name, decimals: coin.decimal };
  }
  return formOf(await moneta.token({ token }));
});

function formOf({ id, symbol, name, decimal }: Described): TokenForm {
  return { id, symbol, name, decimals: decimal };
}

type Described = Pick<Token, "id" | "symbol" | "name" | "decimal">;

/** The symbol, the name and the decimals of a token, which never change. */
export function tokenForm(token: string): ReadonlySignal<TokenForm | undefined> {
  return forms.of(token);
}

/** Keeps the form of a token that was read for more than its form; returns the token. */
export function noted<T extends Described>(token: T): T {
  forms.note(token.id, formOf(token));
  return token;
}
