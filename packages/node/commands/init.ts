import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  type Genesis,
  genesisContent,
  genesisOperations,
  Ledger,
  LocalLog,
  NEWEST_VERSION,
  openScratch,
  readGenesis,
} from "@moneta/ledger";
import { findAddon } from "@moneta/native-verifier";
import { AMOUNT_MAX } from "@moneta/protocol";
import { verifierKeyOf } from "../checkpoint-keys.ts";
import {
  makeDataDirectory,
  makeFolder,
  notMade,
  readCheckpointKeys,
  readSecrets,
} from "../data-directory/data-directory.ts";
import { writeWhole } from "../data-directory/write-whole.ts";
import { PRODUCTION_LIMITS, SettingProblem } from "../settings.ts";
import { shellWord } from "../shell-word.ts";
import { finish } from "./backup.ts";
import { isTaken, makePart, makeScratch } from "./targets.ts";

/** An open page makes about 60 requests a minute, a busy shop a hundred times that. */
const RATE_LIMIT = 6000;

export interface InitOptions {
  readonly ledger: string;
  readonly coin: string;
  readonly symbol: string;
  readonly decimal: number;
  /** Whole coins, as decimal text. */
  readonly supply: string;
  readonly hasOperator: boolean;
}

/** Prints the texts to publish and the files to back up. Returns the exit code. */
export async function init(path: string, options: InitOptions): Promise<number> {
  if (isTaken(path)) {
    throw new SettingProblem(`${path} exists already: name a folder that does not`);
  }
  const folder = resolve(path);
  const [treasury, operator] = [newKey(), options.hasOperator ? newKey() : undefined];
  // A fixed time, so that every node with the file makes the same block 0.
  const genesis = genesisOf(options, { treasury, operator, now: Math.floor(Date.now() / 1000) });
  const ledgerId = await idOf(genesis);
  try {
    makeFolder(dirname(folder));
  } catch (thrown) {
    throw notMade(folder, thrown);
  }
  using held = makePart(folder);
  const part = held.path;
  mkdirSync(join(part, "keys"), { mode: 0o700 });
  writeWhole(join(part, "keys", "treasury.pem"), privatePem(treasury), 0o600);
  if (operator !== undefined) {
    writeWhole(join(part, "keys", "operator.pem"), privatePem(operator), 0o600);
  }
  writeWhole(join(part, "genesis.json"), jsonFile(genesisContent(genesis)), 0o644);
  writeWhole(join(part, "moneta.json"), jsonFile(settingsFor(folder)), 0o600);
  const directory = makeDataDirectory(join(part, "data"));
  readSecrets(directory);
  const [checkpointKey] = readCheckpointKeys(directory);
  finish(part, folder);
  const verifier = verifierKeyOf(genesis.ledger, checkpointKey as KeyObject);
  say(path, { genesis, ledgerId, verifier });
  return 0;
}

function genesisOf(
  { ledger, coin, symbol, decimal, supply }: InitOptions,
  {
    treasury,
    operator,
    now,
  }: {
    readonly treasury: KeyPair;
    readonly operator: KeyPair | undefined;
    readonly now: number;
  },
): Genesis {
  const totalsupply = unitsOf(supply, decimal);
  return readGenesis(
    {
      protocol: NEWEST_VERSION,
      ledger,
      timestamp: now,
      ...(operator === undefined ? {} : { operator: { publickey: publicPem(operator) } }),
      coin: {
        name: coin,
        symbol,
        decimal,
        totalsupply,
        treasury: [{ publickey: publicPem(treasury), amount: totalsupply }],
      },
    },
    now,
  );
}

/** Throws `SettingProblem`. */
function unitsOf(supply: string, decimal: number): string {
  const [, whole = "", fraction = ""] = /^([1-9][0-9]{0,40})(?:\.([0-9]+))?$/.exec(supply) ?? [];
  const units = whole === "" ? 0n : BigInt(whole + fraction.padEnd(decimal, "0"));
  if (units < 1n || fraction.length > decimal || units > AMOUNT_MAX) {
    throw new SettingProblem(
      `--supply is "${supply}" but must be how many coins there are, such as 1000000, with at most ${decimal} decimals, and at most 10^40 of the smallest unit`,
    );
  }
  return String(units);
}

async function idOf(genesis: Genesis): Promise<string> {
  const scratch = makeScratch("init");
  const database = openScratch(join(scratch, "ledger.db"));
  try {
    const ledger = new Ledger(database, new LocalLog(database));
    await ledger.begin(genesisOperations(genesis), genesis.timestamp);
    return ledger.head.id;
  } finally {
    database.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function settingsFor(folder: string): object {
  return {
    deployment: "production",
    data: join(folder, "data"),
    genesis: join(folder, "genesis.json"),
    host: "127.0.0.1",
    port: 20922,
    "operator-listen": "127.0.0.1:20923",
    "rate-limit": RATE_LIMIT,
    ...PRODUCTION_LIMITS,
  };
}

function say(
  path: string,
  {
    genesis,
    ledgerId,
    verifier,
  }: { readonly genesis: Genesis; readonly ledgerId: string; readonly verifier: string },
): void {
  const { coin, operator, ledger } = genesis;
  const [treasury] = coin.treasury;
  console.log(`made in ${path}:
  keys/treasury.pem          holds all coins, ${treasury?.address}
${operator === undefined ? "" : `  keys/operator.pem          announces new rules, ${operator.address}\n`}  genesis.json               input of block 0: permanent from the first start on
  moneta.json                settings with the limits of each client: moneta serve --help lists all settings;
                             behind a proxy set trust-proxy to 1, or all clients are limited as one
  data/checkpoint.pem        signs checkpoints
  data/temporary-key.secret  makes temporary keys

publish where your users trust you:
  ledger     ${ledger}
  ledger id  ${ledgerId}
  key        ${verifier}
  and genesis.json

back up, before the first start:
  move keys/ to another machine, and keep a second copy: the node does not need them, and they cannot be replaced
  copy data/checkpoint.pem to a place without a copy of the ledger
  then, as often as you can: moneta backup ${shellWord(`${path}/data`)} BACKUP --keys KEYS

${findAddon() === undefined ? NATIVE_VERIFIER : ""}start it: moneta serve --config ${shellWord(`${path}/moneta.json`)}`);
}

const NATIVE_VERIFIER = `optional, for less CPU time a write: build the native verifier of signatures with npm run build:native;
it takes 0.7 of the platform's time for P-256, 0.28 for P-384, 0.22 for P-521 (docs/operating.md)

`;

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

function newKey(): KeyPair {
  return generateKeyPairSync("ec", { namedCurve: "prime256v1" });
}

function privatePem({ privateKey }: KeyPair): string {
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

function publicPem({ publicKey }: KeyPair): string {
  return publicKey.export({ type: "spki", format: "pem" }).toString();
}

function jsonFile(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}
