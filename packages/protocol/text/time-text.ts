export type TimeFault =
  | "form"
  | "digits"
  | "day"
  | "clock"
  | "offset"
  | "skipped"
  | "twice"
  | "range";

const TIME_MAX = 253_402_300_799;
/** The largest difference of a time zone from UTC, hours. */
const OFFSET_HOURS_MAX = 14;
const DAY_MS = 86_400_000;

const FORM =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.0+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * ISO 8601, extended, as Unix seconds; local time without an offset, a date alone is its first
 * second. `@1801386000` is Unix seconds, `0` is no time. Source: explorer §3.
 */
export function readTime(text: string, { max = TIME_MAX } = {}): number | TimeFault {
  const [, unixSeconds] = /^@?(0|(?<=@)[1-9]\d*)$/.exec(text) ?? [];
  if (unixSeconds !== undefined) {
    return Number(unixSeconds) <= max ? Number(unixSeconds) : "range";
  }
  const parts = FORM.exec(text);
  if (parts === null) {
    return /^\d+$/.test(text) ? "digits" : "form";
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const midnight = new Date(Date.UTC(2000, month - 1, day));
  midnight.setUTCFullYear(year, month - 1, day); // Date.UTC reads the year 99 as 1999.
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) {
    return "day";
  }
  // 24:00 is ambiguous, and ledgers have no leap second.
  if (hour > 23 || minute > 59 || second > 59) {
    return "clock";
  }
  const asUtc = midnight.getTime() / 1000 + hour * 3600 + minute * 60 + second;
  const offset = parts[7];
  const time =
    offset === undefined ? localSeconds(asUtc, parts[4] === undefined) : withOffset(asUtc, offset);
  return typeof time === "string" || (time >= 0 && time <= max) ? time : "range";
}

function withOffset(asUtc: number, offset: string): number | TimeFault {
  if (offset === "Z") {
    return asUtc;
  }
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(-2));
  // ISO 8601 has no -00:00.
  return minutes > 59 || hours * 60 + minutes > OFFSET_HOURS_MAX * 60 || /^-00:?00$/.test(offset)
    ? "offset"
    : asUtc - (offset.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60);
}

function localSeconds(asUtc: number, isDate: boolean): number | TimeFault {
  const offsets = [-DAY_MS, DAY_MS].map(
    (away) => new Date(asUtc * 1000 + away).getTimezoneOffset() * 60,
  );
  const shown = offsets.map((offset) => asUtc + offset).filter((time) => asLocal(time) === asUtc);
  const first = Math.min(...shown);
  if (shown.length === 0) {
    // If clocks advance at midnight, the day begins later.
    return isDate ? asUtc + Math.max(...offsets) : "skipped";
  }
  return isDate || shown.every((time) => time === first) ? first : "twice";
}

function asLocal(seconds: number): number {
  return seconds - new Date(seconds * 1000).getTimezoneOffset() * 60;
}

/** When clocks are put back, the same text appears twice. */
export function localTimeText(seconds: number): string {
  return new Date(asLocal(seconds) * 1000).toISOString().slice(0, 19);
}
