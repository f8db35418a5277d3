import { AMOUNT_MAX, type Amount, parseAmount } from "../../text/amount.ts";
import { decimalPattern } from "../../text/decimal-pattern.ts";
import { type Refused, refuse } from "../faults.ts";
import { FORM, meaning, optional, type Parameter, parameter } from "../parameter.ts";
import { shown } from "../raw-parameters.ts";

interface Digits<T> {
  readonly wanted: string;
  readonly brief?: string;
  readonly form?: string;
  readonly format: "amount" | "token-id" | "unix-time" | "integer";
  readonly min?: 0n | 1n;
  readonly max?: bigint;
  readonly code?: "1101" | "1102";
  readonly toValue: (value: Amount, text: string) => T;
}

/** An integer in decimal digits from `min` to `max`. Source: conventions §1.6. */
export function digits<T>(given: Digits<T>): Parameter<T> {
  const { wanted, brief, form = wanted, format, min = 0n, max = AMOUNT_MAX, code = "1101" } = given;
  const refuseForm = (sent: string, name: string): Refused =>
    refuse({ code, parameter: name, given: sent, wanted: form });
  return parameter<T>({
    wanted,
    brief,
    schema: {
      type: "string",
      format,
      pattern: decimalPattern(min, max),
      ...(format === "integer" ? { [FORM]: { kind: "whole", max: Number(max) } as const } : {}),
    },
    isInteger: true,
    refusals: [code],
    read(text, name) {
      const value = parseAmount(text);
      return value === undefined || value < min || value > max
        ? refuseForm(text, name)
        : given.toValue(value, text);
    },
    malformed: (raw, name) => refuseForm(shown(raw), name),
  });
}

export function integer(brief: string): Parameter<bigint> {
  const wanted = `${brief}: decimal digits without sign or leading zero`;
  return digits({ brief, wanted, format: "integer", toValue: (value) => value });
}

export function boundedInteger(bounds: {
  readonly min: 0n | 1n;
  readonly max: bigint;
}): Parameter<number> {
  const max = bounds.max === AMOUNT_MAX ? "10^40" : `${bounds.max}`;
  const brief = `an integer from ${bounds.min} to ${max}`;
  const wanted = `${brief}: decimal digits without sign or leading zero`;
  return digits({ brief, wanted, ...bounds, format: "integer", toValue: Number });
}

/** A time or a block number, up to the largest number that JavaScript holds exactly. */
export function safeInteger(): Parameter<number> {
  return boundedInteger({ min: 0n, max: BigInt(Number.MAX_SAFE_INTEGER) });
}

/** Year 5138; in smaller units all dates from 1973 on are larger. */
const SECONDS_MAX = 99_999_999_999n;

const SMALLER_UNITS = [
  { form: /^[1-9][0-9]{11,13}$/, unit: "milliseconds", digits: 3 },
  { form: /^[1-9][0-9]{14,16}$/, unit: "microseconds", digits: 6 },
  { form: /^[1-9][0-9]{17,19}$/, unit: "nanoseconds", digits: 9 },
] as const;

/** Refuses milliseconds, which would select nothing. Source: chain §10. */
export function moment(): Parameter<number> {
  const brief = "a time in Unix seconds";
  const wanted = `${brief} from 0 to ${SECONDS_MAX}: decimal digits without sign or leading zero`;
  const seconds = digits({ brief, wanted, max: SECONDS_MAX, format: "unix-time", toValue: Number });
  return {
    ...seconds,
    read(given, name) {
      const smaller = SMALLER_UNITS.find(({ form }) => form.test(given));
      if (smaller === undefined) {
        return seconds.read(given, name);
      }
      const wanted = `Unix seconds: ${given} looks like ${smaller.unit}, so send ${given.slice(0, -smaller.digits)}`;
      return refuse({ code: "1101", parameter: name, given, wanted });
    },
  };
}

/** A span of ledger time. Source: chain §10. */
export const since: Parameter<number | undefined> = optional(
  meaning("not before this time", moment()),
);
export const until: Parameter<number | undefined> = optional(
  meaning("not after this time", moment()),
);

/** A number of leaves of the ledger tree, as text. Source: chain §12. */
export function treeSize(bounds: string): Parameter<string> {
  const wanted = `a number of transactions, ${bounds}`;
  return {
    ...digits({ wanted, format: "integer", toValue: String }),
    meaning: "",
    read: (text) => text,
  };
}

const DECIMAL_PLACES_MAX = 18n;

/** Decimal places of a token for display, 0 to 18. Source: tokens §3. */
export function decimalPlaces(): Parameter<number> {
  const refuseForm = (given: string, name: string): Refused =>
    refuse({ code: "1003", parameter: name, given });
  return {
    ...digits({
      wanted: `an integer from 0 to ${DECIMAL_PLACES_MAX}`,
      max: DECIMAL_PLACES_MAX,
      format: "integer",
      toValue: Number,
    }),
    refusals: ["1003", "1004"],
    read(text, name) {
      const value = parseAmount(text);
      if (value === undefined) {
        return refuseForm(text, name);
      }
      return value > DECIMAL_PLACES_MAX
        ? refuse({ code: "1004", parameter: name, given: text })
        : Number(value);
    },
    malformed: (raw, name) => refuseForm(shown(raw), name),
  };
}
