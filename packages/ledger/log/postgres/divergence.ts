import { type BlockPlace, Diverged, type StoredBlocks } from "../block-log.ts";

export interface ComparedLog {
  /** Undefined where it ends before. */
  ids(heights: readonly number[]): Promise<readonly (string | undefined)[]>;
  barrier(): Promise<void>;
}

/**
 * The lowest height at which the log differs from this node's blocks, undefined for none; certain.
 * Blocks name the previous one, so all later heights differ. Source: cluster §6.
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
  // Equal below `low`, different at `high`.
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
