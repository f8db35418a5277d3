import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  type GroupMember,
  type BatchResult as Result,
  resultsOf,
  signedGroup,
} from "../../testing/requests/batch-requests.ts";
import { issued } from "../../testing/requests/token-requests.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  parsed,
  publicPem,
  summaryOf,
  TestNode,
} from "../../testing/test-node.ts";

type Member = Readonly<Record<string, string>>;

interface Proposed {
  readonly by: KeyHolder;
  readonly operation: string;
  readonly params: Params;
}

let node: TestNode;
let a: KeyHolder;
let b: KeyHolder;
let silver: string;
before(async () => {
  node = await TestNode.start();
  a = await node.holder({ coins: 10_000n });
  b = await node.holder({ coins: 10_000n });
  silver = await issued(node, b, { totalsupply: "1000", decimal: "0" });
});
after(() => node[Symbol.asyncDispose]());

function pay(by: KeyHolder, to: KeyHolder, amount: string, token = "0"): Proposed {
  return { by, operation: "transfer", params: { from: by.address, to: to.address, token, amount } };
}

/** Operations with their keys and the group's id, which their signers have signed. */
async function signed(proposed: readonly Proposed[]): Promise<Member[]> {
  const keyed = proposed.map(async ({ by, operation, params }): Promise<GroupMember> => {
    const name = operation === "transfer" ? "checkkey" : "tkey";
    const key = params[name] ?? (await node.key(by));
    return { by: [by], operation, params: { ...params, [name]: key } };
  });
  return signedGroup(node, await Promise.all(keyed));
}

async function send(operations: readonly unknown[], query = ""): Promise<Answered> {
  return await node.postJson(`/group${query}`, { operations });
}

/** Status, code and parameter of a refusal, and the index of the operation. */
function refusal(answer: Answered): string {
  const { index } = parsed<{ index?: number }>(answer);
  return index === undefined ? summaryOf(answer) : `${summaryOf(answer)} at ${index}`;
}

async function held(holder: KeyHolder, token = "0"): Promise<bigint> {
  return BigInt((await node.balances(holder, token))[0] ?? "0");
}

test("batches §2.3: both operations of a swap are done in one block, next to each other; the group again gets the first answer", async () => {
  const before = [await held(a), await held(b), await held(a, silver)];
  const group = await signed([pay(a, b, "10"), pay(b, a, "3", silver)]);
  const first = await send(group);
  const [one, other] = resultsOf(first);
  assert.deepEqual(
    [await held(a), await held(b), await held(a, silver)],
    [(before[0] ?? 0n) - 10n, (before[1] ?? 0n) + 10n, (before[2] ?? 0n) + 3n],
  );
  const place = (id = ""): number[] =>
    [id.slice(0, 16), id.slice(16, 24)].map((hex) => Number.parseInt(hex, 16));
  const [height = 0, position = 0] = place(one?.transaction_id);
  assert.deepEqual(place(other?.transaction_id), [height, position + 1]);
  assert.equal(first.headers.get("ledger-height"), String(height));
  const ids = [one?.transaction_id, other?.transaction_id];
  const id = group[0]?.["group"] ?? "";
  assert.deepEqual(parsed(await node.get(`/group/${id}`)), ids);

  for (const { temporary_key: checkkey = "" } of [one, other] as Result[]) {
    assert.match(checkkey, /^K/);
  }
  await node.pay(a, 1n);
  const again = resultsOf(await send(group));
  assert.deepEqual(
    again.map(({ transaction_id }) => transaction_id),
    ids,
  );
  assert.equal(await held(a, silver), (before[2] ?? 0n) + 3n, "nothing moves twice");
});

test("batches §2.2: members swapped, left out, added or changed are 2040, a signature of another 2010", async () => {
  const c = await node.holder({ coins: 10n });
  const group = await signed([pay(a, b, "1"), pay(b, c, "1"), pay(c, a, "1")]);
  const [one, two, three] = group as [Member, Member, Member];
  const [added] = (await signed([pay(a, b, "1"), pay(a, b, "2")])) as [Member];
  const { group: id = "" } = one;
  assert.equal(refusal(await send([two, one, three])), "400 2040 group at 0");
  assert.equal(refusal(await send([one, two])), "400 2040 group at 0");
  assert.equal(
    refusal(await send([one, two, three, { ...added, group: id }])),
    "400 2040 group at 0",
  );
  assert.equal(refusal(await send([one, two, three, added])), "400 2040 group at 3");
  assert.equal(
    refusal(await send([{ ...one, memo: "for you" }, two, three])),
    "400 2040 group at 0",
  );
  const stranger = { ...two, signature: one["signature"] };
  assert.equal(refusal(await send([one, stranger, three])), "401 2010 signature at 1");
  assert.equal(
    refusal(await send([one, { ...two, signature: "?" }, three])),
    "401 2230 signature at 1",
  );
  assert.equal(resultsOf(await send(group)).length, 3);
});

test("batches §2.6: a member sent alone or in a batch is 3020", async () => {
  const [one = {}] = await signed([pay(a, b, "1"), pay(b, a, "1")]);
  const { operation, ...params } = one;
  assert.equal(summaryOf(await node.post("/transfer", params)), "400 3020 group");
  const [result] = resultsOf(await node.postJson("/batch", { operations: [one] }));
  assert.equal(result?.problem?.code, "3020");
});

test("batches §2.10: what is malformed is refused first, with its index", async () => {
  const group = await signed([pay(a, b, "1"), pay(b, a, "1")]);
  const [one, two] = group as [Member, Member];
  const lacking = (name: string): Member => {
    const { [name]: _, ...rest } = two;
    return rest as Member;
  };
  const height = await node.height();
  for (const [operations, wanted] of [
    [[one], "400 3002 operations"],
    [Array(17).fill(one), "400 3002 operations"],
    [[one, lacking("group")], "400 1000 group at 1"],
    [[one, lacking("signed")], "400 1000 signed at 1"],
    [[one, { ...two, amount: "x" }], "400 1101 amount at 1"],
    [
      [one, { operation: "address", publickey: publicPem(a.privateKey) }],
      "400 3005 operations[1].operation at 1",
    ],
    [[one, { ...two, checkkey: "abc" }], "400 2040 group at 0"],
    [[one, 7], "400 1007 operations[1] at 1"],
  ] as const) {
    assert.equal(refusal(await send(operations)), wanted);
  }
  assert.equal(await node.height(), height);
  assert.equal(summaryOf(await node.get(`/group/${"0".repeat(64)}`)), "404 6009 id");
});

test("batches §2: a dry run of a group says its records or the problem that ends it, writes nothing and uses no key", async () => {
  const group = await signed([pay(a, b, "1"), pay(b, a, "1", silver)]);
  const unsigned = group.map(({ signature: _, group: __, ...rest }) => rest);
  const height = await node.height();
  const forecast = resultsOf(await send(unsigned, "?dry=1"));
  assert.deepEqual(
    forecast.map(({ status }) => status),
    [200, 200],
  );
  assert.deepEqual(forecast[1]?.record?.group, { count: 2, id: group[0]?.["group"], index: 1 });
  const failing = resultsOf(
    await send(
      [
        ...unsigned,
        { ...unsigned[0], amount: "1000000", checkkey: await node.key(a) },
        unsigned[0],
      ],
      "?dry=1",
    ),
  );
  assert.deepEqual(
    failing.map(({ status, problem }) => problem?.code ?? status),
    [200, 200, "5001"],
  );
  assert.equal(failing[2]?.problem?.index, 2);
  assert.equal(await node.height(), height);
  assert.deepEqual(
    resultsOf(await send(group)).map(({ status }) => status),
    [200, 200],
  );
});

test("/metrics has groups by what became of them, and dry runs with their time", async () => {
  const values = (): Promise<readonly number[]> =>
    Promise.all(
      [
        'moneta_groups_total{outcome="done"}',
        'moneta_groups_total{outcome="repeat"}',
        'moneta_groups_total{outcome="refused"}',
        "moneta_dry_run_seconds_count",
      ].map((name) => node.metric(name)),
    );
  const before = await values();
  const group = await signed([pay(a, b, "1"), pay(b, a, "1")]);
  resultsOf(await send(group));
  resultsOf(await send(group));
  const { group: _, ...alone } = group[0] as Member;
  // At its execution, for its id, and for its form.
  assert.equal((await send(await signed([pay(a, b, "1"), pay(b, a, "999999")]))).status, 400);
  assert.equal((await send(group.toReversed())).status, 400);
  assert.equal((await send([alone, alone])).status, 400);
  resultsOf(await send(await signed([pay(a, b, "1"), pay(b, a, "1")]), "?dry=1"));
  const after = await values();
  assert.deepEqual(
    after.map((value, index) => value - (before[index] as number)),
    [1, 1, 3, 1],
  );
});
