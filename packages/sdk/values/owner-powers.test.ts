import assert from "node:assert/strict";
import { test } from "node:test";
import {
  afterFees,
  guardsOf,
  ownerPowers,
  ownerPowersText,
  type TermsOfItem,
} from "./owner-powers.ts";

const ITEM: TermsOfItem = {
  mrc400: "MRC400_1",
  transferable: "Temporary",
  meltint_fee: "10",
  sell_fee: "2.5",
  initial_reserve: 1_000_000n,
  melting_date: 0,
};
const UNITS = { ...ITEM, totalsupply: 10n, meltedamount: 0n };

const MELT = "raise the melting fee to 99.9999 %";
const BIND = "bind this item";
const SELL = "take up to 99.9999 % of later sales";
const LITTLE = "melting then pays next to nothing of the reserve";
const BOUND = "a bound item can no longer be sold or transferred";

// biome-ignore format: a line for each case
for (const [what, item, text] of [
  ["reserve, Temporary", ITEM, `the owner may ${MELT} and ${BIND} at any time, and ${SELL}: ${LITTLE}; ${BOUND}`],
  ["amounts as texts", { ...ITEM, initial_reserve: "1000000" }, `the owner may ${MELT} and ${BIND} at any time, and ${SELL}: ${LITTLE}; ${BOUND}`],
  ["Permanent", { ...ITEM, transferable: "Permanent" }, `the owner may ${MELT} at any time, and ${SELL}: ${LITTLE}`],
  ["Bound", { ...ITEM, transferable: "Bound" }, `the owner may ${MELT} at any time: ${LITTLE}`],
  ["no reserve", { ...ITEM, initial_reserve: 0n }, `the owner may ${BIND} at any time, and ${SELL}: ${BOUND}`],
  ["no reserve, Permanent", { ...ITEM, initial_reserve: "0", transferable: "Permanent" }, `the owner may ${SELL}`],
  ["no reserve, Bound", { ...ITEM, initial_reserve: 0n, transferable: "Bound" }, undefined],
  ["highest fees", { ...ITEM, meltint_fee: "99.9999", sell_fee: "99.9999" }, `the owner may ${BIND} at any time: ${BOUND}`],
  ["highest fees, Permanent", { ...ITEM, meltint_fee: "99.9999", sell_fee: "99.9999", transferable: "Permanent" }, undefined],
  ["melted", { ...ITEM, melting_date: 5 }, undefined],
  ["fixed by its policy", { ...ITEM, policy: { terms: "fixed" } }, undefined],
  ["changeable by its policy", { ...ITEM, transferable: "Bound", policy: { terms: "changeable" } }, `the owner may ${MELT} at any time: ${LITTLE}`],
  ["standing alone", { ...ITEM, mrc400: "" }, undefined],
  ["units", UNITS, `the owner may ${MELT} and ${BIND} at any time, and ${SELL}: ${LITTLE}; ${BOUND}`],
  ["units that have ended", { ...UNITS, meltedamount: "10" }, undefined],
  ["units, rates of others", { ...UNITS, creatorcommission: "10", shareholder: { a: "5", b: "0.25" }, platform_address: "p", platform_commission: "1" }, `the owner may ${MELT} and ${BIND} at any time, and take up to 83.75 % of later sales: ${LITTLE}; ${BOUND}`],
  ["units, a platform without an address", { ...UNITS, initial_reserve: 0n, transferable: "Permanent", creatorcommission: "10", platform_address: "", platform_commission: "10" }, "the owner may take up to 90 % of later sales"],
] as const) {
  test(`mrc401 §2.6, mrc402 §2.4: ${what}: ${text}`, () => {
    const powers = ownerPowers(item);
    assert.equal(powers && ownerPowersText(powers), text);
  });
}

test("mrc401 §2.6: guards are the terms that were shown", () =>
  assert.deepEqual(guardsOf(ITEM), {
    maxmeltfee: "10",
    maxsellfee: "2.5",
    transferable: "Temporary",
  }));

// biome-ignore format: a line for each case
for (const [sale, item, sellerOwnsProject, rest] of [
  ["an item, 2.5 %", ITEM, false, 98n],
  ["an item of the seller's own project", ITEM, true, 100n],
  ["units of the seller's own project", UNITS, true, 98n],
  ["units with rates of others", { ...UNITS, creatorcommission: "10.5", shareholder: { a: "5", b: "0.25" }, platform_address: "p", platform_commission: "1.9" }, false, 82n],
  ["units that stand alone", { ...UNITS, mrc400: "", creatorcommission: "10", platform_commission: "10" }, false, 90n],
] as const) {
  test(`mrc402 §2.6, conventions §6.2: each fee is rounded down: ${sale}: ${rest} of 100`, () =>
    assert.equal(afterFees(item, 100n, { sellerOwnsProject }), rest));
}
