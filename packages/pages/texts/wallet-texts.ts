import { textsOf } from "./texts.ts";
import { walletEn } from "./wallet-en.ts";

export type WalletTexts = typeof walletEn;

const shown = textsOf<WalletTexts>(walletEn, {
  ko: async () => (await import("./wallet-ko.ts")).walletKo,
});

export function walletTexts(): WalletTexts {
  return shown();
}
