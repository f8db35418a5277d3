import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  closeWhole,
  genesisOperations,
  invariant,
  Ledger,
  LocalLog,
  openScratch,
  RULES,
  readGenesis,
} from "@moneta/ledger";
import {
  type Address,
  addressAround,
  encodeBase62Number,
  operationText,
  untaggedKey,
} from "@moneta/protocol";
import type { BlockRow } from "./session-host.ts";

/** The ledger time of block 0, Unix seconds. */
export const BASE_TIME = 1767225600;

/** Temporary keys are valid for longer than a run takes. */
const KEY_SECONDS = 80_000;
const HOLDERS = 6;
/** How much each address begins with. */
const FUNDS = "1000000";
/** Any valid key: nobody checks signatures here. */
const PUBLIC_KEY =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==";

/** An address with funds, and how many temporary keys it has used. */
export interface Holder {
  readonly address: Address;
  readonly number: number;
}

/** A short ledger that every run begins with: some addresses with funds. */
export class BaseLedger implements Disposable {
  readonly folder: string;
  /** A database to be copied for each node. */
  readonly file: string;
  readonly rows: readonly BlockRow[];
  readonly holders: readonly Holder[];

  private constructor(made: Pick<BaseLedger, "folder" | "file" | "rows" | "holders">) {
    this.folder = made.folder;
    this.file = made.file;
    this.rows = made.rows;
    this.holders = made.holders;
  }

  static async make(): Promise<BaseLedger> {
    const folder = mkdtempSync(join(quickFolder(), "moneta-simulate-"));
    const file = join(folder, "base.db");
    const database = openScratch(file);
    const log = new LocalLog(database);
    const ledger = new Ledger(database, log);
    const genesis = readGenesis(
      {
        ledger: "localhost/simulated",
        coin: {
          name: "Simulated Coin",
          symbol: "SIM",
          decimal: 0,
          totalsupply: "1000000000",
          treasury: [{ publickey: PUBLIC_KEY, amount: "1000000000" }],
        },
      },
      BASE_TIME,
    );
    await ledger.begin(genesisOperations(genesis), BASE_TIME);
    const treasury = genesis.coin.treasury[0]?.address as Address;
    const addresses = Array.from({ length: HOLDERS }, (_, index) =>
      addressAround(`s${String(index).padStart(29, "0")}`),
    );
    await ledger.execute(
      addresses.map((address) => [createAddress(address)]),
      BASE_TIME,
    );
    const numberOf = (address: Address): number => {
      const number = ledger.state.addressNumber(address);
      invariant(number !== undefined, "the address has been created");
      return number;
    };
    const from: Holder = { address: treasury, number: numberOf(treasury) };
    const { outcomes } = await ledger.execute(
      addresses.map((to, index) => [transferOf(from, { to, amount: FUNDS, key: index }).text]),
      BASE_TIME,
    );
    invariant(
      outcomes.every(({ kind }) => kind === "done"),
      "the funds are there",
    );
    const rows = [...log.read(0)].map(({ header, id, operations }) => ({
      height: header.sn,
      id,
      header: JSON.stringify(header),
      operations: operations.join("\n"),
    }));
    const made = addresses.map((address) => ({ address, number: numberOf(address) }));
    closeWhole(database);
    return new BaseLedger({ folder, file, rows, holders: made });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Linux keeps files there in memory, if there is room. */
const IN_MEMORY = "/dev/shm";
const ROOM_BYTES = 256 * 1024 * 1024;

/**
 * Where syncs cost nothing, if there is such a folder: nothing here depends on a disk, and a crash
 * of a simulated node is none of the machine.
 */
function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ROOM_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

function createAddress(created: Address): string {
  return operationText({
    op: "address",
    actor: "",
    params: { publickey: PUBLIC_KEY },
    decided: { address: created },
    signatures: {},
  });
}

/** A transfer with the temporary key of that number. */
export function transferOf(
  { address: from, number }: Holder,
  { to, amount, key }: { readonly to: Address; readonly amount: string; readonly key: number },
): { readonly text: string; readonly key: string } {
  invariant(RULES.has("transfer"), "a transfer has a rule");
  const random = encodeBase62Number(key, 10);
  const untagged = untaggedKey({
    addressNumber: number,
    expiry: BASE_TIME + KEY_SECONDS,
    random,
  });
  const checkkey = `${untagged}${"0".repeat(22)}`;
  const text = operationText({
    op: "transfer",
    actor: from,
    params: { from, to, token: "0", amount, checkkey },
    decided: {},
    signatures: { signature: "MEQ=" },
  });
  return { text, key: untagged };
}
