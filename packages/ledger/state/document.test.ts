import assert from "node:assert/strict";
import { test } from "node:test";
import {
  canonicalJson,
  heldUnits,
  type Json,
  type JsonRecord,
  type Schema,
  shownItem,
  shownLevel,
  shownOrder,
  shownPolicy,
  shownProject,
  shownSeal,
  shownToken,
  shownTokenListing,
  shownUnitItem,
  shownUnitListing,
} from "@moneta/protocol";
import fc from "fast-check";
import { type DocumentKind, PROTOCOL } from "./entries.ts";
import { ITEM } from "./item-entry.ts";
import { LongTexts } from "./long-texts.ts";
import { LEVEL, ORDER, PENDING } from "./order-entry.ts";
import { POLICY, PROJECT } from "./project-entry.ts";
import { SEAL } from "./seal-entry.ts";
import { DRAFT, TOKEN } from "./token-entry.ts";
import { TOKEN_LISTING } from "./token-listing-entry.ts";
import { HOLDING } from "./units/holding-entry.ts";
import { UNIT_ITEM } from "./units/unit-item-entry.ts";
import { UNIT_LISTING } from "./units/unit-listing-entry.ts";

const text = fc.string({ unit: "grapheme" });
/** `JSON.parse` makes each of these a member like any other. */
const names = fc.oneof(text, fc.constantFrom("__proto__", "constructor", "10", "9"));
const integer = fc.bigInt(0n, 10n ** 40n);
const number = fc.nat();
const place = fc.option(number, { nil: undefined });

/** Any value that the ledger holds for a schema. */
function held(schema: Schema): fc.Arbitrary<unknown> {
  const { enum: words, format, type, items, additionalProperties, properties, pattern } = schema;
  if (words !== undefined) {
    return fc.constantFrom(...(words as string[]));
  }
  if (format === "amount") {
    return String(pattern).startsWith("^(|") ? fc.oneof(fc.constant(""), integer) : integer;
  }
  if (format === "rate") {
    return fc.bigInt(0n, 999_999n);
  }
  if (format === "token-id") {
    return fc.nat().map(String);
  }
  if (items !== undefined) {
    return fc.array(held(items as Schema), { maxLength: 3 });
  }
  if (additionalProperties !== undefined) {
    const members = fc.array(fc.tuple(names, held(additionalProperties as Schema)));
    return members.map(Object.fromEntries);
  }
  if (properties !== undefined) {
    const members = Object.entries(properties as { readonly [name: string]: Schema });
    return record(Object.fromEntries(members.map(([name, member]) => [name, held(member)])));
  }
  return type === "object" ? fc.constant({}) : type === "integer" ? number : text;
}

/** Objects as they are by nature. */
function record(model: { readonly [name: string]: fc.Arbitrary<unknown> }) {
  return fc.record(model, { noNullPrototype: true });
}

interface Described {
  readonly kind: DocumentKind<never>;
  readonly schema: Schema;
  /** Members that are not committed to, because they follow from other entries. */
  readonly derived?: readonly string[];
  readonly longTexts?: readonly string[];
  readonly beside?: { readonly [name: string]: fc.Arbitrary<unknown> };
}

const order = number;
const UNIT_ITEM_DERIVED = [
  "policy",
  ...["owner", "holders", "reserve", "initial_reserve", "initial_token"],
  ...["sell_count", "sell_date", "sell_price", "sell_token", "sell_dexid"],
  ...["auction_count", "auction_date", "auction_end", "auction_token", "auction_dexid"],
  ...["auction_bidding_unit", "auction_start_price", "auction_buynow_price"],
  ...["auction_current_price", "auction_current_bidder"],
  ...["sell_start", "sell_end", "auction_extend", "auction_latest_end"],
];

const KINDS: readonly Described[] = [
  { kind: SEAL, schema: shownSeal.schema, beside: { order } },
  { kind: ORDER, schema: shownOrder.schema, beside: { order } },
  { kind: LEVEL, schema: shownLevel.schema, beside: { line: text, rank: text } },
  {
    kind: HOLDING,
    schema: heldUnits.schema,
    beside: { address: text, item: text, projectOrder: place, itemOrder: number },
  },
  { kind: TOKEN_LISTING, schema: shownTokenListing.schema, beside: { order } },
  {
    kind: UNIT_LISTING,
    schema: shownUnitListing.schema,
    beside: { itemOrder: number, projectOrder: place, order },
  },
  {
    kind: ITEM,
    schema: shownItem.schema,
    derived: ["holder", "melting_fee", "policy"],
    beside: { projectOrder: number, projectOwner: text, groupedSince: number, order },
  },
  { kind: POLICY, schema: shownPolicy.schema, beside: { mrc400: text, number } },
  {
    kind: PROJECT,
    schema: shownProject.schema,
    derived: ["policy"],
    longTexts: ["description", "data", "socialmedia"],
    beside: { order },
  },
  {
    kind: TOKEN,
    schema: shownToken.schema,
    derived: ["circulation_supply", "remainamount"],
    longTexts: ["information", "image", "reserve", "tier"],
  },
  {
    kind: UNIT_ITEM,
    schema: shownUnitItem.schema,
    derived: UNIT_ITEM_DERIVED,
    longTexts: ["description", "data", "information", "socialmedia"],
    beside: {
      ...{ textsLength: number, projectOrder: place, projectOwner: text, holders: number },
      ...{ hasChangedHands: fc.boolean(), openSales: number, openAuctions: number, order },
      shareholderOrder: text,
    },
  },
] as unknown as readonly Described[];

/** Entries of a kind. */
function entries({ schema, derived = [], longTexts = [], beside = {} }: Described) {
  const members = Object.entries(schema["properties"] as { readonly [name: string]: Schema });
  const committed = members.filter(([name]) => !derived.includes(name));
  const models = (isLong: boolean) =>
    committed.flatMap(([name, member]) =>
      longTexts.includes(name) === isLong ? [[name, held(member)] as const] : [],
    );
  const own = record({ ...Object.fromEntries(models(false)), ...beside });
  const texts = record(Object.fromEntries(models(true)));
  return longTexts.length === 0
    ? own
    : fc.tuple(own, texts).map(([entry, all]) => ({ ...entry, texts: LongTexts.of(all) }));
}

type Kind = DocumentKind<object>;

/** An entry as its rows bring it back. */
function restored(kind: Kind, entry: object): { readonly texts?: LongTexts<object> } {
  const { longTexts } = kind.table;
  const document =
    longTexts === undefined
      ? canonicalJson(kind.entry?.(entry) ?? kind.json(entry))
      : JSON.stringify(kind.withoutTexts?.(entry));
  const beside = JSON.stringify(kind.beside?.(entry) ?? null);
  return kind.restore(JSON.parse(document), JSON.parse(beside), () =>
    JSON.parse(JSON.stringify(longTexts?.json(entry))),
  );
}

/** The document with the members that it leaves out. */
function whole(kind: Kind, entry: object): JsonRecord {
  return (kind.jsonWithDefaults?.(entry) ?? kind.json(entry)) as JsonRecord;
}

for (const described of KINDS) {
  const kind = described.kind as unknown as Kind;
  const { name } = kind.table;
  const all = entries(described);

  test(`an entry of ${name} that is stored and restored is the same`, () =>
    fc.assert(
      fc.property(all, (entry: { readonly texts?: LongTexts<object> }) => {
        const again = restored(kind, entry);
        assert.deepEqual(again, entry);
        assert.deepEqual(again.texts?.read(), entry.texts?.read());
      }),
    ));

  test(`chain §5: the document of ${name} has every member of its schema that follows from no other entry, but for defaults`, () =>
    fc.assert(
      fc.property(all, (entry) => {
        const { properties } = described.schema as { readonly properties: JsonRecord };
        const wanted = Object.keys(properties).filter(
          (member) => !(described.derived ?? []).includes(member),
        );
        const json = whole(kind, entry);
        assert.deepEqual(Object.keys(json).sort(), wanted.sort());
        const stored = kind.json(entry) as JsonRecord;
        assert.deepEqual({ ...json, ...stored }, json, "it leaves out some, and changes none");
        for (const [member, value] of Object.entries(json)) {
          const { type } = properties[member] as { readonly type: string };
          const is = Array.isArray(value) ? "array" : typeof value;
          assert.equal(is, type === "integer" ? "number" : type, member);
        }
      }),
    ));

  test(`changes of ${name} are the members whose JSON differs, and entries without any are the same`, () =>
    fc.assert(
      fc.property(all, all, (before, after) => {
        const [earlier, later] = [whole(kind, before), whole(kind, after)];
        const changed = Object.entries(later).filter(
          ([member, value]) => canonicalJson(value) !== canonicalJson(earlier[member] as Json),
        );
        assert.deepEqual(kind.changes?.(before, after), Object.fromEntries(changed));
        assert.equal(kind.isSame(before, after), changed.length === 0);
        assert.ok(kind.isSame(before, restored(kind, before)));
      }),
    ));
}

test("what no GET shows is restored as it was stored, too", () => {
  const few = [
    [PENDING, { amount: 7n, orders: 2, address: "MT", token: "3" }],
    [DRAFT, { saved: 1, params: { name: "Gold" }, owner: "MT", name: "Gold", operationNumber: 9 }],
    [
      PROTOCOL,
      {
        version: 1,
        next: 0,
        height: 0,
        note: "",
        operator: "",
        auctionMin: 3600,
        auctionMax: 9,
        ledgerId: "",
      },
    ],
  ] as unknown as readonly (readonly [Kind, object])[];
  for (const [kind, entry] of few) {
    assert.deepEqual(restored(kind, entry), entry);
  }
});
