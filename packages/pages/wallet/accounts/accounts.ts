import { type Actor, Moneta, ProblemError, SigningKey } from "@moneta/sdk";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { moneta, NODE_URL } from "../../ledger/node.ts";
import { service, serviceKnown } from "../../ledger/service.ts";
import { keep, kept } from "../../parts/kept.ts";
import { LocalProblem } from "../../parts/local-problem.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { database, onChangeElsewhere, stored, tellOtherTabs } from "../database.ts";
import { type Account, COLORS, isOpen, NAME_LENGTH_MAX, type OpenAccount } from "./account.ts";

const RETRY_MS = 3000;
/** A key of somebody with more addresses than this gets accounts for the oldest ones. */
const ADDRESSES_MAX = 20;

const known = signal<readonly Account[] | undefined>(undefined);
const failure = signal<LocalProblem | undefined>(undefined);
const chosen = signal<string | undefined>(undefined);

/** The accounts of this browser at this ledger, oldest first; undefined until they are read. */
export const accounts: ReadonlySignal<readonly Account[] | undefined> = computed(() => {
  const ledgerId = service.value?.ledger_id;
  return ledgerId === undefined
    ? undefined
    : known.value?.filter((account) => account.ledgerId === ledgerId);
});

/** Why the accounts cannot be read: the browser keeps nothing for this site. */
export const accountsFailure: ReadonlySignal<LocalProblem | undefined> = failure;

/** How many accounts of other ledgers this browser has. */
export const accountsElsewhere: ReadonlySignal<number> = computed(
  () => (known.value?.length ?? 0) - (accounts.value?.length ?? 0),
);

/** The account that acts: the one that was chosen, else the oldest. */
export const currentAccount: ReadonlySignal<Account | undefined> = computed(
  () => accounts.value?.find(({ id }) => id === chosen.value) ?? accounts.value?.[0],
);

/** The account that acts, once the ledger has its address. */
export const actingAccount: ReadonlySignal<OpenAccount | undefined> = computed(() => {
  const account = currentAccount.value;
  return account !== undefined && isOpen(account) ? account : undefined;
});

const KEPT = "moneta-wallet-account";

/** Makes an account the one that acts, also on later visits. */
export function chooseAccount(id: string): void {
  keep(KEPT, id);
  chosen.value = id;
}

/** Reads the accounts, and goes on with those whose address was not answered. */
export async function loadAccounts(): Promise<void> {
  chosen.value = kept(KEPT);
  try {
    await readAccounts();
  } catch (cause) {
    failure.value = new LocalProblem(walletTexts().wallet.noStorage, { cause });
    return;
  }
  onChangeElsewhere(() => void readAccounts());
  const { ledger_id } = await serviceKnown();
  for (const account of known.value ?? []) {
    if (!isOpen(account) && account.ledgerId === ledger_id) {
      void openAddress(account.id, "perhaps open");
    }
  }
}

async function readAccounts(): Promise<void> {
  const all = await (await database()).getAll("accounts");
  known.value = all.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

/** Stores a new account, in all tabs. Throws LocalProblem if the browser does not. */
async function putAccount(account: Account): Promise<void> {
  await stored(database().then((db) => db.put("accounts", account)));
  tellOtherTabs();
  await readAccounts();
}

/**
 * Changes members of an account, in all tabs, and leaves the others as they are by now: while a node
 * answers, its key may have been closed; one that was removed stays away. Throws LocalProblem if the
 * browser does not store it.
 */
export async function changeAccount(id: string, change: Partial<Account>): Promise<void> {
  await stored(database().then((db) => changeIn(db, id, change)));
  tellOtherTabs();
  await readAccounts();
}

async function changeIn(
  db: Awaited<ReturnType<typeof database>>,
  id: string,
  change: Partial<Account>,
): Promise<void> {
  const { store, done } = db.transaction("accounts", "readwrite");
  const account = await store.get(id);
  await Promise.all([account && store.put({ ...account, ...change }), done]);
}

/** Removes an account with its key from this browser. */
export async function removeAccount(id: string): Promise<void> {
  await (await database()).delete("accounts", id);
  tellOtherTabs();
  await readAccounts();
}

/** Gives an account another name or colour. */
export async function renameAccount(
  { id }: Account,
  { name, color }: { readonly name: string; readonly color: number },
): Promise<void> {
  await changeAccount(id, { name: name.slice(0, NAME_LENGTH_MAX), color });
}

/**
 * Makes a key, keeps it, and asks the ledger for an address. The key comes first: an address whose
 * key is lost would be of no use.
 */
export async function createAccount(name: string): Promise<Account> {
  return await addKey(name, await SigningKey.generate({ extractable: true }), "missing");
}

/**
 * Takes a key from a PEM file, with every address that the ledger has for it, or a new one. Throws
 * TypeError for a text that is no key.
 */
export async function importAccount(name: string, pem: string): Promise<void> {
  const key = await SigningKey.fromPem(pem, { extractable: true });
  const addresses = await addressesOf(key);
  for (const [at, address] of addresses.entries()) {
    const numbered = addresses.length === 1 ? name : `${name} ${at + 1}`;
    await addKey(numbered, key, "missing", address);
  }
  if (addresses.length === 0) {
    await addKey(name, key, "missing");
  }
}

/** Keeps a key with its address, and makes it the one that acts. One that is there already stays. */
export async function addKey(
  name: string,
  key: SigningKey,
  backUp: Account["backUp"],
  address?: string,
): Promise<Account> {
  const ledgerId = await moneta.ledgerId();
  const same = (await (await database()).getAll("accounts")).find(
    (one) => address !== undefined && one.address === address && one.ledgerId === ledgerId,
  );
  if (same !== undefined) {
    chooseAccount(same.id);
    return same;
  }
  const account: Account = {
    id: crypto.randomUUID(),
    ledgerId,
    name: name.slice(0, NAME_LENGTH_MAX),
    color: (known.value?.length ?? 0) % COLORS,
    address,
    publicKeyPem: key.publicKeyPem,
    curve: key.curve,
    keyPair: key.keyPair,
    backUp,
    createdAt: Math.floor(moneta.clock.now()),
  };
  void navigator.storage?.persist?.();
  await putAccount(account);
  chooseAccount(account.id);
  if (address === undefined) {
    await openAddress(account.id, "new");
  }
  return account;
}

/**
 * Asks the ledger for the address of an account until it answers: the one that its key has, else a
 * new one. One tab at a time, so that a key gets one address.
 */
async function openAddress(id: string, state: "new" | "perhaps open"): Promise<void> {
  await navigator.locks.request(`moneta account ${id}`, async () => {
    const account = await (await database()).get("accounts", id);
    if (account === undefined || isOpen(account)) {
      return;
    }
    const key = await SigningKey.fromKeyPair(account.keyPair);
    try {
      const [earlier] = state === "new" ? [] : await addressesOf(key);
      const address = earlier ?? (await moneta.createAddress(key, { signed: "full" })).address;
      await changeAccount(id, { address });
    } catch {
      setTimeout(() => void openAddress(id, "perhaps open"), RETRY_MS);
    }
  });
}

/** The addresses that the ledger has for a key, oldest first. */
async function addressesOf({ publicKeyPem: publickey }: SigningKey): Promise<readonly string[]> {
  try {
    return await moneta.addressByKey({ publickey, limit: ADDRESSES_MAX });
  } catch (error) {
    if (error instanceof ProblemError && error.code === "3090") {
      return [];
    }
    throw error;
  }
}

/** What signs for an account, for its ledger alone, whatever the node says. */
export async function actorOf({ address, ledgerId, keyPair }: OpenAccount): Promise<Actor> {
  const key = await SigningKey.fromKeyPair(keyPair);
  return clientOf(ledgerId).actor(address, key);
}

/** A client for accounts of a ledger, for that ledger alone, whatever the node says. */
export function clientOf(ledgerId: string): Moneta {
  const known = clients.get(ledgerId) ?? new Moneta(NODE_URL, { ledgerId, retries: 2 });
  clients.set(ledgerId, known);
  return known;
}

/** One for each ledger: it learns the ledger's time from each answer. */
const clients = new Map<string, Moneta>();
