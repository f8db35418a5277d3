// The errors of an operation are data in its description and follow from its rule. This test
// compares both by the sources; every test of a node compares the node's responses
// (packages/node/testing/test-node.ts).
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { RULES } from "@moneta/ledger";
import * as protocol from "@moneta/protocol";
import {
  type AnyOperation,
  type AnyRead,
  DERIVED_OPERATIONS,
  type FaultCode,
  GENERAL_REFUSALS,
  impliedRefusals,
  OPERATIONS,
  READS,
  refusalsOf,
} from "@moneta/protocol";
import { ReachableCodes } from "./reachable-codes.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Codes of parameters are data; an item's states have a table of their own, by acts. */
const LIFE = "packages/ledger/rules/items/item-life.ts";
const KNOWN_OTHERWISE = [
  LIFE,
  // A file that names the list of all descriptions does not use their refusals.
  "packages/protocol/descriptions.ts",
  "packages/protocol/description/parameter.ts",
  "packages/protocol/description/parameters/",
  "packages/protocol/description/json/",
];
/** All lists have one view; it refuses an order by price, which only lists of offers have. */
const LIST_VIEW = "packages/ledger/views/lists/list-view.ts";
const reachable = new ReachableCodes(ROOT, [...KNOWN_OTHERWISE, LIST_VIEW]);

/** Codes that names lead to but that cannot occur, and why. */
const NEVER: { readonly [operation: string]: readonly FaultCode[] } = {
  // A draft was read once before it was saved: it is in order.
  tokencreate: ["1005", "1007", "1103"],
  // The ids to take off sale or auction name no token.
  mrc401unsell: ["4001"],
  mrc401unauction: ["4001"],
  // Only auctions have bidders.
  mrc402unsell: ["7104"],
  // One function answers both reads of balances.
  balance: ["4001"],
};

/** The act of an operation on single items, if it depends on the item's state. */
const ACTS: { readonly [operation: string]: string } = {
  mrc401update: "update",
  mrc401transfer: "transfer",
  mrc401sell: "sell",
  mrc401unsell: "unsell",
  mrc401buy: "buy",
  mrc401melt: "melt",
  mrc401offer: "offer",
  mrc401acceptoffer: "accept",
  mrc401auction: "auction",
  mrc401unauction: "unauction",
  mrc401bid: "bid",
  mrc401auctionfinish: "finish",
};

/**
 * The codes in the row of an act; items that are just being created are idle, and can only be
 * bound.
 */
function codesOfAct(name: string): readonly string[] {
  const act = ACTS[name];
  if (act === undefined) {
    return name === "mrc401create" ? ["7109"] : [];
  }
  const row = new RegExp(`^ {2}${act}: .*$`, "m").exec(readFileSync(`${ROOT}/${LIFE}`, "utf8"));
  assert.ok(row !== null, act);
  const codes = [...row[0].matchAll(/"(\d{4})"/g)].map(([, code]) => code as string);
  return row[0].includes("bound: false") ? [...codes, "7109"] : codes;
}

/** Names of rules in the sources, by their operations. */
const RULE_NAMES: ReadonlyMap<string, string> = new Map(
  readdirSync(`${ROOT}/packages/ledger/rules`, { recursive: true, encoding: "utf8" })
    .filter((file) => /\/[\w-]+\.ts$/.test(file) && !file.endsWith(".test.ts"))
    .flatMap((file) => [
      ...readFileSync(`${ROOT}/packages/ledger/rules/${file}`, "utf8").matchAll(
        /export (?:const|function) (\w+)(?:\(.*\))?: RuledOperation (?:=|\{\n {2}return) ruleOf\(\s*(\w+)/g,
      ),
    ])
    .map(([, rule = "", operation = ""]) => [operation.toLowerCase(), rule]),
);

const sorted = (codes: Iterable<string>): string[] => [...new Set(codes)].toSorted();

for (const { operation } of RULES.values()) {
  if (operation === protocol.signedBundle) {
    continue; // It refuses what its operations refuse.
  }
  test(`${operation.name} lists what its parameters, its checks and its rule refuse, and nothing else`, () => {
    const name = RULE_NAMES.get(operation.name);
    assert.ok(name !== undefined);
    const never: readonly string[] = NEVER[operation.name] ?? [];
    const found = reachable.of({ file: "packages/ledger/rules/registry.ts", name });
    const possible = [...found, ...codesOfAct(operation.name)].filter(
      (code) => !never.includes(code) && !isGeneral(operation, code),
    );
    assert.deepEqual(refusalsOf(operation), sorted([...impliedRefusals(operation), ...possible]));
    for (const code of never) {
      assert.ok(found.has(code), `${code} is no exception any more`);
    }
  });
}

/** The tables of reads, in which each entry is a call with the read's description before the rest. */
const READ_TABLES = [
  { file: "packages/node/http/reads/reads.ts", name: "READ_HANDLERS" },
  { file: "packages/node/http/reads/entries.ts", name: "ENTRY_HANDLERS" },
  { file: "packages/ledger/views/lists/lists.ts", name: "LISTS" },
];

const HANDLED = READ_TABLES.flatMap((table) => {
  const text = reachable.declaration(table) ?? assert.fail(table.name);
  return Array.from(
    text.matchAll(/^ {2}((?:handled|entry|list)\()\s*(\w+)(,.*?)(?=^ {2}\S|^\])/gms),
    ([, call = "", description = "", rest = ""]) => ({
      file: table.file,
      name: description.replace(/Read$/, ""),
      text: call + description + rest,
    }),
  );
});

test("every read lists what its parameters and its handler refuse, and nothing else", () => {
  const described: Readonly<Record<string, unknown>> = protocol;
  const ofListView = new ReachableCodes(ROOT, KNOWN_OTHERWISE).of({
    file: LIST_VIEW,
    name: "ListView",
  });
  const handled = new Set<string>();
  for (const { file, name, text } of HANDLED) {
    const read = (READS.find(
      (one) => one === described[name] || one === described[`${name}Read`],
    ) ?? assert.fail(name)) as AnyRead;
    const never: readonly string[] = NEVER[read.name] ?? [];
    const found = reachable.ofPart(file, text);
    const ofOrders = /^ {4}open: /m.test(text) ? ofListView : [];
    const possible = [...found, ...ofOrders].filter(
      (code) => !never.includes(code) && !isGeneral(read, code),
    );
    assert.deepEqual(refusalsOf(read), sorted([...impliedRefusals(read), ...possible]), read.name);
    for (const code of never) {
      assert.ok(found.has(code), `${code} is no exception any more`);
    }
    handled.add(read.name);
  }
  assert.deepEqual(sorted(handled), sorted(READS.map(({ name }) => name)));
});

/** Any request may be given twice or malformed: only where more than that is meant is it listed. */
function isGeneral({ refusals = [] }: AnyOperation | AnyRead, code: string): boolean {
  return (
    (GENERAL_REFUSALS as readonly string[]).includes(code) &&
    !(refusals as readonly string[]).includes(code)
  );
}

const ALL: readonly (AnyOperation | AnyRead)[] = [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS];

test("no description lists what it implies by itself, nor a code twice", () => {
  for (const description of ALL) {
    const { name, refusals = [] } = description;
    const implied = impliedRefusals(description);
    assert.deepEqual(
      refusals.filter((code) => implied.has(code)),
      [],
      name,
    );
    assert.equal(new Set(refusals).size, refusals.length, name);
  }
});
