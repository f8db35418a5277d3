import { localTimeText, readTime, type TimeFault } from "@moneta/protocol";
import { WrongUse } from "../command-line/wrong-use.ts";

/** The last year of ISO 8601. */
const TIME_MAX = 253_402_214_400;

/** Seconds to ISO 8601 in UTC, for programs. */
export function utcText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}

/** Seconds to local ISO 8601. */
export function timeText(seconds: number, withOffset = false): string {
  const time = new Date(seconds * 1000);
  if (!(Math.abs(seconds) < TIME_MAX)) {
    return String(seconds);
  }
  const text = localTimeText(seconds);
  if (!withOffset) {
    return text.replace("T", " ");
  }
  const two = (value: number): string => String(value).padStart(2, "0");
  const minutes = -time.getTimezoneOffset();
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return `${text}${offset}`;
}

export function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const WHY: Readonly<Record<TimeFault, string>> = {
  form: "",
  digits: " (digits alone could be a date or Unix seconds)",
  day: " (a time that does not exist: the month has no such day)",
  clock:
    " (a time that does not exist: the day ends at 23:59:59, and 24:00 is 00:00 of the next day)",
  offset: " (no zone has this offset from UTC)",
  skipped:
    " (a time that does not exist here, because the clocks skip it: give its offset from UTC)",
  twice: " (a time that clocks here show twice: give its offset from UTC)",
  range: " (before 1970 or too late; Unix seconds are no milliseconds)",
};

export const TIME_FORMS =
  "2027-01-31 or 2027-01-31T18:00, with Z or an offset such as +09:00 behind it if it is not local time; or @ and Unix seconds";

/** To Unix seconds. Throws a `WrongUse` for other texts. */
export function secondsOf(text: string, name: string): string {
  const time = readTime(text);
  if (typeof time === "number") {
    return String(time);
  }
  throw new WrongUse(
    `${name} is "${text.slice(0, 60)}"${WHY[time]} but must be a time: ${TIME_FORMS} (local is ${localZone()})`,
  );
}
