import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { priceText } from "./price-text.ts";

const price = fc.oneof(fc.bigInt(1n, 1000n), fc.bigInt(1n, 10n ** 40n));
const unit = fc.integer({ min: 0, max: 8 }).map((zeros) => 10n ** BigInt(zeros));

test("texts of prices of one unit sort as the prices do, and fit into a cursor", () =>
  fc.assert(
    fc.property(price, unit, price, unit, (onePrice, oneUnit, otherPrice, otherUnit) => {
      const [one, other] = [priceText(onePrice, oneUnit), priceText(otherPrice, otherUnit)];
      const [less, more] = [onePrice * otherUnit, otherPrice * oneUnit];
      const reported = `${onePrice}/${oneUnit}, ${otherPrice}/${otherUnit}`;
      assert.deepEqual([one < other, one > other], [less < more, less > more], reported);
      assert.match(one, /^[0-9]{3,43}$/);
      assert.equal(priceText(onePrice * oneUnit, oneUnit), priceText(onePrice));
    }),
    { numRuns: 2000 },
  ));
