import type { Grant, KeySet } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta, now } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { Shown } from "../../parts/shown.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { walletLink } from "../links.ts";
import { OneTap } from "../writes/one-tap.tsx";
import { GrantWords } from "./grant-words.tsx";
import { KeyCode } from "./key-list.tsx";
import { powerOf } from "./key-sets.ts";

/** Open ones of an address. Source: authority §5.1. */
const GRANTS_MAX = 100;

interface Props {
  readonly account: OpenAccount;
  readonly keySet: KeySet;
}

export function GrantList({ account, keySet }: Props): JSX.Element {
  const texts = walletTexts().keys.grants;
  const { address } = account;
  const read = useRead(
    `grants of ${address}`,
    (options) => moneta.grants({ address, limit: GRANTS_MAX }, options),
    { live: true },
  );
  const isOver = ({ until, version }: Grant): boolean =>
    until < now.value || version < (keySet.grantsfrom ?? 0);
  return (
    <section class="card stack" aria-labelledby="grants">
      <h2 id="grants">{texts.title}</h2>
      <Shown read={read}>
        {({ items }) => {
          const open = items.filter((one) => !isOver(one));
          return open.length === 0 ? (
            <p>{texts.none}</p>
          ) : (
            <ul class="plain stack">
              {open.map((grant) => (
                <li key={grant.grantid} class="stack">
                  <OneGrant account={account} keySet={keySet} grant={grant} />
                </li>
              ))}
            </ul>
          );
        }}
      </Shown>
      {powerOf(account, keySet) !== "none" && (
        <p>
          <a href={walletLink.grant()}>{texts.make}</a>
        </p>
      )}
    </section>
  );
}

function OneGrant({ account, keySet, grant }: Props & { readonly grant: Grant }): JSX.Element {
  const texts = walletTexts().keys.grants;
  const { grantid, note, agent } = grant;
  return (
    <>
      <h3>
        {note === "" ? texts.someone : <UntrustedText text={note} />} <KeyCode publickey={agent} />
      </h3>
      <GrantWords terms={grant} spent={(at) => spentNow(grant, at)} />
      {powerOf(account, keySet) !== "none" && (
        <OneTap
          account={account}
          operation="grantend"
          request={{ grantid }}
          title={texts.ended(note === "" ? texts.someone : note)}
          label={texts.end}
        />
      )}
    </>
  );
}

/** An ended period does not count. Source: authority §5.3. */
function spentNow({ limits, periods }: Grant, at: number): bigint {
  const { period = 0 } = limits[at] ?? {};
  const { since = 0, spent = 0n } = periods[at] ?? {};
  return period > 0 && now.value >= since + period ? 0n : spent;
}
