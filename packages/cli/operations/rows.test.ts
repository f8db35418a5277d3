import assert from "node:assert/strict";
import { test } from "node:test";
import { DERIVED_OPERATIONS, OPERATIONS, type Parameter, READS } from "@moneta/protocol";
import { COMMON_FLAGS } from "../command-line/command.ts";
import { COMMANDS } from "../commands/registry.ts";
import { sortOf } from "../values/parameter-text.ts";
import { membersOf } from "./element.ts";
import { ROWS } from "./rows.ts";

test("every operation and read has a command", () => {
  const there = ROWS.flatMap(({ description, ifGiven }) => [
    description.name,
    ...(ifGiven === undefined ? [] : [ifGiven.description.name]),
  ]);
  // Those that are no rows begin with their operation.
  const own = COMMANDS.map(({ words }) => words.split(" ")[0]);
  // `batch --bundle` sends bundles.
  own.push("bundle");
  const all = [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS].map(({ name }) => name);
  assert.deepEqual(
    all.filter((name) => !there.includes(name) && !own.includes(name)),
    [],
  );
});

test("of every parameter that is an amount of a token it is known which token", () => {
  for (const row of ROWS) {
    const { words, description, ifGiven, amounts = {} } = row;
    const parameters: [string, Parameter<unknown>][] = Object.entries({
      ...ifGiven?.description.parameters,
      ...membersOf(row),
      ...description.parameters,
    });
    const found = parameters.filter(([, each]) => sortOf(each) === "amount").map(([name]) => name);
    assert.deepEqual(Object.keys(amounts).toSorted(), found.toSorted(), words);
  }
});

test("of every list of entries or ids, one can be given without JSON", () => {
  for (const { words, description, element, payees, keyFiles = [], without = [] } of ROWS) {
    const lists = Object.entries(
      description.parameters as Readonly<Record<string, Parameter<unknown>>>,
    )
      .filter(
        ([name, { schema }]) =>
          !without.includes(name) && schema["type"] === "array" && schema["minItems"] === 1,
      )
      .map(([name]) => name);
    const known = [element?.list, payees?.parameter, ...keyFiles].filter(
      (name) => name !== undefined,
    );
    assert.deepEqual(lists, known, words);
  }
});

test("no two commands have the same words", () => {
  const all = COMMANDS.flatMap(({ words, otherWords = [] }) => [words, ...otherWords]);
  assert.deepEqual(
    all.filter((words, index) => all.indexOf(words) < index),
    [],
  );
});

test("no command has two flags or arguments of the same name, nor one that all commands have", () => {
  const common = COMMON_FLAGS.map(({ name }) => name);
  for (const { words, args, flags } of COMMANDS) {
    const names = [...args.map(({ name }) => name), ...flags.map(({ name }) => name)];
    // FROM and TO of a proof are arguments. A statement's --from is a time.
    const clashing = flags.filter(
      ({ name }) => common.includes(name) && !(words === "statement" && name === "from"),
    );
    assert.deepEqual(clashing, [], words);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) < index),
      [],
      words,
    );
  }
});

test("help says what an argument or a flag means, then its form", () => {
  const abouts = (words: string): Readonly<Record<string, string>> => {
    const { args = [], flags = [] } = COMMANDS.find((one) => one.words === words) ?? {};
    return Object.fromEntries([...args, ...flags].map(({ name, about }) => [name, about]));
  };
  const list = abouts("order list");
  assert.deepEqual(
    [list["owner"], list["state"], list["limit"], list["base"]],
    [
      "address that owns it",
      "filter: by state",
      "how many entries at most; an integer from 1 to 100",
      "id of the token that is paid with, the base of the pair; an id or a symbol; 0 is the native coin",
    ],
  );
  assert.match(abouts("transfer")["to"] ?? "", /^address that receives$/);
  for (const { words, args, flags } of COMMANDS) {
    const silent = [...args, ...flags].filter(({ about }) => about === "");
    assert.deepEqual(silent, [], words);
  }
});

test("optional arguments come last", () => {
  for (const { words, args } of COMMANDS) {
    const firstOptional = args.findIndex(({ isOptional }) => isOptional);
    const behind = firstOptional === -1 ? [] : args.slice(firstOptional);
    assert.ok(
      behind.every(({ isOptional }) => isOptional),
      words,
    );
  }
});
