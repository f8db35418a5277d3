import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  type Address,
  type Block,
  canonicalJson,
  type LedgerOperation,
  operationText,
  parseTransactionId,
} from "@moneta/protocol";
import { InvalidBlock } from "./chain/invalid-block.ts";
import type { SignatureClaim } from "./replay.ts";
import { derivedId } from "./state/ids/derived-id.ts";
import { type AdmittedGroup, admittedGroup, type Request } from "./testing/admitted.ts";
import { TestClient } from "./testing/test-client.ts";
import { assertReplaysAlike, replay, TestLedger } from "./testing/test-ledger.ts";
import { createItems, createProject, createToken } from "./testing/trade/creations.ts";
import { reserveOf } from "./testing/trade/token-drafts.ts";

// Source: batches §2.

let client: TestClient;
let a: Address;
let b: Address;
let c: Address;
/** A token that A has 10 of, and an item of B. */
let x: string;
let s: string;
before(async () => {
  client = await TestClient.open();
  ({ a, b, c } = await client.people(["a", "b", "c"], { coins: 10_000n }));
  x = await createToken(client, c, { name: "X", totalsupply: "100000" });
  const project = await createProject(client, c);
  [s] = (await createItems(client, project, c, { item_id: "" })) as [string];
  await client.done("mrc401transfer", c, { mrc401id: s, fromAddr: c, toAddr: b });
});
after(() => client[Symbol.dispose]());

/** A pays `amount` of X for S of B. */
function swap(amount = "10"): readonly Request[] {
  return [
    ["transfer", a, { to: b, token: x, amount }],
    ["mrc401transfer", b, { mrc401id: s, fromAddr: b, toAddr: a }],
  ];
}

describe("a swap", () => {
  test("batches §2.3: without enough funds it is refused, nothing happens, and both keys stay unused", async () => {
    const [pay, hand] = swap() as [Request, Request];
    const group = admittedGroup(client.ledger, [pay, hand]);
    const answer = await client.sendGroup(group);
    assert.equal(answer.summary, "0: 400 5001");
    client.assertEntry(s, { holder: b });
    const [checkkey = "", tkey = ""] = group.tkeys;
    await client.done("transfer", a, { to: b, token: "0", amount: "1", checkkey });
    await client.done("transfer", b, { to: a, token: "0", amount: "1", checkkey: tkey });
  });

  test("batches §2.3: with the item on sale the second is to blame, and the first has not happened", async () => {
    await client.pay(a, 10n, { token: x, from: c });
    await client.done("mrc401sell", b, { itemdata: [{ id: s, price: "5", token: "0" }] });
    assert.equal((await client.group(swap())).summary, "1: 409 7108 mrc401id");
    assert.equal(client.held(a, x), "10");
    await client.done("mrc401unsell", b, { itemdata: [s] });
  });

  test("batches §2.3: both happen in one block, one behind the other, each as if it had been sent alone", async () => {
    const answer = await client.group(swap());
    assert.equal(answer.summary, "done");
    const places = answer.ids.map((id) => parseTransactionId(id));
    const sn = client.ledger.ledger.head.height;
    assert.deepEqual(
      places.map((place) => [place?.height, place?.position]),
      [
        [sn, 0],
        [sn, 1],
      ],
    );
    assert.equal(client.held(b, x), "10");
    client.assertEntry(s, { holder: a });
    for (const [index, id] of answer.ids.entries()) {
      const record = client.ledger.record(id);
      assert.deepEqual(record.group, { id: answer.id, index, count: 2 });
      assert.equal(record.type, ["transfer", "mrc401transfer"][index]);
    }
    const { reader } = client.ledger;
    client.ledger.reading(() => {
      assert.deepEqual(reader.groupTransactions(answer.id), answer.ids);
      assert.equal(reader.groupTransactions("0".repeat(64)), undefined);
    });
  });

  test("batches §2.7: the same group again gets the first answer, also after its item has moved on", async () => {
    const group = admittedGroup(client.ledger, [
      ["transfer", b, { to: a, token: x, amount: "10" }],
      ["mrc401transfer", a, { mrc401id: s, fromAddr: a, toAddr: b }],
    ]);
    const first = await client.sendGroup(group);
    assert.equal(first.summary, "done");
    const again = await client.sendGroup(group);
    assert.deepEqual([again.summary, again.ids], ["repeat", first.ids]);
    await client.done("mrc401transfer", b, { mrc401id: s, fromAddr: b, toAddr: c });
    await client.done("mrc401transfer", c, { mrc401id: s, fromAddr: c, toAddr: b });
    const later = await client.sendGroup(group);
    assert.deepEqual([later.summary, later.ids], ["repeat", first.ids]);
    // In one batch, too: the second is a repeat of the first.
    const twice = admittedGroup(client.ledger, [
      ["transfer", a, { to: b, token: "0", amount: "1" }],
      ["transfer", b, { to: a, token: "0", amount: "1" }],
    ]);
    const { outcomes } = await client.ledger.execute(twice.texts, twice.texts);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ["done", "repeat"],
    );
  });

  test("batches §2.7: of two groups that share a key, at once, one is done and the other is 2021 at its place", async () => {
    const tkey = client.ledger.key(b);
    const [one, two] = ["1", "2"].map((amount) =>
      admittedGroup(client.ledger, [
        ["transfer", a, { to: b, token: "0", amount }],
        ["transfer", b, { to: a, token: "0", amount, checkkey: tkey }],
      ]),
    ) as [AdmittedGroup, AdmittedGroup];
    const { outcomes } = await client.ledger.execute(one.texts, two.texts);
    assert.equal(outcomes[0]?.kind, "done");
    assert.deepEqual(outcomes[1], {
      kind: "refused",
      index: 1,
      fault: { code: "2021", parameter: "checkkey" },
    });
  });

  test("batches §2.7: one operation of a group that was done, sent in another group, is 2021", async () => {
    const checkkey = client.ledger.key(a);
    const payment: Request = ["transfer", a, { to: b, token: "0", amount: "1", checkkey }];
    const other = (amount: string): Request => ["transfer", b, { to: a, token: "0", amount }];
    assert.equal((await client.group([payment, other("1")])).summary, "done");
    assert.equal((await client.group([payment, other("2")])).summary, "0: 409 2021 checkkey");
    assert.equal((await client.group([other("2"), payment])).summary, "1: 409 2021 checkkey");
  });

  test("batches §2.11: whoever uses a key for something else has taken the signature back", async () => {
    const group = admittedGroup(client.ledger, [
      ["transfer", a, { to: b, token: "0", amount: "1" }],
      ["transfer", b, { to: a, token: "0", amount: "1" }],
    ]);
    await client.done("transfer", b, {
      to: c,
      token: "0",
      amount: "1",
      checkkey: group.tkeys[1] ?? "",
    });
    assert.equal((await client.sendGroup(group)).summary, "1: 409 2021 checkkey");
  });
});

describe("the checks of a group", () => {
  test("batches §2.10: keys are checked before anything is executed, each group's twice-used one first", async () => {
    const poor: Request = ["transfer", a, { to: b, token: "0", amount: "1000000000" }];
    const checkkey = client.ledger.key(b);
    const twice: Request = ["transfer", b, { to: a, token: "0", amount: "1", checkkey }];
    assert.equal((await client.group([poor, twice, twice])).summary, "2: 409 2021 checkkey");
    const expired: Request = [
      "transfer",
      b,
      { to: a, token: "0", amount: "1", checkkey: client.ledger.key(b, client.now - 1) },
    ];
    assert.equal((await client.group([poor, expired])).summary, "1: 401 2020 checkkey");
    assert.equal(
      (await client.group([poor, ["transfer", b, { to: a, token: "0", amount: "1" }]])).summary,
      "0: 400 5001",
    );
  });

  test("batches §2.3: the rule's actor must be the address that the key was issued to, else 2010", async () => {
    const group = admittedGroup(client.ledger, swap());
    const texts = group.texts.map((text, index) =>
      index === 0 ? operationText({ ...(JSON.parse(text) as LedgerOperation), actor: c }) : text,
    );
    const stranger = texts.map((text, index) => {
      const operation = JSON.parse(text) as LedgerOperation;
      const params =
        index === 0 ? { ...operation.params, checkkey: client.ledger.key(c) } : operation.params;
      return operationText({ ...operation, params });
    });
    assert.equal(
      (await client.sendGroup({ ...group, texts: stranger })).summary,
      "0: 401 2010 signature",
    );
  });

  test("batches §2.12: debits merge together at most 2,000 amounts", async () => {
    const { rich, poor } = await client.people(["rich", "poor"]);
    const at = client.now + 10;
    for (let from = 0; from < 2100; from += 100) {
      const transferlist = Array.from({ length: 100 }, (_, index) => ({
        address: rich,
        amount: "1",
        unlockdate: String(at + from + index),
      }));
      await client.done("multitransfer", client.ledger.treasury, { transferlist, token: "0" });
    }
    client.now = at + 2100;
    const pay = (amount: number): Request => [
      "transfer",
      rich,
      { to: poor, token: "0", amount: String(amount) },
    ];
    assert.equal((await client.group([pay(1500), pay(501)])).summary, "1: 400 5001");
    assert.equal((await client.group([pay(1500), pay(500)])).summary, "done");
    assert.equal(client.held(poor), "2000");
  });
});

describe("batches §2.12: the reserves of the tokens that a group creates", () => {
  const save = (owner: Address, count: number): Request => {
    const reserve = reserveOf(...Array.from({ length: count }, () => [c, "1"] as const));
    return ["tokensave", owner, { name: "Gold", symbol: "GLD", totalsupply: "100", reserve }];
  };

  test("have together at most 100 entries, as that of one token has", async () => {
    const { one, two } = await client.people(["one", "two"]);
    const creations: readonly Request[] = [
      ["tokencreate", one],
      ["tokencreate", two],
    ];
    for (const [count, reported] of [
      [41, "1: 400 3002 reserve"],
      [40, "done"],
    ] as const) {
      await client.block([save(one, 60), save(two, count)]);
      assert.equal((await client.group(creations)).summary, reported);
    }
    // Outside of groups each token has its own.
    const named = [one, two].map((owner): Request => {
      return ["tokencreate", owner, {}, { decided: { name: "Gold" } }];
    });
    const alone = await client.block([save(one, 100), save(two, 100), ...named]);
    assert.deepEqual(new Set(alone.map(({ summary: reported }) => reported)), new Set(["done"]));
  });

  test("count apart from its lists: a draft may be saved and created in one group", async () => {
    const { one } = await client.people(["one"]);
    assert.equal((await client.group([save(one, 100), ["tokencreate", one]])).summary, "done");
  });
});

type Four = [Address, Address, Address, Address];
type Sixteen = [...Four, ...Four, ...Four, ...Four];

describe("what operations of a group see", () => {
  test("batches §2.3: A sells and B buys in the next operation", async () => {
    const tkey = client.ledger.key(c);
    const dexid = derivedId("DEX010", c, tkey);
    const answer = await client.group([
      ["mrc010sell", c, { mrc010id: x, amount: "20", price: "3", token: "0", tkey }],
      ["mrc010buy", a, { dexid, amount: "20" }],
    ]);
    assert.equal(answer.summary, "done");
    assert.deepEqual(answer.made, [dexid]);
    client.assertEntry(dexid, { state: "sold" });
    // The listing is new in the first record, and only what the purchase has changed in the second.
    const [sell, buy] = answer.ids.map((id) =>
      client.ledger.record(id).effects.find(({ item }) => item === dexid),
    );
    assert.ok(Object.keys(sell?.values ?? {}).length > Object.keys(buy?.values ?? {}).length);
  });

  test("batches §2.8: one actor buys an item and hands it on, or creates one and puts it on sale", async () => {
    await client.done("mrc401sell", b, { itemdata: [{ id: s, price: "5", token: "0" }] });
    const bought = await client.group([
      ["mrc401buy", a, { mrc401id: s }],
      ["mrc401transfer", a, { mrc401id: s, fromAddr: a, toAddr: c }],
    ]);
    assert.equal(bought.summary, "done");
    client.assertEntry(s, { holder: c });
  });

  test("batches §2.3: tokencreate takes the newest draft that its owner has at its place, which the block says", async () => {
    await client.done("tokensave", b, { symbol: "OLD", name: "Old", totalsupply: "5" });
    const answer = await client.group([
      ["tokensave", b, { symbol: "NEW", name: "New", totalsupply: "7" }],
      ["tokencreate", b],
    ]);
    assert.equal(answer.summary, "done");
    const [, text = ""] = client.ledger.newestBlock.operations;
    assert.deepEqual((JSON.parse(text) as LedgerOperation).decided, { name: "New" });
    assert.deepEqual(client.ledger.record(answer.ids[1] ?? "").parameters.slice(1, 4), [
      b,
      "NEW",
      "New",
    ]);
    assert.equal(
      (
        await client.group([
          ["tokencreate", b],
          ["tokencreate", b],
        ])
      ).summary,
      "1: 404 6010",
    );
  });

  test("batches §2: 16 operations of 16 actors", async () => {
    const names = Array.from({ length: 16 }, (_, n) => `p${n}`);
    const people = Object.values(await client.people(names, { coins: 1000n }));
    const [p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15] =
      people as Sixteen;
    for (const holder of [p5, p7, p12]) {
      await client.pay(holder, 100n, { token: x, from: c });
    }
    const project = await createProject(client, c);
    const [sword, shield] = (await createItems(client, project, c, {}, {})) as [string, string];
    for (const [item, to] of [
      [sword, p8],
      [shield, p9],
    ] as const) {
      await client.done("mrc401transfer", c, {
        mrc401id: item,
        fromAddr: c,
        toAddr: to,
      });
    }
    await client.done("tokensave", p11, { symbol: "P", name: "P", totalsupply: "9" });
    const prints = await client.make("mrc402create", p14, {
      ...{ name: "Print", url: "https://a.example/", imageurl: "https://a.example/i.png" },
      totalsupply: "10",
    });
    const [listing, units] = [client.ledger.key(p5), client.ledger.key(p14)];
    const requests: readonly Request[] = [
      ["transfer", p0, { to: p1, token: "0", amount: "1" }],
      [
        "multitransfer",
        p1,
        { token: "0", transferlist: [{ address: p0, amount: "2", unlockdate: "0" }] },
      ],
      ["tokensave", p2, { symbol: "Q", name: "Q", totalsupply: "9" }],
      ["tokencreate", p11],
      ["mrc010sell", p5, { mrc010id: x, amount: "20", price: "3", token: "0", tkey: listing }],
      ["mrc010buy", p12, { dexid: derivedId("DEX010", p5, listing), amount: "20" }],
      ["mrc010reqsell", p6, { mrc010id: x, amount: "2", price: "3", token: "0" }],
      ["mrc010auction", p7, { mrc010id: x, amount: "2", auction_start_price: "3", token: "0" }],
      ["mrc401sell", p8, { itemdata: [{ id: sword, price: "5", token: "0" }] }],
      ["mrc401buy", p13, { mrc401id: sword }],
      ["mrc401transfer", p9, { mrc401id: shield, fromAddr: p9, toAddr: p3 }],
      ["mrc401melt", p3, { mrc401id: shield }],
      ["mrc402sell", p14, { id: prints, amount: "4", price: "3", token: "0", tkey: units }],
      [
        "mrc402buy",
        p15,
        { id: derivedId("DEX402", p14, units, "0"), amount: "4", price: "3", token: "0" },
      ],
      [
        "mrc402create",
        p4,
        { name: "Own", url: "https://a.example/", imageurl: "https://a.example/i.png" },
      ],
      ["transfer", p10, { to: p4, token: "0", amount: "1000" }],
    ];
    const answer = await client.group(requests);
    assert.equal(answer.summary, "done");
    assert.equal(answer.ids.length, 16);
    assert.equal(new Set(requests.map(([, by]) => by)).size, 16);
  });

  test("replaying the blocks and making all that follows from them anew come to the same", () => {
    assertReplaysAlike(client.ledger);
  });
});

describe("a block with groups", () => {
  let ledger: TestLedger;
  let from: Address;
  let to: Address;
  /** One in the raw form, of nothing. */
  const signature = Buffer.alloc(64, 1).toString("base64");
  before(async () => {
    ledger = await TestLedger.begin({ supply: "1000000" });
    [from, to] = (await ledger.createAddresses(2)) as [Address, Address];
    await ledger.done(
      ledger.transfer({ from: ledger.treasury, to: from, amount: "1000", signature }),
    );
  });
  after(() => ledger[Symbol.dispose]());

  function payments(...amounts: readonly string[]): readonly string[] {
    const pay = (amount: string): Request => [
      "transfer",
      from,
      { to, token: "0", amount, signature },
    ];
    return admittedGroup(ledger, amounts.map(pay)).texts;
  }

  /** The place that replay stops at when the next block holds these operations. */
  function stopsAt(operations: readonly string[]): string {
    const head = ledger.newestBlock;
    const header = { ...head.header, sn: head.header.sn + 1, previous: head.id };
    try {
      replay([...ledger.blocks, { header, id: "", operations } as Block]);
      return "nowhere";
    } catch (thrown) {
      assert(thrown instanceof InvalidBlock);
      assert.equal(thrown.height, header.sn);
      return `${thrown.position}: ${thrown.reason}`;
    }
  }

  const OTHERS = "it begins a group whose id is that of other operations";

  test("batches §2.5: one whose last member is missing, or whose order is wrong, or with a stranger between is invalid, and the transaction is named", () => {
    const [one = "", two = "", three = ""] = payments("1", "2", "3");
    const alone = ledger.transfer({ from, to, amount: "4" });
    // What is whole passes: only the header, which no one has computed, is wrong then.
    assert.match(stopsAt([alone, one, two, three]), /^undefined: its header/);
    assert.equal(stopsAt([alone, one, two]), `1: ${OTHERS}`);
    assert.equal(stopsAt([one, three, two]), `0: ${OTHERS}`);
    assert.equal(stopsAt([two, three]), `0: ${OTHERS}`);
    assert.equal(stopsAt([one, two, alone, three]), `0: ${OTHERS}`);
    assert.equal(
      stopsAt([alone, one, alone, two, three]),
      "1: it begins a group of 1 operations, not of 2 to 16",
    );
  });

  test("batches §2.5: two groups may stand next to each other, and each must be whole", () => {
    const [first, second] = [payments("1", "2"), payments("3", "4")];
    assert.match(stopsAt([...first, ...second]), /^undefined: its header/);
    assert.equal(
      stopsAt([...first, ...second.slice(1)]),
      "2: it begins a group of 1 operations, not of 2 to 16",
    );
    assert.match(stopsAt([...first, ...first]), /^0: it begins a group whose id/);
  });

  test("batches §2.1: 17 operations are no group, whatever their id is", () => {
    const many = payments(...Array.from({ length: 17 }, () => "1"));
    assert.equal(stopsAt(many), "0: it begins a group of 17 operations, not of 2 to 16");
    assert.match(stopsAt(payments(...Array.from({ length: 16 }, () => "1"))), /^undefined: /);
  });

  test("batches §2.5: a changed parameter, a short signature and an operation that groups do not take are found", () => {
    const [one = "", two = ""] = payments("1", "2");
    assert.equal(stopsAt([one, two.replace('"amount":"2"', '"amount":"9"')]), `0: ${OTHERS}`);
    const short = [one, two].map((text) => text.replace(',"signed":"full"', ""));
    assert.equal(stopsAt(short), "0: it names a group, in which it cannot be");
    const unsigned = JSON.parse(ledger.addressOperation(ledger.drawAddress())) as LedgerOperation;
    const params = {
      ...unsigned.params,
      group: (JSON.parse(one) as LedgerOperation).params["group"] ?? "",
    };
    assert.equal(
      stopsAt([operationText({ ...unsigned, params })]),
      "0: it does not hold just what its description asks for",
    );
  });

  test("batches §2.12: lists that have more than 100 entries together are found", () => {
    const list = (count: number): Request => [
      "multitransfer",
      from,
      {
        token: "0",
        transferlist: Array.from({ length: count }, () => ({
          address: to,
          amount: "1",
          unlockdate: "0",
        })),
      },
    ];
    const group = (...counts: readonly number[]): readonly string[] =>
      admittedGroup(ledger, counts.map(list)).texts;
    assert.match(stopsAt(group(40, 60)), /^undefined: its header/);
    assert.match(
      stopsAt(group(40, 60, 1)),
      /^2: transferlist brings the lists of the group to 101/,
    );
  });

  test("batches §2.3: a token whose draft is not the newest at its place is found", async () => {
    const group = admittedGroup(ledger, [
      ["tokensave", from, { name: "One", symbol: "O", totalsupply: "5" }],
      ["tokensave", from, { name: "Two", symbol: "T", totalsupply: "5" }],
      ["tokencreate", from],
    ]);
    const decided = (name: string): readonly string[] =>
      group.texts.map((text, index) =>
        index < 2
          ? text
          : operationText({ ...(JSON.parse(text) as LedgerOperation), decided: { name } }),
      );
    assert.match(stopsAt(decided("Two")), /^undefined: its header/);
    assert.match(stopsAt(decided("One")), /decided at its place/);
  });

  test("chain §6.5: each of its signatures is handed over, with the full string that its signer signed", async () => {
    const group = payments("1", "2");
    const { outcomes } = await ledger.execute(group);
    assert.equal(outcomes[0]?.kind, "done");
    const claims: SignatureClaim[] = [];
    replay(ledger.blocks, (claim) => claims.push(claim));
    const { sn } = ledger.newestBlock.header;
    const ours = claims.filter(({ height }) => height === sn);
    assert.deepEqual(
      ours.map(({ position, signedTexts }) => [position, signedTexts]),
      group.map((text, position) => {
        const { params } = JSON.parse(text) as LedgerOperation;
        return [position, [`moneta|1|${ledger.id}|transfer|${canonicalJson(params)}`]];
      }),
    );
  });
});
