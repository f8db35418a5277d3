import type { CallOptions } from "@moneta/sdk";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useRead } from "../../ledger/use-read.ts";
import type { CheckedBalance } from "./check-proof.ts";
import { CheckState } from "./check-state.tsx";

/** A state root is made about every 10 seconds. */
const AGAIN_MS = 12_000;
const ROUNDS_MAX = 5;

/** Checks run one at a time: a page has up to a hundred balances. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Checks that the shown balance follows from the ledger's state. A tick, a cross if the proof is
 * invalid, or a button until the newest change is proven. Source: explorer §3.
 */
export function BalanceMark({
  address,
  token,
  total,
}: {
  readonly address: string;
  readonly token: string;
  /** In the smallest unit. */
  readonly total: bigint;
}): JSX.Element {
  const rounds = useRef(0);
  const { value, again } = useRead(`proven ${address} ${token} ${total}`, (options) =>
    inTurn({ address, token }, options),
  );
  const verdict = value?.verdict;
  const isProven = verdict === "verified" && value?.total === total;
  useEffect(() => {
    if (verdict !== "verified" || isProven || rounds.current >= ROUNDS_MAX) {
      return undefined;
    }
    rounds.current += 1;
    const timer = setTimeout(again, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return (
    <CheckState
      read="balanceOfToken"
      params={{ address, token }}
      verdict={isProven || verdict === "wrong" ? verdict : undefined}
    />
  );
}

function inTurn(
  balance: { readonly address: string; readonly token: string },
  options: CallOptions,
): Promise<CheckedBalance> {
  const checked = turn.then(async () => {
    const { checkBalance } = await import("./check-proof.ts");
    return await checkBalance(balance, options);
  });
  turn = checked.catch(() => undefined);
  return checked;
}
