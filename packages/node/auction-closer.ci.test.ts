import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { longTest } from "../ledger/testing/lane.ts";
import { AuctionCloser } from "./auction-closer.ts";
import { runInProcess } from "./testing/command-in-process.ts";
import {
  createItems,
  createProject,
  finishAuction,
  itemRecord,
} from "./testing/requests/item-requests.ts";
import { sendRequest, signedRequest } from "./testing/requests/signed-request.ts";
import { issued } from "./testing/requests/token-requests.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  parsed,
  refusalCode,
  START,
  TestNode,
} from "./testing/test-node.ts";

const END = START + 3600;

/** A node on which a seller has auctions of a token and of items, and a bidder with coins. */
class Auctions {
  readonly node: TestNode;
  readonly seller: KeyHolder;
  readonly bidder: KeyHolder;
  readonly #gold: string;
  readonly #project: string;

  static async on(node: TestNode): Promise<Auctions> {
    const seller = await node.holder();
    const bidder = await node.holder({ coins: 1000n });
    const gold = await issued(node, seller);
    return new Auctions(node, seller, bidder, gold, await createProject(node, seller));
  }

  private constructor(
    node: TestNode,
    seller: KeyHolder,
    bidder: KeyHolder,
    gold: string,
    project: string,
  ) {
    this.node = node;
    this.seller = seller;
    this.bidder = bidder;
    this.#gold = gold;
    this.#project = project;
  }

  /** Puts 10 of the token on auction and returns the listing's id. */
  async tokens(): Promise<string> {
    const terms = { amount: "10", token: "0", auction_start_price: "5" };
    const all = { mrc010id: this.#gold, ...terms, auction_end_date: String(END) };
    const answer = await this.#send("mrc010auction", this.seller, all);
    return parsed<{ mrc010dexid: string }>(answer).mrc010dexid;
  }

  /** Puts new items on auction and returns their ids. */
  items(count: number): Promise<string[]> {
    const element = { auction_start_price: "5", auction_end: String(END) };
    return createItems(this.node, this.#project, this.seller, Array(count).fill(element));
  }

  async bidForTokens(dexid: string, amount: string): Promise<void> {
    await this.#send("mrc010bid", this.bidder, { dexid, amount });
  }

  async bidForItem(mrc401id: string, amount: string): Promise<void> {
    await this.#send("mrc401bid", this.bidder, { mrc401id, amount });
  }

  async #send(operation: string, by: KeyHolder, params: Params): Promise<Answered> {
    const answer = await sendRequest(
      this.node,
      await signedRequest(this.node, operation, by, params),
    );
    assert.equal(refusalCode(answer), "200", answer.text);
    return answer;
  }

  /** Closes an auction as anybody may. */
  finish(id: string): Promise<Answered> {
    return id.startsWith("DEX010_")
      ? this.node.request(`/token/auctionfinish/${id}`, { method: "POST" })
      : finishAuction(this.node, id);
  }

  /** Offers a price for any item of the project until `END`, and returns the offer's id. */
  async offer(price: string): Promise<string> {
    const terms = { id: this.#project, price, token: "0", end: String(END) };
    const answer = await this.#send("mrc401offer", this.bidder, terms);
    return parsed<{ offerid: string }>(answer).offerid;
  }

  async offerState(id: string): Promise<string> {
    return parsed<{ state: string }>(await this.node.get(`/mrc401/offer/${id}`)).state;
  }

  async listing(dexid: string): Promise<readonly [string, string]> {
    const answer = await this.node.get(`/token/dex/${dexid}`);
    const { state, buyer } = parsed<{ state: string; buyer: string }>(answer);
    return [state, buyer];
  }

  async item(id: string): Promise<readonly [string, number]> {
    const { owner, auction_date } = await itemRecord(this.node, id);
    return [owner, auction_date];
  }
}

/**
 * Ids of the auctions closed in the blocks, in order; each by an ordinary operation without a
 * signature.
 */
async function closed(node: TestNode): Promise<string[]> {
  const heights = Array.from({ length: (await node.height()) + 1 }, (_, height) => height);
  const blocks = await Promise.all(heights.map((height) => node.get(`/block/${height}/raw`)));
  const operations = blocks.flatMap(
    (block) => parsed<{ operations: readonly Operation[] }>(block).operations,
  );
  return operations
    .filter(({ op }) => op.endsWith("auctionfinish"))
    .map(({ params, ...others }) => {
      const name = "dexid" in params ? "dexid" : "mrc401id";
      const op = name === "dexid" ? "mrc010auctionfinish" : "mrc401auctionfinish";
      assert.deepEqual(others, { v: 1, op, actor: "", decided: {}, signatures: {} });
      assert.deepEqual(Object.keys(params), [name]);
      return params[name] as string;
    });
}

type Operation = { readonly op: string; readonly params: Readonly<Record<string, string>> };

/**
 * Waits until the node has closed as many auctions, and closes what is due once more: just these
 * are closed, each once.
 */
async function closes(node: TestNode, ids: readonly string[]): Promise<void> {
  // Reads the blocks only when there are new ones.
  let height = -1;
  let count = 0;
  while (count < ids.length) {
    const newest = await node.height();
    count = newest === height ? count : (await closed(node)).length;
    height = newest;
    await delay(50);
  }
  await closerOn(node).closeDue();
  assert.deepEqual((await closed(node)).toSorted(), [...ids].sort());
}

/** `moneta verify` finds the ledger valid. */
async function isValid(node: TestNode): Promise<void> {
  await node.stop();
  const { exitCode, output } = await runInProcess("verify", node.data);
  assert.equal(exitCode, 0, output);
  assert.match(output, /^valid: /m);
}

test("a node closes ended auctions of tokens and of items, each once, except those that a client closes first", async () => {
  await using node = await TestNode.start("--finish-auctions", "yes");
  const auctions = await Auctions.on(node);
  const { seller, bidder } = auctions;
  const [won, lost] = [await auctions.tokens(), await auctions.tokens()];
  const [wonItem = "", lostItem = "", ...others] = await auctions.items(6);
  await auctions.bidForTokens(won, "7");
  await auctions.bidForItem(wonItem, "8");

  node.now = END - 1;
  await closerOn(node).closeDue();
  assert.deepEqual(await closed(node), []);
  node.now = END;
  for (const answer of await Promise.all(others.map((id) => auctions.finish(id)))) {
    assert.match(refusalCode(answer), /^(200|409 7106)$/);
  }
  await closes(node, [won, lost, wonItem, lostItem, ...others]);

  assert.deepEqual(await auctions.listing(won), ["sold", bidder.address]);
  assert.deepEqual(await auctions.listing(lost), ["failed", ""]);
  assert.deepEqual(await auctions.item(wonItem), [bidder.address, 0]);
  assert.deepEqual(await auctions.item(lostItem), ["", 0]);
  assert.deepEqual(await node.balances(seller), ["0: 15", "1: 990"]);
  assert.deepEqual(await node.balances(bidder), ["0: 985", "1: 10"]);
  await isValid(node);
});

test("a node closes an offer that has ended, once; its ledger is verified and rebuilt alike", async () => {
  await using node = await TestNode.start("--finish-auctions", "yes");
  const auctions = await Auctions.on(node);
  const ids = [await auctions.offer("7"), await auctions.offer("8")];
  node.now = END - 1;
  await closerOn(node).closeDue();
  assert.deepEqual(await Promise.all(ids.map((id) => auctions.offerState(id))), ["open", "open"]);
  assert.deepEqual(await node.balances(auctions.bidder), ["0: 985"]);
  node.now = END;
  await closerOn(node).closeDue();
  assert.deepEqual(await Promise.all(ids.map((id) => auctions.offerState(id))), ["ended", "ended"]);
  assert.deepEqual(await node.balances(auctions.bidder), ["0: 1000"]);
  const height = await node.height();
  await closerOn(node).closeDue();
  assert.equal(await node.height(), height);
  await isValid(node);
  const { exitCode, output } = await runInProcess("rebuild", node.data);
  assert.equal(exitCode, 0, output);
  await isValid(node);
});

test("auctions that ended while the node was down are closed after its start, and not again after the next", async () => {
  await using node = await TestNode.start("--finish-auctions", "yes");
  const auctions = await Auctions.on(node);
  const ids = [await auctions.tokens(), ...(await auctions.items(2))];
  await auctions.bidForItem(ids[1] as string, "5");
  await node.stop();
  node.now = END + 100;
  await node.resume();
  await closes(node, ids);
  await node.restart();
  await closes(node, ids);
  // Again: what ends later is closed later.
  node.now = START + 100_000;
  const more = await auctions.items(1);
  await closerOn(node).closeDue();
  assert.deepEqual((await closed(node)).toSorted(), [...ids].sort());
  node.now += 3600;
  await closes(node, [...ids, ...more]);
  await isValid(node);
});

test("with --finish-auctions no a node leaves ended auctions to clients", async (t) => {
  const start = t.mock.method(AuctionCloser.prototype, "start");
  await using node = await TestNode.start("--finish-auctions", "no");
  assert.equal(start.mock.callCount(), 0);
  const auctions = await Auctions.on(node);
  const [dexid, [id = ""]] = [await auctions.tokens(), await auctions.items(1)];
  node.now = END + 1000;
  assert.deepEqual(await auctions.listing(dexid), ["open", ""]);
  assert.deepEqual(await auctions.item(id), ["", START]);
  for (const one of [dexid, id]) {
    assert.equal(refusalCode(await auctions.finish(one)), "200");
    assert.match(refusalCode(await auctions.finish(one)), /^409 710[26]$/);
  }
});

/** A closer of the node that works when the test calls it. */
function closerOn({ running }: TestNode): AuctionCloser {
  const { reading, admission } = running.service;
  return new AuctionCloser({
    reading,
    admission,
    onFailure: (error) => assert.fail(String(error)),
  });
}

test("several closers at the same moment close each auction once", async () => {
  await using node = await TestNode.start();
  const auctions = await Auctions.on(node);
  const ids = [await auctions.tokens(), await auctions.tokens(), ...(await auctions.items(20))];
  await auctions.bidForTokens(ids[0] as string, "5");
  await auctions.bidForItem(ids[2] as string, "6");
  node.now = END;
  const closers = [closerOn(node), closerOn(node), closerOn(node)];
  const [answers] = await Promise.all([
    Promise.all(ids.map((id) => auctions.finish(id))),
    ...closers.map((closer) => closer.closeDue()),
  ]);
  for (const answer of answers) {
    assert.match(refusalCode(answer), /^(200|409 710[26])$/);
  }
  await closers[0]?.closeDue();
  assert.deepEqual((await closed(node)).toSorted(), ids.toSorted());
  assert.deepEqual(await node.balances(auctions.seller), ["0: 11", "1: 990"]);
  await isValid(node);
});

longTest(
  "a hundred auctions of each kind are closed at a time, the others a second later",
  async () => {
    await using node = await TestNode.start();
    const auctions = await Auctions.on(node);
    const dexid = await auctions.tokens();
    const ids = [...(await auctions.items(100)), ...(await auctions.items(3))];
    node.now = END;
    const closer = closerOn(node);
    await closer.closeDue();
    assert.equal((await closed(node)).length, 101);
    await closer.closeDue();
    assert.deepEqual((await closed(node)).toSorted(), [dexid, ...ids].sort());
    const height = await node.height();
    await closer.closeDue();
    assert.equal(await node.height(), height);
  },
);

test("an auction whose closing is refused because the node is busy is closed later", async () => {
  await using node = await TestNode.start("--queue-max", "2");
  const auctions = await Auctions.on(node);
  const ids = await auctions.items(5);
  node.now = END;
  const closer = closerOn(node);
  await closer.closeDue();
  assert.equal((await closed(node)).length, 2);
  // A round finds the queue with what the node itself does meanwhile.
  for (let rounds = 0; (await closed(node)).length < ids.length; rounds += 1) {
    assert.ok(rounds < 100, "all are closed in the end");
    await closer.closeDue();
  }
  assert.deepEqual((await closed(node)).toSorted(), ids.toSorted());
});

test("a closed closer reads the ledger no more", async () => {
  await using node = await TestNode.start();
  const { reading, admission } = node.running.service;
  let looks = 0;
  const closer = new AuctionCloser({
    reading: () => {
      looks += 1;
      return reading();
    },
    admission,
    onFailure: (error) => assert.fail(String(error)),
  });
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    closer.start();
    mock.timers.tick(1000);
    assert.equal(looks, 1);
    // The next run is scheduled once this one has ended.
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(1000);
    assert.equal(looks, 2);
    closer.close();
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(10_000);
    assert.equal(looks, 2);
  } finally {
    mock.timers.reset();
  }
});
