import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { someCases } from "../../../ledger/testing/lane.ts";
import { identityOf } from "../../webhooks/webhook.ts";
import { RecordingClients } from "../answers/recording-clients.ts";
import { outputOf } from "../command-in-process.ts";
import { SeededRandom } from "../seeded-random.ts";
import { runMonetaIn, ServiceProcess } from "../service-process.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";
import { newKey, publicPem } from "../test-node.ts";
import { until } from "../until.ts";
import { WebhookReceiver } from "../webhook-receiver.ts";
import { parseDiskLog } from "./cut-disk.ts";
import { type DiskFault, ObservedDisk } from "./observed-disk.ts";

const skip = ObservedDisk.missing() ?? false;
let observed: ObservedDisk;
before(() => {
  if (skip === false) {
    observed = new ObservedDisk();
  }
});
after(() => observed?.[Symbol.dispose]());

class FailingDisk implements Disposable {
  readonly data: string;
  readonly #directory: TemporaryDirectory = new TemporaryDirectory("failing-disk");
  #log = "";
  #lives = 0;

  constructor() {
    this.data = join(this.#directory.path, "data");
  }

  environment(fault?: DiskFault): Readonly<Record<string, string>> {
    this.#lives += 1;
    this.#log = join(this.#directory.path, `disk-${this.#lives}.log`);
    return observed.environment(this.data, { log: this.#log, fault });
  }

  start(fault?: DiskFault, more: readonly string[] = []): Promise<ServiceProcess> {
    return ServiceProcess.start({ data: this.data, environment: this.environment(fault), more });
  }

  /**
   * The disk operations after the failed sync, without those on a copy of `newest-block.json` that
   * the main thread was writing: it is no part of the ledger, and names a block that was durable
   * before.
   */
  afterLoss(): string[] {
    const records = parseDiskLog(readFileSync(this.#log));
    const lost = records.findIndex(({ kind }) => kind.startsWith("lost"));
    assert.notEqual(lost, -1, "no sync has failed");
    const names = new Map(
      records.flatMap((one) => (one.kind === "create" ? [[one.inode, one.name]] : [])),
    );
    return records
      .slice(lost + 1)
      .map((one) => {
        const of = "inode" in one ? (names.get(one.inode) ?? one.inode) : "name" in one && one.name;
        return `${one.kind} ${of || ""}`;
      })
      .filter((operation) => !/^(create|write|sync|rename) newest-block\.json/.test(operation));
  }

  [Symbol.dispose](): void {
    this.#directory[Symbol.dispose]();
  }
}

/** Writes in a life, at most: a checkpoint takes a number of blocks that depends on the machine. */
const DONE_MAX = 6000;
const DONE = 40;

/** One life of a node: an operation on its disk fails, of those from `nth` to `nth`. */
interface Life {
  readonly operation: DiskFault["operation"];
  readonly file: string;
  readonly nth: readonly [number, number];
  /** What a failed write does. A failed sync ends the process. */
  readonly effect?: "writes are refused" | "nothing is refused";
  /** The shutdown or `GET /checkpoint` meets it, not a write. */
  readonly met?: "at the stop" | "by a checkpoint";
  /** Until it gets the message, the ledger thread may log another block. */
  readonly isBeside?: true;
  /** Printed in this order, whereupon clients may rest. */
  readonly says?: readonly RegExp[];
}

const LIVES: readonly Life[] = [
  // The redo log is written as a whole, in 1,024 pieces, before its first block. Where it cannot be
  // written, each block is committed by itself.
  { operation: "write", file: "ledger.db-redo", nth: [100, 100], effect: "nothing is refused" },
  // The first one is the start's.
  { operation: "sync", file: "newest-block.json.part", nth: [2, 2], met: "at the stop" },
  // A logged block, and a COMMIT of blocks.
  { operation: "sync", file: "ledger.db-redo", nth: [2, 20] },
  { operation: "sync", file: "ledger.db-wal", nth: [12, 40] },
  { operation: "sync", file: "checkpoint.signed.part", nth: [1, 1], met: "by a checkpoint" },
  { operation: "write", file: "ledger.db-redo", nth: [1025, 1036], effect: "writes are refused" },
  // In the last lane: of the new redo log, of checkpoints at a stop, beside blocks or between them.
  { operation: "sync", file: "ledger.db-redo", nth: [1, 1] },
  { operation: "sync", file: "ledger.db", nth: [1, 1], met: "at the stop" },
  { operation: "sync", file: "ledger.db", nth: [1, 4], isBeside: true },
  // Blocks are written to the database again, and the next checkpoint copies them.
  { operation: "write", file: "ledger.db-wal", nth: [400, 500], effect: "nothing is refused" },
  {
    ...{ operation: "write", file: "ledger.db", nth: [5, 5], effect: "nothing is refused" },
    says: [/cannot be copied/, /is reused again/],
  },
];

test("a failed sync ends the process with 70, unanswered, and it touches the disk no more; a failed write ends nothing; an order explains all answers", {
  skip,
}, async (t) => {
  const random = new SeededRandom();
  t.diagnostic(`TEST_SEED=${random.seed}`);
  using disk = new FailingDisk();
  let clients: RecordingClients | undefined;
  for (const { operation, file, nth, effect, met, isBeside, says = [] } of someCases(LIVES, 6)) {
    const [min, max] = nth;
    const fault = { operation, file, nth: random.integer({ min, max }) };
    const life = `${operation} ${fault.nth} of ${file} ${met ?? ""}`;
    const service = await disk.start(fault);
    const size = { groups: 3, clients: 4, ballastMax: 1900 };
    clients ??= await RecordingClients.prepare(service.url, random, size);
    const allRefused = (): number => clients?.laterAnswers.get("9002") ?? 0;
    const before = { done: clients.doneCount, refused: allRefused() };
    const done = (): number => (clients?.doneCount ?? 0) - before.done;
    // It counts all requests so far, so it comes last.
    const refused = (): number => allRefused() - before.refused;
    const isOver = (): boolean =>
      done() > DONE_MAX ||
      (done() >= (met === "at the stop" ? 1 : DONE) &&
        (effect === "writes are refused"
          ? refused() > 0
          : effect !== undefined || met !== undefined) &&
        says.every((one) => one.test(service.output())));
    await clients.run([service.url], isOver);
    assert.ok(done() <= DONE_MAX, `${life} has not happened`);
    if (met === "by a checkpoint") {
      await assert.rejects(fetch(`${service.url}/checkpoint`), TypeError, life);
    }
    const exitCode = await service.finish();
    const output = service.output();
    assert.equal(refused() > 0, effect === "writes are refused", `${life}: ${output}`);
    if (operation === "write") {
      assert.equal(exitCode, 0, `${life}: ${output}`);
    } else {
      assert.equal(exitCode, 70, `${life}: ${output}`);
      const named = RegExp.escape(file.replace(/-\w+$/, ""));
      assert.match(output, new RegExp(`^moneta: .*${named}.* could not be synced`, "m"));
      assert.doesNotMatch(output, /^ {4}at /m);
      const checked = isBeside === undefined ? /^/ : / ledger\.db$|^truncate/;
      const touched = disk.afterLoss().filter((change) => checked.test(change));
      assert.deepEqual(touched, [], life);
      assert.ok(statSync(join(disk.data, "ledger.db-wal")).size > 0, life);
    }
  }
  await using service = await disk.start();
  await clients?.finish(service.url);
  clients?.assertExplained();
  assert.equal((await fetch(`${service.url}/checkpoint`)).status, 200);
  assert.equal(await service.stop(), 0, service.output());
  await outputOf(["verify", disk.data]);
});

for (const { file, nth } of someCases([
  { file: "ledger.db-wal", nth: 3 },
  { file: "treasury.pem.part", nth: 1 },
  { file: "checkpoint.pem.part", nth: 1 },
  { file: "ledger.db-journal", nth: 1 },
  { file: ".", nth: 1 },
])) {
  test(`at the first start failed sync ${nth} of ${file} ends it with 70 and a message`, {
    skip,
  }, async () => {
    using disk = new FailingDisk();
    await assert.rejects(disk.start({ operation: "sync", file, nth }), (thrown) => {
      assert.match(String(thrown), /^moneta: .*could not be synced/m);
      assert.doesNotMatch(String(thrown), /^ {4}at /m);
      return true;
    });
    await outputOf(["serve", "--data", disk.data, "--port", "0"]);
    await outputOf(["verify", disk.data]);
  });
}

for (const { command, args } of someCases([
  { command: "serve", args: ["--data"] },
  {
    command: "init",
    args: [
      ...["--ledger", "x.example", "--coin", "X", "--symbol", "XXX", "--supply", "1"],
      "--no-operator",
    ],
  },
])) {
  test(`a new directory whose name may not last is not used: ${command} ends with 70`, {
    skip,
  }, async () => {
    using directory = new TemporaryDirectory("parent-of-data");
    const fault = { operation: "sync", file: ".", nth: 1 } as const;
    const environment = observed.environment(directory.path, { fault });
    const data = join(directory.path, "new", "data");
    const { exitCode, output } = await runMonetaIn(environment, command, ...args, data);
    assert.equal(exitCode, 70, output);
    assert.match(output, /^moneta: .*parent-of-data.* could not be synced to the disk/);
  });
}

async function isServing(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
}

/**
 * The n-th sync of a webhook's position: the first is the start's, the second that of the events
 * thread after a delivery.
 */
for (const nth of someCases([2, 1])) {
  test(`failed sync ${nth} of a webhook's position ends the process with 70, and the next start delivers the rest`, {
    skip,
  }, async () => {
    using disk = new FailingDisk();
    await using receiver = await WebhookReceiver.listen();
    const filter = { address: undefined, token: undefined, item: undefined, type: undefined };
    const url = receiver.url();
    const file = `webhooks/${identityOf({ url, filter })}.json.part`;
    const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
    const more = ["--webhooks", JSON.stringify([{ url, secret, from: 0 }])];
    const fault = { operation: "sync", file, nth } as const;
    if (nth === 1) {
      const serve = ["serve", "--data", disk.data, "--port", "0", ...more];
      const { exitCode, output } = await runMonetaIn(disk.environment(fault), ...serve);
      assert.equal(exitCode, 70, output);
      assert.match(output, /^moneta: .*json\.part could not be synced .*$/m);
      assert.equal(receiver.deliveries.length, 0);
    } else {
      const held = Promise.withResolvers<void>();
      receiver.answers.push((response) => void held.promise.then(() => response.end()));
      const service = await disk.start(fault, more);
      await receiver.comes(1);
      held.resolve();
      while (await isServing(service.url)) {
        await delay(20);
      }
      assert.equal(await service.finish(), 70, service.output());
      assert.match(service.output(), /^moneta: .*json\.part could not be synced .*$/m);
      assert.doesNotMatch(service.output(), /^ {4}at /m);
    }
    const before = receiver.deliveries.length;
    await using again = await disk.start(undefined, more);
    await receiver.comes(before + 1);
    assert.equal(receiver.ids.at(before), receiver.ids[0]);
    assert.equal(await again.stop(), 0);
  });
}

test("a sync that hangs is seen after --sync-seconds: writes are refused at once, reads go on, and it ends with the sync", {
  skip,
}, async () => {
  using directory = new TemporaryDirectory("hanging-disk");
  const [data, stall] = [join(directory.path, "data"), join(directory.path, "stall")];
  const environment = observed.environment(data, { stall });
  const more = ["--sync-seconds", "1"];
  await using service = await ServiceProcess.start({ data, environment, more });
  const get = async (path: string): Promise<{ status: number; text: string }> => {
    const answer = await fetch(service.url + path);
    return { status: answer.status, text: await answer.text() };
  };
  const write = (): Promise<Response> => {
    const body = new URLSearchParams({ publickey: publicPem(newKey()) });
    return fetch(`${service.url}/address`, { method: "POST", body });
  };
  const becomes = async (status: number): Promise<string> => {
    await until(async () => (await get("/ready?for=writes")).status === status);
    return (await get("/ready?for=writes")).text;
  };
  assert.equal((await write()).status, 200);
  writeFileSync(stall, "");
  const hanging = write();
  assert.match(await becomes(503), /the disk has not made a block durable for [0-9]+ s/);
  const refused = await write();
  assert.equal(refused.status, 503);
  assert.match(await refused.text(), /not made a block durable/);
  assert.equal((await get("/block")).status, 200);
  assert.equal((await get("/ready")).status, 200);
  rmSync(stall);
  assert.equal((await hanging).status, 200, "what was under way is done");
  await becomes(200);
  assert.equal((await write()).status, 200);
  assert.match(service.output(), /"cause":"sync".*writes are not possible now/);
  assert.match(service.output(), /writes are possible again/);
});
