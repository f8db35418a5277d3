import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Address,
  addressAround,
  type LedgerOperation,
  multitransfer,
  parseOperationText,
  tokenCreate,
  transfer,
} from "@moneta/protocol";
import { RULES } from "../rules/registry.ts";
import type { RuledOperation } from "../rules/rule.ts";
import { operationOf } from "../testing/test-ledger.ts";
import { isRepeat } from "./repeat.ts";

const ALICE = addressAround("Alice0000000000000000000000000");
const BOB = addressAround("Bob000000000000000000000000000");
const CAROL = addressAround("Carol0000000000000000000000000");
const SENT = { from: ALICE, to: BOB, token: "0", amount: "1", checkkey: "k", signature: "s" };

function operation(
  description: typeof transfer | typeof multitransfer,
  sent: { readonly [name: string]: string },
): LedgerOperation {
  return parseOperationText(
    operationOf(description, sent, sent["from"] as Address),
  ) as LedgerOperation;
}

const ruled = (name: string): RuledOperation => RULES.get(name) as RuledOperation;

for (const { change, same } of [
  { change: {}, same: true },
  { change: { signature: "another" }, same: true },
  { change: { unlockdate: "0" }, same: true },
  { change: { unlockdate: "" }, same: true },
  { change: { memo: "" }, same: true },
  { change: { amount: "2" }, same: false },
  { change: { to: CAROL }, same: false },
  { change: { from: CAROL }, same: false },
  { change: { token: "7" }, same: false },
  { change: { checkkey: "l" }, same: false },
  { change: { memo: "x" }, same: false },
  { change: { tags: "x" }, same: false },
  { change: { unlockdate: "1" }, same: false },
]) {
  test(`accounts §7.4: a transfer with ${JSON.stringify(change)} is ${same ? "the same" : "another"} request`, () =>
    assert.equal(
      isRepeat(
        ruled("transfer"),
        operation(transfer, SENT),
        operation(transfer, { ...SENT, ...change }),
      ),
      same,
    ));
}

test("accounts §7.4: texts count after cuts, also under a full signature", () => {
  const full = { ...SENT, signed: "full", tags: "t".repeat(64) };
  assert(
    isRepeat(
      ruled("transfer"),
      operation(transfer, full),
      operation(transfer, { ...full, tags: "t".repeat(65) }),
    ),
  );
});

for (const { signed, name, same } of [
  { signed: "", name: "X", same: true },
  { signed: "", name: "Y", same: false },
  { signed: "full", name: "X", same: true },
  { signed: "full", name: "Y", same: true },
]) {
  test(`conventions §5.3: a create of draft ${name} with the key of one of draft X${signed && ", full signature"}: ${same ? "the same" : "another"} request`, () => {
    const sent = { tkey: "k", signature: "s", signed };
    const create = (decided: string): LedgerOperation =>
      parseOperationText(
        operationOf(tokenCreate, sent, ALICE, { name: decided }),
      ) as LedgerOperation;
    assert.equal(isRepeat(ruled("tokencreate"), create("X"), create(name)), same);
  });
}

test("accounts §7.4: another operation is another request", () => {
  const list = `[{"address":"${BOB}","amount":"1","unlockdate":"0"}]`;
  const { to: _, amount: __, ...others } = SENT;
  const many = operation(multitransfer, { ...others, transferlist: list });
  assert(!isRepeat(ruled("transfer"), operation(transfer, SENT), many));
  assert(isRepeat(ruled("multitransfer"), many, many));
  assert(
    !isRepeat(
      ruled("multitransfer"),
      many,
      operation(multitransfer, { ...others, transferlist: `${list} ` }),
    ),
  );
});
