import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Moneta } from "@moneta/sdk";
import { TestNode } from "../node/testing/test-node.ts";
import { CalledInShell, linkPrograms } from "./testing/called-in-shell.ts";
import { CommandRuns } from "./testing/command-runs.ts";

const ROOT = new URL("../../", import.meta.url);
const missing = ["bash", "curl", "openssl"].filter(
  (program) => spawnSync(program, ["--version"]).error !== undefined,
);
const skip = missing.length === 0 ? false : `not on this machine: ${missing.join(", ")}`;

/** Of a script whose `moneta` is called, not started. */
async function outputOf(script: string, user: CommandRuns): Promise<string> {
  using called = await CalledInShell.start(user);
  const { home, environment } = user;
  linkPrograms(home);
  const whole = `set -euo pipefail\n${called.definition}${script}`;
  const { stdout } = await promisify(execFile)("bash", ["-c", whole], {
    cwd: home,
    env: { ...process.env, ...environment },
  });
  return stdout;
}

/** Commands of a page in order, without those that start the node. */
function typed(page: string, section = /^/): string[] {
  const text = readFileSync(fileURLToPath(new URL(page, ROOT)), "utf8");
  const [own = ""] = (text.split(section)[1] ?? text).split(
    section.source === "^" ? /$^/ : /^## /m,
  );
  return [...own.matchAll(/^```bash\n(.*?)^```/gms)]
    .map(([, block = ""]) => block)
    .filter((block) => !block.endsWith("npm start\n"));
}

test("README, getting started and the exchange, typed into one shell in one folder, do what they say", {
  skip,
}, async () => {
  await using node = await TestNode.start();
  using user = new CommandRuns(node.url);
  const [readme, second, third] = [
    typed("README.md"),
    typed("docs/getting-started.md", /^## From a shell$/m),
    typed("docs/swaps.md", /^## Two tokens, exchanged$/m),
  ] as const;
  assert.equal(readme.length, 1, "README has a first transfer");
  assert.equal(second.length, 2, "the second page continues, with an item");
  assert.equal(third.length, 3, "the third one exchanges with the same Bob");
  const pages = [...readme, ...second, ...third].join("\n");
  assert.doesNotMatch(pages, /[[{]"|jq|--json/, "the first pages need no JSON");
  const stdout = await outputOf(pages, user);
  assert.match(stdout, /^ +0 +1\.5 TST$/m, "Bob was paid");
  assert.match(stdout, /this address paid MT\S+ 0\.5 TST/, "the same address continues");
  assert.match(stdout, /on sale +10 TST/, "the sword was on sale");
  assert.match(stdout, /^ +\d+ +1\.5 GLD #\d+$/m, "Alice has got gold");
  const [alice = ""] = /^MT\w{38}$/m.exec(stdout) ?? [];
  const [, holder = alice] = /^holder +(MT\w{38})$/m.exec(stdout) ?? [];
  assert.notEqual(holder, alice, "and has changed hands");
});

test("the four examples of assets, typed into one shell in one folder, do and refuse what they say", {
  skip,
}, async () => {
  await using node = await TestNode.start();
  using user = new CommandRuns(node.url);
  // An offer takes items of an earlier second.
  const tick = (): void => {
    node.now = Math.floor(Date.now() / 1000);
  };
  tick();
  const ticking = setInterval(tick, 100);
  let stdout: string;
  try {
    const ids = 'echo "ids: $bob $carol $ticket $badge $sword $print"';
    stdout = await outputOf([...typed("docs/assets.md"), ids].join("\n"), user);
  } finally {
    clearInterval(ticking);
  }
  assert.deepEqual(stdout.match(/^refused: .*$/gm), [
    "refused: more than 11",
    "refused: on the market only",
    "refused: bound",
    "refused: the fee can only fall",
  ]);
  const [bob = "", carol = "", ...things] = /^ids: (.*)$/m.exec(stdout)?.[1]?.split(" ") ?? [];
  const moneta = new Moneta(node.url);
  const holders = things.map(async (mrc401id) => (await moneta.mrc401({ mrc401id })).holder);
  assert.deepEqual(await Promise.all(holders), [carol, bob, carol, carol]);
  const loot = await moneta.mrc401Items({ owner: bob, groupid: "loot" });
  assert.equal(loot.items.length, 4);
  const badges = await moneta.addressItems({ address: carol, kind: "mrc401" });
  assert.equal(badges.items.length, 4, "Carol has a badge besides");
});

test("the page on keys and grants, typed into one shell in one folder, does and refuses what it says", {
  skip,
}, async () => {
  await using node = await TestNode.start();
  // The page's date is in two weeks.
  node.now = Math.floor(Date.now() / 1000);
  using user = new CommandRuns(node.url);
  const page = [...typed("docs/keys.md"), 'echo "ids: $savings $shop"'].join("\n");
  const stdout = await outputOf(`exec 2>&1\n${page}`, user);
  assert.deepEqual(stdout.match(/^refused: .*$/gm), [
    "refused: one of two",
    "refused: no longer a key",
    "refused: before the end of the delay",
    "refused: 2 are left today",
    "refused: not to others",
    "refused: ended",
  ]);
  assert.deepEqual(stdout.match(/(?<=\()[1-9]\d{3}(?=\)$)/gm)?.slice(-3), ["7005", "7004", "7209"]);
  assert.match(stdout, /needs 3 TST, but \S+ leaves only 2 TST to spend now/);
  assert.match(stdout, /^note +the game$/m);
  assert.match(stdout, /^limits +5 TST a day, 0 TST spent$/m);
  const [savings = "", shop = ""] = /^ids: (.*)$/m.exec(stdout)?.[1]?.split(" ") ?? [];
  const moneta = new Moneta(node.url);
  assert.equal((await moneta.balance({ address: shop }))[0]?.balance, 5n * 10n ** 8n);
  const { keyset } = await moneta.addressRead({ address: savings, view: "full" });
  assert.deepEqual([keyset?.version, keyset?.threshold, keyset?.pendingdue], [2, 2, 0]);
});
