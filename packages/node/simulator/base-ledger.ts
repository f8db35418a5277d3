import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  closeWhole,
  derivedId,
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
  type Texts,
  untaggedKey,
} from "@moneta/protocol";
import type { BlockRow } from "./session-host.ts";

/** Of block 0, Unix seconds. */
export const BASE_TIME = 1767225600;

/** For longer than a run takes. */
const KEY_SECONDS = 80_000;
const HOLDERS = 6;
const FUNDS = "1000000";
/** Any valid key: signatures are not checked here. */
export const PUBLIC_KEY =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==";

export interface Holder {
  readonly address: Address;
  readonly number: number;
}

/** An address can do each once, in any order and among any others. */
export interface Chances {
  /** Another owner's, to make offers for. */
  readonly project: string;
  /** Under a policy, with an offer for each. */
  readonly offered: readonly { readonly item: string; readonly offerid: string }[];
  /** It can put them on sale. */
  readonly unlisted: readonly string[];
  readonly own: readonly (readonly [offerid: string, other: string])[];
}

/** No run comes to the end. */
const CHANCES = 10;
const FAR = String(BASE_TIME + 3_000_000);

/** The beginning of every run: funds, items with a policy, offers. */
export class BaseLedger implements Disposable {
  readonly folder: string;
  readonly file: string;
  readonly rows: readonly BlockRow[];
  readonly holders: readonly Holder[];
  /** For each holder except the last, who makes the offers. */
  readonly chances: readonly Chances[];

  private constructor(made: Pick<BaseLedger, "folder" | "file" | "rows" | "holders" | "chances">) {
    this.folder = made.folder;
    this.file = made.file;
    this.rows = made.rows;
    this.holders = made.holders;
    this.chances = made.chances;
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
    const made = addresses.map((address) => ({ address, number: numberOf(address) }));
    const { units, chances } = firstTrade(made);
    for (const operations of units) {
      const trade = await ledger.execute(
        operations.map((text) => [text]),
        // It covers only items that existed before.
        BASE_TIME + 1,
      );
      invariant(
        trade.outcomes.every(({ kind }) => kind === "done"),
        "items and offers are there",
      );
    }
    const rows = [...log.read(0)].map(({ header, id, operations }) => ({
      height: header.sn,
      id,
      header: JSON.stringify(header),
      operations: operations.join("\n"),
    }));
    closeWhole(database);
    return new BaseLedger({ folder, file, rows, holders: made, chances });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Linux keeps files there in memory, if there is room. */
const IN_MEMORY = "/dev/shm";
const ROOM_BYTES = 256 * 1024 * 1024;

/** Syncs cost nothing there, and the machine outlives simulated crashes. */
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

function firstTrade(holders: readonly Holder[]): {
  readonly units: readonly (readonly string[])[];
  readonly chances: readonly Chances[];
} {
  const owner = holders.at(-1) as Holder;
  const others = holders.slice(0, -1);
  let keys = 0;
  const made: string[][] = [[], [], []];
  const act = (block: number, by: Holder, op: string, params: Texts): string => {
    keys += 1;
    const { text, tkey } = operationOf(by, op, {
      params: { ...params, signed: "full" },
      key: keys,
    });
    made[block]?.push(text);
    return tkey;
  };
  const policy = '{"transfers":"market","maxprice":"200"}';
  const page = "https://s.example/";
  const about = {
    ...{ name: "S", url: page, imageurl: `${page}1.png`, category: "game", description: "S" },
    ...{ itemurl: page, itemimageurl: `${page}2.png`, data: "{}", policy },
  };
  const opened = act(0, owner, "mrc400create", { owner: owner.address, ...about });
  const mrc400id = derivedId("MRC400", owner.address, opened);
  const offer = (by: Holder, id: string): string => {
    const terms = { buyer: by.address, id, price: "3", token: "0", end: FAR };
    return derivedId("OFF401", by.address, act(2, by, "mrc401offer", terms));
  };
  const chances = others.map((holder, place): Chances => {
    const numbers = Array.from({ length: 2 * CHANCES }, (_, n) =>
      String(100 * (place + 1) + n).padStart(40, "0"),
    );
    const elements = numbers.map((item_id) => ({ item_id, face_price: "3", to: holder.address }));
    act(1, owner, "mrc401create", { mrc400id, itemdata: JSON.stringify(elements) });
    const items = numbers.map((number) => `${mrc400id}_${number}`);
    return {
      project: mrc400id,
      offered: items.slice(0, CHANCES).map((item) => ({ item, offerid: offer(owner, item) })),
      unlisted: items.slice(CHANCES),
      own: Array.from({ length: CHANCES }, () => [
        offer(holder, mrc400id),
        offer(holder, mrc400id),
      ]),
    };
  });
  return { units: made, chances };
}

export function operationOf(
  { address: actor, number }: Holder,
  op: string,
  {
    params,
    key,
    signature = "MEQ=",
  }: { readonly params: Texts; readonly key: number; readonly signature?: string },
): { readonly text: string; readonly key: string; readonly tkey: string } {
  const [signer] = RULES.get(op)?.operation.signers ?? [];
  invariant(signer !== undefined, `${op} is signed`);
  const random = encodeBase62Number(key, 10);
  const untagged = untaggedKey({
    addressNumber: number,
    expiry: BASE_TIME + KEY_SECONDS,
    random,
  });
  const tkey = `${untagged}${"0".repeat(22)}`;
  const text = operationText({
    op,
    actor,
    params: { ...params, [signer.temporaryKey]: tkey },
    decided: {},
    signatures: {
      [signer.signature]: signature,
      ...(signer.proof === undefined ? {} : { [signer.proof]: signature }),
    },
  });
  return { text, key: untagged, tkey };
}

export function transferOf(
  from: Holder,
  { to, amount, key }: { readonly to: Address; readonly amount: string; readonly key: number },
): { readonly text: string; readonly key: string } {
  const params = { from: from.address, to, token: "0", amount };
  return operationOf(from, "transfer", { params, key });
}
