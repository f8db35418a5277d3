import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { after, afterEach, before, mock, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { someCases } from "../../ledger/testing/lane.ts";
import { claimRoot } from "../state-tree/claim-root.ts";
import { printed } from "../testing/command-in-process.ts";
import { ForwardingProxy } from "../testing/forwarding-proxy.ts";
import { Market, tradeAll } from "../testing/requests/market.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { type KeyHolder, parsed, TestNode, transactionIdOf } from "../testing/test-node.ts";
import { until } from "../testing/until.ts";
import { archive } from "./archive.ts";
import { audit } from "./audit.ts";

let directory: TemporaryDirectory;
let market: Market;
let node: TestNode;
/** The proxy between the auditor and the node. */
let proxy: ForwardingProxy;
let alice: KeyHolder;
let bob: KeyHolder;
/** A payment from Alice to Bob, changed somewhere by a test, and its block. */
let payment: { readonly id: string; readonly block: number };
let blocks: number;
let transactions: number;
/** Directory of an auditor that has audited the node. */
let base: string;

before(async () => {
  directory = new TemporaryDirectory("audit");
  market = await Market.open({ tokens: 1 });
  node = market.node;
  // The auditor compares answers by the time that their Date shows.
  node.showTime();
  alice = await market.holder(1_000_000n, { tokens: { "1": 1000n } });
  bob = await market.holder(1_000_000n);
  await tradeAll(market, alice, bob);
  payment = await pay("97");
  await node.pay(bob, 5n);
  blocks = (await node.height()) + 1;
  transactions = await size();
  proxy = await ForwardingProxy.to(node.url);
  base = fresh();
  const { exitCode, output } = await audited(node.url, base);
  assert.equal(exitCode, 0, output);
});
after(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await market?.[Symbol.asyncDispose]();
  directory?.[Symbol.dispose]();
});
afterEach(() => {
  proxy.target = node.url;
  proxy.change = (_path, body) => body;
  proxy.answer = () => false;
});

async function pay(amount: string, on = node): Promise<{ id: string; block: number }> {
  const params = await on.transfer(alice, { to: bob.address, amount, memo: "coffee" });
  const id = transactionIdOf(await on.post("/transfer", params));
  return { id, block: Number.parseInt(id.slice(0, 16), 16) };
}

async function size(on = node): Promise<number> {
  const block = parsed<{ header: { size: number } }>(
    await on.get(`/block/${await on.height()}/raw`),
  );
  return block.header.size;
}

interface Printed {
  readonly exitCode: number;
  readonly output: string;
}

/** An audit in this process, which is faster. Audits that run together share the output. */
class RunningAudit {
  readonly ended: Promise<number>;
  readonly #stop = new AbortController();
  #output = "";

  constructor(...args: readonly string[]) {
    const keep = (...parts: readonly unknown[]): void => {
      this.#output += `${parts.join(" ")}\n`;
    };
    const mocks = [
      mock.method(console, "log", keep),
      mock.method(console, "error", keep),
      mock.method(process.stderr, "write", () => true),
    ];
    // One thread for signatures: there are few, and threads take long to start.
    this.ended = audit([...args, "--threads", "1"], this.#stop.signal).finally(() => {
      for (const { mock } of mocks) {
        mock.restore();
      }
    });
    this.ended.catch(() => undefined);
  }

  get output(): string {
    return this.#output;
  }

  async printed(text: string | RegExp): Promise<void> {
    await until(
      () => (typeof text === "string" ? this.#output.includes(text) : text.test(this.#output)),
      () => `${text} in:\n${this.#output}`,
    );
  }

  async stop(): Promise<Printed> {
    this.#stop.abort();
    return { exitCode: await this.ended, output: this.#output };
  }
}

/** Without `--sample` among `more` only what is compared always. */
async function audited(url: string, data: string, ...more: readonly string[]): Promise<Printed> {
  const sample = more.includes("--sample") ? [] : ["--sample", "0"];
  const running = new RunningAudit(url, "--once", "--data", data, ...sample, ...more);
  return { exitCode: await running.ended, output: running.output };
}

let directories = 0;

/** A directory for an auditor that has never seen the node. */
function fresh(): string {
  directories += 1;
  return join(directory.path, `audit-${directories}`);
}

/** A directory like another one. */
function copyOf(data: string): string {
  const copy = fresh();
  cpSync(data, copy, { recursive: true });
  return copy;
}

interface Remembered {
  readonly leaves: number;
  readonly reads: number;
  readonly keys: readonly string[];
  readonly checkpoint: { readonly size: number; readonly note: string };
}

function memoryOf(data: string): Remembered {
  return JSON.parse(readFileSync(join(data, "audit.json"), "utf8")) as Remembered;
}

/** Waits until the audit has compared so many transactions. */
async function compared(data: string, transactions: number): Promise<void> {
  await until(
    () => memoryOf(data).leaves >= transactions,
    () => `${transactions} transactions, not ${memoryOf(data).leaves}`,
  );
}

test("an audit takes blocks from an archive, and names the fault of an invalid one", async () => {
  const folder = join(directory.path, "archive");
  const { exitCode } = await printed(() => archive(node.data, folder, blocks - 1));
  assert.equal(exitCode, 0);
  let asked: string[] = [];
  proxy.change = (path, body) => {
    asked.push(path);
    return body;
  };
  const first = await audited(proxy.url, fresh(), "--archive", folder);
  assert.equal(first.exitCode, 0, first.output);
  asked = asked.filter((path) => path.startsWith("/blocks/raw?from="));
  assert.equal(Number(asked[0]?.split("=")[1]?.split("&")[0]), blocks - 1);
  const file = readdirSync(join(folder, "blocks/000.p")).map((name) => `blocks/000.p/${name}`);
  const text = gunzipSync(readFileSync(join(folder, file[0] ?? ""))).toString("utf8");
  const signed = /"signature":"(M[^"]{20})/.exec(text)?.[1] ?? "";
  const changed = text.replace(signed, `${signed.slice(0, -1)}${signed.endsWith("A") ? "B" : "A"}`);
  writeFileSync(join(folder, file[0] ?? ""), gzipSync(changed));
  await assert.rejects(
    audited(proxy.url, fresh(), "--archive", folder),
    /--archive: .*: block \d+: its transactions .*; that says nothing about the node/,
  );
});

test("a node whose answers match its blocks is valid, and its transactions are counted", async () => {
  const data = fresh();
  const running = new RunningAudit(node.url, "--once", "--data", data);
  const exitCode = await running.ended;
  const { output } = running;
  assert.equal(exitCode, 0, output);
  const id = parsed<{ id: string }>(await node.get(`/block/${blocks - 1}`)).id;
  assert.match(output, new RegExp(`^valid: ${blocks} blocks, ${transactions} transactions`, "m"));
  assert.ok(output.includes(`newest block ${blocks - 1}, ${id}`), output);
  const key = (await node.get("/checkpoint/key")).text.trim();
  assert.ok(output.includes(`first contact: from now on the checkpoint key ${key} is believed`));
  assert.deepEqual(memoryOf(data).keys, [key]);
  assert.equal(memoryOf(data).reads, 64);
  assert.match(output, /; 64 other responses, a random sample; /);

  proxy.asked.length = 0;
  const again = await audited(proxy.url, data, "--sample", "200");
  assert.equal(again.exitCode, 0, again.output);
  assert.doesNotMatch(again.output, /first contact/);
  assert.equal(memoryOf(data).reads, 264);
  assert.ok(new Set(proxy.asked).size > 100, "of many kinds and parameters");
});

test("an audit resumes where the last one ended, or starts again if asked to", async () => {
  const data = fresh();
  await audited(proxy.url, data);
  proxy.asked.length = 0;
  await audited(proxy.url, data);
  assert.deepEqual(
    proxy.asked.filter((path) => /^\/(blocks|tlog|transaction)/.test(path)),
    [],
  );
  await audited(proxy.url, data, "--recheck");
  assert.ok(proxy.asked.some((path) => path.startsWith("/tlog/tile/0/")));
  assert.ok(!proxy.asked.some((path) => path.startsWith("/blocks/raw")), "blocks are stored");
});

/** Another digit or letter, so that numbers stay numbers, hex stays hex and base64 base64. */
function other(character: string): string {
  if (character === "+") {
    return "/";
  }
  return /[9fzZ]/.test(character)
    ? String.fromCharCode(character.charCodeAt(0) - 1)
    : String.fromCharCode(character.charCodeAt(0) + 1);
}

/** Changes the first character after a text, in answers of some paths. */
function changeBehind(paths: RegExp, before: RegExp): void {
  proxy.change = (path, body) => {
    const found = paths.test(path) ? before.exec(body) : null;
    if (found === null) {
      return body;
    }
    const at = found.index + found[0].length;
    return body.slice(0, at) + other(body[at] ?? "") + body.slice(at + 1);
  };
}

/**
 * Where a byte is changed, after which text in which answer, and the audit's message. `B` and `T`
 * stand for the payment's block and transaction.
 */
const CHANGES: readonly {
  readonly what: string;
  readonly answers: string;
  readonly behind: string;
  readonly says: string;
}[] = [
  // Blocks: the line of the payment's block, which has one operation.
  ...(
    [
      ["an amount", '"sn":B,.*?"amount":"', "block B, transaction 0 .*signature does not fit"],
      [
        "a memo",
        '"sn":B,.*?"memo":"',
        'lists transaction 0 as "T", but the operation served hashes to',
      ],
      ["the id of a block", '"sn":B,.*?"id":"', "block B: .*its id is"],
      [
        "the form of a block",
        '"sn":B,.*?"(?=id")',
        "block B: GET /blocks/raw: not header, id and operations",
      ],
      ["the JSON of a block", '"sn":B,.*?"id"', "block B: GET /blocks/raw: no JSON"],
    ] as const
  ).map(([what, behind, says]) => ({
    what: `${what} in GET /blocks/raw`,
    answers: "^/blocks/raw",
    behind,
    says,
  })),
  {
    what: "the height",
    answers: "^/block$",
    behind: "^",
    says: "GET /block|/blocks/raw|cannot be audited",
  },
  // Checkpoints and proofs.
  {
    what: "the origin of a checkpoint",
    answers: "^/checkpoint$",
    behind: "^",
    says: "GET /checkpoint",
  },
  {
    what: "the size of a checkpoint",
    answers: "^/checkpoint$",
    behind: "^.*\\n",
    says: "GET /checkpoint",
  },
  {
    what: "the root of a checkpoint",
    answers: "^/checkpoint$",
    behind: "^.*\\n.*\\n",
    says: "GET /checkpoint",
  },
  {
    what: "the key id of a checkpoint",
    answers: "^/checkpoint$",
    behind: "\\n\\n\\S+ \\S+ ",
    says: "GET /checkpoint",
  },
  {
    what: "the signature of a checkpoint",
    answers: "^/checkpoint$",
    behind: "\\n\\n\\S+ \\S+ .{20}",
    says: "GET /checkpoint",
  },
  {
    what: "the key of checkpoints",
    answers: "^/checkpoint/key$",
    behind: "\\+[0-9a-f]{8}\\+.{10}",
    says: "GET /checkpoint/key: no verifier key",
  },
  {
    what: "a hash in a consistency proof",
    answers: "^/checkpoint/consistency",
    behind: '"proof":\\["',
    says: "GET /checkpoint/consistency.*: proof\\[0\\]: served",
  },
  {
    what: "a root in a consistency proof",
    answers: "^/checkpoint/consistency",
    behind: '"from_root":"',
    says: "the node has rewritten its history: checkpoint of size",
  },
  {
    what: "a hash in a tile",
    answers: "^/tlog/tile/0/",
    behind: "^[^]{40}",
    says: "GET /tlog/tile/0/000.p/.*: from byte 40 on: served",
  },
];

/** `B` and `T` of a pattern. */
function real(pattern: string): string {
  return pattern.replaceAll(/\bB\b/g, String(payment.block)).replaceAll(/\bT\b/g, payment.id);
}

for (const { what, answers, behind, says } of someCases(CHANGES, 6)) {
  test(`one byte changed is found and named: ${what}`, async () => {
    changeBehind(new RegExp(real(answers)), new RegExp(real(behind)));
    const isFirstContact = /raw|key/.test(answers);
    const data = isFirstContact ? fresh() : copyOf(base);
    if (answers.includes("consistency")) {
      // Growth is proved from the checkpoint of the run before.
      await pay("3");
    }
    const { exitCode, output } = await audited(
      proxy.url,
      data,
      ...["--recheck", "--patience", "0"],
    );
    assert.notEqual(exitCode, 0, output);
    assert.match(output, new RegExp(real(says)));
    if (!says.includes("cannot")) {
      assert.equal(exitCode, 1, output);
      assert.match(output, /^invalid: /m);
    }
  });
}

/**
 * Changes of a stopped node's database. Without a setting, the node itself checks blocks at its
 * start.
 */
const STORED: readonly {
  readonly what: string;
  readonly change: (database: DatabaseSync) => unknown;
  readonly says: string;
}[] = [
  {
    what: "an operation of a block",
    change: (database) =>
      database
        .prepare(
          "UPDATE block_log SET operations = replace(operations, 'coffee', 'coffef') WHERE height = ?",
        )
        .run(payment.block),
    says: 'block B: GET /blocks/raw: .*lists transaction 0 as "T"',
  },
  {
    what: "an effect of a transaction",
    change: (database) =>
      database.exec(
        "UPDATE transaction_record SET record = replace(record, '\"coffee\"', '\"coffef\"')",
      ),
    // The sample may ask for the leaves first, which have the record's hash.
    says: "(?:block \\d+: GET /\\S+: .*: served .*coffef.*, computed .*coffee|GET /tlog/tile/entries/.*: from byte \\d+ on: served)",
  },
  {
    what: "the hash of a leaf",
    change: (database) =>
      database.exec(
        "UPDATE transaction_record SET leaf_hash = zeroblob(32) WHERE record LIKE '%coffee%'",
      ),
    says: 'GET /tlog/tile/0/.*: from byte \\d+ on: served "0{64}", computed',
  },
];

for (const { what, change, says } of someCases(STORED)) {
  test(`a node whose database was changed is found: ${what}`, async () => {
    await using changed = await TestNode.copyOf(
      node,
      change,
      "--verify-at-start",
      "none",
      "--checkpoints",
      "no",
    );
    const { exitCode, output } = await audited(
      changed.url,
      fresh(),
      ...["--sample", what.includes("effect") ? "1000" : "0", "--patience", "0"],
    );
    assert.equal(exitCode, 1, output);
    assert.match(output, new RegExp(real(says)));
  });
}

test("proofs §2.3: an audit reports a state root that differs, with both roots, and no equal one", async () => {
  await using rooted = await TestNode.copyOf(node, undefined, "--state-roots", "1");
  const height = await rooted.height();
  await until(
    async () => (await rooted.height()) > height,
    () => "no root was made",
  );
  const right = await audited(rooted.url, fresh());
  assert.equal(right.exitCode, 0, right.output);
  await using wrong = await TestNode.copyOf(node);
  const root = "0".repeat(64);
  assert.ok(await claimRoot(wrong.running.service.admission, { height: height - 1, root }));
  const data = fresh();
  for (const _ of ["first", "again"]) {
    const { exitCode, output } = await audited(wrong.url, data, "--patience", "0");
    assert.equal(exitCode, 1, output);
    assert.match(
      output,
      new RegExp(`after block ${height - 1} is claimed as ${root}, but computed as`),
    );
  }
});

test("a node whose time runs backwards is found, although the block is otherwise valid", async () => {
  const earlier = node.now - 1;
  await using changed = await TestNode.copyOf(
    node,
    (database) => database.prepare("UPDATE head SET timestamp = ?").run(earlier),
    "--verify-at-start",
    "none",
  );
  changed.now = earlier;
  const { block } = await pay("16", changed);
  const { exitCode, output } = await audited(changed.url, fresh(), "--patience", "0");
  assert.equal(exitCode, 1, output);
  assert.match(output, new RegExp(`^invalid: block ${block}: .*its time lies before`, "m"));
});

test("a node that shows another history than before is caught, with both signed checkpoints as evidence", async () => {
  await using rewritten = await TestNode.copyOf(node);
  const data = copyOf(base);
  await pay("11");
  assert.equal((await audited(proxy.url, data)).exitCode, 0);
  const before = (await node.get("/checkpoint")).text;
  await pay("12", rewritten);
  await pay("13", rewritten);
  proxy.target = rewritten.url;
  const { exitCode, output } = await audited(proxy.url, data);
  assert.equal(exitCode, 1, output);
  const [, size, root] = before.split("\n");
  assert.match(
    output,
    /^invalid: the node has rewritten its history: checkpoint of size \d+ was root \S+ on 2\d{3}-\S+Z, now "?\S+$/m,
  );
  assert.ok(output.includes(`checkpoint of size ${size} was root ${root} on `), output);
  const now = (await rewritten.get("/checkpoint")).text;
  const finding = readdirSync(data).find((file) => file.startsWith("finding-")) ?? "";
  const kept = readFileSync(join(data, finding), "utf8");
  for (const note of [before, now]) {
    assert.ok(output.includes(note.trimEnd()), "printed");
    assert.ok(kept.includes(note.trimEnd()), "kept");
  }
});

test("a shorter other history, signed by the same key, is caught as well", async () => {
  await using rewritten = await TestNode.copyOf(node);
  const data = copyOf(base);
  await pay("14");
  await pay("15");
  assert.equal((await audited(proxy.url, data)).exitCode, 0);
  await pay("16", rewritten);
  proxy.target = rewritten.url;
  const { exitCode, output } = await audited(proxy.url, data, "--patience", "0");
  assert.equal(exitCode, 1, output);
  assert.match(
    output,
    /rewritten its history: checkpoint of size \d+ was root \S+ on \S+, by the checkpoint of size \d+, now/,
  );
});

test("a node that keeps serving an old checkpoint hides nothing that came after it", async () => {
  await using lying = await TestNode.copyOf(node);
  const old = await fetch(`${lying.url}/checkpoint`);
  const note = await old.text();
  await pay("19", lying);
  proxy.target = lying.url;
  proxy.answer = ({ url }, response) => {
    const isCheckpoint = url === "/checkpoint";
    if (isCheckpoint) {
      const height = old.headers.get("ledger-height") ?? "";
      response.writeHead(200, { "Content-Type": "text/plain", "Ledger-Height": height }).end(note);
    }
    return isCheckpoint;
  };
  assert.equal((await audited(proxy.url, fresh())).exitCode, 0, "it may be the newest it knows");
  proxy.change = (path, body) =>
    path.startsWith("/tlog/tile/0/") ? `${body.slice(0, -1)}${other(body.at(-1) ?? "")}` : body;
  const { exitCode, output } = await audited(proxy.url, fresh(), "--patience", "0");
  assert.equal(exitCode, 1, output);
  assert.match(output, /GET \/tlog\/tile\/0\/.*: served/);
});

test("reads are compared while the node writes, whatever block an answer is of", async () => {
  const paying = pay("1").then(() => Promise.all(["2", "3", "4", "5", "6"].map((n) => pay(n))));
  const { exitCode, output } = await audited(node.url, fresh(), "--sample", "64");
  assert.equal(exitCode, 0, output);
  await paying;
});

test("without checkpoints another history is found by its blocks, and so are lost blocks", async () => {
  await using unsigned = await TestNode.copyOf(node, undefined, "--checkpoints", "no");
  await using older = await TestNode.copyOf(node, undefined, "--checkpoints", "no");
  const data = fresh();
  await pay("17", unsigned);
  const first = await audited(unsigned.url, data);
  assert.equal(first.exitCode, 0, first.output);
  assert.match(first.output, /the node signs no checkpoints/);
  const lost = await audited(older.url, copyOf(data), "--patience", "0");
  assert.equal(lost.exitCode, 1, lost.output);
  assert.match(
    lost.output,
    /invalid: the node has lost blocks: its newest is \d+, but it has served block \d+/,
  );
  await pay("18", older);
  const other = await audited(older.url, data);
  assert.equal(other.exitCode, 1, other.output);
  assert.match(
    other.output,
    /rewritten its history: block \d+ was [0-9a-f]{64}, now "[0-9a-f]{64}"/,
  );
});

test("the operator's checkpoint key takes precedence over the node's", async () => {
  const key = (await node.get("/checkpoint/key")).text.trim();
  const right = await audited(node.url, copyOf(base), "--key", key);
  assert.equal(right.exitCode, 0, right.output);
  await using stranger = await TestNode.start();
  const other = (await stranger.get("/checkpoint/key")).text.trim();
  const wrong = await audited(node.url, fresh(), "--key", other);
  assert.equal(wrong.exitCode, 1, wrong.output);
  assert.match(
    wrong.output,
    /GET \/checkpoint: the checkpoint is signed by .*, but believed are only/,
  );
  assert.doesNotMatch(wrong.output, /first contact/);

  const refused = await audited(stranger.url, copyOf(base)).catch((thrown: Error) => thrown);
  assert.ok(refused instanceof Error);
  assert.match(
    refused.message,
    /holds the audit of the ledger [0-9a-f]{64}, but block 0 of the node is/,
  );
});

test("it follows a node live, through a restart of the node and of its own", async () => {
  const data = copyOf(base);
  let auditor = new RunningAudit(proxy.url, "--data", data);
  await auditor.printed("valid: ");
  await pay("21");
  await Promise.all([pay("22"), node.pay(alice, 3n)]);
  await compared(data, await size());

  proxy.target = undefined;
  proxy.breakOff();
  await auditor.printed(/^waiting: GET \S+: .*; trying again until it answers; Ctrl-C ends$/m);
  await node.restart();
  proxy.target = node.url;
  await pay("23");
  await compared(data, await size());
  await auditor.printed(/valid: .*valid: /s);
  const stopped = await auditor.stop();
  assert.equal(stopped.exitCode, 0, stopped.output);

  await pay("24");
  auditor = new RunningAudit(proxy.url, "--data", data);
  await auditor.printed("valid: ");
  await compared(data, await size());
  // A lie that begins while the auditor follows.
  changeBehind(/^\/blocks\/raw/, /"memo":"/);
  await pay("25");
  assert.equal(await auditor.ended, 1, auditor.output);
  assert.match(auditor.output, /invalid: block \d+: GET \/blocks\/raw: .*hashes to/);
});

test("two audits of one directory are refused, and so is a node's directory", async () => {
  const data = copyOf(base);
  const running = new RunningAudit(proxy.url, "--data", data);
  await running.printed("valid: ");
  await assert.rejects(audit([proxy.url, "--data", data], AbortSignal.abort()), {
    name: "NotYet",
    message: /^another service runs on .*: stop it, or give this audit a --data of its own$/,
  });
  await running.stop();

  const nodes = fresh();
  mkdirSync(nodes);
  cpSync(join(node.data, "ledger.db"), join(nodes, "ledger.db"));
  await assert.rejects(audit([proxy.url, "--data", nodes], AbortSignal.abort()), {
    name: "SettingProblem",
    message: /is the data directory of a node/,
  });
});

test("wrong uses of moneta audit are refused with a message for the operator", async () => {
  for (const [args, message] of [
    [[], /./],
    [["ftp://localhost"], /./],
    [["http://user@localhost"], /./],
    [["localhost:1"], /./],
    [["http://localhost", "http://localhost"], /./],
    [["http://localhost", "--sample", "x"], /--sample/],
    [["http://localhost", "--key", "x"], /--key/],
    [
      ["http://localhost", "--onse"],
      /^audit has no option --onse\. Did you mean --once\? moneta audit --help lists them$/,
    ],
  ] as const) {
    const refused = audit([...args, "--data", fresh()], AbortSignal.abort());
    await assert.rejects(refused, { name: "SettingProblem", message });
  }
});

test("an unreachable node is not invalid: exit code 75", async () => {
  const { exitCode, output } = await audited("http://127.0.0.1:1", fresh(), "--patience", "0");
  assert.equal(exitCode, 75, output);
  assert.match(output, /cannot be audited now: GET \/block: /);
});

/** The proxy answers `GET /block`, and all that is below a page's path, with this. */
function servePage(status: number, type: string): void {
  proxy.answer = (request, response) => {
    if (!/^\/(block$|docs|explorer)/.test(request.url ?? "")) {
      return false;
    }
    response.writeHead(status, { "Content-Type": type }).end("<!doctype html>");
    return true;
  };
}

test("a URL that answers with a page is no ledger's, also where one was before: no finding is kept", async () => {
  const html = "text/html";
  for (const { path, status, type, hint, data = fresh() } of [
    { path: "/explorer", status: 200, type: `${html}; charset=utf-8`, hint: "leave out /explorer" },
    { path: "/explorer", status: 200, type: html, hint: "leave out /explorer", data: copyOf(base) },
    { path: "/docs/", status: 404, type: "application/problem+json", hint: "leave out /docs" },
    { path: "", status: 200, type: html, hint: "(GET /block: text/html)" },
    { path: "", status: 403, type: html, hint: "(GET /block: 403)" },
  ]) {
    servePage(status, type);
    await assert.rejects(audited(`${proxy.url}${path}`, data), ({ name, message }: Error) => {
      assert.equal(name, "SettingProblem", "exit code 2");
      assert.ok(message.includes("something else than a ledger answers there"), message);
      assert.ok(message.endsWith(hint), message);
      return true;
    });
    const findings = readdirSync(data).filter((file) => file.startsWith("finding"));
    assert.deepEqual(findings, []);
  }
});

test("a node that has shown a ledger does not escape a finding by serving a page", async () => {
  const data = copyOf(base);
  assert.equal((await audited(proxy.url, data)).exitCode, 0);
  servePage(200, "text/html");
  const { exitCode, output } = await audited(proxy.url, data);
  assert.equal(exitCode, 1, output);
  assert.match(output, /^invalid: GET \/block: no number of a block/m);

  proxy.answer = (request, response) => {
    const isTree = request.url?.startsWith("/checkpoint") === true;
    if (isTree) {
      response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html>");
    }
    return isTree;
  };
  const first = await audited(proxy.url, fresh());
  assert.equal(first.exitCode, 1, first.output);
  assert.match(first.output, /^invalid: GET \/checkpoint: no checkpoint/m);
});

test("a redirect is not followed: exit code 75", async () => {
  proxy.answer = (_request, response) => {
    response.writeHead(302, { Location: `${node.url}/block` }).end();
    return true;
  };
  const { exitCode, output } = await audited(proxy.url, fresh(), "--patience", "0");
  assert.equal(exitCode, 75, output);
  assert.match(output, /redirects to .*, which is not followed/);
});

for (const { what, path, body, says } of [
  {
    what: "without end",
    path: /^\/checkpoint$/,
    body: undefined,
    says: /GET \/checkpoint: an answer of more than/,
  },
  { what: "without a line end", path: /^\/blocks\/raw/, body: "{", says: /broken off/ },
  {
    what: "of JSON nested deeply",
    path: /^\/blocks\/raw/,
    body: `{"header":{},"id":"","operations":[${"[".repeat(100_000)}${"]".repeat(100_000)}]}\n`,
    says: /what no operation can hold/,
  },
  {
    what: "that is null",
    path: /^\/blocks\/raw/,
    body: "null\n",
    says: /block 0: GET \/blocks\/raw: not header, id and operations/,
  },
  {
    what: "that is no UTF-8",
    path: /^\/blocks\/raw/,
    body: Buffer.from([0xff, 0x0a]),
    says: /no UTF-8/,
  },
  {
    what: "that is a refusal",
    path: /^\/blocks\/raw/,
    body: 404,
    says: /GET \/blocks\/raw\S*: 404/,
  },
]) {
  test(`an answer ${what} does not harm the auditor`, async () => {
    proxy.answer = (request, response) => {
      if (!path.test(request.url ?? "")) {
        return false;
      }
      response.writeHead(typeof body === "number" ? body : 200, { "Ledger-Height": "0" });
      if (body === undefined) {
        const more = (): void => {
          while (!response.destroyed && response.write("x".repeat(1 << 20))) {
            // As much as it takes.
          }
        };
        response.on("drain", more);
        more();
      } else {
        response.end(typeof body === "number" ? "" : body);
      }
      return true;
    };
    const { exitCode, output } = await audited(proxy.url, fresh(), "--patience", "0");
    assert.notEqual(exitCode, 0, output);
    assert.match(output, says);
  });
}

test("a node's text cannot control the operator's terminal", async () => {
  proxy.change = (path, body) => (path === "/block" ? "\xc2\x9b31m" : body);
  const { exitCode, output } = await audited(proxy.url, copyOf(base));
  assert.equal(exitCode, 1, output);
  assert.ok(output.includes("\\u009b31m"), output);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there.
  assert.doesNotMatch(output, /[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
});
