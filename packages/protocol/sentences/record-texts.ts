import type { RecordParameterOf, RecordType } from "../records/record-types.ts";

const SAME_AS = {
  ownerBurning: "tokenBurning",
  ownerIncrease: "tokenIncrease",
  mrc010_sell: "mrc010sell",
  mrc010_reqsell: "mrc010reqsell",
  mrc010_unsell: "mrc010unsell",
  mrc010_unreqsell: "mrc010unreqsell",
  mrc010_auction: "mrc010auction",
  mrc010_unauction: "mrc010unauction",
  mrc010_auctionfailure: "mrc010auctionfailure",
  mrc400_create: "mrc400create",
  mrc400_update: "mrc400update",
  mrc402_create: "mrc402create",
  mrc402_update: "mrc402update",
  mrc402_mint: "mrc402mint",
  mrc402_burn: "mrc402burn",
  mrc402_melt: "mrc402melt",
  mrc402_sell: "mrc402sell",
  mrc402_auction: "mrc402auction",
  mrc402_unsell: "mrc402unsell",
  mrc402_unauction: "mrc402unauction",
  mrc402_auctionfailure: "mrc402auctionfailure",
  mrc402unoffer: "mrc401unoffer",
  mrc402offerfinish: "mrc401offerfinish",
} as const satisfies { readonly [T in RecordType]?: RecordType };

type SentenceType = Exclude<RecordType, keyof typeof SAME_AS>;

type Texts = readonly [badge: string, sentence: string];

type RecordSentences = { readonly [T in SentenceType]: Texts };

export interface SentenceTexts {
  readonly units: (amount: string, isOne: boolean) => string;
  readonly oneItem: string;
  readonly items: (count: string, isOne: boolean) => string;
  readonly oneListing: string;
  readonly listings: (count: string, isOne: boolean) => string;
  readonly more: (count: string) => string;
  readonly unknown: (type: string) => string;
  /** Templates (`fillTemplate`) with the slots of `recordSlots`. */
  readonly types: RecordSentences;
}

type OtherSlot =
  | "actor"
  | "money"
  | "others"
  | "items"
  | "listings"
  | "named"
  | "paid"
  | "traded"
  | "bought"
  | "sold"
  | "seller"
  | "buyer";

type SlotsIn<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | SlotsIn<Rest> : never;

/** `unknown` for a sentence whose slots all exist, else the missing ones. */
type Checked<T> = {
  readonly [K in keyof T]: K extends SentenceType
    ? Exclude<SlotsIn<(T[K] & Texts)[1]>, RecordParameterOf<K> | OtherSlot> extends infer Unknown
      ? [Unknown] extends [never]
        ? unknown
        : readonly [badge: string, sentence: Unknown]
      : never
    : never;
};

/** Undefined for a type of a later version. */
export function recordTexts(
  { types }: SentenceTexts,
  type: string,
): { readonly badge: string; readonly sentence: string } | undefined {
  const own = Object.hasOwn(SAME_AS, type) ? SAME_AS[type as keyof typeof SAME_AS] : type;
  const found = Object.hasOwn(types, own) ? types[own as keyof RecordSentences] : undefined;
  return found && { badge: found[0], sentence: found[1] };
}

/** A sentence with a slot that its records lack is a type error. */
export function recordSentences<const T extends RecordSentences>(
  texts: T & Checked<T>,
): RecordSentences {
  return texts;
}

export function sentence<const B extends string, const S extends string>(
  badge: B,
  words: S,
): readonly [B, S] {
  return [badge, words];
}
