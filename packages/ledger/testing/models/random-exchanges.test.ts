import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import fc from "fast-check";
import { checkCatalogue } from "../catalogue.ts";
import { byLane } from "../lane.ts";
import { TestClient } from "../test-client.ts";
import { replay } from "../test-ledger.ts";

// Random exchanges against a list of balances, as protocols §3 moves them, one by one. After each
// block TestClient checks that nothing was created or lost.

const TOKENS = ["0", "1", "2"] as const;
const PEOPLE = ["a", "b", "c", "d"] as const;
const FUNDS = 100n;

/** A side: its address, what it gives, and its fee; numbers may be too large. */
const side = fc.record({
  who: fc.constantFrom(...PEOPLE),
  amount: fc.bigInt(1n, 80n),
  token: fc.constantFrom(...TOKENS),
  fee: fc.option(
    fc.record({
      to: fc.constantFrom(...PEOPLE),
      amount: fc.bigInt(0n, 40n),
      token: fc.constantFrom(...TOKENS),
    }),
    { nil: undefined },
  ),
});

const steps = fc.array(
  fc.record({
    from: side,
    to: side,
    /** Sent again at once, or in a group with the next one. */
    as: fc.constantFrom("alone", "alone", "again", "group"),
  }),
  { minLength: 1, maxLength: 12 },
);

type Side = typeof side extends fc.Arbitrary<infer T> ? T : never;
type Balances = Map<string, bigint>;

/** The expected outcome, and the balances after it, unchanged by a refusal. */
function judged(before: Balances, from: Side, to: Side): readonly [string, Balances] {
  if (from.who === to.who) {
    return ["400 3201", before];
  }
  if (from.token === to.token) {
    return ["400 3005", before];
  }
  for (const { who, fee } of [from, to]) {
    if (fee !== undefined && fee.amount > 0n && fee.to === who) {
      return ["400 3201", before];
    }
  }
  const after = new Map(before);
  const move = (code: string, of: Side, payee: string, amount: bigint, token: string): string => {
    const has = after.get(`${of.who} ${token}`) ?? 0n;
    if (has < amount) {
      return `400 ${code}`;
    }
    after.set(`${of.who} ${token}`, has - amount);
    after.set(`${payee} ${token}`, (after.get(`${payee} ${token}`) ?? 0n) + amount);
    return "";
  };
  const fee = (code: string, of: Side): string =>
    of.fee === undefined ? "" : move(code, of, of.fee.to, of.fee.amount, of.fee.token);
  const refused =
    move("5001", from, to.who, from.amount, from.token) ||
    move("5002", to, from.who, to.amount, to.token) ||
    fee("5001", from) ||
    fee("5002", to);
  return refused === "" ? ["done", after] : [refused, before];
}

test("random exchanges do what a list of balances says, and replay comes to the same", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (run) => {
      using client = await TestClient.open({ tokens: 2 });
      const people = await client.people(PEOPLE, { coins: FUNDS, tokens: { 1: FUNDS, 2: FUNDS } });
      const address = (who: (typeof PEOPLE)[number]): Address => people[who];
      let balances: Balances = new Map(
        PEOPLE.flatMap((who) => TOKENS.map((token) => [`${who} ${token}`, FUNDS] as const)),
      );
      const sent = (name: "from" | "to", { who, amount, token, fee }: Side): object => ({
        [`${name}Addr`]: address(who),
        [`${name}Amount`]: String(amount),
        [`${name}Token`]: token,
        [`${name}Tkey`]: client.ledger.key(address(who)),
        ...(fee === undefined
          ? {}
          : {
              [`${name}Feesendto`]: address(fee.to),
              [`${name}Feeamount`]: String(fee.amount),
              [`${name}Feetoken`]: fee.token,
            }),
      });
      for (const { from, to, as } of run) {
        const params = { ...sent("from", from), ...sent("to", to) };
        const [wanted, after] = judged(balances, from, to);
        const isWellFormed = !/3201|3005/.test(wanted);
        if (as === "group" && isWellFormed) {
          const greeting = [{ address: client.issuer, amount: "0", unlockdate: "0", memo: "hi" }];
          const { summary: reported } = await client.group([
            ["exchange", address(from.who), params],
            ["multitransfer", address(to.who), { transferlist: greeting, token: "0" }],
          ]);
          assert.equal(reported.replace(/^0: /, ""), wanted);
        } else {
          assert.equal((await client.send("exchange", address(from.who), params)).code, wanted);
        }
        if (as === "again" && wanted === "done") {
          assert.equal((await client.send("exchange", address(from.who), params)).code, "repeat");
        }
        balances = after;
        for (const who of PEOPLE) {
          for (const token of TOKENS) {
            const held = client.held(address(who), token) || "0";
            assert.equal(held, String(balances.get(`${who} ${token}`)), `${who} ${token}`);
          }
        }
      }
      checkCatalogue(client.ledger);
      const { ledger, database } = replay(client.ledger.blocks);
      assert.equal(ledger.head.id, client.ledger.ledger.head.id);
      database.close();
    }),
    { numRuns: byLane({ quick: 10, long: 250 }) },
  );
});
