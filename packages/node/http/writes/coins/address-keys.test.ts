import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { parseTransactionId, type TransactionName } from "@moneta/protocol";
import { runInProcess } from "../../../testing/command-in-process.ts";
import {
  allOf,
  changeKeys,
  type Key,
  type Keys,
  keyJson,
  passkey,
  pay,
  payBy,
  RPID,
  raw,
  sendBy,
  signatureBy,
  signaturesOf,
  signedText,
} from "../../../testing/requests/key-requests.ts";
import { issued } from "../../../testing/requests/token-requests.ts";
import {
  type Answered,
  type Params,
  parsed,
  problemOf,
  publicPem,
  signatureOf,
  summaryOf,
  TestNode,
} from "../../../testing/test-node.ts";

const DAY = 86_400;

let node: TestNode;
before(async () => {
  node = await TestNode.start();
});
after(() => node[Symbol.asyncDispose]());

test("authority §1.4: keys change to two of three; balance and history stay", async () => {
  const alice = await node.holder({ coins: 100n });
  const old = { privateKey: alice.privateKey };
  const keys = [raw(), raw(1, "secp384r1"), raw()] as const;
  assert.equal(
    summaryOf(await changeKeys(node, alice.address, { keys, threshold: 2 }, [[0, old]])),
    "200",
  );
  const byOld = await pay(node, alice.address, (text) => signatureOf(text, old));
  assert.equal(summaryOf(byOld), "401 2011 signature");
  assert.deepEqual([problemOf(byOld).needed, problemOf(byOld).given], ["2", "1"]);
  assert.equal(summaryOf(await payBy(node, alice.address, [[0, keys[0]]])), "401 2011 signature");
  const twice = await payBy(node, alice.address, [
    [0, keys[0]],
    [0, keys[0]],
  ]);
  assert.equal(summaryOf(twice), "400 3004 signature");
  assert.equal(
    summaryOf(
      await payBy(node, alice.address, [
        [0, keys[0]],
        [2, old],
      ]),
    ),
    "401 2010 signature[1]",
  );
  assert.equal(
    summaryOf(
      await payBy(node, alice.address, [
        [0, keys[0]],
        [3, old],
      ]),
    ),
    "400 3005 signature[1]",
  );
  const done = await payBy(node, alice.address, [
    [2, keys[2]],
    [1, keys[1]],
  ]);
  assert.equal(summaryOf(done), "200");
  assert.deepEqual(await node.balances(alice), ["0: 99"]);
  const shown = parsed<{ keyset: { version: number; threshold: number }; signed: string }>(
    await node.get(`/address/${alice.address}?view=full`),
  );
  assert.deepEqual([shown.keyset.version, shown.keyset.threshold, shown.signed], [1, 2, "full"]);
});

test("authority §1.6: an address whose keys were changed takes full signatures only", async () => {
  const alice = await node.holder({ coins: 100n });
  const key = raw();
  const set = { keys: [key], threshold: 1 };
  assert.equal(summaryOf(await changeKeys(node, alice.address, set, [[0, alice]])), "200");
  const holder = { address: alice.address, privateKey: key.privateKey };
  const short = await node.transfer(holder, { to: node.treasury.address, amount: "1" });
  assert.equal(summaryOf(await node.post("/transfer", short)), "401 2010 signature");
  const full = await node.fullTransfer(holder, { to: node.treasury.address, amount: "1" });
  assert.equal(summaryOf(await node.post("/transfer", full)), "200");
});

test("authority §1.3: what a change of keys may not be", async () => {
  const alice = await node.holder({ coins: 1n });
  const by = [[0, alice]] as const;
  const key = raw();
  const set = { keys: [key], threshold: 1 };
  const changed = (keys: Keys, options?: Parameters<typeof changeKeys>[4]): Promise<Answered> =>
    changeKeys(node, alice.address, keys, by, options);
  assert.equal(summaryOf(await changed(set, { version: 2 })), "409 7140 version");
  assert.equal(summaryOf(await changed({ keys: [key], threshold: 2 })), "400 3005 threshold");
  const many = { keys: Array.from({ length: 17 }, () => raw()), threshold: 1 };
  assert.equal(summaryOf(await changed(many)), "400 3002 keys");
  const twice = { keys: [key, { ...key, rpid: RPID }], threshold: 1 };
  assert.equal(summaryOf(await changed(twice)), "400 3004 keys[1]");
  const missing = await changed(set, { proof: () => "" });
  assert.equal(summaryOf(missing), "400 1000 proof");
  const other = await changed(set, { proof: (text) => signatureOf(text, alice) });
  assert.equal(summaryOf(other), "401 2012 proof");
  const two = { keys: [key, raw()], threshold: 2 };
  const half = await changed(two, { proof: (text) => signaturesOf(text, [[0, key]]) });
  assert.equal(summaryOf(half), "401 2012 proof");
  const both = await changeKeys(node, alice.address, two, [[0, raw()]], {
    proof: (text) => signaturesOf(text, [[0, key]]),
  });
  assert.equal(summaryOf(both), "401 2010 signature[0]", "§1.3: the present key is checked first");
  assert.equal(
    summaryOf(await changed(set, { more: { recoverythreshold: "1" } })),
    "400 1000 recoverykeys",
  );
  const early = { recoverykeys: JSON.stringify([keyJson(raw())]), recoverythreshold: "1" };
  const delay = await changed(set, { more: { ...early, recoverydelay: "86399" } });
  assert.equal(summaryOf(delay), "400 1101 recoverydelay");
  const bad = JSON.stringify([{ publickey: "hello" }]);
  assert.equal(
    summaryOf(await changed(set, { more: { keys: bad } })),
    "400 3103 keys[0].publickey",
  );
  const curve = { keys: [{ ...raw(1, "secp384r1"), rpid: RPID }], threshold: 1 };
  assert.equal(summaryOf(await changed(curve)), "400 3005 keys[0].publickey");
  const domain = { keys: [{ ...raw(), rpid: "192.168.0.1" }], threshold: 1 };
  assert.equal(summaryOf(await changed(domain)), "400 3005 keys[0].rpid");
  assert.equal(summaryOf(await changed(set)), "200");
});

test("authority §3: a passkey creates an address and pays; its assertion serves no other operation", async () => {
  const key = passkey();
  const created = await node.post("/address", {
    ...{ publickey: publicPem(key.privateKey), kind: "webauthn", rpid: RPID },
  });
  assert.equal(summaryOf(created), "200");
  const address = created.text;
  await node.pay({ address, privateKey: key.privateKey }, 10n);
  let first = "";
  const paid = await pay(node, address, (text) => {
    first = signaturesOf(text, [[0, key]]);
    return first;
  });
  assert.equal(summaryOf(paid), "200");
  const again = await pay(node, address, () => first);
  assert.equal(summaryOf(again), "401 2010 signature[0]");
  assert.match(problemOf(again).detail, /step 4/);
  const plain = await pay(node, address, (text) => signatureOf(text, key));
  assert.equal(summaryOf(plain), "401 2010 signature");
  const own = await node.post("/address/bykey", { publickey: publicPem(key.privateKey) });
  assert.deepEqual(parsed(own), [address]);
});

test("authority §1.5: addresses of a key", async () => {
  const [alice, mallory] = [await node.holder({ coins: 1n }), await node.holder({ coins: 1n })];
  const own = raw();
  const keys = { keys: [own, { privateKey: alice.privateKey }], threshold: 1 };
  const proof = (text: string): string => signaturesOf(text, [[0, own]]);
  assert.equal(
    summaryOf(await changeKeys(node, mallory.address, keys, [[0, mallory]], { proof })),
    "200",
  );
  const publickey = publicPem(alice.privateKey);
  assert.deepEqual(parsed(await node.post("/address/bykey", { publickey })), [alice.address]);
  const gone = { publickey: publicPem(mallory.privateKey) };
  assert.equal(summaryOf(await node.post("/address/bykey", gone)), "404 3090 publickey");
  const listed = await node.get(`/addresses?publickey=${encodeURIComponent(publickey)}`);
  assert.deepEqual(parsed<{ items: unknown }>(listed).items, [
    { address: mallory.address, role: "key", weight: 1, sum: 2, threshold: 1 },
  ]);
  const strange = { publickey, recoverykeys: "[]", signed: "full" };
  assert.equal(summaryOf(await node.post("/address", strange)), "400 1008 recoverykeys");
});

test("authority §1.4: writes that cross a change of keys never pass by the old key after it", async () => {
  for (let round = 0; round < 5; round += 1) {
    const alice = await node.holder({ coins: 1000n });
    const keys = { keys: [raw()], threshold: 1 };
    const payments = Array.from({ length: 20 }, () =>
      pay(node, alice.address, (text) => signatureOf(text, alice)),
    );
    const changing = changeKeys(node, alice.address, keys, [[0, alice]]);
    const after = Array.from({ length: 20 }, () =>
      pay(node, alice.address, (text) => signatureOf(text, alice)),
    );
    const [changed, ...answers] = await Promise.all([changing, ...payments, ...after]);
    assert.equal(summaryOf(changed as Answered), "200");
    const position = (answer: Answered): number => {
      const { height, position: index } = parseTransactionId(
        parsed<{ transaction_id: string }>(answer).transaction_id,
      ) as TransactionName;
      return height * 1000 + index;
    };
    const end = position(changed as Answered);
    for (const answer of answers) {
      if (answer.status === 200) {
        assert.ok(position(answer) < end, "a payment by the old key is before the change");
      } else {
        assert.equal(summaryOf(answer), "401 2010 signature");
      }
    }
  }
});

test("authority §5: an agent signs by its grant alone, with a full signature", async () => {
  const alice = await node.holder({ coins: 100n });
  const agent = raw();
  const send = (operation: string, params: Params, by: Key): Promise<Answered> =>
    sendBy(node, alice.address, { operation, path: `/${operation}`, params, by: [[0, by]] });
  const granted = await send(
    "grant",
    {
      ...{ address: alice.address, agent: publicPem(agent.privateKey), note: "the game" },
      ...{ operations: '["transfer"]', until: String(node.now + DAY) },
      limits: JSON.stringify([{ token: "0", amount: "5", period: String(DAY) }]),
    },
    alice,
  );
  const { grantid: grant } = parsed<{ grantid: string }>(granted);
  const payment = { from: alice.address, to: node.treasury.address, token: "0", amount: "3" };
  const pays = (by: Key, more: Params = {}): Promise<Answered> =>
    send("transfer", { ...payment, ...more }, by);
  assert.equal(summaryOf(await pays(agent)), "401 2010 signature");
  assert.equal(summaryOf(await pays(alice, { grant })), "401 2010 signature");
  assert.equal(summaryOf(await pays(agent, { grant: "GRT_1" })), "404 6014 grant");
  const signature = signatureOf("any", agent);
  const short = { ...payment, grant, checkkey: await node.key(alice), signature };
  assert.equal(summaryOf(await node.post("/transfer", short)), "401 2010 grant");
  assert.equal(summaryOf(await pays(agent, { grant })), "200");
  const over = await pays(agent, { grant });
  assert.deepEqual([summaryOf(over), problemOf(over).left], ["403 7005 grant", "2"]);
});

test("authority §1.4: a repeat after a change gets the first answer; the chain verifies", async () => {
  const alice = await node.holder({ coins: 10n });
  const params = await node.fullTransfer(alice, { to: node.treasury.address, amount: "1" });
  const first = await node.post("/transfer", params);
  const set = { keys: [raw(), passkey()], threshold: 2 };
  assert.equal(summaryOf(await changeKeys(node, alice.address, set, [[0, alice]])), "200");
  assert.equal((await node.post("/transfer", params)).text, first.text);
  assert.equal(summaryOf(await payBy(node, alice.address, allOf(set))), "200");
  await node.restart();
  assert.equal((await node.post("/transfer", params)).text, first.text);
  await node.stop();
  for (const command of ["verify", "rebuild", "verify"]) {
    const { exitCode, output } = await runInProcess(command, node.data);
    assert.equal(exitCode, 0, output);
  }
  await node.resume();
});

test("authority §2.1: a side of an exchange takes several signatures, alone and in a batch, and names the wrong one", async () => {
  const [alice, bob] = [await node.holder({ coins: 9n }), await node.holder()];
  const toToken = await issued(node, bob);
  const set = { keys: [raw(), passkey()], threshold: 2 };
  assert.equal(summaryOf(await changeKeys(node, alice.address, set, [[0, alice]])), "200");
  const swap = async (by: Parameters<typeof signaturesOf>[1]): Promise<Params> => {
    const params: Params = {
      ...{ fromAddr: alice.address, fromAmount: "3", fromToken: "0", signed: "full" },
      ...{ toAddr: bob.address, toAmount: "1", toToken },
      ...{ fromTkey: await node.key(alice), toTkey: await node.key(bob) },
    };
    const text = signedText(node, "exchange", params);
    return { ...params, fromSign: signaturesOf(text, by), toSign: signatureOf(text, bob) };
  };
  const [all, [first, [, second]]] = [allOf(set), allOf(set) as [[0, Key], [1, Key]]];
  const half = await node.post("/exchange", await swap([first]));
  assert.equal(summaryOf(half), "401 2011 fromSign");
  const wrong = await node.post("/exchange", await swap([first, [1, { ...second, ...raw() }]]));
  assert.equal(summaryOf(wrong), "401 2010 fromSign[1]");
  assert.equal(summaryOf(await node.post("/exchange", await swap(all))), "200");
  const operations = [await swap([first]), await swap(all)].map((params) => ({
    ...{ operation: "exchange", ...params },
  }));
  const batch = await node.postJson("/batch", { operations });
  const { results } = parsed<{ results: { problem?: { code: string } }[] }>(batch);
  assert.deepEqual(
    results.map(({ problem }) => problem?.code),
    ["2011", undefined],
  );
  assert.deepEqual(await node.balances(alice, toToken), ["2"]);
});

test("authority §2.2: an operation counts by its signatures, and wrong ones by all that were verified", async () => {
  const alice = await node.holder({ coins: 100n });
  const keys = Array.from({ length: 16 }, () => raw());
  const set = { keys, threshold: 16 };
  assert.equal(summaryOf(await changeKeys(node, alice.address, set, [[0, alice]])), "200");
  assert.equal(summaryOf(await payBy(node, alice.address, allOf(set))), "200");
  const wrong = [...allOf(set).slice(0, 15), [15, raw()] as const];
  assert.equal(summaryOf(await payBy(node, alice.address, wrong)), "401 2010 signature[15]");
});

test("authority §1.8: the largest signatures of 16 passkeys, and 100 payees: records below 200 KB", async () => {
  const alice = await node.holder({ coins: 100n });
  const set = { keys: Array.from({ length: 16 }, passkey), threshold: 16 };
  assert.equal(summaryOf(await changeKeys(node, alice.address, set, [[0, alice]])), "200");
  const payment = { address: node.treasury.address, amount: "1", unlockdate: "0" };
  const params = {
    ...{ from: alice.address, token: "0", signed: "full" },
    ...{ transferlist: JSON.stringify(Array(100).fill(payment)), checkkey: await node.key(alice) },
  };
  const text = signedText(node, "multitransfer", params);
  const unknown = { client: { unknown: "x".repeat(2600) } };
  const signature = JSON.stringify(
    set.keys.map((key, place) => ({ key: place, ...signatureBy(text, key, unknown) })),
  );
  assert.ok(signature.length > 60_000 && signature.length <= 65_536, `${signature.length}`);
  const done = await node.post("/multitransfer", { ...params, signature });
  assert.equal(summaryOf(done), "200");
  const { transaction_id: id } = parsed<{ transaction_id: string }>(done);
  const { text: records } = await node.get(`/transaction/${id}`);
  assert.equal(records.split('"receive"').length - 1, 100);
  assert.ok(Buffer.byteLength(records) < 200_000, `${Buffer.byteLength(records)}`);
});
