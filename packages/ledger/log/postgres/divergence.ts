import { type BlockPlace, Diverged, type StoredBlocks } from "../block-log.ts";

/** The parts of the log that a comparison needs. */
export interface ComparedLog {
  /** The ids that the log has at some heights; undefined where it ends before. */
  ids(heights: readonly number[]): Promise<readonly (string | undefined)[]>;
  /** Makes read rows certain. */
  barrier(): Promise<void>;
}

/**
 * Compares the log with this node's blocks up to `newest`: undefined if the log has them, else the
 * lowest height at which it has another one or none. The result is certain. Each block names the
 * previous one, so once they differ they differ at all later heights. Source: cluster §6.
 */
export async function divergence(
  copy: StoredBlocks,
  newest: BlockPlace,
  log: ComparedLog,
): Promise<Diverged | undefined> {
  const idAt = async (height: number): Promise<string | undefined> => (await log.ids([height]))[0];
  if (newest.height < 0 || (await idAt(newest.height)) === newest.id) {
    return undefined;
  }
  // The lowest height that differs lies in between: equal below `low`, different at `high`.
  let low = 0;
  let high = newest.height;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await idAt(middle)) === copy.block(middle)?.id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const found = await idAt(high);
  await log.barrier();
  const ours = high === newest.height ? newest.id : (copy.block(high)?.id ?? "");
  // Again after the barrier: the earlier read may have been from another engine.
  return found === ours || (await idAt(high)) !== found
    ? undefined
    : new Diverged({ height: high, ours, theirs: found });
}
