import { type Block, type Header, isHeader } from "@moneta/protocol";
import { InvalidBlock } from "../chain/invalid-block.ts";

/** A block as a row of a log has it, of whichever database. */
export interface StoredBlock {
  readonly height: number;
  readonly id: string;
  readonly header: string;
  /** In the order in which they were applied, with a line end between two. */
  readonly operations: string;
}

/** A block as a row. */
export function storedBlock({ header, id, operations }: Block): StoredBlock {
  return {
    height: header.sn,
    id,
    header: JSON.stringify(header),
    // Operations are canonical JSON, which has no line ends of its own.
    operations: operations.join("\n"),
  };
}

/**
 * The block of a row. Throws `InvalidBlock` unless its header is well-formed and has the row's
 * height: otherwise a reader by height would take it for another block.
 */
export function blockOf({ height, id, header, operations }: StoredBlock): Block {
  return { header: headerOf(header, height), id, operations: operations.split("\n") };
}

function headerOf(text: string, height: number): Header {
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch {
    throw new InvalidBlock({ height }, "its header is not JSON");
  }
  if (!isHeader(header)) {
    throw new InvalidBlock({ height }, "its header does not have the form of one");
  }
  if (header.sn !== height) {
    throw new InvalidBlock({ height }, `its header is that of block ${header.sn}`);
  }
  return header;
}
