import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decimalPattern } from "./decimal-pattern.ts";

test("exactly the integers from min to max match, as decimal text", () =>
  fc.assert(
    fc.property(
      fc.constantFrom(0n as const, 1n as const),
      fc.oneof(
        fc.bigInt({ min: 1n, max: 10n ** 41n }),
        fc.bigInt({ min: 1n, max: 300n }),
        fc.nat(40).map((zeros) => 10n ** BigInt(zeros)),
        fc.integer({ min: 1, max: 40 }).map((nines) => 10n ** BigInt(nines) - 1n),
      ),
      fc.bigInt({ min: 0n, max: 10n ** 42n }),
      (min, max, some) => {
        const form = new RegExp(decimalPattern(min, max), "u");
        for (const value of [0n, 1n, max - 1n, max, max + 1n, max * 10n, some % (max + 2n), some]) {
          assert.equal(
            form.test(String(value)),
            value >= min && value <= max,
            `${value} of ${max}`,
          );
        }
        for (const text of ["", `0${max}`, `+${max}`, `${max}.0`, `${max}\n`, ` ${max}`, "1e0"]) {
          assert.ok(!form.test(text), text);
        }
      },
    ),
  ));
