import assert from "node:assert/strict";
import {
  type Address,
  type AnyOperation,
  groupId,
  operationText,
  Refused,
  readTexts,
  refuse,
  type Texts,
} from "@moneta/protocol";
import { actorOf, type ReadOperation, refuseKeys, signersOf, temporaryKeysOf } from "../ladder.ts";
import { RULES } from "../rules/registry.ts";
import { choicesOf, type RuledOperation } from "../rules/rule.ts";
import { sha256 } from "../sha256.ts";
import { TEST_KEY, type TestLedger } from "./test-ledger.ts";

/** Parameters by their wire names; other values than strings are sent as JSON. */
export type Params = { readonly [name: string]: string | object };

export interface SendOptions {
  /** Parameters that only the signature gives, such as the name of a draft. */
  readonly decided?: Texts;
}

/** An operation's wire name, its sender (`""` if none) and its parameters. */
export type Request = readonly [
  op: string,
  by: Address | "",
  params?: Params,
  options?: SendOptions,
];

/** A request as admission passes it on. */
export interface Admitted {
  readonly op: string;
  /** The operation for the ledger; or why it is refused before. */
  readonly text: string | Refused;
  readonly tkey: string;
  readonly signature: string;
}

/**
 * Reads a request, and finds its actor and decided parameters, as admission does. `by` has signed
 * it.
 */
export function admitted(
  ledger: TestLedger,
  [op, by, params = {}, { decided = {} } = {}]: Request,
): Admitted {
  const { operation } = ruled(op);
  const sent = defaulted(ledger, operation, by, params);
  const [signer] = operation.signers;
  const keyName = signer?.temporaryKey ?? "";
  const signatureName = signer?.signature ?? "";
  const [tkey, signature] = [keyName, signatureName].map((name) => String(sent[name] ?? ""));
  const base = { op, tkey: tkey as string, signature: signature as string };
  const request = readTexts(operation, textsOf(sent));
  if (request instanceof Refused) {
    return { ...base, text: request };
  }
  const { params: texts, signatures } = request;
  return ledger.reading(() => {
    const { state } = ledger.reader;
    const one: ReadOperation = {
      ruled: ruled(op),
      request,
      keys: temporaryKeysOf(ruled(op), request),
    };
    const [key] = one.keys;
    const acting = actorOf(state, one);
    // Repeats come before this refusal, so the ledger decides: it looks for the actor again.
    const actor = (acting instanceof Refused ? by : acting.actor) as Address;
    const choices =
      op === "address" ? [{ address: ledger.drawAddress() }] : choicesOf(state, one, actor);
    const fits = (choice: Texts): boolean =>
      Object.entries(decided).every(([name, text]) => choice[name] === text);
    const chosen = choices instanceof Refused ? decided : choices.find(fits);
    const isSigned = acting instanceof Refused || (actor === by && chosen !== undefined);
    if (!isSigned && (key === undefined || ledger.reader.keyUse(key) === undefined)) {
      const keyFault = refuseKeys(state, one, signersOf(one, actor), {});
      const misfit = refuse({ code: "2010", parameter: signatureName, actor, fullOnly: false });
      return { ...base, text: keyFault ?? (choices instanceof Refused ? choices : misfit) };
    }
    const operationOf = { op, actor, params: texts, decided: chosen ?? decided, signatures };
    return { ...base, text: operationText(operationOf) };
  });
}

export interface AdmittedGroup {
  readonly id: string;
  /** Operations for the ledger, in their order. */
  readonly texts: readonly string[];
  /** Of all signers, in the order of the operations. */
  readonly tkeys: readonly string[];
}

/**
 * Makes a group of requests, each with a full signature by its `by`. Admission checks only the
 * forms and keys of a group's operations. Source: batches §2.3.
 */
export function admittedGroup(ledger: TestLedger, requests: readonly Request[]): AdmittedGroup {
  const members = requests.map(([op, by, params = {}]) => {
    const { operation } = ruled(op);
    const sent = defaulted(ledger, operation, by, { ...params, signed: "full" });
    const request = readTexts(operation, textsOf(sent));
    assert(!(request instanceof Refused), `${op} is well-formed`);
    return { op, by, operation, sent, params: request.params };
  });
  const group = groupId(members, { ledgerId: ledger.id, sha256 });
  const texts = members.map(({ op, by, operation, sent }) => {
    const request = readTexts(operation, textsOf({ ...sent, group }), "member");
    assert(!(request instanceof Refused), "a member of a group");
    const { params, signatures } = request;
    return operationText({ op, actor: by, params, decided: {}, signatures });
  });
  const tkeys = members.flatMap(({ operation: { signers }, params }) =>
    signers.map(({ temporaryKey }) => params[temporaryKey] ?? ""),
  );
  return { id: group, texts, tkeys };
}

export function ruled(op: string): RuledOperation {
  const found = RULES.get(op);
  assert(found !== undefined, `there is an operation ${op}`);
  return found;
}

/** Adds the actor, a temporary key of the sender and a signature, where `params` has none. */
function defaulted(
  ledger: TestLedger,
  { name, signers, fullOnly }: AnyOperation,
  by: Address | "",
  params: Params,
): Params {
  const given = signers.map(({ address, temporaryKey, signature }, index) => {
    // Signers besides the actor are named.
    const who = index === 0 ? by : (params[address ?? ""] as Address);
    return {
      ...(address === undefined ? {} : { [address]: who }),
      [signature]: "MEQ=",
      ...(who === "" || temporaryKey in params ? {} : { [temporaryKey]: ledger.key(who) }),
    };
  });
  return {
    ...(name === "address" ? { publickey: TEST_KEY } : {}),
    ...(fullOnly ? { signed: "full" } : {}),
    ...Object.assign({}, ...given),
    ...params,
  };
}

function textsOf(sent: Params): Texts {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}
