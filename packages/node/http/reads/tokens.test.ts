import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { sendRequest } from "../../testing/requests/signed-request.ts";
import {
  AMOUNT_MAX,
  issued,
  reserveOf,
  supplyOf,
  supplyRequest,
  tokenRecord,
  transactionOf,
  updateRequest,
} from "../../testing/requests/token-requests.ts";
import { TemporaryDirectory } from "../../testing/temporary-directory.ts";
import {
  type KeyHolder,
  newKey,
  publicPem,
  refusalCode,
  START,
  summaryOf,
  TestNode,
} from "../../testing/test-node.ts";

let node: TestNode;
let o: KeyHolder;
let a: KeyHolder;
before(async () => {
  node = await TestNode.start();
  o = await node.holder();
  a = await node.holder();
});
after(() => node[Symbol.asyncDispose]());

async function transfer(from: KeyHolder, to: KeyHolder, token: string, amount: string) {
  const params = await node.transfer(from, { to: to.address, token, amount });
  assert.equal(summaryOf(await node.post("/transfer", params)), "200");
}

async function burn(token: string, amount: string): Promise<void> {
  const answer = await sendRequest(node, await supplyRequest("burn", node, o, { token, amount }));
  assert.equal(summaryOf(answer), "200");
}

const BARE = {
  category: "",
  decimal: 0,
  totalsupply: "0",
  burnningamount: "0",
  circulation_supply: "0",
  remainamount: "0",
  reservedamount: "0",
  reserve: [],
  tier: [],
  url: "",
  information: "",
  image: "",
  type: "010",
  status: "",
  basetoken: 0,
  targettoken: {},
  logger: {},
};

test("tokens §2: a token that was saved with nothing but its names has every field", async () => {
  const id = await issued(node, o, { symbol: "S", name: "Bare", totalsupply: "" });
  assert.deepEqual(await tokenRecord(node, id), {
    ...BARE,
    id,
    token: Number(id),
    owner: o.address,
    symbol: "S",
    name: "Bare",
    createdate: node.now,
  });
});

test("tokens §2: a token shows what it was registered with, reserve and tier as JSON", async () => {
  node.now += 10;
  const image = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
  const locked = node.now + 1000;
  const id = await issued(node, o, {
    symbol: "É€😀",
    name: "Full <b>&'\"",
    totalsupply: "1000",
    decimal: "18",
    reservedamount: "600",
    remainamount: "ignored",
    reserve: `[ {"address":"${a.address}","value":"300","unlockdate":"${locked}"},\n{"value":"100","address":"${a.address}"} ]`,
    tier: '[{"level":1,"price":"2.50","tags":["x",null,true]},{}]',
    category: "a|b",
    url: "https://gold.example/?a=%7C",
    image,
    type: "101",
    token: "x",
  });
  assert.deepEqual(await tokenRecord(node, id), {
    ...BARE,
    id,
    token: Number(id),
    owner: o.address,
    symbol: "É€😀",
    name: "Full <b>&'\"",
    createdate: node.now,
    decimal: 18,
    totalsupply: "1000",
    circulation_supply: "400",
    remainamount: "600",
    reservedamount: "600",
    reserve: [
      { address: a.address, value: "300", unlockdate: locked },
      { address: a.address, value: "100", unlockdate: 0 },
    ],
    tier: [{ level: 1, price: "2.50", tags: ["x", null, true] }, {}],
    category: "a|b",
    url: "https://gold.example/?a=%7C",
    image,
    type: "101",
  });
});

test("tokens §2: what the owner holds does not circulate, locked or not", async () => {
  const id = await issued(node, o, {
    name: "Locked",
    totalsupply: "100",
    reserve: reserveOf([o, "30", node.now + 1000], [a, "20", node.now + 1000]),
  });
  assert.equal(await supplyOf(node, id), "100 issued, 0 burned, 20 circulate, 80 remain");
  node.now += 1000;
  assert.equal(await supplyOf(node, id), "100 issued, 0 burned, 20 circulate, 80 remain");
});

test("tokens §2: total 1000, O burned 100 and holds 600, A holds 300", async () => {
  const id = await issued(node, o, { name: "Row 23", totalsupply: "1000" });
  await burn(id, "100");
  await transfer(o, a, id, "300");
  assert.equal(await supplyOf(node, id), "1000 issued, 100 burned, 300 circulate, 600 remain");
});

for (const { totalsupply, burned = "0", decimal, body } of [
  { totalsupply: "1234500", decimal: "4", body: "123.45" },
  { totalsupply: String(AMOUNT_MAX), burned: "1", decimal: "1", body: `${"9".repeat(39)}.9` },
]) {
  test(`tokens §2: total supply ${totalsupply}, ${burned} burned, ${decimal} decimals: ${body}`, async () => {
    const id = await issued(node, o, { name: "Supply", totalsupply, decimal });
    if (burned !== "0") {
      await burn(id, burned);
    }
    const answer = await node.get(`/totalsupply/${id}`);
    assert.equal(answer.text, body);
    assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
  });
}

test("tokens §2: units in other hands than the owner's are a part of the total supply", async () => {
  const id = await issued(node, o, { name: "Held", totalsupply: "1000", decimal: "2" });
  await transfer(o, a, id, "1000");
  assert.equal((await node.get(`/totalsupply/${id}/`)).text, "10");
});

test("conventions §2.5: a token and its total supply carry an ETag that changes with them", async () => {
  const id = await issued(node, o, { name: "Tagged" });
  for (const path of [`/token/${id}`, `/totalsupply/${id}`]) {
    const { headers } = await node.get(path);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("ledger-height"), String(await node.height()));
    const known = { "If-None-Match": headers.get("etag") ?? "none" };
    assert.equal((await node.get(path, known)).status, 304);
    await burn(id, "1");
    assert.equal((await node.get(path, known)).status, 200);
  }
});

test("tokens §2: the native coin has the same fields; without an owner nothing is taken off what circulates", async () => {
  const coin = await tokenRecord(node, "0");
  const { reserve: _, createdate: __, ...rest } = coin;
  const { reserve: ___, ...bare } = BARE;
  const total = String(10n ** 18n);
  assert.deepEqual(rest, {
    ...bare,
    id: "0",
    token: 0,
    owner: "",
    symbol: "TST",
    name: "Test Coin",
    decimal: 8,
    totalsupply: total,
    circulation_supply: total,
  });
  assert.equal(coin["createdate"], START);
  assert.equal((await node.get("/totalsupply/0")).text, String(10n ** 10n));
});

test("tokens §2: the native coin with an owner can be burned, increased and updated by it", async () => {
  using directory = new TemporaryDirectory("owned-coin");
  const owner = {
    address: "MTAlice00000000000000000000000005dc33c90",
    privateKey: newKey(),
  };
  const publickey = publicPem(owner.privateKey);
  const treasury = [{ publickey, address: owner.address, amount: "1000", unlockdate: 0 }];
  const coin = { name: "Coin", symbol: "C", decimal: 2, totalsupply: "1000" };
  const file = join(directory.path, "genesis.json");
  const settings = { ledger: "ledger.example/owned", timestamp: START - 1000 };
  writeFileSync(
    file,
    JSON.stringify({ ...settings, coin: { ...coin, owner: owner.address, treasury } }),
  );
  await using owned = await TestNode.start("--genesis", file);
  const stranger = await owned.holder();
  assert.equal((await tokenRecord(owned, "0"))["owner"], owner.address);
  assert.equal((await tokenRecord(owned, "0"))["createdate"], START - 1000);
  assert.equal(await supplyOf(owned, "0"), "1000 issued, 0 burned, 0 circulate, 1000 remain");

  const params = await owned.transfer(owner, { to: stranger.address, amount: "100" });
  assert.equal(summaryOf(await owned.post("/transfer", params)), "200");
  for (const [operation, amount] of [
    ["burn", "300"],
    ["increase", "50"],
  ] as const) {
    const change = { token: "0", amount };
    const own = await sendRequest(owned, await supplyRequest(operation, owned, owner, change));
    const { token, address } = await transactionOf(owned, own, "0");
    assert.deepEqual([token, address], [0, owner.address]);
    const other = await supplyRequest(operation, owned, stranger, change);
    assert.equal(refusalCode(await sendRequest(owned, other)), "401 2020");
  }
  assert.equal(await supplyOf(owned, "0"), "1050 issued, 300 burned, 100 circulate, 650 remain");
  assert.equal((await owned.get("/totalsupply/0")).text, "7.5");

  const first = await sendRequest(
    owned,
    await updateRequest(owned, owner, { token: "0", info: "one" }),
  );
  assert.equal((await transactionOf(owned, first, "0")).parameters[0], "0");
  const nameless = await updateRequest(owned, owner, { signedFor: "0", info: "two" });
  await transactionOf(owned, await sendRequest(owned, nameless), "0");
  assert.equal((await tokenRecord(owned, "0"))["information"], "two");
});
