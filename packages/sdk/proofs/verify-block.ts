import {
  blockId,
  fromBase64,
  fromHex,
  type Header,
  leafHash,
  MerkleTree,
  parseTransactionId,
  pathFrontier,
  TILE_WIDTH,
  tileNameText,
  toHex,
} from "@moneta/protocol/proof";
import type { Block } from "../api.ts";
import {
  ask,
  membersOf,
  RECORD_BYTES_MAX,
  type Reads,
  type ReceivedProof,
  receivedProof,
} from "./answers.ts";
import { CHECKPOINT_CHECKS, checkCheckpoint, type ProofOptions } from "./check-checkpoint.ts";
import { checkGrowth, type TreeHead } from "./check-growth.ts";
import { LEAF_LENGTH_MAX, parseLeaf } from "./leaf.ts";
import { sha256 } from "./platform-free.ts";
import { CheckList, type CheckName, type ProofReport } from "./report.ts";
import { checkInclusion } from "./verify-transaction.ts";

const BLOCK_CHECKS: readonly CheckName[] = [
  "answer",
  "block",
  "leaves",
  "root",
  "append",
  "growth",
  "inclusion",
  "tree",
  ...CHECKPOINT_CHECKS,
];

/** Nodes make blocks of at most 10,000; larger ones would cost one request for each 256. */
const TRANSACTIONS_MAX = 20_000;
/** A length of two bytes before each text. Source: C2SP tlog-tiles. */
const BUNDLE_BYTES_MAX = TILE_WIDTH * (2 + LEAF_LENGTH_MAX);

/**
 * Checks that a block, as shown by `moneta.block`, is in the ledger: its header has its id, its
 * leaves are those of the shown transactions, have the root in the header, and lead from the ledger
 * tree before the block to the one in the header, from which the checkpoint's has grown. The leaf
 * after them is of the next block, so the node has left none out. `previous`, `protocol` and
 * `changes` of the header are not in the tree: only replay checks them. Requests: two, one for each
 * 256 transactions, one without `keys`. Throws only if the node does not respond.
 * Source: chain §4.5, chain §12, explorer §2.
 */
export async function verifyBlock(
  client: Reads,
  shown: Block,
  options: ProofOptions = {},
): Promise<ProofReport> {
  const checks = new CheckList(BLOCK_CHECKS);
  const { signal } = options;
  const ids = shownIds(shown);
  const [first] = ids ?? [];
  if (ids === undefined || first === undefined) {
    checks.note("leaves", false, `1 to ${TRANSACTIONS_MAX} transactions with ids`, "others");
    return checks.report(undefined);
  }
  const asked = await ask(
    client,
    "transactionProof",
    { transaction_id: first },
    { signal, bytesMax: RECORD_BYTES_MAX },
  );
  const proof = "fault" in asked ? asked.fault : receivedProof(asked.body);
  if (typeof proof === "string") {
    checks.note("answer", false, `a proof of ${first}`, proof);
    return checks.report(undefined);
  }
  checks.compare("answer", first, proof.id);
  const hasOperation = typeof proof.operation === "object" && proof.operation !== null;
  checks.note("answer", hasOperation, "a proof with its operation", "one without");
  checkHeader(checks, shown, ids.length, proof);

  const checkpoint = await checkCheckpoint(checks, proof.checkpoint, client, options);
  const isIncluded = checkInclusion(checks, proof, checkpoint.parsed);
  const { header } = proof;
  // The header of another block does not show where the leaves are.
  if (header.count !== ids.length || header.size - header.count !== proof.index) {
    return checks.report(checkpoint.checked);
  }
  const texts = await leafTexts(client, proof, signal);
  if (typeof texts === "string") {
    checks.note("answer", false, `the leaves from ${proof.index} on`, texts);
    return checks.report(checkpoint.checked);
  }
  checkLeaves(checks, { ids, texts, header, proof });
  const from = checkRoots(checks, texts, proof, isIncluded);
  const root = fromBase64(proof.root);
  const to = checkpoint.parsed ?? { size: proof.size, root: root ?? new Uint8Array() };
  await checkGrowth(checks, client, { from, to, signal });
  return checks.report(checkpoint.checked);
}

function shownIds(shown: Block): readonly string[] | undefined {
  const { transaction } = membersOf(shown);
  if (!Array.isArray(transaction) || transaction.length > TRANSACTIONS_MAX) {
    return undefined;
  }
  const ids = transaction.map((one: unknown) => membersOf(one)["id"]);
  return ids.every((id) => typeof id === "string" && parseTransactionId(id) !== undefined)
    ? (ids as string[])
    : undefined;
}

/** The header is that of the shown block, and the proof that of its first leaf. */
function checkHeader(
  checks: CheckList,
  shown: Block,
  count: number,
  { header, index }: ReceivedProof,
): void {
  checks.compare("block", shown.id, blockId(header, sha256));
  checks.compare("block", shown.sn, header.sn);
  checks.compare("block", shown.timestamp, header.timestamp);
  checks.compare("block", header.count, count);
  const late = shown.transaction.find(({ timestamp }) => timestamp !== header.timestamp);
  checks.note("block", late === undefined, header.timestamp, late?.timestamp ?? header.timestamp);
  checks.compare("block", header.size - header.count, index);
}

/**
 * The leaf after them is of the next block: a header of fewer transactions would be as plausible.
 */
function checkLeaves(
  checks: CheckList,
  given: {
    readonly ids: readonly string[];
    readonly texts: readonly string[];
    readonly header: Header;
    readonly proof: ReceivedProof;
  },
): void {
  const { ids, texts, header, proof } = given;
  checks.compare("leaves", proof.leaf, texts[0]);
  for (const [position, id] of ids.entries()) {
    const leaf = parseLeaf(texts[position] ?? "");
    const name = parseTransactionId(id);
    const wanted = `${id} at ${header.timestamp}, ${header.sn}/${position}`;
    const found = `${leaf?.id} at ${leaf?.timestamp}, ${name?.height}/${name?.position}`;
    if (!checks.compare("leaves", wanted, found)) {
      return;
    }
  }
  const next = texts[ids.length];
  if (next !== undefined) {
    const name = parseTransactionId(parseLeaf(next)?.id ?? "");
    checks.compare("leaves", `then block ${header.sn + 1}`, `then block ${name?.height}`);
  }
}

/**
 * Alone they have the block's root, after earlier leaves the ledger's. Returns that tree, with the
 * next block's leaf.
 */
function checkRoots(
  checks: CheckList,
  texts: readonly string[],
  proof: ReceivedProof,
  isIncluded: boolean,
): TreeHead {
  const { header, index } = proof;
  const block = new MerkleTree(sha256);
  // Only a right path has the frontier of a tree.
  const ledger = isIncluded ? new MerkleTree(sha256, index, pathFrontier(proof)) : undefined;
  for (const text of texts.slice(0, header.count)) {
    const hash = leafHash(sha256, text);
    block.appendHash(hash);
    ledger?.appendHash(hash);
  }
  checks.compare("root", header.root, toHex(block.root()));
  const { size } = header;
  const next = texts[header.count];
  if (ledger !== undefined) {
    checks.compare("append", header.tree, toHex(ledger.root()));
    if (next !== undefined) {
      ledger.appendHash(leafHash(sha256, next));
      return { size: size + 1, root: ledger.root() };
    }
  }
  return { size, root: fromHex(header.tree) };
}

/** Includes the next block's first leaf if there is one; a text gives the fault. */
async function leafTexts(
  client: Reads,
  { index: first, size, header }: ReceivedProof,
  signal: AbortSignal | undefined,
): Promise<readonly string[] | string> {
  const last = first + header.count;
  const end = last < size ? last + 1 : last;
  const found: string[] = [];
  for (let index = Math.floor(first / TILE_WIDTH); index * TILE_WIDTH < end; index += 1) {
    const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
    if (width < 1) {
      return `the tree of ${size} leaves ends before the block`;
    }
    const asked = await ask(
      client,
      "entryBundle",
      { tile: tileNameText({ index, width }) },
      { signal, bytesMax: BUNDLE_BYTES_MAX },
    );
    const bundle = "fault" in asked ? asked.fault : bundleTexts(asked.body, width);
    if (typeof bundle === "string") {
      return bundle;
    }
    found.push(...bundle.slice(Math.max(0, first - index * TILE_WIDTH), end - index * TILE_WIDTH));
  }
  return found;
}

/** Each text follows its length as big-endian uint16. Source: C2SP tlog-tiles. */
function bundleTexts(body: unknown, width: number): readonly string[] | string {
  if (!(body instanceof Uint8Array)) {
    return "no bundle of leaves";
  }
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const texts: string[] = [];
  let at = 0;
  while (texts.length < width && at + 2 <= body.length) {
    const length = ((body[at] as number) << 8) | (body[at + 1] as number);
    texts.push(decoder.decode(body.subarray(at + 2, at + 2 + length)));
    at += 2 + length;
  }
  return texts.length === width && at === body.length
    ? texts
    : `a bundle of ${body.length} bytes that are not ${width} leaves`;
}
