import { parseAddress, shortId } from "@moneta/sdk";
import type { JSX } from "preact";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { isOpen } from "../accounts/account.ts";
import { AccountColor } from "../accounts/account-badge.tsx";
import { accounts, actingAccount } from "../accounts/accounts.ts";
import type { FieldProps } from "./field.tsx";
import { PickerField } from "./picker-field.tsx";

export function AddressField({
  onPaste,
  ...field
}: FieldProps & {
  /** Takes a pasted text that is more than an address; returns whether it did. */
  readonly onPaste?: (text: string) => boolean;
}): JSX.Element {
  const acting = actingAccount.value?.address;
  const own = (accounts.value ?? []).filter(isOpen).filter(({ address }) => address !== acting);
  const chosen = own.find(({ address }) => address === field.form.value(field.name));
  return (
    <PickerField
      {...field}
      own={own.map(({ name, address }) => ({ kind: "address", id: address, name }))}
      kind="none"
      check={(text) =>
        parseAddress(text) === undefined ? walletTexts().wallet.form.noAddress : undefined
      }
      placeholder="MT…"
      onPaste={onPaste}
      {...(chosen && {
        chosen: (
          <>
            <AccountColor color={chosen.color} /> <bdi>{chosen.name}</bdi> {shortId(chosen.address)}
          </>
        ),
      })}
    />
  );
}
