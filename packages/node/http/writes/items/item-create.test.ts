import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Element } from "../../../../ledger/testing/trade/creations.ts";
import { numberOf, PLAIN_ITEM } from "../../../../ledger/testing/trade/item-terms.ts";
import {
  type Cast,
  createItems,
  itemCast,
  itemRecord,
  type Role,
} from "../../../testing/requests/item-requests.ts";
import { Parties } from "../../../testing/requests/parties.ts";
import type { RequestParams, RequestSigning } from "../../../testing/requests/signed-request.ts";
import {
  type Answered,
  type Params,
  parsed,
  refusalCode,
  summaryOf,
  type TestNode,
  transactionIdOf,
} from "../../../testing/test-node.ts";

// How a create of items is signed, sent, answered and repeated, and how items are read: mrc401 §1, §6, §7.

let parties: Parties;
let node: TestNode;
let cast: Cast;
let q: string;
before(async () => {
  parties = await Parties.open();
  node = parties.node;
});
after(() => parties[Symbol.asyncDispose]());
beforeEach(async () => {
  cast = await itemCast(parties);
  ({ q } = cast);
});

function create(
  role: Role,
  itemdata: string | readonly Element[],
  params: RequestParams = {},
  signing?: RequestSigning,
): Promise<Answered> {
  return parties.send("mrc401create", cast[role], { mrc400id: q, itemdata, ...params }, signing);
}

test("mrc401 §7: the response has the ids of the items, which GET shows", async () => {
  const { o } = cast;
  const answer = await create("o", [{ item_id: numberOf(1) }, { groupid: "sword" }]);
  const transaction_id = transactionIdOf(answer);
  const { mrc401ids, ...rest } = parsed<{ mrc401ids: string[] }>(answer);
  assert.deepEqual(rest, { transaction_id, txid: transaction_id });
  assert.equal(mrc401ids[0], `${q}_${numberOf(1)}`);
  assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
  assert.match(answer.headers.get("replay-nonce") ?? "", /^[A-Za-z][0-9A-Za-z]{39,63}$/);
  for (const [n, id] of mrc401ids.entries()) {
    assert.deepEqual(await itemRecord(node, id), {
      ...{ ...PLAIN_ITEM, id, mrc400: q, holder: o.address, creator: o.address },
      ...{ createdate: node.now, groupid: n === 0 ? "" : "sword" },
    });
  }
});

test("mrc401 §7: a query string with 100 full elements, JSON with arrays, a slash at the end", async () => {
  const url = "https://rpg.example/".padEnd(255, "x");
  const itemdata = Array.from({ length: 100 }, (_, n) => ({
    item_id: numberOf(n),
    item_url: url,
    item_image_url: url,
    groupid: "😀".repeat(64),
  }));
  const long = { mrc400id: q, itemdata };
  const { params } = await parties.request("mrc401create", cast.o, long);
  assert.equal(summaryOf(await node.postQuery(`/mrc401/${q}`, params)), "200");
  for (const signed of ["short", "full"] as const) {
    const list = [{ groupid: 'é"\\', initial_reserve: 5, sell_fee: "2.5" }, {}];
    for (const name of ["itemdata", "itemdata[]"]) {
      const short = { mrc400id: q, itemdata: list };
      const request = await parties.request("mrc401create", cast.o, short, { signed });
      const { itemdata: _, ...rest } = request.params as Params;
      const body = { ...rest, [name]: list };
      const answer = await node.postJson(`/mrc401/${q}/`, body);
      assert.equal(summaryOf(answer), "200", name);
      const { parameters } = await node.transaction(transactionIdOf(answer));
      assert.equal(parameters[2], JSON.stringify(list));
    }
  }
  const { params: few } = await parties.request("mrc401create", cast.o, { mrc400id: q });
  const twice = `{"itemdata":[{"groupid":"a","groupid":"a"}],${JSON.stringify(few).slice(1)}`;
  assert.equal(refusalCode(await node.postJson(`/mrc401/${q}`, twice)), "400 1007");
});

test("conventions §3: a project's id, an unknown one, malformed ones at GET /mrc401: 6004", async () => {
  const [id = ""] = await createItems(node, q, cast.o, [{ item_id: "A".repeat(40) }]);
  assert.equal(summaryOf(await node.get(`/mrc401/${id}/`)), "200");
  for (const wrong of [
    q,
    `${q}_${numberOf(1)}`,
    "x",
    `${id}A`,
    id.slice(0, -1),
    id.replace("_A", "-A"),
    `${q}_${"a".repeat(40)}`,
    id.toLowerCase(),
  ]) {
    assert.equal(summaryOf(await node.get(`/mrc401/${wrong}`)), "404 6004 mrc401id", wrong);
  }
});
