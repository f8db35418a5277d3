import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { type KeyHolder, TestNode } from "../../node/testing/test-node.ts";
import { CommandRuns } from "../testing/command-runs.ts";

interface Printed {
  readonly line: number;
  readonly transaction_id?: string;
  readonly problem?: { readonly code: string };
}

const TOO_MUCH = String(10n ** 17n);

let node: TestNode;
let user: CommandRuns;
let payee: KeyHolder;

before(async () => {
  node = await TestNode.start();
  node.now = Math.floor(Date.now() / 1000);
  user = new CommandRuns(node.url);
  payee = await node.holder();
  await user.moneta("key", "new");
  await user.moneta("address", "new");
  await user.moneta("faucet");
});
after(async () => {
  user?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

function payment(amount: string | number): string {
  return JSON.stringify({ operation: "transfer", to: payee.address, token: "0", amount });
}

function printed(stdout: string): readonly Printed[] {
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Printed);
}

test("a file of operations is signed and sent, and a line is printed for each", async () => {
  const file = user.file("done.jsonl", `${payment("5")}\n\n${payment(7)}\n`);
  const results = printed(await user.moneta("batch", file));
  assert.deepEqual(
    results.map(({ line }) => line),
    [1, 3],
  );
  assert.deepEqual(await node.balances(payee, "0"), ["12"]);
  const again = await user.refused(2, "batch", file);
  assert.match(again, /done\.jsonl\.signed is there/);
  assert.deepEqual(printed(await user.moneta("batch", file, "--continue")), results);
  assert.deepEqual(await node.balances(payee, "0"), ["12"]);
});

/** Runs a file of which the ledger refuses something. */
async function partlyRefused(...args: readonly string[]): Promise<readonly Printed[]> {
  const { code, stdout, stderr } = await user.call(["batch", ...args]);
  assert.equal(code, 1, stderr);
  return printed(stdout);
}

test("an interrupted file is continued: what was signed is sent again, what was not is signed, nothing is done twice", async () => {
  const lines = [payment("1"), payment(TOO_MUCH), payment("2"), payment("3")];
  const file = user.file("broken.jsonl", lines.slice(0, 2).join("\n"));
  const [first, second] = await partlyRefused(file);
  assert.equal(second?.problem?.code, "5001");
  assert.deepEqual(await node.balances(payee, "0"), ["13"]);
  // As if the program had been killed while it wrote the third of four.
  writeFileSync(file, lines.join("\n"));
  appendFileSync(`${file}.signed`, '{"line":3,"ha');
  node.now += 3600; // the temporary keys have expired
  const results = await partlyRefused(file, "--continue");
  assert.deepEqual(results[0], first);
  assert.deepEqual(
    results.map(({ problem }) => problem?.code),
    [undefined, "5001", undefined, undefined],
  );
  assert.deepEqual(await node.balances(payee, "0"), ["18"]);
  const again = await partlyRefused(file, "--continue");
  assert.deepEqual(
    again.map(({ transaction_id }) => transaction_id),
    results.map(({ transaction_id }) => transaction_id),
  );
  assert.deepEqual(await node.balances(payee, "0"), ["18"]);
  writeFileSync(file, lines.with(0, payment("4")).join("\n"));
  assert.match(await user.refused(2, "batch", file, "--continue"), /line 1: it was another one/);
});

test("wrong lines are named before anything is sent", async () => {
  const refused = async (text: string): Promise<string> =>
    await user.refused(2, "batch", user.file("wrong.jsonl", `${payment("1")}\n${text}`));
  assert.match(await refused("{"), /line 2: /);
  assert.match(await refused("[]"), /line 2: it must be a JSON object/);
  assert.match(
    await refused(payment("1").replace('"1"', "12345678901234567890")),
    /write it as text/,
  );
  assert.match(await refused(payment("1").replace('"to"', '"two"')), /line 2: .*two/);
  assert.match(await user.refused(2, "batch", "-", "--continue"), /standard input/);
  assert.deepEqual(await node.balances(payee, "0"), ["18"]);
});
