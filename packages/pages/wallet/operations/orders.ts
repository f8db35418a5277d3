import { type Order, type OrderBook, orderCost } from "@moneta/sdk";
import {
  amount,
  choice,
  type FieldFault,
  type Fields,
  more,
  optional,
  type Values,
} from "./fields.ts";
import { type Acting, type Effect, operationForm } from "./operation-form.ts";
import { oppositeLevels, quantityStep, tradedAtOnce, type Wish } from "./order-book.ts";

type PairSubject = { readonly book: OrderBook };
type OrderSubject = { readonly order: Order; readonly book: OrderBook };
type Faults = Readonly<Record<string, FieldFault>>;

const TOTAL_MAX = 10n ** 40n;

/** What an order and a request have in common. */
const wishFields = ({ book: { basetoken, targettoken } }: PairSubject) =>
  ({
    side: choice("BUY", "SELL"),
    qtt: amount({ token: targettoken }),
    price: amount({ token: basetoken }),
  }) satisfies Fields;

const wishRequest = (
  values: Values<ReturnType<typeof wishFields>>,
  { book: { basetoken, targettoken } }: PairSubject,
) => ({ ...values, basetoken, targettoken });

/** What is traded at once: what goes, and what comes. */
function tradeEffects(
  { side }: Pick<Wish, "side">,
  { basetoken, targettoken }: OrderBook,
  { traded, cost }: { readonly traded: bigint; readonly cost: bigint },
): readonly Effect[] {
  if (traded === 0n) {
    return [];
  }
  return side === "BUY"
    ? [
        { kind: "own", what: "payAtMost", sign: "−", amount: cost, token: basetoken },
        { kind: "own", what: "get", sign: "+", amount: traded, token: targettoken },
      ]
    : [
        { kind: "own", what: "give", sign: "−", amount: traded, token: targettoken },
        { kind: "own", what: "getAtLeast", sign: "+", amount: cost, token: basetoken },
      ];
}

const priceEffect = (
  { price }: Pick<Wish, "price">,
  { basetoken, targettoken, targetdecimal }: OrderBook,
): Effect => ({
  kind: "price",
  per: 10n ** BigInt(targetdecimal),
  of: targettoken,
  amount: price,
  token: basetoken,
});

/** The whole price of an order of which all trades at its own price. */
const totalOf = ({ price, qtt }: Wish, { targetdecimal }: OrderBook): bigint =>
  orderCost({ side: "BUY", price }, qtt, targetdecimal);

function checkOrder(wish: Wish, { book }: PairSubject, by: Acting): Faults {
  const step = quantityStep(wish.price, book.targetdecimal);
  if (wish.qtt % step !== 0n) {
    return { qtt: { what: "step", bound: step, decimals: book.targetdecimal } };
  }
  const total = totalOf(wish, book);
  if (total > TOTAL_MAX) {
    return { price: { what: "large", bound: TOTAL_MAX, decimals: book.basedecimal } };
  }
  const spendable = by.spendable(book.basetoken);
  // Also where better prices make it cheaper.
  return wish.side === "BUY" && spendable !== undefined && spendable < total
    ? { qtt: { what: "needs", bound: total, decimals: book.basedecimal } }
    : {};
}

const mrc040create = operationForm({
  name: "mrc040create",
  on: "pair",
  action: "order",
  isOpenTo: ({ book }) => book.open,
  fields: (subject) => wishFields(subject),
  check: (wish, subject, _reading, by) => checkOrder(wish, subject, by),
  request: wishRequest,
  effects: (wish, { book }) => {
    const { side, qtt } = wish;
    const atOnce = tradedAtOnce(wish, book);
    const rest = qtt - atOnce.traded;
    const restPrice =
      totalOf(wish, book) - orderCost({ ...wish, side: "BUY" }, atOnce.traded, book.targetdecimal);
    const [base, target] = [book.basetoken, book.targettoken];
    const waits: readonly Effect[] =
      rest === 0n
        ? []
        : side === "BUY"
          ? [
              { kind: "own", what: "hold", sign: "−", amount: restPrice, token: base },
              { kind: "own", what: "wanted", sign: "", amount: rest, token: target },
            ]
          : [
              { kind: "own", what: "hold", sign: "−", amount: rest, token: target },
              { kind: "own", what: "asked", sign: "", amount: restPrice, token: base },
            ];
    return [
      priceEffect(wish, book),
      ...tradeEffects(wish, book, atOnce),
      ...waits,
      ...(atOnce.traded > 0n ? [{ kind: "note", what: "bookMayChange" } as const] : []),
      ...(atOnce.mayStop ? [{ kind: "note", what: "mayStop" } as const] : []),
      ...(rest > 0n ? [{ kind: "note", what: "cancelLater" } as const] : []),
    ];
  },
});

function checkTrade(
  wish: Wish & { readonly minqtt: bigint | undefined },
  { book }: PairSubject,
): Faults {
  const { traded, cost } = tradedAtOnce(wish, book);
  if (traded === 0n) {
    const [best] = oppositeLevels(wish.side, book);
    return best === undefined
      ? { price: { what: "emptySide" } }
      : { price: { what: "bestPrice", bound: best.price, decimals: book.basedecimal } };
  }
  if (wish.minqtt !== undefined && wish.minqtt > traded) {
    return { minqtt: { what: "large", bound: traded, decimals: book.targetdecimal } };
  }
  return wish.side === "SELL" && cost === 0n ? { qtt: { what: "bringsNothing" } } : {};
}

const mrc040request = operationForm({
  name: "mrc040request",
  on: "pair",
  action: "trade",
  isOpenTo: ({ book }) => book.open && book.bids.length + book.asks.length > 0,
  fields: (subject) => ({
    ...wishFields(subject),
    minqtt: more(optional(amount({ token: subject.book.targettoken }))),
  }),
  check: (wish, subject) => checkTrade(wish, subject),
  request: wishRequest,
  effects: (wish, { book }) => {
    const atOnce = tradedAtOnce(wish, book);
    const rest = wish.qtt - atOnce.traded;
    return [
      priceEffect(wish, book),
      ...tradeEffects(wish, book, atOnce),
      ...(rest > 0n
        ? [
            {
              kind: "own",
              what: "notThere",
              sign: "",
              amount: rest,
              token: book.targettoken,
            } as const,
          ]
        : []),
      { kind: "note", what: "bookMayChange" },
      ...(atOnce.mayStop ? [{ kind: "note", what: "mayStop" } as const] : []),
      { kind: "note", what: "neverWaits" },
    ];
  },
});

const isOpen = ({ order: { status } }: OrderSubject): boolean =>
  status === "WAIT" || status === "TRADING";

/** What so many units of a waiting order cost now, exactly. Source: protocols §9.3 */
function costNow({ order, book }: OrderSubject, units: bigint): bigint {
  const traded = order.qtt - order.remainqtt;
  const upTo = (sum: bigint): bigint => orderCost(order, sum, book.targetdecimal);
  return upTo(traded + units) - upTo(traded);
}

const mrc040exchange = operationForm({
  name: "mrc040exchange",
  on: "order",
  action: "take",
  // Only the first in line is taken; of several at the best price the node knows which one it is.
  isOpenTo: (subject, by) =>
    isOpen(subject) &&
    subject.book.open &&
    subject.order.owner !== by.address &&
    (subject.order.side === "SELL" ? subject.book.asks : subject.book.bids)[0]?.price ===
      subject.order.price,
  fields: ({ order: { targettoken, remainqtt } }) => ({
    qtt: amount(
      { token: targettoken },
      { max: remainqtt, fills: [{ what: "all", amount: remainqtt }] },
    ),
  }),
  check: ({ qtt }, subject): Faults =>
    subject.order.side === "BUY" && costNow(subject, qtt) === 0n
      ? { qtt: { what: "bringsNothing" } }
      : {},
  request: (values, { order: { mrc040id } }) => ({ ...values, mrc040id }),
  effects: ({ qtt }, subject) => {
    const { side, basetoken: base, targettoken: target } = subject.order;
    const cost = costNow(subject, qtt);
    const [pays, gets] =
      side === "SELL"
        ? [
            { amount: cost, token: base },
            { amount: qtt, token: target },
          ]
        : [
            { amount: qtt, token: target },
            { amount: cost, token: base },
          ];
    return [
      { kind: "own", what: side === "SELL" ? "pay" : "give", sign: "−", ...pays },
      { kind: "own", what: "get", sign: "+", ...gets },
      { kind: "share", role: "orderOwner", address: subject.order.owner, ...pays },
    ];
  },
});

const mrc040cancel = operationForm({
  name: "mrc040cancel",
  on: "order",
  action: "cancel-order",
  isOpenTo: (subject, by) => isOpen(subject) && subject.order.owner === by.address,
  fields: () => ({}),
  request: (_, { order: { mrc040id } }) => ({ mrc040id }),
  effects: (_, { order: { side, held, basetoken, targettoken } }) => [
    {
      kind: "own",
      what: "back",
      sign: "+",
      amount: held,
      token: side === "SELL" ? targettoken : basetoken,
    },
  ],
});

/** Everything that can be done in a book. Source: protocols §10 */
export const ORDER_OPERATIONS = [
  mrc040create,
  mrc040request,
  mrc040exchange,
  mrc040cancel,
] as const;
