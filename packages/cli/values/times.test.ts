import assert from "node:assert/strict";
import { test } from "node:test";
import { WrongUse } from "../command-line/wrong-use.ts";
import { secondsOf, timeText } from "./times.ts";

for (const { given, seconds } of [
  { given: "0", seconds: "0" },
  { given: "1767225600", seconds: "1767225600" },
  { given: "2026-01-01T00:00Z", seconds: "1767225600" },
  { given: "2026-01-01T09:00:00+09:00", seconds: "1767225600" },
  { given: "2026-01-01 00:00:01Z", seconds: "1767225601" },
]) {
  test(`${given} is ${seconds} in Unix seconds`, () =>
    assert.equal(secondsOf(given, "--until"), seconds));
}

test("a date begins at midnight here, and a time without offset is of here", () => {
  const midnight = String(new Date(2027, 0, 31).getTime() / 1000);
  assert.equal(secondsOf("2027-01-31", "--until"), midnight);
  assert.equal(secondsOf("2027-01-31T00:00", "--until"), midnight);
});

for (const given of ["", "tomorrow", "-5", "2027-13-01", "31.1.2027", "1e9", "2027-01-31T25:00"]) {
  test(`"${given}" is no time`, () => {
    assert.throws(() => secondsOf(given, "--until"), {
      name: WrongUse.name,
      message: /--until is/,
    });
  });
}

test("what is shown of a time with its offset is read as the same time", () => {
  for (const seconds of [1, 1767225600, 1790000000, 2147483647]) {
    assert.equal(secondsOf(timeText(seconds, true), "--until"), String(seconds));
  }
  assert.match(timeText(1767225600), /^20\d\d-\d\d-\d\d \d\d:\d\d:00$/);
});
