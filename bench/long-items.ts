import { derivedId } from "@moneta/ledger";
import type { Address } from "@moneta/protocol";
import { pastHttp } from "../packages/node/testing/past-http.ts";

const ITEMS = 100;
/** As long as a text of an item may be, and as many bytes. */
const LONG = "🪙".repeat(40_960);

/**
 * Makes 100 multi-unit items that say of themselves as much as they may, in the directory of a node
 * that does not run, and returns their ids.
 */
export function growLongItems(dataDirectory: string, creator: Address): Promise<readonly string[]> {
  return pastHttp(dataDirectory, creator, async ({ make, execute }) => {
    const ids: string[] = [];
    for (let count = 0; count < ITEMS; count += 1) {
      const { text, tkey } = make("mrc402create", {
        creator,
        name: "Long",
        url: "https://bench.example/",
        imageurl: "https://bench.example/i.png",
        totalsupply: "100",
        data: LONG,
        information: LONG,
      });
      await execute([text]);
      ids.push(derivedId("MRC402", creator, tkey));
    }
    return ids;
  });
}
