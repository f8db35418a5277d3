import { type Movement, parsePayments } from "@moneta/protocol/sentences";
import { type DescribedRecord, describe, type Transaction } from "@moneta/sdk";

export type FlowRole =
  | "seller"
  | "platform"
  | "creator"
  | "owner"
  | "shareholder"
  | "reserve"
  | "refund"
  | "rest"
  | "payee";

export interface FlowPart {
  readonly to: string;
  readonly role: FlowRole;
  readonly amount: bigint;
}

/** The largest part first. */
export interface MoneyFlow {
  readonly token: string;
  readonly total: bigint;
  readonly parts: readonly FlowPart[];
}

/** After `mrc010_`, `mrc401_` or `mrc402_`. Source: market §4. */
const ROLES: Readonly<Record<string, FlowRole>> = {
  recv_sell: "seller",
  recv_auction: "seller",
  send_item: "seller",
  recv_fee_platform: "platform",
  recv_fee_creator: "creator",
  recv_fee_owner: "owner",
  recv_fee: "owner",
  recv_meltfee: "owner",
  recv_fee_shareholder: "shareholder",
  recv_melt: "reserve",
  recv_fee_remain: "rest",
};

/** Meltings of units have no payments text. */
const RECORD_ROLES: Readonly<Record<string, FlowRole>> = {
  receive_melt: "reserve",
  receive_meltfee: "owner",
  receive: "payee",
};

const FEES: readonly FlowRole[] = ["platform", "creator", "owner", "shareholder"];

/** In the token of the first part; undefined where nothing was divided. */
export function moneyFlow({ effects, ...record }: Transaction): MoneyFlow | undefined {
  const movements = paymentsOf([...effects, record]);
  const traded = movements.flatMap((movement) => {
    const role = ROLES[movement.type.replace(/^mrc[0-9]+_/, "")];
    const { to, amount, token } = movement;
    return role === undefined || token === undefined ? [] : [{ to, role, amount, token }];
  });
  const received = effects.flatMap((effect) => {
    const role = Object.hasOwn(RECORD_ROLES, effect.type) ? RECORD_ROLES[effect.type] : undefined;
    const { money } = describe(effect);
    return role === undefined || money?.token === undefined
      ? []
      : [{ to: effect.address, role, amount: money.amount, token: money.token }];
  });
  const all = traded.length > 0 ? traded : received;
  const [first] = all;
  if (first === undefined || all.length < 2) {
    return undefined;
  }
  const parts = all.filter(({ token }) => token === first.token);
  const total = sumOf(parts);
  return { token: first.token, total, parts: byPayee(parts).toSorted(largerFirst) };
}

/** A bundle may pay an address many times. */
function byPayee<P extends FlowPart>(parts: readonly P[]): readonly P[] {
  const payees = Map.groupBy(parts, ({ to, role }) => `${role} ${to}`).values();
  return [...payees].flatMap(([first, ...more]) =>
    first === undefined ? [] : [{ ...first, amount: first.amount + sumOf(more) }],
  );
}

function sumOf(parts: readonly FlowPart[]): bigint {
  return parts.reduce((sum, { amount }) => sum + amount, 0n);
}

function largerFirst(a: FlowPart, b: FlowPart): number {
  return a.amount === b.amount ? 0 : a.amount > b.amount ? -1 : 1;
}

function paymentsOf(records: readonly DescribedRecord[]): readonly Movement[] {
  const texts = records.map((one) => describe(one).parameters.payments);
  return parsePayments(texts.find((text) => text !== undefined) ?? "[]");
}

export function feesOf({ parts }: MoneyFlow): bigint {
  return parts.reduce((sum, { role, amount }) => (FEES.includes(role) ? sum + amount : sum), 0n);
}

export function percentOf(amount: bigint, total: bigint): number {
  return total === 0n ? 0 : Number((amount * 10_000n) / total) / 100;
}
