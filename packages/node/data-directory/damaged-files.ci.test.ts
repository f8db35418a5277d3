import assert from "node:assert/strict";
import {
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { IS_LAST_LANE } from "../../ledger/testing/lane.ts";
import { runInProcess } from "../testing/command-in-process.ts";
import { SeededRandom } from "../testing/seeded-random.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { summaryOf, TestNode } from "../testing/test-node.ts";

let directory: TemporaryDirectory;
let node: TestNode;
before(async () => {
  directory = new TemporaryDirectory("damaged-files");
  node = await TestNode.start();
  const from = await node.holder({ coins: 1_000_000n });
  for (let time = 0; time < 3; time += 1) {
    const params = await node.transfer(from, { to: node.treasury.address, amount: "1" });
    assert.equal(summaryOf(await node.post("/transfer", params)), "200");
  }
  await node.stop();
});
after(async () => {
  await node[Symbol.asyncDispose]();
  directory[Symbol.dispose]();
});

function commands(data: string): string[][] {
  return [
    ["serve", "--data", data, "--port", "0"],
    ["verify", data],
    ["rebuild", data],
    ["snapshot", data, `${data}.db`],
    ["backup", data, `${data}-backup`],
    ["log", "copy", data, `${data}-copy`],
  ];
}

function garbage(length: number, random: SeededRandom): Buffer {
  return Buffer.from(Array.from({ length }, () => random.integer({ min: 0, max: 255 })));
}

/** Damage to the files of a data directory, and the commands that must notice it. */
const DAMAGES: readonly {
  readonly what: string;
  readonly noticed: readonly string[];
  readonly damage: (data: string, random: SeededRandom) => void;
}[] = [
  {
    what: "ledger.db cut off somewhere",
    noticed: ["serve", "verify", "rebuild", "snapshot", "backup", "log"],
    damage(data, random) {
      const file = join(data, "ledger.db");
      truncateSync(file, random.integer({ min: 1, max: statSync(file).size - 1 }));
    },
  },
  {
    what: "ledger.db cut off within its last page",
    noticed: ["serve", "verify", "rebuild", "snapshot", "backup", "log"],
    damage(data, random) {
      const file = join(data, "ledger.db");
      truncateSync(file, statSync(file).size - random.integer({ min: 1, max: 4095 }));
    },
  },
  {
    what: "ledger.db with other bytes from its beginning on",
    noticed: ["serve", "verify", "rebuild", "snapshot", "backup", "log"],
    damage: (data, random) => writeFileSync(join(data, "ledger.db"), garbage(20_000, random)),
  },
  {
    what: "ledger.db with other bytes behind its header",
    noticed: ["serve", "verify", "rebuild", "snapshot", "backup", "log"],
    damage(data, random) {
      const content = readFileSync(join(data, "ledger.db"));
      garbage(content.length - 100, random).copy(content, 100);
      writeFileSync(join(data, "ledger.db"), content);
    },
  },
  {
    what: "a ledger.db that cannot be read",
    noticed: ["serve", "verify", "rebuild", "snapshot", "backup", "log"],
    damage(data) {
      rmSync(join(data, "ledger.db"));
      mkdirSync(join(data, "ledger.db"));
    },
  },
  {
    what: "a lock.db that is no database",
    noticed: ["serve", "rebuild"],
    damage: (data, random) => writeFileSync(join(data, "lock.db"), garbage(5000, random)),
  },
  {
    what: "a lock.db that cannot be read",
    noticed: ["serve", "rebuild"],
    damage(data) {
      rmSync(join(data, "lock.db"));
      mkdirSync(join(data, "lock.db"));
    },
  },
];

for (const [index, { what, noticed, damage }] of DAMAGES.entries()) {
  // What the disk does not give may come back: EX_TEMPFAIL.
  const exit = what.endsWith("cannot be read") ? 75 : 2;
  test(`${what} ends ${noticed.join(", ")} with ${exit} and a message`, async (t) => {
    const random = new SeededRandom();
    t.diagnostic(`TEST_SEED=${random.seed}`);
    const data = join(directory.path, String(index));
    cpSync(node.data, data, { recursive: true });
    damage(data, random);
    // Before the last lane one command for each damage.
    const first = IS_LAST_LANE ? noticed : noticed.slice(index % noticed.length).slice(0, 1);
    for (const command of commands(data)) {
      if (first.includes(command[0] as string)) {
        const { exitCode, output } = await runInProcess(...command);
        assert.equal(exitCode, exit, `${command[0]}: ${output}`);
        assert.match(output, /^moneta: [^\n]+\n$/, command.join(" "));
        assert.ok(command[0] !== "verify" || !output.includes("moneta verify"), output);
      }
    }
  });
}

for (const { what, table, exit, says } of [
  { what: "blocks", table: "block_log", exit: 2, says: /read to their end: restore / },
  {
    what: "views",
    table: "used_key",
    exit: 1,
    says: /the blocks are sound[\s\S]*run moneta rebuild/,
  },
]) {
  test(`verify says what helps against damage in the ${what}`, async () => {
    const data = join(directory.path, what);
    cpSync(node.data, data, { recursive: true });
    const file = join(data, "ledger.db");
    const database = new DatabaseSync(file);
    const { page_size: pageBytes } = database.prepare("PRAGMA page_size").get() as never;
    const { rootpage } = database
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?")
      .get(table) as never;
    database.close();
    const content = readFileSync(file);
    content.fill(0xff, (rootpage - 1) * pageBytes, rootpage * pageBytes);
    writeFileSync(file, content);
    const { exitCode, output } = await runInProcess("verify", data);
    assert.equal(exitCode, exit, output);
    assert.match(output, says);
    assert.doesNotMatch(output, /moneta verify/);
  });
}
