import type { Block } from "@moneta/protocol";
import { InvalidBlock } from "../../chain/invalid-block.ts";
import { blockOf, storedBlock } from "../stored-block.ts";
import type { EngineResult } from "./engine.ts";
import { HEADER_BYTES_MAX, HEADER_READ, ID_READ, OPERATIONS_BYTES_MAX } from "./row-bounds.ts";
import { literal } from "./sql-text.ts";

export const BLOCK_COLUMNS = "height, id, header, operations";

export function blockValues(block: Block): string {
  const { height, id, header, operations } = storedBlock(block);
  return [String(height), ...[id, header, operations].map(literal)].join(", ");
}

export interface RowsRead {
  /** As SQL: `height > 7`. */
  readonly where: string;
  readonly order: "oldest first" | "newest first";
  readonly rowsMax: number;
  /** The first row is read whatever its size; no row is read after so many bytes. */
  readonly bytesMax: number;
}

/** Reads blocks, for `blocksOf`. Of a row larger than any node writes only the size is sent. */
export function readingBlocks(
  table: string,
  { where, order, rowsMax, bytesMax }: RowsRead,
): string {
  const by = order === "oldest first" ? "height" : "height DESC";
  const rows = `SELECT ${BLOCK_COLUMNS}, octet_length(header) AS header_bytes, octet_length(operations) AS operations_bytes FROM ${table} WHERE ${where} ORDER BY ${by} LIMIT ${rowsMax}`;
  const sized = `SELECT *, sum(operations_bytes) OVER (ORDER BY ${by}) - operations_bytes AS bytes_before FROM (${rows}) AS step`;
  const bounded = [
    "height",
    `${ID_READ} AS id`,
    `${HEADER_READ} AS header`,
    `CASE WHEN operations_bytes <= ${OPERATIONS_BYTES_MAX} THEN operations END AS operations`,
    "header_bytes",
    "operations_bytes",
  ].join(", ");
  return `SELECT ${bounded} FROM (${sized}) AS sized WHERE bytes_before < ${bytesMax} ORDER BY ${by}`;
}

/** In the order of the rows. Throws `InvalidBlock`. */
export function blocksOf({ rows }: EngineResult): readonly Block[] {
  return rows.map(({ height: number, id, header, operations, header_bytes, operations_bytes }) => {
    const height = Number(number);
    if (typeof header !== "string") {
      throw tooLarge(height, "header", `${header_bytes} bytes, not at most ${HEADER_BYTES_MAX}`);
    }
    if (typeof operations !== "string") {
      const bytes = `${operations_bytes} bytes, not at most ${OPERATIONS_BYTES_MAX}`;
      throw tooLarge(height, "operations", bytes);
    }
    return blockOf({ height, id: id ?? "", header, operations });
  });
}

function tooLarge(height: number, column: string, bytes: string): InvalidBlock {
  return new InvalidBlock({ height }, `the column ${column} of its row has ${bytes}`);
}
