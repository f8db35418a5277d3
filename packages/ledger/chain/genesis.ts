import {
  type Address,
  addressAround,
  KeyProblem,
  type LedgerOperation,
  littleEndianBase62,
  operationText,
  parseAddress,
  parseAmount,
  parseOperationText,
  parsePublicKey,
  publicKeyText,
  suggestion,
  UNLOCK_DATE_MAX,
} from "@moneta/protocol";
import { sha256 } from "../sha256.ts";
import { NEWEST_VERSION } from "./protocol-version.ts";

/** The content of block 0, which it fixes permanently. Source: accounts §12, chain §8. */
export interface Genesis {
  /** The version of the rules that block 0 and those after it follow. Source: chain §8. */
  readonly protocol: number;
  readonly ledger: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly note: string;
  readonly operator: GenesisKey | undefined;
  /** Shortest and longest auction, seconds. */
  readonly auctionMin: number;
  readonly auctionMax: number;
  readonly coin: {
    readonly name: string;
    readonly symbol: string;
    readonly decimal: number;
    readonly totalsupply: string;
    readonly owner: Address | "";
    readonly treasury: readonly (GenesisKey & {
      readonly amount: string;
      readonly unlockdate: number;
    })[];
  };
}

interface GenesisKey {
  readonly address: Address;
  /** Canonical body. */
  readonly publicKey: string;
}

export class GenesisProblem extends Error {
  override readonly name: string = "GenesisProblem";
}

/** Throws a `GenesisProblem` that names the setting. Source: accounts §12, chain §8. */
export function readGenesis(content: unknown, now: number): Genesis {
  const root = new Section("", content);
  const coin = root.section("coin");
  const totalsupply = coin.amount("totalsupply");
  const treasury = coin.list("treasury", 100).map((entry, index) => ({
    ...readKey(entry, `treasury/${index}`),
    amount: entry.amount("amount"),
    unlockdate: entry.integer("unlockdate", 0, UNLOCK_DATE_MAX, 0),
  }));
  const sum = treasury.reduce((total, { amount }) => total + BigInt(amount), 0n);
  if (sum !== BigInt(totalsupply)) {
    throw new GenesisProblem(
      `coin.treasury: its amounts add up to ${sum} but coin.totalsupply is ${totalsupply}`,
    );
  }
  const operator = root.has("operator") ? readKey(root.section("operator"), "operator") : undefined;
  refuseTwoKeys([...treasury, ...(operator === undefined ? [] : [operator])]);
  const owner = coin.text("owner", 0, 40, "");
  if (owner !== "" && !treasury.some(({ address }) => address === owner)) {
    throw new GenesisProblem(`coin.owner must be "" or one of the addresses of coin.treasury`);
  }
  const ledger = root.text("ledger", 1, 128);
  if (!/^[0-9a-z./-]+$/.test(ledger)) {
    throw new GenesisProblem("ledger may only have 0-9, a-z, dots, slashes and hyphens");
  }
  const auctionMin = root.integer("auctionMin", 0, UNLOCK_DATE_MAX, 3600);
  const genesis = {
    protocol: root.integer("protocol", 1, NEWEST_VERSION, 1),
    ledger,
    timestamp: root.integer("timestamp", 0, UNLOCK_DATE_MAX, now),
    note: root.text("note", 0, 255, ""),
    operator,
    auctionMin,
    auctionMax: root.integer("auctionMax", auctionMin, UNLOCK_DATE_MAX, 1814400),
    coin: {
      name: coin.text("name", 1, 128),
      symbol: coin.text("symbol", 1, 32),
      decimal: coin.integer("decimal", 0, 18),
      totalsupply,
      owner: owner as Address | "",
      treasury,
    },
  };
  root.refuseUnread();
  return genesis;
}

/** The content of a genesis file with all defaults, so that other nodes make the same block 0. */
export function genesisContent({ operator, coin, ...genesis }: Genesis): unknown {
  const keyContent = ({ address, publicKey }: GenesisKey): unknown => ({
    address,
    publickey: publicKeyText(publicKey),
  });
  return {
    ...genesis,
    ...(operator === undefined ? {} : { operator: keyContent(operator) }),
    coin: {
      ...coin,
      treasury: coin.treasury.map((entry) => ({
        ...(keyContent(entry) as object),
        amount: entry.amount,
        unlockdate: entry.unlockdate,
      })),
    },
  };
}

export function genesisOperations(genesis: Genesis): string[] {
  const { protocol, ledger, note, operator, auctionMin, auctionMax, coin } = genesis;
  const keys = new Map<Address, string>();
  for (const { address, publicKey } of [...coin.treasury, ...(operator ? [operator] : [])]) {
    keys.set(address, keys.get(address) ?? publicKey);
  }
  const treasury = coin.treasury.map(({ address, amount, unlockdate }) => ({
    address,
    value: amount,
    unlockdate,
  }));
  return [
    internal("protocol", {
      version: String(protocol),
      height: "0",
      ledger,
      operator: operator?.address ?? "",
      note,
      auctionMin: String(auctionMin),
      auctionMax: String(auctionMax),
    }),
    ...[...keys].map(([address, publicKey]) =>
      internal("address", { publickey: publicKeyText(publicKey) }, { address }),
    ),
    internal("coin", {
      name: coin.name,
      symbol: coin.symbol,
      decimal: String(coin.decimal),
      totalsupply: coin.totalsupply,
      owner: coin.owner,
      treasury: JSON.stringify(treasury),
    }),
  ];
}

export function genesisVersion([first = ""]: readonly string[]): number | undefined {
  const version = parseOperationText(first)?.params["version"] ?? "";
  return /^[1-9][0-9]{0,8}$/.test(version) ? Number(version) : undefined;
}

function internal(
  op: string,
  params: Record<string, string>,
  decided: Record<string, string> = {},
): string {
  const present = Object.entries(params).filter(([, value]) => value !== "");
  const operation: LedgerOperation = {
    op,
    actor: "",
    params: Object.fromEntries(present),
    decided,
    signatures: {},
  };
  return operationText(operation);
}

/** Where the file leaves the address out it follows from the key. */
function readKey(section: Section, place: string): GenesisKey {
  const key = parsePublicKey(section.text("publickey", 1, 4096));
  if (key instanceof KeyProblem) {
    throw new GenesisProblem(`${section.path}publickey: ${key.reason}`);
  }
  const given = section.text("address", 0, 40, "");
  if (given === "") {
    const digest = sha256.bytes(JSON.stringify(["genesis", place, key.body]));
    return { address: addressAround(littleEndianBase62(digest, 30)), publicKey: key.body };
  }
  const address = parseAddress(given);
  if (address === undefined) {
    throw new GenesisProblem(
      `${section.path}address is ${given}, which is no address: leave it out to have one made`,
    );
  }
  return { address, publicKey: key.body };
}

/** The coins would be lost to the holder of the other one. */
function refuseTwoKeys(entries: readonly GenesisKey[]): void {
  const keys = new Map<Address, string>();
  for (const { address, publicKey } of entries) {
    if ((keys.get(address) ?? publicKey) !== publicKey) {
      throw new GenesisProblem(`${address} stands in the genesis file with two public keys`);
    }
    keys.set(address, publicKey);
  }
}

class Section {
  /** Names of the outer objects, each followed by a dot. */
  readonly path: string;
  readonly #content: Record<string, unknown>;
  readonly #read = new Set<string>();
  readonly #sections: Section[] = [];

  constructor(path: string, content: unknown) {
    if (typeof content !== "object" || content === null || Array.isArray(content)) {
      throw new GenesisProblem(
        `${path === "" ? "the genesis file" : path.slice(0, -1)} must be an object`,
      );
    }
    this.path = path;
    this.#content = content as Record<string, unknown>;
  }

  has(name: string): boolean {
    return this.#value(name) !== undefined;
  }

  section(name: string): Section {
    return this.#below(name, this.#value(name));
  }

  list(name: string, max: number): Section[] {
    const list = this.#value(name);
    if (!Array.isArray(list) || list.length < 1 || list.length > max) {
      throw new GenesisProblem(`${this.path}${name} must be a list of 1 to ${max} entries`);
    }
    return list.map((entry, index) => this.#below(`${name}[${index}]`, entry));
  }

  text(name: string, min: number, max: number, absent?: string): string {
    const value = this.#value(name) ?? absent;
    if (
      typeof value !== "string" ||
      !isBetween([...value].length, min, max) ||
      !value.isWellFormed() ||
      FORBIDDEN.test(value)
    ) {
      throw new GenesisProblem(
        `${this.path}${name} must be text of ${min} to ${max} characters without | and control characters`,
      );
    }
    return value;
  }

  integer(name: string, min: number, max: number, absent?: number): number {
    const value = this.#value(name) ?? absent;
    if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max) {
      throw new GenesisProblem(`${this.path}${name} must be an integer from ${min} to ${max}`);
    }
    return value;
  }

  amount(name: string): string {
    const value = this.#value(name);
    const amount = typeof value === "string" ? parseAmount(value) : undefined;
    if (amount === undefined || amount === 0n) {
      throw new GenesisProblem(`${this.path}${name} must be text of an integer from 1 to 10^40`);
    }
    return String(amount);
  }

  /** Refuses an unknown setting. Block 0 would fix the default of a misspelt one permanently. */
  refuseUnread(): void {
    for (const name of Object.keys(this.#content)) {
      if (!this.#read.has(name)) {
        const meant = suggestion(name, this.#read);
        throw new GenesisProblem(`${this.path}${name} is no setting of a genesis file.${meant}`);
      }
    }
    for (const section of this.#sections) {
      section.refuseUnread();
    }
  }

  #value(name: string): unknown {
    this.#read.add(name);
    return this.#content[name];
  }

  #below(name: string, content: unknown): Section {
    const section = new Section(`${this.path}${name}.`, content);
    this.#sections.push(section);
    return section;
  }
}

// Line ends do not occur in names, but in the PEM text of keys.
const FORBIDDEN = /[^\P{Cc}\r\n]|\|/u;

function isBetween(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}
