import { SigningKey } from "@moneta/sdk";
import { type BackedUpAccount, openKeys, sealKeys } from "@moneta/sdk/key-backup";
import { type Account, type KeyAccount, lacksBackUp } from "./account.ts";
import { accounts, addAccount, changeAccount, keyInBrowser } from "./accounts.ts";

export function withoutBackUp(): readonly KeyAccount[] {
  return (accounts.value ?? []).filter(lacksBackUp);
}

/** Source: explorer §3. */
export async function sealAccounts(
  sealed: readonly KeyAccount[],
  passphrase: string,
): Promise<string> {
  const entries = sealed.map(async ({ name, address, ledgerId, curve, keyPair }) => {
    const privateKeyPem = await (await SigningKey.fromKeyPair(keyPair)).privateKeyPem();
    return { name, privateKeyPem, curve, ledgerId, ...(address === undefined ? {} : { address }) };
  });
  return await sealKeys(await Promise.all(entries), passphrase);
}

/**
 * Reads the saved file, then replaces its keys in the browser by non-extractable ones. Returns
 * their number; throws KeyBackupError.
 */
export async function closeKeys(file: string, passphrase: string): Promise<number> {
  const saved = await openKeys(file, passphrase);
  let closed = 0;
  for (const account of withoutBackUp()) {
    const entry = await entryOf(account, saved);
    if (entry !== undefined) {
      const { keyPair } = await SigningKey.fromPem(entry.privateKeyPem);
      await changeAccount(account.id, { keyPair, backUp: "made" });
      closed += 1;
    }
  }
  return closed;
}

async function entryOf(
  { publicKeyPem }: Account,
  saved: readonly BackedUpAccount[],
): Promise<BackedUpAccount | undefined> {
  for (const entry of saved) {
    if ((await SigningKey.fromPem(entry.privateKeyPem)).publicKeyPem === publicKeyPem) {
      return entry;
    }
  }
  return undefined;
}

export interface Restored {
  readonly accounts: readonly Account[];
  /** At other ledgers; not restored. */
  readonly elsewhere: number;
}

/** Adds accounts with non-extractable keys. Throws KeyBackupError. Source: explorer §3. */
export async function restore(
  file: string,
  passphrase: string,
  ledgerId: string,
): Promise<Restored> {
  const saved = await openKeys(file, passphrase);
  const here = saved.filter((one) => one.ledgerId === undefined || one.ledgerId === ledgerId);
  const restored: Account[] = [];
  for (const { name, privateKeyPem, address } of here) {
    const key = await SigningKey.fromPem(privateKeyPem);
    restored.push(await addAccount(name, keyInBrowser(key, "made"), address));
  }
  return { accounts: restored, elsewhere: saved.length - here.length };
}
