import { leafOf, sha256 } from "@moneta/ledger";
import {
  type Block,
  blockId,
  canonicalJson,
  type Header,
  isHeader,
  type Json,
  MerkleTree,
} from "@moneta/protocol";

export interface ArchivedBlock extends Block {
  /** JCS of the record object of each transaction. Source: chain §4.4. */
  readonly records: readonly string[];
}

/** A block that has everything that its id commits to. */
export interface CheckedBlock extends ArchivedBlock {
  /** Source: chain §4.4. */
  readonly leaves: readonly string[];
}

export const LINE_BYTES_MAX: number = 1 << 27;

const BLOCK_BYTES_MAX = 1 << 28;

export interface ArchivedTransaction {
  readonly operation: string;
  readonly record: string;
}

/** The block's own line, then one for each transaction. Source: proofs §4. */
export function* linesOf(block: ArchivedBlock): Iterable<string> {
  yield `{"header":${JSON.stringify(block.header)},"id":"${block.id}"}`;
  for (const [position, operation] of block.operations.entries()) {
    yield `{"operation":${operation},"record":${block.records[position]}}`;
  }
}

/** Returns a text that names the fault of an invalid line. */
export function readBlockLine(
  line: string,
): { readonly header: Header; readonly id: string } | string {
  const { header, id } = (parsed(line) ?? {}) as Record<string, unknown>;
  return isHeader(header) && typeof id === "string"
    ? { header, id }
    : "it does not begin with header and id";
}

/** Returns a text that names the fault of an invalid line. */
export function readTransactionLine(line: string): ArchivedTransaction | string {
  const { operation, record } = (parsed(line) ?? {}) as Record<string, unknown>;
  try {
    return {
      operation: canonicalJson(operation as Json),
      record: canonicalJson(record as Json),
    };
  } catch {
    return "a line does not have the operation and record of a transaction";
  }
}

/** `next` returns further lines. Returns a text that names the fault of an invalid one. */
export async function readBlock(
  first: string,
  next: () => Promise<string>,
  isSkipped = false,
): Promise<ArchivedBlock | string> {
  const block = readBlockLine(first);
  if (typeof block === "string") {
    return block;
  }
  const operations: string[] = [];
  const records: string[] = [];
  for (let position = 0, length = 0; position < block.header.count; position += 1) {
    const line = await next();
    const transaction = isSkipped ? undefined : readTransactionLine(line);
    if (typeof transaction === "string") {
      return transaction;
    }
    if (transaction !== undefined) {
      operations.push(transaction.operation);
      records.push(transaction.record);
      length += line.length;
    }
    if (length > BLOCK_BYTES_MAX) {
      return `it has more than ${BLOCK_BYTES_MAX} bytes`;
    }
  }
  return { ...block, operations, records };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Source: chain §4.4. */
export function leafTextOf(
  { sn: height, timestamp }: Header,
  position: number,
  { operation, record }: ArchivedTransaction,
): string {
  return leafOf({ height, position, timestamp }, operation, record).leaf;
}

/** Of a block after `previous`; else a text that names the fault. */
export function checkedBlock(
  block: ArchivedBlock,
  { height, previous }: { readonly height: number; readonly previous: string },
): CheckedBlock | string {
  const { header, id, operations, records } = block;
  if (header.sn !== height || header.previous !== previous) {
    return "it does not follow the block before it";
  }
  if (blockId(header, sha256) !== id) {
    return "its id is not the hash of its header";
  }
  const leaves = operations.map((operation, position) =>
    leafTextOf(header, position, { operation, record: records[position] ?? "" }),
  );
  const tree = new MerkleTree(sha256);
  for (const leaf of leaves) {
    tree.append(leaf);
  }
  return leaves.length === header.count &&
    records.length === header.count &&
    Buffer.from(tree.root()).toString("hex") === header.root
    ? { ...block, leaves }
    : "its transactions are not those that its header commits to";
}
