import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { createRequest, saveRequest } from "../testing/requests/token-requests.ts";
import {
  type KeyHolder,
  type ProblemBody,
  parsed,
  summaryOf,
  TestNode,
} from "../testing/test-node.ts";
import { until } from "../testing/until.ts";

// The effect of an element that must be sent again on those after it. Source: batches §1.5.

interface Result {
  readonly status: number;
  readonly problem?: ProblemBody;
}

/** Operations of one request that the ledger has at most. */
const UNDER_WAY = 64;

let server: PostgresServer;
let node: TestNode;
let from: KeyHolder;
let to: KeyHolder;
before(async () => {
  server = await PostgresServer.start();
  node = await TestNode.start("--log", server.url, "--write-seconds", "5");
  from = await node.holder({ coins: 1000n });
  to = await node.holder();
});
/** On a slow machine the doubt of one test can hold the writes of the next. */
beforeEach(async () => {
  await until(
    async () => (await node.get("/ready?for=writes")).status === 200,
    "writes are not accepted again",
  );
});
after(async () => {
  await node?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

/** Runs something while each COMMIT waits for a standby that does not come. */
async function whileCommitsWait<T>(run: () => Promise<T>): Promise<T> {
  await server.commitWith("nobody");
  try {
    return await run();
  } finally {
    await server.commitWith("");
  }
}

function codeOf({ status, problem }: Result): string {
  return problem?.code ?? String(status);
}

async function transfers(count: number): Promise<readonly Readonly<Record<string, string>>[]> {
  const keys = parsed<string[]>(await node.get(`/nonce/${from.address}?count=${count}`));
  return await Promise.all(
    keys.map(async (checkkey) => {
      const params = await node.transfer(from, { to: to.address, amount: "1", checkkey });
      return { operation: "transfer", ...params };
    }),
  );
}

async function coins(): Promise<number> {
  return Number((await node.balances(to, "0"))[0] ?? 0);
}

test("batches §1.5: behind an operation in doubt none is begun, also not when the doubt ends at once", async () => {
  const lines = (await transfers(100)).map((each) => `${JSON.stringify(each)}\n`);
  await server.commitWith("nobody");
  const response = await fetch(`${node.url}/batch`, {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson" },
    body: lines.join(""),
  });
  const decoder = new TextDecoder();
  let text = "";
  let isInDoubt = false;
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (!isInDoubt) {
      isInDoubt = true;
      await server.commitWith("");
    }
  }
  const codes = text
    .trimEnd()
    .split("\n")
    .map((line) => codeOf(JSON.parse(line)));
  assert.equal(codes[0], "9004");
  // Those that the ledger had got with it have outcomes of their own.
  assert.deepEqual(new Set(codes.slice(UNDER_WAY)), new Set(["9002"]), codes.join(" "));
  const count = codes.filter((code) => code !== "9002").length;
  await until(async () => (await coins()) >= count);
  assert.equal(await coins(), count, "what was in doubt is done, and nothing else");
});

test("batches §1.5: what needs an operation in doubt before it is not refused for good", async () => {
  const save = await saveRequest(node, from);
  const create = await createRequest(node, from, "Gold", { isFull: true });
  const operations = [
    { operation: "tokensave", ...save.texts },
    { operation: "tokencreate", ...create.texts },
  ];
  const doubtful = await whileCommitsWait(() => node.postJson("/batch", { operations }));
  const { results } = parsed<{ results: Result[] }>(doubtful);
  assert.deepEqual(results.map(codeOf), ["9004", "9002"]);
  assert.match(results[1]?.problem?.detail ?? "", /not known yet whether an operation before it/);
  const last = await until(async () => {
    const again = parsed<{ results: Result[] }>(await node.postJson("/batch", { operations }));
    return again.results.every(({ status }) => status !== 503) && again.results;
  });
  assert.deepEqual(last.map(codeOf), ["200", "200"]);
});

test("batches §1.5: behind an operation of which a node that lags cannot tell, none is begun", async () => {
  const [first, second] = await transfers(2);
  const unknown = { ...first, from: "MTBob0000000000000000000000000005f59bcba" };
  await server.kill();
  const refused = await node.postJson("/batch", { operations: [unknown, second] });
  await server.resume();
  assert.equal(summaryOf(refused), "503 9003");
});
