import type { Values } from "./fields.ts";
import { operationForm } from "./operation-form.ts";
import type { Subjects } from "./subject.ts";

type PairSubject = Subjects["pair"];
type OrderSubject = Subjects["order"];

const WISH = "side qtt price";

const SIDES = () => ({ side: { options: ["BUY", "SELL"] } });

const pair = ({ book: { basetoken, targettoken } }: PairSubject): Values => ({
  basetoken,
  targettoken,
});

const mrc040id = ({ order }: OrderSubject): Values => ({ mrc040id: order.mrc040id });

const isOpen = ({ order: { status } }: OrderSubject): boolean =>
  status === "WAIT" || status === "TRADING";

/** Source: protocols §10 */
export const ORDER_OPERATIONS = [
  operationForm({
    name: "mrc040create",
    on: "pair",
    action: "order",
    fields: WISH,
    more: SIDES,
    fixed: pair,
    isOffered: ({ book }) => book.open,
    notes: ["bookMayChange", "mayStop", "cancelLater"],
  }),
  operationForm({
    name: "mrc040request",
    on: "pair",
    action: "trade",
    fields: `${WISH} +minqtt`,
    more: SIDES,
    fixed: pair,
    isOffered: ({ book }) => book.open && book.bids.length + book.asks.length > 0,
    notes: ["bookMayChange", "mayStop", "neverWaits"],
  }),
  operationForm({
    name: "mrc040exchange",
    on: "order",
    action: "take",
    fields: "qtt",
    more: ({ order: { targettoken, remainqtt } }) => ({
      qtt: { of: targettoken, fills: [{ what: "all", amount: remainqtt }] },
    }),
    fixed: mrc040id,
    isOffered: (subject, by) =>
      isOpen(subject) && subject.book.open && subject.order.owner !== by.address,
  }),
  operationForm({
    name: "mrc040cancel",
    on: "order",
    action: "cancel-order",
    fixed: mrc040id,
    isOffered: (subject, by) => isOpen(subject) && subject.order.owner === by.address,
  }),
];
