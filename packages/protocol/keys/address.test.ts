import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { addressAround, parseAddress } from "./address.ts";

test("accounts §3: the check digits that the malformed address would need", () =>
  assert.equal(
    addressAround("ATLnT6SGKE8RU0CBPoDRfUXL5lr4SL"),
    "MTATLnT6SGKE8RU0CBPoDRfUXL5lr4SL9af3a45f",
  ));

const middles = fc.stringMatching(/^[0-9A-Za-z]{30}$/);

test("an address made around any 30 characters is read back", () =>
  fc.assert(
    fc.property(middles, (middle) => {
      const address = addressAround(middle);
      assert.equal(address.length, 40);
      assert.equal(parseAddress(address), address);
    }),
  ));

test("an address with one character changed is none", () =>
  fc.assert(
    fc.property(
      middles,
      fc.nat(39),
      fc.stringMatching(/^[0-9A-Za-z]$/),
      (middle, position, character) => {
        const address = addressAround(middle);
        fc.pre(address[position] !== character);
        const changed = address.slice(0, position) + character + address.slice(position + 1);
        assert.equal(parseAddress(changed), undefined);
      },
    ),
  ));
