import type { JSX } from "preact";
import { Choice } from "../../parts/lists/choice.tsx";
import { t } from "../../texts/texts.ts";

export type ListingOrder = "new" | "price" | "end";

/** Sales alone have a price, auctions alone an end. */
const ORDERS: Readonly<Record<string, readonly ListingOrder[]>> = {
  all: ["new", "price", "end"],
  sale: ["new", "price"],
  sell: ["new", "price"],
  auction: ["new", "end"],
};

function ordersOf(chosen: string): readonly ListingOrder[] {
  return ORDERS[chosen] ?? ["new"];
}

/** By price the API requires a token: the coin by default. */
export function orderFilters<P extends "token" | "paytoken">(
  chosen: string,
  query: Readonly<Record<string, string>>,
  payToken: P,
): { readonly order?: "price" | "end" } & { readonly [name in P]?: string } {
  const order = ordersOf(chosen).find((one) => one === query["order"]) ?? "new";
  const paid = query[payToken] ?? (order === "price" ? "0" : undefined);
  return {
    ...(order !== "new" && { order }),
    ...(paid !== undefined && { [payToken]: paid }),
  } as ReturnType<typeof orderFilters<P>>;
}

export function OrderChoice({ chosen }: { readonly chosen: string }): JSX.Element | null {
  const texts = t().explorer.market;
  const orders = ordersOf(chosen);
  return orders.length === 1 ? null : (
    <Choice
      name="order"
      label={texts.order}
      options={orders.map((one) => [one, texts.orders[one]])}
    />
  );
}
