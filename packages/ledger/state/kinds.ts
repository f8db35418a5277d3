import { BALANCE, LOCK } from "./balances/balance.ts";
import type { DocumentKind, DocumentTable, EntryKind } from "./entries.ts";
import { ADDRESS, COUNT, PROTOCOL, STATE_ROOT } from "./entries.ts";
import { GRANT, GRANT_PERIODS } from "./grant-entry.ts";
import { ITEM } from "./item-entry.ts";
import { KEY_SET, KEY_USE } from "./key-set-entry.ts";
import { ITEM_OFFER, OPEN_OFFERS, UNIT_OFFER } from "./offer-entry.ts";
import { LEVEL, ORDER, PENDING } from "./order-entry.ts";
import { HELD, POLICY, PROJECT } from "./project-entry.ts";
import { SEAL } from "./seal-entry.ts";
import { DRAFT, TOKEN } from "./token-entry.ts";
import { TOKEN_LISTING } from "./token-listing-entry.ts";
import { HOLDING } from "./units/holding-entry.ts";
import { UNIT_FIRSTS, UNIT_ITEM } from "./units/unit-item-entry.ts";
import { UNIT_LISTING } from "./units/unit-listing-entry.ts";

export const DOCUMENT_KINDS = [
  PROTOCOL,
  STATE_ROOT,
  COUNT,
  KEY_SET,
  KEY_USE,
  GRANT,
  GRANT_PERIODS,
  TOKEN,
  DRAFT,
  TOKEN_LISTING,
  PROJECT,
  POLICY,
  HELD,
  ITEM,
  UNIT_ITEM,
  UNIT_FIRSTS,
  HOLDING,
  UNIT_LISTING,
  ITEM_OFFER,
  UNIT_OFFER,
  OPEN_OFFERS,
  ORDER,
  LEVEL,
  PENDING,
  SEAL,
] as readonly unknown[] as readonly DocumentKind<unknown>[];

export const DOCUMENT_TABLES: readonly DocumentTable<unknown>[] = [
  ...new Set(DOCUMENT_KINDS.map(({ table }) => table)),
];

export const ENTRY_TABLES = new Set(
  DOCUMENT_KINDS.filter(({ hasNoEntry }) => hasNoEntry !== true).map(({ table }) => table),
);

const KINDS: ReadonlyMap<string, EntryKind<unknown>> = new Map([
  ["address/", ADDRESS as EntryKind<unknown>],
  ["balance/", BALANCE as EntryKind<unknown>],
  ["lock/", LOCK as EntryKind<unknown>],
  ...DOCUMENT_KINDS.map((kind) => [kind.prefix, kind] as const),
]);

/** Source: chain §5. */
export function kindOf(key: string): EntryKind<unknown> | undefined {
  const prefix = key.slice(0, key.indexOf("/") + 1) || key;
  return KINDS.get(prefix);
}

const READ_IN_ORDER = ["address", "balance", "lock", ...[...ENTRY_TABLES].map(({ name }) => name)];

/** Of `StateTables.entries`; -1 for a kind without entries. */
export function entryOrder({ table }: EntryKind<unknown>): number {
  return READ_IN_ORDER.indexOf(typeof table === "string" ? table : table.name);
}
