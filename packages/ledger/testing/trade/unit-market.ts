import {
  type Address,
  type AnyOperation,
  mrc402Auction,
  mrc402Auctionfinish,
  mrc402Bid,
  mrc402Buy,
  mrc402Create,
  mrc402Mint,
  mrc402Sell,
  mrc402Transfer,
  mrc402Unauction,
  mrc402Unsell,
  type RecordPart,
  type Texts,
} from "@moneta/protocol";
import { derivedId } from "../../state/ids/derived-id.ts";
import { operationOf, type TestLedger } from "../test-ledger.ts";

type UnitWord = "create" | "mint" | "sell" | "unsell" | "buy" | "auction" | "unauction" | "bid";

const WORDS: Record<UnitWord, { readonly operation: AnyOperation; readonly by: string }> = {
  create: { operation: mrc402Create, by: "creator" },
  mint: { operation: mrc402Mint, by: "address" },
  sell: { operation: mrc402Sell, by: "seller" },
  unsell: { operation: mrc402Unsell, by: "seller" },
  buy: { operation: mrc402Buy, by: "buyer" },
  auction: { operation: mrc402Auction, by: "seller" },
  unauction: { operation: mrc402Unauction, by: "seller" },
  bid: { operation: mrc402Bid, by: "buyer" },
};

interface Signed {
  readonly text: string;
  /** Names of the listing or item that it creates. */
  readonly dexid: string;
  readonly item: string;
}

/** Trades standalone multi-unit items. */
export class UnitMarket {
  readonly ledger: TestLedger;

  constructor(ledger: TestLedger) {
    this.ledger = ledger;
  }

  signed(word: UnitWord, by: Address, sent: Texts): Signed {
    const { operation, by: actor } = WORDS[word];
    const tkey = this.ledger.key(by);
    return {
      text: operationOf(operation, { [actor]: by, signature: "MEQ=", tkey, ...sent }, by),
      dexid: derivedId("DEX402", by, tkey, "0"),
      item: derivedId("MRC402", by, tkey),
    };
  }

  finish(id: string): string {
    return operationOf(mrc402Auctionfinish, { id }, "");
  }

  async creates(by: Address, totalsupply: string, more: Texts = {}): Promise<string> {
    const [url, imageurl] = ["https://a.example/", "https://a.example/i.png"];
    const { text, item } = this.signed("create", by, {
      ...{ name: "Print", url, imageurl, totalsupply },
      ...more,
    });
    await this.ledger.done(text);
    return item;
  }

  async transfers(
    fromAddr: Address,
    toAddr: Address,
    mrc402id: string,
    amount: string,
  ): Promise<void> {
    const tkey = this.ledger.key(fromAddr);
    const sent = { fromAddr, toAddr, mrc402id, amount, tkey, signature: "MEQ=" };
    await this.ledger.done(operationOf(mrc402Transfer, sent, fromAddr));
  }

  async lists(word: "sell" | "auction", by: Address, sent: Texts): Promise<string> {
    const { text, dexid } = this.signed(word, by, sent);
    await this.ledger.done(text);
    return dexid;
  }

  /** Executes an operation, which is done: its records of listings and items. */
  async records(text: string): Promise<readonly RecordPart[]> {
    const [id] = await this.ledger.done(text);
    return this.ledger.record(id as string).effects.filter(({ item }) => item !== undefined);
  }
}
