import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Address, Amount, Rate, TokenId } from "@moneta/protocol";
import fc from "fast-check";
import { TOKEN_LISTING, type TokenListing } from "../state/token-listing-entry.ts";
import { T, TestLedger } from "../testing/test-ledger.ts";
import { TokenListingView } from "./token-listings.ts";

/** What listings are found by. */
interface Traits {
  readonly side: "sell" | "buy" | "auction";
  readonly state: "open" | "sold" | "cancelled" | "failed";
  readonly token: TokenId;
  readonly payToken: TokenId;
  /** Which of the addresses. */
  readonly creator: number;
}
type Filters = { readonly [N in keyof Traits]: Traits[N] | undefined };

const SIDES = ["sell", "buy", "auction"] as const;
const STATES = ["open", "sold", "cancelled", "failed"] as const;
const TOKENS = ["0", "1", "12"].map((id) => id as TokenId);
const CREATORS = [0, 1, 2];

const traits: fc.Arbitrary<Traits> = fc.record({
  side: fc.constantFrom(...SIDES),
  state: fc.constantFrom(...STATES),
  token: fc.constantFrom(...TOKENS),
  payToken: fc.constantFrom(...TOKENS),
  creator: fc.constantFrom(...CREATORS),
});

/** Mostly without a filter, or nothing would pass them all. */
const filters: fc.Arbitrary<Filters> = fc.record({
  side: fc.option(fc.constantFrom(...SIDES), { nil: undefined, freq: 1 }),
  state: fc.option(fc.constantFrom(...STATES), { nil: undefined, freq: 1 }),
  token: fc.option(fc.constantFrom(...TOKENS), { nil: undefined, freq: 1 }),
  payToken: fc.option(fc.constantFrom(...TOKENS), { nil: undefined, freq: 1 }),
  creator: fc.option(fc.constantFrom(...CREATORS), { nil: undefined, freq: 1 }),
});
const NO_FILTERS: Filters = {
  side: undefined,
  state: undefined,
  token: undefined,
  payToken: undefined,
  creator: undefined,
};

let ledger: TestLedger;
let creators: readonly Address[];
let view: TokenListingView;
let listed = 0;

before(async () => {
  ledger = await TestLedger.begin();
  creators = await ledger.createAddresses(3);
  view = new TokenListingView(ledger.database);
});
after(() => ledger[Symbol.dispose]());
beforeEach(clear);

function clear(): void {
  ledger.database.exec("DELETE FROM token_listing");
}

/** Stores listings as one block would, and says their ids. */
function store(all: readonly Traits[]): string[] {
  const { state } = ledger.ledger;
  state.beginBlock({ height: 1, time: T });
  const ids = all.map((one) => {
    listed += 1;
    const id = `DEX010_${String(listed).padStart(33, "0")}`;
    state.put(TOKEN_LISTING, listingOf(id, one));
    return id;
  });
  state.acceptOperation();
  state.save();
  state.acceptBlock();
  return ids;
}

function listingOf(id: string, { creator, ...given }: Traits): TokenListing {
  const [one, none] = [1n as Amount, 0n as Amount];
  return {
    ...given,
    id,
    creator: creators[creator] as Address,
    ...{ taker: "", amount: one, remaining: one, unit: one, price: one, escrow: none },
    platform: { name: "", url: "", address: "", commission: 0n as Rate },
    ...{ listDate: T, sellDate: 0, cancelDate: 0, recordType: "mrc010_sell" as const },
    order: Number(id.slice("DEX010_".length)),
    auction: {
      ...{ startPrice: one, bidUnit: one, buyNowPrice: none, startDate: T, endDate: T },
      ...{ settleDate: 0, bidCount: 0, bid: undefined },
    },
  } as TokenListing;
}

function page(
  wanted: Filters,
  { before, limit = 100 }: { readonly before?: number | undefined; readonly limit?: number } = {},
): { readonly ids: string[]; readonly cursor: number | undefined } {
  const { creator, ...others } = wanted;
  const creatorNumber =
    creator === undefined
      ? undefined
      : ledger.ledger.state.address(creators[creator] as Address)?.number;
  const { items, cursor } = view.list({ ...others, creatorNumber, before, limit });
  return { ids: items.map((text) => (JSON.parse(text) as { dexid: string }).dexid), cursor };
}

/** What the view should list: those that pass, the newest first. */
function passing(all: readonly Traits[], ids: readonly string[], wanted: Filters): string[] {
  const names = Object.keys(wanted) as (keyof Traits)[];
  return ids
    .filter((_, index) =>
      names.every((name) => wanted[name] === undefined || all[index]?.[name] === wanted[name]),
    )
    .toReversed();
}

test("tokens §8: a list has just those that pass the filters, newest first, page by page, whatever is listed meanwhile", () =>
  fc.assert(
    fc.property(
      fc.array(traits, { maxLength: 40 }),
      filters,
      fc.integer({ min: 1, max: 8 }),
      fc.array(traits, { maxLength: 3 }),
      (all, wanted, limit, more) => {
        clear();
        const ids = store(all);
        const expected = passing(all, ids, wanted);
        const seen: string[] = [];
        let before: number | undefined;
        do {
          const { ids: items, cursor } = page(wanted, { before, limit });
          const rest = expected.length - seen.length;
          assert.equal(items.length, Math.min(limit, rest));
          assert.equal(cursor === undefined, rest <= limit);
          seen.push(...items);
          before = cursor;
          store(more);
        } while (before !== undefined);
        assert.deepEqual(seen, expected);
      },
    ),
    { numRuns: 150 },
  ));

test("tokens §8: a listing whose state changes meanwhile drops out or turns up, and shifts or repeats no other", () =>
  fc.assert(
    fc.property(
      fc.array(traits, { minLength: 1, maxLength: 20 }),
      filters,
      fc.nat(),
      fc.constantFrom(...STATES),
      (all, wanted, which, state) => {
        clear();
        const ids = store(all);
        const first = page(wanted, { limit: 3 });
        const changed = which % all.length;
        const after = all.map((one, index) => (index === changed ? { ...one, state } : one));
        const { state: ledgerState } = ledger.ledger;
        ledgerState.beginBlock({ height: 1, time: T });
        const id = ids[changed] as string;
        ledgerState.put(TOKEN_LISTING, listingOf(id, after[changed] as Traits));
        ledgerState.acceptOperation();
        ledgerState.save();
        ledgerState.acceptBlock();

        assert.deepEqual(page(wanted).ids, passing(after, ids, wanted));
        if (first.cursor !== undefined) {
          const last = ids.indexOf(first.ids.at(-1) as string);
          assert.deepEqual(
            page(wanted, { before: first.cursor }).ids,
            passing(after.slice(0, last), ids.slice(0, last), wanted),
          );
        }
      },
    ),
  ));

test("tokens §8: every combination of filters", () => {
  const all = SIDES.flatMap((side) =>
    STATES.flatMap((state) =>
      TOKENS.flatMap((token, index) =>
        CREATORS.map((creator) => {
          const payToken = TOKENS[(index + 1 + (creator % 2)) % 3] as TokenId;
          return { side, state, token, payToken, creator };
        }),
      ),
    ),
  );
  const ids = store(all);
  let combinations = 0;
  for (const side of [undefined, ...SIDES]) {
    for (const state of [undefined, ...STATES]) {
      for (const token of [undefined, ...TOKENS]) {
        for (const payToken of [undefined, ...TOKENS]) {
          for (const creator of [undefined, ...CREATORS]) {
            const wanted = { side, state, token, payToken, creator };
            assert.deepEqual(page(wanted, { limit: 1000 }).ids, passing(all, ids, wanted));
            combinations += 1;
          }
        }
      }
    }
  }
  assert.equal(combinations, 4 * 5 * 4 * 4 * 4);
});

for (const { what, wanted } of [
  { what: "a token that no listing is of", wanted: { token: "99" as TokenId } },
  { what: "a token of 41 digits", wanted: { token: `1${"0".repeat(40)}` as TokenId } },
  { what: "a token that rounds to another", wanted: { payToken: "9007199254740993" as TokenId } },
]) {
  test(`tokens §8: nothing is found by ${what}`, () => {
    store([
      { side: "sell", state: "open", token: "12" as TokenId, payToken: "0" as TokenId, creator: 0 },
    ]);
    assert.deepEqual(page({ ...NO_FILTERS, ...wanted }), { ids: [], cursor: undefined });
    assert.equal(page(NO_FILTERS).ids.length, 1);
  });
}
