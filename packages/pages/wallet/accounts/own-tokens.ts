import { balancesUpTo } from "../../ledger/balances.ts";
import { useRead } from "../../ledger/use-read.ts";
import { actingAccount } from "./accounts.ts";

const ENTRIES_MAX = 1000;

/** Ids of tokens of the account, the oldest first; undefined while they are read. */
export function useOwnTokens(): readonly string[] | undefined {
  const address = actingAccount.value?.address ?? "";
  const { value } = useRead(`tokens of ${address}`, async (options) =>
    address === "" ? undefined : balancesUpTo(ENTRIES_MAX, address, options),
  );
  return (
    value && [
      ...new Set(
        value.entries
          .map(({ token }) => token)
          .sort((a, b) => a.length - b.length || (a < b ? -1 : 1)),
      ),
    ]
  );
}
