import {
  canonicalJson,
  fromBase64,
  type Json,
  parseAddress,
  toBase64,
} from "@moneta/protocol/client";
import { type Curve, readPrivateKeyPem } from "./keys/pem.ts";
import { SigningKey } from "./keys/signing-key.ts";
import { subtle } from "./keys/web-crypto.ts";

/** Source: explorer §3. */
export interface BackedUpAccount {
  /** Its local name, 1 to 100 characters. */
  readonly name: string;
  /** PEM, `PRIVATE KEY` (PKCS#8). */
  readonly privateKeyPem: string;
  readonly curve: Curve;
  /** Absent if the key has no address yet. */
  readonly address?: string | undefined;
  readonly ledgerId?: string | undefined;
}

/**
 * Why a back-up cannot be opened: another kind of text, a later version, a damaged file, or another
 * passphrase.
 */
export type KeyBackupFault = "form" | "version" | "damaged" | "passphrase";

/** `message` gives the remedy, and contains nothing of the keys. */
export class KeyBackupError extends Error {
  override readonly name: string = "KeyBackupError";
  readonly fault: KeyBackupFault;

  constructor(fault: KeyBackupFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** UTF-16 code units. */
export const KEY_BACKUP_LENGTH_MAX: number = 1024 * 1024;

const KIND = "moneta key back-up";
const VERSION = 1;
/** Three times OWASP's recommendation for PBKDF2 with SHA-512: some 0.5 s. */
const ITERATIONS = 600_000;
/** Bounds the time for a hostile file to some 10 s. */
const ITERATIONS_MAX = 10_000_000;
const SALT_BYTES = 16;
const IV_BYTES = 12;
const KEY_BYTES = 32;
const CHECK_BYTES = 16;
const ACCOUNTS_MAX = 1000;
const NAME_LENGTH_MAX = 100;
const PASSPHRASE_LENGTH_MIN = 8;
const PASSPHRASE_LENGTH_MAX = 1000;

/** The unencrypted part of a file, which the encrypted part authenticates. */
interface Header {
  readonly kind: typeof KIND;
  readonly version: typeof VERSION;
  readonly kdf: {
    readonly name: "PBKDF2";
    readonly hash: "SHA-512";
    readonly iterations: number;
    /** Base64, as are all bytes. */
    readonly salt: string;
  };
  readonly cipher: { readonly name: "AES-256-GCM"; readonly iv: string };
  /** Derived from the passphrase, to distinguish a wrong passphrase from a damaged file. */
  readonly check: string;
}

/**
 * Encrypts accounts with a passphrase into the text of a file: PBKDF2 with SHA-512, AES-256-GCM, by
 * WebCrypto. The passphrase has 8 to 1,000 characters and is normalized to NFC. Throws TypeError
 * for a key that could not be restored. Source: explorer §3.
 */
export async function sealKeys(
  accounts: readonly BackedUpAccount[],
  passphrase: string,
): Promise<string> {
  const wrong = await wrongAccounts(accounts);
  if (wrong !== undefined) {
    throw new TypeError(wrong);
  }
  if (passphrase.length < PASSPHRASE_LENGTH_MIN || passphrase.length > PASSPHRASE_LENGTH_MAX) {
    throw new TypeError(
      `The passphrase must have ${PASSPHRASE_LENGTH_MIN} to ${PASSPHRASE_LENGTH_MAX} characters.`,
    );
  }
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const salt = toBase64(crypto.getRandomValues(new Uint8Array(SALT_BYTES)));
  const kdf: Header["kdf"] = { name: "PBKDF2", hash: "SHA-512", iterations: ITERATIONS, salt };
  const { key, check } = await derived(passphrase, kdf);
  const cipher = { name: "AES-256-GCM", iv: toBase64(iv) } as const;
  const header: Header = { kind: KIND, version: VERSION, kdf, cipher, check };
  const plain = new TextEncoder().encode(JSON.stringify({ accounts: accounts.map(written) }));
  const algorithm = { name: "AES-GCM", iv, additionalData: authenticated(header) };
  const data = new Uint8Array(await subtle().encrypt(algorithm, key, plain));
  const whole = { ...header, data: toBase64(data) };
  const text = `${JSON.stringify({ ...whole, checksum: await checksumOf(whole) }, null, 2)}\n`;
  if (text.length > KEY_BACKUP_LENGTH_MAX) {
    throw new TypeError(`A back-up has at most ${KEY_BACKUP_LENGTH_MAX} characters.`);
  }
  return text;
}

/** Throws KeyBackupError, whose `fault` gives the reason. Source: explorer §3. */
export async function openKeys(text: string, passphrase: string): Promise<BackedUpAccount[]> {
  const { header, data } = await readFile(text);
  const { key, check } = await derived(passphrase, header.kdf);
  if (check !== header.check) {
    throw new KeyBackupError(
      "passphrase",
      "The passphrase is not the one that this back-up was made with.",
    );
  }
  const iv = bytesOf(header.cipher.iv) as Uint8Array<ArrayBuffer>;
  const algorithm = { name: "AES-GCM", iv, additionalData: authenticated(header) };
  let content: unknown;
  try {
    const plain = await subtle().decrypt(algorithm, key, data);
    content = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain));
  } catch (cause) {
    throw damaged({ cause });
  }
  const { accounts } = membersOf(content);
  const wrong = await wrongAccounts(accounts);
  if (wrong !== undefined) {
    throw new KeyBackupError("form", `The back-up was made by another program: ${wrong}`);
  }
  return (accounts as BackedUpAccount[]).map(written);
}

/** Throws KeyBackupError unless the text is undamaged. Call it before you ask for a passphrase. */
export async function checkKeyBackup(text: string): Promise<void> {
  await readFile(text);
}

async function readFile(
  text: string,
): Promise<{ readonly header: Header; readonly data: Uint8Array<ArrayBuffer> }> {
  if (text.length > KEY_BACKUP_LENGTH_MAX) {
    throw noBackup(`it has more than ${KEY_BACKUP_LENGTH_MAX} characters`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw text.includes(KIND) ? damaged({ cause }) : noBackup("it is no JSON text");
  }
  const { checksum, ...whole } = membersOf(value);
  const { kind, version, kdf, cipher, check, data } = whole;
  if (kind !== KIND) {
    throw text.includes(KIND) ? damaged() : noBackup(`it has no member "kind": "${KIND}"`);
  }
  // Every version has this checksum, so a damaged file is not reported as a later version.
  if (checksum !== (await checksumOf(whole))) {
    throw damaged();
  }
  if (version !== VERSION) {
    throw new KeyBackupError(
      "version",
      `The back-up has version ${JSON.stringify(version)}, and this program reads version ${VERSION}: a newer one is needed.`,
    );
  }
  const { name, hash, iterations, salt } = membersOf(kdf);
  const sealed = bytesOf(data);
  const isWhole =
    name === "PBKDF2" &&
    hash === "SHA-512" &&
    membersOf(cipher)["name"] === "AES-256-GCM" &&
    bytesOf(salt)?.length === SALT_BYTES &&
    bytesOf(membersOf(cipher)["iv"])?.length === IV_BYTES &&
    bytesOf(check)?.length === CHECK_BYTES;
  if (
    !isWhole ||
    sealed === undefined ||
    !(Number.isSafeInteger(iterations) && Number(iterations) > 0)
  ) {
    throw damaged();
  }
  if (Number(iterations) > ITERATIONS_MAX) {
    throw noBackup(`it asks for ${iterations} iterations, and at most ${ITERATIONS_MAX} are made`);
  }
  return { header: { kind, version, kdf, cipher, check } as Header, data: sealed };
}

/** The key of the cipher and the check value: the two halves of 512 bits. */
async function derived(
  passphrase: string,
  { hash, iterations, salt }: Header["kdf"],
): Promise<{ readonly key: CryptoKey; readonly check: string }> {
  const secret = new TextEncoder().encode(passphrase.normalize("NFC"));
  const base = await subtle().importKey("raw", secret, "PBKDF2", false, ["deriveBits"]);
  const algorithm = {
    name: "PBKDF2",
    hash,
    iterations,
    salt: fromBase64(salt) as Uint8Array<ArrayBuffer>,
  };
  const bits = new Uint8Array(await subtle().deriveBits(algorithm, base, 512));
  return {
    key: await subtle().importKey("raw", bits.slice(0, KEY_BYTES), "AES-GCM", false, [
      "encrypt",
      "decrypt",
    ]),
    check: toBase64(bits.slice(KEY_BYTES, KEY_BYTES + CHECK_BYTES)),
  };
}

function authenticated({ kind, version, kdf, cipher, check }: Header): Uint8Array<ArrayBuffer> {
  const header = { kind, version, kdf, cipher, check };
  return new TextEncoder().encode(canonicalJson(header as unknown as Json));
}

/** SHA-256 of all other members, base64: detects damage before the key is derived. */
async function checksumOf(members: object): Promise<string | undefined> {
  const text = canonicalText(members);
  if (text === undefined) {
    return undefined;
  }
  const bytes = new TextEncoder().encode(text);
  return toBase64(new Uint8Array(await subtle().digest("SHA-256", bytes)));
}

function canonicalText(value: object): string | undefined {
  try {
    return canonicalJson(value as Json);
  } catch {
    return undefined;
  }
}

function written(account: BackedUpAccount): BackedUpAccount {
  const { name, privateKeyPem, curve, address, ledgerId } = account;
  return {
    name,
    privateKeyPem,
    curve,
    ...(address === undefined ? {} : { address }),
    ...(ledgerId === undefined ? {} : { ledgerId }),
  };
}

/** Why a value is not a list of accounts with usable keys; undefined if it is. */
async function wrongAccounts(accounts: unknown): Promise<string | undefined> {
  if (!Array.isArray(accounts) || accounts.length < 1 || accounts.length > ACCOUNTS_MAX) {
    return `a back-up has 1 to ${ACCOUNTS_MAX} accounts`;
  }
  for (const [at, account] of accounts.entries()) {
    const wrong = await wrongAccount(membersOf(account));
    if (wrong !== undefined) {
      return `accounts[${at}]: ${wrong}`;
    }
  }
  return undefined;
}

async function wrongAccount(
  account: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const { name, privateKeyPem, curve, address, ledgerId } = account;
  if (typeof name !== "string" || name === "" || name.length > NAME_LENGTH_MAX) {
    return `name must be a text of 1 to ${NAME_LENGTH_MAX} characters`;
  }
  if (address !== undefined && parseAddress(String(address)) === undefined) {
    return "address must be an address, or be absent";
  }
  if (ledgerId !== undefined && !/^[0-9a-f]{64}$/.test(String(ledgerId))) {
    return "ledgerId must be 64 hex digits, or be absent";
  }
  try {
    const pem = String(privateKeyPem);
    const key = readPrivateKeyPem(pem);
    await SigningKey.fromPem(pem);
    return /-BEGIN PRIVATE KEY-/.test(pem) && key.curve === curve
      ? undefined
      : "privateKeyPem must be PEM, PRIVATE KEY, on the curve that is named";
  } catch (thrown) {
    return thrown instanceof TypeError ? thrown.message : "privateKeyPem is no key";
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function bytesOf(text: unknown): Uint8Array<ArrayBuffer> | undefined {
  return typeof text === "string" ? fromBase64(text) : undefined;
}

function noBackup(reason: string): KeyBackupError {
  return new KeyBackupError("form", `This is no back-up of keys: ${reason}.`);
}

function damaged(options?: ErrorOptions): KeyBackupError {
  return new KeyBackupError(
    "damaged",
    "The back-up is damaged: it is not as it was written. Take another copy of the file.",
    options,
  );
}
