import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { codePoint } from "../testing/any-text.ts";
import {
  compactJson,
  type JsonArray,
  type JsonNode,
  type JsonObject,
  JsonTextError,
  OTHER_VALUES_MAX,
  parseJsonText,
} from "./json-text.ts";

const UNBOUNDED = { depthMax: 1000 };

function parsed(text: string, limits = UNBOUNDED): JsonNode {
  const node = parseJsonText(text, limits);
  assert(!(node instanceof JsonTextError), `${text} was refused`);
  return node;
}

function reasonAgainst(text: string): string {
  const error = parseJsonText(text);
  assert(error instanceof JsonTextError, `${text} was taken`);
  return error.reason;
}

/** What `JSON.parse` would have made of it. */
function plain(node: JsonNode): unknown {
  if (node === null || typeof node !== "object") {
    return node;
  }
  switch (node.kind) {
    case "number":
      return Number(node.source);
    case "array":
      return node.items.map(plain);
    case "object":
      return Object.fromEntries([...node.members].map(([name, member]) => [name, plain(member)]));
  }
}

/** Whether `JSON.parse` takes the text; it takes a name twice in one object, we do not. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Valid JSON text with white space in many places. */
function looseTexts(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.jsonValue({ stringUnit: codePoint }), fc.stringMatching(/^[ \t\r\n]{0,3}$/))
    .map(([value, space]) => space + JSON.stringify(value, null, space.replaceAll("\r", "") || 1));
}

test("agrees with JSON.parse on whatever is JSON", () =>
  fc.assert(
    fc.property(fc.oneof(fc.json(), looseTexts()), (text) =>
      assert.deepEqual(plain(parsed(text)), JSON.parse(text)),
    ),
  ));

test("takes and refuses the same changed texts as JSON.parse", () =>
  fc.assert(
    fc.property(
      fc.oneof(fc.json(), looseTexts()),
      fc.nat(),
      fc.nat(2),
      fc.constantFrom(...'{}[]",:\\ux01.eE+-tn \t\u0001\u00a0\ud800', "", "true", "\\u00e9"),
      (text, place, removed, inserted) => {
        const at = place % (text.length + 1);
        const changed = text.slice(0, at) + inserted + text.slice(at + removed);
        const node = parseJsonText(changed, UNBOUNDED);
        if (isJson(changed)) {
          if (node instanceof JsonTextError) {
            assert.match(node.reason, /the same name/);
          } else {
            assert.deepEqual(plain(node), JSON.parse(changed));
          }
        } else {
          assert(node instanceof JsonTextError, changed);
        }
      },
    ),
    { numRuns: 1000 },
  ));

test("compacting keeps the value and leaves nothing to compact", () =>
  fc.assert(
    fc.property(looseTexts(), (text) => {
      const compact = compactJson(text);
      assert.deepEqual(JSON.parse(compact), JSON.parse(text));
      assert.equal(compact.length, JSON.stringify(JSON.parse(text)).length);
      assert.equal(compactJson(compact), compact);
    }),
  ));

test("white space of any length is skipped, and is not in the compact form", () => {
  for (const length of [63, 64, 65, 200]) {
    const space = " \n\r\t".repeat(length).slice(0, length);
    const text = `${space}[${space}1${space},${space}"${space.replaceAll(/[^ ]/g, " ")}"]${space}`;
    const strings = " ".repeat(length);
    assert.deepEqual(plainOf(text), [1, strings]);
    assert.equal(compactJson(text), `[1,"${strings}"]`);
  }
});

test("arrays and objects know where they stood", () => {
  const text = ' [ {"a" : [ 1 ]} , [] ] ';
  const sources: string[] = [];
  const visit = (node: JsonNode): void => {
    if (node !== null && typeof node === "object" && node.kind !== "number") {
      sources.push(text.slice(node.start, node.end));
      (node.kind === "array" ? node.items : [...node.members.values()]).forEach(visit);
    }
  };
  visit(parsed(text));
  assert.deepEqual(sources, ['[ {"a" : [ 1 ]} , [] ]', '{"a" : [ 1 ]}', "[ 1 ]", "[]"]);
});

test("keys of Object.prototype are keys like others, in the order of the text", () => {
  const node = parsed('{"toString":1,"__proto__":2,"constructor":3,"1":4}');
  assert(node !== null && typeof node === "object" && node.kind === "object");
  assert.deepEqual([...node.members.keys()], ["toString", "__proto__", "constructor", "1"]);
});

test("escapes may make lone surrogates and NUL", () =>
  assert.equal(parsed('"\\ud800\\u0000\\uDE00x"'), "\ud800\u0000\ude00x"));

for (const [text, reason] of [
  ["", "the text ends where a value is expected"],
  [" ", "the text ends where a value is expected"],
  ["x", 'a value is expected instead of "x" at character 1'],
  ["[1] x", 'the end of the text is expected instead of "x" at character 5'],
  ["[1", "the text ends where `,` or `]` is expected"],
  ["[1 2]", '`,` or `]` is expected instead of "2" at character 4'],
  ["[1,]", 'a value is expected instead of "]" at character 4'],
  ["[,1]", 'a value is expected instead of "," at character 2'],
  ["{a:1}", '`"` or `}` is expected instead of "a" at character 2'],
  ['{"a":1,}', '`"` is expected instead of "}" at character 8'],
  ['{"a" 1}', '`:` is expected instead of "1" at character 6'],
  ['{"a":1 "b":2}', '`,` or `}` is expected instead of "\\"" at character 8'],
  ["{'a':1}", '`"` or `}` is expected instead of "\'" at character 2'],
  ["01", 'the end of the text is expected instead of "1" at character 2'],
  ["-", "the text ends where a digit is expected"],
  ["+1", 'a value is expected instead of "+" at character 1'],
  ["1.", "the text ends where a digit is expected"],
  [".5", 'a value is expected instead of "." at character 1'],
  ["1e", "the text ends where a digit is expected"],
  ["1e+x", 'a digit is expected instead of "x" at character 4'],
  ["NaN", 'a value is expected instead of "N" at character 1'],
  ["tru", 'a value is expected instead of "t" at character 1'],
  ["nulll", 'the end of the text is expected instead of "l" at character 5'],
  ["\ufeff1", 'a value is expected instead of "\ufeff" at character 1'],
  ["1\u00a0", 'the end of the text is expected instead of "\u00a0" at character 2'],
  ['["a]', "a string without a closing quote begins at character 2"],
  ['["a\\', "a backslash that begins no escape of JSON stands at character 4"],
  ['"a\nb"', "a control character stands unescaped in a string at character 3"],
  ['"\\x"', "a backslash that begins no escape of JSON stands at character 2"],
  ['"\\u12g4"', "a backslash that begins no escape of JSON stands at character 2"],
  ['"\\u12', "a backslash that begins no escape of JSON stands at character 2"],
  ['["😀" 1]', '`,` or `]` is expected instead of "1" at character 6'],
  ["[😀]", 'a value is expected instead of "😀" at character 2'],
  ['{"a":1,"a":1}', "the second key of the same name in one object begins at character 8"],
  ['[{"a":1,"\\u0061":2}]', "the second key of the same name in one object begins at character 9"],
  [
    '{"__proto__":1,"__proto__":1}',
    "the second key of the same name in one object begins at character 16",
  ],
] as const) {
  test(`${JSON.stringify(text)} is refused: ${reason}`, () =>
    assert.equal(reasonAgainst(text), reason));
}

for (const { depthMax, text, isTaken } of [
  { depthMax: 0, text: "1", isTaken: true },
  { depthMax: 0, text: "[]", isTaken: false },
  { depthMax: 1, text: "[1,{}]", isTaken: false },
  { depthMax: 1, text: '{"a":1}', isTaken: true },
  { depthMax: 2, text: '{"a":[1],"b":{}}', isTaken: true },
]) {
  test(`${text} is ${isTaken ? "within" : "beyond"} a depth of ${depthMax}`, () =>
    assert.equal(!(parseJsonText(text, { depthMax }) instanceof JsonTextError), isTaken));
}

test("conventions §1.8: the depth is at most 8 by default", () => {
  assert(!(parseJsonText("[".repeat(8) + "]".repeat(8)) instanceof JsonTextError));
  assert.equal(
    reasonAgainst(`${'{"a":'.repeat(8)}[]${"}".repeat(8)}`),
    "arrays and objects are nested more than 8 deep, the first too deep stands at character 41",
  );
});

for (const { what, text } of [
  { what: "500 KB of `[`", text: "[".repeat(500_000) },
  { what: '500 KB of `{"a":`', text: '{"a":'.repeat(100_000) },
  { what: "500 KB of backslashes", text: `"${"\\".repeat(500_001)}` },
  { what: "500 KB of white space", text: " ".repeat(500_000) },
  { what: "an open string of 500 KB with escapes", text: `"${"\\n".repeat(250_000)}` },
]) {
  test(`${what} are refused`, () => {
    assert(parseJsonText(text) instanceof JsonTextError);
  });
}

/** `[x,x,...]` of 100,000 items. */
function long(item: string): string {
  return `[${`${item},`.repeat(99_999)}${item}]`;
}

for (const item of ["{}", "[]", "1", '"a"', '{"a":{}}']) {
  test(`a list of up to 100 that continues with ${item} is left at the 101st`, () => {
    const shape = { kind: "array", max: 100, items: "shallow" } as const;
    const list = parseJsonText(long(item), { shape }) as JsonArray;
    assert.deepEqual([list.items.length, list.isCut], [100, true]);
    assert.equal(list.end, 1 + 100 * (item.length + 1));
  });

  test(`of values that no shape bounds the number of, ${OTHER_VALUES_MAX} are read: ${item}`, () => {
    for (const shape of ["whole", "shallow"] as const) {
      const error = parseJsonText(long(item), { shape });
      assert(error instanceof JsonTextError);
      assert.match(error.reason, /^there are more than 20000 values/);
      assert.ok(error.end <= 1 + OTHER_VALUES_MAX * (item.length + 1));
    }
  });
}

test("members that a shape does not know are counted and not kept", () => {
  const members = new Map([["a", "shallow"] as const]);
  const shape = { kind: "array", max: 2, items: { kind: "object", members } } as const;
  const element = `{"a":[1,2],${Array.from({ length: 9000 }, (_, n) => `"${n}":0`).join(",")}}`;
  const list = parseJsonText(`[${element},${element}]`, { shape }) as JsonArray;
  for (const item of list.items as readonly JsonObject[]) {
    assert.deepEqual([...item.members.keys()], ["a"]);
    assert.deepEqual((item.members.get("a") as JsonArray).items, []);
  }
  const more = { ...shape, max: 3 };
  assert.ok(
    parseJsonText(`[${element},${element},${element}]`, { shape: more }) instanceof JsonTextError,
  );
});

test("an object with more members than its shape takes is left at the first one too many", () => {
  const shape = { kind: "object", members: new Map(), membersMax: 2 } as const;
  assert.ok(!(parseJsonText('{"a":1,"b":2}', { shape }) instanceof JsonTextError));
  const error = parseJsonText('{"a":1,"b":2,"c"', { shape });
  assert(error instanceof JsonTextError);
  assert.deepEqual([error.limit, error.end], ["members", 13]);
});

test("a long string of escapes is read as JSON.parse reads it", () => {
  const text = `"${'\\u0041\\n\\ud834\\udd1e"'.replaceAll('"', "").repeat(10_000)}"`;
  assert.equal(parseJsonText(text), JSON.parse(text));
  assert.equal(
    reasonAgainst(`${text.slice(0, -1)}\\x"`),
    `a backslash that begins no escape of JSON stands at character ${text.length}`,
  );
});

test("agrees with JSON.parse on long strings with escapes anywhere, and refuses a control character anywhere in them", () => {
  const plain = fc.string({ unit: fc.constantFrom("a", "é"), maxLength: 150, size: "max" });
  const special = fc.constantFrom('"', "\\", "\n", "\u0000", "𝄞");
  const long = fc.array(fc.tuple(plain, special), { maxLength: 3 });
  const texts = long.map((parts) => parts.flat().join(""));
  fc.assert(
    fc.property(fc.array(fc.oneof(plain, texts), { maxLength: 6 }), fc.nat(), (strings, at) => {
      const text = JSON.stringify(strings);
      assert.deepEqual(plainOf(text), strings);
      const place = at % (text.length + 1);
      const changed = `${text.slice(0, place)}\u0001${text.slice(place)}`;
      assert.ok(parseJsonText(changed) instanceof JsonTextError);
    }),
  );
});

function plainOf(text: string): unknown {
  return plain(parsed(text));
}
