import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../testing/any-text.ts";
import { canonicalJson, type Json } from "./canonical-json.ts";

/** RFC 8785 without a thought for speed. */
function naive(value: Json): string {
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map(naive).join(",")}]`;
  }
  const members = Object.entries(value as Readonly<Record<string, Json>>);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${naive(member)}`).join(",")}}`;
}

function jsonValues(): fc.Arbitrary<Json> {
  return fc.letrec<{ readonly value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      anyText(),
      fc.maxSafeNat(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value")),
      fc.dictionary(
        fc.oneof(anyText(), fc.string({ maxLength: 1 }), fc.nat(20).map(String)),
        tie("value"),
      ),
    ),
  })).value;
}

test("agrees with sorting and printing every object by itself", () =>
  fc.assert(
    fc.property(jsonValues(), (value) => assert.equal(canonicalJson(value), naive(value))),
  ));

test("does not depend on the order in which members were set", () =>
  fc.assert(
    fc.property(fc.dictionary(fc.string(), jsonValues()), (object) => {
      const reversed = Object.fromEntries(Object.entries(object).reverse());
      assert.equal(canonicalJson(reversed), canonicalJson(object));
    }),
  ));

test("RFC 8785 §3.2.3: members are ordered by UTF-16 code units", () => {
  const object = {
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis",
  };
  const values = Object.values(JSON.parse(canonicalJson(object).replace('"1"', '"_"')));
  assert.deepEqual(values, [
    "Carriage Return",
    "One",
    "Control",
    "Latin Small Letter O With Diaeresis",
    "Euro Sign",
    "Emoji: Grinning Face",
    "Hebrew Letter Dalet With Dagesh",
  ]);
});

for (const { holds, value, text } of [
  {
    holds: "strings are escaped as in RFC 8785 §3.2.2.2",
    value: '\u20ac$\u000f\nA\'B"\\\\"/\u007f',
    text: '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/\u007f"',
  },
  {
    holds: "keys that look like numbers are ordered as text",
    value: { "10": 1, "9": 2 },
    text: '{"10":1,"9":2}',
  },
  { holds: "an empty key comes first", value: { a: 1, "": 2 }, text: '{"":2,"a":1}' },
  {
    holds: "an object deep inside is ordered",
    value: [{ a: [{ c: 1, b: 2 }] }],
    text: '[{"a":[{"b":2,"c":1}]}]',
  },
  { holds: "0 and 2^53 - 1 are integers", value: [0, 2 ** 53 - 1], text: "[0,9007199254740991]" },
  { holds: "literals stay", value: [null, true, false, ""], text: '[null,true,false,""]' },
]) {
  test(holds, () => assert.equal(canonicalJson(value as Json), text));
}

test("a key `__proto__` is a key like others", () =>
  assert.equal(
    canonicalJson(JSON.parse('{"b":1,"__proto__":{"z":1,"a":2}}')),
    '{"__proto__":{"a":2,"z":1},"b":1}',
  ));

for (const [name, value] of [
  ["a negative number", -1],
  ["a fraction", 0.5],
  ["2^53", 2 ** 53],
  ["NaN", Number.NaN],
  ["an infinite number", Number.POSITIVE_INFINITY],
  ["a lone high surrogate", "\ud800"],
  ["a lone low surrogate", "a\udc00"],
  ["undefined", undefined as unknown as Json],
  ["a bigint", 1n as unknown as Json],
] as const) {
  test(`${name} is a bug, wherever it stands`, () => {
    assert.throws(() => canonicalJson(value));
    assert.throws(() => canonicalJson([value]));
    assert.throws(() => canonicalJson({ a: value }));
    assert.throws(() => canonicalJson({ b: 1, a: value }));
  });
}

test("a lone surrogate in a key is a bug", () => {
  assert.throws(() => canonicalJson({ "\ud800": 1 }));
  assert.throws(() => canonicalJson({ "\ud800": 1, a: 1 }));
});

const ALICE = "MTAlice00000000000000000000000005dc33c90";
const BOB = "MTBob0000000000000000000000000005f59bcba";
const CONTENT = {
  v: 1,
  op: "transfer",
  actor: ALICE,
  params: {
    from: ALICE,
    to: BOB,
    token: "0",
    amount: "100",
    checkkey: "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX",
    memo: "coffee",
  },
  decided: {},
} as const;
const SIGNATURE =
  "MEQCIFQCqB0S3n1NANV96VYQm9IhgTUZdG9oq0SQi7Keq1rOAiAp4b/avEqED2CiNBozXWVGisbScFgggFwYVCQuWQM1Ww==";
const PARAMETERS = [ALICE, BOB, "100", "0", SIGNATURE, "0", "", "coffee"];

for (const { what, value, hash } of [
  {
    what: "content",
    value: CONTENT,
    hash: "62838ec1189d0b649eba4bbbac485d6e94fb6834797244630cf2f403e18d57b2",
  },
  {
    what: "operation",
    value: { ...CONTENT, signatures: { signature: SIGNATURE } },
    hash: "73ea2ccdfc69e04f560eb3d43dc59478092ba135db98a800039274d0caf9654f",
  },
  {
    what: "record object",
    value: {
      type: "transfer",
      address: ALICE,
      token: 0,
      parameters: PARAMETERS,
      values: {
        balance: [{ balance: "900", token: "0", unlockdate: 0 }],
        moved: [{ amount: "-100", token: "0" }],
      },
      effects: [
        {
          type: "receive",
          address: BOB,
          token: 0,
          parameters: PARAMETERS,
          values: {
            balance: [{ balance: "100", token: "0", unlockdate: 0 }],
            moved: [{ amount: "100", token: "0" }],
          },
        },
      ],
    },
    hash: "d9e89eae2c953a9605fbe920ef8dbb5a99434fd89d67b485c9e594f76e8954a5",
  },
  {
    what: "changes",
    value: {
      [`balance/${BOB}/0`]: { free: "100" },
      [`balance/${ALICE}/0`]: { free: "900" },
    },
    hash: "d0bf332f3dcffb1720fe5bcbae2e20c28fda0529b8cd5fc124e07e72133d3d3a",
  },
  {
    what: "header",
    value: {
      v: 1,
      protocol: 1,
      sn: 258,
      timestamp: 1767225600,
      previous: "b".repeat(64),
      count: 1,
      root: "65f105bf2e088759181263386fd0fa6f83b2817bdb1c3838b2420e005604a36b",
      size: 1001,
      tree: "c".repeat(64),
      changes: "d0bf332f3dcffb1720fe5bcbae2e20c28fda0529b8cd5fc124e07e72133d3d3a",
    },
    hash: "fbd75e5549e796003288b70707d54e5bb1a7e782189942fbe6c4cd085e11ee52",
  },
]) {
  test(`chain §4.8: the hash of the ${what}`, () =>
    assert.equal(createHash("sha256").update(canonicalJson(value)).digest("hex"), hash));
}

test("chain §4.8: the text of the content", () =>
  assert.equal(
    canonicalJson(CONTENT),
    `{"actor":"${ALICE}","decided":{},"op":"transfer","params":{"amount":"100","checkkey":"K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX","from":"${ALICE}","memo":"coffee","to":"${BOB}","token":"0"},"v":1}`,
  ));
