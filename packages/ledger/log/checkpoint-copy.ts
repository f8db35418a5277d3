// Apart from the index: the thread that copies the log of changes needs nothing else.
export { checkpoint, openForCheckpoints } from "../database.ts";
export { invariant } from "../invariant.ts";
export { SyncFailure } from "../sync-failure.ts";
