import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import type { Answer } from "../../testing/answer.ts";
import { assertRecords } from "../../testing/shown/expected-records.ts";
import type { UnitItemShown } from "../../testing/shown/shown-units.ts";
import { PROJECT } from "../../testing/trade/creations.ts";
import { NOBODY } from "../../testing/trade/item-terms.ts";
import { NO_UNIT_ITEM } from "../../testing/trade/unit-terms.ts";
import { type UnitCast, UnitTrade } from "../../testing/trade/unit-trade.ts";

let trade: UnitTrade;
let cast: UnitCast;
let c: Address;
let a: Address;
beforeEach(async () => {
  trade = await UnitTrade.open({ coins: 1000n });
  ({ cast } = trade);
  ({ c, a } = cast);
});
afterEach(() => trade[Symbol.dispose]());

/** Updates by the creator, §9. */
function update(mrc402id: string, change: Params, by: Address = c): Promise<Answer> {
  return trade.send("update", by, { mrc402id, ...change });
}

test("mrc402 §18 row 61: update url only: data unchanged; same url again: 4900; copyright country set twice: 3005", async () => {
  const x = await trade.alone(c, { data: "d", information: "i", totalsupply: "5" });
  const item = trade.record(x);
  const url = "https://b.example/";
  assert.equal((await update(x, { url })).outcome, "done");
  assert.deepEqual(trade.record(x), { ...item, url });
  assert.equal((await update(x, { url })).outcome, "400 4900");
  const country = { copyright_registration_country: "CH" };
  assert.equal((await update(x, country)).outcome, "done");
  for (const again of ["CH", "DE"]) {
    const twice = { copyright_registration_country: again };
    assert.equal((await update(x, twice)).outcome, "400 3005", again);
    const more = { ...twice, url: "https://c.example/" };
    assert.equal((await update(x, more)).outcome, "400 3005", again);
  }
  assert.deepEqual(trade.record(x), { ...item, url, ...country });
});

// By the creator: §9.

test("mrc402 §9: each field by itself; an absent or empty one is unchanged; socialmedia is replaced as a whole", async () => {
  const x = await trade.alone(c);
  let item = trade.record(x);
  for (const [change, fields] of [
    [{ url: "https://b.example/" }, { url: "https://b.example/" }],
    [{ data: "d", url: "" }, { data: "d" }],
    [{ information: "a|b" }, { information: "a|b" }],
    [
      { socialmedia: { a: "https://a.example/", b: "https://b.example/" } },
      { socialmedia: { a: "https://a.example/", b: "https://b.example/" } },
    ],
    [{ socialmedia: '{"b":"https://c.example/"}' }, { socialmedia: { b: "https://c.example/" } }],
    [{ data: "e", information: "" }, { data: "e" }],
    [{ socialmedia: "{}" }, { socialmedia: {} }],
    [{ copyright_registrar: "IGE" }, { copyright_registrar: "IGE" }],
    [{ copyright_registration_number: "1" }, { copyright_registration_number: "1" }],
    [{ copyright_registration_country: "CH" }, { copyright_registration_country: "CH" }],
  ] as readonly (readonly [Params, Partial<UnitItemShown>])[]) {
    assert.equal((await update(x, change)).outcome, "done", JSON.stringify(change));
    item = { ...item, ...fields };
    assert.deepEqual(trade.record(x), item);
  }
});

test("mrc402 §9: copyright fields that creation has set cannot be set again; the others can", async () => {
  const given = { copyright_registrar: "IGE", totalsupply: "1" };
  const x = await trade.alone(c, given);
  assert.equal((await update(x, { copyright_registrar: "DPMA" })).code, "400 3005");
  const number = { copyright_registration_number: "7" };
  assert.equal((await update(x, number)).code, "done");
  trade.assertItem(x, { ...number, copyright_registrar: "IGE" });
});

test("mrc402 §9: nothing that differs: 4900, objects compared by content", async () => {
  const socialmedia = '{"a":"https://a.example/","b":"https://b.example/"}';
  const same = { url: "https://a.example/", data: "d", information: "i", socialmedia };
  const x = await trade.alone(c, { ...same, totalsupply: "1" });
  for (const change of [
    {},
    { url: "" },
    same,
    { socialmedia: '{ "b":"https://b.example/", "a":"https://a.example/" }' },
  ]) {
    assert.equal((await update(x, change)).outcome, "400 4900");
  }
  assert.equal((await update(x, { ...same, data: "e" })).outcome, "done");
});

test("mrc402 §9: name, image, rates, shareholders, reserve, supply and melting date never change", async () => {
  const x = await trade.alone(c, { totalsupply: "5", creatorcommission: "1" });
  const item = trade.record(x);
  const others = {
    name: "n",
    imageurl: "https://b.example/",
    image_url: "https://b.example/",
    creatorcommission: "2",
    shareholder: "{}",
    initialreserve: '{"0":"1"}',
    expiredate: "5",
    totalsupply: "9",
    category: "c",
    groupid: "g",
    sell_fee: "1",
    platform_name: "p",
    allowtoken: "1",
  };
  assert.equal((await update(x, others)).outcome, "400 4900");
  assert.equal((await update(x, { ...others, data: "d" })).outcome, "done");
  assert.deepEqual(trade.record(x), { ...item, data: "d" });
});

test("mrc402 §2.3: only the creator: holders, the project's owner and roles cannot, named or by key: 7002", async () => {
  const u = await trade.item(cast.project, cast.maker, {});
  await trade.give(u, cast.maker, a);
  for (const role of ["a", "o", "partner", "seller", "d"] as const) {
    for (const address of [cast[role], ""]) {
      const answer = (await update(u, { data: "d", address }, cast[role])).outcome;
      assert.equal(answer, "403 7002", role);
    }
  }
  await trade.updateProject({ partner: {} });
  assert.equal((await update(u, { data: "d" }, cast.maker)).code, "done");
  trade.assertItem(u, { data: "d", url: PROJECT.url });
});

for (const isNamed of [true, false]) {
  test(`mrc402 §9: an update of units, ${isNamed ? "named" : "by key"}: records M and I`, async () => {
    trade.now += 10;
    const x = await trade.alone(c);
    for (const change of [
      { url: "https://b.example/" },
      {
        data: "d",
        information: "a|b",
        socialmedia: '{ "a" : "https://a.example/"}',
        copyright_registration_country: "CH",
        copyright_registrar: "IGE",
        copyright_registration_number: "5",
      },
    ] as readonly Params[]) {
      const params = { mrc402id: x, ...change, ...(isNamed ? {} : { address: "" }) };
      const answer = await trade.done("update", c, params);
      const { signature, tkey } = answer;
      const texts = [
        "url",
        "data",
        "information",
        "socialmedia",
        "copyright_registration_country",
        "copyright_registrar",
        "copyright_registration_number",
      ].map((name) => String(change[name] ?? ""));
      const parameters = [x, c, ...texts, signature, tkey];
      assertRecords(trade.client, answer, [
        { type: "mrc402update", of: c, parameters },
        { type: "mrc402_update", of: x, parameters },
      ]);
    }
  });
}

test("mrc402 §9: the order in which an update refuses", async () => {
  const foreign = await trade.alone(a);
  const x = await trade.alone(c, { copyright_registrar: "IGE", data: "d" });
  const later = { address: NOBODY, copyright_registrar: "DPMA" };
  await trade.mending("update", { by: c, stranger: a }, [
    [{ mrc402id: NO_UNIT_ITEM, ...later, url: "x" }, "400 3005"],
    [{ url: "", socialmedia: "[]" }, "400 1007"],
    [{ socialmedia: "", address: "MTx" }, "400 3190"],
    [{ address: NOBODY }, "404 6004"],
    [{ mrc402id: foreign }, "404 3090"],
    [{ address: c }, "key"],
    [{}, "403 7002"],
    [{ mrc402id: x }, "400 3005"],
    [{ copyright_registrar: "", data: "d" }, "400 4900"],
    [{ data: "e" }, "done"],
  ]);
});
