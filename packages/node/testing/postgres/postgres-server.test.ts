import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { TemporaryDirectory } from "../temporary-directory.ts";
import { isOurs, postgresProgram, unprivileged, usableHome } from "./postgres-binaries.ts";
import { PostgresServer, PostgresSession } from "./postgres-server.ts";

test("a server goes back to a copy, commits with its standby, and is followed by it", async (t) => {
  await using primary = await PostgresServer.start();
  await primary.sql("CREATE TABLE note (text text)");

  await t.test("it goes back to an earlier copy", async () => {
    await primary.stop();
    const copy = primary.copy();
    await primary.resume();
    await primary.sql("INSERT INTO note VALUES ('gone')");
    await primary.stop();
    primary.restore(copy);
    await primary.resume();
    assert.deepEqual(await primary.sql("SELECT text FROM note"), []);
  });

  await using standby = await primary.standby();

  await t.test("a commit waits while the standby stands still, and outlives a crash", async () => {
    standby.signal("SIGSTOP");
    let hasCommitted = false;
    const commit = primary.sql("INSERT INTO note VALUES ('waits')").then(
      () => {
        hasCommitted = true;
      },
      () => undefined,
    );
    await primary.waitFor(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
      ({ count }) => count === 1,
    );
    assert.equal(hasCommitted, false);
    await primary.kill();
    await commit;
    assert.equal(hasCommitted, false);
    standby.signal("SIGCONT");
    await primary.resume();
    assert.deepEqual(await primary.sql("SELECT text FROM note"), [{ text: "waits" }]);
  });

  await t.test("what a commit waited for is on the standby that is promoted", async () => {
    await primary.sql("INSERT INTO note VALUES ('kept')");
    await primary.kill();
    standby.promote();
    assert.deepEqual(await standby.sql("SELECT text FROM note ORDER BY text"), [
      { text: "kept" },
      { text: "waits" },
    ]);
    await standby.sql("INSERT INTO note VALUES ('new')");
  });
});

test("a server with a password takes no other", async () => {
  await using server = await PostgresServer.start({ password: "open sesame/?" });
  assert.equal((await server.sql("SELECT 1 AS one"))[0]?.["one"], 1);
  await assert.rejects(
    PostgresSession.open(server.url.replace("sesame", "barley")),
    /password authentication failed/,
  );
});

test("a killed process leaves no server behind", async () => {
  const program = `
    import { PostgresServer } from ${JSON.stringify(new URL("./postgres-server.ts", import.meta.url).href)};
    const server = await PostgresServer.start();
    console.log(server.pid, server.data);
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([once(lines, "line"), once(lines, "close")]);
  assert.ok(line !== undefined, "it has ended before it had a server");
  const [pid, data] = String(line).split(" ") as [string, string];
  assert.ok(isAlive(Number(pid)));
  child.kill("SIGKILL");
  while (isAlive(Number(pid)) || existsSync(data)) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

test("a killed server leaves no shared memory behind", async (t) => {
  if (["ipcs", "ipcrm"].some((command) => spawnSync(command, ["-V"]).error !== undefined)) {
    t.skip("NO IPCS AND IPCRM COMMANDS: shared memory of killed servers is kept");
    return;
  }
  const server = await PostgresServer.start();
  const before = String(server.memorySegment);
  assert.ok(sharedMemory().includes(before));
  await server.kill();
  await server.resume();
  const after = String(server.memorySegment);
  assert.ok(sharedMemory().includes(after));
  await server[Symbol.asyncDispose]();
  const isKept = (): boolean => sharedMemory().some((each) => each === before || each === after);
  // Its sessions end a moment after it.
  for (const end = Date.now() + 30_000; isKept() && Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.ok(!isKept());
});

test("a copy of the programs that another user could have changed is not used", () => {
  using folder = new TemporaryDirectory("programs");
  const copy = join(folder.path, "copy");
  mkdirSync(copy, { mode: 0o755 });
  assert.ok(isOurs(copy));
  chmodSync(copy, 0o777);
  assert.ok(!isOurs(copy));
  const file = join(folder.path, "file");
  writeFileSync(file, "");
  assert.ok(!isOurs(file));
});

test("the programs run from a folder that is closed to the user that they run as", {
  skip: unprivileged() === undefined && "this is not root, so they run as this user",
}, () => {
  using folder = new TemporaryDirectory("closed");
  const packaged = dirname(dirname(postgresProgram("postgres", unprivileged())));
  const closed = join(folder.path, "native");
  cpSync(packaged, closed, { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(folder.path, "package.json"), `{"version": "of-test-${process.pid}"}`);
  chmodSync(folder.path, 0o700);
  const home = usableHome(closed, unprivileged());
  assert.notEqual(home, closed);
  const again = usableHome(closed, unprivileged());
  assert.equal(again, home, "the copy is made once");
  rmSync(home, { recursive: true });
});

/** The ids of all segments of shared memory, below the heading of their column. */
function sharedMemory(): readonly string[] {
  const lines = execFileSync("ipcs", ["-m"], { encoding: "utf8" }).split("\n");
  return lines.map((line) => line.split(/\s+/)[1] ?? "");
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
