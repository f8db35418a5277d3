import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { Address, Block } from "@moneta/protocol";
import { InvalidBlock } from "../../chain/invalid-block.ts";
import type { Params } from "../../testing/admitted.ts";
import { TestClient } from "../../testing/test-client.ts";
import { replay, rowsOf } from "../../testing/test-ledger.ts";
import { KEY, type Sealing, sealing } from "../../testing/trade/sealing.ts";

// Sealed texts and what opens them. Source: protocols §5 to §7.

let client: TestClient;
let a: Address;
let b: Address;
before(async () => {
  client = await TestClient.open();
});
after(() => client[Symbol.dispose]());
beforeEach(async () => {
  ({ a, b } = await client.people(["a", "b"]));
});

const DAY = 86_400;
/** R2 of protocols §7: a ciphertext, and the key that decrypts it. */
const R2 = {
  ...{ referencekey: "letter", algorithm: "AES-256-GCM", data: "q83vEjRWeJA=" },
  key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
};

async function seal(by: Address, given: Sealing = {}): Promise<string> {
  return await client.make("mrc020", by, sealing(client, by, given));
}

async function open(mrc020key: string, key: string = KEY): Promise<string> {
  return (await client.send("mrc020open", "", { mrc020key, key })).summary;
}

/** What becomes of R1 with other parameters. */
async function sealed(by: Address, change: Params): Promise<string> {
  return (await client.send("mrc020", by, { ...sealing(client, by), ...change })).summary;
}

test("protocols §7 row 1: a sealed text is named after its owner and reference, and is closed", async () => {
  const terms = sealing(client, a);
  const answer = await client.done("mrc020", a, terms);
  const id = `MRC020_${a}_sealed_bid_1`;
  assert.deepEqual(answer.made, [id]);
  assert.equal(answer.outcome, "done");
  assert.deepEqual(client.entry(id), {
    ...{ id, owner: a, algorithm: "", data: "", keyhash: terms["keyhash"] },
    ...{ createdate: client.now, opendate: Number(terms["opendate"]) },
    ...{ referencekey: "sealed_bid_1", publickey: "", is_open: 0, opened: 0 },
  });
});

test("protocols §7 row 2: it opens from its date on, by its key alone", async () => {
  const id = await seal(a);
  const { opendate } = client.entry<{ opendate: number }>(id);
  client.now = opendate - 1;
  assert.equal(await open(id), "409 7205 mrc020key");
  client.now = opendate;
  const answer = await client.done("mrc020open", "", { mrc020key: id, key: KEY });
  client.assertEntry(id, { is_open: 1, publickey: KEY, opened: opendate, opendate });
  assert.equal(answer.outcome, "done");
  assert.deepEqual(answer.record.parameters, [id, a, KEY]);
  assert.deepEqual(answer.effects[0]?.values, { publickey: KEY, is_open: 1, opened: opendate });
});

test("protocols §6: what is open is not opened again, and not by another key either", async () => {
  const id = await seal(a);
  client.now += DAY;
  assert.equal(await open(id), "done");
  assert.equal(await open(id), "409 7113 mrc020key");
  assert.equal(await open(id, `${KEY} `), "400 3006 key");
});

test("protocols §6: a wrong key opens nothing, before the date or after it", async () => {
  const id = await seal(a);
  const wrong = KEY.replace("4200", "4201");
  assert.equal(await open(id, wrong), "400 3006 key");
  client.now += DAY;
  assert.equal(await open(id, wrong), "400 3006 key");
  client.assertEntry(id, { is_open: 0, publickey: "" });
});

test("protocols §7 row 6: whoever copies a hash cannot open it by the rival's key", async () => {
  const rival = await seal(a);
  const { keyhash } = sealing(client, a);
  const copied = await client.make("mrc020", b, { ...sealing(client, b), keyhash: keyhash ?? "" });
  client.now += DAY;
  assert.equal(await open(rival), "done");
  assert.equal(await open(copied), "400 3006 key");
  const own = await seal(b, { referencekey: "honest", opendate: String(client.now + 1) });
  client.now += 1;
  assert.equal(await open(own), "done");
});

test("protocols §7 row 7: data belong to what is committed to", async () => {
  const letter = await seal(a, R2);
  const { keyhash } = sealing(client, a, { ...R2, referencekey: "forged" });
  const forged = await client.make("mrc020", a, {
    ...sealing(client, a, { ...R2, referencekey: "forged", data: "q83vEjRWeJE=" }),
    keyhash: keyhash ?? "",
  });
  client.now += DAY;
  assert.equal(await open(letter, R2.key), "done");
  client.assertEntry(letter, { data: R2.data, algorithm: R2.algorithm, publickey: R2.key });
  assert.equal(await open(forged, R2.key), "400 3006 key");
});

test("protocols §5.2: a hash for another ledger opens nothing here", async () => {
  const id = await seal(a, { ledgerId: "a".repeat(64) });
  client.now += DAY;
  assert.equal(await open(id), "400 3006 key");
});

test("protocols §6: a reference is new among those of its owner", async () => {
  await seal(a);
  assert.equal(await sealed(a, {}), "409 7111 referencekey");
  assert.equal(await sealed(b, {}), "done");
});

test("protocols §6: the key itself is refused, whatever it is, and not repeated", async () => {
  for (const publickey of [KEY, "x", "a\u0000b", { text: KEY }, [KEY]]) {
    const terms = { ...sealing(client, a), publickey };
    const { summary: reported, problem } = await client.send("mrc020", a, terms);
    assert.equal(reported, "400 3005 publickey");
    assert.ok(!JSON.stringify(problem).includes("bid 4200"));
    assert.match(problem?.detail ?? "", /send keyhash/);
  }
  assert.equal(await sealed(a, { publickey: "" }), "done");
});

test("conventions §3: keyhash is 64 lower-case hex digits", async () => {
  const keyhash = "7984b810ccbe7fa164905c09f066b94c48326b3ba97978734f5341817fcb66f0";
  assert.equal(await sealed(a, { keyhash: "" }), "400 1000 keyhash");
  for (const other of [keyhash.slice(1), keyhash.toUpperCase(), `0x${keyhash.slice(2)}`]) {
    assert.equal(await sealed(a, { keyhash: other }), "400 3005 keyhash", other);
  }
});

test("conventions §3: a reference is 1 to 64 letters, digits and underscores", async () => {
  assert.equal(await sealed(a, { referencekey: "" }), "400 1000 referencekey");
  for (const referencekey of ["a".repeat(65), "a-b", "é"]) {
    assert.equal(await sealed(a, { referencekey }), "400 3005 referencekey", referencekey);
  }
  assert.equal(await sealed(a, { referencekey: "_".repeat(64) }), "done");
});

test("protocols §6: the opening date lies ahead, and in 2038 at the latest", async () => {
  for (const opendate of [
    ...[String(client.now), String(client.now - 1), "2147483648"],
    ...["x", "01", "1.5", "-1", "0"],
  ]) {
    assert.equal(await sealed(a, { opendate }), "400 1102 opendate", opendate);
  }
  assert.equal(await sealed(a, { opendate: String(client.now + 1) }), "done");
  assert.equal(await sealed(b, { opendate: "2147483647" }), "done");
});

test("conventions §3: data have at most 2048 code points, no bar and no control character", async () => {
  for (const [data, reported] of [
    ["𝄞".repeat(2049), "400 3005 data"],
    ["a|b", "400 3005 data"],
    ["a\u0000b", "400 1006 data"],
  ] as const) {
    assert.equal(await sealed(a, { data }), reported);
  }
  assert.equal(await sealed(a, { algorithm: "x".repeat(65) }), "400 3005 algorithm");
  assert.equal(await sealed(a, { algorithm: "a|b" }), "400 3005 algorithm");
  const data = "𝄞".repeat(2048);
  const id = await seal(a, { data, algorithm: "x".repeat(64) });
  client.now += DAY;
  assert.equal(await open(id), "done");
});

test("conventions §4.7: whose key and which owner it takes", async () => {
  const unknown = "MTStranger00000000000000000000000f4ffb0f";
  assert.match(await sealed(a, { owner: "x" }), /^400 3190 owner/);
  assert.match(await sealed(a, { owner: client.ledger.drawAddress() }), /^404 3090 owner/);
  assert.match(await sealed(a, { owner: unknown }), /^400 3190 owner/);
  assert.match(await sealed(a, { tkey: client.ledger.key(b) }), /^401 2020 tkey/);
});

test("conventions §5.3: the same request again is a repeat, another one with its key is not", async () => {
  const terms = { ...sealing(client, a), tkey: client.ledger.key(a) };
  const first = await client.done("mrc020", a, terms);
  const again = await client.send("mrc020", a, { ...terms, signature: "MEU=" });
  assert.deepEqual([again.summary, again.id], ["repeat", first.id]);
  const other = sealing(client, a, { key: "another" });
  const { summary: reported } = await client.send("mrc020", a, { ...other, tkey: terms.tkey });
  assert.equal(reported, "409 2021 tkey");
});

test("conventions §3: the opening key has 1 to 4096 code points", async () => {
  const whole = "𝄞".repeat(4096);
  const id = await seal(a, { key: whole });
  client.now += DAY;
  assert.equal(await open(id, ""), "400 1000 key");
  assert.equal(await open(id, `${whole}x`), "400 3005 key");
  assert.equal(await open(id, "a\u0000b"), "400 1006 key");
  assert.equal(await open(id, whole), "done");
});

test("protocols §6: whoever opens late is seen to", async () => {
  const id = await seal(a);
  const { opendate } = client.entry<{ opendate: number }>(id);
  client.now = opendate + 5 * DAY;
  assert.equal(await open(id), "done");
  client.assertEntry(id, { opendate, opened: opendate + 432_000 });
});

test("conventions §3: ids that nothing has", async () => {
  const id = await seal(a);
  for (const other of ["MRC020_x", `${id.slice(0, -1)}2`, "x", `${id}_`]) {
    assert.equal(await open(other), "404 6004 mrc020key", other);
  }
});

test("protocols §5.6: of two openings in one block, the first counts", async () => {
  const id = await seal(a);
  client.now += DAY;
  const opening = ["mrc020open", "", { mrc020key: id, key: KEY }] as const;
  const answers = await client.block([opening, opening]);
  assert.deepEqual(
    answers.map(({ summary: reported }) => reported),
    ["done", "409 7113 mrc020key"],
  );
});

test("protocols §6: checks of a sealed text come in their order", async () => {
  const { opendate, ...terms } = sealing(client, a) as Record<string, string>;
  await seal(b);
  const stranger = b;
  await client.mending("mrc020", { by: a, stranger }, [
    [{}, "400 1000 referencekey"],
    [{ ...terms, referencekey: "-" }, "400 1000 opendate"],
    [{ opendate: "x" }, "400 3005 referencekey"],
    [{ referencekey: "sealed_bid_1" }, "400 1102 opendate"],
    [{ opendate: String(client.now), owner: client.ledger.drawAddress() }, "404 3090 owner"],
    [{ owner: a }, "key"],
    [{ tkey: client.ledger.key(a) }, "400 1102 opendate"],
    [{ opendate: opendate ?? "", tkey: client.ledger.key(a) }, "done"],
    [{ tkey: client.ledger.key(a), opendate: String(client.now) }, "409 7111 referencekey"],
  ]);
});

test("what it commits to and what opens it are the same after a rebuild", async () => {
  const [closed, opened] = [await seal(a), await seal(b)];
  client.now += DAY;
  assert.equal(await open(opened), "done");
  const before = [closed, opened].map((id) => client.entry(id));
  client.ledger.rebuild();
  assert.deepEqual(
    [closed, opened].map((id) => client.entry(id)),
    before,
  );
  assert.equal(await open(closed), "done");
});

describe("protocols §7 row 30: replay refuses a block", () => {
  /** The blocks of a ledger whose newest one opens a seal, and what replay says of a changed one. */
  async function opened(): Promise<(change: (block: Block) => Block) => string> {
    using other = await TestClient.open();
    const { c } = await other.people(["c"]);
    const mrc020key = await other.make("mrc020", c, sealing(other, c));
    other.now += DAY;
    await other.done("mrc020open", "", { mrc020key, key: KEY });
    const { blocks } = other.ledger;
    const { database } = replay(blocks);
    assert.deepEqual(rowsOf(database), rowsOf(other.ledger.database));
    database.close();
    return (change) => {
      const newest = blocks.at(-1) as Block;
      try {
        replay([...blocks.slice(0, -1), change(newest)]).database.close();
      } catch (thrown) {
        assert.ok(thrown instanceof InvalidBlock, String(thrown));
        assert.deepEqual([thrown.height, thrown.position], [newest.header.sn, 0]);
        return thrown.message;
      }
      return assert.fail("it is replayed");
    };
  }

  test("that opens by a wrong key", async () => {
    const reported = (await opened())((block) => ({
      ...block,
      operations: block.operations.map((text) => text.replace("bid 4200", "bid 4201")),
    }));
    assert.match(reported, /the rules refuse it: key does not open MRC020_/);
    assert.ok(!reported.includes("bid 4201"));
  });

  test("that opens before the date", async () => {
    const reported = (await opened())(({ header, ...block }) => ({
      ...block,
      header: { ...header, timestamp: header.timestamp - 1 },
    }));
    assert.match(reported, /the rules refuse it: mrc020key is MRC020_.* can be opened from \d+ on/);
  });

  test("that has the key among what is sealed", async () => {
    using other = await TestClient.open();
    const { c } = await other.people(["c"]);
    await other.done("mrc020", c, sealing(other, c));
    const { blocks } = other.ledger;
    const newest = blocks.at(-1) as Block;
    const operations = newest.operations.map((text) =>
      text.replace('"referencekey"', `"publickey":"${KEY}","referencekey"`),
    );
    assert.throws(
      () => replay([...blocks.slice(0, -1), { ...newest, operations }]),
      /it does not hold just what its description asks for/,
    );
  });
});

test("a sealed text may be sealed and passed over in a group, whose other half fails", async () => {
  const { poor } = await client.people(["poor"]);
  const terms = sealing(client, poor);
  const payment = ["transfer", poor, { to: a, amount: "1", token: "0" }] as const;
  const group = await client.group([["mrc020", poor, terms], payment]);
  assert.equal(group.summary, "1: 400 5001");
  await client.pay(poor, 1n);
  const done = await client.group([["mrc020", poor, sealing(client, poor)], payment]);
  assert.equal(done.summary, "done");
  assert.deepEqual(done.made, [`MRC020_${poor}_sealed_bid_1`]);
});
