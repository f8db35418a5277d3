import { type DescribedRecord, describe } from "./describe.ts";

/** Positive for more, negative for less. */
export interface Movement {
  /** By token, in the smallest unit, locked amounts included. */
  readonly tokens: ReadonlyMap<string, bigint>;
  /** 1 or -1. */
  readonly items: ReadonlyMap<string, bigint>;
  readonly units: ReadonlyMap<string, bigint>;
  /** The part of the tokens that is a fee to others, if the record shows it, by token. */
  readonly fees: ReadonlyMap<string, bigint>;
}

export type MovedRecord = DescribedRecord & {
  readonly values?: { readonly [name: string]: unknown };
};

const KINDS = { token: "tokens", mrc401id: "items", mrc402id: "units" } as const;

/** Malformed entries are left out: a wrong node must not break a page. Source: chain §3.1. */
export function movementOf(record: MovedRecord): Movement {
  const { moved } = record.values ?? {};
  const movement = { tokens: new Map(), items: new Map(), units: new Map() };
  for (const entry of Array.isArray(moved) ? moved : []) {
    const { amount, ...named } = isObject(entry) ? entry : {};
    if (typeof amount === "string" && /^-?[0-9]{1,60}$/.test(amount)) {
      for (const [name, kind] of Object.entries(KINDS)) {
        const id = named[name];
        if (typeof id === "string") {
          movement[kind].set(id, BigInt(amount));
        }
      }
    }
  }
  return { ...movement, fees: feesIn(record, movement.tokens) };
}

export function sumOfMovements(movements: readonly Movement[]): Movement {
  const sum = { tokens: new Map(), items: new Map(), units: new Map(), fees: new Map() };
  for (const movement of movements) {
    for (const kind of ["tokens", "items", "units", "fees"] as const) {
      for (const [id, amount] of movement[kind]) {
        const total = (sum[kind].get(id) ?? 0n) + amount;
        if (total === 0n) {
          sum[kind].delete(id);
        } else {
          sum[kind].set(id, total);
        }
      }
    }
  }
  return sum;
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null;
}

/** Source: protocols §3, tokens §8. */
function feesIn(
  record: DescribedRecord,
  tokens: ReadonlyMap<string, bigint>,
): ReadonlyMap<string, bigint> {
  const { type, parameters } = describe(record);
  const { token = "0", price, amount, min_trade_unit } = parameters;
  const feeOf = (payee: string | undefined, fee: string | undefined, of = "0"): Fees =>
    payee && fee ? feeIn(of, whole(fee)) : NONE;
  switch (type) {
    case "exchange":
      return feeOf(parameters.fromFeesendto, parameters.fromFeeamount, parameters.fromFeetoken);
    case "exchangePair":
      return feeOf(parameters.toFeesendto, parameters.toFeeamount, parameters.toFeetoken);
    case "mrc010reqsell": {
      const payment = (whole(price) * whole(amount)) / (whole(min_trade_unit) || 1n);
      return feeIn(token, -(tokens.get(token) ?? -payment) - payment);
    }
    default:
      return NONE;
  }
}

type Fees = ReadonlyMap<string, bigint>;

const NONE: Fees = new Map();

function feeIn(token: string, fee: bigint): Fees {
  return fee > 0n ? new Map([[token, fee]]) : NONE;
}

function whole(text: string | undefined): bigint {
  return text !== undefined && /^[0-9]{1,60}$/.test(text) ? BigInt(text) : 0n;
}
