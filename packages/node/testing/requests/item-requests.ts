import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  type Element,
  PROJECT,
  type ProjectShown,
} from "../../../ledger/testing/trade/creations.ts";
import type { ItemShown } from "../../../ledger/testing/trade/item-terms.ts";
import {
  type Answered,
  type BalanceEntry,
  type KeyHolder,
  type Params,
  parsed,
  saidCode,
  type TestNode,
  transactionIdOf,
} from "../test-node.ts";
import {
  changed,
  type RequestParams,
  type RequestSigning,
  type SignedOperation,
  type SignedRequest,
  sendRequest,
  signedRequest,
} from "./signed-request.ts";
import { openParties, TestParties } from "./test-parties.ts";
import { tokenRecord } from "./token-requests.ts";

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
  // Offers have full signatures only.
  offer: {
    name: "mrc401offer",
    method: "POST",
    path: "/mrc401/offer",
    inPath: "",
    actor: "buyer",
    signed: "",
  },
  acceptOffer: {
    name: "mrc401acceptoffer",
    method: "POST",
    path: "/mrc401/acceptoffer",
    inPath: "offerid",
    actor: "seller",
    signed: "",
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
} as const satisfies Readonly<Record<string, SignedOperation>>;

export type ItemWord = keyof typeof ITEM_OPERATIONS;

/** See `signedRequest`. */
export function itemRequest(
  node: TestNode,
  word: ItemWord,
  by: KeyHolder,
  params: RequestParams,
  signing?: RequestSigning,
): Promise<SignedRequest> {
  return signedRequest(node, ITEM_OPERATIONS[word], by, params, signing);
}

/** The same request with some parameters under other names. */
export function renamed(request: SignedRequest, names: Params): SignedRequest {
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

/** Creates `PROJECT`, or what is given instead, and returns its id. */
export async function createProject(
  node: TestNode,
  owner: KeyHolder,
  overrides: RequestParams = {},
  signing?: RequestSigning,
): Promise<string> {
  const params = { ...PROJECT, ...overrides };
  const request = await itemRequest(node, "createProject", owner, params, signing);
  const answer = await sendRequest(node, request);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.text, projectIdOf(owner.address, request.params.tkey));
  return answer.text;
}

/** Creates items and returns their ids. */
export async function createItems(
  node: TestNode,
  project: string,
  creator: KeyHolder,
  itemdata: string | readonly Element[],
  { params = {}, ...signing }: RequestSigning & { readonly params?: RequestParams } = {},
): Promise<string[]> {
  const all = { mrc400id: project, itemdata, ...params };
  const answer = await sendRequest(node, await itemRequest(node, "create", creator, all, signing));
  transactionIdOf(answer);
  return parsed<{ mrc401ids: string[] }>(answer).mrc401ids;
}

/** Source: mrc401 §2.1. */
export function projectIdOf(owner: string, tkey: string): string {
  return `MRC400_${sha256(`MRC400|${owner}|${tkey}`).slice(0, 33)}`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export async function projectRecord(node: TestNode, id: string): Promise<ProjectShown> {
  const answer = await node.get(`/mrc400/${id}`);
  assert.equal(answer.status, 200, answer.text);
  return parsed<ProjectShown>(answer);
}

export async function itemRecord(node: TestNode, id: string): Promise<ItemShown> {
  const answer = await node.get(`/mrc401/${id}`);
  assert.equal(answer.status, 200, answer.text);
  return parsed<ItemShown>(answer);
}

/** O owns project Q with roles P partner, S seller, C creator; A, B and D are others. Source: mrc401 §18. */
export type Role = "o" | "p" | "s" | "c" | "a" | "b" | "d";

export type Cast = Readonly<Record<Role, KeyHolder>> & { readonly q: string };

/** Projects and items on a node: `await using collection = await Collection.open()`. */
export class Collection extends TestParties<ItemWord> {
  readonly #items = new Set<string>();

  static open({ tokens = 0 }: { readonly tokens?: number } = {}): Promise<Collection> {
    return openParties((node, issuer) => new Collection(node, issuer), tokens);
  }

  /** New addresses with 1000 coins each, or with `coins`, and O's project, as `PROJECT` by default. */
  async cast({
    coins = 1000n,
    project = {},
  }: {
    readonly coins?: bigint;
    readonly project?: RequestParams;
  } = {}): Promise<Cast> {
    const [o, p, s, c, a, b, d] = (await Promise.all(
      Array.from("opscabd", () => this.holder(coins)),
    )) as [KeyHolder, KeyHolder, KeyHolder, KeyHolder, KeyHolder, KeyHolder, KeyHolder];
    const partner = { [p.address]: "partner", [s.address]: "seller", [c.address]: "creator" };
    const q = await createProject(this.node, o, { partner, ...project });
    return { o, p, s, c, a, b, d, q };
  }

  override request(
    word: ItemWord,
    by: KeyHolder,
    params: RequestParams,
    signing?: RequestSigning,
  ): Promise<SignedRequest> {
    return itemRequest(this.node, word, by, params, signing);
  }

  /** Remembers the items that a response says were created. */
  override follow(answer: Answered): Answered {
    if (answer.status === 200 && answer.text.startsWith("{")) {
      for (const id of parsed<{ mrc401ids?: string[] }>(answer).mrc401ids ?? []) {
        this.#items.add(id);
      }
    }
    return answer;
  }

  /**
   * Sends a request whose faults are mended one after the other: each change is answered with the next fault. `key` stands for all that can
   * be wrong with temporary key and signature.
   */
  async mending(
    word: ItemWord,
    { by, stranger }: { readonly by: KeyHolder; readonly stranger: KeyHolder },
    changes: readonly (readonly [change: RequestParams, answer: string])[],
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
    let params: RequestParams = {};
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

  async items(project: string, by: KeyHolder, ...itemdata: readonly Element[]): Promise<string[]> {
    const answer = await this.done("create", by, { mrc400id: project, itemdata });
    return parsed<{ mrc401ids: string[] }>(answer).mrc401ids;
  }

  async item(project: string, by: KeyHolder, element: Element = {}): Promise<string> {
    return (await this.items(project, by, element))[0] as string;
  }

  async give(id: string, from: KeyHolder, to: KeyHolder): Promise<void> {
    await this.done("transfer", from, { mrc401id: id, toAddr: to.address });
  }

  record(id: string): Promise<ItemShown> {
    return itemRecord(this.node, id);
  }

  project(id: string): Promise<ProjectShown> {
    return projectRecord(this.node, id);
  }

  /** Per token: balances, reserves of unmelted items and current bids are what was issued and not burned. Source: mrc401 §18 row 80. */
  async assertConserved(): Promise<void> {
    const found = new Map(this.tokens.map((token) => [token, 0n]));
    const add = (token: string, amount: string): void => {
      found.set(token, (found.get(token) ?? 0n) + BigInt(amount));
    };
    const balances = [...this.payers, ...this.holders].map(({ address }) =>
      this.node.get(`/balance/${address}`),
    );
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
