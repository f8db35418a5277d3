import assert from "node:assert/strict";
import { createHash, verify } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { TestNode } from "../../node/testing/test-node.ts";
import {
  type Actor,
  Moneta,
  Proposal,
  type ProposalFile,
  type ProposalOperation,
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
async function swap(options?: { readonly validSeconds?: number }): Promise<Proposal> {
  return await Proposal.propose(
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
  const proposal = await swap();
  const [paid, passed] = proposal.operations as [ProposalOperation, ProposalOperation];
  const keyOf = (name: string, { params }: ProposalOperation): string => params[name] as string;
  const json = `[["transfer",{"amount":"2","checkkey":"${keyOf("checkkey", paid)}","from":"${alice.address}","signed":"full","to":"${bob.address}","token":"0"}],["mrc401transfer",{"fromAddr":"${bob.address}","mrc401id":"${ITEM}","signed":"full","tkey":"${keyOf("tkey", passed)}","toAddr":"${alice.address}"}]]`;
  const text = `moneta-group|1|${await moneta.ledgerId()}|${json}`;
  assert.equal(proposal.id, createHash("sha256").update(text).digest("hex"));
  assert.deepEqual(proposal.signers, [alice.address, bob.address]);
});

test("batches §2.9: keys are requested for the time that the parties need; above an hour it warns", async () => {
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
  await assert.rejects(first.submit(), { name: "ProposalError", message: new RegExp(bob.address) });
  const proposal = await Proposal.from(JSON.stringify(first), moneta);
  assert.deepEqual(proposal.operations, first.operations);
  await proposal.sign(bob);
  assert.deepEqual(proposal.missing, []);
  assert.deepEqual(await Proposal.from(proposal.toJSON(), moneta).then((one) => one.toJSON()), {
    ...proposal.toJSON(),
  });
  const { operation, params, signatures } = proposal.operations[0] as ProposalOperation;
  const members = Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const signed = `moneta|1|${proposal.ledgerId}|${operation}|${JSON.stringify(Object.fromEntries(members))}`;
  assert.equal(params["group"], proposal.id);
  const publicKey = { key: key.publicKeyPem, dsaEncoding: "ieee-p1363" } as const;
  assert.ok(
    verify(
      "sha256",
      Buffer.from(signed),
      publicKey,
      Buffer.from(signatures["signature"] ?? "", "base64"),
    ),
  );
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
    const bidding = async (guards: object): Promise<Proposal> =>
      await Proposal.propose(moneta, [
        { actor: alice.address, operation, ...lot, amount: 1n, ...guards },
        { actor: bob.address, operation: "transfer", to: alice.address, token: 0, amount: 1n },
      ]);
    const proposal = await bidding({});
    assert.deepEqual(proposal.warnings()[0], { is: "unguarded", index: 0, missing });
    await assert.rejects(proposal.sign(alice), { name: "ProposalError", index: 0 });
    const safe = await bidding(guarded);
    await safe.sign(alice);
    assert.deepEqual(safe.missing, [bob.address]);
  });
}

test("what an accepted offer pays depends on the fees of then", async () => {
  const accepted = { actor: alice.address, atleast: 1n };
  const proposal = await Proposal.propose(moneta, [
    { ...accepted, operation: "mrc401acceptoffer", offerid: `OFF401_${"0".repeat(33)}` },
    {
      ...{ ...accepted, operation: "mrc402acceptoffer", amount: 1n },
      offerid: `OFF402_${"0".repeat(33)}`,
    },
  ]);
  assert.deepEqual(
    proposal.warnings(),
    [0, 1].map((index) => ({ is: "open", index, depends: ["fees"] })),
  );
});

test("an address without an operation cannot sign, nor can another ledger's", async () => {
  const carol = await moneta.createAddress(key);
  await assert.rejects((await swap()).sign(carol), /signs no operation of this proposal/);
  const other = new Moneta(node.url, { ledgerId: "f".repeat(64) });
  await assert.rejects((await swap()).sign(other.actor(alice.address, key)), /another ledger/);
  await assert.rejects(Proposal.from((await swap()).toJSON(), other), /for the ledger/);
});

for (const operation of ["mrc401buy", "mrc402buy"]) {
  test(`batches §2.11: ${operation} without its guards is not signed`, async () => {
    const item = operation === "mrc401buy" ? { mrc401id: ITEM } : { id: "MRC402_1", amount: 1n };
    const buying = async (guards: object): Promise<Proposal> =>
      await Proposal.propose(moneta, [
        { actor: alice.address, operation, ...item, ...guards },
        { actor: bob.address, operation: "transfer", to: alice.address, token: 0, amount: 1n },
      ]);
    for (const [guards, missing] of [
      [{}, ["price", "token"]],
      [{ price: 5n }, ["token"]],
      [{ token: 0 }, ["price"]],
    ] as const) {
      const proposal = await buying(guards);
      assert.deepEqual(proposal.warnings(), [
        { is: "unguarded", index: 0, missing },
        { is: "open", index: 0, depends: ["fees"] },
      ]);
      await assert.rejects(proposal.sign(alice), {
        name: "ProposalError",
        index: 0,
        message: /would pay any price/,
      });
      await proposal.sign(bob);
      assert.deepEqual(proposal.missing, [alice.address]);
    }
    const proposal = await buying({ price: 5n, token: 0 });
    await proposal.sign(alice);
    assert.deepEqual(proposal.missing, [bob.address]);
  });
}

test("what cannot be proposed is refused before a key is requested", async () => {
  const one = {
    actor: alice.address,
    operation: "transfer",
    to: bob.address,
    token: 0,
    amount: 1n,
  };
  const refused = async (second: object, message: RegExp): Promise<void> => {
    const proposed = [one, second as typeof one];
    await assert.rejects(Proposal.propose(moneta, proposed), { name: "ProposalError", message });
  };
  await assert.rejects(Proposal.propose(moneta, []), /1 to 16 operations, and not 0/);
  await assert.rejects(Proposal.propose(moneta, Array(17).fill(one)), /and not 17/);
  for (const operation of ["faucet", "address", "nonce", "protocol", "toString", "nothing"]) {
    await refused({ ...one, operation }, /operation 2: .*no operation that can be proposed/);
  }
  await refused({ ...one, ammount: 1n }, /ammount/);
  await refused({ ...one, group: "x" }, /group/);
  await refused({ ...one, actor: "Bob" }, /must be an address/);
  await refused({ ...one, from: bob.address }, /its signer is/);
});

type Changed = { [name: string]: unknown; operations: Record<string, unknown>[] };

/** Changes that a stranger may make to a file, and the messages that refuse them. */
const HOSTILE: readonly (readonly [
  name: string,
  change: (file: Changed) => unknown,
  message: RegExp,
])[] = [
  ["no JSON", () => "{", /no JSON text/],
  ["a list", () => [], /no JSON object/],
  ["null", () => "null", /no JSON object/],
  ["5 MiB", () => `"${"x".repeat(5 << 20)}"`, /more than 4194304/],
  ["an amount changed", (file) => put(file, 0, "amount", "1"), /one of them was changed/],
  ["a payee changed", (file) => put(file, 0, "to", file["signers"]), /must be a text/],
  ["operations swapped", swapped, /one of them was changed/],
  [
    "one left out",
    (file) => ({
      ...file,
      operations: file.operations.slice(1),
      signers: (file["signers"] as unknown[]).slice(1),
    }),
    /the others are missing/,
  ],
  ["signers left out", (file) => ({ ...file, signers: [] }), /one of "signers" as long/],
  ["operations an object", (file) => ({ ...file, operations: { length: 2 } }), /a list/],
  ["another group", (file) => put(file, 1, "group", "0".repeat(64)), /one of them was changed/],
  ["another ledger", (file) => ({ ...file, ledger_id: "0".repeat(64) }), /for the ledger "000/],
  ["an unknown parameter", (file) => put(file, 0, "fee", "1"), /no parameter "fee"/],
  ["__proto__", (file) => JSON.stringify(file).replace('"to"', '"__proto__"'), /"__proto__"/],
  ["a number", (file) => put(file, 0, "amount", 2), /amount must be a text/],
  ["an empty text", (file) => put(file, 0, "memo", ""), /memo must be a text, and not empty/],
  ["half a surrogate", (file) => put(file, 0, "memo", "\ud800"), /memo must be a text/],
  ["a short signature", (file) => put(file, 0, "signed", "short"), /"full"/],
  ["no temporary key", (file) => put(file, 1, "tkey", "x"), /operation 2: .*temporary key/],
  [
    "one key twice",
    (file) => put(file, 1, "tkey", file.operations[0]?.["checkkey"]),
    /operation 2: .*that of another signature before it/,
  ],
  [
    "an operation without a name",
    (file) => put(file, 0, "operation", null),
    /null is no operation/,
  ],
  ["an operation that is null", (file) => ({ ...file, operations: [null, null] }), /JSON object/],
  ["a read", (file) => put(file, 0, "operation", "constructor"), /no operation that can be/],
  [
    "another signer",
    (file) => ({ ...file, signers: (file["signers"] as string[]).toReversed() }),
    /its signer is/,
  ],
  ["signers of another kind", (file) => ({ ...file, signers: [[{}], 1] }), /list of addresses/],
  ["no address", (file) => ({ ...file, signers: [["MT"], ["MT"]] }), /must be an address/],
  ["too many signers", tooManySigners, /needs one signer/],
  ["a signature of another kind", (file) => put(file, 0, "signature", "<b>"), /base64/],
] as const;

function put(file: Changed, index: number, name: string, value: unknown): unknown {
  const operations = file.operations.map((one, at) =>
    at === index ? { ...one, [name]: value } : one,
  );
  return { ...file, operations };
}

function swapped(file: Changed): unknown {
  const signers = (file["signers"] as unknown[]).toReversed();
  return { ...file, signers, operations: file.operations.toReversed() };
}

function tooManySigners(file: Changed): unknown {
  const [one] = file["signers"] as [string[]];
  return { ...file, signers: [[...one, bob.address], [bob.address]] };
}

for (const [name, change, message] of HOSTILE) {
  test(`a file with ${name} is refused before it can be shown or signed`, async () => {
    const proposal = await swap();
    await proposal.sign(alice);
    const file = structuredClone(proposal.toJSON()) as ProposalFile as never as Changed;
    await assert.rejects(Proposal.from(change(file), moneta), { name: "ProposalError", message });
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

/** Checks that what two people have afterwards is what the forecast was, and that it is this. */
async function doneAsForecast(proposal: Proposal, gives: readonly Thing[], gets: readonly Thing[]) {
  const before = new Map([[alice, await holdings(alice)] as const, [bob, await holdings(bob)]]);
  const forecast = await proposal.forecast();
  assert.equal(forecast.problem, undefined);
  assert.deepEqual(await holdings(alice), before.get(alice), "a forecast does nothing");
  const { gives: given, gets: gotten } = await proposal.effects(alice.address);
  assert.deepEqual({ gives: given, gets: gotten }, { gives, gets });
  await proposal.sign(bob);
  await proposal.sign(alice);
  const results = await proposal.submit();
  assert.equal(results.length, proposal.operations.length);
  assert.deepEqual(
    await proposal.submit(),
    results,
    "the same group is answered as the first time",
  );
  assert.deepEqual(
    await moneta.groupTransactions({ id: proposal.id }),
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

test("one operation is proposed by one person, signed by another, submitted by a third", async () => {
  const payment = { operation: "transfer", to: bob.address, token: 0, amount: 3n };
  const proposal = await Proposal.propose(moneta, [{ ...payment, from: alice.address }]);
  assert.deepEqual(proposal.signers, [alice.address]);
  assert.equal(await proposal.transactions(), undefined);
  const { gives } = await proposal.effects(alice.address);
  assert.deepEqual(gives, [coins(3n)]);
  await proposal.sign(alice);
  const received = await Proposal.from(JSON.stringify(proposal), moneta);
  const [sent, ...others] = await received.submit();
  assert.deepEqual(others, []);
  assert.deepEqual(await received.submit(), [sent]);
  assert.deepEqual(await received.transactions(), [sent?.transaction_id]);
});

test("a group is withdrawn by a signer until it is done", async () => {
  const pay = {
    actor: alice.address,
    operation: "transfer",
    to: bob.address,
    token: 0,
    amount: 1n,
  };
  const proposal = await Proposal.propose(moneta, [
    { ...pay, actor: alice.address, to: bob.address },
    { ...pay, actor: bob.address, to: alice.address },
  ]);
  await proposal.sign(alice);
  await proposal.sign(bob);
  await proposal.withdraw(alice);
  await assert.rejects(proposal.submit(), { name: "ProblemError", code: "2021" });
  assert.equal(await proposal.transactions(), undefined);
  const alone = await Proposal.propose(moneta, [{ ...pay, from: alice.address, to: bob.address }]);
  await assert.rejects(
    alone.withdraw(alice),
    /no other address signs it: it ends when its temporary key expires/,
  );
});

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

  const propose = (...all: readonly ProposedOperation[]): Promise<Proposal> =>
    Proposal.propose(moneta, all);

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
    const proposal = await propose(
      { actor: from, operation: "mrc402buy", id: mrc402dexid, amount: 1n, price: 3n, token: 0 },
      { actor: to, operation: "mrc401transfer", itemdata: [held, ITEM], toAddr: from },
      { actor: to, operation: "mrc402transfer", mrc402id: units, toAddr: from },
      { actor: to, operation: "mrc401update", mrc400id, itemdata: [{ id: held, melt_fee: "1" }] },
    );
    const highest = { meltFee: "99.9999", sellFee: "99.9999", mayBind: false };
    assert.deepEqual(await proposal.ownerPowers(), [
      { item: held, powers: highest },
      { item: ITEM, powers: "unknown" },
      { item: units, powers: { sellFee: "99.9999", mayBind: true } },
    ]);
  });

  test("the forecast of a refusal has its place, and the proposal is then refused as a whole", async () => {
    const [, , , kept = ""] = items;
    const [from, to] = [alice.address, bob.address];
    const proposal = await propose(
      { actor: to, operation: "mrc401transfer", mrc401id: kept, toAddr: from },
      { actor: from, operation: "transfer", to, token: 0, amount: 10n ** 15n },
    );
    const forecast = await proposal.forecast();
    assert.deepEqual([forecast.problem?.code, forecast.problem?.index], ["5001", 1]);
    assert.deepEqual(forecast.of(from).gets, [{ is: "item", item: kept }]);
    await proposal.sign(alice);
    await proposal.sign(bob);
    await assert.rejects(proposal.submit(), { name: "ProblemError", code: "5001", index: 1 });
    assert.equal((await moneta.mrc401({ mrc401id: kept })).holder, to);
  });
});
