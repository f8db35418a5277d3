import { type AddressOfKey, keyBody } from "@moneta/sdk";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { View } from "../../frame/view.tsx";
import { moneta } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Shown } from "../../parts/shown.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { accounts, actingAccount, addAccount } from "../accounts/accounts.ts";
import { walletLink } from "../links.ts";
import { QrCode } from "../receive/qr-code.tsx";
import { AskForHelp } from "./ask-for-help.tsx";
import { KeyCode, WhoSigns } from "./key-list.tsx";
import { useKeySet } from "./key-sets.ts";

/** Others may name this key in any number of addresses. */
const FOUND_MAX = 20;

/** Source: authority §1.5; explorer §3. */
export function DeviceView(): JSX.Element {
  const texts = walletTexts().keys.device;
  const account = actingAccount.value;
  if (account === undefined) {
    return <View title={texts.title}>{null}</View>;
  }
  const { address, publicKeyPem } = account;
  const url = `${location.origin}${walletLink.keys(address)}`;
  return (
    <View title={texts.title}>
      <div class="columns">
        <section class="card receive">
          <p>{texts.text}</p>
          <QrCode text={url} label={texts.qr} tooLong="" />
          <dl>
            <dt>{texts.address}</dt>
            <dd>
              <WholeId id={address} />
            </dd>
            <dt>{texts.link}</dt>
            <dd>
              <WholeId id={url} />
            </dd>
            <dt>{walletTexts().keys.code}</dt>
            <dd>
              <KeyCode publickey={keyBody(publicKeyPem)} />
            </dd>
          </dl>
        </section>
        <div class="stack">
          <Found key={account.id} account={account} />
          <AskForHelp key={account.id} account={account} />
        </div>
      </div>
    </View>
  );
}

/** Accounts that this key signs for, or may recover. */
function Found({ account }: { readonly account: OpenAccount }): JSX.Element {
  const texts = walletTexts().keys.device;
  const { publicKeyPem } = account;
  const publickey = keyBody(publicKeyPem);
  const read = useRead(
    `addresses of ${publickey}`,
    async (options) =>
      (await moneta.addressesOfKey({ publickey, limit: FOUND_MAX }, options)).items,
    { live: true },
  );
  const isHere = ({ address }: AddressOfKey): boolean =>
    accounts.value?.some(
      (one) => one.address === address && keyBody(one.publicKeyPem) === publickey,
    ) ?? false;
  return (
    <section class="card stack" aria-labelledby="found">
      <h2 id="found">{texts.found}</h2>
      <Shown read={read}>
        {(found) => {
          const others = found.filter((one) => !isHere(one));
          return others.length === 0 ? (
            <p role="status">{texts.waiting}</p>
          ) : (
            <ul class="plain stack">
              {others.map((one) => (
                <li key={`${one.address} ${one.role}`} class="stack">
                  <p>
                    <AddressLink address={one.address} />
                  </p>
                  {one.role === "key" ? (
                    <Shared account={account} address={one.address} />
                  ) : (
                    <p>{one.role === "recovery" ? texts.canHelp : texts.comes}</p>
                  )}
                </li>
              ))}
            </ul>
          );
        }}
      </Shown>
    </section>
  );
}

function Shared({
  account,
  address,
}: {
  readonly account: OpenAccount;
  readonly address: string;
}): JSX.Element {
  const texts = walletTexts().keys.device;
  const { route } = useLocation();
  const [failure, setFailure] = useState<Error | undefined>(undefined);
  const read = useKeySet(address);
  return (
    <Shown read={read}>
      {(keySet) => (
        <>
          <WhoSigns keySet={keySet} />
          {failure !== undefined && <Problem error={failure} />}
          <p class="actions">
            <button
              type="button"
              class="primary"
              onClick={() =>
                addAccount(texts.name, account, address).then(
                  () => route(walletLink.home()),
                  setFailure,
                )
              }
            >
              {texts.use}
            </button>
          </p>
        </>
      )}
    </Shown>
  );
}
