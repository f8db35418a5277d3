import assert from "node:assert/strict";
import { test } from "node:test";
import { keyValues, table } from "./table.ts";
import { visible, visibleLines, visibleOutput } from "./visible-text.ts";

const plain = {
  width: Number.POSITIVE_INFINITY,
  styled: (_: string, text: string): string => text,
};
const columns = [{ title: "TOKEN", isNumber: true }, { title: "BALANCE" }, { title: "UNLOCKS" }];

test("columns are aligned, numbers at the right, and nothing stands behind the last one", () => {
  const rows = [
    ["0", "1.5 TST", ""],
    ["1234567", "3", "tomorrow"],
  ];
  assert.equal(
    table(columns, rows, plain),
    "  TOKEN  BALANCE  UNLOCKS\n      0  1.5 TST\n1234567  3        tomorrow",
  );
});

test("a column that is empty in every row is left out", () => {
  assert.equal(table(columns, [["0", "1.5 TST", ""]], plain), "TOKEN  BALANCE\n    0  1.5 TST");
});

test("a value wider than its column continues in the next line, whole", () => {
  const address = `MT${"a".repeat(38)}`;
  const rows = [["0", address, address]];
  assert.equal(
    table(columns, rows, { ...plain, width: 80 }),
    `TOKEN  BALANCE\n  UNLOCKS\n    0  ${address}\n  ${address}`,
  );
});

test("a line that is too wide breaks between words, and lines without the main column are dim", () => {
  const styled = (style: string, text: string): string => (style === "dim" ? `<${text}>` : text);
  const rows = [["0", "one two three four"]];
  const shown = table([{ title: "N" }, { title: "WHAT", isMain: true }], rows, {
    width: 12,
    styled,
  });
  assert.equal(shown, "N\n  WHAT\n<0>\n  one two\n  three four");
});

test("wide characters take two columns", () => {
  const rows = [
    ["1", "금", "x"],
    ["2", "gold", "x"],
  ];
  assert.equal(
    table([{ title: "N" }, { title: "NAME" }, { title: "Z" }], rows, plain),
    "N  NAME  Z\n1  금    x\n2  gold  x",
  );
});

test("the lines of a value stand under each other", () => {
  assert.equal(
    keyValues(
      [
        ["id", "1"],
        ["items", "a\nb"],
      ],
      plain,
    ),
    "id     1\nitems  a\n       b",
  );
});

test("what would control a terminal is shown and not done", () => {
  assert.equal(
    visible("a\u001b[31mb\u0007\u009bc\u202ed\ne"),
    "a\\u001b[31mb\\u0007\\u009bc\\u202ed e",
  );
});

test("every mark that turns the direction of text, and every line end, is visible", () => {
  const marks = ["061c", "200e", "200f", "2028", "2029", "202a", "202e", "2066", "2069"];
  for (const mark of marks) {
    const text = `a${String.fromCharCode(Number.parseInt(mark, 16))}b`;
    for (const shown of [visible(text), visibleLines(text), visibleOutput(text)]) {
      assert.equal(shown, `a\\u${mark}b`);
    }
  }
});

for (const { text, shown } of [
  { text: "T\u200dST", shown: "T\\u200dST" },
  { text: "T\u{e0041}ST", shown: "T\\udb40\\udc41ST" },
  { text: "\u0336TST\u00a0", shown: "\\u0336TST\\u00a0" },
  { text: " \t ", shown: "(no visible characters)" },
  { text: "", shown: "" },
  { text: "👨‍👩‍👧 می\u200cخواهم", shown: "👨‍👩‍👧 می\u200cخواهم" },
]) {
  test(`${JSON.stringify(text)} is printed as ${shown}`, () => assert.equal(visible(text), shown));
}
