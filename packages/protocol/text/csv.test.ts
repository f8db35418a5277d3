import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../testing/any-text.ts";
import { csvLine, peoplesCsvLine, signedCsvLine } from "./csv.ts";

for (const { cell, is } of [
  { cell: "coffee", is: "coffee" },
  { cell: 'a "quoted", and\nbroken text', is: '"a ""quoted"", and\nbroken text"' },
  { cell: '=HYPERLINK("http://x")', is: `"'=HYPERLINK(""http://x"")"` },
  { cell: "+1", is: "'+1" },
  { cell: "-1+2", is: "'-1+2" },
  { cell: "-1.5", is: "'-1.5" },
  { cell: "@SUM(A1)", is: "'@SUM(A1)" },
  { cell: "\t=1", is: "'\t=1" },
  { cell: "\r=1", is: `"'\r=1"` },
  { cell: undefined, is: "" },
  { cell: null, is: "" },
  { cell: 0, is: "0" },
  { cell: ["a", "-"], is: '"[""a"",""-""]"' },
]) {
  test(`${JSON.stringify(cell)} is the cell ${JSON.stringify(is)}`, () => {
    assert.equal(csvLine([cell]), `${is}\r\n`);
  });
}

test("amounts keep their sign, formulas do not", () => {
  const cells = ["-1.5", "-0", "-1+2", "+1", "=1", "1"];
  assert.equal(signedCsvLine(cells), "-1.5,-0,'-1+2,'+1,'=1,1\r\n");
});

test("cells are read back as they were but for the apostrophe before formulas, and none begins as a formula", () => {
  fc.assert(
    fc.property(fc.array(anyText(), { minLength: 1 }), (cells) => {
      const read = cellsOf(csvLine(cells));
      assert.deepEqual(
        read.map((cell, index) => (cell === `'${cells[index]}` ? cells[index] : cell)),
        cells,
      );
      for (const cell of read) {
        assert.doesNotMatch(cell, /^[=+@\t\r-]/);
      }
    }),
  );
});

/** The cells of one line, as RFC 4180 has them read. */
function cellsOf(line: string): string[] {
  const cells: string[] = [];
  let rest = line;
  while (rest !== "\r\n") {
    const [whole = "", quoted, plain = ""] =
      /^,?(?:"((?:[^"]|"")*)"|([^",\r\n]*))/.exec(cells.length === 0 ? `,${rest}` : rest) ?? [];
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    rest = rest.slice(cells.length === 1 ? whole.length - 1 : whole.length);
  }
  return cells.length === 0 ? [""] : cells;
}

test("long numbers and free texts are formulas of texts where that is wanted, and nowhere else", () => {
  for (const [cell, plain, exact] of [
    [{ plain: "-1.5" }, "-1.5", "-1.5"],
    [{ plain: "123456789012345" }, "123456789012345", "123456789012345"],
    [{ plain: "-1234567890123456.5" }, "-1234567890123456.5", '"=""-1234567890123456.5"""'],
    [{ text: "007", isFree: true }, "007", '"=""007"""'],
    [{ text: "007" }, "007", "007"],
    [{ text: 'a"b', isFree: true }, '"a""b"', '"=""a""""b"""'],
    [{ text: "=1+1", isFree: true }, "'=1+1", '"=""\'=1+1"""'],
    [{ text: "a;-1", isFree: true }, "a;'-1", '"=""a;\'-1"""'],
    [{ text: "two\nlines", isFree: true }, '"two\nlines"', '"two\nlines"'],
    [{ text: "x".repeat(256), isFree: true }, "x".repeat(256), "x".repeat(256)],
    [{ text: "", isFree: true }, "", ""],
  ] as const) {
    assert.equal(peoplesCsvLine([cell], false), `${plain}\r\n`);
    assert.equal(peoplesCsvLine([cell], true), `${exact}\r\n`);
  }
});
