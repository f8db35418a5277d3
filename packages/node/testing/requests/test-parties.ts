import assert from "node:assert/strict";
import { type Answered, type KeyHolder, type Params, TestNode } from "../test-node.ts";
import {
  type RequestParams,
  type RequestSigning,
  type SentRequest,
  type SignedRequest,
  sendRequest,
} from "./signed-request.ts";
import { AMOUNT_MAX, issued } from "./token-requests.ts";

/**
 * A node with the addresses and tokens that a test has made on it, and the signed operations `W`
 * that it sends. It knows all of them, so subclasses can check that no unit is lost.
 */
export abstract class TestParties<W extends string> implements AsyncDisposable {
  readonly node: TestNode;
  /** Has all of the tokens 1, 2, ... at first: 10^40 each. */
  readonly issuer: KeyHolder;
  readonly tokens: string[] = ["0"];
  /** Treasury and issuer, who pay everybody. */
  protected readonly payers: readonly KeyHolder[];
  protected holders: KeyHolder[] = [];

  protected constructor(node: TestNode, issuer: KeyHolder) {
    this.node = node;
    this.issuer = issuer;
    this.payers = [node.treasury, issuer];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.node[Symbol.asyncDispose]();
  }

  /** Signs an operation of `by`. */
  abstract request(
    word: W,
    by: KeyHolder,
    params: RequestParams,
    signing?: RequestSigning,
  ): Promise<SignedRequest>;

  /** A new address with coins, and with units of other tokens, such as `{ "7": 100n }`. */
  async holder(
    coins = 0n,
    {
      tokens = {},
      params = {},
    }: { tokens?: Readonly<Record<string, bigint>>; params?: Params } = {},
  ): Promise<KeyHolder> {
    const holder = await this.node.holder(coins > 0n ? { coins, params } : { params });
    this.holders.push(holder);
    for (const [token, amount] of Object.entries(tokens)) {
      await this.pay(holder, token, amount);
    }
    return holder;
  }

  async pay(to: KeyHolder, token: string, amount: bigint): Promise<void> {
    if (token === "0") {
      return this.node.pay(to, amount);
    }
    const params = { to: to.address, token, amount: String(amount) };
    const answer = await this.node.post(
      "/transfer",
      await this.node.fullTransfer(this.issuer, params),
    );
    assert.equal(answer.status, 200, answer.text);
  }

  async post(request: SentRequest): Promise<Answered> {
    return this.follow(await sendRequest(this.node, request));
  }

  /** Remembers what a response names, for later checks. */
  abstract follow(answer: Answered): Answered;

  async send(
    word: W,
    by: KeyHolder,
    params: RequestParams,
    signing?: RequestSigning,
  ): Promise<Answered> {
    return this.post(await this.request(word, by, params, signing));
  }

  async done(
    word: W,
    by: KeyHolder,
    params: RequestParams,
    signing?: RequestSigning,
  ): Promise<Answered> {
    const answer = await this.send(word, by, params, signing);
    assert.equal(answer.status, 200, `${word}: ${answer.text}`);
    return answer;
  }

  /** Signs what is to be sent later. */
  async ready(word: W, by: KeyHolder, params: RequestParams): Promise<() => Promise<Answered>> {
    const request = await this.request(word, by, params);
    return () => this.post(request);
  }

  /** What somebody has of a token, such as `970`; locked amounts as `50@1767225700`. */
  async held(holder: KeyHolder, token = "0"): Promise<string> {
    return (await this.node.balances(holder, token)).join(" + ");
  }
}

/** Starts a node, whose issuer gets this many tokens: 9 include the 7 and 9 of the examples. */
export async function openParties<P extends TestParties<string>>(
  make: (node: TestNode, issuer: KeyHolder) => P,
  tokens: number,
): Promise<P> {
  const node = await TestNode.start();
  try {
    const parties = make(node, await node.holder());
    for (let n = 1; n <= tokens; n++) {
      const terms = { name: `Metal ${n}`, totalsupply: String(AMOUNT_MAX) };
      assert.equal(await issued(node, parties.issuer, terms), String(n));
      parties.tokens.push(String(n));
    }
    return parties;
  } catch (thrown) {
    await node[Symbol.asyncDispose]();
    throw thrown;
  }
}
