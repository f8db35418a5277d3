import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, type Amount, addressAround } from "@moneta/protocol";
import fc from "fast-check";
import { HOLDING, type Holding, noHolding, unitsOf } from "./holding-entry.ts";

const amounts = fc.bigInt(0n, 99_999_999n) as fc.Arbitrary<Amount>;
const addresses: fc.Arbitrary<Address> = fc
  .stringMatching(/^[0-9A-Za-z]{30}$/)
  .map((middle) => addressAround(middle));
const ids = fc.oneof(
  fc.stringMatching(/^MRC402_[0-9a-f]{33}$/),
  fc.stringMatching(/^MRC400_[0-9a-f]{33}_[0-9A-Za-z]{40}$/),
);

const holdings: fc.Arbitrary<Holding> = fc.record(
  {
    address: addresses,
    item: ids,
    projectOrder: fc.option(fc.nat(), { nil: undefined }),
    itemOrder: fc.nat(),
    balance: amounts,
    saleamount: amounts,
    auctionamount: amounts,
  },
  { noNullPrototype: true },
);

test("mrc402 §2.2: what a holding shows, and under which key", () =>
  fc.assert(
    fc.property(holdings, (holding) => {
      const { address, item, balance, saleamount, auctionamount } = holding;
      assert.deepEqual(HOLDING.json(holding), {
        auctionamount: String(auctionamount),
        balance: String(balance),
        saleamount: String(saleamount),
      });
      assert.equal(HOLDING.prefix + HOLDING.id(holding), `holding/${address}/${item}`);
      assert.equal(unitsOf(holding), balance + saleamount + auctionamount);
    }),
  ));

test("mrc402 §2.2: a holding is there while any of its amounts is above 0", () =>
  fc.assert(
    fc.property(holdings, ({ address, item, projectOrder, itemOrder, ...amountsOf }) => {
      const none = noHolding(address, { id: item, projectOrder, order: itemOrder });
      assert.equal(unitsOf(none), 0n);
      assert.equal(HOLDING.isAbsent?.(none), true);
      for (const [name, amount] of Object.entries(amountsOf)) {
        assert.equal(HOLDING.isAbsent?.({ ...none, [name]: amount }), amount === 0n, name);
      }
    }),
  ));
