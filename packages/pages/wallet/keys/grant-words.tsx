import type { Grant } from "@moneta/sdk";
import type { JSX } from "preact";
import { amountText } from "../../parts/amount-text.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { durationText } from "../../parts/time-left.tsx";
import { absoluteTime } from "../../parts/time-text.tsx";
import { locale } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";

export type GrantTerms = Pick<Grant, "operations" | "limits" | "payees" | "items" | "until">;

const KINDS = [
  [/^(?:transfer|multitransfer|exchange)$/, "pay"],
  [/^mrc40[12]buy$/, "buy"],
  [/^mrc40[12](?:un)?sell$/, "sell"],
  [/^token/, "issue"],
  [/^mrc0[14]0/, "trade"],
  [/^mrc400/, "projects"],
  [/^mrc40[12]/, "items"],
] as const;

/** Source: authority §5. */
export function GrantWords({
  terms: { operations, limits, payees, items, until },
  spent,
}: {
  readonly terms: GrantTerms;
  readonly spent?: (at: number) => bigint;
}): JSX.Element {
  const texts = walletTexts().keys.grants;
  return (
    <>
      <ul class="plain key-list">
        <li>{texts.may(wordsFor(operations))}</li>
        {limits.length === 0 && <li>{texts.spendsNothing}</li>}
        {limits.map(({ token, amount, period }, at) => (
          <li key={`${token} ${period}`}>
            {period === 0
              ? texts.spendsInAll(amountText(amount, token))
              : texts.spends(amountText(amount, token), periodText(period))}
            {spent && `: ${texts.spent(amountText(spent(at), token))}`}
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
          {texts.until} {absoluteTime(until)}
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
    </>
  );
}

/** From an untrusted operation; undefined if they cannot be read. */
export function grantTermsIn(params: Readonly<Record<string, string>>): GrantTerms | undefined {
  const { operations = "", limits = "[]", payees = "[]", items = "[]", until } = params;
  try {
    return {
      operations: textsIn(JSON.parse(operations)),
      limits: (JSON.parse(limits) as readonly Untrusted[]).map(({ token, amount, period = 0 }) => ({
        token: String(token),
        amount: BigInt(amount as string),
        period: Number(period),
      })),
      payees: textsIn(JSON.parse(payees)),
      items: (JSON.parse(items) as readonly Untrusted[]).map(({ id, minprice, token }) => ({
        id: String(id),
        ...(minprice === undefined ? {} : { minprice: BigInt(minprice as string) }),
        ...(token === undefined ? {} : { token: String(token) }),
      })),
      until: Number(until),
    };
  } catch {
    return undefined;
  }
}

type Untrusted = Readonly<Record<string, unknown>>;

function textsIn(list: readonly unknown[]): readonly string[] {
  return list.map(String);
}

export function wordsFor(operations: readonly string[]): string {
  const { kinds } = walletTexts().keys.grants;
  const found = operations.map((name) => KINDS.find(([begins]) => begins.test(name))?.[1]);
  const words = [...new Set(found)].map((kind) => kinds[kind ?? "other"]);
  return new Intl.ListFormat(locale(), { type: "conjunction" }).format(words);
}

function periodText(seconds: number): string {
  const known: Readonly<Record<number, string>> = walletTexts().keys.grants.periods;
  return known[seconds] ?? durationText(seconds);
}
