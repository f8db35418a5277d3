import type { Brand } from "../brand.ts";
import type { Amount } from "./amount.ts";

/** A percentage in ten-thousandths of a percent: 2.5 % is 25000. Source: conventions §1.7. */
export type Rate = Brand<bigint, "Rate">;

const DECIMALS_MAX = 4;
const FORM = /^(0|[1-9][0-9]{0,4})(?:\.([0-9]{1,4}))?$/;

export const NO_RATE: Rate = 0n as Rate;

const WHOLE = 1_000_000n;

/** That part of an amount, rounded down. Source: conventions §6.2. */
export function feeOf(amount: Amount, rate: Rate): Amount {
  return ((amount * rate) / WHOLE) as Amount;
}

/** Source: conventions §1.7. */
export function parseRate(text: string, decimals: number = DECIMALS_MAX): Rate | undefined {
  const [, whole, fraction = ""] = FORM.exec(text) ?? [];
  return whole === undefined || fraction.length > decimals
    ? undefined
    : (BigInt(whole + fraction.padEnd(DECIMALS_MAX, "0")) as Rate);
}

/** The canonical form, without superfluous zeros: `10`, `2.5`. Source: conventions §1.7. */
export function rateText(rate: Rate): string {
  const digits = String(rate).padStart(DECIMALS_MAX + 1, "0");
  const fraction = digits.slice(-DECIMALS_MAX).replace(/0+$/, "");
  const whole = digits.slice(0, -DECIMALS_MAX);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
