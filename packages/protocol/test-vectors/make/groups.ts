import { ALICE, BOB, MARKET, SWORD } from "../../description/examples.ts";
import { OPERATIONS } from "../../descriptions.ts";
import { type Signer, signedStrings, type Texts } from "../../keys/signed-string.ts";
import { type GroupMember, groupId, groupText } from "../../records/group.ts";
import type { GroupVector, GroupVectors } from "../vector-types.ts";
import { sha256 } from "./sha256.ts";
import { LEDGER_ID } from "./signed-strings.ts";

/** Groups of few and of many operations, and the same ones changed a little. Source: batches §2.2. */
export function makeGroups(): GroupVectors {
  const coins = member("transfer", {
    ...{ from: ALICE, to: BOB, token: "0", amount: "100", checkkey: key(1), memo: "for the sword" },
  });
  const sword = member("mrc401transfer", {
    ...{ mrc401id: SWORD, fromAddr: BOB, toAddr: ALICE, tkey: key(2) },
  });
  const fee = member("transfer", {
    ...{ from: BOB, to: MARKET, token: "0", amount: "1", checkkey: key(3), memo: TRICKY },
  });
  const list = member("multitransfer", {
    ...{ from: ALICE, token: "0", checkkey: key(4) },
    transferlist: `[ {"address":"${BOB}","amount":1,"unlockdate":"0","memo":"caf\\u00e9"} ]`,
  });
  const many = Array.from({ length: 16 }, (_, index) =>
    member("transfer", {
      ...{ from: ALICE, to: BOB, token: String(index), amount: "1", checkkey: key(10 + index) },
    }),
  );
  return {
    ledger_id: LEDGER_ID,
    vectors: [
      vector("a swap of coins for an item", [coins, sword]),
      vector("the same in the other order", [sword, coins]),
      vector("the same with a fee, whose memo needs care", [coins, sword, fee]),
      vector("a list in the text that was sent", [list, sword]),
      vector("as many operations as a group may have", many),
    ],
  };
}

/**
 * Characters that RFC 8785 escapes, that only other encoders escape, and that have several code
 * units.
 */
const TRICKY = 'a|b é "q" \\ / <&> \t\r\n\u007f\u2028\u2029\u{1f600}';

function member(op: string, params: Texts): GroupMember {
  return { op, params: { ...params, signed: "full" } };
}

function key(number: number): string {
  return `K0000001${String(number).padStart(38, "0")}`;
}

function vector(name: string, members: readonly GroupMember[]): GroupVector {
  const group = groupId(members, { ledgerId: LEDGER_ID, sha256 });
  return {
    name,
    operations: members.map(({ op, params }) => {
      const operation = OPERATIONS.find((one) => one.name === op);
      const implied = { ledgerId: LEDGER_ID, actor: "" as const, decided: {} };
      const [full = ""] =
        operation === undefined
          ? []
          : signedStrings(operation.signers[0] as Signer, { ...params, group }, implied);
      return { operation: op, params, full };
    }),
    hashed: groupText(members, LEDGER_ID),
    group,
  };
}
