import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { View } from "../../frame/view.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { Icon } from "../../parts/pictures/icon.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { walletLink } from "../links.ts";
import { type Account, COLORS, lacksBackUp, NAME_LENGTH_MAX } from "./account.ts";
import { AccountColor } from "./account-badge.tsx";
import {
  accounts,
  accountsElsewhere,
  chooseAccount,
  currentAccount,
  removeAccount,
  renameAccount,
} from "./accounts.ts";

/** Source: explorer §3. */
export function AccountsView(): JSX.Element {
  const texts = walletTexts().wallet.accounts;
  return (
    <View title={texts.title}>
      <p class="actions">
        <a class="button primary" href={walletLink.newAccount()}>
          {texts.add}
        </a>
        <a class="button" href={walletLink.backUp()}>
          {texts.backUp}
        </a>
        <a class="button" href={walletLink.restore()}>
          {walletTexts().wallet.noAccount.restore}
        </a>
      </p>
      <ul class="accounts plain">
        {accounts.value?.map((account) => (
          <li key={account.id} class="card">
            <OneAccount account={account} />
          </li>
        ))}
      </ul>
      {accountsElsewhere.value > 0 && (
        <p class="quiet">{walletTexts().wallet.noAccount.elsewhere(accountsElsewhere.value)}</p>
      )}
    </View>
  );
}

function OneAccount({ account }: { readonly account: Account }): JSX.Element {
  const texts = walletTexts().wallet.accounts;
  const { id, name, color, address } = account;
  const isCurrent = currentAccount.value?.id === id;
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <h2>
        <AccountColor color={color} /> <bdi>{name}</bdi>{" "}
        {isCurrent && <span class="badge accent">{texts.acts}</span>}
      </h2>
      <p>{address === undefined ? walletTexts().wallet.opening : <WholeId id={address} />}</p>
      <p>
        {account.kind === "webauthn" ? (
          <span class="badge good">{texts.passkey(account.passkey.rpid)}</span>
        ) : (
          <>
            {account.backUp === "made" ? (
              <span class="badge good">
                <Icon of="check" /> {texts.backedUp}
              </span>
            ) : (
              <span class="badge warn">{texts.notBackedUp}</span>
            )}{" "}
            <span class="quiet">{texts.key(account.curve)}</span>
          </>
        )}
      </p>
      <p class="actions">
        {!isCurrent && (
          <button type="button" onClick={() => chooseAccount(id)}>
            {texts.use}
          </button>
        )}
        <a class="button" href={walletLink.keys()} onClick={() => chooseAccount(id)}>
          {walletTexts().keys.title}
        </a>
        {lacksBackUp(account) ? (
          <a class="button" href={walletLink.backUp()}>
            {texts.backUp}
          </a>
        ) : (
          <a class="button" href={walletLink.sweep()} onClick={() => chooseAccount(id)}>
            {texts.sweep}
          </a>
        )}
        <button type="button" class="danger" onClick={() => dialog.current?.showModal()}>
          {texts.remove}
        </button>
      </p>
      <details>
        <summary>{texts.rename}</summary>
        <Look account={account} />
      </details>
      <dialog ref={dialog} aria-label={texts.removeTitle(name)}>
        <h2>{texts.removeTitle(name)}</h2>
        <p>
          {account.kind === "webauthn"
            ? texts.removePasskey
            : lacksBackUp(account)
              ? texts.removeLost
              : texts.removeText}
        </p>
        <p class="actions">
          <button type="button" class="danger" onClick={() => void removeAccount(id)}>
            {texts.remove}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            {walletTexts().wallet.form.back}
          </button>
        </p>
      </dialog>
    </>
  );
}

function Look({ account }: { readonly account: Account }): JSX.Element {
  const texts = walletTexts().wallet.accounts;
  const { id, name, color } = account;
  return (
    <div class="account-look">
      <label>
        {texts.name}{" "}
        <input
          type="text"
          value={name}
          maxLength={NAME_LENGTH_MAX}
          onChange={({ currentTarget }) => {
            const changed = currentTarget.value.trim();
            if (changed !== "") {
              void renameAccount(account, { name: changed, color });
            }
          }}
        />
      </label>
      <fieldset>
        <legend>{texts.color}</legend>
        {Array.from({ length: COLORS }, (_, one) => (
          <label key={one} class="color-choice">
            <input
              type="radio"
              name={`color of ${id}`}
              checked={one === color}
              onChange={() => void renameAccount(account, { name, color: one })}
            />
            <AccountColor color={one} />
            <span class="for-screen-readers">{texts.colors[one]}</span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}
