import assert from "node:assert/strict";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { LedgerReader, LISTS } from "@moneta/ledger";
import { type AnyListRead, Refused, readTexts } from "@moneta/protocol";
import type { ExampleRequest } from "../clients/example-story.ts";
import { newKey, type Params, parsed, publicPem, summaryOf, type TestNode } from "../test-node.ts";
import { encoded } from "./encoded-request.ts";

// Each list over HTTP: the bounds of a page, its cursor, its headers, unknown values of filters,
// and that the page is the view's. Tests of the views (ledger/views/lists) show entries and order.
// Source: chain §10.

/** Well-formed values of filters that no entry of a ledger has. */
const UNKNOWN: Readonly<Record<string, string>> = {
  owner: "MT00000000000000000000000000000100e2eb14",
  creator: "MT00000000000000000000000000000100e2eb14",
  address: "MT00000000000000000000000000000100e2eb14",
  buyer: "MT00000000000000000000000000000100e2eb14",
  bidder: "MT00000000000000000000000000000100e2eb14",
  token: String(10n ** 40n),
  paytoken: "9007199254740993",
  basetoken: "999",
  targettoken: "999",
  symbol: "nonsense",
  category: "nonsense",
  groupid: "nonsense",
  publickey: publicPem(newKey()),
  id: `MRC400_${"0".repeat(33)}_${"0".repeat(40)}`,
  mrc400id: `MRC400_${"0".repeat(33)}`,
  mrc402id: `MRC402_${"0".repeat(33)}`,
  mrc040id: `MRC040_${"0".repeat(33)}`,
  since: "99999999999",
  until: "0",
};

/** Responses to unknown values of parameters that a list requires. */
const UNKNOWN_PLACES: Readonly<Record<string, string>> = {
  address: "404 3090 address",
  token: "404 4001 token",
  mrc402id: "404 6004 mrc402id",
  id: "404 6004 id",
  // Of a key whose addresses have no other.
  publickey: "200",
};

interface Page {
  readonly items: readonly unknown[];
  readonly cursor?: string;
}

/** Tests the list of each example of a list; `examples` are requests that were accepted. */
export async function testLists(
  context: TestContext,
  node: TestNode,
  examples: readonly ExampleRequest[],
): Promise<void> {
  const names = new Set(examples.map(({ operation }) => operation));
  assert.deepEqual(
    LISTS.map(({ read }) => read.name).filter((name) => !names.has(name)),
    [],
    "each list has an example",
  );
  const reader = new LedgerReader(join(node.data, "ledger.db"));
  const cursors = new Map<string, string>();
  const tests = LISTS.map(({ read }) => {
    const { params, route } = examples.find(
      ({ operation }) => operation === read.name,
    ) as ExampleRequest;
    const { limit: _, cursor: __, ...filters } = params;
    return { read, tested: new TestedList(node, { route, read, filters }) };
  });
  for (const { read, tested } of tests) {
    await context.test(`list ${read.name}`, async () => {
      await tested.testBounds();
      await tested.testHeaders();
      await tested.testUnknownValues();
      await tested.testView(reader);
      cursors.set(read.list, await tested.testCursor());
    });
  }
  await context.test("cursors of other lists", async () => {
    for (const { read, tested } of tests) {
      for (const [list, cursor] of cursors) {
        if (list !== read.list) {
          await tested.assertRefused({ cursor }, "400 3005 cursor");
        }
      }
    }
  });
  reader.dispose();
}

class TestedList {
  readonly #node: TestNode;
  readonly #route: string;
  readonly #read: AnyListRead;
  readonly #filters: Params;
  /** Parameters that a list requires, in the path or the query. */
  readonly #path: Params;

  constructor(
    node: TestNode,
    given: { readonly route: string; readonly read: AnyListRead; readonly filters: Params },
  ) {
    this.#node = node;
    this.#route = given.route;
    this.#read = given.read;
    this.#filters = given.filters;
    this.#path = Object.fromEntries(
      Object.entries(given.filters).filter(
        ([name]) =>
          given.route.includes(`{${name}}`) || given.read.parameters[name]?.optional === false,
      ),
    );
  }

  /** A page has 1 to 100 entries; empty parameters are absent. */
  async testBounds(): Promise<void> {
    for (const limit of ["0", "101", "x", "01"]) {
      await this.assertRefused({ limit }, "400 1101 limit");
    }
    for (const limit of ["1", "100"]) {
      assert.ok((await this.#page({ limit })).items.length > 0);
    }
    await this.#page({ limit: "", cursor: "" });
  }

  async testHeaders(): Promise<void> {
    const { headers } = await this.#send(this.#path);
    assert.match(headers.get("etag") ?? "", /^(W\/)?".+"$/);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("ledger-height"), String(await this.#node.height()));
  }

  /** A filter with a value that nothing has finds nothing; an unknown parameter of a path is 404. */
  async testUnknownValues(): Promise<void> {
    for (const [name, value] of Object.entries(UNKNOWN)) {
      if (this.#path[name] !== undefined) {
        const answer = await this.#send({ ...this.#path, [name]: value });
        assert.equal(summaryOf(answer), UNKNOWN_PLACES[name], name);
      } else if (name in this.#read.filters) {
        assert.deepEqual(await this.#page({ [name]: value }, this.#path), { items: [] }, name);
      }
    }
  }

  /** The page of a request without limit is that of the view, of 50 entries. */
  async testView(reader: LedgerReader): Promise<void> {
    const request = readTexts(this.#read, this.#filters);
    assert.ok(!(request instanceof Refused));
    const list = LISTS.find(({ read }) => read === this.#read);
    assert.ok(list !== undefined);
    reader.open(this.#node.now);
    const making = reader.lists.page(list, request.values, 50);
    let made = making.next();
    while (made.done !== true) {
      made = making.next();
    }
    reader.close();
    assert.ok(!(made.value instanceof Refused));
    const items = made.value.items.map((text) => JSON.parse(text));
    assert.ok(items.length > 0);
    assert.deepEqual((await this.#page({})).items, items);
  }

  /** Pages of one entry follow each other; a cursor serves its list and filters only. */
  async testCursor(): Promise<string> {
    const { items } = await this.#page({ limit: "3" }, this.#path);
    const paged: unknown[] = [];
    let cursor: string | undefined;
    let first: string | undefined;
    do {
      const page = await this.#page({ limit: "1", ...(cursor && { cursor }) }, this.#path);
      paged.push(...page.items);
      cursor = page.cursor;
      first ??= cursor;
    } while (cursor !== undefined && paged.length < items.length);
    assert.deepEqual(paged, items);
    // A list of one entry has no cursor.
    const [, last = "1", of = "00000000"] = first?.split(".") ?? [];
    const own = `${this.#read.list}.${last}.${of}`;
    const otherSum = of.startsWith("0") ? `1${of.slice(1)}` : `0${of.slice(1)}`;
    for (const wrong of [
      ...["x", "9".repeat(5000), `${own} `, `${own}0`, `${this.#read.list}.${last}`],
      ...[`${this.#read.list}..${of}`, `${this.#read.list}.${last}.${otherSum}`],
    ]) {
      await this.assertRefused({ cursor: wrong }, "400 3005 cursor");
    }
    const [filter] = Object.keys(this.#read.filters).filter(
      (name) => this.#path[name] === undefined && UNKNOWN[name] !== undefined,
    );
    if (first !== undefined && filter !== undefined) {
      const other = { cursor: first, [filter]: UNKNOWN[filter] as string };
      await this.assertRefused(other, "400 3005 cursor");
    }
    return own;
  }

  async assertRefused(query: Params, refused: string): Promise<void> {
    const [[name = "", text = ""] = []] = Object.entries(query);
    const answer = await this.#send({ ...this.#path, ...query });
    assert.equal(summaryOf(answer), refused, `${name} ${text.slice(0, 80)}`);
  }

  #send(params: Params): ReturnType<TestNode["request"]> {
    return this.#node.request(...encoded(this.#route, params, "query"));
  }

  async #page(query: Params, filters: Params = this.#filters): Promise<Page> {
    const answer = await this.#send({ ...filters, ...query });
    assert.equal(answer.status, 200, answer.text);
    return parsed<Page>(answer);
  }
}
