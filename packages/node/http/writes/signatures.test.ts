import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  type Curve,
  type Digest,
  type KeyHolder,
  signatureOf,
  summaryOf,
  TestNode,
} from "../../testing/test-node.ts";

const CURVES: readonly { readonly curve: Curve; readonly order: bigint; readonly bytes: number }[] =
  [
    {
      curve: "prime256v1",
      order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
      bytes: 32,
    },
    {
      curve: "secp384r1",
      order:
        0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
      bytes: 48,
    },
    {
      curve: "secp521r1",
      order:
        (1n << 521n) -
        (6n << 256n) +
        0x51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
      bytes: 66,
    },
  ];
const DIGESTS: readonly Digest[] = ["sha256", "sha384", "sha512"];

let node: TestNode;
const holders = new Map<Curve, KeyHolder>();
let payee: string;
before(async () => {
  node = await TestNode.start();
  payee = node.treasury.address;
  for (const { curve } of CURVES) {
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

for (const { curve } of CURVES) {
  for (const digest of DIGESTS) {
    test(`conventions §4.2, §4.3: ${curve} with ${digest}, DER and raw, base64 and base64url, padded and not`, async () => {
      for (const form of ["der", "ieee-p1363"] as const) {
        for (const text of ["base64", "base64url"] as const) {
          for (const isPadded of [true, false]) {
            const params = await node.transfer(
              holder(curve),
              { to: payee, amount: "1" },
              { digest, form, text },
            );
            const bare = params.signature.replaceAll("=", "");
            const signature = isPadded ? bare.padEnd(Math.ceil(bare.length / 4) * 4, "=") : bare;
            assert.equal(
              await answered({ ...params, signature }),
              "200",
              `${form} ${text} ${isPadded ? "padded" : "bare"}`,
            );
          }
        }
      }
    });
  }

  test(`conventions §4.2: ${curve} with another digest at each request`, async () => {
    for (const digest of ["sha512", "sha256", "sha384", "sha256", "sha512"] as const) {
      const params = await node.transfer(holder(curve), { to: payee, amount: "1" }, { digest });
      assert.equal(await answered(params), "200");
    }
  });

  test(`conventions §4.3: SHA-1 and SHA-224 with ${curve} are 2010`, async () => {
    for (const digest of ["sha1", "sha224"]) {
      const params = await node.transfer(
        holder(curve),
        { to: payee, amount: "1" },
        { digest: digest as Digest },
      );
      assert.equal(await answered(params), "401 2010");
    }
  });
}

for (const { curve, order, bytes } of CURVES) {
  test(`conventions §4.4: ${curve}: s and n-s are accepted, and are the same request`, async () => {
    const raw = { form: "ieee-p1363" } as const;
    const params = await node.transfer(holder(curve), { to: payee, amount: "1" }, raw);
    const signature = withS(params.signature, bytes, (s) => order - s);
    assert.equal(await answered({ ...params, signature }), "200");
    const height = await node.height();
    assert.equal(await answered(params), "200");
    assert.equal(await node.height(), height);
  });

  test(`conventions §4.4: ${curve}: s of 0, n, n+s or more is 401`, async () => {
    const raw = { form: "ieee-p1363" } as const;
    const params = await node.transfer(holder(curve), { to: payee, amount: "1" }, raw);
    for (const change of [
      () => 0n,
      () => order,
      (s: bigint) => (order + s < 1n << BigInt(8 * bytes) ? order + s : order),
      () => (1n << BigInt(8 * bytes)) - 1n,
    ]) {
      const signature = withS(params.signature, bytes, change);
      assert.match(await answered({ ...params, signature }), /^401 (2010|2230)/);
    }
    const zeros = Buffer.alloc(2 * bytes).toString("base64");
    assert.match(await answered({ ...params, signature: zeros }), /^401 (2010|2230)/);
    assert.equal(await answered(params), "200");
  });

  test(`conventions §4.5: ${curve}: a full signature`, async () => {
    for (const digest of DIGESTS) {
      const params = await node.fullTransfer(
        holder(curve),
        { to: payee, amount: "1", memo: 'é "\\ \n\u2028😀', tags: "a|b", unlockdate: "0" },
        { digest },
      );
      assert.equal(await answered(params), "200");
    }
  });
}

function withS(signature: string, bytes: number, change: (s: bigint) => bigint): string {
  const raw = Buffer.from(signature, "base64");
  const s = change(BigInt(`0x${raw.toString("hex", bytes)}`));
  raw.write(s.toString(16).padStart(2 * bytes, "0"), bytes, "hex");
  return raw.toString("base64");
}

test("conventions §4.1: a short signature leaves memo, tag and unlock date open, a full one does not", async () => {
  const change = { memo: "other", tags: "other", unlockdate: "2147483647" };
  const short = await node.transfer(holder(), { to: payee, amount: "1" });
  assert.equal(await answered({ ...short, ...change }), "200");
  for (const [name, value] of Object.entries(change)) {
    const full = await node.fullTransfer(holder(), { to: payee, amount: "1" });
    assert.equal(await answered({ ...full, [name]: value }), "401 2010", name);
    assert.equal(await answered(full), "200");
  }
});

test("conventions §4.5: the covered object has canonical names and texts as they were sent", async () => {
  const from = holder();
  const params = await node.fullTransfer(from, { to: payee, amount: "1", tags: "t" });
  const { checkkey, tags, signed, signature, ...rest } = params;
  const sent = { ...rest, tkey: checkkey, tag: tags, signed, signature, amount: 1, token: 0 };
  const answer = await node.postJson("/transfer", { ...sent, memo: "", unlockdate: null });
  assert.equal(summaryOf(answer), "200");
});

test("conventions §4.5: over names that are not canonical, or in another order: 2010", async () => {
  const from = holder();
  const checkkey = await node.key(from);
  const params = { from: from.address, to: payee, token: "0", amount: "1" };
  const prefix = `moneta|1|${node.ledgerId}|transfer|`;
  const inOrder = {
    amount: "1",
    from: from.address,
    signed: "full",
    tkey: checkkey,
    to: payee,
    token: "0",
  };
  const { tkey: _, ...others } = inOrder;
  for (const covered of [inOrder, { ...others, checkkey }]) {
    const signature = signatureOf(prefix + JSON.stringify(covered), from);
    const sent = { ...params, tkey: checkkey, signed: "full", signature };
    assert.equal(await answered(sent), "401 2010");
  }
});

for (const { what, text } of [
  {
    what: "another ledger",
    text: (id: string) => id.replace(/^./, (c) => (c === "0" ? "1" : "0")),
  },
  { what: "no ledger", text: () => "" },
]) {
  test(`conventions §4.5: a full signature for ${what}: 2010`, async () => {
    const from = holder();
    const {
      signature: _,
      signed,
      ...params
    } = await node.fullTransfer(from, {
      to: payee,
      amount: "1",
    });
    const sorted = Object.fromEntries(
      Object.entries({ ...params, signed: signed as string }).sort(([x], [y]) => (x < y ? -1 : 1)),
    );
    const prefix = `moneta|1|${text(node.ledgerId)}|transfer|`;
    const signature = signatureOf(prefix + JSON.stringify(sorted), from);
    assert.equal(await answered({ ...sorted, signature }), "401 2010");
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

test("conventions §4.1: fields are signed exactly as they were sent", async () => {
  const from = holder();
  const checkkey = await node.key(from);
  const params = { from: from.address, to: payee, token: "0", amount: "1", checkkey };
  for (const signed of [
    `${from.address}|${payee}|0|01|${checkkey}`,
    `${from.address}|${payee}|0|1|${checkkey}|`,
    `${from.address}|${payee}|0|1|${checkkey}\n`,
    `${from.address} | ${payee} | 0 | 1 | ${checkkey}`,
    `${from.address}${payee}01${checkkey}`,
  ]) {
    assert.equal(await answered({ ...params, signature: signatureOf(signed, from) }), "401 2010");
  }
});

test("conventions §4.3: white space in a signature, as a + that was not encoded leaves it: 2230", async () => {
  const params = await node.transfer(holder(), { to: payee, amount: "1" });
  const signature = `${params.signature.slice(0, 10)} ${params.signature.slice(11)}`;
  const answer = await node.post("/transfer", { ...params, signature });
  assert.equal(summaryOf(answer), "401 2230 signature");
  assert.match(answer.text, /%2B/);
});
