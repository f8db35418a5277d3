import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { everyItem, Moneta } from "@moneta/sdk";
import { type KeyHolder, TestNode } from "../../node/testing/test-node.ts";
import { CommandRuns } from "../testing/command-runs.ts";
import { RunningCommand } from "../testing/running-command.ts";

interface Printed {
  readonly line: number;
  readonly mrc401ids?: readonly string[];
}

let node: TestNode;
let moneta: Moneta;
let user: CommandRuns;
let bob: KeyHolder;
let carol: KeyHolder;
let project: string;

before(async () => {
  node = await TestNode.start();
  node.now = Math.floor(Date.now() / 1000);
  moneta = new Moneta(node.url);
  user = new CommandRuns(node.url);
  [bob, carol] = [await node.holder(), await node.holder()];
  await user.newAddress();
  project = (
    await user.moneta(
      ...["project", "create", "Game", "--page-url", "https://g.example/"],
      ...[
        "--picture-url",
        "https://g.example/g.png",
        "--category",
        "game",
        "--description",
        "Game",
      ],
      ...[
        "--page-template",
        "https://g.example/{id}",
        "--picture-template",
        "https://g.example/{id}.png",
      ],
      ...["--data", "-"],
    )
  ).trim();
});
after(async () => {
  user?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

function printed(stdout: string): readonly Printed[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Printed);
}

async function held(holder: KeyHolder, groupid: string): Promise<number> {
  const filters = { owner: holder.address, groupid };
  const items = await Array.fromAsync(
    everyItem((cursor) => moneta.mrc401Items({ ...filters, cursor, limit: 100 })),
  );
  return items.length;
}

test("a table creates an item for each address, and a second run with it creates none", async () => {
  const file = user.file(
    "new.csv",
    `to,name,attribute:level,groupid,face_price\n${bob.address},Dawn,7,First,1.5\n\n${carol.address},"Dusk, late",high,First,`,
  );
  const args = ["item", "airdrop", file, "--project", project];
  const { stdout, stderr } = await user.call([...args, "--dry-run"]);
  assert.deepEqual(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).itemdata[0].to),
    [bob.address, carol.address],
  );
  assert.match(stderr, /2 new items for 2 addresses\nThe node would accept all 2 lines now\./);
  assert.deepEqual([await held(bob, "First"), await held(carol, "First")], [0, 0]);
  const results = printed(await user.moneta(...args));
  assert.deepEqual(
    results.map(({ line }) => line),
    [2, 4],
  );
  const [first, second] = await Promise.all(
    results.map(({ mrc401ids }) => moneta.mrc401({ mrc401id: mrc401ids?.[0] ?? "" })),
  );
  assert.deepEqual(
    [first?.holder, first?.attributes, first?.face_price],
    [bob.address, { name: "Dawn", level: 7 }, 150_000_000n],
  );
  assert.deepEqual(
    [second?.holder, second?.attributes],
    [carol.address, { name: "Dusk, late", level: "high" }],
  );
  assert.match(await user.refused(2, ...args), /new\.csv\.signed is there/);
  assert.deepEqual(printed(await user.moneta(...args, "--continue")), results);
  assert.deepEqual([await held(bob, "First"), await held(carol, "First")], [1, 1]);
});

test("a killed run is continued, and no item is handed out twice", async () => {
  const COUNT = 600;
  const file = user.file(
    "killed.csv",
    `to,groupid\n${`${bob.address},Many\n${carol.address},Many\n`.repeat(COUNT / 2)}`,
  );
  const args = ["item", "airdrop", file, "--project", project];
  await using running = new RunningCommand(user, args);
  await running.until(() => running.lines().length > 0);
  await running.end("SIGKILL");
  assert.ok(running.lines().length < COUNT, "it was killed in the middle");
  const results = printed(await user.moneta(...args, "--continue"));
  assert.deepEqual(
    results.map(({ line }) => line),
    Array.from({ length: COUNT }, (_, index) => index + 2),
  );
  assert.equal(new Set(results.map(({ mrc401ids }) => mrc401ids?.[0])).size, COUNT);
  assert.deepEqual([await held(bob, "Many"), await held(carol, "Many")], [COUNT / 2, COUNT / 2]);
});

test("a table with items hands existing ones out: items by id or number, units by an amount", async () => {
  const [own, other, kept] = (
    await user.moneta("item", "create", project, "--group", "Swords", "--count", "3")
  )
    .trim()
    .split("\n") as [string, string, string];
  const units = (
    await user.moneta("units", "create", project, "--name", "Potion", "--supply", "9")
  ).trim();
  const file = user.file(
    "gifts.csv",
    `item;to;amount\n${own};${bob.address};\n${other.slice(-40)};${carol.address};\n${units};${bob.address};4\n${units};${carol.address};5\n`,
  );
  const args = ["item", "airdrop", file, "--project", project];
  const { stderr } = await user.call([...args, "--dry-run"]);
  assert.match(stderr, /2 items and 9 units for 2 addresses/);
  await user.moneta(...args);
  assert.deepEqual([await held(bob, "Swords"), await held(carol, "Swords")], [1, 1]);
  const { items } = await moneta.mrc402Holders({ mrc402id: units });
  assert.deepEqual(items.map(({ balance }) => balance).toSorted(), [4n, 5n]);
  const late = user.file("late.csv", `to,item\n${bob.address},${kept}\n${bob.address},${own}\n`);
  assert.match(
    await user.refused(2, "item", "airdrop", late),
    /line 3: .*\(7001\)\nNothing was sent/,
  );
  assert.equal(await held(bob, "Swords"), 1);
});

for (const { table, says } of [
  { table: "name\nDawn", says: /none of the name to/ },
  { table: "to,level\nBOB,7", says: /there is no column level: .* attribute:NAME/ },
  { table: "to,item,name\nBOB,x,y", says: /there is no column name: a table with item may have/ },
  { table: "to,to\nBOB,BOB", says: /a column occurs twice/ },
  { table: "to", says: /no line behind the names/ },
  { table: "to,name\n,Dawn", says: /line 2: column to is empty/ },
  {
    table: "to,name\nBOB,Dawn\nMTx,Dusk",
    says: /line 3: column to is "MTx" but must be an address/,
  },
  { table: "to,face_price\nBOB,1.123456789", says: /line 2: column face_price .* 8/ },
  { table: "to,sell_fee\nBOB,100", says: /line 2: column sell_fee/ },
  { table: "to,attribute:a\nBOB,LONG", says: /line 2: an attribute .* 256/ },
  { table: "to,name\nBOB,a,b", says: /line 2: it has more cells/ },
  { table: "to,item\nBOB,ITEM\nBOB,ITEM", says: /line 3: column item: line 2 hands out the same/ },
  { table: "to,name\nNOBODY,Dawn", says: /line 2: .*NOBODY.* \(3090\)/ },
] as const) {
  test(`a table is refused before anything is sent: ${table.replaceAll("\n", " / ")}`, async () => {
    const nobody = "MTBob0000000000000000000000000005f59bcba";
    const text = table
      .replaceAll("BOB", bob.address)
      .replaceAll("NOBODY", nobody)
      .replaceAll("LONG", "x".repeat(257))
      .replaceAll("ITEM", `${project}_${"A".repeat(40)}`);
    const file = user.file("wrong.csv", text);
    const refusal = await user.refused(2, "item", "airdrop", file, "--project", project);
    assert.match(refusal.replaceAll(nobody, "NOBODY").replaceAll("\n", " "), says);
    assert.throws(() => readFileSync(`${file}.signed`), /ENOENT/);
    rmSync(file);
  });
}

test("new items need a project, and a check cannot be continued", async () => {
  const file = user.file("plain.csv", `to\n${bob.address}\n`);
  assert.match(await user.refused(2, "item", "airdrop", file), /--project PROJECT/);
  const both = ["--project", project, "--dry-run", "--continue"];
  const { code, stderr } = await user.call(["item", "airdrop", file, ...both]);
  assert.equal(code, 2);
  assert.match(stderr, /exclude each other/);
});
