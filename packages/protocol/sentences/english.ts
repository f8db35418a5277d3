import { recordSentences, type SentenceTexts, sentence } from "./record-texts.ts";

export const ENGLISH: SentenceTexts = {
  units: (amount, isOne) => `${amount} ${isOne ? "unit" : "units"}`,
  oneItem: "the item {item}",
  items: (count, isOne) => `${count} ${isOne ? "item" : "items"}`,
  oneListing: "the listing {listing}",
  listings: (count, isOne) => `${count} ${isOne ? "listing" : "listings"}`,
  more: (count) => ` and ${count} more`,
  unknown: (type) => `a record of the unknown type ${type}`,
  types: recordSentences({
    "Chaincode Install or Update": sentence(
      "rules",
      "Version {version} of the rules[ from block {height}][, announced by {actor}][: “{note}”]",
    ),
    DataMigration: sentence("rules", "Stored data took the form of version {version}[: “{note}”]"),
    StateRoot: sentence("state root", "The state of block {height} has the root {root}"),
    NewWallet: sentence("new address", "{address} joined the ledger[: “{addinfo}”]"),
    NewKeys: sentence("new keys", "{address} received other keys, version {version}"),
    Recovery: sentence("recovery", "other keys began to recover {address}"),
    RecoveryCancelled: sentence("cancelled", "{address} cancelled its recovery"),
    Grant: sentence("grant", "{address} lets another key act for it"),
    GrantEnd: sentence("grant ended", "{address} ended a grant"),
    transfer: sentence(
      "payment",
      "{from} paid {to} {amount}[, locked until {unlockdate}][: “{memo}”]",
    ),
    receive: sentence(
      "payment",
      "{to} received {amount} from {from}[, locked until {unlockdate}][: “{memo}”]",
    ),
    multi_transfer: sentence(
      "payments",
      "{from} paid {money} to {others}|{from} made several payments",
    ),
    tokenSave: sentence("token draft", "{owner} saved the draft of a token “{symbol}”"),
    tokenRegister: sentence(
      "new token",
      "{owner} created a token and issued {money}|A token was created and {money} issued",
    ),
    token_reserve: sentence(
      "new token",
      "{receiver} received {amount} of a new token[ from {owner}]",
    ),
    tokenBurning: sentence("burned", "{actor} burned {amount}[: “{memo}”]"),
    tokenIncrease: sentence("issued", "{actor} issued {amount}[: “{memo}”]"),
    tokenUpdate: sentence("token changed", "{actor} changed the description of the token {token}"),
    SetBase: sentence(
      "trading pair",
      "{actor} set {base} as the token in which {target} is priced",
    ),
    tokenAddTarget: sentence("trading pair", "{actor} admitted {target} to trading for {base}"),
    tokenRemoveTarget: sentence("trading pair", "{actor} removed {target} from trading for {base}"),
    exchange: sentence(
      "exchange",
      "{fromAddr} exchanged {fromAmount} for {toAmount} of {toAddr}[: “{fromMemo}”]",
    ),
    exchangePair: sentence(
      "exchange",
      "{toAddr} exchanged {toAmount} for {fromAmount} of {fromAddr}[: “{toMemo}”]",
    ),
    exchangeFee: sentence(
      "exchange fee",
      "{fromFeesendto} received {fromFeeamount} from {fromAddr}",
    ),
    exchangeFeePair: sentence("exchange fee", "{toFeesendto} received {toFeeamount} from {toAddr}"),
    stodexRegister: sentence(
      "order",
      "{owner} ordered to buy {bought} at {price} each[: {order}]|{owner} ordered to sell {sold} at {price} each[: {order}]",
    ),
    stodexUnRegister: sentence(
      "order cancelled",
      "{owner} cancelled the order {order}[ and got {refund} back]",
    ),
    stodexRequest: sentence(
      "market order",
      "{requester} bought {bought} at market[ for {cost}]|{requester} sold {sold} at market[ for {cost}]",
    ),
    stodexExchange: sentence("order traded", "{requester} traded {qtt} with the order {order}"),
    stodexExchangePending: sentence(
      "order traded",
      "{owner} bought {bought} from {requester}[ for {cost}] by the order {order}|{owner} sold {sold} to {requester}[ for {cost}] by the order {order}",
    ),
    stodexExchangeRequest: sentence(
      "traded",
      "{requester} bought {bought} from {owner}[ for {cost}] with the order {order}|{requester} sold {sold} to {owner}[ for {cost}] with the order {order}",
    ),
    bundle: sentence("bundle", "{actor} did {operations} operations under one signature"),
    MRC020: sentence(
      "sealed text",
      "{owner} sealed the text {seal}[, to be opened from {opendate}]",
    ),
    MRC020Open: sentence(
      "opened",
      "The text {seal} of {owner} was opened by the key “{openingkey}”",
    ),
    mrc010sell: sentence("offer", "{address} offered {amount} at {price} per {min_trade_unit}"),
    mrc010reqsell: sentence(
      "request",
      "{address} asked for {amount} at {price} per {min_trade_unit}",
    ),
    mrc010unsell: sentence("taken back", "{creator} took {amount} off sale"),
    mrc010unreqsell: sentence(
      "taken back",
      "{creator} withdrew a request for {amount}[ and got {refund} back]",
    ),
    transfer_mrc010buy: sentence(
      "purchase",
      "{taker} bought {amount}[ from {seller}] for {payment}",
    ),
    transfer_mrc010sell: sentence("sale", "{taker} sold {amount}[ to {buyer}] for {payment}"),
    mrc010auction: sentence(
      "auction",
      "{address} put {amount} up for auction, starting at {auction_start_price}",
    ),
    mrc010unauction: sentence("taken back", "{seller} took {amount} off auction"),
    transfer_mrc010bid: sentence(
      "bid",
      "{bidder} bid {bid}[ and got {amount} at once] in the auction {dexid}",
    ),
    receive_mrc010item: sentence(
      "won",
      "{winner} won {amount} in the auction {dexid}[ for {paid}]",
    ),
    mrc010auctionfailure: sentence(
      "no bid",
      "No bid for {amount} in the auction {dexid}; returned to {seller}",
    ),
    receive_mrc010sell: sentence("sale", "{payee} received {payment} for tokens that it sold"),
    receive_mrc010buy: sentence("purchase", "{payee} received {amount} that it had asked for"),
    receive_mrc010fee: sentence("commission", "{payee} received a commission of {payment}"),
    receive_mrc010refund: sentence("outbid", "{payee} got {payment} back after a higher bid"),
    receive_mrc010auction: sentence(
      "sale",
      "{payee} received {payment} for tokens that it auctioned",
    ),
    mrc010_buy: sentence("purchase", "{other} bought {traded} from {creator} for {paid}"),
    mrc010_acceptreqsell: sentence("sale", "{other} sold {traded} to {creator} for {paid}"),
    mrc010_auctionbid: sentence("bid", "{other} bid {paid}"),
    mrc010_auctionbuynow: sentence(
      "purchase",
      "{other} bought {traded} from {creator} at once for {paid}",
    ),
    mrc010_auctionwinning: sentence("won", "{other} won {traded} of {creator} for {paid}"),
    mrc400create: sentence("new project", "{owner} created the project {named}"),
    mrc400update: sentence("project changed", "{owner} changed the project {named}"),
    mrc401create: sentence("new items", "{actor} created {items} in the project {mrc400id}"),
    mrc401update: sentence("items changed", "{actor} changed {items} of the project {mrc400id}"),
    mrc401_create: sentence(
      "new item",
      "{actor} created the item {item}[ with a reserve of {initial_reserve}]",
    ),
    mrc401_update: sentence("item changed", "{actor} changed the item {item}"),
    mrc401transfer: sentence("given", "{fromAddr} gave {items} to {toAddr}"),
    mrc401_transfer: sentence("given", "{fromAddr} gave the item {item} to {toAddr}"),
    receive_mrc401: sentence("given", "{toAddr} received the item {item} from {fromAddr}"),
    mrc401sell: sentence("on sale", "{seller} put {items} on sale[ for {money}]"),
    mrc401unsell: sentence("taken back", "{seller} took {items} off sale"),
    mrc401auction: sentence(
      "auction",
      "{seller} put {items} up for auction[, starting at {money}]",
    ),
    mrc401unauction: sentence("taken back", "{seller} took {items} off auction"),
    mrc401_sell: sentence("on sale", "{seller} put the item {item} on sale for {price}"),
    mrc401_unsell: sentence("taken back", "{seller} took the item {item} off sale"),
    mrc401_unauction: sentence("taken back", "{seller} took the item {item} off auction"),
    mrc401_auction: sentence(
      "auction",
      "{seller} put the item {item} up for auction, starting at {auction_start_price}",
    ),
    transfer_mrc401buy: sentence(
      "purchase",
      "{buyer} bought the item {item}[ from {seller}] for {payment}",
    ),
    transfer_mrc401bid: sentence("bid", "{bidder} bid {bid} for the item {item}"),
    mrc401_buy: sentence("purchase", "{buyer} bought the item {item} from {seller}[ for {paid}]"),
    mrc401_auctionbid: sentence("bid", "{bidder} bid {paid} for the item {item}"),
    mrc401_melt: sentence("melted", "{owner} melted the item {item}[, whose reserve was {paid}]"),
    mrc401_auctionwinning: sentence(
      "won",
      "{winner} won the item {item}[ from {seller}][ for {paid}]",
    ),
    mrc401_auctionbuynow: sentence(
      "purchase",
      "{winner} bought the item {item}[ from {seller}] at once for {paid}",
    ),
    mrc401_auctionfailure: sentence("no bid", "No bid for the item {item}; {seller} keeps it"),
    receive_mrc401sell: sentence(
      "sale",
      "{seller} received {payment} from {buyer} for the item {item}",
    ),
    receive_mrc401auction: sentence(
      "sale",
      "{seller} received {payment} from {buyer} for the item {item}, which it auctioned",
    ),
    receive_mrc401fee: sentence(
      "fee",
      "{owner} received {payment} as the project’s fee on the sale of the item {item}",
    ),
    receive_mrc401refund: sentence(
      "outbid",
      "{bidder} got {payment} back after a higher bid for the item {item}",
    ),
    receive_melt: sentence("reserve", "{payee} received {payment}, the reserve of {item}"),
    receive_meltfee: sentence(
      "fee",
      "{payee} received {payment} as the project’s fee on the melting of {item}",
    ),
    mrc402create: sentence(
      "new item",
      "{creator} created the item {named}[ of {totalsupply}]|{actor} created {items} of many units in the project {mrc400id}",
    ),
    mrc402update: sentence(
      "item changed",
      "{creator} changed the item {item}|{actor} changed {items} of the project {mrc400id}|{actor} changed the item {item}",
    ),
    mrc402mint: sentence("issued", "{creator} issued {amount} of the item {item}[: “{memo}”]"),
    mrc402burn: sentence("burned", "{creator} burned {amount} of the item {item}[: “{memo}”]"),
    mrc402melt: sentence(
      "melted",
      "{actor} melted {amount} of the item {item}|{actor} melted units of the item {item}",
    ),
    transfer_mrc402: sentence("given", "{from} gave {to} {amount} of the item {item}[: “{memo}”]"),
    receive_mrc402: sentence(
      "given",
      "{to} received {amount} of the item {item} from {from}[: “{memo}”]",
    ),
    mrc402sell: sentence(
      "on sale",
      "{seller} put {amount} of the item {item} on sale for {price} each|{actor} put units of {items} on sale[ for {money} each]",
    ),
    mrc402auction: sentence(
      "auction",
      "{seller} put {amount} of the item {item} up for auction, starting at {auction_start_price}|{actor} put units of {items} up for auction[, starting at {money}]",
    ),
    mrc402unsell: sentence(
      "taken back",
      "{seller} took {amount} of the item {item} off sale|{actor} took {listings} off sale",
    ),
    mrc402unauction: sentence(
      "taken back",
      "{seller} took {amount} of the item {item} off auction|{actor} took {listings} off auction",
    ),
    transfer_mrc402buy: sentence(
      "purchase",
      "{buyer} bought {amount} of the item {item}[ from {seller}] for {payment}",
    ),
    transfer_mrc402bid: sentence(
      "bid",
      "{bidder} bid {bid} for units of the item {item}[ and got {amount} at once]",
    ),
    receive_mrc402item: sentence("won", "{winner} won {amount} of the item {item}[ for {paid}]"),
    receive_mrc402fee: sentence(
      "fee",
      "{payee} received a fee of {payment} on a sale of the item {item}",
    ),
    receive_mrc402sell: sentence("sale", "{payee} received {payment} for units of the item {item}"),
    receive_mrc402auction: sentence(
      "sale",
      "{payee} received {payment} for units of the item {item}, which it auctioned",
    ),
    receive_mrc402refund: sentence(
      "outbid",
      "{payee} got {payment} back after a higher bid for units of the item {item}",
    ),
    mrc402_buy: sentence(
      "purchase",
      "{buyer} bought {traded} of the item {item} from {seller} for {paid}",
    ),
    mrc402_auctionbuynow: sentence(
      "purchase",
      "{buyer} bought {traded} of the item {item} from {seller} at once for {paid}",
    ),
    mrc402_auctionwinning: sentence(
      "won",
      "{buyer} won {traded} of the item {item} from {seller} for {paid}",
    ),
    mrc402_auctionbid: sentence("bid", "{bidder} bid {paid}"),
    mrc402auctionfailure: sentence(
      "no bid",
      "No bid for {amount} of the item {item}; returned to {seller}",
    ),
    mrc401offer: sentence("offer", "{buyer} offered {price} for {item}[ (group {groupid})]"),
    transfer_mrc401acceptoffer: sentence(
      "sale",
      "{seller} sold the item {item} for {payment} by the offer {offerid}",
    ),
    receive_mrc401acceptoffer: sentence(
      "purchase",
      "{buyer} bought the item {item} from {seller} for {payment} by the offer {offerid}",
    ),
    mrc401_acceptoffer: sentence(
      "sale",
      "{seller} sold the item {item} to {buyer} for {paid} by the offer {offerid}",
    ),
    mrc401unoffer: sentence(
      "withdrawn",
      "{buyer} withdrew the offer {offerid} and got {refund} back",
    ),
    mrc401offerfinish: sentence(
      "ended",
      "The offer {offerid} ended, and {buyer} got {refund} back",
    ),
    mrc402offer: sentence("offer", "{buyer} offered {price} each for {amount} of the item {item}"),
    transfer_mrc402acceptoffer: sentence(
      "sale",
      "{seller} sold {amount} of the item {item} for {payment} by the offer {offerid}",
    ),
    receive_mrc402acceptoffer: sentence(
      "purchase",
      "{buyer} bought {amount} of the item {item} from {seller} for {payment} by the offer {offerid}",
    ),
    mrc402_acceptoffer: sentence(
      "sale",
      "{seller} sold {amount} of the item {item} to {buyer} for {paid} by the offer {offerid}",
    ),
  }),
};
