import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Address,
  type Amount,
  type Block,
  blockId,
  canonicalJson,
  explain,
  type Json,
  type LedgerOperation,
  NATIVE_COIN,
  operationText,
  Refused,
} from "@moneta/protocol";
import { openForWriting } from "../database.ts";
import { Ledger } from "../ledger.ts";
import { RULES } from "../rules/registry.ts";
import type { RuledOperation } from "../rules/rule.ts";
import { sha256 } from "../sha256.ts";
import { PROTOCOL } from "../state/entries.ts";
import { LongTexts } from "../state/long-texts.ts";
import { TOKEN } from "../state/token-entry.ts";
import { BlockList } from "../testing/block-list.ts";
import { checkCatalogue, typesOf } from "../testing/catalogue.ts";
import { replay, rootOperation, rowsOf, TestLedger } from "../testing/test-ledger.ts";
import {
  PROTOCOL_VERSIONS,
  type ProtocolVersion,
  type ProtocolVersions,
} from "./protocol-version.ts";

// A version 2 that exists only here: each transfer costs its sender 1 more, which goes to the treasury, the address with
// number 0.

const version1 = RULES.get("transfer") as RuledOperation;

const taxedTransfer: RuledOperation = {
  ...version1,
  rule: {
    ...version1.rule,
    apply(state, values, given) {
      const done = version1.rule.apply(state, values, given);
      if (!(done instanceof Refused)) {
        state.balances.debit(values["from"] as Address, NATIVE_COIN, 1n as Amount);
        state.balances.credit(state.addressNumbered(0) as Address, NATIVE_COIN, 1n as Amount);
      }
      return done;
    },
  },
};

const TAXED: ProtocolVersion = { rules: new Map([...RULES, ["transfer", taxedTransfer]]) };
const MIGRATED: ProtocolVersion = {
  ...TAXED,
  migrate(state) {
    const coin = state.token(NATIVE_COIN);
    assert(coin !== undefined);
    const texts = LongTexts.of({ ...coin.texts.read(), information: "of version 2" });
    state.put(TOKEN, { ...coin, texts });
  },
};

const WITH_2: ProtocolVersions = new Map([...PROTOCOL_VERSIONS, [2, TAXED]]);
const WITH_MIGRATION: ProtocolVersions = new Map([...PROTOCOL_VERSIONS, [2, MIGRATED]]);

/** The block that version 2 is announced for. */
const FIRST = 6;

interface Story extends Disposable {
  readonly ledger: TestLedger;
  readonly a: Address;
  readonly b: Address;
}

/**
 * A ledger with block 5 as its newest, in which version 2 is announced for the next one; its
 * software knows version 1 only.
 */
async function announced(): Promise<Story> {
  const ledger = await TestLedger.begin({ hasOperator: true });
  const [a, b] = (await ledger.createAddresses(2)) as [Address, Address];
  await ledger.done(ledger.transfer({ from: ledger.treasury, to: a, amount: "500" }));
  await ledger.done(ledger.announcement({ version: "2", height: String(FIRST), note: "a tax" }));
  await ledger.done(ledger.transfer({ from: a, to: b, amount: "10" }));
  await ledger.done(ledger.transfer({ from: a, to: b, amount: "10" }));
  assert.equal(ledger.ledger.head.height, FIRST - 1);
  return { ledger, a, b, [Symbol.dispose]: () => ledger[Symbol.dispose]() };
}

/** The same with blocks 6 and 7, made under version 2. */
async function gone(versions: ProtocolVersions): Promise<Story> {
  const story = await announced();
  const { ledger, a, b } = story;
  ledger.restart(versions);
  await ledger.done(ledger.transfer({ from: a, to: b, amount: "100" }));
  await ledger.done(ledger.transfer({ from: a, to: b, amount: "100" }));
  return story;
}

function protocolsOf(blocks: readonly Block[]): number[] {
  return blocks.map(({ header }) => header.protocol);
}

describe("a version that this software does not know", () => {
  test("chain §7.3: blocks up to the one before it are made, then writes are 9002, and reads go on", async () => {
    using story = await announced();
    const { ledger, a, b } = story;
    const head = ledger.ledger.head;
    const rows = rowsOf(ledger.database);
    assert.deepEqual(ledger.ledger.unknownVersion, { version: 2, height: FIRST });
    const { outcomes, height } = await ledger.execute(
      ledger.transfer({ from: a, to: b, amount: "1" }),
      ledger.addressOperation(ledger.drawAddress()),
    );
    assert.equal(height, FIRST - 1);
    for (const outcome of outcomes) {
      assert(outcome.kind === "refused");
      const { code, status, detail } = explain(outcome.fault);
      assert.deepEqual([code, status], ["9002", 503]);
      assert.match(detail, /block 6 .*version 2 .*upgraded/);
    }
    assert.deepEqual(ledger.ledger.head, head);
    assert.deepEqual(rowsOf(ledger.database), rows);
    assert.equal(ledger.held(b), "20");
  });

  test("chain §7.3: it is still so after a restart and when all is made anew from the blocks", async () => {
    using story = await announced();
    const { ledger, b } = story;
    for (const again of [() => ledger.restart(), () => ledger.rebuild()]) {
      again();
      assert.deepEqual(await ledger.outcomes(ledger.addressOperation(ledger.drawAddress())), [
        "9002",
      ]);
      assert.equal(ledger.held(b), "20");
    }
  });

  test("chain §7.3: it is known of from the announcement on, while blocks are still made", async () => {
    using ledger = await TestLedger.begin({ hasOperator: true });
    assert.equal(ledger.ledger.unknownVersion, undefined);
    await ledger.done(ledger.announcement({ version: "2", height: "300" }));
    assert.deepEqual(ledger.ledger.unknownVersion, { version: 2, height: 300 });
    ledger.restart();
    assert.deepEqual(ledger.ledger.unknownVersion, { version: 2, height: 300 });
    await ledger.createAddresses(1);
    ledger.restart(WITH_2);
    assert.equal(ledger.ledger.unknownVersion, undefined);
  });

  test("chain §7.3: replay stops before it and does not call the chain invalid", async () => {
    using story = await gone(WITH_2);
    const { ledger } = story;
    const { ledger: replayed } = replay(ledger.blocks, undefined, PROTOCOL_VERSIONS);
    assert.equal(replayed.head.height, FIRST - 1);
    assert.equal(replayed.head.id, ledger.blocks[FIRST - 1]?.id);
    assert.deepEqual(replayed.unknownVersion, { version: 2, height: FIRST });
    assert.doesNotThrow(() => replayed.catchUp());
    assert.equal(replayed.head.height, FIRST - 1);
  });

  test("chain §7.3: software that has gone back behind version 2 reads what was made under it, and writes nothing", async () => {
    using story = await gone(WITH_2);
    const { ledger, b } = story;
    ledger.restart(PROTOCOL_VERSIONS);
    assert.equal(ledger.ledger.head.height, FIRST + 1);
    assert.equal(ledger.held(b), "220");
    assert.deepEqual(ledger.ledger.unknownVersion, { version: 2, height: FIRST + 2 });
    assert.deepEqual(await ledger.outcomes(ledger.addressOperation(ledger.drawAddress())), [
      "9002",
    ]);
    ledger.rebuild(PROTOCOL_VERSIONS);
    assert.equal(ledger.ledger.head.height, FIRST - 1);
    ledger.restart(WITH_2);
    assert.equal(ledger.ledger.head.height, FIRST + 1);
    assert.equal(ledger.held(b), "220");
  });

  test("chain §7.3: of several nodes that write to one log, the one that does not know it stops where the other continues", async () => {
    using story = await announced();
    const { ledger, a, b } = story;
    const log = new BlockList(ledger.blocks.slice(0, FIRST - 1));
    const make = (versions: ProtocolVersions): Ledger => {
      const made = new Ledger(openForWriting(":memory:"), log, versions);
      made.catchUp();
      return made;
    };
    const [older, newer] = [make(PROTOCOL_VERSIONS), make(WITH_2)];
    const pay = () => [[ledger.transfer({ from: a, to: b, amount: "10" })]];
    assert.equal((await newer.execute(pay(), ledger.now)).height, FIRST - 1);
    assert.equal((await newer.execute(pay(), ledger.now)).height, FIRST);
    older.catchUp();
    const { outcomes, height } = await older.execute(pay(), ledger.now);
    assert.equal(outcomes[0]?.kind === "refused" && outcomes[0].fault.code, "9002");
    assert.equal(height, FIRST - 1);
  });

  for (const { what, change } of [
    { what: "that continues by the old version", change: { header: { protocol: 1 } } },
    { what: "that skips a version", change: { header: { protocol: 3 } } },
    { what: "that follows no block", change: { header: { previous: "0".repeat(64) } } },
    { what: "of another number", change: { header: { sn: 9 } } },
    { what: "of an earlier time", change: { header: { timestamp: 5 } } },
    { what: "without transactions", change: { operations: [] } },
    { what: "with an id that is not its own", change: { id: "0".repeat(64) } },
  ]) {
    test(`chain §6.4: a block ${what} is invalid even where its rules are not known`, async () => {
      using story = await gone(WITH_2);
      const { ledger } = story;
      const block = ledger.blocks[FIRST] as Block;
      const header = { ...block.header, ...change.header };
      const forged = { ...block, id: blockId(header, sha256), ...change, header };
      assert.throws(
        () => replay([...ledger.blocks.slice(0, FIRST), forged], undefined, PROTOCOL_VERSIONS),
        {
          name: "InvalidBlock",
          height: FIRST,
        },
      );
    });
  }
});

describe("a version that this software knows", () => {
  test("chain §7.3: blocks before it follow the old rules, those from it on the new ones", async () => {
    using story = await announced();
    const { ledger, a, b } = story;
    ledger.restart(WITH_2);
    assert.equal(ledger.ledger.unknownVersion, undefined);
    const treasury = ledger.held(ledger.treasury);
    const [id = ""] = await ledger.done(ledger.transfer({ from: a, to: b, amount: "100" }));
    assert.equal(ledger.held(a), "379");
    assert.equal(ledger.held(b), "120");
    assert.equal(ledger.held(ledger.treasury), String(Number(treasury) + 1));
    assert.deepEqual(protocolsOf(ledger.blocks), [1, 1, 1, 1, 1, 1, 2]);
    assert.equal(ledger.newestBlock.header.count, 1);
    assert.ok(id.startsWith(`${String(FIRST).padStart(16, "0")}00000000`));
  });

  test("chain §7.3, §4.6: in its first block the entry becomes that of the version in force, by no transaction", async () => {
    using story = await announced();
    const { ledger } = story;
    ledger.restart(WITH_2);
    const created = ledger.drawAddress();
    await ledger.done(ledger.addressOperation(created));
    const { version, next, height, note, operator } = ledger.ledger.state.find(PROTOCOL, "") ?? {};
    assert.deepEqual([version, next, height, note], [2, 0, 0, "a tax"]);
    assert.equal(operator, ledger.operator);
    const entry = ledger.ledger.state.address(created);
    const changes = {
      [`address/${created}`]: {
        addinfo: "",
        createdate: entry?.createdate,
        number: entry?.number,
        publickey: entry?.publickey,
        signed: "",
      },
      "count/address": (entry?.number ?? 0) + 1,
      protocol: {
        ...{ version: 2, next: 0, height: 0, note: "a tax", operator: ledger.operator },
        ...{ auctionMin: 3600, auctionMax: 1_814_400, ledgerId: ledger.blocks[0]?.id },
      },
    };
    assert.equal(ledger.newestBlock.header.changes, sha256.hex(canonicalJson(changes as Json)));
    assert.equal(ledger.newestBlock.header.count, 1);
  });

  test("chain §2.2: refused operations do not make its first block, and it comes into force with the first one that is done", async () => {
    for (const versions of [WITH_2, WITH_MIGRATION]) {
      using story = await announced();
      const { ledger, a, b } = story;
      ledger.restart(versions);
      const rows = rowsOf(ledger.database);
      const tooMuch = ledger.transfer({ from: b, to: a, amount: "100000" });
      assert.deepEqual(await ledger.outcomes(tooMuch, tooMuch), ["5001", "5001"]);
      assert.deepEqual(rowsOf(ledger.database), rows);
      assert.equal(ledger.ledger.state.find(PROTOCOL, "")?.version, 1);
      const right = ledger.transfer({ from: a, to: b, amount: "1" });
      assert.deepEqual(await ledger.outcomes(tooMuch, right), ["5001", "done"]);
      assert.equal(ledger.newestBlock.header.protocol, 2);
      assert.equal(ledger.held(a), "478");
    }
  });

  test("chain §7.2: the next version can be announced from its first block on, and no other", async () => {
    using story = await announced();
    const { ledger } = story;
    ledger.restart(WITH_2);
    const at = String(FIRST + 10);
    assert.equal(
      await ledger.refusal(ledger.announcement({ version: "2", height: at })),
      "3005 version",
    );
    await ledger.done(ledger.announcement({ version: "3", height: at }));
    assert.deepEqual(ledger.ledger.unknownVersion, { version: 3, height: FIRST + 10 });
    assert.equal(replay(ledger.blocks, undefined, WITH_2).ledger.head.id, ledger.ledger.head.id);
  });

  test("chain §7.2: an announcement that has been replaced never comes into force", async () => {
    using story = await announced();
    const { ledger } = story;
    const rest = ledger.blocks.slice(0, FIRST - 1);
    const moved = new Ledger(openForWriting(":memory:"), new BlockList(rest), PROTOCOL_VERSIONS);
    moved.catchUp();
    await moved.execute([[ledger.announcement({ version: "2", height: "100" })]], ledger.now);
    const { outcomes } = await moved.execute(
      [[ledger.addressOperation(ledger.drawAddress())]],
      ledger.now,
    );
    assert.equal(outcomes[0]?.kind, "done");
    assert.equal(moved.state.find(PROTOCOL, "")?.version, 1);
  });

  for (const { what, versions } of [
    { what: "without a migration", versions: WITH_2 },
    { what: "with a migration", versions: WITH_MIGRATION },
  ]) {
    test(`chain §6, §7: replay across the change ${what} comes to the same state, records and ids, also if it is interrupted before, in or behind it`, async () => {
      using story = await gone(versions);
      const { ledger } = story;
      const rows = rowsOf(ledger.database);
      assert.deepEqual(rowsOf(replay(ledger.blocks, undefined, versions).database), rows);
      for (const known of [FIRST - 1, FIRST, FIRST + 1]) {
        const { database } = replay(ledger.blocks.slice(0, known), undefined, versions);
        const resumed = new Ledger(database, new BlockList(ledger.blocks), versions);
        resumed.catchUp();
        assert.deepEqual(rowsOf(database), rows);
      }
      ledger.rebuild();
      assert.deepEqual(rowsOf(ledger.database), rows);
      ledger.ledger.checkLinks();
      await ledger.createAddresses(1);
      assert.equal(ledger.newestBlock.header.protocol, 2);
    });

    test(`chain §7.3: a restart in the middle of the change ${what} changes nothing`, async () => {
      using story = await gone(versions);
      const { ledger, a, b } = story;
      using other = await announced();
      const { ledger: restarted } = other;
      for (let block = 0; block < 2; block += 1) {
        restarted.restart(versions);
        await restarted.done(restarted.transfer({ from: a, to: b, amount: "100" }));
      }
      restarted.restart();
      assert.equal(restarted.ledger.head.id, ledger.ledger.head.id);
    });
  }
});

describe("a migration", () => {
  test("chain §7.4: it is the first transaction of the first block, without an actor, and in its changes", async () => {
    using story = await announced();
    const { ledger } = story;
    ledger.restart(WITH_MIGRATION);
    const [id = ""] = await ledger.done(ledger.addressOperation(ledger.drawAddress()));
    assert.equal(ledger.newestBlock.header.count, 2);
    assert.ok(id.startsWith(`${String(FIRST).padStart(16, "0")}00000001`));
    const [first = ""] = ledger.newestBlock.operations;
    assert.deepEqual(JSON.parse(first), {
      v: 1,
      op: "migrate",
      actor: "",
      params: { version: "2" },
      decided: {},
      signatures: {},
    });
    const name = { height: FIRST };
    const [migrateId = ""] = ledger.reading(() => {
      const block = ledger.reader.block(name);
      assert(block !== undefined);
      return ledger.reader.transactionIds(block);
    });
    assert.deepEqual(ledger.record(migrateId), {
      type: "DataMigration",
      address: "",
      token: 0,
      parameters: ["2", "a tax"],
      values: {},
      effects: [],
    });
    assert.equal(ledger.ledger.state.token(NATIVE_COIN)?.texts.read().information, "of version 2");
    // What the hash commits to without the migration is another one.
    assert.throws(() => replay(ledger.blocks, undefined, WITH_2), { height: FIRST });
  });

  test("chain §9: its record, those of announcements and roots of the state are of the catalogue", async () => {
    using story = await gone(WITH_MIGRATION);
    await story.ledger.done(rootOperation(0));
    const types = checkCatalogue(story.ledger);
    assert.ok([...typesOf("ledger")].every((type) => types.has(type)));
  });

  test("chain §7.4: it is run once", async () => {
    using story = await gone(WITH_MIGRATION);
    const { ledger } = story;
    const counts = ledger.blocks.slice(FIRST).map(({ header }) => header.count);
    assert.deepEqual(counts, [2, 1]);
  });

  for (const { what, change } of [
    { what: "is missing", change: ([, ...rest]: string[]) => rest },
    { what: "comes second", change: ([one, two]: string[]) => [two, one] },
    { what: "comes twice", change: ([one, two]: string[]) => [one, one, two] },
    {
      what: "is to another version",
      change: ([one, two]: string[]) => [one?.replace('"version":"2"', '"version":"3"'), two],
    },
    {
      what: "claims an actor",
      change: ([one, two]: string[]) => [one?.replace('"actor":""', '"actor":"x"'), two],
    },
  ]) {
    test(`chain §7.4: a block whose migration ${what} is invalid`, async () => {
      using story = await gone(WITH_MIGRATION);
      const { ledger } = story;
      const block = ledger.blocks[FIRST] as Block;
      const operations = change([...block.operations]) as string[];
      const forged = [...ledger.blocks.slice(0, FIRST), { ...block, operations }];
      assert.throws(() => replay(forged, undefined, WITH_MIGRATION), {
        name: "InvalidBlock",
        height: FIRST,
      });
    });
  }

  test("chain §7.4: a migration that nothing asks for makes its block invalid, and no request can ask for one", async () => {
    using story = await gone(WITH_2);
    const { ledger } = story;
    const migrate = operationText({
      op: "migrate",
      actor: "",
      params: { version: "2" },
      decided: {},
      signatures: {},
    });
    for (const at of [FIRST, FIRST + 1]) {
      const block = ledger.blocks[at] as Block;
      const operations = [migrate, ...block.operations];
      const forged = [...ledger.blocks.slice(0, at), { ...block, operations }];
      assert.throws(() => replay(forged, undefined, WITH_2), { name: "InvalidBlock", height: at });
    }
    assert.equal(RULES.has("migrate"), false);
  });
});

test("chain §8: block 0 states its version in its header, its first transaction and the state, and replay stops at an unknown one", async () => {
  for (const protocol of [1, 2]) {
    using ledger = await TestLedger.begin({ protocol, versions: WITH_2 });
    const [block] = ledger.blocks as [Block];
    assert.equal(block.header.protocol, protocol);
    const [first = ""] = block.operations;
    assert.equal((JSON.parse(first) as LedgerOperation).params["version"], String(protocol));
    assert.equal(ledger.ledger.state.find(PROTOCOL, "")?.version, protocol);
    await ledger.createAddresses(1);
    assert.equal(ledger.newestBlock.header.protocol, protocol);
    if (protocol === 2) {
      assert.throws(() => replay(ledger.blocks), { name: "UnknownRules" });
    }
    const operations = [
      first.replace(/"version":"."/, '"version":"x"'),
      ...block.operations.slice(1),
    ];
    assert.throws(() => replay([{ ...block, operations }]), {
      name: "InvalidBlock",
      height: 0,
      position: 0,
    });
  }
});
