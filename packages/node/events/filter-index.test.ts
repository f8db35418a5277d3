import assert from "node:assert/strict";
import { test } from "node:test";
import { ONLY_BY_NAME, RECORD_TYPES, type RecordPart, recordText } from "@moneta/protocol";
import fc from "fast-check";
import { type EventFilter, RecordMatcher } from "./event-filter.ts";
import { FilterIndex } from "./filter-index.ts";

const value = fc.constantFrom("0", "1", "2", "3");
const type = fc.constantFrom(...RECORD_TYPES.slice(0, 3), ONLY_BY_NAME);
function listOf<T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[] | undefined> {
  return fc.option(fc.uniqueArray(one, { minLength: 1 }), { nil: undefined });
}
const filter: fc.Arbitrary<EventFilter> = fc.record({
  address: listOf(value),
  token: listOf(value),
  item: listOf(value),
  type: listOf(type),
});
const part: fc.Arbitrary<RecordPart> = fc
  .record({ type, address: value, token: fc.nat({ max: 3 }), item: fc.option(value) })
  .map(({ item, ...others }) => ({
    ...others,
    parameters: [],
    values: {},
    ...(item === null ? {} : { item }),
  }));
/** The item 3 is a listing of 2. */
const namesOf = (item: string): readonly string[] => (item === "3" ? ["3", "2"] : [item]);

test("the index finds the same subscribers as a search through all, each once, also after some have left", () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(filter, fc.nat({ max: 9 }), fc.boolean()), { maxLength: 30 }),
      fc.array(part, { minLength: 1, maxLength: 5 }),
      (filters, parts) => {
        const index = new FilterIndex();
        const all = filters.map(([given, position, stays]) => ({
          matcher: new RecordMatcher(given),
          position,
          given,
          stays,
        }));
        for (const each of all) {
          index.add(each);
        }
        for (const each of all.filter(({ stays }) => !stays)) {
          index.remove(each);
        }
        const expected = all.filter(
          ({ given: { address, token, item, type }, position, stays }) =>
            stays &&
            position <= 5 &&
            parts.some(
              (one) =>
                (address?.includes(one.address) ?? true) &&
                (token?.includes(String(one.token)) ?? true) &&
                (type?.includes(one.type) ?? one.type !== ONLY_BY_NAME) &&
                (item === undefined ||
                  (one.item !== undefined &&
                    namesOf(one.item).some((name) => item.includes(name)))),
            ),
        );
        const found = index.matching(5, parts, namesOf);
        assert.equal(found.length, expected.length);
        assert.deepEqual(new Set(found), new Set(expected));
      },
    ),
  ));

test("a transaction's text matches if one of its records does", () =>
  fc.assert(
    fc.property(filter, fc.array(part, { minLength: 1, maxLength: 5 }), (given, parts) => {
      const matcher = new RecordMatcher(given);
      const [{ item: _, ...first }, ...effects] = parts as [RecordPart, ...RecordPart[]];
      assert.equal(
        matcher.matchesText(recordText({ ...first, effects }), namesOf),
        [first, ...effects].some((one) => matcher.matches(one, namesOf)),
      );
    }),
  ));
