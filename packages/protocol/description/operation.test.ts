import assert from "node:assert/strict";
import { test } from "node:test";
import { DERIVED_OPERATIONS, OPERATIONS, READS } from "../descriptions.ts";
import { coin, genesisProtocol } from "../operations/chain/genesis.ts";
import { stateroot } from "../operations/chain/stateroot.ts";
import { accepted, answerTo } from "../testing/requests.ts";
import { refuse } from "./faults.ts";
import { read, signedOperation, unsignedOperation } from "./operation.ts";
import { aliased, optional, type Parameters } from "./parameter.ts";
import { amount } from "./parameters/amounts.ts";
import { tokenId } from "./parameters/ids.ts";
import { temporaryKey } from "./parameters/keys.ts";
import { text } from "./parameters/texts.ts";

const nothing = { kind: "text", about: "nothing", example: "" } as const;

/** An operation whose parameters are described in an order of their own. */
const sample = signedOperation({
  name: "sample",
  about: "Stands for any operation.",
  parameters: {
    zeal: amount({ min: 1n }),
    memo: optional(aliased(text({ cutAt: 4 }), "note"), ""),
    tkey: temporaryKey(),
    amount: amount({ min: 1n }),
    token: tokenId(),
  },
  signed: ["zeal", "tkey"],
  check: ({ zeal, amount: other }) =>
    zeal === other ? refuse({ code: "3005", parameter: "zeal", reason: "is amount" }) : undefined,
  result: nothing,
});
const SENT = { zeal: "1", tkey: "k", amount: "2", token: "0", signature: "s" };

for (const { sent, answer } of [
  { sent: { zeal: "x" }, answer: "1000 tkey" },
  { sent: { zeal: "x", tkey: "k" }, answer: "1000 amount" },
  { sent: { ...SENT, zeal: "x", signature: "" }, answer: "1000 signature" },
  { sent: { ...SENT, zeal: "x", memo: "\u0000", amount: "x", token: "x" }, answer: "1101 zeal" },
  { sent: { ...SENT, memo: "\u0000", amount: "x", token: "x" }, answer: "1006 memo" },
  { sent: { ...SENT, zeal: "2", token: "x", amount: "2" }, answer: "1101 token" },
  { sent: { ...SENT, zeal: "2", signed: "half" }, answer: "3005 signed" },
  { sent: { ...SENT, zeal: "2" }, answer: "3005 zeal" },
  { sent: { ...SENT, memo: "a", note: "b" }, answer: "1005 memo" },
  { sent: SENT, answer: "accepted" },
]) {
  test(`accounts §1.1: first what is missing, then each form in order, then the rule between them: ${answer}`, () =>
    assert.equal(answerTo(sample, sent), answer));
}

test("conventions §1.1: unknown names are ignored, wherever they resemble known ones", () => {
  const sent = { ...SENT, Memo: "a", __proto__x: "b", constructor: "c", v: "2" };
  assert.deepEqual(accepted(sample, sent).params, accepted(sample, SENT).params);
});

test("chain §4.1: signatures are no params, and params are in the order of their names", () => {
  const { params, signatures } = accepted(sample, { ...SENT, note: "hi", signed: "full" });
  assert.deepEqual(Object.entries(params), [
    ["amount", "2"],
    ["memo", "hi"],
    ["signed", "full"],
    ["tkey", "k"],
    ["token", "0"],
    ["zeal", "1"],
  ]);
  assert.deepEqual(signatures, { signature: "s" });
});

test("conventions §1.4: an optional parameter that is empty is absent", () => {
  const { params, values } = accepted(sample, { ...SENT, memo: "", signed: "" });
  assert.deepEqual(params, accepted(sample, SENT).params);
  assert.deepEqual([values["memo"], values["signed"]], ["", ""]);
});

for (const { signed, kept } of [
  { signed: undefined, kept: "aéi𝄞" },
  { signed: "full", kept: "aéi𝄞u" },
]) {
  test(`chain §4.1: with signed ${signed ?? "absent"} params have ${kept}, values the cut text`, () => {
    const { params, values } = accepted(sample, { ...SENT, memo: "aéi𝄞u", signed });
    assert.equal(params["memo"], kept);
    assert.equal(values["memo"], "aéi𝄞");
  });
}

test("chain §4.1: without a signature that could cover it a text is always cut", () => {
  const unsigned = unsignedOperation({
    name: "unsigned",
    about: "Stands for an unsigned operation.",
    parameters: { memo: text({ cutAt: 1 }), signed: optional(text(), "") },
    result: nothing,
  });
  assert.equal(accepted(unsigned, { memo: "ab", signed: "full" }).params["memo"], "a");
});

test("a control character behind the cut is refused as well", () => {
  assert.equal(answerTo(sample, { ...SENT, memo: "abcd\u0000" }), "1006 memo");
  assert.equal(answerTo(sample, { ...SENT, memo: "abcd\u0000", signed: "full" }), "1006 memo");
});

test("a read has no signatures and no temporary key", () => {
  const sampleRead = read({
    name: "sampleRead",
    route: "GET /sample",
    about: "Stands for any read.",
    parameters: { token: tokenId() },
    cache: "never",
    result: nothing,
  });
  const { params, signatures } = accepted(sampleRead, { token: "0", signature: "s" });
  assert.deepEqual([params, signatures], [{ token: "0" }, {}]);
});

for (const keys of [[], ["a", "b"]]) {
  test(`a signed operation with ${keys.length} temporary keys cannot be described`, () =>
    assert.throws(
      () =>
        signedOperation({
          name: "wrong",
          about: "",
          parameters: Object.fromEntries(keys.map((name) => [name, temporaryKey()])),
          signed: [],
          result: nothing,
        }),
      /one temporary key/,
    ));
}

const WRITES = [...OPERATIONS, ...DERIVED_OPERATIONS, genesisProtocol, coin, stateroot];

test("no two descriptions have the same name, no two the same route", () => {
  // Block 0 has an operation of the name of a later one, with parameters of its own. Source:
  // chain §8.
  const all = [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS];
  const routes = all.flatMap(({ route }) => route ?? []);
  assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
  assert.equal(new Set(routes).size, routes.length);
});

for (const description of [...WRITES, ...READS]) {
  const parameters = Object.entries(description.parameters as Parameters);

  test(`${description.name}: no two parameters share a name`, () => {
    const names = parameters.flatMap(([name, { aliases }]) => [name, ...aliases]);
    assert.equal(new Set(names).size, names.length);
  });

  test(`${description.name}: what stands in all of its paths is a required parameter`, () => {
    const routes = [description.route ?? "", ...(description.otherRoutes ?? [])];
    for (const [place, name] of routes.join(" ").matchAll(/\{(\w+)\}/g)) {
      const isEverywhere = routes.every((route) => route.includes(place));
      const parameter = (description.parameters as Parameters)[name as string];
      // A key may also stand in the body, but somewhere it must.
      const isRequired = isEverywhere || parameter?.role === "temporaryKey";
      assert.equal(parameter?.optional, !isRequired);
    }
  });

  test(`${description.name}: nothing sent is refused if and only if something is required`, () => {
    const isRequired = parameters.some(([, { optional }]) => !optional);
    assert.equal(answerTo(description, {}) === "accepted", !isRequired);
  });
}
