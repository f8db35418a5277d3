import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "./address.ts";
import { AMOUNT_MAX, NATIVE_COIN, ZERO } from "./amount.ts";
import type { Fault, FaultCode } from "./faults.ts";
import { explain } from "./problem.ts";
import { ALICE } from "./testing/requests.ts";

/** The table of conventions §3, with what HTTP itself asks for (408, 413, 415, 431 from 9408 on). */
const STATUS_BY_RANGE: readonly (readonly [number, number, number])[] = [
  [1000, 1099, 400],
  [1100, 1199, 400],
  [1206, 1206, 400],
  [2010, 2010, 401],
  [2020, 2020, 401],
  [2021, 2021, 409],
  [2230, 2230, 401],
  [3102, 3106, 405],
  [3190, 3190, 400],
  [3090, 3090, 404],
  [3000, 3089, 400],
  [3201, 3201, 400],
  [4001, 4001, 404],
  [6001, 6099, 404],
  [4900, 4900, 400],
  [5000, 5099, 400],
  [7000, 7099, 403],
  [7100, 7199, 409],
  [7200, 7299, 409],
  [9001, 9001, 429],
  [9002, 9002, 503],
  [9003, 9003, 503],
  [9404, 9404, 404],
  [9405, 9405, 405],
  [9408, 9408, 408],
  [9413, 9413, 413],
  [9415, 9415, 415],
  [9431, 9431, 431],
  [9500, 9500, 500],
];

/** One fault of every code; the type check finds one that is missing. */
const FAULTS: { readonly [C in FaultCode]: Fault & { readonly code: C } } = {
  "1000": { code: "1000", parameter: "amount" },
  "1005": { code: "1005", parameter: "checkkey" },
  "1006": { code: "1006", parameter: "memo", reason: "a control character" },
  "1007": { code: "1007", parameter: "transferlist", reason: "it is no array" },
  "1101": { code: "1101", parameter: "amount", given: "1.5", wanted: "an integer" },
  "1003": { code: "1003", parameter: "decimal", given: "x" },
  "1004": { code: "1004", parameter: "decimal", given: "19" },
  "1102": { code: "1102", parameter: "unlockdate", given: "x", wanted: "a time" },
  "1103": { code: "1103", parameter: "reserve", reason: "adds up to 5" },
  "1104": { code: "1104", parameter: "price" },
  "1106": { code: "1106", parameter: "amount" },
  "1107": { code: "1107", parameter: "amount" },
  "1108": { code: "1108", parameter: "amount" },
  "1206": { code: "1206", parameter: "amount" },
  "2010": { code: "2010", actor: ALICE, fullOnly: false },
  "2020": { code: "2020", parameter: "checkkey", reason: "it has expired" },
  "2021": { code: "2021", parameter: "checkkey" },
  "2230": { code: "2230", parameter: "signature" },
  "3002": { code: "3002", parameter: "transferlist", count: 101, max: 100 },
  "3004": { code: "3004", parameter: "amount", reason: "is too much" },
  "3005": { code: "3005", parameter: "signed", reason: "must be full" },
  "3090": { code: "3090", parameter: "to", address: ALICE, status: 404 },
  "3102": { code: "3102", reason: "The curve is another." },
  "3103": { code: "3103", reason: "The key is missing." },
  "3104": { code: "3104", reason: "It is a certificate." },
  "3105": { code: "3105", reason: "It is no key." },
  "3106": { code: "3106", reason: "It is an RSA key." },
  "3190": { code: "3190", parameter: "to", given: "MT" },
  "3201": { code: "3201", parameter: "to", address: ALICE },
  "4001": { code: "4001", parameter: "token", token: NATIVE_COIN },
  "4900": { code: "4900", what: "Token 7" },
  "5000": { code: "5000", token: NATIVE_COIN, needed: AMOUNT_MAX, spendable: ZERO },
  "5001": { code: "5001", token: NATIVE_COIN, needed: AMOUNT_MAX, spendable: ZERO },
  "6001": { code: "6001", given: "01" },
  "6004": { code: "6004", parameter: "dexid", given: "x" },
  "6008": { code: "6008", given: "x" },
  "6010": { code: "6010", actor: ALICE },
  "6011": { code: "6011", token: NATIVE_COIN, reason: "it has none" },
  "7001": { code: "7001", reason: "Token 0 has no owner." },
  "7002": { code: "7002", reason: "Nobody is a partner." },
  "7106": { code: "7106", parameter: "mrc401id", reason: "is not on sale" },
  "7107": { code: "7107", parameter: "id", listings: ["DEX402_1", "DEX402_2"] },
  "7108": { code: "7108", parameter: "mrc401id", reason: "is on sale" },
  "7109": { code: "7109", parameter: "mrc401id", reason: "is bound" },
  "7110": { code: "7110", parameter: "mrc401id", reason: "is melted" },
  "7111": { code: "7111", parameter: "mrc401id", reason: "is in use" },
  "7112": { code: "7112", parameter: "price", reason: "is another" },
  "7204": { code: "7204", parameter: "mrc401id", reason: "is too young" },
  "7101": { code: "7101", parameter: "dexid", reason: "names a cancelled one" },
  "7102": { code: "7102", parameter: "dexid", reason: "names a sold one" },
  "7103": { code: "7103", parameter: "dexid", reason: "names an auction" },
  "7104": { code: "7104", parameter: "dexid", reason: "has a bidder" },
  "7105": { code: "7105", parameter: "address", reason: "leads" },
  "7201": { code: "7201", parameter: "dexid", reason: "is running" },
  "7202": { code: "7202", parameter: "dexid", reason: "is over" },
  "7203": { code: "7203", parameter: "dexid", reason: "has not begun" },
  "9001": { code: "9001", retryAfter: 60, limit: "600 a minute" },
  "9002": { code: "9002", reason: "The queue is full", retryAfter: 1 },
  "9003": { code: "9003", height: 5, wanted: 9 },
  "9404": { code: "9404", path: "/nothing" },
  "9405": { code: "9405", method: "DELETE", allowed: ["GET", "POST"] },
  "9408": { code: "9408", reason: "The body did not arrive in time." },
  "9413": { code: "9413", bytesMax: 4_194_304 },
  "9415": { code: "9415", given: "text/xml" },
  "9431": { code: "9431", bytesMax: 524_288 },
  "9500": { code: "9500", reference: "req-1" },
};

/** The parameter to blame, where a fault can only be of one. */
const BLAMED: { readonly [code: string]: string } = {
  "2010": "signature",
  "3102": "publickey",
  "3103": "publickey",
  "3104": "publickey",
  "3105": "publickey",
  "3106": "publickey",
  "6001": "block",
  "6008": "transaction_id",
};

for (const fault of Object.values(FAULTS)) {
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

test("no two codes have the same title and status but the five of public keys", () => {
  const titles = Object.values(FAULTS)
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

test("conventions §4.5: who needs a full signature is told so", () =>
  assert(
    explain({ code: "2010", actor: "MTx" as Address, fullOnly: true }).detail.includes(
      "signed=full",
    ),
  ));
