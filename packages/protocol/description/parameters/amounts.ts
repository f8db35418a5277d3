import { AMOUNT_MAX, type Amount } from "../../text/amount.ts";
import { decimalPattern } from "../../text/decimal-pattern.ts";
import { NO_RATE, parseRate, type Rate } from "../../text/rate.ts";
import { refuse, type ZeroCode } from "../faults.ts";
import { FORM, type Parameter, parameter, refuseValue } from "../parameter.ts";
import { digits } from "./integers.ts";

interface AmountBounds {
  readonly min: 0n | 1n;
  readonly max?: bigint;
  readonly of?: string;
  /** `min` is 1 then. */
  readonly zero?: ZeroCode;
}

/** An amount in the smallest unit of its token, `min` to 10^40. Source: conventions §1.6. */
export function amount({ min, max = AMOUNT_MAX, zero, of }: AmountBounds): Parameter<Amount> {
  const range = max === AMOUNT_MAX ? "10^40 in the token's smallest unit" : `${max}`;
  const brief = `an integer from ${min} to ${range}`;
  const wanted = `${brief}: decimal digits without sign, leading zero, point or exponent`;
  const read = digits({ brief, wanted, min, max, format: "amount", toValue: (value) => value });
  const hint = { kind: "amount", min: Number(min), ...(of === undefined ? {} : { of }) } as const;
  const inner = { ...read, schema: { ...read.schema, [FORM]: hint } };
  return zero === undefined
    ? inner
    : {
        ...inner,
        refusals: [zero, ...inner.refusals],
        read: (text, name) =>
          text === "0" ? refuse({ code: zero, parameter: name }) : inner.read(text, name),
      };
}

const UNITS_MAX = 99_999_999n;

/** A number of units of an item, 1 to 99999999. Source: mrc402 §1.4. */
export function quantity(bounds: Pick<AmountBounds, "zero"> = {}): Parameter<Amount> {
  const units = amount({ min: 1n, max: UNITS_MAX, ...bounds });
  return { ...units, schema: { ...units.schema, [FORM]: { kind: "units" } } };
}

/** A percentage of at most `max`, with at most `decimals` decimals. Source: conventions §1.7. */
export function rate(max: string, decimals: number = 4): Parameter<Rate> {
  const wanted = `a percentage from 0 to ${max} with at most ${decimals} decimals`;
  const bound = parseRate(max) ?? NO_RATE;
  return parameter<Rate>({
    wanted,
    schema: {
      ...{ type: "string", pattern: ratePattern(max, decimals) },
      [FORM]: { kind: "rate", max, decimals },
    },
    refusals: ["3005"],
    read(given, name) {
      const value = parseRate(given, decimals);
      return value === undefined || value > bound ? refuseValue(wanted, name) : value;
    },
    malformed: (_raw, name) => refuseValue(wanted, name),
  });
}

function ratePattern(max: string, decimals: number): string {
  const [whole = "0", fraction = ""] = max.split(".");
  const below = fraction === "" ? BigInt(whole) - 1n : BigInt(whole);
  const integers = decimalPattern(0n, below).slice(1, -1);
  const all = `${integers}(\\.[0-9]{1,${decimals}})?`;
  return fraction === "" ? `^(${all}|${whole}(\\.0{1,${decimals}})?)$` : `^${all}$`;
}
