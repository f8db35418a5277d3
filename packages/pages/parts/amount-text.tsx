import { decimalText } from "@moneta/sdk";
import { symbolText, tokenText } from "@moneta/sdk/text";
import { createContext, type JSX } from "preact";
import { useContext, useEffect } from "preact/hooks";
import { type TokenForm, tokenForm } from "../ledger/tokens.ts";
import { locale, t } from "../texts/texts.ts";
import { localNumber } from "./number-text.ts";
import { Reveal } from "./reveal.tsx";
import { UntrustedText } from "./untrusted-text.tsx";

const DIGITS_MAX = 15;
const FRACTION_MAX = 6;

/** Called with every token shown within, for a comparison in reviews. */
export const ShownTokens = createContext<(token: string) => void>(() => undefined);

function useShown(token: string): void {
  const note = useContext(ShownTokens);
  useEffect(() => note(token), [note, token]);
}

export function numberText(value: bigint | number | string): string {
  return localNumber(value, locale());
}

function shortText(decimal: string): string {
  const [whole = "", fraction = ""] = decimal.split(".");
  if (whole.length > DIGITS_MAX) {
    return localNumber(decimal, locale(), {
      notation: "scientific",
      maximumSignificantDigits: 6,
    });
  }
  // An amount is never shown as nothing.
  return whole === "0" && /^0+$/.test(fraction.slice(0, FRACTION_MAX)) && /[1-9]/.test(fraction)
    ? `<${numberText(`0.${"1".padStart(FRACTION_MAX, "0")}`)}`
    : localNumber(decimal, locale(), {
        maximumFractionDigits: FRACTION_MAX,
        roundingMode: "trunc",
      });
}

function exactText(decimal: string): string {
  return (decimal.split(".")[0] ?? "").length > DIGITS_MAX
    ? shortText(decimal)
    : numberText(decimal);
}

/** Plain text with all decimals. In the smallest unit until the token is known. */
export function amountText(amount: bigint, token: string): string {
  const form = tokenForm(token).value;
  return form === undefined
    ? t().amounts.ofUnknown(numberText(amount), token)
    : `${exactText(decimalText(amount, form.decimals))} ${textOf(form)}`;
}

/** In the smallest unit. A shortened one shows its value on a tap. Source: explorer §1. */
export function AmountText({
  amount,
  token,
  sign = "",
  isExact = false,
}: {
  readonly amount: bigint;
  readonly token: string;
  readonly sign?: "+" | "−" | "";
  /** All decimals, as before signing. */
  readonly isExact?: boolean;
}): JSX.Element {
  const form = tokenForm(token).value;
  useShown(token);
  const decimal = form && decimalText(amount, form.decimals);
  const number = decimal && (isExact ? exactText(decimal) : shortText(decimal));
  const shown = (
    <span class={`amount ${sign === "+" ? "in" : sign === "−" ? "out" : ""}`}>
      {sign}
      {number === undefined ? (
        t().amounts.ofUnknown(shortText(String(amount)), token)
      ) : (
        <>
          {number} <TokenName token={token} />
        </>
      )}
    </span>
  );
  const isWhole =
    form !== undefined && decimal !== undefined && number === numberText(decimal) && hasUsual(form);
  return isWhole ? (
    shown
  ) : (
    <Reveal more={() => <ExactAmount amount={amount} token={token} form={form} />}>{shown}</Reveal>
  );
}

function hasUsual({ symbol }: TokenForm): boolean {
  return isUsual(symbolText(symbol, t().nothingVisible));
}

function isUsual(symbol: string): boolean {
  return /^[\p{L}\p{N}\p{P}\p{S}]{1,8}$/u.test(symbol);
}

function textOf(form: TokenForm): string {
  return tokenText(form, t().nothingVisible);
}

/** Plain text: symbol with id, or the id alone until the token is known. Source: explorer §1. */
export function tokenName(token: string): string {
  const form = /^[0-9]{1,40}$/.test(token) ? tokenForm(token).value : undefined;
  return form === undefined ? t().amounts.token(token) : textOf(form);
}

/**
 * Anybody may use any symbol, so the id follows, except the native coin's. Every shown token passes
 * here or `tokenName`. Source: explorer §1.
 */
export function TokenName({
  token,
  isWhole = false,
}: {
  readonly token: string;
  readonly isWhole?: boolean;
}): JSX.Element {
  const form = tokenForm(token).value;
  useShown(token);
  if (form === undefined) {
    return <span class="token-name">{t().amounts.token(token)}</span>;
  }
  const symbol = symbolText(form.symbol, t().nothingVisible);
  return (
    <span class="token-name">
      <span class={`symbol ${isUsual(symbol) ? "usual" : isWhole ? "" : "long"}`}>
        <UntrustedText text={symbol} />
      </span>
      {token !== "0" && <span class="token-id"> #{token}</span>}
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
          <code>{decimalText(amount, form.decimals)}</code> <TokenName token={token} isWhole />
        </p>
      )}
      <p>
        <code>{String(amount)}</code> {t().amounts.smallestUnits(form?.decimals ?? 0)}
      </p>
      <p>{t().amounts.token(token)}</p>
    </>
  );
}
