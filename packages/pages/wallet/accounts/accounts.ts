import {
  type Actor,
  type KeySet,
  Moneta,
  ProblemError,
  type Sign,
  type Signer,
  SigningKey,
  signTogether,
} from "@moneta/sdk";
import type { Passkey } from "@moneta/sdk/passkey";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { moneta, NODE_URL } from "../../ledger/node.ts";
import { service, serviceKnown } from "../../ledger/service.ts";
import { keep, kept } from "../../parts/kept.ts";
import { LocalProblem } from "../../parts/local-problem.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { database, onChangeElsewhere, stored, tellOtherTabs } from "../database.ts";
import { knownKeySet, placeOf, powerOf, readKeySet } from "../keys/key-sets.ts";
import {
  type Account,
  type AccountKey,
  COLORS,
  isOpen,
  type KeyAccount,
  NAME_LENGTH_MAX,
  type OpenAccount,
} from "./account.ts";
import { findPasskey, makePasskey, passkeySigner } from "./passkeys.ts";

const RETRY_MS = 3000;
/** Of more addresses of a key the oldest get accounts. */
const ADDRESSES_MAX = 20;

const known = signal<readonly Account[] | undefined>(undefined);
const failure = signal<LocalProblem | undefined>(undefined);
const chosen = signal<string | undefined>(undefined);

/** At this ledger, oldest first; undefined until they are read. */
export const accounts: ReadonlySignal<readonly Account[] | undefined> = computed(() => {
  const ledgerId = service.value?.ledger_id;
  return ledgerId === undefined
    ? undefined
    : known.value?.filter((account) => account.ledgerId === ledgerId);
});

/** The browser stores nothing for this site. */
export const accountsFailure: ReadonlySignal<LocalProblem | undefined> = failure;

export const accountsElsewhere: ReadonlySignal<number> = computed(
  () => (known.value?.length ?? 0) - (accounts.value?.length ?? 0),
);

/** The chosen one, else the oldest. */
export const currentAccount: ReadonlySignal<Account | undefined> = computed(
  () => accounts.value?.find(({ id }) => id === chosen.value) ?? accounts.value?.[0],
);

/** Once the ledger has its address. */
export const actingAccount: ReadonlySignal<OpenAccount | undefined> = computed(() => {
  const account = currentAccount.value;
  return account !== undefined && isOpen(account) ? account : undefined;
});

const KEPT = "moneta-wallet-account";

/** Also on later visits. */
export function chooseAccount(id: string): void {
  keep(KEPT, id);
  chosen.value = id;
}

/** Continues with those whose address had no response. */
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

/** In all tabs. Throws LocalProblem if the browser does not store it. */
async function putAccount(account: Account): Promise<void> {
  await stored(database().then((db) => db.put("accounts", account)));
  tellOtherTabs();
  await readAccounts();
}

type Change = Partial<Pick<KeyAccount, "name" | "color" | "address" | "keyPair" | "backUp">>;

/**
 * In all tabs. Keeps current values of other members, as its key may have been closed during a
 * request; a removed account stays away. Throws LocalProblem.
 */
export async function changeAccount(id: string, change: Change): Promise<void> {
  await stored(database().then((db) => changeIn(db, id, change)));
  tellOtherTabs();
  await readAccounts();
}

async function changeIn(
  db: Awaited<ReturnType<typeof database>>,
  id: string,
  change: Change,
): Promise<void> {
  const { store, done } = db.transaction("accounts", "readwrite");
  const account = await store.get(id);
  await Promise.all([account && store.put({ ...account, ...change } as Account), done]);
}

/** With its key. */
export async function removeAccount(id: string): Promise<void> {
  await (await database()).delete("accounts", id);
  tellOtherTabs();
  await readAccounts();
}

export async function renameAccount(
  { id }: Account,
  { name, color }: { readonly name: string; readonly color: number },
): Promise<void> {
  await changeAccount(id, { name: name.slice(0, NAME_LENGTH_MAX), color });
}

/**
 * Makes a passkey or key, stores it, then requests an address, which would be useless without its
 * key. Throws LocalProblem if the user declines the passkey. Source: authority §3.
 */
export async function createAccount(name: string, wanted: KeyWanted = "passkey"): Promise<Account> {
  return await addAccount(name, await newKey(name, wanted));
}

/** A passkey if the browser makes one, or a key in any case. */
export type KeyWanted = "passkey" | "key";

async function newKey(name: string, wanted: KeyWanted): Promise<AccountKey> {
  const made = wanted === "passkey" ? await makePasskey(name) : undefined;
  if (made === undefined) {
    return keyInBrowser(await SigningKey.generate({ extractable: true }), "missing");
  }
  return passkeyInBrowser(made);
}

function passkeyInBrowser({ id, publicKeyPem, rpid, origins }: Passkey): AccountKey {
  return { kind: "webauthn", publicKeyPem, passkey: { id, publicKeyPem, rpid, origins } };
}

export function keyInBrowser(
  { publicKeyPem, curve, keyPair }: SigningKey,
  backUp: KeyAccount["backUp"],
): AccountKey {
  return { kind: "raw", publicKeyPem, curve, keyPair, backUp };
}

/** With all addresses of the key, or a new one. Throws TypeError for a text that is no key. */
export async function importAccount(name: string, pem: string): Promise<void> {
  const key = keyInBrowser(await SigningKey.fromPem(pem, { extractable: true }), "missing");
  const addresses = await addressesOf(key);
  for (const [at, address] of addresses.entries()) {
    const numbered = addresses.length === 1 ? name : `${name} ${at + 1}`;
    await addAccount(numbered, key, address);
  }
  if (addresses.length === 0) {
    await addAccount(name, key);
  }
}

/** For a passkey on this device, but not in this browser. Throws LocalProblem, ProblemError. */
export async function restorePasskey(name: string, address: string): Promise<void> {
  const { keys } = await readKeySet(address);
  await addAccount(name, passkeyInBrowser(await findPasskey(keys)), address);
}

/** Stores a signing key and selects its account. An existing one stays. */
export async function addAccount(
  name: string,
  key: AccountKey,
  address?: string,
): Promise<Account> {
  const ledgerId = await moneta.ledgerId();
  const same = (await (await database()).getAll("accounts")).find(
    (one) =>
      address !== undefined &&
      one.address === address &&
      one.ledgerId === ledgerId &&
      one.publicKeyPem === key.publicKeyPem,
  );
  if (same !== undefined) {
    chooseAccount(same.id);
    return same;
  }
  const account: Account = {
    ...key,
    id: crypto.randomUUID(),
    ledgerId,
    name: name.slice(0, NAME_LENGTH_MAX),
    color: (known.value?.length ?? 0) % COLORS,
    address,
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
 * Requests an address until there is a response: an existing one of the key, or a new one. One tab
 * at a time, so that a key gets one address.
 */
async function openAddress(id: string, state: "new" | "perhaps open"): Promise<void> {
  await navigator.locks.request(`moneta account ${id}`, async () => {
    const account = await (await database()).get("accounts", id);
    if (account === undefined || isOpen(account)) {
      return;
    }
    try {
      const [earlier] = state === "new" ? [] : await addressesOf(account);
      const signer = await signerOf(account);
      const address = earlier ?? (await moneta.createAddress(signer, { signed: "full" })).address;
      await changeAccount(id, { address });
    } catch {
      setTimeout(() => void openAddress(id, "perhaps open"), RETRY_MS);
    }
  });
}

/** The addresses whose only key it is, the oldest first. */
export async function addressesOf({
  publicKeyPem: publickey,
}: Pick<Account, "publicKeyPem">): Promise<readonly string[]> {
  try {
    return await moneta.addressByKey({ publickey, limit: ADDRESSES_MAX });
  } catch (error) {
    if (error instanceof ProblemError && error.code === "3090") {
      return [];
    }
    throw error;
  }
}

/**
 * For its ledger alone, whatever the node's response; `sign` replaces its key. Signing throws
 * LocalProblem if this browser's key is not enough.
 */
export async function actorOf(account: OpenAccount, sign?: Sign): Promise<Actor> {
  const { address, ledgerId } = account;
  const signer = sign ?? (await signerOf(account));
  const keySet = knownKeySet(address) ?? (await readKeySet(address));
  return clientOf(ledgerId).actor(address, signsFor(account, keySet, signer));
}

function signsFor(account: OpenAccount, keySet: KeySet, signer: Sign | Signer): Sign | Signer {
  const lack = keyLack(account, keySet);
  if (lack !== undefined) {
    return () => Promise.reject(new LocalProblem(lack));
  }
  const place = placeOf(account, keySet);
  return place === 0 ? signer : signTogether([[place, signer]]);
}

/** Undefined if the key of this browser can sign, perhaps with others. */
export function keyLack(
  account: OpenAccount,
  keySet: KeySet | undefined = knownKeySet(account.address),
): string | undefined {
  return keySet !== undefined && powerOf(account, keySet) === "none"
    ? walletTexts().keys.replaced
    : undefined;
}

/** A passkey requires consent at each signature. */
export async function signerOf(account: AccountKey): Promise<Signer> {
  if (account.kind === "raw") {
    return await SigningKey.fromKeyPair(account.keyPair);
  }
  const { publicKeyPem, passkey } = account;
  const { rpid, origins } = passkey;
  return {
    publicKeyPem,
    keyParameters: { kind: "webauthn", rpid, origins },
    sign: passkeySigner(passkey),
  };
}

/** For that ledger alone, whatever the node's response. */
export function clientOf(ledgerId: string): Moneta {
  const known = clients.get(ledgerId) ?? new Moneta(NODE_URL, { ledgerId, retries: 2 });
  clients.set(ledgerId, known);
  return known;
}

/** One for each ledger: it takes the time from each response. */
const clients = new Map<string, Moneta>();
