import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { TokenListingShown } from "../../../ledger/testing/shown/token-listing-shown.ts";
import { Market } from "../../testing/requests/market.ts";
import { parsed, saidCode } from "../../testing/test-node.ts";

// GET /token/dex/{dexid}, tokens §8; and the paths of the market: tokens §1.4.

let market: Market;
before(async () => {
  market = await Market.open({ tokens: 1 });
});
after(() => market[Symbol.asyncDispose]());

test("tokens §8: a unit that is not given is shown as 1, a listing is found with a trailing slash and after a restart", async () => {
  const parties = await market.cast();
  const params = market.listing1(parties, { min_trade_unit: "" });
  const dexid = await market.list("sell", parties.s, params);
  const { text, headers } = await market.node.get(`/token/dex/${dexid}/`);
  assert.equal((JSON.parse(text) as TokenListingShown).min_trade_unit, "1");
  assert.equal(headers.get("cache-control"), "no-store");
  assert.ok(headers.has("etag"));
  await market.node.restart();
  assert.equal((await market.node.get(`/token/dex/${dexid}`)).text, text);
});

const WORDS =
  "dex sell unsell buy reqsell unreqsell acceptreqsell auction unauction bid auctionfinish burn increase update";

for (const word of WORDS.split(" ")) {
  test(`tokens §1.4: /token/${word} is nobody's path: 9404, with and without a slash at the end`, async () => {
    for (const path of [`/token/${word}`, `/token/${word}/`]) {
      for (const method of ["GET", "POST", "PUT"]) {
        const answer = await market.node.request(path, { method });
        const isList = word === "dex" && method === "GET";
        assert.equal(saidCode(answer), isList ? "200" : "404 9404", `${method} ${path}`);
      }
    }
  });
}

for (const id of ["DEX010_x", `DEX010_${"0".repeat(33)}`, "7", "DEX402_x", "%F0%9F%98%80"]) {
  test(`tokens §13 row 28: GET /token/dex/${id}: 6004`, async () =>
    assert.equal(saidCode(await market.node.get(`/token/dex/${id}`)), "404 6004"));
}

test("conventions §3: the operations are known by POST only, the record and the list by GET only", async () => {
  const dexid = `DEX010_${"0".repeat(33)}`;
  for (const word of WORDS.split(" ").slice(1, 10)) {
    const { status, headers } = await market.node.get(`/token/${word}/7`);
    assert.equal(status, 405, word);
    assert.equal(headers.get("allow"), "POST");
  }
  assert.equal(saidCode(await market.node.post(`/token/dex/${dexid}`, {})), "405 9405");
  const { text } = await market.node.get("/openapi.json");
  const { paths } = parsed<{ paths: object }>({ text } as never);
  for (const word of WORDS.split(" ").slice(1, 10)) {
    const isListed = Object.keys(paths).some((path) => path.startsWith(`/token/${word}/{`));
    assert.ok(isListed, `openapi has /token/${word}/{id}`);
  }
});
