import { type Json, provenEntry, provenKeys, toHex } from "@moneta/protocol/proof";
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

/** State entries as they were after a block. */
export interface ProvenState {
  readonly height: number;
  /** Unix seconds: when the node claimed it, at or after that block. */
  readonly time: number;
  /** By their keys; null where there is no such entry. Source: proofs §3.1. */
  readonly entries: { readonly [key: string]: Json };
}

/** What has been checked of a response with `proof=1`. */
export interface ReadReport extends ProofReport {
  /** What is proven; undefined unless the verdict is "verified". */
  readonly proven: ProvenState | undefined;
}

export interface ReadProofOptions extends ProofOptions {
  /**
   * The earliest time of the root that is allowed, Unix seconds; 60 seconds ago by default. 0 for
   * responses that were kept, or as of an earlier block: `proven` has the time.
   */
  readonly notBefore?: number | undefined;
}

const AGE_MAX = 60;

/** The node has no root yet, keeps none, or does not know such proofs: nothing is wrong. */
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
 * Asks for a record with its proof, and checks it. One request, and one more without `keys`. Throws
 * TypeError for a read that proves nothing, else only where the node does not answer; a wrong proof
 * is a check that fails. Source: proofs §3.
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
 * As `verifyRead`, and checks as `shown` that what the node shows of the record as of the proven
 * block, without proof, agrees with the entries. One request more. Source: proofs §3, explorer §2.
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

/** That the members of the entries are those of the record, and that a balance is theirs, free and locked. */
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
  // What units do not have of their own, they show of their project.
  const own = Object.entries(main ?? {}).filter(([, value]) => read !== "mrc402" || value !== "");
  compareMembers(checks, Object.fromEntries(own), record);
  if (read === "addressRead") {
    const { keyset } = record;
    compareMembers(checks, entries[1] === null ? { version: 0 } : keySet, membersOf(keyset));
  }
}

/** Compares the members that both have. */
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
  const text = name === "publickey" ? String(value).replace(/-----.*?-----|\s/g, "") : value;
  return `${name} ${canonicalText(text)}`;
}

function amountOf({ balance }: Readonly<Record<string, unknown>>): unknown {
  return balance;
}

/** Of amounts in the smallest unit as texts; "" if one is none. */
function sumOf(amounts: readonly unknown[]): string {
  const texts = amounts.map(String);
  return texts.every((text) => /^\d{1,41}$/.test(text))
    ? String(texts.reduce((sum, text) => sum + BigInt(text), 0n))
    : "";
}

/**
 * Checks the response of a read with `proof=1` without a node: the read that was asked, or the keys
 * of the entries, and the verifier keys, of which one has signed the checkpoint. Throws TypeError for
 * a read that proves nothing, or for keys that are none. Source: proofs §3.2.
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
    throw new TypeError(`${read} is no read that proves entries, or a parameter is missing`);
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

/** The values of the keys, and the root that all of them lead to, hex; "" if there is none such. */
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

/** A response in its form; the entries and the record may be anything. */
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

/** Reads a response with `proof=1`; a text says what is wrong with its form. Source: proofs §3.1. */
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
