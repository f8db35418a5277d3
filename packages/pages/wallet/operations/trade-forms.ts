import type { Values } from "./fields.ts";
import { auctionFills, type MarketAction, marketAction, type OnMarket } from "./on-market.ts";
import { type Acting, type FormOf, type OperationForm, operationForm } from "./operation-form.ts";
import type { Subjects } from "./subject.ts";

type Tradable = "tokenListing" | "item" | "unitListing";

type Test<S> = (subject: S, by: Acting) => boolean;

interface Goods<K extends Tradable> {
  readonly on: K;
  readonly prefix: "mrc010" | "mrc401" | "mrc402";
  readonly lot: (subject: Subjects[K]) => OnMarket | undefined;
  /** Its seller does not buy. */
  readonly isOwn: Test<Subjects[K]>;
  /** By default its seller. */
  readonly mayEnd?: Test<Subjects[K]>;
  readonly id: (subject: Subjects[K]) => Values;
  readonly buy: Partial<FormOf<Subjects[K]>>;
  readonly bid?: Partial<FormOf<Subjects[K]>>;
  readonly unsell?: Partial<FormOf<Subjects[K]>>;
  readonly unauction?: Partial<FormOf<Subjects[K]>>;
}

export function offered<S>(
  { lot, isOwn }: { readonly lot: (subject: S) => OnMarket | undefined; readonly isOwn: Test<S> },
  action: MarketAction,
): Test<S> {
  return (subject, by) => marketAction(lot(subject), isOwn(subject, by), by) === action;
}

/** The same for tokens, items and units. Source: market §1 */
export function tradeForms<K extends Tradable>(goods: Goods<K>): readonly OperationForm[] {
  const { on, prefix, lot, isOwn, mayEnd = isOwn, id } = goods;
  const form = (own: FormOf<Subjects[K]>): OperationForm => operationForm<K>({ ...own, on });
  return [
    form({
      ...{ name: `${prefix}buy`, on, action: "buy", fixed: id },
      isOffered: offered(goods, "buy"),
      policy: (_, subject) => ("item" in subject ? subject.item : undefined),
      ...goods.buy,
    }),
    form({
      ...{ name: `${prefix}bid`, on, action: "bid", fixed: id, fields: "amount" },
      more: (subject) => ({ amount: auctionFills(lot(subject)) }),
      isOffered: offered(goods, "bid"),
      policy: (_, subject) => ("item" in subject ? subject.item : undefined),
      notes: ["outbid"],
      ...goods.bid,
    }),
    form({
      ...{ name: `${prefix}unsell`, on, action: "take-back", fixed: id },
      isOffered: offered({ lot, isOwn: mayEnd }, "take-back"),
      ...goods.unsell,
    }),
    form({
      ...{ name: `${prefix}unauction`, on, action: "cancel-auction", fixed: id },
      isOffered: offered({ lot, isOwn: mayEnd }, "cancel-auction"),
      ...goods.unauction,
    }),
    form({
      ...{ name: `${prefix}auctionfinish`, on, action: "finish", fixed: id, isUnsigned: true },
      isOffered: offered(goods, "finish"),
      notes: ["anybody"],
    }),
  ];
}
