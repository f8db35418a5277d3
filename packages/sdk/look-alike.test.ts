import assert from "node:assert/strict";
import { test } from "node:test";
import { lookAlike, looksAlike } from "./look-alike.ts";

// Rows of confusables.txt, full-width and mathematical letters, and what readers overlook.
for (const [one, other] of [
  ["TST", "TST"],
  ["TST", "tst"],
  ["TST", "\u0422\u0405\u0422"],
  ["TST", "\u03a4ST"],
  ["TST", "\ua4d4\ua4e2\ua4d4"],
  ["TST", "\u13a2\u13da\u13a2"],
  ["TST", "𝐓𝑺𝚃"],
  ["TST", "ＴＳＴ"],
  ["TST", "\u0442\u0455\u0442"],
  ["tst", "\u0422st"],
  ["TST", "T\u200dS\ufe0fT"],
  ["TST", "T\u0323S\u0301T\u0336"],
  ["TST", "TŚT"],
  ["TST", "T\u00a0S T\u3000"],
  ["TST", "T.S-T"],
  ["TST", "\u202eTST"],
  ["GOLD", "G0LD"],
  ["GOLD", "ＧＯＬＤ"],
  ["TILT", "T1lT"],
  ["tilt", "T\u0406LT"],
  ["MODERN", "MODEM"],
  ["Test Coin", "TestCoin"],
  ["Test Coin", "Te\u0455t \u0421oin"],
  ["한국", "한국"],
  ["ØTST", "OTST"],
]) {
  test(`${one} and ${other} look alike`, () => assert.ok(looksAlike(one ?? "", other ?? "")));
}

for (const [one, other] of [
  ["TST", "TSTX"],
  ["TST", "TTS"],
  ["GLD", "SLV"],
  ["한국", "한글"],
  ["!!", "??"],
]) {
  test(`${one} and ${other} do not`, () => assert.ok(!looksAlike(one ?? "", other ?? "")));
}

const coin = { id: "0", symbol: "TST", name: "Test Coin" };
const gold = { id: "7", symbol: "GLD", name: "Gold" };
for (const { token, of } of [
  { token: { symbol: "TST", name: "Mine" }, of: coin },
  { token: { symbol: "MIN", name: "TST" }, of: coin },
  { token: { symbol: "MIN", name: "Tеst Cоin" }, of: coin },
  { token: { symbol: "000,000 TST", name: "" }, of: coin },
  { token: { symbol: "G0LD", name: "Shares" }, of: gold },
  { token: { symbol: "MIN", name: "Mine of Gold" }, of: undefined },
  { token: { symbol: "\u200b", name: " " }, of: undefined },
]) {
  test(`a token ${token.symbol}, ${token.name} resembles ${of?.symbol ?? "none"}`, () =>
    assert.equal(lookAlike({ id: "11", ...token }, [coin, gold]), of));
}

test("no token resembles itself, nor one without a visible character", () => {
  assert.equal(lookAlike(gold, [gold]), undefined);
  assert.equal(lookAlike(gold, [{ id: "8", symbol: "\u200b", name: "" }]), undefined);
});
