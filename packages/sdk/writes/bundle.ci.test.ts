import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, beforeEach, test } from "node:test";
import { ForwardingProxy } from "../../node/testing/forwarding-proxy.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import {
  type Actor,
  type BundledOperation,
  Moneta,
  type Pipeline,
  ProblemError,
  ProposalForecast,
  type SentBundle,
  SigningKey,
  UnansweredError,
} from "../index.ts";

// Source: bundles §1 to §7.

const TOO_MUCH = 10n ** 17n;

let node: TestNode;
let proxy: ForwardingProxy;
let moneta: Moneta;
let key: SigningKey;
let alice: Actor;
let bob: Actor;
let pipeline: Pipeline;
/** Paths and bodies of writes that were sent, and how many requests were under way at most. */
let writes: string[];
let bodies: unknown[];
let underWay = 0;
let underWayMax = 0;

before(async () => {
  node = await TestNode.start();
  proxy = await ForwardingProxy.to(node.url);
  moneta = new Moneta(proxy.url, {
    timeoutMs: 20_000,
    fetch: async (input, init) => {
      underWay += 1;
      underWayMax = Math.max(underWayMax, underWay);
      if (init?.method !== "GET") {
        writes.push(new URL(String(input)).pathname);
        bodies.push(init?.body);
      }
      try {
        return await fetch(input, init);
      } finally {
        underWay -= 1;
      }
    },
  });
  writes = [];
  bodies = [];
  key = await SigningKey.generate();
  alice = await moneta.createAddress(key);
  await moneta.faucet({ address: alice.address, amount: 10_000_000n });
});
beforeEach(async () => {
  bob = await moneta.createAddress(await SigningKey.generate());
  pipeline = moneta.pipeline(alice);
  proxy.loses = () => false;
  writes = [];
  bodies = [];
  underWayMax = 0;
});
after(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await node?.[Symbol.asyncDispose]();
});

async function coins({ address }: Actor): Promise<bigint> {
  return (await moneta.balanceOfToken({ address, token: 0 }))[0]?.balance ?? 0n;
}

function payment(amount: bigint, memo?: string): BundledOperation {
  return { operation: "transfer", to: bob.address, token: 0, amount, memo };
}

test("a bundle returns for each operation what its method returns, in one transaction", async () => {
  const [saved, created, paid, project, sealed] = await alice.bundle([
    { operation: "tokensave", name: "Points", symbol: "PTS", totalsupply: 1000n, decimal: 0 },
    { operation: "tokencreate" },
    { operation: "transfer", to: bob.address, token: 0, amount: 5n, from: undefined },
    {
      operation: "mrc400create",
      name: "Game",
      url: "https://game.example/",
      imageurl: "https://game.example/logo.png",
      category: "game",
      description: "Items",
      itemurl: "https://game.example/{id}",
      itemimageurl: "https://game.example/{id}.png",
      data: "season 1",
    },
    {
      operation: "mrc020",
      referencekey: "r",
      opendate: 1_770_000_000,
      keyhash: "0".repeat(64),
      algorithm: "none",
      data: "d",
    },
  ]);
  assert.ok(!(saved instanceof ProblemError) && /^K/.test(saved.tkey), String(saved));
  assert.ok(!(created instanceof ProblemError));
  assert.equal((await moneta.token({ token: created.token })).name, "Points");
  assert.ok(!(paid instanceof ProblemError) && paid.transaction_id === created.transaction_id);
  assert.ok(!(project instanceof ProblemError));
  assert.equal((await moneta.mrc400({ mrc400id: project.mrc400id })).owner, alice.address);
  assert.ok(!(sealed instanceof ProblemError), String(sealed));
  assert.equal(await coins(bob), 5n);
  assert.deepEqual(writes, ["/bundle"]);
});

test("bundles §6: an item goes into the project that the bundle makes, as the forecast says", async () => {
  const tkey = String(await moneta.nonce({ address: alice.address }));
  const digest = createHash("sha256").update(`MRC400|${alice.address}|${tkey}.0`).digest("hex");
  const mrc400id = `MRC400_${digest.slice(0, 33)}`;
  const web = "https://boats.example/";
  const operations = [
    {
      operation: "mrc400create",
      ...{ name: "Boats", category: "art", description: "Boats", data: "{}" },
      ...{ url: web, imageurl: web, itemurl: web, itemimageurl: web },
    },
    { operation: "mrc401create", mrc400id, itemdata: [{ initial_reserve: 7n }] },
  ] as const;
  alice.keepKey(tkey);
  const draft = await alice.draftBundle(operations);
  const forecast = ProposalForecast.of(await moneta.dryRun([draft]));
  assert.deepEqual(
    forecast.records.map(({ type }) => type),
    ["mrc400create", "mrc401create"],
  );
  const { gives, gets } = forecast.of(alice.address);
  assert.deepEqual(gives, [{ is: "token", token: "0", amount: 7n }]);
  alice.keepKey(tkey);
  const [project, created] = await alice.bundle(operations);
  assert.ok(!(project instanceof ProblemError) && !(created instanceof ProblemError));
  assert.equal(project.mrc400id, mrc400id);
  const [item = ""] = created.mrc401ids;
  assert.deepEqual(gets, [{ is: "item", item }]);
  assert.equal((await moneta.mrc401({ mrc401id: item })).mrc400, mrc400id);
});

test("without skip a refused operation keeps all from being done; with skip it alone is left out", async () => {
  const all = [payment(1n), payment(TOO_MUCH), payment(2n)];
  await assert.rejects(
    alice.bundle(all),
    (error) => error instanceof ProblemError && error.code === "5001" && error.index === 1,
  );
  assert.equal(await coins(bob), 0n);
  const [first, second, third] = await alice.bundle(all, { skip: ["5001"] });
  assert.ok(second instanceof ProblemError && second.shortfall?.needed === TOO_MUCH);
  assert.equal(second.index, undefined, "its place says which it is");
  assert.deepEqual(third, first);
  assert.equal(await coins(bob), 3n);
});

test("what no bundle takes, and a wrong name, throw before anything is sent", async () => {
  for (const [operation, reason] of [
    [{ operation: "protocol", version: 2 }, /protocol cannot be in a bundle/],
    [{ operation: "balance" }, /balance cannot be in a bundle/],
    [{ operation: "tranfer" }, /no operation or read tranfer.*transfer/],
    [{ operation: "transfer", ammount: 1n }, /no parameter "ammount".*amount/],
  ] as const) {
    const all = [operation as unknown as BundledOperation];
    await assert.rejects(alice.bundle(all), (error) => {
      assert.match(String(error), reason);
      return error instanceof TypeError;
    });
  }
  assert.deepEqual(writes, []);
});

test("a bundle whose answer was lost is sent again byte for byte, and is done once", async () => {
  proxy.loses = () => writes.length === 1;
  const results = await alice.bundle([payment(1n), payment(TOO_MUCH)], { skip: ["*"] });
  assert.deepEqual(writes, ["/bundle", "/bundle"]);
  assert.equal(bodies[0], bodies[1]);
  assert.ok(!(results[0] instanceof ProblemError));
  // A repeated answer is made from the record, which has the code alone.
  assert.ok(results[1] instanceof ProblemError && results[1].code === "5001");
  assert.equal(results[1].message, results[1].title);
  assert.equal(await coins(bob), 1n);
});

test("a prepared bundle is plain data: sent twice it is done once, and its history has it", async () => {
  const prepared = await alice.prepareBundle([payment(1n), payment(TOO_MUCH)], { skip: ["5001"] });
  assert.equal(await moneta.findSent(prepared), undefined);
  const sent = await moneta.send<SentBundle>(prepared);
  const again = await moneta.send<SentBundle>(JSON.parse(JSON.stringify(prepared)));
  assert.equal(again.transaction_id, sent.transaction_id);
  assert.deepEqual(again.results[0], sent.results[0]);
  assert.equal((await moneta.findSent(prepared))?.transaction_id, sent.transaction_id);
  assert.equal(await coins(bob), 1n);
});

test("bundles §7: 1,000 concurrent calls through a pipeline, some refused: each has its own result", async () => {
  const calls = Array.from({ length: 1000 }, (_, index) => {
    const refused = index % 10 === 3;
    const amount = refused ? TOO_MUCH + BigInt(index) : 1n;
    return { refused, amount, promise: pipeline.transfer({ to: bob.address, token: 0, amount }) };
  });
  const settled = await Promise.allSettled(calls.map(({ promise }) => promise));
  const ids = new Set<string>();
  for (const [index, result] of settled.entries()) {
    const { refused, amount } = calls[index] as (typeof calls)[number];
    if (result.status === "fulfilled") {
      assert.ok(!refused);
      ids.add(result.value.transaction_id);
    } else {
      assert.ok(refused && result.reason instanceof ProblemError, String(result.reason));
      assert.equal(result.reason.shortfall?.needed, amount);
    }
  }
  assert.equal(ids.size, 2);
  assert.equal(await coins(bob), 900n);
  assert.deepEqual(writes, ["/bundle", "/bundle"]);
  assert.ok(underWayMax <= 10, `${underWayMax} requests under way`);
});

test("bundles §8: a pipeline fills its bundles by what calls cost, and none is refused for its size", async () => {
  const url = "https://game.example/";
  const itemurl = `${url}{id}`;
  const project = { name: "Game", url, imageurl: url, category: "game", description: "Items" };
  const urls = { itemurl, itemimageurl: itemurl, data: "season 1" };
  const payees = Array.from({ length: 100 }, () => ({
    address: bob.address,
    amount: 1n,
    unlockdate: 0,
  }));
  const calls = [
    ...Array.from({ length: 130 }, () => pipeline.mrc400create({ ...project, ...urls })),
    ...Array.from({ length: 3 }, () => pipeline.multitransfer({ token: 0, transferlist: payees })),
  ];
  const ids = (await Promise.all(calls)).map(({ transaction_id }) => transaction_id);
  // 130 projects count 260, and two lists 200.
  assert.deepEqual([ids.indexOf(ids.at(-1) as string), new Set(ids).size], [132, 2]);
  assert.equal(await coins(bob), 300n);
  assert.deepEqual(writes, ["/bundle", "/multitransfer"]);
});

test("a call alone is sent alone; what is called meanwhile goes into the next bundle", async () => {
  const to = bob.address;
  const first = pipeline.transfer({ to, token: 0, amount: 1n });
  const rest = first.then(async () => {
    const both = [2n, 3n].map((amount) => pipeline.transfer({ to, token: 0, amount }));
    return await Promise.all(both);
  });
  const [one, two] = await rest;
  assert.notEqual((await first).transaction_id, one?.transaction_id);
  assert.equal(one?.transaction_id, two?.transaction_id);
  assert.deepEqual(
    writes,
    ["/transfer", "/bundle"].map((path) => writes.find((each) => each.startsWith(path))),
  );
  assert.equal(await coins(bob), 6n);
});

test("a refused bundle settles each call as the call alone, and the others are done", async () => {
  const before = await coins(bob);
  const to = bob.address;
  const pay = (more: object = {}): Promise<unknown> =>
    pipeline.transfer({ to, token: 0, amount: 1n, ...more });
  const settled = await Promise.allSettled([
    pay(),
    pay({ to: "MTnobody" }),
    pipeline.transfer({ to, token: 0, amount: 1n, ammount: 1n } as never),
    pay(),
    ...[1n, 2n, 3n, 4n, 5n].map((more) => pay({ amount: TOO_MUCH + more })),
  ]);
  const reasons = settled.map((one) => (one.status === "rejected" ? one.reason : undefined));
  assert.deepEqual(
    reasons.map((reason) => (reason instanceof ProblemError ? reason.code : reason?.name)),
    [undefined, "3190", "TypeError", undefined, ...Array(5).fill("5001")],
  );
  assert.deepEqual(reasons.map((reason) => reason?.shortfall?.needed).slice(4), [
    ...[1n, 2n, 3n, 4n, 5n].map((more) => TOO_MUCH + more),
  ]);
  assert.equal(await coins(bob), before + 2n);
});

test("if all calls are refused, each has its own refusal", async () => {
  const all = Array.from({ length: 40 }, (_, index) =>
    pipeline.transfer({ to: bob.address, token: 0, amount: TOO_MUCH + BigInt(index) }),
  );
  const settled = await Promise.allSettled(all);
  assert.deepEqual(
    settled.map((one) => one.status === "rejected" && one.reason.shortfall?.needed),
    all.map((_, index) => TOO_MUCH + BigInt(index)),
  );
  assert.ok(writes.length <= 2 * all.length, `${writes.length} requests`);
});

test("calls with more text than a bundle has go in several, and those with options go alone, in their order", async () => {
  const memo = "é".repeat(2000);
  const to = bob.address;
  const ids: string[] = [];
  const pay = async (options?: { signal: AbortSignal }): Promise<void> => {
    const { transaction_id } = await pipeline.transfer({ to, token: 0, amount: 1n, memo }, options);
    ids.push(transaction_id);
  };
  const all = Array.from({ length: 300 }, () => pay());
  all.push(pay({ signal: new AbortController().signal }), pay());
  await Promise.all(all);
  assert.deepEqual(ids, [...ids].sort());
  assert.equal(new Set(ids).size, 4, "two bundles, and two that are alone");
  assert.equal(await coins(bob), 302n);
});

test("a refusal of the actor is that of each call, and the bundle is sent once", async () => {
  const other = moneta.actor(alice.address, await SigningKey.generate());
  const stranger = moneta.pipeline(other);
  const refused = await Promise.allSettled(
    [1n, 2n, 3n].map((amount) => stranger.transfer({ to: bob.address, token: 0, amount })),
  );
  assert.deepEqual(
    refused.map((one) => one.status === "rejected" && one.reason.code),
    ["2010", "2010", "2010"],
  );
  assert.deepEqual(writes, ["/bundle"]);
});

test("calls that may have been done throw UnansweredError, and later ones go on", async () => {
  const impatient = new Moneta(proxy.url, { retries: 0 });
  const other = impatient.pipeline(impatient.actor(alice.address, key));
  proxy.loses = ({ url }) => url === "/bundle";
  const lost = await Promise.allSettled(
    [1n, 2n].map((amount) => other.transfer({ to: bob.address, token: 0, amount })),
  );
  for (const one of lost) {
    assert.ok(one.status === "rejected" && one.reason instanceof UnansweredError);
    assert.ok(one.reason.mayHaveHappened);
  }
  proxy.loses = () => false;
  await pipeline.transfer({ to: bob.address, token: 0, amount: 7n });
  assert.equal(await coins(bob), 10n, "the node has done them");
});
