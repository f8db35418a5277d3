import type { Address } from "@moneta/protocol";
import type { Params } from "../admitted.ts";
import type { Answer } from "../answer.ts";
import type { StoredDocument } from "../ledger-snapshot.ts";
import { TestClient } from "../test-client.ts";
import { createToken } from "./creations.ts";

/** A, B, C, D have 1000 of the base and of the target each. Source: protocols §11. */
export interface Traders {
  readonly a: Address;
  readonly b: Address;
  readonly c: Address;
  readonly d: Address;
}

/** The orders of book 1. */
export interface Book1 {
  readonly o1: string;
  readonly o2: string;
  readonly o3: string;
}

const FUNDS = 1000n;

/** The pair of protocols §11: its base has 2 decimals, its target 1. */
export class OrderMarket implements Disposable {
  readonly client: TestClient;
  readonly issuer: Address;
  readonly base: string;
  readonly target: string;

  private constructor(client: TestClient, base: string, target: string) {
    this.client = client;
    this.issuer = client.issuer;
    this.base = base;
    this.target = target;
  }

  static async open(): Promise<OrderMarket> {
    const client = await TestClient.open();
    const supply = { totalsupply: String(10n ** 30n) };
    const { issuer } = client;
    const base = await createToken(client, issuer, { name: "Base", decimal: "2", ...supply });
    const target = await createToken(client, issuer, { name: "Target", decimal: "1", ...supply });
    const market = new OrderMarket(client, base, target);
    await market.openPair();
    return market;
  }

  [Symbol.dispose](): void {
    this.client[Symbol.dispose]();
  }

  async openPair(): Promise<void> {
    const { client, issuer, base, target } = this;
    await client.done("tokensetbase", issuer, { token: target, baseToken: base });
    await this.admitTarget();
  }

  async admitTarget(): Promise<void> {
    const { client, issuer, base, target } = this;
    await client.done("tokenaddtarget", issuer, { token: base, targetToken: target });
  }

  async closePair(): Promise<void> {
    const { client, issuer, base, target } = this;
    await client.done("tokenremovetarget", issuer, { token: base, targetToken: target });
  }

  /** New addresses with 1000 of each token, or other amounts. */
  async people<const N extends string>(
    names: readonly N[],
    { base = FUNDS, target = FUNDS }: { readonly base?: bigint; readonly target?: bigint } = {},
  ): Promise<Readonly<Record<N, Address>>> {
    return await this.client.people(names, {
      tokens: { [this.base]: base, [this.target]: target },
    });
  }

  traders(): Promise<Traders> {
    return this.people(["a", "b", "c", "d"]);
  }

  terms(side: "SELL" | "BUY", qtt: string | bigint, price: string | bigint): Params {
    return {
      ...{ side, basetoken: this.base, targettoken: this.target },
      ...{ qtt: String(qtt), price: String(price) },
    };
  }

  create(
    by: Address,
    side: "SELL" | "BUY",
    qtt: string | bigint,
    price: string | bigint,
  ): Promise<Answer> {
    return this.client.send("mrc040create", by, this.terms(side, qtt, price));
  }

  /** Registers an order; returns its id. */
  order(by: Address, side: "SELL" | "BUY", qtt: string | bigint, price: string): Promise<string> {
    return this.client.make("mrc040create", by, this.terms(side, qtt, price));
  }

  request(
    by: Address,
    side: "SELL" | "BUY",
    qtt: string | bigint,
    price: string | bigint,
    more: Params = {},
  ): Promise<Answer> {
    return this.client.send("mrc040request", by, { ...this.terms(side, qtt, price), ...more });
  }

  take(by: Address, mrc040id: string, qtt: string): Promise<Answer> {
    return this.client.send("mrc040exchange", by, { mrc040id, qtt });
  }

  cancel(by: Address, mrc040id: string, more: Params = {}): Promise<Answer> {
    return this.client.send("mrc040cancel", by, { mrc040id, ...more });
  }

  /** C sells 10 at 100, then D 20 at 100, then C 10 at 110. Source: protocols §11. */
  async book1({ c, d }: Pick<Traders, "c" | "d">): Promise<Book1> {
    return {
      o1: await this.order(c, "SELL", "10", "100"),
      o2: await this.order(d, "SELL", "20", "100"),
      o3: await this.order(c, "SELL", "10", "110"),
    };
  }

  /** Takes all that waits out of the book, so that the next test has one of its own. */
  async clear(): Promise<void> {
    const waiting = this.orders().filter(({ status }) => /^(WAIT|TRADING)$/.test(String(status)));
    await this.client.block(
      waiting.map(({ mrc040id, owner }) => [
        ...(["mrc040cancel", owner as Address, { mrc040id: mrc040id as string }] as const),
      ]),
    );
  }

  orders(): readonly StoredDocument[] {
    return this.client.ledger.database
      .prepare("SELECT value FROM exchange_order ORDER BY number")
      .all()
      .map(({ value }) => JSON.parse(value as string) as StoredDocument);
  }

  /** Status, rest and escrow of an order, such as `TRADING 5, holds 5`. */
  state(mrc040id: string): string {
    const order = this.client.entry(mrc040id);
    return `${order["status"]} ${order["remainqtt"]}, holds ${order["held"]}`;
  }

  /** Balances of base and target, such as `645 1035`. */
  held(by: Address): string {
    return `${this.client.held(by, this.base)} ${this.client.held(by, this.target)}`;
  }
}

/** The trades of an operation, such as `10 for 100`. */
export function tradesOf({ effects }: Answer): readonly string[] {
  return effects
    .filter(({ type }) => type === "stodexExchangeRequest")
    .map(({ parameters }) => `${parameters[6]} for ${parameters[10]}`);
}
