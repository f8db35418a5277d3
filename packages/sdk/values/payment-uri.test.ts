import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type PaymentRequest, parsePaymentUri, paymentUri } from "../index.ts";

const ALICE = "MTAlice00000000000000000000000005dc33c90";
const LEDGER = "0123456789abcdef".repeat(4);

const requests: fc.Arbitrary<PaymentRequest> = fc.record(
  {
    address: fc.constantFrom(ALICE, "MTBob0000000000000000000000000005f59bcba"),
    token: fc.nat().map(String),
    amount: fc.bigInt({ min: 1n, max: 10n ** 40n }),
    memo: fc.string({ unit: "binary", minLength: 1, maxLength: 2048 }),
    ledger: fc.constant(LEDGER),
  },
  { requiredKeys: ["address"], noNullPrototype: true },
);

test("printing and parsing a payment URI are inverse", () =>
  fc.assert(
    fc.property(requests, (request) => {
      const uri = paymentUri(request);
      assert.deepEqual(parsePaymentUri(uri), request);
      assert.equal(paymentUri(parsePaymentUri(uri)), uri);
      assert.match(uri, /^moneta:MT[0-9A-Za-z]{38}(\?[!-~]+)?$/);
    }),
  ));

test("a payment URI as the specification has it", () => {
  const uri = `moneta:${ALICE}?token=0&amount=150000000&memo=caf%C3%A9%20%26%20cake&ledger=${LEDGER}`;
  const request = { address: ALICE, token: "0", amount: 150000000n, memo: "café & cake" };
  assert.deepEqual(parsePaymentUri(uri), { ...request, ledger: LEDGER });
  assert.equal(paymentUri({ ...request, ledger: LEDGER }), uri);
  // Schemes have no case, and parameters no order.
  assert.deepEqual(parsePaymentUri(`MONETA:${ALICE}?amount=1&token=7`), {
    address: ALICE,
    token: "7",
    amount: 1n,
  });
  assert.deepEqual(parsePaymentUri(`moneta:${ALICE}?memo=1+1`).memo, "1+1");
  const longest = "\u{1f600}".repeat(2048);
  assert.equal(parsePaymentUri(paymentUri({ address: ALICE, memo: longest })).memo, longest);
});

for (const [rest, message] of [
  ["", /begins with moneta: and an address/],
  [`//${ALICE}`, /begins with moneta: and an address/],
  [ALICE.replace("c90", "c91"), /begins with moneta: and an address/],
  [`${ALICE}#x`, /begins with moneta: and an address/],
  [`${ALICE}?`, /no parameter ""/],
  [`${ALICE}?token=0&`, /no parameter ""/],
  [`${ALICE}?tokens=0`, /no parameter "tokens", only token, amount, memo, ledger/],
  [`${ALICE}?Token=0`, /no parameter "Token"/],
  [`${ALICE}?__proto__=0`, /no parameter "__proto__"/],
  [`${ALICE}?token=0&token=0`, /has token twice/],
  [`${ALICE}?token=`, /token of a payment URI must be the id of a token/],
  [`${ALICE}?token`, /token of a payment URI must be/],
  [`${ALICE}?token=01`, /token of a payment URI must be/],
  [`${ALICE}?amount=1.5`, /amount of a payment URI must be an integer in the smallest unit/],
  [`${ALICE}?amount=0`, /amount of a payment URI must be/],
  [`${ALICE}?amount=-1`, /amount of a payment URI must be/],
  [`${ALICE}?amount=1${"0".repeat(39)}1`, /amount of a payment URI must be/],
  [`${ALICE}?memo=`, /memo of a payment URI must be/],
  [`${ALICE}?memo=${"x".repeat(2049)}`, /memo of a payment URI must be/],
  [`${ALICE}?memo=%ff`, /memo of the payment URI has a %/],
  [`${ALICE}?memo=%`, /memo of the payment URI has a %/],
  [`${ALICE}?ledger=${LEDGER.toUpperCase()}`, /ledger of a payment URI must be the id of block 0/],
  [`${ALICE}?memo=${"%20".repeat(10_000)}`, /at most 25076 characters/],
] as const) {
  test(`moneta:${rest.slice(0, 70)} is no payment URI`, () =>
    assert.throws(() => parsePaymentUri(`moneta:${rest}`), { name: "TypeError", message }));
}

test("a value that no payment URI has is not printed", () => {
  for (const wrong of [
    { address: "MTnobody" },
    { address: ALICE, amount: 0n },
    { address: ALICE, token: "x" },
    { address: ALICE, memo: "\ud800" },
    { address: ALICE, ledger: "" },
  ]) {
    assert.throws(() => paymentUri(wrong), TypeError);
  }
  assert.throws(() => parsePaymentUri(`http:${ALICE}`), TypeError);
});
