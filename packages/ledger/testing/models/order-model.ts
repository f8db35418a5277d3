import assert from "node:assert/strict";

/** The order exchange of one pair, simply: a plain list that is sorted anew for each operation. */
export class OrderModel {
  readonly #whole: bigint;
  readonly #balances: Map<string, { base: bigint; target: bigint }> = new Map();
  readonly orders: ModelOrder[] = [];
  /** Whether the target's owner trades it for the base, and whether the base's owner admits it. */
  isBased = true;
  isAdmitted = true;

  get isOpen(): boolean {
    return this.isBased && this.isAdmitted;
  }

  constructor(decimal: number, people: readonly string[], each: bigint) {
    this.#whole = 10n ** BigInt(decimal);
    for (const one of people) {
      this.#balances.set(one, { base: each, target: each });
    }
  }

  held(by: string): { base: bigint; target: bigint } {
    const balance = this.#balances.get(by);
    assert(balance !== undefined);
    return balance;
  }

  create(by: string, side: Side, qtt: bigint, price: bigint): string {
    if ((price * qtt) % this.#whole !== 0n) {
      return "400 3005";
    }
    if (!this.isOpen) {
      return "409 7114";
    }
    const found = this.#walk(by, side, qtt, price);
    if (found === undefined) {
      return "400 3004";
    }
    const total = (price * qtt) / this.#whole;
    const { base, target } = this.held(by);
    if (side === "SELL" ? target < qtt : base < total) {
      return "400 5000";
    }
    this.#trade(by, side, found.parts);
    const rest = qtt - found.traded;
    const waits = rest > 0n && !found.isStopped;
    const order: ModelOrder = { by, side, qtt, price, rest: waits ? rest : 0n, id: "" };
    if (waits) {
      this.#move(by, order, -this.holds(order));
    }
    this.orders.push(order);
    return `done ${found.notified}`;
  }

  request(by: string, side: Side, qtt: bigint, price: bigint, minimum: bigint): string {
    if (!this.isOpen) {
      return "409 7114";
    }
    const found = this.#walk(by, side, qtt, price);
    if (found === undefined) {
      return "400 3004";
    }
    if (found.traded < minimum) {
      return "409 7117";
    }
    const { base, target } = this.held(by);
    if (side === "SELL" ? target < found.traded : base < found.cost) {
      return "400 5000";
    }
    this.#trade(by, side, found.parts);
    return `done ${found.notified}`;
  }

  take(by: string, order: ModelOrder, qtt: bigint, wasCancelled: boolean): string {
    if (order.by === by) {
      return "400 3004";
    }
    if (order.rest === 0n) {
      return wasCancelled ? "409 7101" : "409 7102";
    }
    if (!this.isOpen) {
      return "409 7114";
    }
    if (this.#line(order.side)[0] !== order) {
      return "409 7115";
    }
    const cost = this.#cost(order, order.qtt - order.rest + qtt) - this.#cost(order);
    const side = order.side === "SELL" ? "BUY" : "SELL";
    if (qtt > order.rest || (side === "SELL" && cost === 0n)) {
      return "400 3004";
    }
    const { base, target } = this.held(by);
    if (side === "SELL" ? target < qtt : base < cost) {
      return "400 5000";
    }
    this.#trade(by, side, [{ order, part: qtt, cost }]);
    return `done ${qtt} for ${cost}`;
  }

  cancel(by: string, order: ModelOrder, wasCancelled: boolean): string {
    if (order.by !== by) {
      return "403 7001";
    }
    if (order.rest === 0n) {
      return wasCancelled ? "409 7101" : "409 7102";
    }
    this.#move(by, order, this.holds(order));
    order.rest = 0n;
    return "done ";
  }

  /** The escrow of a waiting order. */
  holds(order: ModelOrder): bigint {
    const total = (order.price * order.qtt) / this.#whole;
    return order.rest === 0n || order.side === "SELL" ? order.rest : total - this.#cost(order);
  }

  /** Waiting orders of a side: best price first, then the oldest. */
  #line(side: Side): ModelOrder[] {
    const better = (a: ModelOrder, b: ModelOrder): number => Number(a.price - b.price);
    return this.orders
      .filter((order) => order.side === side && order.rest > 0n)
      .sort((a, b) => (side === "SELL" ? better(a, b) : better(b, a)));
  }

  /** Undefined where it comes to an order of one's own. */
  #walk(by: string, side: Side, qtt: bigint, price: bigint): Walk | undefined {
    const parts: Part[] = [];
    let left = qtt;
    let isStopped = false;
    for (const order of this.#line(side === "SELL" ? "BUY" : "SELL")) {
      if (left === 0n || (side === "BUY" ? order.price > price : order.price < price)) {
        break;
      }
      if (order.by === by) {
        return undefined;
      }
      const part = left < order.rest ? left : order.rest;
      const cost = this.#cost(order, order.qtt - order.rest + part) - this.#cost(order);
      if (parts.length === 100 || (side === "SELL" && cost === 0n)) {
        isStopped = true;
        break;
      }
      parts.push({ order, part, cost });
      left -= part;
    }
    const cost = parts.reduce((sum, one) => sum + one.cost, 0n);
    const reported = parts.map((one) => `${one.part} for ${one.cost}`).join(", ");
    return { parts, traded: qtt - left, cost, isStopped, notified: reported };
  }

  #trade(by: string, side: Side, parts: readonly Part[]): void {
    for (const { order, part, cost } of parts) {
      order.rest -= part;
      const [buyer, seller] = side === "BUY" ? [by, order.by] : [order.by, by];
      this.held(buyer).target += part;
      this.held(seller).base += cost;
      if (side === "BUY") {
        this.held(by).base -= cost;
      } else {
        this.held(by).target -= part;
      }
    }
  }

  #move(by: string, { side }: ModelOrder, amount: bigint): void {
    this.held(by)[side === "SELL" ? "target" : "base"] += amount;
  }

  /** A ratio of integers, rounded up for a sale and down for a purchase. */
  #cost({ side, price, qtt, rest }: ModelOrder, traded: bigint = qtt - rest): bigint {
    const exact = price * traded;
    const rounded = exact - (exact % this.#whole);
    return (rounded + (side === "SELL" && rounded < exact ? this.#whole : 0n)) / this.#whole;
  }
}

export type Side = "SELL" | "BUY";

export interface ModelOrder {
  readonly by: string;
  readonly side: Side;
  readonly qtt: bigint;
  readonly price: bigint;
  /** The waiting quantity; 0 for a closed order. */
  rest: bigint;
  id: string;
}

interface Part {
  readonly order: ModelOrder;
  readonly part: bigint;
  readonly cost: bigint;
}

interface Walk {
  readonly parts: readonly Part[];
  readonly traded: bigint;
  readonly cost: bigint;
  readonly isStopped: boolean;
  readonly notified: string;
}
