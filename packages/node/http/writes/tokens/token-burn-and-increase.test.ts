import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import {
  AMOUNT_MAX,
  changed,
  issued,
  placeOf,
  send,
  supplyOf,
  supplyRequest,
  type TokenRequest,
  type TokenSigning,
  transactionOf,
} from "../../../testing/requests/token-requests.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  said,
  saidCode,
  signatureOf,
  TestNode,
} from "../../../testing/test-node.ts";

type Operation = "burn" | "increase";

const BOTH: readonly Operation[] = ["burn", "increase"];

let node: TestNode;
let o: KeyHolder;
let a: KeyHolder;
/** A token of O with 1000 units, all of them O's. */
let token: string;
before(async () => {
  node = await TestNode.start();
});
after(() => node[Symbol.asyncDispose]());
beforeEach(async () => {
  o = await node.holder();
  a = await node.holder();
  token = await issued(node, o);
});

function request(
  operation: Operation,
  change: Params & { readonly token?: string; readonly amount?: string } = {},
  signing: TokenSigning = {},
): Promise<TokenRequest> {
  return supplyRequest(operation, node, o, { token, amount: "1", ...change }, signing);
}

/** What a burn or increase of O's token by 1 is answered, with some parameters changed. */
async function answered(...of: Parameters<typeof request>): Promise<string> {
  return said(await send(node, await request(...of)));
}

for (const operation of BOTH) {
  test(`tokens §5 checks: ${operation}: each answers before those below it`, async () => {
    let params: Params = {};
    let tkey = "unknown";
    const at = async (change: Params): Promise<string> => {
      params = { ...params, ...change };
      return said(await node.put(`/token/${operation}/${tkey}`, params));
    };
    assert.equal(await at({}), "400 1000 token");
    assert.equal(await at({ token: "x" }), "400 1000 amount");
    assert.equal(await at({ amount: "x" }), "400 1000 signature");
    assert.equal(await at({ signature: "?" }), "400 1101 token");
    for (const amount of ["x", "01", "-1", "1.0", "1e3", " 1", String(AMOUNT_MAX + 1n)]) {
      assert.equal(await at({ token: "0", amount }), "400 1101 amount");
    }
    assert.equal(await at({ amount: "0", token: "01" }), "400 1101 token");
    assert.equal(await at({ token: "999999" }), "400 1206 amount");
    assert.equal(await at({ amount: String(AMOUNT_MAX) }), "404 4001 token");
    assert.match(await at({ token: "0" }), /^403 7001/);
    assert.equal(await at({ token }), "401 2020 tkey");
    tkey = await node.key(o);
    assert.equal(await at({}), "401 2230 signature");
    const { signature } = (await request(operation, {}, { tkey })).params;
    assert.match(await at({ signature: signature as string }), /^401 2010/);
    const own = await request(operation, { amount: String(AMOUNT_MAX) }, { tkey });
    const tooMuch = operation === "burn" ? /^400 5000/ : /^400 1101/;
    assert.match(await at(own.params), tooMuch);
    assert.equal(await answered(operation, {}, { tkey }), "200");
    assert.equal(await at({ signature: "?" }), "409 2021 tkey");
  });

  test(`tokens §5: ${operation}: the other wording of the signed string, or another order: 2010`, async () => {
    const tkey = await node.key(o);
    for (const text of [`${o.address}|${token}|${tkey}`, `1|${token}|${tkey}`, `${token}|1`]) {
      const params = { token, amount: "1", signature: signatureOf(text, o) };
      const answer = await node.put(`/token/${operation}/${tkey}`, params);
      assert.equal(saidCode(answer), "401 2010");
    }
  });

  test(`tokens §5: ${operation}: query string, JSON body with numbers, keys of kind token and of its own name`, async () => {
    for (const kind of ["token", `token${operation}`]) {
      for (const isFull of [false, true]) {
        const { path, params } = await request(
          operation,
          {},
          { tkey: await node.key(o, kind), isFull },
        );
        const query = `${path}/?${new URLSearchParams(params)}`;
        const first = await node.request(query, { method: "PUT" });
        const body = JSON.stringify({ ...params, amount: 1, token: Number(token) });
        const headers = { "Content-Type": "application/json" };
        const again = await node.request(path, { method: "PUT", body, headers });
        assert.deepEqual(placeOf(again), placeOf(first));
      }
    }
    const tkey = await node.key(o, operation === "burn" ? "tokenincrease" : "tokenburn");
    assert.equal(await answered(operation, {}, { tkey }), "401 2020 tkey");
  });

  test(`conventions §5.3: a repeated ${operation} gets the same headers and moves nothing, anything else is 2021`, async () => {
    const tkey = await node.key(o);
    // As much as there can be: a second time there is not enough of it.
    const amount = operation === "burn" ? "1000" : String(AMOUNT_MAX - 1000n);
    const sent = await request(operation, { amount, memo: "m" }, { tkey });
    const first = await send(node, sent);
    const supply = await supplyOf(node, token);
    const height = await node.height();
    await transactionOf(node, first, token);
    for (const repeat of [sent, await request(operation, { amount, memo: "m" }, { tkey })]) {
      const again = await send(node, repeat);
      assert.deepEqual(placeOf(again), placeOf(first));
      await transactionOf(node, again, token);
    }
    const other = operation === "burn" ? "increase" : "burn";
    for (const [named, change] of [
      [operation, { amount: "2", memo: "m" }],
      [operation, { amount, memo: "n" }],
      [other, { amount, memo: "m" }],
    ] as const) {
      assert.equal(await answered(named, change, { tkey }), "409 2021 tkey");
    }
    assert.equal(await node.height(), height);
    assert.equal(await supplyOf(node, token), supply);
  });
}

test("conventions §4.5: burn and increase share a short signature; a full one fits its operation, and covers the memo", async () => {
  const short = await request("burn");
  const elsewhere = (sent: TokenRequest): TokenRequest => ({
    ...sent,
    path: sent.path.replace("burn", "increase"),
  });
  assert.equal(said(await send(node, elsewhere(short))), "200");
  const full = await request("burn", { memo: "m" }, { isFull: true });
  for (const wrong of [
    elsewhere(full),
    changed(full, { memo: "n" }),
    changed(full, { memo: "" }),
  ]) {
    assert.equal(saidCode(await send(node, wrong)), "401 2010");
  }
  assert.equal(saidCode(await send(node, changed(full, { signed: "" }))), "401 2010");
  assert.equal(said(await send(node, full)), "200");
});

test("tokens §5: of a burn and a transfer of the same units at once one wins", async () => {
  for (let round = 0; round < 10; round += 1) {
    token = await issued(node, o, { totalsupply: "100" });
    const burn = await request("burn", { amount: "100" });
    const transfer = await node.transfer(o, { to: a.address, token, amount: "100" });
    const sending = [
      (): Promise<Answered> => send(node, burn),
      (): Promise<Answered> => node.post("/transfer", transfer),
    ];
    const inTurn = round % 2 === 0 ? sending : sending.toReversed();
    const answers = (await Promise.all(inTurn.map((sends) => sends()))).map(saidCode);
    const [burned, paid] = round % 2 === 0 ? answers : answers.toReversed();
    if (burned === "200") {
      assert.equal(paid, "400 5001");
      assert.equal(await supplyOf(node, token), "100 issued, 100 burned, 0 circulate, 0 remain");
    } else {
      assert.deepEqual([burned, paid], ["400 5000", "200"]);
      assert.equal(await supplyOf(node, token), "100 issued, 0 burned, 100 circulate, 0 remain");
    }
  }
});

test("tokens §5: burns at once burn no more than there is, equal ones burn once", async () => {
  const burns = await Promise.all(
    Array.from({ length: 15 }, () => request("burn", { amount: "100" })),
  );
  const answers = await Promise.all(burns.map((burn) => send(node, burn)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 10);
  assert.equal(await supplyOf(node, token), "1000 issued, 1000 burned, 0 circulate, 0 remain");
  const one = await request("increase", { amount: "7" });
  const same = await Promise.all(Array.from({ length: 10 }, () => send(node, one)));
  assert.equal(new Set(same.map((answer) => JSON.stringify(placeOf(answer)))).size, 1);
  assert.deepEqual(await node.balances(o, token), ["7"]);
});

test("conventions §5.2: of a burn and an increase at once with one key one is done, the other 2021", async () => {
  const tkey = await node.key(o);
  const two = [await request("burn", {}, { tkey }), await request("increase", {}, { tkey })];
  const answers = await Promise.all(two.map((sent) => send(node, sent)));
  assert.deepEqual(answers.map(said).toSorted(), ["200", "409 2021 tkey"]);
});

test("tokens §5: of two increases at once that together go above 10^40 one is 1101", async () => {
  token = await issued(node, o, { totalsupply: "" });
  const amount = String((AMOUNT_MAX * 6n) / 10n);
  const two = [await request("increase", { amount }), await request("increase", { amount })];
  const answers = await Promise.all(two.map((sent) => send(node, sent)));
  assert.deepEqual(answers.map(saidCode).toSorted(), ["200", "400 1101"]);
});
