import { decimalText } from "@moneta/sdk";
import type { JSX } from "preact";
import { type TokenForm, tokenForm } from "../ledger/tokens.ts";
import { locale, t } from "../texts/texts.ts";
import { Reveal } from "./reveal.tsx";
import { UntrustedText } from "./untrusted-text.tsx";

/** More digits before the point than this are shown in short. */
const DIGITS_MAX = 15;
/** Of the digits behind the point, those that are shown in a line. */
const FRACTION_MAX = 6;

/** An integer or an exact decimal text with the reader's separators. */
export function numberText(value: bigint | number | string): string {
  // Numbers in texts are exact, whatever their length.
  const exact = value as Intl.StringNumericLiteral;
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 40 }).format(exact);
}

function shortText(decimal: string): string {
  const exact = decimal as Intl.StringNumericLiteral;
  const whole = decimal.split(".")[0] ?? "";
  return new Intl.NumberFormat(
    locale(),
    whole.length > DIGITS_MAX
      ? { notation: "scientific", maximumSignificantDigits: 6 }
      : { maximumFractionDigits: FRACTION_MAX, roundingMode: "trunc" },
  ).format(exact);
}

/** An amount of a token as text, for titles and sentences; in the smallest unit until it is known. */
export function amountText(amount: bigint, token: string): string {
  const form = tokenForm(token).value;
  return form === undefined
    ? t().amounts.ofUnknown(numberText(amount), token)
    : `${shortText(decimalText(amount, form.decimals))} ${form.symbol}`;
}

/**
 * An amount of a token, in its smallest unit. Shown in decimals, the exact value a tap away.
 * Source: explorer §1.
 */
export function AmountText({
  amount,
  token,
  sign = "",
}: {
  readonly amount: bigint;
  readonly token: string;
  readonly sign?: "+" | "−" | "";
}): JSX.Element {
  const form = tokenForm(token).value;
  return (
    <Reveal more={() => <ExactAmount amount={amount} token={token} form={form} />}>
      <span class={`amount ${sign === "+" ? "in" : sign === "−" ? "out" : ""}`}>
        {sign}
        {form === undefined ? (
          t().amounts.ofUnknown(shortText(String(amount)), token)
        ) : (
          <>
            {shortText(decimalText(amount, form.decimals))} <TokenSymbol form={form} />
          </>
        )}
      </span>
    </Reveal>
  );
}

/** Whether a symbol is as short as those of currencies, and shown as it is. */
function isUsual(symbol: string): boolean {
  return /^[\p{L}\p{N}\p{P}\p{S}]{1,8}$/u.test(symbol);
}

function TokenSymbol({ form }: { readonly form: TokenForm }): JSX.Element {
  return (
    <span class={`symbol ${isUsual(form.symbol) ? "" : "long"}`}>
      <UntrustedText text={form.symbol} max={12} />
    </span>
  );
}

function ExactAmount({
  amount,
  token,
  form,
}: {
  readonly amount: bigint;
  readonly token: string;
  readonly form: TokenForm | undefined;
}): JSX.Element {
  return (
    <>
      {form !== undefined && (
        <p>
          <code>{decimalText(amount, form.decimals)}</code> <UntrustedText text={form.symbol} />
        </p>
      )}
      <p>
        <code>{String(amount)}</code> {t().amounts.smallestUnits(form?.decimals ?? 0)}
      </p>
      <p>{t().amounts.token(token)}</p>
    </>
  );
}
