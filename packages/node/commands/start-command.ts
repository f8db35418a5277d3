import { TEST_LEDGER } from "../data-directory/data-directory.ts";
import { shellWord } from "../shell-word.ts";

/** `source` is another log. Only the test ledger may be a test deployment. */
export function startCommand(
  path: string,
  ledgerName: string,
  source: string | undefined,
  flags: string = "",
): string {
  const log = source === undefined ? "" : ` --log ${shellWord(source)}`;
  const start = `moneta serve --data ${shellWord(path)}${log}${flags}`;
  return ledgerName === TEST_LEDGER
    ? start
    : `${start} --deployment production, or with --config FILE of the node that it is from`;
}
