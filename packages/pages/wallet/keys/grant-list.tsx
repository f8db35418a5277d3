import type { Grant, KeySet } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta, now } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { amountText } from "../../parts/amount-text.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { Shown } from "../../parts/shown.tsx";
import { durationText } from "../../parts/time-left.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { locale } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { OneTap } from "../writes/one-tap.tsx";
import { KeyCode } from "./key-list.tsx";
import { powerOf } from "./key-sets.ts";

/** An address has no more that are open. Source: authority §5.1. */
const GRANTS_MAX = 100;

const KINDS = [
  [/^(?:transfer|multitransfer|exchange)$/, "pay"],
  [/^token/, "issue"],
  [/^mrc0[14]0/, "trade"],
  [/^mrc400/, "projects"],
  [/^mrc40[12]/, "items"],
] as const;

interface Props {
  readonly account: OpenAccount;
  readonly keySet: KeySet;
}

/** Other keys that may act for an account, within what bounds, each with a button that ends it. */
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
    </section>
  );
}

function OneGrant({ account, keySet, grant }: Props & { readonly grant: Grant }): JSX.Element {
  const texts = walletTexts().keys.grants;
  const { grantid, note, agent, operations, limits, payees, items, until } = grant;
  return (
    <>
      <h3>
        {note === "" ? texts.someone : <UntrustedText text={note} />} <KeyCode publickey={agent} />
      </h3>
      <ul class="plain key-list">
        <li>{texts.may(wordsFor(operations))}</li>
        {limits.length === 0 && <li>{texts.spendsNothing}</li>}
        {limits.map(({ token, amount, period }, at) => (
          <li key={`${token} ${period}`}>
            {period === 0
              ? texts.spendsInAll(amountText(amount, token))
              : texts.spends(amountText(amount, token), periodText(period))}
            {": "}
            {texts.spent(amountText(spentNow(grant, at), token))}
          </li>
        ))}
        {limits.length > 0 && (
          <li>
            {payees.length === 0 ? texts.paysAnybody : texts.paysOnly}{" "}
            {payees.map((payee) => (
              <>
                <AddressLink address={payee} />{" "}
              </>
            ))}
          </li>
        )}
        {items.length > 0 && (
          <li>
            {texts.things}{" "}
            {items.map(({ id, minprice, token = "0" }) => (
              <>
                {id.startsWith("token:") ? <code>{id}</code> : <ThingLink id={id} />}{" "}
                {minprice !== undefined && texts.atLeast(amountText(minprice, token))}{" "}
              </>
            ))}
          </li>
        )}
        <li>
          {texts.until} <TimeText time={until} />
        </li>
      </ul>
      <details>
        <summary>{texts.operations}</summary>
        {operations.map((name) => (
          <>
            <code>{name}</code>{" "}
          </>
        ))}
      </details>
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

/** What operations are about, in words: by the beginnings of their names. */
function wordsFor(operations: readonly string[]): string {
  const { kinds } = walletTexts().keys.grants;
  const found = operations.map((name) => KINDS.find(([begins]) => begins.test(name))?.[1]);
  const words = [...new Set(found)].map((kind) => kinds[kind ?? "other"]);
  return new Intl.ListFormat(locale(), { type: "conjunction" }).format(words);
}

/** What counts as spent of a limit by now: a period that is over counts no more. Source: authority §5.3. */
function spentNow({ limits, periods }: Grant, at: number): bigint {
  const { period = 0 } = limits[at] ?? {};
  const { since = 0, spent = 0n } = periods[at] ?? {};
  return period > 0 && now.value >= since + period ? 0n : spent;
}

function periodText(seconds: number): string {
  const known: Readonly<Record<number, string>> = walletTexts().keys.grants.periods;
  return known[seconds] ?? durationText(seconds);
}
