import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { HostileNode, OF_LEDGER, OF_PROBLEM } from "../../node/testing/hostile-node.ts";
import { encodeBase62Number } from "../../protocol/text/base62-number.ts";
import {
  type Actor,
  everyItem,
  Moneta,
  type PreparedWrite,
  Proposal,
  SigningKey,
} from "../index.ts";

// What a node can answer that no ledger would, and what becomes of its clients.

const LEDGER_ID = "a".repeat(64);

function clientOf(
  { url }: HostileNode,
  options: ConstructorParameters<typeof Moneta>[1] = {},
): Moneta {
  return new Moneta(url, { ledgerId: LEDGER_ID, timeoutMs: 120_000, retries: 0, ...options });
}

/** Sends the same again and again, as long as the client reads. */
function withoutEnd(response: ServerResponse, piece: Buffer): void {
  const go = (): void => {
    while (!response.destroyed && response.write(piece)) {}
  };
  response.on("drain", go);
  go();
}

const PIECE = Buffer.alloc(1 << 20, "x");

test("an answer without end is given up after 64 MiB", async () => {
  await using node = await HostileNode.that((response) => {
    withoutEnd(response.writeHead(200, OF_LEDGER), PIECE);
  });
  await assert.rejects(clientOf(node).height(), { name: "RangeError", message: /67108864 bytes/ });
  await assert.rejects(clientOf(node).request("height", {}, { bytesMax: 1000 }), {
    name: "RangeError",
    message: /1000 bytes/,
  });
});

test("a write whose answer has no end may have been done", async () => {
  await using node = await HostileNode.that((response) => {
    withoutEnd(response.writeHead(200, OF_LEDGER), PIECE);
  });
  await assert.rejects(clientOf(node).request("faucet", { address: "MT" }), {
    name: "UnansweredError",
    mayHaveHappened: true,
  });
});

test("a problem without end is given up after 64 KiB", async () => {
  await using node = await HostileNode.that((response) => {
    withoutEnd(response.writeHead(400, OF_PROBLEM), PIECE);
  });
  await assert.rejects(clientOf(node).height(), { name: "RangeError", message: /65536 bytes/ });
});

test("an event without end is given up, and the stream comes back", async () => {
  await using node = await HostileNode.that((response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    if (node.asked.length === 1) {
      response.write("event: transaction\ndata: ");
      withoutEnd(response, PIECE);
    } else {
      response.end('event: height\nid: 1\ndata: {"sn":7}\n\n');
    }
  });
  const causes: unknown[] = [];
  const events = clientOf(node).events({}, { onReconnect: (cause) => causes.push(cause) });
  const { value } = await events.next();
  assert.deepEqual(value, { kind: "height", id: "1", height: 7 });
  assert.match(String(causes[0]), /RangeError.*67108864 bytes/);
  await events.return();
});

test("a line of an event costs no more than its length, whatever it has", async () => {
  const line = `${"a".repeat(200_000)}\u2028`;
  await using node = await HostileNode.that((response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.end(`${line}\nevent: height\nid: 1\ndata: {"sn":7}\n\n`);
  });
  const before = process.cpuUsage();
  const { value } = await clientOf(node).events().next();
  assert.equal((value as { height: number }).height, 7);
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 5_000_000, "microseconds of a processor, on a busy machine, too");
});

test("a node has no client reconnect without a pause", async () => {
  for (const retry of ["0", "-1", "-Infinity", "1e-9"]) {
    await using node = await HostileNode.that((response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.end(`retry: ${retry}\n\n`);
    });
    const events = clientOf(node).events({}, { signal: AbortSignal.timeout(600) });
    assert.equal((await events.next()).done, true);
    assert.ok(node.asked.length <= 7, `${node.asked.length} requests with retry: ${retry}`);
  }
});

for (const problem of [
  "null",
  "7",
  "[]",
  "{}",
  '{"code":7}',
  '{"code":"5000","status":400}',
  '{"code":"constructor","detail":"x"}',
]) {
  test(`a problem that is ${problem} is none, and a write may have been done`, async () => {
    await using node = await HostileNode.that((response) => {
      response.writeHead(400, OF_PROBLEM).end(problem);
    });
    await assert.rejects(clientOf(node).request("faucet", { address: "MT" }), {
      name: "UnansweredError",
      message: /status 400 of something else than a ledger/,
      mayHaveHappened: true,
    });
  });
}

/** The form of a temporary key that expires at some time, Unix seconds. */
function temporaryKey(expiry: number, random = "0123456789"): string {
  return `K0000001${encodeBase62Number(expiry, 6)}${random}${"t".repeat(22)}`;
}

const NOW = Math.floor(Date.now() / 1000);
const BOB = `MT${"b".repeat(38)}`;
const payment = { to: BOB, token: 0, amount: 1n };

/** A client's actor, and how often it has signed. */
async function signer(moneta: Moneta): Promise<{ alice: Actor; signed: string[] }> {
  const key = await SigningKey.generate();
  const signed: string[] = [];
  const alice = moneta.actor(`MT${"a".repeat(38)}`, (bytes) => {
    signed.push(new TextDecoder().decode(bytes));
    return key.sign(bytes);
  });
  return { alice, signed };
}

for (const { says, expiry, signatures } of [
  { says: "could do both of two signatures: one is made", expiry: NOW + 600, signatures: 1 },
  { says: "has an expired key: two are made at most", expiry: NOW - 60, signatures: 2 },
]) {
  test(`a node that says 2020 to every write ${says}`, async () => {
    await using node = await HostileNode.that((response, { url = "" }) => {
      if (url.startsWith("/nonce/")) {
        response.writeHead(200, OF_LEDGER).end(JSON.stringify([temporaryKey(expiry)]));
      } else {
        const problem = { code: "2020", status: 401, title: "Key", detail: "It has expired." };
        response.writeHead(401, OF_PROBLEM).end(JSON.stringify(problem));
      }
    });
    const { alice, signed } = await signer(clientOf(node));
    await assert.rejects(alice.transfer(payment), { code: "2020" });
    assert.equal(signed.length, signatures);
  });
}

for (const keys of ["null", "{}", '"K"', '["x|y"]', '[["K"]]', "[7]"]) {
  test(`nothing is signed with ${keys} as temporary keys`, async () => {
    await using node = await HostileNode.that((response) => {
      response.writeHead(200, OF_LEDGER).end(keys);
    });
    const { alice, signed } = await signer(clientOf(node));
    await assert.rejects(alice.transfer(payment), {
      name: "UnansweredError",
      message: /has answered what is no temporary key/,
      mayHaveHappened: false,
    });
    assert.deepEqual(signed, []);
  });
}

const PREPARED: PreparedWrite = {
  operation: "transfer",
  actor: `MT${"a".repeat(38)}`,
  ledgerId: LEDGER_ID,
  params: { from: `MT${"a".repeat(38)}`, checkkey: temporaryKey(NOW + 600), signed: "full" },
  signature: "AAAA",
  preparedAt: NOW,
};
const DONE = { status: 200, transaction_id: "b".repeat(64), result: null };

for (const body of [
  "null",
  "[]",
  "{}",
  '{"results":null}',
  '{"results":[]}',
  '{"results":[null]}',
  '{"results":[{"status":200}]}',
  '{"results":[{"transaction_id":7}]}',
  '{"results":[{"transaction_id":"\u20ac"}]}',
  JSON.stringify({ results: [{ ...DONE, location: "\u20ac" }] }),
  JSON.stringify({ results: [{ ...DONE, location: { toString: 1 } }] }),
  '{"results":[{"problem":null}]}',
  JSON.stringify({ results: [DONE, DONE] }),
]) {
  test(`${body} says nothing of a batch or group`, async () => {
    await using node = await HostileNode.that((response) => {
      response.writeHead(200, OF_LEDGER).end(body);
    });
    const expected = { name: "UnansweredError", mayHaveHappened: true };
    await assert.rejects(clientOf(node).batch([PREPARED]), expected);
    const group = body.includes("b") ? [PREPARED] : [PREPARED, PREPARED];
    await assert.rejects(clientOf(node).group(group), expected);
    await assert.rejects(streamed(clientOf(node)), expected);
  });
}

async function streamed(moneta: Moneta): Promise<void> {
  for await (const result of moneta.batchStream([PREPARED])) {
    assert.fail(`a result: ${JSON.stringify(result)}`);
  }
}

test("a write whose response names no transaction is in doubt, not done", async () => {
  for (const id of [undefined, "", "x", "c".repeat(63)]) {
    await using node = await HostileNode.that((response) => {
      const ofId = id === undefined ? {} : { "Transaction-Id": id };
      response.writeHead(200, { ...OF_LEDGER, ...ofId }).end("null");
    });
    const expected = { name: "UnansweredError", message: /no transaction/, mayHaveHappened: true };
    await assert.rejects(clientOf(node).send(PREPARED), expected);
    const params = { tkey: temporaryKey(NOW) };
    await assert.rejects(
      clientOf(node).send({ ...PREPARED, operation: "tokenburn", params }),
      expected,
    );
  }
});

for (const amount of [
  '"x"',
  '"-1"',
  '"1.5"',
  "1.5",
  "1e30",
  "{}",
  '"0x10"',
  "true",
  `"${"9".repeat(1e6)}"`,
]) {
  test(`${amount.slice(0, 20)} is no amount`, async () => {
    await using node = await HostileNode.that((response) => {
      response.writeHead(200, OF_LEDGER).end(`[{"balance":${amount},"token":"0"}]`);
    });
    await assert.rejects(clientOf(node).balance({ address: BOB }), {
      name: "UnansweredError",
      message: /has answered what is no amount/,
      mayHaveHappened: false,
    });
  });
}

test("a refusal with a shortfall that is none is a refusal without one", async () => {
  await using node = await HostileNode.that((response) => {
    const problem = {
      code: "5000",
      status: 400,
      detail: "x",
      needed: "1.5",
      spendable: {},
      token: "0",
    };
    response.writeHead(400, OF_PROBLEM).end(JSON.stringify(problem));
  });
  await assert.rejects(clientOf(node).height(), { name: "ProblemError", shortfall: undefined });
});

for (const { what, cursors } of [
  { what: "in a circle", cursors: (page: number) => `c${page % 3}` },
  { what: "on without entries", cursors: (page: number) => `c${page}` },
]) {
  test(`pages that lead ${what} end`, async () => {
    await using node = await HostileNode.that((response) => {
      const cursor = cursors(node.asked.length);
      response.writeHead(200, OF_LEDGER).end(JSON.stringify({ items: [], cursor }));
    });
    const moneta = clientOf(node);
    const all = everyItem((cursor) => moneta.tokens({ cursor }));
    await assert.rejects(all.next(), { name: "TypeError", message: /lead nowhere/ });
  });
}

test("a height that no ledger can have is asked of no node", async () => {
  for (const height of ["Infinity", "1e300", "0x7fffffffffffffff", "1.5"]) {
    await using node = await HostileNode.that((response, { headers }) => {
      assert.equal(headers["ledger-height-min"], undefined);
      response.writeHead(200, { "Ledger-Height": height, "Content-Type": "text/plain" }).end("7");
    });
    const { url } = node;
    const moneta = new Moneta([url, url], { ledgerId: LEDGER_ID, retries: 0 });
    await moneta.height();
    assert.equal(await moneta.height(), "7");
  }
});

test("a node cannot ask for hours, nor for a hundred requests a second", async () => {
  const problem = { code: "9001", status: 429, title: "Rate", detail: "Later." };
  for (const retry_after of [-1, 1e-9, "x", {}]) {
    await using node = await HostileNode.that((response) => {
      const results = [{ status: 429, problem: { ...problem, retry_after } }];
      response.writeHead(200, OF_LEDGER).end(JSON.stringify({ results }));
    });
    const before = performance.now();
    const [result] = await clientOf(node, { retries: 1 }).batch([PREPARED]);
    assert.ok(result instanceof Error);
    assert.ok(performance.now() - before >= 900);
  }
});

for (const body of [
  "null",
  "{}",
  '{"results":[null]}',
  '{"results":[{"record":{}}]}',
  '{"results":[{"problem":{}}]}',
]) {
  test(`${body} is no forecast`, async () => {
    await using node = await HostileNode.that((response) => {
      response.writeHead(200, OF_LEDGER).end(body);
    });
    await assert.rejects(clientOf(node).dryRun([PREPARED]), {
      name: "UnansweredError",
      message: /has answered what is no forecast/,
      mayHaveHappened: false,
    });
  });
}

test("no group is made without a temporary key for each operation", async () => {
  for (const keys of [null, [], [temporaryKey(NOW + 600)], [temporaryKey(NOW + 600), "x|y"]]) {
    await using node = await HostileNode.that((response) => {
      response.writeHead(200, OF_LEDGER).end(JSON.stringify(keys));
    });
    const one = { actor: `MT${"a".repeat(38)}`, operation: "transfer", ...payment };
    await assert.rejects(Proposal.propose(clientOf(node), [one, one]), {
      name: "ProposalError",
      message: /no temporary key/,
    });
  }
});
