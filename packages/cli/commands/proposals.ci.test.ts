import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ForwardingProxy } from "../../node/testing/forwarding-proxy.ts";
import { OF_PROBLEM } from "../../node/testing/hostile-node.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import { CommandRuns } from "../testing/command-runs.ts";

let node: TestNode;
let alice: CommandRuns;
let bob: CommandRuns;
let payer: string;
let owner: string;
let item: string;

before(async () => {
  node = await TestNode.start();
  node.now = Math.floor(Date.now() / 1000);
  alice = new CommandRuns(node.url);
  bob = new CommandRuns(node.url);
  payer = await alice.newAddress();
  owner = await bob.newAddress();
  const urls = ["--page-url", "https://a.example", "--picture-url", "https://a.example/i.png"];
  const texts = ["--category", "game", "--description", "d", "--data", "d"];
  const patterns = [
    "--page-template",
    "https://a.example/{id}",
    "--picture-template",
    "https://a.example/{id}",
  ];
  const made = await bob.moneta("project", "create", "Game", ...texts, ...urls, ...patterns);
  item = (await bob.moneta("item", "create", made.trim(), "--group", "swords")).trim();
});
after(async () => {
  alice?.[Symbol.dispose]();
  bob?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

let files = 0;

/** 2 coins, or `amount`, for Bob's item; the file. */
async function proposed(amount = "2", ...flags: readonly string[]): Promise<string> {
  files += 1;
  const pays = await alice.moneta("transfer", owner, amount, "--dry-run", "--from", payer);
  const passes = await alice.moneta("item", "transfer", payer, item, "--dry-run", "--from", owner);
  const operations = alice.file(`operations${files}.json`, pays + passes);
  const file = join(alice.home, `our swap${files}.json`);
  await alice.moneta("propose", file, operations, ...flags);
  return file;
}

interface ShownEffects {
  readonly address: string;
  readonly gives: readonly object[];
  readonly gets: readonly object[];
}

interface Shown {
  readonly missing: readonly string[];
  readonly effects: readonly ShownEffects[];
  readonly transactions?: readonly string[];
  readonly warnings: readonly { readonly is: string }[];
  readonly problem?: { readonly code: string; readonly index: number };
}

test("two people propose, look at, sign and submit a swap, each with their own key", async () => {
  const file = await proposed();
  const shown = await bob.moneta("show", file);
  assert.match(
    shown,
    /1\. transfer by MT\w+, not signed yet\n(.*\n)* {3}amount: 200000000 \(2 TST\)\n/,
  );
  assert.match(shown, new RegExp(`${payer}\n  gives 2 TST\n  gets|${payer}\n  gives 2 TST`));
  assert.match(
    shown,
    new RegExp(`${owner} \\(you\\)\n  gives “swords #\\w+” \\(${item}\\)\n  gets 2 TST`),
  );
  await alice.moneta("sign", file);
  assert.deepEqual((await bob.json<Shown>("show", file)).missing, [owner]);
  assert.match(
    await bob.refused(2, "submit", file),
    /still needs the signature of MT.*moneta sign '\S+our swap1\.json'\n$/,
  );
  const { stderr, stdout } = await bob.call(["sign", file]);
  assert.match(stdout, new RegExp(`${owner} \\(you\\)\n  gives “.*” \\(${item}\\)`));
  assert.match(stderr, /all have signed: moneta submit '\S+our swap1\.json'\n$/);
  const ids = (await bob.moneta("submit", file)).trim().split("\n");
  assert.equal(ids.length, 2);
  assert.equal(await alice.moneta("submit", file), `${ids.join("\n")}\n`);
  const after = await bob.moneta("show", file);
  assert.match(after, new RegExp(`It is done, by the transactions\n${ids.join("\n")}\n`));
  assert.match(after, new RegExp(`gives “.*” \\(${item}\\)`), "and what everybody gave and got");
  assert.doesNotMatch(after, /would be refused/);
  const { transactions } = await bob.json<Shown>("show", file);
  assert.deepEqual(transactions, ids);
  const late = await bob.call(["sign", file]);
  assert.equal(late.code, 0);
  assert.match(late.stderr, /the proposal is done already/);
  assert.doesNotMatch(late.stderr, /moneta submit/);
  const { id } = await bob.json<{ readonly id: string }>("show", file);
  assert.deepEqual(await bob.json("group", "transactions", id), ids);
  assert.match(await bob.moneta("item", "show", item), new RegExp(`holder +${payer}`));
  await alice.moneta("item", "transfer", owner, item);
});

test("a proposal that would be refused is shown so before anybody signs, and then refused as a whole", async () => {
  const file = await proposed("100000");
  const shown = await bob.moneta("show", file);
  assert.match(shown, /Now it would be refused: operation 1: .*100000 TST.* \(5001\)/);
  const { problem } = await bob.json<Shown>("show", file);
  assert.deepEqual([problem?.code, problem?.index], ["5001", 0]);
  await alice.moneta("sign", file);
  await bob.moneta("sign", file);
  assert.match(await bob.refused(1, "submit", file), /operation 1: .*\(5001\)/);
  assert.match(await bob.moneta("item", "show", item), new RegExp(`holder +${owner}`));
});

test("a proposal that was done days ago is submitted again as the first time, and one that was not is refused", async () => {
  const [file, left] = [await proposed(), await proposed()];
  for (const each of [file, left]) {
    await alice.moneta("sign", each);
    await bob.moneta("sign", each);
  }
  const ids = await bob.moneta("submit", file);
  await alice.moneta("item", "transfer", owner, item);
  node.now += 30 * 3600;
  await node.holder(); // a block at that time
  assert.equal(await bob.moneta("submit", file), ids);
  const { results } = await bob.json<{ readonly results: object[] }>("submit", file);
  assert.deepEqual(
    results,
    ids
      .trim()
      .split("\n")
      .map((id) => ({ transaction_id: id })),
  );
  const shown = await bob.moneta("show", file);
  assert.match(shown, /It is done/);
  assert.doesNotMatch(shown, /refused|gives/);
  assert.match(await bob.refused(1, "submit", left), /2020.*Nothing was done/s);
});

test("a forecast that the node has not finished is no refusal", async () => {
  await using proxy = await ForwardingProxy.to(node.url);
  const problem = { status: 503, code: "9002", title: "Busy", detail: "It took too long." };
  proxy.change = (path, body) => {
    if (!path.endsWith("?dry=1")) {
      return body;
    }
    const { results } = JSON.parse(body) as { readonly results: readonly object[] };
    return JSON.stringify({ results: [...results.slice(0, -1), { problem }] });
  };
  const shown = await bob.moneta("show", await proposed(), "--url", proxy.url);
  assert.match(shown, /The node has not finished its forecast: .*It took too long\. \(9002\)/);
  assert.doesNotMatch(shown, /refused/);
});

test("a byte order mark before operations, or before a proposal, is no part of them", async () => {
  const pays = await alice.moneta("transfer", owner, "2", "--dry-run", "--from", payer);
  const passes = await alice.moneta("item", "transfer", payer, item, "--dry-run", "--from", owner);
  const text = `\ufeff${pays}${passes}`.replaceAll("\n", "\r\n");
  const file = join(alice.home, "marked.json");
  await alice.moneta("propose", file, alice.file("marked-operations.json", text));
  const marked = alice.file("marked again.json", `\ufeff${readFileSync(file, "utf8")}`);
  await alice.moneta("sign", marked);
  assert.deepEqual((await bob.json<Shown>("show", marked)).missing, [owner]);
});

test("a signature that another signer has added meanwhile stays in the file", async () => {
  const file = await proposed();
  await using proxy = await ForwardingProxy.to(node.url);
  let hasSigned = false;
  proxy.answer = ({ url }, response) => {
    if (url !== "/group?dry=1" || hasSigned) {
      return false;
    }
    hasSigned = true;
    const problem = { code: "9404", status: 404, title: "Not found", detail: "No forecasts." };
    void bob.moneta("sign", file).then(() => {
      response.writeHead(404, OF_PROBLEM).end(JSON.stringify(problem));
    });
    return true;
  };
  const { code, stderr } = await alice.call(["sign", file, "--url", proxy.url]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /all have signed/);
  assert.deepEqual((await bob.json<Shown>("show", file)).missing, []);
});

test("a command that has failed proposes nothing of what the others have printed", async () => {
  const pays = await alice.moneta("transfer", owner, "2", "--dry-run", "--from", payer);
  // An empty variable of the shell.
  const args = ["item", "transfer", payer, "--dry-run", "--from", owner];
  const { code, stdout, stderr } = await alice.call(args);
  assert.equal(code, 2);
  assert.match(stderr, /^moneta: ITEM is missing\n/);
  const operations = alice.file("failed.json", pays + stdout + pays);
  assert.match(
    await alice.refused(2, "propose", join(alice.home, "f.json"), operations),
    /^moneta: operation 2: its command has failed: ITEM is missing/,
  );
});

test("a signer who gives and gets nothing is warned", async () => {
  const file = join(alice.home, "gift.json");
  await alice.moneta("propose", file, ...dryFile());
  const { stderr } = await alice.call(["sign", file]);
  assert.match(stderr, /warning: you give something and get nothing for it\n/);
  const { stderr: shown } = await bob.call(["show", file]);
  assert.doesNotMatch(shown, /get nothing/);
});

test("a long validity, and what the state decides, are warned of", async () => {
  const file = await proposed("1", "--valid", "7200");
  const { warnings } = await bob.json<Shown>("show", file);
  assert.deepEqual(
    warnings.map(({ is }) => is),
    ["long"],
  );
  const { stderr } = await bob.call(["show", file]);
  assert.match(stderr, /warning: .*more than an hour/);
});

function dryFile(): readonly string[] {
  return [alice.file("dry.jsonl", `${JSON.stringify(PAYMENT())}\n${JSON.stringify(PAYMENT())}\n`)];
}

const PAYMENT = (): object => ({ operation: "transfer", to: owner, token: "0", amount: 1 });

test("a purchase without its guards is not signed", async () => {
  const buys = { operation: "mrc401buy", mrc401id: item, actor: payer };
  const operations = alice.file(
    "buys.jsonl",
    [buys, PAYMENT()].map((one) => JSON.stringify(one)).join("\n"),
  );
  const file = join(alice.home, "buys.json");
  const { stderr } = await alice.call(["propose", file, operations]);
  assert.match(stderr, /operation 1 would pay any price, or for any lot, without price and token/);
  assert.match(stderr, /operation 1 depends on the state/);
  assert.match(await alice.refused(2, "sign", file, "--json"), /would pay any price/);
});

test("a changed file is not shown, signed or submitted", async () => {
  const file = await proposed();
  const text = readFileSync(file, "utf8").replace('"amount": "200000000"', '"amount": "100000000"');
  const changed = alice.file("changed.json", text);
  for (const command of ["show", "sign", "submit"]) {
    const message = await alice.refused(2, command, changed);
    assert.match(message, /changed\.json is no proposal to be trusted: .*one of them was changed/);
  }
  assert.match(
    await alice.refused(2, "show", "nowhere.json"),
    /nowhere.json cannot be read: there is no such file\n$/,
  );
});

test("wrong operations are named, and no file is written over", async () => {
  const refused = async (text: string): Promise<string> =>
    await alice.refused(2, "propose", join(alice.home, "no.json"), alice.file("in", text));
  const payment = JSON.stringify(PAYMENT());
  assert.match(await refused(""), /1 to 16 operations, and not 0/);
  assert.match(await refused(`${payment}\n[]`), /operation 2: it must be a JSON object/);
  assert.match(await refused(`${payment}\n{"a":}`), /operation 2: "\{\\"a\\":\}" is no JSON\n$/);
  assert.match(await refused(`${payment}\n{"operation":"faucet"}`), /operation 2: .*faucet/);
  assert.match(
    await refused(`${payment}\n${payment.replace(":1}", ":1e30}")}`),
    /write it as text/,
  );
  assert.match(
    await refused(`${payment}\n${payment.replace(":1}", ":0}")}`),
    /operation 2: amount is "0" but must be an integer from 1 to 10\^40/,
  );
  const list = [{ id: item, price: "1", token: "0", prise: "2" }];
  assert.match(
    await refused(`${payment}\n${JSON.stringify({ operation: "mrc401sell", itemdata: list })}`),
    /operation 2: itemdata\[0\]\.prise is unknown .*; the most similar name is price\./,
  );
  const file = await proposed();
  assert.match(
    await alice.refused(2, "propose", file, ...dryFile()),
    /is there: a proposal .* name another one, or remove it/,
  );
  for (const valid of ["1h", "0", "86401"]) {
    assert.match(
      await alice.refused(2, "propose", "x.json", ...dryFile(), "--valid", valid),
      /--valid is ".*" but must be a whole number of seconds, from 1 to 86400/,
    );
  }
});

test("one operation is proposed for another address, signed there, and submitted by anybody", async () => {
  const pays = await bob.moneta("transfer", owner, "1", "--dry-run", "--from", payer);
  const file = join(bob.home, "request.json");
  await bob.moneta("propose", file, bob.file("request-operation.json", pays));
  assert.match(await bob.refused(2, "sign", file, "--json"), /signs no operation of this proposal/);
  await alice.moneta("sign", file);
  const id = await bob.moneta("submit", file);
  assert.match(id, /^[0-9a-f]{64}\n$/);
  assert.equal(await bob.moneta("submit", file), id);
  assert.match(await bob.refused(2, "withdraw", file), /signs no operation of this proposal/);
});
