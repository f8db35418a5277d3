import {
  type AnyOperation,
  address,
  coin,
  genesisProtocol,
  mrc010Acceptreqsell,
  mrc010Auction,
  mrc010Auctionfinish,
  mrc010Bid,
  mrc010Buy,
  mrc010Reqsell,
  mrc010Sell,
  mrc010Unauction,
  mrc010Unreqsell,
  mrc010Unsell,
  mrc400Create,
  mrc400Update,
  mrc401Auction,
  mrc401Auctionfinish,
  mrc401Bid,
  mrc401Buy,
  mrc401Create,
  mrc401Melt,
  mrc401Sell,
  mrc401Transfer,
  mrc401Unauction,
  mrc401Unsell,
  mrc401Update,
  mrc402Auction,
  mrc402Auctionfinish,
  mrc402Bid,
  mrc402Burn,
  mrc402Buy,
  mrc402Create,
  mrc402Itemupdate,
  mrc402Melt,
  mrc402Mint,
  mrc402Sell,
  mrc402Transfer,
  mrc402Unauction,
  mrc402Unsell,
  mrc402Update,
  multitransfer,
  protocol,
  tokenBurn,
  tokenCreate,
  tokenIncrease,
  tokenSave,
  tokenUpdate,
  transfer,
} from "@moneta/protocol";
import { coinRule } from "./chain/coin.ts";
import { genesisProtocolRule } from "./chain/genesis-protocol.ts";
import { protocolRule } from "./chain/protocol.ts";
import { addressRule } from "./coins/address.ts";
import { multitransferRule } from "./coins/multitransfer.ts";
import { transferRule } from "./coins/transfer.ts";
import { mrc400CreateRule } from "./items/mrc400-create.ts";
import { mrc400UpdateRule } from "./items/mrc400-update.ts";
import { mrc401AuctionRule } from "./items/mrc401-auction.ts";
import { mrc401AuctionfinishRule } from "./items/mrc401-auctionfinish.ts";
import { mrc401BidRule } from "./items/mrc401-bid.ts";
import { mrc401BuyRule } from "./items/mrc401-buy.ts";
import { mrc401CreateRule } from "./items/mrc401-create.ts";
import { mrc401MeltRule } from "./items/mrc401-melt.ts";
import { mrc401SellRule } from "./items/mrc401-sell.ts";
import { mrc401TransferRule } from "./items/mrc401-transfer.ts";
import { mrc401UnauctionRule } from "./items/mrc401-unauction.ts";
import { mrc401UnsellRule } from "./items/mrc401-unsell.ts";
import { mrc401UpdateRule } from "./items/mrc401-update.ts";
import type { AnyRule } from "./rule.ts";
import { mrc010AcceptreqsellRule } from "./tokens/mrc010-acceptreqsell.ts";
import { mrc010AuctionRule } from "./tokens/mrc010-auction.ts";
import { mrc010AuctionfinishRule } from "./tokens/mrc010-auctionfinish.ts";
import { mrc010BidRule } from "./tokens/mrc010-bid.ts";
import { mrc010BuyRule } from "./tokens/mrc010-buy.ts";
import { mrc010ReqsellRule } from "./tokens/mrc010-reqsell.ts";
import { mrc010SellRule } from "./tokens/mrc010-sell.ts";
import { mrc010UnauctionRule } from "./tokens/mrc010-unauction.ts";
import { mrc010UnreqsellRule } from "./tokens/mrc010-unreqsell.ts";
import { mrc010UnsellRule } from "./tokens/mrc010-unsell.ts";
import { tokenBurnRule } from "./tokens/token-burn.ts";
import { tokenCreateRule } from "./tokens/token-create.ts";
import { tokenIncreaseRule } from "./tokens/token-increase.ts";
import { tokenSaveRule } from "./tokens/token-save.ts";
import { tokenUpdateRule } from "./tokens/token-update.ts";
import { mrc402AuctionRule } from "./units/mrc402-auction.ts";
import { mrc402AuctionfinishRule } from "./units/mrc402-auctionfinish.ts";
import { mrc402BidRule } from "./units/mrc402-bid.ts";
import { mrc402BurnRule } from "./units/mrc402-burn.ts";
import { mrc402BuyRule } from "./units/mrc402-buy.ts";
import { mrc402CreateRule } from "./units/mrc402-create.ts";
import { mrc402ItemupdateRule } from "./units/mrc402-itemupdate.ts";
import { mrc402MeltRule } from "./units/mrc402-melt.ts";
import { mrc402MintRule } from "./units/mrc402-mint.ts";
import { mrc402SellRule } from "./units/mrc402-sell.ts";
import { mrc402TransferRule } from "./units/mrc402-transfer.ts";
import { mrc402UnauctionRule } from "./units/mrc402-unauction.ts";
import { mrc402UnsellRule } from "./units/mrc402-unsell.ts";
import { mrc402UpdateRule } from "./units/mrc402-update.ts";

/** An operation as it is described, and what it does. */
export interface RuledOperation {
  readonly operation: AnyOperation;
  readonly rule: AnyRule;
}

function registry(...entries: readonly RuledOperation[]): ReadonlyMap<string, RuledOperation> {
  return new Map(entries.map((entry) => [entry.operation.name, entry]));
}

/** What requests may do. */
export const RULES: ReadonlyMap<string, RuledOperation> = registry(
  { operation: address, rule: addressRule },
  { operation: transfer, rule: transferRule },
  { operation: multitransfer, rule: multitransferRule },
  { operation: tokenSave, rule: tokenSaveRule },
  { operation: tokenCreate, rule: tokenCreateRule },
  { operation: tokenBurn, rule: tokenBurnRule },
  { operation: tokenIncrease, rule: tokenIncreaseRule },
  { operation: tokenUpdate, rule: tokenUpdateRule },
  { operation: mrc010Sell, rule: mrc010SellRule },
  { operation: mrc010Unsell, rule: mrc010UnsellRule },
  { operation: mrc010Buy, rule: mrc010BuyRule },
  { operation: mrc010Reqsell, rule: mrc010ReqsellRule },
  { operation: mrc010Unreqsell, rule: mrc010UnreqsellRule },
  { operation: mrc010Acceptreqsell, rule: mrc010AcceptreqsellRule },
  { operation: mrc010Auction, rule: mrc010AuctionRule },
  { operation: mrc010Unauction, rule: mrc010UnauctionRule },
  { operation: mrc010Bid, rule: mrc010BidRule },
  { operation: mrc010Auctionfinish, rule: mrc010AuctionfinishRule },
  { operation: mrc400Create, rule: mrc400CreateRule },
  { operation: mrc400Update, rule: mrc400UpdateRule },
  { operation: mrc401Create, rule: mrc401CreateRule },
  { operation: mrc401Update, rule: mrc401UpdateRule },
  { operation: mrc401Transfer, rule: mrc401TransferRule },
  { operation: mrc401Sell, rule: mrc401SellRule },
  { operation: mrc401Unsell, rule: mrc401UnsellRule },
  { operation: mrc401Buy, rule: mrc401BuyRule },
  { operation: mrc401Melt, rule: mrc401MeltRule },
  { operation: mrc401Auction, rule: mrc401AuctionRule },
  { operation: mrc401Unauction, rule: mrc401UnauctionRule },
  { operation: mrc401Bid, rule: mrc401BidRule },
  { operation: mrc401Auctionfinish, rule: mrc401AuctionfinishRule },
  { operation: mrc402Create, rule: mrc402CreateRule },
  { operation: mrc402Transfer, rule: mrc402TransferRule },
  { operation: mrc402Mint, rule: mrc402MintRule },
  { operation: mrc402Burn, rule: mrc402BurnRule },
  { operation: mrc402Melt, rule: mrc402MeltRule },
  { operation: mrc402Update, rule: mrc402UpdateRule },
  { operation: mrc402Itemupdate, rule: mrc402ItemupdateRule },
  { operation: mrc402Sell, rule: mrc402SellRule },
  { operation: mrc402Unsell, rule: mrc402UnsellRule },
  { operation: mrc402Buy, rule: mrc402BuyRule },
  { operation: mrc402Auction, rule: mrc402AuctionRule },
  { operation: mrc402Unauction, rule: mrc402UnauctionRule },
  { operation: mrc402Bid, rule: mrc402BidRule },
  { operation: mrc402Auctionfinish, rule: mrc402AuctionfinishRule },
  { operation: protocol, rule: protocolRule },
);

/** What block 0 does. Source: chain §8. */
export const GENESIS_RULES: ReadonlyMap<string, RuledOperation> = registry(
  { operation: genesisProtocol, rule: genesisProtocolRule },
  { operation: address, rule: addressRule },
  { operation: coin, rule: coinRule },
);
