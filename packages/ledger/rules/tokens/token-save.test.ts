import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Address, AMOUNT_MAX } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import { TestClient } from "../../testing/test-client.ts";
import { reserveOf, saveDraft } from "../../testing/trade/token-drafts.ts";

let client: TestClient;
let o: Address;
let a: Address;
let b: Address;
before(async () => {
  client = await TestClient.open();
  ({ o, a, b } = await client.people(["o", "a", "b"]));
});
after(() => client[Symbol.dispose]());

async function saving(change: Params = {}): Promise<string> {
  return (await saveDraft(client, o, change)).summary;
}

// biome-ignore format: a case is a line
const SUMS: readonly { what: string; change: () => Params; answer: string }[] = [
  { what: "reserve of all 1000", change: () => ({ reserve: reserveOf([a, "400"], [b, "600"]) }), answer: "done" },
  { what: "the owner's own entries count as what it receives", change: () => ({ reserve: reserveOf([o, "300"], [a, "100"], [o, "600"]), reservedamount: "900" }), answer: "done" },
  { what: "no more than the owner receives", change: () => ({ reserve: reserveOf([o, "300"], [a, "100"], [o, "600"]), reservedamount: "901" }), answer: "400 1103" },
  { what: "a reserve of a token without supply", change: () => ({ totalsupply: "", reserve: reserveOf([a, "1"]) }), answer: "400 1103" },
  { what: "reservedamount of a token without supply", change: () => ({ totalsupply: "", reservedamount: "1" }), answer: "400 1103" },
  { what: "a sum far above 10^40", change: () => ({ totalsupply: String(AMOUNT_MAX), reserve: reserveOf([a, String(AMOUNT_MAX)], [b, String(AMOUNT_MAX)]) }), answer: "400 1103" },
];

for (const { what, change, answer } of SUMS) {
  test(`tokens §3: save: ${what}: ${answer}`, async () => {
    const answered = await saving({ totalsupply: "1000", ...change() });
    assert.equal(answered.split(" ").slice(0, 2).join(" "), answer);
  });
}

test("tokens §3: save refuses in the order of its checks", async () => {
  const unknown = [client.ledger.drawAddress(), client.ledger.drawAddress()] as const;
  const reserve = reserveOf([unknown[1], "2"]);
  const good = { owner: o, symbol: "GLD", totalsupply: "1", decimal: "", type: "" };
  const blank = { reservedamount: "", tier: "", category: "", url: "", image: "" };
  await client.mending("tokensave", { by: o, stranger: a }, [
    [
      { owner: "", Temporarykey: "", signature: "", decimal: "x", reserve, totalsupply: "1" },
      "400 1000 owner",
    ],
    [{ owner: unknown[0] }, "400 1000 symbol"],
    [{ symbol: "|" }, "400 1000 name"],
    [{ name: "Gold" }, "400 1000 Temporarykey"],
    [{ Temporarykey: "x" }, "400 1000 signature"],
    [{ signature: "MEQ=", decimal: "", owner: "MTx" }, "400 3190 owner"],
    [{ ...good, owner: unknown[0], symbol: "a|b" }, "400 3005 symbol"],
    [{ ...good, owner: unknown[0], totalsupply: "01" }, "400 1101 totalsupply"],
    [{ totalsupply: "1", decimal: "19" }, "400 1004 decimal"],
    [{ decimal: "", reservedamount: "x" }, "400 1101 reservedamount"],
    [{ ...blank, reserve: "[1]" }, "400 1007 reserve"],
    [{ reserve, tier: "[1]" }, "400 1007 tier"],
    [{ ...blank, category: "c".repeat(65) }, "400 3005 category"],
    [{ ...blank, url: "x" }, "400 3005 url"],
    [{ ...blank, image: "x" }, "400 3005 image"],
    [{ ...blank, type: "x" }, "400 3005 type"],
    [{ type: "" }, "400 1103"],
    [{ totalsupply: "5" }, "404 3090 owner"],
    [{ owner: o }, "404 3090 reserve"],
    [{ reserve: reserveOf([a, "1"]), Temporarykey: client.ledger.key(o) }, "key"],
    [{}, "done"],
  ]);
  const entries = reserveOf([a, "1"], [unknown[1], "1"], [unknown[0], "1"]);
  const { problem } = await saveDraft(client, o, { totalsupply: "5", reserve: entries });
  assert.match(problem?.detail ?? "", new RegExp(unknown[1]));
});

test("tokens §3: what a save refuses leaves its key unused", async () => {
  const Temporarykey = client.ledger.key(o);
  assert.equal(await saving({ totalsupply: "01", Temporarykey }), "400 1101 totalsupply");
  assert.match(await saving({ reservedamount: "1", Temporarykey }), /^400 1103/);
  assert.equal(await saving({ Temporarykey }), "done");
});

test("tokens §3: the record has what was sent, empty where nothing was", async () => {
  const { record, signature, tkey } = await saveDraft(client, o);
  assert.deepEqual(record, {
    ...{ type: "tokenSave", address: o, token: 0, values: {}, effects: [] },
    parameters: [o, "GLD", "", "Gold", ...Array(9).fill(""), signature, tkey],
  });
});

test("tokens §3: the record has reserve and tier as they were sent, blanks and all", async () => {
  const texts = {
    ...{ token: "7", url: "https://gold.example/", totalsupply: "1000", decimal: "2" },
    ...{ category: "metal", reservedamount: "10" },
    reserve: ` [ {"value" : "1",\n"address":"${a}", "unlockdate":5} ]`,
    tier: '[{"caf\\u00e9":"a\\/b"} ]',
    ...{ type: "100", image: "ipfs://bafy/1.png" },
  };
  const { record, signature, tkey } = await saveDraft(client, o, { ...texts, remainamount: "9" });
  const { token, ...others } = texts;
  const [url, ...more] = Object.values(others);
  const sent = [o, "GLD", token, "Gold", url, ...more, signature, tkey];
  assert.deepEqual(record.parameters, sent);
});
