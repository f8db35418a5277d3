import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createItems as createUniqueItems } from "../../testing/requests/item-requests.ts";
import { type UnitCast, Units } from "../../testing/requests/unit-requests.ts";
import { type KeyHolder, refusalCode, type TestNode } from "../../testing/test-node.ts";

// Reads of items of many units and of who holds them: mrc402 §1.6, §3, conventions §2, chain §10.

let units: Units;
let node: TestNode;
let cast: UnitCast;
let o: KeyHolder;
before(async () => {
  units = await Units.open({ tokens: 7 });
  node = units.node;
});
after(() => units[Symbol.asyncDispose]());
beforeEach(async () => {
  cast = await units.cast();
  ({ o } = cast);
});

// One item.

test("mrc402 §2.1: a project, an MRC401 item and a listing are no MRC402 item, and the reverse: 6004", async () => {
  const [unique = ""] = await createUniqueItems(node, cast.project, o, [{}]);
  const u = await units.item(cast.project, o);
  const dexid = await units.list("sell", o, u, { amount: "1" });
  for (const id of [cast.project, unique, dexid]) {
    assert.equal(refusalCode(await node.get(`/mrc402/${id}`)), "404 6004");
    assert.equal(refusalCode(await node.get(`/mrc402/holders/${id}`)), "404 6004");
  }
  assert.equal(refusalCode(await node.get(`/mrc401/${u}`)), "404 6004");
  assert.equal(refusalCode(await node.get(`/mrc400/${u}`)), "404 6004");
  assert.equal(refusalCode(await node.get(`/mrc402/dex/${u}`)), "404 6004");
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
      assert.match(refusalCode(answer), /^(404 9404|405 9405)$/);
    }
  });
}
