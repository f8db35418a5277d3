import type { JSX } from "preact";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { AccountColor } from "./account-badge.tsx";
import { accounts, chooseAccount, currentAccount } from "./accounts.ts";

export function AccountSwitch(): JSX.Element | null {
  const current = currentAccount.value;
  if (current === undefined) {
    return null;
  }
  return (
    <label class="account-switch">
      <span class="for-screen-readers">{walletTexts().wallet.account}</span>
      <AccountColor color={current.color} />
      <select
        value={current.id}
        onChange={({ currentTarget }) => chooseAccount(currentTarget.value)}
      >
        {accounts.value?.map(({ id, name, address }) => (
          <option key={id} value={id} translate={false}>
            {name} {address === undefined ? "" : `· …${address.slice(-6)}`}
          </option>
        ))}
      </select>
    </label>
  );
}
