import assert from "node:assert/strict";
import { test } from "node:test";
import type { RawValue } from "../../description/raw-parameters.ts";
import { ALICE, accepted, answerTo, BOB, KEY, type Sent } from "../../testing/requests.ts";
import { transfer } from "./transfer.ts";

const SENT = { from: ALICE, to: BOB, token: "0", amount: "300", checkkey: KEY, signature: "MEQ=" };
const MISSPELT = `${BOB.slice(0, -1)}b`;
const number = (source: string): RawValue => ({ kind: "number", source });

for (const { row, change, answer } of [
  ...["0", "01", "+1", "-1", "1.0", "1e3", " 1", `1${"0".repeat(39)}1`].map((amount) => ({
    row: "10 row 3",
    change: { amount },
    answer: "1101 amount",
  })),
  { row: "10 row 3", change: { amount: `1${"0".repeat(40)}` }, answer: "accepted" },
  { row: "10 row 4", change: { to: ALICE }, answer: "3201 to" },
  { row: "10 row 4", change: { to: MISSPELT }, answer: "3190 to" },
  { row: "10 row 4", change: { from: "x" }, answer: "3190 from" },
  { row: "10 row 4", change: { token: "x" }, answer: "1101 token" },
  { row: "10 row 4", change: { token: "99" }, answer: "accepted" },
  { row: "10 row 7", change: { unlockdate: "2147483647" }, answer: "accepted" },
  ...["2147483648", "x", "-1", "1.5", "01"].map((unlockdate) => ({
    row: "10 row 7",
    change: { unlockdate },
    answer: "1102 unlockdate",
  })),
  {
    row: "10 row 9",
    change: { token: number("0"), amount: number("300") },
    answer: "accepted",
  },
  { row: "10", change: { amount: number("9007199254740992") }, answer: "1101 amount" },
  { row: "10", change: { amount: number("0") }, answer: "1101 amount" },
  { row: "10", change: { memo: "a\u0000" }, answer: "1006 memo" },
  { row: "10", change: { tags: "\ud834" }, answer: "1006 tags" },
  { row: "10", change: { signed: "FULL" }, answer: "3005 signed" },
  { row: "10", change: { checkkey: undefined, tkey: KEY }, answer: "accepted" },
  { row: "1.2", change: { tkey: "other" }, answer: "1005 checkkey" },
  { row: "1.2", change: { tags: "a", tag: "b" }, answer: "1005 tags" },
  { row: "1.2", change: { tags: "a", tag: "a" }, answer: "accepted" },
] as readonly { readonly row: string; readonly change: Sent; readonly answer: string }[]) {
  test(`accounts §${row}: ${JSON.stringify(change).slice(0, 80)}: ${answer}`, () =>
    assert.equal(answerTo(transfer, { ...SENT, ...change }), answer));
}

const REQUIRED = ["from", "to", "token", "amount", "checkkey", "signature"];

for (const [index, name] of REQUIRED.entries()) {
  for (const empty of [undefined, ""]) {
    test(`conventions §1.4: ${name} ${empty === "" ? "empty" : "absent"}: 1000, before all malformed ones`, () => {
      const present = REQUIRED.slice(0, index).map((earlier) => [earlier, "?"] as const);
      const sent = { ...Object.fromEntries(present), unlockdate: "x", [name]: empty };
      assert.equal(answerTo(transfer, sent), `1000 ${name}`);
    });
  }
}

for (const { change, answer } of [
  { change: { from: "x", to: "x", token: "x", amount: "x", unlockdate: "x" }, answer: "3190 from" },
  { change: { to: "x", token: "x", amount: "x", unlockdate: "x" }, answer: "3190 to" },
  { change: { to: ALICE, token: "x", amount: "0", unlockdate: "x" }, answer: "1101 token" },
  { change: { to: ALICE, amount: "0", unlockdate: "x" }, answer: "1101 amount" },
  { change: { to: ALICE, unlockdate: "x" }, answer: "1102 unlockdate" },
  { change: { to: ALICE, unlockdate: "" }, answer: "3201 to" },
]) {
  test(`accounts §10 check 1: forms answer in their order: ${answer}`, () =>
    assert.equal(answerTo(transfer, { ...SENT, ...change }), answer));
}

test("accounts §10: defaults", () => {
  const { values } = accepted(transfer, SENT);
  assert.deepEqual(values, {
    from: ALICE,
    to: BOB,
    token: "0",
    amount: 300n,
    checkkey: KEY,
    grant: undefined,
    tags: "",
    memo: "",
    unlockdate: 0,
    signature: "MEQ=",
    signed: "",
  });
});

for (const { signed, params } of [
  { signed: undefined, params: { tags: "é".repeat(64), memo: "𝄞".repeat(2048) } },
  { signed: "full", params: { tags: "é".repeat(65), memo: "𝄞".repeat(2049) } },
]) {
  test(`accounts §10 row 8: tags of 65 and memo of 2049 code points, ${signed ?? "short"} signature`, () => {
    const sent = { ...SENT, tag: "é".repeat(65), memo: "𝄞".repeat(2049), signed };
    const request = accepted(transfer, sent);
    assert.deepEqual(
      { tags: request.params["tags"], memo: request.params["memo"] },
      { tags: params.tags, memo: params.memo },
    );
    assert.equal(request.values["tags"], "é".repeat(64));
    assert.equal(request.values["memo"], "𝄞".repeat(2048));
  });
}

test("chain §4.1: params have canonical names, and numbers of a JSON body as text", () =>
  assert.deepEqual(
    accepted(transfer, {
      signature: "MEQ=",
      tkey: KEY,
      tag: "rent",
      amount: number("300"),
      token: number("0"),
      to: BOB,
      from: ALICE,
      unlockdate: number("0"),
      memo: "",
    }),
    {
      params: {
        amount: "300",
        checkkey: KEY,
        from: ALICE,
        tags: "rent",
        to: BOB,
        token: "0",
        unlockdate: "0",
      },
      signatures: { signature: "MEQ=" },
      values: { ...accepted(transfer, SENT).values, tags: "rent" },
    },
  ));
