import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { LocalLog, openForWriting } from "@moneta/ledger";
import { startNode } from "../node.ts";
import { readSettings } from "../settings.ts";
import { runMoneta, ServiceProcess } from "../testing/service-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import {
  newKey,
  parsed,
  publicPem,
  START,
  summaryOf,
  TestNode,
  transactionIdOf,
} from "../testing/test-node.ts";
import { RESTORE_PART } from "./data-directory.ts";

/** One node for the tests that leave its directory as it was. */
let node: TestNode;
before(async () => {
  node = await TestNode.start();
});
after(() => node[Symbol.asyncDispose]());

function fileOf(of: TestNode, name: string): string {
  return join(of.data, name);
}

/** Runs a test on the directory while its node is stopped. */
async function whileStopped(run: () => Promise<void>): Promise<void> {
  await node.stop();
  try {
    await run();
  } finally {
    await node.resume();
  }
  assert.equal(summaryOf(await node.get("/block")), "200");
}

/** For nodes that are started only to see whether they start. */
const QUICK = [
  ...["--port", "0", "--log-level", "silent", "--threads", "1", "--operator-listen", "public"],
];

/** Starts a node that must refuse, and returns why. */
async function refusal(...flags: string[]): Promise<string> {
  const settings = readSettings([...QUICK, ...flags], {});
  try {
    const started = await startNode(settings, { clock: () => START, idleMs: 0 });
    await started.close();
  } catch (thrown) {
    assert.ok(thrown instanceof Error);
    return `${thrown.name}: ${thrown.message}`;
  }
  return "it started";
}

function genesis(publickey: string, change: object = {}) {
  return {
    ledger: "ledger.example/main",
    timestamp: START - 1000,
    coin: {
      name: "Coin",
      symbol: "C",
      decimal: 2,
      totalsupply: "1000",
      treasury: [{ publickey, amount: "1000", unlockdate: 0 }],
    },
    ...change,
  };
}

test("the first start of a test deployment makes treasury.pem, readable by its user alone, and genesis.json", async () => {
  assert.equal(statSync(fileOf(node, "treasury.pem")).mode & 0o777, 0o600);
  assert.equal(statSync(fileOf(node, "temporary-key.secret")).mode & 0o777, 0o600);
  assert.equal(statSync(node.data).mode & 0o077, 0);
  const made = JSON.parse(readFileSync(fileOf(node, "genesis.json"), "utf8")) as {
    coin: { treasury: { publickey: string; address: string }[] };
    timestamp: number;
  };
  const { publickey, address } = made.coin.treasury[0] ?? {};
  assert.equal(made.timestamp, START);
  assert.equal(address, node.treasury.address);
  assert.equal(publickey, publicPem(node.treasury.privateKey));
  const key = createPrivateKey(readFileSync(fileOf(node, "treasury.pem")));
  assert.equal(createPublicKey(key).asymmetricKeyDetails?.namedCurve, "prime256v1");
});

test("the second start keeps keys, genesis, ledger and temporary keys", async () => {
  const holder = await node.holder({ coins: 5n });
  const checkkey = await node.key(holder);
  const files = ["treasury.pem", "genesis.json", "temporary-key.secret"];
  const before = files.map((name) => readFileSync(fileOf(node, name), "utf8"));
  const { ledgerId } = node;
  const height = await node.height();
  await node.restart();
  assert.deepEqual(
    files.map((name) => readFileSync(fileOf(node, name), "utf8")),
    before,
  );
  assert.equal(node.ledgerId, ledgerId);
  assert.equal(await node.height(), height);
  assert.deepEqual(await node.balances(holder), ["0: 5"]);
  const params = await node.transfer(holder, {
    to: node.treasury.address,
    amount: "1",
    checkkey,
  });
  assert.equal(summaryOf(await node.post("/transfer", params)), "200");
});

test("a node begins its ledger where a follower or a copy was cut off before block 0", async () => {
  for (const cutOff of [
    (file: string) => writeFileSync(file, ""),
    (file: string) => {
      const database = openForWriting(file);
      new LocalLog(database);
      database.close();
    },
  ]) {
    using directory = new TemporaryDirectory("cut-off");
    cutOff(join(directory.path, "ledger.db"));
    const production = await refusal("--data", directory.path, "--deployment", "production");
    assert.match(production, /^SettingProblem: .*--genesis/);
    assert.equal(await refusal("--data", directory.path), "it started");
  }
});

test("a node does not begin a ledger where a restore was interrupted", async () => {
  using directory = new TemporaryDirectory("half-restored");
  mkdirSync(join(directory.path, RESTORE_PART));
  assert.match(
    await refusal("--data", directory.path),
    /^NotYet: a restore to .* was interrupted, .* run moneta restore again$/,
  );
  assert.deepEqual(readdirSync(directory.path), [RESTORE_PART]);
});

test("a node starts without a faucet if treasury.pem is of no address, and refuses such a --faucet-key", async () => {
  const file = fileOf(node, "treasury.pem");
  const own = readFileSync(file);
  await whileStopped(async () => {
    writeFileSync(file, newKey().export({ type: "pkcs8", format: "pem" }));
    assert.match(await refusal("--data", node.data, "--faucet-key", file), /no address on this/);
  });
  assert.equal(summaryOf(await node.get("/faucet")), "404 9404");
  await whileStopped(async () => writeFileSync(file, own));
  assert.equal(summaryOf(await node.get("/faucet")), "405 9405");
});

test("a genesis other than that of block 0 is refused, the same one is accepted; one that is no JSON, or not there, is named in one line", () =>
  whileStopped(async () => {
    const own = fileOf(node, "genesis.json");
    const kept = readFileSync(own, "utf8");
    const other = join(node.data, "other.json");
    const refused = (file: string): Promise<string> =>
      refusal("--data", node.data, "--genesis", file);
    writeFileSync(other, JSON.stringify(genesis(publicPem(newKey()))));
    assert.match(await refused(other), /genesis/);
    assert.equal(await refused(own), "it started");
    writeFileSync(other, kept.replace("Test Coin", "Best Coin"));
    assert.match(await refused(other), /genesis/);
    writeFileSync(other, "hello\nthere\n");
    assert.equal(await refused(other), `SettingProblem: --genesis ${other} is no JSON`);
    assert.equal(await refused("/nowhere"), "SettingProblem: --genesis /nowhere is not there");
    writeFileSync(other, "\ufeff{}");
    const marked = await refused(other);
    assert.doesNotMatch(marked, /no JSON/, "a byte order mark is no part of the file");
    writeFileSync(own, "hello\nthere\n");
    assert.match(
      await refusal("--data", node.data),
      /^SettingProblem: \S+genesis\.json is damaged, it is no JSON: put there .*$/,
    );
    writeFileSync(own, kept);
  }));

test("a test deployment of a custom ledger warns at its start", async () => {
  using folder = new TemporaryDirectory("deployment");
  const file = join(folder.path, "genesis.json");
  writeFileSync(file, JSON.stringify(genesis(publicPem(newKey()))));
  await using service = await ServiceProcess.start({ more: ["--genesis", file] });
  assert.match(service.output(), /ledger\.example\/main","msg":"this node is a test deployment/);
});

test("production without a genesis file is refused, and writes no block 0", async () => {
  using directory = new TemporaryDirectory("production");
  const data = join(directory.path, "data");
  const why = await refusal("--data", data, "--deployment", "production");
  assert.match(why, /^SettingProblem: .*--genesis/);
  assert.ok(!existsSync(join(data, "ledger.db")));
  assert.ok(!existsSync(join(data, "treasury.pem")));
});

test("production with a genesis file starts, keeps it, and has no faucet", async () => {
  using directory = new TemporaryDirectory("production");
  const treasury = newKey();
  const file = join(directory.path, "main.json");
  writeFileSync(file, JSON.stringify(genesis(publicPem(treasury))));
  await using node = await TestNode.start("--deployment", "production", "--genesis", file);
  assert.equal(summaryOf(await node.post("/faucet", {})), "404 9404");
  assert.equal(summaryOf(await node.get("/faucet")), "404 9404");
  assert.ok(!existsSync(fileOf(node, "treasury.pem")));
  const root = parsed<Record<string, unknown>>(await node.get("/"));
  assert.equal(root["deployment"], "production");
  assert.equal(root["ledger"], "ledger.example/main");

  const payer = { address: node.running.treasury as string, privateKey: treasury };
  assert.deepEqual(await node.balances(payer), ["0: 1000"]);
  const payee = await node.holder();
  const params = await node.fullTransfer(payer, { to: payee.address, amount: "1" });
  transactionIdOf(await node.post("/transfer", params));
  rmSync(file);
  await node.stop();
  const settings = ["--deployment", "production", "--data", node.data, "--shutdown-grace", "0"];
  assert.equal(await refusal(...settings), "it started");
});

test("no ledger begins more than a day ahead of the clock, and one that has begun starts at any time", async () => {
  using directory = new TemporaryDirectory("ahead");
  const file = join(directory.path, "main.json");
  const data = join(directory.path, "data");
  const start = async (timestamp: number): Promise<string> => {
    writeFileSync(file, JSON.stringify(genesis(publicPem(newKey()), { timestamp })));
    return await refusal("--data", data, "--genesis", file);
  };
  assert.match(
    await start(START + 86_401),
    /^GenesisProblem: timestamp of the genesis file is \d{4}-\S+Z, and the clock shows \d{4}-/,
  );
  assert.deepEqual(
    ["ledger.db", "genesis.json"].filter((name) => existsSync(join(data, name))),
    [],
  );
  assert.equal(await start(START + 86_400), "it started");
  const settings = readSettings([...QUICK, "--data", data], {});
  await (await startNode(settings, { clock: () => START - 86_400, idleMs: 0 })).close();
});

test("a corrected genesis file takes the place of one that a start has kept which made no block 0", async () => {
  using directory = new TemporaryDirectory("corrected");
  const file = join(directory.path, "main.json");
  const data = join(directory.path, "data");
  const publickey = publicPem(newKey());
  const kept = join(data, "genesis.json");
  mkdirSync(data);
  writeFileSync(kept, JSON.stringify(genesis(publickey, { note: "wrong", timestamp: START })));
  writeFileSync(file, JSON.stringify(genesis(publickey, { note: "right", timestamp: START })));
  assert.equal(await refusal("--data", data, "--genesis", file), "it started");
  assert.equal(JSON.parse(readFileSync(kept, "utf8")).note, "right");
  assert.equal(await refusal("--data", data), "it started", "later starts need no file");
});

test("chain §8: two nodes with the same genesis file have the same ledger id", async () => {
  using directory = new TemporaryDirectory("genesis");
  const file = join(directory.path, "main.json");
  writeFileSync(file, JSON.stringify(genesis(publicPem(newKey()))));
  await using one = await TestNode.start("--genesis", file);
  await using other = await TestNode.start("--genesis", file);
  assert.equal(one.ledgerId, other.ledgerId);
  assert.equal((await one.get("/block/0/raw")).text, (await other.get("/block/0/raw")).text);
  assert.equal(summaryOf(await one.post("/faucet", {})), "404 9404");
});

test("accounts §12: a genesis with an empty name stops the start, and no block 0 is written", async () => {
  using directory = new TemporaryDirectory("genesis");
  const file = join(directory.path, "main.json");
  const { coin, ...others } = genesis(publicPem(newKey()));
  writeFileSync(file, JSON.stringify({ ...others, coin: { ...coin, name: "" } }));
  const data = join(directory.path, "data");
  const why = await refusal("--data", data, "--genesis", file);
  assert.ok(why.startsWith(`GenesisProblem: --genesis ${file}: coin.name`), why);
  assert.ok(!existsSync(join(data, "ledger.db")));
  copyFileSync(file, join(data, "genesis.json"));
  const kept = await refusal("--data", data);
  assert.ok(kept.startsWith(`GenesisProblem: ${join(data, "genesis.json")}: coin.name`), kept);
});

test("a file where the data directory should be is reported as a file", async () => {
  const file = fileURLToPath(import.meta.url);
  const says = /a file is there, and no directory/;
  assert.match(await refusal("--data", file), says);
  assert.match(await refusal("--data", `${file}/data`), says);
});

test("a second service on one directory is refused, in the same process and in another", async () => {
  assert.match(
    await refusal("--data", node.data),
    /^NotYet: another service runs on .*: stop it, or give this one a --data and a --port of its own$/,
  );
  const { exitCode, output } = await runMoneta("serve", "--data", node.data, "--port", "0");
  assert.equal(exitCode, 75, output);
  assert.match(output, /another service runs/);
  assert.equal(summaryOf(await node.get("/block")), "200");
});

test("a new secret follows the old one without a gap", async () => {
  const holder = await node.holder({ coins: 10n });
  const [first, second] = [await node.key(holder), await node.key(holder)];
  const file = fileOf(node, "temporary-key.secret");
  const old = readFileSync(file, "utf8");
  const send = async (checkkey: string): Promise<string> =>
    summaryOf(
      await node.post(
        "/transfer",
        await node.transfer(holder, { to: node.treasury.address, amount: "1", checkkey }),
      ),
    );
  await node.stop();
  writeFileSync(file, `${"ab".repeat(32)}\n${old}`);
  await node.resume();
  assert.equal(await send(first), "200");
  assert.equal(await send(await node.key(holder)), "200");
  await node.stop();
  writeFileSync(file, `${"ab".repeat(32)}\n`);
  await node.resume();
  assert.equal(await send(second), "401 2020 checkkey");
});

test("a secret that is too short stops the start", () =>
  whileStopped(async () => {
    const file = fileOf(node, "temporary-key.secret");
    const good = readFileSync(file);
    writeFileSync(file, "abcd\n");
    const why = await refusal("--data", node.data);
    writeFileSync(file, good);
    assert.match(why, /^SettingProblem: .*temporary-key\.secret must hold/);
  }));

test("what a setting names and is not there stops the start with a message for the operator, and leaves nothing running", () =>
  whileStopped(async () => {
    for (const { flags, names } of [
      { flags: ["--faucet-key", "/nowhere.pem"], names: "/nowhere.pem" },
      { flags: ["--tls-cert", "/nowhere.pem", "--tls-key", "/nowhere.key"], names: "/nowhere.pem" },
      { flags: ["--data", "/dev/null"], names: "/dev/null" },
    ]) {
      const why = await refusal("--data", node.data, ...flags);
      assert.match(why, /^SettingProblem: /);
      assert.ok(why.includes(names), why);
    }
  }));

test("a port in use stops the start with a message for the operator", async () => {
  using directory = new TemporaryDirectory("port");
  const { port } = new URL(node.url);
  const why = await refusal("--data", directory.path, "--port", port);
  assert.match(why, /^SettingProblem: /);
  assert.match(why, /EADDRINUSE.*stop it, or take another port with --port \d+/);
  assert.ok(why.includes(port), why);
  assert.equal(await refusal("--data", directory.path), "it started");
});
