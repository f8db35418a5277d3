import assert from "node:assert/strict";
import { createHash, verify } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { TestNode } from "../../node/testing/test-node.ts";
import {
  type Actor,
  Group,
  type GroupFile,
  type GroupOperation,
  Moneta,
  type ProposedOperation,
  SigningKey,
  type Thing,
} from "../index.ts";

let node: TestNode;
let moneta: Moneta;
let key: SigningKey;
let alice: Actor;
let bob: Actor;

before(async () => {
  node = await TestNode.start();
  node.now = Math.floor(Date.now() / 1000);
  moneta = new Moneta(node.url);
  key = await SigningKey.generate();
  alice = await moneta.createAddress(key);
  bob = await moneta.createAddress(await SigningKey.generate());
  await moneta.faucet({ address: alice.address, amount: 1_000_000n });
});
after(() => node?.[Symbol.asyncDispose]());

const DEX = `DEX402_${"1".repeat(33)}`;
const ITEM = `MRC400_${"0".repeat(33)}_${"0".repeat(40)}`;

/** Alice pays Bob 2, Bob passes an item on to her. */
async function swap(options?: { readonly validSeconds?: number }): Promise<Group> {
  return await Group.propose(
    moneta,
    [
      { actor: alice.address, operation: "transfer", to: bob.address, token: 0, amount: 2n },
      {
        actor: bob.address,
        operation: "mrc401transfer",
        mrc401id: ITEM,
        toAddr: alice.address,
      },
    ],
    options,
  );
}

test("batches §2.2: the id is the hash of ledger, operations and parameters, in order", async () => {
  const group = await swap();
  const [paid, passed] = group.operations as [GroupOperation, GroupOperation];
  const keyOf = (name: string, { params }: GroupOperation): string => params[name] as string;
  const json = `[["transfer",{"amount":"2","checkkey":"${keyOf("checkkey", paid)}","from":"${alice.address}","signed":"full","to":"${bob.address}","token":"0"}],["mrc401transfer",{"fromAddr":"${bob.address}","mrc401id":"${ITEM}","signed":"full","tkey":"${keyOf("tkey", passed)}","toAddr":"${alice.address}"}]]`;
  const text = `moneta-group|1|${await moneta.ledgerId()}|${json}`;
  assert.equal(group.id, createHash("sha256").update(text).digest("hex"));
  assert.deepEqual(group.signers, [alice.address, bob.address]);
});

test("batches §2.9: keys are asked for as long as the parties need; above an hour it warns", async () => {
  const now = node.now;
  const plain = await swap();
  assert.ok(Math.abs(plain.expiresAt - now - 600) <= 60);
  assert.deepEqual(plain.warnings(now), []);
  const long = await swap({ validSeconds: 7200 });
  assert.ok(Math.abs(long.expiresAt - now - 7200) <= 60);
  assert.deepEqual(long.warnings(now), [{ is: "long", expiresAt: long.expiresAt }]);
  assert.deepEqual(long.warnings(long.expiresAt), []);
  assert.deepEqual(long.warnings(long.expiresAt + 1), [
    { is: "expired", expiresAt: long.expiresAt },
  ]);
});

test("each signs their own operations, over all parameters with the group, also after a file", async () => {
  const first = await swap();
  await first.sign(alice);
  assert.deepEqual(first.missing, [bob.address]);
  await assert.rejects(first.submit(), { name: "GroupError", message: new RegExp(bob.address) });
  const group = await Group.from(JSON.stringify(first), moneta);
  assert.deepEqual(group.operations, first.operations);
  await group.sign(bob);
  assert.deepEqual(group.missing, []);
  assert.deepEqual(await Group.from(group.toJSON(), moneta).then((one) => one.toJSON()), {
    ...group.toJSON(),
  });
  const { operation, params, signature = "" } = group.operations[0] as GroupOperation;
  const members = Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const signed = `moneta|1|${group.ledgerId}|${operation}|${JSON.stringify(Object.fromEntries(members))}`;
  assert.equal(params["group"], group.id);
  const publicKey = { key: key.publicKeyPem, dsaEncoding: "ieee-p1363" } as const;
  assert.ok(verify("sha256", Buffer.from(signed), publicKey, Buffer.from(signature, "base64")));
});

for (const { operation, lot, guarded, missing } of [
  { operation: "mrc401bid", lot: { mrc401id: ITEM }, guarded: { token: 0 }, missing: ["token"] },
  { operation: "mrc402bid", lot: { id: DEX }, guarded: { token: 0 }, missing: ["token"] },
  {
    operation: "mrc402bid",
    lot: { id: "MRC402_1" },
    guarded: { token: 0, id: DEX },
    missing: ["token", "listing"],
  },
] as const) {
  test(`batches §2.11: ${operation} for ${Object.values(lot)} without its guards is not signed`, async () => {
    const bidding = async (guards: object): Promise<Group> =>
      await Group.propose(moneta, [
        { actor: alice.address, operation, ...lot, amount: 1n, ...guards },
        { actor: bob.address, operation: "transfer", to: alice.address, token: 0, amount: 1n },
      ]);
    const group = await bidding({});
    assert.deepEqual(group.warnings()[0], { is: "unguarded", index: 0, missing });
    await assert.rejects(group.sign(alice), { name: "GroupError", index: 0 });
    const safe = await bidding(guarded);
    await safe.sign(alice);
    assert.deepEqual(safe.missing, [bob.address]);
  });
}

test("nobody signs what has no operation of theirs, or for another ledger", async () => {
  const carol = await moneta.createAddress(key);
  await assert.rejects((await swap()).sign(carol), /no operation in this group/);
  const other = new Moneta(node.url, { ledgerId: "f".repeat(64) });
  await assert.rejects((await swap()).sign(other.actor(alice.address, key)), /another ledger/);
  await assert.rejects(Group.from((await swap()).toJSON(), other), /for the ledger/);
});

for (const operation of ["mrc401buy", "mrc402buy"]) {
  test(`batches §2.11: ${operation} without its guards is not signed`, async () => {
    const item = operation === "mrc401buy" ? { mrc401id: ITEM } : { id: "MRC402_1", amount: 1n };
    const buying = async (guards: object): Promise<Group> =>
      await Group.propose(moneta, [
        { actor: alice.address, operation, ...item, ...guards },
        { actor: bob.address, operation: "transfer", to: alice.address, token: 0, amount: 1n },
      ]);
    for (const [guards, missing] of [
      [{}, ["price", "token"]],
      [{ price: 5n }, ["token"]],
      [{ token: 0 }, ["price"]],
    ] as const) {
      const group = await buying(guards);
      assert.deepEqual(group.warnings(), [
        { is: "unguarded", index: 0, missing },
        { is: "open", index: 0, depends: ["fees"] },
      ]);
      await assert.rejects(group.sign(alice), {
        name: "GroupError",
        index: 0,
        message: /would pay any price/,
      });
      await group.sign(bob);
      assert.deepEqual(group.missing, [alice.address]);
    }
    const group = await buying({ price: 5n, token: 0 });
    await group.sign(alice);
    assert.deepEqual(group.missing, [bob.address]);
  });
}

test("what cannot be in a group is refused before a key is asked for", async () => {
  const one = {
    actor: alice.address,
    operation: "transfer",
    to: bob.address,
    token: 0,
    amount: 1n,
  };
  const refused = async (second: object, message: RegExp): Promise<void> => {
    const proposed = [one, second as typeof one];
    await assert.rejects(Group.propose(moneta, proposed), { name: "GroupError", message });
  };
  await assert.rejects(Group.propose(moneta, [one]), /2 to 16 operations, and not 1/);
  await assert.rejects(Group.propose(moneta, Array(17).fill(one)), /and not 17/);
  for (const operation of ["faucet", "address", "nonce", "protocol", "toString", "nothing"]) {
    await refused({ ...one, operation }, /operation 2 .*no operation that a group takes/);
  }
  await refused({ ...one, ammount: 1n }, /ammount/);
  await refused({ ...one, group: "x" }, /group/);
  await refused({ ...one, actor: "Bob" }, /must be an address/);
  await refused({ ...one, from: bob.address }, /its actor is/);
});

type Changed = { [name: string]: unknown; operations: Record<string, unknown>[] };

/** Changes that a stranger may make to a file, and what is said of them. */
const HOSTILE: readonly (readonly [
  name: string,
  change: (file: Changed) => unknown,
  message: RegExp,
])[] = [
  ["no JSON", () => "{", /no JSON text/],
  ["a list", () => [], /no JSON object/],
  ["null", () => "null", /no JSON object/],
  ["5 MiB", () => `"${"x".repeat(5 << 20)}"`, /more than 4194304/],
  ["an amount changed", (file) => put(file, 0, "amount", "1"), /changed one of them/],
  ["a payee changed", (file) => put(file, 0, "to", file["actors"]), /must be a text/],
  ["operations swapped", swapped, /changed one of them/],
  [
    "one left out",
    (file) => ({ ...file, operations: file.operations.slice(1), actors: ["MT"] }),
    /2 to 16/,
  ],
  ["actors left out", (file) => ({ ...file, actors: [] }), /one of "actors" as long/],
  ["operations an object", (file) => ({ ...file, operations: { length: 2 } }), /a list/],
  ["another id", (file) => ({ ...file, group: "0".repeat(64) }), /its group is/],
  ["an id in capitals", (file) => ({ ...file, group: "A".repeat(64) }), /64 lower-case/],
  ["another ledger", (file) => ({ ...file, ledger_id: "0".repeat(64) }), /for the ledger "000/],
  ["an unknown parameter", (file) => put(file, 0, "fee", "1"), /no parameter "fee"/],
  ["__proto__", (file) => JSON.stringify(file).replace('"to"', '"__proto__"'), /"__proto__"/],
  ["a number", (file) => put(file, 0, "amount", 2), /amount must be a text/],
  ["an empty text", (file) => put(file, 0, "memo", ""), /memo must be a text, and not empty/],
  ["half a surrogate", (file) => put(file, 0, "memo", "\ud800"), /memo must be a text/],
  ["a short signature", (file) => put(file, 0, "signed", "short"), /"full"/],
  ["no temporary key", (file) => put(file, 1, "tkey", "x"), /operation 2 .*temporary key/],
  [
    "one key twice",
    (file) => put(file, 1, "tkey", file.operations[0]?.["checkkey"]),
    /operation 2 .*that of an operation before it/,
  ],
  [
    "an operation without a name",
    (file) => put(file, 0, "operation", null),
    /null is no operation/,
  ],
  ["an operation that is null", (file) => ({ ...file, operations: [null, null] }), /JSON object/],
  ["a read", (file) => put(file, 0, "operation", "constructor"), /no operation that a group/],
  [
    "another actor",
    (file) => ({ ...file, actors: (file["actors"] as string[]).toReversed() }),
    /its actor is/,
  ],
  ["an actor of another kind", (file) => ({ ...file, actors: [{}, 1] }), /must be an address/],
  ["a signature of another kind", (file) => put(file, 0, "signature", "<b>"), /base64/],
] as const;

function put(file: Changed, index: number, name: string, value: unknown): unknown {
  const operations = file.operations.map((one, at) =>
    at === index ? { ...one, [name]: value } : one,
  );
  return { ...file, operations };
}

function swapped(file: Changed): unknown {
  const actors = (file["actors"] as unknown[]).toReversed();
  return { ...file, actors, operations: file.operations.toReversed() };
}

for (const [name, change, message] of HOSTILE) {
  test(`a group file with ${name} is refused before it can be shown or signed`, async () => {
    const group = await swap();
    await group.sign(alice);
    const file = structuredClone(group.toJSON()) as GroupFile as never as Changed;
    await assert.rejects(Group.from(change(file), moneta), { name: "GroupError", message });
  });
}

/** What an address has: amounts by token, units by item, and items. */
async function holdings({ address }: Actor): Promise<Map<string, bigint>> {
  const all = new Map<string, bigint>();
  for (const { token, balance } of await moneta.balance({ address })) {
    all.set(`token ${token}`, (all.get(`token ${token}`) ?? 0n) + balance);
  }
  for (const { kind, id } of (await moneta.addressItems({ address })).items) {
    if (kind === "mrc401") {
      all.set(`item ${id}`, 1n);
    }
  }
  for (const { mrc402, balance } of (await moneta.mrc402Holdings({ address })).items) {
    all.set(`units ${mrc402}`, balance);
  }
  return all;
}

function nameOf(thing: Thing): string {
  return `${thing.is} ${thing.is === "token" ? thing.token : thing.item}`;
}

/** Checks that what two people have afterwards is what the forecast said, and that it is this. */
async function doneAsForecast(group: Group, gives: readonly Thing[], gets: readonly Thing[]) {
  const before = new Map([[alice, await holdings(alice)] as const, [bob, await holdings(bob)]]);
  const forecast = await group.forecast();
  assert.equal(forecast.problem, undefined);
  assert.deepEqual(await holdings(alice), before.get(alice), "a forecast does nothing");
  const { gives: given, gets: gotten } = await group.effects(alice.address);
  assert.deepEqual({ gives: given, gets: gotten }, { gives, gets });
  await group.sign(bob);
  await group.sign(alice);
  const results = await group.submit();
  assert.equal(results.length, group.operations.length);
  assert.deepEqual(await group.submit(), results, "the same group is answered as the first time");
  assert.deepEqual(
    await moneta.groupTransactions({ id: group.id }),
    results.map(({ transaction_id }) => transaction_id),
  );
  for (const [actor, wanted] of before) {
    const effects = forecast.of(actor.address);
    for (const [things, sign] of [
      [effects.gives, -1n],
      [effects.gets, 1n],
    ] as const) {
      for (const thing of things) {
        const sum =
          (wanted.get(nameOf(thing)) ?? 0n) + sign * ("amount" in thing ? thing.amount : 1n);
        wanted.set(nameOf(thing), sum);
      }
    }
    const left = [...wanted].filter(([, amount]) => amount !== 0n).toSorted();
    const has = [...(await holdings(actor))].filter(([, amount]) => amount !== 0n).toSorted();
    assert.deepEqual(has, left);
  }
}

const coins = (amount: bigint): Thing => ({ is: "token", token: "0", amount });

describe("batches §2.11: everybody gives and gets what the forecast says", () => {
  let items: readonly string[];
  let mrc400id: string;
  let print: string;
  let gold: string;

  before(async () => {
    await moneta.faucet({ address: bob.address, amount: 1_000_000n });
    const page = "https://game.example";
    ({ mrc400id } = await bob.mrc400create({
      ...{ name: "Game", url: page, imageurl: page, allowtoken: "0", category: "game" },
      ...{ description: "d", data: "d", itemurl: `${page}/{id}`, itemimageurl: `${page}/{id}` },
    }));
    const itemdata = Array.from({ length: 4 }, () => ({ initial_reserve: 50n, sell_fee: "10" }));
    ({ mrc401ids: items } = await bob.mrc401create({ mrc400id, itemdata }));
    const initialreserve = { "0": 7n };
    ({ mrc402id: print } = await bob.mrc402create({
      ...{ name: "Print", totalsupply: 10n, url: page, imageurl: page, initialreserve },
    }));
    await alice.tokensave({ symbol: "GLD", name: "Gold", totalsupply: 1000n, decimal: 0 });
    ({ token: gold } = await alice.tokencreate());
  });

  const propose = (...all: readonly ProposedOperation[]): Promise<Group> =>
    Group.propose(moneta, all);

  test("tokens of two kinds for an item and units", async () => {
    const [sword = ""] = items;
    const [from, to] = [alice.address, bob.address];
    await doneAsForecast(
      await propose(
        { actor: from, operation: "transfer", to, token: gold, amount: 3n },
        { actor: from, operation: "transfer", to, token: 0, amount: 20n },
        { actor: to, operation: "mrc401transfer", mrc401id: sword, toAddr: from },
        { actor: to, operation: "mrc402transfer", mrc402id: print, toAddr: from, amount: 4n },
      ),
      [{ is: "token", token: gold, amount: 3n }, coins(20n)],
      [
        { is: "item", item: sword },
        { is: "units", item: print, amount: 4n },
      ],
    );
  });

  test("an item that is put on sale, bought in the next operation and melted in the last", async () => {
    const [, shield = ""] = items;
    const [from, to] = [alice.address, bob.address];
    await doneAsForecast(
      await propose(
        { actor: to, operation: "mrc401sell", itemdata: [{ id: shield, price: 30n, token: 0 }] },
        { actor: from, operation: "mrc401buy", mrc401id: shield, price: 30n, token: 0 },
        { actor: from, operation: "mrc401melt", mrc401id: shield },
      ),
      [],
      [coins(20n)],
    );
  });

  test("units that are issued and handed on, a request for tokens, an item that is made", async () => {
    const [from, to] = [alice.address, bob.address];
    const request = { mrc010id: gold, amount: 10n, price: 2n, token: 0, min_trade_unit: 1n };
    await doneAsForecast(
      await propose(
        { actor: to, operation: "mrc402mint", mrc402id: print, amount: 2n },
        { actor: to, operation: "mrc402transfer", mrc402id: print, toAddr: from, amount: 2n },
        { actor: from, operation: "mrc010reqsell", ...request },
        { actor: to, operation: "mrc401create", mrc400id, itemdata: [{ initial_reserve: 5n }] },
      ),
      [coins(20n)],
      [{ is: "units", item: print, amount: 2n }],
    );
  });

  test("tokens that their owner burns, and others that are issued, count once", async () => {
    const [from, to] = [alice.address, bob.address];
    await alice.tokensave({ symbol: "SLV", name: "Silver", totalsupply: 1n, decimal: 0 });
    const { token: silver } = await alice.tokencreate();
    await doneAsForecast(
      await propose(
        { actor: from, operation: "tokenburn", token: gold, amount: 4n },
        { actor: from, operation: "tokenincrease", token: silver, amount: 6n },
        { actor: to, operation: "transfer", to: from, token: 0, amount: 1n },
      ),
      [{ is: "token", token: gold, amount: 4n }],
      [{ is: "token", token: silver, amount: 6n }, coins(1n)],
    );
  });

  test("mrc401 §2.6: what owners may still change of items that are bought or handed on", async () => {
    const [, , held = ""] = items;
    const [from, to] = [alice.address, bob.address];
    const { mrc402dexid = "" } = await bob.mrc402sell({
      id: print,
      amount: 1n,
      price: 3n,
      token: 0,
    });
    const { mrc402ids } = await bob.mrc402create({
      mrc400id,
      itemdata: [{ totalsupply: 2n, transferable: "Temporary" }],
    });
    const [units = ""] = mrc402ids ?? [];
    const group = await propose(
      { actor: from, operation: "mrc402buy", id: mrc402dexid, amount: 1n, price: 3n, token: 0 },
      { actor: to, operation: "mrc401transfer", itemdata: [held, ITEM], toAddr: from },
      { actor: to, operation: "mrc402transfer", mrc402id: units, toAddr: from },
      { actor: to, operation: "mrc401update", mrc400id, itemdata: [{ id: held, melt_fee: "1" }] },
    );
    const highest = { meltFee: "99.9999", sellFee: "99.9999", mayBind: false };
    assert.deepEqual(await group.ownerPowers(), [
      { item: held, powers: highest },
      { item: ITEM, powers: "unknown" },
      { item: units, powers: { sellFee: "99.9999", mayBind: true } },
    ]);
  });

  test("what would be refused is said with its place, and is then refused as a whole", async () => {
    const [, , , kept = ""] = items;
    const [from, to] = [alice.address, bob.address];
    const group = await propose(
      { actor: to, operation: "mrc401transfer", mrc401id: kept, toAddr: from },
      { actor: from, operation: "transfer", to, token: 0, amount: 10n ** 15n },
    );
    const forecast = await group.forecast();
    assert.deepEqual([forecast.problem?.code, forecast.problem?.index], ["5001", 1]);
    assert.deepEqual(forecast.of(from).gets, [{ is: "item", item: kept }]);
    await group.sign(alice);
    await group.sign(bob);
    await assert.rejects(group.submit(), { name: "ProblemError", code: "5001", index: 1 });
    assert.equal((await moneta.mrc401({ mrc401id: kept })).holder, to);
  });
});
