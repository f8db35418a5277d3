import { type AddressKey, type KeySet, keyBody } from "@moneta/sdk";
import type { JSX } from "preact";
import { useRead } from "../../ledger/use-read.ts";
import { Icon } from "../../parts/pictures/icon.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { keyCode, weightOf } from "./key-sets.ts";

export const DAY_SECONDS = 86_400;

/** The code of a public key, which people compare. */
export function KeyCode({ publickey }: { readonly publickey: string }): JSX.Element {
  const { value } = useRead(`code of ${publickey}`, () => keyCode(publickey));
  return <code class="key-code">{value ?? "…"}</code>;
}

/** Keys in plain words, each with its code; `counts` shows their weights if they differ. */
export function KeyList({
  keys,
  counts = keys.some(({ weight }) => weight > 1),
  signed = [],
}: {
  readonly keys: readonly AddressKey[];
  readonly counts?: boolean;
  /** The places of those that have signed something. */
  readonly signed?: readonly number[];
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

/** The signers of an address, as a sentence and a list. */
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

/** The number of keys that a threshold requires. */
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
