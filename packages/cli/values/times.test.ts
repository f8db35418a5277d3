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

for (const given of [
  ...["2027-02-29", "2027-02-31", "2027-04-31", "2027-00-10", "2027-01-00"],
  ...["2027-02-31T18:00", "2027-02-31T18:00Z", "2027-04-31 18:00:59.5+09:00"],
  ...["2027-01-31T24:00", "2027-01-31T24:00:00Z", "2027-01-31T24:00-0300"],
]) {
  test(`${given} is not taken for a time after it`, () => {
    assert.throws(() => secondsOf(given, "--until"), {
      name: WrongUse.name,
      message: /--until is .*(does not exist|must be a time)/,
    });
  });
}

test("an hour that the clocks skip here does not exist, though its day does", () => {
  const before = process.env["TZ"];
  try {
    process.env["TZ"] = "Europe/Berlin";
    assert.throws(() => secondsOf("2027-03-28T02:30", "--until"), /does not exist/);
    assert.equal(secondsOf("2027-03-28T02:30Z", "--until"), "1806201000");
    assert.equal(secondsOf("2027-03-28T03:00", "--until"), "1806195600");
    process.env["TZ"] = "America/Sao_Paulo"; // where this day began at one o'clock
    assert.equal(secondsOf("2018-11-04", "--until"), "1541300400");
    assert.throws(() => secondsOf("2018-11-04T00:30", "--until"), /does not exist/);
  } finally {
    if (before === undefined) {
      delete process.env["TZ"];
    } else {
      process.env["TZ"] = before;
    }
  }
});

test("2028-02-29 and 23:59 exist", () => {
  assert.equal(secondsOf("2028-02-29T23:59:59Z", "--until"), "1835481599");
});

test("what is shown of a time with its offset is read as the same time", () => {
  for (const seconds of [1, 1767225600, 1790000000, 2147483647]) {
    assert.equal(secondsOf(timeText(seconds, true), "--until"), String(seconds));
  }
  assert.match(timeText(1767225600), /^20\d\d-\d\d-\d\d \d\d:\d\d:00$/);
});
