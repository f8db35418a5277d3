import { itemName, type NamedItem, ownItemName } from "@moneta/protocol";
import { type DescribedAmount, ownerPowers, ownerPowersText, type TermsOfItem } from "@moneta/sdk";
import type { Members } from "../session/session.ts";
import { periodText } from "../values/grant-texts.ts";
import { timeText } from "../values/times.ts";
import { recordSummary } from "./record-summary.ts";
import type { AmountText, EachText, View } from "./view.ts";

const TOKEN_AMOUNTS = {
  totalsupply: "id",
  burnningamount: "id",
  circulation_supply: "id",
  remainamount: "id",
  reservedamount: "id",
} as const;

export const TOKEN: View = {
  amounts: TOKEN_AMOUNTS,
  areTokens: true,
  hidden: ["type"],
  shown: ({ token: _, image, basetoken, targettoken, ...others }) => ({
    ...others,
    ...(others["id"] !== "0" && { "orders priced in": `token ${basetoken}` }),
    "orders in it for": Object.keys(targettoken ?? {}).map((id) => `token ${id}`),
    image:
      typeof image === "string" && image.length > 255
        ? `a data URL of ${image.length} characters: moneta token image ${others["id"]}`
        : image,
  }),
};

export const TOKENS: View = {
  columns: ["id", "symbol", "name", "24 h volume:day_volume", "totalsupply", "owner"],
  amounts: { ...TOKEN_AMOUNTS, day_volume: "id" },
  areTokens: true,
};

export const BALANCES: View = {
  columns: ["token", "balance", "unlockdate"],
  amounts: { balance: "token" },
};

export const ADDRESS: View = {
  amounts: {},
  shown: ({ balance, keyset, publickey, ...others }) => ({
    ...others,
    "balance entries": (balance as readonly unknown[]).length,
    ...(keyset === undefined ? { publickey } : keysShown(keyset as Members)),
  }),
};

/** With their indexes, which signatures name. Source: authority §1.7. */
function keysShown(keyset: Members): Members {
  const { version, threshold, keys, pendingdue = 0, recoverydelay = 0 } = keyset;
  const lines = (of: unknown): readonly string[] =>
    ((of ?? []) as readonly Members[]).map(({ publickey, kind, weight, rpid }, place) => {
      const passkey = kind === "webauthn" ? `, passkey of ${rpid}` : "";
      return `key ${place}, weight ${weight}${passkey}: ${publickey}`;
    });
  return {
    "key version": version,
    keys: lines(keys),
    "needed weight": threshold,
    "recovery keys": lines(keyset["recoverykeys"]),
    ...(recoverydelay === 0
      ? {}
      : { recovery: `by weight ${keyset["recoverythreshold"]}, after ${recoverydelay} s` }),
    "keys after recovery": lines(keyset["pendingkeys"]),
    ...(pendingdue === 0
      ? {}
      : { "their needed weight": keyset["pendingthreshold"], "recovery end": pendingdue }),
  };
}

export const TOKEN_HOLDERS: View = {
  columns: ["address", "balance", "locked"],
  amounts: { balance: "=token", locked: "=token" },
};

export const TOKEN_CANDLES: View = {
  columns: ["timestamp", "open", "high", "low", "close", "volume", "trades"],
  amounts: { volume: "=token" },
  shown: ({ time, ...others }) => ({ ...others, timestamp: time }),
};

export const TOKEN_TRADES: View = {
  columns: ["timestamp", "side", "amount", "payment", "seller", "buyer", "dexid"],
  amounts: { amount: "=token", payment: "token" },
};

const LISTED_AMOUNTS = {
  amount: "mrc010",
  remain_amount: "mrc010",
  min_trade_unit: "mrc010",
  buy_price_total: "buy_token",
  auction_bidding_unit: "sell_token",
  auction_start_price: "sell_token",
  auction_buynow_price: "sell_token",
  auction_current_price: "sell_token",
} as const;

export const TOKEN_LISTING: View = {
  amounts: LISTED_AMOUNTS,
  order: [
    "dexid",
    "mrc010",
    "side",
    "state",
    "seller",
    "buyer",
    "amount",
    "remain_amount",
    "price each",
  ],
  hidden: ["sell_price", "buy_price"],
  shown: (listing, _, each) => ({ ...listing, "price each": priceOf(listing, each) }),
};

export const TOKEN_LISTINGS: View = {
  amounts: LISTED_AMOUNTS,
  columns: ["dexid", "side", "state", "remain_amount", "each", "lot", "ends:auction_end_date"],
  shown: (listing, amount, each) => ({
    ...listing,
    each: priceOf(listing, each),
    lot: listing["side"] === "auction" ? lotPrice(listing, amount) : "",
  }),
};

function priceOf(listing: Members, each: EachText): string {
  const { price, pays } = asked(listing);
  return listing["side"] === "auction"
    ? ""
    : each(
        { price: String(price), min_trade_unit: String(listing["min_trade_unit"]) },
        { goods: String(listing["mrc010"]), money: String(pays) },
      );
}

function lotPrice(listing: Members, amount: AmountText): string {
  const { price, pays } = asked(listing);
  return amount(String(price), String(pays));
}

function asked({
  side,
  sell_price,
  sell_token,
  buy_price,
  buy_token,
  auction_current_price: current,
  auction_start_price: start,
}: Members): Members {
  return side === "buy"
    ? { price: buy_price, pays: buy_token }
    : { price: side === "sell" ? sell_price : current || start, pays: sell_token };
}

const ORDER_AMOUNTS = {
  price: "basetoken",
  qtt: "targettoken",
  remainqtt: "targettoken",
  held: "holds",
} as const;

export const ORDER: View = {
  amounts: ORDER_AMOUNTS,
  order: ["mrc040id", "owner", "side", "status", "qtt", "remainqtt", "price"],
  hidden: ["holds", "job_type"],
  shown: (order) => ({
    ...order,
    holds: order["side"] === "SELL" ? order["targettoken"] : order["basetoken"],
  }),
};

export const ORDERS: View = {
  amounts: ORDER_AMOUNTS,
  columns: ["mrc040id", "side", "status", "remainqtt", "price", "owner"],
};

/** Both sides, the best levels next to each other; or one side. */
export const ORDER_BOOK: View = {
  amounts: { price: "=basetoken", qtt: "=targettoken" },
  columns: ["price", "amount:qtt", "orders"],
  order: ["basetoken", "targettoken", "open", "asks", "bids"],
  hidden: ["basedecimal", "targetdecimal"],
  shown: ({ asks, bids, open, ...others }, amountText) => {
    if (asks === undefined) {
      return { ...others, open };
    }
    const linesOf = (levels: unknown): readonly string[] =>
      (levels as readonly Level[]).map(({ price, qtt, orders }) => {
        const amount = amountText(qtt, String(others["targettoken"]));
        return `${amount} at ${amountText(price, String(others["basetoken"]))}, ${orders} ${orders === 1 ? "order" : "orders"}`;
      });
    const isOpen = open === true ? "yes" : "no";
    return { ...others, open: isOpen, asks: linesOf(asks).toReversed(), bids: linesOf(bids) };
  },
};

interface Level {
  readonly price: string;
  readonly qtt: string;
  readonly orders: number;
}

export const PENDING_ORDERS: View = {
  amounts: { pending: "token" },
  columns: ["token", "pending", "orders"],
};

export const ORDER_TRADE: View = {
  amounts: { price: "basetoken", qtt: "targettoken", paid: "basetoken" },
  order: ["id", "side", "qtt", "price", "paid"],
  shown: ({ amount, ...others }) => ({ ...others, paid: amount }),
};

export const ORDER_TRADES: View = {
  ...ORDER_TRADE,
  columns: ["timestamp", "side", "qtt", "price", "paid", "requester", "owner", "trade:id"],
};

/** What was paid in 24 hours, in each token. */
function dayVolume({ day_volume: volumes }: Members, amount: AmountText): string {
  return ((volumes ?? []) as readonly { volume: string; token: string }[])
    .map(({ volume, token }) => amount(volume, token))
    .join(", ");
}

export const PROJECTS: View = {
  columns: ["id", "name", "category", "owner", "24 h trades:day_trades", "24 h volume:volume"],
  amounts: {},
  shown: (project, amount) => ({ ...project, volume: dayVolume(project, amount) }),
};

export const PROJECT_MARKET: View = {
  amounts: {},
  shown: ({ day_trades: trades, ...others }, amount) => ({
    "trades in 24 h": trades,
    "volume in 24 h": dayVolume(others, amount),
  }),
};

const AUCTION_AMOUNTS = {
  auction_bidding_unit: "auction_token",
  auction_start_price: "auction_token",
  auction_buynow_price: "auction_token",
  auction_current_price: "auction_token",
} as const;

const ITEM_AMOUNTS = {
  ...AUCTION_AMOUNTS,
  sell_price: "sell_token",
  initial_reserve: "initial_token",
  face_price: "face_token",
  last_trade_amount: "last_trade_token",
} as const;

/** `policy` says what the number stands for. */
const hidden = ["policy_number"];

export const ITEM: View = { amounts: ITEM_AMOUNTS, hidden, shown: withOwnerPowers };

function withOwnerPowers(item: Members): Members {
  const powers = ownerPowers(item as unknown as TermsOfItem);
  return powers === undefined ? item : { ...item, "project's owner": ownerPowersText(powers) };
}

const ITEMS_SHOWN: View = {
  columns: ["name", "state", "price", "ends:auction_end", "holder", "id"],
  amounts: { price: "pays" },
  shown(item) {
    const state =
      item["owner"] === "MELTED"
        ? "melted"
        : item["sell_date"] !== 0
          ? "on sale"
          : item["auction_date"] !== 0
            ? "on auction"
            : "";
    const isSale = state === "on sale";
    const bid = item["auction_current_price"];
    return {
      ...item,
      name: nameOf(item as unknown as NamedItem),
      state,
      price: isSale
        ? item["sell_price"]
        : state === ""
          ? ""
          : bid !== "0"
            ? bid
            : item["auction_start_price"],
      pays: item[isSale ? "sell_token" : "auction_token"],
    };
  },
};

export const ITEMS: View = {
  ...ITEMS_SHOWN,
  csv: {
    ...ITEMS_SHOWN,
    columns: ["name", "state", "price", "ends:auction_end", "groupid", "holder", "id"],
  },
};

/** Its own name, or its group's with its number; `""` without either. */
function nameOf(item: NamedItem): string {
  return item.groupid === "" ? ownItemName(item) : itemName(item, "");
}

export const OWNED_ITEMS: View = {
  columns: ["kind", "name", "balance", "saleamount", "auctionamount", "id"],
  item: "id",
};

export const UNIT_ITEM: View = { amounts: ITEM_AMOUNTS, hidden, shown: withOwnerPowers };

export const UNIT_ITEMS: View = {
  columns: ["id", "name", "totalsupply", "holders", "creator"],
};

export const UNIT_LISTING: View = {
  amounts: {
    sell_price: "sell_token",
    auction_bidding_unit: "sell_token",
    auction_start_price: "sell_token",
    auction_buynow_price: "sell_token",
    auction_current_price: "sell_token",
  },
};

export const UNIT_LISTINGS: View = {
  columns: [
    "dexid",
    "side",
    "state",
    "remain_amount",
    "price",
    "ends:auction_end_date",
    "name",
    "mrc402",
  ],
  item: "mrc402",
  amounts: { price: "pays" },
  shown: (listing) => ({ ...listing, ...asked(listing) }),
};

export const OFFER: View = { amounts: { price: "token", held: "token" } };

export const SHARED_ADDRESSES: View = {
  columns: ["address", "role", "weight", "threshold", "sum"],
};

/** Source: authority §5. */
export const GRANT: View = {
  amounts: {},
  order: ["grantid", "note", "address", "agent", "operations", "limits", "payees", "items"],
  hidden: ["periods"],
  shown: ({ limits, items, ...others }, amount) => ({
    ...others,
    limits: (limits as readonly WireLimit[]).map(({ token, amount: most, period }, place) => {
      const { since, spent } = (others["periods"] as readonly WirePeriod[])[place] as WirePeriod;
      const when =
        period === 0 || since === 0
          ? ""
          : ` from ${timeText(since)} to ${timeText(since + period)}`;
      return `${amount(most, token)} ${periodText(period)}, ${amount(spent, token)} spent${when}`;
    }),
    items: (items as readonly WireGrantItem[]).map(({ id, minprice, token = "0" }) =>
      minprice === undefined ? id : `${id}, for at least ${amount(minprice, token)} each`,
    ),
  }),
};

interface WireLimit {
  readonly token: string;
  readonly amount: string;
  readonly period: number;
}

interface WirePeriod {
  readonly since: number;
  readonly spent: string;
}

interface WireGrantItem {
  readonly id: string;
  readonly minprice?: string;
  readonly token?: string;
}

export const GRANTS: View = {
  columns: ["grantid", "note", "until", "ended", "operations"],
};

export const ITEM_OFFERS: View = {
  columns: ["offerid", "state", "price", "ends:end", "buyer", "name", "id"],
  item: "id",
  amounts: { price: "token" },
};

export const UNIT_OFFERS: View = {
  columns: ["offerid", "state", "remain_amount", "price", "ends:end", "buyer", "name", "id"],
  item: "id",
  amounts: { price: "token" },
};

export const HOLDINGS: View = {
  columns: ["name", "balance", "saleamount", "auctionamount", "mrc402"],
  item: "mrc402",
};

export const UNIT_HOLDERS: View = {
  columns: ["address", "balance", "saleamount", "auctionamount"],
};

export const BLOCKS: View = {
  columns: ["sn", "timestamp", "transactions:count", "bytes:size", "id"],
};

export const FOUND: View = { columns: ["kind", "name", "symbol", "groupid", "attribute", "id"] };

const TOTALS_SHOWN: View = {
  columns: ["timestamp", "transactions:count", "addresses"],
  shown: ({ time, types, ...others }) => ({
    ...others,
    timestamp: time,
    types: Object.entries(types as object)
      .map(([type, count]) => `${type} ${count}`)
      .join(", "),
  }),
};

export const TOTALS: View = {
  ...TOTALS_SHOWN,
  csv: { ...TOTALS_SHOWN, columns: ["timestamp", "transactions:count", "addresses", "types"] },
};

export const BLOCK: View = {
  shown: ({ transaction, ...others }) => ({
    ...others,
    transactions: (transaction as readonly Members[]).map(({ id }) => id),
  }),
};

/** Source: accounts §10, §11. */
export function payment({ type, parameters }: Members): Members {
  const places = parameters as readonly string[];
  const [from, to] = places;
  if (type === "multi_transfer") {
    return { from };
  }
  if (type !== "transfer" && type !== "receive") {
    return {};
  }
  const [, , , , , , tag, memo] = places;
  return { from, to, tag, memo };
}

export const RECORDS: View = {
  areRecords: true,
  columns: ["timestamp", "transaction:id", "what"],
  csv: {
    areRecords: true,
    columns: [
      ...["address", "timestamp", "type", "what", "amount", "token:money", "for"],
      ...["for token:goods", "with", "about", "tag", "memo", "transaction:id"],
    ],
    amounts: {},
    shown(record, amountText) {
      const { money, goods, with: other, about } = recordSummary(record);
      const { tag, memo } = payment(record);
      const { id, timestamp, type, address, what } = record;
      const [paid, taken] = [money, goods].map((moved) => movedCells(moved, amountText));
      return {
        ...{ id, timestamp, type, address, what, with: other, about, tag, memo },
        ...{ amount: paid?.number, money: paid?.of, for: taken?.number, goods: taken?.of },
      };
    },
  },
};

function movedCells(
  moved: DescribedAmount | undefined,
  amountText: AmountText,
): { readonly number: string; readonly of: string } | undefined {
  if (moved === undefined) {
    return undefined;
  }
  const { role, amount, token } = moved;
  const text = token === undefined ? `${amount} units` : amountText(String(amount), token);
  const [number = "", ...of] = text.split(" ");
  return { number: role === "out" ? `-${number}` : number, of: of.join(" ") || `#${token}` };
}

export const TRANSACTION: View = {
  areRecords: true,
  order: [], // as it is shown below
  shown(record) {
    const { id, db_sn, db_id, timestamp, type, what, parameters, effects, validationCode } = record;
    const { from, tag, memo } = payment(record);
    return {
      transaction_id: id,
      ...{ db_sn, db_id, timestamp, type, what },
      ...(from === undefined ? { parameters } : { tag, memo }),
      effects,
      ...(validationCode === "0" ? {} : { validationCode }),
    };
  },
};

export const SERVICE: View = {
  shown({ coin, protocol, interface: version, checkpoint_keys, faucet, ...others }) {
    const { symbol, name, decimal } = coin as Members;
    const rules = protocol as Members;
    return {
      ...others,
      interface: version,
      rules:
        rules["next"] === 0
          ? `version ${rules["version"]}`
          : `version ${rules["version"]}, version ${rules["next"]} from block ${rules["height"]} on`,
      coin: `${symbol}, ${name}, ${decimal} decimals`,
      "checkpoint keys": checkpoint_keys,
      faucet: faucet === undefined ? "" : "moneta faucet",
    };
  },
};

export const SEAL: View = {
  shown: ({ is_open, publickey, ...others }) => ({
    ...others,
    is_open: is_open === 1 ? "yes" : "no",
    key: publickey,
  }),
};

export const SEALS: View = { columns: ["id", "opendate", "opened", "data"], csv: SEAL };
