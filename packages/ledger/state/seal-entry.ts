import { type Address, keyhashText } from "@moneta/protocol";
import { sha256 } from "../sha256.ts";
import { type DocumentKind, subsetsOf } from "./entries.ts";
import { type Copy, converted, form, number, object, stored, text } from "./fields.ts";

/** A text that its owner has committed to. Source: protocols §6. */
export interface Seal {
  /** `MRC020_`, the owner, `_` and the reference key. */
  readonly id: string;
  readonly owner: Address;
  readonly algorithm: string;
  readonly data: string;
  /** 64 hex digits. */
  readonly keyhash: string;
  /** Unix seconds. */
  readonly createDate: number;
  readonly openDate: number;
  readonly referenceKey: string;
  /** What has opened it, `""` before. */
  readonly key: string;
  readonly isOpen: boolean;
  /** Unix seconds, 0 before. */
  readonly opened: number;
  /** Its place among all seals; no part of the state that blocks commit to. */
  readonly order: number;
}

/** What lists find seals by. */
export type SealState = "closed" | "open";

export function sealState({ isOpen }: Pick<Seal, "isOpen">): SealState {
  return isOpen ? "open" : "closed";
}

/** Source: protocols §6. */
export function sealId(owner: Address, referenceKey: string): string {
  return `MRC020_${owner}_${referenceKey}`;
}

/** What the owner has committed to if this is the key. Source: protocols §5.2. */
export function keyhashOf(
  { owner, referenceKey: referencekey, openDate, algorithm, data }: Seal,
  { ledgerId, key }: { readonly ledgerId: string; readonly key: string },
): string {
  const opendate = String(openDate);
  const bound = { ledgerId, owner, referencekey, opendate, algorithm, data, key };
  return sha256.hex(keyhashText(bound));
}

const copy: Copy = (blank) => ({ ...blank });

/** As `GET /mrc020/{mrc020key}` shows it. */
const FIELDS = object<Seal>(
  {
    id: text("id"),
    owner: text<Address>("owner"),
    algorithm: text("algorithm"),
    data: text("data"),
    keyhash: text("keyhash"),
    createDate: number("createdate"),
    openDate: number("opendate"),
    referenceKey: text("referencekey"),
    key: text("publickey"),
    isOpen: converted("is_open", { write: Number, read: Boolean, none: 0 }),
    opened: number("opened"),
    order: stored(number("order")),
  },
  copy,
);

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
  id: ({ id }) => id,
  ...form(FIELDS),
};
