import { join } from "node:path";
import { closeWhole, derivedId, Ledger, LocalLog, openScratch } from "@moneta/ledger";
import {
  type Address,
  addressAround,
  encodeBase62Number,
  operationText,
  type Texts,
} from "@moneta/protocol";
import { addBlock, SIGNATURES, temporaryKey } from "../packages/node/testing/past-http.ts";
import { makeKeyPair } from "./curves.ts";
import { report } from "./progress.ts";
import { below, pick } from "./random.ts";

export interface Known {
  readonly addresses: readonly Address[];
  readonly shop: Address;
  readonly creators: readonly Address[];
  readonly projects: readonly { readonly id: string; readonly owner: Address }[];
  readonly tokens: readonly string[];
  readonly unitItems: readonly string[];
  readonly time: number;
  readonly size: number;
}

const CREATORS = 20;
const COINS_EACH = "10000000000000";
const BLOCK_OPERATIONS = 500;

export function nameOf(item: number): string {
  return `Sword of ${(item % 4999).toString(36)} ${item}`;
}

export const GROUPS = 50;
export const CATEGORIES = 5;

/** A ledger of all kinds of records, made past HTTP and signatures for a stopped node. */
export class WideLedger {
  readonly #file: string;
  readonly #publicKey: string = makeKeyPair("p256")
    .publicKey.export({ type: "spki", format: "pem" })
    .toString();
  readonly #addresses: Address[] = [];
  readonly #projects: { readonly id: string; readonly owner: Address }[] = [];
  readonly #tokens: string[] = [];
  readonly #unitItems: { readonly id: string; readonly creator: Address }[] = [];
  #made: string[] = [];
  #keys = 0;
  #time = 0;
  #ledger: Ledger | undefined;

  constructor(dataDirectory: string) {
    this.#file = join(dataDirectory, "ledger.db");
  }

  async grow(transactions: number): Promise<Known> {
    const database = openScratch(this.#file);
    database.exec("PRAGMA cache_size = -2000000");
    const ledger = new Ledger(database, new LocalLog(database));
    this.#ledger = ledger;
    this.#time = ledger.head.timestamp;
    if (this.#addresses.length === 0) {
      await this.#begin();
    }
    for (let round = this.#projects.length; ledger.head.size < transactions; round += 1) {
      await this.#round(round);
      if (round % 50 === 0) {
        report(`growing the ledger: ${ledger.head.size} of ${transactions} transactions`);
      }
    }
    closeWhole(database);
    return {
      addresses: this.#addresses,
      shop: this.#addresses[CREATORS] as Address,
      creators: this.#addresses.slice(0, CREATORS),
      projects: this.#projects,
      tokens: this.#tokens,
      unitItems: this.#unitItems.map(({ id }) => id),
      time: this.#time,
      size: ledger.head.size,
    };
  }

  get #open(): Ledger {
    if (this.#ledger === undefined) {
      throw new Error("the ledger is opened when it grows");
    }
    return this.#ledger;
  }

  async #begin(): Promise<void> {
    for (let count = 0; count <= CREATORS; count += 1) {
      this.#createAddress();
    }
    await this.#execute();
    const treasury = this.#open.state.addressNumbered(0) as Address;
    for (const to of this.#addresses.slice(0, CREATORS)) {
      this.#sign("transfer", treasury, "checkkey", {
        from: treasury,
        to,
        amount: COINS_EACH,
        token: "0",
      });
    }
    await this.#execute();
  }

  async #round(round: number): Promise<void> {
    const [shop, creator] = [this.#addresses[CREATORS], this.#addresses[round % CREATORS]];
    for (let count = 0; count < 100; count += 1) {
      this.#createAddress();
    }
    this.#createProject(creator as Address, round);
    this.#createToken(creator as Address, round);
    await this.#execute();
    for (let count = 0; count < 20; count += 1) {
      this.#createItems(count);
    }
    this.#createUnits(creator as Address);
    this.#createUnits(creator as Address);
    await this.#execute();
    for (let count = 0; count < 10; count += 1) {
      const { id, creator: from } = pick(this.#unitItems.slice(-20));
      this.#sign("mrc402transfer", from, "tkey", {
        mrc402id: id,
        fromAddr: from,
        toAddr: this.#anybody(),
        amount: "1",
      });
    }
    for (let count = 0; count < 865; count += 1) {
      const from = pick(this.#addresses.slice(0, CREATORS));
      this.#sign("transfer", from, "checkkey", {
        from,
        to: count % 10 === 0 ? (shop as Address) : this.#anybody(),
        amount: "1",
        token: "0",
      });
      if (this.#made.length === BLOCK_OPERATIONS) {
        await this.#execute();
      }
    }
    await this.#execute();
  }

  /** Never a payer, so that none pays itself. */
  #anybody(): Address {
    const first = CREATORS + 1;
    return this.#addresses[first + below(this.#addresses.length - first)] as Address;
  }

  #createAddress(): void {
    const address = addressAround(encodeBase62Number(this.#addresses.length, 30));
    this.#addresses.push(address);
    const params = { publickey: this.#publicKey };
    this.#make({ op: "address", actor: "", params, decided: { address }, signatures: {} });
  }

  #createProject(owner: Address, round: number): void {
    const url = "https://bench.example/";
    const tkey = this.#sign("mrc400create", owner, "tkey", {
      owner,
      name: `Project ${round}`,
      url,
      imageurl: `${url}p.png`,
      allowtoken: "0",
      category: `category ${Math.floor(round / CREATORS) % CATEGORIES}`,
      description: "Items of a game",
      itemurl: `${url}item/{id}`,
      itemimageurl: `${url}image/{id}`,
      data: "{}",
    });
    this.#projects.push({ id: derivedId("MRC400", owner, tkey), owner });
  }

  #createToken(owner: Address, round: number): void {
    const name = `Token ${round}`;
    this.#sign("tokensave", owner, "Temporarykey", {
      owner,
      symbol: `T${round % 1000}`,
      name,
      totalsupply: "1000",
      url: "https://bench.example/",
    });
    this.#sign("tokencreate", owner, "tkey", {}, { name });
    this.#tokens.push(String(this.#tokens.length + 1));
  }

  #createItems(batch: number): void {
    const { id: mrc400id, owner } = pick(this.#projects.slice(-CREATORS));
    const itemdata = Array.from({ length: 10 }, (_, index) => ({
      groupid: `group ${(batch * 10 + index) % GROUPS}`,
      attributes: { name: nameOf(batch * 10 + index) },
      ...(index === 0 ? { sell_price: "100" } : {}),
      ...(index === 1
        ? { auction_start_price: "100", auction_end: String(this.#time + 86_400) }
        : {}),
    }));
    this.#sign("mrc401create", owner, "tkey", {
      mrc400id,
      creator: owner,
      itemdata: JSON.stringify(itemdata),
    });
  }

  #createUnits(creator: Address): void {
    const url = "https://bench.example/";
    const tkey = this.#sign("mrc402create", creator, "tkey", {
      creator,
      name: "Bench",
      totalsupply: "100",
      url,
      imageurl: `${url}i.png`,
    });
    this.#unitItems.push({ id: derivedId("MRC402", creator, tkey), creator });
  }

  #sign(op: string, actor: Address, keyName: string, params: Texts, decided: Texts = {}): string {
    this.#keys += 1;
    const addressNumber = this.#open.state.address(actor)?.number ?? 0;
    const key = temporaryKey({ addressNumber, time: this.#time, serial: this.#keys });
    const all = { ...params, [keyName]: key };
    this.#make({ op, actor, params: all, decided, signatures: SIGNATURES });
    return key;
  }

  #make(operation: Parameters<typeof operationText>[0]): void {
    this.#made.push(operationText(operation));
  }

  async #execute(): Promise<void> {
    this.#time += 1;
    await addBlock(this.#open, this.#made, this.#time);
    this.#made = [];
  }
}
