import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { ItemShown } from "../../../ledger/testing/trade/item-trade.ts";
import {
  type Answered,
  type BalanceEntry,
  type KeyHolder,
  type Params,
  parsed,
  type Signing,
  saidCode,
  TestNode,
  transactionIdOf,
} from "../test-node.ts";
import { AMOUNT_MAX, issued, tokenRecord } from "./token-requests.ts";

/** A signed operation on projects and items: its name, its way, the parameters that name its actor and stand in its path, and the string of its short signature. */
interface ItemOperation {
  readonly name: string;
  readonly method: "POST" | "PUT";
  readonly path: string;
  readonly inPath: "" | "mrc400id" | "mrc401id";
  /** Named unless it is given as `""`; `""` if the operation has no such parameter. */
  readonly actor: string;
  readonly signed: string;
}

const LISTING = {
  method: "POST",
  inPath: "mrc400id",
  actor: "seller",
  signed: "seller|itemdata|tkey",
} as const;

const TAKING = { method: "POST", inPath: "mrc401id", signed: "mrc401id|tkey" } as const;

const ITEMDATA = {
  path: "/mrc401",
  inPath: "mrc400id",
  actor: "creator",
  signed: "mrc400id|itemdata|tkey",
} as const;

/** Source: mrc401 §1.3, §3 to §16. */
export const ITEM_OPERATIONS = {
  createProject: {
    name: "mrc400create",
    method: "POST",
    path: "/mrc400",
    inPath: "",
    actor: "owner",
    signed: "owner|name|url|imageurl|category|itemurl|itemimageurl|partner|data|tkey",
  },
  updateProject: {
    name: "mrc400update",
    method: "PUT",
    path: "/mrc400",
    inPath: "mrc400id",
    actor: "",
    signed: "mrc400id|name|url|imageurl|category|itemurl|itemimageurl|data|tkey",
  },
  create: { name: "mrc401create", method: "POST", ...ITEMDATA },
  update: { name: "mrc401update", method: "PUT", ...ITEMDATA },
  transfer: {
    name: "mrc401transfer",
    method: "POST",
    path: "/mrc401/transfer",
    inPath: "mrc401id",
    actor: "fromAddr",
    signed: "fromAddr|toAddr|mrc401id|tkey",
  },
  transferBatch: {
    name: "mrc401transfer",
    method: "POST",
    path: "/mrc401/transfer",
    inPath: "",
    actor: "fromAddr",
    signed: "fromAddr|toAddr|itemdata|tkey",
  },
  sell: { name: "mrc401sell", path: "/mrc401/sell", ...LISTING },
  unsell: { name: "mrc401unsell", path: "/mrc401/unsell", ...LISTING },
  auction: { name: "mrc401auction", path: "/mrc401/auction", ...LISTING },
  unauction: { name: "mrc401unauction", path: "/mrc401/unauction", ...LISTING },
  buy: { name: "mrc401buy", path: "/mrc401/buy", actor: "buyer", ...TAKING },
  melt: { name: "mrc401melt", path: "/mrc401/melt", actor: "address", ...TAKING },
  bid: {
    name: "mrc401bid",
    method: "POST",
    path: "/mrc401/bid",
    inPath: "mrc401id",
    actor: "buyer",
    signed: "mrc401id|amount|token|tkey",
  },
} as const satisfies Readonly<Record<string, ItemOperation>>;

export type ItemWord = keyof typeof ITEM_OPERATIONS;

/** Parameters; what is no text is sent as its JSON. */
export type ItemParams = Readonly<Record<string, string | object>>;

/** An element of `itemdata`. */
export type Element = Readonly<Record<string, unknown>>;

export interface ItemSigning extends Signing {
  /** How it is signed: `short` unless told. */
  readonly signed?: "short" | "full";
  /** What stands in the short signed string in place of what is sent, such as `{ seller: "" }`. */
  readonly signedAs?: Params;
}

/** A signed request and where it goes; the id in the path is not among its parameters. */
export interface ItemRequest {
  readonly method: "POST" | "PUT";
  readonly path: string;
  readonly params: Params & { readonly tkey: string; readonly signature: string };
}

/**
 * A request of one who signs it, who is named as its actor unless `params` names another or `""`, with a fresh temporary key of the signer
 * unless `params` has one. `mrc400id` or `mrc401id` goes into the path.
 */
export async function itemRequest(
  node: TestNode,
  word: ItemWord,
  by: KeyHolder,
  params: ItemParams,
  { signed = "short", signedAs = {}, ...signing }: ItemSigning = {},
): Promise<ItemRequest> {
  const { name, method, path, inPath, actor, signed: text } = ITEM_OPERATIONS[word];
  const given = Object.entries(params).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const all: Params & { readonly tkey: string } = {
    ...(actor === "" ? {} : { [actor]: by.address }),
    ...Object.fromEntries(given),
    tkey: (params["tkey"] as string | undefined) ?? (await node.key(by)),
  };
  const signer = signing.by ?? by;
  const { signature } =
    signed === "full"
      ? node.fullySigned(name, all, signer, signing)
      : await node.shortlySigned(signer, text.split("|"), { ...all, ...signedAs }, signing);
  const { [inPath]: id = "", ...rest } = all;
  return {
    method,
    path: id === "" ? path : `${path}/${encodeURIComponent(id)}`,
    params: {
      ...rest,
      tkey: all.tkey,
      signature,
      ...(signed === "full" ? { signed } : {}),
    },
  };
}

export function sendItem(
  node: TestNode,
  { method, path, params }: Omit<ItemRequest, "params"> & { readonly params: Params },
): Promise<Answered> {
  return method === "POST" ? node.post(path, params) : node.put(path, params);
}

/** The same request with parameters changed after it was signed. */
export function changed(request: ItemRequest, change: Params): ItemRequest {
  return { ...request, params: { ...request.params, ...change } };
}

/** The same request with some parameters under other names. */
export function renamed(request: ItemRequest, names: Params): ItemRequest {
  const params = Object.entries(request.params).map(([name, text]) => [names[name] ?? name, text]);
  return { ...request, params: Object.fromEntries(params) };
}

/** Closes an auction. Source: mrc401 §17. */
export function finishAuction(
  node: TestNode,
  id: string,
  method: "GET" | "POST" = "POST",
): Promise<Answered> {
  return node.request(`/mrc401/auctionfinish/${id}`, { method });
}

/** A project as it is sent, but for its owner. */
export const PROJECT = {
  name: "Meta-RPG",
  url: "https://rpg.example/",
  imageurl: "https://rpg.example/p.png",
  category: "game",
  description: "Items of a game",
  itemurl: "https://rpg.example/item/{id}",
  itemimageurl: "https://rpg.example/image/{id}",
  data: "{}",
} as const;

/** Creates `PROJECT`, or what is given instead, and answers its id. */
export async function createProject(
  node: TestNode,
  owner: KeyHolder,
  overrides: ItemParams = {},
  signing?: ItemSigning,
): Promise<string> {
  const params = { ...PROJECT, ...overrides };
  const request = await itemRequest(node, "createProject", owner, params, signing);
  const answer = await sendItem(node, request);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.text, projectIdOf(owner.address, request.params.tkey));
  return answer.text;
}

/** Creates items and answers their ids. */
export async function createItems(
  node: TestNode,
  project: string,
  creator: KeyHolder,
  itemdata: string | readonly Element[],
  { params = {}, ...signing }: ItemSigning & { readonly params?: ItemParams } = {},
): Promise<string[]> {
  const all = { mrc400id: project, itemdata, ...params };
  const answer = await sendItem(node, await itemRequest(node, "create", creator, all, signing));
  transactionIdOf(answer);
  return parsed<{ mrc401ids: string[] }>(answer).mrc401ids;
}

/** Source: mrc401 §2.1. */
export function projectIdOf(owner: string, tkey: string): string {
  return `MRC400_${sha256(`MRC400|${owner}|${tkey}`).slice(0, 33)}`;
}

/** An item number: 40 digits. */
export function numberOf(n: number): string {
  return String(n).padStart(40, "0");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A project as `GET /mrc400/{mrc400id}` shows it. Source: mrc401 §5. */
export interface ProjectRecord {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly url: string;
  readonly image_url: string;
  readonly allow_token: number;
  readonly category: string;
  readonly description: string;
  readonly data: string;
  readonly item_url: string;
  readonly item_image_url: string;
  readonly socialmedia: Readonly<Record<string, string>>;
  readonly partner: Readonly<Record<string, string>>;
  readonly createdate: number;
}

export async function projectRecord(node: TestNode, id: string): Promise<ProjectRecord> {
  const answer = await node.get(`/mrc400/${id}`);
  assert.equal(answer.status, 200, answer.text);
  return parsed<ProjectRecord>(answer);
}

export async function itemRecord(node: TestNode, id: string): Promise<ItemShown> {
  const answer = await node.get(`/mrc401/${id}`);
  assert.equal(answer.status, 200, answer.text);
  return parsed<ItemShown>(answer);
}

/** O owns project Q with roles P partner, S seller, C creator; A, B and D are others. Source: mrc401 §18. */
export type Role = "o" | "p" | "s" | "c" | "a" | "b" | "d";

export type Cast = Readonly<Record<Role, KeyHolder>> & { readonly q: string };

/**
 * A node with projects and items. It knows every address, token and item that its own methods have made, so it can ask whether a unit was
 * lost: `await using collection = await Collection.open()`.
 */
export class Collection implements AsyncDisposable {
  readonly node: TestNode;
  /** Has all of the tokens 1, 2, ... at first: 10^40 each. */
  readonly issuer: KeyHolder;
  readonly tokens: string[] = ["0"];
  readonly #holders: KeyHolder[];
  readonly #items = new Set<string>();

  private constructor(node: TestNode, issuer: KeyHolder) {
    this.node = node;
    this.issuer = issuer;
    this.#holders = [node.treasury, issuer];
  }

  /** Nine tokens are enough for the 7 and 9 of the examples. */
  static async open({ tokens = 0 }: { readonly tokens?: number } = {}): Promise<Collection> {
    const node = await TestNode.start();
    try {
      const collection = new Collection(node, await node.holder());
      for (let n = 1; n <= tokens; n++) {
        const terms = { name: `Metal ${n}`, totalsupply: String(AMOUNT_MAX) };
        assert.equal(await issued(node, collection.issuer, terms), String(n));
        collection.tokens.push(String(n));
      }
      return collection;
    } catch (thrown) {
      await node[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.node[Symbol.asyncDispose]();
  }

  /** A new address with coins, and with units of other tokens, such as `{ "7": 100n }`. */
  async holder(
    coins = 0n,
    {
      tokens = {},
      params = {},
    }: { tokens?: Readonly<Record<string, bigint>>; params?: Params } = {},
  ): Promise<KeyHolder> {
    const holder = await this.node.holder(coins > 0n ? { coins, params } : { params });
    this.#holders.push(holder);
    for (const [token, amount] of Object.entries(tokens)) {
      await this.pay(holder, token, amount);
    }
    return holder;
  }

  /** Pays a token other than the coin to somebody. */
  async pay({ address }: KeyHolder, token: string, amount: bigint): Promise<void> {
    const params = { to: address, token, amount: String(amount) };
    const answer = await this.node.post(
      "/transfer",
      await this.node.fullTransfer(this.issuer, params),
    );
    assert.equal(answer.status, 200, answer.text);
  }

  /** New addresses with 1000 coins each, or with `coins`, and O's project, as `PROJECT` unless told otherwise. */
  async cast({
    coins = 1000n,
    project = {},
  }: {
    readonly coins?: bigint;
    readonly project?: ItemParams;
  } = {}): Promise<Cast> {
    const [o, p, s, c, a, b, d] = (await Promise.all(
      Array.from("opscabd", () => this.holder(coins)),
    )) as [KeyHolder, KeyHolder, KeyHolder, KeyHolder, KeyHolder, KeyHolder, KeyHolder];
    const partner = { [p.address]: "partner", [s.address]: "seller", [c.address]: "creator" };
    const q = await createProject(this.node, o, { partner, ...project });
    return { o, p, s, c, a, b, d, q };
  }

  request(
    word: ItemWord,
    by: KeyHolder,
    params: ItemParams,
    signing?: ItemSigning,
  ): Promise<ItemRequest> {
    return itemRequest(this.node, word, by, params, signing);
  }

  /** Sends what has been signed. */
  async post(
    request: Omit<ItemRequest, "params"> & { readonly params: Params },
  ): Promise<Answered> {
    return this.follow(await sendItem(this.node, request));
  }

  /** Has an eye on the items that somebody was answered to have created. */
  follow(answer: Answered): Answered {
    if (answer.status === 200 && answer.text.startsWith("{")) {
      for (const id of parsed<{ mrc401ids?: string[] }>(answer).mrc401ids ?? []) {
        this.#items.add(id);
      }
    }
    return answer;
  }

  /** Signs and sends. */
  async send(
    word: ItemWord,
    by: KeyHolder,
    params: ItemParams,
    signing?: ItemSigning,
  ): Promise<Answered> {
    return this.post(await this.request(word, by, params, signing));
  }

  /** Signs and sends what has to succeed. */
  async done(
    word: ItemWord,
    by: KeyHolder,
    params: ItemParams,
    signing?: ItemSigning,
  ): Promise<Answered> {
    const answer = await this.send(word, by, params, signing);
    assert.equal(answer.status, 200, answer.text);
    return answer;
  }

  /** Signs what is to be sent later. */
  async ready(word: ItemWord, by: KeyHolder, params: ItemParams): Promise<() => Promise<Answered>> {
    const request = await this.request(word, by, params);
    return () => this.post(request);
  }

  /**
   * Sends a request whose faults are mended one after the other: each change is answered with the next fault. `key` stands for all that can
   * be wrong with temporary key and signature.
   */
  async mending(
    word: ItemWord,
    { by, stranger }: { readonly by: KeyHolder; readonly stranger: KeyHolder },
    changes: readonly (readonly [change: ItemParams, answer: string])[],
  ): Promise<void> {
    const tkey = await this.node.key(by);
    const used = await this.usedKey(by);
    const foreign = await this.node.key(stranger);
    const keyFaults: readonly (readonly [once: Params, answer: string, signer?: KeyHolder])[] = [
      [{ tkey: "abc" }, "401 2020"],
      [{ tkey: foreign }, "401 2020"],
      [{ tkey: used }, "409 2021"],
      [{ signature: "abc!" }, "401 2230"],
      [{}, "401 2010", stranger],
    ];
    let params: ItemParams = {};
    for (const [change, answer] of changes) {
      params = { ...params, ...change };
      const faults: typeof keyFaults = answer === "key" ? keyFaults : [[{}, answer]];
      for (const [{ signature, ...once }, expected, signer = by] of faults) {
        const request = await this.request(word, by, { ...params, tkey, ...once }, { by: signer });
        const given = signature === undefined ? request : changed(request, { signature });
        const what = JSON.stringify({ ...change, ...once }).slice(0, 300);
        assert.equal(saidCode(await this.post(given)), expected, what);
      }
    }
  }

  /** A temporary key that has been used up, by what moves nothing. */
  async usedKey(by: KeyHolder): Promise<string> {
    const greeting = [
      { address: this.issuer.address, amount: "0", unlockdate: "0", memo: "hello" },
    ];
    const greeted = await this.node.multitransfer(by, greeting);
    const { status, text } = await this.node.post("/multitransfer", greeted);
    assert.equal(status, 200, text);
    return greeted.checkkey;
  }

  /** Creates items and answers their ids. */
  async items(project: string, by: KeyHolder, ...itemdata: readonly Element[]): Promise<string[]> {
    const answer = await this.done("create", by, { mrc400id: project, itemdata });
    return parsed<{ mrc401ids: string[] }>(answer).mrc401ids;
  }

  /** Creates one item and answers its id. */
  async item(project: string, by: KeyHolder, element: Element = {}): Promise<string> {
    return (await this.items(project, by, element))[0] as string;
  }

  async give(id: string, from: KeyHolder, to: KeyHolder): Promise<void> {
    await this.done("transfer", from, { mrc401id: id, toAddr: to.address });
  }

  record(id: string): Promise<ItemShown> {
    return itemRecord(this.node, id);
  }

  project(id: string): Promise<ProjectRecord> {
    return projectRecord(this.node, id);
  }

  /** What somebody has of a token, such as `970`; locked amounts as `50@1767225700`. */
  async held(holder: KeyHolder, token = "0"): Promise<string> {
    return (await this.node.balances(holder, token)).join(" + ");
  }

  /** Per token: balances, reserves of unmelted items and current bids are what was issued and not burned. Source: mrc401 §18 row 80. */
  async assertConserved(): Promise<void> {
    const found = new Map(this.tokens.map((token) => [token, 0n]));
    const add = (token: string, amount: string): void => {
      found.set(token, (found.get(token) ?? 0n) + BigInt(amount));
    };
    const balances = this.#holders.map(({ address }) => this.node.get(`/balance/${address}`));
    for (const answer of await Promise.all(balances)) {
      for (const { token, balance } of parsed<BalanceEntry[]>(answer)) {
        add(token, balance);
      }
    }
    for (const item of await Promise.all([...this.#items].map((id) => this.record(id)))) {
      if (item.owner !== "MELTED") {
        add(item.initial_token, item.initial_reserve);
      }
      add(item.auction_token, item.auction_current_price);
    }
    for (const [token, held] of found) {
      const record = await tokenRecord(this.node, token);
      const issuedUnits = BigInt(String(record["totalsupply"]));
      assert.equal(
        held,
        issuedUnits - BigInt(String(record["burnningamount"])),
        `units of token ${token}`,
      );
    }
  }
}
