import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { proofVectors } from "@moneta/protocol/test-vectors";
import { byLane } from "../../ledger/testing/lane.ts";
import type { CheckName, ReadReport } from "../proof.ts";
import { verifyRead, verifyResponse, verifyShown } from "./verify-read.ts";

function failed({ checks }: ReadReport): CheckName[] {
  return checks.filter(({ result }) => result === "fails").map(({ name }) => name);
}

const [balance] = proofVectors.reads;
assert.ok(balance !== undefined);
const { read, params, response, verifier_key: key, not_before: notBefore } = balance;
const options = { keys: [key], notBefore };

for (const { name, valid, ...vector } of proofVectors.reads) {
  test(`proofs §3: ${name}: ${valid ? "verified" : "refused"}`, async () => {
    const report = await verifyResponse(vector, vector.response, {
      keys: [vector.verifier_key],
      notBefore: vector.not_before,
    });
    assert.equal(report.verdict, valid ? "verified" : "wrong", JSON.stringify(report, null, 1));
    const { height, entries } = vector.response;
    const shown = Object.fromEntries(entries.map((entry) => [entry.key, entry.value]));
    const proven = { height, time: notBefore, entries: shown };
    assert.deepEqual(report.proven, valid ? proven : undefined);
  });
}

test("proofs §3.2: each fault fails the check that it concerns", async () => {
  const { root } = response;
  const leaf = root.leaf.replace(/"timestamp":\d+/, '"timestamp":1');
  const faults: readonly (readonly [CheckName[], object])[] = [
    [["entries", "stateRoot"], { entries: [] }],
    [["stateRoot"], { height: 7 }],
    [["record"], { root: { ...root, record: { ...(root.record as object), token: 1 } } }],
    [["id"], { root: { ...root, transaction: "x" } }],
    [["record", "leaf", "id", "age", "inclusion"], { root: { ...root, leaf: "x" } }],
    [["age", "inclusion"], { root: { ...root, leaf } }],
    [["inclusion"], { root: { ...root, index: 3 } }],
    [["tree"], { root: { ...root, size: 8 } }],
    [["checkpoint"], { checkpoint: "" }],
    [["answer"], { checkpoint: undefined }],
    [["answer"], { height: "258" }],
    [["answer"], { entries: { 0: response.entries[0] } }],
    [["answer"], { root: undefined }],
  ];
  for (const [names, change] of faults) {
    const report = await verifyResponse({ read, params }, { ...response, ...change }, options);
    assert.deepEqual(failed(report), names, JSON.stringify(change));
  }
});

test("proofs §3.2: a changed byte anywhere in a response is refused", async () => {
  const text = Buffer.from(JSON.stringify(response));
  const step = byLane({ quick: 29, long: 1 });
  for (let at = 0; at < text.length; at += step) {
    const changed = Buffer.from(text);
    changed[at] = (text[at] as number) ^ 1;
    let shown: unknown;
    try {
      shown = JSON.parse(changed.toString());
    } catch {
      continue; // no JSON any more
    }
    const { verdict } = await verifyResponse({ read, params }, shown, options);
    assert.ok(verdict === "wrong" || isDeepStrictEqual(shown, response), `${changed}`);
  }
});

test("without keys a read requests them from the node, and reports it", async () => {
  const asked: string[] = [];
  const client = {
    request: async (name: string, request: object): Promise<never> => {
      asked.push(`${name} ${JSON.stringify(request)}`);
      return { body: name === "checkpointKey" ? `${key}\n` : response } as never;
    },
  };
  const report = await verifyRead(client, { read, params }, { notBefore });
  assert.equal(report.verdict, "verified");
  assert.equal(report.checkpoint?.isKeyKnown, false);
  assert.deepEqual(asked, [
    `balanceOfToken ${JSON.stringify({ ...params, proof: "1" })}`,
    "checkpointKey {}",
  ]);
  assert.deepEqual(failed(await verifyRead(client, { read, params }, { keys: [key] })), ["age"]);
});

test("explorer §2: the record as of the proven block must agree with the entries", async () => {
  const [, gold] = proofVectors.reads;
  assert.deepEqual(gold?.response.entries[0]?.value, { free: "50", locked: "7", locks: 2 });
  const balances = [
    { token: "7", balance: "50", unlockdate: 0 },
    { token: "7", balance: "4", unlockdate: 1 },
    { token: "7", balance: "3", unlockdate: 2 },
    { token: "0", balance: "9", unlockdate: 0 },
  ];
  const shownAs = (body: unknown) => ({
    request: async (_name: string, request: object): Promise<never> =>
      ({ body: "proof" in request ? gold.response : body }) as never,
  });
  const report = async (body: unknown): Promise<ReadReport> =>
    await verifyShown(shownAs(body), gold, options);
  assert.equal((await report(balances)).verdict, "verified");
  assert.deepEqual((await report(balances)).proven?.entries, {
    [gold.response.entries[0]?.key ?? ""]: gold.response.entries[0]?.value,
  });
  for (const body of [
    balances.slice(1),
    balances.toSpliced(2, 1),
    [],
    {},
    null,
    [{ token: "7", balance: "9e2" }],
  ]) {
    const wrong = await report(body);
    assert.deepEqual([failed(wrong), wrong.proven], [["shown"], undefined], JSON.stringify(body));
  }
});

test("a node without a proof yet gives `unchecked`, any other refusal `wrong`", async () => {
  const refusing = (status: number, code: string) => ({
    request: (): Promise<never> =>
      Promise.reject(Object.assign(new Error("x"), { name: "ProblemError", status, code })),
  });
  for (const [status, code, verdict] of [
    [404, "9404", "unchecked"],
    [404, "6012", "unchecked"],
    [404, "3090", "wrong"],
  ] as const) {
    const report = await verifyShown(refusing(status, code), { read, params }, options);
    assert.equal(report.verdict, verdict, code);
  }
});

test("a read that proves nothing and invalid keys are errors of the caller", async () => {
  for (const asked of [
    { read: "tokens", params: {} },
    { read, params: { address: "x" } },
  ]) {
    await assert.rejects(verifyResponse(asked, response, options), /proves entries/);
  }
  await assert.rejects(verifyResponse({ read, params }, response, { keys: [] }), /keys is empty/);
  await assert.rejects(
    verifyResponse({ read, params }, response, { keys: ["x"] }),
    /verifier keys/,
  );
});
