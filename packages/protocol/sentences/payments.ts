/** Source: market §4. */
export interface Movement {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly token: string | undefined;
  readonly goods: string | undefined;
}

/** An empty list if it is malformed. Source: market §4. */
export function parsePayments(text: string): readonly Movement[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  return Array.isArray(value) ? value.map(movementOf).filter((one) => one !== undefined) : [];
}

function movementOf(value: unknown): Movement | undefined {
  const given = (typeof value === "object" && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  const text = (name: string): string => (typeof given[name] === "string" ? given[name] : "");
  const isMoney = text("amount") !== "";
  const amount = text(isMoney ? "amount" : "trade_amount");
  return /^[0-9]{1,60}$/.test(amount)
    ? {
        type: text("type"),
        from: text("from_addr"),
        to: text("to_addr"),
        amount: BigInt(amount),
        token: isMoney ? text("token") : undefined,
        goods: isMoney ? undefined : text("trade_id"),
      }
    : undefined;
}
