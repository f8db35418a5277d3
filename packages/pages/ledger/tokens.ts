import type { ReadonlySignal } from "@preact/signals";
import { moneta } from "./node.ts";
import { readOnce } from "./read-once.ts";
import { service } from "./service.ts";

/** How amounts of a token are shown. */
export interface TokenForm {
  readonly symbol: string;
  readonly decimals: number;
}

/** The symbol and the decimals of a token, which never change. */
export const tokenForm: (token: string) => ReadonlySignal<TokenForm | undefined> = readOnce(
  async (token) => {
    if (token === "0") {
      const { coin } = service.value ?? (await moneta.service());
      return { symbol: coin.symbol, decimals: coin.decimal };
    }
    const { symbol, decimal } = await moneta.token({ token });
    return { symbol, decimals: decimal };
  },
);
