import { type AddressKey, type KeySet, keyBody } from "@moneta/sdk";
import type { JSX } from "preact";
import { useRead } from "../../ledger/use-read.ts";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { Icon } from "../../parts/pictures/icon.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount, addressesOf } from "../accounts/accounts.ts";
import { keyCode, weightOf } from "./key-sets.ts";

export const DAY_SECONDS = 86_400;

/** For people to compare. */
export function KeyCode({ publickey }: { readonly publickey: string }): JSX.Element {
  const { value } = useRead(`code of ${publickey}`, () => keyCode(publickey));
  return <code class="key-code">{value ?? "…"}</code>;
}

/** With codes; `counts` shows weights if they differ. */
export function KeyList({
  keys,
  counts = keys.some(({ weight }) => weight > 1),
  signed = [],
  hasAddresses = false,
}: {
  readonly keys: readonly AddressKey[];
  readonly counts?: boolean;
  readonly signed?: readonly number[];
  /** Whether each was taken from an address, which is shown. */
  readonly hasAddresses?: boolean;
}): JSX.Element {
  const texts = walletTexts().keys;
  const own = keyBody(actingAccount.value?.publicKeyPem ?? "");
  return (
    <ul class="plain key-list">
      {keys.map(({ publickey, rpid, weight }, place) => (
        <li key={publickey}>
          {rpid === undefined ? texts.key : walletTexts().wallet.accounts.passkey(rpid)}{" "}
          <KeyCode publickey={publickey} />{" "}
          {publickey === own && <span class="badge accent">{texts.thisDevice}</span>}{" "}
          {hasAddresses && <AddressOfKey publickey={publickey} />}{" "}
          {counts && <span class="quiet">{texts.counts(weight)}</span>}{" "}
          {signed.includes(place) && (
            <span class="badge good">
              <Icon of="check" /> {walletTexts().swap.signed}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Nothing if that address has other keys now. */
function AddressOfKey({ publickey }: { readonly publickey: string }): JSX.Element | null {
  const { value: [address] = [] } = useRead(`address of ${publickey}`, () =>
    addressesOf({ publicKeyPem: publickey }),
  );
  return address === undefined ? null : <AddressLink address={address} />;
}

export function WhoSigns({
  keySet: { keys, threshold },
}: {
  readonly keySet: Pick<KeySet, "keys" | "threshold">;
}): JSX.Element {
  return (
    <>
      <p>{howMany(keys, threshold)}</p>
      <KeyList keys={keys} />
    </>
  );
}

function howMany(keys: readonly AddressKey[], threshold: number): string {
  const texts = walletTexts().keys;
  return keys.length === 1
    ? texts.one
    : keys.every(({ weight }) => weight >= threshold)
      ? texts.any
      : weightOf(keys) === threshold
        ? texts.all
        : keys.every(({ weight }) => weight === 1)
          ? texts.some(threshold, keys.length)
          : texts.weight(threshold);
}
