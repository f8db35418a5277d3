import {
  canonicalJson,
  type HeldAs,
  type JsonRecord,
  listedToken,
  shownToken,
  type TokenId,
} from "@moneta/protocol";
import { documentForm, membersOf } from "./document.ts";
import { type DocumentKind, subsetsOf } from "./entries.ts";
import type { LongTexts } from "./long-texts.ts";

type ShownToken = HeldAs<typeof shownToken.schema>;

/** The long texts of a token, and the effects of its creation. */
export type TokenTexts = Pick<ShownToken, "information" | "image" | "reserve" | "tier">;

/** A token: the document of tokens §2. Without an owner it cannot be burned, increased or updated. */
export interface TokenEntry
  extends Omit<ShownToken, "circulation_supply" | "remainamount" | "id" | keyof TokenTexts> {
  readonly id: TokenId;
  readonly texts: LongTexts<TokenTexts>;
}

/** The members of every token that never differ, and its id as a number. */
export function constantsOf(id: TokenId): {
  readonly token: number;
  readonly status: "";
  readonly logger: JsonRecord;
} {
  return { token: Number(id), status: "", logger: {} };
}

/** As many targets a token may have. Source: protocols §8. */
export const TARGETS_MAX = 1000;

const FORM = documentForm<TokenEntry, ShownToken>(shownToken, {
  derived: ["circulation_supply", "remainamount"],
  longTexts: ["information", "image", "reserve", "tier"],
  beside: {},
});

export const TOKEN: DocumentKind<TokenEntry> = {
  table: {
    name: "token",
    longTexts: FORM.longTexts,
    columns: {
      owner: { type: "ADDRESS", of: ({ owner }) => owner },
      symbol: { type: "TEXT", of: ({ symbol }) => symbol },
      // Targets may have 20 kB: lists read this and not the value behind it. Source: chain §10.
      listed: {
        type: "TEXT",
        of: (token) => canonicalJson(membersOf(FORM.withoutTexts(token), listedToken)),
      },
    },
    indexes: subsetsOf(["owner", "symbol"]).filter((filters) => filters.length > 0),
  },
  prefix: "token/",
  id: ({ id }) => id,
  ...FORM,
};
