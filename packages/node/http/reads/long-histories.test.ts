import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type KindSearch, LedgerReader } from "@moneta/ledger";
import { type Address, Refused } from "@moneta/protocol";
import { type ReadingPerTurn, readingPerTurn } from "../../reading-per-turn.ts";
import { growKinds } from "../../testing/many-kinds.ts";
import { type KeyHolder, parsed, START, said, TestNode } from "../../testing/test-node.ts";
import { LongHistories } from "./long-histories.ts";

// Pages of an address that has more kinds of records than one event-loop turn may ask.

const KINDS = 5000;

interface Page {
  readonly items: readonly { readonly type: string; readonly token: number }[];
  readonly cursor?: string;
}

let node: TestNode;
let owner: KeyHolder;
let path: string;
let reader: LedgerReader;
let reading: ReadingPerTurn["reading"];
before(async () => {
  node = await TestNode.start();
  owner = await node.holder({ coins: 100n });
  path = `/address/${owner.address}/transactions`;
  await node.stop();
  await growKinds(node.data, owner.address as Address, KINDS);
  await node.resume();
  reader = new LedgerReader(join(node.data, "ledger.db"));
  ({ reading } = readingPerTurn(reader, () => START));
});
after(async () => {
  await nextTurn();
  reader.dispose();
  await node[Symbol.asyncDispose]();
});

/** The beginning of a search for the newest entry of all. */
function begun(): KindSearch {
  const { history, state, size } = reading();
  const filter = { types: undefined, token: undefined, from: 0, before: size };
  const number = state.address(owner.address as Address)?.number as number;
  return history.search(number, filter, { after: undefined, limit: 1 });
}

/** A request of a client, which counts its event-loop turns. */
class Request {
  readonly client: string;
  readonly socket = { destroyed: false };
  turns = 0;

  readonly #allowed: Promise<void>;

  /** Its turns come once `allowed` has resolved. */
  constructor(client = "a", allowed: Promise<void> = Promise.resolve()) {
    this.client = client;
    this.#allowed = allowed;
  }

  readonly later = async <T>(part: (reader: LedgerReader) => T): Promise<T> => {
    this.turns += 1;
    await this.#allowed;
    await nextTurn();
    return part(reading());
  };
}

function pageOf(request: Request, histories: LongHistories): Promise<string> {
  const show = (_: LedgerReader, entries: readonly number[]) => entries.join();
  return histories
    .page(begun(), show, request)
    .then((answer) => (answer instanceof Refused ? answer.fault.code : answer));
}

test("chain §10: a long history is listed page by page in its order, and so is a part of it", async () => {
  const expected = Array.from({ length: KINDS / 2 }, (_, place) => KINDS / 2 - place);
  for (const { query, type } of [
    { query: "limit=100", type: "token_reserve" },
    { query: "limit=100&type=tokenRegister", type: "tokenRegister" },
  ]) {
    const found: number[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const asked: string = `${path}?${query}${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const answer = await node.get(asked);
      assert.equal(said(answer), "200");
      const page: Page = parsed<Page>(answer);
      found.push(...page.items.filter((item) => item.type === type).map(({ token }) => token));
      cursor = page.cursor;
    }
    assert.deepEqual(found, expected, query);
  }
});

test("a long history is one CSV as any other", async () => {
  const answer = await node.get(`${path}?type=tokenRegister`, { Accept: "text/csv" });
  assert.equal(said(answer), "200");
  assert.equal(answer.text.trimEnd().split("\r\n").length, 1 + KINDS / 2);
});

test("a list as CSV waits for its next page while too many pages are waiting", async (t) => {
  const { longHistories } = node.running.service;
  const page = longHistories.page.bind(longHistories);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const others: Promise<string>[] = [];
  let pages = 0;
  const hasTooMany: LongHistories["page"] = async (search, show, asking) => {
    pages += 1;
    if (pages !== 2) {
      return await page(search, show, asking);
    }
    for (let place = 0; place < 9; place += 1) {
      const other = new Request(`client ${place}`, released);
      others.push(page(begun(), (_, entries) => entries.join(), other).then(String));
    }
    const refused = await page(search, show, asking);
    assert.ok(refused instanceof Refused);
    release();
    return refused;
  };
  t.mock.method(longHistories, "page", hasTooMany);
  const answer = await node.get(`${path}?type=tokenRegister`, { Accept: "text/csv" });
  assert.equal(answer.text.trimEnd().split("\r\n").length, 1 + KINDS / 2);
  assert.equal(new Set(await Promise.all(others)).size, 1);
});

test("conventions §2.3: the answer is as of the block that it names, whatever is written meanwhile", async () => {
  const answers: Promise<{ readonly id: string; readonly height: number }>[] = [];
  const other = await node.holder();
  for (let payments = 1; payments <= 5; payments += 1) {
    answers.push(
      fetch(`${node.url}${path}?limit=1`).then(async (response) => {
        const { items } = (await response.json()) as { readonly items: [{ readonly id: string }] };
        return { id: items[0].id, height: Number(response.headers.get("ledger-height")) };
      }),
    );
    const params = await node.transfer(owner, { to: other.address, amount: "1" });
    assert.equal(said(await node.post("/transfer", params)), "200");
  }
  const { items } = parsed<{
    readonly items: readonly { readonly id: string; readonly db_sn: string }[];
  }>(await node.get(path));
  for (const { id, height } of await Promise.all(answers)) {
    assert.equal(id, items.find(({ db_sn: block }) => Number(block) <= height)?.id);
  }
});

test("pages are searched one after the other, each in turns of 2,000 kinds", async () => {
  const histories = new LongHistories();
  const requests = [new Request("a"), new Request("b"), new Request("a")];
  const order: number[] = [];
  const pages = requests.map((request, place) =>
    pageOf(request, histories).finally(() => order.push(place)),
  );
  await nextTurn();
  assert.deepEqual(
    requests.map(({ turns }) => turns > 0),
    [true, false, false],
  );
  const texts = await Promise.all(pages);
  assert.equal(new Set(texts).size, 1);
  assert.deepEqual(order, [0, 1, 2]);
  // The first 2,000 were asked before, and the last turn reads the records.
  const turns = Math.ceil(KINDS / 2000);
  assert.deepEqual(
    requests.map((request) => request.turns),
    [turns, turns, turns],
  );
});

test("one page is searched at a time, eight wait, more are 9002, as are more than four of one client", async () => {
  const histories = new LongHistories();
  const results = await Promise.all(
    [..."aaaaabbbbcdd"].map((client) => pageOf(new Request(client), histories)),
  );
  const codes = results.map((result) => (result === "9002" ? "9002" : "made"));
  const [made, refused] = [Array(4).fill("made"), "9002"];
  assert.deepEqual(codes, [...made, refused, ...made, "made", refused, refused]);
  assert.notEqual(await pageOf(new Request(), histories), "9002");
});

test("a search ends when its client disconnects, and the next one begins", async () => {
  const histories = new LongHistories();
  const [left, next] = [new Request("a"), new Request("b")];
  const pages = [pageOf(left, histories), pageOf(next, histories)];
  left.socket.destroyed = true;
  const [first, second] = await Promise.all(pages);
  assert.deepEqual([first, left.turns], ["9002", 0]);
  assert.notEqual(second, "9002");
});
