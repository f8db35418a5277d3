import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { someCases } from "../../../ledger/testing/lane.ts";
import { Audit } from "../audit.ts";
import {
  createWallet,
  fund,
  type Outcome,
  refusal,
  temporaryKeys,
  type Wallet,
} from "../clients/wallet.ts";
import { assertKept, SentTransfer } from "../sent-transfer.ts";
import { runMoneta, ServiceProcess } from "../service-process.ts";
import { LimitedFiles, SmallTmpfs } from "./small-disk.ts";

const IN_FLIGHT = 16;
const FULL_AFTER = 64; // refusals one after the other
const FULL_WITHIN_MS = 120_000;
const RECOVERED_WITHIN_MS = 120_000;

test("a first start on a full disk ends with a message, and the next one with space begins the ledger", {
  skip: SmallTmpfs.missing() ?? false,
}, async () => {
  using disk = new SmallTmpfs({ megabytes: 2 });
  mkdirSync(disk.data);
  disk.exhaust();
  const { exitCode, output } = await runMoneta("serve", "--data", disk.data, "--port", "0");
  assert.equal(exitCode, 75, output);
  assert.match(output, /^moneta: .*\.(pem|json|secret|db) cannot be [^\n]*\n$/);
  disk.free();
  await using service = await ServiceProcess.start({ data: disk.data });
  assert.equal((await fetch(`${service.url}/block/0`)).status, 200);
});

const FULL_DISKS = [
  { disk: SmallTmpfs, name: "a full file system" },
  { disk: LimitedFiles, name: "a file-size limit" },
];
for (const { disk: Disk, name } of someCases(FULL_DISKS)) {
  const skip = Disk.missing() ?? false;

  test(`${name}: writes get 503, reads go on, and with space writes succeed without a restart`, {
    skip,
  }, async () => {
    using disk = new Disk();
    await using service = await ServiceProcess.start({ data: disk.data });
    const payers = await Payers.create(service.url);
    const audit = new Audit();

    disk.fill(service.pid);
    await payers.payUntilFull(service.url);
    await assertOnlyReads(service.url, payers.wallets);
    await assertKept(service.url, payers.sent, audit);

    disk.free(service.pid);
    await payers.payWhatWasRefused(service.url);
    await createWallet(service.url);
    await assertKept(service.url, payers.sent, audit);
    assert.equal(audit.transfers.size, payers.sent.length);

    assert.equal(await service.stop(), 0, service.output());
    const verified = await runMoneta("verify", disk.data);
    assert.equal(verified.exitCode, 0, verified.output);
  });

  test(`${name}: writes answered 200 survive a kill and a restart, and no others do`, {
    skip,
  }, async () => {
    using disk = new Disk();
    let payers: Payers;
    {
      await using service = await ServiceProcess.start({ data: disk.data });
      payers = await Payers.create(service.url);
      disk.fill(service.pid);
      await payers.payUntilFull(service.url);
      const paying = payers.payUntilGone(service.url);
      await Promise.all([paying, delay(100).then(() => service.kill())]);
    }
    disk.exhaust();
    const audit = new Audit();
    {
      await using service = await ServiceProcess.start({ data: disk.data });
      await assertKept(service.url, payers.sent, audit);
      disk.free(service.pid);
      await payers.payWhatWasRefused(service.url);
      await assertKept(service.url, payers.sent, audit);
      assert.equal(audit.transfers.size, payers.sent.length);
      assert.equal(await service.stop(), 0, service.output());
    }
    const verified = await runMoneta("verify", disk.data);
    assert.equal(verified.exitCode, 0, verified.output);
  });
}

for (const { name, reason, block, unblock } of someCases([
  {
    name: "a disk that was filled after a clean stop",
    reason: "the disk is full",
    block: (disk: SmallTmpfs) => disk.exhaust(),
    unblock: (disk: SmallTmpfs) => disk.free(),
  },
  {
    name: "a read-only disk",
    reason: "the disk is read-only",
    block: (disk: SmallTmpfs) => disk.remount("ro"),
    unblock: (disk: SmallTmpfs) => disk.remount("rw"),
  },
])) {
  test(`${name}: the node starts for reads, and ends with 75 once the disk takes writes`, {
    skip: SmallTmpfs.missing() ?? false,
  }, async () => {
    using disk = new SmallTmpfs();
    let wallet: Wallet;
    let checkpoint: string;
    {
      await using service = await ServiceProcess.start({ data: disk.data });
      wallet = await createWallet(service.url);
      await fund(service.url, wallet, 5n);
      checkpoint = await textOf(service.url, "/checkpoint");
      assert.equal(await service.stop(), 0, service.output());
    }
    block(disk);
    {
      await using service = await ServiceProcess.start({ data: disk.data });
      await assertStartedForReads(service, wallet, reason);
      await service.kill();
    }
    {
      await using service = await ServiceProcess.start({ data: disk.data });
      await assertStartedForReads(service, wallet, reason);
      assert.equal(
        await textOf(service.url, "/checkpoint"),
        checkpoint,
        "a tree that has been signed is signed again",
      );
      const rebuilt = await runMoneta("rebuild", disk.data);
      assert.equal(rebuilt.exitCode, 75, rebuilt.output);
      unblock(disk);
      assert.equal(await service.endedByItself(), 75, service.output());
      assert.match(service.output(), /the disk takes writes again/);
    }
    await using service = await ServiceProcess.start({ data: disk.data });
    await fund(service.url, wallet, 6n);
    assert.equal(await balanceOf(service.url, wallet), "11");
    assert.equal(await service.stop(), 0, service.output());
    const verified = await runMoneta("verify", disk.data);
    assert.equal(verified.exitCode, 0, verified.output);
  });
}

test("a node that was killed does not start on a read-only disk: its newest blocks may not be on it", {
  skip: SmallTmpfs.missing() ?? false,
}, async () => {
  using disk = new SmallTmpfs();
  {
    await using service = await ServiceProcess.start({ data: disk.data });
    await createWallet(service.url);
    await service.kill();
  }
  disk.remount("ro");
  const { exitCode, output } = await runMoneta("serve", "--data", disk.data, "--port", "0");
  assert.equal(exitCode, 75, output);
  disk.remount("rw");
  await using service = await ServiceProcess.start({ data: disk.data });
  assert.equal((await fetch(`${service.url}/block/1`)).status, 200);
});

/** A node on a disk that takes no writes serves all reads, and reports why it refuses writes. */
async function assertStartedForReads(
  service: ServiceProcess,
  wallet: Wallet,
  reason: string,
): Promise<void> {
  const { url } = service;
  assert.match(service.output(), new RegExp(`^writes +not possible: ${reason};`, "m"));
  await assertOnlyReads(url, [wallet]);
  const { address } = wallet;
  assert.equal(await balanceOf(url, wallet), "5");
  for (const path of ["/blocks", "/transactions", `/address/${address}/transactions`, "/tokens"]) {
    await textOf(url, path);
  }
  assert.equal(JSON.parse(await textOf(url, "/ready")).writes, reason);
  const unready = await refusal(await fetch(`${url}/ready?for=writes`));
  assertFull(unready);
  assert.ok(unready.is === "refused" && unready.detail.includes(reason), JSON.stringify(unready));
  assert.match(await textOf(url, "/metrics"), /^moneta_writes_held\{cause="disk"\} 1$/m);
}

async function balanceOf(url: string, { address }: Wallet): Promise<string | undefined> {
  const balances = JSON.parse(await textOf(url, `/balance/${address}`)) as { balance: string }[];
  return balances[0]?.balance;
}

async function textOf(url: string, path: string): Promise<string> {
  const response = await fetch(url + path);
  const text = await response.text();
  assert.equal(response.status, 200, `${path}: ${text}`);
  return text;
}

/** Every write is refused as in conventions §3, and every read is served. */
async function assertOnlyReads(url: string, wallets: readonly Wallet[]): Promise<void> {
  const { address = "" } = wallets[0] ?? {};
  const publickey =
    "MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgADaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY=";
  await refusedInTheEnd(`${url}/address`, { publickey });
  await refusedInTheEnd(`${url}/faucet`, { address, amount: "1" });
  for (const path of ["", "/block", "/block/0", `/address/${address}`, `/nonce/${address}`]) {
    const response = await fetch(url + path);
    assert.equal(response.status, 200, `${path}: ${await response.text()}`);
  }
}

/** Where a long write does not fit, a few short ones still may. */
async function refusedInTheEnd(url: string, parameters: Record<string, string>): Promise<void> {
  for (let i = 0; i < 90; i += 1) {
    const response = await fetch(url, { method: "POST", body: new URLSearchParams(parameters) });
    if (response.status !== 200) {
      assertFull(await refusal(response));
      return;
    }
  }
  assert.fail(`${url} goes on being accepted on a full disk`);
}

function assertFull(outcome: Outcome): void {
  assert.ok(outcome.is === "refused", JSON.stringify(outcome));
  assert.deepEqual([outcome.status, outcome.code], [503, "9002"], outcome.detail);
  assert.match(outcome.retryAfter ?? "absent", /^[1-9][0-9]*$/, "Retry-After in seconds");
}

class Payers {
  readonly wallets: readonly Wallet[];
  readonly sent: SentTransfer[] = [];
  readonly #keys: string[];

  private constructor(wallets: readonly Wallet[], keys: string[]) {
    this.wallets = wallets;
    this.#keys = keys;
  }

  static async create(url: string): Promise<Payers> {
    const from = await createWallet(url);
    const to = await createWallet(url);
    await fund(url, from, 1_000_000_000n);
    const keys: string[] = [];
    for (let i = 0; i < 8; i += 1) {
      keys.push(...(await temporaryKeys(url, { address: from.address, count: 1000 })));
    }
    return new Payers([from, to], keys);
  }

  /** Ends when nothing has been accepted for a while. */
  async payUntilFull(url: string): Promise<void> {
    const until = Date.now() + FULL_WITHIN_MS;
    let refusals = 0;
    await this.#payInParallel(url, (outcome) => {
      if (outcome.is === "accepted") {
        refusals = 0;
      } else {
        assertFull(outcome);
        refusals += 1;
      }
      assert.ok(Date.now() < until, "the disk never got full");
      return refusals < FULL_AFTER;
    });
  }

  async payUntilGone(url: string): Promise<void> {
    await this.#payInParallel(url, (outcome) => {
      if (outcome.is === "refused") {
        assertFull(outcome);
      }
      return outcome.is !== "unanswered";
    });
  }

  /** Each with its key. The service may need a moment to notice the space. */
  async payWhatWasRefused(url: string): Promise<void> {
    const until = Date.now() + RECOVERED_WITHIN_MS;
    for (;;) {
      const unsettled = this.sent.filter((sent) => sent.isUnsettled);
      await Promise.all(unsettled.map((sent) => sent.send(url)));
      const refused = unsettled.find((sent) => sent.isUnsettled)?.outcome;
      if (refused === undefined) {
        return;
      }
      assertFull(refused);
      assert.ok(Date.now() < until, `there is space again, but: ${JSON.stringify(refused)}`);
      await delay(200);
    }
  }

  async #payInParallel(url: string, goesOn: (outcome: Outcome) => boolean): Promise<void> {
    const [from, to] = this.wallets as [Wallet, Wallet];
    let isOver = false;
    const client = async (): Promise<void> => {
      while (!isOver) {
        const checkkey = this.#keys.pop();
        assert.ok(checkkey, "the disk never got full");
        const ballast = "x".repeat(1900);
        const sent = new SentTransfer({ from, to: to.address, amount: 7n, checkkey, ballast });
        this.sent.push(sent);
        if (!goesOn(await sent.send(url))) {
          isOver = true;
        }
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, client));
  }
}
