import {
  address,
  addressByKey,
  addressRead,
  addressTransactions,
  balance,
  balanceOfToken,
  block,
  blockRaw,
  blocks,
  blocksRaw,
  checkpoint,
  checkpointConsistency,
  checkpointKey,
  entryBundle,
  events,
  faucet,
  getkey,
  height,
  holdersOfItem,
  holdingsOfAddress,
  item,
  items,
  itemsOfAddress,
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
  nonce,
  project,
  projects,
  protocol,
  service,
  tile,
  token,
  tokenBurn,
  tokenCreate,
  tokenHolders,
  tokenImageRead,
  tokenIncrease,
  tokenListing,
  tokenListings,
  tokenSave,
  tokens,
  tokenUpdate,
  totalSupply,
  transaction,
  transactionProof,
  transactions,
  transfer,
  unitItem,
  unitItems,
  unitListingRead,
  unitListings,
} from "@moneta/protocol";
import type { WireAnswer } from "@moneta/sdk";
import { chooseFirst } from "../commands/address.ts";
import { watch } from "../commands/watch.ts";
import type { Params, Session } from "../session/session.ts";
import * as views from "../views/record-views.ts";
import { type Members, NATIVE } from "../views/view.ts";
import type { AmountOf, DescribedCommand } from "./row.ts";
import * as trades from "./trade.ts";

/** An amount of the token that a parameter names, the native coin if it is not given. */
function of(parameter: string): AmountOf {
  return (params, session) => session.units(params[parameter] ?? "0");
}

const nativeCoin: AmountOf = (_, session) => session.units("0");

/** An amount of the token that the command is about to make. */
const newToken: AmountOf = async ({ symbol = "", decimal = "0" }) => ({
  id: "",
  symbol,
  decimal: Number(decimal),
});

/** An amount of the token that a listing of tokens is of, or is paid in. */
function ofListing(member: string): AmountOf {
  return async ({ dexid = "" }, session) => {
    const listing = (await session.lookUp("tokenListing", { dexid })) as Members;
    return await session.units(String(listing[member] || "0"));
  };
}

/** An amount of the token that is named, or else that an item or a listing of units is paid in. */
function ofItem(parameter: string, member: string): AmountOf {
  return async (params, session) => {
    const { token: named, [parameter]: id = "" } = params;
    if (named !== undefined) {
      return await session.units(named);
    }
    const record = (
      parameter === "mrc401id"
        ? await session.lookUp("mrc401", { mrc401id: id })
        : id.startsWith("DEX402_")
          ? await session.lookUp("mrc402Listing", { dexid: id })
          : await session.lookUp("mrc402", { mrc402id: id })
    ) as Members;
    return await session.units(String(record[member] ?? record["sell_token"] ?? "0"));
  };
}

/** Creates an address just once, also if an answer is lost on its way and the request is sent again. */
async function createAddress({ addinfo, signed }: Params, session: Session): Promise<WireAnswer> {
  const moneta = await session.moneta();
  const { address: created } = await moneta.createAddress(await session.signingKey(), {
    ...(addinfo === undefined ? {} : { addinfo }),
    ...(signed === "full" ? { signed } : {}),
  });
  try {
    await chooseFirst(created, session);
  } catch (thrown) {
    // The address is there all the same.
    session.output.warn((thrown as Error).message);
  }
  return { status: 200, headers: new Headers(), body: created };
}

/** What comes after a new address: coins for it, or its choice where another one goes on acting. */
async function afterAddress({ body }: WireAnswer, session: Session): Promise<string> {
  const acting = session.namedAddress ?? (await session.chosenAddress());
  return acting === undefined || acting === body
    ? "The address can be paid now. On a test deployment: moneta faucet"
    : `The address can be paid now. ${acting} goes on acting for this key; to change that: moneta address use ${body}`;
}

/** Parameters of these names have flags of others, because --url and --from are everybody's. */
const PAGE_URL = { url: "page-url" } as const;

const SMALLEST_UNITS = "Amounts in JSON are integers of the smallest unit, as texts.";

const tokenOffer = {
  args: ["mrc010id", "amount", "price"],
  defaults: { token: "0" },
  amounts: { amount: of("mrc010id"), price: of("token") },
  isPricedPerToken: true,
  prints: ["mrc010dexid"],
  details:
    "The price is that of one whole token. The market has prices of 1, 10, ... up to 100000000 smallest units; the finest of them for which the price is exact is taken, and a price that is exact for none is refused.",
} as const;

const listingOrItem = { args: ["id", "amount"] } as const;

/** Items named one after the other. */
const listedItems = {
  args: ["itemdata"],
  titles: { itemdata: "item" },
  element: { list: "itemdata" },
} as const;

/** Units of one item, by parameters of the operation itself, or of several by a list. */
const unitListing = {
  titles: { id: "item" },
  defaults: { token: "0" },
  element: { list: "itemdata", alone: "id" },
  prints: ["mrc402dexid", "mrc402dexids"],
  details: `Amounts of units are plain integers. --token is the token that prices are in. ${SMALLEST_UNITS}`,
} as const;

const listedUnits = {
  args: ["id"],
  titles: { id: "listing" },
  element: { list: "itemdata", alone: "id", aloneIf: (id) => id.startsWith("DEX402_") },
  details: "An item may stand for the one open listing of it that is yours.",
} as const satisfies Partial<DescribedCommand>;

/** Changes of one item, or of several of one project by a list. */
const changedItems = {
  args: ["id"],
  titles: { id: "item" },
  element: { list: "itemdata", without: ["item_id"] },
  ifMissing: {
    mrc400id: {
      about: "that of the items, if their ids say it",
      ask: async (_, params) => projectOf(params),
    },
  },
} as const satisfies Partial<DescribedCommand>;

/** What the id of an item, or of the first in a list, begins with: the id of its project. */
function projectOf({ id, itemdata = "[]" }: Params): string | undefined {
  let named: unknown = id;
  try {
    named ??= (JSON.parse(itemdata) as readonly Members[])[0]?.["id"];
  } catch {
    // What is wrong with the text is told where it is read.
  }
  return typeof named === "string"
    ? named.split("_").slice(0, 2).join("_") || undefined
    : undefined;
}

/** Of which tokens the amounts of a new item are. */
const newItemAmounts = { initial_reserve: of("initial_token"), sell_price: of("sell_token") };

/** All commands that are operations or reads. A new operation needs a line here. */
export const DESCRIBED_COMMANDS: readonly DescribedCommand[] = [
  {
    words: "address new",
    description: address,
    about: "Creates an address for the key.",
    publicKey: "publickey",
    send: createAddress,
    next: afterAddress,
  },
  {
    words: "address show",
    description: addressRead,
    args: ["address"],
    own: "address",
    view: views.ADDRESS,
  },
  {
    words: "address list",
    about: "Lists the addresses of the key, oldest first.",
    description: addressByKey,
    publicKey: "publickey",
  },
  {
    words: "address items",
    description: itemsOfAddress,
    args: ["address"],
    own: "address",
    view: views.OWNED_ITEMS,
  },
  {
    words: "address temporary-key",
    description: nonce,
    args: ["address"],
    own: "address",
    ifGiven: { parameter: "kind", description: getkey },
    details:
      "Commands of this program get their temporary keys themselves: this is for other clients.",
  },
  {
    words: "balance",
    description: balance,
    args: ["address"],
    own: "address",
    ifGiven: { parameter: "token", description: balanceOfToken },
    view: views.BALANCES,
  },
  {
    words: "transfer",
    trade: { doing: "paying", done: "paid", terms: trades.paymentTerms },
    description: transfer,
    args: ["to", "amount"],
    defaults: { token: "0" },
    amounts: { amount: of("token") },
    details: "moneta multitransfer pays several at once.",
  },
  {
    words: "multitransfer",
    trade: { doing: "paying", done: "paid", terms: trades.paymentTerms },
    description: multitransfer,
    args: ["transferlist"],
    defaults: { token: "0" },
    payees: { parameter: "transferlist", of: of("token") },
    details:
      'A file may have a line ADDRESS,AMOUNT or ADDRESS,AMOUNT,MEMO for each payee, with amounts in decimals: moneta multitransfer @payees.csv. Or the list is JSON, with amounts of the smallest unit: [{"address": "MT...", "amount": "150000000", "unlockdate": "0", "memo": "rent"}].',
  },
  {
    words: "faucet",
    description: faucet,
    args: ["address"],
    own: "address",
    amounts: { amount: nativeCoin },
    view: { amounts: { amount: NATIVE } },
  },
  {
    words: "history",
    description: addressTransactions,
    args: ["address"],
    own: "address",
    times: ["since", "until"],
    view: views.HISTORY,
  },

  {
    words: "token save",
    description: tokenSave,
    about:
      "Saves a draft of a token, from which moneta token create makes the token within the hour. A later draft of the same owner and name replaces it.",
    args: ["symbol", "name"],
    flagNames: { ...PAGE_URL, token: "token-id" },
    amounts: { totalsupply: newToken, reservedamount: newToken },
    answers: "temporary key",
    next: "The draft is saved. Create the token from it within the hour: moneta token create",
    details: `${SMALLEST_UNITS} Other amounts are in the decimals that --decimal gives the token.`,
  },
  {
    words: "token create",
    description: tokenCreate,
    about: "Creates a token from the newest draft that the acting address has saved.",
    prints: ["token"],
    details: "A draft is saved with moneta token save.",
  },
  {
    words: "token burn",
    description: tokenBurn,
    args: ["token", "amount"],
    amounts: { amount: of("token") },
  },
  {
    words: "token increase",
    description: tokenIncrease,
    args: ["token", "amount"],
    amounts: { amount: of("token") },
  },
  { words: "token update", description: tokenUpdate, args: ["token"], flagNames: PAGE_URL },
  { words: "token show", description: token, args: ["token"], view: views.TOKEN },
  { words: "token list", description: tokens, view: views.TOKENS },
  { words: "token holders", description: tokenHolders, args: ["token"], view: views.TOKEN_HOLDERS },
  { words: "token supply", description: totalSupply, args: ["token"] },
  { words: "token image", description: tokenImageRead, args: ["token"] },
  {
    words: "token market",
    otherWords: ["token dex"],
    description: tokenListings,
    view: views.TOKEN_LISTINGS,
  },
  { words: "token listing", description: tokenListing, args: ["dexid"], view: views.TOKEN_LISTING },
  {
    words: "token sell",
    trade: { doing: "selling", done: "on sale:", terms: trades.tokenOfferTerms("sell") },
    description: mrc010Sell,
    ...tokenOffer,
  },
  { words: "token unsell", trade: {}, description: mrc010Unsell, args: ["dexid"] },
  {
    words: "token buy",
    trade: { doing: "buying", terms: trades.tokenTakeTerms },
    description: mrc010Buy,
    args: ["dexid", "amount"],
    amounts: { amount: ofListing("mrc010") },
  },
  {
    words: "token reqsell",
    trade: { doing: "asking for", done: "asked for:", terms: trades.tokenOfferTerms("buy") },
    description: mrc010Reqsell,
    ...tokenOffer,
  },
  { words: "token unreqsell", trade: {}, description: mrc010Unreqsell, args: ["dexid"] },
  {
    words: "token acceptreqsell",
    trade: { doing: "selling", terms: trades.tokenTakeTerms },
    description: mrc010Acceptreqsell,
    args: ["dexid", "amount"],
    amounts: { amount: ofListing("mrc010") },
  },
  {
    words: "token auction",
    trade: { doing: "auctioning", done: "on auction:", terms: trades.tokenAuctionTerms },
    description: mrc010Auction,
    prints: ["mrc010dexid"],
    args: ["mrc010id", "amount", "auction_start_price"],
    defaults: { token: "0" },
    amounts: {
      amount: of("mrc010id"),
      auction_start_price: of("token"),
      auction_bidding_unit: of("token"),
      auction_buynow_price: of("token"),
    },
  },
  { words: "token unauction", trade: {}, description: mrc010Unauction, args: ["dexid"] },
  {
    words: "token bid",
    trade: { doing: "bidding", terms: trades.tokenBidTerms },
    description: mrc010Bid,
    args: ["dexid", "amount"],
    amounts: { amount: ofListing("sell_token") },
  },
  { words: "token finish", trade: {}, description: mrc010Auctionfinish, args: ["dexid"] },

  {
    words: "project create",
    description: mrc400Create,
    args: ["name"],
    flagNames: PAGE_URL,
  },
  { words: "project update", description: mrc400Update, args: ["mrc400id"], flagNames: PAGE_URL },
  { words: "project show", description: project, args: ["mrc400id"] },
  { words: "project list", description: projects, view: views.PROJECTS },

  {
    words: "item create",
    description: mrc401Create,
    args: ["mrc400id", "itemdata"],
    element: { list: "itemdata", without: ["id"], countedWithout: "item_id" },
    amounts: {
      ...newItemAmounts,
      auction_start_price: of("auction_token"),
      auction_bidding_unit: of("auction_token"),
      auction_buynow_price: of("auction_token"),
    },
    prints: ["mrc401ids"],
    details: `A token that is left out is the native coin. ${SMALLEST_UNITS}`,
  },
  { ...changedItems, words: "item update", description: mrc401Update },
  {
    words: "item transfer",
    description: mrc401Transfer,
    about: "Passes items of one project on, all or none.",
    args: ["toAddr", "mrc401id"],
    element: { list: "itemdata", alone: "mrc401id" },
  },
  {
    words: "item sell",
    trade: { doing: "selling", done: "on sale:", terms: trades.itemTerms },
    description: mrc401Sell,
    args: ["id", "price"],
    titles: { id: "item" },
    element: { list: "itemdata" },
    defaults: { token: "0" },
    amounts: { price: of("token") },
    details: SMALLEST_UNITS,
  },
  { ...listedItems, words: "item unsell", description: mrc401Unsell },
  {
    words: "item buy",
    guard: trades.itemPrice,
    trade: { doing: "buying", terms: trades.itemBuyTerms },
    description: mrc401Buy,
    args: ["mrc401id"],
    amounts: { price: ofItem("mrc401id", "sell_token") },
  },
  { words: "item melt", trade: {}, description: mrc401Melt, args: ["mrc401id"] },
  {
    words: "item auction",
    trade: { doing: "auctioning", done: "on auction:", terms: trades.itemTerms },
    description: mrc401Auction,
    args: ["id", "start"],
    titles: { id: "item", start: "start-price" },
    element: { list: "itemdata" },
    defaults: { token: "0" },
    amounts: { start: of("token"), bidding: of("token"), buynow: of("token") },
    details: SMALLEST_UNITS,
  },
  { ...listedItems, words: "item unauction", description: mrc401Unauction },
  {
    words: "item bid",
    trade: { doing: "bidding", terms: trades.bidTerms },
    description: mrc401Bid,
    args: ["mrc401id", "amount"],
    amounts: { amount: ofItem("mrc401id", "auction_token") },
  },
  { words: "item finish", trade: {}, description: mrc401Auctionfinish, args: ["mrc401id"] },
  { words: "item show", description: item, args: ["mrc401id"], view: views.ITEM },
  { words: "item list", description: items, view: views.ITEMS },

  {
    words: "mrc402 create",
    description: mrc402Create,
    about:
      "Creates a multi-unit item that stands alone, or 1 to 100 of a project, all or none. Whoever creates them pays their reserves and gets their units.",
    args: ["mrc400id", "itemdata"],
    flagNames: PAGE_URL,
    element: {
      list: "itemdata",
      onlyWith: "mrc400id",
      without: ["id"],
      countedWithout: "item_id",
    },
    amounts: newItemAmounts,
    prints: ["mrc402id", "mrc402ids"],
    details: `Without PROJECT it is an item that stands alone, which needs --name, --page-url and --imageurl, and has no --item-id, --groupid, --sell-price and such. ${SMALLEST_UNITS}`,
  },
  { words: "mrc402 transfer", description: mrc402Transfer, args: ["toAddr", "mrc402id", "amount"] },
  { words: "mrc402 mint", description: mrc402Mint, args: ["mrc402id", "amount"] },
  { words: "mrc402 burn", description: mrc402Burn, args: ["mrc402id", "amount"] },
  { words: "mrc402 melt", trade: {}, description: mrc402Melt, args: ["mrc402id", "amount"] },
  { words: "mrc402 update", description: mrc402Update, args: ["mrc402id"], flagNames: PAGE_URL },
  { ...changedItems, words: "mrc402 update-items", description: mrc402Itemupdate },
  {
    ...unitListing,
    words: "mrc402 sell",
    trade: { doing: "selling", done: "on sale:", terms: trades.unitTerms },
    description: mrc402Sell,
    about:
      "Puts units of an item on sale, or of several items, all or none. Each offer is a listing of its own.",
    args: ["id", "amount", "price"],
    amounts: { price: of("token") },
  },
  {
    ...listedUnits,
    words: "mrc402 unsell",
    trade: {},
    description: mrc402Unsell,
    about: "Takes back what is left of offers of units, all or none.",
  },
  {
    words: "mrc402 buy",
    guard: trades.unitPrice,
    trade: { doing: "buying", terms: trades.unitBuyTerms },
    description: mrc402Buy,
    ...listingOrItem,
    amounts: { price: ofItem("id", "sell_token") },
  },
  {
    ...unitListing,
    words: "mrc402 auction",
    trade: { doing: "auctioning", done: "on auction:", terms: trades.unitTerms },
    description: mrc402Auction,
    about: "Puts units of an item on auction as one lot, or lots of several items, all or none.",
    args: ["id", "amount", "auction_start_price"],
    amounts: {
      auction_start_price: of("token"),
      auction_bidding_unit: of("token"),
      auction_buynow_price: of("token"),
    },
  },
  {
    ...listedUnits,
    words: "mrc402 unauction",
    trade: {},
    description: mrc402Unauction,
    about: "Takes back auctions of units that nobody has bid in, all or none.",
  },
  {
    words: "mrc402 bid",
    trade: { doing: "bidding", terms: trades.bidTerms },
    description: mrc402Bid,
    ...listingOrItem,
    amounts: { amount: ofItem("id", "auction_token") },
  },
  { words: "mrc402 finish", trade: {}, description: mrc402Auctionfinish, args: ["id"] },
  { words: "mrc402 show", description: unitItem, args: ["mrc402id"], view: views.UNIT_ITEM },
  { words: "mrc402 list", description: unitItems, view: views.UNIT_ITEMS },
  {
    words: "mrc402 market",
    otherWords: ["mrc402 dex"],
    description: unitListings,
    view: views.UNIT_LISTINGS,
  },
  {
    words: "mrc402 listing",
    description: unitListingRead,
    args: ["dexid"],
    view: views.UNIT_LISTING,
  },
  {
    words: "mrc402 holdings",
    description: holdingsOfAddress,
    args: ["address"],
    own: "address",
    view: views.HOLDINGS,
  },
  {
    words: "mrc402 holders",
    description: holdersOfItem,
    args: ["mrc402id"],
    view: views.UNIT_HOLDERS,
  },

  { words: "info", description: service, view: views.SERVICE },
  { words: "height", description: height },
  {
    words: "block",
    description: block,
    args: ["block"],
    ifMissing: {
      block: {
        about: "the newest if left out",
        ask: async (session) => String((await session.request("height", {})).body),
      },
    },
    view: views.BLOCK,
  },
  { words: "block raw", description: blockRaw, args: ["block"] },
  { words: "blocks", description: blocks, view: views.BLOCKS },
  { words: "blocks raw", description: blocksRaw, flagNames: { from: "from-block" } },
  {
    words: "tx",
    otherWords: ["transaction"],
    description: transaction,
    args: ["transaction_id"],
    view: views.TRANSACTION,
  },
  {
    words: "transactions",
    description: transactions,
    times: ["since", "until"],
    view: views.TRANSACTIONS,
  },
  {
    words: "watch",
    description: events,
    about:
      "Prints transactions as they become durable: those of which one record satisfies all filters given.",
    flagNames: { from: "from-block" },
    perform: watch,
    details:
      "A line for each transaction as it becomes durable, with --json one JSON value a line, until Ctrl-C, which ends with exit code 0. When the connection is lost it comes back by itself, and misses and repeats nothing.",
  },

  { words: "proof transaction", description: transactionProof, args: ["transaction_id"] },
  { words: "proof consistency", description: checkpointConsistency, args: ["from", "to"] },
  { words: "proof checkpoint", description: checkpoint },
  { words: "proof key", description: checkpointKey },
  { words: "proof tile", description: tile, args: ["level", "tile"] },
  { words: "proof entries", description: entryBundle, args: ["tile"] },
  { words: "rules announce", description: protocol, args: ["version", "height", "note"] },
];
