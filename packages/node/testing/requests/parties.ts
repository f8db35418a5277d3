import assert from "node:assert/strict";
import { type Answered, type KeyHolder, type Params, parsed, TestNode } from "../test-node.ts";
import {
  type RequestParams,
  type RequestSigning,
  type SentRequest,
  type SignedRequest,
  sendRequest,
  signedRequest,
} from "./signed-request.ts";
import { AMOUNT_MAX, issued } from "./token-requests.ts";

/** A node with addresses that pay and act: `await using parties = await Parties.open()`. */
export class Parties implements AsyncDisposable {
  readonly node: TestNode;
  /** Has all of the tokens 1, 2, ... at first: 10^40 each. */
  readonly issuer: KeyHolder;

  constructor(node: TestNode, issuer: KeyHolder) {
    this.node = node;
    this.issuer = issuer;
  }

  /** Starts a node, whose issuer gets this many tokens: 9 include the 7 and 9 of the examples. */
  static async open<P extends Parties>(
    this: new (
      node: TestNode,
      issuer: KeyHolder,
    ) => P,
    { tokens = 0 }: { readonly tokens?: number } = {},
  ): Promise<P> {
    const node = await TestNode.start();
    try {
      const issuer = await node.holder();
      for (let n = 1; n <= tokens; n++) {
        const terms = { name: `Metal ${n}`, totalsupply: String(AMOUNT_MAX) };
        assert.equal(await issued(node, issuer, terms), String(n));
      }
      return new this(node, issuer);
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
    for (const [token, amount] of Object.entries(tokens)) {
      await this.pay(holder, token, amount);
    }
    return holder;
  }

  /** The treasury pays coins, the issuer other tokens. */
  async pay(to: KeyHolder, token: string, amount: bigint, from = this.issuer): Promise<void> {
    const payer = token === "0" ? this.node.treasury : from;
    const params = { to: to.address, token, amount: String(amount) };
    const answer = await this.node.post("/transfer", await this.node.fullTransfer(payer, params));
    assert.equal(answer.status, 200, answer.text);
  }

  request(
    operation: string,
    by: KeyHolder,
    params: RequestParams,
    signing?: RequestSigning,
  ): Promise<SignedRequest> {
    return signedRequest(this.node, operation, by, params, signing);
  }

  post(request: SentRequest): Promise<Answered> {
    return sendRequest(this.node, request);
  }

  async send(...of: Parameters<Parties["request"]>): Promise<Answered> {
    return this.post(await this.request(...of));
  }

  async done(...of: Parameters<Parties["request"]>): Promise<Answered> {
    const answer = await this.send(...of);
    assert.equal(answer.status, 200, `${of[0]}: ${answer.text}`);
    return answer;
  }
}

export async function readJson<T>(node: TestNode, path: string): Promise<T> {
  const answer = await node.get(path);
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return parsed<T>(answer);
}

export async function allOf<T>(node: TestNode, path: string, query: Params = {}): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const search = new URLSearchParams({ limit: "100", ...query, ...(cursor && { cursor }) });
    const page: { items: T[]; cursor?: string } = await readJson(node, `${path}?${search}`);
    all.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
}
