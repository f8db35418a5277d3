import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../testing/any-text.ts";
import { csvLine, signedCsvLine } from "./csv.ts";

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
