// Made of the descriptions in @moneta/protocol by `npm run api`. A test compares it with them.
import type { Call, CallOptions } from "./call.ts";

/** What is sent for each operation and read, by its name. */
export const CALLS: { readonly [name: string]: Call } = {
  address: {
    routes: ["POST /address"],
    parameters: "publickey addinfo signed",
    write: true,
    answer: "text",
    member: "address",
  },
  transfer: {
    routes: ["POST /transfer"],
    parameters: "from to token amount tags memo unlockdate",
    write: true,
    key: "checkkey",
    actor: "from",
  },
  multitransfer: {
    routes: ["POST /multitransfer"],
    parameters: "from transferlist token",
    write: true,
    key: "checkkey",
    actor: "from",
  },
  exchange: {
    routes: ["POST /exchange", "POST /exchange/{fromTkey}/{toTkey}"],
    parameters:
      "fromAddr fromAmount fromToken fromFeesendto fromFeeamount fromFeetoken fromTag fromMemo fromSign fromTkey toAddr toAmount toToken toFeesendto toFeeamount toFeetoken toTag toMemo toSign toTkey signed",
    write: true,
    key: "fromTkey",
    signers: ["fromAddr fromTkey fromSign", "toAddr toTkey toSign"],
  },
  tokensave: {
    routes: ["POST /token"],
    parameters:
      "owner symbol name totalsupply decimal reservedamount remainamount reserve tier category url image type token",
    write: true,
    key: "Temporarykey",
    actor: "owner",
    answer: "text",
    member: "tkey",
  },
  tokencreate: {
    routes: ["POST /token/{tkey}"],
    parameters: "",
    write: true,
    key: "tkey",
    answer: "nothing",
  },
  tokenburn: {
    routes: ["PUT /token/burn/{tkey}"],
    parameters: "token amount memo",
    write: true,
    key: "tkey",
    answer: "nothing",
  },
  tokenincrease: {
    routes: ["PUT /token/increase/{tkey}"],
    parameters: "token amount memo",
    write: true,
    key: "tkey",
    answer: "nothing",
  },
  tokenupdate: {
    routes: ["PUT /token/update/{tkey}"],
    parameters: "token url info image",
    write: true,
    key: "tkey",
    answer: "nothing",
  },
  tokensetbase: {
    routes: ["POST /tokenUpdate/TokenBase/{tkey}/{token}/{baseToken}"],
    parameters: "token baseToken",
    write: true,
    key: "tkey",
  },
  tokenaddtarget: {
    routes: ["POST /tokenUpdate/TokenTargetAdd/{tkey}/{token}/{targetToken}"],
    parameters: "token targetToken",
    write: true,
    key: "tkey",
  },
  tokenremovetarget: {
    routes: ["POST /tokenUpdate/TokenTargetRemove/{tkey}/{token}/{targetToken}"],
    parameters: "token targetToken",
    write: true,
    key: "tkey",
  },
  mrc010sell: {
    routes: ["POST /token/sell/{mrc010id}"],
    parameters:
      "mrc010id address amount min_trade_unit token price platform_name platform_url platform_commission platform_address",
    write: true,
    key: "tkey",
    actor: "address",
  },
  mrc010unsell: {
    routes: ["POST /token/unsell/{dexid}"],
    parameters: "dexid",
    write: true,
    key: "tkey",
  },
  mrc010buy: {
    routes: ["POST /token/buy/{dexid}"],
    parameters: "dexid address amount",
    write: true,
    key: "tkey",
    actor: "address",
  },
  mrc010reqsell: {
    routes: ["POST /token/reqsell/{mrc010id}"],
    parameters:
      "mrc010id address amount min_trade_unit token price platform_name platform_url platform_commission platform_address",
    write: true,
    key: "tkey",
    actor: "address",
  },
  mrc010unreqsell: {
    routes: ["POST /token/unreqsell/{dexid}"],
    parameters: "dexid",
    write: true,
    key: "tkey",
  },
  mrc010acceptreqsell: {
    routes: ["POST /token/acceptreqsell/{dexid}"],
    parameters: "dexid address amount",
    write: true,
    key: "tkey",
    actor: "address",
  },
  mrc010auction: {
    routes: ["POST /token/auction/{mrc010id}"],
    parameters:
      "mrc010id address amount token auction_start_price auction_bidding_unit auction_buynow_price auction_start_date auction_end_date platform_name platform_url platform_commission platform_address",
    write: true,
    key: "tkey",
    actor: "address",
  },
  mrc010unauction: {
    routes: ["POST /token/unauction/{dexid}"],
    parameters: "dexid",
    write: true,
    key: "tkey",
  },
  mrc010bid: {
    routes: ["POST /token/bid/{dexid}"],
    parameters: "dexid address amount",
    write: true,
    key: "tkey",
    actor: "address",
  },
  mrc010auctionfinish: {
    routes: ["POST /token/auctionfinish/{dexid}"],
    parameters: "dexid",
    write: true,
  },
  mrc400create: {
    routes: ["POST /mrc400"],
    parameters:
      "owner name url imageurl allowtoken category description itemurl itemimageurl data socialmedia partner",
    write: true,
    key: "tkey",
    actor: "owner",
    answer: "text",
    member: "mrc400id",
  },
  mrc400update: {
    routes: ["PUT /mrc400/{mrc400id}"],
    parameters:
      "mrc400id name url imageurl allowtoken category description itemurl itemimageurl data socialmedia partner",
    write: true,
    key: "tkey",
  },
  mrc401create: {
    routes: ["POST /mrc401/{mrc400id}"],
    parameters: "mrc400id creator itemdata",
    write: true,
    key: "tkey",
    actor: "creator",
  },
  mrc401update: {
    routes: ["PUT /mrc401/{mrc400id}"],
    parameters: "mrc400id creator itemdata",
    write: true,
    key: "tkey",
    actor: "creator",
  },
  mrc401transfer: {
    routes: ["POST /mrc401/transfer/{mrc401id}", "POST /mrc401/transfer"],
    parameters: "mrc401id fromAddr toAddr itemdata",
    write: true,
    key: "tkey",
    actor: "fromAddr",
  },
  mrc401sell: {
    routes: ["POST /mrc401/sell", "POST /mrc401/sell/{mrc400id}"],
    parameters: "seller mrc400id itemdata",
    write: true,
    key: "tkey",
    actor: "seller",
  },
  mrc401unsell: {
    routes: ["POST /mrc401/unsell", "POST /mrc401/unsell/{mrc400id}"],
    parameters: "seller mrc400id itemdata",
    write: true,
    key: "tkey",
    actor: "seller",
  },
  mrc401buy: {
    routes: ["POST /mrc401/buy/{mrc401id}"],
    parameters: "mrc401id buyer price token maxmeltfee maxsellfee transferable",
    write: true,
    key: "tkey",
    actor: "buyer",
  },
  mrc401melt: {
    routes: ["POST /mrc401/melt/{mrc401id}"],
    parameters: "mrc401id address",
    write: true,
    key: "tkey",
    actor: "address",
  },
  mrc401auction: {
    routes: ["POST /mrc401/auction", "POST /mrc401/auction/{mrc400id}"],
    parameters: "seller mrc400id itemdata",
    write: true,
    key: "tkey",
    actor: "seller",
  },
  mrc401unauction: {
    routes: ["POST /mrc401/unauction", "POST /mrc401/unauction/{mrc400id}"],
    parameters: "seller mrc400id itemdata",
    write: true,
    key: "tkey",
    actor: "seller",
  },
  mrc401bid: {
    routes: ["POST /mrc401/bid/{mrc401id}"],
    parameters: "mrc401id amount token buyer maxmeltfee maxsellfee transferable",
    write: true,
    key: "tkey",
    actor: "buyer",
  },
  mrc401auctionfinish: {
    routes: ["POST /mrc401/auctionfinish/{mrc401id}"],
    parameters: "mrc401id",
    write: true,
  },
  mrc402create: {
    routes: ["POST /mrc402", "POST /mrc402/{mrc400id}"],
    parameters:
      "creator name url imageurl totalsupply creatorcommission shareholder initialreserve expiredate data information socialmedia copyright_registration_country copyright_registrar copyright_registration_number category description platform_name platform_url platform_commission platform_address decimal allowtoken itemurl itemimageurl mrc400id itemdata",
    write: true,
    key: "tkey",
    actor: "creator",
  },
  mrc402transfer: {
    routes: ["POST /mrc402/transfer/{mrc402id}"],
    parameters: "mrc402id fromAddr toAddr amount tag memo",
    write: true,
    key: "tkey",
    actor: "fromAddr",
  },
  mrc402mint: {
    routes: ["PUT /mrc402/mint/{mrc402id}"],
    parameters: "mrc402id address amount memo",
    write: true,
    key: "tkey",
    actor: "address",
  },
  mrc402burn: {
    routes: ["PUT /mrc402/burn/{mrc402id}"],
    parameters: "mrc402id address amount memo",
    write: true,
    key: "tkey",
    actor: "address",
  },
  mrc402melt: {
    routes: ["POST /mrc402/melt/{mrc402id}"],
    parameters: "mrc402id address amount",
    write: true,
    key: "tkey",
    actor: "address",
  },
  mrc402update: {
    routes: ["PUT /mrc402/update/{mrc402id}"],
    parameters:
      "mrc402id address url data information socialmedia copyright_registration_country copyright_registrar copyright_registration_number",
    write: true,
    key: "tkey",
    actor: "address",
  },
  mrc402itemupdate: {
    routes: ["PUT /mrc402/{mrc400id}"],
    parameters: "mrc400id owner itemdata",
    write: true,
    key: "tkey",
    actor: "owner",
  },
  mrc402sell: {
    routes: ["POST /mrc402/sell/{id}", "POST /mrc402/sell"],
    parameters:
      "seller id itemdata amount price token platform_name platform_url platform_commission platform_address",
    write: true,
    key: "tkey",
    actor: "seller",
  },
  mrc402unsell: {
    routes: ["POST /mrc402/unsell/{id}", "POST /mrc402/unsell"],
    parameters: "seller id itemdata",
    write: true,
    key: "tkey",
    actor: "seller",
  },
  mrc402buy: {
    routes: ["POST /mrc402/buy/{id}"],
    parameters: "id buyer amount price token maxmeltfee maxsellfee transferable",
    write: true,
    key: "tkey",
    actor: "buyer",
  },
  mrc402auction: {
    routes: ["POST /mrc402/auction/{id}", "POST /mrc402/auction"],
    parameters:
      "seller id itemdata amount auction_start_price token auction_bidding_unit auction_buynow_price auction_start_date auction_end_date platform_name platform_url platform_commission platform_address",
    write: true,
    key: "tkey",
    actor: "seller",
  },
  mrc402unauction: {
    routes: ["POST /mrc402/unauction/{id}", "POST /mrc402/unauction"],
    parameters: "seller id itemdata",
    write: true,
    key: "tkey",
    actor: "seller",
  },
  mrc402bid: {
    routes: ["POST /mrc402/bid/{id}"],
    parameters: "id amount token buyer maxmeltfee maxsellfee transferable",
    write: true,
    key: "tkey",
    actor: "buyer",
  },
  mrc402auctionfinish: {
    routes: ["POST /mrc402/auctionfinish/{id}"],
    parameters: "id",
    write: true,
  },
  mrc040create: {
    routes: ["POST /mrc040/create/{tkey}"],
    parameters: "owner side basetoken targettoken price qtt",
    write: true,
    key: "tkey",
    actor: "owner",
    amounts: "remainqtt trades.price trades.qtt trades.amount",
  },
  mrc040cancel: {
    routes: ["POST /mrc040/cancel/{tkey}"],
    parameters: "owner mrc040id",
    write: true,
    key: "tkey",
    actor: "owner",
  },
  mrc040request: {
    routes: ["POST /mrc040/request/{tkey}"],
    parameters: "requester side basetoken targettoken price qtt minqtt",
    write: true,
    key: "tkey",
    actor: "requester",
    amounts: "doneqtt amount trades.price trades.qtt trades.amount",
  },
  mrc040exchange: {
    routes: ["POST /mrc040/exchange/{tkey}"],
    parameters: "requester mrc040id qtt",
    write: true,
    key: "tkey",
    actor: "requester",
    amounts: "trades.price trades.qtt trades.amount",
  },
  mrc020: {
    routes: ["POST /mrc020"],
    parameters: "owner referencekey opendate keyhash algorithm data",
    write: true,
    key: "tkey",
    actor: "owner",
  },
  mrc020open: {
    routes: ["POST /mrc020/open/{mrc020key}"],
    parameters: "mrc020key key",
    write: true,
  },
  protocol: {
    routes: ["POST /protocol"],
    parameters: "version height note",
    write: true,
    key: "tkey",
  },
  faucet: {
    routes: ["POST /faucet"],
    parameters: "address amount",
    write: true,
    amounts: "amount",
  },
  service: { routes: ["GET /"], parameters: "", amounts: "coin.totalsupply" },
  addressRead: {
    routes: ["GET /address/{address}"],
    parameters: "address view",
    amounts: "balance.balance",
  },
  addressByKey: { routes: ["POST /address/bykey"], parameters: "publickey limit after" },
  nonce: { routes: ["GET /nonce/{address}"], parameters: "address count valid" },
  getkey: { routes: ["GET /getkey/{kind}/{address}"], parameters: "address kind count valid" },
  balance: {
    routes: ["GET /balance/{address}"],
    parameters: "address limit after",
    amounts: "balance",
  },
  balanceOfToken: {
    routes: ["GET /balance/{address}/{token}"],
    parameters: "address token limit after",
    amounts: "balance",
  },
  height: { routes: ["GET /block"], parameters: "", answer: "text" },
  block: { routes: ["GET /block/{block}"], parameters: "block" },
  blockRaw: { routes: ["GET /block/{block}/raw"], parameters: "block" },
  blocks: { routes: ["GET /blocks"], parameters: "limit cursor" },
  blocksRaw: { routes: ["GET /blocks/raw"], parameters: "from limit", answer: "file" },
  transaction: { routes: ["GET /transaction/{transaction_id}"], parameters: "transaction_id" },
  groupTransactions: { routes: ["GET /group/{id}"], parameters: "id" },
  transactions: {
    routes: ["GET /transactions"],
    parameters: "type token since until block limit cursor",
  },
  addressTransactions: {
    routes: ["GET /address/{address}/transactions"],
    parameters: "address type token since until limit cursor",
  },
  itemTransactions: {
    routes: ["GET /item/{id}/transactions"],
    parameters: "id type since until limit cursor",
  },
  totals: { routes: ["GET /totals"], parameters: "step since until" },
  transactionProof: {
    routes: ["GET /transaction/{transaction_id}/proof"],
    parameters: "transaction_id size",
  },
  checkpoint: {
    routes: ["GET /checkpoint", "GET /tlog/checkpoint"],
    parameters: "",
    answer: "text",
  },
  checkpointKey: { routes: ["GET /checkpoint/key"], parameters: "", answer: "text" },
  checkpointConsistency: { routes: ["GET /checkpoint/consistency"], parameters: "from to" },
  tile: { routes: ["GET /tlog/tile/{level}/{tile}"], parameters: "level tile", answer: "file" },
  entryBundle: { routes: ["GET /tlog/tile/entries/{tile}"], parameters: "tile", answer: "file" },
  tokens: {
    routes: ["GET /tokens"],
    parameters: "owner symbol limit cursor",
    amounts:
      "items.totalsupply items.burnningamount items.circulation_supply items.remainamount items.reservedamount",
  },
  token: {
    routes: ["GET /token/{token}"],
    parameters: "token",
    amounts:
      "totalsupply burnningamount circulation_supply remainamount reservedamount reserve.value",
  },
  tokenHolders: {
    routes: ["GET /token/holders/{token}"],
    parameters: "token limit cursor",
    amounts: "items.balance items.locked",
  },
  tokenImage: { routes: ["GET /token/{token}/image"], parameters: "token", answer: "file" },
  totalsupply: { routes: ["GET /totalsupply/{token}"], parameters: "token", answer: "text" },
  tokenListings: {
    routes: ["GET /token/dex"],
    parameters: "token paytoken side state address bidder order limit cursor",
    amounts:
      "items.amount items.remain_amount items.min_trade_unit items.sell_price items.buy_price items.buy_price_total items.auction_bidding_unit items.auction_start_price items.auction_buynow_price items.auction_current_price",
  },
  tokenListing: {
    routes: ["GET /token/dex/{dexid}"],
    parameters: "dexid",
    amounts:
      "amount remain_amount min_trade_unit sell_price buy_price buy_price_total auction_bidding_unit auction_start_price auction_buynow_price auction_current_price",
  },
  tokenTrades: {
    routes: ["GET /token/trades/{token}"],
    parameters: "token paytoken since until limit cursor",
    amounts: "items.amount items.payment",
  },
  mrc400Projects: { routes: ["GET /mrc400"], parameters: "owner category limit cursor" },
  mrc400: { routes: ["GET /mrc400/{mrc400id}"], parameters: "mrc400id" },
  mrc401Items: {
    routes: ["GET /mrc401"],
    parameters: "mrc400id owner groupid state token bidder order limit cursor",
    amounts:
      "items.initial_reserve items.sell_price items.auction_bidding_unit items.auction_start_price items.auction_buynow_price items.auction_current_price items.last_trade_amount",
  },
  mrc401: {
    routes: ["GET /mrc401/{mrc401id}"],
    parameters: "mrc401id",
    amounts:
      "initial_reserve sell_price auction_bidding_unit auction_start_price auction_buynow_price auction_current_price last_trade_amount",
  },
  addressItems: {
    routes: ["GET /address/{address}/items"],
    parameters: "address kind mrc400id view limit cursor",
    amounts:
      "items.balance items.saleamount items.auctionamount items.record.initial_reserve items.record.sell_price items.record.auction_bidding_unit items.record.auction_start_price items.record.auction_buynow_price items.record.auction_current_price items.record.last_trade_amount items.record.totalsupply items.record.meltedamount items.record.burnedamount items.record.initialreserve.* items.record.reserve.*",
  },
  mrc402Items: {
    routes: ["GET /mrc402"],
    parameters: "mrc400id creator limit cursor",
    amounts:
      "items.totalsupply items.meltedamount items.burnedamount items.initialreserve.* items.reserve.* items.initial_reserve items.sell_price items.auction_bidding_unit items.auction_start_price items.auction_buynow_price items.auction_current_price items.last_trade_amount",
  },
  mrc402: {
    routes: ["GET /mrc402/{mrc402id}"],
    parameters: "mrc402id",
    amounts:
      "totalsupply meltedamount burnedamount initialreserve.* reserve.* initial_reserve sell_price auction_bidding_unit auction_start_price auction_buynow_price auction_current_price last_trade_amount",
  },
  mrc402Listings: {
    routes: ["GET /mrc402/dex"],
    parameters: "mrc402id mrc400id side state address token bidder order limit cursor",
    amounts:
      "items.amount items.remain_amount items.sell_price items.auction_bidding_unit items.auction_start_price items.auction_buynow_price items.auction_current_price",
  },
  mrc402Listing: {
    routes: ["GET /mrc402/dex/{dexid}"],
    parameters: "dexid",
    amounts:
      "amount remain_amount sell_price auction_bidding_unit auction_start_price auction_buynow_price auction_current_price",
  },
  mrc402Holdings: {
    routes: ["GET /mrc402/balance/{address}"],
    parameters: "address mrc402id limit cursor",
    amounts: "items.balance items.saleamount items.auctionamount",
  },
  mrc402Holders: {
    routes: ["GET /mrc402/holders/{mrc402id}"],
    parameters: "mrc402id limit cursor",
    amounts: "items.balance items.saleamount items.auctionamount",
  },
  order: {
    routes: ["GET /mrc040/{mrc040id}"],
    parameters: "mrc040id",
    amounts: "price qtt remainqtt held",
  },
  orders: {
    routes: ["GET /mrc040/orders"],
    parameters: "owner basetoken targettoken side state limit cursor",
    amounts: "items.price items.qtt items.remainqtt items.held",
  },
  orderBook: {
    routes: ["GET /mrc040/book/{basetoken}/{targettoken}"],
    parameters: "basetoken targettoken side limit cursor",
    amounts: "bids.price bids.qtt asks.price asks.qtt items.price items.qtt",
  },
  pendingOrders: {
    routes: ["GET /mrc040/pending/{address}"],
    parameters: "address limit cursor",
    amounts: "items.pending",
  },
  orderTrades: {
    routes: ["GET /mrc040/trades"],
    parameters: "basetoken targettoken address mrc040id limit cursor",
    amounts: "items.price items.qtt items.amount",
  },
  orderTrade: {
    routes: ["GET /mrc040/trades/{id}"],
    parameters: "id",
    amounts: "price qtt amount",
  },
  seal: { routes: ["GET /mrc020/{mrc020key}"], parameters: "mrc020key" },
  seals: { routes: ["GET /mrc020"], parameters: "owner state limit cursor" },
};

/** Id of a token; "0" is the native coin. */
export type TokenId = string | number;

/** A page of a list; `cursor` asks for the next one and is absent at the end. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly cursor?: string;
}

/** Creates an address for an ECDSA public key. With the header Idempotency-Key the same request gets the same address. */
export interface AddressRequest {
  /** an ECDSA public key on P-256, P-384 or P-521 as PEM or as its bare base64 */
  readonly publickey: string;
  /** text, of which the first 2048 characters are kept */
  readonly addinfo?: string | undefined;
  /** "full" */
  readonly signed?: "full" | undefined;
}

/** Moves an amount of the native coin or of a token from one address to another. */
export interface TransferRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly from?: string | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly to: string;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token: TokenId;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly amount: bigint;
  /** text, of which the first 64 characters are kept */
  readonly tags?: string | undefined;
  /** text, of which the first 2048 characters are kept */
  readonly memo?: string | undefined;
  /** a time in Unix seconds from 0 to 2147483647; 0 does not lock */
  readonly unlockdate?: number | undefined;
}

/** Moves amounts of the native coin or of a token from one address to 1 to 100 others, all or none. */
export interface MultitransferRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly from?: string | undefined;
  /** JSON text of an array of 1 to 100 objects with the keys address, amount, unlockdate, tag, memo */
  readonly transferlist: readonly {
    /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
    readonly address: string;
    /** an integer from 0 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
    readonly amount: bigint;
    /** a time in Unix seconds from 0 to 2147483647; 0 does not lock */
    readonly unlockdate: number;
    /** text, of which the first 64 characters are kept */
    readonly tag?: string | undefined;
    /** text, of which the first 2048 characters are kept */
    readonly memo?: string | undefined;
  }[];
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token: TokenId;
}

/** Swaps an amount of one token for an amount of another between two addresses that both have signed. Each side may pay a fee to an address of its choice, also from what it receives. All of it is done, or nothing; anybody may send it. */
export interface ExchangeRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly fromAddr: string;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly fromAmount: bigint;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly fromToken: TokenId;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly fromFeesendto?: string | undefined;
  /** an integer from 0 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly fromFeeamount?: bigint | undefined;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly fromFeetoken?: TokenId | undefined;
  /** text, of which the first 64 characters are kept */
  readonly fromTag?: string | undefined;
  /** text, of which the first 2048 characters are kept */
  readonly fromMemo?: string | undefined;
  /** base64 of the actor's ECDSA signature of the signed string, DER or raw r||s */
  readonly fromSign: string;
  /** a temporary key of the actor, from GET /nonce/{address} */
  readonly fromTkey: string;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly toAddr: string;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly toAmount: bigint;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly toToken: TokenId;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly toFeesendto?: string | undefined;
  /** an integer from 0 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly toFeeamount?: bigint | undefined;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly toFeetoken?: TokenId | undefined;
  /** text, of which the first 64 characters are kept */
  readonly toTag?: string | undefined;
  /** text, of which the first 2048 characters are kept */
  readonly toMemo?: string | undefined;
  /** base64 of the actor's ECDSA signature of the signed string, DER or raw r||s */
  readonly toSign: string;
  /** a temporary key of the actor, from GET /nonce/{address} */
  readonly toTkey: string;
  /** "full" */
  readonly signed?: "full" | undefined;
}

/** Saves a draft of a token, from which POST /token/{tkey} creates it within 3600 s. A later draft of the same owner and name replaces it. */
export interface TokensaveRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly owner?: string | undefined;
  /** text of 1 to 32 characters without | */
  readonly symbol: string;
  /** text of 1 to 128 characters without | */
  readonly name: string;
  /** an integer from 0 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly totalsupply?: bigint | undefined;
  /** an integer from 0 to 18 */
  readonly decimal?: number | bigint | undefined;
  /** an integer from 0 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly reservedamount?: bigint | undefined;
  /** anything; it has no effect */
  readonly remainamount?: string | undefined;
  /** JSON text of an array of 0 to 100 objects with the keys address, value, unlockdate */
  readonly reserve?:
    | readonly {
        /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
        readonly address: string;
        /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
        readonly value: bigint;
        /** a time in Unix seconds from 0 to 2147483647; 0 does not lock */
        readonly unlockdate?: number | undefined;
      }[]
    | undefined;
  /** JSON text of an array of at most 20 objects, 16384 characters in all */
  readonly tier?: readonly { readonly [name: string]: unknown }[] | undefined;
  /** text of 1 to 64 characters */
  readonly category?: string | undefined;
  /** an absolute http or https URL of at most 255 characters without | */
  readonly url?: string | undefined;
  /** a data:image/ URL of at most 1048576 characters or an http, https or ipfs URL of at most 255, in printable ASCII without |, in a data: URL with # as %23 */
  readonly image?: string | undefined;
  /** "010" or "100" or "101" */
  readonly type?: "010" | "100" | "101" | undefined;
  /** text of 1 to 16 characters without | */
  readonly token?: string | undefined;
}

/** Burns units of a token that its owner holds. */
export interface TokenburnRequest {
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token: TokenId;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly amount: bigint;
  /** text, of which the first 2048 characters are kept */
  readonly memo?: string | undefined;
}

/** Issues more units of a token to its owner. */
export interface TokenincreaseRequest {
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token: TokenId;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly amount: bigint;
  /** text, of which the first 2048 characters are kept */
  readonly memo?: string | undefined;
}

/** Replaces URL, information and image of a token. An empty image keeps the stored one, an empty URL clears it. Without an id it is the first of the owner's tokens that the signature fits. */
export interface TokenupdateRequest {
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token?: TokenId | undefined;
  /** an absolute http or https URL of at most 255 characters without | */
  readonly url?: string | undefined;
  /** text of 1 to 4096 characters */
  readonly info: string;
  /** a data:image/ URL of at most 1048576 characters or an http, https or ipfs URL of at most 255, in printable ASCII without |, in a data: URL with # as %23 */
  readonly image?: string | undefined;
}

/** Sets the token that a token is traded for on the order exchange; 0, as every token begins, is the native coin. The owner of the base admits the token with tokenaddtarget. */
export interface TokensetbaseRequest {
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token: TokenId;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly baseToken: TokenId;
}

/** Admits a token as one that is traded for this one on the order exchange. The pair is open once the other token has this one as its base. */
export interface TokenaddtargetRequest {
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token: TokenId;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly targetToken: TokenId;
}

/** Withdraws the admission of a token that is traded for this one on the order exchange. Orders of the pair stay, and can be cancelled. */
export interface TokenremovetargetRequest {
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token: TokenId;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly targetToken: TokenId;
}

/** Offers units of a token for sale at a fixed price; they are held until they are sold. */
export interface Mrc010sellRequest {
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly mrc010id: TokenId;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly address?: string | undefined;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly amount: bigint;
  /** "1" or "10" or "100" or "1000" or "10000" or "100000" or "1000000" or "10000000" or "100000000" */
  readonly min_trade_unit?:
    | "1"
    | "10"
    | "100"
    | "1000"
    | "10000"
    | "100000"
    | "1000000"
    | "10000000"
    | "100000000"
    | undefined;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token: TokenId;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly price: bigint;
  /** text of 1 to 255 characters without | */
  readonly platform_name?: string | undefined;
  /** an absolute http or https URL of at most 255 characters without | */
  readonly platform_url?: string | undefined;
  /** a percentage from 0 to 10 with at most 2 decimals */
  readonly platform_commission?: string | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly platform_address?: string | undefined;
}

/** Cancels the rest of an offer of tokens. */
export interface Mrc010unsellRequest {
  /** the id of a listing of tokens */
  readonly dexid: string;
}

/** Buys from an offer of tokens, all of it or a part. */
export interface Mrc010buyRequest {
  /** the id of a listing of tokens */
  readonly dexid: string;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly address?: string | undefined;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly amount: bigint;
}

/** Asks for units of a token at a fixed price; payment and commission are held until somebody sells. */
export interface Mrc010reqsellRequest {
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly mrc010id: TokenId;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly address?: string | undefined;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly amount: bigint;
  /** "1" or "10" or "100" or "1000" or "10000" or "100000" or "1000000" or "10000000" or "100000000" */
  readonly min_trade_unit?:
    | "1"
    | "10"
    | "100"
    | "1000"
    | "10000"
    | "100000"
    | "1000000"
    | "10000000"
    | "100000000"
    | undefined;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token: TokenId;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly price: bigint;
  /** text of 1 to 255 characters without | */
  readonly platform_name?: string | undefined;
  /** an absolute http or https URL of at most 255 characters without | */
  readonly platform_url?: string | undefined;
  /** a percentage from 0 to 10 with at most 2 decimals */
  readonly platform_commission?: string | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly platform_address?: string | undefined;
}

/** Cancels a request for tokens and returns the rest of its payment. */
export interface Mrc010unreqsellRequest {
  /** the id of a listing of tokens */
  readonly dexid: string;
}

/** Sells to a request for tokens, all of it or a part. */
export interface Mrc010acceptreqsellRequest {
  /** the id of a listing of tokens */
  readonly dexid: string;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly address?: string | undefined;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly amount: bigint;
}

/** Puts units of a token up for auction as one lot, which is held until the auction ends. */
export interface Mrc010auctionRequest {
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly mrc010id: TokenId;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly address?: string | undefined;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly amount: bigint;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token: TokenId;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly auction_start_price: bigint;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly auction_bidding_unit?: bigint | undefined;
  /** an integer from 0 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly auction_buynow_price?: bigint | undefined;
  /** a time in Unix seconds: decimal digits without sign or leading zero; 0 is now */
  readonly auction_start_date?: number | undefined;
  /** a time in Unix seconds: decimal digits without sign or leading zero; 0 is a day after the start */
  readonly auction_end_date?: number | undefined;
  /** text of 1 to 255 characters without | */
  readonly platform_name?: string | undefined;
  /** an absolute http or https URL of at most 255 characters without | */
  readonly platform_url?: string | undefined;
  /** a percentage from 0 to 10 with at most 2 decimals */
  readonly platform_commission?: string | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly platform_address?: string | undefined;
}

/** Cancels an auction of tokens that has no bid. */
export interface Mrc010unauctionRequest {
  /** the id of a listing of tokens */
  readonly dexid: string;
}

/** Bids in an auction of tokens; a bid of the buy-now price wins at once. */
export interface Mrc010bidRequest {
  /** the id of a listing of tokens */
  readonly dexid: string;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly address?: string | undefined;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly amount: bigint;
}

/** Closes an auction of tokens that is over: the highest bidder gets the lot, or the seller gets it back. Anybody may call it, with GET or POST. */
export interface Mrc010auctionfinishRequest {
  /** the id of a listing of tokens */
  readonly dexid: string;
}

/** Opens a project, in which its owner and partners create items. */
export interface Mrc400createRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly owner?: string | undefined;
  /** text of 1 to 128 characters without | */
  readonly name: string;
  /** an absolute http or https URL of at most 255 characters without | */
  readonly url: string;
  /** an absolute http, https, ipfs or data URL of at most 255 characters without |, in a data: URL with # as %23 */
  readonly imageurl: string;
  /** the id of a token: at most 16 decimal digits without sign or leading zero; 0 is the native coin */
  readonly allowtoken?: TokenId | undefined;
  /** text of 1 to 64 characters without | */
  readonly category: string;
  /** text of 1 to 4096 characters */
  readonly description: string;
  /** an absolute http or https URL of at most 255 characters without | */
  readonly itemurl: string;
  /** an absolute http, https, ipfs or data URL of at most 255 characters without |, in a data: URL with # as %23 */
  readonly itemimageurl: string;
  /** text of 1 to 4096 characters */
  readonly data: string;
  /** JSON text of an object of at most 40960 characters whose values are each an absolute http or https URL of at most 40960 characters */
  readonly socialmedia?: { readonly [name: string]: string } | undefined;
  /** JSON text of an object of at most 40960 characters whose values are each partner, seller or creator */
  readonly partner?: { readonly [name: string]: "partner" | "seller" | "creator" } | undefined;
}

/** Changes a project. What is left out stays as it is; partners and social media are replaced as a whole. */
export interface Mrc400updateRequest {
  /** the id of a project */
  readonly mrc400id: string;
  /** text of 1 to 128 characters without | */
  readonly name?: string | undefined;
  /** an absolute http or https URL of at most 255 characters without | */
  readonly url?: string | undefined;
  /** an absolute http, https, ipfs or data URL of at most 255 characters without |, in a data: URL with # as %23 */
  readonly imageurl?: string | undefined;
  /** the id of a token: at most 16 decimal digits without sign or leading zero; 0 is the native coin */
  readonly allowtoken?: TokenId | undefined;
  /** text of 1 to 64 characters without | */
  readonly category?: string | undefined;
  /** text of 1 to 4096 characters */
  readonly description?: string | undefined;
  /** an absolute http or https URL of at most 255 characters without | */
  readonly itemurl?: string | undefined;
  /** an absolute http, https, ipfs or data URL of at most 255 characters without |, in a data: URL with # as %23 */
  readonly itemimageurl?: string | undefined;
  /** text of 1 to 4096 characters */
  readonly data?: string | undefined;
  /** JSON text of an object of at most 40960 characters whose values are each an absolute http or https URL of at most 40960 characters */
  readonly socialmedia?: { readonly [name: string]: string } | undefined;
  /** JSON text of an object of at most 40960 characters whose values are each partner, seller or creator */
  readonly partner?: { readonly [name: string]: "partner" | "seller" | "creator" } | undefined;
}

/** Creates 1 to 100 items of a project, all or none. Whoever creates them pays their reserves; they belong to the owner of the project. */
export interface Mrc401createRequest {
  /** the id of a project */
  readonly mrc400id: string;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly creator?: string | undefined;
  /** JSON text of an array of 1 to 100 objects with the keys item_id, id, item_url, item_image_url, groupid, initial_reserve, initial_token, sell_fee, melt_fee, transferable, expiredate, sell_price, sell_token, auction_start_price, auction_token, auction_bidding_unit, auction_buynow_price, auction_end */
  readonly itemdata: readonly {
    /** the number of an item: 40 of 0-9A-Za-z */
    readonly item_id?: string | undefined;
    /** the id of an item: that of its project, _ and its number */
    readonly id?: string | undefined;
    /** an absolute http or https URL of at most 255 characters */
    readonly item_url?: string | undefined;
    /** an absolute http, https, ipfs or data URL of at most 255 characters, in a data: URL with # as %23 */
    readonly item_image_url?: string | undefined;
    /** text of 1 to 64 characters */
    readonly groupid?: string | undefined;
    /** an integer from 0 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
    readonly initial_reserve?: bigint | undefined;
    /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
    readonly initial_token?: TokenId | undefined;
    /** a percentage from 0 to 99.9999 with at most 4 decimals */
    readonly sell_fee?: string | undefined;
    /** a percentage from 0 to 99.9999 with at most 4 decimals */
    readonly melt_fee?: string | undefined;
    /** Permanent, Bound or Temporary */
    readonly transferable?: string | undefined;
    /** a time in Unix seconds from 0 to 253402300799; 0 lets it be melted at any time */
    readonly expiredate?: number | undefined;
    /** an integer from 0 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
    readonly sell_price?: bigint | undefined;
    /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
    readonly sell_token?: TokenId | undefined;
    /** an integer from 0 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
    readonly auction_start_price?: bigint | undefined;
    /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
    readonly auction_token?: TokenId | undefined;
    /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
    readonly auction_bidding_unit?: bigint | undefined;
    /** an integer from 0 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
    readonly auction_buynow_price?: bigint | undefined;
    /** a time in Unix seconds: decimal digits without sign or leading zero; moved to the nearest bound */
    readonly auction_end?: number | undefined;
  }[];
}

/** Changes 1 to 100 items of a project, all or none. What is left out stays as it is; empty texts are cleared. */
export interface Mrc401updateRequest {
  /** the id of a project */
  readonly mrc400id: string;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly creator?: string | undefined;
  /** JSON text of an array of 1 to 100 objects with the keys item_id, id, item_url, item_image_url, groupid, sell_fee, melt_fee, transferable */
  readonly itemdata: readonly {
    /** the number of an item: 40 of 0-9A-Za-z */
    readonly item_id?: string | undefined;
    /** the id of an item: that of its project, _ and its number */
    readonly id?: string | undefined;
    /** an absolute http or https URL of at most 255 characters; empty to clear it */
    readonly item_url?: string | undefined;
    /** an absolute http, https, ipfs or data URL of at most 255 characters, in a data: URL with # as %23; empty to clear it */
    readonly item_image_url?: string | undefined;
    /** text of 1 to 64 characters; empty to clear it */
    readonly groupid?: string | undefined;
    /** a percentage from 0 to 99.9999 with at most 4 decimals */
    readonly sell_fee?: string | undefined;
    /** a percentage from 0 to 99.9999 with at most 4 decimals */
    readonly melt_fee?: string | undefined;
    /** Permanent, Bound or Temporary */
    readonly transferable?: string | undefined;
  }[];
}

/** Passes an item on; without an id in the path, the 1 to 100 items of one project that itemdata names, all or none. A transfer is no sale: the project is paid no fee, also where a group pays coins for the item. */
export interface Mrc401transferRequest {
  /** the id of an item */
  readonly mrc401id?: string | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly fromAddr?: string | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly toAddr: string;
  /** JSON text of an array of 1 to 100 ids of items, each once */
  readonly itemdata?: readonly string[] | undefined;
}

/** Puts 1 to 100 items on sale, all or none. */
export interface Mrc401sellRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly seller?: string | undefined;
  /** the id of a project */
  readonly mrc400id?: string | undefined;
  /** JSON text of an array of 1 to 100 objects with the keys id, price, token */
  readonly itemdata: readonly {
    /** the id of an item */
    readonly id: string;
    /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
    readonly price: bigint;
    /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
    readonly token: TokenId;
  }[];
}

/** Takes 1 to 100 items off sale, all or none. */
export interface Mrc401unsellRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly seller?: string | undefined;
  /** the id of a project */
  readonly mrc400id?: string | undefined;
  /** JSON text of an array of 1 to 100 ids of items, each once */
  readonly itemdata: readonly string[];
}

/** Buys an item that is on sale. Price and token, if given, guard against a sale that was replaced meanwhile; maxmeltfee, maxsellfee and transferable against other terms of the item, which its project's owner may change at any time. */
export interface Mrc401buyRequest {
  /** the id of an item */
  readonly mrc401id: string;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly buyer?: string | undefined;
  /** an integer from 0 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly price?: bigint | undefined;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token?: TokenId | undefined;
  /** a percentage from 0 to 99.9999 with at most 4 decimals */
  readonly maxmeltfee?: string | undefined;
  /** a percentage from 0 to 99.9999 with at most 4 decimals */
  readonly maxsellfee?: string | undefined;
  /** Permanent, Bound or Temporary */
  readonly transferable?: string | undefined;
}

/** Melts an item for good, and pays its reserve out to its holder. */
export interface Mrc401meltRequest {
  /** the id of an item */
  readonly mrc401id: string;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly address?: string | undefined;
}

/** Puts 1 to 100 items on auction, all or none. An end out of bounds is moved into them. */
export interface Mrc401auctionRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly seller?: string | undefined;
  /** the id of a project */
  readonly mrc400id?: string | undefined;
  /** JSON text of an array of 1 to 100 objects with the keys id, start, token, bidding, buynow, end */
  readonly itemdata: readonly {
    /** the id of an item */
    readonly id: string;
    /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
    readonly start: bigint;
    /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
    readonly token: TokenId;
    /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
    readonly bidding?: bigint | undefined;
    /** an integer from 0 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
    readonly buynow?: bigint | undefined;
    /** a time in Unix seconds: decimal digits without sign or leading zero; moved to the nearest bound */
    readonly end?: number | undefined;
  }[];
}

/** Takes 1 to 100 items off auction that nobody has bid for, all or none. */
export interface Mrc401unauctionRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly seller?: string | undefined;
  /** the id of a project */
  readonly mrc400id?: string | undefined;
  /** JSON text of an array of 1 to 100 ids of items, each once */
  readonly itemdata: readonly string[];
}

/** Bids for an item that is on auction; a bid of the buy-now price wins at once. maxmeltfee, maxsellfee and transferable, if given, guard against other terms of the item, which its project's owner may change at any time. */
export interface Mrc401bidRequest {
  /** the id of an item */
  readonly mrc401id: string;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly amount: bigint;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token?: TokenId | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly buyer?: string | undefined;
  /** a percentage from 0 to 99.9999 with at most 4 decimals */
  readonly maxmeltfee?: string | undefined;
  /** a percentage from 0 to 99.9999 with at most 4 decimals */
  readonly maxsellfee?: string | undefined;
  /** Permanent, Bound or Temporary */
  readonly transferable?: string | undefined;
}

/** Closes the auction of an item that is over: the highest bidder gets it, or its holder keeps it. Anybody may call it, with GET or POST. */
export interface Mrc401auctionfinishRequest {
  /** the id of an item */
  readonly mrc401id: string;
}

/** Creates a multi-unit item that stands alone; with itemdata 1 to 100 items of a project, all or none. Whoever creates them pays their reserves and gets their units. */
export interface Mrc402createRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly creator?: string | undefined;
  /** text of 1 to 128 characters without | */
  readonly name?: string | undefined;
  /** an absolute http or https URL of at most 255 characters without | */
  readonly url?: string | undefined;
  /** an absolute http, https, ipfs or data URL of at most 255 characters without |, in a data: URL with # as %23 */
  readonly imageurl?: string | undefined;
  /** an integer from 1 to 99999999: decimal digits without sign, leading zero, point or exponent */
  readonly totalsupply?: bigint | undefined;
  /** a percentage from 0 to 10 with at most 2 decimals */
  readonly creatorcommission?: string | undefined;
  /** JSON text of an object of at most 1024 characters whose values are each a percentage from 0 to 10 with at most 2 decimals */
  readonly shareholder?: { readonly [name: string]: string } | undefined;
  /** JSON text of an object of at most 1024 characters whose values are each an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly initialreserve?: { readonly [name: string]: bigint } | undefined;
  /** a time in Unix seconds from 0 to 253402300799; 0 lets it be melted at any time */
  readonly expiredate?: number | undefined;
  /** text of 1 to 40960 characters without | */
  readonly data?: string | undefined;
  /** text of 1 to 40960 characters */
  readonly information?: string | undefined;
  /** JSON text of an object of at most 40960 characters whose values are each an absolute http or https URL of at most 40960 characters */
  readonly socialmedia?: { readonly [name: string]: string } | undefined;
  /** the code of a country, ISO 3166-1 alpha-2, in upper case */
  readonly copyright_registration_country?: string | undefined;
  /** text of 1 to 128 characters without | */
  readonly copyright_registrar?: string | undefined;
  /** text of 1 to 64 characters without | */
  readonly copyright_registration_number?: string | undefined;
  /** text of 1 to 64 characters without | */
  readonly category?: string | undefined;
  /** text of 1 to 4096 characters without | */
  readonly description?: string | undefined;
  /** text of 1 to 255 characters without | */
  readonly platform_name?: string | undefined;
  /** an absolute http or https URL of at most 255 characters without | */
  readonly platform_url?: string | undefined;
  /** a percentage from 0 to 10 with at most 2 decimals */
  readonly platform_commission?: string | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly platform_address?: string | undefined;
  /** 0: units are indivisible */
  readonly decimal?: TokenId | undefined;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly allowtoken?: TokenId | undefined;
  /** an absolute http or https URL of at most 255 characters without | */
  readonly itemurl?: string | undefined;
  /** an absolute http, https, ipfs or data URL of at most 255 characters without |, in a data: URL with # as %23 */
  readonly itemimageurl?: string | undefined;
  /** the id of a project */
  readonly mrc400id?: string | undefined;
  /** JSON text of an array of 1 to 100 objects with the keys item_id, id, name, url, imageurl, totalsupply, creatorcommission, shareholder, initialreserve, expiredate, data, information, socialmedia, copyright_registration_country, copyright_registrar, copyright_registration_number, category, description, platform_name, platform_url, platform_commission, platform_address, item_url, item_image_url, groupid, initial_reserve, initial_token, sell_fee, melt_fee, transferable, sell_price, sell_token */
  readonly itemdata?:
    | readonly {
        /** the number of an item: 40 of 0-9A-Za-z */
        readonly item_id?: string | undefined;
        /** the id of an item: that of its project, _ and its number */
        readonly id?: string | undefined;
        /** text of 1 to 128 characters without | */
        readonly name?: string | undefined;
        /** an absolute http or https URL of at most 255 characters without | */
        readonly url?: string | undefined;
        /** an absolute http, https, ipfs or data URL of at most 255 characters without |, in a data: URL with # as %23 */
        readonly imageurl?: string | undefined;
        /** an integer from 1 to 99999999: decimal digits without sign, leading zero, point or exponent */
        readonly totalsupply?: bigint | undefined;
        /** a percentage from 0 to 10 with at most 2 decimals */
        readonly creatorcommission?: string | undefined;
        /** JSON text of an object of at most 1024 characters whose values are each a percentage from 0 to 10 with at most 2 decimals */
        readonly shareholder?: { readonly [name: string]: string } | undefined;
        /** JSON text of an object of at most 1024 characters whose values are each an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
        readonly initialreserve?: { readonly [name: string]: bigint } | undefined;
        /** a time in Unix seconds from 0 to 253402300799; 0 lets it be melted at any time */
        readonly expiredate?: number | undefined;
        /** text of 1 to 40960 characters without | */
        readonly data?: string | undefined;
        /** text of 1 to 40960 characters */
        readonly information?: string | undefined;
        /** JSON text of an object of at most 40960 characters whose values are each an absolute http or https URL of at most 40960 characters */
        readonly socialmedia?: { readonly [name: string]: string } | undefined;
        /** the code of a country, ISO 3166-1 alpha-2, in upper case */
        readonly copyright_registration_country?: string | undefined;
        /** text of 1 to 128 characters without | */
        readonly copyright_registrar?: string | undefined;
        /** text of 1 to 64 characters without | */
        readonly copyright_registration_number?: string | undefined;
        /** text of 1 to 64 characters without | */
        readonly category?: string | undefined;
        /** text of 1 to 4096 characters without | */
        readonly description?: string | undefined;
        /** text of 1 to 255 characters without | */
        readonly platform_name?: string | undefined;
        /** an absolute http or https URL of at most 255 characters without | */
        readonly platform_url?: string | undefined;
        /** a percentage from 0 to 10 with at most 2 decimals */
        readonly platform_commission?: string | undefined;
        /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
        readonly platform_address?: string | undefined;
        /** an absolute http or https URL of at most 255 characters */
        readonly item_url?: string | undefined;
        /** an absolute http, https, ipfs or data URL of at most 255 characters, in a data: URL with # as %23 */
        readonly item_image_url?: string | undefined;
        /** text of 1 to 64 characters */
        readonly groupid?: string | undefined;
        /** an integer from 0 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
        readonly initial_reserve?: bigint | undefined;
        /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
        readonly initial_token?: TokenId | undefined;
        /** a percentage from 0 to 99.9999 with at most 4 decimals */
        readonly sell_fee?: string | undefined;
        /** a percentage from 0 to 99.9999 with at most 4 decimals */
        readonly melt_fee?: string | undefined;
        /** Permanent, Bound or Temporary */
        readonly transferable?: string | undefined;
        /** an integer from 0 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
        readonly sell_price?: bigint | undefined;
        /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
        readonly sell_token?: TokenId | undefined;
      }[]
    | undefined;
}

/** Passes units of an item on, one if no amount is given. A transfer is no sale: it pays no fees, commissions or shares, also where a group pays coins for the units. */
export interface Mrc402transferRequest {
  /** the id of a multi-unit item */
  readonly mrc402id: string;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly fromAddr?: string | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly toAddr: string;
  /** an integer from 1 to 99999999: decimal digits without sign, leading zero, point or exponent */
  readonly amount?: bigint | undefined;
  /** text, of which the first 64 characters are kept */
  readonly tag?: string | undefined;
  /** text, of which the first 2048 characters are kept */
  readonly memo?: string | undefined;
}

/** Issues more units of an item to its creator, who pays their reserve. */
export interface Mrc402mintRequest {
  /** the id of a multi-unit item */
  readonly mrc402id: string;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly address?: string | undefined;
  /** an integer from 1 to 99999999: decimal digits without sign, leading zero, point or exponent */
  readonly amount: bigint;
  /** text of 1 to 1024 characters */
  readonly memo?: string | undefined;
}

/** Takes units of an item that its creator holds out of existence, and gives their reserve back. */
export interface Mrc402burnRequest {
  /** the id of a multi-unit item */
  readonly mrc402id: string;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly address?: string | undefined;
  /** an integer from 1 to 99999999: decimal digits without sign, leading zero, point or exponent */
  readonly amount: bigint;
  /** text of 1 to 1024 characters */
  readonly memo?: string | undefined;
}

/** Melts units of an item for good, one if no amount is given, and pays their reserve out to their holder. */
export interface Mrc402meltRequest {
  /** the id of a multi-unit item */
  readonly mrc402id: string;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly address?: string | undefined;
  /** an integer from 1 to 99999999: decimal digits without sign, leading zero, point or exponent */
  readonly amount?: bigint | undefined;
}

/** Changes what the creator of an item says of it. What is left out stays as it is; each copyright field can be set once. */
export interface Mrc402updateRequest {
  /** the id of a multi-unit item */
  readonly mrc402id: string;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly address?: string | undefined;
  /** an absolute http or https URL of at most 255 characters without | */
  readonly url?: string | undefined;
  /** text of 1 to 40960 characters without | */
  readonly data?: string | undefined;
  /** text of 1 to 40960 characters */
  readonly information?: string | undefined;
  /** JSON text of an object of at most 40960 characters whose values are each an absolute http or https URL of at most 40960 characters */
  readonly socialmedia?: { readonly [name: string]: string } | undefined;
  /** the code of a country, ISO 3166-1 alpha-2, in upper case */
  readonly copyright_registration_country?: string | undefined;
  /** text of 1 to 128 characters without | */
  readonly copyright_registrar?: string | undefined;
  /** text of 1 to 64 characters without | */
  readonly copyright_registration_number?: string | undefined;
}

/** Changes 1 to 100 multi-unit items of a project, all or none. What is left out stays as it is; empty texts are cleared. */
export interface Mrc402itemupdateRequest {
  /** the id of a project */
  readonly mrc400id: string;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly owner?: string | undefined;
  /** JSON text of an array of 1 to 100 objects with the keys item_id, id, item_url, item_image_url, groupid, sell_fee, melt_fee, transferable */
  readonly itemdata: readonly {
    /** the number of an item: 40 of 0-9A-Za-z */
    readonly item_id?: string | undefined;
    /** the id of an item: that of its project, _ and its number */
    readonly id?: string | undefined;
    /** an absolute http or https URL of at most 255 characters; empty to clear it */
    readonly item_url?: string | undefined;
    /** an absolute http, https, ipfs or data URL of at most 255 characters, in a data: URL with # as %23; empty to clear it */
    readonly item_image_url?: string | undefined;
    /** text of 1 to 64 characters; empty to clear it */
    readonly groupid?: string | undefined;
    /** a percentage from 0 to 99.9999 with at most 4 decimals */
    readonly sell_fee?: string | undefined;
    /** a percentage from 0 to 99.9999 with at most 4 decimals */
    readonly melt_fee?: string | undefined;
    /** Permanent, Bound or Temporary */
    readonly transferable?: string | undefined;
  }[];
}

/** Puts units of an item on sale; with itemdata those of 1 to 100 items, all or none. Each offer is a listing of its own. */
export interface Mrc402sellRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly seller?: string | undefined;
  /** the id of a multi-unit item, a project or a listing */
  readonly id?: string | undefined;
  /** JSON text of an array of 1 to 100 objects with the keys id, price, token, amount, platform_name, platform_url, platform_commission, platform_address */
  readonly itemdata?:
    | readonly {
        /** the id of a multi-unit item */
        readonly id: string;
        /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
        readonly price: bigint;
        /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
        readonly token: TokenId;
        /** an integer from 1 to 99999999: decimal digits without sign, leading zero, point or exponent */
        readonly amount?: bigint | undefined;
        /** text of 1 to 255 characters without | */
        readonly platform_name?: string | undefined;
        /** an absolute http or https URL of at most 255 characters without | */
        readonly platform_url?: string | undefined;
        /** a percentage from 0 to 10 with at most 2 decimals */
        readonly platform_commission?: string | undefined;
        /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
        readonly platform_address?: string | undefined;
      }[]
    | undefined;
  /** an integer from 1 to 99999999: decimal digits without sign, leading zero, point or exponent */
  readonly amount?: bigint | undefined;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly price?: bigint | undefined;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token?: TokenId | undefined;
  /** text of 1 to 255 characters without | */
  readonly platform_name?: string | undefined;
  /** an absolute http or https URL of at most 255 characters without | */
  readonly platform_url?: string | undefined;
  /** a percentage from 0 to 10 with at most 2 decimals */
  readonly platform_commission?: string | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly platform_address?: string | undefined;
}

/** Cancels the rest of an offer of units; with itemdata of 1 to 100 offers, all or none. */
export interface Mrc402unsellRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly seller?: string | undefined;
  /** the id of a multi-unit item, a project or a listing */
  readonly id?: string | undefined;
  /** JSON text of an array of 1 to 100 ids of items or listings, each once */
  readonly itemdata?: readonly string[] | undefined;
}

/** Buys units from an offer, which its id names, or the item's if there is just one. Price and token, if given, guard against an offer that was replaced meanwhile; maxmeltfee, maxsellfee and transferable against other terms of the item, which its project's owner may change at any time. */
export interface Mrc402buyRequest {
  /** the id of a listing, or a multi-unit item */
  readonly id: string;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly buyer?: string | undefined;
  /** an integer from 1 to 99999999: decimal digits without sign, leading zero, point or exponent */
  readonly amount?: bigint | undefined;
  /** an integer from 0 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly price?: bigint | undefined;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token?: TokenId | undefined;
  /** a percentage from 0 to 99.9999 with at most 4 decimals */
  readonly maxmeltfee?: string | undefined;
  /** a percentage from 0 to 99.9999 with at most 4 decimals */
  readonly maxsellfee?: string | undefined;
  /** Permanent, Bound or Temporary */
  readonly transferable?: string | undefined;
}

/** Puts units of an item on auction as one lot; with itemdata lots of 1 to 100 items, all or none, whose ends are moved into their bounds. */
export interface Mrc402auctionRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly seller?: string | undefined;
  /** the id of a multi-unit item, a project or a listing */
  readonly id?: string | undefined;
  /** JSON text of an array of 1 to 100 objects with the keys id, start, token, amount, bidding, buynow, end, platform_name, platform_url, platform_commission, platform_address */
  readonly itemdata?:
    | readonly {
        /** the id of a multi-unit item */
        readonly id: string;
        /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
        readonly start: bigint;
        /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
        readonly token: TokenId;
        /** an integer from 1 to 99999999: decimal digits without sign, leading zero, point or exponent */
        readonly amount?: bigint | undefined;
        /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
        readonly bidding?: bigint | undefined;
        /** an integer from 0 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
        readonly buynow?: bigint | undefined;
        /** a time in Unix seconds: decimal digits without sign or leading zero; 0 is the shortest auction; what is out of bounds is moved into them */
        readonly end?: number | undefined;
        /** text of 1 to 255 characters without | */
        readonly platform_name?: string | undefined;
        /** an absolute http or https URL of at most 255 characters without | */
        readonly platform_url?: string | undefined;
        /** a percentage from 0 to 10 with at most 2 decimals */
        readonly platform_commission?: string | undefined;
        /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
        readonly platform_address?: string | undefined;
      }[]
    | undefined;
  /** an integer from 1 to 99999999: decimal digits without sign, leading zero, point or exponent */
  readonly amount?: bigint | undefined;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly auction_start_price?: bigint | undefined;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token?: TokenId | undefined;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly auction_bidding_unit?: bigint | undefined;
  /** an integer from 0 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly auction_buynow_price?: bigint | undefined;
  /** a time in Unix seconds: decimal digits without sign or leading zero; 0 is now */
  readonly auction_start_date?: number | undefined;
  /** a time in Unix seconds: decimal digits without sign or leading zero; 0 is a day after the start */
  readonly auction_end_date?: number | undefined;
  /** text of 1 to 255 characters without | */
  readonly platform_name?: string | undefined;
  /** an absolute http or https URL of at most 255 characters without | */
  readonly platform_url?: string | undefined;
  /** a percentage from 0 to 10 with at most 2 decimals */
  readonly platform_commission?: string | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly platform_address?: string | undefined;
}

/** Cancels an auction of units that has no bid; with itemdata 1 to 100 of them, all or none. */
export interface Mrc402unauctionRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly seller?: string | undefined;
  /** the id of a multi-unit item, a project or a listing */
  readonly id?: string | undefined;
  /** JSON text of an array of 1 to 100 ids of items or listings, each once */
  readonly itemdata?: readonly string[] | undefined;
}

/** Bids in an auction of units, which its id names, or the item's if there is just one. A bid of the buy-now price wins at once. maxmeltfee, maxsellfee and transferable, if given, guard against other terms of the item, which its project's owner may change at any time. */
export interface Mrc402bidRequest {
  /** the id of a listing, or a multi-unit item */
  readonly id: string;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly amount: bigint;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token?: TokenId | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly buyer?: string | undefined;
  /** a percentage from 0 to 99.9999 with at most 4 decimals */
  readonly maxmeltfee?: string | undefined;
  /** a percentage from 0 to 99.9999 with at most 4 decimals */
  readonly maxsellfee?: string | undefined;
  /** Permanent, Bound or Temporary */
  readonly transferable?: string | undefined;
}

/** Closes an auction of units that is over: the highest bidder gets the lot, or the seller gets it back. Anybody may call it, with GET or POST. */
export interface Mrc402auctionfinishRequest {
  /** the id of a listing, or a multi-unit item */
  readonly id: string;
}

/** Offers to buy or sell a quantity of a token at a price for one whole token. It trades at once with orders of that price or a better one, and waits with the rest. */
export interface Mrc040createRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly owner?: string | undefined;
  /** "SELL" or "BUY" */
  readonly side: "SELL" | "BUY";
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly basetoken: TokenId;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly targettoken: TokenId;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly price: bigint;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly qtt: bigint;
}

/** Cancels an order; its owner gets back what it holds. */
export interface Mrc040cancelRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly owner?: string | undefined;
  /** the id of an order */
  readonly mrc040id: string;
}

/** Buys or sells at once what waiting orders have at this price or a better one, if it is at least minqtt. Nothing of it waits. */
export interface Mrc040requestRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly requester?: string | undefined;
  /** "SELL" or "BUY" */
  readonly side: "SELL" | "BUY";
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly basetoken: TokenId;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly targettoken: TokenId;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly price: bigint;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly qtt: bigint;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly minqtt?: bigint | undefined;
}

/** Takes a quantity of the order that is first in its line, at its price: the taker does the opposite of the order. */
export interface Mrc040exchangeRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly requester?: string | undefined;
  /** the id of an order */
  readonly mrc040id: string;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly qtt: bigint;
}

/** Commits to a text by the hash of the key that opens it: from a date on, whoever has the key can show it, and everybody sees that it is the one. The key itself is never sent here, because requests are public. */
export interface Mrc020Request {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all; the actor's if left out */
  readonly owner?: string | undefined;
  /** 1 to 64 of 0-9A-Za-z_, new among its owner's */
  readonly referencekey: string;
  /** a time in Unix seconds, later than now, at most 2147483647: decimal digits without leading zero */
  readonly opendate: number;
  /** 64 lower-case hex digits, the SHA-256 of what the key opens */
  readonly keyhash: string;
  /** text of 1 to 64 characters without | */
  readonly algorithm?: string | undefined;
  /** text of 1 to 2048 characters without | */
  readonly data?: string | undefined;
}

/** Opens a sealed text, from its date on, by its key, which then everybody can read. It needs no signature: the key is enough. The key stands in the body only. */
export interface Mrc020openRequest {
  /** the id of a sealed text */
  readonly mrc020key: string;
  /** text of 1 to 4096 characters */
  readonly key: string;
}

/** Announces a new version of the rules and the block from which it holds, on ledgers that have an operator, who signs it. A later announcement before that block replaces it. */
export interface ProtocolRequest {
  /** the number of the new version, which is that of the one in force + 1: decimal digits without sign or leading zero */
  readonly version: number | bigint;
  /** the number of the first block that follows it: decimal digits without sign or leading zero */
  readonly height: number | bigint;
  /** text of 1 to 255 characters without | */
  readonly note: string;
}

/** Gives an address some of the native coin, on deployments that have a faucet. */
export interface FaucetRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly address: string;
  /** an integer from 1 to 10^40 in the token's smallest unit: decimal digits without sign, leading zero, point or exponent */
  readonly amount?: bigint | undefined;
}

/** Shows an address and its balances; with view=full also its public key and memo. */
export interface AddressReadRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly address: string;
  /** "full" */
  readonly view?: "full" | undefined;
}

/** Lists the addresses of a public key, oldest first. */
export interface AddressByKeyRequest {
  /** an ECDSA public key as PEM or as its bare base64 */
  readonly publickey: string;
  /** an integer from 1 to 1000: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly after?: string | undefined;
}

/** Issues a temporary key, which a signed write of this address carries. It is valid for an hour, or for `valid` seconds. */
export interface NonceRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly address: string;
  /** an integer from 1 to 1000: decimal digits without sign or leading zero */
  readonly count?: number | bigint | undefined;
  /** an integer from 1 to 86400: decimal digits without sign or leading zero */
  readonly valid?: number | bigint | undefined;
}

/** Issues a temporary key; one of a kind that is the name of an operation serves only that operation. */
export interface GetkeyRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly address: string;
  /** 1 to 32 letters, digits, underscores or hyphens */
  readonly kind: string;
  /** an integer from 1 to 1000: decimal digits without sign or leading zero */
  readonly count?: number | bigint | undefined;
  /** an integer from 1 to 86400: decimal digits without sign or leading zero */
  readonly valid?: number | bigint | undefined;
}

/** Lists the balances of an address, free and locked ones. */
export interface BalanceRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly address: string;
  /** an integer from 1 to 10000: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** <token>:<unlockdate> of the last entry seen */
  readonly after?: string | undefined;
}

/** Lists the balances of an address in one token. */
export interface BalanceOfTokenRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly address: string;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token: TokenId;
  /** an integer from 1 to 10000: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** <token>:<unlockdate> of the last entry seen */
  readonly after?: string | undefined;
}

/** Shows a block by its number or by its id. */
export interface BlockRequest {
  /** the number of a block or its id, 64 lower-case hex digits */
  readonly block: string;
}

/** Shows all of a block that is needed to check and replay it. */
export interface BlockRawRequest {
  /** the number of a block or its id, 64 lower-case hex digits */
  readonly block: string;
}

/** Lists blocks, newest first. */
export interface BlocksRequest {
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** Shows all of the blocks from one on that is needed to check and replay them, oldest first, one a line. It may end before the limit where they are large. */
export interface BlocksRawRequest {
  /** an integer from 0 to 10^40: decimal digits without sign or leading zero */
  readonly from?: number | bigint | undefined;
  /** an integer from 1 to 1000: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
}

/** Shows a transaction with its effects. */
export interface TransactionRequest {
  /** the id of a transaction, 64 lower-case hex digits */
  readonly transaction_id: string;
}

/** Lists the ids of the transactions that a group has become, in their order. */
export interface GroupTransactionsRequest {
  /** the id of a group, 64 lower-case hex digits */
  readonly id: string;
}

/** Lists what was done, newest first: of each transaction its own record, without effects. */
export interface TransactionsRequest {
  /** up to 20 types of records, separated by commas */
  readonly type?: string | readonly string[] | undefined;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token?: TokenId | undefined;
  /** an integer from 0 to 99999999999: decimal digits without sign or leading zero */
  readonly since?: number | bigint | undefined;
  /** an integer from 0 to 99999999999: decimal digits without sign or leading zero */
  readonly until?: number | bigint | undefined;
  /** the number of a block or its id, 64 lower-case hex digits */
  readonly block?: string | undefined;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** The history of an address, newest first: what it did and what was done to it. */
export interface AddressTransactionsRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly address: string;
  /** up to 20 types of records, separated by commas */
  readonly type?: string | readonly string[] | undefined;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token?: TokenId | undefined;
  /** an integer from 0 to 99999999999: decimal digits without sign or leading zero */
  readonly since?: number | bigint | undefined;
  /** an integer from 0 to 99999999999: decimal digits without sign or leading zero */
  readonly until?: number | bigint | undefined;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** The history of an item, a listing or a project, newest first. That of a multi-unit item has what was done to its listings, too. */
export interface ItemTransactionsRequest {
  /** the id of an item, a listing or a project */
  readonly id: string;
  /** up to 20 types of records, separated by commas */
  readonly type?: string | readonly string[] | undefined;
  /** an integer from 0 to 99999999999: decimal digits without sign or leading zero */
  readonly since?: number | bigint | undefined;
  /** an integer from 0 to 99999999999: decimal digits without sign or leading zero */
  readonly until?: number | bigint | undefined;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** Counts transactions by the minute or hour of their ledger time, the oldest first: those that begin from `since` to `until`, at most 1440. Minutes and hours without transactions are left out. */
export interface TotalsRequest {
  /** "minute" or "hour" */
  readonly step?: "minute" | "hour" | undefined;
  /** an integer from 0 to 99999999999: decimal digits without sign or leading zero */
  readonly since?: number | bigint | undefined;
  /** an integer from 0 to 99999999999: decimal digits without sign or leading zero */
  readonly until?: number | bigint | undefined;
}

/** Proves that a transaction is in the tree of all transactions, of the newest size or of an earlier one (RFC 6962). */
export interface TransactionProofRequest {
  /** the id of a transaction, 64 lower-case hex digits */
  readonly transaction_id: string;
  /** a number of transactions, above the transaction's place in the ledger, at most the newest */
  readonly size?: number | bigint | undefined;
}

/** Proves that the tree of one size is the beginning of that of a later size (RFC 6962), by default the newest. */
export interface CheckpointConsistencyRequest {
  /** a number of transactions, from 1 to the later one */
  readonly from: number | bigint;
  /** a number of transactions, from the earlier one to the newest */
  readonly to?: number | bigint | undefined;
}

/** 256 consecutive hashes of a level of the tree, or fewer of a partial tile (C2SP tlog-tiles). */
export interface TileRequest {
  /** the level of the tile, 0 to 63; 0 has the hashes of leaves */
  readonly level: number | bigint;
  /** the index of the tile in groups of three digits, all but the last one after an x and with a slash behind: x001/x234/067; .p/ and a width from 1 to 255 behind it ask for the beginning of it. Slashes need not be encoded */
  readonly tile: string;
}

/** The texts of 256 consecutive leaves, or fewer of a partial tile, each after its length as a big-endian uint16 (C2SP tlog-tiles). */
export interface EntryBundleRequest {
  /** the index of the tile in groups of three digits, all but the last one after an x and with a slash behind: x001/x234/067; .p/ and a width from 1 to 255 behind it ask for the beginning of it. Slashes need not be encoded */
  readonly tile: string;
}

/** Lists tokens, the newest first, without their images and other long texts. */
export interface TokensRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly owner?: string | undefined;
  /** text of 1 to 32 characters without | */
  readonly symbol?: string | undefined;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** Shows a token: what it is, and how much of it there is. */
export interface TokenRequest {
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token: TokenId;
}

/** Lists who has a balance of a token, the newest address first. */
export interface TokenHoldersRequest {
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token: TokenId;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** The image of a token that was given as a data URL, as a file of its own type. */
export interface TokenImageRequest {
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token: TokenId;
}

/** How much of a token exists, in whole tokens: exact decimal text, for price sites. */
export interface TotalsupplyRequest {
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token: TokenId;
}

/** Lists offers, requests and auctions of tokens, newest first, by the end of auctions, or by the price of one unit of offers, which needs `token` and `paytoken`. A bidder is one with the highest bid in an open auction. */
export interface TokenListingsRequest {
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token?: TokenId | undefined;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly paytoken?: TokenId | undefined;
  /** "sell" or "buy" or "auction" */
  readonly side?: "sell" | "buy" | "auction" | undefined;
  /** "open" or "sold" or "cancelled" or "failed" or "all" */
  readonly state?: "open" | "sold" | "cancelled" | "failed" | "all" | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly address?: string | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly bidder?: string | undefined;
  /** "new" or "end" or "price" */
  readonly order?: "new" | "end" | "price" | undefined;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** Shows a listing of tokens: an offer, a request or an auction. */
export interface TokenListingRequest {
  /** the id of a listing of tokens */
  readonly dexid: string;
}

/** Lists what was traded of a token on its market, newest first: bought from offers, sold to requests, won in auctions. */
export interface TokenTradesRequest {
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token: TokenId;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly paytoken?: TokenId | undefined;
  /** an integer from 0 to 9007199254740991: decimal digits without sign or leading zero */
  readonly since?: number | bigint | undefined;
  /** an integer from 0 to 9007199254740991: decimal digits without sign or leading zero */
  readonly until?: number | bigint | undefined;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** Lists projects of items, newest first, without their long texts. */
export interface Mrc400ProjectsRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly owner?: string | undefined;
  /** text of 1 to 64 characters without | */
  readonly category?: string | undefined;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** Shows a project of items. */
export interface Mrc400Request {
  /** the id of a project */
  readonly mrc400id: string;
}

/** Lists items of projects, newest first, by the end of auctions, or by the price of sales, which needs `token`. Those of an owner are those that it holds; a token is one that a sale or an auction asks for; a bidder is one with the highest bid in an open auction. */
export interface Mrc401ItemsRequest {
  /** the id of a project */
  readonly mrc400id?: string | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly owner?: string | undefined;
  /** text of 1 to 64 characters */
  readonly groupid?: string | undefined;
  /** "open" or "sale" or "auction" or "idle" or "melted" or "all" */
  readonly state?: "open" | "sale" | "auction" | "idle" | "melted" | "all" | undefined;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token?: TokenId | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly bidder?: string | undefined;
  /** "new" or "end" or "price" */
  readonly order?: "new" | "end" | "price" | undefined;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** Shows an item of a project: whose it is, and whether it is on sale or on auction. */
export interface Mrc401Request {
  /** the id of an item */
  readonly mrc401id: string;
}

/** Lists the items of an address, newest first: those that it holds, and those that it has units of. With view=full each has its record. */
export interface AddressItemsRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly address: string;
  /** "mrc401" or "mrc402" */
  readonly kind?: "mrc401" | "mrc402" | undefined;
  /** the id of a project */
  readonly mrc400id?: string | undefined;
  /** "full" */
  readonly view?: "full" | undefined;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** Lists multi-unit items, newest first. */
export interface Mrc402ItemsRequest {
  /** the id of a project */
  readonly mrc400id?: string | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly creator?: string | undefined;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** Shows a multi-unit item: what it is, its units, its reserve and its oldest listings. */
export interface Mrc402Request {
  /** the id of a multi-unit item */
  readonly mrc402id: string;
}

/** Lists offers and auctions of units, newest first, by the end of auctions, or by the price of offers, which needs `token`. A bidder is one with the highest bid in an open auction. */
export interface Mrc402ListingsRequest {
  /** the id of a multi-unit item */
  readonly mrc402id?: string | undefined;
  /** the id of a project */
  readonly mrc400id?: string | undefined;
  /** "sell" or "auction" */
  readonly side?: "sell" | "auction" | undefined;
  /** "open" or "sold" or "cancelled" or "failed" or "all" */
  readonly state?: "open" | "sold" | "cancelled" | "failed" | "all" | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly address?: string | undefined;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly token?: TokenId | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly bidder?: string | undefined;
  /** "new" or "end" or "price" */
  readonly order?: "new" | "end" | "price" | undefined;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** Shows a listing of units of an item: an offer or an auction. */
export interface Mrc402ListingRequest {
  /** the id of a listing of units */
  readonly dexid: string;
}

/** Lists the units that an address has, by item. */
export interface Mrc402HoldingsRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly address: string;
  /** the id of a multi-unit item */
  readonly mrc402id?: string | undefined;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** Lists who has units of a multi-unit item, by address. */
export interface Mrc402HoldersRequest {
  /** the id of a multi-unit item */
  readonly mrc402id: string;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** Shows an order of the order exchange, whether it waits, is complete or cancelled. */
export interface OrderRequest {
  /** the id of an order */
  readonly mrc040id: string;
}

/** Lists orders, newest first; by default those that are open. */
export interface OrdersRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly owner?: string | undefined;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly basetoken?: TokenId | undefined;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly targettoken?: TokenId | undefined;
  /** "SELL" or "BUY" */
  readonly side?: "SELL" | "BUY" | undefined;
  /** "open" or "complete" or "cancel" or "all" */
  readonly state?: "open" | "complete" | "cancel" | "all" | undefined;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** What waiting orders of a pair ask and bid, the best price first: of both sides the first levels, or with `side` all of one side as a list, whose cursor is a price. */
export interface OrderBookRequest {
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly basetoken: TokenId;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly targettoken: TokenId;
  /** "SELL" or "BUY" */
  readonly side?: "SELL" | "BUY" | undefined;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** Lists how much of each token the waiting orders of an address hold, by token. */
export interface PendingOrdersRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly address: string;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** Lists trades with orders, the newest first. An address is the owner of the order or the taker. */
export interface OrderTradesRequest {
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly basetoken?: TokenId | undefined;
  /** the id of a token: decimal digits without sign or leading zero; 0 is the native coin */
  readonly targettoken?: TokenId | undefined;
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly address?: string | undefined;
  /** the id of an order */
  readonly mrc040id?: string | undefined;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

/** Shows a trade with an order. */
export interface OrderTradeRequest {
  /** the id of a trade */
  readonly id: string;
}

/** Shows a sealed text: what its owner has committed to, and once it is open, the key. */
export interface SealRequest {
  /** the id of a sealed text */
  readonly mrc020key: string;
}

/** Lists sealed texts, the newest first. */
export interface SealsRequest {
  /** an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all */
  readonly owner?: string | undefined;
  /** "all" or "closed" or "open" */
  readonly state?: "all" | "closed" | "open" | undefined;
  /** an integer from 1 to 100: decimal digits without sign or leading zero */
  readonly limit?: number | bigint | undefined;
  /** the cursor of the previous answer */
  readonly cursor?: string | undefined;
}

export interface Written {
  readonly transaction_id: string;
}

export interface MarketWritten {
  readonly transaction_id: string;
  /** the same, as older clients read it */
  readonly txid: string;
}

export interface TokensListed {
  readonly transaction_id: string;
  /** the same, as older clients read it */
  readonly txid: string;
  readonly mrc010dexid: string;
}

export interface ItemsCreated {
  readonly transaction_id: string;
  /** the same, as older clients read it */
  readonly txid: string;
  readonly mrc401ids: readonly string[];
}

export interface UnitItemsCreated {
  readonly transaction_id: string;
  /** the same, as older clients read it */
  readonly txid: string;
  /** of an item standing alone */
  readonly mrc402id?: string | undefined;
  /** of items of a project */
  readonly mrc402ids?: readonly string[] | undefined;
  /** of their offers */
  readonly mrc402dexids?: readonly string[] | undefined;
}

export interface UnitsListed {
  readonly transaction_id: string;
  /** the same, as older clients read it */
  readonly txid: string;
  readonly mrc402dexid?: string | undefined;
  readonly mrc402dexids?: readonly string[] | undefined;
}

export interface OrderRegistered {
  readonly transaction_id: string;
  /** the same, as older clients read it */
  readonly txid: string;
  /** id of the order */
  readonly mrc040id: string;
  readonly status: "WAIT" | "TRADING" | "COMPLETE" | "CANCEL";
  readonly remainqtt: bigint;
  readonly trades: readonly OrderTraded[];
}

export interface OrderTraded {
  /** id of the trade */
  readonly id: string;
  /** id of the order that waited */
  readonly mrc040id: string;
  /** its price, of one whole target token */
  readonly price: bigint;
  /** of the target */
  readonly qtt: bigint;
  /** what it cost, of the base */
  readonly amount: bigint;
}

export interface OrderRequestDone {
  readonly transaction_id: string;
  /** the same, as older clients read it */
  readonly txid: string;
  /** of the target */
  readonly doneqtt: bigint;
  /** of the base, in all */
  readonly amount: bigint;
  readonly trades: readonly OrderTraded[];
}

export interface OrderExchangeDone {
  readonly transaction_id: string;
  /** the same, as older clients read it */
  readonly txid: string;
  readonly trades: readonly OrderTraded[];
}

export interface TextSealed {
  readonly transaction_id: string;
  /** the same, as older clients read it */
  readonly txid: string;
  /** id of the sealed text */
  readonly mrc020key: string;
}

export interface FaucetAnswer {
  readonly transaction_id: string;
  readonly amount: bigint;
}

export interface ServiceInfo {
  readonly name: string;
  readonly version: string;
  /** version of the interface */
  readonly interface: string;
  readonly deployment: "test" | "production";
  /** what verifies signatures */
  readonly verifier: "platform" | "native";
  /** what the ledger calls itself */
  readonly ledger: string;
  /** id of block 0, part of every full signature */
  readonly ledger_id: string;
  /** number of the newest block */
  readonly height: number;
  readonly protocol: RulesInForce;
  readonly coin: NativeCoin;
  /** verifier keys of checkpoints; know them from elsewhere */
  readonly checkpoint_keys?: readonly string[] | undefined;
  /** how coins are got, on a deployment with a faucet */
  readonly faucet?: string | undefined;
  /** path of the API reference */
  readonly documentation: string;
  /** path of the document that it is made from */
  readonly openapi: string;
}

export interface RulesInForce {
  /** rules in force */
  readonly version: number;
  /** rules announced, 0 if none are */
  readonly next: number;
  /** block from which on those are in force */
  readonly height: number;
  /** who announces them; empty if nobody may */
  readonly operator: string;
}

export interface NativeCoin {
  readonly token: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimal: number;
  readonly totalsupply: bigint;
}

export interface AddressInfo {
  readonly address: string;
  /** Unix seconds */
  readonly createdate: number;
  readonly balance: BalanceEntries;
  readonly addinfo?: string | undefined;
  readonly publickey?: string | undefined;
  readonly signed?: "" | "full" | undefined;
}

export type BalanceEntries = readonly BalanceEntry[];

export interface BalanceEntry {
  /** id of the token; 0 is the native coin */
  readonly token: string;
  /** in the token's smallest unit */
  readonly balance: bigint;
  /** when it may be moved, Unix seconds; 0 is at once */
  readonly unlockdate: number;
}

export type Addresses = readonly string[];

export type TemporaryKeys = readonly string[];

export interface Block {
  readonly sn: number;
  readonly id: string;
  readonly timestamp: number;
  readonly transaction: readonly BlockTransaction[];
}

export interface BlockTransaction {
  readonly id: string;
  readonly timestamp: number;
}

export interface RawBlock {
  readonly header: BlockHeader;
  readonly id: string;
  readonly operations: readonly LedgerOperation[];
}

export interface BlockHeader {
  /** hash of what the block changed */
  readonly changes: string;
  /** how many transactions it has */
  readonly count: number;
  /** id of the block before */
  readonly previous: string;
  /** version of the rules */
  readonly protocol: number;
  /** root of the tree of its transactions */
  readonly root: string;
  /** leaves of the tree of all transactions */
  readonly size: number;
  /** number of the block */
  readonly sn: number;
  /** Unix seconds */
  readonly timestamp: number;
  /** root of the tree of all transactions */
  readonly tree: string;
  readonly v: number;
}

export interface LedgerOperation {
  /** whose key has signed; empty if nobody signs */
  readonly actor: string;
  /** what was chosen before the block */
  readonly decided: { readonly [name: string]: string };
  /** name of the operation */
  readonly op: string;
  /** parameters as they were sent */
  readonly params: { readonly [name: string]: string };
  readonly signatures: { readonly [name: string]: string };
  readonly v: number;
}

export type BlockSummaryPage = Page<BlockSummary>;

export interface BlockSummary {
  readonly sn: number;
  readonly id: string;
  readonly timestamp: number;
  /** how many transactions it has */
  readonly count: number;
  /** bytes of the block as it is stored */
  readonly size: number;
}

export interface Transaction {
  readonly id: string;
  /** number of its block */
  readonly db_sn: string;
  /** id of its block */
  readonly db_id: string;
  /** Unix seconds */
  readonly timestamp: number;
  /** type of the record; a later version may have others */
  readonly type: RecordType;
  /** whom it concerns; empty if no address */
  readonly address: string;
  readonly token: number;
  /** texts in an order that depends on the type */
  readonly parameters: readonly string[];
  /** what came of it: balances; of an item or listing all of it when it is made, then the members that have changed */
  readonly values: { readonly [name: string]: unknown };
  /** always 0 */
  readonly validationCode: string;
  readonly effects: readonly Effect[];
  /** absent if it was done alone */
  readonly group?: PlaceInGroup | undefined;
}

export type RecordType =
  | "Chaincode Install or Update"
  | "DataMigration"
  | "NewWallet"
  | "transfer"
  | "receive"
  | "multi_transfer"
  | "tokenSave"
  | "tokenRegister"
  | "token_reserve"
  | "tokenBurning"
  | "ownerBurning"
  | "tokenIncrease"
  | "ownerIncrease"
  | "tokenUpdate"
  | "mrc010sell"
  | "mrc010reqsell"
  | "mrc010unsell"
  | "mrc010unreqsell"
  | "transfer_mrc010buy"
  | "transfer_mrc010sell"
  | "mrc010auction"
  | "mrc010unauction"
  | "transfer_mrc010bid"
  | "receive_mrc010item"
  | "mrc010auctionfailure"
  | "receive_mrc010sell"
  | "receive_mrc010buy"
  | "receive_mrc010fee"
  | "receive_mrc010refund"
  | "receive_mrc010auction"
  | "mrc010_sell"
  | "mrc010_reqsell"
  | "mrc010_unsell"
  | "mrc010_unreqsell"
  | "mrc010_auction"
  | "mrc010_unauction"
  | "mrc010_auctionfailure"
  | "mrc010_buy"
  | "mrc010_acceptreqsell"
  | "mrc010_auctionbid"
  | "mrc010_auctionbuynow"
  | "mrc010_auctionwinning"
  | "mrc400create"
  | "mrc400update"
  | "mrc400_create"
  | "mrc400_update"
  | "mrc401create"
  | "mrc401update"
  | "mrc401_create"
  | "mrc401_update"
  | "mrc401transfer"
  | "mrc401_transfer"
  | "receive_mrc401"
  | "mrc401sell"
  | "mrc401unsell"
  | "mrc401auction"
  | "mrc401unauction"
  | "mrc401_sell"
  | "mrc401_unsell"
  | "mrc401_unauction"
  | "mrc401_auction"
  | "transfer_mrc401buy"
  | "transfer_mrc401bid"
  | "mrc401_buy"
  | "mrc401_auctionbid"
  | "mrc401_melt"
  | "mrc401_auctionwinning"
  | "mrc401_auctionbuynow"
  | "mrc401_auctionfailure"
  | "receive_mrc401sell"
  | "receive_mrc401auction"
  | "receive_mrc401fee"
  | "receive_mrc401refund"
  | "receive_melt"
  | "receive_meltfee"
  | "mrc402create"
  | "mrc402_create"
  | "mrc402update"
  | "mrc402_update"
  | "mrc402mint"
  | "mrc402burn"
  | "mrc402_mint"
  | "mrc402_burn"
  | "mrc402melt"
  | "mrc402_melt"
  | "transfer_mrc402"
  | "receive_mrc402"
  | "mrc402sell"
  | "mrc402_sell"
  | "mrc402auction"
  | "mrc402_auction"
  | "mrc402unsell"
  | "mrc402unauction"
  | "mrc402_unsell"
  | "mrc402_unauction"
  | "transfer_mrc402buy"
  | "transfer_mrc402bid"
  | "receive_mrc402item"
  | "receive_mrc402fee"
  | "receive_mrc402sell"
  | "receive_mrc402auction"
  | "receive_mrc402refund"
  | "mrc402_buy"
  | "mrc402_auctionbuynow"
  | "mrc402_auctionwinning"
  | "mrc402_auctionbid"
  | "mrc402auctionfailure"
  | "mrc402_auctionfailure"
  | "SetBase"
  | "tokenAddTarget"
  | "tokenRemoveTarget"
  | "exchange"
  | "exchangePair"
  | "exchangeFee"
  | "exchangeFeePair"
  | "stodexRegister"
  | "stodexUnRegister"
  | "stodexRequest"
  | "stodexExchange"
  | "stodexExchangePending"
  | "stodexExchangeRequest"
  | "MRC020"
  | "MRC020Open";

export interface Effect {
  /** type of the record; a later version may have others */
  readonly type: RecordType;
  /** whom it concerns; empty if no address */
  readonly address: string;
  readonly token: number;
  /** texts in an order that depends on the type */
  readonly parameters: readonly string[];
  /** what came of it: balances; of an item or listing all of it when it is made, then the members that have changed */
  readonly values: { readonly [name: string]: unknown };
  /** the project, item or listing, if it is about one */
  readonly item?: string | undefined;
}

export interface PlaceInGroup {
  /** the group's id */
  readonly id: string;
  /** its place among the operations of the group, from 0 */
  readonly index: number;
  /** how many operations the group has */
  readonly count: number;
}

export type GroupTransactions = readonly string[];

export type TransactionRecordPage = Page<TransactionRecord>;

export interface TransactionRecord {
  readonly id: string;
  /** number of its block */
  readonly db_sn: string;
  /** id of its block */
  readonly db_id: string;
  /** Unix seconds */
  readonly timestamp: number;
  /** type of the record; a later version may have others */
  readonly type: RecordType;
  /** whom it concerns; empty if no address */
  readonly address: string;
  readonly token: number;
  /** texts in an order that depends on the type */
  readonly parameters: readonly string[];
  /** what came of it: balances; of an item or listing all of it when it is made, then the members that have changed */
  readonly values: { readonly [name: string]: unknown };
  /** always 0 */
  readonly validationCode: string;
  /** absent if it was done alone */
  readonly group?: PlaceInGroup | undefined;
}

export type ItemRecordPage = Page<ItemRecord>;

export interface ItemRecord {
  readonly id: string;
  /** number of its block */
  readonly db_sn: string;
  /** id of its block */
  readonly db_id: string;
  /** Unix seconds */
  readonly timestamp: number;
  /** type of the record; a later version may have others */
  readonly type: RecordType;
  /** empty */
  readonly address: string;
  /** the project, item or listing that it is about */
  readonly item: string;
  readonly token: number;
  /** texts in an order that depends on the type */
  readonly parameters: readonly string[];
  /** what came of it: balances; of an item or listing all of it when it is made, then the members that have changed */
  readonly values: { readonly [name: string]: unknown };
  /** always 0 */
  readonly validationCode: string;
  /** absent if it was done alone */
  readonly group?: PlaceInGroup | undefined;
}

export type Totals = readonly Total[];

export interface Total {
  /** when the minute or the hour begins, Unix seconds */
  readonly time: number;
  /** how many transactions */
  readonly count: number;
  /** how many of each type of record; types without any are left out */
  readonly types: { readonly [name: string]: number };
}

export interface TransactionProof {
  readonly id: string;
  /** the text that the leaf is the hash of */
  readonly leaf: string;
  readonly leaf_index: number;
  readonly tree_size: number;
  readonly root: string;
  /** RFC 6962 §2.1.1, from the leaf upward */
  readonly proof: readonly string[];
  readonly operation: LedgerOperation;
  readonly block: BlockHeader;
  /** of the newest size; empty if another size was asked for */
  readonly checkpoint: string;
}

export interface ConsistencyProof {
  readonly from: number;
  readonly to: number;
  readonly from_root: string;
  readonly to_root: string;
  /** RFC 6962 §2.1.2 */
  readonly proof: readonly string[];
}

export type ListedTokenPage = Page<ListedToken>;

export interface ListedToken {
  readonly id: string;
  /** the id as a number */
  readonly token: number;
  /** address of the creator; empty if there is none */
  readonly owner: string;
  readonly symbol: string;
  readonly name: string;
  readonly category: string;
  readonly decimal: number;
  /** Unix seconds */
  readonly createdate: number;
  /** everything ever issued */
  readonly totalsupply: bigint;
  /** everything burned so far */
  readonly burnningamount: bigint;
  /** issued, not burned, and not held by the owner */
  readonly circulation_supply: bigint;
  /** what the owner holds */
  readonly remainamount: bigint;
  readonly reservedamount: bigint;
  readonly url: string;
  readonly type: "010" | "100" | "101";
  readonly status: string;
  /** id of the one token that it is traded for by orders */
  readonly basetoken: number;
  readonly logger: { readonly [name: string]: unknown };
}

export interface Token {
  readonly id: string;
  /** the id as a number */
  readonly token: number;
  /** address of the creator; empty if there is none */
  readonly owner: string;
  readonly symbol: string;
  readonly name: string;
  readonly category: string;
  readonly decimal: number;
  /** Unix seconds */
  readonly createdate: number;
  /** everything ever issued */
  readonly totalsupply: bigint;
  /** everything burned so far */
  readonly burnningamount: bigint;
  /** issued, not burned, and not held by the owner */
  readonly circulation_supply: bigint;
  /** what the owner holds */
  readonly remainamount: bigint;
  readonly reservedamount: bigint;
  readonly reserve: readonly TokenReserve[];
  readonly tier: readonly { readonly [name: string]: unknown }[];
  readonly url: string;
  readonly information: string;
  readonly image: string;
  readonly type: "010" | "100" | "101";
  readonly status: string;
  /** id of the one token that it is traded for by orders */
  readonly basetoken: number;
  /** what is traded for it by orders: since when, by id */
  readonly targettoken: { readonly [name: string]: number };
  readonly logger: { readonly [name: string]: unknown };
}

export interface TokenReserve {
  readonly address: string;
  readonly value: bigint;
  /** Unix seconds */
  readonly unlockdate: number;
}

export type TokenHolderPage = Page<TokenHolder>;

export interface TokenHolder {
  readonly address: string;
  /** what may be moved now */
  readonly balance: bigint;
  /** what may be moved later */
  readonly locked: bigint;
}

export type TokenListingPage = Page<TokenListing>;

export interface TokenListing {
  readonly dexid: string;
  /** id of the token that is listed */
  readonly mrc010: string;
  readonly side: "sell" | "buy" | "auction";
  readonly state: "open" | "sold" | "cancelled" | "failed";
  readonly seller: string;
  readonly buyer: string;
  readonly amount: bigint;
  readonly remain_amount: bigint;
  readonly min_trade_unit: bigint;
  readonly platform_name: string;
  readonly platform_url: string;
  readonly platform_address: string;
  /** a percentage */
  readonly platform_commission: string;
  /** Unix seconds */
  readonly regdate: number;
  /** Unix seconds */
  readonly sell_date: number;
  /** Unix seconds */
  readonly cancel_date: number;
  readonly sell_price: bigint | undefined;
  readonly sell_token: string;
  readonly buy_price: bigint | undefined;
  readonly buy_token: string;
  /** what is held for a request */
  readonly buy_price_total: bigint | undefined;
  readonly auction_bid_count: number;
  /** Unix seconds */
  readonly auction_start_date: number;
  /** Unix seconds */
  readonly auction_end_date: number;
  /** Unix seconds */
  readonly auction_settle_date: number;
  readonly auction_bidding_unit: bigint;
  readonly auction_start_price: bigint;
  readonly auction_buynow_price: bigint;
  readonly auction_current_price: bigint | undefined;
  readonly auction_current_bidder: string;
  /** type of the listing's newest record */
  readonly job_type: string;
}

export type TokenTradePage = Page<TokenTrade>;

export interface TokenTrade {
  readonly transaction_id: string;
  /** Unix seconds */
  readonly timestamp: number;
  readonly dexid: string;
  /** what the listing is */
  readonly side: "sell" | "buy" | "auction";
  readonly seller: string;
  readonly buyer: string;
  readonly amount: bigint;
  /** for the amount; a request pays its commission on top */
  readonly payment: bigint;
  /** id of the token of the payment */
  readonly token: string;
}

export type ListedProjectPage = Page<ListedProject>;

export interface ListedProject {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly url: string;
  readonly image_url: string;
  /** the one token, beside 0, that its items are traded for; 0 allows every token */
  readonly allow_token: number;
  readonly category: string;
  readonly item_url: string;
  readonly item_image_url: string;
  /** Unix seconds */
  readonly createdate: number;
}

export interface Project {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly url: string;
  readonly image_url: string;
  /** the one token, beside 0, that its items are traded for; 0 allows every token */
  readonly allow_token: number;
  readonly category: string;
  readonly description: string;
  readonly data: string;
  readonly item_url: string;
  readonly item_image_url: string;
  /** URLs by name */
  readonly socialmedia: { readonly [name: string]: string };
  /** roles by address */
  readonly partner: { readonly [name: string]: "partner" | "seller" | "creator" };
  /** Unix seconds */
  readonly createdate: number;
}

export type ItemPage = Page<Item>;

export interface Item {
  readonly id: string;
  readonly mrc400: string;
  /** empty while nobody but the project's owner has had it; MELTED */
  readonly owner: string;
  /** whose it is; empty once it is melted */
  readonly holder: string;
  readonly creator: string;
  readonly item_url: string;
  readonly item_image_url: string;
  readonly groupid: string;
  /** Unix seconds */
  readonly createdate: number;
  readonly initial_reserve: bigint;
  readonly initial_token: string;
  /** a percentage */
  readonly meltint_fee: string;
  /** a percentage */
  readonly melting_fee: string;
  /** when it was melted */
  readonly melting_date: number;
  /** from when on it may be melted */
  readonly expiredate: number;
  readonly transferable: "Permanent" | "Bound" | "Temporary";
  /** Unix seconds */
  readonly sell_date: number;
  /** a percentage */
  readonly sell_fee: string;
  readonly sell_price: bigint;
  readonly sell_token: string;
  /** a percentage */
  readonly listing_fee: string;
  /** Unix seconds */
  readonly auction_date: number;
  /** Unix seconds */
  readonly auction_end: number;
  readonly auction_token: string;
  readonly auction_bidding_unit: bigint;
  readonly auction_start_price: bigint;
  readonly auction_buynow_price: bigint;
  readonly auction_current_price: bigint;
  readonly auction_current_bidder: string;
  /** Unix seconds */
  readonly last_trade_date: number;
  readonly last_trade_amount: bigint;
  readonly last_trade_token: string;
  readonly last_trade_type: string;
}

export type OwnedItemPage = Page<OwnedItem>;

export interface OwnedItem {
  readonly kind: "mrc401" | "mrc402";
  readonly id: string;
  /** id of the project; empty if the item stands alone */
  readonly mrc400: string;
  /** of MRC402: free units */
  readonly balance?: bigint | undefined;
  /** of MRC402: units on sale */
  readonly saleamount?: bigint | undefined;
  /** of MRC402: units on auction */
  readonly auctionamount?: bigint | undefined;
  /** with view=full, what GET /mrc401/{id} or GET /mrc402/{id} shows */
  readonly record?: Item | UnitItem | undefined;
}

export interface UnitItem {
  readonly id: string;
  /** its project; empty if it stands alone */
  readonly mrc400: string;
  /** the sole holder; empty if there are several; MELTED or BURNED */
  readonly owner: string;
  readonly creator: string;
  readonly name: string;
  readonly category: string;
  readonly description: string;
  readonly url: string;
  readonly image_url: string;
  readonly data: string;
  readonly item_url: string;
  readonly item_image_url: string;
  readonly groupid: string;
  readonly information: string;
  /** URLs by name */
  readonly socialmedia: { readonly [name: string]: string };
  /** rates by address, in the order given */
  readonly shareholder: { readonly [name: string]: string };
  readonly allow_token: string;
  /** Unix seconds */
  readonly createdate: number;
  /** created and minted, less burned */
  readonly totalsupply: bigint;
  readonly meltedamount: bigint;
  readonly burnedamount: bigint;
  readonly decimal: number;
  readonly holders: number;
  /** per unit, by token */
  readonly initialreserve: { readonly [name: string]: bigint };
  /** in reserve now, by token */
  readonly reserve: { readonly [name: string]: bigint };
  readonly initial_reserve: bigint;
  readonly initial_token: string;
  /** a percentage */
  readonly creatorcommission: string;
  /** a percentage */
  readonly sell_fee: string;
  /** a percentage */
  readonly meltint_fee: string;
  /** Unix seconds */
  readonly expiredate: number;
  /** Unix seconds */
  readonly melting_date: number;
  readonly transferable: "Permanent" | "Bound" | "Temporary";
  readonly copyright_registration_country: string;
  readonly copyright_registrar: string;
  readonly copyright_registration_number: string;
  readonly platform_name: string;
  readonly platform_url: string;
  readonly platform_address: string;
  /** a percentage */
  readonly platform_commission: string;
  readonly sell_count: number;
  readonly auction_count: number;
  /** Unix seconds */
  readonly sell_date: number;
  readonly sell_price: bigint;
  readonly sell_token: string;
  readonly sell_dexid: string;
  /** Unix seconds */
  readonly auction_date: number;
  /** Unix seconds */
  readonly auction_end: number;
  readonly auction_token: string;
  readonly auction_bidding_unit: bigint;
  readonly auction_start_price: bigint;
  readonly auction_buynow_price: bigint;
  readonly auction_current_price: bigint;
  readonly auction_current_bidder: string;
  readonly auction_dexid: string;
  /** Unix seconds */
  readonly last_trade_date: number;
  readonly last_trade_amount: bigint;
  readonly last_trade_token: string;
  readonly last_trade_type: string;
}

export type UnitItemPage = Page<UnitItem>;

export type UnitListingPage = Page<UnitListing>;

export interface UnitListing {
  readonly dexid: string;
  readonly mrc402: string;
  readonly side: "sell" | "auction";
  readonly state: "open" | "sold" | "cancelled" | "failed";
  readonly seller: string;
  readonly agent: string;
  readonly buyer: string;
  readonly amount: bigint;
  readonly remain_amount: bigint;
  readonly sell_price: bigint;
  readonly sell_token: string;
  /** a percentage */
  readonly sell_fee: string;
  readonly platform_name: string;
  readonly platform_url: string;
  readonly platform_address: string;
  /** a percentage */
  readonly platform_commission: string;
  /** Unix seconds */
  readonly regdate: number;
  /** Unix seconds */
  readonly sell_date: number;
  /** Unix seconds */
  readonly cancel_date: number;
  /** Unix seconds */
  readonly auction_start_date: number;
  /** Unix seconds */
  readonly auction_end_date: number;
  /** Unix seconds */
  readonly auction_settle_date: number;
  readonly auction_bid_count: number;
  readonly auction_bidding_unit: bigint;
  readonly auction_start_price: bigint;
  readonly auction_buynow_price: bigint;
  readonly auction_current_price: bigint | undefined;
  readonly auction_current_bidder: string;
  readonly job_type: string;
}

export type HoldingPage = Page<Holding>;

export interface Holding {
  readonly mrc402: string;
  readonly balance: bigint;
  readonly saleamount: bigint;
  readonly auctionamount: bigint;
}

export type UnitHolderPage = Page<UnitHolder>;

export interface UnitHolder {
  readonly address: string;
  readonly balance: bigint;
  readonly saleamount: bigint;
  readonly auctionamount: bigint;
}

export interface Order {
  readonly mrc040id: string;
  readonly owner: string;
  readonly side: "SELL" | "BUY";
  readonly status: "WAIT" | "TRADING" | "COMPLETE" | "CANCEL";
  /** id of the token that is paid with */
  readonly basetoken: string;
  /** id of the token that is traded */
  readonly targettoken: string;
  /** of one whole target token, in the base */
  readonly price: bigint;
  readonly qtt: bigint;
  /** what is not traded */
  readonly remainqtt: bigint;
  /** of the target (SELL) or the base (BUY) */
  readonly held: bigint;
  /** Unix seconds */
  readonly regdate: number;
  /** Unix seconds */
  readonly complete_date: number;
  /** Unix seconds */
  readonly cancel_date: number;
  /** type of the order's newest record */
  readonly job_type: string;
}

export type OrderPage = Page<Order>;

export type OrderBookOrSide = OrderBook | OrderLevelPage;

export interface OrderBook {
  /** id of the token that is paid with */
  readonly basetoken: string;
  /** id of the token that is traded */
  readonly targettoken: string;
  readonly open: boolean;
  readonly basedecimal: number;
  readonly targetdecimal: number;
  readonly bids: readonly OrderLevel[];
  readonly asks: readonly OrderLevel[];
}

export interface OrderLevel {
  readonly price: bigint;
  /** what they have left */
  readonly qtt: bigint;
  /** how many they are */
  readonly orders: number;
}

export type OrderLevelPage = Page<OrderLevel>;

export type PendingOrdersPage = Page<PendingOrders>;

export interface PendingOrders {
  readonly token: string;
  readonly pending: bigint;
  /** how many orders hold it */
  readonly orders: number;
}

export type OrderTradePage = Page<OrderTrade>;

export interface OrderTrade {
  readonly id: string;
  readonly transaction_id: string;
  /** Unix seconds */
  readonly timestamp: number;
  /** id of the token that is paid with */
  readonly basetoken: string;
  /** id of the token that is traded */
  readonly targettoken: string;
  /** id of the order that waited */
  readonly mrc040id: string;
  /** whose order it is */
  readonly owner: string;
  /** who came */
  readonly requester: string;
  /** what the requester did */
  readonly side: "SELL" | "BUY";
  readonly price: bigint;
  readonly qtt: bigint;
  /** what it cost, of the base */
  readonly amount: bigint;
}

export interface Seal {
  readonly id: string;
  readonly owner: string;
  readonly algorithm: string;
  /** what the key decrypts, if it is not the text itself */
  readonly data: string;
  /** what its owner has committed to */
  readonly keyhash: string;
  /** Unix seconds */
  readonly createdate: number;
  /** from when on it can be opened, Unix seconds */
  readonly opendate: number;
  readonly referencekey: string;
  /** the key that has opened it, empty before */
  readonly publickey: string;
  /** 0 or 1 */
  readonly is_open: number;
  /** when it was opened, Unix seconds; 0 before */
  readonly opened: number;
}

export type SealPage = Page<Seal>;

/**
 * The operations that an actor signs. Besides the codes of each, any request may be refused with
 * 1005, 1006, 1007, 1008, 9001, 9002, 9003, 9004, 9006, 9404, 9405, 9408, 9413, 9415, 9431, 9500.
 */
export abstract class SignedOperations {
  protected abstract write<A>(name: string, request: object, options?: CallOptions): Promise<A>;

  /**
   * Moves an amount of the native coin or of a token from one address to another. `POST /transfer`
   *
   * Refused with 1000, 1101, 1102, 2010, 2020, 2021, 2230, 3005, 3020, 3090, 3190, 3201, 4001, 5001, 7118.
   */
  transfer(request: TransferRequest, options?: CallOptions): Promise<Written> {
    return this.write("transfer", request, options);
  }

  /**
   * Moves amounts of the native coin or of a token from one address to 1 to 100 others, all or none. `POST /multitransfer`
   *
   * Refused with 1000, 1007, 1101, 1102, 2010, 2020, 2021, 2230, 3002, 3005, 3020, 3090, 3190, 3201, 4001, 5001, 7118.
   */
  multitransfer(request: MultitransferRequest, options?: CallOptions): Promise<Written> {
    return this.write("multitransfer", request, options);
  }

  /**
   * Saves a draft of a token, from which POST /token/{tkey} creates it within 3600 s. A later draft of the same owner and name replaces it. `POST /token`
   *
   * Refused with 1000, 1003, 1004, 1007, 1101, 1102, 1103, 2010, 2020, 2021, 2230, 3005, 3020, 3090, 3190.
   */
  tokensave(
    request: TokensaveRequest,
    options?: CallOptions,
  ): Promise<{ readonly transaction_id: string; readonly tkey: string }> {
    return this.write("tokensave", request, options);
  }

  /**
   * Creates the token of which the signature names the draft. `POST /token/{tkey}`
   *
   * Refused with 1000, 2010, 2020, 2021, 2230, 3002, 3005, 3020, 6010.
   */
  tokencreate(
    options?: CallOptions,
  ): Promise<{ readonly transaction_id: string; readonly token: string }> {
    return this.write("tokencreate", {}, options);
  }

  /**
   * Burns units of a token that its owner holds. `PUT /token/burn/{tkey}`
   *
   * Refused with 1000, 1101, 1206, 2010, 2020, 2021, 2230, 3005, 3020, 4001, 5000, 7001.
   */
  tokenburn(
    request: TokenburnRequest,
    options?: CallOptions,
  ): Promise<{ readonly transaction_id: string; readonly token: string }> {
    return this.write("tokenburn", request, options);
  }

  /**
   * Issues more units of a token to its owner. `PUT /token/increase/{tkey}`
   *
   * Refused with 1000, 1101, 1206, 2010, 2020, 2021, 2230, 3005, 3020, 4001, 7001.
   */
  tokenincrease(
    request: TokenincreaseRequest,
    options?: CallOptions,
  ): Promise<{ readonly transaction_id: string; readonly token: string }> {
    return this.write("tokenincrease", request, options);
  }

  /**
   * Replaces URL, information and image of a token. An empty image keeps the stored one, an empty URL clears it. Without an id it is the first of the owner's tokens that the signature fits. `PUT /token/update/{tkey}`
   *
   * Refused with 1000, 1101, 2010, 2020, 2021, 2230, 3005, 3020, 4001, 4900, 7001.
   */
  tokenupdate(
    request: TokenupdateRequest,
    options?: CallOptions,
  ): Promise<{ readonly transaction_id: string; readonly token: string }> {
    return this.write("tokenupdate", request, options);
  }

  /**
   * Sets the token that a token is traded for on the order exchange; 0, as every token begins, is the native coin. The owner of the base admits the token with tokenaddtarget. `POST /tokenUpdate/TokenBase/{tkey}/{token}/{baseToken}`
   *
   * Refused with 1000, 1101, 2010, 2020, 2021, 2230, 3005, 3020, 3021, 4001, 4900.
   */
  tokensetbase(request: TokensetbaseRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("tokensetbase", request, options);
  }

  /**
   * Admits a token as one that is traded for this one on the order exchange. The pair is open once the other token has this one as its base. `POST /tokenUpdate/TokenTargetAdd/{tkey}/{token}/{targetToken}`
   *
   * Refused with 1000, 1101, 2010, 2020, 2021, 2230, 3002, 3005, 3020, 3021, 4001, 4900.
   */
  tokenaddtarget(request: TokenaddtargetRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("tokenaddtarget", request, options);
  }

  /**
   * Withdraws the admission of a token that is traded for this one on the order exchange. Orders of the pair stay, and can be cancelled. `POST /tokenUpdate/TokenTargetRemove/{tkey}/{token}/{targetToken}`
   *
   * Refused with 1000, 1101, 2010, 2020, 2021, 2230, 3005, 3020, 3021, 4001, 4900.
   */
  tokenremovetarget(
    request: TokenremovetargetRequest,
    options?: CallOptions,
  ): Promise<MarketWritten> {
    return this.write("tokenremovetarget", request, options);
  }

  /**
   * Offers units of a token for sale at a fixed price; they are held until they are sold. `POST /token/sell/{mrc010id}`
   *
   * Refused with 1000, 1101, 1104, 1107, 2010, 2020, 2021, 2230, 3005, 3020, 3090, 3190, 4001, 5000.
   */
  mrc010sell(request: Mrc010sellRequest, options?: CallOptions): Promise<TokensListed> {
    return this.write("mrc010sell", request, options);
  }

  /**
   * Cancels the rest of an offer of tokens. `POST /token/unsell/{dexid}`
   *
   * Refused with 1000, 2010, 2020, 2021, 2230, 3005, 3020, 6004, 7101, 7102, 7103.
   */
  mrc010unsell(request: Mrc010unsellRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc010unsell", request, options);
  }

  /**
   * Buys from an offer of tokens, all of it or a part. `POST /token/buy/{dexid}`
   *
   * Refused with 1000, 1101, 1107, 2010, 2020, 2021, 2230, 3004, 3005, 3020, 3090, 3190, 5000, 6004, 7101, 7102, 7103.
   */
  mrc010buy(request: Mrc010buyRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc010buy", request, options);
  }

  /**
   * Asks for units of a token at a fixed price; payment and commission are held until somebody sells. `POST /token/reqsell/{mrc010id}`
   *
   * Refused with 1000, 1101, 1104, 1107, 2010, 2020, 2021, 2230, 3005, 3020, 3090, 3190, 4001, 5000.
   */
  mrc010reqsell(request: Mrc010reqsellRequest, options?: CallOptions): Promise<TokensListed> {
    return this.write("mrc010reqsell", request, options);
  }

  /**
   * Cancels a request for tokens and returns the rest of its payment. `POST /token/unreqsell/{dexid}`
   *
   * Refused with 1000, 2010, 2020, 2021, 2230, 3005, 3020, 6004, 7101, 7102, 7103.
   */
  mrc010unreqsell(request: Mrc010unreqsellRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc010unreqsell", request, options);
  }

  /**
   * Sells to a request for tokens, all of it or a part. `POST /token/acceptreqsell/{dexid}`
   *
   * Refused with 1000, 1101, 1107, 2010, 2020, 2021, 2230, 3004, 3005, 3020, 3090, 3190, 5000, 6004, 7101, 7102, 7103.
   */
  mrc010acceptreqsell(
    request: Mrc010acceptreqsellRequest,
    options?: CallOptions,
  ): Promise<MarketWritten> {
    return this.write("mrc010acceptreqsell", request, options);
  }

  /**
   * Puts units of a token up for auction as one lot, which is held until the auction ends. `POST /token/auction/{mrc010id}`
   *
   * Refused with 1000, 1101, 1102, 1104, 1107, 2010, 2020, 2021, 2230, 3005, 3020, 3090, 3190, 4001, 5000.
   */
  mrc010auction(request: Mrc010auctionRequest, options?: CallOptions): Promise<TokensListed> {
    return this.write("mrc010auction", request, options);
  }

  /**
   * Cancels an auction of tokens that has no bid. `POST /token/unauction/{dexid}`
   *
   * Refused with 1000, 2010, 2020, 2021, 2230, 3005, 3020, 6004, 7101, 7102, 7103, 7104, 7202.
   */
  mrc010unauction(request: Mrc010unauctionRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc010unauction", request, options);
  }

  /**
   * Bids in an auction of tokens; a bid of the buy-now price wins at once. `POST /token/bid/{dexid}`
   *
   * Refused with 1000, 1101, 1107, 2010, 2020, 2021, 2230, 3004, 3005, 3020, 3090, 3190, 5000, 6004, 7101, 7102, 7103, 7105, 7202, 7203.
   */
  mrc010bid(request: Mrc010bidRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc010bid", request, options);
  }

  /**
   * Opens a project, in which its owner and partners create items. `POST /mrc400`
   *
   * Refused with 1000, 1007, 1101, 2010, 2020, 2021, 2230, 3005, 3020, 3090, 3190, 4001.
   */
  mrc400create(
    request: Mrc400createRequest,
    options?: CallOptions,
  ): Promise<{ readonly transaction_id: string; readonly mrc400id: string }> {
    return this.write("mrc400create", request, options);
  }

  /**
   * Changes a project. What is left out stays as it is; partners and social media are replaced as a whole. `PUT /mrc400/{mrc400id}`
   *
   * Refused with 1000, 1007, 1101, 2010, 2020, 2021, 2230, 3005, 3020, 3090, 3190, 4001, 4900, 6004.
   */
  mrc400update(request: Mrc400updateRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc400update", request, options);
  }

  /**
   * Creates 1 to 100 items of a project, all or none. Whoever creates them pays their reserves; they belong to the owner of the project. `POST /mrc401/{mrc400id}`
   *
   * Refused with 1000, 1007, 1101, 1102, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 4001, 5000, 6004, 7002, 7109, 7111.
   */
  mrc401create(
    request: Mrc401createRequest & { readonly itemdata: readonly [unknown] },
    options?: CallOptions,
  ): Promise<ItemsCreated & { readonly mrc401ids: readonly [string] }>;
  /**
   * Creates 1 to 100 items of a project, all or none. Whoever creates them pays their reserves; they belong to the owner of the project. `POST /mrc401/{mrc400id}`
   *
   * Refused with 1000, 1007, 1101, 1102, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 4001, 5000, 6004, 7002, 7109, 7111.
   */
  mrc401create(request: Mrc401createRequest, options?: CallOptions): Promise<ItemsCreated>;
  mrc401create(request: Mrc401createRequest, options?: CallOptions): Promise<ItemsCreated> {
    return this.write("mrc401create", request, options);
  }

  /**
   * Changes 1 to 100 items of a project, all or none. What is left out stays as it is; empty texts are cleared. `PUT /mrc401/{mrc400id}`
   *
   * Refused with 1000, 1007, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 4900, 6004, 7002, 7110.
   */
  mrc401update(request: Mrc401updateRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc401update", request, options);
  }

  /**
   * Passes an item on; without an id in the path, the 1 to 100 items of one project that itemdata names, all or none. A transfer is no sale: the project is paid no fee, also where a group pays coins for the item. `POST /mrc401/transfer/{mrc401id}`
   *
   * Refused with 1000, 1007, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 3201, 6004, 7001, 7108, 7109, 7110.
   */
  mrc401transfer(request: Mrc401transferRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc401transfer", request, options);
  }

  /**
   * Puts 1 to 100 items on sale, all or none. `POST /mrc401/sell`
   *
   * Refused with 1000, 1007, 1101, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 4001, 6004, 7001, 7108, 7109, 7110.
   */
  mrc401sell(request: Mrc401sellRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc401sell", request, options);
  }

  /**
   * Takes 1 to 100 items off sale, all or none. `POST /mrc401/unsell`
   *
   * Refused with 1000, 1007, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 6004, 7001, 7106.
   */
  mrc401unsell(request: Mrc401unsellRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc401unsell", request, options);
  }

  /**
   * Buys an item that is on sale. Price and token, if given, guard against a sale that was replaced meanwhile; maxmeltfee, maxsellfee and transferable against other terms of the item, which its project's owner may change at any time. `POST /mrc401/buy/{mrc401id}`
   *
   * Refused with 1000, 1101, 2010, 2020, 2021, 2230, 3004, 3005, 3020, 3090, 3190, 5000, 6004, 7106, 7109, 7110, 7112.
   */
  mrc401buy(request: Mrc401buyRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc401buy", request, options);
  }

  /**
   * Melts an item for good, and pays its reserve out to its holder. `POST /mrc401/melt/{mrc401id}`
   *
   * Refused with 1000, 2010, 2020, 2021, 2230, 3005, 3020, 3090, 3190, 6004, 7001, 7108, 7110, 7204.
   */
  mrc401melt(request: Mrc401meltRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc401melt", request, options);
  }

  /**
   * Puts 1 to 100 items on auction, all or none. An end out of bounds is moved into them. `POST /mrc401/auction`
   *
   * Refused with 1000, 1007, 1101, 1102, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 4001, 6004, 7001, 7108, 7109, 7110.
   */
  mrc401auction(request: Mrc401auctionRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc401auction", request, options);
  }

  /**
   * Takes 1 to 100 items off auction that nobody has bid for, all or none. `POST /mrc401/unauction`
   *
   * Refused with 1000, 1007, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 6004, 7001, 7104, 7106.
   */
  mrc401unauction(request: Mrc401unauctionRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc401unauction", request, options);
  }

  /**
   * Bids for an item that is on auction; a bid of the buy-now price wins at once. maxmeltfee, maxsellfee and transferable, if given, guard against other terms of the item, which its project's owner may change at any time. `POST /mrc401/bid/{mrc401id}`
   *
   * Refused with 1000, 1101, 2010, 2020, 2021, 2230, 3004, 3005, 3020, 3090, 3190, 5000, 6004, 7105, 7106, 7109, 7110, 7112, 7202.
   */
  mrc401bid(request: Mrc401bidRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc401bid", request, options);
  }

  /**
   * Creates a multi-unit item that stands alone; with itemdata 1 to 100 items of a project, all or none. Whoever creates them pays their reserves and gets their units. `POST /mrc402`
   *
   * Refused with 1000, 1007, 1101, 1102, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 4001, 5000, 6004, 7002, 7109, 7111.
   */
  mrc402create(
    request: Mrc402createRequest & { readonly itemdata?: undefined },
    options?: CallOptions,
  ): Promise<UnitItemsCreated & { readonly mrc402id: string }>;
  /**
   * Creates a multi-unit item that stands alone; with itemdata 1 to 100 items of a project, all or none. Whoever creates them pays their reserves and gets their units. `POST /mrc402`
   *
   * Refused with 1000, 1007, 1101, 1102, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 4001, 5000, 6004, 7002, 7109, 7111.
   */
  mrc402create(
    request: Mrc402createRequest & { readonly itemdata: readonly [unknown] },
    options?: CallOptions,
  ): Promise<UnitItemsCreated & { readonly mrc402ids: readonly [string] }>;
  /**
   * Creates a multi-unit item that stands alone; with itemdata 1 to 100 items of a project, all or none. Whoever creates them pays their reserves and gets their units. `POST /mrc402`
   *
   * Refused with 1000, 1007, 1101, 1102, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 4001, 5000, 6004, 7002, 7109, 7111.
   */
  mrc402create(request?: Mrc402createRequest, options?: CallOptions): Promise<UnitItemsCreated>;
  mrc402create(
    request: Mrc402createRequest = {},
    options?: CallOptions,
  ): Promise<UnitItemsCreated> {
    return this.write("mrc402create", request, options);
  }

  /**
   * Passes units of an item on, one if no amount is given. A transfer is no sale: it pays no fees, commissions or shares, also where a group pays coins for the units. `POST /mrc402/transfer/{mrc402id}`
   *
   * Refused with 1000, 1101, 1206, 2010, 2020, 2021, 2230, 3005, 3020, 3090, 3190, 3201, 5000, 6004, 7001, 7108, 7109, 7110.
   */
  mrc402transfer(request: Mrc402transferRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc402transfer", request, options);
  }

  /**
   * Issues more units of an item to its creator, who pays their reserve. `PUT /mrc402/mint/{mrc402id}`
   *
   * Refused with 1000, 1101, 1206, 2010, 2020, 2021, 2230, 3005, 3020, 3090, 3190, 5000, 6004, 7002, 7110.
   */
  mrc402mint(request: Mrc402mintRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc402mint", request, options);
  }

  /**
   * Takes units of an item that its creator holds out of existence, and gives their reserve back. `PUT /mrc402/burn/{mrc402id}`
   *
   * Refused with 1000, 1101, 1206, 2010, 2020, 2021, 2230, 3005, 3020, 3090, 3190, 5000, 6004, 7002, 7108, 7110.
   */
  mrc402burn(request: Mrc402burnRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc402burn", request, options);
  }

  /**
   * Melts units of an item for good, one if no amount is given, and pays their reserve out to their holder. `POST /mrc402/melt/{mrc402id}`
   *
   * Refused with 1000, 1101, 1106, 2010, 2020, 2021, 2230, 3005, 3020, 3090, 3190, 5000, 6004, 7001, 7108, 7110, 7204.
   */
  mrc402melt(request: Mrc402meltRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc402melt", request, options);
  }

  /**
   * Changes what the creator of an item says of it. What is left out stays as it is; each copyright field can be set once. `PUT /mrc402/update/{mrc402id}`
   *
   * Refused with 1000, 1007, 2010, 2020, 2021, 2230, 3002, 3005, 3020, 3090, 3190, 4900, 6004, 7002.
   */
  mrc402update(request: Mrc402updateRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc402update", request, options);
  }

  /**
   * Changes 1 to 100 multi-unit items of a project, all or none. What is left out stays as it is; empty texts are cleared. `PUT /mrc402/{mrc400id}`
   *
   * Refused with 1000, 1007, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 4900, 6004, 7002, 7110.
   */
  mrc402itemupdate(
    request: Mrc402itemupdateRequest,
    options?: CallOptions,
  ): Promise<MarketWritten> {
    return this.write("mrc402itemupdate", request, options);
  }

  /**
   * Puts units of an item on sale; with itemdata those of 1 to 100 items, all or none. Each offer is a listing of its own. `POST /mrc402/sell/{id}`
   *
   * Refused with 1000, 1007, 1101, 1107, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 4001, 5000, 6004, 7001, 7108, 7109, 7110.
   */
  mrc402sell(
    request: Mrc402sellRequest & { readonly itemdata?: undefined },
    options?: CallOptions,
  ): Promise<UnitsListed & { readonly mrc402dexid: string }>;
  /**
   * Puts units of an item on sale; with itemdata those of 1 to 100 items, all or none. Each offer is a listing of its own. `POST /mrc402/sell/{id}`
   *
   * Refused with 1000, 1007, 1101, 1107, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 4001, 5000, 6004, 7001, 7108, 7109, 7110.
   */
  mrc402sell(
    request: Mrc402sellRequest & { readonly itemdata: readonly [unknown] },
    options?: CallOptions,
  ): Promise<UnitsListed & { readonly mrc402dexids: readonly [string] }>;
  /**
   * Puts units of an item on sale; with itemdata those of 1 to 100 items, all or none. Each offer is a listing of its own. `POST /mrc402/sell/{id}`
   *
   * Refused with 1000, 1007, 1101, 1107, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 4001, 5000, 6004, 7001, 7108, 7109, 7110.
   */
  mrc402sell(request?: Mrc402sellRequest, options?: CallOptions): Promise<UnitsListed>;
  mrc402sell(request: Mrc402sellRequest = {}, options?: CallOptions): Promise<UnitsListed> {
    return this.write("mrc402sell", request, options);
  }

  /**
   * Cancels the rest of an offer of units; with itemdata of 1 to 100 offers, all or none. `POST /mrc402/unsell/{id}`
   *
   * Refused with 1000, 1007, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 6004, 7001, 7101, 7102, 7103, 7106, 7107.
   */
  mrc402unsell(request: Mrc402unsellRequest = {}, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc402unsell", request, options);
  }

  /**
   * Buys units from an offer, which its id names, or the item's if there is just one. Price and token, if given, guard against an offer that was replaced meanwhile; maxmeltfee, maxsellfee and transferable against other terms of the item, which its project's owner may change at any time. `POST /mrc402/buy/{id}`
   *
   * Refused with 1000, 1101, 1107, 2010, 2020, 2021, 2230, 3004, 3005, 3020, 3090, 3190, 5000, 6004, 7101, 7102, 7103, 7106, 7107, 7109, 7112.
   */
  mrc402buy(request: Mrc402buyRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc402buy", request, options);
  }

  /**
   * Puts units of an item on auction as one lot; with itemdata lots of 1 to 100 items, all or none, whose ends are moved into their bounds. `POST /mrc402/auction/{id}`
   *
   * Refused with 1000, 1007, 1101, 1102, 1108, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 4001, 5000, 6004, 7001, 7108, 7109, 7110.
   */
  mrc402auction(
    request: Mrc402auctionRequest & { readonly itemdata?: undefined },
    options?: CallOptions,
  ): Promise<UnitsListed & { readonly mrc402dexid: string }>;
  /**
   * Puts units of an item on auction as one lot; with itemdata lots of 1 to 100 items, all or none, whose ends are moved into their bounds. `POST /mrc402/auction/{id}`
   *
   * Refused with 1000, 1007, 1101, 1102, 1108, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 4001, 5000, 6004, 7001, 7108, 7109, 7110.
   */
  mrc402auction(
    request: Mrc402auctionRequest & { readonly itemdata: readonly [unknown] },
    options?: CallOptions,
  ): Promise<UnitsListed & { readonly mrc402dexids: readonly [string] }>;
  /**
   * Puts units of an item on auction as one lot; with itemdata lots of 1 to 100 items, all or none, whose ends are moved into their bounds. `POST /mrc402/auction/{id}`
   *
   * Refused with 1000, 1007, 1101, 1102, 1108, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 4001, 5000, 6004, 7001, 7108, 7109, 7110.
   */
  mrc402auction(request?: Mrc402auctionRequest, options?: CallOptions): Promise<UnitsListed>;
  mrc402auction(request: Mrc402auctionRequest = {}, options?: CallOptions): Promise<UnitsListed> {
    return this.write("mrc402auction", request, options);
  }

  /**
   * Cancels an auction of units that has no bid; with itemdata 1 to 100 of them, all or none. `POST /mrc402/unauction/{id}`
   *
   * Refused with 1000, 1007, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3090, 3190, 6004, 7001, 7101, 7102, 7103, 7104, 7106, 7107.
   */
  mrc402unauction(
    request: Mrc402unauctionRequest = {},
    options?: CallOptions,
  ): Promise<MarketWritten> {
    return this.write("mrc402unauction", request, options);
  }

  /**
   * Bids in an auction of units, which its id names, or the item's if there is just one. A bid of the buy-now price wins at once. maxmeltfee, maxsellfee and transferable, if given, guard against other terms of the item, which its project's owner may change at any time. `POST /mrc402/bid/{id}`
   *
   * Refused with 1000, 1101, 2010, 2020, 2021, 2230, 3004, 3005, 3020, 3090, 3190, 5000, 6004, 7101, 7102, 7103, 7105, 7106, 7107, 7109, 7112, 7202, 7203.
   */
  mrc402bid(request: Mrc402bidRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc402bid", request, options);
  }

  /**
   * Offers to buy or sell a quantity of a token at a price for one whole token. It trades at once with orders of that price or a better one, and waits with the rest. `POST /mrc040/create/{tkey}`
   *
   * Refused with 1000, 1101, 1104, 1107, 2010, 2020, 2021, 2230, 3004, 3005, 3020, 3021, 3090, 3190, 4001, 5000, 7114, 7116.
   */
  mrc040create(request: Mrc040createRequest, options?: CallOptions): Promise<OrderRegistered> {
    return this.write("mrc040create", request, options);
  }

  /**
   * Cancels an order; its owner gets back what it holds. `POST /mrc040/cancel/{tkey}`
   *
   * Refused with 1000, 2010, 2020, 2021, 2230, 3005, 3020, 3021, 3090, 3190, 6004, 7001, 7101, 7102.
   */
  mrc040cancel(request: Mrc040cancelRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.write("mrc040cancel", request, options);
  }

  /**
   * Buys or sells at once what waiting orders have at this price or a better one, if it is at least minqtt. Nothing of it waits. `POST /mrc040/request/{tkey}`
   *
   * Refused with 1000, 1101, 1104, 1107, 2010, 2020, 2021, 2230, 3004, 3005, 3020, 3021, 3090, 3190, 4001, 5000, 7114, 7117.
   */
  mrc040request(request: Mrc040requestRequest, options?: CallOptions): Promise<OrderRequestDone> {
    return this.write("mrc040request", request, options);
  }

  /**
   * Takes a quantity of the order that is first in its line, at its price: the taker does the opposite of the order. `POST /mrc040/exchange/{tkey}`
   *
   * Refused with 1000, 1101, 1107, 2010, 2020, 2021, 2230, 3002, 3004, 3005, 3020, 3021, 3090, 3190, 5000, 6004, 7101, 7102, 7114, 7115.
   */
  mrc040exchange(
    request: Mrc040exchangeRequest,
    options?: CallOptions,
  ): Promise<OrderExchangeDone> {
    return this.write("mrc040exchange", request, options);
  }

  /**
   * Commits to a text by the hash of the key that opens it: from a date on, whoever has the key can show it, and everybody sees that it is the one. The key itself is never sent here, because requests are public. `POST /mrc020`
   *
   * Refused with 1000, 1102, 2010, 2020, 2021, 2230, 3005, 3020, 3021, 3090, 3190, 7111.
   */
  mrc020(request: Mrc020Request, options?: CallOptions): Promise<TextSealed> {
    return this.write("mrc020", request, options);
  }

  /**
   * Announces a new version of the rules and the block from which it holds, on ledgers that have an operator, who signs it. A later announcement before that block replaces it. `POST /protocol`
   *
   * Refused with 1000, 1101, 2010, 2020, 2021, 2230, 3005, 3020, 9404.
   */
  protocol(request: ProtocolRequest, options?: CallOptions): Promise<Written> {
    return this.write("protocol", request, options);
  }
}

/**
 * What needs no signature of the caller: reads, and the operations that anybody may send. Any
 * request may be refused with 1005, 1006, 1007, 1008, 9001, 9002, 9003, 9004, 9006, 9404, 9405, 9408, 9413, 9415, 9431, 9500 as well.
 */
export abstract class UnsignedCalls {
  protected abstract call<A>(name: string, request: object, options?: CallOptions): Promise<A>;

  /**
   * Creates an address for an ECDSA public key. With the header Idempotency-Key the same request gets the same address. `POST /address`
   *
   * Refused with 3005, 3102, 3103, 3104, 3105, 3106.
   */
  address(
    request: AddressRequest,
    options?: CallOptions,
  ): Promise<{ readonly transaction_id: string; readonly address: string }> {
    return this.call("address", request, options);
  }

  /**
   * Swaps an amount of one token for an amount of another between two addresses that both have signed. Each side may pay a fee to an address of its choice, also from what it receives. All of it is done, or nothing; anybody may send it. `POST /exchange`
   *
   * Refused with 1000, 1101, 2010, 2020, 2021, 2230, 3005, 3020, 3021, 3090, 3190, 3201, 4001, 5001, 5002.
   */
  exchange(request: ExchangeRequest, options?: CallOptions): Promise<Written> {
    return this.call("exchange", request, options);
  }

  /**
   * Closes an auction of tokens that is over: the highest bidder gets the lot, or the seller gets it back. Anybody may call it, with GET or POST. `GET /token/auctionfinish/{dexid}`
   *
   * Refused with 6004, 7101, 7102, 7103, 7201.
   */
  mrc010auctionfinish(
    request: Mrc010auctionfinishRequest,
    options?: CallOptions,
  ): Promise<MarketWritten> {
    return this.call("mrc010auctionfinish", request, options);
  }

  /**
   * Closes the auction of an item that is over: the highest bidder gets it, or its holder keeps it. Anybody may call it, with GET or POST. `GET /mrc401/auctionfinish/{mrc401id}`
   *
   * Refused with 6004, 7106, 7201.
   */
  mrc401auctionfinish(
    request: Mrc401auctionfinishRequest,
    options?: CallOptions,
  ): Promise<MarketWritten> {
    return this.call("mrc401auctionfinish", request, options);
  }

  /**
   * Closes an auction of units that is over: the highest bidder gets the lot, or the seller gets it back. Anybody may call it, with GET or POST. `GET /mrc402/auctionfinish/{id}`
   *
   * Refused with 6004, 7101, 7102, 7103, 7106, 7201.
   */
  mrc402auctionfinish(
    request: Mrc402auctionfinishRequest,
    options?: CallOptions,
  ): Promise<MarketWritten> {
    return this.call("mrc402auctionfinish", request, options);
  }

  /**
   * Opens a sealed text, from its date on, by its key, which then everybody can read. It needs no signature: the key is enough. The key stands in the body only. `POST /mrc020/open/{mrc020key}`
   *
   * Refused with 1000, 3005, 3006, 3021, 6004, 7113, 7205.
   */
  mrc020open(request: Mrc020openRequest, options?: CallOptions): Promise<MarketWritten> {
    return this.call("mrc020open", request, options);
  }

  /**
   * Gives an address some of the native coin, on deployments that have a faucet. `POST /faucet`
   *
   * Refused with 1000, 1101, 3090, 3190, 3201, 5001.
   */
  faucet(request: FaucetRequest, options?: CallOptions): Promise<FaucetAnswer> {
    return this.call("faucet", request, options);
  }

  /** Name, version, deployment, height, rules and native coin of this node. `GET /` */
  service(options?: CallOptions): Promise<ServiceInfo> {
    return this.call("service", {}, options);
  }

  /**
   * Shows an address and its balances; with view=full also its public key and memo. `GET /address/{address}`
   *
   * Refused with 3005, 3090, 3190.
   */
  addressRead(request: AddressReadRequest, options?: CallOptions): Promise<AddressInfo> {
    return this.call("addressRead", request, options);
  }

  /**
   * Lists the addresses of a public key, oldest first. `POST /address/bykey`
   *
   * Refused with 1000, 1101, 3090, 3190.
   */
  addressByKey(request: AddressByKeyRequest, options?: CallOptions): Promise<Addresses> {
    return this.call("addressByKey", request, options);
  }

  /**
   * Issues a temporary key, which a signed write of this address carries. It is valid for an hour, or for `valid` seconds. `GET /nonce/{address}`
   *
   * Refused with 1101, 3090, 3190.
   */
  nonce(
    request: NonceRequest & { readonly count?: undefined },
    options?: CallOptions,
  ): Promise<string>;
  /**
   * Issues a temporary key, which a signed write of this address carries. It is valid for an hour, or for `valid` seconds. `GET /nonce/{address}`
   *
   * Refused with 1101, 3090, 3190.
   */
  nonce(
    request: NonceRequest & { readonly count: number | bigint },
    options?: CallOptions,
  ): Promise<TemporaryKeys>;
  /**
   * Issues a temporary key, which a signed write of this address carries. It is valid for an hour, or for `valid` seconds. `GET /nonce/{address}`
   *
   * Refused with 1101, 3090, 3190.
   */
  nonce(request: NonceRequest, options?: CallOptions): Promise<string | TemporaryKeys>;
  nonce(request: NonceRequest, options?: CallOptions): Promise<string | TemporaryKeys> {
    return this.call("nonce", request, options);
  }

  /**
   * Issues a temporary key; one of a kind that is the name of an operation serves only that operation. `GET /getkey/{kind}/{address}`
   *
   * Refused with 1000, 1101, 3005, 3090, 3190.
   */
  getkey(
    request: GetkeyRequest & { readonly count?: undefined },
    options?: CallOptions,
  ): Promise<string>;
  /**
   * Issues a temporary key; one of a kind that is the name of an operation serves only that operation. `GET /getkey/{kind}/{address}`
   *
   * Refused with 1000, 1101, 3005, 3090, 3190.
   */
  getkey(
    request: GetkeyRequest & { readonly count: number | bigint },
    options?: CallOptions,
  ): Promise<TemporaryKeys>;
  /**
   * Issues a temporary key; one of a kind that is the name of an operation serves only that operation. `GET /getkey/{kind}/{address}`
   *
   * Refused with 1000, 1101, 3005, 3090, 3190.
   */
  getkey(request: GetkeyRequest, options?: CallOptions): Promise<string | TemporaryKeys>;
  getkey(request: GetkeyRequest, options?: CallOptions): Promise<string | TemporaryKeys> {
    return this.call("getkey", request, options);
  }

  /**
   * Lists the balances of an address, free and locked ones. `GET /balance/{address}`
   *
   * Refused with 1101, 3005, 3090, 3190.
   */
  balance(request: BalanceRequest, options?: CallOptions): Promise<BalanceEntries> {
    return this.call("balance", request, options);
  }

  /**
   * Lists the balances of an address in one token. `GET /balance/{address}/{token}`
   *
   * Refused with 1000, 1101, 3005, 3090, 3190, 4001.
   */
  balanceOfToken(request: BalanceOfTokenRequest, options?: CallOptions): Promise<BalanceEntries> {
    return this.call("balanceOfToken", request, options);
  }

  /** The number of the newest block. `GET /block` */
  height(options?: CallOptions): Promise<string> {
    return this.call("height", {}, options);
  }

  /**
   * Shows a block by its number or by its id. `GET /block/{block}`
   *
   * Refused with 6001.
   */
  block(request: BlockRequest, options?: CallOptions): Promise<Block> {
    return this.call("block", request, options);
  }

  /**
   * Shows all of a block that is needed to check and replay it. `GET /block/{block}/raw`
   *
   * Refused with 1000, 6001.
   */
  blockRaw(request: BlockRawRequest, options?: CallOptions): Promise<RawBlock> {
    return this.call("blockRaw", request, options);
  }

  /**
   * Lists blocks, newest first. `GET /blocks`
   *
   * Refused with 1101, 3005.
   */
  blocks(request: BlocksRequest = {}, options?: CallOptions): Promise<BlockSummaryPage> {
    return this.call("blocks", request, options);
  }

  /**
   * Shows all of the blocks from one on that is needed to check and replay them, oldest first, one a line. It may end before the limit where they are large. `GET /blocks/raw`
   *
   * Refused with 1101.
   */
  blocksRaw(
    request: BlocksRawRequest = {},
    options?: CallOptions,
  ): Promise<Uint8Array<ArrayBuffer>> {
    return this.call("blocksRaw", request, options);
  }

  /**
   * Shows a transaction with its effects. `GET /transaction/{transaction_id}`
   *
   * Refused with 6008.
   */
  transaction(request: TransactionRequest, options?: CallOptions): Promise<Transaction> {
    return this.call("transaction", request, options);
  }

  /**
   * Lists the ids of the transactions that a group has become, in their order. `GET /group/{id}`
   *
   * Refused with 6009.
   */
  groupTransactions(
    request: GroupTransactionsRequest,
    options?: CallOptions,
  ): Promise<GroupTransactions> {
    return this.call("groupTransactions", request, options);
  }

  /**
   * Lists what was done, newest first: of each transaction its own record, without effects. `GET /transactions`
   *
   * Refused with 1101, 3005, 6001.
   */
  transactions(
    request: TransactionsRequest = {},
    options?: CallOptions,
  ): Promise<TransactionRecordPage> {
    return this.call("transactions", request, options);
  }

  /**
   * The history of an address, newest first: what it did and what was done to it. `GET /address/{address}/transactions`
   *
   * Refused with 1000, 1101, 3005, 3090, 3190.
   */
  addressTransactions(
    request: AddressTransactionsRequest,
    options?: CallOptions,
  ): Promise<TransactionRecordPage> {
    return this.call("addressTransactions", request, options);
  }

  /**
   * The history of an item, a listing or a project, newest first. That of a multi-unit item has what was done to its listings, too. `GET /item/{id}/transactions`
   *
   * Refused with 1000, 1101, 3005, 6004.
   */
  itemTransactions(
    request: ItemTransactionsRequest,
    options?: CallOptions,
  ): Promise<ItemRecordPage> {
    return this.call("itemTransactions", request, options);
  }

  /**
   * Counts transactions by the minute or hour of their ledger time, the oldest first: those that begin from `since` to `until`, at most 1440. Minutes and hours without transactions are left out. `GET /totals`
   *
   * Refused with 1101, 3005.
   */
  totals(request: TotalsRequest = {}, options?: CallOptions): Promise<Totals> {
    return this.call("totals", request, options);
  }

  /**
   * Proves that a transaction is in the tree of all transactions, of the newest size or of an earlier one (RFC 6962). `GET /transaction/{transaction_id}/proof`
   *
   * Refused with 1000, 1101, 6008.
   */
  transactionProof(
    request: TransactionProofRequest,
    options?: CallOptions,
  ): Promise<TransactionProof> {
    return this.call("transactionProof", request, options);
  }

  /**
   * The signed checkpoint of the tree of all transactions (C2SP tlog-checkpoint); Ledger-Height names its block. `GET /checkpoint`
   *
   * Refused with 9404.
   */
  checkpoint(options?: CallOptions): Promise<string> {
    return this.call("checkpoint", {}, options);
  }

  /**
   * The verifier keys of checkpoints (C2SP signed-note), one a line, newest first. Whoever verifies should know them from elsewhere. `GET /checkpoint/key`
   *
   * Refused with 9404.
   */
  checkpointKey(options?: CallOptions): Promise<string> {
    return this.call("checkpointKey", {}, options);
  }

  /**
   * Proves that the tree of one size is the beginning of that of a later size (RFC 6962), by default the newest. `GET /checkpoint/consistency`
   *
   * Refused with 1000, 1101.
   */
  checkpointConsistency(
    request: CheckpointConsistencyRequest,
    options?: CallOptions,
  ): Promise<ConsistencyProof> {
    return this.call("checkpointConsistency", request, options);
  }

  /**
   * 256 consecutive hashes of a level of the tree, or fewer of a partial tile (C2SP tlog-tiles). `GET /tlog/tile/{level}/{tile}`
   *
   * Refused with 1000, 9404.
   */
  tile(request: TileRequest, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    return this.call("tile", request, options);
  }

  /**
   * The texts of 256 consecutive leaves, or fewer of a partial tile, each after its length as a big-endian uint16 (C2SP tlog-tiles). `GET /tlog/tile/entries/{tile}`
   *
   * Refused with 9404.
   */
  entryBundle(
    request: EntryBundleRequest,
    options?: CallOptions,
  ): Promise<Uint8Array<ArrayBuffer>> {
    return this.call("entryBundle", request, options);
  }

  /**
   * Lists tokens, the newest first, without their images and other long texts. `GET /tokens`
   *
   * Refused with 1101, 3005, 3190.
   */
  tokens(request: TokensRequest = {}, options?: CallOptions): Promise<ListedTokenPage> {
    return this.call("tokens", request, options);
  }

  /**
   * Shows a token: what it is, and how much of it there is. `GET /token/{token}`
   *
   * Refused with 1101, 4001.
   */
  token(request: TokenRequest, options?: CallOptions): Promise<Token> {
    return this.call("token", request, options);
  }

  /**
   * Lists who has a balance of a token, the newest address first. `GET /token/holders/{token}`
   *
   * Refused with 1101, 3005, 4001.
   */
  tokenHolders(request: TokenHoldersRequest, options?: CallOptions): Promise<TokenHolderPage> {
    return this.call("tokenHolders", request, options);
  }

  /**
   * The image of a token that was given as a data URL, as a file of its own type. `GET /token/{token}/image`
   *
   * Refused with 1000, 1101, 4001, 6011.
   */
  tokenImage(request: TokenImageRequest, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    return this.call("tokenImage", request, options);
  }

  /**
   * How much of a token exists, in whole tokens: exact decimal text, for price sites. `GET /totalsupply/{token}`
   *
   * Refused with 1101, 4001.
   */
  totalsupply(request: TotalsupplyRequest, options?: CallOptions): Promise<string> {
    return this.call("totalsupply", request, options);
  }

  /**
   * Lists offers, requests and auctions of tokens, newest first, by the end of auctions, or by the price of one unit of offers, which needs `token` and `paytoken`. A bidder is one with the highest bid in an open auction. `GET /token/dex`
   *
   * Refused with 1000, 1101, 3005, 3190.
   */
  tokenListings(
    request: TokenListingsRequest = {},
    options?: CallOptions,
  ): Promise<TokenListingPage> {
    return this.call("tokenListings", request, options);
  }

  /**
   * Shows a listing of tokens: an offer, a request or an auction. `GET /token/dex/{dexid}`
   *
   * Refused with 6004.
   */
  tokenListing(request: TokenListingRequest, options?: CallOptions): Promise<TokenListing> {
    return this.call("tokenListing", request, options);
  }

  /**
   * Lists what was traded of a token on its market, newest first: bought from offers, sold to requests, won in auctions. `GET /token/trades/{token}`
   *
   * Refused with 1101, 3005, 4001.
   */
  tokenTrades(request: TokenTradesRequest, options?: CallOptions): Promise<TokenTradePage> {
    return this.call("tokenTrades", request, options);
  }

  /**
   * Lists projects of items, newest first, without their long texts. `GET /mrc400`
   *
   * Refused with 1101, 3005, 3190.
   */
  mrc400Projects(
    request: Mrc400ProjectsRequest = {},
    options?: CallOptions,
  ): Promise<ListedProjectPage> {
    return this.call("mrc400Projects", request, options);
  }

  /**
   * Shows a project of items. `GET /mrc400/{mrc400id}`
   *
   * Refused with 6004.
   */
  mrc400(request: Mrc400Request, options?: CallOptions): Promise<Project> {
    return this.call("mrc400", request, options);
  }

  /**
   * Lists items of projects, newest first, by the end of auctions, or by the price of sales, which needs `token`. Those of an owner are those that it holds; a token is one that a sale or an auction asks for; a bidder is one with the highest bid in an open auction. `GET /mrc401`
   *
   * Refused with 1000, 1101, 3005, 3190.
   */
  mrc401Items(request: Mrc401ItemsRequest = {}, options?: CallOptions): Promise<ItemPage> {
    return this.call("mrc401Items", request, options);
  }

  /**
   * Shows an item of a project: whose it is, and whether it is on sale or on auction. `GET /mrc401/{mrc401id}`
   *
   * Refused with 6004.
   */
  mrc401(request: Mrc401Request, options?: CallOptions): Promise<Item> {
    return this.call("mrc401", request, options);
  }

  /**
   * Lists the items of an address, newest first: those that it holds, and those that it has units of. With view=full each has its record. `GET /address/{address}/items`
   *
   * Refused with 1000, 1101, 3005, 3090, 3190.
   */
  addressItems(request: AddressItemsRequest, options?: CallOptions): Promise<OwnedItemPage> {
    return this.call("addressItems", request, options);
  }

  /**
   * Lists multi-unit items, newest first. `GET /mrc402`
   *
   * Refused with 1101, 3005, 3190.
   */
  mrc402Items(request: Mrc402ItemsRequest = {}, options?: CallOptions): Promise<UnitItemPage> {
    return this.call("mrc402Items", request, options);
  }

  /**
   * Shows a multi-unit item: what it is, its units, its reserve and its oldest listings. `GET /mrc402/{mrc402id}`
   *
   * Refused with 6004.
   */
  mrc402(request: Mrc402Request, options?: CallOptions): Promise<UnitItem> {
    return this.call("mrc402", request, options);
  }

  /**
   * Lists offers and auctions of units, newest first, by the end of auctions, or by the price of offers, which needs `token`. A bidder is one with the highest bid in an open auction. `GET /mrc402/dex`
   *
   * Refused with 1000, 1101, 3005, 3190.
   */
  mrc402Listings(
    request: Mrc402ListingsRequest = {},
    options?: CallOptions,
  ): Promise<UnitListingPage> {
    return this.call("mrc402Listings", request, options);
  }

  /**
   * Shows a listing of units of an item: an offer or an auction. `GET /mrc402/dex/{dexid}`
   *
   * Refused with 6004.
   */
  mrc402Listing(request: Mrc402ListingRequest, options?: CallOptions): Promise<UnitListing> {
    return this.call("mrc402Listing", request, options);
  }

  /**
   * Lists the units that an address has, by item. `GET /mrc402/balance/{address}`
   *
   * Refused with 1101, 3005, 3090, 3190.
   */
  mrc402Holdings(request: Mrc402HoldingsRequest, options?: CallOptions): Promise<HoldingPage> {
    return this.call("mrc402Holdings", request, options);
  }

  /**
   * Lists who has units of a multi-unit item, by address. `GET /mrc402/holders/{mrc402id}`
   *
   * Refused with 1101, 3005, 6004.
   */
  mrc402Holders(request: Mrc402HoldersRequest, options?: CallOptions): Promise<UnitHolderPage> {
    return this.call("mrc402Holders", request, options);
  }

  /**
   * Shows an order of the order exchange, whether it waits, is complete or cancelled. `GET /mrc040/{mrc040id}`
   *
   * Refused with 6004.
   */
  order(request: OrderRequest, options?: CallOptions): Promise<Order> {
    return this.call("order", request, options);
  }

  /**
   * Lists orders, newest first; by default those that are open. `GET /mrc040/orders`
   *
   * Refused with 1101, 3005, 3190.
   */
  orders(request: OrdersRequest = {}, options?: CallOptions): Promise<OrderPage> {
    return this.call("orders", request, options);
  }

  /**
   * What waiting orders of a pair ask and bid, the best price first: of both sides the first levels, or with `side` all of one side as a list, whose cursor is a price. `GET /mrc040/book/{basetoken}/{targettoken}`
   *
   * Refused with 1000, 1101, 3005, 4001.
   */
  orderBook(request: OrderBookRequest, options?: CallOptions): Promise<OrderBookOrSide> {
    return this.call("orderBook", request, options);
  }

  /**
   * Lists how much of each token the waiting orders of an address hold, by token. `GET /mrc040/pending/{address}`
   *
   * Refused with 1101, 3005, 3090, 3190.
   */
  pendingOrders(request: PendingOrdersRequest, options?: CallOptions): Promise<PendingOrdersPage> {
    return this.call("pendingOrders", request, options);
  }

  /**
   * Lists trades with orders, the newest first. An address is the owner of the order or the taker. `GET /mrc040/trades`
   *
   * Refused with 1101, 3005, 3190.
   */
  orderTrades(request: OrderTradesRequest = {}, options?: CallOptions): Promise<OrderTradePage> {
    return this.call("orderTrades", request, options);
  }

  /**
   * Shows a trade with an order. `GET /mrc040/trades/{id}`
   *
   * Refused with 6004.
   */
  orderTrade(request: OrderTradeRequest, options?: CallOptions): Promise<OrderTrade> {
    return this.call("orderTrade", request, options);
  }

  /**
   * Shows a sealed text: what its owner has committed to, and once it is open, the key. `GET /mrc020/{mrc020key}`
   *
   * Refused with 6004.
   */
  seal(request: SealRequest, options?: CallOptions): Promise<Seal> {
    return this.call("seal", request, options);
  }

  /**
   * Lists sealed texts, the newest first. `GET /mrc020`
   *
   * Refused with 1101, 3005, 3190.
   */
  seals(request: SealsRequest = {}, options?: CallOptions): Promise<SealPage> {
    return this.call("seals", request, options);
  }
}
