import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { freePort } from "../../node/testing/free-port.ts";
import { COMMANDS } from "../commands/registry.ts";
import { Session } from "../session/session.ts";
import { Output } from "../terminal/output.ts";
import { CommandRuns } from "../testing/command-runs.ts";
import { EXIT } from "./command.ts";
import { COMMANDS_MEANT, commandsMeant } from "./commands-meant.ts";
import { helpFor } from "./help-text.ts";
import { readCommandLine } from "./read-command-line.ts";
import { WrongUse } from "./wrong-use.ts";

// Wrong commands are refused before any request: there is no node here.

const ALICE = "MTAlice00000000000000000000000005dc33c90";
const BOB = "MTBob0000000000000000000000000005f59bcba";

let nowhere: string;
let user: CommandRuns;

before(async () => {
  nowhere = `http://127.0.0.1:${await freePort()}`;
  user = new CommandRuns(nowhere);
});
after(() => user[Symbol.dispose]());

/** In this process, which is faster. */
async function refusalOf(...args: readonly string[]): Promise<string> {
  try {
    const called = readCommandLine(args, COMMANDS);
    assert.equal(called.kind, "command");
    if (called.kind === "command") {
      const session = new Session(called.given, new Output(), {
        MONETA_URL: nowhere,
        MONETA_ADDRESS: ALICE,
      });
      await called.command.run(called.given, session);
    }
  } catch (thrown) {
    assert.ok(thrown instanceof WrongUse, String(thrown));
    return thrown.message;
  }
  assert.fail("it was not refused");
}

for (const [args, says] of [
  [["tranfer"], /^there is no command tranfer\. Did you mean moneta transfer\?/],
  [["swap"], /Did you mean moneta exchange or moneta group or/],
  [["frobnicate"], /^there is no command frobnicate\. moneta help lists them/],
  [["token", "sel"], /Did you mean moneta token sell\? moneta help token lists them/],
  [["token", "\u001b[31m"], /^there is no command token of this name\./],
  [["help", "tokne"], /Did you mean moneta help token\?/],
  [["help", "swap"], /Did you mean moneta help exchange or moneta help group or/],
  [["tokne", "sell"], /Did you mean moneta token sell\?/],
  [["mrc401", "sell"], /Did you mean moneta item sell\?/],
  [["buy"], /Did you mean moneta token buy or moneta item buy or moneta units buy\?/],
  [["constructor"], /^there is no command constructor\. moneta help lists them/],
  [["--port", "20922"], /no flag --port that could stand before a command.*moneta serve/],
  [["balance", "--lmit", "3"], /^balance has no flag --lmit\. Did you mean --limit\?/],
  [["item", "list", "--projct", "x"], /has no flag --projct\. Did you mean --project\?/],
  [["item", "list", "--mrc400id", "x", "--project", "y"], /^--project is given twice/],
  [["balance", "--limit"], /^--limit needs a value/],
  [["balance", "--limit", "1", "--limit", "2"], /^--limit is given twice/],
  [["balance", "--json=yes"], /^--json takes no value/],
  [["balance", "-x"], /^balance has no flag -x/],
  [
    ["token", "market", "--side", "buys"],
    /--side is "buys" but must be sell, buy or auction\. Did you mean buy\?/,
  ],
  [["completion", "tcsh"], /^SHELL is "tcsh" but must be bash, zsh or fish/],
  [
    ["token", "update", "1"],
    /--info TEXT is missing\nusage: moneta token update \[TOKEN\] --info TEXT \[flags\]/,
  ],
  [["transfer"], /^TO, AMOUNT are missing\nusage: moneta transfer TO AMOUNT \[flags\]/],
  [["transfer", BOB], /^AMOUNT is missing/],
  // An empty variable of the shell.
  [
    ["transfer", "1.5"],
    /^TO is "1\.5" but must be an address.*; is a variable empty\?\nusage: moneta/,
  ],
  [
    ["item", "transfer", "MRC400_x_1"],
    /^TO is "MRC400_x_1" but must be an address.*variable empty/,
  ],
  [["token", "sell", "1.5", "2"], /^TOKEN is "1\.5" but must be the id of a token.*variable empty/],
  [["token", "sell", "1", "x"], /^AMOUNT is "x" but must be an amount.*variable empty/],
  [["exchange", "2", "0", "1.5", "7"], /^TO is "2" but must be an address.*; is a var/],
  [["transfer", BOB, "1", "2"], /takes TO AMOUNT and no more/],
  [["height", "5"], /^height takes no arguments: write a value with blanks in quotes\n/],
  [
    ["height", "#", "of", "the", "newest"],
    /^height takes no arguments: zsh takes comments .* after setopt interactive_comments\n/,
  ],
  [["balance", "#", "of", "the", "acting", "address"], /^balance takes ADDRESS and no more: zsh t/],
  [["transfer", "MTBob", "1"], /"MTBob" but must be an address/],
  [["transfer", `${BOB.slice(0, -1)}b`, "1"], /must be an address/],
  [["transfer", ALICE, "1", "--units", "--from", ALICE], /pay another address/],
  [["transfer", BOB, "1,5"], /^AMOUNT is "1,5" but must be an amount: write a point/],
  [["transfer", BOB, "-1"], /^AMOUNT is "-1" but must be an amount: more than 0, without a sign/],
  [["transfer", BOB, "-0.5", "--units"], /^AMOUNT is "-0\.5" but must be an integer from 1/],
  [["token", "sell", "1", "10", "-1.5"], /^PRICE is "-1\.5" but must be an amount: more than 0/],
  [["faucet", "--amount", "-1"], /^--amount is "-1" but must be an amount: more than 0/],
  [["history", "--limit", "-1"], /^--limit is "-1" but must be an integer from 1 to 100/],
  [["transfer", BOB, "1e3"], /^AMOUNT is "1e3" but must be an amount/],
  [["transfer", BOB, "1.5", "--units"], /must be an integer from 1/],
  [["transfer", BOB, "0", "--units"], /must be an integer from 1/],
  [["transfer", BOB, "1", "--token", "7.0"], /must be the id of a token/],
  [["transfer", BOB, "1", "--unlocks", "soon"], /--unlocks is "soon" but must be a time/],
  [["history", ALICE, "--since", "yesterday"], /--since is "yesterday" but must be a time/],
  [["history", ALICE, "--limit", "1000"], /must be an integer from 1 to 100/],
  [["multitransfer", "[{]"], /is not the JSON expected/],
  [["history", "--type", "recieve"], /"recieve", which is no type of record: receive is one\.$/],
  [["multitransfer", `${BOB} 1`], /^line 1 of TRANSFERLIST must be ADDRESS,AMOUNT/],
  [["multitransfer", `${BOB};1,5`], /^line 1 of TRANSFERLIST .*separate them by commas/],
  [["multitransfer", "package.json"], /: @package\.json reads the file of that name$/],
  [["multitransfer", `# May\n${BOB},one`], /^the amount in line 2 of TRANSFERLIST is "one"/],
  [
    ["multitransfer", `# May\n${BOB},1\nMTBob,1`],
    /^the address in line 3 is "MTBob" but must be an/,
  ],
  [["multitransfer", "[]"], /must have 1 to 100/],
  [["multitransfer", "@/does/not/exist"], /TRANSFERLIST: \/does\/not\/exist cannot be read/],
  [["multitransfer", "@/does/not/exist"], /cannot be read: there is no such file$/],
  [["multitransfer", "@/"], /cannot be read: it is a directory$/],
  [["multitransfer", "@/dev/zero"], /TRANSFERLIST: \/dev\/zero cannot be read/],
  [["token", "save", "GLD", "Gold", "--decimals", "19"], /an integer from 0 to 18/],
  [["token", "save", "GLD", "Gold", "--image", "@gold.doc"], /none of the endings of images/],
  [["token", "sell", "0", "1", "1", "--token", "0", "--units"], /ask for another one/],
  [["token", "buy", "DEX", "x"], /must be an amount/],
  [["token", "buy", "DEX", "1", "--from", BOB, "--address", ALICE], /both name the acting address/],
  [["item", "sell", `[{"id": "x"}]`], /itemdata\[0\].price is missing/],
  [
    ["item", "create", "MRC400_x", `[{"groupid": "x", "sell_prise": "100000"}]`],
    /^itemdata\[0\]\.sell_prise is unknown .*; the most similar name is sell_price\.$/,
  ],
  [
    ["item", "sell", `[{"id": "MRC400_x_1", "price": "1", "token": "0", "colour": "red"}]`],
    /^itemdata\[0\]\.colour is unknown to this operation, /,
  ],
  [["item", "sell", "ITEM"], /^PRICE is missing\nusage: moneta item sell ITEM PRICE \[flags\]/],
  [["item", "sell", "ITEM", "1,5"], /^PRICE is "1,5" but must be an amount/],
  [["item", "sell", "ITEM", "0"], /^PRICE is "0" but must be an amount: more than 0$/],
  [["transfer", BOB, "0"], /^AMOUNT is "0" but must be an amount: more than 0$/],
  [["transfer", BOB, "0.00"], /^AMOUNT is "0\.00" but must be an amount: more than 0$/],
  [["item", "sell", "ITEM", "1.5", "--units"], /^PRICE is "1.5" but must be an integer from 1/],
  [["item", "sell", "ITEM", "1", "--token", "7.0"], /^--token is "7.0" but must be the id/],
  [["item", "sell", "ITEM", "1", "--tokn", "1"], /Did you mean --token\?/],
  [["item", "sell", "[]", "1"], /^item sell takes a list and no more/],
  [["item", "sell", "[]", "--token", "1"], /^--token is for a single entry: with a list/],
  [["item", "sell", "@/does/not/exist"], /^ITEM: \/does\/not\/exist cannot be read/],
  [
    ["item", "auction", "ITEM", "2", "--buy-now", "1", "--units"],
    /^--buy-now is 1 but must be above/,
  ],
  [
    ["item", "auction", "ITEM", "2", "--min-increment", "x"],
    /^--min-increment is "x" but must be an amount/,
  ],
  [["item", "auction", "ITEM", "2", "--end", "soon"], /^--end is "soon" but must be a time/],
  [
    ["item", "create", "MRC400_x", "--item-id", "Sword"],
    /^--item-id must be the number of an item/,
  ],
  [["item", "create", "MRC400_x", "Sword"], /^"Sword" is no list: one is given as JSON/],
  [
    ["item", "create", "MRC400_x", "--count", "0"],
    /^--count is "0" but must be an integer from 1 to 100/,
  ],
  [["item", "create", "MRC400_x", "--count", "2", "--item-id", "x"], /^--item-id is of one item/],
  [["item", "create", "MRC400_x", "[{}]", "--count", "2"], /^--count is for a single entry/],
  [
    ["item", "update", "Sword", "--group", "x"],
    /^ITEM must be the id of an item: that of its project/,
  ],
  [["item", "update", `[{"item_id": "${"x".repeat(40)}"}]`], /^--project is missing/],
  [["item", "unsell"], /^ITEM is missing/],
  [["item", "unsell", "a", "b", "a"], /^ITEM is in the list twice/],
  [["item", "transfer", BOB], /^ITEM is missing/],
  [["units", "create", "--name", "x"], /--page-url is missing/],
  [["units", "create", "--name", "x", "--count", "2"], /^--count needs PROJECT/],
  [["units", "create", "--name", "x", "--sell-price", "1"], /^--sell-price needs PROJECT/],
  [
    ["units", "create", "MRC400_x", "--page-template", "https://x"],
    /^--page-template does not go with PROJECT/,
  ],
  [["units", "create", "[{}]"], /^PROJECT is missing: give it before the list/],
  [["units", "sell", "ITEM", "1"], /^PRICE is missing/],
  [["units", "sell", "[]", "--token", "1"], /^--token is for a single entry/],
  [["units", "mint", "MRC402_x", "1.5"], /must be an integer/],
  [["block", "newest"], /is not the number or id of a block/],
  [["tx", "123"], /is not the id of a transaction/],
  [["watch", "--address", "MTBob"], /address/],
  [["height", "--url", "ftp://x"], /must begin with http/],
  [["height", "--url", "http://me:hunter2@x"], /no user name and no password/],
  [["height", "--url", "http://x/#/tx/1"], /the URL of the node must have no \? and no # in it/],
  [["height", "--url", "http://x/?a=1"], /the URL of the node must have no \? and no # in it/],
  [["height", "--url", "http://x,ftp://x"], /must begin with http.* separated by commas/],
  [["height", "--url", "http://x,"], /must begin with http/],
  [["height", "--url", Array(17).fill("http://x").join()], /at most 16 nodes can be named, not 17/],
] as const satisfies readonly (readonly [readonly string[], RegExp])[]) {
  test(`moneta ${args.join(" ").replaceAll(/[^\x20-\x7e]/g, "?")}: ${says.source.slice(0, 60)}`, async () => {
    const printed = await refusalOf(...args);
    assert.match(printed, says);
    assert.doesNotMatch(printed, /hunter2/);
  });
}

test("wrong use ends with 2, on stderr, and says nothing on stdout", async () => {
  assert.match(await user.refused(EXIT.misused, "tranfer"), /^moneta: there is no command tranfer/);
});

test("a write without a key is refused before any request to the node", async () => {
  const printed = await user.refused(EXIT.misused, "transfer", BOB, "1", "--from", ALICE);
  assert.match(printed, /there is no key in .*moneta key new makes one/);
});

const SECRET = "MHcCAQEEIKnw9bJ1Q0xk1mN8Tq3cX0yTn5tGZl2uYpQwErTyUiOp";

for (const args of [
  ["transfer", BOB, "1", "--private-key", SECRET],
  ["transfer", BOB, "1", `--privatekey=${SECRET}`],
  ["--secret", SECRET, "balance"],
  ["key", "new", "--password", SECRET],
  ["balance", "--key", `-----BEGIN EC PRIVATE KEY-----\n${SECRET}\n-----END EC PRIVATE KEY-----`],
  ["transfer", BOB, "1", "--memo", `-----BEGIN PRIVATE KEY----- ${SECRET}`],
]) {
  test(`a secret in an argument is refused and not repeated: ${args[0]} ... ${args.at(-2)}`, async () => {
    const printed = await user.refused(EXIT.misused, ...args);
    assert.match(printed, /a secret must not be in an argument.*--key FILE.*MONETA_PRIVATE_KEY/);
    assert.ok(!printed.includes(SECRET.slice(0, 8)), printed);
  });
}

test("where no node answers, the exit code is 3 and the message tells how to start or name one", async () => {
  const printed = await user.refused(EXIT.unanswered, "height");
  assert.match(printed, /127\.0\.0\.1:\d+ did not respond/);
  assert.match(printed, /Nothing was written.*moneta serve.*--url or MONETA_URL/);
});

test("the overview has every command, under its first word, and says what it is", () => {
  const text = helpFor("", COMMANDS, new Output());
  const shown = new Set(
    [...text.matchAll(/^ {2}([a-z0-9]+)(?: \.\.\.)? +\S/gm)].map(([, word]) => word),
  );
  const firsts = COMMANDS.map(({ words }) => words.split(" ")[0] ?? "");
  assert.deepEqual(
    [...new Set(firsts)].filter((word) => !shown.has(word)),
    [],
  );
});

function given(...args: readonly string[]): Readonly<Record<string, string>> {
  const called = readCommandLine(args, COMMANDS);
  assert.equal(called.kind, "command");
  return called.kind === "command" ? Object.fromEntries(called.given) : {};
}

test("underscores of a flag's name are hyphens, those of a value stay", () => {
  for (const flag of ["--item_id", "--item-id"]) {
    assert.equal(given("item", "create", "MRC400_x", flag, "a_b")["item-id"], "a_b");
    assert.equal(given("item", "create", "MRC400_x", `${flag}=a_b`)["item-id"], "a_b");
  }
  for (const text of ["--order_id=7", "--order_id", "--from_me", "--"]) {
    assert.equal(given("transfer", BOB, "1", "--memo", text)["memo"], text);
    assert.equal(given("transfer", BOB, "1", `--memo=${text}`)["memo"], text);
  }
  const both = given("item", "create", "MRC400_x", "--item_id", "--a_b", "--sell_price", "1");
  assert.deepEqual([both["item-id"], both["sell-price"]], ["--a_b", "1"]);
});

test("names that other programs have for commands lead to existing commands", () => {
  const words = new Set(COMMANDS.flatMap(({ words }) => [words, words.split(" ")[0] as string]));
  const meant = Object.entries(COMMANDS_MEANT);
  assert.deepEqual(
    meant.flatMap(([, all]) => all).filter((one) => !words.has(one)),
    [],
  );
  assert.deepEqual(
    meant.map(([word]) => word).filter((word) => words.has(word)),
    [],
  );
});

/** Short words would become ambiguous. */
function typosOf(word: string): readonly string[] {
  return word.length < 4
    ? []
    : [word.slice(0, -1), `${word}x`, word.slice(0, 1) + word, word.toUpperCase()];
}

for (const { words, operation } of COMMANDS) {
  test(`moneta ${words} is suggested where it is mistyped, and for its name in the API`, () => {
    const parts = words.split(" ");
    const known = new Set(COMMANDS.flatMap((one) => [one.words, ...one.words.split(" ")]));
    const typos = parts.flatMap((part, place) =>
      typosOf(part)
        .filter((typo) => !known.has(typo))
        .map((typo) => parts.with(place, typo)),
    );
    for (const typo of typos) {
      assert.ok(commandsMeant(typo, COMMANDS).includes(`moneta ${words}`), typo.join(" "));
    }
    if (operation !== undefined && !known.has(operation)) {
      assert.ok(commandsMeant([operation], COMMANDS).includes(`moneta ${parts[0]}`), operation);
    }
  });
}

test("nothing behind -- is a flag's name", () => {
  assert.equal(given("seal", "open", "ID", "--", "--a_b")["key"], "--a_b");
  assert.equal(given("seal", "key", "r", "2037-01-31", "--", "--my_text")["text"], "--my_text");
});

test("a flag may have the API's name of its parameter", () => {
  const called = readCommandLine(["item", "list", "--mrc400id", "-1", "--groupid=g"], COMMANDS);
  assert.equal(called.kind, "command");
  const given = called.kind === "command" ? called.given : undefined;
  assert.deepEqual([given?.get("project"), given?.get("group")], ["-1", "g"]);
});
