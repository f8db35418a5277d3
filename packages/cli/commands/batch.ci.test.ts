import assert from "node:assert/strict";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { longTest } from "../../ledger/testing/lane.ts";
import { parseDiskLog } from "../../node/testing/disks/cut-disk.ts";
import { ObservedDisk } from "../../node/testing/disks/observed-disk.ts";
import { ForwardingProxy } from "../../node/testing/forwarding-proxy.ts";
import { freePort } from "../../node/testing/free-port.ts";
import { peakBytes } from "../../node/testing/service-process.ts";
import { type KeyHolder, publicPem, TestNode } from "../../node/testing/test-node.ts";
import { SignedLines } from "../session/signed-lines.ts";
import { CommandRuns } from "../testing/command-runs.ts";
import { RunningCommand } from "../testing/running-command.ts";

interface Printed {
  readonly line: number;
  readonly transaction_id?: string;
  readonly problem?: { readonly code: string };
}

const OTHER = "MTBob0000000000000000000000000005f59bcba";
const TOO_MUCH = String(10n ** 17n);

let node: TestNode;
let user: CommandRuns;
let payee: KeyHolder;

before(async () => {
  node = await TestNode.start("--port", String(await freePort())); // after a restart too
  node.now = Math.floor(Date.now() / 1000);
  user = new CommandRuns(node.url);
  payee = await node.holder();
  await user.moneta("key", "new");
  await user.moneta("address", "new");
  await user.moneta("faucet");
});
after(async () => {
  user?.[Symbol.dispose]();
  await node?.[Symbol.asyncDispose]();
});

function payment(amount: string | number): string {
  return JSON.stringify({ operation: "transfer", to: payee.address, token: "0", amount });
}

function printed(stdout: string): readonly Printed[] {
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Printed);
}

test("a file of operations is signed and sent, and a line is printed for each", async () => {
  const file = user.file("done.jsonl", `${payment("5")}\n\n${payment(7)}\n`);
  const results = printed(await user.moneta("batch", file));
  assert.deepEqual(
    results.map(({ line }) => line),
    [1, 3],
  );
  assert.deepEqual(await node.balances(payee, "0"), ["12"]);
  const again = await user.refused(2, "batch", file);
  assert.match(again, /done\.jsonl\.signed is there.*refused lines .* into a new file.*once more/);
  assert.deepEqual(printed(await user.moneta("batch", file, "--continue")), results);
  assert.deepEqual(await node.balances(payee, "0"), ["12"]);
});

async function partlyRefused(...args: readonly string[]): Promise<readonly Printed[]> {
  const { code, stdout, stderr } = await user.call(["batch", ...args]);
  assert.equal(code, 1, stderr);
  return printed(stdout);
}

test("an interrupted file is continued: what was signed is sent again, what was not is signed, nothing is done twice", async (t) => {
  const lines = [payment("1"), payment(TOO_MUCH), payment("2"), payment("3")];
  const file = user.file("broken.jsonl", lines.slice(0, 2).join("\n"));
  const [first, second] = await partlyRefused(file);
  assert.equal(second?.problem?.code, "5001");
  assert.deepEqual(await node.balances(payee, "0"), ["13"]);
  // As if killed while it wrote the third of four.
  writeFileSync(file, lines.join("\n"));
  appendFileSync(`${file}.signed`, '{"line":3,"ha');
  using _ = node.showTime();
  node.now += 7200; // the temporary keys have expired
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 7_200_000 });
  const results = await partlyRefused(file, "--continue");
  assert.deepEqual(results[0], first);
  assert.deepEqual(
    results.map(({ problem }) => problem?.code),
    [undefined, "5001", undefined, undefined],
  );
  assert.deepEqual(await node.balances(payee, "0"), ["18"]);
  // Its key had expired and was not used.
  assert.ok(existsSync(`${file}.signed.again`));
  const again = await partlyRefused(file, "--continue");
  assert.ok(!existsSync(`${file}.signed.again`), "which stands in its place now");
  assert.deepEqual(
    again.map(({ transaction_id }) => transaction_id),
    results.map(({ transaction_id }) => transaction_id),
  );
  assert.deepEqual(await node.balances(payee, "0"), ["18"]);
  writeFileSync(file, lines.with(0, payment("4")).join("\n"));
  assert.match(
    await user.refused(2, "batch", file, "--continue"),
    /line 1: it was another one .*: undo the change, and put the corrected line into a new file/,
  );
});

test("with --bundle lines that follow each other are one transaction, a refused one is left out, and others go alone", async () => {
  const own = await node.holder();
  const to = (amount: string): string => payment(amount).replace(payee.address, own.address);
  const address = JSON.stringify({ operation: "address", publickey: publicPem(own.privateKey) });
  const lines = [to("1"), to(TOO_MUCH), "", to("2"), address, to("3")];
  const file = user.file("bundled.jsonl", lines.join("\n"));
  const results = await partlyRefused(file, "--bundle");
  assert.deepEqual(
    results.map(({ line, problem }) => [line, problem?.code]),
    [
      [1, undefined],
      [2, "5001"],
      [4, undefined],
      [5, undefined],
      [6, undefined],
    ],
  );
  const [first, , third, , last] = results.map(({ transaction_id }) => transaction_id);
  assert.equal(first, third);
  assert.notEqual(first, last);
  assert.deepEqual(await node.balances(own, "0"), ["6"]);
  const again = await partlyRefused(file, "--bundle", "--continue");
  const outcomes = (all: readonly Printed[]): unknown[] =>
    all.map(({ line, transaction_id, problem }) => [line, transaction_id, problem?.code]);
  assert.deepEqual(outcomes(again), outcomes(results));
  assert.deepEqual(await node.balances(own, "0"), ["6"]);
  assert.match(await user.refused(2, "batch", file, "--continue"), /line 1: it was another one/);
});

test("bundles §8: lists of 100 payees count 100 each, so that five of six are one bundle", async () => {
  const { address } = await node.holder();
  const transferlist = Array(100).fill({ address, amount: "1", unlockdate: "0" });
  const line = JSON.stringify({ operation: "multitransfer", token: "0", transferlist });
  const file = user.file("lists.jsonl", Array(6).fill(line).join("\n"));
  const ids = printed(await user.moneta("batch", file, "--bundle")).map(
    (one) => one.transaction_id,
  );
  const [first] = ids;
  assert.deepEqual(
    ids.map((id) => id === first),
    [true, true, true, true, true, false],
  );
});

test("a line that has come between those that were signed is refused, and the file can be continued without it", async () => {
  const own = await node.holder();
  const to = (amount: number): string => payment(amount).replace(payee.address, own.address);
  const lines = [to(1), "", to(2)];
  const file = user.file("filled.jsonl", lines.join("\n"));
  const results = printed(await user.moneta("batch", file));
  writeFileSync(file, lines.with(1, to(4)).join("\n"));
  assert.match(
    await user.refused(2, "batch", file, "--continue"),
    /line 2: it was not there when lines behind it were signed, .*: put it behind them/,
  );
  assert.deepEqual(await node.balances(own, "0"), ["3"]);
  writeFileSync(file, lines.join("\n"));
  assert.deepEqual(printed(await user.moneta("batch", file, "--continue")), results);
});

for (const [ending, options] of [
  ["", ["--continue"]],
  [".again", ["--continue"]],
  [".again", []],
  [".lock", []],
] as const) {
  test(`FILE.signed${ending} is no link: batch ${options.join(" ")} cuts off and adds to no file that it leads to`, async () => {
    const file = user.file(`linked${ending}${options.join("")}.jsonl`, payment("1"));
    const other = user.file(`precious${ending}${options.join("")}`, "a line\nand one without end");
    if (ending === ".again" && options.length > 0) {
      writeFileSync(`${file}.signed`, "");
    }
    symlinkSync(other, `${file}.signed${ending}`);
    const before = await node.balances(payee, "0");
    assert.match(await user.refused(2, "batch", file, ...options), /\.signed\S* is a link/);
    assert.equal(readFileSync(other, "utf8"), "a line\nand one without end");
    assert.deepEqual(await node.balances(payee, "0"), before);
  });
}

test("what is signed once more is written through no link that has come meanwhile", async () => {
  const file = user.file("meanwhile.jsonl", "");
  const other = user.file("precious-meanwhile", "mine");
  const line = { line: 1, hash: "h", write: { operation: "transfer" } };
  using signed = await SignedLines.open(file, { isContinued: false });
  signed.add([line]);
  for (const ending of ["", ".again"]) {
    rmSync(`${file}.signed${ending}`, { force: true });
    symlinkSync(other, `${file}.signed${ending}`);
  }
  assert.throws(() => signed.add([line]), { name: "WrongUse", message: /cannot be written/ });
  assert.throws(() => signed.replace([line]), { name: "WrongUse", message: /cannot be written/ });
  assert.equal(readFileSync(other, "utf8"), "mine");
});

test("a line is not signed again while its key is valid here, whatever the node says: it could do both", async (t) => {
  const file = user.file("valid.jsonl", payment(TOO_MUCH));
  await partlyRefused(file);
  using _ = node.showTime();
  node.now += 7200; // of the node alone
  const { stdout, stderr } = await user.call(["batch", file, "--continue"]);
  assert.equal(printed(stdout)[0]?.problem?.code, "2020");
  assert.match(
    stderr,
    /2020 has temporary keys that are valid until \S+ .*: after that --continue/,
  );
  assert.ok(!existsSync(`${file}.signed.again`));
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 14_400_000 });
  const [again] = await partlyRefused(file, "--continue");
  assert.equal(again?.problem?.code, "5001");
  assert.ok(existsSync(`${file}.signed.again`));
});

test("an address of an earlier run is the same one when the file is continued", async () => {
  const address = { operation: "address", publickey: publicPem(payee.privateKey) };
  const own = { ...address, idempotency_key: "mine" };
  const file = user.file(
    "addresses.jsonl",
    [address, own].map((one) => JSON.stringify(one)).join("\n"),
  );
  const made = printed(await user.moneta("batch", file));
  assert.equal(made.length, 2);
  assert.deepEqual(printed(await user.moneta("batch", file, "--continue")), made);
  assert.match(readFileSync(`${file}.signed`, "utf8"), /"idempotency_key":"mine"/);
});

test("a sealed text that an earlier run has opened is open, and not refused, when the file is continued", async () => {
  const date = `@${node.now + 60}`;
  const { key, keyhash } = await user.json<{ readonly key: string; readonly keyhash: string }>(
    ...["seal", "key", "batch", date],
  );
  const seal = await user.moneta("seal", "create", "batch", date, "--key-hash", keyhash);
  node.now += 60;
  const opening = { operation: "mrc020open", mrc020key: seal.trim(), key };
  const file = user.file("seal.jsonl", JSON.stringify(opening));
  const opened = printed(await user.moneta("batch", file));
  assert.equal(opened.length, 1);
  assert.deepEqual(printed(await user.moneta("batch", file, "--continue")), opened);
  writeFileSync(`${file}.other`, JSON.stringify(opening));
  const [again] = await partlyRefused(`${file}.other`);
  assert.equal(again?.problem?.code, "7113", "which no earlier run of this file has opened");
});

test("a damaged record of what was signed is reported, and nothing is sent", async () => {
  const file = user.file("damaged.jsonl", payment("1"));
  const before = await balance();
  for (const damaged of ["{", "null", '{"line":1}', '{"line":1,"hash":"","write":null}']) {
    writeFileSync(`${file}.signed`, `${damaged}\n`);
    assert.match(await user.refused(2, "batch", file, "--continue"), /\.signed is damaged: it has/);
  }
  assert.equal(await balance(), before);
});

test("a record of what was signed that cannot be used is reported", async () => {
  const file = user.file("unusable.jsonl", payment(1));
  mkdirSync(`${file}.signed`);
  assert.match(await user.refused(2, "batch", file, "--continue"), /signed cannot be used: EISDIR/);
});

test("wrong lines are named before anything is sent", async () => {
  const refused = async (text: string): Promise<string> =>
    await user.refused(2, "batch", user.file("wrong.jsonl", `${payment("1")}\n${text}`));
  assert.match(await refused("{"), /line 2: "\{" is no JSON\n$/);
  assert.match(await refused("hello\rworld"), /line 2: "hello\\rworld" is no JSON\n$/);
  assert.match(await refused('{"problem":"ITEM is missing"}'), /line 2: its command has failed: I/);
  assert.match(await refused(payment("1.5")), /line 2: amount is "1\.5" but must be an integer/);
  assert.match(await refused(payment("")), /line 2: amount is missing/);
  const signed = payment("1").replace("{", `{"signature":"x","checkkey":"k","from":"${OTHER}",`);
  assert.match(await refused(signed.replace(payee.address, "MTx")), /line 2: to is "MTx" but must/);
  const list = [{ address: payee.address, amount: "1", unlockdate: "0", meno: "May" }];
  const many = { operation: "multitransfer", token: "0", transferlist: list };
  assert.match(
    await refused(JSON.stringify(many)),
    /line 2: transferlist\[0\]\.meno is unknown .* is memo\./,
  );
  for (const unlockdate of ["20300101", "1893456000000", 20_300_101]) {
    assert.match(
      await refused(JSON.stringify({ ...JSON.parse(payment("1")), unlockdate })),
      /line 2: unlockdate (is|must be|"?\d+"?).*Unix seconds/,
    );
    const dated = [{ address: payee.address, amount: "1", unlockdate }];
    const inList = JSON.stringify({ ...many, transferlist: dated });
    assert.match(await refused(inList), /line 2: transferlist\[0\]\.unlockdate .*Unix seconds/);
  }
  assert.match(await refused("[]"), /line 2: it must be a JSON object/);
  assert.match(
    await refused(payment("1").replace('"1"', "12345678901234567890")),
    /write it as text/,
  );
  assert.match(await refused(payment("1").replace('"to"', '"two"')), /line 2: .*two/);
  assert.match(
    await refused(payment("1").replace("{", '{"checkkey":"k",')),
    /line 2: it has checkkey, which signing adds, and no signature/,
  );
  assert.match(await refused("x".repeat((4 << 20) + 2)), /line 2: it has more than 4194304 bytes/);
  assert.match(await user.refused(2, "batch", "-", "--continue"), /standard input/);
  assert.deepEqual(await node.balances(payee, "0"), ["18"]);
});

/** More than are sent at once. */
const MANY = 1500;

async function balance(): Promise<bigint> {
  return BigInt((await node.balances(payee, "0"))[0] ?? "0");
}

test("what becomes of a line of standard input is printed before the next one comes; a wrong one is printed as such", async () => {
  const before = await balance();
  await using running = new RunningCommand(user, ["batch", "-"]);
  const lines: string[] = [payment(1), "{", '{"operation":"nonce"}', payment(TOO_MUCH), payment(2)];
  for (const [index, line] of lines.entries()) {
    await running.write(`${line}\n`);
    await running.until(() => running.lines().length === index + 1);
  }
  await running.write(payment(4).replace('"to"', '"two"')); // without a line end
  assert.equal(await running.finish(), 1, running.stderr);
  assert.deepEqual(
    printed(running.stdout).map(({ line, problem }) => [line, problem?.code]),
    [
      [1, undefined],
      [2, "1007"],
      [3, "1007"],
      [4, "5001"],
      [5, undefined],
      [6, "1007"],
    ],
  );
  assert.match(running.stderr, /2 done, 4 refused/);
  assert.equal(await balance(), before + 3n);
});

longTest(
  "of two runs that are started together one is refused, and each line is done once",
  async () => {
    const before = await balance();
    const file = user.file("twice.jsonl", `${payment(1)}\n`.repeat(MANY));
    const runs = await Promise.all([user.run(["batch", file]), user.run(["batch", file])]);
    const codes = runs.map(({ code }) => code).sort();
    assert.deepEqual(codes, [0, 2], runs.map(({ stderr }) => stderr).join("\n"));
    assert.equal(runs.find(({ code }) => code === 2)?.stdout, "");
    assert.equal(await balance(), before + BigInt(MANY));
  },
);

test("a stopped run keeps others from its file, --continue included; after it is killed the file is continued, and each line is done once", {
  skip: process.platform === "win32" ? "it stops no processes" : false,
}, async () => {
  const before = await balance();
  const file = user.file("stopped.jsonl", `${payment(1)}\n`.repeat(MANY));
  await using running = new RunningCommand(user, ["batch", file]);
  await running.until(() => running.lines().length > 10);
  process.kill(running.pid, "SIGSTOP"); // as Ctrl-Z
  for (const more of [["--continue"], []]) {
    assert.match(
      await user.refused(2, "batch", file, ...more),
      /another moneta is at work on .*stopped\.jsonl, .* once more: wait .* --continue continues it/,
    );
  }
  await running.end("SIGKILL");
  assert.ok(running.lines().length < MANY, "it was killed in the middle");
  const results = printed(await user.moneta("batch", file, "--continue"));
  assert.deepEqual(
    results.map(({ line }) => line),
    Array.from({ length: MANY }, (_, index) => index + 1),
  );
  const known = printed(running.lines().join("\n"));
  assert.deepEqual(results.slice(0, known.length), known);
  assert.equal(await balance(), before + BigInt(MANY));
});

test("what another run has signed is never added to by a new one, although its lock was not seen", async () => {
  const file = user.file("unseen.jsonl", payment("1"));
  using signed = await SignedLines.open(file, { isContinued: false });
  const theirs = '{"line":1,"hash":"","write":{}}\n';
  writeFileSync(signed.file, theirs); // by a machine with which locks are not shared
  const own = { line: 1, hash: "", write: { operation: "transfer" } };
  assert.throws(() => signed.add([own]), /unseen\.jsonl\.signed cannot be written: EEXIST/);
  assert.equal(readFileSync(signed.file, "utf8"), theirs);
});

test("Ctrl-C in the middle says how to go on, in one line", async () => {
  const before = await balance();
  const file = user.file("given up.jsonl", `${payment(1)}\n`.repeat(MANY));
  await using running = new RunningCommand(user, ["batch", file]);
  await running.until(() => running.lines().length > 10);
  assert.equal(await running.end("SIGINT"), null, "it ends by the signal");
  assert.equal(
    running.stderr,
    `moneta batch '${file}' --continue continues it, and does nothing twice.\n`,
  );
  await user.moneta("batch", file, "--continue");
  assert.equal(await balance(), before + BigInt(MANY));
});

test("what cannot be kept is not sent: a disk that is full in the middle ends a run with 2, and each line is done once", {
  skip: process.platform === "win32" ? "its shell sets no limits" : false,
}, async () => {
  const before = await balance();
  const file = user.file("full.jsonl", `${payment(1)}\n`.repeat(MANY));
  // On a nearly full disk the last write is partial: 500 lines have some 300 KB.
  const { code, stderr } = await user.run(["batch", file], { fileKilobytes: 400 });
  assert.equal(code, 2, stderr);
  assert.match(stderr, /full\.jsonl\.signed cannot be written: EFBIG/);
  assert.match(stderr, /full\.jsonl --continue continues it, and does nothing twice/);
  const done = await balance();
  assert.ok(done > before && done < before + BigInt(MANY), `${done - before} were done`);
  await user.moneta("batch", file, "--continue");
  assert.equal(await balance(), before + BigInt(MANY));
});

test("a power cut takes no name of what was signed: it is on the disk before anything is sent, and when newer lines have replaced others", {
  skip: ObservedDisk.missing() ?? false,
}, async () => {
  using disk = new ObservedDisk();
  const file = user.file("names.jsonl", payment(1));
  /** Changes of names in its folder: known ones by their ends. */
  const changes = async (name: string, ...args: readonly string[]): Promise<readonly string[]> => {
    const log = user.file(`${name}.log`, "");
    const environment = disk.environment(user.home, { log });
    const { code, stderr } = await user.run(["batch", file, ...args], { environment });
    assert.equal(code, 0, stderr);
    return parseDiskLog(readFileSync(log)).map((record) =>
      "name" in record ? `${record.kind} ${record.name}` : record.kind,
    );
  };
  assert.deepEqual(await changes("first"), [
    "create names.jsonl.signed.lock", // which nothing is ever written to
    "create names.jsonl.signed",
    "write",
    "sync",
    "syncnames",
  ]);
  copyFileSync(`${file}.signed`, `${file}.signed.again`);
  assert.deepEqual((await changes("continued", "--continue")).slice(-6), [
    "create names.jsonl.signed.merged",
    "write",
    "sync",
    "syncnames",
    "rename names.jsonl.signed.merged",
    "syncnames",
  ]);
  assert.ok(!existsSync(`${file}.signed.again`));
});

/** A relay to the node; tests break its connections. */
class Relay implements AsyncDisposable {
  readonly #sockets: Set<Socket> = new Set();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((from) => {
      const to = connect(Number(new URL(node.url).port), "127.0.0.1");
      for (const [socket, other] of [
        [from, to],
        [to, from],
      ] as const) {
        this.#sockets.add(socket);
        socket.pipe(other);
        socket.on("error", () => undefined);
        socket.on("close", () => other.destroy());
      }
    });
  }

  static async open(): Promise<Relay> {
    const relay = new Relay();
    await new Promise<void>((resolve) => relay.#server.listen(0, "127.0.0.1", resolve));
    return relay;
  }

  get url(): string {
    const { port } = this.#server.address() as { readonly port: number };
    return `http://127.0.0.1:${port}`;
  }

  breakOff(): void {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    this.#sockets.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.breakOff();
  }
}

longTest(
  "a connection that breaks is opened again: all results come, and each line is done once",
  async () => {
    const before = await balance();
    await using relay = await Relay.open();
    const file = user.file("broken-off.jsonl", `${payment(1)}\n`.repeat(MANY));
    await using running = new RunningCommand(user, ["batch", file, "--url", relay.url]);
    await running.until(() => running.lines().length > 10);
    relay.breakOff();
    assert.equal(await running.finish(), 0, running.stderr);
    assert.equal(printed(running.stdout).length, MANY);
    assert.equal(await balance(), before + BigInt(MANY));
  },
);

test("a node that does not come back ends a run with 3, which says how to go on", async () => {
  const before = await balance();
  const file = user.file("alone.jsonl", `${payment(1)}\n`.repeat(MANY));
  await using running = new RunningCommand(user, ["batch", file]);
  await running.until(() => running.lines().length > 10);
  await node.stop();
  assert.equal(await running.finish(), 3, running.stderr);
  assert.match(running.stderr, /alone\.jsonl --continue continues it, and does nothing twice/);
  const { now } = node;
  await node.resume();
  node.now = now;
  await user.moneta("batch", file, "--continue");
  assert.equal(await balance(), before + BigInt(MANY));
});

test("an operation that may have been executed is not reported as refused by a node that accepts no more: 3, and how to continue", async () => {
  const before = await balance();
  await using proxy = await ForwardingProxy.to(node.url);
  const file = user.file("in-doubt.jsonl", payment(1));
  let count = 0;
  proxy.loses = ({ url }) => url === "/batch";
  proxy.answer = ({ url }, response) => {
    count += url === "/batch" ? 1 : 0;
    if (count < 2) {
      return false;
    }
    const problem = { status: 503, code: "9002", detail: "Not now; nothing was written" };
    response.writeHead(503, { "Content-Type": "application/problem+json" });
    response.end(JSON.stringify(problem));
    return true;
  };
  const { code, stderr } = await user.call(["batch", file, "--url", proxy.url]);
  assert.equal(code, 3, stderr);
  assert.match(stderr, /in-doubt\.jsonl --continue continues it, and does nothing twice/);
  assert.match(stderr, /may have been done/);
  await user.moneta("batch", file, "--continue");
  assert.equal(await balance(), before + 1n);
});

longTest(
  "memory stays flat, however long the input is",
  {
    skip: process.platform === "linux" ? false : "it reads /proc",
  },
  async () => {
    // Refused by the node alone, with 8 KB each.
    const memo = "b".repeat(8000);
    const signing = { from: payee.address, checkkey: "k", signature: "x", memo };
    const transfer = { operation: "transfer", to: OTHER, token: "0", amount: "1", ...signing };
    const line = `${JSON.stringify(transfer)}\n`;
    await using running = new RunningCommand(user, ["batch", "-"]);
    const send = async (count: number): Promise<number> => {
      const lines = running.lines().length + count;
      for (let sent = 0; sent < count; sent += 1) {
        await running.write(line);
      }
      await running.until(() => running.lines().length === lines);
      return peakBytes(running.pid);
    };
    const before = await send(3000);
    const grown = (await send(12_000)) - before; // 96 MB
    assert.ok(grown < 64 << 20, `${grown >> 20} MiB more`);
    assert.equal(await running.finish(), 1);
  },
);

test("an auction that an earlier run has closed is closed, and not refused, when the file is continued", async () => {
  const pages = ["https://a.example/", "https://a.example/1.png"];
  const [url = "", image = ""] = pages;
  const project = await user.moneta(
    ...["project", "create", "P", "--category", "game", "--description", "d", "--data", "d"],
    ...[
      "--page-url",
      url,
      "--picture-url",
      image,
      "--page-template",
      url,
      "--picture-template",
      image,
    ],
  );
  const ends = ["--end", `@${node.now + 7200}`];
  const [item = "", taken = ""] = (
    await user.moneta("item", "create", project.trim(), "--count", "2")
  ).split("\n");
  const units = await user.moneta(
    ...["units", "create", "--name", "U", "--supply", "2", "--page-url", url],
    ...["--picture-url", image],
  );
  await user.moneta("item", "auction", item, "0.1", ...ends);
  await user.moneta("item", "auction", taken, "0.1", ...ends);
  const lot = await user.moneta(
    ...["units", "auction", units.trim(), "2", "0.1", "--end", `@${node.now + 7200}`],
  );
  node.now += 7200;
  const lines = [
    { operation: "mrc401auctionfinish", mrc401id: item },
    { operation: "mrc402auctionfinish", id: lot.trim() },
    { operation: "mrc401auctionfinish", mrc401id: taken },
  ].map((line) => JSON.stringify(line));
  const file = user.file("finish.jsonl", lines.join("\n"));
  const closed = printed(await user.moneta("batch", file));
  assert.equal(closed.length, 3);
  assert.deepEqual(printed(await user.moneta("batch", file, "--continue")), closed);
  // Another end is no success of an earlier run.
  await user.moneta("item", "auction", taken, "0.1");
  await user.moneta("item", "unauction", taken);
  const continued = await partlyRefused(file, "--continue");
  assert.deepEqual(continued.slice(0, 2), closed.slice(0, 2));
  assert.equal(continued[2]?.problem?.code, "7106");
  writeFileSync(`${file}.other`, lines.slice(0, 2).join("\n"));
  const again = await partlyRefused(`${file}.other`);
  assert.deepEqual(
    again.map(({ problem }) => problem?.code),
    ["7106", "7102"],
    "which no earlier run of this file has closed",
  );
});

test("a byte order mark before the first line is no part of it", async () => {
  const file = user.file("marked.jsonl", `\ufeff${payment("1")}\r\n${payment("2")}\r\n`);
  const { code, stderr } = await user.call(["batch", file]);
  assert.equal(code, 0, stderr);
});

// The last test, because time goes far ahead.
test("bundles of an earlier run whose keys have expired are looked up in the history, and signed again if they are not there", async (t) => {
  const own = await node.holder();
  const to = (amount: string): string => payment(amount).replace(payee.address, own.address);
  const done = user.file("looked-up.jsonl", [to("1"), to(TOO_MUCH), to("2")].join("\n"));
  const refused = user.file("nothing.jsonl", [to(TOO_MUCH), to(TOO_MUCH)].join("\n"));
  const results = await partlyRefused(done, "--bundle");
  const nothing = await partlyRefused(refused, "--bundle");
  assert.deepEqual(
    nothing.map(({ line, problem }) => [line, problem?.code]),
    [
      [1, "5001"],
      [2, "5001"],
    ],
  );
  assert.match(JSON.stringify(nothing[1]), /Nothing of its bundle is done, because of line 1/);
  using _ = node.showTime();
  node.now += 200_000; // repeats are no longer recognised
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 200_000_000 });
  const found = await partlyRefused(done, "--bundle", "--continue");
  assert.deepEqual(
    found.map(({ transaction_id, problem }) => [transaction_id, problem?.code]),
    results.map(({ transaction_id, problem }) => [transaction_id, problem?.code]),
  );
  assert.deepEqual(await node.balances(own, "0"), ["3"]);
  await partlyRefused(refused, "--bundle", "--continue");
  assert.ok(existsSync(`${refused}.signed.again`), "it was signed once more");
});
