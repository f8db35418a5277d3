import { hasVisible } from "./text.ts";
import { CONFUSABLES } from "./values/confusables.ts";

/** The names that an issuer gave to a token: any text. */
export interface CalledToken {
  readonly id: string;
  readonly symbol: string;
  readonly name: string;
}

export type Prototypes = ReadonlyMap<string, string>;

let prototypes: Prototypes | undefined;

function knownPrototypes(): Prototypes {
  if (prototypes === undefined) {
    const words = CONFUSABLES.split(" ");
    const pairs = words.flatMap((word, index) =>
      index % 2 === 0
        ? [...(words[index + 1] ?? "")].map((character) => [character, word] as const)
        : [],
    );
    prototypes = new Map(pairs);
  }
  return prototypes;
}

/**
 * Equal for confusable texts; beyond UTS 39 without compatibility characters, blanks, punctuation
 * and marks. Source: UTS 39 §4.
 */
export function skeletonOf(text: string, known: Prototypes = knownPrototypes()): string {
  // Prototypes may decompose into characters that have prototypes themselves.
  const once = looked(looked(text.normalize("NFC"), known), known);
  const all = once.normalize("NFKD").replace(/[\p{M}\p{Default_Ignorable_Code_Point}\s]/gu, "");
  return all.replace(/\p{P}/gu, "") || all;
}

function looked(text: string, known: Prototypes): string {
  return [...text]
    .map(
      (character) =>
        known.get(character) ??
        [...character.normalize("NFKD")].map((part) => known.get(part) ?? part).join(""),
    )
    .join("");
}

function skeletonsOf(text: string): ReadonlySet<string> {
  return new Set(
    [text, text.toUpperCase(), text.toLowerCase()].map((each) => skeletonOf(each).toLowerCase()),
  );
}

function share(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((skeleton) => other.has(skeleton));
}

/** Whether readers could confuse two texts. Case is ignored. */
export function looksAlike(one: string, other: string): boolean {
  return one === other || share(skeletonsOf(one), skeletonsOf(other));
}

/**
 * Another token whose symbol or name looks like the symbol, a word of it, or the name of `token`.
 * Source: explorer §1.
 */
export function lookAlike<T extends CalledToken>(
  token: CalledToken,
  others: readonly T[],
): T | undefined {
  const own = calledBy(token).map(skeletonsOf);
  const words = token.symbol.split(/\s+/).filter(hasVisible).map(skeletonsOf);
  return others.find((other) => {
    if (other.id === token.id) {
      return false;
    }
    const its = calledBy(other).map(skeletonsOf);
    const symbol = hasVisible(other.symbol) ? skeletonsOf(other.symbol) : new Set<string>();
    return (
      own.some((one) => its.some((each) => share(one, each))) ||
      words.some((word) => share(word, symbol))
    );
  });
}

function calledBy({ symbol, name }: CalledToken): readonly string[] {
  return [symbol, name].filter(hasVisible);
}
