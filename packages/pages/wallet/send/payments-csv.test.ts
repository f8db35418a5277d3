import assert from "node:assert/strict";
import { test } from "node:test";
import { PAYMENTS_MAX, parsePayments } from "./payments-csv.ts";

const BOB = "MTBob0000000000000000000000000005f59bcba";
const OPTIONS = { decimals: 2, locale: "en", now: 1_800_000_000 };

/** The first fault of each line; of a wrong date its reason. */
function faultsOf(text: string, options = OPTIONS): readonly (string | undefined)[] {
  return parsePayments(text, options).map(({ faults }) => {
    const [fault] = Object.values(faults);
    return fault?.what === "time" ? fault.why : fault?.what;
  });
}

test("commas, semicolons and cells of a spreadsheet are read, with or without a header", () => {
  for (const text of [
    `${BOB},1.5,"rent, May",home,2030-01-01T00:00:00Z`,
    `to;amount;memo;tag;date\r\n${BOB};1.5;rent, May;home;2030-01-01T09:00+09:00\r\n\r\n`,
    `${BOB}\t1.5\trent, May\thome\t@1893456000`,
  ]) {
    const [line, ...others] = parsePayments(text, OPTIONS);
    assert.deepEqual(others, []);
    assert.deepEqual(line?.payment, {
      address: BOB,
      amount: 150n,
      unlockdate: 1_893_456_000,
      tag: "home",
      memo: "rent, May",
    });
  }
});

test("each wrong line says what is wrong, and no more lines are read than show that there are too many", () => {
  const lines = [
    `${BOB},0,only a memo`,
    `${BOB},1.234`,
    `${BOB},1e3`,
    `${BOB},-1`,
    `MTnobody,1`,
    `${BOB},1,,,tomorrow`,
    `${BOB},1,,,,more`,
    `${BOB},1,,${"x".repeat(65)}`,
  ];
  assert.deepEqual(faultsOf(lines.join("\n")), [
    undefined,
    ...["decimals", "amount", "amount", "address", "form", "cells", "long"],
  ]);
  const many = `${BOB},1\n`.repeat(5000);
  assert.equal(parsePayments(many, OPTIONS).length, PAYMENTS_MAX + 1);
});

test("a first line with a wrong address is no header, which would leave an address unpaid", () => {
  for (const wrong of [BOB.slice(1), BOB.toLowerCase(), "Bob", ""]) {
    const [first, second] = parsePayments(`${wrong},5\n${BOB},1`, OPTIONS);
    assert.deepEqual(
      [first?.faults, second?.payment?.amount],
      [{ address: { what: wrong === "" ? "missing" : "address" } }, 100n],
    );
  }
  const [line, ...others] = parsePayments(`Address,Amount,Memo\n${BOB},1`, OPTIONS);
  assert.deepEqual([line?.line, line?.payment?.amount, others], [2, 100n, []]);
});

test("lines have the numbers of the text, also after empty ones and after a memo of several lines", () => {
  const text = `\n\n${BOB},1\n\n ,,\n${BOB},2,"of\nthree\r\nlines"\r\n${BOB},x\r\n${BOB},y\n\n`;
  assert.deepEqual(
    parsePayments(text, OPTIONS).map(({ line, payment }) => [line, payment?.amount]),
    [
      [3, 100n],
      [6, 200n],
      [9, undefined],
      [10, undefined],
    ],
  );
});

test("a date that may be read as another one, or that does not lock, is a fault of its line", () => {
  for (const [date, fault] of [
    ["20300101", "digits"],
    ["1893456000", "digits"],
    ["2027-02-30", "day"],
    ["2030-01-01T24:00", "clock"],
    ["30-01-01", "form"],
    ["2030-01-010", "form"],
    ["2038-01-20", "range"],
    ["2027-01-01", "past"],
    ["@20300101", "past"],
    ["2030-01-01", undefined],
    ["0", undefined],
  ] as const) {
    assert.deepEqual(faultsOf(`${BOB},1,,,${date}`), [fault], date);
  }
});

test("amounts are as the reader's locale writes them, and what could mean two is a fault", () => {
  const german = { ...OPTIONS, decimals: 3, locale: "de" };
  const amounts = ["1,5", "1.000,5", "1.5", "1000"];
  assert.deepEqual(
    parsePayments(amounts.map((amount) => `${BOB};${amount}\n`).join(""), german).map(
      ({ payment }) => payment?.amount,
    ),
    [1500n, 1_000_500n, 1500n, 1_000_000n],
  );
  assert.deepEqual(faultsOf(`${BOB};1.000`, german), ["twofold"]);
  assert.deepEqual(faultsOf(`${BOB};1,5`), ["amount"]);
  assert.deepEqual(faultsOf(`${BOB},"1,000"`), [undefined]);
});

test("a memo of digits behind the amount is doubtful: it may be its decimals", () => {
  for (const [cells, isDoubtful] of [
    ["1,5", true],
    ["1,000.50", true],
    ["1,000,50", true],
    ["1,5 May", false],
    ["1,", false],
    ["1,,5", false],
  ] as const) {
    assert.equal(parsePayments(`${BOB},${cells}`, OPTIONS)[0]?.isMemoDoubtful, isDoubtful, cells);
  }
});
