import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { WrongUse } from "../command-line/wrong-use.ts";
import type { Output } from "../terminal/output.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { readAtMost, whyUnreadable } from "./bounded-file.ts";
import { configFolder, type Environment, makeFolder } from "./config-folder.ts";
import { syncFolderOf } from "./durable-file.ts";
import { readListedKey } from "./key-list.ts";

const CURVES: Readonly<Record<string, string>> = {
  prime256v1: "P-256",
  secp384r1: "P-384",
  secp521r1: "P-521",
};

export const CURVE_NAMES: readonly string[] = Object.values(CURVES);

/** A P-521 key with all parameters of openssl has 800 bytes. */
const KEY_BYTES_MAX = 64 * 1024;

export interface KnownKey {
  readonly origin: string;
  readonly curve: string;
  readonly publicKeyPem: string;
  /** SHA-256 of the public key in hex: `openssl pkey -pubin -outform DER | sha256sum`. */
  readonly fingerprint: string;
}

/** The PEM text is never printed. */
export interface StoredKey extends KnownKey {
  /** PKCS#8. */
  readonly privateKeyPem: string;
}

/** `--key`, `MONETA_KEY`, or the default file; empty values are ignored. */
export function keyFile(flag: string | undefined, environment: Environment): string {
  const named = flag || environment["MONETA_KEY"];
  if (named) {
    refuseKeyText(named, flag ? "--key" : "MONETA_KEY");
    return named;
  }
  const folder = configFolder(environment);
  if (folder === undefined) {
    throw new WrongUse("this user has no home folder: name the key with --key FILE or MONETA_KEY");
  }
  return join(folder, "key.pem");
}

/** Throws a `WrongUse` with advice if there is no valid key. */
export function readKey(
  flag: string | undefined,
  environment: Environment,
  output: Pick<Output, "warn">,
): StoredKey {
  const text = environment["MONETA_PRIVATE_KEY"] ?? "";
  if (!flag && text !== "") {
    // Some environments write line breaks as \n.
    return parseKey(text.replaceAll("\\n", "\n"), "MONETA_PRIVATE_KEY");
  }
  const file = keyFile(flag, environment);
  const maker = flag ? `moneta key new --key ${shellWord(flag)}` : "moneta key new";
  const key = parseKey(readText(file, maker), file);
  warnIfShared(file, output);
  return key;
}

/** Throws a `WrongUse` if the file exists. */
export function makeKey(file: string, curve: string): StoredKey {
  const namedCurve = Object.entries(CURVES).find(([, name]) => name === curve)?.[0];
  if (namedCurve === undefined) {
    throw new WrongUse(`--curve must be ${CURVE_NAMES.join(", ")}`);
  }
  const { privateKey } = generateKeyPairSync("ec", { namedCurve });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  writeNew(file, pem, ifKeyExists(file));
  return parseKey(pem, file);
}

/** Throws a `WrongUse` if the file has something else. */
export function hasKey(file: string, key: StoredKey): boolean {
  if (!existsSync(file)) {
    return false;
  }
  if (parseKey(readText(file), file).fingerprint === key.fingerprint) {
    return true;
  }
  throw new WrongUse(
    `${file} has another key, and a key is never overwritten: move that file, or name another folder or file with --to or --key`,
  );
}

/** Throws a `WrongUse` if the file exists. */
export function writeKey(file: string, { privateKeyPem }: StoredKey): void {
  writeNew(file, privateKeyPem, ifKeyExists(file));
}

function ifKeyExists(file: string): string {
  return `a key is never overwritten: name another file with --key FILE, or go on with this one: moneta key show --key ${shellWord(file)}`;
}

/** Writes a new file that only its user can read; throws a `WrongUse` with `ifItExists`. */
export function writeNew(file: string, text: string, ifItExists: string): void {
  try {
    makeFolder(dirname(file));
    const descriptor = openSync(file, "wx", 0o600);
    try {
      fchmodSync(descriptor, 0o600);
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
      syncFolderOf(file);
    } catch (thrown) {
      // A partial file would block the next attempt.
      rmSync(file, { force: true });
      throw thrown;
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    throw new WrongUse(
      code === "EEXIST"
        ? isEmpty(file)
          ? `${file} ${LEFT_EMPTY}`
          : `${file} exists already, and ${ifItExists}`
        : `${file} cannot be written: ${message}`,
    );
  }
}

/** After a kill or power cut between creation and writing. */
const LEFT_EMPTY =
  "is empty, as an interrupted command leaves it: remove it, and run that command again";

function isEmpty(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === 0;
}

function readText(file: string, maker = "moneta key new"): string {
  let text: string;
  try {
    text = readAtMost(file, KEY_BYTES_MAX).toString();
  } catch (thrown) {
    throw new WrongUse(
      (thrown as NodeJS.ErrnoException).code === "ENOENT"
        ? `there is no key in ${file}: ${maker} makes one, --key FILE or MONETA_KEY names another file`
        : `the key in ${file} cannot be read: ${whyUnreadable(thrown)}`,
    );
  }
  if (text === "" && isEmpty(file)) {
    throw new WrongUse(`${file} ${LEFT_EMPTY}`);
  }
  return text;
}

export function parseKey(text: string, origin: string): StoredKey {
  const privateKey = parsePrivateKey(text, origin);
  return {
    ...knownKey(createPublicKey(privateKey), origin),
    privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}

/** The public key in `--key`; throws a `WrongUse` like `readKey`. */
export function readPublicKey(flag: string | undefined, environment: Environment): KnownKey {
  const file = keyFile(flag, environment);
  return knownKey(createPublicKey(readListedKey(file).publicKeyPem), file);
}

function knownKey(publicKey: KeyObject, origin: string): KnownKey {
  const curve = CURVES[publicKey.asymmetricKeyDetails?.namedCurve ?? ""];
  if (curve === undefined) {
    throw new WrongUse(
      `the key in ${origin} is not an ECDSA key on ${CURVE_NAMES.join(", ")}: moneta key new makes one`,
    );
  }
  const der = publicKey.export({ type: "spki", format: "der" });
  return {
    origin,
    curve,
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }) as string,
    fingerprint: createHash("sha256").update(der).digest("hex"),
  };
}

/** Messages never repeat the text, which may be a key. */
function parsePrivateKey(text: string, origin: string): KeyObject {
  if (/ENCRYPTED/.test(text)) {
    throw new WrongUse(
      `the key in ${origin} is encrypted, which moneta cannot read: decrypt it into a file that only you can read, with openssl pkcs8 -in FILE -out NEW`,
    );
  }
  if (/-----BEGIN PUBLIC KEY-----/.test(text)) {
    throw new WrongUse(
      `${origin} holds a public key: name the file of the private one, or with --signer the program that signs`,
    );
  }
  try {
    // openssl writes these before a key by default.
    return createPrivateKey(
      text.replace(/-----BEGIN EC PARAMETERS-----[^-]*-----END EC PARAMETERS-----/, ""),
    );
  } catch {
    throw new WrongUse(
      `${origin} holds no private key that can be read: PEM text is wanted, "EC PRIVATE KEY" or "PRIVATE KEY"`,
    );
  }
}

function warnIfShared(file: string, output: Pick<Output, "warn">): void {
  const mode =
    process.platform === "win32" ? 0 : (statSync(file, { throwIfNoEntry: false })?.mode ?? 0);
  if ((mode & 0o077) !== 0) {
    output.warn(`others can read the key in ${file}: chmod 600 ${shellWord(file)}`);
  }
}

/** Refuses a key in place of its file name, without repeating it. */
function refuseKeyText(given: string, where: string): void {
  if (/-----BEGIN|PRIVATE KEY/.test(given)) {
    throw new WrongUse(
      `${where} names a file, and no key: others can see what a command is called with. Put the key into a file, or the PEM text into MONETA_PRIVATE_KEY`,
    );
  }
}
