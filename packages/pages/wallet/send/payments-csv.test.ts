import assert from "node:assert/strict";
import { test } from "node:test";
import { PAYMENTS_MAX, parsePayments } from "./payments-csv.ts";

const ALICE = "MTAlice00000000000000000000000005dc33c90";
const BOB = "MTBob0000000000000000000000000005f59bcba";
const OPTIONS = { from: ALICE, decimals: 2 };

test("commas, semicolons and cells of a spreadsheet are read, with or without a header", () => {
  for (const text of [
    `${BOB},1.5,"rent, May",home,2030-01-01T00:00:00Z`,
    `to;amount;memo;tag;date\r\n${BOB};1.5;rent, May;home;1893456000\r\n\r\n`,
    `${BOB}\t1.5\trent, May\thome\t1893456000`,
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
    `${BOB},0`,
    `${BOB},0,only a memo`,
    `${BOB},1.234`,
    `${BOB},1e3`,
    `${BOB},-1`,
    `${ALICE},1`,
    `MTnobody,1`,
    `${BOB},1,,,tomorrow`,
    `${BOB},1,,,,more`,
    `${BOB},1,,${"x".repeat(65)}`,
  ];
  assert.deepEqual(
    parsePayments(lines.join("\n"), OPTIONS).map(({ fault }) => fault),
    [
      "amount",
      undefined,
      ...["amount", "amount", "amount", "own", "address", "date", "columns", "tag"],
    ],
  );
  const many = `${BOB},1\n`.repeat(5000);
  assert.equal(parsePayments(many, OPTIONS).length, PAYMENTS_MAX + 1);
});

test("a first line with a wrong address is no header, which would leave somebody unpaid", () => {
  for (const wrong of [BOB.slice(1), BOB.toLowerCase(), "Bob", ""]) {
    const [first, second] = parsePayments(`${wrong},5\n${BOB},1`, OPTIONS);
    assert.deepEqual([first?.fault, second?.payment?.amount], ["address", 100n]);
  }
  const [line, ...others] = parsePayments(`Address,Amount,Memo\n${BOB},1`, OPTIONS);
  assert.deepEqual([line?.line, line?.payment?.amount, others], [2, 100n, []]);
});

test("lines have the numbers of the text, also after empty ones and after a memo of several lines", () => {
  const text = `\n\n${BOB},1\n\n ,,\n${BOB},2,"of\nthree\r\nlines"\r\n${BOB},x\r\n${BOB},y\n\n`;
  assert.deepEqual(
    parsePayments(text, OPTIONS).map(({ line, fault }) => [line, fault]),
    [
      [3, undefined],
      [6, undefined],
      [9, "amount"],
      [10, "amount"],
    ],
  );
});
