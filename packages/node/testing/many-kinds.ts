import type { Address } from "@moneta/protocol";
import { pastHttp } from "./past-http.ts";

const BLOCK_TOKENS = 250;
const KINDS_OF_TOKEN = 2;

/**
 * Gives an address so many kinds of records, by creating half as many tokens, in the directory of a
 * node that does not run.
 */
export function growKinds(dataDirectory: string, owner: Address, kinds: number): Promise<void> {
  return pastHttp(dataDirectory, owner, async ({ make, execute }) => {
    const name = "Kind";
    const token = { owner, symbol: "K", name, totalsupply: "1" };
    for (let made = 0; made < kinds; made += BLOCK_TOKENS * KINDS_OF_TOKEN) {
      const count = Math.min(BLOCK_TOKENS, Math.ceil((kinds - made) / KINDS_OF_TOKEN));
      const operations = Array.from({ length: count }, () => [
        make("tokensave", token, { key: "Temporarykey" }).text,
        make("tokencreate", {}, { decided: { name } }).text,
      ]);
      await execute(operations.flat());
    }
  });
}
