import assert from "node:assert/strict";
import { test } from "node:test";
import { DERIVED_OPERATIONS, OPERATIONS } from "../descriptions.ts";
import { recordParameters } from "./named-parameters.ts";
import { RECORD_PARAMETERS } from "./record-parameters.ts";
import { RECORD_FORMS, RECORD_TYPES, recordForm } from "./record-types.ts";

// Random operations of the ledger check that rules make only these forms
// (ledger/testing/catalogue.ts).

const ALL = RECORD_TYPES.flatMap((type) => RECORD_FORMS[type].map((form) => ({ type, form })));

test("every parameter has a name that is explained, and every name is used", () => {
  const used = new Set(
    ALL.flatMap(({ form }) => [...form.parameters, ...form.optional]).filter(
      (name) => !name.startsWith("="),
    ),
  );
  assert.deepEqual([...used].sort(), Object.keys(RECORD_PARAMETERS).sort());
});

test("what a form says of amounts, parties and subjects are parameters that it has", () => {
  for (const { type, form } of ALL) {
    const { money, goods, parties = [], about } = form;
    const names = [...(money?.slice(1) ?? []), ...(goods?.slice(1) ?? []), ...parties];
    for (const name of about === undefined ? names : [...names, about]) {
      assert.ok(form.parameters.includes(name as string), `${type}: ${name}`);
    }
  }
});

test("forms of a type have different numbers of parameters, which tell them apart", () => {
  for (const { type, form } of ALL) {
    const { parameters, optional } = form;
    assert.equal(recordForm(type, parameters.length), form, type);
    assert.equal(recordForm(type, parameters.length + optional.length), form, type);
  }
  assert.equal(recordForm("transfer", 7), undefined);
  assert.equal(recordForm("constructor", 1), undefined);
});

test("every operation makes records, and the operations that make them exist", () => {
  const made = new Set(ALL.flatMap(({ form }) => form.by));
  const derived = new Set(DERIVED_OPERATIONS.map(({ name }) => name)); // most become others
  const names = OPERATIONS.map(({ name }) => name).filter((name) => !derived.has(name));
  assert.deepEqual(
    names.filter((name) => !made.has(name)),
    [],
  );
  const known = new Set([...names, "bundle", "coin", "migrate", "stateroot"]);
  assert.deepEqual(
    [...made].filter((name) => !known.has(name)),
    [],
  );
});

test("parameters given by their names come in the order of the wire, as one of the type's forms", () => {
  for (const { type, form } of ALL) {
    const { parameters, optional } = form;
    const values = Object.fromEntries(
      [...parameters, ...optional].filter((name) => !name.startsWith("=")).map((n) => [n, n]),
    );
    const made = recordParameters(type, values as never);
    assert.equal(made.form, form, type);
    const texts = [...parameters, ...optional].map((name) => name.replace(/^=/, ""));
    assert.deepEqual(made.parameters, texts, type);
  }
});

test("types of histories of addresses are of a kind of at most 20 types, which a list takes; others of none", () => {
  for (const { type, form } of ALL) {
    assert.equal(form.kind !== undefined, (form.filed.M ?? form.filed.A) !== undefined, type);
  }
  const kinds = Map.groupBy(RECORD_TYPES, (type) => RECORD_FORMS[type][0]?.kind);
  for (const [kind, types] of kinds) {
    assert.ok(kind === undefined || types.length <= 20, String(kind));
  }
});

test("a record by which an address receives something is marked as one", () => {
  const gains = RECORD_TYPES.filter((type) => /^receive(_(mrc010|mrc402|melt)|$)/.test(type));
  for (const type of gains) {
    for (const { money, goods } of RECORD_FORMS[type]) {
      assert.equal((money ?? goods)?.[0], "in", type);
    }
  }
});
