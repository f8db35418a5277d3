import { type Block, canonicalJson, type Header, type Json } from "@moneta/protocol";
import { Finding, shortened } from "./finding.ts";
import { parsedJson } from "./node-client.ts";

/** The source of blocks, as findings name it. */
export const RAW_BLOCKS = "GET /blocks/raw";

/**
 * Reads a line of `GET /blocks/raw` into the form in which logs hold blocks. Replay checks header
 * and operations. `height` is that of the expected block. Source: chain §2.
 */
export function receivedBlock(line: string, height: number): Block {
  const value = parsedJson(`block ${height}: ${RAW_BLOCKS}`, line);
  const { header, id, operations, ...others } = (value ?? {}) as Record<string, unknown>;
  if (typeof id !== "string" || !Array.isArray(operations) || Object.keys(others).length > 0) {
    throw new Finding(
      `block ${height}: ${RAW_BLOCKS}: not header, id and operations of a block: ${shortened(value)}`,
    );
  }
  return {
    header: header as Header,
    id,
    operations: operations.map((operation, position) => {
      try {
        return canonicalJson(operation as Json);
      } catch {
        // Numbers that are no integers, lone surrogates, or too deep nesting.
        throw new Finding(
          `block ${height}, transaction ${position}: ${RAW_BLOCKS}: what no operation can hold: ${shortened(line.slice(0, 1000))}`,
        );
      }
    }),
  };
}
