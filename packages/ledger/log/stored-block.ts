import { type Block, type Header, isHeader } from "@moneta/protocol";
import { InvalidBlock } from "../chain/invalid-block.ts";

export interface StoredBlock {
  readonly height: number;
  readonly id: string;
  readonly header: string;
  /** As applied, with a line end between two. */
  readonly operations: string;
}

export function storedBlock({ header, id, operations }: Block): StoredBlock {
  return {
    height: header.sn,
    id,
    header: JSON.stringify(header),
    operations: operations.join("\n"),
  };
}

/** Throws `InvalidBlock` unless its header is well-formed and has the row's height. */
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
