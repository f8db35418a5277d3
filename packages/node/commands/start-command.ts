import { TEST_LEDGER } from "../data-directory/data-directory.ts";

/** How a node is started on a directory with a ledger of this name: a test deployment has a faucet and no limits, which no other ledger may have. */
export function startCommand(path: string, ledgerName: string): string {
  return ledgerName === TEST_LEDGER
    ? `moneta serve --data ${path}`
    : `moneta serve --data ${path} --deployment production, or with --config FILE of the node that it is from`;
}
