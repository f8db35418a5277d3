import { groupText, toHex } from "@moneta/protocol/client";
import { type AddressKey, CALLS, type KeySet } from "../api.ts";
import type { Call } from "../call.ts";
import { keyBody } from "../keys/signing-key.ts";
import { isTemporaryKey } from "../keys/temporary-keys.ts";
import { subtle } from "../keys/web-crypto.ts";

export interface ProposalOperation {
  readonly operation: string;
  readonly signers: readonly string[];
  /** All signed parameters by canonical names, temporary keys and group included. */
  readonly params: Readonly<Record<string, string>>;
  /**
   * By the name of the parameter, `signature`, or `fromSign` and `toSign`: standard base64, or JSON
   * text of the signatures by the address's keys so far. Source: authority §2.1.
   */
  readonly signatures: Readonly<Record<string, string>>;
}

/** A proposal as JSON, for a file or a message. */
export interface ProposalFile {
  readonly ledger_id: string;
  readonly signers: readonly (readonly string[])[];
  /** Each with its signatures so far; two or more form the body of `POST /group`. */
  readonly operations: readonly Readonly<Record<string, string>>[];
}

/** A wrong proposal or file. `index` is the operation's; undefined for the whole. */
export class ProposalError extends TypeError {
  override readonly name: string = "ProposalError";
  readonly index: number | undefined;

  constructor(message: string, index?: number) {
    super(index === undefined ? message : `operation ${index + 1}: ${message}`);
    this.index = index;
  }
}

/** Source: batches §2.1. */
const OPERATIONS_MAX = 16;
/** The largest body that a node takes, characters. Source: batches §1.1. */
const FILE_LENGTH_MAX = 4 << 20;
export const GROUP = "group";
const ADDRESS = /^MT[0-9A-Za-z]{38}$/;
const SIGNATURE = /^[A-Za-z0-9+/]{1,400}={0,2}$/;

export interface Slot {
  readonly address: string;
  readonly key: string;
  readonly signature: string;
  /** Whether the new keys of the operation sign. Source: authority §1.3. */
  readonly isProof?: true;
}

export type SetOfKeys = Pick<KeySet, "keys" | "threshold"> & { readonly isSet: boolean };

export interface ReadProposal {
  readonly id: string;
  readonly ledgerId: string;
  readonly operations: readonly ProposalOperation[];
}

/** See `Proposal.from`. */
export async function readProposal(json: unknown, wanted: string): Promise<ReadProposal> {
  const { ledger_id: ledgerId, signers, operations: given } = readFile(json);
  if (ledgerId !== wanted) {
    throw new ProposalError(`it is for the ledger ${shown(ledgerId)}, and this is ${wanted}`);
  }
  if (!Array.isArray(given) || !Array.isArray(signers) || given.length !== signers.length) {
    throw new ProposalError('it must have a list of "operations", and one of "signers" as long');
  }
  checkCount(given.length);
  const operations = given.map((one, index) => readOperation(one, signers[index], index));
  const used = operations.map((one) =>
    slotsOfOperation(one)
      .filter(isOwn)
      .map(({ key }) => one.params[key]),
  );
  const twice = used.findIndex((own, index) =>
    own.some((key) => [...used.slice(0, index).flat(), ...own].filter((k) => k === key).length > 1),
  );
  if (twice !== -1) {
    throw new ProposalError("its temporary key is that of another signature before it", twice);
  }
  const id = await idOf(operations, wanted);
  const group = operations.length > 1 ? id : undefined;
  if (operations.some(({ params }) => params[GROUP] !== group)) {
    throw new ProposalError(
      group === undefined
        ? "it is one operation of a group, and the others are missing"
        : "its operations are not those of their group: one of them was changed, or their order",
    );
  }
  return { id, ledgerId: wanted, operations };
}

/** Source: batches §2.2. */
export async function idOf(
  operations: readonly Pick<ProposalOperation, "operation" | "params">[],
  ledgerId: string,
): Promise<string> {
  const members = operations.map(({ operation: op, params }) => ({ op, params }));
  const text = new TextEncoder().encode(groupText(members, ledgerId));
  return toHex(new Uint8Array(await subtle().digest("SHA-256", text)));
}

export function checkCount(count: number): void {
  if (count < 1 || count > OPERATIONS_MAX) {
    throw new ProposalError(`a proposal has 1 to ${OPERATIONS_MAX} operations, and not ${count}`);
  }
}

/** Throws ProposalError for any other. */
export function signedCall(operation: unknown, index: number): Call {
  const call =
    typeof operation === "string" && Object.hasOwn(CALLS, operation) ? CALLS[operation] : undefined;
  if (!call?.key || operation === "protocol") {
    throw new ProposalError(`${shown(operation)} is no operation that can be proposed`, index);
  }
  return call;
}

function checkSignerCount(
  signers: readonly string[],
  { signers: several }: Call,
  index: number,
): void {
  const count = several?.length ?? 1;
  if (signers.length !== count || new Set(signers).size !== count) {
    throw new ProposalError(
      `it needs ${count === 1 ? "one signer" : `${count} different signers`}`,
      index,
    );
  }
}

/** Throws ProposalError unless the parameters of the signers name exactly these, each once. */
export function checkSigners(
  params: Readonly<Record<string, string>>,
  {
    signers,
    call,
    index,
  }: { readonly signers: readonly string[]; readonly call: Call; readonly index: number },
): void {
  const names =
    call.signers === undefined ? [call.actor] : call.signers.map((all) => all.split(" ")[0]);
  checkSignerCount(signers, call, index);
  for (const [place, name] of names.entries()) {
    const signer = signers[place];
    const named = name === undefined ? undefined : params[name];
    if (signer === undefined || !ADDRESS.test(signer)) {
      const what = call.signers === undefined ? "its actor" : name;
      throw new ProposalError(`${what} must be an address, not ${shown(signer)}`, index);
    }
    if (named !== undefined && named !== signer) {
      throw new ProposalError(`its signer is ${signer}, but its ${name} is ${shown(named)}`, index);
    }
  }
}

/** Every member must be a text, so that signatures cover it. */
function readOperation(given: unknown, signers: unknown, index: number): ProposalOperation {
  if (!isObject(given)) {
    throw new ProposalError("it must be a JSON object", index);
  }
  const { operation, ...members } = given;
  const call = signedCall(operation, index);
  const name = operation as string;
  if (!Array.isArray(signers) || !signers.every((one) => typeof one === "string")) {
    throw new ProposalError(
      `its signers must be a list of addresses, not ${shown(signers)}`,
      index,
    );
  }
  checkSignerCount(signers, call, index);
  const slots = slotsOf(call, signers);
  const known = [...ownParameters(call), ...slots.map(({ key }) => key), "signed", GROUP];
  const params: Record<string, string> = {};
  const signatures: Record<string, string> = {};
  for (const [member, value] of Object.entries(members)) {
    const isSignature = slots.some(({ signature }) => signature === member);
    if (!isSignature && !known.includes(member)) {
      throw new ProposalError(`${name} has no parameter ${shown(member)}`, index);
    }
    if (typeof value !== "string" || value === "" || !value.isWellFormed()) {
      throw new ProposalError(`${member} must be a text, and not empty`, index);
    }
    if (isSignature && !isSignatureText(value)) {
      throw new ProposalError(`${member} must be base64, or a list of signatures`, index);
    }
    (isSignature ? signatures : params)[member] = value;
  }
  if (params["signed"] !== "full") {
    throw new ProposalError(
      '"signed" must be "full": short signatures do not cover all of it',
      index,
    );
  }
  for (const { key } of slots) {
    if (!isTemporaryKey(params[key])) {
      throw new ProposalError(`${key} must be a temporary key`, index);
    }
  }
  checkSigners(params, { signers, call, index });
  if (call.proof !== undefined) {
    try {
      newKeysOf(params);
    } catch {
      throw new ProposalError("keys must be JSON text of a list of keys", index);
    }
  }
  return { operation: name, signers, params, signatures };
}

function readFile(json: unknown): Readonly<Record<string, unknown>> {
  let value = json;
  if (typeof json === "string") {
    if (json.length > FILE_LENGTH_MAX) {
      throw new ProposalError(`it has more than ${FILE_LENGTH_MAX} characters`);
    }
    try {
      value = JSON.parse(json);
    } catch {
      throw new ProposalError("it is no JSON text");
    }
  }
  if (!isObject(value)) {
    throw new ProposalError("it is no JSON object");
  }
  return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

export function slotsOf(call: Call, signers: readonly string[]): readonly Slot[] {
  const own = signers.map((address, index): Slot => {
    const [, key = call.key ?? "", signature = "signature"] =
      call.signers?.[index]?.split(" ") ?? [];
    return { address, key, signature };
  });
  const { proof } = call;
  return proof === undefined
    ? own
    : own.flatMap((slot) => [slot, { ...slot, signature: proof, isProof: true }]);
}

export function isOwn({ isProof }: Slot): boolean {
  return isProof !== true;
}

export function slotsOfOperation({ operation, signers }: ProposalOperation): readonly Slot[] {
  return slotsOf(CALLS[operation] as Call, signers);
}

/** Source: authority §1.3. */
export function newKeysOf({ keys = "", threshold }: ProposalOperation["params"]): SetOfKeys {
  const given = JSON.parse(keys) as readonly Partial<AddressKey>[];
  const all = given.map(({ publickey = "", kind = "raw", weight = 1 }) => ({
    ...{ publickey: keyBody(publickey), kind, weight: Number(weight) },
  }));
  return { keys: all, threshold: Number(threshold), isSet: true };
}

export function ownParameters(call: Call): readonly string[] {
  const signing = (call.signers ?? []).flatMap((names) => names.split(" ").slice(1));
  const left = ["signed", call.proof, ...signing];
  return call.parameters.split(" ").filter((name) => !left.includes(name));
}

/** Whether an untrusted text is a signature, or several signatures. */
function isSignatureText(text: string): boolean {
  try {
    const all: unknown = text.startsWith("[") && JSON.parse(text);
    return all ? (all as unknown[]).every(isObject) : SIGNATURE.test(text);
  } catch {
    return false;
  }
}
