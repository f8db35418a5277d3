import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "../keys/address.ts";
import { ONE_OF_EACH } from "../testing/faults.ts";
import { ALICE } from "../testing/requests.ts";
import type { Fault } from "./faults.ts";
import { explain } from "./problem.ts";

/**
 * The table of conventions §3, with what HTTP itself asks for (408, 413, 415, 431 from 9408 on).
 */
const STATUS_BY_RANGE: readonly (readonly [number, number, number])[] = [
  [1000, 1099, 400],
  [1100, 1199, 400],
  [1206, 1206, 400],
  [2010, 2012, 401],
  [2020, 2020, 401],
  [2021, 2021, 409],
  [2040, 2040, 400],
  [2230, 2230, 401],
  [3102, 3106, 405],
  [3190, 3190, 400],
  [3090, 3090, 404],
  [3000, 3089, 400],
  [3201, 3201, 400],
  [4001, 4001, 404],
  [6001, 6012, 404],
  [6013, 6013, 410],
  [6014, 6099, 404],
  [4900, 4900, 400],
  [5000, 5099, 400],
  [7000, 7099, 403],
  [7100, 7199, 409],
  [7200, 7299, 409],
  [9001, 9001, 429],
  [9002, 9002, 503],
  [9003, 9004, 503],
  [9006, 9006, 503],
  [9404, 9404, 404],
  [9405, 9405, 405],
  [9408, 9408, 408],
  [9413, 9413, 413],
  [9415, 9415, 415],
  [9431, 9431, 431],
  [9500, 9500, 500],
];

/** The parameter to blame, where a fault can only be of one. */
const BLAMED: { readonly [code: string]: string } = {
  "2040": "group",
  "3020": "group",
  "3102": "publickey",
  "3103": "publickey",
  "3104": "publickey",
  "3105": "publickey",
  "3106": "publickey",
  "6001": "block",
  "6008": "transaction_id",
  "6009": "id",
};

for (const fault of Object.values(ONE_OF_EACH)) {
  test(`conventions §3: ${fault.code} has the status of its range`, () => {
    const code = Number(fault.code);
    const statuses = STATUS_BY_RANGE.filter(([first, last]) => code >= first && code <= last);
    assert.deepEqual(
      statuses.map(([, , status]) => status),
      [explain(fault).status],
    );
  });

  test(`conventions §3: ${fault.code} is explained in a sentence, with its code and parameter`, () => {
    const problem = explain(fault);
    assert.equal(problem.code, fault.code);
    assert(/^urn:.*\b\d{4}$/.test(problem.type) && problem.type.endsWith(fault.code));
    assert(problem.title !== "" && !problem.title.endsWith("."));
    assert(problem.detail.endsWith("."));
    assert(!problem.detail.includes("undefined") && !problem.detail.includes("[object"));
    assert.equal(problem.parameter, "parameter" in fault ? fault.parameter : BLAMED[fault.code]);
  });
}

for (const { of, fault } of [
  { of: "token", fault: { code: "5001", token: "7" } },
  { of: "item", fault: { code: "5000", parameter: "amount", item: "MRC402_1" } },
] as const) {
  test(`conventions §3: a shortfall of a ${of} has its numbers as members`, () => {
    const whole = { ...fault, needed: 10n ** 40n, spendable: 0n } as unknown as Fault;
    const { needed, spendable, token, item } = explain(whole);
    assert.deepEqual([needed, spendable], [`1${"0".repeat(40)}`, "0"]);
    assert.deepEqual([token, item], of === "token" ? ["7", undefined] : [undefined, "MRC402_1"]);
  });
}

test("no two codes have the same title and status but the five of public keys", () => {
  const titles = Object.values(ONE_OF_EACH)
    .filter(({ code }) => !/^310[2-6]$/.test(code))
    .map((fault) => explain(fault).title);
  assert.equal(new Set(titles).size, titles.length);
});

test("accounts §7 row 9: an unknown address is 400 where keys are issued", () =>
  assert.equal(
    explain({ code: "3090", parameter: "address", address: ALICE, status: 400 }).status,
    400,
  ));

test("accounts §6 row 2: an unread key that has no address is explained by its reason", () => {
  const problem = explain({
    code: "3090",
    parameter: "publickey",
    reason: "No address has this key.",
    status: 404,
  });
  assert.deepEqual([problem.status, problem.detail], [404, "No address has this key."]);
});

test("what this node or ledger does not have is explained by its reason", () =>
  assert.equal(
    explain({ code: "9404", reason: "This node has no key" }).detail,
    "This node has no key.",
  ));

test("a long value is shown in part, and half a surrogate pair as well-formed text", () => {
  const given = `${"x".repeat(99)}\ud834\udd1e${"y".repeat(1_000_000)}`;
  const { detail } = explain({ code: "3190", parameter: "to", given });
  assert(detail.length < 400);
  assert(detail.isWellFormed());
});

test("a control character in a value is shown escaped", () =>
  assert(
    explain({ code: "3190", parameter: "to", given: "a\u0000\n" }).detail.includes('"a\\u0000\\n"'),
  ));

test("a fault of the whole request names no parameter", () => {
  const problem = explain({ code: "1006", parameter: undefined, reason: "a bad escape" });
  assert(!("parameter" in problem));
  assert(problem.detail.startsWith("The request"));
});

test("conventions §4.5: the refusal states that a full signature is needed", () =>
  assert(
    explain({
      code: "2010",
      parameter: "signature",
      actor: "MTx" as Address,
      fullOnly: true,
    }).detail.includes("signed=full"),
  ));
