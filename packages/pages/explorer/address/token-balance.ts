import type { BalanceEntry } from "@moneta/sdk";

/** In the smallest unit. */
export interface TokenBalance {
  readonly token: string;
  readonly free: bigint;
  readonly locked: bigint;
  /** The soonest first. */
  readonly locks: readonly { readonly amount: bigint; readonly unlockdate: number }[];
}

export function balancesByToken(
  entries: readonly BalanceEntry[],
  now: number,
): readonly TokenBalance[] {
  const byToken = Map.groupBy(entries, ({ token }) => token);
  return Array.from(byToken, ([token, ofToken]) => {
    const locks = ofToken
      .filter(({ unlockdate }) => unlockdate > now)
      .map(({ balance: amount, unlockdate }) => ({ amount, unlockdate }))
      .sort((a, b) => a.unlockdate - b.unlockdate);
    const sum = ofToken.reduce((total, { balance }) => total + balance, 0n);
    const locked = locks.reduce((total, { amount }) => total + amount, 0n);
    return { token, free: sum - locked, locked, locks };
  });
}
