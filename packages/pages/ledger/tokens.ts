import type { CallOptions, Token } from "@moneta/sdk";
import type { ReadonlySignal } from "@preact/signals";
import { moneta } from "./node.ts";
import { ReadOnce } from "./read-once.ts";
import { service } from "./service.ts";
import { type Read, useRead } from "./use-read.ts";

export interface TokenForm {
  readonly id: string;
  readonly decimals: number;
  /**
   * The issuer's text: `TokenName` and `tokenName` show it, with the id. A structure test keeps
   * other files from reading it.
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

/** Symbol, name and decimals, which never change. */
export function tokenForm(token: string): ReadonlySignal<TokenForm | undefined> {
  return forms.of(token);
}

export function noted<T extends Described>(token: T): T {
  forms.note(token.id, formOf(token));
  return token;
}

export function useToken(token: string, { live = false } = {}): Read<Token> {
  return useRead(
    `token ${token}`,
    async (options) => noted(await moneta.token({ token }, options)),
    { live },
  );
}

/**
 * How many addresses hold it, which only the list of tokens has. Undefined if its owner has created
 * a hundred of this symbol since.
 */
export async function holdersOf(
  { id, owner, symbol }: Described & Pick<Token, "owner">,
  options: CallOptions,
): Promise<number | undefined> {
  const of = { symbol, ...(owner !== "" && { owner }), limit: 100 };
  const { items } = await moneta.tokens(of, options);
  return items.find((one) => one.id === id)?.holders;
}
