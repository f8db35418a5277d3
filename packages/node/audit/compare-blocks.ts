import type { AuditContext } from "./audit-context.ts";
import { Finding, mismatch } from "./finding.ts";
import { jsonDifference } from "./json-difference.ts";
import { Declined } from "./node-client.ts";
import { sampleOf } from "./sample.ts";

const PAGE = 100;
/** Maximum of pages of blocks made meanwhile. */
const NEWER_PAGES_MAX = 1000;

/**
 * Compares the blocks not requested so far with the copy: all in the list, and a sample one by one.
 */
export async function compareBlocks(context: AuditContext): Promise<void> {
  const { replica, memory, sample } = context;
  const from = memory.state.blocks;
  const to = replica.head.height + 1;
  if (from < to) {
    await compareList(context, from, to);
    for (const height of sampleOf(from, to, sample)) {
      await compareBlock(context, height);
    }
    memory.update({ blocks: to });
  }
}

/** Compares the answer of `GET /block/{block}` for a block that the copy has. */
export async function compareBlock(context: AuditContext, height: number): Promise<void> {
  const path = `/block/${height}`;
  let served: unknown;
  try {
    served = await context.client.json(path);
  } catch (thrown) {
    // The node served this block before, so it must always have it.
    throw thrown instanceof Declined ? new Finding(`block ${height}: ${thrown.message}`) : thrown;
  }
  const reader = context.replica.read();
  const block = reader.block({ height });
  const computed = block && {
    sn: height,
    id: block.id,
    timestamp: block.header.timestamp,
    transaction: reader
      .transactionIds(block)
      .map((id) => ({ id, timestamp: block.header.timestamp })),
  };
  assertSame(`block ${height}`, `GET ${path}`, served, computed);
}

/** Compares the list of blocks, from the newest back to the block `from`. */
async function compareList(context: AuditContext, from: number, to: number): Promise<void> {
  const { client, replica, progress } = context;
  const show = progress("comparing the list of blocks", to - from);
  // An endless list of invented blocks would keep the auditor for ever.
  const pagesMax = (to - from) / PAGE + NEWER_PAGES_MAX;
  let pages = 0;
  let next = to - 1;
  let cursor: string | undefined;
  while (next >= from) {
    const query = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = (await client.json(`/blocks?limit=${PAGE}${query}`)) as {
      readonly items?: unknown;
      readonly cursor?: unknown;
    } | null;
    if (!Array.isArray(page?.items)) {
      throw new Finding("GET /blocks: a page without items");
    }
    const reader = replica.read();
    for (const item of page.items) {
      // Blocks made meanwhile come before those that are due, and never among them.
      const { sn } = { ...(item as { readonly sn?: unknown } | null) };
      const isNewer = next === to - 1 && typeof sn === "number" && sn >= to;
      if (!isNewer && next >= from) {
        const block = reader.block({ height: next });
        const { timestamp, count } = block?.header ?? {};
        const size = reader.log.size(next);
        const computed = { sn: next, id: block?.id, timestamp, count, size };
        assertSame(`block ${next}`, "GET /blocks", item, computed);
        next -= 1;
      }
    }
    show(to - 1 - next);
    pages += 1;
    const isOver = typeof page.cursor !== "string" || page.items.length === 0;
    if (next >= from && (isOver || pages > pagesMax)) {
      throw new Finding(`block ${next}: GET /blocks: the list does not come to it`);
    }
    cursor = page.cursor as string;
  }
}

/** Throws the finding that names the first member that differs, if one does. */
export function assertSame(
  place: string,
  answer: string,
  served: unknown,
  computed: unknown,
): void {
  const difference = jsonDifference(served, computed);
  if (difference !== undefined) {
    const { path, ...values } = difference;
    throw mismatch({ place, answer, member: path === "" ? "the answer" : path, ...values });
  }
}
