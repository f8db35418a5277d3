import {
  ALICE,
  BOB,
  GOLD,
  NOW,
  ORDER,
  SILVER,
  TRADE,
  TRANSACTION,
} from "../../description/examples.ts";
import {
  address,
  amount,
  integer,
  type Members,
  noted,
  oneOf,
  orderStatus,
  recordType,
  shown,
  text,
  time,
  tokenId,
  transactionId,
} from "../../description/shown.ts";

const levelPrice = noted(amount, "base tokens for one whole target token");

const pair = {
  basetoken: [noted(tokenId, "id of the token that is paid with"), SILVER],
  targettoken: [noted(tokenId, "id of the token that is traded"), GOLD],
} satisfies Members;

export const shownOrder = shown("Order", {
  mrc040id: [text, ORDER],
  owner: [address, ALICE],
  side: [oneOf("SELL", "BUY"), "SELL"],
  status: [orderStatus, "TRADING"],
  ...pair,
  price: [levelPrice, "300"],
  qtt: [noted(amount, "units of the target that the order is for"), "1000"],
  remainqtt: [noted(amount, "units of the target that are not traded yet"), "900"],
  held: [
    noted(amount, "amount that the order holds: of the target (SELL) or the base (BUY)"),
    "900",
  ],
  regdate: [noted(time, "when the order was placed"), NOW],
  complete_date: [time, 0],
  cancel_date: [time, 0],
  job_type: [noted(recordType, "type of the order's newest record"), "stodexExchange"],
});

/** Source: protocols §10. */
export const shownLevel = shown("OrderLevel", {
  price: [levelPrice, "300"],
  qtt: [noted(amount, "units of the target that can still be traded at this price"), "900"],
  orders: [noted(integer, "how many orders have this price"), 1],
});

export const bookMembers: Members = {
  ...pair,
  open: [{ type: "boolean" }, true],
  basedecimal: [integer, 2],
  targetdecimal: [integer, 2],
};

/** Source: protocols §10. */
export const shownPending = shown("PendingOrders", {
  token: [tokenId, GOLD],
  pending: [amount, "900"],
  orders: [noted(integer, "how many orders hold it"), 1],
});

/** Source: protocols §10. */
export const shownOrderTrade = shown("OrderTrade", {
  id: [text, TRADE],
  transaction_id: [transactionId, TRANSACTION],
  timestamp: [time, NOW],
  ...pair,
  mrc040id: [noted(text, "id of the order that waited"), ORDER],
  owner: [noted(text, "address of the order's owner, the maker"), ALICE],
  requester: [noted(text, "address of the taker"), BOB],
  side: [noted(oneOf("SELL", "BUY"), "whether the taker sold or bought the target"), "BUY"],
  price: [levelPrice, "300"],
  qtt: [amount, "100"],
  amount: [noted(amount, "base tokens that were paid"), "300"],
});
