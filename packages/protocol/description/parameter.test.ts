import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseTransactionId } from "../records/transaction.ts";
import { anyText } from "../testing/any-text.ts";
import { ALICE, codeAndParameter } from "../testing/requests.ts";
import { firstCodePoints } from "../text/code-points.ts";
import { Refused } from "./faults.ts";
import { givenText, keptText, optional, type Parameter } from "./parameter.ts";
import { amount } from "./parameters/amounts.ts";
import { balanceCursor } from "./parameters/cursor.ts";
import { unlockDate } from "./parameters/dates.ts";
import { address, blockName, tokenId, transactionName } from "./parameters/ids.ts";
import { boundedInteger } from "./parameters/integers.ts";
import { publicKey, signature, temporaryKey } from "./parameters/keys.ts";
import { pattern, text } from "./parameters/texts.ts";
import { optionalWord } from "./parameters/words.ts";
import { type RawValue, shown } from "./raw-parameters.ts";

/** The value of a parameter named `p`, or the code that it is refused with. */
function read(parameter: Parameter<unknown>, sent: RawValue): unknown {
  const given = givenText(parameter, sent, "p");
  const value = given instanceof Refused ? given : parameter.read(keptText(parameter, given), "p");
  return value instanceof Refused ? codeAndParameter(value.fault) : value;
}

const number = (source: string): RawValue => ({ kind: "number", source });
const NO_TEXT: readonly RawValue[] = [
  { kind: "boolean", value: true },
  { kind: "json", text: "[1]" },
  { kind: "json", text: "{}" },
];

test("conventions §1.10: an address is taken as it is, and 3190 answers all else", () => {
  assert.equal(read(address(), ALICE), ALICE);
  for (const wrong of ["MT", ` ${ALICE}`, number("5"), number("1e400"), ...NO_TEXT]) {
    assert.equal(read(address(), wrong), "3190 p");
  }
});

for (const { parameter, kind } of [
  { parameter: tokenId(), kind: "a token" },
  { parameter: amount({ min: 1n }), kind: "an amount" },
  { parameter: optional(boundedInteger({ min: 1n, max: 1000n })), kind: "a count" },
] as const) {
  for (const wrong of ["x", "01", "+1", "-1", "1.0", "1e3", " 1", `1${"0".repeat(39)}1`]) {
    test(`conventions §1.6: ${kind} of ${wrong}: 1101`, () =>
      assert.equal(read(parameter, wrong), "1101 p"));
  }
  for (const wrong of [number("9007199254740992"), number("1.5"), number("-1"), ...NO_TEXT]) {
    test(`conventions §1.6: ${kind} of the JSON value ${shown(wrong)}: 1101`, () =>
      assert.equal(read(parameter, wrong), "1101 p"));
  }
}

for (const { parameter, sent, value } of [
  { parameter: tokenId(), sent: "0", value: "0" },
  { parameter: tokenId(), sent: number("7"), value: "7" },
  { parameter: amount({ min: 1n }), sent: "1", value: 1n },
  { parameter: amount({ min: 1n }), sent: "0", value: "1101 p" },
  { parameter: amount({ min: 0n }), sent: "0", value: 0n },
  { parameter: amount({ min: 1n }), sent: `1${"0".repeat(40)}`, value: 10n ** 40n },
  {
    parameter: amount({ min: 1n }),
    sent: number("9007199254740991"),
    value: 9007199254740991n,
  },
  { parameter: optional(boundedInteger({ min: 1n, max: 1000n })), sent: "1", value: 1 },
  {
    parameter: optional(boundedInteger({ min: 1n, max: 1000n })),
    sent: number("1000"),
    value: 1000,
  },
  { parameter: optional(boundedInteger({ min: 1n, max: 1000n })), sent: "0", value: "1101 p" },
  { parameter: optional(boundedInteger({ min: 1n, max: 1000n })), sent: "1001", value: "1101 p" },
] as const) {
  test(`conventions §1.6: ${shown(sent)} is read as ${value}`, () =>
    assert.equal(read(parameter, sent), value));
}

for (const { sent, value } of [
  { sent: "0", value: 0 },
  { sent: "2147483647", value: 2147483647 },
  { sent: number("1767312000"), value: 1767312000 },
  ...["2147483648", "x", "-1", "01", "1.5", number("2147483648"), number("1.5"), ...NO_TEXT].map(
    (wrong) => ({ sent: wrong, value: "1102 p" }),
  ),
]) {
  test(`accounts §8.7: the unlock date ${shown(sent)} is read as ${value}`, () =>
    assert.equal(read(unlockDate(), sent), value));
}

for (let code = 0; code < 0x20; code += 1) {
  const isAllowed = code === 0x09 || code === 0x0a || code === 0x0d;
  test(`conventions §1.5: text with U+${code.toString(16).padStart(4, "0")} is ${isAllowed ? "accepted" : "refused"}`, () => {
    const given = `a${String.fromCharCode(code)}b`;
    assert.equal(read(text(), given), isAllowed ? given : "1006 p");
  });
}

for (const given of ["\ud834", "a\udd1eb", "\udd1e\ud834"]) {
  test(`conventions §1.5: half a surrogate pair is refused, whatever the parameter: ${JSON.stringify(given)}`, () => {
    for (const parameter of [text(), temporaryKey(), signature(), address(), tokenId()]) {
      assert.equal(read(parameter, given), "1006 p");
    }
  });
}

test("a number of a JSON body that is a safe integer is its digits where text is wanted", () => {
  assert.equal(read(text(), number("42")), "42");
  assert.equal(read(text(), number("1.5")), "1006 p");
});

for (const wrong of NO_TEXT) {
  test(`what no text can be made of is no text: ${shown(wrong)}`, () => {
    for (const parameter of [text(), temporaryKey(), signature(), optionalWord("full")]) {
      assert.equal(read(parameter, wrong), "1006 p");
    }
    assert.equal(read(publicKey(), wrong), "3103 p");
  });
}

test("conventions §1.5: a cut is after so many code points, not bytes or code units", () =>
  fc.assert(
    fc.property(anyText(), fc.nat(20), (whole, count) =>
      assert.equal(firstCodePoints(whole, count), [...whole].slice(0, count).join("")),
    ),
  ));

test("one of a few words is taken, another one refused with 3005", () => {
  assert.equal(read(optionalWord("full", "short"), "short"), "short");
  for (const wrong of ["Full", "full ", "x"]) {
    assert.equal(read(optionalWord("full", "short"), wrong), "3005 p");
  }
});

test("text that has to match a pattern is refused with 3005 if it does not", () => {
  const letters = pattern(/^[a-z]{1,3}$/, "1 to 3 letters");
  assert.equal(read(letters, "abc"), "abc");
  assert.equal(read(letters, "abcd"), "3005 p");
});

for (const { sent, value } of [
  { sent: "9:0", value: { token: "9", unlockDate: 0 } },
  { sent: "9:1767312000", value: { token: "9", unlockDate: 1767312000 } },
  { sent: "9:2147483647", value: { token: "9", unlockDate: 2147483647 } },
  ...["9", "9:", ":0", "9:0:0", "x:0", "9:x", "09:0", "9:00", "9:-1", "9:2147483648", " 9:0"].map(
    (wrong) => ({ sent: wrong, value: "3005 p" }),
  ),
]) {
  test(`accounts §9: after=${sent}`, () =>
    assert.deepEqual(read(optional(balanceCursor()), sent), value));
}

const ID = "fbd75e5549e796003288b70707d54e5bb1a7e782189942fbe6c4cd085e11ee52";

for (const { sent, value } of [
  { sent: "0", value: { height: 0 } },
  { sent: "258", value: { height: 258 } },
  { sent: number("258"), value: { height: 258 } },
  { sent: "999999", value: { height: 999999 } },
  { sent: ID, value: { id: ID } },
  { sent: "0".repeat(64), value: { id: "0".repeat(64) } },
  ...["01", "-1", "+1", "x", "1.0", " 1", ID.toUpperCase(), ID.slice(1), `${ID}0`].map((wrong) => ({
    sent: wrong,
    value: "6001",
  })),
  { sent: "9".repeat(30), value: "6001" },
]) {
  test(`chain §2: block ${shown(sent)}`, () => assert.deepEqual(read(blockName(), sent), value));
}

const TRANSACTION = "00000000000001020000000062838ec1189d0b649eba4bbbac485d6e94fb6834";

test("chain §4.3: an id says in which block and where in it the transaction is", () => {
  assert.deepEqual(read(transactionName(), TRANSACTION), {
    id: TRANSACTION,
    height: 258,
    position: 0,
  });
  assert.deepEqual(parseTransactionId(`00000000000000ff000000ff${"0".repeat(40)}`), {
    id: `00000000000000ff000000ff${"0".repeat(40)}`,
    height: 255,
    position: 255,
  });
});

for (const wrong of [
  ...["", "x", TRANSACTION.slice(1), `${TRANSACTION}0`, TRANSACTION.toUpperCase()],
  ...[`f${TRANSACTION.slice(1)}`, `+${TRANSACTION.slice(1)}`],
]) {
  test(`chain §3: ${JSON.stringify(wrong)} is no id of a transaction: 6008`, () =>
    assert.equal(read(transactionName(), wrong), "6008"));
}
