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
  recordType,
  shown,
  text,
  time,
  tokenId,
  transactionId,
} from "../../description/shown.ts";

const pair = {
  basetoken: [noted(tokenId, "id of the token that is paid with"), SILVER],
  targettoken: [noted(tokenId, "id of the token that is traded"), GOLD],
} satisfies Members;

export const shownOrder = shown("Order", {
  mrc040id: [text, ORDER],
  owner: [address, ALICE],
  side: [oneOf("SELL", "BUY"), "SELL"],
  status: [oneOf("WAIT", "TRADING", "COMPLETE", "CANCEL"), "TRADING"],
  ...pair,
  price: [noted(amount, "of one whole target token, in the base"), "300"],
  qtt: [amount, "1000"],
  remainqtt: [noted(amount, "what is not traded"), "900"],
  held: [noted(amount, "of the target (SELL) or the base (BUY)"), "900"],
  regdate: [time, NOW],
  complete_date: [time, 0],
  cancel_date: [time, 0],
  job_type: [noted(recordType, "type of the order's newest record"), "stodexExchange"],
});

/** Source: protocols §10. */
export const shownLevel = shown("OrderLevel", {
  price: [amount, "300"],
  qtt: [noted(amount, "what they have left"), "900"],
  orders: [noted(integer, "how many they are"), 1],
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
  owner: [noted(text, "whose order it is"), ALICE],
  requester: [noted(text, "who came"), BOB],
  side: [noted(oneOf("SELL", "BUY"), "what the requester did"), "BUY"],
  price: [amount, "300"],
  qtt: [amount, "100"],
  amount: [noted(amount, "what it cost, of the base"), "300"],
});
