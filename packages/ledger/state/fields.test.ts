import assert from "node:assert/strict";
import { test } from "node:test";
import { type Amount, canonicalJson, type Json } from "@moneta/protocol";
import fc from "fast-check";
import {
  amount,
  caseOf,
  converted,
  form,
  joined,
  number,
  object,
  oneOf,
  optional,
  stored,
  text,
} from "./fields.ts";

interface Sale {
  readonly side: "sale";
  readonly price: Amount;
}
interface Auction {
  readonly side: "auction";
  readonly end: number;
  readonly bid: { readonly by: string; readonly price: Amount } | undefined;
}
interface Entry {
  readonly name: string;
  readonly count: number;
  readonly shares: readonly string[];
  readonly listing: Sale | Auction;
}
interface Details {
  readonly url: string;
}

const ENTRY = form(
  object<Entry>({
    name: text("name"),
    count: stored(number("count")),
    shares: stored(
      converted("shares", { write: (shares) => shares, read: (json) => json as string[] }),
    ),
    listing: oneOf<"side", Sale | Auction>(
      "side",
      {
        sale: object<Sale>({ side: caseOf("sale", "side"), price: amount("price") }),
        auction: object<Auction>({
          side: caseOf("auction", "side"),
          end: number("end"),
          bid: optional(
            object<{ by: string; price: Amount }>({ by: text("bidder"), price: amount("price") }),
            (from) => from["bidder"] !== "",
          ),
        }),
      },
      (from) => from["side"] as "sale" | "auction",
    ),
  }),
  { shared: ({ shares }) => Object.fromEntries(shares.map((name) => [name, 1])) },
);
const BOTH = joined(ENTRY, form(object<Details>({ url: text("url") })));

const few = fc.constantFrom("", "a", "b");
const price = fc.bigInt({ min: 0n, max: 2n }) as fc.Arbitrary<Amount>;
const entry: fc.Arbitrary<Entry & Details> = fc.record({
  name: few,
  url: few,
  count: fc.nat({ max: 2 }),
  shares: fc.subarray(["a", "b"]),
  listing: fc.oneof(
    fc.record({ side: fc.constant("sale" as const), price }),
    fc.record({
      side: fc.constant("auction" as const),
      end: fc.nat({ max: 2 }),
      bid: fc.option(fc.record({ by: few, price }), { nil: undefined }),
    }),
  ),
});

test("changes are the shown members whose JSON differs, and entries without any are the same", () =>
  fc.assert(
    fc.property(entry, entry, fc.boolean(), (before, other, keepsListing) => {
      const after = keepsListing ? { ...other, listing: before.listing } : other;
      const [earlier, later] = [BOTH.json(before), BOTH.json(after)];
      const changed = Object.entries(later).filter(
        ([name, value]) => canonicalJson(value) !== canonicalJson(earlier[name] as Json),
      );
      assert.deepEqual(BOTH.changes(before, after), Object.fromEntries(changed));
      assert.equal(BOTH.isSame(before, after), changed.length === 0);
    }),
    { numRuns: 1000 },
  ));
