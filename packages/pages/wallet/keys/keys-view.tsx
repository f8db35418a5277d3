import type { AddressKey, KeySet } from "@moneta/sdk";
import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { View } from "../../frame/view.tsx";
import { useRead } from "../../ledger/use-read.ts";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { Shown } from "../../parts/shown.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { AccountBadge } from "../accounts/account-badge.tsx";
import { actingAccount } from "../accounts/accounts.ts";
import { AddressField } from "../fields/address-field.tsx";
import { ChoiceField } from "../fields/choice-field.tsx";
import { FieldError, type FormState, useFormState } from "../fields/form-state.ts";
import { TextField } from "../fields/text-field.tsx";
import { walletLink } from "../links.ts";
import { type Proposal, WriteForm } from "../writes/write-form.tsx";
import { GrantList } from "./grant-list.tsx";
import { DAY_SECONDS, KeyCode, KeyList, WhoSigns } from "./key-list.tsx";
import {
  CHANGE_OF_KEYS,
  changeOfKeys,
  keyCode,
  placeOf,
  powerOf,
  readKeySet,
  useKeySet,
  weightOf,
} from "./key-sets.ts";

const DELAY_DAYS_MAX = 365;
/** Long enough to be seen, short enough to help. */
const DELAY_DAYS = 7;
/** Source: authority §1.1. */
const HELPERS_MAX = 16;

interface Props {
  readonly account: OpenAccount;
  readonly keySet: KeySet;
}

/** Source: explorer §3. */
export function KeysView(): JSX.Element {
  const account = actingAccount.value;
  return (
    <View title={walletTexts().keys.title}>
      {account !== undefined && <Keys key={account.id} account={account} />}
    </View>
  );
}

function Keys({ account }: Pick<Props, "account">): JSX.Element {
  const texts = walletTexts().keys;
  const { address } = account;
  const read = useKeySet(address, { live: true });
  return (
    <Shown read={read}>
      {(keySet) => {
        const canChange = powerOf(account, keySet) !== "none";
        const others = keySet.keys.filter((_, at) => at !== placeOf(account, keySet));
        const hasHelpers = (keySet.recoverykeys?.length ?? 0) > 0;
        return (
          <div class="columns">
            <section class="card stack">
              <h2>
                <AccountBadge account={account} />
              </h2>
              <WhoSigns keySet={keySet} />
              {canChange && (
                <>
                  <Part title={texts.addTitle}>
                    <AddDevice account={account} />
                  </Part>
                  <Part title={texts.removeTitle} isOffered={others.length > 0}>
                    <RemoveKey account={account} others={others} />
                  </Part>
                  <Part title={texts.numberTitle} isOffered={others.length > 0}>
                    <HowManySign account={account} />
                  </Part>
                </>
              )}
              <p>
                <a href={walletLink.device()}>{texts.device.title}</a>
              </p>
            </section>
            <GrantList account={account} keySet={keySet} />
            <section class="card stack">
              <h2>{texts.helpTitle}</h2>
              <Helpers keySet={keySet} />
              {canChange && (
                <>
                  <Part title={hasHelpers ? texts.helpChange : texts.helpSet}>
                    <SetHelpers account={account} />
                  </Part>
                  <Part title={texts.helpNobody} isOffered={hasHelpers}>
                    <RemoveHelpers account={account} />
                  </Part>
                </>
              )}
            </section>
          </div>
        );
      }}
    </Shown>
  );
}

/** Open if the URL names it. It stays after its offer ends, to show its result. */
function Part({
  title,
  isOffered = true,
  children,
}: {
  readonly title: string;
  readonly isOffered?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element | null {
  const { query } = useLocation();
  const isAsked = title === walletTexts().keys.addTitle && query["device"] !== undefined;
  const wasOffered = useRef(false);
  wasOffered.current ||= isOffered;
  return wasOffered.current ? (
    <details open={isAsked}>
      <summary>{title}</summary>
      {children}
    </details>
  ) : null;
}

function Helpers({ keySet }: Pick<Props, "keySet">): JSX.Element {
  const texts = walletTexts().keys;
  const { recoverykeys = [], recoverythreshold = 0, recoverydelay = 0 } = keySet;
  return recoverykeys.length === 0 ? (
    <p>{texts.helpNone}</p>
  ) : (
    <>
      <p>{texts.helpDelay(recoverydelay / DAY_SECONDS)}</p>
      <p>{helpersNeeded(recoverykeys, recoverythreshold)}</p>
      <KeyList keys={recoverykeys} hasAddresses />
    </>
  );
}

function helpersNeeded(keys: readonly AddressKey[], threshold: number): string {
  const texts = walletTexts().keys;
  return keys.every(({ weight }) => weight >= threshold)
    ? texts.oneHelps
    : keys.every(({ weight }) => weight === 1)
      ? texts.some(threshold, keys.length)
      : texts.manyHelp(threshold);
}

/** The device has an account of its own. */
function AddDevice({ account }: Pick<Props, "account">): JSX.Element {
  const texts = walletTexts().keys;
  const { query } = useLocation();
  const form = useFormState({ address: query["device"] ?? "" });
  const propose = async (): Promise<Proposal> => {
    const [keySet, key] = await Promise.all([
      readKeySet(account.address),
      onlyKeyOf(form.value("address")),
    ]);
    if (keySet.keys.some(({ publickey }) => publickey === key.publickey)) {
      throw new FieldError("address", texts.signsAlready);
    }
    // With the weight of this device's key.
    const { weight = keySet.threshold } = keySet.keys[placeOf(account, keySet)] ?? {};
    const keys = [...keySet.keys, { ...key, weight }];
    return {
      request: changeOfKeys(keySet, { keys }),
      title: texts.added(await keyCode(key.publickey)),
      facts: [
        [texts.code, <KeyCode publickey={key.publickey} />],
        [texts.afterwards, <WhoSigns keySet={{ ...keySet, keys }} />],
      ],
      warning: weight < keySet.threshold ? texts.addWarning : texts.addWarningAlone,
    };
  };
  return (
    <WriteForm form={form} operation={CHANGE_OF_KEYS} propose={propose} another={texts.addTitle}>
      <p>{texts.addText}</p>
      <AddressField form={form} name="address" label={texts.deviceAddress} />
    </WriteForm>
  );
}

/** Source: authority §1.1. */
function HowManySign({ account }: Pick<Props, "account">): JSX.Element {
  const texts = walletTexts().keys;
  const form = useFormState();
  const propose = async (): Promise<Proposal> => {
    const keySet = await readKeySet(account.address);
    const keys = keySet.keys.map((key) => ({ ...key, weight: 1 }));
    const threshold = wholeUpTo(form, "threshold", keys.length);
    return {
      request: changeOfKeys(keySet, { keys, threshold }),
      title: texts.some(threshold, keys.length),
      facts: [[texts.afterwards, <WhoSigns keySet={{ keys, threshold }} />]],
      ...(threshold === 1 ? {} : { warning: texts.numberWarning(keys.length - threshold) }),
    };
  };
  return (
    <WriteForm form={form} operation={CHANGE_OF_KEYS} propose={propose} another={texts.numberTitle}>
      <p>{texts.numberText}</p>
      <TextField form={form} name="threshold" label={texts.number} />
    </WriteForm>
  );
}

function RemoveKey({
  account,
  others,
}: Pick<Props, "account"> & { readonly others: readonly AddressKey[] }): JSX.Element {
  const texts = walletTexts().keys;
  const form = useFormState();
  const { value: codes = [] } = useRead(`codes of ${others.map((one) => one.publickey)}`, () =>
    Promise.all(others.map(({ publickey }) => keyCode(publickey))),
  );
  const propose = async (): Promise<Proposal> => {
    const keySet = await readKeySet(account.address);
    const keys = keySet.keys.filter(({ publickey }) => publickey !== form.value("keys"));
    if (weightOf(keys) < keySet.threshold) {
      throw new FieldError("keys", texts.tooFew);
    }
    return {
      request: changeOfKeys(keySet, { keys }),
      title: texts.removed(await keyCode(form.value("keys"))),
      facts: [[texts.afterwards, <WhoSigns keySet={{ ...keySet, keys }} />]],
    };
  };
  return (
    <WriteForm form={form} operation={CHANGE_OF_KEYS} propose={propose} another={texts.removeTitle}>
      <p>{texts.removeText}</p>
      <ChoiceField
        form={form}
        name="keys"
        label={texts.which}
        choices={[
          ["", "…"],
          ...others.map(({ publickey, rpid }, at): [string, string] => {
            const kind =
              rpid === undefined ? texts.key : walletTexts().wallet.accounts.passkey(rpid);
            return [publickey, `${kind} ${codes[at] ?? ""}`];
          }),
        ]}
      />
    </WriteForm>
  );
}

/** Source: authority §4. */
function SetHelpers({ account }: Pick<Props, "account">): JSX.Element {
  const texts = walletTexts().keys;
  const form = useFormState({ recoverythreshold: "1", recoverydelay: String(DELAY_DAYS) });
  const isSeveral = form.list("recoverykeys").length > 1;
  const propose = async (): Promise<Proposal> => {
    const named = form.addresses("recoverykeys", HELPERS_MAX);
    if (named.includes(account.address)) {
      throw new FieldError("recoverykeys", texts.notYourself);
    }
    const days = wholeUpTo(form, "recoverydelay", DELAY_DAYS_MAX);
    const threshold = named.length > 1 ? wholeUpTo(form, "recoverythreshold", named.length) : 1;
    const [keySet, ...recoverykeys] = await Promise.all([
      readKeySet(account.address),
      ...named.map((address) => onlyKeyOf(address, "recoverykeys")),
    ]);
    return {
      request: changeOfKeys(keySet, {
        recoverykeys,
        recoverythreshold: threshold,
        recoverydelay: days * DAY_SECONDS,
      }),
      title: texts.helpersSet(named.length),
      facts: [
        [
          texts.helpers,
          <ul class="plain key-list">
            {named.map((address, at) => (
              <li key={address}>
                <AddressLink address={address} />{" "}
                <KeyCode publickey={recoverykeys[at]?.publickey ?? ""} />
              </li>
            ))}
          </ul>,
        ],
        [texts.needed, helpersNeeded(recoverykeys, threshold)],
        [texts.delay, texts.days(days)],
      ],
      warning: texts.helpWarning,
    };
  };
  return (
    <WriteForm form={form} operation={CHANGE_OF_KEYS} propose={propose} another={texts.helpChange}>
      <p>{texts.helpText}</p>
      <TextField
        form={form}
        name="recoverykeys"
        label={texts.helperAddresses}
        hint={texts.helperHint}
        lines={3}
      />
      {isSeveral && <TextField form={form} name="recoverythreshold" label={texts.helpersNeeded} />}
      <TextField form={form} name="recoverydelay" label={texts.delayDays} hint={texts.delayHint} />
    </WriteForm>
  );
}

function RemoveHelpers({ account }: Pick<Props, "account">): JSX.Element {
  const texts = walletTexts().keys;
  const propose = async (): Promise<Proposal> => {
    const keySet = await readKeySet(account.address);
    return {
      request: changeOfKeys(keySet, { recoverykeys: [] }),
      title: texts.helpNobody,
      facts: [],
      warning: texts.helpNone,
    };
  };
  return (
    <WriteForm form={useFormState()} operation={CHANGE_OF_KEYS} propose={propose}>
      {null}
    </WriteForm>
  );
}

/** From 1 on. Throws FieldError. */
function wholeUpTo(form: FormState, name: string, max: number): number {
  const value = form.whole(name);
  if (value > BigInt(max)) {
    throw new FieldError(name, walletTexts().keys.numberTo(max));
  }
  return Number(value);
}

/** Throws FieldError if it has several. */
async function onlyKeyOf(address: string, field = "address"): Promise<AddressKey> {
  const { keys } = await readKeySet(address);
  const [key] = keys;
  if (key === undefined || keys.length > 1) {
    throw new FieldError(field, walletTexts().keys.severalKeys(address));
  }
  return { ...key, weight: 1 };
}
