import assert from "node:assert/strict";
import { test } from "node:test";
import { Refused } from "../description/faults.ts";
import type { AnyOperation } from "../description/operation.ts";
import type { Parameter } from "../description/parameter.ts";
import { OPERATIONS } from "../descriptions.ts";
import { multitransfer } from "../operations/coins/multitransfer.ts";
import { transfer } from "../operations/coins/transfer.ts";
import { tokenCreate } from "../operations/tokens/token-create.ts";
import { tokenSave } from "../operations/tokens/token-save.ts";
import { tokenUpdate } from "../operations/tokens/token-update.ts";
import { mrc402Create } from "../operations/units/mrc402-create.ts";
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

test("accounts §10: the short signed string is from|to|token|amount|checkkey", () =>
  assert.equal(
    signedString(transfer, accepted(transfer, TRANSFER).params, LEDGER),
    `${ALICE}|${BOB}|0|300|${KEY}`,
  ));

test("conventions §4.5: the full signed string has all parameters but the signature, in the order of their names", () =>
  assert.equal(
    signedString(transfer, accepted(transfer, { ...TRANSFER, signed: "full" }).params, LEDGER),
    `moneta|1|${LEDGER}|transfer|{"amount":"300","checkkey":"${KEY}","from":"${ALICE}","memo":"May","signed":"full","tags":"rent|1","to":"${BOB}","token":"0","unlockdate":"5"}`,
  ));

test("conventions §4.5: names in the full signed string are canonical, whatever name was sent", () => {
  const { checkkey, tags, ...others } = TRANSFER;
  const sent = { ...others, tkey: checkkey, tag: tags, signed: "full" };
  assert.equal(
    signedString(transfer, accepted(transfer, sent).params, LEDGER),
    signedString(transfer, accepted(transfer, { ...TRANSFER, signed: "full" }).params, LEDGER),
  );
});

test("conventions §4.5: what is absent or empty is not in the full signed string", () =>
  assert.equal(
    signedString(
      transfer,
      accepted(transfer, {
        ...TRANSFER,
        memo: "",
        tags: undefined,
        unlockdate: "",
        signed: "full",
      }).params,
      LEDGER,
    ),
    `moneta|1|${LEDGER}|transfer|{"amount":"300","checkkey":"${KEY}","from":"${ALICE}","signed":"full","to":"${BOB}","token":"0"}`,
  ));

test("accounts §10 row 8: the full signed string has whole texts, which the short request cuts", () => {
  const long = { ...TRANSFER, tags: "é".repeat(65), memo: "𝄞".repeat(2049) };
  const full = signedString(
    transfer,
    accepted(transfer, { ...long, signed: "full" }).params,
    LEDGER,
  );
  assert(full.includes(`"tags":"${long.tags}"`) && full.includes(`"memo":"${long.memo}"`));
});

test("accounts §10 row 9: numbers of a JSON body are signed as their text", () => {
  const sent = {
    ...TRANSFER,
    token: { kind: "number", source: "0" },
    amount: { kind: "number", source: "300" },
  } as const;
  assert.equal(
    signedString(transfer, accepted(transfer, sent).params, LEDGER),
    `${ALICE}|${BOB}|0|300|${KEY}`,
  );
});

for (const { row, list } of [
  { row: 9, list: `[ {"address":"${BOB}",\r\n "amount":"1","unlockdate":"0"} ]` },
  {
    row: 10,
    list: `[{"memo":"caf\\u00e9 a\\/b","unlockdate":0,"amount":1,"address":"${BOB}"}]`,
  },
]) {
  test(`accounts §11 row ${row}: the transfer list is signed as it was sent`, () => {
    const sent = { from: ALICE, transferlist: list, token: "0", checkkey: KEY, signature: "MEQ=" };
    assert.equal(
      signedString(multitransfer, accepted(multitransfer, sent).params, LEDGER),
      `${ALICE}|${list}|0|${KEY}`,
    );
  });
}

test("accounts §11 row 11: an array of a JSON body is signed as its compact text", () => {
  const text = `[{"address":"${BOB}","amount":1,"unlockdate":0}]`;
  const sent = {
    from: ALICE,
    transferlist: { kind: "json", text },
    token: "0",
    tkey: KEY,
    signature: "MEQ=",
  } as const;
  assert.equal(
    signedString(multitransfer, accepted(multitransfer, sent).params, LEDGER),
    `${ALICE}|${text}|0|${KEY}`,
  );
});

test("tokens §3: the place of the id in the save's signed string is empty or 0 if no token was sent", () => {
  const sent = { owner: ALICE, symbol: "G", name: "Gold", Temporarykey: KEY, signature: "MEQ=" };
  const implied = { ledgerId: LEDGER, actor: ALICE, decided: {} };
  assert.deepEqual(signedStrings(tokenSave.signers[0], accepted(tokenSave, sent).params, implied), [
    `${ALICE}|G||Gold||${KEY}`,
    `${ALICE}|G|0|Gold||${KEY}`,
  ]);
  assert.deepEqual(
    signedStrings(
      tokenSave.signers[0],
      accepted(tokenSave, { ...sent, token: "x" }).params,
      implied,
    ),
    [`${ALICE}|G|x|Gold||${KEY}`],
  );
});

test("tokens §4, §6: what is decided and who acts stand in the signed string although no parameter has them", () => {
  const created = accepted(tokenCreate, { tkey: KEY, signature: "MEQ=" }).params;
  assert.deepEqual(
    signedStrings(tokenCreate.signers[0], created, {
      ledgerId: LEDGER,
      actor: BOB,
      decided: { name: "Gold" },
    }),
    [`${BOB}|Gold|${KEY}`],
  );
  const update = { tkey: KEY, url: "https://a.example/", info: "i", image: "ipfs://b/1" };
  const updated = accepted(tokenUpdate, { ...update, signature: "MEQ=" }).params;
  assert.deepEqual(
    signedStrings(tokenUpdate.signers[0], updated, {
      ledgerId: LEDGER,
      actor: BOB,
      decided: { token: "7" },
    }),
    [`7|https://a.example/|i|ipfs://b/1|${KEY}`],
  );
});

/** Fields of the three forms of a creation, and which of them decide it. Source: mrc402 §4. */
const SHORT = "creator|name|url|imageurl|category|itemurl|itemimageurl|data|tkey".split("|");
const COPYRIGHT =
  "copyright_registration_country|copyright_registrar|copyright_registration_number";
const PLATFORM = "platform_name|platform_url|platform_address|platform_commission";
const LONG = `creator|name|creatorcommission|totalsupply|decimal|url|imageurl|shareholder|initialreserve|expiredate|data|information|socialmedia|${COPYRIGHT}|tkey`;
const EXTRA = `allowtoken|category|description|itemurl|itemimageurl|${PLATFORM}`.split("|");
const EXTRA_LONG = [...LONG.split("|").slice(0, -1), ...EXTRA, "tkey"];
const LONG_IF =
  `totalsupply|decimal|creatorcommission|shareholder|initialreserve|expiredate|information|socialmedia|${COPYRIGHT}|${PLATFORM}`.split(
    "|",
  );

for (const field of [...LONG_IF, ...EXTRA, "data"]) {
  test(`mrc402 §4: the form in which a creation with ${field} is signed, alone and with totalsupply`, () => {
    const signed = (...given: readonly string[]): readonly string[] => {
      const all = ["creator", "name", "url", "imageurl", "tkey", ...given];
      const params = Object.fromEntries(all.map((name) => [name, `<${name}>`]));
      return signedStrings(mrc402Create.signers[0] as Signer, params, {
        ...{ ledgerId: LEDGER, actor: ALICE, decided: {} },
      });
    };
    const joined = (fields: readonly string[], ...given: readonly string[]): readonly string[] => [
      fields
        .map((name) =>
          [...given, "creator", "name", "url", "imageurl", "tkey"].includes(name)
            ? `<${name}>`
            : "",
        )
        .join("|"),
    ];
    const isExtra = EXTRA.includes(field);
    const long = isExtra ? EXTRA_LONG : LONG.split("|");
    assert.deepEqual(signed(field), joined(LONG_IF.includes(field) ? long : SHORT, field));
    const both = [field, "totalsupply"];
    assert.deepEqual(signed(...both), joined(long, ...both));
  });
}

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
