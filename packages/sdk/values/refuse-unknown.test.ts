import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { events } from "@moneta/protocol";
import { ForwardingProxy } from "../../node/testing/forwarding-proxy.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import { type Actor, Moneta, SigningKey } from "../index.ts";

let node: TestNode;
let proxy: ForwardingProxy;
let moneta: Moneta;
let alice: Actor;
/** How often the key of alice has signed. */
let signatures = 0;

before(async () => {
  node = await TestNode.start();
  proxy = await ForwardingProxy.to(node.url);
  moneta = new Moneta(proxy.url);
  const key = await SigningKey.generate();
  const { address } = await moneta.createAddress(key);
  alice = moneta.actor(address, (bytes) => {
    signatures += 1;
    return key.sign(bytes);
  });
});
after(async () => {
  await proxy[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

const payment = { to: "MT", token: 0, amount: 1n };
const key = { publicKeyPem: "", sign: (bytes: Uint8Array) => bytes };

/** Calls as JavaScript can make them, whose types TypeScript refuses, and the error of each. */
const WRONG: Readonly<Record<string, () => Promise<unknown>>> = {
  'transfer has no parameter "memmo". Did you mean memo?': () =>
    alice.transfer({ ...payment, memmo: "x" } as never),
  'transfer has no parameter "tag". Did you mean tags?': () =>
    alice.transfer({ ...payment, tag: "x" } as never),
  'transfer has no parameter "pin". It takes from, to, token, amount, tags, memo, unlockdate.':
    () => alice.transfer({ ...payment, pin: 1 } as never),
  'transfer has no parameter "signature". It takes from, to, token, amount, tags, memo, unlockdate.':
    () => alice.request("transfer", { ...payment, signature: "x" }),
  'mrc401buy has no parameter "prise". Did you mean price?': () =>
    alice.mrc401buy({ mrc401id: "x", prise: 1n } as never),
  'faucet has no parameter "adress". Did you mean address?': () =>
    moneta.faucet({ adress: "x" } as never),
  'tokens has no parameter "ownr". Did you mean owner?': () =>
    moneta.tokens({ ownr: "x" } as never),
  'height has no parameter "count". It takes none.': () => moneta.request("height", { count: 1 }),
  'createAddress has no parameter "sign". Did you mean signed?': () =>
    moneta.createAddress(key, { sign: "full" } as never),
  'events has no parameter "adress". Did you mean address?': () =>
    moneta.events({ adress: ["x"] } as never).next(),
};

for (const [message, call] of Object.entries(WRONG)) {
  test(`before anything is signed or sent: ${message}`, async () => {
    const asked = proxy.asked.length;
    const signed = signatures;
    await assert.rejects(call, { name: "TypeError", message });
    assert.equal(proxy.asked.length, asked);
    assert.equal(signatures, signed);
  });
}

test("a parameter of whatever name that is undefined counts as left out", async () => {
  assert.ok(Array.isArray((await moneta.tokens({ ownr: undefined } as never)).items));
});

test("events takes what its description has", async () => {
  const message = `events has no parameter "-". It takes ${Object.keys(events.parameters).join(", ")}.`;
  await assert.rejects(moneta.events({ "-": 1 } as never).next(), { message });
});
