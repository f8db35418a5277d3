import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { LedgerReader } from "@moneta/ledger";
import { type Address, Refused } from "@moneta/protocol";
import { IS_LAST_LANE, someCases } from "../../../ledger/testing/lane.ts";
import { type ReadingPerTurn, readingPerTurn } from "../../reading-per-turn.ts";
import { growAskedTokens } from "../../testing/many-asked-tokens.ts";
import { type KeyHolder, parsed, START, summaryOf, TestNode } from "../../testing/test-node.ts";
import { jsonText } from "../responses/answer.ts";
import { LongPages } from "./long-pages.ts";

// Pages of items that are on sale for more tokens than one event-loop turn may ask.

const ASKED_TOKENS = 4100;
/** Of the pages that are made for tests. */
const TURNS = 3;
/** The page that is being made, and those that wait. */
const PLACES = 33;

interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly cursor?: string;
}

let node: TestNode;
let owner: KeyHolder;
let seller: KeyHolder;
let project: string;
let path: string;
let reader: LedgerReader;
let reading: ReadingPerTurn["reading"];
let pages: LongPages;
before(async () => {
  node = await TestNode.start();
  owner = await node.holder({ coins: 100n });
  seller = await node.holder();
  path = `/address/${owner.address}/transactions`;
  await node.stop();
  project = await growAskedTokens(node.data, seller.address as Address, ASKED_TOKENS);
  await node.resume();
  const file = join(node.data, "ledger.db");
  reader = new LedgerReader(file);
  ({ reading } = readingPerTurn(
    reader,
    () => START,
    () => -1,
  ));
  pages = new LongPages(file, () => START);
});
after(async () => {
  await nextTurn();
  pages.dispose();
  reader.dispose();
  await node[Symbol.asyncDispose]();
});

/** The items of the first so many pages. */
async function itemsOf(asked: string, pagesMax: number): Promise<Page["items"]> {
  const found: Page["items"][number][] = [];
  let cursor: string | undefined = "";
  for (let number = 0; number < pagesMax && cursor !== undefined; number += 1) {
    const answer = await node.get(`${asked}${cursor === "" ? "" : `&cursor=${cursor}`}`);
    assert.equal(summaryOf(answer), "200", asked);
    const page: Page = parsed<Page>(answer);
    found.push(...page.items);
    cursor = page.cursor;
  }
  return found;
}

/** A page of the newest transaction, which takes some turns. */
function* newest(
  from: LedgerReader,
  turns: number = TURNS,
): Generator<undefined, ReturnType<typeof jsonText>> {
  for (let turn = 1; turn < turns; turn += 1) {
    yield;
  }
  return jsonText(String(from.size));
}

/** A request of a client, which counts its event-loop turns. */
class Request {
  readonly name: string;
  readonly socket = { destroyed: false };
  turns = 0;

  readonly #allowed: Promise<void>;

  /** Its turns come once `allowed` has resolved. */
  constructor(name = "a", allowed: Promise<void> = Promise.resolve()) {
    this.name = name;
    this.#allowed = allowed;
  }

  readonly client = (): string => this.name;

  readonly later = async <T>(part: (reader: LedgerReader) => T): Promise<T> => {
    this.turns += 1;
    await this.#allowed;
    await nextTurn();
    return part(reading());
  };
}

let lists = 0;

/** A list that no other test requests. */
function ownList(): { readonly list: string; readonly values: object } {
  lists += 1;
  return { list: `list ${lists}`, values: {} };
}

async function pageOf(request: Request, asked = ownList(), own = pages): Promise<string> {
  const answer = await own.answer(asked, newest, reading(), request);
  return answer instanceof Refused ? answer.fault.code : String(answer.body);
}

test("chain §10: items on sale for more tokens than one turn may ask are listed page by page in their order, of a project, an address and all", async () => {
  const first = 1;
  const expected = Array.from(
    { length: ASKED_TOKENS },
    (_, place) => `${first + ASKED_TOKENS - 1 - place}`,
  );
  // The second page continues the first one; all pages of one list show that it ends.
  const some = IS_LAST_LANE ? Number.POSITIVE_INFINITY : 2;
  const paged = (pagesMax: number): readonly string[] => expected.slice(0, pagesMax * 100);
  for (const { query, pagesMax } of someCases(
    [
      { query: `mrc400id=${project}&state=sale`, pagesMax: Number.POSITIVE_INFINITY },
      { query: "state=sale", pagesMax: some },
      { query: `owner=${seller.address}&state=sale`, pagesMax: some },
    ],
    2,
  )) {
    const found = await itemsOf(`/mrc401?limit=100&${query}`, pagesMax);
    assert.deepEqual(
      found.map((item) => item["sell_token"]),
      paged(pagesMax),
      query,
    );
  }
});

test("items on sale for many tokens are one CSV, which waits for its next page while too many pages are waiting", async (t) => {
  const { longPages } = node.running.service;
  const page = longPages.answer.bind(longPages);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const others: Promise<unknown>[] = [];
  let asked = 0;
  const hasTooMany: LongPages["answer"] = async (list, make, from, request) => {
    asked += 1;
    if (asked !== 2) {
      return await page(list, make, from, request);
    }
    for (let place = 0; place < PLACES; place += 1) {
      const other = page(ownList(), newest, reading(), new Request(`client ${place}`, released));
      others.push(Promise.resolve(other).then((made) => made instanceof Refused));
    }
    // Without a place it is refused at once. One that waited would wait for `release`.
    const refused = page(list, make, reading(), request);
    release();
    assert.ok(refused instanceof Refused, "the CSV's next page has found a place");
    return refused;
  };
  t.mock.method(longPages, "answer", hasTooMany);
  const answer = await node.get(`/mrc401?mrc400id=${project}&state=sale`, { Accept: "text/csv" });
  assert.equal(answer.text.trimEnd().split("\r\n").length, 1 + ASKED_TOKENS);
  assert.deepEqual(await Promise.all(others), Array(PLACES).fill(false));
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
    assert.equal(summaryOf(await node.post("/transfer", params)), "200");
  }
  const { items } = parsed<Page>(await node.get(path));
  for (const { id, height } of await Promise.all(answers)) {
    assert.equal(id, items.find(({ db_sn: block }) => Number(block) <= height)?.["id"]);
  }
});

test("a page is of the block at which its first turn began, whatever is written between its turns", async () => {
  const other = await node.holder();
  const seen: number[] = [];
  function* heights(from: LedgerReader): Generator<undefined, ReturnType<typeof jsonText>> {
    for (let turn = 0; turn < 3; turn += 1) {
      seen.push(from.placeOf(from.size - 1).height);
      yield;
    }
    return jsonText("done");
  }
  const request = new Request();
  const writes = async <T>(part: (reader: LedgerReader) => T): Promise<T> => {
    const made = await request.later(part);
    const params = await node.transfer(owner, { to: other.address, amount: "1" });
    assert.equal(summaryOf(await node.post("/transfer", params)), "200");
    return made;
  };
  const before = await node.height();
  const answer = await pages.answer(ownList(), heights, reading(), {
    ...{ client: request.client, socket: request.socket, later: writes },
  });
  assert.ok(!(answer instanceof Refused));
  assert.deepEqual([answer.height, ...seen], [before, before, before, before, before]);
  const asOf = await pages.answer(
    ownList(),
    function* () {
      yield;
      return { ...jsonText("done"), height: 1 };
    },
    reading(),
    request,
  );
  assert.equal(Reflect.get(asOf, "height"), 1, "the block that a page names itself");
  assert.ok((await node.height()) > before);
});

test("pages are made one after the other, each in its turns", async () => {
  const requests = [new Request("a"), new Request("b"), new Request("a")];
  const own = new LongPages(join(node.data, "ledger.db"), () => START);
  const order: number[] = [];
  const made = requests.map((request, place) =>
    pageOf(request, ownList(), own).finally(() => order.push(place)),
  );
  await nextTurn();
  assert.deepEqual(
    requests.map(({ turns }) => turns > 0),
    [true, false, false],
  );
  const texts = await Promise.all(made);
  assert.equal(new Set(texts).size, 1);
  assert.deepEqual(order, [0, 1, 2]);
  assert.deepEqual(
    requests.map((request) => request.turns),
    [TURNS, TURNS, TURNS],
  );
  own.dispose();
});

test("between two pages no snapshot is open for as long as the first one had its own, so that the log of changes is reused", async () => {
  const own = new LongPages(join(node.data, "ledger.db"), () => START);
  const turns: number[] = [];
  const slow = new Request();
  const later = async <T>(part: (reader: LedgerReader) => T): Promise<T> => {
    await delay(20);
    turns.push(performance.now());
    return await slow.later(part);
  };
  const { client, socket } = slow;
  const page = (): Promise<unknown> =>
    Promise.resolve(own.answer(ownList(), newest, reading(), { client, socket, later }));
  await Promise.all([page(), page()]);
  const half = turns.length / 2;
  const [first = 0, last = 0, next = 0] = [turns[0], turns[half - 1], turns[half]];
  assert.ok(next - last >= last - first, turns.join());
  own.dispose();
});

test("one page is made at a time, 32 wait, more are 9002, as are more than 16 of one client", async () => {
  const clients = [..."a".repeat(17), ..."b".repeat(16), ..."cdd"];
  const results = await Promise.all(clients.map((client) => pageOf(new Request(client))));
  const codes = results.map((result) => (result === "9002" ? "9002" : "made"));
  const [made, refused] = [Array(16).fill("made"), "9002"];
  assert.deepEqual(codes, [...made, refused, ...made, "made", refused, refused]);
  assert.notEqual(await pageOf(new Request()), "9002");
});

test("a request for a waiting page shares it, and one for a begun page gets another", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const first = pageOf(new Request("a", released));
  const asked = ownList();
  const waiting = new Request("b");
  const shared = [pageOf(waiting, asked), pageOf(new Request("c"), asked)];
  // No more of a client than half of all would be made.
  for (let more = 0; more < 50; more += 1) {
    shared.push(pageOf(new Request("c"), asked));
  }
  release();
  await first;
  await nextTurn();
  const after = new Request("d");
  const another = pageOf(after, asked);
  const texts = new Set(await Promise.all(shared));
  assert.deepEqual([texts.size, waiting.turns], [1, TURNS]);
  assert.deepEqual(new Set([await another]), texts);
  assert.equal(after.turns, waiting.turns);
});

test("a page that is made in one turn waits for no other", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const long = pageOf(new Request("a", released));
  const make = (from: LedgerReader) => newest(from, 1);
  const answer = pages.answer(ownList(), make, reading(), new Request());
  release();
  assert.ok(!(answer instanceof Promise) && !(answer instanceof Refused));
  assert.notEqual(answer.body, "");
  assert.notEqual(await long, "9002");
});

test("a page ends when all its clients have disconnected, and the next one begins", async () => {
  const [left, gone, stays] = [new Request("a"), new Request("b"), new Request("c")];
  const asked = ownList();
  const made = [pageOf(left), pageOf(gone, asked), pageOf(stays, asked)];
  left.socket.destroyed = true;
  gone.socket.destroyed = true;
  const [first, ...others] = await Promise.all(made);
  assert.deepEqual([first, left.turns], ["9002", 0]);
  assert.ok(!others.includes("9002"));
});

test("a page that fails leaves no snapshot open, and the next one is made", async () => {
  function* fails(): Generator<undefined, never> {
    yield;
    throw new Error("a damaged page");
  }
  const failing = new Request();
  const failed = async (): Promise<unknown> =>
    await pages.answer(ownList(), fails, reading(), failing);
  await assert.rejects(failed, /a damaged page/);
  const before = await node.height();
  const other = await node.holder();
  const params = await node.transfer(owner, { to: other.address, amount: "1" });
  assert.equal(summaryOf(await node.post("/transfer", params)), "200");
  const answer = await pages.answer(ownList(), newest, reading(), new Request());
  assert.ok(!(answer instanceof Refused) && (answer.height ?? 0) > before);
});
