import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { someCases } from "../../../ledger/testing/lane.ts";
import { RecordingClients } from "../answers/recording-clients.ts";
import { createWallet, fund, type Outcome, refusal, type Wallet } from "../clients/wallet.ts";
import { outputOf, runInProcess } from "../command-in-process.ts";
import { SeededRandom } from "../seeded-random.ts";
import { ServiceProcess } from "../service-process.ts";
import { TestNode } from "../test-node.ts";
import { SmallTmpfs } from "./small-disk.ts";

const FULL_WITHIN_MS = 120_000;

test("a first start on a full disk ends with a message, and the next one with space begins the ledger", {
  skip: SmallTmpfs.missing() ?? false,
}, async () => {
  using disk = new SmallTmpfs({ megabytes: 2 });
  mkdirSync(disk.data);
  disk.exhaust();
  const { exitCode, output } = await runInProcess("serve", "--data", disk.data, "--port", "0");
  assert.equal(exitCode, 75, output);
  assert.match(output, /^moneta: .*\.(pem|json|secret|db) cannot be [^\n]*\n$/);
  disk.free();
  await outputOf(["serve", "--data", disk.data, "--port", "0"]);
  assert.match(await outputOf(["verify", disk.data]), /^valid: 1 block/m);
});

test("a disk of a killed process is unmounted when the next one is made", {
  skip: SmallTmpfs.missing() ?? false,
}, async () => {
  const module = new URL("small-disk.ts", import.meta.url).href;
  const program = `const { SmallTmpfs } = await import(${JSON.stringify(module)});
    console.log(new SmallTmpfs({ megabytes: 1 }).folder);
    process.kill(process.pid, "SIGKILL");`;
  const { signal, stdout } = spawnSync(process.execPath, ["--eval", program]);
  assert.equal(signal, "SIGKILL");
  const left = String(stdout).trim();
  // Another test that makes a disk meanwhile may be first.
  using _ = new SmallTmpfs({ megabytes: 1 });
  assert.ok(!readFileSync("/proc/mounts", "utf8").includes(` ${left} tmpfs `));
  assert.ok(!existsSync(dirname(left)));
});

test("a full disk: writes get 503, reads go on, with space writes succeed without a restart, and a kill in between loses nothing", {
  skip: SmallTmpfs.missing() ?? false,
}, async (t) => {
  const random = new SeededRandom();
  t.diagnostic(`TEST_SEED=${random.seed}`);
  using disk = new SmallTmpfs();
  const size = { groups: 2, clients: 8, ballastMax: 1900 };
  let clients: RecordingClients;
  {
    await using service = await ServiceProcess.start({ data: disk.data });
    const { url } = service;
    clients = await RecordingClients.prepare(url, random, size);
    const wallet = await createWallet(url);
    const fill = async (): Promise<void> => {
      disk.fill();
      const end = Date.now() + FULL_WITHIN_MS;
      // A short write that is under way may still be done after that.
      let isFull = false;
      await clients.run([url], () => {
        isFull ||= clients.areWritesRefused;
        return isFull || Date.now() > end;
      });
      assert.ok(isFull, "the disk never got full");
    };
    await fill();
    await assertOnlyReads(url, wallet.address);
    disk.free();
    await clients.finish(url);
    clients.assertExplained();
    await createWallet(url);

    await fill();
    await Promise.all([clients.run([url]), delay(100).then(() => service.kill())]);
  }
  disk.exhaust();
  await using service = await ServiceProcess.start({ data: disk.data });
  assert.equal((await fetch(`${service.url}/block`)).status, 200);
  disk.free();
  await clients.finish(service.url);
  clients.assertExplained();
  assert.equal(await service.stop(), 0, service.output());
  await outputOf(["verify", disk.data]);
});

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
      await using node = await TestNode.start("--data", disk.data);
      wallet = await createWallet(node.url);
      await fund(node.url, wallet, 5n);
      checkpoint = await textOf(node.url, "/checkpoint");
    }
    block(disk);
    {
      await using service = await ServiceProcess.start({ data: disk.data });
      await assertStartedForReads(service, wallet, reason);
      assert.equal(
        await textOf(service.url, "/checkpoint"),
        checkpoint,
        "a tree that has been signed is signed again",
      );
      const rebuilt = await runInProcess("rebuild", disk.data);
      assert.equal(rebuilt.exitCode, 75, rebuilt.output);
      unblock(disk);
      assert.equal(await service.endedByItself(), 75, service.output());
      assert.match(service.output(), /the disk takes writes again/);
    }
    await using service = await ServiceProcess.start({ data: disk.data });
    await fund(service.url, wallet, 6n);
    assert.equal(await balanceOf(service.url, wallet), "11");
    assert.equal(await service.stop(), 0, service.output());
    await outputOf(["verify", disk.data]);
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
  const { exitCode, output } = await runInProcess("serve", "--data", disk.data, "--port", "0");
  assert.equal(exitCode, 75, output);
  disk.remount("rw");
  await outputOf(["serve", "--data", disk.data, "--port", "0"]);
  assert.match(await outputOf(["verify", disk.data]), /^valid: 2 blocks/m);
});

/** A node on a disk that takes no writes serves all reads, and reports why it refuses writes. */
async function assertStartedForReads(
  service: ServiceProcess,
  wallet: Wallet,
  reason: string,
): Promise<void> {
  const { url } = service;
  assert.match(service.output(), new RegExp(`^writes +not possible: ${reason};`, "m"));
  const { address } = wallet;
  await assertOnlyReads(url, address);
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
async function assertOnlyReads(url: string, address: string): Promise<void> {
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
  for (let i = 0; i < 500; i += 1) {
    const response = await fetch(url, { method: "POST", body: new URLSearchParams(parameters) });
    if (response.status !== 200) {
      assertFull(await refusal(response));
      return;
    }
  }
  assert.fail(`${url} is still accepted on a full disk`);
}

function assertFull(outcome: Outcome): void {
  assert.ok(outcome.is === "refused", JSON.stringify(outcome));
  assert.deepEqual([outcome.status, outcome.code], [503, "9002"], outcome.detail);
  assert.match(outcome.retryAfter ?? "absent", /^[1-9][0-9]*$/, "Retry-After in seconds");
}
