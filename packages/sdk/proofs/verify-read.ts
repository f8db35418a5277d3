import { type Json, provenEntry, provenKeys, toHex } from "@moneta/protocol/proof";
import { keyBody } from "../keys/signing-key.ts";
import {
  ask,
  canonicalText,
  hashOf,
  isCount,
  membersOf,
  offline,
  type Reads,
  receivedPath,
  SMALL_BYTES_MAX,
} from "./answers.ts";
import { CHECKPOINT_CHECKS, checkCheckpoint, type ProofOptions } from "./check-checkpoint.ts";
import { parseLeaf } from "./leaf.ts";
import { sha256 } from "./platform-free.ts";
import { CheckList, type CheckName, type ProofReport } from "./report.ts";
import { checkInclusion } from "./verify-transaction.ts";

/** A read of one record: the name of its operation, and its parameters without `proof`. */
export interface AskedRead {
  readonly read: string;
  readonly params: { readonly [name: string]: string };
}

export interface ProvenState {
  readonly height: number;
  /** Unix seconds: when the node claimed the root, at or after that block. */
  readonly time: number;
  /** Null for a missing entry. Source: proofs §3.1. */
  readonly entries: { readonly [key: string]: Json };
}

export interface ReadReport extends ProofReport {
  /** Undefined unless the verdict is "verified". */
  readonly proven: ProvenState | undefined;
}

export interface ReadProofOptions extends ProofOptions {
  /**
   * The earliest allowed time of the root, Unix seconds; by default 60 seconds ago. Use 0 for saved
   * responses and for earlier blocks, and read the time in `proven`.
   */
  readonly notBefore?: number | undefined;
}

const AGE_MAX = 60;

/**
 * Refusals that are not faults: the node has no root yet, keeps none, or does not support such
 * proofs.
 */
const UNPROVEN = /^(9404|6012|1008):/;

const READ_CHECKS: readonly CheckName[] = [
  "answer",
  "entries",
  "stateRoot",
  "record",
  "leaf",
  "id",
  "age",
  "inclusion",
  "tree",
  ...CHECKPOINT_CHECKS,
];

/**
 * Requests a record with its proof and checks it: one request, and one more without `keys`. An
 * invalid proof is a failed check. Throws TypeError for a read that cannot be proven, otherwise
 * only if the node does not respond. Source: proofs §3.
 */
export async function verifyRead(
  client: Reads,
  asked: AskedRead,
  options: ReadProofOptions = {},
): Promise<ReadReport> {
  const { signal } = options;
  const keys = keysOf(asked);
  const request = { ...asked.params, proof: "1" };
  const answer = await ask(client, asked.read, request, { signal, bytesMax: SMALL_BYTES_MAX });
  if ("fault" in answer) {
    const checks = new CheckList(READ_CHECKS);
    if (!UNPROVEN.test(answer.fault)) {
      checks.note("answer", false, `a proof of ${keys.join(", ")}`, answer.fault);
    }
    return { ...checks.report(undefined), proven: undefined };
  }
  return await checkResponse(keys, answer.body, client, options);
}

/**
 * As `verifyRead`; the check `shown` also compares the record that the node returns as of the
 * proven block with the entries. One request more. Source: proofs §3, explorer §2.
 */
export async function verifyShown(
  client: Reads,
  asked: AskedRead,
  options: ReadProofOptions = {},
): Promise<ReadReport> {
  const report = await verifyRead(client, asked, options);
  const { proven } = report;
  if (proven === undefined) {
    return report;
  }
  const checks = new CheckList(["shown"], report.checks);
  const request = { ...asked.params, height: String(proven.height) };
  const { signal } = options;
  const answer = await ask(client, asked.read, request, { signal, bytesMax: SMALL_BYTES_MAX });
  if ("body" in answer) {
    checkShown(checks, asked, { shown: answer.body, entries: Object.values(proven.entries) });
  } else {
    const [main = null] = Object.values(proven.entries);
    checks.note("shown", main === null, main, answer.fault);
  }
  const { verdict, checks: all } = checks.report(report.checkpoint);
  return { ...report, verdict, checks: all, proven: verdict === "verified" ? proven : undefined };
}

/** Checks that the record's members agree with the entries, and a balance with their amounts. */
function checkShown(
  checks: CheckList,
  { read, params }: AskedRead,
  { shown, entries }: { readonly shown: unknown; readonly entries: readonly Json[] },
): void {
  const [main, keySet] = entries.map(membersOf);
  if (read === "balanceOfToken") {
    const all = Array.isArray(shown) ? shown.map(membersOf) : [];
    const own = all.filter(({ token }) => String(token) === params["token"]);
    const [free, locked] = [true, false].map((isFree) =>
      sumOf(own.filter(({ unlockdate }) => (unlockdate === 0) === isFree).map(amountOf)),
    );
    const { free: provenFree = 0, locked: provenLocked = 0 } = main ?? {};
    checks.compare("shown", [`${provenFree}`, `${provenLocked}`], [free, locked]);
    return;
  }
  const record = membersOf(shown);
  checks.note("shown", entries[0] !== null, "no record", shown);
  // Items of units show members of their project where their own are empty.
  const own = Object.entries(main ?? {}).filter(([, value]) => read !== "mrc402" || value !== "");
  compareMembers(checks, Object.fromEntries(own), record);
  if (read === "addressRead") {
    const { keyset } = record;
    compareMembers(checks, entries[1] === null ? { version: 0 } : keySet, membersOf(keyset));
  }
}

function compareMembers(
  checks: CheckList,
  entry: Readonly<Record<string, unknown>> | undefined,
  record: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(entry ?? {})) {
    if (record[name] !== undefined) {
      checks.compare("shown", memberText(name, value), memberText(name, record[name]));
    }
  }
}

/** The state has the body of a public key, without the lines around it. */
function memberText(name: string, value: unknown): string {
  const text = name === "publickey" ? keyBody(String(value)) : value;
  return `${name} ${canonicalText(text)}`;
}

function amountOf({ balance }: Readonly<Record<string, unknown>>): unknown {
  return balance;
}

function sumOf(amounts: readonly unknown[]): string {
  const texts = amounts.map(String);
  return texts.every((text) => /^\d{1,41}$/.test(text))
    ? String(texts.reduce((sum, text) => sum + BigInt(text), 0n))
    : "";
}

/**
 * Checks the response of a read with `proof=1` without a node. The caller gives its read, or the
 * keys of the entries, and verifier keys, one of which must have signed the checkpoint. Throws
 * TypeError for a read that proves nothing, and for invalid verifier keys. Source: proofs §3.2.
 */
export async function verifyResponse(
  asked: AskedRead | readonly string[],
  response: unknown,
  options: ReadProofOptions & { readonly keys: readonly string[] },
): Promise<ReadReport> {
  const keys = "read" in asked ? keysOf(asked) : asked;
  return await checkResponse(keys, response, offline(options.keys), options);
}

function keysOf({ read, params }: AskedRead): readonly string[] {
  const keys = provenKeys(read, params);
  if (keys === undefined) {
    throw new TypeError(`${read} is not a read that proves entries, or a parameter is missing`);
  }
  return keys;
}

async function checkResponse(
  keys: readonly string[],
  response: unknown,
  client: Reads,
  options: ReadProofOptions,
): Promise<ReadReport> {
  const checks = new CheckList(READ_CHECKS);
  const received = receivedStateProof(response);
  if (typeof received === "string") {
    checks.note("answer", false, `a proof of ${keys.join(", ")}`, received);
    return { ...checks.report(undefined), proven: undefined };
  }
  const { height, transaction, record, leaf: text } = received;
  checks.note("answer", true, "a proof", `of ${received.entries.length} entries`);
  const { entries, root } = checkEntries(checks, keys, received.entries);
  const { type, parameters } = membersOf(record);
  checks.compare("stateRoot", ["StateRoot", [String(height), root]], [type, parameters]);

  const leaf = parseLeaf(text);
  checks.note("leaf", leaf !== undefined, "a leaf in the form of chain 4.4", text);
  const time = leaf?.timestamp ?? 0;
  checks.compare("record", leaf?.record, hashOf(record));
  checks.compare("id", leaf?.id, transaction);
  const { notBefore = Math.floor(Date.now() / 1000) - AGE_MAX } = options;
  checks.note("age", time >= notBefore, `${notBefore} or later`, time);

  const { checked, parsed } = await checkCheckpoint(checks, received.checkpoint, client, options);
  if (parsed !== undefined) {
    checkInclusion(checks, received, parsed);
  }
  const report = checks.report(checked);
  return {
    ...report,
    proven: report.verdict === "verified" ? { height, time, entries } : undefined,
  };
}

function checkEntries(
  checks: CheckList,
  keys: readonly string[],
  shown: readonly unknown[],
): { readonly entries: ProvenState["entries"]; readonly root: string } {
  const entries: Record<string, Json> = {};
  const roots = new Set<string>();
  checks.compare("entries", `${keys.length} entries`, `${shown.length} entries`);
  for (const [place, key] of keys.entries()) {
    const proven = provenEntry(sha256, key, shown[place]);
    if (typeof proven === "string") {
      checks.note("entries", false, key, proven);
    } else {
      entries[key] = proven.value;
      roots.add(toHex(proven.root));
    }
  }
  const [root = ""] = roots;
  checks.note("entries", roots.size === 1, "one root of all entries", `${roots.size} roots`);
  return { entries, root };
}

interface ReceivedStateProof {
  readonly height: number;
  readonly entries: readonly unknown[];
  readonly transaction: unknown;
  readonly leaf: string;
  readonly index: number;
  readonly size: number;
  readonly path: readonly Uint8Array[];
  readonly record: unknown;
  readonly checkpoint: string;
}

/** A text names the fault of its form. Source: proofs §3.1. */
function receivedStateProof(response: unknown): ReceivedStateProof | string {
  const { height, entries, root, checkpoint } = membersOf(response);
  const { transaction, leaf, index, size, path: texts, record } = membersOf(root);
  const path = receivedPath(texts);
  return path !== undefined &&
    isCount(height) &&
    isCount(index) &&
    isCount(size) &&
    Array.isArray(entries) &&
    typeof leaf === "string" &&
    typeof checkpoint === "string"
    ? { height, entries, transaction, leaf, index, size, path, record, checkpoint }
    : "height, entries, root or checkpoint is missing, or not in the form of proofs 3.1";
}
