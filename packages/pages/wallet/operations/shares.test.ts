import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { feeOf, sharesOf, unitRates } from "./shares.ts";

describe("shares of a payment", () => {
  test("fees are rounded down, the seller gets the rest", () => {
    assert.equal(feeOf(300n, "10"), 30n);
    assert.equal(feeOf(9n, "10"), 0n);
    assert.equal(feeOf(10n ** 40n, "99.9999"), 9_999_990n * 10n ** 33n);
    assert.equal(feeOf(100n, "33.3333"), 33n);
  });

  // Source: mrc402 §18, rows 18 to 22
  const item = {
    creator: "C",
    creatorcommission: "5",
    shareholder: { S1: "3", S2: "0.01" },
  };
  const project = { owner: "O" };
  const terms = { sell_fee: "2.5", platform_address: "P", platform_commission: "1.25" };
  for (const [payment, ...amounts] of [
    [10_000n, 250n, 500n, 125n, 300n, 1n, 8824n],
    [9999n, 249n, 499n, 124n, 299n, 8828n],
  ] as const) {
    test(`of ${payment} everybody gets a share`, () => {
      const rates = unitRates(item, project, terms);
      const shares = sharesOf(payment, rates, { role: "seller", address: "A" });
      assert.deepEqual(
        shares.map(({ amount }) => amount),
        amounts,
      );
      assert.equal(
        shares.reduce((sum, { amount }) => sum + amount, 0n),
        payment,
      );
    });
  }

  test("a platform without an address gets nothing, an item without a project has no owner's fee", () => {
    const alone = unitRates({ ...item, shareholder: {} }, undefined, {
      ...terms,
      platform_address: "",
    });
    assert.deepEqual(
      alone.map(({ role }) => role),
      ["creator"],
    );
  });

  test("fees of all of it leave the seller nothing", () => {
    const rates = unitRates({ ...item, shareholder: {} }, project, {
      ...terms,
      platform_address: "",
      sell_fee: "95",
    });
    const seller = { role: "seller", address: "A" } as const;
    assert.deepEqual(
      sharesOf(1000n, rates, seller).map(({ amount }) => amount),
      [950n, 50n],
    );
    assert.deepEqual(
      sharesOf(999n, rates, seller).map(({ amount }) => amount),
      [949n, 49n, 1n],
    );
  });
});
