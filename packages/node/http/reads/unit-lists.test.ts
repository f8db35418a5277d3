import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { BLANK_UNIT_LISTING } from "../../../ledger/testing/shown/shown-units.ts";
import { NOBODY } from "../../../ledger/testing/trade/item-terms.ts";
import { NO_UNIT_ITEM, NO_UNIT_LISTING } from "../../../ledger/testing/trade/unit-terms.ts";
import { createItems as createUniqueItems } from "../../testing/requests/item-requests.ts";
import { type UnitCast, Units } from "../../testing/requests/unit-requests.ts";
import { type KeyHolder, parsed, said, saidCode, type TestNode } from "../../testing/test-node.ts";

// Reads of items of many units and of who holds them: mrc402 §1.6, §3, conventions §2, chain §10.

let units: Units;
let node: TestNode;
let cast: UnitCast;
let c: KeyHolder;
let a: KeyHolder;
let o: KeyHolder;
before(async () => {
  units = await Units.open({ tokens: 7 });
  node = units.node;
});
after(() => units[Symbol.asyncDispose]());
beforeEach(async () => {
  cast = await units.cast();
  ({ c, a, o } = cast);
});

// One item.

for (const [what, id] of [
  ["an unknown item", NO_UNIT_ITEM],
  ["an unknown item of a project", `MRC400_${"0".repeat(33)}_${"0".repeat(40)}`],
  ["a project's id", `MRC400_${"0".repeat(33)}`],
  ["an id of MRC401", `MRC401_${"0".repeat(33)}`],
  ["a listing's id", NO_UNIT_LISTING],
  ["too short", NO_UNIT_ITEM.slice(1)],
  ["text", "%F0%9F%98%80"],
] as const) {
  test(`mrc402 §1.6: GET /mrc402/ and ${what}: 404 6004; so holders and dex`, async () => {
    assert.equal(said(await node.get(`/mrc402/${id}`)), "404 6004 mrc402id");
    assert.equal(saidCode(await node.get(`/mrc402/holders/${id}`)), "404 6004");
    assert.equal(saidCode(await node.get(`/mrc402/dex/${id}`)), "404 6004");
  });
}

test("mrc402 §2.1: a project, an MRC401 item and a listing are no MRC402 item, and the reverse: 6004", async () => {
  const [unique = ""] = await createUniqueItems(node, cast.project, o, [{}]);
  const u = await units.item(cast.project, o);
  const dexid = await units.list("sell", o, u, { amount: "1" });
  for (const id of [cast.project, unique, dexid]) {
    assert.equal(saidCode(await node.get(`/mrc402/${id}`)), "404 6004");
    assert.equal(saidCode(await node.get(`/mrc402/holders/${id}`)), "404 6004");
  }
  assert.equal(saidCode(await node.get(`/mrc401/${u}`)), "404 6004");
  assert.equal(saidCode(await node.get(`/mrc400/${u}`)), "404 6004");
  assert.equal(saidCode(await node.get(`/mrc402/dex/${u}`)), "404 6004");
});

for (const word of [
  ..."balance holders transfer sell unsell buy melt auction unauction bid".split(" "),
  ..."auctionfinish mint burn update".split(" "),
]) {
  test(`mrc402 §1.6: ${word} is never an id`, async () => {
    for (const answer of [
      await node.get(`/mrc402/${word}`),
      await node.put(`/mrc402/${word}`, {}),
    ]) {
      assert.match(saidCode(answer), /^(404 9404|405 9405)$/);
    }
  });
}

test("conventions §2.5, §1.2: an item is read with ETag, no-store and Ledger-Height; a slash at the end changes nothing", async () => {
  const x = await units.alone(c, { totalsupply: "5" });
  for (const path of [`/mrc402/${x}`, `/mrc402/holders/${x}`, `/mrc402/balance/${c.address}`]) {
    const first = await node.get(path);
    const etag = first.headers.get("etag") ?? "";
    assert.match(etag, /^(W\/)?".+"$/, path);
    assert.equal(first.headers.get("cache-control"), "no-store");
    assert.equal(first.headers.get("ledger-height"), String(await node.height()));
    assert.match(first.headers.get("content-type") ?? "", /^application\/json/);
    assert.equal((await node.get(path, { "If-None-Match": etag })).status, 304);
    assert.deepEqual(parsed(await node.get(`${path}/`)), parsed(first));
  }
  const { headers } = await node.get(`/mrc402/${x}`);
  await units.give(x, c, a);
  assert.notEqual(
    (await node.get(`/mrc402/${x}`)).headers.get("etag"),
    headers.get("etag"),
    "who holds it is in the record",
  );
});

test("mrc402 §3: GET /mrc402/dex/{dexid} of a sale, in full", async () => {
  const u = await units.item(cast.project, o, { totalsupply: "5", sell_fee: "2.50" });
  node.now += 3;
  const dexid = await units.list("sell", o, u, { amount: "2", token: "7" });
  assert.deepEqual(await units.listing(dexid), {
    ...BLANK_UNIT_LISTING,
    dexid,
    mrc402: u,
    side: "sell",
    state: "open",
    seller: o.address,
    amount: "2",
    remain_amount: "2",
    sell_price: "30",
    sell_token: "7",
    sell_fee: "2.5",
    regdate: node.now,
    job_type: "mrc402_sell",
  });
});

for (const [what, address, answer] of [
  ["an unknown address", NOBODY, "404 3090 address"],
  ["a malformed address", "MTx", "400 3190 address"],
  ["an address in lower case", NOBODY.toLowerCase(), "400 3190 address"],
] as const) {
  test(`mrc402 §3: GET /mrc402/balance/ and ${what}: ${answer}`, async () => {
    assert.equal(said(await node.get(`/mrc402/balance/${address}`)), answer);
  });
}
