import type { WireAnswer } from "@moneta/sdk";
import type { Params, Session } from "./session.ts";

/**
 * The `after` of the next page of balances; undefined after the last. Only `Link` shows this: a
 * page ends early if many locks have matured, which strangers can cause. Source: accounts §9.
 */
export function nextBalances({ headers }: WireAnswer): string | undefined {
  return /[?&]after=([^&>]+)/.exec(headers.get("link") ?? "")?.[1];
}

/** All pages of `balance` or `balanceOfToken`, from the position in `params` on. */
export async function* balancePages(
  name: string,
  params: Params,
  session: Session,
): AsyncGenerator<WireAnswer, void, undefined> {
  const { everyItem } = await import("@moneta/sdk");
  yield* everyItem(async (cursor) => {
    const after = cursor === undefined ? {} : { after: cursor };
    const answer = await session.request(name, { ...params, ...after });
    const next = nextBalances(answer);
    return { items: [answer], ...(next !== undefined && { cursor: next }) };
  });
}
