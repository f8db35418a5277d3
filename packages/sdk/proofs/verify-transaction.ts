import {
  blockId,
  fromBase64,
  leafHash,
  parseTransactionId,
  toBase64,
  verifyInclusion,
} from "@moneta/protocol/proof";
import type { Transaction } from "../api.ts";
import {
  ask,
  hashOf,
  membersOf,
  RECORD_BYTES_MAX,
  type Reads,
  type ReceivedProof,
  receivedProof,
} from "./answers.ts";
import { CHECKPOINT_CHECKS, checkCheckpoint, type ProofOptions } from "./check-checkpoint.ts";
import { type Leaf, parseLeaf } from "./leaf.ts";
import { sha256 } from "./platform-free.ts";
import { CheckList, type CheckName, type ProofReport } from "./report.ts";

/** Names of the checks of a transaction. */
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
 * Checks that a transaction, as it is shown, is in the ledger that a checkpoint vouches for. `shown`
 * is what `moneta.transaction` answered, or an id, whose transaction is then fetched. One request,
 * one more for an id, and one without `keys`. Throws only where the node does not answer; a wrong
 * proof is a check that fails. Source: chain §12, explorer §2.
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

/** Makes the checks of a transaction whose members may be anything. */
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
  checks.note("answer", true, "a proof", `of ${proof.path.length} hashes`);
  checks.compare("id", name.id, proof.id);
  checks.compare("id", String(name.height), members["db_sn"]);

  const leaf = parseLeaf(proof.leaf);
  checks.note("leaf", leaf !== undefined, "a leaf in the form of chain 4.4", proof.leaf);
  if (leaf !== undefined) {
    checkContent(checks, members, { leaf, proof, id: name.id });
  }
  const { header, index } = proof;
  checks.compare("block", members["db_id"], blockId(header, sha256));
  checks.compare("block", name.height, header.sn);
  checks.compare("block", header.size - header.count + name.position, index);
  checks.note("block", name.position < header.count, `at most ${header.count}`, name.position + 1);
  checks.compare("time", members["timestamp"], header.timestamp);

  const checkpoint = await checkCheckpoint(checks, proof.checkpoint, client, options);
  checkInclusion(checks, proof, checkpoint.parsed);
  return checks.report(checkpoint.checked);
}

/** What the leaf commits to: id, time, record and operation. */
function checkContent(
  checks: CheckList,
  shown: Readonly<Record<string, unknown>>,
  { leaf, proof, id }: { readonly leaf: Leaf; readonly proof: ReceivedProof; readonly id: string },
): void {
  checks.compare("id", id, leaf.id);
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
  checks.compare("operation", leaf.operation, hashOf(proof.operation));
  const { signatures: _, ...content } = membersOf(proof.operation);
  checks.compare("id", id.slice(24), hashOf(content).slice(0, 40));
}

/** The path from the leaf to the root of the checkpoint, or without one to the root that is named. */
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
