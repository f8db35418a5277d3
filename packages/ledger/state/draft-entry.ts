import type { Address, Json, Texts } from "@moneta/protocol";
import { type DocumentKind, documentKind } from "./entries.ts";

/** A token that somebody has saved and not created yet. Source: tokens §3, chain §5. */
export interface DraftEntry {
  readonly owner: Address;
  readonly name: string;
  /** Ledger time of the save, Unix seconds. */
  readonly saved: number;
  /** `params` of the save. */
  readonly params: Texts;
  /** Running number of the save's transaction: of two that were saved in the same second the newer one has the higher. No part of the state that blocks commit to. */
  readonly transactionNumber: number;
}

export const DRAFT: DocumentKind<DraftEntry> = documentKind({
  table: {
    name: "draft",
    columns: { owner: { type: "ADDRESS", of: ({ owner }) => owner } },
    indexes: [["owner"]],
  },
  prefix: "draft/",
  id: ({ owner, name }) => `${owner}/${name}`,
  json: ({ saved, params }) => ({ params, saved }),
  stored: (draft) => ({ ...draft }) as unknown as Json,
  restore: (stored) => stored as unknown as DraftEntry,
});
