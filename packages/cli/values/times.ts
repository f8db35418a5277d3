import { WrongUse } from "../command-line/wrong-use.ts";

/** Unix seconds in UTC, in the form of ISO 8601, for programs. */
export function utcText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}

/** Unix seconds as local time in ISO 8601, optionally with the offset from UTC. */
export function timeText(seconds: number, withOffset = false): string {
  const time = new Date(seconds * 1000);
  const year = time.getFullYear();
  if (!Number.isFinite(year)) {
    return String(seconds);
  }
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = `${String(year).padStart(4, "0")}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
  if (!withOffset) {
    return `${date} ${clock}`;
  }
  const minutes = -time.getTimezoneOffset();
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return `${date}T${clock}${offset}`;
}

/**
 * Parses Unix seconds, a date (local midnight) or an ISO 8601 time; throws a `WrongUse` for other
 * texts, and for times that do not exist, such as 2027-02-31.
 */
export function secondsOf(text: string, name: string): string {
  if (/^[0-9]+$/.test(text)) {
    return text;
  }
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/.test(
    text,
  );
  // Date.parse reads a date alone as midnight in UTC.
  const milliseconds = isDate || isTime ? Date.parse(isDate ? `${text}T00:00` : text) : Number.NaN;
  if (!Number.isFinite(milliseconds) || milliseconds < 0) {
    throw new WrongUse(
      `${name} is "${text.slice(0, 60)}" but must be a time: 2027-01-31, 2027-01-31T18:00, or Unix seconds`,
    );
  }
  const seconds = Math.floor(milliseconds / 1000);
  if (!exists(text, seconds)) {
    throw new WrongUse(
      `${name} is "${text}", a time that does not exist: give a day that the month has, and an hour up to 23 that the clocks do not skip`,
    );
  }
  return String(seconds);
}

/** Whether a parsed time is the one that was given: `Date.parse` makes March 3 of February 31. */
function exists(text: string, seconds: number): boolean {
  const [date, clock, zone] = [text.slice(0, 10), text.slice(11, 16), text.slice(16)];
  const given = clock === "" ? date : `${date} ${clock}`;
  const asUtc = Date.parse(`${date}T${clock || "00:00"}Z`) / 1000;
  const isOfHere = !/(Z|[+-]\d{2}:?\d{2})$/.test(zone);
  return (
    utcText(asUtc).replace("T", " ").startsWith(given) &&
    (!isOfHere || timeText(seconds).startsWith(given))
  );
}
