import assert from "node:assert/strict";
import { test } from "node:test";
import { type Attempt, type Read, unexplained } from "./ledger-model.ts";

const [OLD, OTHER, MADE] = ["old", "other", "made"] as const;
const [PAID, OPENED] = [5, 6].map((block) => block.toString(16).padStart(16, "0").padEnd(64, "a"));
const WORLD = {
  balances: new Map([
    [OLD, 10n],
    [OTHER, 0n],
  ]),
  items: new Map(),
};

/** A payment in block 5 and a new address in block 6, both acknowledged before any read is sent. */
const WRITES: readonly Attempt[] = [
  {
    ...{ client: "a", url: "", begin: 0, end: 10, height: 5 },
    sent: { wish: { kind: "pay", by: OLD, to: OTHER, amount: 4n }, key: "k1", mark: "m1" },
    answer: { is: "done", id: PAID as string },
  },
  {
    ...{ client: "a", url: "", begin: 11, end: 20, height: 6 },
    sent: { wish: { kind: "open" }, key: "k2", mark: "m2" },
    answer: { is: "done", id: OPENED as string, made: MADE },
  },
];

function whyNot(
  read: Read,
  { shown, height, mayLag }: { shown: string | readonly string[]; height: number; mayLag: boolean },
): string | undefined {
  const answer = { is: "shown", shown } as const;
  const attempt = { client: "b", url: "", sent: read, begin: 30, end: 40, answer, height };
  return unexplained([...WRITES, attempt], WORLD, { isComplete: true, mayLag });
}

for (const { kind, of, refused, shown, block } of [
  { kind: "transaction", of: PAID as string, refused: "6008", shown: [`${PAID} m1 6`], block: 5 },
  { kind: "balance", of: MADE, refused: "3090", shown: "0", block: 6 },
  { kind: "history", of: MADE, refused: "3090", shown: [`${OPENED} m2`, "end"], block: 6 },
  { kind: "owned", of: MADE, refused: "3090", shown: [], block: 6 },
] as const) {
  test(`cluster §9: a ${kind} of block ${block} may be unknown to a node that lags, up to block ${block - 1} alone`, () => {
    const read = { kind, of };
    const before = block - 1;
    assert.equal(whyNot(read, { shown: refused, height: before, mayLag: true }), undefined);
    assert.equal(whyNot(read, { shown, height: block, mayLag: true }), undefined);
    for (const wrong of [
      { shown: refused, height: before, mayLag: false },
      { shown: refused, height: block, mayLag: true },
      { shown, height: before, mayLag: true },
    ]) {
      assert.match(whyNot(read, wrong) ?? "", /^unexplained/, JSON.stringify(wrong));
    }
  });
}

test("a report shows the block of an id", () => {
  const read = { kind: "transaction", of: PAID as string } as const;
  const why = whyNot(read, { shown: "6008", height: 6, mayLag: true });
  assert.match(why ?? "", /"of":"5…aaaaaa"/);
});
