import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TestNode } from "../node/testing/test-node.ts";
import { CommandRuns } from "./testing/command-runs.ts";

let node: TestNode;
let user: CommandRuns;
let seller: string;
let buyer: string;

before(async () => {
  node = await TestNode.start();
  user = new CommandRuns(node.url);
  await user.moneta("key", "new");
  [seller, buyer] = [await made("address", "new"), await made("address", "new")];
  for (const address of [seller, buyer]) {
    await user.moneta("faucet", address);
  }
  as(seller);
  for (const [symbol, name] of [
    ["GLD", "Gold"],
    ["SLV", "Silver"],
  ] as const) {
    await user.moneta("token", "save", symbol, name, "--decimals", "1", "--supply", "100");
    await user.moneta("token", "create");
  }
});
after(async () => {
  user?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

function as(address: string): void {
  user.environment["MONETA_ADDRESS"] = address;
}

async function made(...args: readonly string[]): Promise<string> {
  return (await user.moneta(...args)).trimEnd();
}

interface Order {
  readonly status: string;
  readonly remainqtt: string;
}

test("a token's owner says what it is traded for, and the other owner admits it", async () => {
  as(seller);
  await user.moneta("token", "set-base", "1", "2");
  await user.moneta("token", "add-target", "2", "1");
  const base = await user.json<{ readonly targettoken: object }>("token", "show", "2");
  assert.deepEqual(Object.keys(base.targettoken), ["1"]);
  await user.moneta("token", "remove-target", "2", "1");
  assert.match(await user.refused(1, "order", "create", "sell", "2", "1", "1", "1"), /7114/);
  await user.moneta("token", "set-base", "1", "0");
});

test("orders wait, are traded by requests and by name, and are cancelled", async () => {
  as(seller);
  const order = await made("order", "create", "sell", "0", "1", "10", "0.5");
  assert.match(order, /^MRC040_[0-9a-f]{33}$/);
  const book = await user.json<{ readonly asks: readonly object[] }>("order", "book", "0", "1");
  assert.deepEqual(book.asks, [{ price: "50000000", qtt: "100", orders: 1 }]);
  assert.deepEqual(await user.json("order", "pending", seller), {
    items: [{ token: "1", pending: "100", orders: 1 }],
  });

  as(buyer);
  await user.moneta("order", "request", "buy", "0", "1", "4", "0.5", "--min", "4");
  await user.moneta("order", "exchange", order, "1");
  const traded = await user.json<Order>("order", "show", order);
  assert.deepEqual([traded.status, traded.remainqtt], ["TRADING", "50"]);
  assert.match(await user.moneta("balance", "--token", "1"), /\b5 GLD #1$/m);
  const { items } = await user.json<{ readonly items: readonly { readonly id: string }[] }>(
    ...["order", "trades", "--base", "0", "--token", "1"],
  );
  assert.equal(items.length, 2);
  const trade = await user.json<{ readonly mrc040id: string }>(
    ...["order", "trade", items[0]?.id ?? ""],
  );
  assert.equal(trade.mrc040id, order);

  as(seller);
  await user.moneta("order", "cancel", order);
  const all = await user.json<{ readonly items: readonly Order[] }>(
    ...["order", "list", "--state", "all"],
  );
  assert.deepEqual(
    all.items.map(({ status, remainqtt }) => [status, remainqtt]),
    [["CANCEL", "50"]],
  );
});

test("people see orders, the book and trades in whole tokens", async () => {
  as(seller);
  const order = await made("order", "create", "sell", "0", "1", "10", "0.5");
  await user.moneta("order", "create", "sell", "0", "1", "2", "0.75");
  await user.moneta("order", "create", "buy", "0", "1", "4", "0.25");
  as(buyer);
  await user.moneta("order", "exchange", order, "1");
  const seen = (...args: readonly string[]): Promise<string> => user.moneta("order", ...args);
  const shown = await seen("show", order);
  for (const line of [/^remaining +9 GLD #1$/m, /^price +0\.5 TST$/m, /^held +9 GLD #1$/m]) {
    assert.match(shown, line);
  }
  assert.match(await seen("list"), /^MRC040_\w+ +sell +partly filled +9 GLD #1 +0\.5 TST +MT\w+$/m);
  // The best levels of both sides are adjacent.
  assert.match(
    await seen("book", "0", "1"),
    /^asks +2 GLD #1 at 0\.75 TST, 1 order\n +9 GLD #1 at 0\.5 TST, 1 order\nbids +4 GLD #1 at 0\.25 TST, 1 order$/m,
  );
  assert.match(
    await seen("book", "0", "1", "--side", "sell"),
    /^ +0\.5 TST +9 GLD #1 +1\n *0\.75 TST +2 GLD #1 +1$/m,
  );
  const reversed = await user.call(["order", "book", "1", "0"]);
  assert.match(reversed.stdout, /^open +no$/m);
  assert.match(reversed.stderr, /the reverse is open: moneta order book 0 1$/m);
  const closed = await user.call(["order", "book", "1", "2"]);
  assert.match(closed.stderr, /^This pair is closed: the owners/m);
  as(seller);
  assert.equal(await seen("pending"), await seen("pending", seller), "of the acting address");
  assert.match(await seen("pending", seller), /^ +0 +1 TST +1\n +1 +11 GLD #1 +2$/m);
  const trades = await seen("trades", "--order", order);
  assert.match(trades, /^\S+ \S+ +buy +1 GLD #1 +0\.5 TST +0\.5 TST +MT\w+ +MT\w+ +TRD040_\w+$/m);
  const [trade = ""] = /TRD040_\w+/.exec(trades) ?? [];
  assert.match(await seen("trade", trade), /^amount +1 GLD #1\nprice +0\.5 TST\npaid +0\.5 TST$/m);
});
