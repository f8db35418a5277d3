import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { idVectors } from "@moneta/protocol/test-vectors";
import {
  newKey,
  parsed,
  publicPem,
  START,
  summaryOf,
  TestNode,
} from "../../../testing/test-node.ts";

/** Accounts §2: private scalar 1 on P-256. */
const TEST_KEY =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==";
const TEST_KEY_COMPRESSED =
  "MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgADaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY=";
const TEST_PEM = pem(TEST_KEY);

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";
const ADDRESS = /^MT[0-9A-Za-z]{30}[0-9a-f]{8}$/;

let node: TestNode;
before(async () => {
  node = await TestNode.start();
});
after(() => node[Symbol.asyncDispose]());

test("accounts §4 rows 1 and 2, §6 row 1: a key in all forms gets seven addresses, and any form lists them", async () => {
  const forms = [
    TEST_PEM,
    TEST_PEM.replaceAll("\n", "\r\n"),
    TEST_PEM.replaceAll("\n", "\\n"),
    TEST_PEM.replaceAll("\n", ""),
    TEST_KEY,
    Buffer.from(TEST_KEY, "base64").toString("base64url"),
    TEST_KEY_COMPRESSED,
  ];
  const addresses: string[] = [];
  for (const publickey of forms) {
    const answer = await node.post("/address", { publickey });
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.text, ADDRESS);
    assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
    addresses.push(answer.text);
  }
  assert.equal(new Set(addresses).size, 7);
  for (const publickey of forms) {
    assert.deepEqual(parsed(await node.post("/address/bykey", { publickey })), addresses);
  }

  const [, second, third] = addresses;
  const page = async (params: Record<string, string>): Promise<unknown> =>
    parsed(await node.post("/address/bykey", { publickey: TEST_KEY, ...params }));
  assert.deepEqual(await page({ limit: "2" }), addresses.slice(0, 2));
  assert.deepEqual(await page({ limit: "1", after: second as string }), [third]);
  assert.deepEqual(await page({ after: third as string }), addresses.slice(3));
  assert.deepEqual(await page({ after: addresses[6] as string }), []);
  assert.equal(
    summaryOf(await node.post("/address/bykey", { publickey: TEST_KEY, after: UNKNOWN })),
    "404 3090 after",
  );
});

test("accounts §4 row 8: the same Idempotency-Key gets the same address in one block", async () => {
  const height = await node.height();
  const create = (): ReturnType<TestNode["post"]> =>
    node.post(
      "/address",
      { publickey: TEST_PEM, addinfo: "hello" },
      { "Idempotency-Key": "key-1" },
    );
  const [first, second, third] = [await create(), ...(await Promise.all([create(), create()]))];
  assert.equal(first.text, "MT2YyT9pX3MtYpLmKuLBg5SlK4480aQg5ab5089f");
  for (const again of [second, third]) {
    assert.equal(again?.text, first.text);
    assert.equal(again?.headers.get("transaction-id"), first.headers.get("transaction-id"));
  }
  assert.equal(await node.height(), height + 1);
});

for (const { address, idempotency_key, ...vector } of idVectors.addresses_by_idempotency_key) {
  test(`POST /address with Idempotency-Key ${idempotency_key.slice(0, 20)} answers ${address}`, async () => {
    const { public_key_body: publickey, addinfo, signed } = vector;
    const headers = { "Idempotency-Key": idempotency_key };
    const answer = await node.post("/address", { publickey, addinfo, signed }, headers);
    assert.equal(answer.text, address);
  });
}

test("accounts §4: another addinfo, signed or key under one Idempotency-Key is another address", async () => {
  const headers = { "Idempotency-Key": "key-2" };
  const create = async (params: Record<string, string>): Promise<string> =>
    (await node.post("/address", params, headers)).text;
  const all = [
    await create({ publickey: TEST_KEY }),
    await create({ publickey: TEST_KEY, addinfo: "a" }),
    await create({ publickey: TEST_KEY, signed: "full" }),
    await create({ publickey: publicPem(newKey()) }),
  ];
  assert.equal(new Set(all).size, 4);
  assert.equal(await create({ publickey: TEST_KEY_COMPRESSED, addinfo: "" }), all[0]);
});

for (const { key, answer } of [
  { key: "", answer: "400 3005 Idempotency-Key" },
  { key: "k".repeat(256), answer: "400 3005 Idempotency-Key" },
  { key: "é", answer: "400 3005 Idempotency-Key" },
  { key: "k".repeat(255), answer: "200" },
]) {
  test(`accounts §4: Idempotency-Key ${key.slice(0, 3)} of ${key.length}: ${answer}`, async () =>
    assert.equal(
      summaryOf(await node.post("/address", { publickey: TEST_KEY }, { "Idempotency-Key": key })),
      answer,
    ));
}

test("accounts §5: an address has exactly the contract's fields, with view=full four more", async () => {
  const privateKey = newKey("secp521r1");
  const { address } = await node.holder({ privateKey, coins: 700n, params: { addinfo: "memo" } });
  await node.pay({ address, privateKey }, 50n, { unlockdate: START + 86_400 });
  const shown = {
    address,
    createdate: node.now,
    balance: [
      { token: "0", balance: "700", unlockdate: 0 },
      { token: "0", balance: "50", unlockdate: START + 86_400 },
    ],
  };
  const answer = await node.get(`/address/${address}`);
  assert.equal(answer.headers.get("content-type"), "application/json");
  assert.deepEqual(parsed(answer), shown);
  assert.deepEqual(parsed(await node.get(`/address/${address}?view=full`)), {
    ...shown,
    addinfo: "memo",
    publickey: publicPem(privateKey),
    signed: "",
    keyset: {
      grantsfrom: 0,
      ...{ version: 0, threshold: 1, recoverykeys: [], recoverythreshold: 0, recoverydelay: 0 },
      ...{ pendingkeys: [], pendingthreshold: 0, pendingdue: 0 },
      keys: [
        {
          publickey: publicPem(privateKey).replaceAll(/-----[^-]+-----|\s/g, ""),
          kind: "raw",
          weight: 1,
        },
      ],
    },
  });
  assert.deepEqual(parsed(await node.get(`/address/${address}?view=`)), shown);
});

function pem(body: string): string {
  return `-----BEGIN PUBLIC KEY-----\n${body.replaceAll(/.{64}/g, "$&\n")}\n-----END PUBLIC KEY-----\n`;
}
