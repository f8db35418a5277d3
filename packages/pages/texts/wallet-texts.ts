import { textsOf } from "./texts.ts";
import { walletEn } from "./wallet-en.ts";

/** The texts of the wallet alone, in one language. */
export type WalletTexts = typeof walletEn;

const shown = textsOf<WalletTexts>(walletEn, {
  ko: async () => (await import("./wallet-ko.ts")).walletKo,
});

/** The wallet's texts of the page's language, as `t` has those of all pages. */
export function walletTexts(): WalletTexts {
  return shown();
}
