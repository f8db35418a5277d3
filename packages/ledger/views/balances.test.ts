import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address, BalanceCursor, TokenId } from "@moneta/protocol";
import type { BalanceEntry } from "../state/balances/balances.ts";
import { listNamed, listPage, listPages } from "../testing/list-pages.ts";
import { T, TestLedger } from "../testing/test-ledger.ts";
import type { Page } from "./balances.ts";
import { ListView } from "./lists/list-view.ts";

const DATE = 1767312000;

/**
 * An address with 5 of token 10, 3 of token 9 locked, 4 of 9 free and nothing of 0, on a ledger
 * that has token 8 too.
 */
async function start(): Promise<{
  readonly ledger: TestLedger;
  list(options?: {
    readonly token?: string;
    readonly after?: readonly [string, number];
    readonly limit?: number;
  }): Page<BalanceEntry>;
}> {
  const ledger = await TestLedger.begin();
  const [owner] = (await ledger.createAddresses(1)) as [Address];
  ledger.give(owner, "10", [{ amount: "5" }]);
  ledger.give(owner, "9", [{ amount: "3", unlockDate: DATE }, { amount: "4" }]);
  ledger.give(owner, "8", []);
  return {
    ledger,
    list: ({ token, after, limit = 10000 } = {}) =>
      ledger.reading(() =>
        ledger.reader.balances.list({
          addressNumber: ledger.reader.state.address(owner)?.number as number,
          ...(token === undefined ? {} : { token: token as TokenId }),
          after: after && { token: after[0] as TokenId, unlockDate: after[1] },
          limit,
          at: ledger.reader.timeAt(ledger.now),
        }),
      ),
  };
}

const NOTHING = { token: "0", balance: "0", unlockdate: 0 };
const NINE_FREE = { token: "9", balance: "4", unlockdate: 0 };
const NINE_LOCKED = { token: "9", balance: "3", unlockdate: DATE };
const TEN = { token: "10", balance: "5", unlockdate: 0 };

test("accounts §9: a new address", async () => {
  using ledger = await TestLedger.begin();
  const [created] = (await ledger.createAddresses(1)) as [Address];
  assert.deepEqual(ledger.balances(created), [NOTHING]);
});

for (const { row, options, items, hasMore = false } of [
  { row: "2", options: {}, items: [NOTHING, NINE_FREE, NINE_LOCKED, TEN] },
  { row: "3", options: { token: "9" }, items: [NINE_FREE, NINE_LOCKED] },
  { row: "3", options: { token: "8" }, items: [{ token: "8", balance: "0", unlockdate: 0 }] },
  { row: "3", options: { token: "0" }, items: [NOTHING] },
  { row: "5", options: { limit: 2 }, items: [NOTHING, NINE_FREE], hasMore: true },
  { row: "5", options: { limit: 2, after: ["9", 0] }, items: [NINE_LOCKED, TEN] },
  { row: "5", options: { limit: 1 }, items: [NOTHING], hasMore: true },
  { row: "5", options: { limit: 1, after: ["0", 0] }, items: [NINE_FREE], hasMore: true },
  { row: "5", options: { limit: 1, after: ["9", 0] }, items: [NINE_LOCKED], hasMore: true },
  { row: "5", options: { limit: 1, after: ["9", DATE] }, items: [TEN] },
  { row: "5", options: { limit: 1, after: ["10", 0] }, items: [] },
  { row: "5", options: { limit: 4 }, items: [NOTHING, NINE_FREE, NINE_LOCKED, TEN] },
  { row: "5", options: { token: "9", limit: 1 }, items: [NINE_FREE], hasMore: true },
  { row: "5", options: { token: "9", limit: 1, after: ["9", 0] }, items: [NINE_LOCKED] },
  { row: "5", options: { token: "9", after: ["10", 0] }, items: [] },
  { row: "5", options: { token: "9", after: ["8", 0] }, items: [NINE_FREE, NINE_LOCKED] },
  { row: "5", options: { after: [`1${"0".repeat(40)}`, 0] }, items: [] },
] as const) {
  test(`accounts §9 row ${row}: ${JSON.stringify(options)}`, async () => {
    const { ledger, list } = await start();
    using _ = ledger;
    assert.deepEqual(list(options), { items, hasMore });
  });
}

test("accounts §8 row 3: a locked amount shows as free from its date on, without any operation", async () => {
  const { ledger, list } = await start();
  using _ = ledger;
  ledger.now = DATE - 1;
  assert.deepEqual(list({ token: "9" }).items, [NINE_FREE, NINE_LOCKED]);
  ledger.now = DATE;
  assert.deepEqual(list({ token: "9" }).items, [{ token: "9", balance: "7", unlockdate: 0 }]);
});

test("accounts §9: a page after an entry that has matured meanwhile continues behind it", async () => {
  const { ledger, list } = await start();
  using _ = ledger;
  ledger.now = DATE;
  assert.deepEqual(list({ after: ["9", DATE], limit: 1 }), { items: [TEN], hasMore: false });
  assert.deepEqual(list({ after: ["9", 0], limit: 1 }), { items: [TEN], hasMore: false });
});

test("accounts §9: tokens are in the order of numbers, locked amounts in that of their dates", async () => {
  using ledger = await TestLedger.begin();
  const [owner] = (await ledger.createAddresses(1)) as [Address];
  for (const token of ["100", "20", "3"]) {
    ledger.give(owner, token, [
      { amount: "2", unlockDate: T + 1000 },
      { amount: "1", unlockDate: T + 999 },
    ]);
  }
  const entries = ledger.reading(() =>
    ledger.reader.balances.list({
      addressNumber: ledger.reader.state.address(owner)?.number as number,
      after: undefined,
      limit: 100,
      at: T,
    }),
  );
  assert.deepEqual(
    entries.items.map(({ token, unlockdate }) => [token, unlockdate && unlockdate - T]),
    [
      ["0", 0],
      ...["3", "20", "100"].flatMap((token) => [
        [token, 999],
        [token, 1000],
      ]),
    ],
  );
});

test("every page of any length leads to all entries, once each", async () => {
  const { ledger, list } = await start();
  using _ = ledger;
  for (const limit of [1, 2, 3]) {
    const seen: BalanceEntry[] = [];
    let more = true;
    for (let pages = 0; more && pages < 10; pages += 1) {
      const last = seen.at(-1);
      const page = list({ limit, ...(last && { after: [last.token, last.unlockdate] as const }) });
      seen.push(...page.items);
      more = page.hasMore;
    }
    assert.deepEqual(seen, [NOTHING, NINE_FREE, NINE_LOCKED, TEN]);
  }
});

test("accounts §9: a page ends before the next token once it has added up 10,000 matured amounts, and the next one continues", async () => {
  using ledger = await TestLedger.begin();
  const [owner] = (await ledger.createAddresses(1)) as [Address];
  const locks = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ amount: "1", unlockDate: T + 1 + index }));
  ledger.give(owner, "3", [{ amount: "5" }, ...locks(10_000)]);
  ledger.give(owner, "4", locks(2));
  ledger.give(owner, "5", [{ amount: "6" }]);
  ledger.now = T + 10_000;
  const list = (after: BalanceCursor | undefined) =>
    ledger.reading(() => {
      const addressNumber = ledger.reader.state.address(owner)?.number as number;
      return ledger.reader.balances.list({ addressNumber, after, limit: 100, at: ledger.now });
    });
  const three = { token: "3", balance: "10005", unlockdate: 0 };
  assert.deepEqual(list(undefined), { items: [NOTHING, three], hasMore: true });
  assert.deepEqual(list({ token: "3" as TokenId, unlockDate: 0 }), {
    items: [
      { token: "4", balance: "2", unlockdate: 0 },
      { token: "5", balance: "6", unlockdate: 0 },
    ],
    hasMore: false,
  });
});

test("tokens §2: a page of holders adds matured amounts to what is free, and ends once it has added up 10,000", async () => {
  using ledger = await TestLedger.begin();
  const [a, b, c] = (await ledger.createAddresses(3)) as [Address, Address, Address];
  const locks = Array.from({ length: 10_000 }, (_, index) => ({
    ...{ amount: "1", unlockDate: T + 1 + index },
  }));
  ledger.give(a, "3", [{ amount: "5" }, { amount: "7", unlockDate: T + 2 }]);
  ledger.give(b, "3", locks);
  ledger.give(c, "3", [{ amount: "6" }]);
  const holders = (at: number, cursor?: string) => {
    ledger.now = at;
    const query = { token: "3", limit: "100", ...(cursor && { cursor }) };
    return listPage(ledger, listNamed("tokenHolders"), query);
  };
  const [six, seven] = [
    { address: c, balance: "6", locked: "0" },
    { address: a, balance: "5", locked: "7" },
  ];
  assert.deepEqual(holders(T + 1), {
    items: [six, { address: b, balance: "1", locked: "9999" }, seven],
    cursor: undefined,
  });
  const { items, cursor } = holders(T + 10_000);
  assert.deepEqual(items, [six, { address: b, balance: "10000", locked: "0" }]);
  assert.deepEqual(holders(T + 10_000, cursor), {
    items: [{ address: a, balance: "12", locked: "0" }],
    cursor: undefined,
  });
});

test("tokens §2: holders by balance are the largest first, of two alike the newer, in pages of any length; those of a magnitude that are too many are not sorted", async () => {
  using ledger = await TestLedger.begin();
  const addresses = await ledger.createAddresses(12);
  const amounts = [7, 100, 90, 199, 101, 100, 1000, 150, 99, 9, 140, 10 ** 12].map(String);
  for (const [index, address] of addresses.entries()) {
    const amount = amounts[index] as string;
    ledger.give(address, "3", [{ amount: "1" }]);
    // From its first magnitude to the last one; a part of some is locked.
    const unlockDate = index % 3 === 0 ? T + 1 : 0;
    ledger.give(address, "3", [{ amount: String(Number(amount) - 1), unlockDate }]);
  }
  const by = (
    lists: ListView,
    limit: number,
  ): readonly { readonly address: Address; readonly amount: number }[] =>
    listPages(
      ledger,
      listNamed("tokenHolders"),
      { token: "3", order: "balance", limit: String(limit) },
      lists,
    )
      .flat()
      .map(({ address, balance, locked }) => ({
        address: address as Address,
        amount: Number(balance) + Number(locked),
      }));
  const newest = addresses.toReversed();
  const all = newest.map((address) => ({
    address,
    amount: Number(amounts[addresses.indexOf(address)]),
  }));
  const ranked = all.toSorted((one, two) => two.amount - one.amount);
  const few = new ListView(ledger.database, ledger.reader, { sortedMax: 5 });
  // 100 to 199 are of one magnitude.
  const isHundred = (amount: number) => amount >= 100 && amount < 200;
  const roughly = [
    ...ranked.filter(({ amount }) => amount >= 200),
    ...all.filter(({ amount }) => isHundred(amount)),
    ...ranked.filter(({ amount }) => amount < 100),
  ];
  for (const limit of [1, 2, 5, 100]) {
    assert.deepEqual(by(ledger.reader.lists, limit), ranked, `by ${limit}`);
    assert.deepEqual(by(few, limit), roughly, `by ${limit}, unsorted`);
  }
});
