import { said } from "./template.ts";

const plural = new Intl.PluralRules("en");

function counted(count: number, one: string, other: string): string {
  return `${count} ${plural.select(count) === "one" ? one : other}`;
}

/** All texts of the pages, in English. Other languages have the same members (`Texts`). */
export const en = {
  frame: {
    skip: "Skip to the content",
    pages: "Pages",
    page: { explorer: "Explorer", wallet: "Wallet", status: "Status" },
    loading: "Loading",
    tryAgain: "Try again",
    unreachable: "The node does not answer. It may be starting, or your connection may be down.",
    lost: "The connection to the node is lost. What you see may be out of date; the page reconnects by itself.",
    live: "live",
    notLive: "not connected",
    deployment: { test: "test", production: "production" },
    height: (height: string): string => `block ${height}`,
    reference: "API reference",
    theme: "Theme",
    themes: { system: "system", light: "light", dark: "dark" },
    language: "Language",
    copy: "Copy",
    copied: "Copied",
  },
  amounts: {
    ofUnknown: (amount: string, token: string): string => `${amount} units of token ${token}`,
    smallestUnits: (decimals: number): string =>
      `in the smallest unit (${counted(decimals, "decimal", "decimals")})`,
    token: (token: string): string => (token === "0" ? "native coin (token 0)" : `token ${token}`),
  },
  list: {
    newEntries: (count: number, isAll: boolean): string => `${count}${isAll ? "+" : ""} new`,
    end: "Nothing further: this is the end of the list.",
    pages: "Pages of this list",
    first: "« Newest",
    next: "Older »",
    saveCsv: (caption: string): string => `Save all of “${caption}” as CSV`,
    openJson: (caption: string): string => `Open “${caption}” as JSON`,
  },
  explorer: {
    nav: {
      home: "Home",
      blocks: "Blocks",
      transactions: "Transactions",
      tokens: "Tokens",
      projects: "Projects",
      items: "Items",
      market: "Market",
      protocol: "Protocol",
    },
    notFound: {
      title: "There is no such page",
      text: "The link may be incomplete.",
      home: "Go to the start of the explorer.",
    },
    /** Sentences are templates (`fillTemplate`); slots are those of `recordSlots`. */
    records: {
      units: (amount: string, isOne: boolean): string => `${amount} ${isOne ? "unit" : "units"}`,
      oneItem: "the item {item}",
      items: (count: string): string => `${count} items`,
      oneListing: "the listing {listing}",
      listings: (count: string): string => `${count} listings`,
      more: (count: string): string => ` and ${count} more`,
      unknown: (type: string): string =>
        `a record of the type ${type}, which this page does not know`,
      filter: {
        kind: "Kind",
        all: "all",
        since: "From",
        until: "Until",
        clear: "Show all",
      },
      kinds: {
        payments: "payments",
        accounts: "new addresses",
        tokens: "tokens",
        offers: "offers",
        trades: "purchases and sales",
        auctions: "auctions",
        bids: "bids",
        items: "items",
        projects: "projects",
        rules: "rules of the ledger",
      },
      types: {
        "Chaincode Install or Update": said(
          "rules",
          "Version {version} of the rules[ from block {height} on][, announced by {actor}][: {note}]",
        ),
        DataMigration: said("rules", "Stored data took the form of version {version}[: {note}]"),
        NewWallet: said("new address", "{address} was created[: {addinfo}]"),
        transfer: said("payment", "{from} paid {to} {amount}[, free {unlockdate}][: {memo}]"),
        receive: said(
          "payment",
          "{to} received {amount} from {from}[, free {unlockdate}][: {memo}]",
        ),
        multi_transfer: said("payments", "{from} paid {money} to {others}|{from} paid several"),
        tokenSave: said("token draft", "{owner} saved the draft of a token {symbol}"),
        tokenRegister: said("new token", "{owner} created a token and issued {money}"),
        token_reserve: said(
          "new token",
          "{receiver} received {amount} of a new token from {owner}",
        ),
        tokenBurning: said("burned", "{actor} burned {amount}[: {memo}]"),
        tokenIncrease: said("issued", "{actor} issued {amount}[: {memo}]"),
        tokenUpdate: said("token changed", "{actor} changed what is said of the token {token}"),
        mrc010sell: said(
          "offer",
          "{address} offered {amount} at {price} for each {min_trade_unit}",
        ),
        mrc010reqsell: said(
          "request",
          "{address} asked for {amount} at {price} for each {min_trade_unit}",
        ),
        mrc010unsell: said("taken back", "{creator} took {amount} off sale"),
        mrc010unreqsell: said(
          "taken back",
          "{creator} withdrew a request for {amount}[ and got {refund} back]",
        ),
        transfer_mrc010buy: said(
          "purchase",
          "{taker} bought {amount}[ from {seller}] for {payment}",
        ),
        transfer_mrc010sell: said("sale", "{taker} sold {amount}[ to {buyer}] for {payment}"),
        mrc010auction: said(
          "auction",
          "{address} put {amount} up for auction, from {auction_start_price} on",
        ),
        mrc010unauction: said("taken back", "{seller} took {amount} off auction"),
        transfer_mrc010bid: said(
          "bid",
          "{bidder} bid {bid}[ and got {amount} at once] in the auction {dexid}",
        ),
        receive_mrc010item: said(
          "won",
          "{winner} won {amount} in the auction {dexid}[ for {paid}]",
        ),
        mrc010auctionfailure: said(
          "no bid",
          "Nobody bid for {amount} in the auction {dexid}; {seller} got them back",
        ),
        receive_mrc010sell: said("sale", "{payee} received {payment} for tokens that it sold"),
        receive_mrc010buy: said("purchase", "{payee} received {amount} that it had asked for"),
        receive_mrc010fee: said("commission", "{payee} received a commission of {payment}"),
        receive_mrc010refund: said("outbid", "{payee} was outbid and got {payment} back"),
        receive_mrc010auction: said(
          "sale",
          "{payee} received {payment} for tokens that it auctioned",
        ),
        mrc010_buy: said("purchase", "{other} bought {traded} from {creator} for {paid}"),
        mrc010_acceptreqsell: said("sale", "{other} sold {traded} to {creator} for {paid}"),
        mrc010_auctionbid: said("bid", "{other} bid {paid}"),
        mrc010_auctionbuynow: said(
          "purchase",
          "{other} bought {traded} from {creator} at once for {paid}",
        ),
        mrc010_auctionwinning: said("won", "{other} won {traded} of {creator} for {paid}"),
        mrc400create: said("new project", "{owner} created the project {named}"),
        mrc400update: said("project changed", "{owner} changed the project {named}"),
        mrc401create: said("new items", "{actor} created {items} in the project {mrc400id}"),
        mrc401update: said("items changed", "{actor} changed {items} of the project {mrc400id}"),
        mrc401_create: said(
          "new item",
          "{actor} created the item {item}[ with a reserve of {initial_reserve}]",
        ),
        mrc401_update: said("item changed", "{actor} changed the item {item}"),
        mrc401transfer: said("given", "{fromAddr} gave {items} to {toAddr}"),
        mrc401_transfer: said("given", "{fromAddr} gave the item {item} to {toAddr}"),
        receive_mrc401: said("given", "{toAddr} received the item {item} from {fromAddr}"),
        mrc401sell: said("on sale", "{seller} put {items} on sale[ for {money}]"),
        mrc401unsell: said("taken back", "{seller} took {items} off sale"),
        mrc401auction: said("auction", "{seller} put {items} up for auction[, from {money} on]"),
        mrc401unauction: said("taken back", "{seller} took {items} off auction"),
        mrc401_sell: said("on sale", "{seller} put the item {item} on sale for {price}"),
        mrc401_unsell: said("taken back", "{seller} took the item {item} off sale"),
        mrc401_unauction: said("taken back", "{seller} took the item {item} off auction"),
        mrc401_auction: said(
          "auction",
          "{seller} put the item {item} up for auction, from {auction_start_price} on",
        ),
        transfer_mrc401buy: said(
          "purchase",
          "{buyer} bought the item {item}[ from {seller}] for {payment}",
        ),
        transfer_mrc401bid: said("bid", "{bidder} bid {bid} for the item {item}"),
        mrc401_buy: said("purchase", "{buyer} bought the item {item} from {seller}[ for {paid}]"),
        mrc401_auctionbid: said("bid", "{bidder} bid {paid} for the item {item}"),
        mrc401_melt: said("melted", "{owner} melted the item {item}[, whose reserve was {paid}]"),
        mrc401_auctionwinning: said("won", "{winner} won the item {item}[ for {paid}]"),
        mrc401_auctionbuynow: said(
          "purchase",
          "{winner} bought the item {item} at once for {paid}",
        ),
        mrc401_auctionfailure: said("no bid", "Nobody bid for the item {item}; {seller} keeps it"),
        receive_mrc401sell: said(
          "sale",
          "{seller} received {payment} from {buyer} for the item {item}",
        ),
        receive_mrc401auction: said(
          "sale",
          "{seller} received {payment} from {buyer} for the item {item}, which it auctioned",
        ),
        receive_mrc401fee: said(
          "fee",
          "{owner} received {payment} as the project’s fee on the sale of the item {item}",
        ),
        receive_mrc401refund: said(
          "outbid",
          "{bidder} was outbid for the item {item} and got {payment} back",
        ),
        receive_melt: said("reserve", "{payee} received {payment}, the reserve of {item}"),
        receive_meltfee: said(
          "fee",
          "{payee} received {payment} as the project’s fee on the melting of {item}",
        ),
        mrc402create: said(
          "new item",
          "{creator} created the item {named}[ of {totalsupply}]|{actor} created {items} of many units in the project {mrc400id}",
        ),
        mrc402update: said(
          "item changed",
          "{creator} changed the item {item}|{actor} changed {items} of the project {mrc400id}|{actor} changed the item {item}",
        ),
        mrc402mint: said("issued", "{creator} issued {amount} of the item {item}[: {memo}]"),
        mrc402burn: said("burned", "{creator} burned {amount} of the item {item}[: {memo}]"),
        mrc402melt: said(
          "melted",
          "{actor} melted {amount} of the item {item}|{actor} melted units of the item {item}",
        ),
        transfer_mrc402: said("given", "{from} gave {to} {amount} of the item {item}[: {memo}]"),
        receive_mrc402: said(
          "given",
          "{to} received {amount} of the item {item} from {from}[: {memo}]",
        ),
        mrc402sell: said(
          "on sale",
          "{seller} put {amount} of the item {item} on sale for {price} each|{actor} put units of {items} on sale[ for {money} each]",
        ),
        mrc402auction: said(
          "auction",
          "{seller} put {amount} of the item {item} up for auction, from {auction_start_price} on|{actor} put units of {items} up for auction[, from {money} on]",
        ),
        mrc402unsell: said(
          "taken back",
          "{seller} took {amount} of the item {item} off sale|{actor} took {listings} off sale",
        ),
        mrc402unauction: said(
          "taken back",
          "{seller} took {amount} of the item {item} off auction|{actor} took {listings} off auction",
        ),
        transfer_mrc402buy: said(
          "purchase",
          "{buyer} bought {amount} of the item {item}[ from {seller}] for {payment}",
        ),
        transfer_mrc402bid: said(
          "bid",
          "{bidder} bid {bid} for units of the item {item}[ and got {amount} at once]",
        ),
        receive_mrc402item: said("won", "{winner} won {amount} of the item {item}[ for {paid}]"),
        receive_mrc402fee: said(
          "fee",
          "{payee} received a fee of {payment} on a sale of the item {item}",
        ),
        receive_mrc402sell: said("sale", "{payee} received {payment} for units of the item {item}"),
        receive_mrc402auction: said(
          "sale",
          "{payee} received {payment} for units of the item {item}, which it auctioned",
        ),
        receive_mrc402refund: said(
          "outbid",
          "{payee} was outbid for units of the item {item} and got {payment} back",
        ),
        mrc402_buy: said(
          "purchase",
          "{buyer} bought {traded} of the item {item} from {seller} for {paid}",
        ),
        mrc402_auctionbuynow: said(
          "purchase",
          "{buyer} bought {traded} of the item {item} from {seller} at once for {paid}",
        ),
        mrc402_auctionwinning: said("won", "{buyer} won {traded} of the item {item} for {paid}"),
        mrc402_auctionbid: said("bid", "{bidder} bid {paid}"),
        mrc402auctionfailure: said(
          "no bid",
          "Nobody bid for {amount} of the item {item}; {seller} got them back",
        ),
      },
    },
    transactions: {
      caption: "Newest transactions",
      empty: "There is no transaction yet.",
      noneFits: "No transaction fits these filters.",
      what: "What happened",
      type: "Type",
      time: "Time",
      transaction: "Transaction",
      open: "Details",
    },
    search: {
      label: "Search the ledger",
      placeholder: "Address, transaction, block, token, item …",
      title: (text: string): string => `Search: ${text}`,
      nothing:
        "Nothing found. You can search for an address, a transaction, the number or id of a block, the id or symbol of a token, a project, an item, a listing.",
    },
    home: {
      title: "The ledger now",
      allTransactions: "All transactions",
      allBlocks: "All blocks",
    },
    blocks: {
      caption: "Newest blocks",
      empty: "There is no block yet.",
      number: "Block",
      time: "Time",
      count: "Transactions",
      id: "Id",
    },
    block: {
      title: (block: string): string => `Block ${block}`,
      number: "Number",
      id: "Id",
      time: "Time",
      count: "Transactions",
      previous: "Previous block",
    },
  },
};
