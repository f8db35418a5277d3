import {
  type Address,
  type AddressKey,
  type Refused,
  refuse,
  type TransactionRecord,
} from "@moneta/protocol";
import { done, record } from "../../records/record.ts";
import { KEY_SET, KEY_USE, type KeySetEntry, usesOf } from "../../state/key-set-entry.ts";
import type { State } from "../../state/state.ts";

/** Refused with 7140 unless it is the next version. Source: authority §1.3. */
export function refuseVersion({ version }: KeySetEntry, wanted: number): Refused | undefined {
  const reason = `is ${wanted}, but the keys have version ${version}, so the next one is ${version + 1}`;
  return wanted === version + 1
    ? undefined
    : refuse({ code: "7140", parameter: "version", reason });
}

/** Refused with 7141 unless a recovery is under way. Source: authority §4.3. */
export function refuseNothingPending({ pendingdue }: KeySetEntry): Refused | undefined {
  const reason = "is of an address of which no recovery is under way";
  return pendingdue === 0 ? refuse({ code: "7141", parameter: "address", reason }) : undefined;
}

/** Source: authority §1.3, §4. */
export function putKeySet(
  state: State,
  entry: KeySetEntry,
  type: "NewKeys" | "Recovery" | "RecoveryCancelled",
  { signature, tkey }: { readonly signature: string; readonly tkey: string },
): TransactionRecord {
  const { address, version } = entry;
  const before = state.keySet(address);
  state.putKeySet(entry);
  const uses = usesOf(entry);
  for (const { publickey } of before === undefined ? [] : usesOf(before).values()) {
    if (!uses.has(publickey)) {
      state.remove(KEY_USE, `${address}/${publickey}`);
    }
  }
  for (const use of uses.values()) {
    state.put(KEY_USE, use);
  }
  const shows = KEY_SET.json(entry) as TransactionRecord["values"];
  return done(state, record(type, { address, version, signature, tkey }, { shows }));
}

/** The key set of a new address whose key is a passkey. Source: authority §1.5. */
export function putPasskey(state: State, address: Address, key: AddressKey): void {
  const entry: KeySetEntry = {
    ...KEY_SET.restore({}, { address }),
    ...{ version: 0, keys: [key], threshold: 1 },
  };
  state.putKeySet(entry);
  state.put(KEY_USE, { address, publickey: key.publickey, isSole: true });
}
