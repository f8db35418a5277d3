import {
  blockId,
  fromBase64,
  leafHash,
  parseTransactionId,
  type TransactionName,
  toBase64,
  verifyInclusion,
} from "@moneta/protocol/proof";
import type { Transaction } from "../api.ts";
import {
  ask,
  hashOf,
  membersOf,
  offline,
  RECORD_BYTES_MAX,
  type Reads,
  type ReceivedProof,
  receivedProof,
} from "./answers.ts";
import { CHECKPOINT_CHECKS, checkCheckpoint, type ProofOptions } from "./check-checkpoint.ts";
import { type Leaf, parseLeaf } from "./leaf.ts";
import { sha256 } from "./platform-free.ts";
import { CheckList, type CheckName, type ProofReport } from "./report.ts";

export const TRANSACTION_CHECKS: readonly CheckName[] = [
  "answer",
  "id",
  "time",
  "record",
  "operation",
  "leaf",
  "block",
  "inclusion",
  "tree",
  ...CHECKPOINT_CHECKS,
];

/**
 * Checks that a transaction, as shown, is in the ledger of a checkpoint. `shown` is the result of
 * `moneta.transaction`, or an id, whose transaction is then fetched. One request, one more for an
 * id, and one without `keys`. Throws only if the node does not respond; a wrong proof is a failed
 * check. Source: chain §12, explorer §2.
 */
export async function verifyTransaction(
  client: Reads,
  shown: Transaction | string,
  options: ProofOptions = {},
): Promise<ProofReport> {
  const checks = new CheckList(TRANSACTION_CHECKS);
  const { signal } = options;
  if (typeof shown !== "string") {
    return await checkTransaction(checks, client, shown, options);
  }
  const asked = await ask(
    client,
    "transaction",
    { transaction_id: shown },
    { signal, bytesMax: RECORD_BYTES_MAX },
  );
  if ("fault" in asked) {
    checks.note("answer", false, `the transaction ${shown}`, asked.fault);
    return checks.report(undefined);
  }
  if (!checks.compare("id", shown, membersOf(asked.body)["id"])) {
    return checks.report(undefined);
  }
  return await checkTransaction(checks, client, asked.body, options);
}

export async function checkTransaction(
  checks: CheckList,
  client: Reads,
  shown: unknown,
  options: ProofOptions,
): Promise<ProofReport> {
  const members = membersOf(shown);
  const name = typeof members["id"] === "string" ? parseTransactionId(members["id"]) : undefined;
  if (name === undefined) {
    checks.note("id", false, "the id of a transaction, 64 hex digits", members["id"]);
    return checks.report(undefined);
  }
  const { signal } = options;
  const asked = await ask(
    client,
    "transactionProof",
    { transaction_id: name.id },
    { signal, bytesMax: RECORD_BYTES_MAX },
  );
  const proof = "fault" in asked ? asked.fault : receivedProof(asked.body);
  if (typeof proof === "string") {
    checks.note("answer", false, `a proof of ${name.id}`, proof);
    return checks.report(undefined);
  }
  const { db_sn, db_id, timestamp } = members;
  checks.compare("id", String(name.height), db_sn);
  checks.compare("block", db_id, blockId(proof.header, sha256));
  checks.compare("time", timestamp, proof.header.timestamp);
  const leaf = parseLeaf(proof.leaf);
  if (leaf !== undefined) {
    checkShown(checks, members, leaf);
  }
  return await checkProof(checks, name, proof, client, options);
}

/**
 * Checks the response of `transactionProof` without a node: the operation is in the ledger whose
 * checkpoint one of `keys` signed. It proves only the hash of the record. Throws TypeError for
 * invalid keys. Source: chain §12.
 */
export async function verifyTransactionProof(
  response: unknown,
  options: ProofOptions & { readonly keys: readonly string[] },
): Promise<ProofReport> {
  const checks = new CheckList(TRANSACTION_CHECKS.filter((name) => name !== "record"));
  const proof = receivedProof(response);
  const name = typeof proof === "string" ? undefined : parseTransactionId(proof.id);
  if (typeof proof === "string" || name === undefined) {
    checks.note("answer", false, "the proof of a transaction", name ?? proof);
    return checks.report(undefined);
  }
  return await checkProof(checks, name, proof, offline(options.keys), options);
}

async function checkProof(
  checks: CheckList,
  { id, height, position }: TransactionName,
  proof: ReceivedProof,
  client: Reads,
  options: ProofOptions,
): Promise<ProofReport> {
  const { header, index } = proof;
  checks.note("answer", true, "a proof", `of ${proof.path.length} hashes`);
  checks.compare("id", id, proof.id);
  const leaf = parseLeaf(proof.leaf);
  checks.note("leaf", leaf !== undefined, "a leaf in the form of chain 4.4", proof.leaf);
  if (leaf !== undefined) {
    const { signatures: _, ...content } = membersOf(proof.operation);
    checks.compare("id", id, leaf.id);
    checks.compare("id", id.slice(24), hashOf(content).slice(0, 40));
    checks.compare("time", leaf.timestamp, header.timestamp);
    checks.compare("operation", leaf.operation, hashOf(proof.operation));
  }
  checks.compare("block", height, header.sn);
  checks.compare("block", header.size - header.count + position, index);
  checks.note("block", position < header.count, `at most ${header.count}`, position + 1);

  const checkpoint = await checkCheckpoint(checks, proof.checkpoint, client, options);
  checkInclusion(checks, proof, checkpoint.parsed);
  return checks.report(checkpoint.checked);
}

function checkShown(checks: CheckList, shown: Readonly<Record<string, unknown>>, leaf: Leaf): void {
  checks.compare("time", leaf.timestamp, shown["timestamp"]);
  const { address, effects, group, parameters, token, type, values } = shown;
  const record = { address, effects, parameters, token, type, values };
  checks.compare(
    "record",
    leaf.record,
    hashOf(group === undefined ? record : { ...record, group }),
  );
  // The ledger holds only transactions that were done.
  checks.compare("record", "0", shown["validationCode"]);
}

export function checkInclusion(
  checks: CheckList,
  {
    leaf,
    index,
    path,
    ...named
  }: Pick<ReceivedProof, "leaf" | "index" | "size" | "path"> & { readonly root?: string },
  checkpoint: { readonly size: number; readonly root: Uint8Array } | undefined,
): boolean {
  const size = checkpoint?.size ?? named.size;
  const root = checkpoint?.root ?? fromBase64(named.root ?? "") ?? new Uint8Array();
  if (checkpoint !== undefined) {
    const { root: namedRoot = toBase64(root) } = named;
    checks.compare("tree", `${size} ${toBase64(root)}`, `${named.size} ${namedRoot}`);
  }
  const claim = { leafHash: leafHash(sha256, leaf), index, size, root, path };
  const holds = leaf.isWellFormed() && verifyInclusion(sha256, claim);
  const place = `leaf ${index} of ${size} under ${toBase64(root)}`;
  return checks.note("inclusion", holds, place, holds ? place : "the path leads elsewhere");
}
