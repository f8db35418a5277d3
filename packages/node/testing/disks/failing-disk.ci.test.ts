import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { longTest, someCases } from "../../../ledger/testing/lane.ts";
import { identityOf } from "../../webhooks/webhook.ts";
import { Audit } from "../audit.ts";
import { Payments } from "../payments.ts";
import { SeededRandom } from "../seeded-random.ts";
import { assertKept } from "../sent-transfer.ts";
import { runMoneta, runMonetaIn, ServiceProcess } from "../service-process.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";
import { newKey, publicPem } from "../test-node.ts";
import { WebhookReceiver } from "../webhook-receiver.ts";
import { type DiskRecord, parseDiskLog } from "./cut-disk.ts";
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
  readonly payments: Payments;
  readonly random: SeededRandom = new SeededRandom();
  readonly #log: string;
  readonly #directory: TemporaryDirectory = new TemporaryDirectory("failing-disk");

  constructor() {
    this.data = join(this.#directory.path, "data");
    this.#log = join(this.#directory.path, "disk.log");
    this.payments = new Payments(() => undefined, this.random);
  }

  start(fault?: DiskFault, more: readonly string[] = []): Promise<ServiceProcess> {
    const environment = observed.environment(this.data, { log: this.#log, fault });
    return ServiceProcess.start({ data: this.data, environment, more });
  }

  /** Runs a command of `moneta` on the disk, and also returns its disk operations. */
  async run(
    command: readonly string[],
    fault?: DiskFault,
  ): Promise<{ exitCode: number; output: string; records: readonly DiskRecord[] }> {
    const environment = observed.environment(this.data, { log: this.#log, fault });
    const before = readFileSync(this.#log).length;
    const ended = await runMonetaIn(environment, ...command);
    return { ...ended, records: parseDiskLog(readFileSync(this.#log).subarray(before)) };
  }

  /**
   * Pays in small rounds until the failure, which takes a checkpoint, after a number of blocks that
   * depends on the machine; or until the node has gone, which may be before a round's first payment.
   */
  async payUntil(url: string, hasHappened: () => boolean): Promise<void> {
    for (let round = 0; !hasHappened(); round += 1) {
      assert.ok(round < 60, "it has not happened");
      if (!(await this.payments.pay(url, 100))) {
        return;
      }
    }
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
      .map((one) => `${one.kind} ${"inode" in one ? (names.get(one.inode) ?? one.inode) : ""}`)
      .filter((operation) => !/^(write|sync) newest-block\.json/.test(operation));
  }

  /**
   * Starts on the repaired disk: all acknowledged writes are there, the others can be done, once,
   * and no refused one has happened.
   */
  async assertRecovers(): Promise<void> {
    const { accepted, refused, unsettled } = this.payments;
    await using service = await this.start();
    const audit = new Audit();
    await audit.readOn(service.url);
    for (const { transfer, outcome } of accepted) {
      assert.ok(outcome?.is === "accepted");
      assert.equal(audit.transfers.get(transfer.checkkey)?.id, outcome.transactionId);
    }
    for (const { transfer } of refused) {
      assert.equal(audit.transfers.get(transfer.checkkey), undefined, "refused, yet done");
    }
    await this.payments.pay(service.url, unsettled.length + refused.size);
    assert.equal(unsettled.length, 0);
    await assertKept(service.url, [...accepted, ...refused], new Audit());
    assert.equal(await service.stop(), 0, service.output());
    const { exitCode, output } = await runMoneta("verify", this.data);
    assert.equal(exitCode, 0, output);
  }

  [Symbol.dispose](): void {
    this.#directory[Symbol.dispose]();
  }
}

const FAILED_SYNCS = [
  { what: "of a logged block", file: "ledger.db-redo", nth: [2, 20], isAtStop: false },
  { what: "of a block's COMMIT", file: "ledger.db-wal", nth: [12, 40], isAtStop: false },
  { what: "of a checkpoint between blocks", file: "ledger.db", nth: [2, 2], isAtStop: false },
  { what: "of the new redo log", file: "ledger.db-redo", nth: [1, 1], isAtStop: false },
  { what: "of the checkpoint of a stop", file: "ledger.db", nth: [2, 2], isAtStop: true },
] as const;
for (const { what, file, nth, isAtStop } of someCases(FAILED_SYNCS, 2)) {
  test(`a failed sync ${what} ends the process with 70, unanswered, and it touches the disk no more`, {
    skip,
  }, async (t) => {
    using disk = new FailingDisk();
    t.diagnostic(`TEST_SEED=${disk.random.seed}`);
    const [min, max] = nth;
    const fault = { operation: "sync", file, nth: disk.random.integer({ min, max }) } as const;
    const service = await disk.start(fault);
    await disk.payUntil(service.url, () => isAtStop);
    assert.equal(await service.finish(), 70, service.output());
    assert.match(service.output(), /^moneta: .*ledger\.db.* could not be synced .*$/m);
    assert.doesNotMatch(service.output(), /^ {4}at /m);
    assert.deepEqual(disk.afterLoss(), []);
    assert.ok(existsSync(join(disk.data, "ledger.db-wal")));
    assert.equal(disk.payments.refused.size, 0);
    await disk.assertRecovers();
  });
}

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
    await using again = await disk.start();
    assert.equal((await fetch(`${again.url}/block/0`)).status, 200);
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

test("a failed sync of checkpoint.signed ends the process with 70, and the checkpoint is not answered", {
  skip,
}, async () => {
  using disk = new FailingDisk();
  const fault = { operation: "sync", file: "checkpoint.signed.part", nth: 1 } as const;
  const service = await disk.start(fault);
  await assert.rejects(fetch(`${service.url}/checkpoint`), TypeError);
  assert.equal(await service.finish(), 70, service.output());
  await using again = await disk.start();
  assert.equal((await fetch(`${again.url}/checkpoint`)).status, 200);
});

test("a failed sync of newest-block.json at a stop ends the process with 70, and the ledger is not closed", {
  skip,
}, async () => {
  using disk = new FailingDisk();
  // The first is the start's.
  const fault = { operation: "sync", file: "newest-block.json.part", nth: 2 } as const;
  const service = await disk.start(fault);
  await disk.payments.pay(service.url, 1);
  assert.equal(await service.stop(), 70, service.output());
  assert.match(service.output(), /^moneta: .*newest-block\.json\.part could not be synced .*$/m);
  assert.doesNotMatch(service.output(), /^ {4}at /m);
  assert.deepEqual(disk.afterLoss(), []);
  assert.ok(statSync(join(disk.data, "ledger.db-wal")).size > 0);
  await disk.assertRecovers();
});

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
    assert.equal(await (await disk.start()).stop(), 0);
    if (nth === 1) {
      const serve = ["serve", "--data", disk.data, "--port", "0", ...more];
      const { exitCode, output } = await disk.run(serve, fault);
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

/** The redo log is written as a whole, in 1,024 pieces, before its first block. */
test("a failed write of a logged block returns 503, nothing of it is on the ledger, and the node goes on", {
  skip,
}, async (t) => {
  using disk = new FailingDisk();
  t.diagnostic(`TEST_SEED=${disk.random.seed}`);
  const nth = disk.random.integer({ min: 1025, max: 1036 });
  const service = await disk.start({ operation: "write", file: "ledger.db-redo", nth });
  await disk.payments.pay(service.url, 200);
  assert.equal(await service.finish(), 0, service.output());
  assert.ok(disk.payments.refused.size > 0, "the write has not failed");
  await disk.assertRecovers();
});

longTest(
  "after a failed write of logged blocks to the database they are written again, and nothing is refused",
  {
    skip,
  },
  async (t) => {
    using disk = new FailingDisk();
    t.diagnostic(`TEST_SEED=${disk.random.seed}`);
    const nth = disk.random.integer({ min: 400, max: 500 });
    const service = await disk.start({ operation: "write", file: "ledger.db-wal", nth });
    await disk.payments.pay(service.url, 2000);
    assert.equal(await service.finish(), 0, service.output());
    await disk.assertRecovers();
  },
);

test("where the redo log cannot be written each block is committed by itself", {
  skip,
}, async () => {
  using disk = new FailingDisk();
  const service = await disk.start({ operation: "write", file: "ledger.db-redo", nth: 100 });
  await disk.payments.pay(service.url, 200);
  assert.equal(await service.finish(), 0, service.output());
  assert.equal(disk.payments.refused.size, 0);
  await disk.assertRecovers();
});

longTest(
  "a failed write of a checkpoint fails no request: the log of changes keeps everything, and the next one copies it",
  {
    skip,
  },
  async () => {
    using disk = new FailingDisk();
    const service = await disk.start({ operation: "write", file: "ledger.db", nth: 5 });
    await disk.payUntil(service.url, () => /cannot be copied/.test(service.output()));
    await disk.payUntil(service.url, () => /is reused again/.test(service.output()));
    assert.equal(await service.finish(), 0, service.output());
    assert.equal(disk.payments.refused.size, 0);
    await disk.assertRecovers();
  },
);

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
    for (const end = Date.now() + 60_000; ; await delay(50)) {
      const ready = await get("/ready?for=writes");
      if (ready.status === status) {
        return ready.text;
      }
      assert.ok(Date.now() < end, ready.text);
    }
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
