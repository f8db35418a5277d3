import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { byLane } from "../../ledger/testing/lane.ts";
import { ART } from "../../ledger/testing/trade/creations.ts";
import { Finding } from "../follower/finding.ts";
import { followBlocks } from "../follower/follow-blocks.ts";
import { NodeClient } from "../follower/node-client.ts";
import { Replica } from "../follower/replica.ts";
import { PLATFORM_VERIFIER } from "../signatures/chosen-verifier.ts";
import { ForwardingProxy } from "../testing/forwarding-proxy.ts";
import { createItems, createProject } from "../testing/requests/item-requests.ts";
import { Market } from "../testing/requests/market.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import type { AuditContext } from "./audit-context.ts";
import { compareRead } from "./compare-read.ts";
import { DRAWN_READS, drawRead, pathOf } from "./draw-read.ts";
import { AuditMemory } from "./memory.ts";
import { OwnAnswers } from "./own-answers.ts";

/** Kinds of reads for which nothing occurs on the ledger of this test. */
const ABSENT: ReadonlySet<string> = new Set([
  "grantDetails",
  "groupTransactions",
  "tokenImage",
  "mrc401Offer",
  "mrc402Listing",
  "mrc402Offer",
  "order",
  "orderTrade",
  "seal",
]);

let market: Market;
let proxy: ForwardingProxy;
let directory: TemporaryDirectory;
let context: AuditContext;

before(async () => {
  market = await Market.open({ tokens: 1 });
  const { node } = market;
  // The copy's answers are of the time that an answer's Date shows.
  node.showTime();
  const [seller, buyer, platform] = [
    await market.holder(1_000_000n, { tokens: { "1": 1000n } }),
    await market.holder(1_000_000n),
    await market.holder(),
  ];
  const dexid = await market.list("sell", seller, market.listing1({ p: platform }));
  assert.equal((await market.send("mrc010buy", buyer, { dexid, amount: "400" })).status, 200);
  const project = await createProject(node, seller);
  const [item = ""] = await createItems(node, project, seller, [{ token: "0" }]);
  const itemdata = [{ id: item, price: "30", token: "0" }];
  for (const request of [
    await market.request("mrc401sell", seller, { itemdata }),
    await market.request("mrc401buy", buyer, { mrc401id: item }),
    await market.request("mrc402create", seller, { ...ART, totalsupply: "20" }),
  ]) {
    assert.equal((await market.post(request)).status, 200);
  }
  // Locked until later: what balances show depends on the clock.
  const unlockdate = String(node.now + 1000);
  const params = await node.transfer(seller, { to: buyer.address, amount: "97", unlockdate });
  assert.equal((await node.post("/transfer", params)).status, 200);
  proxy = await ForwardingProxy.to(node.url);
  directory = new TemporaryDirectory("compare-read");
  const file = join(directory.path, "ledger.db");
  const memory = AuditMemory.open(directory.path, file);
  const replica = Replica.open(file, {
    threads: 1,
    verifier: PLATFORM_VERIFIER,
    onBlock: () => undefined,
  });
  context = {
    client: new NodeClient(new URL(proxy.url), {
      lineMax: 1 << 20,
      stop: new AbortController().signal,
    }),
    replica,
    own: new OwnAnswers(replica, file),
    memory,
    url: proxy.url,
    sample: 0,
    clock: () => node.now,
    say: () => undefined,
    progress: () => () => undefined,
  };
  memory.update({ keys: (await node.get("/checkpoint/key")).text.trim().split("\n") });
  await followBlocks(context, await node.height());
});

after(async () => {
  context.own[Symbol.dispose]();
  await context.replica.close();
  await proxy[Symbol.asyncDispose]();
  await market[Symbol.asyncDispose]();
  directory[Symbol.dispose]();
});

/** The text with its last letter or digit changed, a number or hash being as long as before. */
function changed(body: string): string {
  const at = body.search(/[0-9A-Za-z](?=[^0-9A-Za-z]*$)/);
  return `${body.slice(0, at)}${body[at] === "1" ? "2" : "1"}${body.slice(at + 1)}`;
}

for (const kind of DRAWN_READS) {
  test(`answers of ${kind.name} are right or found`, async () => {
    for (let time = 0; time < byLane({ quick: 1, long: 3 }); time += 1) {
      const read = await drawRead(context, context.replica.head.size, [kind]);
      assert.equal(read === undefined, ABSENT.has(kind.name), "the read is drawn");
      if (read !== undefined) {
        const path = pathOf(read);
        proxy.change = (_path, body) => body;
        await compareRead(context, read);
        // An answer without letters and digits is an empty list.
        proxy.change = (asked, body) =>
          asked !== path ? body : /[0-9A-Za-z]/.test(body) ? changed(body) : "[0]";
        await assert.rejects(compareRead(context, read), (thrown: unknown) => {
          assert.ok(thrown instanceof Finding, String(thrown));
          assert.ok(thrown.message.includes(`GET ${path}: `), thrown.message);
          return true;
        });
      }
    }
  });
}

test("an answer as of a block must be of that block; the node need not keep its state", async () => {
  const height = String(context.replica.head.height - 1);
  const [description] = DRAWN_READS.filter(({ name }) => name === "tokenHolders");
  assert.ok(description !== undefined);
  const read = { description, parameters: { token: "0", height } };
  proxy.change = (_path, body) => body;
  await compareRead(context, read);
  proxy.answer = (_request, response) => {
    response.writeHead(200, { "Ledger-Height": "1" }).end("{}");
    return true;
  };
  const message = `GET ${pathOf(read)}: Ledger-Height is "1"`;
  await assert.rejects(compareRead(context, read), { message });
  proxy.answer = (_request, response) => {
    response.writeHead(404).end(JSON.stringify({ code: "6012" }));
    return true;
  };
  await compareRead(context, read);
  proxy.answer = () => false;
});

test("balances are compared by the clock of the node, before and after a lock ends", async () => {
  const [balances] = DRAWN_READS.filter(({ name }) => name === "balance");
  proxy.change = (_path, body) => body;
  for (const now of [market.node.now, market.node.now + 2000]) {
    market.node.now = now;
    for (let time = 0; time < byLane({ quick: 5, long: 20 }); time += 1) {
      const read = await drawRead(context, 0, balances && [balances]);
      assert.ok(read !== undefined);
      await compareRead(context, read);
    }
  }
});

test("a refusal is compared by the clock of the node: the range of totals ends with the ledger time", async () => {
  const [description] = DRAWN_READS.filter(({ name }) => name === "totals");
  assert.ok(description !== undefined);
  proxy.change = (_path, body) => body;
  // The newest block is within 1,440 minutes of it, the clock is not.
  const read = { description, parameters: { since: String(market.node.now - 60) } };
  await compareRead(context, read);
  market.node.now += 2 * 86_400;
  assert.equal((await market.node.get(pathOf(read))).status, 400);
  await compareRead(context, read);
});

test("a sample comes to every kind of read and every transaction", async () => {
  const paths = new Set<string>();
  const kinds = new Set<string>();
  const occurring = DRAWN_READS.filter(({ name }) => !ABSENT.has(name));
  for (let time = 0; time < 1000; time += 1) {
    // Each absent kind is tried 256 times before another one.
    const read = await drawRead(context, 0, time < 20 ? DRAWN_READS : occurring);
    assert.ok(read !== undefined);
    kinds.add(read.description.name);
    paths.add(pathOf(read));
  }
  const missing = occurring.map(({ name }) => name).filter((name) => !kinds.has(name));
  assert.deepEqual(missing, []);
  for (let height = 0; height <= context.replica.head.height; height += 1) {
    const { id } = { ...context.replica.read().block({ height }) };
    const names = [`/block/${height}`, `/block/${id}`, `/block/${height}/raw`, `/block/${id}/raw`];
    assert.ok(names.some((name) => paths.has(name)) || height > 0, `block ${height} is drawn`);
  }
});
