import assert from "node:assert/strict";
import { test } from "node:test";
import { DERIVED_OPERATIONS, OPERATIONS, READS } from "../descriptions.ts";
import { encodingVectors } from "../test-vectors/load.ts";
import { ALICE } from "../testing/requests.ts";
import { Refused } from "./faults.ts";
import { type AnyOperation, type AnyRead, read, signedOperation } from "./operation.ts";
import { optional, type Parameter } from "./parameter.ts";
import { address } from "./parameters/ids.ts";
import { publicKey, temporaryKey } from "./parameters/keys.ts";
import { text } from "./parameters/texts.ts";
import type { RawValue } from "./raw-parameters.ts";
import { refusalsOf } from "./refusals.ts";

const NUMBER = "0".repeat(40);
/** What is right for some parameters and wrong for others, each in its own way. */
const TEXTS = [
  ...["x", "-", "0", "1", "19", "00", "1.5", "-1", "1.5.5", "0:0", "a|b", "a,b", ",", " "],
  ...[
    "\u0001",
    "9".repeat(60),
    "9".repeat(15),
    "f".repeat(64),
    "x".repeat(200_000),
    "a,".repeat(101),
  ],
  ...[ALICE, "full", "010", "sale", "XX", "https://x.example/", "https:// x", "data:text/html,x"],
  ...["ftp://x.example/", "Permanent", `MRC400_${"0".repeat(33)}`, "000", "001.p/300", "64"],
  ...["[", "{}", "[]", "[1]", "[{}]", '["x"]', '["x","x"]', '{"x":"x"}', '{"x":"https:// x"}'],
  ...[`{"${ALICE}":"x"}`, `{"0":"x"}`, `{"0":"${"x".repeat(50_000)}"}`],
  `{${Array.from({ length: 6 }, (_, index) => `"${index}":"1"`).join()}}`,
  `[${Array.from({ length: 101 }, () => "{}").join()}]`,
  `[${Array.from({ length: 101 }, (_, index) => `"${index}"`).join()}]`,
  `[${Array.from({ length: 2 }, () => '{"key":0,"signature":"MEQ="}').join()}]`,
  ...["item_id", "id"].map((name) => `[{"${name}":"${NUMBER}"},{"${name}":"${NUMBER}"}]`),
  ...encodingVectors.public_keys.map((vector) => vector.text),
];
const OTHERS: readonly RawValue[] = [
  { kind: "boolean", value: true },
  { kind: "number", source: "1.5" },
  { kind: "json", text: "[true]" },
];

const ALL: readonly (AnyOperation | AnyRead)[] = [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS];
const PARAMETERS = ALL.flatMap(({ name, parameters }) =>
  Object.entries(parameters as Record<string, Parameter<unknown>>).map(
    ([key, parameter]) => [`${name} ${key}`, parameter] as const,
  ),
);

/** The codes with which a parameter refuses some text or other. */
function met(parameter: Parameter<unknown>): ReadonlySet<string> {
  const codes = new Set<string>();
  const note = (answer: unknown): void => {
    if (answer instanceof Refused) {
      codes.add(answer.fault.code);
    }
  };
  for (const given of TEXTS) {
    const value = parameter.read(given, "name");
    note(value);
    if (!(value instanceof Refused)) {
      note(parameter.admit?.(given, "name", value));
      note(parameter.settle?.(value, "name", {}, "admission"));
    }
  }
  if (!parameter.takesAnything) {
    for (const raw of OTHERS) {
      note(parameter.malformed(raw, "name"));
    }
  }
  return codes;
}

/** Any parameter may be malformed or given twice. */
const OF_ANY = ["1005", "1006"];

test("a parameter refuses with the codes that it lists, and one that is no list or object with each of them", () => {
  for (const [what, parameter] of PARAMETERS) {
    const codes = new Set(met(parameter));
    const listed: readonly string[] = parameter.refusals;
    const of = parameter.settle === undefined ? [] : MEMBERS_AND_RULES;
    for (const code of codes) {
      const isListed = listed.includes(code) || OF_ANY.includes(code) || of.includes(code);
      assert.ok(isListed, `${what}: ${code} is not listed`);
    }
    if (!parameter.takesJson && !isJudgedLater(parameter)) {
      if (parameter.needsFullSignature !== undefined) {
        // Whether the signature is a full one is judged with the whole request.
        codes.add(parameter.needsFullSignature);
      }
      assert.deepEqual(
        listed.filter((code) => !codes.has(code)),
        [],
        what,
      );
    }
  }
});

/** Members of entries that are missing, and rules of entries, which are of the description. */
const MEMBERS_AND_RULES: readonly string[] = ["1000", "3005", "1101", "3201"];

/** How large a tree is allowed to be depends on the ledger. */
function isJudgedLater({ wanted }: Parameter<unknown>): boolean {
  return wanted.startsWith("a number of transactions");
}

const result = { kind: "text", about: "", example: "" } as const;

test("a description implies what its parameters and its signature are refused with, and lists the rest", () => {
  const signed = signedOperation({
    name: "sample",
    about: "",
    parameters: { from: address(), memo: optional(text(), ""), tkey: temporaryKey() },
    signed: ["from", "tkey"],
    refusals: ["6004", "5000"],
    result,
  });
  assert.deepEqual(refusalsOf(signed), [
    ...["1000", "1007", "2010", "2011", "2020", "2021", "2230", "3002", "3004"],
    ...["3005", "3020", "3190", "5000", "6004", "6014", "7003", "7004", "7005", "7209"],
  ]);
});

test("a missing public key is 3103 and not 1000; what may be left out is never missing", () => {
  const of = (parameter: Parameter<unknown>): readonly string[] =>
    refusalsOf(
      read({
        name: "sample",
        route: "GET /sample",
        about: "",
        parameters: { parameter },
        cache: "never",
        result,
      }),
    );
  assert.deepEqual(of(publicKey()), ["3102", "3103", "3104", "3105", "3106"]);
  assert.deepEqual(of(optional(text(), "")), []);
  assert.deepEqual(of(text()), ["1000"]);
});

test("what ends a path cannot be missing, what stands in the middle of it can", () => {
  const described = read({
    name: "sample",
    route: "GET /sample/{first}/{last}",
    about: "",
    parameters: { first: text(), last: address() },
    cache: "never",
    result,
  });
  assert.deepEqual(refusalsOf(described), ["1000", "3190"]);
  const { first: _, ...rest } = described.parameters;
  assert.deepEqual(refusalsOf({ ...described, route: "GET /sample/{last}", parameters: rest }), [
    "3190",
  ]);
});
