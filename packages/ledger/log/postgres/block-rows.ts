import type { Block } from "@moneta/protocol";
import { blockOf, storedBlock } from "../stored-block.ts";
import type { EngineResult } from "./engine.ts";
import { literal } from "./sql-text.ts";

/** The columns of a block, in the order of `blockValues`. Source: cluster §2. */
export const BLOCK_COLUMNS = "height, id, header, operations";

/** A block as values of SQL. */
export function blockValues(block: Block): string {
  const { height, id, header, operations } = storedBlock(block);
  return [String(height), ...[id, header, operations].map(literal)].join(", ");
}

/** The blocks of rows that have all columns, in the order of the rows. Throws `InvalidBlock`. */
export function blocksOf({ rows }: EngineResult): readonly Block[] {
  return rows.map(({ height, id, header, operations }) =>
    blockOf({
      height: Number(height),
      id: id as string,
      header: header as string,
      operations: operations as string,
    }),
  );
}
