import type { Amount } from "../text/amount.ts";
import { feeOf, NO_RATE, parseRate } from "../text/rate.ts";
import { type DescribedAmount, type DescribedRecord, describe } from "./describe.ts";
import type { RecordParameter } from "./record-forms.ts";

/** What an address has more (positive) or less (negative) than before. */
export interface Movement {
  /** By token, in the smallest unit, locked amounts included. */
  readonly tokens: ReadonlyMap<string, bigint>;
  /** MRC401 items by id: 1 or -1. */
  readonly items: ReadonlyMap<string, bigint>;
  /** Units by the id of their MRC402 item. */
  readonly units: ReadonlyMap<string, bigint>;
  /** What of the tokens went to others as a fee, if the record says so, by token. */
  readonly fees: ReadonlyMap<string, bigint>;
}

/** What a record does not say by itself; each is asked only where it is needed. */
export interface MovementSources {
  /** The other records of the transaction. */
  readonly effects: () => readonly DescribedRecord[] | Promise<readonly DescribedRecord[]>;
  /** The reserve of one unit of an MRC402 item, by token. */
  readonly reserveOf: (item: string) => Promise<ReadonlyMap<string, bigint>>;
}

/** Records by which their address receives whole items, or loses them. Source: mrc401 §9 to §14. */
const WHOLE_ITEMS: { readonly [type: string]: 1n | -1n } = {
  mrc401transfer: -1n,
  receive_mrc401: 1n,
  transfer_mrc401buy: 1n,
  receive_mrc401sell: -1n,
  receive_mrc401auction: -1n,
  mrc401_auctionwinning: 1n,
  mrc401_melt: -1n,
};

/**
 * What a record has moved for the address that it is filed under. Most records contain the amount;
 * the escrow of a request for tokens and reserves of items are computed from other values.
 */
export async function movementOf(
  record: DescribedRecord,
  sources: MovementSources,
): Promise<Movement> {
  const tokens = new Map<string, bigint>();
  const items = new Map<string, bigint>();
  const units = new Map<string, bigint>();
  const fees = new Map<string, bigint>();
  const { type, money, goods, about, parameters } = describe(record);
  for (const amount of [money, goods]) {
    const change = changeOf(amount);
    if (amount?.token !== undefined) {
      add(tokens, amount.token, change);
    } else if (about[0] !== undefined) {
      add(units, about[0], change);
    }
  }
  for (const item of type !== undefined && type in WHOLE_ITEMS ? about : []) {
    add(items, item, WHOLE_ITEMS[type as string] as bigint);
  }
  const recorded = async (...types: readonly string[]): Promise<readonly Named[]> =>
    (await sources.effects())
      .filter((effect) => types.includes(effect.type))
      .map((effect) => describe(effect).parameters);
  switch (type) {
    case "exchange":
    case "exchangePair": {
      // Each side pays its fee besides what it gives. Source: protocols §3.
      const { fromFeesendto, fromFeeamount, fromFeetoken } = parameters;
      const { toFeesendto, toFeeamount, toFeetoken } = parameters;
      const [payee, fee, token = "0"] =
        type === "exchange"
          ? [fromFeesendto, fromFeeamount, fromFeetoken]
          : [toFeesendto, toFeeamount, toFeetoken];
      if (payee) {
        add(tokens, token, -whole(fee));
        add(fees, token, whole(fee));
      }
      break;
    }
    case "mrc010reqsell": {
      const { token = "0" } = parameters;
      const { total, fee } = escrowOf(parameters);
      add(tokens, token, -total - fee);
      add(fees, token, fee);
      break;
    }
    case "mrc401create":
      for (const { item = "", initial_reserve, initial_token } of await recorded("mrc401_create")) {
        add(tokens, initial_token || "0", -whole(initial_reserve));
        add(items, item, 1n);
      }
      break;
    case "transfer_mrc401bid":
      for (const { item = "" } of await recorded("mrc401_auctionbuynow")) {
        add(items, item, 1n);
      }
      break;
    case "mrc402create":
      for (const { item = "", initialreserve = "", totalsupply } of await recorded(
        "mrc402_create",
      )) {
        const made = whole(totalsupply || "1");
        addReserves(tokens, reserveIn(initialreserve), -made);
        add(units, item, made);
      }
      for (const { item = "", amount } of await recorded("mrc402_sell")) {
        add(units, item, -whole(amount));
      }
      break;
    case "mrc402mint":
    case "mrc402burn": {
      const gone = whole(parameters.amount) * (type === "mrc402mint" ? -1n : 1n);
      addReserves(tokens, await sources.reserveOf(parameters.item ?? ""), gone);
      break;
    }
    // Of several items the records of the listings have the amounts.
    case "mrc402sell":
    case "mrc402auction":
      for (const { item = "", amount } of goods === undefined
        ? await recorded("mrc402_sell", "mrc402_auction")
        : []) {
        add(units, item, -whole(amount));
      }
      break;
    case "mrc402unsell":
    case "mrc402unauction":
      for (const { item = "", amount } of goods === undefined
        ? await recorded("mrc402_unsell", "mrc402_unauction")
        : []) {
        add(units, item, whole(amount));
      }
      break;
    default:
  }
  return { tokens, items, units, fees };
}

function add(sums: Map<string, bigint>, key: string, amount: bigint): void {
  const sum = (sums.get(key) ?? 0n) + amount;
  if (sum === 0n) {
    sums.delete(key);
  } else {
    sums.set(key, sum);
  }
}

function addReserves(
  sums: Map<string, bigint>,
  reserve: ReadonlyMap<string, bigint>,
  units: bigint,
): void {
  for (const [token, amount] of reserve) {
    add(sums, token, units * amount);
  }
}

function changeOf(amount: DescribedAmount | undefined): bigint {
  return amount?.role === "in" ? amount.amount : amount?.role === "out" ? -amount.amount : 0n;
}

type Named = { readonly [N in RecordParameter]?: string };

/** The escrow of a request for tokens: payment and fee of the platform. Source: tokens §8. */
function escrowOf({
  price,
  amount,
  min_trade_unit,
  platform_address = "",
  platform_commission = "",
}: Named): { readonly total: bigint; readonly fee: bigint } {
  const total = (whole(price) * whole(amount)) / (whole(min_trade_unit) || 1n);
  const rate =
    platform_address === "" ? NO_RATE : (parseRate(platform_commission || "0") ?? NO_RATE);
  return { total, fee: feeOf(total as Amount, rate) };
}

/** The reserve of one unit, by token, in the record of an item's creation. */
export function reserveIn(json: string): ReadonlyMap<string, bigint> {
  try {
    const reserve = JSON.parse(json) as Readonly<Record<string, unknown>>;
    return new Map(Object.entries(reserve).map(([token, amount]) => [token, whole(amount)]));
  } catch {
    return new Map();
  }
}

/** An amount as a node says it, or 0: a wrong node must not break a page. */
function whole(value: unknown): bigint {
  const text = String(value ?? "");
  return /^[0-9]+$/.test(text) ? BigInt(text) : 0n;
}

/** The sums of movements, without those that are 0. */
export function sumOfMovements(movements: readonly Movement[]): Movement {
  const sum = { tokens: new Map(), items: new Map(), units: new Map(), fees: new Map() };
  for (const movement of movements) {
    for (const kind of ["tokens", "items", "units", "fees"] as const) {
      for (const [id, amount] of movement[kind]) {
        add(sum[kind], id, amount);
      }
    }
  }
  return sum;
}
