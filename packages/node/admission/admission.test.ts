import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Outcome, RULES, type RuledOperation } from "@moneta/ledger";
import { type Address, mrc400Create, Refused, type Request, readTexts } from "@moneta/protocol";
import type { LedgerQueue } from "../ledger-thread/ledger-queue.ts";
import { PLATFORM_VERIFIER } from "../signatures/chosen-verifier.ts";
import { SignaturePool } from "../signatures/signature-pool.ts";
import { bundleBody, payment, signedBundle } from "../testing/requests/bundle-requests.ts";
import { changeKeys, raw } from "../testing/requests/key-requests.ts";
import { createRequest, saveRequest } from "../testing/requests/token-requests.ts";
import { type KeyHolder, summaryOf, TestNode } from "../testing/test-node.ts";
import { Admission, type Origin } from "./admission.ts";
import { WriteQuota } from "./write-quota.ts";

let node: TestNode;
let a: KeyHolder;
let b: KeyHolder;
before(async () => {
  node = await TestNode.start();
  a = await node.holder({ coins: 1000n, curve: "secp521r1" });
  b = await node.holder({ coins: 1000n });
});
after(() => node[Symbol.asyncDispose]());

/** An admission of its own to the node's queue, which counts verifications. */
class CountedAdmission implements AsyncDisposable {
  verifications = 0;
  readonly pool = new SignaturePool(1, {
    onVerified: (count) => {
      this.verifications += count;
    },
    verifier: PLATFORM_VERIFIER,
  });
  readonly admission: Admission;

  /** With `isBehind` each refusal is checked on the state of a newer block, as in a cluster. */
  constructor({
    isBehind = false,
    wrongMax = 0,
    queueMax = 1000,
    queueBytesMax = 1 << 20,
    queue = {} as Partial<LedgerQueue>,
  } = {}) {
    const { service } = node.running;
    const isOther = Object.keys(queue).length > 0;
    this.admission = new Admission({
      ...service,
      ...(isOther && { queue: { length: 0, bytes: 0, isBehind: false, ...queue } as LedgerQueue }),
      reader: service.reading(),
      signatures: this.pool,
      queueMax,
      queueBytesMax,
      writeFault: () => undefined,
      protocolFault: async () => undefined,
      quota: new WriteQuota({
        ...{ clientBytesPerHour: 0, actorBytesPerHour: 0 },
        wrongSignaturesPerMinute: wrongMax,
      }),
      catchUp: isBehind
        ? async () => {
            service.readingNewest();
            return Number.MAX_SAFE_INTEGER;
          }
        : undefined,
    });
  }

  async submit(one: Sent, origin: Origin = { client: "x" }): Promise<string> {
    node.running.service.reading();
    const outcome = await this.admission.submit([one], origin);
    return outcome.kind === "refused" ? outcome.fault.code : outcome.kind;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.close();
  }
}

interface Sent {
  readonly ruled: RuledOperation;
  readonly request: Request;
}

function read(name: string, params: Readonly<Record<string, string>>, as?: "member"): Sent {
  const ruled = RULES.get(name) as RuledOperation;
  const request = readTexts(ruled.operation, params, as);
  assert.ok(!(request instanceof Refused), name);
  return { ruled, request };
}

/** A transfer, by default with a signature that does not fit. */
async function transfer(from: KeyHolder, by = b === from ? a : b): Promise<Sent> {
  return read(
    "transfer",
    await node.transfer(from, { to: node.treasury.address, amount: "1" }, { by }),
  );
}

/** Digests that are tried before a signature is known not to fit. */
const DIGESTS = 3;

test("a signature is verified once for a request, however often that is admitted", async () => {
  await using counted = new CountedAdmission({ isBehind: true });
  assert.equal(await counted.submit(await transfer(a)), "2010");
  assert.equal(counted.verifications, DIGESTS);

  const drafts = 5;
  for (let count = 0; count < drafts; count += 1) {
    const { params } = await saveRequest(node, a, { name: `Draft ${count}` });
    assert.equal(summaryOf(await node.post("/token", params)), "200");
  }
  const { texts } = await createRequest(node, a, "Another");
  counted.verifications = 0;
  const create = read("tokencreate", texts);
  assert.equal(await counted.submit(create), "2010");
  assert.equal(counted.verifications, DIGESTS * drafts);

  const group = await Promise.all(
    [a, b].map(async (from) => {
      const parts = { to: node.treasury.address, amount: "1", group: "0".repeat(64) };
      return read("transfer", await node.fullTransfer(from, parts, { by: a }), "member");
    }),
  );
  counted.verifications = 0;
  node.running.service.reading();
  const outcome = await counted.admission.submit(group, { client: "x" });
  assert.deepEqual(outcome.kind === "refused" && [outcome.index, outcome.fault.code], [1, "2010"]);
  // The first one fits at once or with the second digest, which is that of the curve's own size.
  assert.ok(counted.verifications <= 2 + DIGESTS, `${counted.verifications}`);
});

test("authority §1.4: a request that is admitted again is verified by the keys that its signer has then", async () => {
  await using counted = new CountedAdmission();
  const holder = await node.holder({ coins: 1n });
  const next = { ...holder, ...raw() };
  const to = node.treasury.address;
  const [byNext, byOld] = await Promise.all(
    [
      { by: next, amount: "1" },
      { by: holder, amount: "2" },
    ].map(async ({ by, amount }) =>
      read("transfer", await node.fullTransfer(holder, { to, amount }, { by })),
    ),
  );
  assert.equal(await counted.submit(byNext as Sent), "2010");
  assert.equal(await counted.submit(byOld as Sent), "5001");
  const keys = { keys: [next], threshold: 1 };
  assert.equal(summaryOf(await changeKeys(node, holder.address, keys, [[0, holder]])), "200");
  assert.equal(await counted.submit(byOld as Sent), "2010");
  assert.equal(await counted.submit(byNext as Sent), "done");
});

test("a client that has used up its wrong signatures gets 9001 and costs no more verifications; others and right signatures do not", async () => {
  await using counted = new CountedAdmission({ wrongMax: 3 });
  for (let count = 0; count < 5; count += 1) {
    assert.equal(await counted.submit(await transfer(b, b)), "done");
  }
  for (const code of ["2010", "2010", "2010", "9001", "9001"]) {
    assert.equal(await counted.submit(await transfer(b)), code);
  }
  const { verifications } = counted;
  assert.equal(await counted.submit(await transfer(b, b)), "9001");
  assert.equal(counted.verifications, verifications);
  assert.equal(await counted.submit(await transfer(b, b), { client: "y" }), "done");
});

test("one client may have half of the operations under way; the rest is for others", async () => {
  await using counted = new CountedAdmission({ queueMax: 8 });
  const wrong = await Promise.all(Array.from({ length: 8 }, () => transfer(a)));
  const other = await transfer(b, b);
  const codes = wrong.map((one) => counted.submit(one));
  assert.equal(counted.admission.isFullFor("x"), true);
  assert.equal(counted.admission.isFullFor("y"), false);
  assert.equal(await counted.submit(other, { client: "y" }), "done");
  assert.deepEqual(await Promise.all(codes), [...Array(4).fill("2010"), ...Array(4).fill("9002")]);
  assert.equal(counted.admission.isFullFor("x"), false);
});

test("a client's share of the queue is free again after its requests, in operations and in characters", async () => {
  await using counted = new CountedAdmission({ queueMax: 4, queueBytesMax: 1000 });
  for (let count = 0; count < 8; count += 1) {
    assert.equal(await counted.submit(await transfer(a)), "2010");
  }
  assert.equal(counted.admission.isFullFor("x"), false);
});

test("bundles §8: a bundle that the queue of all clients has no room for is refused", async () => {
  const body = await bundleBody(node, b, Array(3).fill(payment(b, a, "1")));
  const bundle = read("bundle", { ...signedBundle(node, b, body) });
  await using counted = new CountedAdmission({ queueMax: 8, queue: { length: 6 } });
  assert.equal(counted.admission.isFullFor("x"), false);
  assert.equal(await counted.submit(bundle), "9002");
});

test("authority §1.4: a request whose signer's keys change again and again is submitted three times", async () => {
  let count = 0;
  const submit = async (): Promise<Outcome> => {
    count += 1;
    const fault = { code: "2010", parameter: "signature", actor: b.address as Address } as const;
    return { kind: "refused", fault: { ...fault, fullOnly: false }, isStale: true };
  };
  const ignore = (): undefined => undefined;
  const noted = { beginVerifying: ignore, endVerifying: ignore };
  const queue = { submit, flushed: async () => true, ...noted };
  await using counted = new CountedAdmission({ queue });
  assert.equal(await counted.submit(await transfer(b, b)), "2010");
  assert.equal(count, 3);
});

test("bundles §8: a bundle counts in the queue by what its operations cost", async () => {
  const parameters = { ...mrc400Create.example, owner: b.address, partner: undefined };
  const costly = { operation: mrc400Create.name, ...parameters };
  const many = { operation: "multitransfer", from: b.address, token: "0" };
  const payee = { address: a.address, amount: "1", unlockdate: "0" };
  for (const { operations, weight } of [
    { operations: Array(3).fill(payment(b, a, "1")), weight: 3 },
    { operations: Array(3).fill(costly), weight: 6 },
    { operations: [{ ...many, transferlist: Array(5).fill(payee) }], weight: 5 },
  ]) {
    const body = await bundleBody(node, b, operations);
    const bundle = read("bundle", { ...signedBundle(node, b, body) });
    await using tight = new CountedAdmission({ queueMax: weight - 1 });
    assert.equal(await tight.submit(bundle), "9002");
    await using wide = new CountedAdmission({ queueMax: weight });
    const outcome = wide.submit(bundle);
    assert.equal(wide.admission.isFullFor("x"), weight > 1);
    assert.equal(wide.admission.isFullFor("y"), true);
    assert.equal(await outcome, "done");
    assert.equal(wide.admission.isFullFor("y"), false);
  }
});

test("signatures whose clients have disconnected are not verified, and what was verified is done", async () => {
  await using counted = new CountedAdmission();
  let isGone = false;
  const origin = { client: "x", isAbandoned: () => isGone };
  const right = await transfer(b, b);
  const left = await Promise.all(Array.from({ length: 50 }, () => transfer(a, a)));
  const done = counted.submit(right, origin);
  assert.equal(await done, "done");
  const before = counted.verifications;
  const codes = left.map((one) => counted.submit(one, origin));
  isGone = true;
  assert.deepEqual(new Set(await Promise.all(codes)), new Set(["9002"]));
  assert.equal(counted.verifications, before);
});
