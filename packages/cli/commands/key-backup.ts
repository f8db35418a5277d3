import { basename, extname, join } from "node:path";
import type { BackedUpAccount } from "@moneta/sdk/key-backup";
import type { Flag } from "../command-line/arguments.ts";
import { type Command, EXIT } from "../command-line/command.ts";
import { WrongUse } from "../command-line/wrong-use.ts";
import { readGiven } from "../session/bounded-file.ts";
import { choicesOf, chooseAddress, chosenAddress } from "../session/chosen-address.ts";
import { configFolder, type Environment } from "../session/config-folder.ts";
import {
  hasKey,
  keyFile,
  parseKey,
  type StoredKey,
  writeKey,
  writeNew,
} from "../session/key-file.ts";
import { readPassphrase } from "../session/passphrase.ts";
import type { Session } from "../session/session.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/visible-text.ts";

const PASSPHRASE_FILE: Flag = {
  name: "passphrase-file",
  placeholder: "FILE",
  takesFile: true,
  about: "a file that has the passphrase; by default the terminal prompts for it",
};

export const keyImport: Command = {
  words: "key import",
  about: "Opens an encrypted back-up, such as the wallet makes, and writes its keys into files.",
  args: [{ name: "file", title: "BACKUP", about: "the file of the back-up" }],
  flags: [
    PASSPHRASE_FILE,
    {
      name: "to",
      placeholder: "FOLDER",
      about: "a folder for the keys, each in a file of its account's name",
    },
  ],
  details:
    "A single key goes into the file of --key, else of MONETA_KEY, else ~/.config/moneta/key.pem; several go into files of their accounts' names in ~/.config/moneta/, to be named with --key. A file that exists is never overwritten. The address of an account acts on its ledger, unless moneta address use has chosen another one.",
  async run(given, session) {
    const { output, environment } = session;
    const file = given.get("file") as string;
    const { checkKeyBackup, KEY_BACKUP_LENGTH_MAX, openKeys } = await import(
      "@moneta/sdk/key-backup"
    );
    // UTF-8 has at most three bytes for each UTF-16 unit.
    const text = readGiven(file, 3 * KEY_BACKUP_LENGTH_MAX, `the back-up in ${file}`).toString();
    const opened = await inWrongUse(file, async () => {
      await checkKeyBackup(text);
      return await openKeys(text, await readPassphrase(given.get("passphrase-file"), "known"));
    });
    const accounts = placed(opened, {
      file,
      key: given.get("key") || undefined,
      folder: given.get("to"),
      environment,
    });
    // All are checked before one is written.
    const isThere = new Map(accounts.map(({ to, key }) => [to, hasKey(to, key)]));
    for (const { to, key, account } of accounts) {
      if (isThere.get(to) !== true) {
        writeKey(to, key);
        isThere.set(to, true);
      }
      choose(account, key, session);
    }
    const shown = accounts.map(({ to, key, account }) => ({
      name: account.name,
      file: to,
      curve: key.curve,
      fingerprint: key.fingerprint,
      address: account.address,
      ledger_id: account.ledgerId,
    }));
    const columns = [{ title: "name" }, { title: "address" }, { title: "file" }];
    const rows = shown.map(({ name, address = "", file: to }) => [visible(name), address, to]);
    output.result(shown, table(columns, rows, output));
    return EXIT.done;
  },
};

export const keyExport: Command = {
  words: "key export",
  about: "Writes the key into an encrypted back-up, which moneta key import and the wallet open.",
  args: [{ name: "file", title: "BACKUP", about: "a new file for the back-up" }],
  flags: [
    PASSPHRASE_FILE,
    {
      name: "name",
      placeholder: "NAME",
      about: "what the account is called; the key's file if left out",
    },
  ],
  details:
    "The back-up also has the addresses that moneta address use has chosen for the key, one for each ledger. The passphrase has at least 8 characters; without it the file cannot be opened. No node is needed.",
  async run(given, session) {
    const { output, environment, privateKey: key } = session;
    const file = given.get("file") as string;
    const name = given.get("name") ?? basename(key.origin, extname(key.origin));
    const account = {
      name,
      privateKeyPem: key.privateKeyPem,
      curve: key.curve as BackedUpAccount["curve"],
    };
    const choices = choicesOf(key.fingerprint, environment);
    const accounts =
      choices.length === 0 ? [account] : choices.map((one) => ({ ...account, ...one }));
    const { sealKeys } = await import("@moneta/sdk/key-backup");
    const text = await inWrongUse(file, async () =>
      sealKeys(accounts, await readPassphrase(given.get("passphrase-file"), "new")),
    );
    writeNew(file, text, "a back-up is never overwritten: name another file");
    output.result({ file, fingerprint: key.fingerprint, accounts: accounts.length }, file);
    return EXIT.done;
  },
};

async function inWrongUse<T>(file: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    if (thrown instanceof Error && /^(KeyBackupError|TypeError)$/.test(thrown.name)) {
      throw new WrongUse(`${file}: ${thrown.message}`);
    }
    throw thrown;
  }
}

interface PlacedAccount {
  readonly account: BackedUpAccount;
  readonly key: StoredKey;
  readonly to: string;
}

function placed(
  accounts: readonly BackedUpAccount[],
  given: {
    readonly file: string;
    readonly key: string | undefined;
    readonly folder: string | undefined;
    readonly environment: Environment;
  },
): readonly PlacedAccount[] {
  const { file, key: named, folder, environment } = given;
  const keys = accounts.map(({ privateKeyPem }) => parseKey(privateKeyPem, file));
  const count = new Set(keys.map(({ fingerprint }) => fingerprint)).size;
  if (named !== undefined && (count > 1 || folder !== undefined)) {
    throw new WrongUse(
      `--key names the file of one key: for ${count === 1 ? "a folder" : `the ${count} keys of this back-up`} name a folder with --to FOLDER`,
    );
  }
  const isSingle = count === 1 && folder === undefined;
  const files = new Map<string, string>();
  // The default key's file is not for one of several.
  const taken = new Set(["key"]);
  return accounts.map((account, at) => {
    const key = keys[at] as StoredKey;
    const to =
      files.get(key.fingerprint) ??
      (isSingle
        ? keyFile(named, environment)
        : join(folderOf(folder, environment), `${fileName(account.name, taken)}.pem`));
    files.set(key.fingerprint, to);
    return { account, key, to };
  });
}

function folderOf(folder: string | undefined, environment: Environment): string {
  const found = folder ?? configFolder(environment);
  if (found === undefined) {
    throw new WrongUse("this user has no home folder: name a folder with --to FOLDER");
  }
  return found;
}

/** A unique file name, because text of a file must not become a path. */
function fileName(name: string, taken: Set<string>): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ["account"];
  const base = words.join("-").slice(0, 40);
  let free = base;
  for (let number = 2; taken.has(free); number += 1) {
    free = `${base}-${number}`;
  }
  taken.add(free);
  return free;
}

function choose(
  { address, ledgerId }: BackedUpAccount,
  { fingerprint }: StoredKey,
  { output, environment }: Pick<Session, "output" | "environment">,
): void {
  if (address === undefined || ledgerId === undefined) {
    return;
  }
  const choice = { fingerprint, ledgerId };
  if (chosenAddress(choice, environment) === undefined) {
    try {
      chooseAddress(choice, address, environment);
    } catch (thrown) {
      // The key is in its file nevertheless.
      const { message } = thrown as Error;
      output.warn(`the choice of ${address} cannot be stored: ${message}`);
    }
  }
}
