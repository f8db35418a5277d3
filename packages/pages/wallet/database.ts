import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { LocalProblem } from "../parts/local-problem.ts";
import { walletTexts } from "../texts/wallet-texts.ts";
import type { Account } from "./accounts/account.ts";
import type { Write } from "./writes/write.ts";

interface WalletSchema extends DBSchema {
  accounts: { key: string; value: Account; indexes: { ledgerId: string } };
  /** Stored before they are sent, and later with their outcome. */
  writes: { key: string; value: Write; indexes: { ledgerId: string } };
  /** The newest transaction of an address that was seen here. */
  seen: { key: string; value: { readonly address: string; readonly id: string } };
}

const VERSION = 1;

let opened: Promise<IDBPDatabase<WalletSchema>> | undefined;

export function database(): Promise<IDBPDatabase<WalletSchema>> {
  opened ??= openDB<WalletSchema>("moneta-wallet", VERSION, {
    upgrade(db) {
      db.createObjectStore("accounts", { keyPath: "id" }).createIndex("ledgerId", "ledgerId");
      db.createObjectStore("writes", { keyPath: "id" }).createIndex("ledgerId", "ledgerId");
      db.createObjectStore("seen", { keyPath: "address" });
    },
    blocking(_from, _to, { target }) {
      (target as IDBDatabase).close(); // a newer version of the wallet waits in another tab
    },
    terminated() {
      opened = undefined;
    },
  });
  return opened;
}

/** Throws LocalProblem if the browser does not store it. */
export async function stored<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (cause) {
    throw new LocalProblem(walletTexts().wallet.notStored, { cause });
  }
}

const channel = new BroadcastChannel("moneta-wallet");
const listeners = new Set<() => void>();
channel.onmessage = () => {
  for (const listener of listeners) {
    listener();
  }
};

export function tellOtherTabs(): void {
  channel.postMessage("changed");
}

export function onChangeElsewhere(listener: () => void): void {
  listeners.add(listener);
}
