import { join } from "node:path";
import { closeWhole, derivedId, Ledger, LocalLog, openScratch } from "@moneta/ledger";
import {
  type Address,
  encodeBase62Number,
  operationText,
  type Texts,
  untaggedKey,
} from "@moneta/protocol";

const LISTINGS = 5000;
const BLOCK_OPERATIONS = 500;
const KEY_SECONDS = 600;
/** Nobody checks them here: the ledger trusts who hands it operations. */
const TAG = "0".repeat(22);
const SIGNATURE = "MEQ=";

/**
 * Makes an item with 5,000 open sales and as many open auctions by one seller, in the directory of
 * a node that does not run, and returns the item's id. None of them costs the seller anything.
 */
export async function growBusyItem(dataDirectory: string, seller: Address): Promise<string> {
  const database = openScratch(join(dataDirectory, "ledger.db"));
  const ledger = new Ledger(database, new LocalLog(database));
  const time = ledger.head.timestamp;
  const addressNumber = ledger.state.address(seller)?.number ?? 0;
  let keys = 0;
  const make = (op: string, params: Texts): { readonly text: string; readonly tkey: string } => {
    keys += 1;
    const random = encodeBase62Number(keys, 10);
    const tkey = untaggedKey({ addressNumber, expiry: time + KEY_SECONDS, random }) + TAG;
    const signatures = { signature: SIGNATURE };
    const all = { ...params, tkey };
    return {
      text: operationText({ op, actor: seller, params: all, decided: {}, signatures }),
      tkey,
    };
  };
  const execute = async (texts: readonly string[]): Promise<void> => {
    const { outcomes } = await ledger.execute(texts, time);
    for (const outcome of outcomes) {
      if (outcome.kind !== "done") {
        throw new Error(`an operation of the busy item was refused: ${JSON.stringify(outcome)}`);
      }
    }
  };
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
  closeWhole(database);
  return id;
}
