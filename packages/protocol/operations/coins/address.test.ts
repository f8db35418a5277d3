import assert from "node:assert/strict";
import { test } from "node:test";
import { publicKeyText } from "../../keys/public-key.ts";
import { accepted, answerTo, TEST_KEY } from "../../testing/requests.ts";
import { address } from "./address.ts";

for (const { row, sent, answer } of [
  { row: 1, sent: { publickey: publicKeyText(TEST_KEY) }, answer: "accepted" },
  { row: 2, sent: { publickey: TEST_KEY }, answer: "accepted" },
  { row: 3, sent: {}, answer: "3103 publickey" },
  { row: 3, sent: { publickey: "" }, answer: "3103 publickey" },
  { row: 3, sent: { publickey: "hello" }, answer: "3103 publickey" },
  { row: 4, sent: { publickey: "aGVsbG8=" }, answer: "3105 publickey" },
  {
    row: 6,
    sent: { publickey: publicKeyText(TEST_KEY).replaceAll("PUBLIC KEY", "CERTIFICATE") },
    answer: "3104 publickey",
  },
  { row: 7, sent: { publickey: TEST_KEY, addinfo: "a\u0000" }, answer: "1006 addinfo" },
]) {
  test(`accounts §4 row ${row}: ${JSON.stringify(sent).slice(0, 60)}: ${answer}`, () =>
    assert.equal(answerTo(address, sent), answer));
}

for (const { sent, answer } of [
  { sent: { addinfo: "\u0000", signed: "x" }, answer: "3103 publickey" },
  { sent: { publickey: "x", addinfo: "\u0000", signed: "x" }, answer: "3103 publickey" },
  { sent: { publickey: TEST_KEY, addinfo: "\u0000", signed: "x" }, answer: "1006 addinfo" },
  { sent: { publickey: TEST_KEY, signed: "x" }, answer: "3005 signed" },
  { sent: { publickey: TEST_KEY, signed: "full" }, answer: "accepted" },
  { sent: { publickey: TEST_KEY, signed: "" }, answer: "accepted" },
]) {
  test(`accounts §4: checks answer in their order: ${answer}`, () =>
    assert.equal(answerTo(address, sent), answer));
}

for (const signed of ["", "full"]) {
  test(`accounts §4 row 7: addinfo of 2049 times é is cut, with signed=${signed}`, () => {
    const { params } = accepted(address, {
      publickey: TEST_KEY,
      addinfo: "é".repeat(2049),
      signed,
    });
    assert.equal(params["addinfo"], "é".repeat(2048));
  });
}

test("chain §4.1: params have the key as it was sent, values the canonical one", () => {
  const sent = publicKeyText(TEST_KEY).replaceAll("\n", "\\n");
  const { params, values } = accepted(address, { publickey: sent });
  assert.deepEqual(params, { publickey: sent });
  assert.equal((values["publickey"] as { readonly body: string }).body, TEST_KEY);
});
