import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { localTimeText, readTime, type TimeFault } from "./time-text.ts";

function inZone(zone: string, run: () => void): void {
  const before = process.env["TZ"];
  process.env["TZ"] = zone;
  try {
    run();
  } finally {
    if (before === undefined) {
      delete process.env["TZ"];
    } else {
      process.env["TZ"] = before;
    }
  }
}

for (const [text, zone, is] of [
  ["2030-01-01", "UTC", 1_893_456_000],
  ["2030-01-01", "Asia/Seoul", 1_893_423_600],
  ["2030-01-01T00:00", "Asia/Seoul", 1_893_423_600],
  ["2030-01-01 00:00:01", "Asia/Seoul", 1_893_423_601],
  ["2030-01-01T00:00Z", "Asia/Seoul", 1_893_456_000],
  ["2030-01-01T00:00:00.000Z", "UTC", 1_893_456_000],
  ["2030-01-01T09:00+09:00", "UTC", 1_893_456_000],
  ["2030-01-01T09:00+0900", "UTC", 1_893_456_000],
  ["2029-12-31T20:30-03:30", "UTC", 1_893_456_000],
  ["@1893456000", "Asia/Seoul", 1_893_456_000],
  ["0", "UTC", 0],
  ["@0", "UTC", 0],
  ["2028-02-29", "UTC", 1_835_395_200],
  ["9999-12-31T23:59:59Z", "UTC", 253_402_300_799],
  // Where clocks are advanced at midnight, the day begins at one o'clock.
  ["2018-11-04", "America/Sao_Paulo", 1_541_300_400],
  ["2018-11-04T00:30", "America/Sao_Paulo", "skipped"],
  ["2027-03-28T02:30", "Europe/Berlin", "skipped"],
  ["2027-03-28T02:30Z", "Europe/Berlin", 1_806_201_000],
  ["2027-03-28T03:00", "Europe/Berlin", 1_806_195_600],
  ["2027-10-31T02:30", "Europe/Berlin", "twice"],
  ["2027-10-31T02:30+01:00", "Europe/Berlin", 1_824_946_200],
  ["2018-02-17T23:30", "America/Sao_Paulo", "twice"],
  // The day has the hour from midnight to one o'clock twice.
  ["2025-11-02", "America/Havana", 1_762_056_000],
] as const) {
  test(`"${text}" in ${zone} is ${is}`, () => inZone(zone, () => assert.equal(readTime(text), is)));
}

const FAULTS: Readonly<Record<TimeFault, readonly string[]>> = {
  digits: ["20300101", "203001", "2030", "1893456000", "1893456000000", "2030010112", "00", "5"],
  day: ["2027-02-29", "2027-02-30", "2027-04-31", "2027-13-01", "2027-00-10", "2027-01-00"],
  clock: [
    ...["2027-01-31T24:00", "2027-01-31T24:00Z", "2027-01-31T25:00", "2027-01-31T18:60"],
    ...["2016-12-31T23:59:60Z", "2027-01-31T23:59:99"],
  ],
  offset: [
    ...["2030-01-01T00:00+14:01", "2030-01-01T00:00-00:00", "2030-01-01T00:00-0000"],
    ...["2030-01-01T00:00+09:60", "2030-01-01T00:00+25:00"],
  ],
  range: ["1969-12-31T23:59:59Z", "0099-06-01", "@1893456000000", "@99999999999999999999"],
  form: [
    ...["", " ", "tomorrow", "-5", "+5", "1e9", "1893456000.5", "@", "@-1", "@01", "@1e9", "@ 1"],
    ...["31.1.2027", "01/02/2030", "30-01-01", "2030-1-1", "2030-01", "12030-01-01", "+2030-01-01"],
    ...["-2030-01-01", "2030/01/01", "2030–01–01", "２０３０-01-01", "٢٠٣٠-01-01", "2030-01-010"],
    ...["2030-01-01Z", "2030-01-01T", "2030-01-01T18", "2030-01-01T1:00", "2030-01-01T18:00:0"],
    ...[
      "2030-01-01T18:00:00.5Z",
      "2030-01-01T18:00 Z",
      "2030-01-01T18:00+9",
      "2030-01-01T18:00+09",
    ],
    ...["2030-01-01T18:00−09:00", "2030-01-01T18:00 KST", "2030-01-01T18:00z", "2030-01-01t18:00"],
    ...["2030-01-01  18:00", " 2030-01-01", "2030-01-01\n", "20300101T180000Z", "2030-W01-1"],
    ...["2030-001", "2030-01-01/2030-01-02", "2030-01-01T6:00 PM", "Jan 1 2030"],
  ],
  skipped: [],
  twice: [],
};
for (const [fault, texts] of Object.entries(FAULTS)) {
  for (const text of texts) {
    test(`${JSON.stringify(text)} is no time: ${fault}`, () => assert.equal(readTime(text), fault));
  }
}

test("a time after the last that is taken is refused", () => {
  assert.equal(readTime("2038-01-19T03:14:07Z", { max: 2_147_483_647 }), 2_147_483_647);
  for (const text of ["2038-01-19T03:14:08Z", "@2147483648", "2999-01-01"]) {
    assert.equal(readTime(text, { max: 2_147_483_647 }), "range");
  }
});

test("a local time is read back as the same time, or refused because clocks show it twice", () => {
  for (const zone of ["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/Sao_Paulo"]) {
    inZone(zone, () =>
      fc.assert(
        fc.property(fc.integer({ min: 86_400, max: 2_147_483_647 }), (seconds) => {
          const read = readTime(localTimeText(seconds));
          assert.ok(read === seconds || read === "twice", `${seconds} ${read}`);
        }),
      ),
    );
  }
});
