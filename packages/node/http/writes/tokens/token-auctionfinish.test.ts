import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Market } from "../../../testing/requests/market.ts";
import { saidCode } from "../../../testing/test-node.ts";

const UNKNOWN_LISTING = `DEX010_${"0".repeat(33)}`;

let market: Market;
before(async () => {
  market = await Market.open({ tokens: 1 });
});
after(() => market[Symbol.asyncDispose]());

test("conventions §2.5: auctionfinish is a write by GET and POST: not stored, no temporary key; HEAD and others are 405", async () => {
  const parties = await market.cast();
  const dexid = await market.list("auction", parties.s, market.listing3(parties));
  const bid = await market.send("mrc010bid", parties.b, { dexid, amount: "100" });
  assert.equal(saidCode(bid), "200");
  const path = `/token/auctionfinish/${dexid}`;
  market.node.now = (await market.listing(dexid)).auction_end_date;
  for (const method of ["HEAD", "PUT", "DELETE", "PATCH"]) {
    const { status, headers } = await market.node.request(path, { method });
    assert.equal(status, 405, method);
    assert.deepEqual(headers.get("allow")?.split(", ").sort().includes("HEAD"), false);
    assert.match(headers.get("allow") ?? "", /GET/);
    assert.match(headers.get("allow") ?? "", /POST/);
  }
  assert.equal(saidCode(await market.node.get(`${path}?dexid=${UNKNOWN_LISTING}`)), "400 1005");
  assert.equal(saidCode(await market.node.post(path, { dexid: "x" })), "400 1005");
  assert.equal((await market.listing(dexid)).state, "open");
  const height = await market.node.height();
  const { headers, text, status } = await market.node.get(`${path}/`, { "If-None-Match": "*" });
  assert.equal(status, 200, text);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(headers.has("etag"), false);
  assert.equal(headers.has("replay-nonce"), false);
  assert.equal(headers.get("ledger-height"), String(height + 1));
  const transaction_id = headers.get("transaction-id");
  assert.deepEqual(JSON.parse(text), { transaction_id, txid: transaction_id });
  for (const method of ["GET", "POST"] as const) {
    assert.equal(saidCode(await market.finish(dexid, method)), "409 7102");
    assert.equal(saidCode(await market.finish(UNKNOWN_LISTING, method)), "404 6004");
  }
});
