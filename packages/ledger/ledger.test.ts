import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Address,
  canonicalJson,
  NATIVE_COIN,
  parseTemporaryKey,
  parseTransactionId,
  type RecordPart,
  type TemporaryKey,
  transactionId,
} from "@moneta/protocol";
import { openForWriting } from "./database.ts";
import { Ledger } from "./ledger.ts";
import { sha256 } from "./sha256.ts";
import { BlockList } from "./testing/block-list.ts";
import { codeOf, KEY_SECONDS, replay, T, TestLedger } from "./testing/test-ledger.ts";
import { REPEAT_RECOGNISED_SECONDS } from "./views/used-keys.ts";

/** A ledger on which A has 1000 and B and C nothing. */
async function start(): Promise<{
  readonly ledger: TestLedger;
  readonly a: Address;
  readonly b: Address;
  readonly c: Address;
}> {
  const ledger = await TestLedger.begin({ supply: "1000" });
  const [b, c] = (await ledger.createAddresses(2)) as [Address, Address];
  return { ledger, a: ledger.treasury, b, c };
}

test("conventions §5.1: keys serve in any order, each once", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const keys = [ledger.key(a), ledger.key(a), ledger.key(a)];
  const send = (key: string | undefined, amount: string): string =>
    ledger.transfer({ from: a, to: b, amount, key: key as string });
  assert.deepEqual(await ledger.outcomes(send(keys[2], "1"), send(keys[0], "2")), ["done", "done"]);
  assert.deepEqual(await ledger.outcomes(send(keys[1], "3")), ["done"]);
  assert.deepEqual(await ledger.outcomes(...keys.map((key) => send(key, "9"))), [
    "2021",
    "2021",
    "2021",
  ]);
  assert.equal(ledger.held(b), "6");
});

test("conventions §5.1: a key of B in an operation of A, and what is no key: 2020", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  for (const key of ["abc", ledger.key(b), `L${ledger.key(a).slice(1)}`]) {
    const sent = ledger.transfer({ from: a, to: b, amount: "1", key });
    assert.equal(await ledger.refusal(sent), "2020 checkkey");
  }
});

test("conventions §5.1: A cannot take a key from B, and B's key stays unused", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const key = ledger.key(b);
  await ledger.done(ledger.transfer({ from: a, to: b, amount: "5" }));
  assert.deepEqual(
    await ledger.outcomes(
      ledger.transfer({ from: a, to: b, amount: "1", key }),
      ledger.transfer({ from: b, to: a, amount: "1", key }),
    ),
    ["2020", "done"],
  );
});

test("conventions §5.1: a key of B that B has used is none of A's either", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const key = ledger.key(b);
  await ledger.done(
    ledger.transfer({ from: a, to: b, amount: "5" }),
    ledger.transfer({ from: b, to: a, amount: "1", key }),
  );
  const sent = ledger.transfer({ from: a, to: b, amount: "1", key });
  assert.equal(await ledger.refusal(sent), "2020 checkkey");
});

/** How the second of two requests may come. */
for (const { when, between } of [
  { when: "in a later block", between: (): void => {} },
  { when: "after a restart", between: (ledger: TestLedger): void => ledger.restart() },
  {
    when: "after the views were made anew",
    between: (ledger: TestLedger): void => ledger.rebuild(),
  },
  {
    when: "after the key has expired",
    between: (ledger: TestLedger): void => {
      ledger.now += KEY_SECONDS + 1;
    },
  },
]) {
  test(`conventions §5.3: the same request ${when}, also with a new signature: the same id, moved once`, async () => {
    const { ledger, a, b } = await start();
    using _ = ledger;
    const sent = { from: a, to: b, amount: "100", key: ledger.key(a) };
    const operations = [
      ledger.transfer(sent),
      ledger.transfer({ ...sent, signature: "bmV3" }),
      ledger.transfer({ ...sent, unlockdate: "0" }),
    ] as const;
    const [id] = (await ledger.done(operations[0])) as [string];
    const { head } = ledger.ledger;
    between(ledger);
    const { outcomes, height } = await ledger.execute(...operations);
    assert.deepEqual(
      outcomes,
      operations.map(() => ({ kind: "repeat", transactionIds: [id] })),
    );
    assert.equal(height, head.height);
    assert.equal(ledger.ledger.head.id, head.id);
    assert.deepEqual([ledger.held(a), ledger.held(b)], ["900", "100"]);
  });

  test(`conventions §5.3: transfer 101 with the key of transfer 100 ${when}: 2021, or 2020 if it has expired`, async () => {
    const { ledger, a, b } = await start();
    using _ = ledger;
    const sent = { from: a, to: b, amount: "100", key: ledger.key(a) };
    await ledger.done(ledger.transfer(sent));
    between(ledger);
    // A key's expiry is checked before its use.
    const answer = ledger.now > T + KEY_SECONDS ? "2020" : "2021";
    assert.deepEqual(await ledger.outcomes(ledger.transfer({ ...sent, amount: "101" })), [answer]);
    assert.equal(ledger.held(b), "100");
  });
}

test("conventions §5.3: the same key several times in one block", async () => {
  const { ledger, a, b, c } = await start();
  using _ = ledger;
  const key = ledger.key(a);
  const sent = { from: a, to: b, amount: "100", key };
  const { outcomes } = await ledger.execute(
    ledger.transfer(sent),
    ledger.transfer({ ...sent, signature: "bmV3" }),
    ledger.transfer({ ...sent, amount: "101" }),
    ledger.transfer({ ...sent, to: c }),
    ledger.multitransfer({ from: a, key, list: [{ address: b, amount: "100" }] }),
    ledger.transfer(sent),
  );
  const [done] = outcomes;
  assert(done?.kind === "done");
  const repeat = { kind: "repeat", transactionIds: done.transactionIds };
  assert.deepEqual([outcomes[1], outcomes[5]], [repeat, repeat]);
  assert.deepEqual(outcomes.slice(2, 5).map(codeOf), ["2021", "2021", "2021"]);
  assert.equal(ledger.newestBlock.header.count, 1);
  assert.equal(ledger.held(b), "100");
});

test("accounts §1.1: a repeat is answered before any check", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const all = ledger.transfer({ from: a, to: b, amount: "1000" });
  assert.deepEqual(await ledger.outcomes(all, all), ["done", "repeat"]);
  ledger.now += KEY_SECONDS + 1;
  assert.deepEqual(await ledger.outcomes(all), ["repeat"]);
});

test("conventions §3: refused with 5001, then funded, then accepted with the same key", async () => {
  const { ledger, a, b, c } = await start();
  using _ = ledger;
  const sent = ledger.transfer({ from: b, to: c, amount: "100" });
  assert.deepEqual(await ledger.outcomes(sent), ["5001"]);
  assert.deepEqual(
    await ledger.outcomes(sent, ledger.transfer({ from: a, to: b, amount: "100" }), sent, sent),
    ["5001", "done", "done", "repeat"],
  );
  assert.equal(ledger.held(c), "100");
});

for (const { seconds, answer } of [
  { seconds: KEY_SECONDS, answer: "done" },
  { seconds: KEY_SECONDS + 1, answer: "2020" },
]) {
  test(`accounts §7 row 7: a key issued at T and used at T+${seconds}: ${answer}`, async () => {
    const { ledger, a, b } = await start();
    using _ = ledger;
    const sent = ledger.transfer({ from: a, to: b, amount: "1" });
    ledger.now = T + seconds;
    assert.deepEqual(await ledger.outcomes(sent), [answer]);
  });
}

/** So many operations give the ledger an occasion to forget keys. */
function manyAddresses(ledger: TestLedger): string[] {
  return Array.from({ length: 1000 }, () => ledger.addressOperation(ledger.drawAddress()));
}

test("accounts §7.4: a repeat is recognised until 86400 s after the key's expiry", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const sent = ledger.transfer({ from: a, to: b, amount: "1" });
  await ledger.done(sent);
  ledger.now = T + KEY_SECONDS + REPEAT_RECOGNISED_SECONDS;
  await ledger.done(...manyAddresses(ledger));
  assert.deepEqual(await ledger.outcomes(sent), ["repeat"]);
});

test("accounts §7.4: later than that it is 2020, once the key is forgotten", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const sent = ledger.transfer({ from: a, to: b, amount: "1" });
  await ledger.done(sent);
  ledger.now = T + KEY_SECONDS + REPEAT_RECOGNISED_SECONDS + 1;
  await ledger.done(...manyAddresses(ledger));
  assert.deepEqual(await ledger.outcomes(sent), ["2020"]);
  assert.equal(ledger.database.prepare("SELECT count(*) AS n FROM used_key").get()?.["n"], 0);
});

test("accounts §7.4: replay forgets keys, too", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  await ledger.done(ledger.transfer({ from: a, to: b, amount: "1" }));
  ledger.now = T + KEY_SECONDS + REPEAT_RECOGNISED_SECONDS + 1;
  await ledger.done(...manyAddresses(ledger));
  const { database } = replay(ledger.blocks);
  assert.equal(database.prepare("SELECT count(*) AS n FROM used_key").get()?.["n"], 0);
});

test("accounts §7.4: later than that it is 2020, also before the key is forgotten", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const sent = ledger.transfer({ from: a, to: b, amount: "1" });
  await ledger.done(sent);
  ledger.now = T + KEY_SECONDS + REPEAT_RECOGNISED_SECONDS + 1;
  assert.deepEqual(await ledger.outcomes(sent), ["2020"]);
});

test("conventions §3: a failed operation makes no block and leaves no trace", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const before = canonicalJson(JSON.parse(JSON.stringify(ledger.blocks)));
  const { head } = ledger.ledger;
  const { outcomes, height } = await ledger.execute(
    ledger.transfer({ from: a, to: b, amount: "1001" }),
    ledger.transfer({ from: a, to: b, amount: "1", key: "abc" }),
  );
  assert.deepEqual(outcomes.map(codeOf), ["5001", "2020"]);
  assert.equal(height, head.height);
  assert.equal(ledger.ledger.head, head);
  assert.equal(canonicalJson(JSON.parse(JSON.stringify(ledger.blocks))), before);
  assert.equal(ledger.database.prepare("SELECT count(*) AS n FROM used_key").get()?.["n"], 0);
  assert.deepEqual([ledger.held(a), ledger.held(b)], ["1000", "0"]);
});

test("issue 2 §6: failed operations do not disturb their neighbours in the batch", async () => {
  const { ledger, a, b, c } = await start();
  using withFailures = ledger;
  const { ledger: other } = await start();
  using without = other;
  const good = [
    ledger.transfer({ from: a, to: b, amount: "600" }),
    ledger.transfer({ from: b, to: c, amount: "100" }),
    ledger.addressOperation(ledger.drawAddress()),
  ] as const;
  const bad = [
    ledger.transfer({ from: a, to: b, amount: "401" }),
    ledger.transfer({ from: c, to: ledger.drawAddress(), amount: "1" }),
    ledger.transfer({ from: b, to: a, amount: "1", token: "99" }),
    ledger.transfer({ from: b, to: a, amount: "1", key: ledger.key(c) }),
  ] as const;
  assert.deepEqual(
    await withFailures.outcomes(bad[1], good[0], bad[0], bad[2], good[1], bad[3], good[2]),
    ["3090", "done", "5001", "4001", "done", "2020", "done"],
  );
  assert.deepEqual(await without.outcomes(...good), ["done", "done", "done"]);
  assert.equal(withFailures.ledger.head.id, without.ledger.head.id);
});

test("an empty batch makes no block", async () => {
  const { ledger } = await start();
  using _ = ledger;
  const { head } = ledger.ledger;
  assert.deepEqual((await ledger.execute()).outcomes, []);
  assert.equal(ledger.ledger.head, head);
});

test("chain §2.1, §2.4, §4.7: blocks count from 0 and link, each with one time and all leaves so far", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  ledger.now += 10;
  await ledger.done(
    ledger.transfer({ from: a, to: b, amount: "1" }),
    ledger.transfer({ from: a, to: b, amount: "2" }),
  );
  let previous = "0".repeat(64);
  let size = 0;
  for (const [height, { header, id, operations }] of ledger.blocks.entries()) {
    size += operations.length;
    assert.equal(header.sn, height);
    assert.equal(header.previous, previous);
    assert.equal(header.count, operations.length);
    assert.equal(header.size, size);
    assert.equal(id, sha256.hex(canonicalJson({ ...header })));
    previous = id;
  }
  assert.equal(ledger.newestBlock.header.timestamp, T + 10);
  assert.equal(ledger.ledger.head.id, previous);
});

test("chain §2.3: the clock is set back by an hour: the block has the time of the one before", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  ledger.now = T + 7200;
  await ledger.done(ledger.transfer({ from: a, to: b, amount: "1" }));
  const sent = ledger.transfer({ from: a, to: b, amount: "1" });
  ledger.now -= 3600;
  await ledger.done(sent);
  assert.equal(ledger.newestBlock.header.timestamp, T + 7200);
  ledger.restart();
  await ledger.done(ledger.transfer({ from: a, to: b, amount: "1", key: ledger.key(a, T + 7200) }));
  assert.equal(ledger.newestBlock.header.timestamp, T + 7200);
});

test("chain §4.3: ids say block and position, and equal transfers with two keys differ in their hash", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const sent = { from: a, to: b, amount: "1" };
  const ids = await ledger.done(
    ledger.transfer(sent),
    ledger.transfer(sent),
    ledger.transfer(sent),
  );
  const { height } = ledger.ledger.head;
  for (const [position, id] of ids.entries()) {
    assert.equal(Number.parseInt(id.slice(0, 16), 16), height);
    assert.equal(Number.parseInt(id.slice(16, 24), 16), position);
    const { signatures: _, ...content } = JSON.parse(
      ledger.newestBlock.operations[position] as string,
    );
    const contentHash = sha256.hex(canonicalJson(content));
    assert.equal(id, transactionId({ height, position, contentHash }));
  }
  assert.equal(new Set(ids.map((id) => id.slice(24))).size, 3);
});

test("chain §3: a transaction is found by its whole id only", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const sent = { from: a, to: b, amount: "1" };
  const [first, second] = (await ledger.done(ledger.transfer(sent), ledger.transfer(sent))) as [
    string,
    string,
  ];
  ledger.reading(() => {
    const find = (id: string): RecordPart | undefined => {
      const name = parseTransactionId(id);
      const found = name && ledger.reader.transaction(name);
      return found && (JSON.parse(found.transaction.record) as RecordPart);
    };
    assert.equal(find(first)?.type, "transfer");
    assert.equal(find(second)?.type, "transfer");
    const lastDigit = first.endsWith("0") ? "1" : "0";
    assert.equal(find(first.slice(0, -1) + lastDigit), undefined);
    assert.equal(find(first.slice(0, 24) + second.slice(24)), undefined);
    for (const position of ["00000002", "ffffffff"]) {
      assert.equal(find(first.slice(0, 16) + position + first.slice(24)), undefined);
    }
    assert.equal(find(`${"0".repeat(14)}ff${first.slice(16)}`), undefined);
    assert.equal(find(first.slice(1)), undefined);
  });
});

test("chain §2: a block is found by its number and by its id, with the ids of its transactions", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const sent = { from: a, to: b, amount: "1" };
  const ids = await ledger.done(ledger.transfer(sent), ledger.transfer(sent));
  const { id, header } = ledger.newestBlock;
  ledger.reading(() => {
    const { reader } = ledger;
    assert.deepEqual(reader.block({ height: header.sn }), { id, header });
    assert.deepEqual(reader.block({ id }), { id, header });
    assert.deepEqual(reader.transactionIds({ id, header }), ids);
    for (const name of [{ height: 999999 }, { id: "0".repeat(64) }]) {
      assert.equal(reader.block(name), undefined);
    }
  });
});

test("chain §4.6: the changes of a transfer, of one there and back, and of an address", async () => {
  const { ledger, a, b, c } = await start();
  using _ = ledger;
  const changesAre = (changes: Parameters<typeof canonicalJson>[0]): void =>
    assert.equal(ledger.newestBlock.header.changes, sha256.hex(canonicalJson(changes)));

  await ledger.done(
    ledger.transfer({ from: a, to: b, amount: "300", unlockdate: String(T + 100) }),
  );
  changesAre({
    [`balance/${a}/0`]: { free: "700" },
    [`balance/${b}/0`]: { free: "0", locked: "300", locks: 1 },
    [`lock/${b}/0/${T + 100}`]: { amount: "300" },
  });

  await ledger.done(
    ledger.transfer({ from: a, to: c, amount: "5" }),
    ledger.transfer({ from: c, to: a, amount: "5" }),
  );
  changesAre({});

  ledger.now = T + 100;
  await ledger.done(ledger.transfer({ from: b, to: a, amount: "300" }));
  changesAre({
    [`balance/${a}/0`]: { free: "1000" },
    [`balance/${b}/0`]: null,
    [`lock/${b}/0/${T + 100}`]: null,
  });

  const created = ledger.drawAddress();
  await ledger.done(ledger.addressOperation(created, { addinfo: "hi", signed: "full" }));
  changesAre({
    [`address/${created}`]: {
      addinfo: "hi",
      createdate: T + 100,
      number: 3,
      publickey: ledger.ledger.state.address(created)?.publickey as string,
      signed: "full",
    },
    "count/address": 4,
  });
});

test("a reader sees the block that was the newest when it opened, until it opens again", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const { reader } = ledger;
  const sent = ledger.transfer({ from: a, to: b, amount: "1" });
  reader.open(ledger.now);
  const { height } = reader;
  await ledger.done(sent);
  assert.equal(reader.height, height);
  assert.equal(reader.block({ height: height + 1 }), undefined);
  assert.equal(reader.state.balances.spendable(b, NATIVE_COIN), 0n);
  reader.close();
  ledger.reading(() => {
    assert.equal(reader.height, height + 1);
    assert.equal(reader.state.balances.spendable(b, NATIVE_COIN), 1n);
  });
});

test("a reader says what a key has served, and nothing of one that has not", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const [first] = await ledger.done(ledger.transfer({ from: a, to: b, amount: "1" }));
  const text = ledger.transfer({ from: a, to: b, amount: "2" });
  await ledger.done(ledger.addressOperation(ledger.drawAddress()), text);
  const keyOf = (operation: string): TemporaryKey =>
    parseTemporaryKey(JSON.parse(operation).params.checkkey) as TemporaryKey;
  const unused = ledger.transfer({ from: a, to: b, amount: "3" });
  ledger.reading(() => {
    const use = ledger.reader.keyUse(keyOf(text));
    assert.deepEqual(use?.operation, { ...JSON.parse(text), v: 1 });
    assert.equal(use?.transactionId.slice(16, 24), "00000001");
    assert.notEqual(use?.transactionId, first);
    assert.equal(ledger.reader.keyUse(keyOf(unused)), undefined);
  });
});

test("two ledgers on one log: one that is behind stores nothing, and continues once it has caught up", async () => {
  const { ledger, a, b } = await start();
  using _ = ledger;
  const log = new BlockList(ledger.blocks);
  const nodes = [0, 1].map(() => new Ledger(openForWriting(":memory:"), log)) as [Ledger, Ledger];
  for (const node of nodes) {
    node.catchUp();
  }
  const key = ledger.key(a);
  const sent = ledger.transfer({ from: a, to: b, amount: "600", key });
  const others = [
    [ledger.transfer({ from: a, to: b, amount: "600" })],
    [ledger.transfer({ from: b, to: a, amount: "50" })],
    [sent],
  ];
  const [first] = nodes[0].execute([[sent]], T).outcomes;
  assert(first?.kind === "done");
  assert.throws(() => nodes[1].execute(others, T), /blocks are appended in their order/);
  nodes[1].catchUp();
  assert.equal(nodes[1].head.id, nodes[0].head.id);
  const second = nodes[1].execute(others, T);
  assert.deepEqual(second.outcomes.map(codeOf), ["5001", "done", "repeat"]);
  assert.deepEqual(second.outcomes[2], { kind: "repeat", transactionIds: first.transactionIds });
  nodes[0].catchUp();
  assert.equal(nodes[0].head.id, nodes[1].head.id);
  assert.equal(replay(log.blocks).ledger.head.id, nodes[0].head.id);
  const more = [[ledger.transfer({ from: b, to: a, amount: "551" })]];
  assert.deepEqual(nodes[0].execute(more, T).outcomes.map(codeOf), ["5001"]);
});
