import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DERIVED_OPERATIONS,
  OPERATIONS,
  type Parameter,
  type Parameters,
  READS,
  Refused,
} from "@moneta/protocol";
import { conforms, type Schema } from "../../testing/clients/openapi-document.ts";

// The bounds in a parameter's schema are those of the node: no more, and no less.

const WHOLE = [0n, 1n, 9n, 10n, 18n, 19n, 63n, 64n, 100n, 101n, 1000n, 1001n, 10000n, 10001n];
const LARGE = [99999999n, 100000000n, 2147483647n, 2147483648n, 2n ** 53n - 1n, 2n ** 53n];
const HUGE = [10n ** 40n - 1n, 10n ** 40n, 10n ** 40n + 1n, 10n ** 41n];
const RATES = [
  "0.5",
  "10.0",
  "10.00",
  "10.01",
  "9.99",
  "9.999",
  "99.9999",
  "99.99991",
  "100.0",
  "01.5",
];
const LENGTHS = [1, 2, 3, 16, 17, 32, 33, 64, 65, 128, 129, 254, 255, 256, 1024, 1025, 4096, 4097];
const TEXTS = [
  ...[...WHOLE, ...LARGE, ...HUGE].map(String),
  ...RATES,
  ...["01", "-1", "+1", "1e3", " 1", "1\n", "x", "X|Y", "full", "sell", "KR", "Permanent"],
  ...["MTAlice00000000000000000000000005dc33c90", "a".repeat(64), "A".repeat(64), "0:0", "1,2"],
  ...[
    "https://a.example/",
    "HTTPS://a.example/",
    "ipfs://x",
    "ar://x",
    "data:image/png,x",
    "data:image/png,x#y",
    "ftp://x",
    "mailto:x",
  ],
  ...["https://a.example/|", "a,b", "a,,b", ","],
  ...LENGTHS.flatMap((length) => ["x".repeat(length), "\u{1f600}".repeat(length)]),
  ...LENGTHS.filter((length) => length > 20).map((length) =>
    "https://a.example/".padEnd(length, "x"),
  ),
];

function isBounded({ type, anyOf, ...others }: Schema): boolean {
  const keywords = ["pattern", "enum", "maxLength"];
  return anyOf?.some(isBounded) ?? (type === "string" && keywords.some((name) => name in others));
}

const ALL = [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS].filter(
  ({ route }) => route !== undefined,
);
const seen = new Set<string>();

for (const { name: operation, parameters } of ALL) {
  for (const [name, parameter] of boundedIn(parameters, "")) {
    const { wanted, schema } = parameter;
    const what = JSON.stringify([wanted, schema]);
    // The size of a tree depends on the ledger.
    if (seen.has(what) || /number of transactions/.test(wanted)) {
      continue;
    }
    seen.add(what);
    test(`${operation} ${name}: the schema takes what is ${wanted}`, () => {
      for (const text of TEXTS) {
        const value = parameter.read(text, name);
        const isTaken =
          !(value instanceof Refused) && parameter.admit?.(text, name, value) === undefined;
        const shown = text.length > 60 ? `${text.slice(0, 30)}... (${[...text].length})` : text;
        // Check digits, known countries and parseable URLs: no schema expresses these.
        if (isTaken || !/address|country|URL|type|tile|ids? of|public key|<token>/.test(wanted)) {
          assert.equal(conforms(text, schema as Schema), isTaken, JSON.stringify(shown));
        }
      }
    });
  }
}

test("many parameters have bounds", () => assert.ok(seen.size > 30, `${seen.size}`));

function boundedIn(
  parameters: Parameters,
  before: string,
): readonly (readonly [string, Parameter<unknown>])[] {
  return Object.entries(parameters).flatMap(([name, parameter]) => [
    ...(isBounded(parameter.schema as Schema) ? [[before + name, parameter] as const] : []),
    ...boundedIn(parameter.members ?? {}, `${before}${name}[].`),
  ]);
}
