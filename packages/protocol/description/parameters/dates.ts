import { FORM, type Parameter } from "../parameter.ts";
import { digits } from "./integers.ts";

export const UNLOCK_DATE_MAX = 2147483647;
/** The end of the year 9999. Source: mrc401 §7, mrc402 §4. */
const EXPIRE_DATE_MAX = 253_402_300_799;

/** Source: accounts §8.7. */
export function unlockDate(): Parameter<number> {
  return date(UNLOCK_DATE_MAX, "does not lock");
}

export function expireDate(): Parameter<number> {
  return date(EXPIRE_DATE_MAX, "lets it be melted at any time");
}

/** Source: policies §2. */
export function optionalDate(): Parameter<number> {
  return date(EXPIRE_DATE_MAX, "is no bound");
}

/** A time in Unix seconds, 0 to `max`; `zero` is the meaning of 0. */
function date(max: number, zero: string): Parameter<number> {
  const form = `a time in Unix seconds from 0 to ${max}`;
  const read = digits({
    brief: `a time in Unix seconds; 0 ${zero}`,
    wanted: `${form}; 0 ${zero}`,
    form,
    max: BigInt(max),
    format: "unix-time",
    code: "1102",
    toValue: Number,
  });
  return { ...read, schema: { ...read.schema, [FORM]: { kind: "time", max } } };
}

/** Source: protocols §6. */
export function openDate(): Parameter<number> {
  return digits({
    brief: "a time in Unix seconds, later than now",
    wanted: `a time in Unix seconds, later than now, at most ${UNLOCK_DATE_MAX}: decimal digits without leading zero`,
    max: BigInt(UNLOCK_DATE_MAX),
    format: "unix-time",
    code: "1102",
    toValue: Number,
  });
}

const UNBOUNDED = "a time in Unix seconds: decimal digits without sign or leading zero";

/** Its bounds depend on the ledger time. Source: market §3. */
export function auctionDate(zero: string): Parameter<bigint> {
  const wanted = `${UNBOUNDED}; 0 ${zero}`;
  const brief = `a time in Unix seconds; 0 ${zero}`;
  return digits({ brief, wanted, form: UNBOUNDED, format: "unix-time", toValue: (value) => value });
}

/** The other bounds depend on the ledger time. Source: market §2.1. */
export function saleDate(): Parameter<number> {
  return date(EXPIRE_DATE_MAX, "sets no bound");
}

const EXTEND_MAX = 3600;

/** Seconds that an auction stays open after each bid. Source: market §3. */
export function auctionExtension(): Parameter<number> {
  const form = `seconds from 0 to ${EXTEND_MAX}`;
  return digits({
    wanted: `${form}; 0 lets no bid move the end`,
    form,
    max: BigInt(EXTEND_MAX),
    format: "integer",
    toValue: Number,
  });
}

/** The rule moves it to the nearest bound. Source: market §3. */
export function movedAuctionEnd(): Parameter<bigint> {
  return boundedByRule(`${UNBOUNDED}; moved to the nearest bound`);
}

/** Source: authority §5.1. */
export function grantEnd(): Parameter<bigint> {
  return boundedByRule("a time in Unix seconds, later than now, at most a year");
}

export function offerEnd(): Parameter<bigint> {
  return boundedByRule("a time in Unix seconds, an hour to 90 days from now");
}

function boundedByRule(wanted: string): Parameter<bigint> {
  return digits({
    wanted,
    form: UNBOUNDED,
    format: "unix-time",
    code: "1102",
    toValue: (value) => value,
  });
}
