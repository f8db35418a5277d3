import assert from "node:assert/strict";
import { createPrivateKey, type createPublicKey, generateKeyPairSync } from "node:crypto";
import { after, before, test } from "node:test";
import {
  newKey,
  parsed,
  problemOf,
  publicPem,
  START,
  said,
  saidCode,
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

for (const { text, answer } of [
  { text: "MTAlice00000000000000000000000005dc33c90", answer: "404 3090 address" },
  { text: "MTBob0000000000000000000000000005f59bcba", answer: "404 3090 address" },
  { text: "MT00000000000000000000000000000100e2eb14", answer: "404 3090 address" },
  { text: "MTATLnT6SGKE8RU0CBPoDRfUXL5lr4SLece1a6ee", answer: "400 3190 address" },
  { text: "mtAlice00000000000000000000000005dc33c90", answer: "400 3190 address" },
  { text: UNKNOWN.slice(0, 39), answer: "400 3190 address" },
  { text: `${UNKNOWN}0`, answer: "400 3190 address" },
  { text: "MTAlice00000000000000000000000005DC33C90", answer: "400 3190 address" },
  { text: `%20${UNKNOWN}`, answer: "400 3190 address" },
]) {
  test(`accounts §3: ${text}: ${answer}`, async () => {
    assert.equal(said(await node.get(`/address/${text}`)), answer);
    assert.equal(said(await node.get(`/balance/${text}`)), answer);
  });
}

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
    said(await node.post("/address/bykey", { publickey: TEST_KEY, after: UNKNOWN })),
    "404 3090 after",
  );
});

const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey;
const ed25519 = generateKeyPairSync("ed25519").publicKey;
const secp256k1 = generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey;
const explicit = generateKeyPairSync("ec", {
  namedCurve: "prime256v1",
  paramEncoding: "explicit",
}).publicKey;
const sec1 = newKey().export({ type: "sec1", format: "pem" }).toString();
const pkcs8 = newKey().export({ type: "pkcs8", format: "pem" }).toString();
const keyBytes = Buffer.from(TEST_KEY, "base64");

const UNREADABLE: readonly { row: number; what: string; publickey: string; code: string }[] = [
  { row: 3, what: "an empty one", publickey: "", code: "3103" },
  { row: 3, what: "hello", publickey: "hello", code: "3103" },
  { row: 3, what: "no end mark", publickey: TEST_PEM.split("-----END")[0] ?? "", code: "3103" },
  { row: 3, what: "two blocks", publickey: TEST_PEM + TEST_PEM, code: "3103" },
  { row: 3, what: "4097 characters", publickey: TEST_KEY.padEnd(4097, " "), code: "3103" },
  { row: 3, what: "three =", publickey: `${TEST_KEY}=`, code: "3103" },
  { row: 4, what: "base64 of hello", publickey: "aGVsbG8=", code: "3105" },
  {
    row: 4,
    what: "a byte appended",
    publickey: Buffer.concat([keyBytes, Buffer.alloc(1)]).toString("base64"),
    code: "3105",
  },
  {
    row: 4,
    what: "its last byte changed",
    publickey: Buffer.concat([keyBytes.subarray(0, -1), Buffer.from([0xf4])]).toString("base64"),
    code: "3105",
  },
  { row: 5, what: "RSA", publickey: spki(rsa), code: "3106" },
  { row: 5, what: "Ed25519", publickey: spki(ed25519), code: "3106" },
  { row: 5, what: "secp256k1", publickey: spki(secp256k1), code: "3102" },
  { row: 5, what: "parameters written out", publickey: spki(explicit), code: "3102" },
  { row: 6, what: "EC PRIVATE KEY", publickey: sec1, code: "3104" },
  { row: 6, what: "PRIVATE KEY", publickey: pkcs8, code: "3104" },
  {
    row: 6,
    what: "CERTIFICATE",
    publickey: TEST_PEM.replaceAll("PUBLIC KEY", "CERTIFICATE"),
    code: "3104",
  },
];

for (const { row, what, publickey, code } of UNREADABLE) {
  test(`accounts §4 row ${row}: ${what}: 405 ${code}`, async () => {
    const height = await node.height();
    for (const answer of [
      await node.post("/address", { publickey }),
      await node.postJson("/address", { publickey }),
      await node.postQuery("/address", { publickey }),
    ]) {
      assert.equal(saidCode(answer), `405 ${code}`);
    }
    assert.equal(await node.height(), height);
    if (publickey !== "") {
      assert.equal(saidCode(await node.post("/address/bykey", { publickey })), "404 3090");
    }
  });
}

test("accounts §4 row 3: no publickey at all: 405 3103", async () => {
  assert.equal(saidCode(await node.request("/address", { method: "POST" })), "405 3103");
  assert.equal(saidCode(await node.post("/address", { addinfo: "x" })), "405 3103");
});

test("accounts §2: the largest public key that is read has 4096 characters", async () => {
  const answer = await node.postQuery("/address", { publickey: TEST_KEY.padEnd(4096, " ") });
  assert.equal(answer.status, 200, answer.text);
});

test("accounts §2: a private key is not repeated, and its sender is told to discard it", async () => {
  const { d } = createPrivateKey(sec1).export({ format: "jwk" });
  const { detail } = problemOf(await node.post("/address", { publickey: sec1 }));
  assert.match(detail, /private key.*discard/);
  assert.ok(!detail.includes((sec1.split("\n")[1] ?? "").slice(0, 10)));
  assert.ok(!detail.includes(d as string));
});

test("accounts §2: a + that arrived as a blank is explained", async () => {
  // The blank is dropped, and the rest is no base64 or no key.
  const withPlus = pem(TEST_KEY.replace("Y6RA", "Y+RA"));
  const answer = await node.request(
    `/address?publickey=${encodeURIComponent(withPlus).replaceAll("%2B", "+")}`,
    {
      method: "POST",
    },
  );
  assert.equal(answer.status, 405, answer.text);
  assert.match(problemOf(answer).detail, /%2B/);
});

test("accounts §4 row 7: an astral character counts as one", async () => {
  const answer = await node.post("/address", { publickey: TEST_KEY, addinfo: "😀".repeat(2049) });
  const shown = parsed<{ addinfo: string }>(await node.get(`/address/${answer.text}?view=full`));
  assert.equal(shown.addinfo, "😀".repeat(2048));
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

test("accounts §4: two requests with one new Idempotency-Key at the same time make one address", async () => {
  const height = await node.height();
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      node.post("/address", { publickey: TEST_PEM }, { "Idempotency-Key": "at-once" }),
    ),
  );
  assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
  assert.equal(new Set(answers.map(({ headers }) => headers.get("transaction-id"))).size, 1);
  assert.equal(await node.height(), height + 1);
});

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
      said(await node.post("/address", { publickey: TEST_KEY }, { "Idempotency-Key": key })),
      answer,
    ));
}

test("accounts §4: the record of a new address, and the key that comes with it", async () => {
  const privateKey = newKey("secp384r1");
  const publickey = publicPem(privateKey);
  const answer = await node.post("/address", { publickey, addinfo: "mine", signed: "full" });
  const address = answer.text;
  const { id, db_sn, db_id, timestamp, ...record } = await node.transaction(
    answer.headers.get("transaction-id") ?? "",
  );
  assert.equal(id, answer.headers.get("transaction-id"));
  assert.equal(db_sn, answer.headers.get("ledger-height"));
  assert.match(db_id, /^[0-9a-f]{64}$/);
  assert.equal(timestamp, node.now);
  assert.deepEqual(record, {
    type: "NewWallet",
    address,
    token: 0,
    parameters: [address, publickey, "mine"],
    values: {
      addinfo: "mine",
      balance: [{ token: "0", balance: "0", unlockdate: 0 }],
      password: publickey,
      regdate: node.now,
      signed: "full",
    },
    validationCode: "0",
    effects: [],
  });

  const checkkey = answer.headers.get("replay-nonce") ?? "";
  await node.pay({ address, privateKey }, 10n);
  const to = node.treasury.address;
  const params = await node.fullTransfer({ address, privateKey }, { to, amount: "10", checkkey });
  assert.equal(said(await node.post("/transfer", params)), "200");
});

test("accounts §4: without signed the record has no member of that name", async () => {
  const answer = await node.post("/address", { publickey: TEST_KEY });
  const { values } = await node.transaction(answer.headers.get("transaction-id") ?? "");
  assert.deepEqual(Object.keys(values).sort(), ["addinfo", "balance", "password", "regdate"]);
  assert.equal(values["password"], TEST_PEM);
});

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

test("accounts §5: malformed, then view, then unknown", async () => {
  assert.equal(said(await node.get("/address/x?view=x")), "400 3190 address");
  assert.equal(said(await node.get(`/address/${UNKNOWN}?view=x`)), "400 3005 view");
  assert.equal(said(await node.get(`/address/${UNKNOWN}`)), "404 3090 address");
});

for (const { row, params, answer } of [
  { row: 2, params: { publickey: publicPem(newKey()) }, answer: "404 3090" },
  { row: 2, params: { publickey: "hello" }, answer: "404 3090" },
  { row: 2, params: { publickey: sec1 }, answer: "404 3090" },
  { row: 3, params: {}, answer: "400 1000" },
  { row: 3, params: { publickey: "" }, answer: "400 1000" },
  { row: 3, params: { publickey: TEST_KEY, limit: "0" }, answer: "400 1101" },
  { row: 3, params: { publickey: TEST_KEY, limit: "1001" }, answer: "400 1101" },
  { row: 3, params: { publickey: TEST_KEY, limit: "x" }, answer: "400 1101" },
  { row: 3, params: { publickey: "hello", limit: "0", after: "x" }, answer: "400 1101" },
  { row: 3, params: { publickey: "hello", after: "x" }, answer: "400 3190" },
]) {
  const given = JSON.stringify(params).slice(0, 60);
  test(`accounts §6 row ${row}: bykey ${given}: ${answer}`, async () => {
    const height = await node.height();
    assert.equal(saidCode(await node.post("/address/bykey", params)), answer);
    assert.equal(await node.height(), height);
  });
}

test("accounts §6: bykey says what is wrong with a key", async () =>
  assert.match(
    problemOf(await node.post("/address/bykey", { publickey: sec1 })).detail,
    /private key/,
  ));

test("accounts §3.2: addresses of one key share nothing but the key", async () => {
  const privateKey = newKey();
  const first = await node.holder({ privateKey, coins: 5n });
  const second = await node.holder({ privateKey });
  assert.deepEqual(await node.balances(second), ["0: 0"]);
  const params = await node.transfer(second, {
    to: node.treasury.address,
    amount: "1",
    checkkey: await node.key(first),
  });
  assert.equal(said(await node.post("/transfer", params)), "401 2020 checkkey");
});

function pem(body: string): string {
  return `-----BEGIN PUBLIC KEY-----\n${body.replaceAll(/.{64}/g, "$&\n")}\n-----END PUBLIC KEY-----\n`;
}

function spki(key: ReturnType<typeof createPublicKey>): string {
  return key.export({ type: "spki", format: "pem" }).toString();
}
