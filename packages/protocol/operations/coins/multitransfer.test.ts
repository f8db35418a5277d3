import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonList } from "../../description/json/json-list.ts";
import { ALICE, accepted, answerTo, BOB, CAROL, KEY } from "../../testing/requests.ts";
import { multitransfer } from "./multitransfer.ts";

const SENT = { from: ALICE, token: "0", checkkey: KEY, signature: "MEQ=" };
const TO_BOB = { address: BOB, amount: "100", unlockdate: "0" };
const TO_CAROL = { address: CAROL, amount: "200", unlockdate: "0" };

const answer = (transferlist: unknown): string =>
  answerTo(multitransfer, {
    ...SENT,
    transferlist: typeof transferlist === "string" ? transferlist : JSON.stringify(transferlist),
  });

for (const { row, list, wanted } of [
  { row: 1, list: [TO_BOB, TO_CAROL], wanted: "accepted" },
  { row: 2, list: [TO_BOB, { ...TO_BOB, unlockdate: "9" }, TO_BOB], wanted: "accepted" },
  {
    row: 3,
    list: [TO_BOB, { ...TO_BOB, address: ALICE }],
    wanted: "3201 transferlist[1].address",
  },
  { row: 5, list: [{ ...TO_BOB, amount: "0", memo: "hi" }], wanted: "accepted" },
  { row: 5, list: [{ ...TO_BOB, amount: 0, memo: "hi" }], wanted: "accepted" },
  { row: 5, list: [{ ...TO_BOB, amount: "0" }], wanted: "1101 transferlist[0].amount" },
  { row: 5, list: [{ ...TO_BOB, amount: "0", memo: "" }], wanted: "1101 transferlist[0].amount" },
  {
    row: 5,
    list: [{ ...TO_BOB, amount: "0", tag: "hi" }],
    wanted: "1101 transferlist[0].amount",
  },
  { row: 6, list: [], wanted: "3002 transferlist" },
  { row: 6, list: Array(101).fill(TO_BOB), wanted: "3002 transferlist" },
  { row: 6, list: Array(100).fill(TO_BOB), wanted: "accepted" },
  { row: 7, list: {}, wanted: "1007 transferlist" },
  { row: 7, list: "x", wanted: "1007 transferlist" },
  { row: 7, list: [1], wanted: "1007 transferlist" },
  {
    row: 7,
    list: `[{"address":"${BOB}","address":"${BOB}","amount":"1","unlockdate":"0"}]`,
    wanted: "1007 transferlist",
  },
  { row: 7, list: [{ ...TO_BOB, memo: 5 }], wanted: "1007 transferlist" },
  { row: 7, list: [{ ...TO_BOB, tag: 5 }], wanted: "1007 transferlist" },
  {
    row: 8,
    list: [{ address: BOB, amount: "1" }],
    wanted: "1000 transferlist[0].unlockdate",
  },
  { row: 8, list: [{ ...TO_BOB, unlockdate: "" }], wanted: "1000 transferlist[0].unlockdate" },
  { row: 8, list: [{ ...TO_BOB, unlockdate: "x" }], wanted: "1102 transferlist[0].unlockdate" },
  { row: 8, list: [{ ...TO_BOB, amount: "1.5" }], wanted: "1101 transferlist[0].amount" },
  { row: 8, list: [{ ...TO_BOB, amount: 1.5 }], wanted: "1101 transferlist[0].amount" },
  { row: 8, list: [TO_BOB, { ...TO_CAROL, address: "x" }], wanted: "3190 transferlist[1].address" },
]) {
  test(`accounts §11 row ${row}: ${JSON.stringify(list).slice(0, 120)}: ${wanted}`, () =>
    assert.equal(answer(list), wanted));
}

for (const { change, wanted } of [
  { change: { address: "x", amount: "", unlockdate: "x" }, wanted: "1000 transferlist[0].amount" },
  {
    change: { address: "x", amount: "x", unlockdate: "x" },
    wanted: "3190 transferlist[0].address",
  },
  {
    change: { amount: "x", unlockdate: "x", tag: "\u0000" },
    wanted: "1101 transferlist[0].amount",
  },
  { change: { unlockdate: "x", tag: "\u0000" }, wanted: "1102 transferlist[0].unlockdate" },
  { change: { address: ALICE, tag: "\u0000", memo: "\u0000" }, wanted: "1006 transferlist[0].tag" },
  { change: { address: ALICE, memo: "\u0000" }, wanted: "1006 transferlist[0].memo" },
  { change: { address: ALICE, amount: "0" }, wanted: "1101 transferlist[0].amount" },
  { change: { address: ALICE }, wanted: "3201 transferlist[0].address" },
]) {
  test(`accounts §11 check 2: within an entry forms answer in their order: ${wanted}`, () =>
    assert.equal(answer([{ ...TO_BOB, ...change }, { address: "x" }]), wanted));
}

for (const change of [{ unlockdate: "x" }, { tag: "\u0000" }]) {
  test(`accounts §11 check 2: amount 0 without memo answers before ${Object.keys(change)}`, () =>
    assert.equal(answer([{ ...TO_BOB, amount: "0", ...change }]), "1101 transferlist[0].amount"));
}

for (const signed of [undefined, "full"]) {
  test(`accounts §11 row 13: a memo of 2049 code points is cut in its entry only, ${signed ?? "short"} signature`, () => {
    const transferlist = JSON.stringify([
      { ...TO_BOB, memo: "𝄞".repeat(2049), tag: "é".repeat(65) },
    ]);
    const { params, values } = accepted(multitransfer, { ...SENT, transferlist, signed });
    assert.equal(params["transferlist"], transferlist);
    const { entries } = values["transferlist"] as JsonList<{ memo: string; tag: string }>;
    assert.deepEqual(
      entries.map(({ memo, tag }) => [memo, tag]),
      [["𝄞".repeat(2048), "é".repeat(64)]],
    );
  });
}

test("accounts §11: the text of the list has no bound of its own", () => {
  const entry = { ...TO_BOB, memo: "𝄞".repeat(2048), tag: "𝄞".repeat(64) };
  assert.equal(answer(Array(100).fill(entry)), "accepted");
  assert.equal(answer(`[${JSON.stringify(TO_BOB)}${" ".repeat(1_000_000)}]`), "accepted");
});
