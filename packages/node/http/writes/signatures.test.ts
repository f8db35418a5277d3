import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Curve, type KeyHolder, summaryOf, TestNode } from "../../testing/test-node.ts";

const CURVES: readonly Curve[] = ["prime256v1", "secp384r1", "secp521r1"];

let node: TestNode;
const holders = new Map<Curve, KeyHolder>();
let payee: string;
before(async () => {
  node = await TestNode.start();
  payee = node.treasury.address;
  for (const curve of CURVES) {
    holders.set(curve, await node.holder({ coins: 1_000_000n, curve }));
  }
});
after(() => node[Symbol.asyncDispose]());

function holder(curve: Curve = "prime256v1"): KeyHolder {
  return holders.get(curve) as KeyHolder;
}

async function answered(params: Readonly<Record<string, string>>): Promise<string> {
  return summaryOf(await node.post("/transfer", params)).replace("2010 signature", "2010");
}

for (const curve of CURVES) {
  test(`conventions §4.2, §4.3: ${curve} with another digest, form and encoding at each request`, async () => {
    for (const digest of ["sha512", "sha256", "sha384", "sha256", "sha512"] as const) {
      const params = await node.transfer(holder(curve), { to: payee, amount: "1" }, { digest });
      assert.equal(await answered(params), "200");
      const raw = { digest, form: "ieee-p1363", text: "base64url" } as const;
      const terms = { to: payee, amount: "1", memo: 'é "\\ \n\u2028😀', tags: "a|b" };
      assert.equal(await answered(await node.fullTransfer(holder(curve), terms, raw)), "200");
    }
  });
}

test("conventions §4.5: an address created with signed=full refuses short signatures for ever after", async () => {
  const strict = await node.holder({ coins: 10n, params: { signed: "full" } });
  const short = await node.transfer(strict, { to: payee, amount: "1" });
  const answer = await node.post("/transfer", short);
  assert.match(summaryOf(answer), /^401 2010/);
  assert.match(answer.text, /signed=full/);
  const list = [{ address: payee, amount: "1", unlockdate: "0" }];
  const multi = await node.post("/multitransfer", await node.multitransfer(strict, list));
  assert.match(summaryOf(multi), /^401 2010/);
  const { checkkey } = short;
  const full = await node.fullTransfer(strict, { to: payee, amount: "1", checkkey });
  assert.equal(await answered(full), "200");
  await node.restart();
  const again = await node.transfer(strict, { to: payee, amount: "1" });
  assert.equal(await answered(again), "401 2010");
});

test("conventions §4.3: white space in a signature, as a + that was not encoded leaves it: 2230", async () => {
  const params = await node.transfer(holder(), { to: payee, amount: "1" });
  const signature = `${params.signature.slice(0, 10)} ${params.signature.slice(11)}`;
  const answer = await node.post("/transfer", { ...params, signature });
  assert.equal(summaryOf(answer), "401 2230 signature");
  assert.match(answer.text, /%2B/);
});
