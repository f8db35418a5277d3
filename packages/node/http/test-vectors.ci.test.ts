import assert from "node:assert/strict";
import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import { after, before, describe, test } from "node:test";
import {
  type AnyOperation,
  OPERATIONS,
  parseTemporaryKey,
  publicKeyText,
  type Route,
  type Sha256,
  verifyConsistency,
  verifyInclusion,
} from "@moneta/protocol";
import {
  encodingVectors,
  errorVectors,
  idVectors,
  type SignedStringVector,
  signatureVectors,
  signedStringVectors,
} from "@moneta/protocol/test-vectors";
import { TemporaryKeys } from "../admission/temporary-keys.ts";
import { changeKeys, keyJson } from "../testing/requests/key-requests.ts";
import {
  type Answered,
  type KeyHolder,
  newKey,
  parsed,
  problemOf,
  publicPem,
  refusalCode,
  signatureOf,
  summaryOf,
  TestNode,
} from "../testing/test-node.ts";

// A running node does what the test vectors say, with real addresses, ids and keys.

const ALICE = "MTAlice00000000000000000000000005dc33c90";
const BOB = "MTBob0000000000000000000000000005f59bcba";
const MARKET = "MTMarket00000000000000000000000098bfe971";
const LISTING = "DEX010_3f0c5a24d7f03d8dc3c3666969e6fa5bb";
const PROJECT = "MRC400_c7735425f08d740230c98da57e9977dfc";
const PRINT = "MRC402_5f1c2b8e4a7d903c6e5b4a3f2d1c0b9a8";
const GRANT = "GRT_4be1d2f0a95c8e7736d0b1f2c49a5e860";
const UNIT_LISTING = "DEX402_9b0d6c1f83e2a5470c4de98f1b37a2650";
const OFFER = "OFF401_2d1f9f4b1f3f6a7bb08f2e5f8a6f2b1c7";
const UNIT_OFFER = "OFF402_8c0f6e2a94d7b3158a6cd20f41e9b7d35";
const ORDER = "MRC040_05c5d23e7dfb1fd779c58091dda52bffc";
const BOBS_TEMPORARY_KEY = "K00000021vb6GO012345678901234567890123456789AB";
const NUMBERS = [
  "Sword00000000000000000000000000000000001",
  "Shield0000000000000000000000000000000001",
  "Potion0000000000000000000000000000000001",
  "Arrow00000000000000000000000000000000001",
];

let node: TestNode;
let alice: KeyHolder;
let bob: KeyHolder;
/** What addresses, ids and keys of the vectors really are. */
const real = new Map<string, string>();
const codes = new Set<string>();

before(async () => {
  node = await TestNode.startWithOperator();
  const holder = (key: string, coins: bigint): Promise<KeyHolder> =>
    node.holder({ coins, privateKey: privateKeyOf(key) });
  alice = await holder("one", 10n ** 12n);
  bob = await holder("P-384", 10n ** 12n);
  const market = await holder("P-521", 1n);
  real.set(signedStringVectors.ledger_id, node.ledgerId);
  real.set(ALICE, alice.address);
  real.set(BOB, bob.address);
  real.set(MARKET, market.address);
});
after(() => node[Symbol.asyncDispose]());

function privateKeyOf(name: string): KeyHolder["privateKey"] {
  const key = signatureVectors.keys.find((one) => one.name === name);
  return createPrivateKey(key?.private_key_pkcs8 ?? "");
}

/** The key that the vectors of new keys bring: its private scalar is 2. */
function newKeyOf(keys: string): KeyHolder["privateKey"] {
  const [{ publickey }] = JSON.parse(keys) as [{ readonly publickey: string }];
  const pem = `-----BEGIN PUBLIC KEY-----\n${publickey}\n-----END PUBLIC KEY-----\n`;
  const d = Buffer.from("2".padStart(64, "0"), "hex").toString("base64url");
  const jwk = { ...createPublicKey(pem).export({ format: "jwk" }), d };
  return createPrivateKey({ key: jwk, format: "jwk" });
}

/** Notes the code of an error, which must match its vector. */
function noted(answer: Answered): Answered {
  if (answer.status >= 400) {
    codes.add(problemOf(answer).code);
  }
  return answer;
}

describe("signed strings", () => {
  before(async () => {
    // Alice's gold has the number 7, and what it is traded for the number 12.
    const save = vectorNamed("tokensave: everything that may be sent");
    const create = vectorNamed("tokencreate: everything that may be sent");
    for (let id = 1; id <= 12; id += 1) {
      assert.equal(summaryOf(await sent(save, "full", save.full)), "200");
      const created = await sent(create, "short", create.short[0] ?? "");
      assert.equal(created.headers.get("location"), `/token/${id}`);
    }
    for (const [name, id, member] of [
      ["mrc010sell: everything that may be sent", LISTING, "mrc010dexid"],
      ["mrc400create: everything that may be sent", PROJECT, ""],
      ["mrc401create: everything that may be sent", "", ""],
      ["mrc402create: the form with itemdata", "", ""],
      ["mrc402create: everything that may be sent", PRINT, "mrc402id"],
      ["mrc402sell: everything that may be sent", UNIT_LISTING, "mrc402dexid"],
      ["mrc401offer: everything that may be sent", OFFER, "offerid"],
      ["mrc402offer: everything that may be sent", UNIT_OFFER, "offerid"],
      ["tokensetbase: everything that may be sent", "", ""],
      ["tokenaddtarget: everything that may be sent", "", ""],
      ["mrc040create: everything that may be sent", ORDER, "mrc040id"],
    ] as const) {
      const vector = vectorNamed(name);
      const answer = await sent(vector, "full", vector.full);
      assert.equal(summaryOf(answer), "200", `${name} ${answer.text}`);
      if (id !== "") {
        const made = member === "" ? answer.text : parsed<Record<string, string>>(answer)[member];
        real.set(id, made ?? "");
      }
    }
  });

  for (const vector of signedStringVectors.vectors) {
    test(`${vector.name}: each of the strings is accepted, and nothing else`, async () => {
      await using _ = await ownAddressFor(vector);
      await prepareFor(vector);
      if (vector.operation.endsWith("create")) {
        // A number serves once in a project.
        for (const number of NUMBERS) {
          real.set(
            number,
            createHash("sha256").update(`${vector.name}${number}`).digest("hex").slice(0, 40),
          );
        }
      }
      const misfit = `401 2010 ${vector.signature ?? "signature"}`;
      const [first = ""] = vector.short;
      for (const wrong of [`${vector.full} `, vector.full.replace("|1|", "|2|"), first]) {
        assert.equal(summaryOf(await sent(vector, "full", wrong)), misfit);
      }
      assertSigned(await sent(vector, "full", vector.full));
      for (const string of vector.short) {
        await prepareFor(vector);
        assert.equal(summaryOf(await sent(vector, "short", `${string}|`)), misfit);
        assertSigned(await sent(vector, "short", string));
      }
      if (vector.short.length > 0) {
        assert.equal(summaryOf(await sent(vector, "short", vector.full)), misfit);
      } else {
        const { parameters } = OPERATIONS.find(
          ({ name }) => name === vector.operation,
        ) as AnyOperation;
        const guard = Object.keys(parameters).find(
          (name) => parameters[name]?.needsFullSignature && vector.params[name] !== undefined,
        );
        const code = parameters[guard ?? ""]?.needsFullSignature;
        const refusal =
          guard === undefined
            ? "400 1000 signed"
            : `${code === "2010" ? "401" : "400"} ${code} ${guard}`;
        assert.equal(summaryOf(await sent(vector, "short", vector.full)), refusal);
      }
      for (const number of NUMBERS) {
        real.delete(number);
      }
    });
  }

  /** Operations that change keys have an address of their own, which key one may recover. */
  async function ownAddressFor({ operation }: SignedStringVector): Promise<AsyncDisposable> {
    const shared = alice;
    if (operation.startsWith("address")) {
      const privateKey = privateKeyOf("one");
      alice = await node.holder({ privateKey });
      real.set(ALICE, alice.address);
      const key = { privateKey };
      const set = { keys: [key], threshold: 1 };
      const more = {
        ...{ recoverykeys: JSON.stringify([keyJson(key)]), recoverythreshold: "1" },
        recoverydelay: "86400",
      };
      if (operation.startsWith("addressrecover")) {
        const changed = await changeKeys(node, alice.address, set, [[0, key]], { more });
        assert.equal(summaryOf(changed), "200");
      }
    }
    return {
      [Symbol.asyncDispose]: async () => {
        alice = shared;
        real.set(ALICE, alice.address);
      },
    };
  }

  /** What a token is created from, and what grant ends, once. */
  async function prepareFor({ operation }: SignedStringVector): Promise<void> {
    if (operation === "grantend") {
      const grant = vectorNamed("grant: only what must be sent");
      const granted = await sent(grant, "full", grant.full);
      assert.equal(summaryOf(granted), "200");
      real.set(GRANT, parsed<{ grantid: string }>(granted).grantid);
    }
    if (operation === "tokencreate") {
      const save = vectorNamed("tokensave: everything that may be sent");
      assert.equal(summaryOf(await sent(save, "full", save.full)), "200");
    }
  }

  /** The state may forbid what the signature allows. */
  function assertSigned(answer: Answered): void {
    assert.match(refusalCode(answer), /^200$|^[45]\d\d (11|30|49|50|70|71|72)\d\d$/, answer.text);
  }

  function vectorNamed(name: string): SignedStringVector {
    const vector = signedStringVectors.vectors.find((one) => one.name === name);
    assert.ok(vector !== undefined, name);
    return vector;
  }

  /** The vector of the same request for who signs besides. */
  function vectorOfOther({
    signature,
    params,
  }: SignedStringVector): SignedStringVector | undefined {
    return signature !== undefined
      ? signedStringVectors.vectors.find(
          (one) =>
            one.signature !== undefined &&
            one.signature !== signature &&
            JSON.stringify(one.params) === JSON.stringify(params),
        )
      : undefined;
  }

  /** The answer to a vector's request with a signature of a string, both with real names. */
  async function sent(
    vector: SignedStringVector,
    signed: "short" | "full",
    string: string,
  ): Promise<Answered> {
    const { operation, signature = "signature", params, actor } = vector;
    const described = OPERATIONS.find(({ name }) => name === operation) as AnyOperation;
    const by = operation === "protocol" ? node.operator : actor === ALICE ? alice : bob;
    real.set(signedStringVectors.temporary_key, await node.key(by));
    const texts: Record<string, string> = { [signature]: signatureOf(realOf(string), by) };
    if (described.signers[0]?.proof !== undefined) {
      const privateKey = newKeyOf(params["keys"] ?? "");
      texts["proof"] = signatureOf(realOf(vector.full), { privateKey });
    }
    const other = vectorOfOther(vector);
    if (other !== undefined) {
      real.set(signedStringVectors.temporary_key, await node.key(alice));
      real.set(BOBS_TEMPORARY_KEY, await node.key(bob));
      texts[signature] = signatureOf(realOf(string), by);
      const text = realOf(signed === "full" ? other.full : (other.short[0] ?? ""));
      texts[other.signature ?? ""] = signatureOf(text, other.actor === ALICE ? alice : bob);
    }
    for (const [name, text] of Object.entries(params)) {
      texts[name] = realOf(text);
    }
    if (signed === "full") {
      texts["signed"] = "full";
    }
    const [method, path] = routeOf(described, params);
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const text = texts[name] ?? "";
      delete texts[name];
      return encodeURIComponent(text);
    });
    return noted(await node.request(filled, { method, body: new URLSearchParams(texts) }));
  }

  /** The first route whose path has nothing that is not sent. */
  function routeOf(operation: AnyOperation, params: Readonly<Record<string, string>>) {
    const routes = [operation.route as Route, ...(operation.otherRoutes ?? [])];
    const fitting = routes.filter((route) =>
      [...route.matchAll(/\{(\w+)\}/g)].every(([, name = ""]) => params[name] !== undefined),
    );
    return (fitting[0] as string).split(" ") as [string, string];
  }

  function realOf(text: string): string {
    let own = text;
    for (const [example, its] of real) {
      own = own.replaceAll(example, its);
    }
    return own;
  }
});

describe("signatures", () => {
  const payers = new Map<string, KeyHolder>();
  before(async () => {
    for (const { name } of signatureVectors.keys) {
      const privateKey = privateKeyOf(name);
      payers.set(name, await node.holder({ coins: 10n, privateKey }));
    }
  });

  for (const { name, key, signature, code } of signatureVectors.refused) {
    test(`${name}: ${code}`, async () => {
      const payer = payers.get(key) as KeyHolder;
      const params = await node.transfer(payer, { to: bob.address, amount: "1" });
      const answer = noted(await node.post("/transfer", { ...params, signature }));
      assert.equal(summaryOf(answer), `401 ${code} signature`);
    });
  }
});

describe("encodings", () => {
  for (const { name, text, body, code } of encodingVectors.public_keys) {
    test(`public key: ${name}: ${code ?? "accepted"}`, async () => {
      for (const answer of [
        noted(await node.post("/address", { publickey: text })),
        noted(await node.postJson("/address", { publickey: text })),
      ]) {
        assert.equal(summaryOf(answer), code === undefined ? "200" : `405 ${code} publickey`);
        if (body !== undefined) {
          const shown = await node.get(`/address/${answer.text}?view=full`);
          const { publickey } = parsed<{ publickey: string }>(shown);
          assert.equal(publickey, publicKeyText(body));
        }
      }
    });
  }

  for (const { name, operation, body, code, parameter } of encodingVectors.requests) {
    test(`request: ${operation}: ${name}: ${code ?? "read"}`, async () => {
      const answer = noted(await node.postJson(`/${operation}`, body));
      const { status } = errorVectors.errors.find((error) => error.code === code) ?? {};
      // After parsing comes the look-up, and the vectors' addresses do not exist.
      assert.equal(
        summaryOf(answer),
        code === undefined ? "404 3090 from" : `${status} ${code} ${parameter}`,
      );
    });
  }

  for (const { text, valid } of encodingVectors.texts.filter((one) => one.text.isWellFormed())) {
    test(`addinfo ${JSON.stringify(text)}: ${valid ? "accepted" : "refused"}`, async () => {
      const publickey = publicPem(newKey());
      const answer = noted(await node.post("/address", { publickey, addinfo: text }));
      assert.equal(summaryOf(answer), valid ? "200" : "400 1006 addinfo");
    });
  }

  for (const { text, valid } of idVectors.addresses.filter((one) => one.text !== "")) {
    test(`GET /balance/${JSON.stringify(text)}: ${valid ? "unknown" : "malformed"}`, async () => {
      const answer = noted(await node.get(`/balance/${encodeURIComponent(text)}`));
      assert.equal(summaryOf(answer), valid ? "404 3090 address" : "400 3190 address");
    });
  }
});

describe("ids", () => {
  for (const vector of idVectors.addresses_by_idempotency_key) {
    test(`POST /address with Idempotency-Key ${vector.idempotency_key.slice(0, 20)} answers ${vector.address}`, async () => {
      const { public_key_body: publickey, addinfo, signed, idempotency_key } = vector;
      const headers = { "Idempotency-Key": idempotency_key };
      const answer = await node.post("/address", { publickey, addinfo, signed }, headers);
      assert.equal(answer.text, vector.address);
    });
  }

  test("temporary keys are known to whom they say that have issued them, for what they are", () => {
    for (const { secret, ledger_id: ledgerId, kind, key } of idVectors.temporary_keys) {
      const keys = new TemporaryKeys({
        secrets: [Buffer.from(secret, "hex")],
        ledgerId,
        seconds: 1,
      });
      const read = parseTemporaryKey(key);
      assert.ok(read !== undefined && keys.isOurs(read, kind));
      const isRestricted = OPERATIONS.some(({ name }) => name === kind) && kind !== "transfer";
      assert.equal(keys.isOurs(read, "mrc402bid"), !isRestricted);
      const others = new TemporaryKeys({ secrets: [Buffer.alloc(32, 9)], ledgerId, seconds: 1 });
      assert.ok(!others.isOurs(read, kind));
    }
  });
});

describe("proofs", () => {
  const sha256: Sha256 = {
    hex: (data) => createHash("sha256").update(data).digest("hex"),
    bytes: (data) => createHash("sha256").update(data).digest(),
  };
  const bytes = (text: string): Uint8Array => Uint8Array.fromBase64(text);

  test("what the node proves of its transactions and its growth holds by what the vectors check", async () => {
    const height = await node.height();
    for (const at of [0, 1, Math.floor(height / 2), height]) {
      const block = parsed<{ transaction: { id: string }[] }>(await node.get(`/block/${at}`));
      const id = block.transaction.at(-1)?.id;
      const { leaf, leaf_index, tree_size, root, proof } = parsed<{
        leaf: string;
        leaf_index: number;
        tree_size: number;
        root: string;
        proof: string[];
      }>(await node.get(`/transaction/${id}/proof`));
      const claim = {
        leafHash: sha256.bytes(`\u0000${leaf}`),
        index: leaf_index,
        size: tree_size,
        root: bytes(root),
        path: proof.map(bytes),
      };
      assert.ok(verifyInclusion(sha256, claim));
      assert.ok(!verifyInclusion(sha256, { ...claim, leafHash: sha256.bytes(leaf) }));

      const growth = parsed<{
        from: number;
        to: number;
        from_root: string;
        to_root: string;
        proof: string[];
      }>(await node.get(`/checkpoint/consistency?from=${leaf_index + 1}`));
      const grown = {
        from: growth.from,
        to: growth.to,
        fromRoot: bytes(growth.from_root),
        toRoot: bytes(growth.to_root),
        path: growth.proof.map(bytes),
      };
      assert.ok(verifyConsistency(sha256, grown));
      assert.equal(
        verifyConsistency(sha256, { ...grown, fromRoot: bytes(root) }),
        growth.from === growth.to,
      );
    }
  });
});

describe("errors", () => {
  for (const { code, send } of [
    { code: "2020", send: () => paid({ checkkey: "abc" }) },
    { code: "2021", send: () => paidTwice() },
    { code: "5001", send: () => paid({ amount: "9".repeat(30) }) },
    { code: "4001", send: () => paid({ token: "99" }) },
    { code: "6001", send: () => node.get("/block/x") },
    { code: "6008", send: () => node.get("/transaction/x") },
    { code: "6004", send: () => node.get("/mrc401/x") },
    { code: "9404", send: () => node.get("/nothing") },
    { code: "9405", send: () => node.request("/transfer", { method: "DELETE" }) },
    {
      code: "9415",
      send: () =>
        node.request("/transfer", {
          method: "POST",
          body: "<x/>",
          headers: { "Content-Type": "text/xml" },
        }),
    },
  ]) {
    test(`${code} is answered with its status, type and title`, async () => {
      const answer = noted(await send());
      assert.equal(problemOf(answer).code, code);
    });
  }

  test("the tests of this file have met these codes", () => {
    const met = [
      "1000",
      "1005",
      "1006",
      "1007",
      "1101",
      "1102",
      "2010",
      "2230",
      "3002",
      "3005",
      "3090",
    ];
    const keys = ["3102", "3103", "3104", "3105", "3106", "3190", "3201"];
    assert.deepEqual(
      [...met, ...keys].filter((code) => !codes.has(code)),
      [],
    );
  });

  async function paid(change: Readonly<Record<string, string>>): Promise<Answered> {
    const params = { to: bob.address, amount: "1", ...change };
    return node.post("/transfer", await node.transfer(alice, params));
  }

  async function paidTwice(): Promise<Answered> {
    const checkkey = await node.key(alice);
    await paid({ checkkey });
    return paid({ checkkey, amount: "2" });
  }
});
