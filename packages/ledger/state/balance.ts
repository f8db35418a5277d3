import { type Amount, addAmounts, type Json, subtractAmounts, ZERO } from "@moneta/protocol";
import { invariant } from "../invariant.ts";

/** What an address has of one token. The locked amounts are in the order of their dates, each date once. Source: accounts §8.1. */
export interface Balance {
  readonly free: Amount;
  readonly locked: readonly Locked[];
}

export interface Locked {
  readonly amount: Amount;
  readonly unlockDate: number;
}

const NONE: readonly Locked[] = [];

export const EMPTY: Balance = { free: ZERO, locked: NONE };

/** The balance as it counts at ledger time `at`: amounts whose date has come are free. Source: accounts §8.3. */
export function matured(balance: Balance, at: number): Balance {
  const { locked } = balance;
  if (locked.length === 0 || (locked[0] as Locked).unlockDate > at) {
    return balance;
  }
  const left = locked.filter(({ unlockDate }) => unlockDate > at);
  const ripe = locked.slice(0, locked.length - left.length);
  const free = ripe.reduce((total, { amount }) => sum(total, amount), balance.free);
  return { free, locked: left.length === 0 ? NONE : left };
}

/** The balance after a credit with an unlock date, 0 for none, at ledger time `at`. Source: accounts §8.2. */
export function credited(
  balance: Balance,
  amount: Amount,
  unlockDate: number,
  at: number,
): Balance {
  const { free, locked } = matured(balance, at);
  if (unlockDate <= at) {
    return { free: sum(free, amount), locked };
  }
  const sameDate = locked.find((entry) => entry.unlockDate === unlockDate);
  const together = sum(sameDate?.amount ?? ZERO, amount);
  const others = locked.filter((entry) => entry !== sameDate);
  return {
    free,
    locked: [...others, { amount: together, unlockDate }].sort(
      (a, b) => a.unlockDate - b.unlockDate,
    ),
  };
}

/** The balance after a debit; the caller has checked that the free part suffices. Source: accounts §8.4. */
export function debited(balance: Balance, amount: Amount, at: number): Balance {
  const { free, locked } = matured(balance, at);
  return { free: subtractAmounts(free, amount), locked };
}

function sum(a: Amount, b: Amount): Amount {
  const total = addAmounts(a, b);
  invariant(total !== undefined, "nobody has more than was issued, which has a bound");
  return total;
}

export function isEmpty(balance: Balance): boolean {
  return balance.free === 0n && balance.locked.length === 0;
}

export function isSameBalance(a: Balance, b: Balance): boolean {
  return (
    a.free === b.free &&
    a.locked.length === b.locked.length &&
    a.locked.every(
      ({ amount, unlockDate }, index) =>
        b.locked[index]?.amount === amount && b.locked[index]?.unlockDate === unlockDate,
    )
  );
}

/** The value of the state entry. Source: chain §5. */
export function balanceJson({ free, locked }: Balance): Json {
  return {
    free: String(free),
    locked: locked.map(({ amount, unlockDate }) => ({
      amount: String(amount),
      unlockdate: unlockDate,
    })),
  };
}
