import { TEST_LEDGER } from "../data-directory/data-directory.ts";

/**
 * The command that starts a node on a ledger of this name. Only the test ledger may be a test
 * deployment, with a faucet and without limits.
 */
export function startCommand(path: string, ledgerName: string): string {
  return ledgerName === TEST_LEDGER
    ? `moneta serve --data ${path}`
    : `moneta serve --data ${path} --deployment production, or with --config FILE of the node that it is from`;
}
