import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { explain, READS, Refused } from "@moneta/protocol";
import { OrderMarket } from "../../../ledger/testing/trade/order-market.ts";
import { runInProcess } from "../../testing/command-in-process.ts";
import {
  type Answered,
  type KeyHolder,
  parsed,
  TestNode,
  withTokens,
} from "../../testing/test-node.ts";
import { showBook } from "./orders.ts";

// Runs the example of proofs §1, and reads the ledger that it makes.

const CHAPTER = new URL("../../../../docs/specification/proofs.md", import.meta.url);
const [, EXAMPLE = ""] = /^```example\n([^`]*)^```/m.exec(readFileSync(CHAPTER, "utf8")) ?? [];

let node: TestNode;
let alice: KeyHolder;
const blocks = new Map<string, { readonly height: number; readonly time: number }>();

before(async () => {
  node = await TestNode.start();
  alice = await node.holder();
});
after(() => node[Symbol.asyncDispose]());

test("proofs §1: the example", async () => {
  for (const line of EXAMPLE.trim().split("\n")) {
    await run(line);
  }
});

async function run(line: string): Promise<void> {
  const [, seconds] = /^now\+(\d+)$/.exec(line) ?? [];
  const [, amount, name] = /^pay alice (\d+) -> block (\w)$/.exec(line) ?? [];
  const [, path, query = "", result] = /^GET (\S+?)(\?\S+)? -> (.*)$/.exec(line) ?? [];
  if (seconds !== undefined) {
    node.now += Number(seconds);
  } else if (amount !== undefined && name !== undefined) {
    await node.pay(alice, BigInt(amount));
    blocks.set(name, { height: await node.height(), time: node.now });
  } else {
    const real = query
      .replaceAll(/(?<=height=)[A-Z]/g, (of) => String(block(of).height))
      .replaceAll(/(?<=at=)([A-Z])(?:\+(\d+))?/g, (_, of, more = 0) =>
        String(block(of).time + Number(more)),
      );
    const answer = balanceIn(await node.get(`${path?.replace("alice", alice.address)}${real}`));
    assert.equal(
      answer,
      result?.replace(/(?<=at )[A-Z]/, (of) => String(block(of).height)),
      line,
    );
  }
}

function block(name: string): { readonly height: number; readonly time: number } {
  const found = blocks.get(name);
  assert(found !== undefined, `block ${name}`);
  return found;
}

/** What Alice had of the coin, and the block that the answer is of; else the code of the refusal. */
function balanceIn({ status, headers, text }: Answered): string {
  const answer = JSON.parse(text);
  return status === 200
    ? `${answer[0].balance} at ${headers.get("ledger-height")}`
    : `${status} ${answer.code} ${answer.parameter ?? ""}`.trimEnd();
}

async function balanceAsOf(query: string): Promise<string> {
  return balanceIn(await node.get(`/balance/${alice.address}/0?${query}`));
}

test("proofs §1.3: a time before block 0, a time to come, a block to come", async () => {
  const { timestamp } = parsed<{ timestamp: number }>(await node.get("/block/0"));
  assert.equal(await balanceAsOf(`at=${timestamp - 1}`), "400 1101 at");
  const milliseconds = await node.get(`/balance/${alice.address}/0?at=${node.now}000`);
  const { detail } = parsed<{ detail: string }>(milliseconds);
  assert.match(detail, new RegExp(`looks like milliseconds, so send ${node.now}\\b`));
  const [time, ofBlock] = await Promise.all([
    balanceAsOf(`at=${node.now + 60}`),
    balanceAsOf(`height=${block("C").height + 1}`),
  ]);
  assert.deepEqual([time, ofBlock], ["503 9003", "503 9003"]);
});

test("proofs §1.2: who held the coin", async () => {
  const holders = async (query: string): Promise<unknown> => {
    const { items } = parsed<{ items: { address: string; balance: string }[] }>(
      await node.get(`/token/holders/0${query}`),
    );
    return items.find(({ address }) => address === alice.address)?.balance;
  };
  assert.deepEqual(
    [await holders(""), await holders(`?height=${block("A").height}`), await holders("?height=0")],
    ["123", "100", undefined],
  );
  for (const past of ["height", "at"]) {
    const ranked = await node.get(`/token/holders/0?order=balance&${past}=1`);
    assert.equal(balanceIn(ranked), `400 1005 ${past}`);
  }
});

test("proofs §1.4: an answer never changes as of a block, or of a time with later blocks", async () => {
  const cached = async (query: string): Promise<string | null> => {
    const { headers } = await node.get(`/balance/${alice.address}/0?${query}`);
    return headers.get("cache-control");
  };
  const immutable = "public, max-age=31536000, immutable";
  assert.equal(await cached(`height=${block("A").height}`), immutable);
  assert.equal(await cached(`height=${block("C").height}`), immutable);
  assert.equal(await cached(`at=${block("A").time}`), immutable);
  assert.equal(await cached(`at=${block("C").time}`), "no-store");
});

test("proofs §1.4: Ledger-Height is the number of that block, of a refusal and of a list as CSV too", async () => {
  const { height } = block("A");
  for (const { path, status, of } of [
    { path: `/balance/${alice.address}?height=0`, status: 404, of: 0 },
    { path: `/balance/${alice.address}?height=${height}`, status: 200, of: height },
    { path: `/address/${alice.address}/items?height=0`, status: 404, of: 0 },
    { path: `/token/holders/0?height=${height}`, status: 200, of: height },
    { path: `/token/99?height=${height}`, status: 404, of: height },
  ]) {
    for (const accept of ["application/json", "text/csv"]) {
      const answer = await node.get(path, { Accept: accept });
      const found = [answer.status, answer.headers.get("ledger-height")];
      assert.deepEqual(found, [status, String(of)], `${path} as ${accept}`);
    }
  }
});

test("proofs §1.2: the link to the next page of balances is as of the same block", async () => {
  const gold = { token: "7" };
  await node.restart(withTokens(7));
  await node.pay(alice, 5n, gold);
  const height = await node.height();
  await node.pay(alice, 5n, gold);
  const path = `/balance/${alice.address}?limit=1&height=${height}`;
  const [, next = ""] = /<(.*)>/.exec((await node.get(path)).headers.get("link") ?? "") ?? [];
  assert.deepEqual(parsed(await node.get(next)), [{ token: "7", balance: "5", unlockdate: 0 }]);
});

test("proofs §1.1: the chapter names each read that takes height and at", () => {
  const [, named = ""] = /^1\. These reads take (.*?)`at` means/ms.exec(
    readFileSync(CHAPTER, "utf8"),
  ) ?? [""];
  const paths = Array.from(named.matchAll(/`(?:GET )?(\/[^`]+)`/g), ([, path]) => `GET ${path}`);
  const described = READS.filter(({ isAsOf }) => isAsOf === true);
  assert.deepEqual(paths.toSorted(), described.map(({ route }) => route).toSorted());
});

for (const name of ["height", "at", "asof", "proof"]) {
  test(`proofs §1.5: ${name} is unknown to a read of the newest block`, async () => {
    const { status, text } = await node.get(`/address/${alice.address}/transactions?${name}=1`);
    const { code, parameter } = JSON.parse(text);
    assert.deepEqual([status, code, parameter], [400, "1008", name]);
  });
}

test("proofs §1.6: a node that keeps nothing knows the newest block alone, and verifies", async () => {
  await using other = await TestNode.start("--keep-state", "none");
  const bob = await other.holder();
  const read = async (height: number): Promise<string> =>
    balanceIn(await other.get(`/balance/${bob.address}/0?height=${height}`));
  await other.pay(bob, 5n);
  const before = await other.height();
  assert.equal(await read(before), `5 at ${before}`);
  await other.pay(bob, 5n);
  const height = await other.height();
  const refused = parsed<object>(await other.get(`/balance/${bob.address}/0?height=${before}`));
  assert.deepEqual(
    { code: Reflect.get(refused, "code"), detail: Reflect.get(refused, "detail") },
    {
      code: "6012",
      detail: `This node keeps the state as of block ${height} and later ones, not as of block ${before}: ask a node that keeps more.`,
    },
  );
  assert.equal(await read(height), `10 at ${height}`);
  await other.stop();
  const { exitCode, output } = await runInProcess("verify", other.data);
  assert.equal(exitCode, 0, output);
});

test("proofs §1.7: a book of both sides is not shown as of a block without its best levels", async () => {
  using market = await OrderMarket.open();
  const { old, many } = await market.people(["old", "many"], { target: 10_000n });
  await market.create(old, "SELL", "10", "2000");
  const { ledger } = market.client;
  const height = ledger.newestBlock.header.sn;
  const shown = (side: "" | "SELL", limit?: number): string =>
    ledger.reading(() => {
      const values = { basetoken: market.base, targettoken: market.target, side, limit };
      const answer = showBook(values as Parameters<typeof showBook>[0], ledger.reader.asOf(height));
      return answer instanceof Refused ? explain(answer.fault).detail : String(answer.body);
    });
  const asks = '[{"orders":1,"price":"2000","qtt":"10"}]';
  assert.ok(shown("").includes(`"asks":${asks}`), shown(""));
  for (let price = 100; price < 1100; price += 100) {
    const orders = Array.from({ length: 100 }, (_, place) =>
      market.terms("SELL", "10", String(price + place)),
    );
    const made = await market.client.block(orders.map((terms) => ["mrc040create", many, terms]));
    assert.ok(made.every(({ summary: reported }) => reported === "done"));
    assert.equal(shown("").includes(`"asks":${asks}`), price < 1000, String(price));
  }
  assert.match(shown(""), /^side must be SELL or BUY as of this block/);
  assert.match(shown("SELL"), /^{"items":\[\],"cursor":/);
});
