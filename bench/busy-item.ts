import { derivedId } from "@moneta/ledger";
import type { Address } from "@moneta/protocol";
import { pastHttp } from "../packages/node/testing/past-http.ts";

const LISTINGS = 5000;
const BLOCK_OPERATIONS = 500;

/**
 * Makes an item with 5,000 open sales and as many open auctions by one seller, in the directory of
 * a node that does not run, and returns the item's id. None of them costs the seller anything.
 */
export function growBusyItem(dataDirectory: string, seller: Address): Promise<string> {
  return pastHttp(dataDirectory, seller, async ({ make, execute }) => {
    const created = make("mrc402create", {
      creator: seller,
      name: "Busy",
      url: "https://bench.example/",
      imageurl: "https://bench.example/i.png",
      totalsupply: String(2 * LISTINGS),
    });
    await execute([created.text]);
    const id = derivedId("MRC402", seller, created.tkey);
    const terms = { seller, id, amount: "1", token: "0" };
    const listings = Array.from({ length: 2 * LISTINGS }, (_, number) =>
      number % 2 === 0
        ? make("mrc402sell", { ...terms, price: "5" })
        : make("mrc402auction", { ...terms, auction_start_price: "5" }),
    );
    for (let start = 0; start < listings.length; start += BLOCK_OPERATIONS) {
      const some = listings.slice(start, start + BLOCK_OPERATIONS);
      await execute(some.map(({ text }) => text));
    }
    return id;
  });
}
