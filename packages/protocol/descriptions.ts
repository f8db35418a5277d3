import type { AnyOperation, AnyRead } from "./operation.ts";
import { address } from "./operations/address.ts";
import { faucet } from "./operations/faucet.ts";
import { mrc010Acceptreqsell } from "./operations/mrc010-acceptreqsell.ts";
import { mrc010Auction } from "./operations/mrc010-auction.ts";
import { mrc010Auctionfinish } from "./operations/mrc010-auctionfinish.ts";
import { mrc010Bid } from "./operations/mrc010-bid.ts";
import { mrc010Buy } from "./operations/mrc010-buy.ts";
import { mrc010Reqsell } from "./operations/mrc010-reqsell.ts";
import { mrc010Sell } from "./operations/mrc010-sell.ts";
import { mrc010Unauction } from "./operations/mrc010-unauction.ts";
import { mrc010Unreqsell } from "./operations/mrc010-unreqsell.ts";
import { mrc010Unsell } from "./operations/mrc010-unsell.ts";
import { mrc400Create } from "./operations/mrc400-create.ts";
import { mrc400Update } from "./operations/mrc400-update.ts";
import { mrc401Auction } from "./operations/mrc401-auction.ts";
import { mrc401Auctionfinish } from "./operations/mrc401-auctionfinish.ts";
import { mrc401Bid } from "./operations/mrc401-bid.ts";
import { mrc401Buy } from "./operations/mrc401-buy.ts";
import { mrc401Create } from "./operations/mrc401-create.ts";
import { mrc401Melt } from "./operations/mrc401-melt.ts";
import { mrc401Sell } from "./operations/mrc401-sell.ts";
import { mrc401Transfer } from "./operations/mrc401-transfer.ts";
import { mrc401Unauction } from "./operations/mrc401-unauction.ts";
import { mrc401Unsell } from "./operations/mrc401-unsell.ts";
import { mrc401Update } from "./operations/mrc401-update.ts";
import { mrc402Auction } from "./operations/mrc402-auction.ts";
import { mrc402Auctionfinish } from "./operations/mrc402-auctionfinish.ts";
import { mrc402Bid } from "./operations/mrc402-bid.ts";
import { mrc402Burn } from "./operations/mrc402-burn.ts";
import { mrc402Buy } from "./operations/mrc402-buy.ts";
import { mrc402Create } from "./operations/mrc402-create.ts";
import { mrc402Itemupdate } from "./operations/mrc402-itemupdate.ts";
import { mrc402Melt } from "./operations/mrc402-melt.ts";
import { mrc402Mint } from "./operations/mrc402-mint.ts";
import { mrc402Sell } from "./operations/mrc402-sell.ts";
import { mrc402Transfer } from "./operations/mrc402-transfer.ts";
import { mrc402Unauction } from "./operations/mrc402-unauction.ts";
import { mrc402Unsell } from "./operations/mrc402-unsell.ts";
import { mrc402Update } from "./operations/mrc402-update.ts";
import { multitransfer } from "./operations/multitransfer.ts";
import { protocol } from "./operations/protocol.ts";
import { tokenBurn } from "./operations/token-burn.ts";
import { tokenCreate } from "./operations/token-create.ts";
import { tokenIncrease } from "./operations/token-increase.ts";
import { tokenSave } from "./operations/token-save.ts";
import { tokenUpdate } from "./operations/token-update.ts";
import { transfer } from "./operations/transfer.ts";
import { addressRead } from "./reads/address.ts";
import { addressByKey } from "./reads/address-by-key.ts";
import { balance, balanceOfToken } from "./reads/balance.ts";
import { block, blockRaw, blocks, blocksRaw, height } from "./reads/block.ts";
import {
  checkpoint,
  checkpointConsistency,
  checkpointKey,
  entryBundle,
  tile,
  transactionProof,
} from "./reads/checkpoint.ts";
import { events } from "./reads/events.ts";
import { addressTransactions, transactions } from "./reads/history.ts";
import { item, items, itemsOfAddress, project, projects } from "./reads/item.ts";
import {
  holdersOfItem,
  holdingsOfAddress,
  unitItem,
  unitItems,
  unitListingRead,
  unitListings,
} from "./reads/multi-unit-item.ts";
import { service } from "./reads/service.ts";
import { getkey, nonce } from "./reads/temporary-key.ts";
import {
  token,
  tokenHolders,
  tokenImageRead,
  tokenListing,
  tokenListings,
  tokens,
  totalSupply,
} from "./reads/token.ts";
import { transaction } from "./reads/transaction.ts";

/** Every write that the ledger has a rule for: what routes, blocks and documentation are made from. */
export const OPERATIONS: readonly AnyOperation[] = [
  address,
  transfer,
  multitransfer,
  tokenSave,
  tokenCreate,
  tokenBurn,
  tokenIncrease,
  tokenUpdate,
  mrc010Sell,
  mrc010Unsell,
  mrc010Buy,
  mrc010Reqsell,
  mrc010Unreqsell,
  mrc010Acceptreqsell,
  mrc010Auction,
  mrc010Unauction,
  mrc010Bid,
  mrc010Auctionfinish,
  mrc400Create,
  mrc400Update,
  mrc401Create,
  mrc401Update,
  mrc401Transfer,
  mrc401Sell,
  mrc401Unsell,
  mrc401Buy,
  mrc401Melt,
  mrc401Auction,
  mrc401Unauction,
  mrc401Bid,
  mrc401Auctionfinish,
  mrc402Create,
  mrc402Transfer,
  mrc402Mint,
  mrc402Burn,
  mrc402Melt,
  mrc402Update,
  mrc402Itemupdate,
  mrc402Sell,
  mrc402Unsell,
  mrc402Buy,
  mrc402Auction,
  mrc402Unauction,
  mrc402Bid,
  mrc402Auctionfinish,
  protocol,
];

/** Writes that become an operation of another name. */
export const DERIVED_OPERATIONS: readonly AnyOperation[] = [faucet];

export const READS: readonly AnyRead[] = [
  service,
  addressRead,
  addressByKey,
  nonce,
  getkey,
  balance,
  balanceOfToken,
  height,
  block,
  blockRaw,
  blocks,
  blocksRaw,
  transaction,
  transactions,
  addressTransactions,
  transactionProof,
  checkpoint,
  checkpointKey,
  checkpointConsistency,
  tile,
  entryBundle,
  tokens,
  events,
  token,
  tokenHolders,
  tokenImageRead,
  totalSupply,
  tokenListings,
  tokenListing,
  projects,
  project,
  items,
  item,
  itemsOfAddress,
  unitItems,
  unitItem,
  unitListings,
  unitListingRead,
  holdingsOfAddress,
  holdersOfItem,
];

/** Words behind a path that are never an id or a temporary key: a path that ends there is none, unless a route says so. Source: tokens §1.4, mrc401 §1.6, mrc402 §1.6. */
export const RESERVED_WORDS: { readonly [path: string]: readonly string[] } = {
  "/token": [
    "dex",
    "holders",
    "sell",
    "unsell",
    "buy",
    "reqsell",
    "unreqsell",
    "acceptreqsell",
    "auction",
    "unauction",
    "bid",
    "auctionfinish",
    "burn",
    "increase",
    "update",
  ],
  "/mrc401": ["buy", "melt", "bid", "auctionfinish", "createtrade"],
  "/mrc402": [
    "dex",
    "balance",
    "holders",
    "transfer",
    "buy",
    "melt",
    "bid",
    "auctionfinish",
    "mint",
    "burn",
    "update",
  ],
};
