import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isSigned, OPERATIONS, READS } from "@moneta/protocol";
import { refusalCode, summaryOf, TestNode } from "../testing/test-node.ts";

// Codes that descriptions imply and no chapter's table has a row for. TestNode checks that each
// code answered is listed.

let node: TestNode;
before(async () => {
  node = await TestNode.startWithOperator();
});
after(() => node[Symbol.asyncDispose]());

for (const operation of OPERATIONS.filter(isSigned)) {
  const { name, route = "", parameters, example = {}, signers, signatureNames } = operation;
  const [method = "", path = ""] = route.split(" ");
  const request = {
    ...(example as Readonly<Record<string, string>>),
    ...Object.fromEntries(signers.map(({ temporaryKey }) => [temporaryKey, "K"])),
    ...Object.fromEntries(signatureNames.map((signature) => [signature, "none"])),
    signed: "full",
  };
  const send = async (changed: object): Promise<string> => {
    const params: Record<string, string> = { ...request, ...changed };
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => params[key] ?? "x");
    const body = Object.entries(params).filter(([key]) => !path.includes(`{${key}}`));
    return summaryOf(await node.request(filled, { method, body: new URLSearchParams(body) }));
  };

  test(`conventions §4.5: ${name} knows no other signatures than full ones by name: 3005`, async () =>
    assert.equal(await send({ signed: "half" }), "400 3005 signed"));

  const addresses = Object.keys(example).filter((key) => parameters[key]?.refusals[0] === "3190");
  for (const key of addresses) {
    test(`conventions §1.10: ${name} with a malformed ${key}: 3190`, async () =>
      assert.equal(await send({ [key]: "MT0" }), `400 3190 ${key}`));
  }
}

for (const { route, example = {} } of READS) {
  const [, path = ""] = route?.split(" ") ?? [];
  const values = example as Readonly<Record<string, string>>;
  const names = [...path.matchAll(/\{(\w+)\}(?=\/)/g)].map(([, name]) => name as string);
  for (const name of names) {
    test(`conventions §1.4: ${route} with nothing in the place of ${name}: 1000`, async () => {
      const filled = path
        .replace(`{${name}}`, "")
        .replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? "x");
      assert.equal(summaryOf(await node.get(filled)), `400 1000 ${name}`);
    });
  }
}

test("accounts §9: balances do not go on after what is no entry: 3005", async () => {
  for (const path of ["", "/0"]) {
    const answer = await node.get(`/balance/${node.treasury.address}${path}?after=0`);
    assert.equal(refusalCode(answer), "400 3005");
  }
});

test("conventions §3: an announcement whose signature is none is 2230", async () => {
  const { operator } = node;
  const answer = await node.post("/protocol", {
    ...{ version: "2", height: "1000", note: "x", signed: "full", signature: "!" },
    tkey: await node.key(operator),
  });
  assert.equal(summaryOf(answer), "401 2230 signature");
});
