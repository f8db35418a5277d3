import type { Address, Texts } from "@moneta/protocol";
import type { DocumentKind } from "./entries.ts";
import { form, number, object, stored, text, unchanged } from "./fields.ts";

/** A token that somebody has saved and not created yet. Source: tokens §3, chain §5. */
export interface DraftEntry {
  readonly owner: Address;
  readonly name: string;
  /** Ledger time of the save, Unix seconds. */
  readonly saved: number;
  /** `params` of the save. */
  readonly params: Texts;
  /**
   * Running number of the save's transaction: of two that were saved in the same second the newer
   * one has the higher. No part of the state that blocks commit to.
   */
  readonly transactionNumber: number;
}

/** What tells drafts apart; their content may have an image of 131,072 characters. */
export type DraftHead = Pick<DraftEntry, "owner" | "name" | "saved" | "transactionNumber">;

/** Drafts that an owner has at most. Source: tokens §3. */
export const DRAFTS_MAX = 10;

export const DRAFT: DocumentKind<DraftEntry> = {
  table: {
    name: "draft",
    columns: {
      owner: { type: "ADDRESS", of: ({ owner }) => owner },
      saved: { type: "INTEGER", of: ({ saved }) => saved },
      saved_by: { type: "INTEGER", of: ({ transactionNumber }) => transactionNumber },
    },
    indexes: [["owner"]],
  },
  prefix: "draft/",
  id: draftId,
  ...form(
    object<DraftEntry>({
      owner: stored(text("owner")),
      name: stored(text("name")),
      saved: number("saved"),
      params: unchanged("params"),
      transactionNumber: stored(number("transactionNumber")),
    }),
  ),
};

export function draftId({ owner, name }: Pick<DraftHead, "owner" | "name">): string {
  return `${owner}/${name}`;
}
