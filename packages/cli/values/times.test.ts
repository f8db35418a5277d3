import assert from "node:assert/strict";
import { test } from "node:test";
import { WrongUse } from "../command-line/wrong-use.ts";
import { localZone, secondsOf, timeText } from "./times.ts";

for (const { given, says } of [
  { given: "20300101", says: /digits alone could be a date or Unix seconds/ },
  { given: "1893456000", says: /digits alone .* @ and Unix seconds/ },
  { given: "2027-02-30", says: /does not exist: the month has no such day/ },
  { given: "2027-01-31T24:00", says: /does not exist: .*24:00 is 00:00 of the next day/ },
  { given: "31.1.2027", says: /but must be a time: 2027-01-31 or 2027-01-31T18:00/ },
]) {
  test(`${given} is refused, and the message has what would be right, with the zone`, () => {
    assert.throws(() => secondsOf(given, "--until"), { name: WrongUse.name, message: says });
    assert.throws(() => secondsOf(given, "--until"), new RegExp(`local is ${localZone()}`));
  });
}

test("what is shown of a time with its offset is read as the same time", () => {
  for (const seconds of [86_400, 1767225600, 1790000000, 2147483647]) {
    assert.equal(secondsOf(timeText(seconds, true), "--until"), String(seconds));
  }
  assert.match(timeText(1767225600), /^20\d\d-\d\d-\d\d \d\d:\d\d:00$/);
});
