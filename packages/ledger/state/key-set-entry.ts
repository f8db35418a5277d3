import {
  type Address,
  type HeldAs,
  type KeySet,
  shownKeySet,
  soleKey,
  weightOfKeys,
} from "@moneta/protocol";
import { documentForm, type JsonObject } from "./document.ts";
import type { AddressEntry, DocumentKind } from "./entries.ts";

type KeySetDocument = HeldAs<typeof shownKeySet.schema>;

/**
 * Separate from the address, which never changes. An address with one original raw key has none.
 * Source: authority §1.7.
 */
export interface KeySetEntry extends KeySetDocument {
  readonly address: Address;
}

export const KEY_SET: DocumentKind<KeySetEntry> = {
  table: {
    name: "key_set",
    columns: {
      due: {
        type: "INTEGER",
        optional: true,
        of: ({ pendingdue }) => (pendingdue === 0 ? undefined : pendingdue),
      },
    },
    indexes: [["due"]],
  },
  prefix: "keys/",
  id: ({ address }) => address,
  follows: (address) => ({ address }),
  ...documentForm<KeySetEntry, KeySetDocument>(shownKeySet, {
    defaults: {
      recoverykeys: [],
      recoverythreshold: 0,
      recoverydelay: 0,
      grantsfrom: 0,
      pendingkeys: [],
      pendingthreshold: 0,
      pendingdue: 0,
    },
    beside: { address: "" as Address },
  }),
};

/** One of its keys, of its recovery, or of a recovery under way. */
export interface KeyUse {
  readonly address: Address;
  /** Canonical body. */
  readonly publickey: string;
  /** Whether it is the only key of an address without recovery. */
  readonly isSole: boolean;
}

/** Not in blocks. Source: authority §1.5. */
export const KEY_USE: DocumentKind<KeyUse> = {
  table: {
    name: "key_use",
    isCurrentOnly: true,
    columns: {
      public_key: { type: "TEXT", of: ({ publickey }) => publickey },
      sole: { type: "INTEGER", of: ({ isSole }) => (isSole ? 1 : 0) },
      address: { type: "ADDRESS", of: ({ address }) => address },
    },
    indexes: [
      ["public_key", "address"],
      ["public_key", "sole", "address"],
    ],
  },
  prefix: "keyuse/",
  id: ({ address, publickey }) => `${address}/${publickey}`,
  json: ({ address, publickey, isSole }) => ({ address, publickey, isSole }),
  isSame: (a, b) => a.isSole === b.isSole,
  hasNoEntry: true,
  restore: (json) => json as unknown as KeyUse,
};

export function usesOf(entry: KeySetEntry): ReadonlyMap<string, KeyUse> {
  const { address, keys, recoverykeys, pendingkeys } = entry;
  const isSole = keys.length === 1 && recoverykeys.length === 0;
  const all = [...keys, ...recoverykeys, ...pendingkeys];
  return new Map(all.map(({ publickey }) => [publickey, { address, publickey, isSole }]));
}

interface AddressReader {
  address(address: Address): AddressEntry | undefined;
  keySet(address: Address): KeySetEntry | undefined;
}

/** The keys that sign for an address. Source: authority §1.1. */
export function keySetOf(state: AddressReader, address: Address): KeySetEntry {
  const entry = state.keySet(address);
  return entry ?? { ...soleSet(state, address), address };
}

function soleSet(state: AddressReader, address: Address): Omit<KeySetEntry, "address"> {
  const { keys, threshold }: KeySet = soleKey(state.address(address)?.publickey ?? "");
  return { ...NO_RECOVERY, ...NOTHING_PENDING, version: 0, keys, threshold, grantsfrom: 0 };
}

export const NO_RECOVERY = { recoverykeys: [], recoverythreshold: 0, recoverydelay: 0 } as const;

export const NOTHING_PENDING = { pendingkeys: [], pendingthreshold: 0, pendingdue: 0 } as const;

export function roleOf(entry: KeySetEntry, publicKey: string): JsonObject {
  const { address, keys, threshold, recoverykeys, recoverythreshold } = entry;
  const roles = [
    ["key", keys, threshold],
    ["recovery", recoverykeys, recoverythreshold],
    ["pending", entry.pendingkeys, entry.pendingthreshold],
  ] as const;
  for (const [role, all, needed] of roles) {
    const key = all.find(({ publickey }) => publickey === publicKey);
    if (key !== undefined) {
      return { address, role, weight: key.weight, sum: weightOfKeys(all), threshold: needed };
    }
  }
  throw new Error("invariant broken: every use of a key is one of these");
}
