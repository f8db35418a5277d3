import { type Address, type HeldAs, keyhashText, shownSeal } from "@moneta/protocol";
import { sha256 } from "../sha256.ts";
import { documentForm } from "./document.ts";
import { type DocumentKind, subsetsOf } from "./entries.ts";

export interface Seal extends HeldAs<typeof shownSeal.schema> {
  readonly order: number;
}

export type SealState = "closed" | "open";

function sealState({ is_open }: Pick<Seal, "is_open">): SealState {
  return is_open === 1 ? "open" : "closed";
}

/** Source: protocols §6. */
export function sealId(owner: Address, referenceKey: string): string {
  return `MRC020_${owner}_${referenceKey}`;
}

/** The owner's commitment to this key. Source: protocols §5.2. */
export function keyhashOf(
  { owner, referencekey, opendate, algorithm, data }: Seal,
  { ledgerId, key }: { readonly ledgerId: string; readonly key: string },
): string {
  const bound = { ledgerId, owner, referencekey, opendate: String(opendate), algorithm, data, key };
  return sha256.hex(keyhashText(bound));
}

export const SEAL: DocumentKind<Seal> = {
  table: {
    name: "seal",
    rowNumber: ({ order }) => order,
    columns: {
      owner: { type: "ADDRESS", of: ({ owner }) => owner },
      state: { type: "TEXT", of: sealState },
    },
    indexes: subsetsOf(["owner"]).map((filters) => [...filters, "state"]),
  },
  prefix: "mrc020/",
  noun: "a sealed text",
  id: ({ id }) => id,
  ...documentForm<Seal, HeldAs<typeof shownSeal.schema>, "order">(shownSeal, {
    stored: ["order"],
    beside: {},
    copy: (blank) => ({ ...blank }),
  }),
};
