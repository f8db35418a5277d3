import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { copyDatabase } from "@moneta/ledger";
import { someCases } from "../../ledger/testing/lane.ts";
import { runInProcess } from "../testing/command-in-process.ts";
import { ForwardingProxy } from "../testing/forwarding-proxy.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import {
  type ExchangeRequest,
  exchangeRequest,
  sendExchange,
} from "../testing/requests/exchange-requests.ts";
import { issued } from "../testing/requests/token-requests.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { type KeyHolder, summaryOf, TestNode } from "../testing/test-node.ts";

// Exchanges that several nodes process. Source: protocols §4.

interface Stage {
  readonly a: KeyHolder;
  readonly b: KeyHolder;
  readonly c: KeyHolder;
  readonly gold: string;
}

async function stage(node: TestNode): Promise<Stage> {
  const [a, b, c] = (await Promise.all([
    node.holder({ coins: 1000n }),
    node.holder({ curve: "secp384r1" }),
    node.holder(),
  ])) as [KeyHolder, KeyHolder, KeyHolder];
  const gold = await issued(node, b, { totalsupply: "1000", decimal: "0" });
  const gift = { to: c.address, token: gold, amount: "300" };
  assert.equal(summaryOf(await node.post("/transfer", await node.fullTransfer(b, gift))), "200");
  return { a, b, c, gold };
}

function offer(
  node: TestNode,
  { a: from, gold }: Stage,
  to: KeyHolder,
  change: Readonly<Record<string, string>> = {},
): Promise<ExchangeRequest> {
  const terms = { fromAmount: "100", fromToken: "0", toAmount: "30", toToken: gold, ...change };
  return exchangeRequest(node, terms, { from, to });
}

test("protocols §2.6: of two deals with one key of A at two nodes one is done", async () => {
  await using server = await PostgresServer.start();
  const flags = ["--log", server.url, "--log-schema", "row_32"];
  await using first = await TestNode.start(...flags);
  await using second = await TestNode.start(...flags);
  const all = await stage(first);
  const { b, c, a, gold } = all;
  for (let round = 0; round < 3; round += 1) {
    const one = await offer(first, all, b);
    const other = await offer(first, all, c, { fromTkey: one["fromTkey"] ?? "" });
    const answers = await Promise.all([sendExchange(first, one), sendExchange(second, other)]);
    assert.deepEqual(answers.map(summaryOf).sort(), ["200", "409 2021 fromTkey"]);
    const [done, again] = summaryOf(answers[0]) === "200" ? [one, second] : [other, first];
    assert.equal(summaryOf(await sendExchange(again, done)), "200", "a repeat, at the other node");
  }
  assert.deepEqual(await first.balances(a, gold), ["90"]);
});

let node: TestNode;
let all: Stage;
let request: ExchangeRequest;
/** C's signature of B's text. */
let stranger: string;
let height: number;

before(async () => {
  node = await TestNode.start();
  all = await stage(node);
  request = await offer(node, all, all.b);
  const forged = await exchangeRequest(node, request, { from: all.a, to: all.b, toSigner: all.c });
  stranger = forged["toSign"] ?? "";
  assert.equal(summaryOf(await sendExchange(node, request)), "200");
  height = await node.height();
});
after(() => node?.[Symbol.asyncDispose]());

/** Changes of the exchange in a block by an attacker. */
const CHANGES: readonly (readonly [string, (text: string) => string])[] = [
  ["without toSign", (text) => text.replace(`,"toSign":"${request["toSign"]}"`, "")],
  ["without fromSign", (text) => text.replace(`"fromSign":"${request["fromSign"]}",`, "")],
  ["with C's signature for B", (text) => text.replace(request["toSign"] ?? "", stranger)],
  [
    "with the signatures swapped",
    (text) =>
      text
        .replace(request["toSign"] ?? "", "?")
        .replace(request["fromSign"] ?? "", request["toSign"] ?? "")
        .replace("?", request["fromSign"] ?? ""),
  ],
];

for (const [what, change] of CHANGES) {
  test(`protocols §2.5: verify names block and transaction of an exchange ${what}`, async () => {
    using directory = new TemporaryDirectory("exchange");
    const copy = join(directory.path, "ledger.db");
    await copyDatabase(join(node.data, "ledger.db"), copy, () => undefined);
    const database = new DatabaseSync(copy);
    const row = database.prepare("SELECT operations FROM block_log WHERE height = ?").get(height);
    const before = String(row?.["operations"]);
    const after = change(before);
    assert.notEqual(after, before);
    database.prepare("UPDATE block_log SET operations = ? WHERE height = ?").run(after, height);
    database.close();
    const { exitCode, output } = await runInProcess("verify", directory.path);
    assert.equal(exitCode, 1, output);
    assert.match(output, new RegExp(`invalid: block ${height}, transaction 0: `));
  });
}

// It replays blocks as `verify` does.
for (const [what, change] of someCases(CHANGES)) {
  test(`protocols §2.5: a follower takes no exchange ${what}`, async () => {
    await using proxy = await ForwardingProxy.to(node.url);
    proxy.change = (path, body) => (path.startsWith("/blocks/raw") ? change(body) : body);
    await assert.rejects(
      TestNode.start("--log", proxy.url),
      new RegExp(`block ${height}, transaction 0 .*GET /blocks/raw: `),
    );
  });
}
