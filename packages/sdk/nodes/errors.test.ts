import assert from "node:assert/strict";
import { test } from "node:test";
import { explain } from "@moneta/protocol";
import { TestNode } from "../../node/testing/test-node.ts";
import { decimalText, Moneta, ProblemError, SigningKey } from "../index.ts";

function caught(call: Promise<unknown>): Promise<ProblemError> {
  return call.then(
    () => assert.fail("it was done"),
    (error: unknown) => {
      assert.ok(error instanceof ProblemError);
      return error;
    },
  );
}

test("a shortfall has its amounts as members, and its message shows decimals", async () => {
  await using node = await TestNode.start();
  const moneta = new Moneta(node.url);
  const key = await SigningKey.generate();
  const [alice, bob] = [await moneta.createAddress(key), await moneta.createAddress(key)];
  await moneta.faucet({ address: alice.address, amount: 120_000_000n });
  const amount = 150_000_000n;
  const payment = { to: bob.address, token: 0, amount };
  const error = await caught(alice.transfer(payment));
  assert.equal(error.code, "5001");
  assert.deepEqual(error.shortfall, { token: "0", needed: amount, spendable: 120_000_000n });
  assert.equal(
    error.inDecimals((units) => `${decimalText(units, 8)} $&`),
    "The payer needs 1.5 $& but can spend only 1.2 $&.",
  );
  const other = await caught(bob.transfer({ ...payment, to: bob.address }));
  assert.equal(other.code, "3201");
  assert.equal(other.shortfall, undefined);
  assert.equal(
    other.inDecimals(() => ""),
    other.message,
  );
});

test("units of an item have no decimals: their message stays as it is", () => {
  const error = new ProblemError(
    explain({ code: "5000", parameter: "amount", item: "X", needed: 3n, spendable: 2n } as never),
  );
  assert.deepEqual(error.shortfall, { item: "X", needed: 3n, spendable: 2n });
  assert.match(
    error.inDecimals(() => ""),
    /asks for 3 units of X but there are only 2/,
  );
});

test("an exceeded grant is explained in the same form as an insufficient balance", () => {
  const amounts = { needed: 3n, left: 2n };
  const error = new ProblemError(
    explain({ code: "7005", parameter: "grant", token: "7", ...amounts } as never),
  );
  assert.deepEqual(error.shortfall, { token: "7", needed: 3n, spendable: 2n });
  assert.equal(
    error.inDecimals((units) => `${decimalText(units, 1)} GLD`),
    "This needs 0.3 GLD, but grant leaves only 0.2 GLD to spend now.",
  );
});

test("a message that has times can show them as dates, and no other number", () => {
  const end = { parameter: "end", given: "1795965240" } as const;
  const date = new ProblemError(
    explain({
      ...end,
      code: "1102",
      wanted: "a time in Unix seconds from 1795968761 to 1803741161",
    }),
  );
  const dated = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);
  assert.equal(
    date.inTimes(dated),
    'end is "2026-11-29" but must be a time from 2026-11-29 to 2027-02-27.',
  );
  const amount = new ProblemError(
    explain({ ...end, code: "1101", wanted: "an integer from 0 to 1803741161" }),
  );
  assert.equal(amount.inTimes(dated), amount.message);
  const wanted = "1795965240 or later";
  for (const parameter of ["since", "until", "at"]) {
    const early = new ProblemError(
      explain({ code: "1101", parameter, given: "1577836800", wanted }),
    );
    const shown = `${parameter} is "2020-01-01" but must be 2026-11-29 or later.`;
    assert.equal(early.inTimes(dated), shown);
  }
});
