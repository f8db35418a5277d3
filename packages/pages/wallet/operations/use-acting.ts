import { balancesByToken } from "../../explorer/address/token-balance.ts";
import { balancesUpTo } from "../../ledger/balances.ts";
import { now } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { actingAccount } from "../accounts/accounts.ts";
import type { Acting } from "./operation-form.ts";

/** With more, the spendable amount is not known. */
const ENTRIES_MAX = 1000;

export function useActing(): Acting | undefined {
  const address = actingAccount.value?.address;
  const { value } = useRead(
    `spendable ${address ?? ""}`,
    async (options) =>
      address === undefined ? undefined : await balancesUpTo(ENTRIES_MAX, address, options),
    { live: true },
  );
  if (address === undefined) {
    return undefined;
  }
  return {
    address,
    now: now.value,
    spendable: (token) => {
      if (value === undefined || value.isMore) {
        return undefined;
      }
      const ofToken = value.entries.filter((entry) => entry.token === token);
      return balancesByToken(ofToken, now.value)[0]?.free ?? 0n;
    },
  };
}
