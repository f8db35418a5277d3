import {
  type Address,
  byName,
  type HeldAs,
  recordSchema,
  type SchemaOf,
  textSchema,
  timeSchema,
} from "@moneta/protocol";
import { documentForm } from "./document.ts";
import type { DocumentKind } from "./entries.ts";

/** Ledger time of a save, and its `params`. Source: chain §5. */
const schema: SchemaOf<{
  readonly saved: number;
  readonly params: { readonly [name: string]: string };
}> = recordSchema("Draft", {
  saved: timeSchema,
  params: byName(textSchema, "`params` of the save"),
});

/** A token that somebody has saved and not created yet. Source: tokens §3, chain §5. */
export interface DraftEntry extends HeldAs<typeof schema> {
  readonly owner: Address;
  readonly name: string;
  /**
   * Running number of the save's transaction: of two that were saved in the same second the newer
   * one has the higher. No part of the state that blocks commit to.
   */
  readonly operationNumber: number;
}

/** What tells drafts apart; their content may have an image of 131,072 characters. */
export type DraftHead = Pick<DraftEntry, "owner" | "name" | "saved" | "operationNumber">;

/** Drafts that an owner has at most. Source: tokens §3. */
export const DRAFTS_MAX = 10;

export const DRAFT: DocumentKind<DraftEntry> = {
  table: {
    name: "draft",
    isCurrentOnly: true,
    columns: {
      owner: { type: "ADDRESS", of: ({ owner }) => owner },
      saved: { type: "INTEGER", of: ({ saved }) => saved },
      saved_by: { type: "INTEGER", of: ({ operationNumber }) => operationNumber },
    },
    indexes: [["owner"]],
  },
  prefix: "draft/",
  id: draftId,
  ...documentForm<DraftEntry, HeldAs<typeof schema>>(
    { schema },
    { beside: { owner: "" as Address, name: "", operationNumber: 0 } },
  ),
};

export function draftId({ owner, name }: Pick<DraftHead, "owner" | "name">): string {
  return `${owner}/${name}`;
}
