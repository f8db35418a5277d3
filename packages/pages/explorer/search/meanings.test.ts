import assert from "node:assert/strict";
import { test } from "node:test";
import { meaningsOf } from "./meanings.ts";

const HASH = "0a".repeat(32);
const HEX = "b".repeat(33);
const ITEM = `MRC400_${HEX}_${"c".repeat(40)}`;

for (const [text, meanings] of [
  ["", ""],
  ["MT0dtYjfzx4SxAvdQxth67ZqTVtKEUPH96c5ebbb", "address"],
  [`  ${HASH} `, `transaction ${HASH}, block ${HASH}, group ${HASH}`],
  [HASH.toUpperCase(), `transaction ${HASH}, block ${HASH}, group ${HASH}`],
  ["7", "block 7, token 7, symbol 7"],
  ["#1,234", "block 1234, token 1234, symbol #1,234"],
  ["0", "block 0, token 0, symbol 0"],
  ["9".repeat(30), `symbol ${"9".repeat(30)}`],
  ["BEAN", "symbol BEAN"],
  ["포인트", "symbol 포인트"],
  [`MRC400_${HEX}`, "project"],
  [ITEM, "item"],
  [`MRC402_${HEX}`, "item"],
  [`DEX010_${HEX}`, "listing"],
  [`DEX402_${HEX}`, "listing"],
  [`OFF401_${HEX}`, "offer"],
  [`OFF402_${HEX}`, "offer"],
  [`MRC040_${HEX}`, "order"],
  [`TRD040_${HEX}`, "trade"],
  [`MRC020_MT0dtYjfzx4SxAvdQxth67ZqTVtKEUPH96c5ebbb_${"r_".repeat(32)}`, "seal"],
  [`MRC020_MT0dtYjfzx4SxAvdQxth67ZqTVtKEUPH96c5ebbb_${"r".repeat(65)}`, ""],
  ["a|b", ""],
  ["x".repeat(33), ""],
  ["x".repeat(5000), ""],
] as const) {
  test(`${text.slice(0, 50)} may be: ${meanings || "nothing"}`, () => {
    const found = meaningsOf(text).map(({ is, id }) => (id === text ? is : `${is} ${id}`));
    const wanted = meanings.replaceAll(new RegExp(` ${RegExp.escape(text)}(?=,|$)`, "g"), "");
    assert.equal(found.join(", "), wanted);
  });
}
