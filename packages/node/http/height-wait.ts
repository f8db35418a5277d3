import type { LedgerQueue } from "../ledger-thread/ledger-queue.ts";

/** How long a request may wait for a block. Source: conventions §2.3. */
const CATCH_UP_MS = 5000;
const CATCH_UP_STEP_MS = 10;

/** Waits for a block; false if it does not come in time. Source: conventions §2.3. */
export async function reachesHeight(
  queue: Pick<LedgerQueue, "height">,
  wanted: number,
): Promise<boolean> {
  const deadline = Date.now() + CATCH_UP_MS;
  while (queue.height < wanted) {
    if (Date.now() >= deadline) {
      return false;
    }
    await new Promise((resolve) => setTimeout(resolve, CATCH_UP_STEP_MS));
  }
  return true;
}
