import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Database,
  fileProblem,
  type Genesis,
  GenesisProblem,
  genesisContent,
  NEWEST_VERSION,
  NotYet,
  readGenesis,
  SyncFailure,
  syncFolderOf,
  takeLock,
  withoutPasswords,
} from "@moneta/ledger";
import { jsonOf, SettingProblem, settingFromFile } from "../settings.ts";
import { writeWhole } from "./write-whole.ts";

export interface DataDirectory {
  readonly ledger: string;
  /** Rebuilt from the ledger if it is missing. */
  readonly stateTree: string;
  readonly newestBlock: string;
  /** Locked while a service runs here. */
  readonly lock: string;
  readonly genesis: string;
  readonly treasuryKey: string;
  /** Hex. A second line is the previous one, which is still accepted. */
  readonly secret: string;
  /** Ed25519, PKCS #8. A second one is the previous key, which also signs. */
  readonly checkpointKey: string;
  readonly signedTree: string;
  readonly logSource: string;
  readonly logCopying: string;
  /** The highest PostgreSQL timeline on which the log was certain. */
  readonly logTimeline: string;
  /** Of the log that this node begins, until the log has block 0. */
  readonly logBeginning: string;
  readonly webhooks: string;
}

export function dataDirectory(path: string): DataDirectory {
  return {
    ledger: join(path, "ledger.db"),
    stateTree: join(path, "state.tree"),
    newestBlock: join(path, "newest-block.json"),
    lock: join(path, "lock.db"),
    genesis: join(path, "genesis.json"),
    treasuryKey: join(path, "treasury.pem"),
    secret: join(path, "temporary-key.secret"),
    checkpointKey: join(path, "checkpoint.pem"),
    signedTree: join(path, "checkpoint.signed"),
    logSource: join(path, "log-source"),
    logCopying: join(path, "log-copying"),
    logTimeline: join(path, "log-timeline"),
    logBeginning: join(path, "log-beginning"),
    webhooks: join(path, "webhooks"),
  };
}

/** Inside the directory, because its parent may belong to another user. */
export const RESTORE_PART = ".restore.part";

/** Of a start from a snapshot or `moneta prune`. */
export const LEDGER_PART = ".ledger.part";

export const TEST_LEDGER = "localhost/test";

/** Source: accounts §12, chain §8. */
const TEST_COIN = {
  name: "Test Coin",
  symbol: "TST",
  decimal: 8,
  totalsupply: String(10n ** 18n),
};

/** Undefined if none may be made. Throws `GenesisProblem` and errors of the file system. */
export function findGenesis(
  directory: DataDirectory,
  options: { readonly file: string; readonly mayMake: boolean; readonly now: number },
): Genesis | undefined {
  if (options.file !== "") {
    return readGenesisFile(options.file, options.now);
  }
  if (existsSync(directory.genesis)) {
    const { genesis } = directory;
    return genesisFrom(genesis, genesisJson(readFile(genesis), genesis), options.now);
  }
  if (!options.mayMake) {
    return undefined;
  }
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  writeWhole(
    directory.treasuryKey,
    privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    0o600,
  );
  const publickey = publicKey.export({ type: "spki", format: "pem" }).toString();
  return readGenesis(
    {
      protocol: NEWEST_VERSION,
      ledger: TEST_LEDGER,
      note: "made at the first start of a test deployment",
      coin: { ...TEST_COIN, treasury: [{ publickey, amount: TEST_COIN.totalsupply }] },
    },
    options.now,
  );
}

function readGenesisFile(file: string, now: number): Genesis {
  return genesisFrom(`--genesis ${file}`, settingFromFile("genesis", file, jsonOf), now);
}

/** Throws a `GenesisProblem` with its source. */
export function genesisFrom(where: string, content: unknown, now: number): Genesis {
  try {
    return readGenesis(content, now);
  } catch (thrown) {
    throw thrown instanceof GenesisProblem
      ? new GenesisProblem(`${where}: ${thrown.message}`)
      : thrown;
  }
}

/** Ledger time would stand still until the clock reaches it. Throws a `GenesisProblem`. */
export function refuseAhead({ timestamp }: Genesis, now: number): void {
  if (timestamp > now + AHEAD_MAX) {
    const [begin, clock] = [timestamp, now].map((time) => new Date(time * 1000).toISOString());
    throw new GenesisProblem(
      `timestamp of the genesis file is ${begin}, and the clock shows ${clock}: block 0 may be at most a day ahead of the clock, because the ledger's time would stand still until then`,
    );
  }
}

const AHEAD_MAX = 86_400;

/** Throws a `SettingProblem` with its source if it is damaged. */
export function genesisJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SettingProblem(
      `${where} is damaged, it is no JSON: put there what another node's genesis.json has, or a back-up's`,
    );
  }
}

/** The message; `path` may be the ledger's file itself. */
export function noLedgerIn(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
    ? `${path} is a file: name a directory that has it as ledger.db`
    : `there is no ledger in ${withoutPasswords(path)}`;
}

/** With all defaults: other nodes make the same block 0. */
export function keepGenesis(
  directory: DataDirectory,
  genesis: Genesis,
  { isNew }: { readonly isNew: boolean },
): void {
  if (isNew || !existsSync(directory.genesis)) {
    writeWhole(directory.genesis, `${JSON.stringify(genesisContent(genesis), null, 2)}\n`, 0o600);
  }
}

/** The current one first; made at the first start. Source: accounts §7.2. */
export function readSecrets(directory: DataDirectory): readonly Buffer[] {
  if (!existsSync(directory.secret)) {
    writeWhole(directory.secret, `${randomBytes(32).toString("hex")}\n`, 0o600);
  }
  const lines = readFile(directory.secret)
    .split("\n")
    .filter((line) => line !== "");
  const secrets = lines.map((line) => Buffer.from(line, "hex"));
  if (secrets.length < 1 || secrets.length > 2 || secrets.some(({ length }) => length < 32)) {
    throw new SettingProblem(
      `${directory.secret} must hold one or two lines of at least 64 hex digits: remove it to have a new one made`,
    );
  }
  return secrets;
}

/** For a start while the cluster's log is not reachable. */
export function writeSecrets(directory: DataDirectory, secrets: readonly Buffer[]): void {
  const lines = secrets.slice(0, 2).map((secret) => `${secret.toString("hex")}\n`);
  writeWhole(directory.secret, lines.join(""), 0o600);
}

/** Throws `SettingProblem` for faults that the operator can repair. */
export function readFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    throw new SettingProblem(`${file} cannot be read: ${(thrown as Error).message}`, {
      cause: thrown,
    });
  }
}

/** Newest first; made at the first start. Source: chain §12. */
export function readCheckpointKeys(directory: DataDirectory): readonly KeyObject[] {
  if (!existsSync(directory.checkpointKey)) {
    const { privateKey } = generateKeyPairSync("ed25519");
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    writeWhole(directory.checkpointKey, pem, 0o600);
  }
  const text = readFile(directory.checkpointKey);
  const keys = (text.match(/-----BEGIN [^-]*-----[^-]*-----END [^-]*-----/g) ?? []).map(ed25519Key);
  if (keys.length < 1 || keys.length > 2 || keys.includes(undefined)) {
    throw new SettingProblem(
      `${directory.checkpointKey} must hold one or two Ed25519 private keys, PKCS #8 in PEM, the newest first: openssl genpkey -algorithm ed25519 makes one`,
    );
  }
  return keys as KeyObject[];
}

function ed25519Key(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === "ed25519" ? key : undefined;
  } catch {
    return undefined;
  }
}

export function makeDataDirectory(path: string): DataDirectory {
  try {
    makeFolder(path);
  } catch (thrown) {
    if (thrown instanceof SyncFailure) {
      throw thrown;
    }
    const { code, message } = thrown as NodeJS.ErrnoException;
    const isFile = code === "EEXIST" || code === "ENOTDIR";
    throw new SettingProblem(
      `--data ${path}: ${isFile ? "a file is there, and no directory" : message}`,
      { cause: thrown },
    );
  }
  const directory = dataDirectory(path);
  makePrivate(path, directory);
  return directory;
}

/** Durable. Recursive `mkdir` reports a read-only file system as a missing file. */
export function makeFolder(path: string, mode = 0o700): void {
  try {
    mkdirSync(path, { mode });
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "EEXIST" && statSync(path).isDirectory()) {
      return;
    }
    if (code !== "ENOENT" || dirname(path) === path) {
      throw thrown;
    }
    makeFolder(dirname(path), mode);
    mkdirSync(path, { mode, recursive: true }); // another process may have made it
  }
  syncFolderOf(path);
}

/** Name and reason in one line, or the `SyncFailure`. */
export function notMade(path: string, thrown: unknown): Error {
  if (thrown instanceof SyncFailure) {
    return thrown;
  }
  const reason =
    (thrown as NodeJS.ErrnoException).code === "ENOTDIR"
      ? "a part of its path is a file"
      : fileProblem(dirname(path), thrown);
  return new SettingProblem(`${path} cannot be made: ${reason}`, { cause: thrown });
}

function makePrivate(path: string, directory: DataDirectory): void {
  const files = Object.values(directory)
    .filter((file) => file !== directory.webhooks)
    .flatMap((file) => ["", "-wal", "-shm", "-redo"].map((suffix) => `${file}${suffix}`));
  const webhookFiles = existsSync(directory.webhooks) ? readdirSync(directory.webhooks) : [];
  for (const [each, mode] of [
    ...[path, directory.webhooks].map((folder) => [folder, 0o700] as const),
    ...[...files, ...webhookFiles.map((file) => join(directory.webhooks, file))].map(
      (file) => [file, 0o600] as const,
    ),
  ]) {
    try {
      if ((statSync(each).mode & 0o077) !== 0) {
        chmodSync(each, mode);
      }
    } catch (thrown) {
      // Another user's file, or a file system without writes or permissions.
      const { code } = thrown as NodeJS.ErrnoException;
      if (!["ENOENT", "EPERM", "ENOTSUP", "EROFS"].includes(code ?? "")) {
        throw new SettingProblem(`--data ${path}: ${(thrown as Error).message}`, {
          cause: thrown,
        });
      }
    }
  }
}

/** Throws `NotYet` with `advice`. A shared lock excludes writers. */
export function lockDirectory(
  directory: DataDirectory,
  path: string,
  {
    advice = "stop it, and run this again",
    kind = "exclusive",
  }: { readonly advice?: string; readonly kind?: "exclusive" | "shared" } = {},
): Database {
  // A node that began here would make a new block 0.
  if (existsSync(join(path, RESTORE_PART))) {
    throw new NotYet(
      `a restore to ${path} was interrupted, or still runs: wait for its end, or empty the directory and run moneta restore again`,
    );
  }
  const lock = takeLock(directory.lock, kind);
  if (lock === undefined) {
    throw new NotYet(`another service runs on ${path}: ${advice}`);
  }
  return lock;
}
