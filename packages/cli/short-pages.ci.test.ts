import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TestNode, withTokens } from "../node/testing/test-node.ts";
import { everyItem, Moneta } from "../sdk/index.ts";
import { CommandRuns } from "./testing/command-runs.ts";

// Anybody can make pages of balances end early, with many small matured amounts.

/** A page's maximum. Source: accounts §9. */
const MATURED = 10_000;
const PER_PAYMENT = 100;

let node: TestNode;
let user: CommandRuns;
let victim: string;

before(async () => {
  node = await TestNode.start();
  await node.restart(withTokens(7));
  user = new CommandRuns(node.url);
  const holder = await node.holder();
  victim = holder.address;
  await node.pay(holder, 1000n, { token: "7" });
  for (let first = 0; first < MATURED; first += PER_PAYMENT) {
    const dust = Array.from({ length: PER_PAYMENT }, (_, index) => ({
      ...{ address: victim, amount: "1", unlockdate: String(node.now + 1000 + first + index) },
    }));
    const paid = await node.post("/multitransfer", await node.multitransfer(node.treasury, dust));
    assert.equal(paid.status, 200, paid.text);
  }
  node.now += 1000 + MATURED;
});
after(async () => {
  user?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

const COINS = { token: "0", balance: "10000", unlockdate: 0 };
const GOLD = { token: "7", balance: "1000", unlockdate: 0 };

test("the first page shows coins alone, and leads on", async () => {
  const first = await node.get(`/balance/${victim}`);
  assert.deepEqual(JSON.parse(first.text), [COINS]);
  assert.match(first.headers.get("link") ?? "", /rel="next"/);
});

test("moneta balance shows all tokens", async () => {
  assert.deepEqual(await user.json("balance", victim), [COINS, GOLD]);
  const { stdout, stderr } = await user.call(["balance", victim, "--units"]);
  assert.match(stdout, /^ *0 +10000$\n^ *7 +1000$/m);
  assert.equal(stderr, "");
});

test("moneta balance with a limit shows how to continue", async () => {
  for (const more of [[], ["--json"]]) {
    const { stderr } = await user.call(["balance", victim, "--limit", "9", ...more]);
    assert.equal(stderr, "there is more: --after 0:0 continues from here\n");
  }
  const rest = ["balance", victim, "--limit", "9", "--after", "0:0"];
  assert.deepEqual(await user.json(...rest), [GOLD]);
  assert.equal((await user.call(rest)).stderr, "");
});

test("a statement counts all tokens", async () => {
  const { closing, opening } = await user.json<Record<string, unknown>>(
    ...(["statement", victim, "--token", "7"] as const),
  );
  assert.deepEqual(closing, [{ token: "7", balance: "1000" }]);
  assert.deepEqual(opening, []);
});

test("the client library gets all balances page by page, as its README says", async () => {
  const moneta = new Moneta(node.url);
  const entries = await Array.fromAsync(
    everyItem(async (cursor) => {
      const items = await moneta.balance({ address: victim, after: cursor });
      const last = items.at(-1);
      return last === undefined ? { items } : { items, cursor: `${last.token}:${last.unlockdate}` };
    }),
  );
  assert.deepEqual(entries, [
    { ...COINS, balance: 10_000n },
    { ...GOLD, balance: 1000n },
  ]);
});
