import type { AddressKey, KeySet } from "@moneta/sdk";
import type { JSX } from "preact";
import { TimeText } from "../../parts/time-text.tsx";
import { t } from "../../texts/texts.ts";

const DAY_SECONDS = 86_400;

/** Whether it has other keys than that of its creation, or a passkey. */
export function hasKeySet({ version, keys }: KeySet): boolean {
  return version > 0 || keys.some(({ kind }) => kind === "webauthn");
}

/** Source: authority §1. */
export function KeysOf({ keySet: { keys, threshold } }: { readonly keySet: KeySet }): JSX.Element {
  const texts = t().explorer.address;
  const sum = keys.reduce((all, { weight }) => all + weight, 0);
  return (
    <details>
      <summary>
        {sum === keys.length ? texts.keysOf(threshold, sum) : texts.weightsOf(threshold, sum)}
      </summary>
      <KeyList keys={keys} />
    </details>
  );
}

/** Source: authority §4. */
export function RecoveryOf({ keySet }: { readonly keySet: KeySet }): JSX.Element {
  const texts = t().explorer.address;
  const { recoverykeys = [], recoverydelay = 0, pendingkeys = [], pendingdue = 0 } = keySet;
  return (
    <>
      <details>
        <summary>{texts.recoveryOf(recoverykeys.length, recoverydelay / DAY_SECONDS)}</summary>
        <KeyList keys={recoverykeys} />
      </details>
      {pendingdue > 0 && (
        <details>
          <summary>
            <strong>{texts.recovering}</strong> <TimeText time={pendingdue} />
          </summary>
          <KeyList keys={pendingkeys} />
        </details>
      )}
    </>
  );
}

function KeyList({ keys }: { readonly keys: readonly AddressKey[] }): JSX.Element {
  const texts = t().explorer.address;
  return (
    <ol start={0}>
      {keys.map(({ publickey, rpid, weight }) => (
        <li key={publickey}>
          {rpid !== undefined && <p>{texts.passkeyOf(rpid)}</p>}
          {weight > 1 && <p>{texts.weightOf(weight)}</p>}
          <pre>{publickey}</pre>
        </li>
      ))}
    </ol>
  );
}
