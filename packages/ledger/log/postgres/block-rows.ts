import type { Block, Header } from "@moneta/protocol";
import { InvalidBlock } from "../../chain/invalid-block.ts";
import type { EngineResult } from "./engine.ts";
import { literal } from "./sql-text.ts";

/** The columns of a block, in the order of `blockValues`. Source: cluster §2. */
export const BLOCK_COLUMNS = "height, id, header, operations";

/** A block as values of SQL. */
export function blockValues({ header, id, operations }: Block): string {
  // Operations are canonical JSON, which has no line ends of its own.
  const texts = [id, JSON.stringify(header), operations.join("\n")];
  return [String(header.sn), ...texts.map(literal)].join(", ");
}

/** The blocks of rows that have all columns, in the order of the rows. Throws `InvalidBlock`. */
export function blocksOf({ rows }: EngineResult): readonly Block[] {
  return rows.map((row) => ({
    header: headerOf(row["header"] as string, Number(row["height"])),
    id: row["id"] as string,
    operations: (row["operations"] as string).split("\n"),
  }));
}

function headerOf(text: string, height: number): Header {
  try {
    return JSON.parse(text) as Header;
  } catch {
    throw new InvalidBlock({ height }, "its header is not JSON");
  }
}
