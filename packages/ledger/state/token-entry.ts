import {
  type Address,
  byName,
  canonicalJson,
  type HeldAs,
  type JsonRecord,
  listedToken,
  recordSchema,
  type SchemaOf,
  shownToken,
  type TokenId,
  textSchema,
  timeSchema,
} from "@moneta/protocol";
import { documentForm, membersOf } from "./document.ts";
import { type DocumentKind, subsetsOf } from "./entries.ts";
import type { IndexReader } from "./index-reader.ts";
import type { LongTexts } from "./long-texts.ts";

type ShownToken = HeldAs<typeof shownToken.schema>;

/** The long texts of a token, and the effects of its creation. */
export type TokenTexts = Pick<ShownToken, "information" | "image" | "reserve" | "tier">;

/** Without an owner it cannot be burned, increased or updated. */
export interface TokenEntry
  extends Omit<ShownToken, "circulation_supply" | "remainamount" | "id" | keyof TokenTexts> {
  readonly id: TokenId;
  readonly texts: LongTexts<TokenTexts>;
}

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
    names: {
      kind: "token",
      from: ["id", "symbol", "name"],
      number: ({ id }) => Number(id),
      of: ({ id, symbol, name }) => [`${id} ${symbol}`, name],
    },
    longTexts: FORM.longTexts,
    columns: {
      owner: { type: "ADDRESS", of: ({ owner }) => owner },
      symbol: { type: "TEXT", of: ({ symbol }) => symbol },
      // Targets may have 20 kB: lists read this and not the value. Source: chain §10.
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

/** Ledger time of a save. Source: chain §5. */
const draftSchema: SchemaOf<{
  readonly saved: number;
  readonly params: { readonly [name: string]: string };
}> = recordSchema("Draft", {
  saved: timeSchema,
  params: byName(textSchema, "`params` of the save"),
});

/** A saved token that has not been created yet. Source: tokens §3, chain §5. */
export interface DraftEntry extends HeldAs<typeof draftSchema> {
  readonly owner: Address;
  readonly name: string;
  /** Orders drafts saved in the same second. */
  readonly operationNumber: number;
}

/** A draft's content may have an image of 131,072 characters. */
export type DraftHead = Pick<DraftEntry, "owner" | "name" | "saved" | "operationNumber">;

/** Drafts that an owner has at most. Source: tokens §3. */
export const DRAFTS_MAX = 10;

export const DRAFT: DocumentKind<DraftEntry> = {
  table: {
    name: "draft",
    columns: {
      owner: { type: "ADDRESS", of: ({ owner }) => owner },
      saved: { type: "INTEGER", of: ({ saved }) => saved },
      saved_by: { type: "INTEGER", of: ({ operationNumber }) => operationNumber },
    },
    indexes: [["owner"]],
  },
  prefix: "draft/",
  id: draftId,
  follows(id) {
    const nameAt = id.indexOf("/") + 1;
    return { owner: id.slice(0, nameAt - 1), name: id.slice(nameAt) };
  },
  ...documentForm<DraftEntry, HeldAs<typeof draftSchema>, "operationNumber">(
    { schema: draftSchema },
    { stored: ["operationNumber"], beside: { owner: "" as Address, name: "" } },
  ),
};

export function draftId({ owner, name }: Pick<DraftHead, "owner" | "name">): string {
  return `${owner}/${name}`;
}

/** In ascending order. Reads no token, so that images cost nothing. */
export function tokenIdsOwnedBy(
  state: IndexReader,
  owner: Address,
  limit: number,
): readonly TokenId[] {
  const number = state.addressNumber(owner);
  return number === undefined
    ? []
    : (state.ids(TOKEN, { index: ["owner"], equal: [number], limit }) as TokenId[]);
}

/** Without their content, the oldest first. */
export function draftsOf(state: IndexReader, owner: Address): readonly DraftHead[] {
  const number = state.addressNumber(owner);
  if (number === undefined) {
    return [];
  }
  const query = { index: ["owner"], equal: [number], limit: DRAFTS_MAX };
  return state
    .rows(DRAFT, query, ["saved", "saved_by"])
    .map(([id, cells]) => ({
      owner,
      name: id.slice(owner.length + 1),
      saved: cells["saved"] as number,
      operationNumber: cells["saved_by"] as number,
    }))
    .toSorted((a, b) => a.operationNumber - b.operationNumber);
}
