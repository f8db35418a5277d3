import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { proofVectors } from "@moneta/protocol/test-vectors";
import { TestNode } from "../node/testing/test-node.ts";
import { EXIT } from "./command-line/command.ts";
import { NODE_COMMANDS } from "./commands/node.ts";
import { COMMANDS } from "./commands/registry.ts";
import { CommandRuns } from "./testing/command-runs.ts";
import { timeText } from "./values/times.ts";

// The last test fails for a command that no story runs to its end. Processes run only where calls
// cannot: standard input, and what is compared with calls.

const DAY_SECONDS = 86_400;

let node: TestNode;
let user: CommandRuns;
/** Of one key. */
let alice: string;
let bob: string;

before(async () => {
  node = await TestNode.startWithOperator();
  user = new CommandRuns(node.url);
});
after(async () => {
  user?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

function as(address: string): void {
  user.environment["MONETA_ADDRESS"] = address;
}

interface Page {
  readonly items: readonly { readonly id: string; readonly type: string }[];
}

interface Written {
  readonly transaction_id: string;
  readonly mrc401ids: readonly string[];
  readonly mrc402dexids: readonly string[];
}

/** All that the command prints on stdout. */
async function made(...args: readonly string[]): Promise<string> {
  return (await user.moneta(...args)).trimEnd();
}

/** By token, from the printed table. */
async function balances(...args: readonly string[]): Promise<string[]> {
  const [, ...lines] = (await user.moneta("balance", ...args)).trimEnd().split("\n");
  return lines.map((line) => line.trim().replaceAll(/ +/g, " "));
}

test("from nothing to a first payment", async () => {
  assert.match(await user.refused(2, "transfer", `MT${"0".repeat(38)}`, "1"), /must be an address/);
  assert.match(await user.refused(2, "balance"), /moneta key new/);
  await user.moneta("key", "new");
  assert.match(await user.refused(1, "balance"), /moneta address new/);
  alice = (await user.moneta("address", "new")).trim();
  assert.match(alice, /^MT[0-9A-Za-z]{38}$/);
  await user.moneta("faucet");
  const payee = await node.holder();
  const paid = await user.run(["transfer", payee.address, "1.5", "--memo", "hello"]);
  assert.match(paid.stderr, new RegExp(`^paying 1.5 TST to ${payee.address}\npaid 1.5 TST to `));
  assert.deepEqual(await balances(), ["0 98.5 TST"]);
  assert.deepEqual(await node.balances(payee), ["0: 150000000"]);
});

test("the program is called, not started, and says the same to the character", async () => {
  const id = (await user.json<Page>("history", "--limit", "1")).items[0]?.id ?? "";
  for (const args of [["balance"], ["tx", id], ["tx", id, "--json"], ["history", "-x"]]) {
    assert.deepEqual(await user.call(args), await user.run(args), args.join(" "));
  }
});

test("several addresses of one key: the first acts until another is chosen, for the key and the ledger", async () => {
  const second = await user.call(["address", "new", "--memo", "the second"]);
  bob = second.stdout.trim();
  assert.match(
    second.stderr,
    new RegExp(`${alice} still acts for this key.* moneta address use ${bob}`),
  );
  assert.equal(await user.moneta("address", "use"), `${alice}\n`);
  assert.equal(await user.moneta("address", "use", bob), `${bob}\n`);
  assert.match(await user.moneta("address", "show"), new RegExp(bob));

  const otherKey = ["--key", join(user.home, "other.pem")];
  await user.moneta("key", "new", ...otherKey);
  const other = (await user.moneta("address", "new", ...otherKey)).trim();
  assert.equal(await user.moneta("address", "use", ...otherKey), `${other}\n`);
  assert.match(await user.refused(2, "address", "use", other), /another key than the one in/);
  await using elsewhere = await TestNode.start();
  const there = ["--url", elsewhere.url];
  assert.match(await user.refused(1, "address", "use", ...there), /no address yet/);
  assert.match(await user.refused(1, "address", "use", bob, ...there), /3090/);
  const newThere = (await user.moneta("address", "new", ...there)).trim();
  assert.equal(await user.moneta("address", "use", ...there), `${newThere}\n`);
  assert.equal(await user.moneta("address", "use"), `${bob}\n`, "each ledger has its own");
});

test("where none was chosen, as on another machine, one of several must be named", async () => {
  const away = { XDG_CONFIG_HOME: join(user.home, "away") };
  const key = ["--key", join(user.home, ".config", "moneta", "key.pem")];
  Object.assign(user.environment, away);
  const printed = await user.refused(2, "balance", ...key);
  assert.ok(printed.includes(alice) && printed.includes(bob), printed);
  assert.match(printed, /moneta address use ADDRESS --key .*--from ADDRESS.*MONETA_ADDRESS/);
  // With several addresses none is selected.
  const third = await user.call(["address", "new", ...key]);
  assert.doesNotMatch(third.stderr, /still acts/);
  assert.match(await user.refused(2, "balance", ...key), /has 3 addresses/);
  await user.moneta("address", "use", alice, ...key);
  assert.deepEqual(await balances(...key), ["0 98.5 TST"]);
  delete user.environment["XDG_CONFIG_HOME"];
  as(alice);
  const warned = await user.call(["address", "use", alice]);
  assert.match(warned.stderr, /MONETA_ADDRESS is set/);
  await user.moneta("transfer", bob, "10");
  await user.moneta("transfer", alice, "1", "--from", bob);
  assert.deepEqual(await balances("--from", bob), ["0 9 TST"]);
  assert.deepEqual(await balances(bob), ["0 9 TST"]);
  assert.deepEqual(await balances(bob, "--token", "0"), ["0 9 TST"]);
  const listed = (await user.moneta("address", "list")).split("\n");
  assert.deepEqual(listed.slice(0, 2), [alice, bob]);
  assert.match(await user.moneta("address", "show", bob, "--view", "full"), /memo +the second/);
  await user.moneta("address", "show");
  const [temporaryKey = ""] = (await user.moneta("address", "temporary-key")).split("\n");
  assert.match(temporaryKey, /^K[0-9A-Za-z]{45}$/);
  assert.match(
    await user.moneta("address", "temporary-key", "--kind", "transfer"),
    /^[0-9A-Za-z]+\n$/,
  );
});

test("authority §1, §4: keys of an address change, two sign together, and a lost key is recovered", async () => {
  const file = (name: string): string => join(user.home, `${name}.pem`);
  for (const name of ["first", "phone", "safe", "friend", "next"]) {
    await user.moneta("key", "new", "--key", file(name));
  }
  const publicKey = createPublicKey(readFileSync(file("friend")));
  const friend = join(user.home, "friend-public.pem");
  writeFileSync(friend, publicKey.export({ type: "spki", format: "pem" }));
  const first = ["--key", file("first")];
  const shared = (await user.moneta("address", "new", ...first)).trim();
  await user.moneta("faucet", shared);
  const recovery = [
    "--recovery-keys",
    friend,
    "--recovery-threshold",
    "1",
    "--recovery-delay",
    "86400",
  ];
  const two = `${file("phone")},${file("safe")}`;
  await user.moneta(
    "address",
    "keys",
    two,
    "--threshold",
    "2",
    ...recovery,
    ...first,
    "--from",
    shared,
  );
  const phone = ["--key", file("phone"), "--from", shared];
  assert.match(await user.refused(1, "transfer", alice, "1", ...phone), /2011/);
  await user.moneta("transfer", alice, "1", ...phone, "--with-key", file("safe"));
  const stranger = await user.refused(
    2,
    "transfer",
    alice,
    "1",
    ...phone,
    "--with-key",
    file("next"),
  );
  assert.match(stranger, /no such key/);
  const half = join(user.home, "by two.json");
  const payment = await user.moneta("transfer", alice, "1", "--dry-run", "--from", shared);
  await user.moneta("propose", half, user.file("payment.json", payment));
  const signed = await user.call(["sign", half, "--key", file("safe")], { MONETA_ADDRESS: "" });
  assert.match(signed.stderr, new RegExp(`to sign: ${shared}, signed by key 1: weight 1 of 2\n$`));
  assert.match(await user.moneta("show", half), /, signed by key 1: weight 1 of 2\n/);
  assert.match(await user.refused(2, "submit", half), /still needs the signature of MT/);
  const unknown = ["sign", half, "--key", file("next"), "--from", shared];
  assert.match(await user.refused(2, ...unknown, "--json"), /none of MT/);
  await user.moneta("sign", half, ...phone);
  const paid = await user.moneta("submit", half);
  const shownKeys = await user.moneta("address", "show", shared, "--view", "full");
  assert.match(
    shownKeys,
    /^keys +key 0, weight 1: MF[^{"]*\n +key 1, weight 1: MF[^{"]*\nneeded weight +2$/m,
  );
  const byPhone = await user.moneta("address", "shared", "--key", file("phone"));
  assert.match(byPhone, new RegExp(`${shared} +key +1 +2 +2`));
  const notPrivate = await user.refused(2, "address", "keys", friend, ...phone);
  assert.match(notPrivate, /friend-public.pem has a public key/);

  const recover = ["address", "recover", file("next"), shared, "--key", file("friend")];
  await user.moneta(...recover);
  await user.moneta("address", "recover-cancel", ...phone, "--with-key", file("safe"));
  await user.moneta(...recover);
  assert.match(await user.refused(1, "address", "recover-finish", shared), /7201/);
  node.now += 86_400;
  await user.moneta("address", "recover-finish", shared);
  await user.moneta("transfer", alice, "1", "--key", file("next"), "--from", shared);
  assert.equal(await user.moneta("submit", half), paid, "of keys that have gone since");

  const owner = ["--key", file("next"), "--from", shared];
  const terms = ["--limits", "2/day, 9 of 0", "--payees", alice, "--until", "2027-01-01"];
  const wrong = ["grant", "new", friend, "transfer", ...owner, "--limits", "2 per day"];
  assert.match(await user.refused(2, ...wrong, "--until", "2027-01-01"), /write 5\/day/);
  const made = await user.moneta("grant", "new", friend, "transfer", ...terms, ...owner);
  const grant = made.trim();
  const agent = ["--key", file("friend"), "--grant", grant];
  await user.moneta("transfer", alice, "1.5", ...agent);
  const beyond = await user.refused(1, "transfer", alice, "1", ...agent);
  assert.match(beyond, /needs 1 TST, but grant leaves only 0\.5 TST to spend now\. \(7005\)/);
  const shown = await user.json("grant", "show", grant);
  assert.deepEqual((shown as { limits: unknown }).limits, [
    { token: "0", amount: "200000000", period: 86_400 },
    { token: "0", amount: "900000000", period: 0 },
  ]);
  const inWords = await user.moneta("grant", "show", grant);
  const day = `from ${timeText(node.now)} to ${timeText(node.now + 86_400)}`;
  assert.match(inWords, new RegExp(`^limits +2 TST a day, 1\\.5 TST spent ${day}$`, "m"));
  assert.match(inWords, /^ +9 TST in all, 1\.5 TST spent$/m);
  assert.match(inWords, /^until +2027-01-01T00:00:00\+00:00$/m);
  assert.doesNotMatch(inWords, /ended|periods|[{"]/);
  assert.match(await user.moneta("grant", "list", ...owner), new RegExp(grant));
  await user.moneta("grant", "end", grant, ...owner);

  const keys = `${file("next")},${file("safe")}`;
  const change = ["address", "keys", keys, "--threshold", "2", "--dry-run", "--from", shared];
  const both = join(user.home, "new keys.json");
  await user.moneta("propose", both, user.file("keys.json", await user.moneta(...change)));
  await user.moneta("sign", both, ...owner);
  assert.match(
    await user.moneta("show", both),
    /new keys of MT\w+, signed by key 0: weight 1 of 2/,
  );
  await user.moneta("sign", both, "--key", file("safe"), "--from", shared);
  await user.moneta("submit", both);
  assert.match(await user.refused(1, "transfer", alice, "1", ...owner), /2011/);
});

test("amounts are decimals of the token, or with --units the smallest unit, and locked until a time", async () => {
  await user.moneta("transfer", bob, "150000000", "--units");
  const locked = ["transfer", bob, "0.00000001", "--unlocks", "2026-06-01T12:00Z"];
  const { stderr } = await user.call(locked);
  assert.match(stderr, /^paying 0\.00000001 TST to MT\w+, locked until 2026-06-01 12:00:00\n/);
  const past = ["transfer", bob, "0.5", "--unlocks", "2020-01-01"];
  assert.match(
    (await user.call(past)).stderr,
    /^paying 0\.5 TST to MT\w+, not locked: 2020-01-01 00:00:00 is in the past\n/,
  );
  await user.moneta("faucet", bob, "--amount", "2");
  assert.deepEqual(await balances(bob), ["0 13 TST", "0 0.00000001 TST 2026-06-01 12:00:00"]);
  assert.deepEqual(await balances(bob, "--units"), ["0 1300000000", "0 1 2026-06-01 12:00:00"]);
  assert.deepEqual(await user.json("balance", bob), [
    { token: "0", balance: "1300000000", unlockdate: 0 },
    { token: "0", balance: "1", unlockdate: 1780315200 },
  ]);
});

test("many are paid at once, from a JSON text, a file or standard input", async () => {
  const list = (amount: string): string =>
    JSON.stringify([{ address: bob, amount, unlockdate: "0", memo: "rent" }]);
  await user.moneta("multitransfer", list("1"));
  const file = user.file("payees.json", `${list("2")}\n`);
  await user.moneta("multitransfer", `@${file}`, "--token", "0");
  const { code } = await user.run(["multitransfer", "-"], { input: list("4") });
  assert.equal(code, 0);
  assert.equal((await balances(bob, "--units"))[0], "0 1300000007");
  const rows = user.file(
    "payees.csv",
    `address,amount,memo\r\n# May\r\n${bob},0.5,rent, and more\n${bob}, 0.25\n`,
  );
  const paid = await user.call(["multitransfer", `@${rows}`]);
  const printed = `0.75 TST in all\n  0.5 TST to ${bob}\n  0.25 TST to ${bob}\n`;
  assert.ok(
    paid.stderr.startsWith(`paying:\n  ${printed}paid:\n  ${printed}signed by `),
    paid.stderr,
  );
  assert.equal((await balances(bob, "--units"))[0], "0 1375000007");
  assert.match(
    await user.moneta(
      "tx",
      (await user.json<Page>("history", bob, "--limit", "1")).items[0]?.id ?? "",
    ),
    /rent, and more/,
  );
});

test("a memo of digits behind an amount may be its decimals, and is sent only if it is confirmed", async () => {
  const before = await balances(bob, "--units");
  for (const memo of ["5", "000", "000,50", " 5 "]) {
    const rows = user.file("decimal-commas.csv", `${bob},1,rent\n${bob},1,${memo}\n`);
    assert.match(
      await user.refused(2, "multitransfer", `@${rows}`),
      new RegExp(`line 2 of .* pays 1 with the memo "${memo.trim()}": .* add --digit-memos`),
    );
  }
  assert.deepEqual(await balances(bob, "--units"), before);
  const rows = user.file("numbers.csv", `${bob},0.00000001,2027001\n`);
  assert.match(
    await user.moneta("multitransfer", `@${rows}`, "--digit-memos", "--dry-run"),
    /memo.*2027001/,
  );
});

test("the ledger can be looked at: blocks, transactions, histories, proofs", async () => {
  const height = Number(await user.moneta("height"));
  assert.equal(height, await node.height());
  const many = await user.moneta("history", "--type", "multi_transfer", "--limit", "1");
  assert.match(many, / this address paid 0\.75 TST to MT/);
  assert.match(await user.moneta("block"), new RegExp(`^block +${height}$`, "m"));
  const block = await user.json<{ id: string; transaction: { id: string }[] }>(
    "block",
    `${height}`,
  );
  const id = block.transaction[0]?.id ?? "";
  assert.match(await user.moneta("block", block.id), new RegExp(id));
  assert.match(await user.moneta("tx", id), /^type +multi_transfer$/m);
  assert.deepEqual(await user.json("tx", id), await node.transaction(id));
  assert.equal((await user.json<{ id: string }>("block", "raw", `${height}`)).id, block.id);
  await user.moneta("blocks", "--limit", "2");
  assert.equal(
    (await user.json<unknown[]>("blocks", "raw", "--from-block", "1", "--limit", "2")).length,
    2,
  );
  const [, newest = ""] = (await user.moneta("transactions", "--since", "2026-01-01")).split("\n");
  const [short = ""] = / [0-9]+-[0-9]+…[0-9a-f]{6} /.exec(newest) ?? [];
  const { id: whole } = await user.json<{ id: string }>("tx", short.trim());
  assert.ok(whole.endsWith(short.trim().slice(-6)), whole);
  const shortAddress = `${bob.slice(0, 8)}…${bob.slice(-6)}`;
  assert.match(await user.moneta("address", "show", shortAddress), new RegExp(bob));
  assert.match(
    await user.refused(2, "address", "show", "MTaaaaaa…bbbbbb"),
    /nothing on this ledger/,
  );
  assert.match(await user.moneta("transactions", "--full"), new RegExp(` ${whole} `, "m"));
  assert.match(await user.moneta("totals", "--step", "hour"), /^TIME +TRANSACTIONS\n/);
  assert.match(await user.moneta("totals", "--step", "day"), /^TIME +TRANSACTIONS +ADDRESSES\n/);
  assert.match(
    await user.moneta("totals", "--step", "hour", "--csv"),
    /^time,transactions,addresses,types\r\n.*tokenRegister 1/,
  );
  const history = await user.moneta("history", bob, "--type", "receive", "--full");
  assert.match(history, new RegExp(`${bob} received 1\\.5 TST from ${alice}`));
  assert.match(await user.moneta("info"), /^coin +TST, Test Coin, 8 decimals$/m);

  assert.match(await user.moneta("proof", "checkpoint"), /^localhost\/test\n/);
  assert.match(await user.moneta("proof", "key"), /^localhost\/test\+/);
  const proof = await user.json<{ tree_size: number }>("proof", "transaction", id);
  const file = user.file("proof.json", JSON.stringify(proof));
  const key = (await user.moneta("proof", "key")).trim();
  const checked = await user.moneta("proof", "check", file, "--verifier-key", key);
  assert.match(checked, new RegExp(`^transaction +${id}\noperation +.*multitransfer`));
  const [balance] = proofVectors.reads;
  const response = user.file("balance.json", JSON.stringify(balance?.response));
  const own = balance?.verifier_key ?? "";
  assert.match(
    await user.moneta("proof", "check", response, "--verifier-key", own),
    /^entry +balance\/MTAlice\w+\/0 \{"free":"900"\}\nas of block +258\nclaimed at /,
  );
  const isWrong = (...args: string[]): Promise<string> =>
    user.refused(EXIT.refused, "proof", "check", ...args);
  assert.match(await isWrong(response, "--verifier-key", key), /; key should be localhost/);
  assert.match(
    await isWrong(response, "--verifier-key", own, "--entry", "x"),
    /wrong: entries should be x/,
  );
  await user.moneta("proof", "consistency", "1", `${proof.tree_size}`);
  const { base64 } = await user.json<{ base64: string }>("proof", "tile", "0", "000.p/3");
  assert.equal(Buffer.from(base64, "base64").length, 96);
  const entries = join(user.home, "entries");
  await user.moneta("proof", "entries", "000.p/3", "--output", entries);
  assert.ok(readFileSync(entries).length > 96);
});

test("a list of several pages is shown page by page, or whole", async () => {
  const first = await user.call(["blocks", "--limit", "3"]);
  const [, cursor = ""] = /--cursor (\S+)/.exec(first.stderr) ?? [];
  const numbers = (text: string): string[] =>
    [...text.matchAll(/^ *([0-9]+) {2}/gm)].map(([, number]) => number as string);
  const second = await user.moneta("blocks", "--limit", "3", "--cursor", cursor);
  const all = await user.moneta("blocks", "--limit", "3", "--all");
  assert.deepEqual(numbers(all).slice(0, 6), [...numbers(first.stdout), ...numbers(second)]);
  assert.equal(numbers(all).length, (await node.height()) + 1);
  const { items, ...others } = await user.json<{ items: unknown[] }>("blocks", "--all");
  assert.equal(items.length, (await node.height()) + 1);
  assert.deepEqual(others, {});
});

test("a token from its draft to its end", async () => {
  as(alice);
  const image = user.file("gold.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await user.moneta(
    ...["token", "save", "GLD", "Gold", "--decimals", "2", "--supply", "1000.5"],
    ...["--page-url", "https://gold.example/", "--image", `@${image}`],
  );
  const created = await user.call(["token", "create"]);
  assert.equal(created.stdout, "1\n");
  assert.match(created.stderr, new RegExp(`^signed by ${alice}, transaction [0-9a-f]{64}$`, "m"));
  assert.deepEqual(await balances("--token", "1"), ["1 1000.5 GLD #1"]);
  assert.match(await user.moneta("token", "show", "1"), /^supply +1000\.5 GLD #1$/m);
  assert.equal(await user.moneta("token", "image", "1"), readFileSync(image, "utf8"));
  assert.match(await user.moneta("token", "list", "--symbol", "GLD"), /Gold/);
  assert.match(await user.moneta("search", "gol"), /^token +Gold +GLD +1$/m);
  for (const name of ["GLD", "gold", "gld #1"]) {
    assert.match(await user.moneta("token", "show", name), /^symbol +GLD$/m);
  }
  const unknown = await user.call(["token", "show", "gol"]);
  assert.equal(unknown.code, EXIT.misused);
  assert.match(
    unknown.stderr,
    /TOKEN is "gol", but no token has this symbol or name\. Give the id .*: 1 \(GLD #1, Gold\)/,
  );
  await user.moneta("token", "increase", "1", "100");
  await user.moneta("token", "burn", "1", "0.5", "--memo", "yearly");
  assert.equal(await user.moneta("token", "supply", "1"), "1100\n");
  await user.moneta(
    ...["token", "update", "1", "--page-url", "https://gold.example/new"],
    ...["--info", "Gold in a vault", "--image", "https://gold.example/bar.png"],
  );
  assert.match(await user.moneta("token", "show", "1"), /^information +Gold in a vault$/m);
  await user.moneta("transfer", bob, "50", "--token", "1");
  assert.match(
    await user.moneta("token", "holders", "1", "--order", "balance"),
    new RegExp(`${bob} +50 GLD #1`),
  );
});

test("tokens are offered, bought, requested, sold and auctioned, at prices of one whole token", async () => {
  as(alice);
  // The terms are printed before and after.
  const offered = await user.call(["token", "sell", "1", "100", "0.5"]);
  const terms = "100 GLD #1 at 0.5 TST each, 50 TST in all";
  assert.ok(offered.stderr.startsWith(`selling ${terms}\non sale: ${terms}\n`), offered.stderr);
  const listing = offered.stdout.trimEnd();
  assert.match(await user.moneta("token", "market", "--token", "1"), /100 GLD #1 +0\.5 TST/);
  as(bob);
  // Only the listing names the token of the amount.
  const bought = await user.call(["token", "buy", listing, "4"]);
  assert.match(bought.stderr, /^buying 4 GLD #1 at 0\.5 TST each, 2 TST in all\n/);
  assert.match(bought.stderr, /^paid 2 TST, got 4 GLD #1$/m);
  assert.deepEqual(await balances("--token", "1"), ["1 54 GLD #1"]);
  assert.match(
    await user.refused(1, "token", "buy", listing, "100"),
    /^buying .*\nmoneta: AMOUNT is 100 GLD #1 but .* 96 GLD #1/,
  );
  assert.match(
    await user.moneta("token", "trades", "1"),
    new RegExp(` sell +4 GLD #1 +2 TST +${alice} +${bob} +${listing}\\n$`),
  );
  assert.match(
    await user.moneta("token", "candles", "1"),
    / 0\.5 +0\.5 +0\.5 +0\.5 +4 GLD #1 +1\n$/,
  );
  as(alice);
  const shown = await user.moneta("token", "listing", listing);
  assert.match(shown, /^remaining +96 GLD #1$/m);
  assert.match(shown, /^price each +0\.5 TST$/m);
  const back = await user.call(["token", "unsell", listing]);
  assert.match(back.stderr, /^got 96 GLD #1$/m);

  const coarse = ["token", "sell", "1", "10", "0.00000001"] as const;
  assert.match(
    (await user.call([...coarse, "--dry-run"])).stderr,
    /^selling 10 GLD #1 at 0\.00000001 TST each, 0\.0000001 TST in all, in multiples of 1 GLD #1$/m,
  );
  assert.match(
    await user.refused(2, "token", "sell", "1", "1.5", "0.00000001"),
    /1 GLD #1 or 2 GLD #1/,
  );
  assert.match(
    await user.refused(2, ...coarse, "--min-trade-unit", "0.5"),
    /--min-trade-unit is 0\.5, but must be 0\.01, or ten, .* up to 1000000/,
  );
  const inUnits = [
    "token",
    "sell",
    "1",
    "1000",
    "3",
    "--min-trade-unit",
    "10",
    "--units",
    "--dry-run",
  ];
  assert.match((await user.call(inUnits)).stdout, /"min_trade_unit": "10"/);

  const fee = ["--platform-address", bob, "--platform-commission", "2.5", "--platform-name", "M"];
  const asked = await user.call(["token", "request", "1", "10", "0.01", ...fee]);
  assert.match(
    asked.stderr,
    /^asking for 10 GLD #1 .* 0\.1 TST in all, and up to 2\.5 % on top to MT/,
  );
  const request = asked.stdout.trimEnd();
  as(bob);
  const sold = await user.call(["token", "accept-request", request, "0.05"]);
  assert.match(sold.stderr, /^selling 0\.05 GLD #1 at 0\.01 TST each, 0\.0005 TST in all\n/);
  assert.match(sold.stderr, /^got 0\.0005 TST, gave 0\.05 GLD #1$/m);
  as(alice);
  await user.moneta("token", "withdraw-request", request);

  const auction = async (): Promise<string> =>
    await made("token", "auction", "1", "5", "0.1", "--min-increment", "0.1");
  await user.moneta("token", "unauction", await auction());
  const lot = await auction();
  as(bob);
  // Bids have the decimals of the paying token.
  assert.match(
    await user.refused(1, "token", "bid", lot, "0.25"),
    /AMOUNT is 0\.25 TST but .*0\.1 TST/,
  );
  const bid = await user.call(["token", "bid", lot, "0.3"]);
  assert.match(bid.stderr, /^bidding 0\.3 TST for 5 GLD #1\npaid 0\.3 TST$/m);
  assert.match(await user.moneta("token", "listing", lot), /^auction current price +0\.3 TST$/m);
  node.now += 2 * DAY_SECONDS;
  const finished = await user.call(["token", "finish", lot]);
  assert.match(finished.stderr, new RegExp(`^${bob} got 5 GLD #1\n${alice} got 0\\.3 TST$`, "m"));
  assert.match(await user.moneta("token", "listing", lot), /^state +sold$/m);
});

const PAGES = [
  ...["--page-url", "https://rpg.example/", "--picture-url", "https://rpg.example/logo.png"],
  ...["--category", "game", "--description", "Items of a game", "--data", "season 1"],
  ...[
    "--page-template",
    "https://rpg.example/{id}",
    "--picture-template",
    "https://rpg.example/{id}.png",
  ],
];
let project: string;

function named(id: string): string {
  return `“[^”]+” \\(${id}\\)`;
}

test("a project, and items that are made, sold, bought, auctioned, passed on and melted", async () => {
  as(alice);
  project = (await user.moneta("project", "create", "Meta-RPG", ...PAGES)).trim();
  assert.match(project, /^MRC400_/);
  assert.match(
    await user.moneta("project", "list", "--owner", alice),
    new RegExp(`${project} +Meta-RPG`),
  );
  await user.moneta("project", "update", project, "--data", "season 2");
  assert.match(await user.moneta("project", "show", project), /^data +season 2$/m);

  const number = `Sword${"0".repeat(34)}1`;
  const sword = await made("item", "create", project, "--item-id", number, "--sell-price", "0.7");
  assert.equal(sword, `${project}_${number}`);
  assert.match(await user.moneta("item", "show", sword), /^sell price +0\.7 TST$/m);
  assert.match(await user.moneta("item", "metadata", sword), /^external url +https:/m);
  const others = JSON.stringify([2, 3].map((n) => ({ item_id: `Sword${"0".repeat(34)}${n}` })));
  const created = await user.json<Written>("item", "create", project, others);
  const [shield = "", bow = ""] = created.mrc401ids;
  await user.moneta("item", "update", sword, "--group", "swords", "--sell-fee", "1.5");
  assert.match(await user.moneta("item", "show", sword), /^group +swords$/m);
  await user.moneta("item", "update", sword, "--group", "");
  assert.doesNotMatch(await user.moneta("item", "show", sword), /^group/m);
  const renamed = JSON.stringify([shield, bow].map((id) => ({ id, groupid: "others" })));
  await user.moneta("item", "update", renamed);
  assert.match(await user.moneta("item", "show", bow), /^group +others$/m);

  await user.moneta("item", "unsell", sword);
  // In the token of the price.
  await user.moneta("item", "sell", sword, "2.5", "--token", "1");
  assert.match(await user.moneta("item", "show", sword), /^sell price +2\.5 GLD #1$/m);
  const { code } = await user.run(["item", "unsell", "-"], { input: JSON.stringify([sword]) });
  assert.equal(code, 0);
  const offers = JSON.stringify([shield, bow].map((id) => ({ id, price: "1", token: "0" })));
  const both = await user.call(["item", "sell", `@${user.file("offers.json", offers)}`]);
  assert.match(
    both.stderr,
    new RegExp(`^selling:\n  ${named(shield)} for 0\\.00000001 TST\n  ${named(bow)} for`, "m"),
  );
  // Each name would take a request.
  const many = (await made("item", "create", project, "--count", "26")).split("\n");
  const all = JSON.stringify(many.map((id) => ({ id, price: "1", token: "0" })));
  const planned = await user.call(["item", "sell", all, "--dry-run"]);
  assert.match(planned.stderr, new RegExp(`^selling:\n  ${many[0]} for 0\\.00000001 TST$`, "m"));
  await user.moneta("item", "unsell", shield, bow);
  const onSale = await user.call(["item", "sell", sword, "0.3"]);
  assert.match(
    onSale.stderr,
    new RegExp(`^selling ${named(sword)} for 0\\.3 TST\non sale: ${named(sword)} for`, "m"),
  );
  assert.match(
    await user.moneta("item", "list", "--project", project, "--state", "sale"),
    /on sale +0\.3 TST/,
  );
  as(bob);
  // In the token of the sale.
  assert.match(await user.refused(1, "item", "buy", sword, "--price", "0.2"), /7112/);
  const sale = await user.call(["item", "buy", sword]);
  assert.match(
    sale.stderr,
    new RegExp(`^buying ${named(sword)} for 0\\.3 TST\npaid 0\\.3 TST$`, "m"),
  );
  assert.match(
    await user.moneta("project", "market", project),
    /^trades in 24 h +1\nvolume in 24 h +0\.3 TST$/m,
  );
  assert.match(
    await user.moneta("project", "list", "--owner", alice),
    new RegExp(`${project} +Meta-RPG .* 1 +0\\.3 TST$`, "m"),
  );
  assert.match(await user.moneta("address", "items"), new RegExp(sword));
  await user.moneta("item", "transfer", alice, sword);
  as(alice);
  await user.moneta("item", "melt", sword);

  await user.moneta("item", "auction", shield, "0.1");
  await user.moneta("item", "unauction", shield);
  const ends = `@${node.now + 7 * DAY_SECONDS}`;
  const terms = ["--token", "1", "--min-increment", "0.05", "--buy-now", "100", "--end", ends];
  await user.moneta("item", "auction", bow, "0.1", ...terms);
  assert.match(await user.moneta("item", "show", bow), /^buy now +100 GLD #1$/m);
  // Errors use the given words.
  assert.match(
    await user.refused(2, "item", "auction", shield, "2", "--token", "1", "--buy-now", "0.5"),
    /--buy-now is 0\.5 GLD #1 but must be above start 2 GLD #1/,
  );
  assert.match(await user.refused(1, "item", "sell", bow.slice(0, -1), "1"), /^moneta: ITEM "/m);
  as(bob);
  const itemBid = await user.call(["item", "bid", bow, "0.25"]);
  assert.match(itemBid.stderr, new RegExp(`^bidding 0\\.25 GLD #1 for ${named(bow)}$`, "m"));
  assert.match(await user.moneta("item", "show", bow), /^auction current price +0\.25 GLD #1$/m);
  node.now += 30 * DAY_SECONDS;
  await user.moneta("item", "finish", bow);
  assert.match(await user.moneta("item", "show", bow), new RegExp(`^holder +${bob}$`, "m"));

  as(alice);
  const until = (): string => `@${node.now + DAY_SECONDS}`;
  const offered = async (): Promise<string> =>
    await made("item", "offer", bow, "0.2", "--end", until());
  await user.moneta("item", "withdraw-offer", await offered());
  const offer = await offered();
  assert.match(
    await user.moneta("item", "offers", bow),
    new RegExp(`${offer}.* [0-9]{4}-[0-9]{2}-[0-9]{2} `),
  );
  assert.match(await user.moneta("item", "offer-show", offer), /^price +0\.2 TST$/m);
  as(bob);
  const sold = await user.call(["item", "accept-offer", offer]);
  assert.match(
    sold.stderr,
    new RegExp(
      `^selling ${named(bow)} to ${alice} for 0\\.2 TST, of which at least 0\\.2 TST is yours after fees$`,
      "m",
    ),
  );
  const ending = await made("item", "offer", project, "0.2", "--end", until());
  node.now += DAY_SECONDS;
  await user.moneta("item", "finish-offer", ending);

  as(alice);
  const twins = await made("item", "create", project, "--group", "twins", "--count", "2");
  const [one = "", two = ""] = twins.split("\n");
  assert.match(one, new RegExp(`^${project}_[0-9A-Za-z]{40}$`));
  await user.moneta("item", "transfer", bob, one, two);
  assert.match(await user.moneta("item", "show", two), new RegExp(`^holder +${bob}$`, "m"));
});

test("multi-unit items: made, minted, passed on, traded, auctioned, melted", async () => {
  as(alice);
  const print = await made(
    ...["units", "create", "--name", "Sunset", "--supply", "20"],
    ...["--page-url", "https://prints.example/", "--picture-url", "https://prints.example/1.png"],
  );
  const potion = await made(
    ...["units", "create", project, "--name", "Potion", "--supply", "20"],
    ...["--shareholders", JSON.stringify({ [bob]: "2" }), "--initial-reserve", "0.01"],
  );
  const shownPotion = await user.moneta("units", "show", potion);
  assert.match(shownPotion, /^name +Potion$/m);
  assert.match(await user.moneta("units", "metadata", potion), /^name +Potion$/m);
  assert.match(shownPotion, new RegExp(`^shareholders .*${bob}`, "m"));
  const drinks = JSON.stringify([{ name: "Beer", totalsupply: "3" }, { name: "Wine" }]);
  const [beer = "", wine = ""] = (await made("units", "create", project, drinks)).split("\n");
  await user.moneta("units", "update-items", potion, "--group", "potions");
  assert.match(await user.moneta("units", "show", potion), /^group +potions$/m);
  const offers = [beer, wine].map((id) => ({ id, price: "1", token: "0", amount: "1" }));
  const { mrc402dexids: drinksOffered } = await user.json<Written>(
    ...(["units", "sell", JSON.stringify(offers)] as const),
  );
  await user.moneta("units", "unsell", ...drinksOffered);
  await user.moneta("units", "auction", beer, "2", "0.5");
  await user.moneta("units", "unauction", beer);
  assert.match(
    await user.moneta("units", "list", "--creator", alice),
    new RegExp(`${print} +Sunset +20`),
  );
  await user.moneta("units", "mint", print, "5");
  await user.moneta("units", "burn", print, "1", "--memo", "torn");
  await user.moneta("units", "update", print, "--information", "A sunset");
  await user.moneta("units", "transfer", bob, print, "3");
  await user.moneta("units", "melt", print, "1");
  const shown = await user.moneta("units", "show", print);
  assert.match(shown, /^information +A sunset$/m);
  assert.match(shown, /^supply +24$/m);
  assert.match(await user.moneta("units", "holders", print), new RegExp(`${bob} +3`));
  assert.match(
    await user.moneta("units", "holdings", bob),
    new RegExp(`^Sunset +3 +0 +0 +${print}$`, "m"),
  );

  const sell = async (): Promise<string> => await made("units", "sell", print, "5", "0.5");
  await user.moneta("units", "unsell", await sell());
  const offer = await sell();
  assert.match(await user.moneta("units", "market", "--item", print), /sell +open +5 +0\.5 TST/);
  as(bob);
  const units = await user.call(["units", "buy", offer, "2"]);
  assert.match(
    units.stderr,
    new RegExp(
      `^buying 2 units of ${named(print)} at 0\\.5 TST each, 1 TST in all\npaid 1 TST, got 2 units$`,
      "m",
    ),
  );
  assert.match(await user.moneta("units", "listing", offer), /^remaining +3$/m);
  as(alice);
  const auction = async (): Promise<string> =>
    await made("units", "auction", print, "2", "0.1", "--token", "1");
  await user.moneta("units", "unauction", await auction());
  const lot = await auction();
  as(bob);
  const unitBid = await user.call(["units", "bid", lot, "0.2"]);
  assert.match(
    unitBid.stderr,
    new RegExp(`^bidding 0\\.2 GLD #1 for 2 units of ${named(print)}$`, "m"),
  );
  assert.match(await user.moneta("units", "listing", lot), /^auction current price +0\.2 GLD #1$/m);
  const offered = async (): Promise<string> => {
    const until = `@${node.now + DAY_SECONDS}`;
    return await made("units", "offer", print, "1", "0.1", "--end", until);
  };
  await user.moneta("units", "withdraw-offer", await offered());
  const wanted = await offered();
  assert.match(
    await user.moneta("units", "offers", print),
    new RegExp(`${wanted}.* [0-9]{4}-[0-9]{2}-[0-9]{2} `),
  );
  as(alice);
  await user.moneta("units", "accept-offer", wanted, "1");
  assert.match(await user.moneta("units", "offer-show", wanted), /^state +accepted$/m);
  as(bob);
  const ending = await offered();
  node.now += 30 * DAY_SECONDS;
  await user.moneta("units", "finish-offer", ending);
  await user.moneta("units", "finish", lot);
  assert.match(
    await user.moneta("units", "holdings", bob),
    new RegExp(`^Sunset +8 +0 +0 +${print}$`, "m"),
  );
});

test("histories say in sentences who paid what to whom, and for spreadsheets in cells", async () => {
  as(bob);
  const history = await user.moneta("history", "--all", "--full");
  const sword = `${project}_Sword${"0".repeat(34)}1`;
  assert.match(history, new RegExp(`  ${bob} bought the item ${sword} for 0\\.3 TST$`, "m"));
  assert.match(history, new RegExp(`  ${bob} bought 4 GLD #1 for 2 TST$`, "m"));
  assert.match(history, new RegExp(`  ${bob} received 3 units .* from ${alice}$`, "m"));
  const life = await user.moneta("item", "history", sword, "--units", "--full");
  const sale = `${bob} bought the item ${named(sword)} from ${alice} for 30000000 of token 0`;
  assert.match(life, new RegExp(`  ${sale}$`, "m"));
  const csv = await user.moneta("transactions", "--all", "--csv");
  assert.match(
    csv,
    new RegExp(
      `^${bob},[^,]+,transfer_mrc010buy,${bob} bought 4 GLD #1 for 2 TST,-2,TST,4,GLD #1,,DEX010_`,
      "m",
    ),
  );
  assert.match(csv, new RegExp(`^${alice},[^,]+,mrc401auction,"[^"]+",,,,,,${project}_`, "m"));
});

interface Statement {
  readonly opening: readonly { readonly token: string; readonly balance: string }[];
  readonly entries: readonly {
    readonly timestamp: number;
    readonly token: string;
    readonly amount: string;
    readonly balance: string;
  }[];
  readonly closing: readonly { readonly token: string; readonly balance: string }[];
}

test("a statement adds up to the unit: from nothing at the beginning to what there is, with reserves and escrows", async () => {
  const nothing = [{ token: "0", balance: "0" }];
  as(alice);
  // None of her records has reserves of items, or a commission in escrow.
  await user.moneta("item", "create", project, "--initial-reserve", "0.25", "--count", "2");
  const reserved = JSON.stringify({ 0: "3", 1: "7" });
  const [held = ""] = (
    await made(
      ...["units", "create", "--name", "Reserved", "--supply", "5", "--reserve-each", reserved],
      ...["--page-url", "https://prints.example/", "--picture-url", "https://prints.example/1.png"],
    )
  ).split("\n");
  await user.moneta("units", "mint", held, "4");
  await user.moneta("units", "burn", held, "2");
  await user.moneta("units", "melt", held, "1");
  const fee = ["--platform-address", bob, "--platform-commission", "2.5"];
  await user.moneta("token", "request", "1", "10", "0.33", ...fee);
  await user.moneta(
    "transfer",
    alice,
    "0.5",
    "--from",
    bob,
    "--unlocks",
    `@${node.now + DAY_SECONDS}`,
  );
  const midway = node.now;
  const before = await user.json<Statement["closing"]>("balance", alice);
  node.now += 100;
  await user.moneta("transfer", bob, "0.125", "--memo", "after");

  const { address: treasury } = node.treasury;
  for (const address of [alice, bob, treasury]) {
    const { opening, entries, closing } = await user.json<Statement>("statement", address);
    assert.deepEqual(opening, nothing, address);
    const sums = new Map<string, bigint>([["0", 0n]]);
    for (const { token, amount, balance } of entries) {
      sums.set(token, (sums.get(token) ?? 0n) + BigInt(amount));
      assert.equal(balance, String(sums.get(token)));
    }
    const all = await user.json<Statement["closing"]>("balance", address);
    assert.deepEqual(totals(closing), totals(all));
  }
  const until = await user.json<Statement>("statement", "--to", `@${midway}`);
  assert.deepEqual(totals(until.closing), totals(before));
  const since = await user.json<Statement>("statement", "--from", `@${midway + 1}`);
  assert.deepEqual(since.opening, until.closing);
  assert.deepEqual(
    since.entries.map(({ amount }) => amount),
    ["-12500000"],
  );
  const text = await user.moneta("statement", "--from", `@${midway + 1}`, "--token", "0");
  assert.match(text, /^opening balance:\n {2}[\d.]+ TST$/m);
  assert.match(text, /transfer +-0\.125 TST +[\d.]+ TST .* after /);
  const csv = await user.moneta("statement", "--from", `@${midway + 1}`, "--csv");
  assert.match(csv, /^time,type,amount,balance,token,symbol,with,about,memo,transaction\r\n/);
  assert.match(csv, /,transfer,-0\.125,[\d.]+,0,TST,MT\w+,,after,[0-9a-f]{64}\r\n/);
  assert.match(
    await user.refused(2, "statement", "--from", "2027-01-02", "--to", "2027-01-01"),
    /--from is after --to/,
  );
});

function totals(
  entries: readonly { readonly token: string; readonly balance: string }[],
): [string, bigint][] {
  const sums = new Map<string, bigint>();
  for (const { token, balance } of entries) {
    sums.set(token, (sums.get(token) ?? 0n) + BigInt(balance));
  }
  return [...sums].filter(([token, sum]) => sum !== 0n || token === "0");
}

test("histories and lists are printed for a spreadsheet, which runs nothing of what strangers wrote", async () => {
  as(alice);
  await user.moneta("transfer", bob, "0.5", "--memo", '=HYPERLINK("http://x"),"');
  const [titles, newest, ...rows] = (await user.moneta("history", "--csv", "--all")).split("\r\n");
  assert.equal(titles, "date,counterparty,what,amount,token,fee,balance,memo,transaction");
  assert.match(
    newest ?? "",
    new RegExp(
      `^2026-\\d\\d-\\d\\d [\\d:]+,${bob},payment,-0\\.5,TST #0,,[\\d.]+,"'=HYPERLINK\\(""http://x""\\),""",[0-9a-f]{64}$`,
    ),
  );
  assert.match(rows.join("\n"), /,\w+ DEX010_\w+,-100,GLD #1,,[\d.]+,,/);
  assert.match(await user.moneta("token", "list", "--csv"), /^id,symbol,.*\r\n1,GLD,Gold,/);
  for (const barred of [["--json"], ["--units"], ["--limit", "1"]]) {
    const refused = await user.refused(2, "history", "--csv", ...barred);
    assert.match(refused, new RegExp(`takes no ${barred[0]}: leave one of them out`));
  }
});

test("a record shows what applies, and neither what is 0 nor what it has twice", async () => {
  const sword = `${project}_Sword${"0".repeat(34)}2`;
  const shown = await user.moneta("item", "show", sword);
  const names = [...shown.matchAll(/^(.+?) {2,}/gm)].map(([, name]) => name);
  assert.deepEqual(names, [
    ...["id", "project", "holder", "creator", "group", "created", "transferable"],
    "project's owner",
  ]);
  const sold = await user.moneta("item", "show", `${project}_Sword${"0".repeat(34)}1`);
  assert.match(sold, /^sell fee +1\.5 %$/m);
  const life = await user.json<Page>("item", "history", `${project}_Sword${"0".repeat(34)}1`);
  assert.equal(life.items.at(-1)?.type, "mrc401_create");
});

test("the operator announces new rules with the key in a variable, and not in a file", async () => {
  const { privateKey, address } = node.operator;
  const pem = privateKey.export({ type: "sec1", format: "pem" }) as string;
  const [, version = ""] = /^rules +version (\d+)$/m.exec(await user.moneta("info")) ?? [];
  const next = String(Number(version) + 1);
  const { code, stderr } = await user.call(
    ["rules", "announce", next, "1000000", "fees are rounded up"],
    { MONETA_PRIVATE_KEY: pem.replaceAll("\n", "\\n"), MONETA_ADDRESS: address },
  );
  assert.equal(code, 0, stderr);
  assert.match(
    await user.moneta("info"),
    new RegExp(`^rules +version ${version}, version ${next} from block 1000000 on$`, "m"),
  );
});

test("what would be sent can be looked at without being sent", async () => {
  as(alice);
  const height = await node.height();
  assert.deepEqual(await user.json("transfer", bob, "1.5", "--memo", "x", "--dry-run"), {
    operation: "transfer",
    actor: alice,
    params: { from: alice, to: bob, token: "0", amount: "150000000", memo: "x" },
  });
  const sword = `${project}_Sword${"0".repeat(34)}1`;
  assert.deepEqual(
    await user.json("item", "auction", sword, "2.5", "--buy-now", "10", "--dry-run"),
    {
      operation: "mrc401auction",
      actor: alice,
      params: {
        seller: alice,
        itemdata: `[{"id":"${sword}","start":"250000000","token":"0","buynow":"1000000000"}]`,
      },
    },
  );
  assert.equal(await node.height(), height);
});

test("the rest of the commands explain themselves", async () => {
  assert.match(await user.moneta(), /^Usage: moneta COMMAND/m);
  assert.equal(await user.moneta("help"), await user.moneta("--help"));
  assert.equal(
    await user.moneta("help", "token", "sell"),
    await user.moneta("token", "sell", "--help"),
  );
  assert.equal(await user.moneta("help", "token"), await user.moneta("token"));
  assert.match(await user.moneta("--version"), /^moneta \d+\.\d+\.\d+$/m);
  assert.match(await user.moneta("key", "show"), /^-----BEGIN PUBLIC KEY-----$/m);
  assert.match(await user.moneta("completion", "bash"), /^complete -F/m);
});

const TESTED_ELSEWHERE: readonly string[] = [
  ...[
    "watch",
    "batch",
    "item airdrop",
    "propose",
    "show",
    "sign",
    "submit",
    "withdraw",
    "exchange",
    "group transactions",
    "key export",
    "key import",
  ],
  ...["order", "seal", "token set-base", "token add-target", "token remove-target"],
  "token trust",
  "mcp",
];

test("every command that has no test file of its own has been run to its end", () => {
  const done = user.done.map((args) => args.join(" "));
  const left = COMMANDS.filter((command) => !NODE_COMMANDS.includes(command))
    .map(({ words }) => words)
    .filter((words) => !TESTED_ELSEWHERE.some((each) => `${words} `.startsWith(`${each} `)))
    .filter((words) => {
      // `block raw` does not count as `block`.
      const longer = COMMANDS.map((each) => each.words).filter((each) =>
        each.startsWith(`${words} `),
      );
      return !done.some(
        (each) =>
          (each === words || each.startsWith(`${words} `)) &&
          !longer.some((other) => `${each} `.startsWith(`${other} `)),
      );
    });
  assert.deepEqual(left, []);
});
