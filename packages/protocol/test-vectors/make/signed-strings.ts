import { ALICE, BOB, BOBS_TEMPORARY_KEY, GOLD, TEMPORARY_KEY } from "../../description/examples.ts";
import { Refused } from "../../description/faults.ts";
import { type AnyOperation, isSigned } from "../../description/operation.ts";
import { readTexts } from "../../description/request-reader.ts";
import { DERIVED_OPERATIONS, OPERATIONS } from "../../descriptions.ts";
import {
  type SignedField,
  type Signer,
  signedStrings,
  type Texts,
} from "../../keys/signed-string.ts";
import type { SignedStringVector, SignedStringVectors } from "../vector-types.ts";

/** The ledger of the example of accounts §7. */
export const LEDGER_ID: string = "a".repeat(64);

/**
 * All characters that RFC 8785 escapes, some that only other encoders escape, and the separator of
 * fields.
 */
const TRICKY = 'a|b é "q" \\ / <&> \t\r\n\u007f\u2028\u2029\u{1f600}';

/** Ids, which rules check and forms do not. */
const ID = /^(MRC040|MRC40[012]|DEX(010|402)|OFF40[12]|GRT)_/;

/** Operations whose actor only the temporary key determines. */
const TAKERS: ReadonlySet<string> = new Set(["mrc401buy", "mrc401bid", "mrc402buy", "mrc402bid"]);

/** Every signed operation in each of its signed forms. Source: conventions §4.1, §4.5. */
export function makeSignedStrings(): SignedStringVectors {
  const operations = [...OPERATIONS, ...DERIVED_OPERATIONS].filter(isSigned);
  return {
    ledger_id: LEDGER_ID,
    temporary_key: TEMPORARY_KEY,
    vectors: [...operations.flatMap(vectorsOf), ...specified()],
  };
}

/** The number of the form that a request is signed in: its index in `signedIf`, or -1. */
export function formOf({ signers }: AnyOperation, params: Texts): number {
  const { signedIf = [] } = signers[0] as Signer;
  return signedIf.findIndex(({ when }) => when(params));
}

function vectorsOf(operation: AnyOperation): SignedStringVector[] {
  const example = whole(operation, operation.example as Texts);
  const others = Object.entries(operation.otherExamples ?? {}).map(
    ([form, params]) => [form, whole(operation, params as Texts)] as const,
  );
  const found = new Map<string, SignedStringVector>();
  const add = (what: string, params: Texts): void => {
    for (const signer of operation.signers) {
      const key = JSON.stringify([signer.signature, ...Object.entries(params).sort()]);
      if (!found.has(key)) {
        found.set(key, vector(operation, `${operation.name}: ${what}`, params, signer));
      }
    }
  };

  add("everything that may be sent", example);
  for (const [form, params] of others) {
    add(`the form with ${form}`, params);
  }
  const signedShortly = Object.fromEntries(
    Object.entries(example).filter(([name]) => !needsFullSignature(operation, name)),
  );
  add("everything that a short signature may have with it", signedShortly);
  for (const [form, params] of [["", signedShortly] as const, ...others]) {
    const inForm = form === "" ? "" : ` in the form with ${form}`;
    const least = leastOf(operation, params);
    add(`only what must be sent${inForm}`, least);
    for (const name of leftOut(operation, params)) {
      add(`without ${name}${inForm}`, without(params, name));
    }
    addForms(operation, params, least, add);
    add(`texts that need care${inForm}`, withTrickyTexts(operation, params));
  }
  return [...found.values()];
}

function needsFullSignature({ parameters }: AnyOperation, name: string): boolean {
  return parameters[name]?.needsFullSignature !== undefined;
}

/** Adds each form with as many parameters as it allows. */
function addForms(
  operation: AnyOperation,
  params: Texts,
  least: Texts,
  add: (what: string, params: Texts) => void,
): void {
  const withOneMore = Object.keys(params).map((name) => withParameter(least, params, name));
  const seen = new Set([formOf(operation, params)]);
  for (const candidate of [least, ...withOneMore]) {
    const form = formOf(operation, candidate);
    if (!seen.has(form) && isAccepted(operation, candidate)) {
      seen.add(form);
      const about = operation.signers[0]?.signedIf?.[form]?.about ?? "it is of no special form";
      add(`if ${about}`, fullestOf(operation, form, candidate, params));
    }
  }
}

/** A request with as many of these parameters as leave it in its form. */
function fullestOf(operation: AnyOperation, form: number, from: Texts, params: Texts): Texts {
  let fullest = from;
  for (const name of Object.keys(params)) {
    const more = withParameter(fullest, params, name);
    if (formOf(operation, more) === form && isAccepted(operation, more)) {
      fullest = more;
    }
  }
  return fullest;
}

function withParameter(some: Texts, all: Texts, name: string): Texts {
  return { ...some, [name]: all[name] as string };
}

/** The parameters without all that may be absent. */
function leastOf(operation: AnyOperation, params: Texts): Texts {
  const removable = Object.keys(params).find((name) =>
    isAccepted(operation, without(params, name)),
  );
  return removable === undefined ? params : leastOf(operation, without(params, removable));
}

/** Parameters that may be absent although the signed string contains them. */
function leftOut(operation: AnyOperation, params: Texts): string[] {
  const names = operation.signers.flatMap(({ signed, signedIf = [], address }) => {
    const fields: readonly SignedField[] = [signed, ...signedIf.map((form) => form.signed)].flat();
    const unsent = fields.flatMap((field) => (typeof field === "string" ? [] : [field.name]));
    return [...unsent, ...(address === undefined ? [] : [address])];
  });
  return [...new Set(names)].filter(
    (name) => params[name] !== undefined && isAccepted(operation, without(params, name)),
  );
}

function withTrickyTexts(operation: AnyOperation, params: Texts): Texts {
  const tricky: Record<string, string> = { ...params };
  for (const [name, text] of Object.entries(params)) {
    if (operation.parameters[name]?.role === "value" && !ID.test(text)) {
      const candidates = [TRICKY, TRICKY.replace("|", "¦"), withCare(text)];
      const taken = candidates.find((one) =>
        isAccepted(operation, { ...tricky, [name]: one ?? "" }),
      );
      tricky[name] = taken ?? text;
    }
  }
  return tricky;
}

/**
 * The same JSON with blanks, line ends and needless escapes, also in names and memos; undefined if
 * it is no list or object.
 */
function withCare(json: string): string | undefined {
  if (!/^[[{]/.test(json)) {
    return undefined;
  }
  const memo = '"m\\u0065mo"\t: "caf\\u00e9 | \\ud83d\\ude00 \\/ ü"';
  return JSON.stringify(JSON.parse(json), null, 1)
    .replaceAll("/", "\\/")
    .replaceAll("\n", "\r\n\t")
    .replaceAll(/"([ai])(tem_id|d|ddress)":/g, (_, first: string, rest: string) => {
      const escaped = first.charCodeAt(0).toString(16).padStart(4, "0");
      return `"\\u${escaped}${rest}"\t:`;
    })
    .replaceAll(/"memo": "[^"]*"/g, memo);
}

/** The example of chain §4.8, whose signature is in signatures.json. */
function specified(): SignedStringVector[] {
  const transfer = OPERATIONS.find(({ name }) => name === "transfer") as AnyOperation;
  const params = { from: ALICE, to: BOB, token: "0", amount: "100", memo: "coffee" };
  const long = { ...params, tags: "é".repeat(65), memo: "\u{1d11e}".repeat(2049) };
  return [
    {
      ...vector(transfer, "transfer: the worked example of a block", whole(transfer, params)),
      source: "chain §4.8",
    },
    {
      ...vector(
        transfer,
        "transfer: texts longer than what is kept of them; a full signature is over all of it",
        whole(transfer, long),
      ),
      source: "accounts §10, row 8",
    },
  ];
}

function vector(
  operation: AnyOperation,
  name: string,
  params: Texts,
  signer: Signer = operation.signers[0] as Signer,
): SignedStringVector {
  const own = signer.address === undefined ? undefined : params[signer.address];
  const actor = own ?? (TAKERS.has(operation.name) ? BOB : ALICE);
  const decided = Object.fromEntries(
    (operation.decided ?? [])
      .filter((member) => params[member] === undefined)
      .map((member) => [member, member === "name" ? "Gold" : GOLD]),
  );
  const implied = { ledgerId: LEDGER_ID, actor: actor as never, decided };
  const [full = ""] = signedStrings(signer, { ...params, signed: "full" }, implied);
  const isFullOnly =
    operation.fullOnly === true ||
    Object.keys(params).some((name) => needsFullSignature(operation, name));
  const short = isFullOnly ? [] : signedStrings(signer, params, implied);
  const isOneOfSeveral = operation.signers.length > 1;
  return {
    name: isOneOfSeveral ? `${name}, ${signer.signature}` : name,
    operation: operation.name,
    ...(isOneOfSeveral ? { signature: signer.signature } : {}),
    ...{ params, actor, decided, short, full },
  };
}

function whole(operation: AnyOperation, params: Texts): Texts {
  const keys = [TEMPORARY_KEY, BOBS_TEMPORARY_KEY];
  return {
    ...params,
    ...Object.fromEntries(
      operation.signers.map(({ temporaryKey }, index) => [temporaryKey, keys[index] as string]),
    ),
  };
}

function without(params: Texts, name: string): Texts {
  const { [name]: _, ...others } = params;
  return others;
}

/** Whether a request with these parameters and a full signature is well-formed. */
function isAccepted(operation: AnyOperation, params: Texts): boolean {
  const signatures = operation.signatureNames.map((name) => [name, "MEQ="] as const);
  const all = { ...params, ...Object.fromEntries(signatures), signed: "full" };
  return !(readTexts(operation, all) instanceof Refused);
}
