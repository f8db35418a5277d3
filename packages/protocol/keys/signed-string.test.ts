import assert from "node:assert/strict";
import { test } from "node:test";
import { Refused } from "../description/faults.ts";
import type { AnyOperation } from "../description/operation.ts";
import type { Parameter } from "../description/parameter.ts";
import { OPERATIONS } from "../descriptions.ts";
import { transfer } from "../operations/coins/transfer.ts";
import { ALICE, accepted, BOB, KEY } from "../testing/requests.ts";
import { DECIDED, type Signer, signedAround, signedStrings, type Texts } from "./signed-string.ts";

const LEDGER = "a".repeat(64);
/** The one string that fits where clients have no choice. */
function signedString({ signers }: AnyOperation, params: Texts, ledgerId: string): string {
  const strings = signedStrings(signers[0] as Signer, params, {
    ledgerId,
    actor: ALICE,
    decided: {},
  });
  assert.equal(strings.length, 1);
  return strings[0] as string;
}

const TRANSFER = {
  memo: "May",
  amount: "300",
  unlockdate: "5",
  from: ALICE,
  to: BOB,
  token: "0",
  tags: "rent|1",
  checkkey: KEY,
  signature: "MEQ=",
};

test("conventions §4.5: names in the full signed string are canonical, whatever name was sent", () => {
  const { checkkey, tags, ...others } = TRANSFER;
  const sent = { ...others, tkey: checkkey, tag: tags, signed: "full" };
  assert.equal(
    signedString(transfer, accepted(transfer, sent).params, LEDGER),
    signedString(transfer, accepted(transfer, { ...TRANSFER, signed: "full" }).params, LEDGER),
  );
});

test("what is decided has the same text around it in every short signed string, of every operation that decides what is signed", () => {
  const names: string[] = [];
  for (const signer of OPERATIONS.flatMap(({ signers }) => signers)) {
    const field = signer.signed.find(
      (each) => typeof each !== "string" && each.absentAs[0] === DECIDED,
    );
    if (field === undefined || typeof field === "string") {
      continue;
    }
    names.push(signer.operation);
    const params = Object.fromEntries(
      signer.signed.flatMap((each) => (typeof each === "string" ? [[each, `<${each}>`]] : [])),
    );
    const implied = { ledgerId: LEDGER, actor: ALICE };
    const around = signedAround(signer, params, implied);
    for (const choice of ["7", "a|b"]) {
      const decided: Texts = { [field.name]: choice };
      assert.deepEqual(signedStrings(signer, params, { ...implied, decided }), [
        `${around?.before}${choice}${around?.after}`,
      ]);
    }
    assert.equal(signedAround(signer, { ...params, signed: "full" }, implied), undefined);
    assert.equal(signedAround(signer, { ...params, [field.name]: "7" }, implied), undefined);
  }
  assert.deepEqual(names, ["tokencreate", "tokenupdate"]);
});

/** Texts that may contain a bar, because the fields around each of them have only one form. */
const WITH_BAR = [
  ...["mrc400create.data", "mrc400update.data", "mrc400update.description"],
  ...["mrc402burn.memo", "mrc402mint.memo", "mrc402create.information", "mrc402update.information"],
  "tokenupdate.info",
];

test("no other text covered by a short signature may contain a bar, which would end its field", () => {
  const taking = OPERATIONS.flatMap(({ name: operation, signers, parameters }: AnyOperation) => {
    const forms = signers.flatMap(({ signed, signedIf = [], signedAlso = [] }) => [
      ...signed,
      ...[...signedIf, ...signedAlso].flatMap((form) => form.signed),
    ]);
    const names = new Set(forms.filter((field): field is string => typeof field === "string"));
    return [...names]
      .filter((name) => {
        const { role, schema, takesJson, read, admit } = parameters[name] as Parameter<unknown>;
        // Ids, keys and JSON are compared or parsed as a whole.
        const isText = role === "value" && !takesJson && !/^(dexid|id|\w+id)$/.test(name);
        return (
          isText &&
          schema["enum"] === undefined &&
          ["a|b", "https://a.example/|"].some((text) => {
            const value = read(text, name);
            return !(value instanceof Refused) && !(admit?.(text, name, value) instanceof Refused);
          })
        );
      })
      .map((name) => `${operation}.${name}`);
  });
  assert.deepEqual(taking.toSorted(), WITH_BAR.toSorted());
});
