import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTo } from "../../testing/requests.ts";
import { transaction } from "./transaction.ts";

const ID = "00000000000001020000000062838ec1189d0b649eba4bbbac485d6e94fb6834";

for (const { id, answer } of [
  { id: ID, answer: "accepted" },
  { id: ID.slice(1), answer: "6008" },
  { id: ID.toUpperCase(), answer: "6008" },
  { id: "x", answer: "6008" },
]) {
  test(`chain §3: ${id}: ${answer}`, () =>
    assert.equal(answerTo(transaction, { transaction_id: id }), answer));
}
