import assert from "node:assert/strict";
import { test } from "node:test";
import { en } from "./en.ts";
import { ko } from "./ko.ts";
import { walletEn } from "./wallet-en.ts";
import { walletKo } from "./wallet-ko.ts";

/** Without words of a language. */
const NEUTRAL = new Set(["explorer.token.titleOf", "operations.unitsOf"]);

test("every text is translated", () => {
  assert.deepEqual(equalTexts({ ...en, ...walletEn }, { ...ko, ...walletKo }, ""), []);
});

function equalTexts(one: object, other: object, within: string): string[] {
  return Object.entries(one).flatMap(([key, text]): string[] => {
    const name = `${within}${key}`;
    const translated = (other as Readonly<Record<string, unknown>>)[key];
    if (typeof text === "object" && text !== null && typeof translated === "object") {
      return equalTexts(text, translated ?? {}, `${name}.`);
    }
    const isSame = String(text) === String(translated);
    return isSame && /[a-z]{2}/.test(String(text)) && !NEUTRAL.has(name) ? [name] : [];
  });
}
