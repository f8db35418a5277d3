import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runInProcess } from "../testing/command-in-process.ts";
import { ServiceProcess } from "../testing/service-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { newKey, publicPem } from "../testing/test-node.ts";
import { until } from "../testing/until.ts";
import { LedgerFileWatch } from "./ledger-file-watch.ts";

test("a file that is moved or replaced is noticed once, and so is its return", async () => {
  using directory = new TemporaryDirectory("ledger-file-watch");
  const [file, elsewhere] = ["a", "b"].map((name) => join(directory.path, name)) as [
    string,
    string,
  ];
  copyFileSync(import.meta.filename, file);
  const changes: boolean[] = [];
  const watch = new LedgerFileWatch(file, (isGone) => changes.push(isGone));
  await watch.look();
  assert.equal(watch.hold(), undefined);
  renameSync(file, elsewhere);
  await watch.look();
  await watch.look();
  assert.match(watch.hold()?.reason ?? "", /no longer in/);
  copyFileSync(elsewhere, file);
  await watch.look();
  assert.notEqual(watch.hold(), undefined, "another file of the same content");
  renameSync(elsewhere, file);
  await watch.look();
  assert.equal(watch.hold(), undefined);
  assert.deepEqual(changes, [true, false]);
});

test("a node whose data directory is removed refuses writes, and its open files are the ledger", {
  skip: process.platform !== "linux",
}, async () => {
  using folder = new TemporaryDirectory("removed-data");
  const data = join(folder.path, "data");
  await using service = await ServiceProcess.start({ data });
  const status = async (path: string): Promise<number> =>
    (await fetch(`${service.url}${path}`)).status;
  assert.equal(await status("/ready?for=writes"), 200);
  rmSync(data, { recursive: true });
  await until(async () => (await status("/ready?for=writes")) !== 200, "noticed in time");
  assert.equal(await status("/ready"), 200, "reads go on");
  // The thread of event streams opens the ledger only now.
  const events = new AbortController();
  const stream = await fetch(`${service.url}/events`, { signal: events.signal });
  assert.equal(stream.status, 200);
  await until(() => /events: it is tried/.test(service.output()), service.output());
  events.abort();
  assert.equal(await status("/ready"), 200, "the node continues");
  const written = await fetch(`${service.url}/address`, {
    method: "POST",
    body: new URLSearchParams({ publickey: publicPem(newKey()) }),
  });
  assert.equal(written.status, 503);
  assert.match(await written.text(), /"code":"9002"/);
  const [, pid] = /"pid":(\d+).*the ledger's file has been removed/.exec(service.output()) ?? [];
  assert.ok(pid !== undefined, service.output());

  const saved = join(folder.path, "saved");
  mkdirSync(saved);
  const open = `/proc/${pid}/fd`;
  for (const name of ["ledger.db", "ledger.db-wal"]) {
    const target = `${join(data, name)} (deleted)`;
    const number = readdirSync(open).find((each) => linkOf(join(open, each)) === target);
    copyFileSync(join(open, number as string), join(saved, name));
  }
  const verified = await runInProcess("verify", saved);
  assert.equal(verified.exitCode, 0, verified.output);
});

/** Undefined for a file that has been closed meanwhile. */
function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
