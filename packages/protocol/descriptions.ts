import { isBundleable } from "./description/bundle-body.ts";
import type { AnyOperation, AnyRead } from "./description/operation.ts";
import { batch } from "./operations/batch.ts";
import { bundle, signedBundleOf } from "./operations/bundle.ts";
import { protocol } from "./operations/chain/protocol.ts";
import { address } from "./operations/coins/address.ts";
import { addressKeys } from "./operations/coins/address-keys.ts";
import { addressRecover } from "./operations/coins/address-recover.ts";
import { addressRecoverCancel } from "./operations/coins/address-recover-cancel.ts";
import { addressRecoverFinish } from "./operations/coins/address-recover-finish.ts";
import { exchange } from "./operations/coins/exchange.ts";
import { faucet } from "./operations/coins/faucet.ts";
import { grant } from "./operations/coins/grant.ts";
import { grantEnd } from "./operations/coins/grant-end.ts";
import { multitransfer } from "./operations/coins/multitransfer.ts";
import { transfer } from "./operations/coins/transfer.ts";
import { group } from "./operations/group.ts";
import { mrc400Create } from "./operations/items/mrc400-create.ts";
import { mrc400Update } from "./operations/items/mrc400-update.ts";
import { mrc401Acceptoffer } from "./operations/items/mrc401-acceptoffer.ts";
import { mrc401Auction } from "./operations/items/mrc401-auction.ts";
import { mrc401Auctionfinish } from "./operations/items/mrc401-auctionfinish.ts";
import { mrc401Bid } from "./operations/items/mrc401-bid.ts";
import { mrc401Buy } from "./operations/items/mrc401-buy.ts";
import { mrc401Create } from "./operations/items/mrc401-create.ts";
import { mrc401Melt } from "./operations/items/mrc401-melt.ts";
import { mrc401Offer } from "./operations/items/mrc401-offer.ts";
import { mrc401Offerfinish } from "./operations/items/mrc401-offerfinish.ts";
import { mrc401Sell } from "./operations/items/mrc401-sell.ts";
import { mrc401Transfer } from "./operations/items/mrc401-transfer.ts";
import { mrc401Unauction } from "./operations/items/mrc401-unauction.ts";
import { mrc401Unoffer } from "./operations/items/mrc401-unoffer.ts";
import { mrc401Unsell } from "./operations/items/mrc401-unsell.ts";
import { mrc401Update } from "./operations/items/mrc401-update.ts";
import { mrc040Cancel } from "./operations/orders/mrc040-cancel.ts";
import { mrc040Create } from "./operations/orders/mrc040-create.ts";
import { mrc040Exchange } from "./operations/orders/mrc040-exchange.ts";
import { mrc040Request } from "./operations/orders/mrc040-request.ts";
import { mrc020 } from "./operations/seals/mrc020.ts";
import { mrc020Open } from "./operations/seals/mrc020-open.ts";
import { mrc010Acceptreqsell } from "./operations/tokens/mrc010-acceptreqsell.ts";
import { mrc010Auction } from "./operations/tokens/mrc010-auction.ts";
import { mrc010Auctionfinish } from "./operations/tokens/mrc010-auctionfinish.ts";
import { mrc010Bid } from "./operations/tokens/mrc010-bid.ts";
import { mrc010Buy } from "./operations/tokens/mrc010-buy.ts";
import { mrc010Reqsell } from "./operations/tokens/mrc010-reqsell.ts";
import { mrc010Sell } from "./operations/tokens/mrc010-sell.ts";
import { mrc010Unauction } from "./operations/tokens/mrc010-unauction.ts";
import { mrc010Unreqsell } from "./operations/tokens/mrc010-unreqsell.ts";
import { mrc010Unsell } from "./operations/tokens/mrc010-unsell.ts";
import { tokenAddTarget } from "./operations/tokens/token-add-target.ts";
import { tokenBurn } from "./operations/tokens/token-burn.ts";
import { tokenCreate } from "./operations/tokens/token-create.ts";
import { tokenIncrease } from "./operations/tokens/token-increase.ts";
import { tokenRemoveTarget } from "./operations/tokens/token-remove-target.ts";
import { tokenSave } from "./operations/tokens/token-save.ts";
import { tokenSetBase } from "./operations/tokens/token-set-base.ts";
import { tokenUpdate } from "./operations/tokens/token-update.ts";
import { mrc402Acceptoffer } from "./operations/units/mrc402-acceptoffer.ts";
import { mrc402Auction } from "./operations/units/mrc402-auction.ts";
import { mrc402Auctionfinish } from "./operations/units/mrc402-auctionfinish.ts";
import { mrc402Bid } from "./operations/units/mrc402-bid.ts";
import { mrc402Burn } from "./operations/units/mrc402-burn.ts";
import { mrc402Buy } from "./operations/units/mrc402-buy.ts";
import { mrc402Create } from "./operations/units/mrc402-create.ts";
import { mrc402Itemupdate } from "./operations/units/mrc402-itemupdate.ts";
import { mrc402Melt } from "./operations/units/mrc402-melt.ts";
import { mrc402Mint } from "./operations/units/mrc402-mint.ts";
import { mrc402Offer } from "./operations/units/mrc402-offer.ts";
import { mrc402Offerfinish } from "./operations/units/mrc402-offerfinish.ts";
import { mrc402Sell } from "./operations/units/mrc402-sell.ts";
import { mrc402Transfer } from "./operations/units/mrc402-transfer.ts";
import { mrc402Unauction } from "./operations/units/mrc402-unauction.ts";
import { mrc402Unoffer } from "./operations/units/mrc402-unoffer.ts";
import { mrc402Unsell } from "./operations/units/mrc402-unsell.ts";
import { mrc402Update } from "./operations/units/mrc402-update.ts";
import { block, blockRaw, blocks, blocksRaw, height } from "./reads/chain/block.ts";
import {
  checkpoint,
  checkpointConsistency,
  checkpointKey,
  entryBundle,
  tile,
  transactionProof,
} from "./reads/chain/checkpoint.ts";
import { events } from "./reads/chain/events.ts";
import { groupRead } from "./reads/chain/group.ts";
import { addressTransactions, itemTransactions, transactions } from "./reads/chain/history.ts";
import { search } from "./reads/chain/search.ts";
import { service } from "./reads/chain/service.ts";
import { totals } from "./reads/chain/totals.ts";
import { transaction } from "./reads/chain/transaction.ts";
import { addressRead } from "./reads/coins/address.ts";
import { addressByKey } from "./reads/coins/address-by-key.ts";
import { addressesOfKey } from "./reads/coins/addresses-of-key.ts";
import { balance, balanceOfToken } from "./reads/coins/balance.ts";
import { grantDetails, grants } from "./reads/coins/grants.ts";
import { getkey, nonce } from "./reads/coins/temporary-key.ts";
import { itemMetadata, unitItemMetadata } from "./reads/item-metadata.ts";
import {
  item,
  items,
  itemsOfAddress,
  project,
  projectMarket,
  projects,
} from "./reads/items/item.ts";
import { itemOffer, itemOffers, unitOffer, unitOffers } from "./reads/offers.ts";
import {
  order,
  orderBook,
  orders,
  orderTrade,
  orderTrades,
  pendingOrders,
} from "./reads/orders/order.ts";
import { seal, seals } from "./reads/seals/seal.ts";
import {
  token,
  tokenCandles,
  tokenHolders,
  tokenImageRead,
  tokenListing,
  tokenListings,
  tokens,
  tokenTrades,
  totalSupply,
} from "./reads/tokens/token.ts";
import {
  holdersOfItem,
  holdingsOfAddress,
  unitItem,
  unitItems,
  unitListingRead,
  unitListings,
} from "./reads/units/unit-item.ts";

export const OPERATIONS: readonly AnyOperation[] = [
  address,
  addressKeys,
  addressRecover,
  addressRecoverCancel,
  addressRecoverFinish,
  grant,
  grantEnd,
  transfer,
  multitransfer,
  exchange,
  tokenSave,
  tokenCreate,
  tokenBurn,
  tokenIncrease,
  tokenUpdate,
  tokenSetBase,
  tokenAddTarget,
  tokenRemoveTarget,
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
  mrc401Offer,
  mrc401Acceptoffer,
  mrc401Unoffer,
  mrc401Offerfinish,
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
  mrc402Offer,
  mrc402Acceptoffer,
  mrc402Unoffer,
  mrc402Offerfinish,
  mrc040Create,
  mrc040Cancel,
  mrc040Request,
  mrc040Exchange,
  mrc020,
  mrc020Open,
  protocol,
];

/** Source: bundles §3. */
const BUNDLED: ReadonlyMap<string, AnyOperation> = new Map(
  OPERATIONS.filter(isBundleable).map((operation) => [operation.name, operation]),
);

/** Source: bundles §5. */
export const signedBundle: AnyOperation = signedBundleOf((name) => BUNDLED.get(name));

export const DERIVED_OPERATIONS: readonly AnyOperation[] = [faucet, batch, group, bundle];

export const READS: readonly AnyRead[] = [
  service,
  addressRead,
  addressByKey,
  addressesOfKey,
  grantDetails,
  grants,
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
  groupRead,
  transactions,
  addressTransactions,
  itemTransactions,
  totals,
  search,
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
  tokenTrades,
  tokenCandles,
  projects,
  project,
  projectMarket,
  items,
  item,
  itemMetadata,
  itemsOfAddress,
  itemOffers,
  itemOffer,
  unitItems,
  unitItem,
  unitItemMetadata,
  unitListings,
  unitListingRead,
  holdingsOfAddress,
  holdersOfItem,
  unitOffers,
  unitOffer,
  order,
  orders,
  orderBook,
  pendingOrders,
  orderTrades,
  orderTrade,
  seal,
  seals,
];

/** Never an id or a temporary key. Source: tokens §1.2, mrc401 §1.2, mrc402 §1.6, protocols §10. */
export const RESERVED_WORDS: { readonly [path: string]: readonly string[] } = {
  "/token": [
    "dex",
    "holders",
    "trades",
    "candles",
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
  "/mrc400": ["market"],
  "/mrc401": [
    "buy",
    "melt",
    "bid",
    "auctionfinish",
    "createtrade",
    "offer",
    "offers",
    "acceptoffer",
    "unoffer",
    "offerfinish",
  ],
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
    "offer",
    "offers",
    "acceptoffer",
    "unoffer",
    "offerfinish",
  ],
  "/mrc020": ["open"],
  "/mrc040": ["create", "cancel", "exchange", "request", "book", "orders", "trades", "pending"],
};
