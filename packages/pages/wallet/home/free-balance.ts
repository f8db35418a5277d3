import { balancesByToken } from "../../explorer/address/token-balance.ts";
import { moneta, now } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";

/** Spendable now, in the smallest unit; undefined until it is known. */
export function useFreeBalance(address: string, token: string): bigint | undefined {
  const isToken = /^(0|[1-9][0-9]*)$/.test(token);
  const { value } = useRead(
    `free ${address} ${token}`,
    async (options) =>
      isToken && address !== ""
        ? await moneta.balanceOfToken({ address, token, limit: 10_000 }, options)
        : undefined,
    { live: true },
  );
  return value === undefined ? undefined : (balancesByToken(value, now.peek())[0]?.free ?? 0n);
}
