import { grant, signedBundle, stateroot } from "@moneta/protocol";
import { bundleRule } from "./bundle.ts";
import { coinRule } from "./chain/coin.ts";
import { genesisProtocolRule } from "./chain/genesis-protocol.ts";
import { protocolRule } from "./chain/protocol.ts";
import { staterootRule } from "./chain/stateroot.ts";
import { addressRule } from "./coins/address.ts";
import { addressKeysRule } from "./coins/address-keys.ts";
import { addressRecoverRule } from "./coins/address-recover.ts";
import { addressRecoverCancelRule } from "./coins/address-recover-cancel.ts";
import { addressRecoverFinishRule } from "./coins/address-recover-finish.ts";
import { exchangeRule } from "./coins/exchange.ts";
import { grantRule } from "./coins/grant.ts";
import { grantEndRule } from "./coins/grant-end.ts";
import { multitransferRule } from "./coins/multitransfer.ts";
import { transferRule } from "./coins/transfer.ts";
import { mrc400CreateRule } from "./items/mrc400-create.ts";
import { mrc400UpdateRule } from "./items/mrc400-update.ts";
import { mrc401AcceptofferRule } from "./items/mrc401-acceptoffer.ts";
import { mrc401AuctionRule } from "./items/mrc401-auction.ts";
import { mrc401AuctionfinishRule } from "./items/mrc401-auctionfinish.ts";
import { mrc401BidRule } from "./items/mrc401-bid.ts";
import { mrc401BuyRule } from "./items/mrc401-buy.ts";
import { mrc401CreateRule } from "./items/mrc401-create.ts";
import { mrc401MeltRule } from "./items/mrc401-melt.ts";
import { mrc401OfferRule } from "./items/mrc401-offer.ts";
import { mrc401OfferfinishRule } from "./items/mrc401-offerfinish.ts";
import { mrc401SellRule } from "./items/mrc401-sell.ts";
import { mrc401TransferRule } from "./items/mrc401-transfer.ts";
import { mrc401UnauctionRule } from "./items/mrc401-unauction.ts";
import { mrc401UnofferRule } from "./items/mrc401-unoffer.ts";
import { mrc401UnsellRule } from "./items/mrc401-unsell.ts";
import { mrc401UpdateRule } from "./items/mrc401-update.ts";
import { mrc040CancelRule } from "./orders/mrc040-cancel.ts";
import { mrc040CreateRule } from "./orders/mrc040-create.ts";
import { mrc040ExchangeRule } from "./orders/mrc040-exchange.ts";
import { mrc040RequestRule } from "./orders/mrc040-request.ts";
import type { RuledOperation } from "./rule.ts";
import { mrc020Rule } from "./seals/mrc020.ts";
import { mrc020OpenRule } from "./seals/mrc020-open.ts";
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
import { tokenAddTargetRule } from "./tokens/token-add-target.ts";
import { tokenBurnRule } from "./tokens/token-burn.ts";
import { tokenCreateRule } from "./tokens/token-create.ts";
import { tokenIncreaseRule } from "./tokens/token-increase.ts";
import { tokenRemoveTargetRule } from "./tokens/token-remove-target.ts";
import { tokenSaveRule } from "./tokens/token-save.ts";
import { tokenSetBaseRule } from "./tokens/token-set-base.ts";
import { tokenUpdateRule } from "./tokens/token-update.ts";
import { mrc402AcceptofferRule } from "./units/mrc402-acceptoffer.ts";
import { mrc402AuctionRule } from "./units/mrc402-auction.ts";
import { mrc402AuctionfinishRule } from "./units/mrc402-auctionfinish.ts";
import { mrc402BidRule } from "./units/mrc402-bid.ts";
import { mrc402BurnRule } from "./units/mrc402-burn.ts";
import { mrc402BuyRule } from "./units/mrc402-buy.ts";
import { mrc402CreateRule } from "./units/mrc402-create.ts";
import { mrc402ItemupdateRule } from "./units/mrc402-itemupdate.ts";
import { mrc402MeltRule } from "./units/mrc402-melt.ts";
import { mrc402MintRule } from "./units/mrc402-mint.ts";
import { mrc402OfferRule } from "./units/mrc402-offer.ts";
import { mrc402OfferfinishRule } from "./units/mrc402-offerfinish.ts";
import { mrc402SellRule } from "./units/mrc402-sell.ts";
import { mrc402TransferRule } from "./units/mrc402-transfer.ts";
import { mrc402UnauctionRule } from "./units/mrc402-unauction.ts";
import { mrc402UnofferRule } from "./units/mrc402-unoffer.ts";
import { mrc402UnsellRule } from "./units/mrc402-unsell.ts";
import { mrc402UpdateRule } from "./units/mrc402-update.ts";

function byName(...rules: readonly RuledOperation[]): ReadonlyMap<string, RuledOperation> {
  return new Map(rules.map((ruled) => [ruled.operation.name, ruled]));
}

/** By wire name. `grant` checks its list against them. */
const GRANTABLE: ReadonlyMap<string, RuledOperation> = byName(
  addressRule,
  addressKeysRule,
  addressRecoverRule,
  addressRecoverCancelRule,
  addressRecoverFinishRule,
  grantEndRule,
  transferRule,
  multitransferRule,
  exchangeRule,
  tokenSaveRule,
  tokenCreateRule,
  tokenBurnRule,
  tokenIncreaseRule,
  tokenUpdateRule,
  tokenSetBaseRule,
  tokenAddTargetRule,
  tokenRemoveTargetRule,
  mrc010SellRule,
  mrc010UnsellRule,
  mrc010BuyRule,
  mrc010ReqsellRule,
  mrc010UnreqsellRule,
  mrc010AcceptreqsellRule,
  mrc010AuctionRule,
  mrc010UnauctionRule,
  mrc010BidRule,
  mrc010AuctionfinishRule,
  mrc400CreateRule,
  mrc400UpdateRule,
  mrc401CreateRule,
  mrc401UpdateRule,
  mrc401TransferRule,
  mrc401SellRule,
  mrc401UnsellRule,
  mrc401BuyRule,
  mrc401MeltRule,
  mrc401AuctionRule,
  mrc401UnauctionRule,
  mrc401BidRule,
  mrc401AuctionfinishRule,
  mrc401OfferRule,
  mrc401AcceptofferRule,
  mrc401UnofferRule,
  mrc401OfferfinishRule,
  mrc402CreateRule,
  mrc402TransferRule,
  mrc402MintRule,
  mrc402BurnRule,
  mrc402MeltRule,
  mrc402UpdateRule,
  mrc402ItemupdateRule,
  mrc402SellRule,
  mrc402UnsellRule,
  mrc402BuyRule,
  mrc402AuctionRule,
  mrc402UnauctionRule,
  mrc402BidRule,
  mrc402AuctionfinishRule,
  mrc402OfferRule,
  mrc402AcceptofferRule,
  mrc402UnofferRule,
  mrc402OfferfinishRule,
  mrc040CreateRule,
  mrc040CancelRule,
  mrc040RequestRule,
  mrc040ExchangeRule,
  mrc020Rule,
  mrc020OpenRule,
  protocolRule,
);

const SINGLE: ReadonlyMap<string, RuledOperation> = new Map([
  ...GRANTABLE,
  [grant.name, grantRule(GRANTABLE)],
]);

export const RULES: ReadonlyMap<string, RuledOperation> = new Map([
  ...SINGLE,
  [signedBundle.name, bundleRule(SINGLE)],
  [stateroot.name, staterootRule],
]);

export const GENESIS_RULES: ReadonlyMap<string, RuledOperation> = byName(
  genesisProtocolRule,
  addressRule,
  coinRule,
);
